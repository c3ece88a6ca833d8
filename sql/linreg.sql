-- dp_linreg_fit: least squares without noise, labels among the columns, what it charges, the models' use, and what is refused
\pset null -
SET ROLE regress_owner;
-- y = 3 + 0.5 x - 2 z, and 2 more for red, 1 less for blue; x far narrower than its domain
CREATE TABLE linreg_rows AS
SELECT i AS id, i / 2 AS person, x, z, color, ARRAY[x, z] AS v, 3 + 0.5 * x - 2 * z + CASE color WHEN 'red' THEN 2 WHEN 'blue' THEN -1 ELSE 0 END + e AS y
  FROM (SELECT i, (i * 0.7548776662 % 1)::float8 * 4 + 1 AS x, (i * 0.5698402909 % 1)::float8 * 2 - 1 AS z, (i * 0.41421356237 % 1)::float8 - 0.5 AS e,
               (ARRAY['red', 'green', 'blue'])[1 + i % 3] AS color FROM generate_series(1, 6000) AS i) AS s;
CREATE TABLE linreg_units AS TABLE linreg_rows;
CREATE TABLE linreg_guests AS TABLE linreg_rows;
ANALYZE linreg_rows, linreg_units, linreg_guests;
SELECT dp_register_dataset('linreg_rows', 'linreg_rows', 1000, 1e-4),
       dp_register_dataset('linreg_units', 'linreg_units', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2),
       dp_register_dataset('linreg_guests', 'linreg_guests', 1000, 1e-4, adjacency => 'add_remove', accountant => 'rdp');
SELECT count(dp_register_column(d, 'x', -50, 50)), count(dp_register_column(d, 'z', -5, 5)), count(dp_register_column(d, 'y', -50, 50)),
       count(dp_register_column(d, 'color', '{red,green,blue}'::text[])), count(dp_grant_budget('regress_analyst', d, 900, 1e-4))
  FROM unnest('{linreg_rows,linreg_units,linreg_guests}'::text[]) AS d;
SELECT dp_register_column('linreg_rows', 'v', -50, 50, length => 2), dp_register_column('linreg_rows', 'id', '{1,2}'::text[]);
GRANT SELECT ON linreg_rows, linreg_units, linreg_guests TO regress_reader;
RESET ROLE;

-- without noise: what PostgreSQL says of one column, and of both arrays' elements what it says of the columns
SET ROLE regress_reader;
SELECT near(f.coefficient, CASE column_name WHEN 'x' THEN r.slope ELSE r.intercept END, 1e-8) AS same, noise_stddev, near(ci_lower, coefficient) AS sure, model, category, key
  FROM dp_linreg_fit('linreg_rows', 'y', 'Infinity', columns => '{x}') AS f, (SELECT regr_slope(y, x) AS slope, regr_intercept(y, x) AS intercept FROM linreg_rows) AS r;
SELECT d, distance(array_agg(coefficient ORDER BY o), (SELECT array_agg(coefficient) FROM dp_linreg_fit('linreg_rows', 'y', 'Infinity', columns => '{x,z}'))) < 1e-8 AS same,
       array_agg(column_name ORDER BY o) AS columns
  FROM (SELECT 'v' AS d, row_number() OVER () AS o, * FROM dp_linreg_fit('linreg_rows', 'y', 'Infinity', columns => '{v}')
        UNION ALL SELECT 'units', row_number() OVER (), * FROM dp_linreg_fit('linreg_units', 'y', 'Infinity', columns => '{x,z}')
        UNION ALL SELECT 'clipped nothing', row_number() OVER (), * FROM dp_linreg_fit('linreg_rows', 'y', 'Infinity', columns => '{x,z}', clip_norm => 9)) AS f GROUP BY 1 ORDER BY 1;
