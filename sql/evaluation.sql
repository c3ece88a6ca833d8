-- dp_evaluate: what models say of rows, exact without noise and within it with noise; what is charged, stored, shown and refused
\pset null -
SET ROLE regress_owner;
-- points of a Weyl sequence; labels with log-odds 1 + 0.4 x - 0.2 y, a target with residuals of deviation 1
CREATE TABLE judged AS
SELECT i AS id, i / 2 AS person, x, y, CASE WHEN (i * 0.41421356237 % 1) < 1 / (1 + exp(-(1 + 0.4 * x - 0.2 * y))) THEN 'yes' ELSE 'no' END AS word,
       3 + 2 * x - y + 1.7320508 * (2 * (i * 0.7320508075 % 1) - 1) AS z, CASE WHEN i % 3 = 0 THEN 'a' WHEN i % 3 = 1 THEN 'b' ELSE 'c' END AS part
  FROM (SELECT i, (i * 0.7548776662 % 1)::float8 * 20 - 10 AS x, (i * 0.5698402909 % 1)::float8 * 20 - 10 AS y FROM generate_series(1, 6000) AS i) AS p;
CREATE TABLE judged_units AS TABLE judged;
ANALYZE judged, judged_units;
SELECT dp_register_dataset('judged', 'judged', 1000, 1e-4),
       dp_register_dataset('judged_units', 'judged_units', 1000, 1e-4, adjacency => 'add_remove', unit => 'person', max_rows_per_unit => 2);
SELECT count(dp_register_column(d, c, -10, 10)) FROM unnest('{judged,judged_units}'::text[]) AS d, unnest('{x,y}'::text[]) AS c;
SELECT count(dp_register_column(d, 'z', -40, 40)), count(dp_register_column(d, 'word', '{no,yes}'::text[])), count(dp_register_column(d, 'part', '{a,b,c}'::text[])) FROM unnest('{judged,judged_units}'::text[]) AS d;
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{judged,judged_units}'::text[]) AS d;
GRANT SELECT ON judged, judged_units TO regress_reader;
RESET ROLE;

SET ROLE regress_analyst;
SELECT count(*) FROM dp_logit_fit('judged', 'word', 50, columns => '{x,y}', model => 'says');
SELECT count(*) FROM dp_linreg_fit('judged', 'z', 50, columns => '{x,y,part}', model => 'line');
SELECT count(*) FROM dp_linreg_fit('judged', 'z', 50, columns => '{x}', model => 'poor');
SELECT count(*) FROM dp_gmm_fit('judged', 2, 50, columns => '{x,y,z}', model => 'mix');
SELECT count(*) FROM dp_kmeans_fit('judged', 3, 50, columns => '{x,y}', model => 'means');
SET client_min_messages = warning;	-- what noise makes of components
SELECT count(*) FROM dp_mixture_fit('judged', 2, 50, columns => '{x,part}', model => 'kinds');
RESET client_min_messages;
SELECT count(*) FROM dp_fa_fit('judged', 1, 50, columns => '{x,y,z}', model => 'factor');
SELECT count(*) FROM dp_pca_fit('judged', 1, 50, columns => '{x,y,z}', model => 'axes');
SELECT count(*) FROM dp_sbn_fit('judged', 2, 50, columns => '{x,y,z}', model => 'net');
SELECT count(dp_grant_model(m, 'regress_reader')) FROM unnest('{says,line,poor,mix,means,kinds,factor,net}'::text[]) AS m;
RESET ROLE;

-- without noise: what the same functions say row by row, but for bins and for features that are whole multiples of 2^-13 where there is noise
SET ROLE regress_reader;
CREATE FUNCTION pg_temp.metric(model text, metric text, dataset text DEFAULT 'judged', more text DEFAULT '') RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    v float8;
BEGIN
    EXECUTE format('SELECT value FROM dp_evaluate(%L, %L, ''Infinity''%s) WHERE metric = %L', model, dataset, more, metric) INTO STRICT v;
    RETURN v;
END$$;
CREATE TEMP TABLE said AS SELECT j.*, (dp_posterior('says', ARRAY[x, y]))[2] AS p, z - dp_predict_value('line', to_jsonb(j)) AS r FROM judged j;
SELECT near(pg_temp.metric('says', 'rows'), 6000) AS rows, near(pg_temp.metric('says', 'positives'), count(*) FILTER (WHERE word = 'yes')) AS positives,
       near(pg_temp.metric('says', 'accuracy'), avg(((p > 0.5) = (word = 'yes'))::int)) AS accuracy,
       near(pg_temp.metric('says', 'recall'), avg((p > 0.5)::int) FILTER (WHERE word = 'yes')) AS recall,
       near(pg_temp.metric('says', 'precision'), avg((word = 'yes')::int) FILTER (WHERE p > 0.5)) AS precision,
       abs(pg_temp.metric('says', 'brier_score', more => ', bins => 1000') - avg((p - (word = 'yes')::int) ^ 2)) < 1e-4 AS brier,
       abs(pg_temp.metric('says', 'log_loss', more => ', bins => 1000') + avg(ln(CASE word WHEN 'yes' THEN p ELSE 1 - p END))) < 1e-3 AS log_loss
  FROM said;
