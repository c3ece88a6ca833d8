-- dp_kmeans_fit: its algorithms, what they charge and release, the models' use, and what is refused
\pset null -
SET ROLE regress_owner;
CREATE TABLE kmeans_rows AS SELECT * FROM clusters;
CREATE TABLE kmeans_trips AS SELECT * FROM clusters;
CREATE TABLE kmeans_guests AS SELECT * FROM clusters;
INSERT INTO kmeans_rows (x, y) VALUES (NULL, 1), (2, 'NaN'), ('Infinity', 3), (1e308, -1e308);
ANALYZE kmeans_rows, kmeans_trips, kmeans_guests;
SELECT dp_register_dataset('kmeans_rows', 'kmeans_rows', 1000, 1e-4),
       dp_register_dataset('kmeans_trips', 'kmeans_trips', 1000, 1e-4, unit => 'person', max_rows_per_unit => 3),
       dp_register_dataset('kmeans_guests', 'kmeans_guests', 1000, 1e-4, adjacency => 'add_remove');
SELECT count(dp_register_column(d, c, -10, 10)) FROM unnest('{kmeans_rows,kmeans_trips,kmeans_guests}'::text[]) AS d, unnest('{x,y}'::text[]) AS c;
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{kmeans_rows,kmeans_trips,kmeans_guests}'::text[]) AS d;
GRANT SELECT ON kmeans_rows TO regress_reader;
RESET ROLE;

-- Epsilon 50 on 6000 rows: centers are within ten standard deviations of their
-- noise (false alarms below 1e-20) and 0.2 of the truth, which the clusters'
-- own spread and one row beyond the domain explain; they are ten apart.
SET ROLE regress_analyst;
CREATE TEMP TABLE kmeans_calls AS
SELECT d || '_' || a || coalesce('_' || noise, '') AS name, d AS dataset, a AS algorithm, noise,
       format('%L, 3, 50, iterations => 4, init_means => ''{-4,-4,0,4,4,-3}'', algorithm => %L, noise => %L', d, a, noise) AS arguments
  FROM unnest('{kmeans_rows,kmeans_trips,kmeans_guests}'::text[]) AS d,
       (VALUES ('joint', NULL), ('dpem', 'gaussian'), ('dpem', 'laplace'), ('dplloyd', NULL)) AS v (a, noise);
CREATE FUNCTION pg_temp.check_fit(arguments text, name text, OUT clusters bigint, OUT total boolean, OUT shape boolean, OUT named boolean)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*), near(sum(weight), 1), bool_and(array_dims(mean) = ''[1:2]''), bool_and(model = %L)
                    FROM dp_kmeans_fit(%s, model => %L)', name, arguments, name) INTO STRICT clusters, total, shape, named;
END$$;
SELECT name, f.* FROM kmeans_calls, LATERAL pg_temp.check_fit(arguments, name) AS f ORDER BY name;
SELECT model, bool_and(abs(center - t.mean[CASE column_name WHEN 'x' THEN 1 ELSE 2 END]) < 10 * noise_stddev + 0.2) AS centers, bool_and(noise_stddev BETWEEN 1e-4 AND 5) AS noise
  FROM dpem.kmeans_centers JOIN truth AS t USING (component) WHERE model ~ '^kmeans_' GROUP BY 1 ORDER BY 1;
SELECT model, bool_and(abs(c.weight - t.weight) < 10 * noise_stddev + 0.002) AS weights, bool_and(noise_stddev BETWEEN 1e-5 AND 0.2) AS noise
  FROM dpem.kmeans_clusters AS c JOIN truth AS t USING (component) WHERE model ~ '^kmeans_' GROUP BY 1 ORDER BY 1;
SELECT model, family, components, dimensions, columns, mechanism, composition, iterations, covariance, precondition FROM dpem.models WHERE dataset = 'kmeans_rows' ORDER BY 1;

