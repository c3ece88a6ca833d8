-- scale => 'log', 'signed_log': models see what ln makes of a column, on every path; all that users give and get of values is in the column's own unit
SET ROLE regress_owner;
-- Two clusters a factor of e^5 apart, tails, zeros, and what counts for nothing; `decades_plain` is the same by hand.
CREATE TABLE decades AS
SELECT i, i / 2 AS person, exp((i % 2) * 5 + 1.5 * sin(i * 1.7) + 2)::float8 AS a, (((i * 7) % 5 - 2) * exp((i % 7) * 1.3))::numeric AS b, (2 ^ (i % 20))::int AS n,
       ARRAY[exp((i * 0.7548776662 % 1) * 8), exp((i * 0.5698402909 % 1) * 8)]::float8[] AS v, CASE i % 3 WHEN 0 THEN 'left' ELSE 'right' END AS side,
       CASE WHEN cos(i) + i % 2 > 0.5 THEN 'yes' ELSE 'no' END AS word
  FROM generate_series(1, 4000) AS i;
INSERT INTO decades (person, a, b, n, v, side, word) SELECT 3000 + row_number() OVER (), a::float8, b::numeric, 1, ARRAY[a, a]::float8[], 'left', 'yes'
  FROM (VALUES ('0', '0'), ('-0', '1e-300'), ('-3', '1e300'), ('4.9e-324', '-1e300'), ('1e300', '3'), ('1e308', '1e-9'), ('NaN', '1'), ('Infinity', '1'), ('-Infinity', '1'), (NULL, '1'), ('1', 'NaN'), ('1', NULL),
               ('1', '2001'), ('1e6', '-2001'), ('0.9999999999999999', '2000.0000000000001'), ('1000000.0000000001', '0')) AS r (a, b);
CREATE VIEW decades_plain AS SELECT i, person, side, word, ln(greatest(least(a, 1e6), 1)) AS a, sign(least(greatest(b::float8, -2000), 2000)) * ln(1 + abs(least(greatest(b::float8, -2000), 2000))) AS b,
       ln(n::float8) AS n, ln(greatest(least(v[1], 5000), 0.5)) AS v1, ln(greatest(least(v[2], 5000), 0.5)) AS v2
  FROM decades WHERE abs(a) < 'Infinity' AND b <> 'NaN';
ANALYZE decades;
CREATE FUNCTION pg_temp.domains(name text) RETURNS void LANGUAGE sql AS $$
    SELECT dp_register_column(name, 'a', 1, 1e6, scale => 'log'), dp_register_column(name, 'b', -2000, 2000, scale => 'signed_log'), dp_register_column(name, 'n', 1, 2 ^ 19, scale => 'log'),
           dp_register_column(name, 'v', 0.5, 5000, 2, 'log'), dp_register_column(name, 'side', '{left,right}'::text[]), dp_register_column(name, 'word', '{no,yes}'::text[]),
           dp_grant_budget('regress_analyst', name, 1000, 1e-3)$$;
SELECT dp_register_dataset('decades', 'decades', 1000, 1e-3), dp_register_dataset('decades_plain', 'decades_plain', 1000, 1e-3, adjacency => 'replace_one');
SELECT pg_temp.domains('decades');
SELECT dp_register_column('decades_plain', 'a', 0, ln(1e6::float8)), dp_register_column('decades_plain', 'b', -ln(2001::float8), ln(2001::float8)), dp_register_column('decades_plain', 'n', 0, 19 * ln(2::float8)),
       dp_register_column('decades_plain', 'v1', ln(0.5::float8), ln(5000::float8)), dp_register_column('decades_plain', 'v2', ln(0.5::float8), ln(5000::float8)), dp_register_column('decades_plain', 'side', '{left,right}'::text[]),
       dp_register_column('decades_plain', 'word', '{no,yes}'::text[]), dp_grant_budget('regress_analyst', 'decades_plain', 1000, 1e-3);

-- what is no scale
SELECT attempt(format($$SELECT dp_register_column('decades', 'i', %s)$$, a)) FROM unnest(ARRAY['0, 10, scale => ''log''', '-1, 10, scale => ''log''', '1, 10, scale => ''ln''', '1, 10, scale => NULL',
    '1, 1.0000001, scale => ''log''', '-1e-8, 1e-8, scale => ''signed_log''', '10, 1, scale => ''log''']) AS a;