-- a label: every row has one of the categories, so that their coefficients are known up to a number, and add up to 0
SELECT column_name, category, near(coefficient, truth, 0.02) AS near FROM dp_linreg_fit('linreg_units', 'y', 'Infinity')
  JOIN (VALUES ('x', NULL, 0.5), ('z', NULL, -2), ('color', 'red', 5.0 / 3), ('color', 'green', -1.0 / 3), ('color', 'blue', -4.0 / 3), ('(intercept)', NULL, 10.0 / 3)) AS t (c, k, truth)
    ON c = column_name AND k IS NOT DISTINCT FROM category;
SELECT near(sum(coefficient), 0) AS zero FROM dp_linreg_fit('linreg_units', 'y', 'Infinity') WHERE column_name = 'color';
-- where some have none they are known, about rows that have none
RESET ROLE;
SET ROLE regress_owner;
CREATE TABLE linreg_gaps AS SELECT x, z, CASE WHEN id % 4 = 0 THEN NULL ELSE color END AS color, y + CASE WHEN id % 4 = 0 AND color <> 'green' THEN CASE color WHEN 'red' THEN -2 ELSE 1 END ELSE 0 END AS y FROM linreg_rows;
ANALYZE linreg_gaps;
SELECT dp_register_dataset('linreg_gaps', 'linreg_gaps', 1000, 1e-4), dp_register_column('linreg_gaps', 'x', -50, 50), dp_register_column('linreg_gaps', 'z', -5, 5), dp_register_column('linreg_gaps', 'y', -50, 50),
       dp_register_column('linreg_gaps', 'color', '{red,green,blue}'::text[]);
SELECT category, near(coefficient, truth, 0.05) AS near FROM dp_linreg_fit('linreg_gaps', 'y', 'Infinity') JOIN (VALUES ('red', 2), ('green', 0), ('blue', -1)) AS t (k, truth) ON k = category;
-- rows that say nothing: the same model
INSERT INTO linreg_gaps (x, z, y) VALUES (NULL, 1, 1), (1, 'NaN', 1), (1, 1, NULL), (1, 1, 'Infinity');
SELECT column_name, category, near(coefficient, truth, 0.05) AS near FROM dp_linreg_fit('linreg_gaps', 'y', 'Infinity', missing => 'complete') JOIN (VALUES ('red', 2), ('green', 0), ('blue', -1)) AS t (k, truth) ON k = category;
RESET ROLE;

-- Epsilon 50: coefficients within eight standard deviations of their noise and a tenth, whatever the units and samples
SET ROLE regress_analyst;
CREATE FUNCTION pg_temp.check_fit(arguments text, OUT coefficients bigint, OUT near boolean, OUT noise boolean, OUT named text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*), bool_and(abs(coefficient - truth) < 0.1 + 8 * noise_stddev), bool_and(noise_stddev > 0 AND noise_stddev < 1 AND stddev > noise_stddev AND ci_lower < coefficient AND coefficient < ci_upper), min(model)
        FROM dp_linreg_fit(%s) JOIN (VALUES (''x'', NULL, 0.5), (''z'', NULL, -2), (''color'', ''red'', 5.0 / 3), (''color'', ''green'', -1.0 / 3), (''color'', ''blue'', -4.0 / 3), (''(intercept)'', NULL, 10.0 / 3)) AS t (c, k, truth)
          ON c = column_name AND k IS NOT DISTINCT FROM category', arguments) INTO STRICT coefficients, near, noise, named;
END$$;
SELECT a, f.* FROM unnest(ARRAY[$$'linreg_rows', 'y', 50, columns => '{x,z,color}', model => 'linreg'$$, $$'linreg_units', 'y', 50, model => 'linreg_units'$$, $$'linreg_guests', 'y', 50, model => 'linreg_guests'$$,
    $$'linreg_guests', 'y', 50, sampling_rate => 0.5, model => 'linreg_sampled'$$, $$'linreg_units', 'y', 50, filter => 'x > 2', model => 'linreg_filter'$$]) AS a, LATERAL pg_temp.check_fit(a) AS f;
