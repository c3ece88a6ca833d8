-- dp_gmm_fit: what it returns, how near the truth, and what it refuses
\pset null -
-- other people with the same values: by person, and with a private number of persons
SET ROLE regress_owner;
CREATE TABLE trips AS SELECT * FROM clusters;
CREATE TABLE guests AS SELECT * FROM clusters;
ANALYZE trips, guests;
SELECT dp_register_dataset('trips', 'trips', 1000, 1e-4, unit => 'person', max_rows_per_unit => 3),
       dp_register_dataset('guests', 'guests', 1000, 1e-4, adjacency => 'add_remove');
SELECT dp_register_column(d, c, -10, 10) FROM unnest('{trips,guests}'::text[]) AS d, unnest('{x,y}'::text[]) AS c;
SELECT dp_grant_budget('regress_analyst', d, 900, 1e-4) FROM unnest('{trips,guests}'::text[]) AS d;

-- Epsilon 50 on 6000 rows: the limits of 2 for means, whose components are ten
-- apart, and 0.05 for weights are ten standard deviations of the noise or more,
-- as the second query shows; the third takes ten of each number's own.
SET ROLE regress_analyst;
CREATE FUNCTION pg_temp.check_fit(call text, covariance text, OUT components bigint, OUT total boolean,
    OUT valid boolean, OUT shape boolean, OUT means boolean, OUT weights boolean, OUT named boolean)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'SELECT count(*), near(sum(f.weight), 1), bool_and(f.weight BETWEEN 0 AND 1 AND covariance[1][2] = covariance[2][1]
            AND covariance[1][1] > 0 AND covariance[1][1] * covariance[2][2] > covariance[1][2] ^ 2),
        bool_and(array_dims(f.mean) = ''[1:2]'' AND array_dims(covariance) = ''[1:2][1:2]'' AND (covariance[1][2] = 0) = $1
            AND (covariance[1][1] = covariance[2][2]) = $2),
        max(distance(f.mean, t.mean)) < 2, max(abs(f.weight - t.weight)) < 0.05,
        bool_and(model IS NOT NULL)
        FROM ' || call || ' AS f JOIN truth AS t USING (component)' INTO STRICT components, total, valid, shape, means, weights, named
        USING covariance <> 'full', covariance = 'spherical';
END$$;
SELECT dataset, covariance, estimator, precondition, c.*
  FROM unnest('{clusters,trips,guests}'::text[]) WITH ORDINALITY AS d (dataset, n1),
       unnest('{full,diagonal,spherical}'::text[]) WITH ORDINALITY AS s (covariance, n2),
       unnest('{map,mle}'::text[]) WITH ORDINALITY AS e (estimator, n3),
       unnest('{whiten,none}'::text[]) WITH ORDINALITY AS p (precondition, n4),
       LATERAL pg_temp.check_fit(format('dp_gmm_fit(%L, 3, 50, iterations => 20, init_means => ''{-4,-4,0,4,4,-3}'', covariance => %L, estimator => %L, precondition => %L)',
                                        dataset, covariance, estimator, precondition), covariance) AS c
 WHERE dataset = 'clusters' OR n2 + n3 + n4 = 3 OR n2 * n4 = 2 ORDER BY n1, n2, n3, n4;
CREATE TEMP VIEW fits AS SELECT model FROM dpem.models WHERE dataset IN ('clusters', 'trips', 'guests') AND epsilon = 50;
SELECT (SELECT max(noise_stddev) BETWEEN 0.001 AND 0.2 FROM dpem.gmm_means JOIN fits USING (model)) AS mean,
       (SELECT max(noise_stddev) BETWEEN 0.0001 AND 0.005 FROM dpem.gmm_components JOIN fits USING (model)) AS weight,
       (SELECT max(noise_stddev) BETWEEN 0.01 AND 2 FROM dpem.gmm_covariances JOIN fits USING (model)) AS covariance;
SELECT (SELECT bool_and(abs(m.mean - t.mean[CASE column_name WHEN 'x' THEN 1 ELSE 2 END]) < 10 * noise_stddev + 0.1)
          FROM dpem.gmm_means AS m JOIN fits USING (model) JOIN truth AS t USING (component)) AS mean,
       (SELECT bool_and(abs(c.weight - t.weight) < 10 * noise_stddev + 0.001) FROM dpem.gmm_components AS c JOIN fits USING (model) JOIN truth AS t USING (component)) AS weight,
       (SELECT bool_and(abs(covariance - CASE WHEN column_name = other_column THEN 0.64 ELSE 0 END) < 10 * noise_stddev + 0.1)
          FROM dpem.gmm_covariances JOIN fits USING (model)) AS covariance;

