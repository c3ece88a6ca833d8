-- Algorithms of dp_kmeans_fit that count cells of a grid: what they charge and release, and what auto chooses
\pset null -
SET ROLE regress_owner;
CREATE TABLE grid_rows AS SELECT * FROM clusters;
CREATE TABLE grid_trips AS SELECT * FROM clusters;
CREATE TABLE grid_guests AS SELECT *, x + y AS a, x - y AS b, y AS c, x AS d FROM clusters;
INSERT INTO grid_rows (x, y) VALUES (NULL, 1), (2, 'NaN'), ('Infinity', 3), (1e308, -1e308);
ANALYZE grid_rows, grid_trips, grid_guests;
SELECT dp_register_dataset('grid_rows', 'grid_rows', 1000, 1e-4),
       dp_register_dataset('grid_trips', 'grid_trips', 1000, 1e-4, unit => 'person', max_rows_per_unit => 3),
       dp_register_dataset('grid_guests', 'grid_guests', 1000, 1e-4, adjacency => 'add_remove');
SELECT count(dp_register_column(d, c, -10, 10)) FROM unnest('{grid_rows,grid_trips,grid_guests}'::text[]) AS d, unnest('{x,y}'::text[]) AS c;
SELECT count(dp_register_column('grid_guests', c, -20, 20)) FROM unnest('{a,b,c,d}'::text[]) AS c;
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{grid_rows,grid_trips,grid_guests}'::text[]) AS d;
GRANT SELECT ON grid_rows TO regress_reader;
RESET ROLE;

-- Epsilon 10 on 6000 rows in three clusters ten apart: every one has its center within half a unit and its
-- weight within 0.03: more than twenty standard deviations of the noise (false alarms below 1e-20), and what a cell's width explains.
SET ROLE regress_analyst;
CREATE TEMP TABLE grid_calls AS
SELECT d || '_' || replace(a, ' ', '_') AS name, d AS dataset, a AS algorithm,
       format('%L, 3, 10, columns => ''{x,y}'', algorithm => %L%s', d, split_part(a, ' ', 1), extra) AS arguments
  FROM unnest('{grid_rows,grid_trips,grid_guests}'::text[]) AS d,
       (VALUES ('grid', ''), ('grid laplace', ', noise => ''laplace'''), ('grid threshold', ', threshold => 4'), ('grid adaptive', ', adaptive => true'),
               ('sparse_grid', ''), ('sparse_grid adaptive', ', adaptive => true, noise => ''gaussian'''), ('sparse_grid linear', ', composition => ''linear'''),
               ('sparse_grid cells', ', cells => 900'), ('plane', ''), ('subspace', ''), ('evolution', '')) AS v (a, extra);
CREATE FUNCTION pg_temp.check_fit(arguments text, name text, OUT clusters bigint, OUT total boolean)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*), near(sum(weight), 1) FROM dp_kmeans_fit(%s, model => %L)', arguments, name) INTO STRICT clusters, total;
END$$;
CREATE TEMP TABLE grid_fits AS SELECT name, f.clusters, f.total FROM grid_calls, LATERAL pg_temp.check_fit(arguments, name) AS f;
SELECT name, clusters, total,
       (SELECT bool_and((SELECT min((m.center[1] - t.mean[1]) ^ 2 + (m.center[2] - t.mean[2]) ^ 2) FROM
            (SELECT component, array_agg(center ORDER BY column_name) AS center FROM dpem.kmeans_centers WHERE model = f.name GROUP BY 1) AS m) < 0.25) FROM truth AS t) AS found,
       (SELECT bool_and(coalesce(noise_stddev > 0 AND noise_stddev < 0.4, true)) FROM dpem.kmeans_centers WHERE model = f.name) AS noise,
       (SELECT bool_and(abs(weight - round(weight * 30) / 30) < 0.03 AND noise_stddev BETWEEN 1e-6 AND 0.03) FROM dpem.kmeans_clusters WHERE model = f.name) AS weights
  FROM grid_fits AS f ORDER BY 1;