SELECT model, family, components, dimensions, columns, mechanism, precondition, iterations FROM dpem.models WHERE family = 'linreg' AND model ~ '^linreg' ORDER BY 1;
SELECT statistic, mechanism, releases FROM dp_linreg_plan('linreg_rows', 'y', 1);
CREATE FUNCTION pg_temp.own_units(call text) RETURNS TABLE (statistic text, noise_stddev float8) LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT statistic, noise_stddev FROM dp_linreg_plan(''linreg_rows'', ''y'', %s) WHERE line IS NOT NULL AND sensitivity IS NULL', call);
END$$;
SELECT statistic, releases FROM dp_linreg_plan('linreg_rows', 'y', 1, clip_norm => 1);
-- what is known of own units before a fit
SELECT call, p.statistic, noise_stddev > 0 AS noise FROM unnest(ARRAY['0.012, columns => ''{x,z,color}''', '1', '1, clip_norm => 1', '1, algorithm => ''adassp''', '1, algorithm => ''blocks''']) WITH ORDINALITY AS c (call, n),
       LATERAL pg_temp.own_units(call) AS p ORDER BY n;
SELECT near(m.noise_stddev, s.noise_stddev / 6000 * 50, 1e-6) AS half_width, g.n AS rows_not_public FROM dp_linreg_plan('linreg_rows', 'y', 1, clip_norm => 1) AS m, dp_linreg_plan('linreg_rows', 'y', 1, clip_norm => 1) AS s,
       (SELECT count(*) AS n FROM dp_linreg_plan('linreg_guests', 'y', 1) WHERE statistic ~ 'deviations|own units') AS g
 WHERE m.statistic = 'mean of the target, in its own units' AND s.statistic = 'moments: sums';
-- more, but so little that margins are coarse: the target has its own, and all of them more of the budget
SELECT string_agg(DISTINCT split_part(statistic, ':', 1), ' ') AS stages FROM dp_linreg_plan('linreg_rows', 'y', 0.1, columns => '{x,z,color}') WHERE sensitivity IS NOT NULL;
-- so little that noise would hide where values are: the target's mean, and nothing is said of coefficients
SELECT statistic, releases FROM dp_linreg_plan('linreg_rows', 'y', 0.012, columns => '{x,z,color}');
SELECT count(*), bool_and(noise_stddev = 0 AND ci_lower = '-Infinity' AND ci_upper = 'Infinity') FILTER (WHERE column_name <> '(intercept)') AS unknown, sum(abs(coefficient)) FILTER (WHERE column_name <> '(intercept)') AS slopes,
       bool_and(coefficient BETWEEN -50 AND 50 AND noise_stddev > 0) FILTER (WHERE column_name = '(intercept)') AS mean
  FROM dp_linreg_fit('linreg_rows', 'y', 0.012, columns => '{x,z,color}', model => 'linreg_mean');
SELECT r2, residual_variance BETWEEN 0 AND 2500 AS rest, dp_predict_value('linreg_mean', '{2,0.5,1,0,0}') = dp_predict_value('linreg_mean', '{4,0.5,1,0,0}') AS same,
       (SELECT upper > lower AND upper < 400 FROM dp_predict_interval('linreg_mean', '{2,0.5,1,0,0}'::float8[])) AS bounded FROM dpem.linreg_models WHERE model = 'linreg_mean';
SELECT count(*) FROM dp_linreg_fit('linreg_rows', 'y', 0.012, columns => '{x,z,color}', precondition => 'standardise');
-- baselines: the moments alone, of rows in the box of the domains; without noise the same least squares
SELECT algorithm, f.coefficients, f.named FROM unnest('{adassp,functional,blocks}'::text[]) AS algorithm,
       LATERAL pg_temp.check_fit(format($$'linreg_units', 'y', 100, algorithm => %L, model => %L$$, algorithm, 'linreg_' || algorithm)) AS f;