-- what the ledger says of them
SELECT l.dataset, adjacency, unit, rows_per_unit, statistic, l.mechanism, l.composition, sampling_rate, l.epsilon, l.delta, count(*) AS charges,
       bool_and(releases = CASE statistic WHEN 'mixture' THEN iterations WHEN 'second moment' THEN 3 ELSE 1 END) AS releases, min(iterations) > 1 AS passes,
       bool_and(near(mu_squared, releases / noise_multiplier ^ 2)) AS cost
  FROM dpem.ledger AS l JOIN dpem.models USING (charge) WHERE l.dataset IN ('trips', 'guests') GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 ORDER BY 1, 5;
SELECT bool_and(near(mu2, dp_gdp_mu(50, 1e-6) ^ 2, 1e-6)) AS all_cost_what_was_asked, count(*) FILTER (WHERE lines = 3) AS whitened,
       count(*) FILTER (WHERE lines = 1) AS plain
  FROM (SELECT charge, sum(mu_squared) AS mu2, count(*) AS lines FROM dpem.ledger WHERE dataset IN ('trips', 'guests') GROUP BY charge) AS c;

-- iterations as asked; chosen, they depend on public facts only
SELECT count(*) AS components FROM dp_gmm_fit('clusters', 2, 0.5, iterations => 7, model => 'fit_seven');
SELECT count(*) AS components FROM dp_gmm_fit('clusters', 2, 0.5, precondition => 'none', model => 'fit_chosen');
SELECT count(*) AS components FROM dp_gmm_fit('clusters', 2, 0.5, precondition => 'none', model => 'fit_chosen_again');
SELECT count(*) FILTER (WHERE model = 'fit_seven' AND iterations = 7) AS seven,
       count(DISTINCT iterations) FILTER (WHERE model LIKE 'fit_chosen%') AS chosen FROM dpem.models WHERE model LIKE 'fit_%';
SELECT releases = 7 AS seven FROM dpem.ledger JOIN dpem.models USING (charge) WHERE model = 'fit_seven' AND statistic = 'mixture';

-- columns, in the order asked for
SELECT cardinality(mean) AS d, abs(mean[1] + 0.7) < 0.2 AND abs(mean[2] + 0.33) < 0.2 AS y_then_x
  FROM dp_gmm_fit('clusters', 1, 20, columns => '{y,x}');
SELECT cardinality(mean) AS d, abs(mean[1] + 0.7) < 0.2 AS y FROM dp_gmm_fit('clusters', 1, 20, columns => '{y}', precondition => 'none');
RESET ROLE;
SELECT count(*) AS models_of_two_columns_in_order FROM dpem.models WHERE columns = 'y, x';