-- the area by ranks
SELECT abs(pg_temp.metric('says', 'auc', more => ', bins => 4000') - a) < 1e-3 AS fine, abs(pg_temp.metric('says', 'auc') - a) < 5e-3 AS coarse
  FROM (SELECT (sum(rank) FILTER (WHERE word = 'yes') - n1 * (n1 + 1) / 2) / (n1 * n0) AS a
          FROM (SELECT word, rank() OVER (ORDER BY p), count(*) FILTER (WHERE word = 'yes') OVER () AS n1, count(*) FILTER (WHERE word = 'no') OVER () AS n0 FROM said) AS s
         GROUP BY n1, n0) AS q;
SELECT near(pg_temp.metric('line', 'rmse'), sqrt(avg(r * r)), 1e-6) AS rmse, near(pg_temp.metric('line', 'mean_absolute_error'), avg(abs(r)), 1e-6) AS mae,
       near(pg_temp.metric('line', 'r2'), 1 - avg(r * r) / var_pop(z), 1e-6) AS r2, abs(pg_temp.metric('line', 'mean_error') - avg(r)) < 0.02 AS mean_error,
       abs(pg_temp.metric('line', 'absolute_error_p90') - percentile_cont(0.9) WITHIN GROUP (ORDER BY abs(r))) < 0.1 AS p90
  FROM said;
SELECT near(pg_temp.metric('mix', 'mean_log_density'), avg(dp_log_density('mix', ARRAY[x, y, z])), 1e-6) AS mixture,
       near(pg_temp.metric('kinds', 'mean_log_density'), avg(dp_log_density('kinds', to_jsonb(j))), 1e-6) AS categories,
       near(pg_temp.metric('factor', 'mean_log_density'), avg(dp_log_density('factor', ARRAY[x, y, z])), 1e-6) AS factors,
       near(pg_temp.metric('net', 'mean_log_density'), avg(dp_log_density('net', ARRAY[x, y, z])), 1e-6) AS network,
       near(pg_temp.metric('means', 'nicv'), avg(dp_squared_distance('means', ARRAY[x, y])), 1e-6) AS centers
  FROM judged j;
-- the same by parallel workers, which take the model from the leader
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET parallel_leader_participation = off;
SELECT near(pg_temp.metric('says', 'accuracy'), avg(((p > 0.5) = (word = 'yes'))::int)) AS accuracy, near(pg_temp.metric('line', 'rmse'), sqrt(avg(r * r)), 1e-6) AS rmse,
       abs(pg_temp.metric('line', 'mean_error') - avg(r)) < 0.02 AS mean_error
  FROM said;
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size; RESET parallel_leader_participation;
-- a column on a logarithmic scale
RESET ROLE;
SET ROLE regress_owner;
CREATE TABLE judged_scales AS SELECT exp(x / 4) AS size, y FROM judged;
SELECT dp_register_dataset('judged_scales', 'judged_scales', 1000, 1e-4), dp_register_column('judged_scales', 'size', 0.05, 20, scale => 'log'), dp_register_column('judged_scales', 'y', -10, 10), dp_grant_budget('regress_analyst', 'judged_scales', 900, 1e-4);
GRANT SELECT ON judged_scales TO regress_reader;
SET ROLE regress_analyst;
SELECT count(*) FROM dp_kmeans_fit('judged_scales', 3, 50, model => 'sizes');
SELECT dp_grant_model('sizes', 'regress_reader');
SET ROLE regress_reader;
SELECT near(pg_temp.metric('sizes', 'nicv', 'judged_scales'), avg(dp_squared_distance('sizes', ARRAY[size, y])), 1e-6) AS centers FROM judged_scales;
-- a set of marginals is a density of its columns, also where it has a label
RESET ROLE;
SET ROLE regress_analyst;
SELECT count(*) FROM dp_synth_fit('judged', 50, columns => '{x,word,part}', label => 'word', bins => 8, rounds => 1, model => 'tables');
SELECT dp_grant_model('tables', 'regress_reader'), attempt($$SELECT * FROM dp_evaluate('tables', 'judged', 1, target => 'word')$$);
SET ROLE regress_reader;
SELECT near(pg_temp.metric('tables', 'mean_log_density', more => $$, range => '{-40,0}'$$), avg(dp_log_density('tables', to_jsonb(j))), 1e-6) AS marginals FROM judged j;
-- and its tables are as far from those of the rows as dp_tabulate says, but for categories that it does not tell apart
RESET ROLE;
SET ROLE regress_analyst;
SELECT count(*) FROM dp_synth_fit('judged', 50, columns => '{word,part}', rounds => 1, model => 'two labels');
SELECT dp_grant_model('two labels', 'regress_reader');
SET ROLE regress_reader;
CREATE FUNCTION pg_temp.apart(only_part text) RETURNS float8 LANGUAGE sql AS $$
    SELECT sum(abs(coalesce(t.share, 0) - coalesce(n.share, 0))) / 2
      FROM (SELECT keys, value / sum(value) OVER () AS share FROM dp_tabulate('two labels', '{part,word}')) AS t
      FULL JOIN (SELECT ARRAY[coalesce(part, 'unknown'), coalesce(word, 'unknown')] AS keys, count(*) / sum(count(*)) OVER () AS share FROM judged WHERE only_part IS NULL OR part = only_part GROUP BY 1) AS n USING (keys) $$;