-- the plan says what the ledger says
CREATE FUNCTION pg_temp.compare_plan(arguments text, name text, OUT lines bigint, OUT same boolean, OUT whole boolean)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(DISTINCT p.line), bool_and(p.mechanism = l.mechanism AND p.releases = l.releases AND near(p.noise_multiplier, l.noise_multiplier)
                        AND near(p.mu_squared, l.mu_squared)),
                    bool_and(near((SELECT mu_squared FROM dp_kmeans_plan(%s) WHERE line IS NULL), (SELECT sum(mu_squared) FROM dpem.ledger WHERE charge = m.charge)))
                    FROM dpem.models AS m JOIN dpem.ledger AS l USING (charge) LEFT JOIN dp_kmeans_plan(%s) AS p USING (line) WHERE m.model = %L',
                   arguments, arguments, name) INTO STRICT lines, same, whole;
END$$;
SELECT charges() AS before \gset
SELECT name, p.* FROM kmeans_calls, LATERAL pg_temp.compare_plan(arguments, name) AS p ORDER BY name;
SELECT charges() = :before AS nothing_spent;
SELECT l.statistic, l.mechanism, releases, rows_per_unit, adjacency, near(mu_squared, CASE WHEN l.mechanism = 'gaussian' THEN releases / noise_multiplier ^ 2 ELSE mu_squared END) AS cost
  FROM dpem.ledger AS l JOIN dpem.models USING (charge) WHERE model IN ('kmeans_trips_joint', 'kmeans_guests_dpem_laplace', 'kmeans_guests_dpem_gaussian', 'kmeans_rows_dplloyd')
 ORDER BY model, line;

-- Noise by the proofs: replace_one moves counts and sums of weight 1 by 2 in L2; in L1, with sums of weight sqrt 2, by 2 (1 + 2).
SELECT statistic, near(sensitivity, s) AS sensitivity, near(noise_stddev, noise_multiplier * s * CASE mechanism WHEN 'laplace' THEN sqrt(2) ELSE 1 END, 1e-6) AS noise,
       near(column_noise_stddev[1], noise_stddev / (6004 / 3.0) * 10 * sqrt(2), 1e-6) AS units
  FROM (SELECT *, CASE WHEN statistic ~ 'total' THEN NULL ELSE 2 END AS s FROM dp_kmeans_plan('kmeans_rows', 3, 1, algorithm => 'joint', clip_norm => sqrt(2))
        UNION ALL SELECT *, CASE WHEN statistic ~ 'counts' THEN 6 ELSE 6 / sqrt(2) END FROM dp_kmeans_plan('kmeans_rows', 3, 1, algorithm => 'dplloyd')
        UNION ALL SELECT *, CASE WHEN statistic ~ 'weights' THEN sqrt(2) ELSE 2 END FROM dp_kmeans_plan('kmeans_rows', 3, 1, algorithm => 'dpem')
        UNION ALL SELECT *, CASE WHEN statistic ~ 'weights' THEN 2 ELSE 2 * sqrt(2) END FROM dp_kmeans_plan('kmeans_rows', 3, 1, algorithm => 'dpem', noise => 'laplace')) AS p
 WHERE sensitivity IS NOT NULL;
-- every composition costs what was asked for by its own count
SELECT algorithm, composition, near(CASE composition WHEN 'exact' THEN epsilon_exact WHEN 'zcdp' THEN epsilon_zcdp WHEN 'rdp' THEN epsilon_rdp WHEN 'ma' THEN epsilon_ma
         WHEN 'advanced' THEN epsilon_advanced ELSE epsilon_linear END, 0.5, 1e-5) AS as_asked
  FROM unnest('{joint,dpem,dplloyd}'::text[]) AS algorithm, unnest('{exact,zcdp,rdp,ma,advanced,linear}'::text[]) AS composition,
       LATERAL dp_kmeans_plan('kmeans_rows', 3, 0.5, 1e-5, algorithm => algorithm, composition => composition, clip_norm => sqrt(2)) WHERE line IS NULL ORDER BY 1, 2;