-- bad arguments: one error each, and nothing is spent or stored
SET ROLE regress_analyst;
SELECT count(*) AS components FROM dp_gmm_fit('clusters', 1, 0.1, model => 'taken');
SELECT charges() AS charges, models() AS models \gset
\pset format unaligned
\pset tuples_only on
SELECT attempt('SELECT dp_gmm_fit(' || s || ')') FROM (VALUES
    (1, $$'no_such', 3, 1$$), (2, $$NULL, 3, 1$$), (3, $$'', 3, 1$$),
    (10, $$'clusters', 0, 1$$), (11, $$'clusters', -1, 1$$), (12, $$'clusters', 501, 1$$), (13, $$'clusters', NULL, 1$$),
    (20, $$'clusters', 3, 0$$), (21, $$'clusters', 3, -1$$), (22, $$'clusters', 3, 'NaN'$$), (23, $$'clusters', 3, '-Infinity'$$),
    (24, $$'clusters', 3, NULL$$),
    (30, $$'clusters', 3, 1, 0$$), (31, $$'clusters', 3, 1, 1$$), (32, $$'clusters', 3, 1, 'NaN'$$), (33, $$'clusters', 3, 1, -1e-6$$),
    (35, $$'clusters', 3, 'Infinity', 2$$),
    (40, $$'clusters', 3, 1, columns => '{}'$$), (41, $$'clusters', 3, 1, columns => '{x,z}'$$), (42, $$'clusters', 3, 1, columns => '{x,x}'$$),
    (43, $$'clusters', 3, 1, columns => '{x,component}'$$), (44, $$'clusters', 3, 1, columns => '{x,NULL}'$$),
    (45, $$'clusters', 3, 1, columns => '{{x},{y}}'$$), (46, $$'clusters', 3, 1, columns => '{id}'$$), (47, $$'clusters', 3, 1, columns => '{""}'$$),
    (50, $$'clusters', 3, 1, iterations => 0$$), (51, $$'clusters', 3, 1, iterations => -1$$), (52, $$'clusters', 3, 1, iterations => 1001$$),
    (60, $$'clusters', 3, 1, covariance => 'Tied'$$), (61, $$'clusters', 3, 1, covariance => NULL$$), (62, $$'clusters', 3, 1, covariance => 'Full'$$),
    (63, $$'clusters', 3, 1, estimator => 'bayes'$$), (64, $$'clusters', 3, 1, estimator => NULL$$),
    (66, $$'clusters', 3, 1, mechanism => NULL$$),
    (67, $$'clusters', 3, 1, composition => 'gdp'$$), (68, $$'clusters', 3, 1, composition => ''$$),
    (69, $$'clusters', 3, 1, precondition => 'scale'$$), (70, $$'clusters', 3, 1, precondition => NULL$$),
    (71, $$'clusters', 3, 30, 1e-6, composition => 'linear', iterations => 1$$),
    (72, $$'clusters', 3, 30, 1e-6, composition => 'advanced', iterations => 1$$),
    (80, $$'clusters', 3, 1, init_means => '{1,2,3,4,5}'$$), (81, $$'clusters', 3, 1, init_means => '{}'$$),
    (82, $$'clusters', 3, 1, init_means => '{1,2,3,4,5,NULL}'$$), (83, $$'clusters', 3, 1, init_means => '{1,2,3,4,5,NaN}'$$),
    (84, $$'clusters', 3, 1, init_means => '{1,2,3,4,5,-Infinity}'$$), (85, $$'clusters', 1, 1, init_means => '{1,2,3,4,5,6}'$$),
    (90, $$'clusters', 3, 1, init_variance => 0$$), (91, $$'clusters', 3, 1, init_variance => -1$$), (92, $$'clusters', 3, 1, init_variance => 'NaN'$$),
    (93, $$'clusters', 3, 1, init_variance => 'Infinity'$$),
    (94, $$'clusters', 3, 1, clip_norm => 0$$), (95, $$'clusters', 3, 1, clip_norm => -1$$), (96, $$'clusters', 3, 1, clip_norm => 'NaN'$$),
    (97, $$'clusters', 3, 1, clip_norm => 'Infinity'$$),
    (100, $$'clusters', 3, 1, model => 'taken'$$), (101, $$'clusters', 3, 1, model => ''$$), (102, $$'clusters', 3, 'Infinity', model => 'noiseless'$$)
  ) AS v (n, s) ORDER BY n;
-- the list of mechanisms may grow
SELECT attempt($$SELECT dp_gmm_fit('clusters', 3, 1, mechanism => 'laplace')$$) ~ '^22023: mechanism must be one of joint.*, not "laplace"$';
\pset tuples_only off
\pset format aligned
SELECT charges() = :charges AS nothing_spent, models() = :models AS nothing_stored;
-- as people see them
SELECT * FROM dp_gmm_fit('clusters', 3, 0);
SELECT * FROM dp_gmm_fit('clusters', 3, 1, columns => '{x,component}');
SELECT * FROM dp_gmm_fit('clusters', 3, 1, model => 'taken');

-- without noise: for readers of the rows, never stored, never charged
SELECT count(*) FROM dp_gmm_fit('clusters', 3, 'Infinity');
RESET ROLE;
GRANT SELECT (x) ON clusters TO regress_reader;
SET ROLE regress_reader;
SELECT attempt($$SELECT dp_gmm_fit('clusters', 3, 'Infinity')$$);
SELECT model, component, cardinality(mean) FROM dp_gmm_fit('clusters', 1, 'Infinity', columns => '{x}');
RESET ROLE;
GRANT SELECT (y) ON clusters TO regress_reader;
SET ROLE regress_reader;
SELECT attempt($$SELECT dp_gmm_fit('clusters', 3, 'Infinity')$$);
RESET ROLE;
REVOKE SELECT (x, y) ON clusters FROM regress_reader;
SET ROLE regress_owner;
SELECT f.model, f.component, distance(f.mean, t.mean) < 0.1 AS mean, abs(f.weight - t.weight) < 0.001 AS weight,
       distance(f.covariance, '{{0.64,0},{0,0.64}}') < 0.1 AS covariance
  FROM dp_gmm_fit('clusters', 3, 'Infinity', init_means => '{-4,-4,0,4,4,-3}', iterations => 10) AS f JOIN truth AS t USING (component);
