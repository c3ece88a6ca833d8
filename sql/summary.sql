-- dp_describe, dp_statistics, dp_quantiles: SQL's own statistics without noise, within it with noise; one charge, one release; what is refused
\pset null -
SET ROLE regress_owner;
CREATE TABLE looked_at AS
SELECT i AS id, i / 2 AS person, 100 * (i * 0.7548776662 % 1)::float8 ^ 2 AS cost, CASE WHEN i % 10 > 0 THEN 20 + i % 61 END AS age,
       CASE WHEN i % 8 > 0 THEN (ARRAY['north', 'south', 'west'])[1 + i % 3] END AS region, CASE WHEN i % 3 = 0 THEN 'a' WHEN i % 5 > 0 THEN 'b' END AS part,
       ARRAY[i % 7, i % 11]::float8[] AS pair, 'w' || i % 5 AS word
  FROM generate_series(1, 6000) AS i;
ALTER TABLE looked_at ALTER cost SET NOT NULL;
CREATE TABLE looked_units AS TABLE looked_at;
ANALYZE looked_at, looked_units;
SELECT dp_register_dataset('looked_at', 'looked_at', 1000, 1e-4),
       dp_register_dataset('looked_units', 'looked_units', 1000, 1e-4, adjacency => 'add_remove', unit => 'person', max_rows_per_unit => 2);
SELECT count(dp_register_column(d, 'cost', 0, 100)), count(dp_register_column(d, 'age', 0, 100)), count(dp_register_column(d, 'region', '{north,south,west,east}'::text[])),
       count(dp_register_column(d, 'part', '{a,b}'::text[])) FROM unnest('{looked_at,looked_units}'::text[]) AS d;
SELECT dp_register_column('looked_at', 'pair', 0, 10, length => 2), dp_register_key('looked_at', 'word');
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{looked_at,looked_units}'::text[]) AS d;
GRANT SELECT ON looked_at, looked_units TO regress_reader;
RESET ROLE;

SET ROLE regress_reader;
-- columns that are neither numbers nor labels are left out
SELECT column_name, statistic, category, key FROM dp_describe('looked_at', 'Infinity');
CREATE TEMP TABLE said AS SELECT * FROM dp_describe('looked_at', 'Infinity');
SELECT s.column_name, s.statistic, s.category FROM said s JOIN (
    SELECT NULL AS column_name, 'rows' AS statistic, NULL AS category, count(*)::float8 AS value, 1e-9 AS off FROM looked_at
    UNION ALL SELECT 'cost', u.* FROM (SELECT avg(cost) AS m, stddev(cost) AS s, percentile_disc(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY cost) AS q FROM looked_at) AS c,
        LATERAL (VALUES ('missing', NULL, 0, 1e-9), ('mean', NULL, m, 1e-6), ('stddev', NULL, s, 1e-6), ('quartile_1', NULL, q[1], 0.05), ('median', NULL, q[2], 0.05), ('quartile_3', NULL, q[3], 0.05)) AS u
    UNION ALL SELECT 'age', u.* FROM (SELECT 6000 - count(age) AS n, avg(age) AS m, stddev(age) AS s, percentile_disc(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY age) AS q FROM looked_at) AS c,
        LATERAL (VALUES ('missing', NULL, n, 1e-9), ('mean', NULL, m, 1e-6), ('stddev', NULL, s, 1e-6), ('quartile_1', NULL, q[1], 0.05), ('median', NULL, q[2], 0.05), ('quartile_3', NULL, q[3], 0.05)) AS u
    UNION ALL SELECT 'region', 'missing', NULL, count(*) FILTER (WHERE region IS NULL), 1e-9 FROM looked_at
    UNION ALL SELECT 'region', 'count', c, (SELECT count(*) FROM looked_at WHERE region = c), 1e-9 FROM unnest('{north,south,west,east}'::text[]) AS c
    UNION ALL SELECT 'part', 'missing', NULL, count(*) FILTER (WHERE part IS NULL), 1e-9 FROM looked_at
    UNION ALL SELECT 'part', 'count', c, (SELECT count(*) FROM looked_at WHERE part = c), 1e-9 FROM unnest('{a,b}'::text[]) AS c) AS t
  ON (s.column_name, s.statistic, s.category) IS NOT DISTINCT FROM (t.column_name, t.statistic, t.category) WHERE NOT coalesce(abs(s.value - t.value) <= t.off * greatest(abs(t.value), 1) * CASE WHEN t.off = 0.05 THEN 0.1 ELSE 1 END + CASE WHEN t.off = 0.05 THEN 0.05 ELSE 0 END, false);