-- iterations: as asked; chosen from public facts; the publications' for theirs
SELECT count(*) FROM dp_kmeans_fit('kmeans_rows', 2, 0.5, model => 'kmeans_auto');
SELECT count(*) FROM dp_kmeans_fit('kmeans_rows', 2, 0.5, algorithm => 'joint', model => 'kmeans_joint_chosen');
SELECT count(*) FROM dp_kmeans_fit('kmeans_rows', 2, 0.5, algorithm => 'joint', model => 'kmeans_joint_again');
SELECT count(*) FROM dp_kmeans_fit('kmeans_rows', 2, 0.5, algorithm => 'dplloyd', model => 'kmeans_dplloyd_usual');
SELECT count(*) FROM dp_kmeans_fit('kmeans_rows', 2, 0.5, algorithm => 'dpem', columns => '{y}', clip_norm => 0.5, model => 'kmeans_dpem_usual');
SELECT (SELECT mechanism <> 'auto' FROM dpem.models WHERE model = 'kmeans_auto') AS auto_resolved,
       (SELECT count(DISTINCT iterations) = 1 AND min(iterations) BETWEEN 2 AND 10 FROM dpem.models WHERE model IN ('kmeans_joint_chosen', 'kmeans_joint_again')) AS chosen,
       (SELECT array_agg(iterations ORDER BY model) FROM dpem.models WHERE model IN ('kmeans_dplloyd_usual', 'kmeans_dpem_usual')) AS usual;
-- a row is clipped to half of the ball of the box: the center stays within it, 5 in y's units
SELECT bool_and(abs(center) <= 5) AS clipped, count(*) FROM dpem.kmeans_centers WHERE model = 'kmeans_dpem_usual';
-- two runs differ: nothing of a run is the data alone
SELECT count(DISTINCT center) = count(*) AS varies FROM dpem.kmeans_centers WHERE model IN ('kmeans_joint_chosen', 'kmeans_joint_again');

-- use: nearest center in the box; free of charge
SELECT count(*) = count(*) FILTER (WHERE dp_predict('kmeans_rows_joint', mean) = component) AS own_cluster,
       bool_and(dp_squared_distance('kmeans_rows_joint', mean) < 0.01) AS near FROM truth;
SELECT bool_and(near(dp_squared_distance('kmeans_rows_joint', ARRAY[x, y]), (SELECT min(s) FROM (
         SELECT sum(((CASE column_name WHEN 'x' THEN x ELSE y END - center) / 10) ^ 2) AS s FROM dpem.kmeans_centers WHERE model = 'kmeans_rows_joint' GROUP BY component) AS c))) AS squared_distance
  FROM (VALUES (0, 0), (10, -10), (25, 3), (-3, 0.5)) AS v (x, y);
SELECT bool_and(near((SELECT min(v) FROM unnest(dp_transform('kmeans_rows_joint', p)) AS v) ^ 2, dp_squared_distance('kmeans_rows_joint', p))
        AND (dp_transform('kmeans_rows_joint', p))[dp_predict('kmeans_rows_joint', p)] = (SELECT min(v) FROM unnest(dp_transform('kmeans_rows_joint', p)) AS v)) AS distances
  FROM unnest(ARRAY[0, 10, 25, -3]::float8[], ARRAY[0, -10, 3, 0.5]) AS u (x, y), LATERAL (SELECT ARRAY[x, y] AS p) AS a;
SELECT attempt(format('SELECT %s', call)) FROM (VALUES (1, $$dp_posterior('kmeans_rows_joint', '{0,0}')$$), (2, $$dp_log_density('kmeans_rows_joint', '{0,0}')$$),
    (3, $$dp_sample('kmeans_rows_joint', 1)$$), (4, $$dp_predict('kmeans_rows_joint', '{0}')$$), (5, $$dp_squared_distance('kmeans_rows_joint', '{0,NULL}')$$)) AS v (n, call) ORDER BY n;
SET ROLE regress_other;
SELECT count(*) FROM dpem.kmeans_centers;
SELECT attempt($$SELECT dp_predict('kmeans_rows_joint', '{0,0}')$$), attempt($$SELECT * FROM dpem_internal.kmeans_parameter$$);
SET ROLE regress_analyst;
SELECT dp_grant_model('kmeans_rows_joint', 'regress_other');
SET ROLE regress_other;
SELECT model, count(*), dp_predict('kmeans_rows_joint', '{5,-3}') FROM dpem.kmeans_centers GROUP BY 1;
SET ROLE regress_analyst;
SELECT dp_drop_model('kmeans_rows_joint');
RESET ROLE;
SELECT count(*) AS left_over FROM dpem_internal.kmeans_parameter WHERE model NOT IN (SELECT id FROM dpem_internal.model);