-- twelve small clusters, of which passes from the usual start miss some: without noise they start from what is found in cells
CREATE TABLE fit_twelve AS
SELECT c, c * 7 % 12 + 0.15 * sin(i) * (i % 10) / 10 AS x, c * c % 13 + 0.15 * cos(i) * (i % 10) / 10 AS y
  FROM generate_series(1, 12) AS c, generate_series(1, 70) AS i;
ANALYZE fit_twelve;
SELECT dp_register_dataset('fit_twelve', 'fit_twelve', 1, 1e-6), dp_register_column('fit_twelve', 'x', -20, 30), dp_register_column('fit_twelve', 'y', -20, 30);
SELECT count(DISTINCT c) > 9 AS found
  FROM dp_gmm_fit('fit_twelve', 12, 'Infinity') AS f JOIN (SELECT c, avg(x) AS x, avg(y) AS y FROM fit_twelve GROUP BY c) AS t ON distance(f.mean, ARRAY[t.x, t.y]) < 0.3;
SELECT count(DISTINCT c) < 12 AS missed
  FROM dp_gmm_fit('fit_twelve', 12, 'Infinity', iterations => 40) AS f JOIN (SELECT c, avg(x) AS x, avg(y) AS y FROM fit_twelve GROUP BY c) AS t ON distance(f.mean, ARRAY[t.x, t.y]) < 0.3;
RESET ROLE;
SELECT charges() = :charges AS nothing_spent, models() = :models AS nothing_stored;

-- one component without noise is the sample's mean and covariance
SET ROLE regress_owner;
SELECT dataset, distance(mean, ARRAY[ax, ay]) < 1e-9 AS mean, distance(covariance, ARRAY[vx, vxy, vxy, vy]) < 1e-9 AS covariance
  FROM (SELECT avg(x), avg(y), var_pop(x), covar_pop(x, y), var_pop(y) FROM clusters) AS s (ax, ay, vx, vxy, vy),
       unnest('{clusters,trips,guests}'::text[]) AS dataset, LATERAL dp_gmm_fit(dataset, 1, 'Infinity', estimator => 'mle', precondition => 'none');
SELECT distance(mean, ARRAY[ay, ax]) < 1e-9 AS y_then_x
  FROM (SELECT avg(x), avg(y) FROM clusters) AS s (ax, ay), dp_gmm_fit('clusters', 1, 'Infinity', estimator => 'mle', precondition => 'none', columns => '{y,x}');
-- clip_norm: rows at most 0.1 from the middle of the [-1, 1] box, which is 1 in x and y
SELECT mean[1] ^ 2 + mean[2] ^ 2 <= 1 AND covariance[1][1] + covariance[2][2] <= 1 AS clipped
  FROM dp_gmm_fit('clusters', 1, 'Infinity', estimator => 'mle', precondition => 'none', clip_norm => 0.1);
SELECT distance(fit_numbers($$dp_gmm_fit('clusters', 1, 'Infinity', estimator => 'mle', precondition => 'none', clip_norm => 5)$$),
                fit_numbers($$dp_gmm_fit('clusters', 1, 'Infinity', estimator => 'mle', precondition => 'none')$$)) < 1e-9 AS nothing_to_clip;
-- where the start is matters after one iteration
SELECT distance(fit_numbers($$dp_gmm_fit('clusters', 3, 'Infinity', iterations => 1, init_variance => 0.01)$$),
                fit_numbers($$dp_gmm_fit('clusters', 3, 'Infinity', iterations => 1, init_variance => 1)$$)) > 0.1 AS variance,
       distance(fit_numbers($$dp_gmm_fit('clusters', 3, 'Infinity', iterations => 1, init_means => '{-4,-4,0,4,4,-3}')$$),
                fit_numbers($$dp_gmm_fit('clusters', 3, 'Infinity', iterations => 1)$$)) > 0.1 AS means,
       distance(fit_numbers($$dp_gmm_fit('clusters', 3, 'Infinity', iterations => 1, init_means => '{-4,-4,0,4,4,-3}')$$),
                fit_numbers($$dp_gmm_fit('clusters', 3, 'Infinity', iterations => 1, init_means => '{{-4,-4},{0,4},{4,-3}}')$$)) = 0 AS a_matrix_too;