SELECT attempt($$SELECT dp_register_column('decades', 'side', 1, 2, scale => 'log')$$);
\set VERBOSITY default
SELECT dp_register_column('decades', 'i', 0, 10, scale => 'log');
SELECT column_name, kind, lower, upper, length, scale FROM dpem.columns WHERE dataset = 'decades' ORDER BY position;

-- without noise: the same as by hand, whoever reads the rows, and wherever they are kept
CREATE FUNCTION pg_temp.differ(arguments text, mine text DEFAULT 'a,b,n,v', hand text DEFAULT 'a,b,n,v1,v2') RETURNS float8 LANGUAGE sql AS $$
    SELECT distance(fit_numbers(format('dp_gmm_fit(%L, %s, columns => %L)', 'decades', arguments, '{' || mine || '}')),
                    fit_numbers(format('dp_gmm_fit(%L, %s, columns => %L)', 'decades_plain', arguments, '{' || hand || '}')))$$;
CREATE TEMP TABLE fits (call text);
INSERT INTO fits VALUES ($$1, 'Infinity', iterations => 1, estimator => 'mle', precondition => 'none'$$), ($$2, 'Infinity', iterations => 4$$),
    ($$2, 'Infinity', iterations => 3, covariance => 'diagonal', filter => 'side = ''left'''$$);
SELECT bool_and(pg_temp.differ(call) < 1e-8) AS same FROM fits;
SET dpem.resident_memory = 0;
SELECT bool_and(pg_temp.differ(call) < 1e-8) AS same_without_resident_rows FROM fits;
RESET dpem.resident_memory;
SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET max_parallel_workers_per_gather = 3;
SELECT bool_and(pg_temp.differ(call) < 1e-8) AS same_in_parallel FROM fits;
RESET min_parallel_table_scan_size; RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET max_parallel_workers_per_gather;
SELECT pg_temp.differ($$2, 'Infinity', iterations => 3$$, 'a', 'b') > 0.1 AS another_column_differs;
-- by groups, a label, principal components, factors
SELECT count(*), max(abs(m.weight - h.weight)) < 1e-9 AS by_groups FROM dp_gmm_fit('decades', 2, 'Infinity', columns => '{a,b}', iterations => 3, by => 'side') AS m
  JOIN dp_gmm_fit('decades_plain', 2, 'Infinity', columns => '{a,b}', iterations => 3, by => 'side') AS h USING (key, component);
SELECT max(abs(m.mean - h.mean)) < 1e-8 AS logit FROM dp_logit_fit('decades', 'word', 'Infinity', columns => '{a,b}', missing => 'complete') AS m JOIN dp_logit_fit('decades_plain', 'word', 'Infinity', columns => '{a,b}', missing => 'complete') AS h USING (column_name);
SELECT max(distance(m.direction, h.direction)) < 1e-8 AS pca FROM dp_pca_fit('decades', 2, 'Infinity', columns => '{a,b,v}') AS m JOIN dp_pca_fit('decades_plain', 2, 'Infinity', columns => '{a,b,v1,v2}') AS h USING (component);
SELECT max(abs(m.mean - h.mean) + abs(m.noise_variance - h.noise_variance)) < 1e-7 AS fa FROM dp_fa_fit('decades', 1, 'Infinity', columns => '{a,b,n}') AS m JOIN dp_fa_fit('decades_plain', 1, 'Infinity', columns => '{a,b,n}') AS h USING (column_name);
-- centers come back in own units, and starts are given so
SELECT max(distance(ARRAY[ln(m.mean[1]), sign(m.mean[2]) * ln(1 + abs(m.mean[2]))], h.mean)) < 1e-8 AS kmeans FROM dp_kmeans_fit('decades', 2, 'Infinity', columns => '{a,b}', algorithm => 'joint', iterations => 3, init_means => '{10,-5,1000,5}') AS m
  JOIN dp_kmeans_fit('decades_plain', 2, 'Infinity', columns => '{a,b}', algorithm => 'joint', iterations => 3, init_means => (SELECT ARRAY[ln(10::float8), -ln(6::float8), ln(1000::float8), ln(6::float8)])) AS h USING (component);