SELECT count(*) AS rows_of_it FROM said;
-- what is asked for, of rows that match, by groups
SELECT s.key, s.statistic, near(s.value, CASE s.statistic WHEN 'count' THEN t.n WHEN 'avg(age)' THEN t.m WHEN 'sum( cost )' THEN t.s WHEN 'count("age")' THEN t.a WHEN 'variance(cost)' THEN t.v END, 1e-5) AS same
  FROM dp_statistics('looked_at', 'Infinity', ARRAY['count', 'avg(age)', 'sum( cost )', 'count("age")', 'variance(cost)'], by => 'part', filter => 'age > 30 or age is null') AS s
  JOIN (SELECT part, count(*) AS n, avg(age) AS m, sum(cost) AS s, count(age) AS a, variance(cost) AS v FROM looked_at WHERE (age > 30 OR age IS NULL) GROUP BY part) AS t ON t.part = s.key;
SELECT key, statistic, abs(value - percentile_disc(statistic::float8) WITHIN GROUP (ORDER BY cost)) < 0.05 AS same
  FROM dp_quantiles('looked_at', 'cost', '{0.1,0.5,0.9}', 'Infinity', by => 'part') AS q JOIN looked_at ON part = key GROUP BY key, statistic, value ORDER BY key COLLATE "C", statistic COLLATE "C";
-- what follows from two quantiles
SELECT statistic, abs(value - CASE statistic WHEN 'iqr(cost)' THEN q[3] - q[2] WHEN 'trimmed_mean(cost, 0.1)' THEN (SELECT avg(cost) FROM looked_at WHERE cost BETWEEN q[1] AND q[4])
       ELSE (SELECT avg(least(greatest(cost, q[1]), q[4])) FROM looked_at) END) < 0.1 AS same, ci_lower <= value AND value <= ci_upper AS inside
  FROM dp_statistics('looked_at', 'Infinity', ARRAY['iqr(cost)', 'trimmed_mean(cost, 0.1)', 'winsorised_mean(cost, 0.1)']) AS s,
       (SELECT percentile_disc('{0.1,0.25,0.75,0.9}'::float8[]) WITHIN GROUP (ORDER BY cost) AS q FROM looked_at) AS e;
RESET ROLE;

-- epsilon 5: within ten deviations (false alarms below 1e-20; a quartile of ages, whole numbers, may be the next one or that after it), one charge a call
SET ROLE regress_analyst;
SELECT charges() AS before \gset
CREATE TEMP TABLE noisy AS SELECT d AS dataset, s.* FROM unnest('{looked_at,looked_units}'::text[]) AS d, dp_describe(d, 5) AS s;
CREATE TEMP TABLE grouped AS SELECT * FROM dp_statistics('looked_at', 5, '{count,avg(cost),median(cost)}', by => 'region');
SELECT charges() - :before AS charged;
RESET ROLE;
GRANT SELECT ON ALL TABLES IN SCHEMA pg_temp TO regress_analyst;
SELECT count(*) AS statistics, count(*) FILTER (WHERE abs(n.value - s.value) > 10 * n.noise_stddev + 1e-3 * abs(s.value) + CASE n.column_name WHEN 'age' THEN 2 ELSE 0 END) AS off, bool_and(n.ci_lower <= n.value AND n.value <= n.ci_upper) AS ordered
  FROM noisy n JOIN said s ON (s.column_name, s.statistic, s.category) IS NOT DISTINCT FROM (n.column_name, n.statistic, n.category);