-- without noise, for readers only: Lloyd's steps, an empty cluster stays where it was
SET ROLE regress_reader;
WITH start (component, x, y) AS (VALUES (1, -1::float8, -2::float8), (2, 0, 1), (3, 9.9, 9.9)),
clean AS (SELECT least(greatest(x, -10), 10) AS x, least(greatest(y, -10), 10) AS y FROM kmeans_rows
          WHERE x IS NOT NULL AND y IS NOT NULL AND x <> 'NaN' AND y <> 'NaN' AND abs(x) < 'Infinity' AND abs(y) < 'Infinity'),
nearest AS (SELECT c.x, c.y, (SELECT component FROM start AS s ORDER BY (c.x - s.x) ^ 2 + (c.y - s.y) ^ 2 LIMIT 1) AS component FROM clean AS c),
lloyd AS (SELECT s.component, coalesce(avg(n.x), min(s.x)) AS x, coalesce(avg(n.y), min(s.y)) AS y, count(n.x) / 6001.0 AS weight
            FROM start AS s LEFT JOIN nearest AS n USING (component) GROUP BY s.component)
SELECT f.component, near(f.weight, l.weight) AS weight, near(mean[1], l.x) AND near(mean[2], l.y) AS mean, model
  FROM dp_kmeans_fit('kmeans_rows', 3, 'Infinity', iterations => 1, algorithm => 'joint', init_means => '{-1,-2,0,1,9.9,9.9}') AS f JOIN lloyd AS l USING (component) ORDER BY 1;
SELECT bool_and(same) AS all_the_same FROM (SELECT count(DISTINCT mean) = 1 AS same FROM unnest('{joint,dpem,dplloyd}'::text[]) AS a,
    LATERAL dp_kmeans_fit('kmeans_rows', 3, 'Infinity', iterations => 3, algorithm => a, init_means => '{-4,-4,0,4,4,-3}') GROUP BY component) AS s;
SET ROLE regress_analyst;
SELECT attempt($$SELECT dp_kmeans_fit('kmeans_rows', 3, 'Infinity')$$);

-- refused before anything is spent
SELECT charges() AS before \gset
SELECT n, attempt(format('SELECT count(*) FROM dp_kmeans_fit(%s)', arguments)) FROM (VALUES
    (1, $$'kmeans_rows', 0, 1$$), (2, $$'kmeans_rows', 1001, 1$$), (3, $$'kmeans_rows', NULL, 1$$), (4, $$'kmeans_rows', 3, 0$$),
    (5, $$'kmeans_rows', 3, 1, 1$$), (6, $$'kmeans_rows', 3, 1, algorithm => 'Joint'$$), (7, $$'kmeans_rows', 3, 1, algorithm => NULL$$),
    (8, $$'kmeans_rows', 3, 1, postprocess => 'magic'$$), (9, $$'kmeans_rows', 3, 1, noise => 'laplace'$$),
    (10, $$'kmeans_rows', 3, 1, algorithm => 'dpem', noise => 'uniform'$$), (11, $$'kmeans_rows', 3, 1, iterations => 0$$),
    (12, $$'kmeans_rows', 3, 1, algorithm => 'joint', init_means => '{1,2}'$$), (13, $$'kmeans_rows', 1, 1, algorithm => 'joint', init_means => '{1,NaN}'$$),
    (14, $$'kmeans_rows', 3, 1, clip_norm => 0$$), (15, $$'kmeans_rows', 3, 1, composition => 'gdp'$$), (16, $$'kmeans_rows', 3, 1, columns => '{component}'$$),
    (17, $$'kmeans_rows', 3, 1, model => 'kmeans_auto'$$), (18, $$'kmeans_rows', 3, 'Infinity', model => 'mine'$$), (19, $$'nowhere', 3, 1$$),
    (20, $$'kmeans_rows', 3, 8, algorithm => 'joint', iterations => 1, composition => 'linear'$$), (21, $$'kmeans_rows', 3, 1e-9, algorithm => 'dplloyd'$$),
    (22, $$'kmeans_rows', 3, 'NaN'$$)) AS v (n, arguments) ORDER BY n;