SELECT algorithm, p.statistic, p.mechanism FROM unnest('{adassp,functional,blocks}'::text[]) AS algorithm, LATERAL dp_linreg_plan('linreg_rows', 'y', 1, algorithm => algorithm) AS p;
SELECT mechanism, precondition FROM dpem.models WHERE model ~ '^linreg_(adassp|functional|blocks)' ORDER BY 1;
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_rows', 'y', 1, algorithm => 'best')$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_rows', 'y', 1, algorithm => 'adassp', precondition => 'standardise')$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_guests', 'y', 1, algorithm => 'functional', sampling_rate => 0.5)$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_units', 'y', 1, algorithm => 'blocks', by => 'color')$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_guests', 'y', 1, algorithm => 'blocks', sampling_rate => 0.5)$$);
SELECT bool_and(stddev = 'Infinity') AS population, bool_and(ci_lower < coefficient AND coefficient < ci_upper) AS intervals FROM dpem.linreg_coefficients WHERE model = 'linreg_blocks';
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_guests', 'y', 1, algorithm => 'blocks', clip_norm => 1)$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_guests', 'y', 1, algorithm => 'blocks', precondition => 'none')$$);
-- medians of groups, which a test lets be released: the median of 5 fits, of each of which the tolerance is six deviations; none of R squared is released
SET ROLE regress_owner;
CREATE TABLE linreg_tested AS TABLE linreg_rows;
ANALYZE linreg_tested;
SELECT dp_register_dataset('linreg_tested', 'linreg_tested', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2, keys_share => 0.2), dp_register_column('linreg_tested', 'x', -50, 50), dp_register_column('linreg_tested', 'z', -5, 5),
    dp_register_column('linreg_tested', 'y', -50, 50), dp_register_column('linreg_tested', 'color', '{red,green,blue}'::text[]), dp_grant_budget('regress_analyst', 'linreg_tested', 900, 1e-4);
SET ROLE regress_analyst;
SELECT column_name, near(percentile_disc(0.5) WITHIN GROUP (ORDER BY coefficient), CASE column_name WHEN 'x' THEN 0.5 WHEN 'z' THEN -2 ELSE 3.33 END, 0.4) AS near, bool_and(ci_lower < coefficient AND coefficient < ci_upper AND noise_stddev > 0) AS intervals, bool_and(stddev = 'Infinity') AS population
  FROM generate_series(1, 5) AS i, LATERAL dp_linreg_fit('linreg_tested', 'y', 50 + 0 * i, 1e-7, columns => '{x,z}', algorithm => 'propose_test_release', model => 'linreg_tested_' || i) GROUP BY 1 ORDER BY 1;
SELECT count(r2) AS r2, bool_and(residual_variance > 0 AND residual_noise_stddev = 'Infinity') AS at_most, count(*) FROM dpem.linreg_models WHERE model ~ '^linreg_tested';
SELECT statistic, mechanism, releases, noise_stddev > 0 AS noisy FROM dp_linreg_plan('linreg_tested', 'y', 1, algorithm => 'propose_test_release');
SELECT near(noise_stddev, sensitivity * noise_multiplier, 1e-3) AS noise FROM dp_linreg_plan('linreg_tested', 'y', 1, algorithm => 'propose_test_release') WHERE statistic = 'distance';
-- refused but for one call of a million: 500 groups are less than a deviation of the noisy distance
SELECT sum(abs(coefficient)) FILTER (WHERE column_name <> '(intercept)') AS slopes, bool_and(ci_lower = '-Infinity' AND ci_upper = 'Infinity') AS unknown FROM dp_linreg_fit('linreg_tested', 'y', 0.01, 1e-10, columns => '{x,z}', algorithm => 'propose_test_release', model => 'linreg_refused');
SELECT dp_predict_value('linreg_refused', '{2,0.5}') = dp_predict_value('linreg_refused', '{4,0.5}') AS same, mechanism, precondition, (SELECT count(*) FROM dpem.ledger AS l WHERE l.charge = m.charge) AS charged FROM dpem.models AS m WHERE model = 'linreg_refused';
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_rows', 'y', 1, algorithm => 'propose_test_release')$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_tested', 'y', 1, algorithm => 'propose_test_release', by => 'color')$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_tested', 'y', 1, algorithm => 'propose_test_release', clip_norm => 1)$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_tested', 'y', 1, algorithm => 'propose_test_release', precondition => 'none')$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_tested', 'y', 1, 1e-300, algorithm => 'propose_test_release')$$);
-- one model per category, for one charge; the label is constant in each, and no column by itself
SELECT charges() AS before \gset
SELECT key, count(*), bool_and(abs(coefficient - CASE column_name WHEN 'x' THEN 0.5 WHEN 'z' THEN -2 ELSE CASE key WHEN 'red' THEN 5 WHEN 'green' THEN 3 ELSE 2 END END) < 0.2 + 8 * noise_stddev) AS near
  FROM dp_linreg_fit('linreg_units', 'y', 50, by => 'color', model => 'linreg_by') GROUP BY 1 ORDER BY 1;
