-- algorithm => 'online' of dp_logit_fit and dp_svm_fit: fits, trajectories, plans, noise, and what is refused
\pset null -
SET ROLE regress_owner;
-- points of a Weyl sequence in two classes, over a hundred days
CREATE TABLE stream_rows AS
SELECT date '2026-01-01' + i % 100 AS day, x, y, CASE WHEN x - y > 0 THEN 'yes' ELSE 'no' END AS word, CASE WHEN x < -3 THEN 'a' WHEN y < 0 THEN 'b' ELSE 'c' END AS class, i % 1000 AS person
  FROM (SELECT i, (i * 0.7548776662 % 1)::float8 * 20 - 10 AS x, (i * 0.5698402909 % 1)::float8 * 20 - 10 AS y FROM generate_series(1, 6000) AS i) AS p;
CREATE TABLE stream_guests AS TABLE stream_rows;
CREATE TABLE stream_persons AS TABLE stream_rows;
CREATE TABLE stream_known AS SELECT date '2026-01-01' + i % 2 * 90 AS day, 10.0::float8 AS x, 0.0::float8 AS y, 'yes' AS word, 'a' AS class FROM generate_series(1, 800) AS i;
CREATE TABLE stream_line AS SELECT day, x, x / 2 + 1 AS y FROM stream_rows;
ANALYZE stream_rows, stream_guests, stream_persons, stream_known, stream_line;
SELECT dp_register_dataset('stream_rows', 'stream_rows', 1000, 1e-4),
       dp_register_dataset('stream_guests', 'stream_guests', 1000, 1e-4, adjacency => 'add_remove', accountant => 'rdp'),
       dp_register_dataset('stream_known', 'stream_known', 1000, 1e-4),
       dp_register_dataset('stream_line', 'stream_line', 1000, 1e-4),
       dp_register_dataset('stream_persons', 'stream_persons', 1000, 1e-4, unit => 'person', max_rows_per_unit => 3);
SELECT count(dp_register_column(d, c, -10, 10)) FROM unnest('{stream_rows,stream_guests,stream_persons,stream_known}'::text[]) AS d, unnest('{x,y}'::text[]) AS c;
SELECT count(dp_register_column(d, 'day', '2026-01-01', '2026-04-11')), count(dp_register_column(d, 'word', '{no,yes}'::text[])), count(dp_register_column(d, 'class', '{a,b,c}'::text[])), count(dp_grant_budget('regress_analyst', d, 900, 1e-4))
  FROM unnest('{stream_rows,stream_guests,stream_persons,stream_known}'::text[]) AS d;
SELECT dp_register_column('stream_line', 'day', '2026-01-01', '2026-04-11'), dp_register_column('stream_line', 'x', -10, 10), dp_register_column('stream_line', 'y', -10, 10), dp_grant_budget('regress_analyst', 'stream_line', 900, 1e-4);
GRANT SELECT ON stream_rows, stream_line TO regress_reader;
RESET ROLE;
SET ROLE regress_analyst;
-- noise of epsilon 20 leaves directions as they are (false alarms below 1e-20); the order column is none of the columns
SELECT column_name, mean > 0 AS positive, noise_stddev > 0 AS noise, stddev IS NULL AS no_posterior
  FROM dp_logit_fit('stream_rows', 'word', 20, columns => '{x,y}', algorithm => 'online', order_column => 'day', model => 'stream_logit') WHERE column_name <> '(intercept)' ORDER BY 1;
SELECT column_name, coefficient > 0 AS positive
  FROM dp_svm_fit('stream_rows', 'word', 20, algorithm => 'online', order_column => 'day', batches => 6, clip_norm => 1, model => 'stream_svm') WHERE column_name ~ '^[xy]$' ORDER BY 1;
SELECT column_name FROM dpem.class_coefficients WHERE model = 'stream_svm' AND class = 2 ORDER BY column_name COLLATE "C";
SELECT column_name, mean > 0 AS positive
  FROM dp_logit_fit('stream_guests', 'word', 20, columns => '{x,y}', algorithm => 'online', order_column => 'day', filter => 'x > -5', intercept => false, model => 'stream_guests') WHERE column_name <> '(intercept)' ORDER BY 1;
SELECT column_name, mean > 0 AS positive
  FROM dp_logit_fit('stream_persons', 'word', 40, columns => '{x,y}', algorithm => 'online', order_column => 'day', batches => 3, model => 'stream_persons') WHERE column_name <> '(intercept)' ORDER BY 1;