-- quartiles are chosen, without intervals; a tenth of the rows is more than a hundred times the scale of a choice (false alarms below 1e-12)
SELECT count(*) AS quartiles, bool_and(noise_stddev IS NULL AND ci_lower IS NULL AND ci_upper IS NULL) AS chosen, bool_and(below < q + 0.1 AND upto > q - 0.1) AS near
  FROM (SELECT *, CASE statistic WHEN 'quartile_1' THEN 0.25 WHEN 'median' THEN 0.5 ELSE 0.75 END AS q FROM noisy WHERE statistic IN ('quartile_1', 'median', 'quartile_3')) AS n,
       LATERAL (SELECT avg((x < value)::int) AS below, avg((x <= value)::int) AS upto FROM (SELECT CASE column_name WHEN 'age' THEN age ELSE cost END AS x FROM looked_at) AS c) AS r;
SELECT key, statistic, abs(value - CASE statistic WHEN 'count' THEN n WHEN 'avg(cost)' THEN m ELSE q END) <= 10 * noise_stddev + 0.05 AS near
  FROM grouped g JOIN (SELECT region, count(*) AS n, avg(cost) AS m, percentile_disc(0.5) WITHIN GROUP (ORDER BY cost) AS q FROM looked_at GROUP BY region) AS t ON t.region = g.key ORDER BY key COLLATE "C", statistic COLLATE "C";

-- in a domain a hundred thousand times as wide as the rows, of which some are NULL: within ten deviations, and these are of the rows' size; by groups, too
SET ROLE regress_owner;
CREATE TABLE looked_wide AS SELECT CASE WHEN i % 10 > 0 THEN 300 + 100 * (i * 0.7548776662 % 1)::float8 END AS narrow, 50 - i % 101 AS signed, (i % 7 = 0)::int AS rare, CASE WHEN i % 3 = 0 THEN 'a' ELSE 'b' END AS part FROM generate_series(1, 20000) AS i;
ANALYZE looked_wide;
SELECT dp_register_dataset('looked_wide', 'looked_wide', 1000, 1e-5);
SELECT count(dp_register_column('looked_wide', c, l, u)) FROM (VALUES ('narrow', 0, 1e7), ('signed', -1e7, 1e7), ('rare', 0, 1)) AS v (c, l, u);
SELECT count(dp_register_column('looked_wide', 'part', '{a,b}'::text[])), count(dp_grant_budget('regress_analyst', 'looked_wide', 900, 1e-5));
GRANT SELECT ON looked_wide TO regress_analyst;
SET ROLE regress_analyst;
-- noise alone makes one clamp in 400 too wide, and hardly all of five (false alarms below 1e-12)
CREATE TEMP TABLE wide AS SELECT b, s.* FROM unnest('{part,NULL}'::text[]) AS b, generate_series(1, 5) AS i, dp_describe('looked_wide', 5, columns => '{narrow,signed,rare}', by => b, delta => 1e-7, fresh => i > 0, clamp => 'auto') AS s;
SELECT b, column_name, statistic, bool_and(abs(value - m) <= 10 * noise_stddev + 0.01) AS near, min(noise_stddev) < CASE WHEN column_name = 'rare' AND statistic = 'mean' THEN 0.01 ELSE 20 END AS narrow
  FROM wide AS w, LATERAL (SELECT CASE statistic WHEN 'mean' THEN avg(x) ELSE count(*) - count(x) END AS m
     FROM (SELECT CASE column_name WHEN 'narrow' THEN narrow WHEN 'signed' THEN signed ELSE rare END AS x FROM looked_wide WHERE b IS NULL OR part = key) AS c) AS t
 WHERE statistic IN ('mean', 'missing') GROUP BY 1, 2, 3 ORDER BY b, column_name COLLATE "C", statistic COLLATE "C";
SELECT b, column_name, bool_and(abs(value - q) <= 5) AS near
  FROM wide AS w, LATERAL (SELECT percentile_cont(CASE statistic WHEN 'quartile_1' THEN 0.25 WHEN 'median' THEN 0.5 ELSE 0.75 END) WITHIN GROUP (ORDER BY x) AS q
     FROM (SELECT CASE column_name WHEN 'narrow' THEN narrow ELSE signed END AS x FROM looked_wide WHERE b IS NULL OR part = key) AS c) AS t
 WHERE statistic ~ 'median|quartile' AND column_name <> 'rare' GROUP BY 1, 2 ORDER BY b, column_name COLLATE "C";