-- looks at cells are no passes of the plan, and say how many they are
SET dpem.progress = on;
SELECT count(*) > 0 AS fitted FROM dp_kmeans_fit('grid_rows', 3, 10, columns => '{x,y}', model => 'grid_looks');
RESET dpem.progress;

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
SELECT name, p.* FROM grid_calls, LATERAL pg_temp.compare_plan(arguments, name) AS p ORDER BY name;
SELECT charges() = :before AS nothing_spent;
SELECT model, l.statistic, l.mechanism, releases, adjacency, rows_per_unit FROM dpem.ledger AS l JOIN dpem.models USING (charge)
 WHERE model IN ('grid_rows_grid', 'grid_trips_grid_laplace', 'grid_guests_sparse_grid_adaptive', 'grid_guests_plane', 'grid_trips_subspace', 'grid_guests_evolution') ORDER BY model, line;

-- Noise by the proofs: a row that moves changes two counts by one, a unit of three rows three times that; a row that appears, one.
SELECT dataset, algorithm, noise, bool_and(near(sensitivity, s) AND near(noise_stddev, noise_multiplier * s * CASE mechanism WHEN 'laplace' THEN sqrt(2) ELSE 1 END, 1e-6)) AS as_proved, count(*)
  FROM (VALUES ('grid_rows', 'grid', 'gaussian', sqrt(2)), ('grid_rows', 'grid', 'laplace', 2), ('grid_trips', 'grid', 'gaussian', 3 * sqrt(2)), ('grid_trips', 'grid', 'laplace', 6),
               ('grid_guests', 'grid', 'gaussian', 1), ('grid_guests', 'grid', 'laplace', 1), ('grid_guests', 'sparse_grid', 'gaussian', 1)) AS v (dataset, algorithm, noise, s),
       LATERAL dp_kmeans_plan(dataset, 3, 1, columns => '{x,y}', algorithm => algorithm, noise => noise, cells => 100) WHERE statistic = 'cells: counts' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
-- a row has one vote for its nearest candidate
SELECT dataset, noise, bool_and(near(sensitivity, s) AND near(noise_stddev, noise_multiplier * s * CASE mechanism WHEN 'laplace' THEN sqrt(2) ELSE 1 END, 1e-6)) AS as_proved, max(releases)
  FROM (VALUES ('grid_rows', 'gaussian', sqrt(2)), ('grid_rows', 'laplace', 2), ('grid_trips', 'gaussian', 3 * sqrt(2)), ('grid_guests', 'gaussian', 1), ('grid_guests', 'laplace', 1)) AS v (dataset, noise, s),
       LATERAL dp_kmeans_plan(dataset, 3, 1, columns => '{x,y}', algorithm => 'evolution', noise => noise, iterations => 5) WHERE statistic = 'votes: counts' GROUP BY 1, 2 ORDER BY 1, 2;
-- sums about centers of weight 1 beside counts: of weight 0.3 where rows appear, free where they move; in L1 a row of two coordinates has sqrt 2
SELECT dataset, noise, near(sensitivity, s) AS as_proved
  FROM (VALUES ('grid_rows', 'gaussian', 2), ('grid_guests', 'gaussian', sqrt(1.09)), ('grid_rows', 'laplace', 2 * (0.3 + sqrt(2))), ('grid_guests', 'laplace', 0.3 + sqrt(2))) AS v (dataset, noise, s),
       LATERAL dp_kmeans_plan(dataset, 3, 1, columns => '{x,y}', algorithm => 'sparse_grid', noise => noise) WHERE statistic = 'rows about centers: sums' ORDER BY 1, 2;
-- squared norms beside them: rows and sums of weights 0.5 and 1, norms of 0.25, where rows appear; counts free where they move
SELECT dataset, count(*), bool_and(near(sensitivity * CASE statistic WHEN 'rows about centers: counts' THEN a WHEN 'rows about centers: sums' THEN 1 ELSE 0.25 END, s)) AS as_proved
  FROM (VALUES ('grid_rows', 2, sqrt(15.0 / 16)), ('grid_guests', sqrt(1.3125), 0.5), ('grid_trips', 6, sqrt(15.0 / 16))) AS v (dataset, s, a),
       LATERAL dp_kmeans_plan(dataset, 3, 1, columns => '{x,y}', algorithm => 'subspace') WHERE statistic LIKE 'rows about%' GROUP BY 1 ORDER BY 1;
-- every composition costs what was asked for by its own count
SELECT algorithm, composition, bool_and(near(CASE composition WHEN 'exact' THEN epsilon_exact WHEN 'zcdp' THEN epsilon_zcdp WHEN 'rdp' THEN epsilon_rdp WHEN 'ma' THEN epsilon_ma
         WHEN 'advanced' THEN epsilon_advanced ELSE epsilon_linear END, 0.5, 1e-5)) AS as_asked
  FROM unnest('{grid,sparse_grid}'::text[]) AS algorithm, unnest('{exact,zcdp,rdp,ma,advanced,linear}'::text[]) AS composition,
       LATERAL dp_kmeans_plan('grid_rows', 3, 0.5, 1e-5, algorithm => algorithm, composition => composition) WHERE line IS NULL GROUP BY 1, 2 ORDER BY 1, 2;