SELECT m, dp_predict_label(m, '{5,-5}') AS yes, dp_predict_label(m, '{-5,5}') AS no FROM unnest('{stream_logit,stream_guests,stream_persons}'::text[]) AS m ORDER BY 1;
SELECT model, family, mechanism, precondition, iterations FROM dpem.models WHERE model ~ '^stream_' ORDER BY 1;
-- the whole trajectory: zero at first, public batches
SELECT model, order_column, count(*), max(batch) AS batches, bool_and(coefficient = 0 AND noise_stddev = 0) FILTER (WHERE batch = 1) AS zero, bool_and(noise_stddev > 0) FILTER (WHERE batch > 1 AND column_name <> '(intercept)') AS noise
  FROM dpem.class_trajectories WHERE model ~ '^stream_' GROUP BY 1, 2 ORDER BY 1;
SELECT DISTINCT batch, round(lower::numeric, 3) AS lower, round(upper::numeric, 3) AS upper FROM dpem.class_trajectories WHERE model = 'stream_svm' ORDER BY 1;
-- a regression: y = x / 2 + 1 without noise; of the residual nothing is released, so that intervals are the target's domain until dp_evaluate
SELECT column_name, category, CASE column_name WHEN 'x' THEN abs(coefficient - 0.5) < 0.2 ELSE abs(coefficient - 1) < 1 END AS near, noise_stddev > 0 AS noise, stddev
  FROM dp_linreg_fit('stream_line', 'y', 20, columns => '{x}', algorithm => 'online', order_column => 'day', model => 'stream_line') ORDER BY column_name COLLATE "C";
SELECT model, mechanism, precondition, iterations, r2, residual_variance FROM dpem.models JOIN dpem.linreg_models USING (model) WHERE model = 'stream_line';
SELECT abs(dp_predict_value('stream_line', '{4}') - 3) < 1 AS near, dp_predict_interval('stream_line', '{4}') AS interval;
SELECT order_column, column_name, category, count(*), bool_and(coefficient = 0 AND noise_stddev = 0) FILTER (WHERE batch = 1) AS zero, bool_and(noise_stddev > 0) FILTER (WHERE batch > 1) AS noise
  FROM dpem.linreg_trajectories WHERE model = 'stream_line' GROUP BY 1, 2, 3 ORDER BY column_name COLLATE "C";
SELECT array_agg(DISTINCT category) AS categories FROM dp_linreg_fit('stream_rows', 'y', 20, algorithm => 'online', order_column => 'day', batches => 5, clip_norm => 1, model => 'stream_labels');
SELECT column_name, count(DISTINCT category) AS categories, count(*) FROM dpem.linreg_trajectories WHERE model = 'stream_labels' GROUP BY 1 ORDER BY column_name COLLATE "C";
-- pictures: of all coefficients but the intercept, of a column, of a label's categories; many batches as a line in a band
SELECT m AS model, x, p LIKE '<svg %</svg>_' AS complete, p !~* 'nan|inf[^o]' AS numbers, cardinality(regexp_split_to_array(p, 'class="panel"')) - 1 AS panels, cardinality(regexp_split_to_array(p, 'class="step"')) - 1 AS steps, cardinality(regexp_split_to_array(p, 'class="band"')) - 1 AS bands, p ~ 'batches in the order of' AS says_order
  FROM (VALUES (1, 'stream_logit', NULL), (2, 'stream_logit', 'x'), (3, 'stream_logit', '(intercept)'), (4, 'stream_svm', NULL), (5, 'stream_line', NULL), (6, 'stream_labels', NULL), (7, 'stream_labels', 'word'), (8, 'stream_labels', 'word=yes')) AS v (n, m, x), LATERAL dp_plot(m, x) AS p ORDER BY n;
-- its numbers are the view's, from the lower to the upper bound (20 units)
SELECT count(*) AS batches, bool_and(near(said[1]::float8, 20 * coefficient, 6e-3) OR abs(coefficient) < 1e-9) AS values, bool_and(near(said[2]::float8, 20 * 1.959964 * noise_stddev, 6e-2) OR noise_stddev = 0) AS noises
  FROM regexp_matches(dp_plot('stream_line', 'x'), '<title>(-?[0-9.e+-]+) &#177; ([0-9.e+-]+)</title>', 'g') WITH ORDINALITY AS s (said, batch) JOIN dpem.linreg_trajectories AS t USING (batch) WHERE t.model = 'stream_line' AND t.column_name = 'x';