SELECT distance(fit_numbers($$dp_gmm_fit('decades', 2, 'Infinity', columns => '{a,b}', iterations => 3, init_means => '{10,-5,1000,5}')$$),
                fit_numbers(format($$dp_gmm_fit('decades_plain', 2, 'Infinity', columns => '{a,b}', iterations => 3, init_means => '{%s,%s,%s,%s}')$$, ln(10::float8), -ln(6::float8), ln(1000::float8), ln(6::float8)))) < 1e-9 AS start_of_a_mixture;
-- an aggregate of its own
SELECT bool_and(mean[1] BETWEEN 1 AND 1e6) AS blocks, max(mean[1]) BETWEEN 20 AND 3000 AS in_the_middle FROM dp_kmeans_fit('decades', 1, 'Infinity', columns => '{a}', algorithm => 'sample_aggregate', iterations => 2);
-- more columns than a call has arguments
CREATE TABLE decades_wide AS SELECT exp(i % 9)::float8 AS c1, exp(i % 5)::float8 AS c95, ln(exp(i % 9)::float8) AS h1, ln(exp(i % 5)::float8) AS h95 FROM generate_series(1, 300) AS i;
DO $$BEGIN EXECUTE (SELECT 'ALTER TABLE decades_wide ' || string_agg(format('ADD c%s float8 DEFAULT 1', j), ', ') FROM generate_series(2, 94) AS j); END$$;
SELECT dp_register_dataset('decades_wide', 'decades_wide', 10, 1e-3);
SELECT count(dp_register_column('decades_wide', 'c' || j, 0.5, 1e4, scale => CASE WHEN j IN (1, 95) THEN 'log' ELSE 'linear' END)) FROM generate_series(1, 95) AS j;
SELECT near(mean[1], (SELECT avg(h1) FROM decades_wide)) AND near(mean[95], (SELECT avg(h95) FROM decades_wide)) AND near(mean[2], 1) AS in_arrays
  FROM dp_gmm_fit('decades_wide', 1, 'Infinity', columns => (SELECT array_agg('c' || j ORDER BY j) FROM generate_series(1, 95) AS j), iterations => 1, estimator => 'mle', precondition => 'none', covariance => 'diagonal');
-- several rows of a person
CREATE TABLE decades_trips AS TABLE decades;
SELECT dp_register_dataset('decades_trips', 'decades_trips', 1000, 1e-3, unit => 'person', max_rows_per_unit => 2);
SELECT pg_temp.domains('decades_trips');
SELECT pg_temp.differ($$2, 'Infinity', iterations => 3$$, 'a,b', 'a,b') < 1e-9 AS decades, distance(fit_numbers($$dp_gmm_fit('decades_trips', 2, 'Infinity', columns => '{a,b}', iterations => 3)$$), fit_numbers($$dp_gmm_fit('decades_plain', 2, 'Infinity', columns => '{a,b}', iterations => 3)$$)) < 1e-9 AS units;

-- statistics are of values; equal bins and quantiles are along the scale
SELECT near(value, (SELECT avg(least(greatest(a, 1), 1e6)) FROM decades WHERE abs(a) < 'Infinity'), 1e-9) AS avg FROM dp_avg('decades', 'a', 'Infinity');
SELECT bin, round(lower::numeric, 6) AS lower, round(upper::numeric, 6) AS upper, value = (SELECT count(*) FROM decades WHERE abs(a) < 'Infinity' AND width_bucket(ln(least(greatest(a, 1), 999999)), 0, ln(1e6::float8), 6) = bin) AS value
  FROM dp_histogram('decades', 'a', 'Infinity', bins => 6) ORDER BY bin;
SELECT round(lower::numeric, 6) AS lower, round(upper::numeric, 6) AS upper FROM dp_histogram('decades', 'b', 'Infinity', bins => 4) ORDER BY bin;
SELECT lower, upper FROM dp_histogram('decades', 'a', 'Infinity', edges => '{0,10,20}') ORDER BY bin;
SELECT lower < value AND value < upper AS within, near(value, sqrt(lower * upper)) AS middle, near(upper / lower, 1e6 ^ (1 / 1000.0), 1e-6) AS ratio,
       value / (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY a) FROM decades WHERE abs(a) < 'Infinity') BETWEEN 0.98 AND 1.02 AS median
  FROM dp_quantile('decades', 'a', 0.5, 'Infinity', bins => 1000);