-- the kind of noise that is less where calls add up by epsilon, or by mu
SELECT composition, min(mechanism) AS mechanism, count(*) FROM unnest('{exact,zcdp,advanced,linear}'::text[]) AS composition,
       LATERAL dp_kmeans_plan('grid_rows', 3, 0.5, algorithm => 'grid', composition => composition) WHERE line IS NOT NULL GROUP BY 1 ORDER BY 1;

-- auto: from public facts
SELECT v.*, CASE min(statistic) FILTER (WHERE line = 1 AND sensitivity IS NOT NULL) WHEN 'cells: counts' THEN 'sparse_grid' WHEN 'rows: counts' THEN 'sparse_grid' WHEN 'center: counts' THEN 'subspace' WHEN 'clusters: counts' THEN 'joint' WHEN 'margins: sums' THEN 'joint' END AS chosen
  FROM (VALUES (1, 'grid_rows', 3, '{x,y}', NULL::int, NULL::float8[], 'none'), (2, 'grid_guests', 3, '{x,y}', NULL, NULL, 'none'), (3, 'grid_guests', 3, '{x,y,a,b}', NULL, NULL, 'none'),
               (4, 'grid_guests', 3, '{x,y,a,b,c}', NULL, NULL, 'none'), (5, 'grid_guests', 3, '{x,y,a,b,c,d}', 4, NULL, 'none'), (6, 'grid_rows', 1, '{x,y}', NULL, NULL, 'none'),
               (7, 'grid_rows', 3, '{x,y}', 4, NULL, 'none'), (8, 'grid_rows', 1, '{x,y}', NULL, '{1,1}', 'none'), (9, 'grid_rows', 3, '{x,y}', NULL, NULL, 'mcmc')) AS v (n, dataset, k, columns, iterations, start, postprocess),
       LATERAL dp_kmeans_plan(dataset, k, 1, columns => v.columns::text[], iterations => v.iterations, init_means => start, postprocess => v.postprocess)
 GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1;
-- ... noise among them: where it would hide the center of all rows and calls add up by epsilon, margins are looked at first, unless the ball is known
SELECT v.*, CASE min(statistic) FILTER (WHERE line = 1 AND sensitivity IS NOT NULL) WHEN 'center: counts' THEN 'subspace' WHEN 'margins: sums' THEN 'joint' WHEN 'clusters: counts' THEN 'joint' END AS chosen
  FROM (VALUES (1, 1, NULL::float8, NULL::text), (2, 0.005, NULL, NULL), (3, 0.005, 1, NULL), (4, 0.005, NULL, 'linear'), (5, 0.005, 1, 'linear')) AS v (n, epsilon, clip_norm, composition),
       LATERAL dp_kmeans_plan('grid_guests', 3, epsilon, columns => '{x,y,a,b,c}', clip_norm => v.clip_norm, composition => v.composition) GROUP BY 1, 2, 3, 4 ORDER BY 1;
SELECT min(statistic) FILTER (WHERE line = 1 AND sensitivity IS NOT NULL) AS several FROM dp_kmeans_plan('grid_guests', '{2,3}', 0.005, columns => '{x,y,a,b,c}');

-- more clusters than cells, a grid of a single cell, and an epsilon at which nothing stands out: still an answer in the domain
SELECT count(*), bool_and(mean[1] BETWEEN -10 AND 10 AND mean[2] BETWEEN -10 AND 10) FROM dp_kmeans_fit('grid_rows', 20, 1, algorithm => 'grid', cells => 9);
SELECT count(*), bool_and(mean[1] BETWEEN -10 AND 10 AND mean[2] BETWEEN -10 AND 10) FROM dp_kmeans_fit('grid_rows', 2, 1, algorithm => 'sparse_grid', cells => 1);
SELECT a, count(*), bool_and(mean[1] BETWEEN -10 AND 10 AND mean[2] BETWEEN -10 AND 10), near(sum(weight), 1) AS total
  FROM unnest('{grid,sparse_grid,plane,subspace,evolution}'::text[]) AS a, LATERAL dp_kmeans_fit('grid_guests', 3, 1e-3, columns => '{x,y}', algorithm => a) GROUP BY 1 ORDER BY 1;