-- of every person's rows a fit sees at most the registered number; of nobody's none
CREATE TABLE crowd (person text, a float8);
INSERT INTO crowd SELECT 'p' || i, 1 FROM generate_series(1, 99) AS i;
INSERT INTO crowd SELECT 'eager', 9 FROM generate_series(1, 500);
INSERT INTO crowd SELECT NULL, 5 FROM generate_series(1, 500);
SELECT dp_register_dataset('crowd_1', 'crowd', 1, 1e-6, unit => 'person'),
       dp_register_dataset('crowd_7', 'crowd', 1, 1e-6, unit => 'person', max_rows_per_unit => 7),
       dp_register_dataset('crowd_all', 'crowd', 1, 1e-6, unit => 'person', max_rows_per_unit => 1000);
SELECT dp_register_column(d, 'a', 0, 10) FROM unnest('{crowd_1,crowd_7,crowd_all}'::text[]) AS d;
SELECT dataset, near(mean[1], (99 * 1 + quota * 9) / (99 + quota), 1e-12) AS mean
  FROM (VALUES ('crowd_1', 1.0), ('crowd_7', 7), ('crowd_all', 500)) AS v (dataset, quota),
       LATERAL dp_gmm_fit(dataset, 1, 'Infinity', estimator => 'mle', precondition => 'none');

-- the same with workers as without
CREATE TABLE serial AS SELECT s, fit_numbers(s) AS numbers FROM (VALUES
    ($$dp_gmm_fit('clusters', 3, 'Infinity', iterations => 3)$$),
    ($$dp_gmm_fit('clusters', 4, 'Infinity', covariance => 'diagonal', precondition => 'none', iterations => 3)$$),
    ($$dp_gmm_fit('trips', 2, 'Infinity', covariance => 'spherical', iterations => 3)$$)) AS v (s);
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET max_parallel_workers_per_gather = 4;
SELECT distance(numbers, fit_numbers(s)) < 1e-9 AS same FROM serial;
RESET min_parallel_table_scan_size;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET max_parallel_workers_per_gather;

-- what is spent stays spent, whatever becomes of the transaction
SET ROLE regress_analyst;
SELECT charges() AS charges, models() AS models \gset
BEGIN;
SELECT count(*) AS components FROM dp_gmm_fit('clusters', 1, 0.1);
ROLLBACK;
SELECT charges() - :charges AS charged, models() - :models AS stored;
-- where nothing could be recorded nothing is read
BEGIN READ ONLY;
SELECT count(*) FROM dp_gmm_fit('clusters', 1, 0.1);
\echo :LAST_ERROR_SQLSTATE
ROLLBACK;
-- a budget is spent by its own role only
CREATE FUNCTION pg_temp.of_analyst() RETURNS bigint LANGUAGE sql SECURITY DEFINER
AS $$SELECT count(*) FROM dp_gmm_fit('clusters', 1, 0.1)$$;
SELECT pg_temp.of_analyst() AS called_by_its_owner;
SET ROLE regress_other;
SELECT pg_temp.of_analyst();
\echo :LAST_ERROR_SQLSTATE
SET ROLE regress_analyst;
SELECT charges() - :charges AS charged;

-- a source that fails says nothing about why
SET ROLE regress_owner;
CREATE VIEW broken AS SELECT 1 / (id - 4000) AS a, repeat('x', id - 1000)::int AS b FROM guests;
SELECT dp_register_dataset('broken', 'broken', 1000, 1e-4, adjacency => 'add_remove');
SELECT dp_register_column('broken', 'a', 0, 1), dp_register_column('broken', 'b', 0, 1), dp_grant_budget('regress_analyst', 'broken', 900, 1e-4);
SET ROLE regress_analyst;
SELECT count(*) FROM dp_gmm_fit('broken', 1, 0.1, columns => '{a}');
\echo :LAST_ERROR_SQLSTATE
SELECT count(*) FROM dp_gmm_fit('broken', 1, 0.1, columns => '{b}');
SELECT charges() - :charges AS charged;
-- progress, for those who ask
SET dpem.progress = on;
SELECT count(*) AS components FROM dp_gmm_fit('clusters', 1, 0.1, iterations => 2);
RESET dpem.progress;