SELECT m, abs(pg_temp.metric('two labels', m) - pg_temp.apart(NULL)) < 0.01 AS all_rows, pg_temp.apart('a') > 0.2 AS far,
       abs(pg_temp.metric('two labels', m, more => ', filter => ''part = ''''a''''''') - pg_temp.apart('a')) < 0.01 AS some_rows FROM unnest('{mean_total_variation,max_total_variation}'::text[]) AS m;
-- of rows that match
SELECT near(pg_temp.metric('line', 'rows', more => ', filter => ''part = ''''a'''''''), 2000) AS rows,
       near(pg_temp.metric('line', 'rmse', more => ', filter => ''part = ''''a'''''''), (SELECT sqrt(avg(r * r)) FROM said WHERE part = 'a'), 1e-6) AS rmse;
-- residuals beyond the range are told of, unless nobody wants to know; of the default range there are none
SET dpem.noise_warnings = on;
SELECT pg_temp.metric('line', 'rmse', more => $$, range => '{-0.001,0.001}'$$) <= 0.001 AS cut;
SELECT pg_temp.metric('line', 'rmse') > 0.001 AS whole;
RESET dpem.noise_warnings;
SELECT pg_temp.metric('line', 'rmse', more => $$, range => '{-0.001,0.001}'$$) <= 0.001 AS cut;
-- no model without noise is stored
SELECT count(*) FROM dpem.evaluations WHERE dataset ~ '^judged';
RESET ROLE;

-- with noise: within ten deviations, on rows and on persons (false alarms below 1e-20), one charge a call
SET ROLE regress_reader;
CREATE TEMP TABLE exact AS SELECT m AS model, d AS dataset, e.metric, e.value FROM unnest('{says,line,poor,mix,means,kinds,factor,net}'::text[]) AS m, unnest('{judged,judged_units}'::text[]) AS d, dp_evaluate(m, d, 'Infinity', range => CASE WHEN m IN ('mix', 'kinds', 'factor') THEN '{-60,10}'::float8[] END) AS e;
GRANT SELECT ON exact TO regress_analyst;
RESET ROLE;
SET ROLE regress_analyst;
SELECT charges() AS before \gset
CREATE TEMP TABLE noisy AS SELECT m AS model, d AS dataset, e.* FROM unnest('{says,line,poor,mix,means,kinds,factor,net}'::text[]) AS m, unnest('{judged,judged_units}'::text[]) AS d, dp_evaluate(m, d, 5, range => CASE WHEN m IN ('mix', 'kinds', 'factor') THEN '{-60,10}'::float8[] END) AS e;
SELECT charges() - :before AS charged;
SELECT count(*) AS metrics, count(*) FILTER (WHERE abs(n.value - e.value) > 10 * n.noise_stddev + 0.002 * abs(e.value) + 0.02) AS off, bool_and(n.ci_lower <= n.value AND n.value <= n.ci_upper) AS ordered
  FROM noisy n JOIN exact e USING (model, dataset, metric);
SELECT dataset, model, statistic, near(sensitivity, CASE WHEN statistic LIKE '%counts' THEN s ELSE sensitivity END, 1e-6) AS rows
  FROM unnest('{judged,judged_units}'::text[], ARRAY[sqrt(2), 2]) AS d (dataset, s), unnest('{says,line}'::text[]) AS m (model), dp_evaluate_plan(model, dataset, 1)
 WHERE line IS NOT NULL AND (statistic LIKE 'scores%' OR statistic LIKE 'residuals%') ORDER BY dataset COLLATE "C", model COLLATE "C", statistic COLLATE "C";
SELECT model, statistic FROM unnest('{says,line,mix,means}'::text[]) AS model, dp_evaluate_plan(model, 'judged', 1) ORDER BY model COLLATE "C", line, statistic COLLATE "C";

-- what is kept and shown: the last evaluation
SELECT model, count(DISTINCT charge) AS calls, count(*) AS metrics FROM dpem.evaluations WHERE dataset ~ '^judged' GROUP BY model ORDER BY model COLLATE "C";
SELECT count(*) AS thresholds, bool_and(true_positive_rate BETWEEN 0 AND 1 AND false_positive_rate BETWEEN 0 AND 1) AS rates,
       bool_and(true_positive_rate <= coalesce(before, 1)) AS falls, max(threshold) < 1 AS ends
  FROM (SELECT *, lag(true_positive_rate) OVER (ORDER BY threshold) AS before FROM dp_evaluate_curve('says')) AS c;
SELECT abs(sum(value) - 6000) < 500 AS all_rows, count(*) AS cells, min(lower) < 0 AND max(upper) > 0 AS about_zero FROM dpem.evaluation_cells WHERE model = 'line' AND charge = (SELECT max(charge) FROM dpem.evaluations WHERE model = 'line');
SELECT m, left(dp_plot_evaluation(m), 4) AS picture, dp_plot_evaluation(m) LIKE '%class="' || c || '"%' AS drawn FROM (VALUES ('says', 'roc'), ('line', 'bin')) AS v (m, c);
SELECT attempt($$SELECT dp_plot_evaluation('mix')$$), attempt($$SELECT dp_plot_evaluation('axes')$$);
RESET ROLE;

-- intervals as wide as residuals: 90 of 100 rows are inside one of 90 % (noise moves that by 0.001: false alarms below 1e-20)
SET ROLE regress_analyst;
SELECT m, count(*) AS metrics FROM unnest('{line,poor}'::text[]) AS m, dp_evaluate(m, 'judged', 20) GROUP BY m ORDER BY m COLLATE "C";
RESET ROLE;
SET ROLE regress_reader;
SELECT m, abs(avg((z BETWEEN lower AND upper)::int) - 0.9) < 0.02 AS ninety FROM unnest('{line,poor}'::text[]) AS m, judged AS j, dp_predict_interval(m, to_jsonb(j), 0.9) GROUP BY m ORDER BY m COLLATE "C";
RESET ROLE;

-- where more residuals were beyond the range than may be outside, how far they go is not known
SET ROLE regress_analyst;
SELECT count(*) FROM dp_evaluate('poor', 'judged', 5, range => '{-1,1}');
RESET ROLE;
SET ROLE regress_reader;
SELECT c AS coverage, avg((z BETWEEN lower AND upper)::int) > c - 0.02 AS covers, max(upper - lower) < 2 AS narrow
  FROM unnest('{0.05,0.9}'::float8[]) AS c, judged AS j, dp_predict_interval('poor', to_jsonb(j), c) GROUP BY c ORDER BY c;
RESET ROLE;

-- other classifiers and regressions: two classes of an additive model, a naive Bayes classifier, random features and margins; a number of an additive model
SET ROLE regress_analyst;
SELECT count(*) > 0 FROM dp_gam_fit('judged', 'word', 50, columns => '{x,y}', pairs => '1', model => 'shapes');
SELECT count(*) > 0 FROM dp_gam_fit('judged', 'z', 50, columns => '{x,y,part}', model => 'steps');
SELECT count(*) > 0 FROM dp_gam_fit('judged', 'part', 50, columns => '{x,y}', model => 'parts');
SELECT count(*) > 0 FROM dp_bayes_fit('judged', 'word', 50, columns => '{x,y,part}', model => 'naive');
SELECT count(*) > 0 FROM dp_svm_fit('judged', 'word', 50, columns => '{x,y,part}', model => 'margin');
SELECT count(*) > 0 FROM dp_svm_fit('judged', 'word', 50, columns => '{x,y,part}', positive => 'no', model => 'turned');
SELECT count(*) > 0 FROM dp_logit_fit('judged', 'word', 50, columns => '{x,y}', features => 'fourier', dimension => 16, model => 'waves');
SELECT model, family FROM dpem.models WHERE model IN ('shapes', 'steps', 'parts', 'naive', 'margin', 'turned', 'waves') ORDER BY model COLLATE "C";
SELECT count(dp_grant_model(m, 'regress_reader')) FROM unnest('{shapes,steps,naive,margin,turned,waves}'::text[]) AS m;
RESET ROLE;
SET ROLE regress_reader;
CREATE TEMP TABLE told AS SELECT m, word, (dp_posterior(m, to_jsonb(j)))[2] AS p, dp_predict_label(m, to_jsonb(j)) AS label FROM unnest('{shapes,naive,waves}'::text[]) AS m, judged j;
SELECT m, near(pg_temp.metric(m, 'rows'), 6000) AS rows, near(pg_temp.metric(m, 'positives'), count(*) FILTER (WHERE word = 'yes')) AS positives,
       abs(pg_temp.metric(m, 'accuracy') - avg((label = word)::int)) < 1e-3 AS accuracy,
       abs(pg_temp.metric(m, 'recall') - avg((label = 'yes')::int) FILTER (WHERE word = 'yes')) < 1e-3 AS recall,
       abs(pg_temp.metric(m, 'brier_score', more => ', bins => 1000') - avg((p - (word = 'yes')::int) ^ 2)) < 1e-3 AS brier,
       abs(pg_temp.metric(m, 'log_loss', more => ', bins => 1000') + avg(ln(greatest(CASE word WHEN 'yes' THEN p ELSE 1 - p END, 0.0009)))) < 2e-3 AS log_loss
  FROM told GROUP BY m ORDER BY m COLLATE "C";
SELECT near(pg_temp.metric('steps', 'rows'), 6000) AS rows, abs(pg_temp.metric('steps', 'rmse') / sqrt(avg(r * r)) - 1) < 1e-3 AS rmse, abs(pg_temp.metric('steps', 'mean_absolute_error') / avg(abs(r)) - 1) < 1e-3 AS mae
  FROM (SELECT z - dp_predict_value('steps', to_jsonb(j)) AS r FROM judged j) AS s;
-- a margin is no probability: neither Brier score nor log loss, nor a probability in the curve; the second class is the positive one
CREATE TEMP TABLE margins AS SELECT m, CASE m WHEN 'margin' THEN 'yes' ELSE 'no' END AS positive, word, (dp_transform(m, to_jsonb(j)))[2] AS margin, dp_predict_label(m, to_jsonb(j)) AS label FROM unnest('{margin,turned}'::text[]) AS m, judged j;
SELECT m, near(pg_temp.metric(m, 'positives'), count(*) FILTER (WHERE word = positive)) AS positives, near(pg_temp.metric(m, 'accuracy'), avg((label = word)::int)) AS accuracy,
       near(pg_temp.metric(m, 'precision'), avg((word = positive)::int) FILTER (WHERE label = positive)) AS precision, near(pg_temp.metric(m, 'recall'), avg((label = positive)::int) FILTER (WHERE word = positive)) AS recall
  FROM margins GROUP BY m ORDER BY m COLLATE "C";
SELECT m, abs(pg_temp.metric(m, 'auc', more => ', bins => 4000') - a) < 1e-3 AS fine, abs(pg_temp.metric(m, 'auc') - a) < 1e-2 AS coarse
  FROM (SELECT m, (sum(rank) FILTER (WHERE word = positive) - n1 * (n1 + 1) / 2) / (n1 * n0) AS a
          FROM (SELECT m, word, positive, rank() OVER (PARTITION BY m ORDER BY margin), count(*) FILTER (WHERE word = positive) OVER (PARTITION BY m) AS n1, count(*) FILTER (WHERE word <> positive) OVER (PARTITION BY m) AS n0 FROM margins) AS s
         GROUP BY m, n1, n0) AS q ORDER BY m COLLATE "C";
CREATE TEMP TABLE exactly AS SELECT m AS model, d AS dataset, e.metric, e.value FROM unnest('{shapes,steps,naive,margin,turned,waves}'::text[]) AS m, unnest('{judged,judged_units}'::text[]) AS d, dp_evaluate(m, d, 'Infinity') AS e;
GRANT SELECT ON exactly TO regress_analyst;
RESET ROLE;
SET ROLE regress_analyst;
CREATE TEMP TABLE noisily AS SELECT m AS model, d AS dataset, e.* FROM unnest('{shapes,steps,naive,margin,turned,waves}'::text[]) AS m, unnest('{judged,judged_units}'::text[]) AS d, dp_evaluate(m, d, 5) AS e;
SELECT count(*) AS metrics, count(*) FILTER (WHERE abs(n.value - e.value) > 10 * n.noise_stddev + 0.005 * abs(e.value) + 0.02) AS off, bool_and(n.ci_lower <= n.value AND n.value <= n.ci_upper) AS ordered
  FROM noisily n JOIN exactly e USING (model, dataset, metric);
SELECT string_agg(metric, ' ' ORDER BY metric COLLATE "C") FROM noisily WHERE model = 'margin' AND dataset = 'judged';
SELECT m, count(*) AS thresholds, min(threshold) < 0 AS of_margins, count(predicted) AS predicted FROM unnest('{margin,naive}'::text[]) AS m, dp_evaluate_curve(m) GROUP BY m ORDER BY m COLLATE "C";
SELECT m, dp_plot_evaluation(m) LIKE '%class="roc"%' AS roc, dp_plot_evaluation(m) LIKE '%class="bin"%' AS calibration, dp_plot_evaluation(m) ~ 'nan' AS nan FROM unnest('{margin,naive}'::text[]) AS m ORDER BY m COLLATE "C";
SELECT attempt(format('SELECT * FROM dp_evaluate(%s)', c)) FROM unnest(ARRAY[$$'margin', 'judged', 1, threshold => 0.5$$, $$'margin', 'judged', 1, range => '{-1,1}'$$, $$'steps', 'judged', 1, target => 'word'$$,
    $$'naive', 'judged', 1, target => 'part'$$]) WITH ORDINALITY AS u (c, o) ORDER BY o;
-- more than two classes: counts by class and predicted class, and what was lost
SELECT count(*) > 0 FROM dp_bayes_fit('judged', 'part', 50, columns => '{x,y,z}', model => 'naive parts');
SELECT count(*) > 0 FROM dp_svm_fit('judged', 'part', 50, columns => '{x,y,z}', model => 'margin parts');
SELECT count(*) > 0 FROM dp_logit_fit('judged', 'part', 50, columns => '{x,y,z}', model => 'says parts');
SELECT count(dp_grant_model(m, 'regress_reader')) FROM unnest('{parts,naive parts,margin parts,says parts}'::text[]) AS m;
SELECT statistic FROM dp_evaluate_plan('parts', 'judged', 1) ORDER BY line, statistic COLLATE "C";
RESET ROLE;
SET ROLE regress_reader;
CREATE TEMP TABLE of_three AS
SELECT m, part, dp_predict_label(m, to_jsonb(j)) AS label, CASE m WHEN 'margin parts' THEN NULL ELSE dp_posterior(m, to_jsonb(j)) END AS p, ascii(part) - 96 AS place
  FROM unnest('{parts,naive parts,margin parts,says parts}'::text[]) AS m, judged j;
CREATE TEMP TABLE of_classes AS
SELECT m, c, count(*) FILTER (WHERE part = c AND label = c)::float8 AS hits, count(*) FILTER (WHERE part = c) AS actual, count(*) FILTER (WHERE label = c) AS predicted
  FROM of_three, unnest('{a,b,c}'::text[]) AS c GROUP BY m, c;
SELECT m, near(pg_temp.metric(m, 'rows'), 6000) AS rows, abs(pg_temp.metric(m, 'accuracy') - sum(hits) / 6000) < 1e-3 AS accuracy, abs(pg_temp.metric(m, 'macro_recall') - avg(hits / actual)) < 1e-3 AS recall,
       abs(pg_temp.metric(m, 'macro_precision') - sum(hits / nullif(predicted, 0)) / 3) < 5e-3 AS precision, abs(pg_temp.metric(m, 'macro_f1') - avg(2 * hits / (actual + predicted))) < 5e-3 AS f1
  FROM of_classes GROUP BY m ORDER BY m COLLATE "C";
SELECT m, near(pg_temp.metric(m, 'log_loss'), avg(least(-ln(p[place]), 7)), 1e-3) AS log_loss,
       near(pg_temp.metric(m, 'brier_score'), avg((SELECT sum((q - (i = place)::int) ^ 2) FROM unnest(p) WITH ORDINALITY AS u (q, i))), 1e-3) AS brier
  FROM of_three WHERE p IS NOT NULL GROUP BY m ORDER BY m COLLATE "C";
CREATE TEMP TABLE exactly_three AS SELECT m AS model, d AS dataset, e.metric, e.value FROM unnest('{parts,naive parts,margin parts,says parts}'::text[]) AS m, unnest('{judged,judged_units}'::text[]) AS d, dp_evaluate(m, d, 'Infinity') AS e;
GRANT SELECT ON exactly_three, of_three TO regress_analyst;
RESET ROLE;
SET ROLE regress_analyst;
CREATE TEMP TABLE noisily_three AS SELECT m AS model, d AS dataset, e.* FROM unnest('{parts,naive parts,margin parts,says parts}'::text[]) AS m, unnest('{judged_units,judged}'::text[]) AS d, dp_evaluate(m, d, 5) AS e;
SELECT count(*) AS metrics, count(*) FILTER (WHERE abs(n.value - e.value) > 10 * n.noise_stddev + 0.005 * abs(e.value) + 0.02) AS off, bool_and(n.ci_lower <= n.value AND n.value <= n.ci_upper) AS ordered
  FROM noisily_three n JOIN exactly_three e USING (model, dataset, metric);
SELECT count(*) AS cells, bool_and(abs(v.value - t.n) < 10 * v.noise_stddev + 30) AS near, min(v.noise_stddev) > 0 AS noise
  FROM dpem.confusion_matrices v JOIN (SELECT m, c, q, count(*) FILTER (WHERE part = c AND label = q) AS n FROM of_three, unnest('{a,b,c}'::text[]) AS c, unnest('{a,b,c}'::text[]) AS q GROUP BY m, c, q) AS t
    ON v.model = t.m AND v.class = t.c AND v.predicted = t.q WHERE v.charge IN (SELECT max(charge) FROM dpem.confusion_matrices GROUP BY model);
SELECT attempt($$SELECT count(*) FROM dp_evaluate_curve('parts')$$);
SELECT attempt(format('SELECT * FROM dp_evaluate(%s)', c)) FROM unnest(ARRAY[$$'parts', 'judged', 1, bins => 10$$, $$'parts', 'judged', 1, threshold => 0.5$$, $$'parts', 'judged', 1, target => 'word'$$, $$'parts', 'judged', 1, target => 'z'$$]) WITH ORDINALITY AS u (c, o) ORDER BY o;
SELECT attempt($$SELECT dp_plot_evaluation('parts')$$);
-- evaluations are of the model that had the name: they go with it when it is replaced
SELECT count(DISTINCT charge) AS before FROM dpem.evaluations WHERE model = 'naive';
SELECT count(*) > 0 FROM dp_bayes_fit('judged', 'word', 5, columns => '{x}', model => 'naive', replace => true);
SELECT count(DISTINCT charge) AS after FROM dpem.evaluations WHERE model = 'naive';
RESET ROLE;
SELECT count(*) AS of_no_model FROM dpem_internal.evaluation e WHERE NOT EXISTS (SELECT FROM dpem_internal.model m WHERE m.id = e.model);
SELECT count(*) AS of_no_evaluation FROM dpem_internal.evaluation_metric v WHERE NOT EXISTS (SELECT FROM dpem_internal.evaluation e WHERE e.charge = v.charge);

-- evaluations go with the model: to whom it was granted, and away
SET ROLE regress_other;
SELECT count(*) FROM dpem.evaluations WHERE dataset ~ '^judged';
SELECT attempt($$SELECT count(*) FROM dp_evaluate_curve('says')$$);
SELECT attempt($$SELECT * FROM dp_evaluate('says', 'judged', 1)$$), attempt($$SELECT dp_plot_evaluation('says')$$);
SELECT attempt('SELECT count(*) FROM dpem_internal.evaluation'), attempt('SELECT count(*) FROM dpem_internal.evaluation_metric');
RESET ROLE;
SET ROLE regress_analyst;
SELECT dp_grant_model('says', 'regress_other');
RESET ROLE;
SET ROLE regress_other;
SELECT count(*) FROM dp_evaluate_curve('says');
SELECT attempt($$SELECT * FROM dp_evaluate('says', 'judged', 1)$$);
RESET ROLE;
SET ROLE regress_analyst;
SELECT dp_drop_model('says');
SELECT count(*) FROM dpem.evaluations WHERE model = 'says';
RESET ROLE;
SELECT count(*) AS left_over FROM dpem_internal.evaluation_metric v WHERE NOT EXISTS (SELECT FROM dpem_internal.evaluation e WHERE e.charge = v.charge);

-- refused before anything is spent
SET ROLE regress_analyst;
SELECT charges() AS before \gset
SELECT c, attempt(format('SELECT * FROM dp_evaluate(%s)', c)) FROM unnest(ARRAY[
    $$'axes', 'judged', 1$$, $$'nothing', 'judged', 1$$, $$NULL, 'judged', 1$$, $$'line', 'nowhere', 1$$, $$'line', 'judged', 0$$, $$'line', 'judged', 'Infinity'$$,
    $$'line', 'judged', 1, target => 'part'$$, $$'line', 'judged', 1, target => 'x'$$, $$'mix', 'judged', 1, target => 'z'$$,
    $$'line', 'judged', 1, bins => 1$$, $$'line', 'judged', 1, bins => 5000$$, $$'line', 'judged', 1, range => '{-1,2}'$$, $$'line', 'judged', 1, range => '{-1e-101,1e-101}'$$,
    $$'mix', 'judged', 1, range => '{1,1}'$$, $$'mix', 'judged', 1, range => '{0}'$$, $$'mix', 'judged', 1, range => '{0,NaN}'$$, $$'means', 'judged', 1, range => '{1,2}'$$,
    $$'mix', 'judged', 1, bins => 10$$, $$'tables', 'judged', 1, bins => 10$$, $$'line', 'judged', 1, threshold => 0.5$$, $$'mix', 'judged', 1, threshold => 0.5$$,
    $$'line', 'judged', 1, threshold => 2$$, $$'line', 'judged', 1, filter => 'nothing = 1'$$]) WITH ORDINALITY AS u (c, o) ORDER BY o;
SELECT charges() = :before AS nothing_spent;
RESET ROLE;
SET ROLE regress_owner;
SELECT dp_register_dataset('judged_two', 'judged', 1000, 1e-4), dp_register_column('judged_two', 'z', -40, 40), dp_register_column('judged_two', 'part', '{a,b}'::text[]);
SELECT count(dp_register_column('judged_two', c, -10, 10)) FROM unnest('{x,y}'::text[]) AS c;
SELECT dp_grant_budget('regress_analyst', 'judged_two', 900, 1e-4);
RESET ROLE;
SET ROLE regress_analyst;
SELECT attempt($$SELECT * FROM dp_evaluate('line', 'judged_two', 1)$$);
RESET ROLE;
SET ROLE regress_owner;
-- in a domain fifty times as wide, in which noise would hide how much the target varies (r2 was 0 from minus infinity on): it is clamped to where it is
CREATE TABLE judged_wide AS SELECT x, y, z FROM judged;
ANALYZE judged_wide;
SELECT dp_register_dataset('judged_wide', 'judged_wide', 1000, 1e-4), dp_register_column('judged_wide', 'z', -2000, 2000);
SELECT count(dp_register_column('judged_wide', c, -10, 10)) FROM unnest('{x,y}'::text[]) AS c;
SELECT dp_grant_budget('regress_analyst', 'judged_wide', 100, 1e-4);
RESET ROLE;
SET ROLE regress_analyst;
SELECT count(*) FROM dp_linreg_fit('judged_wide', 'z', 50, columns => '{x,y}', model => 'wide');
SELECT statistic FROM dp_evaluate_plan('wide', 'judged_wide', 5) WHERE statistic ~ 'target';
-- noise alone puts a clamp elsewhere now and then (of 930 at most at 330, that of the rows being at 83): medians of five, false alarms below 4e-7 if one of 300 is beyond 400
SELECT metric, CASE metric WHEN 'r2' THEN value BETWEEN 0.98 AND 1 AND ci_lower > 0.97 WHEN 'target_lower' THEN value BETWEEN -400 AND -20 ELSE value BETWEEN 25 AND 400 END AS told
  FROM (SELECT metric, percentile_disc(0.5) WITHIN GROUP (ORDER BY value) AS value, percentile_disc(0.5) WITHIN GROUP (ORDER BY ci_lower) AS ci_lower
          FROM generate_series(1, 5) AS i, dp_evaluate('wide', 'judged_wide', 5 + 0 * i) WHERE metric ~ 'r2|target' GROUP BY metric) AS m ORDER BY 1;
-- nor is it hidden in one a thousand times as wide, which rounding to 1/8192 of it would take residuals away from (likewise)
RESET ROLE;
SET ROLE regress_owner;
SELECT dp_register_column('judged_wide', 'z', -40000, 40000);
RESET ROLE;
SET ROLE regress_analyst;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY value) BETWEEN 0.9 AND 1 AS r2 FROM generate_series(1, 5) AS i, dp_evaluate('wide', 'judged_wide', 4 + 0 * i) WHERE metric = 'r2';
RESET ROLE;
SET ROLE regress_owner;
-- two labels whose coordinates have one name, "a=b=c": each is found by its column, too
CREATE TABLE judged_names AS SELECT CASE WHEN id % 2 = 0 THEN 'b=c' ELSE 'd' END AS a, CASE WHEN id % 3 = 0 THEN 'c' ELSE 'e' END AS "a=b", 3.0 * (id % 2) - 5 * (id % 3) AS z FROM judged;
ANALYZE judged_names;
SELECT dp_register_dataset('judged_names', 'judged_names', 1000, 1e-4), dp_register_column('judged_names', 'z', -20, 20), dp_register_column('judged_names', 'a', '{b=c,d}'::text[]), dp_register_column('judged_names', 'a=b', '{c,e}'::text[]), dp_grant_budget('regress_analyst', 'judged_names', 100, 1e-4);
RESET ROLE;
SET ROLE regress_analyst;
SELECT count(*) FROM dp_linreg_fit('judged_names', 'z', 50, model => 'names');
SELECT columns FROM dpem.models WHERE model = 'names';
-- (noise of 0.005 in r2; where a row had the first of the two for both, it was 0.37)
SELECT value BETWEEN 0.7 AND 0.85 AS r2 FROM dp_evaluate('names', 'judged_names', 10) WHERE metric = 'r2';
-- the same in tables of categories (noise of less than 0.01)
SELECT count(*) > 0 AS fitted FROM dp_synth_fit('judged_names', 20, columns => '{a,a=b}', rounds => 1, model => 'names_tables');
SELECT value < 0.1 AS near FROM dp_evaluate('names_tables', 'judged_names', 10) WHERE metric = 'max_total_variation';
-- a coordinate that is there twice, which no row would fill, and each would find as the row before had left it
RESET ROLE;
UPDATE dpem_internal.model SET columns[2] = columns[1], category_of[2] = category_of[1] WHERE name = 'names';
SET ROLE regress_analyst;
SELECT charges() AS before \gset
SELECT attempt($$SELECT * FROM dp_evaluate('names', 'judged_names', 1)$$);
SELECT charges() = :before AS nothing_spent;
RESET ROLE;
SET ROLE regress_owner;
ALTER TABLE judged RENAME y TO gone;
RESET ROLE;
SET ROLE regress_analyst;
SELECT attempt($$SELECT * FROM dp_evaluate('line', 'judged', 1)$$);
SELECT attempt($$SELECT count(*) FROM dp_evaluate_curve('one')$$), attempt($$SELECT count(*) FROM dp_evaluate_curve('nothing')$$)
  FROM dp_synth_fit('judged_two', 1, columns => '{x,part}', bins => 2, rounds => 1, model => 'one') LIMIT 1;
SELECT count(dp_drop_model(model)) FROM dpem.models WHERE dataset LIKE 'judged%';
RESET ROLE;
SELECT count(*) FROM dpem_internal.evaluation WHERE dataset ~ '^judged';
SET ROLE regress_owner;
SELECT dp_drop_dataset('judged'), dp_drop_dataset('judged_two'), dp_drop_dataset('judged_wide'), dp_drop_dataset('judged_names'), dp_drop_dataset('judged_units');
DROP TABLE judged, judged_units, judged_wide, judged_names;
RESET ROLE;