-- rows beyond the clip norm are counted where it ends
SELECT count(*), bool_and(abs(mean[1]) <= 5.001 AND abs(mean[2]) <= 5.001) AS clipped FROM dp_kmeans_fit('grid_rows', 3, 10, algorithm => 'sparse_grid', clip_norm => 0.5);

-- without noise, for readers only
SET ROLE regress_reader;
SELECT a, count(*), near(sum(f.weight), 1) AS total, (SELECT bool_and(abs(t.weight - w.weight) < 0.01) FROM truth AS t JOIN (SELECT row_number() OVER (ORDER BY g.weight DESC) AS component, g.weight
           FROM dp_kmeans_fit('grid_rows', 3, 'Infinity', algorithm => a) AS g) AS w USING (component)) AS weights
  FROM unnest('{grid,sparse_grid,plane,subspace,evolution}'::text[]) AS a, LATERAL dp_kmeans_fit('grid_rows', 3, 'Infinity', algorithm => a) AS f GROUP BY 1 ORDER BY 1;

-- refused before anything is spent
SET ROLE regress_analyst;
SELECT charges() AS before \gset
SELECT n, attempt(format('SELECT count(*) FROM dp_kmeans_fit(%s)', arguments)) FROM (VALUES
    (1, $$'grid_rows', 3, 1, algorithm => 'grid', cells => 0$$), (2, $$'grid_rows', 3, 1, algorithm => 'grid', cells => 1048577$$),
    (3, $$'grid_rows', 3, 1, algorithm => 'grid', threshold => -1$$), (4, $$'grid_rows', 3, 1, algorithm => 'sparse_grid', threshold => 'NaN'$$),
    (5, $$'grid_rows', 3, 1, algorithm => 'joint', adaptive => true$$), (6, $$'grid_rows', 3, 1, cells => 100$$), (7, $$'grid_rows', 3, 1, algorithm => 'plane', threshold => 3$$),
    (8, $$'grid_rows', 3, 1, algorithm => 'grid', adaptive => NULL$$), (9, $$'grid_rows', 3, 1, algorithm => 'sparse_grid', iterations => 2$$),
    (10, $$'grid_guests', 3, 1, algorithm => 'sparse_grid'$$), (11, $$'grid_rows', 3, 1, columns => '{x}', algorithm => 'plane'$$),
    (12, $$'grid_rows', 3, 1, algorithm => 'plane', noise => 'laplace'$$), (13, $$'grid_rows', 2, 1, algorithm => 'grid', init_means => '{1,2,3,4}'$$),
    (14, $$'grid_rows', 3, 1, algorithm => 'plane', postprocess => 'mcmc'$$), (15, $$'grid_rows', 3, 1e-13, algorithm => 'grid', composition => 'linear'$$), (16, $$'grid_rows', 3, 1, algorithm => 'subspace', cells => 100$$),
    (17, $$'grid_rows', 3, 1, algorithm => 'subspace', noise => 'laplace'$$), (18, $$'grid_rows', 3, 1, algorithm => 'subspace', postprocess => 'mcmc'$$),
    (19, $$'grid_rows', 2, 1, algorithm => 'subspace', init_means => '{1,2,3,4}'$$),
    (20, $$'grid_rows', 2, 1, algorithm => 'evolution', init_means => '{1,2,3,4}'$$), (21, $$'grid_rows', 3, 1, algorithm => 'evolution', cells => 100$$),
    (22, $$'grid_rows', 3, 1, algorithm => 'evolution', iterations => 0$$), (23, $$'grid_rows', 3, 1, algorithm => 'evolution', by => 'x'$$), (24, $$'grid_rows', 3, 1, algorithm => 'evolution', postprocess => 'mcmc'$$)) AS v (n, arguments) ORDER BY n;
SELECT charges() = :before AS nothing_spent;

-- leave nothing behind for the tests that follow
SELECT count(dp_drop_model(model)) > 20 AS dropped FROM dpem.models WHERE family = 'kmeans';
RESET ROLE;
DROP TABLE grid_fits, grid_calls;
SET client_min_messages = error;
SELECT count(dp_drop_dataset(d)) FROM unnest('{grid_rows,grid_trips,grid_guests}'::text[]) AS d;
DROP TABLE grid_rows, grid_trips, grid_guests;