SELECT dp_plot('stream_logit', 'z');
SELECT dp_plot('stream_logit', 'x', 'y');
-- what is charged: as many releases as the tree has levels
SELECT function, dataset, statistic, mechanism, releases FROM dpem.ledger WHERE dataset ~ '^stream_' ORDER BY 1, 2, releases;
SELECT batches, releases, near(sensitivity, 2, 1e-6) AS replaced, near(mu_squared * noise_multiplier ^ 2, releases, 1e-6) AS paid
  FROM unnest('{2,3,4,31,32}'::int[]) AS batches, LATERAL dp_logit_plan('stream_rows', 'word', 1, algorithm => 'online', order_column => 'day', batches => batches) WHERE statistic ~ 'tree';
SELECT releases, near(sensitivity, 2, 1e-6) AS replaced FROM dp_linreg_plan('stream_line', 'y', 1, algorithm => 'online', order_column => 'day', batches => 6) WHERE statistic ~ 'tree';
SELECT near(sensitivity, 1, 1e-6) AS added FROM dp_svm_plan('stream_guests', 'word', 1, algorithm => 'online', order_column => 'day') WHERE statistic ~ 'tree';
SELECT near(sensitivity, 6, 1e-6) AS three_rows FROM dp_svm_plan('stream_persons', 'word', 1, algorithm => 'online', order_column => 'day') WHERE statistic ~ 'tree';
SET client_min_messages = error;
SELECT count(f.*) FROM generate_series(1, 60) AS i, LATERAL dp_logit_fit('stream_known', 'word', 2 + i * 0, columns => '{x}', intercept => false, algorithm => 'online', order_column => 'day', batches => 2) AS f;
RESET client_min_messages;
-- Noise: the first batch has 400 rows of slope 1/2 at features 1, whose sum is 200; a coefficient over its noise_stddev is, before the
-- second batch, that sum with noise over the planned deviation.  The mean of 60 is off by 0.9 with a chance below 1e-11, their
-- squares about it are within 20 and 140 but for a chance below 1e-7 (halved noise: 15 and a mean twice as large).
SELECT count(*) AS fits, abs(avg(d.deviate) - 200 / max(p.noise_stddev)) < 0.9 AS mean_as_planned, sum((d.deviate - 200 / p.noise_stddev) ^ 2) BETWEEN 20 AND 140 AS spread, count(DISTINCT d.deviate) AS distinct_deviates
  FROM dp_logit_plan('stream_known', 'word', 2, columns => '{x}', intercept => false, algorithm => 'online', order_column => 'day', batches => 2) AS p,
       LATERAL (SELECT t.coefficient / t.noise_stddev AS deviate FROM dpem.class_trajectories AS t JOIN dpem.models AS m USING (model) WHERE m.dataset = 'stream_known' AND t.batch = 2 AND t.column_name = 'x') AS d WHERE p.statistic ~ 'tree';