SELECT attempt($$SELECT dp_kmeans_plan('kmeans_rows', 3, 'Infinity')$$);
SELECT charges() = :before AS nothing_spent;
SET ROLE regress_other;
SELECT attempt($$SELECT dp_kmeans_fit('kmeans_rows', 3, 1)$$), attempt($$SELECT dp_kmeans_plan('kmeans_rows', 3, 1)$$);
SET ROLE regress_analyst;
-- a start beyond the domain, however far, begins at its border
SELECT count(*) FROM dp_kmeans_fit('kmeans_rows', 2, 0.5, algorithm => 'joint', iterations => 1, init_means => '{1e308,-1e308,0,0}');

-- joint looks for the rows of each group in domains a million times as wide: the noise in a mean of x and y is 40, in the whole
-- domains 7,500, and that in a center of u and v is a hundredth of how far apart these are, on one side of the domain's middle
RESET ROLE;
SET ROLE regress_owner;
CREATE TABLE kmeans_far AS SELECT CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END AS kind, 2e7 + r AS x, -3e7 + s AS y, 2e7 + m + r AS u, 3e7 + m + s AS v
  FROM generate_series(1, 20000) AS i, LATERAL (SELECT CASE WHEN i % 4 < 2 THEN 3e5 ELSE -3e5 END AS m, 300 * ((i * 0.618034) % 1 - 0.5) AS r, 300 * ((i * 0.414214) % 1 - 0.5) AS s) AS p;
ALTER TABLE kmeans_far ALTER x SET NOT NULL, ALTER y SET NOT NULL, ALTER u SET NOT NULL, ALTER v SET NOT NULL;
ANALYZE kmeans_far;
SELECT dp_register_dataset('kmeans_far', 'kmeans_far', 1000, 1e-4);
SELECT count(dp_register_column('kmeans_far', c, -1e8, 1e8)) FROM unnest('{x,y,u,v}'::text[]) AS c;
SELECT count(*) FROM (SELECT dp_register_column('kmeans_far', 'kind', '{a,b}'::text[]), dp_grant_budget('regress_analyst', 'kmeans_far', 900, 1e-4)) AS r;
SET ROLE regress_analyst;
SELECT statistic, releases FROM dp_kmeans_plan('kmeans_far', 2, 50, columns => '{u,v}', by => 'kind');
SELECT key, abs(mean[1] - 2e7) < 1000 AND abs(mean[2] + 3e7) < 1000 AS near FROM dp_kmeans_fit('kmeans_far', 1, 20, columns => '{x,y}', by => 'kind', model => 'kmeans_far_mean') ORDER BY 1;
SELECT key, component, sign(mean[1] - 2e7) = sign(mean[2] - 3e7) AND abs(abs(mean[1] - 2e7) - 3e5) < 1e5 AND abs(abs(mean[2] - 3e7) - 3e5) < 1e5 AS near, abs(weight - 0.5) < 0.1 AS half
  FROM dp_kmeans_fit('kmeans_far', 2, 50, columns => '{u,v}', by => 'kind', model => 'kmeans_far_two') ORDER BY 1, 2;
-- rows are where they are to be clipped, and starts where they are asked for: nothing is looked for
SELECT array_agg(DISTINCT statistic ORDER BY statistic) FROM dp_kmeans_plan('kmeans_far', 1, 20, columns => '{x,y}', clip_norm => 1) WHERE line IS NOT NULL;
SELECT array_agg(DISTINCT statistic ORDER BY statistic) FROM dp_kmeans_plan('kmeans_far', 1, 20, columns => '{x,y}', init_means => '{0,0}') WHERE line IS NOT NULL;

-- leave nothing behind for the tests that follow
SELECT count(dp_drop_model(model)) > 10 AS dropped FROM dpem.models WHERE family = 'kmeans';
SET ROLE regress_owner;
SELECT count(dp_drop_dataset(d)) FROM unnest('{kmeans_rows,kmeans_trips,kmeans_guests,kmeans_far}'::text[]) AS d;
DROP TABLE kmeans_rows, kmeans_trips, kmeans_guests, kmeans_far;
RESET ROLE;