-- released models
SET ROLE regress_analyst;
SELECT count(*) AS components FROM dp_gmm_fit('decades', 2, 50, columns => '{a,b}', model => 'scaled');
SELECT count(*) AS components FROM dp_gmm_fit('decades', 1, 50, columns => '{a}', mechanism => 'ggg', iterations => 2, model => 'scaled one');
SELECT count(*) AS clusters FROM dp_kmeans_fit('decades', 2, 50, columns => '{a,b}', model => 'scaled centers');
SELECT count(*) AS columns FROM dp_fa_fit('decades', 1, 50, columns => '{a,b,n}', model => 'scaled factors');
SELECT count(*) AS components FROM dp_pca_fit('decades', 1, 50, columns => '{a,b}', model => 'scaled directions');
SELECT count(*) > 0 AS units FROM dp_sbn_fit('decades', 1, 50, columns => '{a,b}', model => 'scaled bits');
SELECT count(*) AS coefficients FROM dp_logit_fit('decades', 'word', 50, columns => '{a,b}', model => 'scaled logit');
SELECT count(*) AS components FROM dp_gmm_fit('decades_plain', 1, 50, columns => '{a}', model => 'linear');
SELECT column_name, lower, upper, scale FROM dpem.model_columns WHERE model = 'scaled factors' ORDER BY position;
SELECT lower, scale FROM dpem.model_columns WHERE model = 'linear';
-- a density in the column's unit: that of the logarithm, divided by x; at and below 0 a row counts as the lower bound
SELECT bool_and(near(dp_log_density('scaled one', ARRAY[x]), -ln(x) - ln(stddev) - ln(2 * pi()) / 2 - (ln(x) - mean) ^ 2 / stddev ^ 2 / 2)) AS density
  FROM dpem.gmm_means, unnest('{0.01,1,7,1e4,1e9}'::float8[]) AS x WHERE model = 'scaled one';
SELECT bool_and(dp_log_density(m, ARRAY[x, 3]) = dp_log_density(m, '{1,3}') AND dp_predict(m, ARRAY[x, 3]) = dp_predict(m, '{1,3}')) AS as_the_lower_bound FROM unnest('{0,-0,-1e300}'::float8[]) AS x, unnest('{scaled}'::text[]) AS m;
-- between 0 and the grid's next points there are the zeros, an atom
SELECT near((SELECT sum(exp(dp_log_density('scaled', ARRAY[exp(x), sign(y) * (exp(abs(y)) - 1)]) + x + abs(y))) * 0.2 * 0.2 FROM generate_series(-10, 25, 0.2) AS x, generate_series(-15.1, 15.1, 0.2) AS y)
          + (SELECT sum(exp(dp_log_density('scaled', ARRAY[exp(x), sign(y) * (exp(abs(y)) - 1)]) + x + abs(y))) * 0.5 * 0.00002 FROM generate_series(-10, 25, 0.5) AS x, generate_series(-0.00501, 0.00499, 0.00002) AS y), 1, 0.02) AS adds_up_to_1;
SELECT min(s[1]) >= 1 AND max(s[1]) <= 1e6 AND min(s[2]) >= -2000 AND max(s[2]) <= 2000 AS in_the_domain, count(*) FROM dp_sample('scaled', 500) AS s;
SELECT bool_and(s[1] IN (1, 1e6) AND s[2] IN (-2000, 2000)) AS bits_are_bounds, bool_and(dp_log_density('scaled bits', s) < 0) AS probability FROM dp_sample('scaled bits', 200) AS s;
-- centers are nearest to themselves
SELECT bool_and(dp_predict('scaled centers', c) = component AND dp_squared_distance('scaled centers', c) < 1e-20) AS nearest
  FROM (SELECT component, array_agg(center ORDER BY column_name) AS c FROM dpem.kmeans_centers WHERE model = 'scaled centers' GROUP BY component) AS k;