SELECT charges() - :before AS charges;

-- use: values and intervals, by position and by name, and nothing where something is not known
SELECT model, target, dimensions, r2 BETWEEN 0.9 AND 1 AS r2, r2_noise_stddev > 0 AS r2_noise, residual_variance BETWEEN 0.01 AND 0.5 AS rest, residual_noise_stddev > 0 AS rest_noise FROM dpem.linreg_models WHERE model = 'linreg';
SELECT count(*), bool_and(near(v.stddev, c.stddev)) AS same FROM dpem.linreg_coefficients AS c JOIN (SELECT model, column_name, sqrt(covariance) AS stddev FROM dpem.linreg_covariances WHERE column_name = other_column) AS v USING (model, column_name) WHERE model = 'linreg' AND category IS NULL;
SELECT column_name, category FROM dpem.linreg_coefficients WHERE model = 'linreg';
SELECT near(dp_predict_value('linreg', '{2,0.5,1,0,0}'), 5, 0.1) AS value, near(dp_predict_value('linreg', '{"z": 0.5, "x": 2, "color": "red"}'), dp_predict_value('linreg', '{2,0.5,1,0,0}')) AS by_name,
       near(dp_predict_value('linreg', '{"z": null, "x": 2, "color": "red"}'), dp_predict_value('linreg', ARRAY[2, (SELECT imputed FROM dpem.model_columns WHERE model = 'linreg' AND column_name = 'z'), 1, 0, 0])) AS unknown, dp_predict_value('linreg', NULL::float8[]) AS none;
SELECT near((lower + upper) / 2, v) AS middle, upper - lower BETWEEN 0.5 AND 3 AS width, (dp_predict_interval('linreg', '{2,0.5,1,0,0}'::float8[], 0.5)).upper < upper AS narrower
  FROM dp_predict_value('linreg', '{2,0.5,1,0,0}'::float8[]) AS v, dp_predict_interval('linreg', '{2,0.5,1,0,0}'::float8[]);
SELECT lower < v AND v < upper AS around FROM dp_predict_interval('linreg', '{"z": null, "x": 2, "color": "red"}'::jsonb), dp_predict_value('linreg', '{"z": null, "x": 2, "color": "red"}') AS v;
-- no prediction, and no interval, is beyond the target's domain, however far out the point; nor is a column followed beyond what margins have seen of it
SELECT count(*) > 0 AS fitted FROM dp_linreg_fit('linreg_rows', 'y', 50, columns => '{x,z,color}', precondition => 'none', model => 'linreg_far');
SELECT dp_predict_value('linreg_far', '{1e6,0,0,0,0}') AS value, lower = -50 AS lower, upper <= 50 AS upper FROM dp_predict_interval('linreg_far', '{-1e6,0,0,0,0}'::float8[]);
SELECT column_name, clamp_lower > lower AS lower, clamp_upper < upper AS upper, dp_predict_value('linreg', ARRAY[1e6,0,0,0,0]) = dp_predict_value('linreg', ARRAY[clamp_upper,0,0,0,0]) AS clamped FROM dpem.model_columns WHERE model = 'linreg' AND column_name = 'x';
SELECT dp_drop_model('linreg_far');
SELECT attempt($$SELECT dp_predict('linreg', '{2,0.5,1,0,0}')$$);
SELECT attempt($$SELECT dp_predict_interval('linreg', '{2,0.5,1,0,0}'::float8[], 1)$$);
SELECT attempt($$SELECT dp_predict_value('linreg', '{2,0.5}')$$);
SELECT dp_plot_coefficients('linreg') ~ '^<svg.*change of y from lower to upper bound.*color=green' AS picture;

