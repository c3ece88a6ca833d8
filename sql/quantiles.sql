-- dp_quantiles by choices: ranks within what the plan says, also of equal values, in domains a million times as wide as the rows, and groups; charges, prices, ways, refusals
\pset null -
SET ROLE regress_owner;
CREATE TABLE spans AS
SELECT i AS id, i / 2 AS person, CASE WHEN i % 10 < 6 THEN 0 ELSE 100 * u ^ 2 END AS days, (i % 20)::float8 AS visits, CASE i % 3 WHEN 0 THEN 'a' WHEN 1 THEN 'b' END AS ward,
       exp(10 * u)::float8 AS cost, 600 * u AS narrow, 40 * (u - 0.5) ^ 3 AS signed, timestamptz '2020-01-01 00:00:30+00' AS moment FROM (SELECT i, (i * 0.7548776662 % 1)::float8 AS u FROM generate_series(1, 9000) AS i) AS s;
CREATE TABLE spans_units AS TABLE spans;
ANALYZE spans, spans_units;
SELECT dp_register_dataset('spans', 'spans', 1000, 1e-4),
       dp_register_dataset('spans_units', 'spans_units', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2, adjacency => 'add_remove', accountant => 'linear');
CREATE VIEW spans_names AS SELECT unnest('{spans,spans_units}'::text[]) AS d;
SELECT count(dp_register_column(d, 'days', -20, 120)), count(dp_register_column(d, 'visits', 0, 20)), count(dp_register_column(d, 'ward', '{a,b,none}'::text[])),
       count(dp_register_column(d, 'cost', 1, 1e6, scale => 'log')), count(dp_register_column(d, 'narrow', 0, 1e9)), count(dp_register_column(d, 'signed', -1e6, 1e6)), count(dp_register_column(d, 'moment', '1970-01-01', '2070-01-01')), count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM spans_names;
GRANT SELECT ON spans, spans_units TO regress_reader;
GRANT SELECT ON spans_names TO regress_analyst;
INSERT INTO spans (days, visits, ward) SELECT x, 1, 'a' FROM unnest('{NULL,NaN,Infinity}'::float8[]) AS x, generate_series(1, 5);
RESET ROLE;

-- By how many rows values miss their ranks, 0 within two bins of one of the right rank.  With probability below e^-30 by more than the plan says times 4.
SET ROLE regress_analyst;
SELECT charges() AS before \gset
CREATE TEMP TABLE chosen AS
SELECT d, c, b, a.*, p.noise_stddev AS most FROM spans_names, unnest('{days,visits,cost,narrow,signed}'::text[]) AS c, unnest('{ward,NULL}'::text[]) AS b,
       dp_quantiles(d, c, '{0.75,0.1,0.5,0.5}', 2, 1e-6, by => b, mechanism => 'exponential') AS a,
       dp_quantiles_plan(d, c, '{0.75,0.1,0.5,0.5}', 2, 1e-6, by => b, mechanism => 'exponential') AS p WHERE p.statistic ~ 'rank';
SELECT charges() - :before AS charges;
GRANT SELECT ON chosen TO regress_reader;
SET ROLE regress_reader;
SELECT c, b, count(*), count(DISTINCT key) AS keys, bool_and(greatest(below - q * n, q * n - upto, 0) <= 4 * most) AS near, bool_and(most BETWEEN 3 AND 400) AS few,
       count(noise_stddev) + count(ci_lower) + count(ci_upper) AS intervals
  FROM (SELECT *, statistic::float8 AS q, CASE c WHEN 'days' THEN 140 / 1000.0 WHEN 'visits' THEN 20 / 1000.0 WHEN 'narrow' THEN 2 WHEN 'signed' THEN 0.02 ELSE value / 70 END AS near FROM chosen) AS v,
       LATERAL (SELECT count(*) AS n, count(*) FILTER (WHERE x < value - near) AS below, count(*) FILTER (WHERE x <= value + near) AS upto
                  FROM (SELECT CASE c WHEN 'days' THEN days WHEN 'visits' THEN visits WHEN 'narrow' THEN narrow WHEN 'signed' THEN signed ELSE cost END AS x FROM spans_units WHERE b IS NULL OR ward = key) AS s) AS r
 WHERE key IS DISTINCT FROM 'none' GROUP BY c, b ORDER BY c COLLATE "C", b;
-- of a group without rows: anywhere in the domain
SELECT bool_and(value BETWEEN CASE c WHEN 'days' THEN -20 WHEN 'visits' THEN 0 WHEN 'narrow' THEN 0 WHEN 'signed' THEN -1e6 ELSE 1 END AND CASE c WHEN 'days' THEN 120 WHEN 'visits' THEN 20 WHEN 'narrow' THEN 1e9 ELSE 1e6 END) AS inside FROM chosen WHERE key = 'none';
-- of one group values are as their levels
SELECT bool_and(ordered) AS ordered, bool_and(same) AS same
  FROM (SELECT max(value) FILTER (WHERE statistic = '0.1') <= min(value) FILTER (WHERE statistic = '0.5') AND max(value) FILTER (WHERE statistic = '0.5') <= min(value) FILTER (WHERE statistic = '0.75') AS ordered,
               count(DISTINCT value) FILTER (WHERE statistic = '0.5') = 1 AS same FROM chosen GROUP BY d, c, b, key) AS s;