SELECT bool_and(noise_stddev > 0 AND noise_stddev < center) AS noise_in_own_units FROM dpem.kmeans_centers WHERE model = 'scaled centers' AND column_name = 'a';
SELECT abs((dp_transform('scaled factors', '{100,0,5}'))[1]) < 10 AS scores, dp_transform('scaled directions', '{1,5}') <> dp_transform('scaled directions', '{10,5}') AS coordinates;
SELECT near(dp_log_density('scaled factors', '{10,0,2}') - dp_log_density('scaled factors', '{-1,0,2}'), dp_log_density('scaled factors', '{10,0,2}') - dp_log_density('scaled factors', '{1,0,2}')) AS factors;
SELECT near((dp_posterior('scaled logit', '{1,0}'))[2], (dp_posterior('scaled logit', '{-7,0}'))[2]) AS logit;
-- points by column name, and labels beside scaled columns
SELECT dp_log_density('scaled', '{"b": 4, "a": 20, "side": "left"}'::jsonb) = dp_log_density('scaled', '{20,4}'::float8[]) AS by_name, dp_predict('scaled', '{"b": null, "a": 20}'::jsonb) IS NULL AS unknown;
SELECT count(*) AS coefficients FROM dp_logit_fit('decades', 'word', 50, columns => '{a,side}', model => 'scaled labels');
SELECT column_name, lower, scale, near((dp_posterior('scaled labels', '{"a": 1, "side": "left"}'::jsonb))[2], (dp_posterior('scaled labels', '{0,1,0}'::float8[]))[2]) AS lowest FROM dpem.model_columns WHERE model = 'scaled labels' ORDER BY position;
-- to and from the coordinate, for what views show of it
SELECT bool_and(near(dpem.from_scale(s, dpem.to_scale(s, x)), x)) AS back, near(dpem.to_scale('log', 100), ln(100::float8)) AND near(dpem.to_scale('signed_log', -9), -ln(10::float8)) AS there FROM unnest('{linear,log,signed_log}'::text[]) AS s, unnest('{0.001,1,1e50}'::float8[]) AS x;
SELECT attempt($$SELECT dpem.to_scale('log', 0)$$), attempt($$SELECT dpem.to_scale('cube', 1)$$), dpem.from_scale('log', 1e300) < 'Infinity' AS finite;
SELECT dpem.from_scale(scale, mean) BETWEEN 30 AND 300 AS median FROM dpem.gmm_means JOIN dpem.model_columns USING (model, column_name) WHERE model = 'scaled one';
-- pictures
SELECT model, left(dp_plot(model), 4) AS picture FROM dpem.models WHERE dataset = 'decades' AND model ~ '^scaled' AND family <> 'sbn' AND family <> 'logit' ORDER BY model COLLATE "C";
SELECT dp_plot('scaled', 'a') ~ '>10+<' AS decades, dp_plot('scaled centers', 'b') ~ '>-?10*<' AS signed, dp_plot_coefficients('scaled logit') ~ '^<svg' AS coefficients;
-- a forecast is in the coordinate
SELECT near(column_noise_stddev[1] / column_noise_stddev[2], ln(1e6::float8) / (2 * ln(2001::float8)), 1e-6) AS noise FROM dp_kmeans_plan('decades', 2, 1, columns => '{a,b}', algorithm => 'joint', iterations => 2, clip_norm => 1) WHERE column_noise_stddev IS NOT NULL LIMIT 1;

-- registered anew, a column has the new scale; models keep theirs; a scale of nothing but lines is stored as none
SET ROLE regress_owner;
SELECT dp_register_column('decades', 'a', 0, 1e6);
SELECT column_name, lower, scale FROM dpem.columns WHERE dataset = 'decades' AND column_name IN ('a', 'b') ORDER BY 1;
SELECT column_name, lower, scale FROM dpem.model_columns WHERE model = 'scaled' ORDER BY 1;
RESET ROLE;
SELECT name, scale FROM dpem_internal.model WHERE name IN ('linear', 'scaled') ORDER BY name;
SELECT attempt($$UPDATE dpem_internal.dataset_column SET scale = 'log' WHERE column_name = 'side'$$) ~ 'violates check' AS labels_have_none;

-- leave nothing behind for the tests that follow
SELECT count(dp_drop_model(name)) AS dropped FROM dpem_internal.model WHERE dataset IN ('decades', 'decades_plain');
SET ROLE regress_owner;
SELECT dp_drop_dataset(d) FROM unnest('{decades,decades_plain,decades_wide,decades_trips}'::text[]) AS d;
DROP VIEW decades_plain;
DROP TABLE decades, decades_wide, decades_trips;
RESET ROLE;