-- on scales: the median of a target that spans decades, in its own unit
RESET ROLE;
SET ROLE regress_owner;
CREATE TABLE linreg_scales AS SELECT exp(x) AS x, exp(1 + 0.5 * x + (y - 3) / 100) AS y FROM linreg_rows;
ANALYZE linreg_scales;
SELECT dp_register_dataset('linreg_scales', 'linreg_scales', 1000, 1e-4), dp_register_column('linreg_scales', 'x', 0.01, 1000, scale => 'log'), dp_register_column('linreg_scales', 'y', 0.01, 1000, scale => 'log'),
       dp_grant_budget('regress_analyst', 'linreg_scales', 900, 1e-4);
SELECT column_name, near(coefficient, CASE column_name WHEN 'x' THEN 0.505 ELSE 1 END, 0.02) AS near FROM dp_linreg_fit('linreg_scales', 'y', 'Infinity');
RESET ROLE;
SET ROLE regress_analyst;
SELECT count(*) FROM dp_linreg_fit('linreg_scales', 'y', 50, model => 'linreg_scales');
SELECT target, scale, r2 > 0.9 AS r2 FROM dpem.linreg_models WHERE model = 'linreg_scales';
SELECT near(v, exp(1 + 0.505 * 2), 0.1) AS value, v BETWEEN lower AND upper AND upper / v BETWEEN 1 AND 1.5 AND near(upper / v, v / lower, 1e-6) AS interval
  FROM dp_predict_value('linreg_scales', ARRAY[exp(2.0)]::float8[]) AS v, dp_predict_interval('linreg_scales', ARRAY[exp(2.0)]::float8[]);
SELECT dp_plot_coefficients('linreg_scales') ~ '^<svg' AS picture;
-- Fourier features: a curve that no straight line follows
RESET ROLE;
SET ROLE regress_owner;
CREATE TABLE linreg_waves AS SELECT x, z, color, cos(3 * x) + 0.1 * z AS y FROM linreg_rows;
ANALYZE linreg_waves;
SELECT dp_register_dataset('linreg_waves', 'linreg_waves', 1000, 1e-4);
SELECT count(dp_register_column('linreg_waves', c, -10, 10)) FROM unnest('{x,z,y}'::text[]) AS c;
SELECT dp_register_column('linreg_waves', 'color', '{red,green,blue}'::text[]), dp_grant_budget('regress_analyst', 'linreg_waves', 900, 1e-4);
-- without noise the curve and as many coefficients as asked for; where the seed is another they are others
SELECT count(*), count(*) FILTER (WHERE column_name ~ '^cos ') AS cosines, bool_and(noise_stddev = 0) AS sure FROM dp_linreg_fit('linreg_waves', 'y', 'Infinity', columns => '{x}', features => 'fourier', dimension => 20);
SELECT a.coefficient <> b.coefficient AS other FROM dp_linreg_fit('linreg_waves', 'y', 'Infinity', columns => '{x}', features => 'fourier', dimension => 2) AS a
  JOIN dp_linreg_fit('linreg_waves', 'y', 'Infinity', columns => '{x}', features => 'fourier', dimension => 2, seed => 2, precondition => 'none') AS b USING (column_name) WHERE column_name = 'cos 1';