-- what is refused, before anything is spent
CREATE TEMP TABLE stream_spent AS SELECT count(*) AS charges FROM dpem.ledger WHERE dataset ~ '^stream_';
SELECT dp_logit_plan('stream_rows', 'word', 1, algorithm => 'online');
SELECT dp_logit_plan('stream_rows', 'word', 1, order_column => 'day');
SELECT dp_svm_plan('stream_rows', 'word', 1, batches => 7);
SELECT dp_logit_plan('stream_rows', 'word', 1, algorithm => 'online', order_column => 'day', batches => 1);
SELECT dp_logit_plan('stream_rows', 'word', 1, algorithm => 'online', order_column => 'day', batches => 1024);
SELECT dp_logit_plan('stream_rows', 'word', 1, algorithm => 'online', order_column => 'class');
SELECT dp_logit_plan('stream_rows', 'word', 1, algorithm => 'online', order_column => 'nothing');
SELECT dp_logit_plan('stream_rows', 'word', 1, algorithm => 'online', order_column => 'word');
SELECT dp_logit_plan('stream_rows', 'word', 1, algorithm => 'online', order_column => 'x', columns => '{x,y}');
SELECT dp_logit_plan('stream_rows', 'word', 1, algorithm => 'online', order_column => 'day', by => 'class');
SELECT dp_logit_plan('stream_rows', 'class', 1, algorithm => 'online', order_column => 'day');
SELECT dp_logit_plan('stream_rows', 'word', 1, algorithm => 'online', order_column => 'day', iterations => 3);
SELECT dp_logit_plan('stream_rows', 'word', 1, algorithm => 'online', order_column => 'day', prior_variance => 3);
SELECT dp_svm_plan('stream_rows', 'word', 1, algorithm => 'online', order_column => 'day', precondition => 'standardise');
SELECT dp_svm_plan('stream_rows', 'word', 1, algorithm => 'online', order_column => 'day', features => 'fourier');
SELECT dp_logit_plan('stream_guests', 'word', 1, algorithm => 'online', order_column => 'day', sampling_rate => 0.5);
SELECT dp_linreg_plan('stream_line', 'y', 1, algorithm => 'online');
SELECT dp_linreg_plan('stream_line', 'y', 1, order_column => 'day');
SELECT dp_linreg_plan('stream_line', 'y', 1, algorithm => 'online', order_column => 'y');
SELECT dp_linreg_plan('stream_line', 'y', 1, algorithm => 'online', order_column => 'day', precondition => 'standardise');
SELECT dp_linreg_plan('stream_line', 'y', 1, algorithm => 'online', order_column => 'day', features => 'fourier');
SELECT dp_linreg_plan('stream_rows', 'y', 1, algorithm => 'online', order_column => 'day', by => 'class');
-- a row is in one batch only as long as rows are kept
SET dpem.resident_memory = 0;
SELECT dp_logit_fit('stream_rows', 'word', 1, algorithm => 'online', order_column => 'day');
SELECT dp_linreg_fit('stream_line', 'y', 1, algorithm => 'online', order_column => 'day');
RESET dpem.resident_memory;
SELECT (SELECT count(*) FROM dpem.ledger WHERE dataset ~ '^stream_') - charges AS charged FROM stream_spent;
RESET ROLE;
-- without noise every algorithm is the exact fit
SET ROLE regress_reader;
SELECT count(*) AS rows, sum(abs(a.mean - b.mean)) < 1e-9 AS same FROM dp_logit_fit('stream_rows', 'word', 'Infinity', columns => '{x,y}', prior_variance => 10) AS a
  JOIN dp_logit_fit('stream_rows', 'word', 'Infinity', prior_variance => 10, columns => '{x,y}', algorithm => 'online', order_column => 'day') AS b USING (column_name);
SELECT column_name, round(coefficient::numeric, 6) AS coefficient FROM dp_linreg_fit('stream_line', 'y', 'Infinity', algorithm => 'online', order_column => 'day') ORDER BY column_name COLLATE "C";
RESET ROLE;
-- as JSON and back, also where deviations have no bound
SELECT dp_model_from_json(dp_model_json(m), 'copy of ' || m) FROM unnest('{stream_line,stream_svm}'::text[]) AS m ORDER BY m;
SELECT m, dp_model_json('copy of ' || m) = dp_model_json(m) AS same, (SELECT count(*) FROM dpem.linreg_trajectories WHERE model = 'copy of ' || m) + (SELECT count(*) FROM dpem.class_trajectories WHERE model = 'copy of ' || m) AS met
  FROM unnest('{stream_line,stream_svm}'::text[]) AS m ORDER BY m;
SELECT attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(dp_model_json('stream_line'), path::text[], to_jsonb(number)), 'copy of none')) AS refused
  FROM (VALUES ('{tables,linreg_parameter,0,coefficient,0}', 'Infinity'), ('{tables,linreg_features,0,met,0}', 'Infinity'), ('{tables,linreg_parameter,0,covariance,0}', '-Infinity'), ('{tables,linreg_quality,0,residual_variance}', 'NaN')) AS v (path, number);
SELECT count(dp_drop_model('copy of ' || m)) FROM unnest('{stream_line,stream_svm}'::text[]) AS m;
SET ROLE regress_analyst;
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE dataset ~ '^stream_';
SELECT count(*) AS trajectories FROM dpem.class_trajectories WHERE model ~ '^stream_';
RESET ROLE;
SET ROLE regress_owner;
SELECT dp_drop_dataset(d) FROM unnest('{stream_rows,stream_guests,stream_persons,stream_known,stream_line}'::text[]) AS d;
DROP TABLE stream_rows, stream_guests, stream_persons, stream_known, stream_line;
RESET ROLE;