SET ROLE regress_analyst;
SELECT dataset, function, statistic, mechanism, releases, count(*) FROM dpem.ledger WHERE dataset ~ '^spans' GROUP BY 1, 2, 3, 4, 5 ORDER BY dataset COLLATE "C";

-- what a unit moves, and that the price is what was asked; without a mechanism, the one that misses by less
SELECT d, q, by, round(sensitivity::numeric, 6) AS sensitivity, near(noise_stddev, sensitivity * noise_multiplier) AS scale, releases, allowed
  FROM spans_names, unnest('{"{0.5}","{0.25,0.5,0.75}","{0.1,0.5,0.9}"}'::text[]) AS q, unnest('{ward,NULL}'::text[]) AS by,
       dp_quantiles_plan(d, 'days', q::float8[], 0.5, by => by, mechanism => 'exponential') WHERE line = 1 AND releases > 0 ORDER BY d COLLATE "C", q COLLATE "C", by;
SELECT c, near(CASE c WHEN 'exact' THEN epsilon_exact WHEN 'zcdp' THEN epsilon_zcdp WHEN 'rdp' THEN epsilon_rdp WHEN 'ma' THEN epsilon_ma WHEN 'advanced' THEN epsilon_advanced ELSE epsilon_linear END, 0.5, 1e-6) AS price
  FROM unnest('{exact,zcdp,rdp,ma,advanced,linear}'::text[]) AS c, dp_quantiles_plan('spans', 'days', '{0.25,0.5,0.75}', 0.5, composition => c, mechanism => 'exponential') WHERE line = 1 AND releases > 0;
SELECT d, m, mechanism FROM spans_names, unnest('{gaussian,exponential,NULL}'::text[]) AS m, dp_quantiles_plan(d, 'days', '{0.25,0.5,0.75}', 0.5, by => 'ward', mechanism => m) WHERE line = 1 AND releases > 0 ORDER BY d COLLATE "C", m;
SELECT count(ci_lower), count(ci_upper), bool_and(value BETWEEN ci_lower AND ci_upper) AS inside FROM dp_quantiles('spans', 'days', '{0.25,0.5,0.75}', 0.5, by => 'ward', mechanism => 'gaussian');
-- times are read as finely as their bins are
SELECT bool_and(abs(value - extract(epoch FROM timestamptz '2020-01-01 00:00:30+00' - timestamptz '2000-01-01 00:00+00')) < extract(epoch FROM timestamptz '2070-01-01 00:00+00' - timestamptz '1970-01-01 00:00+00') / 65536) AS near
  FROM dp_quantiles('spans', 'moment', '{0.25,0.5,0.75}', 2, mechanism => 'exponential');
-- a minimum of persons needs counts
SET client_min_messages = warning;   -- whether a small group is hidden is up to the noise
SELECT count(*) FILTER (WHERE ci_lower IS NULL) AS without FROM dp_quantiles('spans', 'days', '{0.25,0.5,0.75}', 5, by => 'ward', minimum => 5);
RESET client_min_messages;
-- kept under its way; NULLs as they were
SET dpem.fresh = off;
SELECT charges() AS before \gset
CREATE TEMP TABLE first_time AS SELECT * FROM dp_quantiles('spans', 'visits', '{0.25,0.75}', 0.3);
SET client_min_messages = warning;
SELECT count(*) AS same, count(f.ci_lower) AS intervals FROM first_time AS f JOIN dp_quantiles('spans', 'visits', '{0.25,0.75}', 0.3) AS a ON a.statistic = f.statistic AND a.value = f.value;
RESET client_min_messages;
SELECT charges() - :before AS once;
SELECT count(ci_lower) AS intervals FROM dp_quantiles('spans', 'visits', '{0.25,0.75}', 0.3, mechanism => 'gaussian');
SELECT charges() - :before AS twice;
SET dpem.fresh = on;

-- refused before anything is spent
SELECT charges() AS before \gset
\pset format unaligned
\pset tuples_only on
SELECT attempt('SELECT * FROM dp_quantiles(''spans'', ' || c || ')') FROM (VALUES
    (1, $$'days', '{0.5}', 1, mechanism => 'laplace'$$), (2, $$'days', '{0.5}', 1, mechanism => ''$$), (3, $$'days', '{0.5}', 1, mechanism => 'exponential', minimum => 5$$),
    (4, $$'days', (SELECT array_agg(i / 200.0) FROM generate_series(1, 150) i), 1, mechanism => 'exponential'$$), (5, $$'ward', '{0.5}', 1, mechanism => 'exponential'$$),
    (6, $$'days', '{0.5}', 'Infinity', mechanism => 'exponential'$$), (7, $$'days', '{0.5}', 1e-24, mechanism => 'exponential'$$)) AS v (n, c) ORDER BY n;
SELECT charges() - :before AS charges;
\pset tuples_only off
\pset format aligned
RESET ROLE;

-- leave nothing behind for the tests that follow
DROP VIEW spans_names;
SET ROLE regress_owner;
SELECT count(dp_drop_dataset(d)) FROM unnest('{spans,spans_units}'::text[]) AS d;
DROP TABLE spans, spans_units;
RESET ROLE;