-- clamps are asked for: what they cost is in the plan, and what cannot have them is refused before anything is spent
SELECT clamp, count(*) FILTER (WHERE p.statistic ~ '^margins') AS margins FROM unnest('{auto,NULL}'::text[]) AS clamp, LATERAL dp_describe_plan('looked_wide', 5, clamp => clamp) AS p GROUP BY clamp ORDER BY clamp;
SELECT charges() AS before \gset
SELECT attempt($$SELECT * FROM dp_describe('looked_wide', 5, clamp => 'all')$$) AS name, attempt($$SELECT * FROM dp_describe('looked_wide', 5, clamp => 'auto', composition => 'linear')$$) AS composition;
SELECT charges() - :before AS charged;
RESET ROLE;
SET ROLE regress_owner;
SELECT dp_drop_dataset('looked_wide');
DROP TABLE looked_wide;
RESET ROLE;

-- one release, of which a row is in the unit ball, whatever is asked for
SET ROLE regress_analyst;
SELECT statistic, near(sensitivity, sqrt(2), 1e-6) AS root_two, mechanism, releases, near(epsilon_exact, 1, 1e-3) AND epsilon_exact <= 1 AS whole FROM dp_describe_plan('looked_at', 1);
SELECT d, s.statistic, s.mechanism FROM (VALUES (1, $$linear$$), (2, $$zcdp$$)) AS c (d, composition), LATERAL dp_describe_plan('looked_at', 0.5, columns => '{cost}', composition => composition) AS s WHERE line > 0 ORDER BY 1, 2;
SELECT statistic, near(sensitivity, 2, 1e-6) AS two_rows FROM dp_quantiles_plan('looked_units', 'age', '{0.5}', 1);
SELECT statistic FROM dp_statistics_plan('looked_at', 1, '{count}');

-- refused before anything is spent
SELECT charges() AS before \gset
SELECT c, attempt('SELECT * FROM dp_' || c) FROM unnest(ARRAY[
    $$statistics('looked_at', 1, '{}')$$, $$statistics('looked_at', 1, '{sum}')$$, $$statistics('looked_at', 1, '{avg()}')$$, $$statistics('looked_at', 1, '{avg(age}')$$,
    $$statistics('looked_at', 1, '{avg(age) and more}')$$, $$statistics('looked_at', 1, '{avg(region)}')$$, $$statistics('looked_at', 1, '{categories(age)}')$$,
    $$statistics('looked_at', 1, '{avg(nothing)}')$$, $$statistics('looked_at', 1, '{avg(pair)}')$$, $$statistics('looked_at', 1, '{count}', by => 'word')$$,
    $$statistics('looked_at', 1, '{"quantile(age)"}')$$, $$statistics('looked_at', 1, '{"quantile(age, 1)"}')$$, $$statistics('looked_at', 1, '{"quantile(age, x)"}')$$,
    $$statistics('looked_at', 1, '{"trimmed_mean(age, 0.5)"}')$$, $$statistics('looked_at', 1, '{trimmed_mean(age)}')$$, $$statistics('looked_at', 1, '{iqr(region)}')$$, $$statistics('looked_at', 1, '{covariance(age)}')$$, $$quantiles('looked_at', 'age', '{}', 1)$$, $$quantiles('looked_at', 'age', '{0}', 1)$$, $$quantiles('looked_at', NULL, '{0.5}', 1)$$,
    $$describe('looked_at', 1, columns => '{pair}')$$, $$describe('looked_at', 1, columns => '{nothing}')$$, $$describe('nowhere', 1)$$, $$describe('looked_at', 0)$$,
    $$describe('looked_at', 'Infinity')$$]) WITH ORDINALITY AS u (c, o) ORDER BY o;
SELECT charges() = :before AS nothing_spent;
RESET ROLE;
SET ROLE regress_owner;
SELECT dp_drop_dataset('looked_at'), dp_drop_dataset('looked_units');
DROP TABLE looked_at, looked_units;
RESET ROLE;