RESET ROLE;
SET ROLE regress_analyst;
SELECT count(*), bool_and(noise_stddev > 0 AND stddev >= noise_stddev AND ci_lower < ci_upper) AS noise, count(category) AS categories
  FROM dp_linreg_fit('linreg_waves', 'y', 50, columns => '{x}', features => 'fourier', dimension => 40, width => 0.3, model => 'linreg_waves');
SELECT dimensions, features, dimension, width, seed, r2 > 0.5 AS r2 FROM dpem.linreg_models WHERE model = 'linreg_waves';
SELECT features, dimension, width, seed FROM dpem.linreg_models WHERE model = 'linreg_scales' OR model = 'linreg_mean';
SELECT count(*), count(DISTINCT column_name) AS names, bool_and(category IS NULL) AS numbers FROM dpem.linreg_coefficients WHERE model = 'linreg_waves';
SELECT count(*) FROM dpem.linreg_covariances WHERE model = 'linreg_waves';
SELECT bool_and(abs(dp_predict_value('linreg_waves', ARRAY[x]::float8[]) - cos(3 * x)) < 0.4) AS near, bool_and(lower < v AND v < upper) AS intervals
  FROM generate_series(1.5, 4.5, 0.25) AS x, LATERAL dp_predict_interval('linreg_waves', ARRAY[x]::float8[]), LATERAL dp_predict_value('linreg_waves', ARRAY[x]::float8[]) AS v;
SELECT attempt($$SELECT dp_model_sql('linreg_waves')$$);
SELECT attempt($$SELECT dp_model_pmml('linreg_waves')$$);
SELECT dp_plot_coefficients('linreg_waves') ~ '^<svg.*cos 1' AS picture;
SELECT count(*) > 0 AS evaluated FROM dp_evaluate('linreg_waves', 'linreg_waves', 20);
SELECT statistic, releases FROM dp_linreg_plan('linreg_waves', 'y', 1, features => 'fourier');
SELECT statistic FROM dp_linreg_plan('linreg_waves', 'y', 1, features => 'fourier', precondition => 'none');
SELECT key, count(*) FROM dp_linreg_fit('linreg_waves', 'y', 50, columns => '{x}', by => 'color', filter => 'z > 0', features => 'fourier', dimension => 4) GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM dp_linreg_fit('linreg_waves', 'y', 50, features => 'fourier', dimension => 4, precondition => 'none');
-- so little that only the mean is released: of no features
SELECT count(*) FROM dp_linreg_fit('linreg_waves', 'y', 0.01, features => 'fourier', dimension => 8);
SELECT charges() AS before \gset
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_waves', 'y', 1, features => 'cubic')$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_waves', 'y', 1, features => 'fourier', dimension => 7)$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_waves', 'y', 1, features => 'fourier', dimension => 2000)$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_waves', 'y', 1, features => 'fourier', width => 0)$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_waves', 'y', 1, features => 'fourier', seed => -1)$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_waves', 'y', 1, features => 'fourier', clip_norm => 1)$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_waves', 'y', 1, features => 'fourier', algorithm => 'adassp')$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_waves', 'y', 1, columns => '{}', features => 'fourier')$$);
SELECT charges() - :before AS charges;
-- refused, before anything is spent
SELECT charges() AS before \gset
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_rows', 'color', 1)$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_rows', 'v', 1)$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_rows', 'nobody', 1)$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_rows', NULL, 1)$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_rows', 'y', 1, columns => '{x,y}')$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_rows', 'y', 1, columns => '{y}')$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_rows', 'y', 1, precondition => 'whiten')$$);
SELECT attempt($$SELECT * FROM dp_linreg_fit('linreg_rows', 'y', 1, precondition => 'standardise', clip_norm => 1)$$);
SELECT charges() - :before AS charges;
SELECT dp_drop_model('linreg'), attempt($$SELECT dp_predict_value('linreg', '{2,0.5,1,0,0}')$$);
RESET ROLE;
SELECT count(*) FROM dpem_internal.linreg_parameter AS p FULL JOIN dpem_internal.linreg_quality AS q USING (model) WHERE p.target IS NULL OR q.residual_variance IS NULL;
