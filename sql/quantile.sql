-- dp_quantile and dp_quantile_plan: what SQL says without noise, ranks within what is said, charges under every composition, refusals
\pset null -
SET ROLE regress_owner;
CREATE TABLE waits AS
SELECT i AS id, i / 2 AS person, CASE WHEN i % 10 < 4 THEN 30 ELSE 100 * u ^ 2 END AS minutes, (i % 50)::smallint AS visits, CASE WHEN v < 0.3 THEN 'yes' ELSE 'no' END AS urgent
  FROM (SELECT i, (i * 0.7548776662 % 1)::float8 AS u, (i * 0.5698402909 % 1)::float8 AS v FROM generate_series(1, 6000) AS i) AS s;
CREATE TABLE waits_units AS TABLE waits;
CREATE TABLE waits_guests AS TABLE waits;
CREATE TABLE waits_wide AS SELECT minutes + 1 AS minutes FROM waits;
ANALYZE waits, waits_units, waits_guests;
SELECT dp_register_dataset('waits', 'waits', 1000, 1e-4),
       dp_register_dataset('waits_units', 'waits_units', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2),
       dp_register_dataset('waits_guests', 'waits_guests', 1000, 1e-4, adjacency => 'add_remove', accountant => 'linear');
CREATE VIEW waits_names AS SELECT unnest('{waits,waits_units,waits_guests}'::text[]) AS d;
SELECT count(dp_register_column(d, 'minutes', -20, 80)), count(dp_register_column(d, 'visits', 0, 50)), count(dp_register_column(d, 'urgent', '{yes,no}'::text[])),
       count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM waits_names;
SELECT dp_register_dataset('waits_wide', 'waits_wide', 1000, 1e-4, adjacency => 'replace_one'), dp_register_column('waits_wide', 'minutes', 0, 1000000000);
SELECT dp_grant_budget('regress_analyst', 'waits_wide', 900, 1e-4);
GRANT SELECT ON waits, waits_units, waits_guests, waits_wide TO regress_reader;
GRANT SELECT ON waits_names TO regress_analyst;
-- rows that do not count, and values beyond the domain
INSERT INTO waits (minutes, visits, urgent) SELECT x, 1, 'no' FROM unnest('{NULL,NaN,Infinity,1e300,-1e300}'::float8[]) AS x, generate_series(1, 7);
RESET ROLE;

-- without noise: the bin of what percentile_disc says of the clamped values, however many of them are equal
SET ROLE regress_reader;
CREATE TEMP VIEW clamped AS SELECT least(greatest(minutes, -20), 80) AS x, visits, urgent FROM waits WHERE minutes > '-Infinity' AND minutes < 'Infinity';
SELECT q, bins, p BETWEEN lower AND upper AS inside, near(value, (lower + upper) / 2) AS middle, near(upper - lower, 100.0 / bins) AS width, rank_error
  FROM unnest('{0.0009765625,0.125,0.25,0.5,0.75,0.9990234375}'::float8[]) AS q, unnest('{1,7,1000,4096}'::int[]) AS bins,
       LATERAL (SELECT percentile_disc(q) WITHIN GROUP (ORDER BY x) AS p FROM clamped) AS e, dp_quantile('waits', 'minutes', q, 'Infinity', bins => bins) ORDER BY q, bins;
SELECT p BETWEEN lower AND upper AS filtered FROM (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY x) AS p FROM clamped WHERE urgent = 'yes' AND visits > 10) AS e,
       dp_quantile('waits', 'minutes', 0.5, 'Infinity', filter => 'urgent = ''yes'' and visits > 10');
SELECT lower, upper, value FROM dp_quantile('waits', 'visits', 0.5, 'Infinity', bins => 50);
SELECT p BETWEEN lower AND upper AS units FROM (SELECT percentile_disc(0.25) WITHIN GROUP (ORDER BY visits) AS p FROM waits_units) AS e,
       dp_quantile('waits_units', 'visits', 0.25, 'Infinity', bins => 50);
-- bins by default are narrow near zero, so that a domain may be a million times as wide as the rows; those that are asked for are equal
SELECT q, p BETWEEN lower AND upper AS inside, near(value, (lower + upper) / 2) AS middle, upper - lower < 0.011 * upper AS narrow
  FROM unnest('{0.25,0.5,0.9}'::float8[]) AS q, LATERAL (SELECT percentile_disc(q) WITHIN GROUP (ORDER BY minutes) AS p FROM waits_wide) AS e, dp_quantile('waits_wide', 'minutes', q, 'Infinity') ORDER BY q;
SELECT lower, upper FROM dp_quantile('waits_wide', 'minutes', 0.5, 'Infinity', bins => 4096);
-- the first bin where there is no row
SELECT lower, upper FROM dp_quantile('waits', 'visits', 0.5, 'Infinity', bins => 50, filter => 'visits > 1000');

-- With noise: by how many rows a bin misses the rank.  With probability below e^-30 by more than rank_error (1 + 30 / ln(19 (bins - 1))).
SET ROLE regress_analyst;
SELECT charges() AS before \gset
CREATE TEMP TABLE noisy AS SELECT d, q, f, a.* FROM unnest('{waits_guests,waits_units}'::text[]) AS d, unnest('{0.1,0.5,0.99}'::float8[]) AS q, unnest('{"",urgent = ''yes''}'::text[]) AS f,
    dp_quantile(d, 'minutes', q, 0.9, bins => 500, filter => nullif(f, '')) AS a;
GRANT SELECT ON noisy TO regress_reader;
SELECT charges() - :before AS charges;
SET ROLE regress_reader;
SELECT count(*), bool_and(greatest(below - q * n, q * n - upto, 0) <= rank_error * (1 + 30 / ln(19 * 499))) AS near, bool_and(rank_error BETWEEN 5 AND 200) AS few
  FROM noisy, LATERAL (SELECT count(*) FILTER (WHERE x < lower) AS below, count(*) FILTER (WHERE x < upper OR upper = 80) AS upto, count(*) AS n
                         FROM (SELECT least(greatest(minutes, -20), 80) AS x, urgent FROM waits_guests) AS w WHERE f = '' OR urgent = 'yes') AS e;
SET ROLE regress_analyst;
SELECT dataset, function, statistic, mechanism, releases, count(*) FROM dpem.ledger WHERE dataset ~ '^waits' GROUP BY 1, 2, 3, 4, 5 ORDER BY 1;

-- the plan: what a unit moves in rows, that the price is what was asked under every composition, and the error of the rank that the call says
SELECT charges() AS before \gset
SELECT d, q, sensitivity, near(noise_stddev, sensitivity * noise_multiplier) AS scale, releases, allowed
  FROM waits_names, unnest('{0.25,0.5}'::float8[]) AS q, dp_quantile_plan(d, 'minutes', q, 0.5) WHERE statistic = 'quantile' ORDER BY 1, 2;
SELECT c, mechanism, near(CASE c WHEN 'exact' THEN epsilon_exact WHEN 'zcdp' THEN epsilon_zcdp WHEN 'rdp' THEN epsilon_rdp WHEN 'ma' THEN epsilon_ma WHEN 'advanced' THEN epsilon_advanced ELSE epsilon_linear END, 0.5, 1e-6) AS price
  FROM unnest('{exact,zcdp,rdp,ma,advanced,linear}'::text[]) AS c, dp_quantile_plan('waits', 'minutes', 0.5, 0.5, composition => c) WHERE statistic = 'quantile';
SELECT near(noise_multiplier, 2, 1e-6) AS pure FROM dp_quantile_plan('waits', 'minutes', 0.5, 0.5, composition => 'linear') WHERE statistic = 'quantile';
SELECT line, statistic, releases, near(noise_stddev, rank_error) AS rank_error FROM dp_quantile_plan('waits_guests', 'minutes', 0.5, 0.9, bins => 500) AS p, noisy AS n
 WHERE p.statistic ~ 'rank' AND n.d = 'waits_guests' AND n.q = 0.5 AND n.f = '';
SELECT noise_stddev FROM dp_quantile_plan('waits', 'minutes', 0.5, 1, bins => 1) WHERE statistic ~ 'rank';

-- refused before anything is spent
\pset format unaligned
\pset tuples_only on
SELECT attempt('SELECT * FROM ' || c) FROM (VALUES
    (1, $$dp_quantile('waits', 'minutes', 0, 1)$$), (2, $$dp_quantile('waits', 'minutes', 1, 1)$$), (3, $$dp_quantile('waits', 'minutes', 'NaN', 1)$$), (4, $$dp_quantile('waits', 'minutes', 50, 1)$$),
    (5, $$dp_quantile('waits', 'minutes', NULL, 1)$$), (6, $$dp_quantile('waits', NULL, 0.5, 1)$$), (7, $$dp_quantile('waits', 'urgent', 0.5, 1)$$), (8, $$dp_quantile('waits', 'id', 0.5, 1)$$),
    (9, $$dp_quantile('waits', 'minutes', 0.5, 1, bins => 0)$$), (10, $$dp_quantile('waits', 'minutes', 0.5, 1, bins => 4097)$$), (11, $$dp_quantile('waits', 'minutes', 0.5, 1, bins => -1)$$),
    (12, $$dp_quantile('waits', 'minutes', 0.5, 0)$$), (13, $$dp_quantile('waits', 'minutes', 0.5, 1, filter => 'id = 3')$$), (14, $$dp_quantile('waits', 'minutes', 0.5, 1, composition => 'hope')$$),
    (15, $$dp_quantile('waits', 'minutes', 0.5, 'Infinity')$$), (16, $$dp_quantile('nowhere', 'minutes', 0.5, 1)$$), (17, $$dp_quantile_plan('waits', 'minutes', 0.5, 'Infinity')$$),
    (18, $$dp_quantile_plan('waits', 'minutes', 2, 1)$$), (19, $$dp_quantile('waits', 'minutes', 0.5, 1e-24, composition => 'linear')$$)) AS v (n, c) ORDER BY n;
SELECT left(attempt('SELECT * FROM dp_quantile(''waits'', ''minutes'', 0.5, 5000)'), 5);
SET ROLE regress_other;
SELECT attempt('SELECT * FROM dp_quantile(''waits'', ''minutes'', 0.5, 1)');
SELECT attempt('SELECT * FROM dp_quantile_plan(''waits'', ''minutes'', 0.5, 1)');
RESET ROLE;
SELECT charges() - :before AS charges;
\pset tuples_only off
\pset format aligned

-- leave nothing behind for the tests that follow
DROP VIEW clamped, waits_names;
SET ROLE regress_owner;
SELECT count(dp_drop_dataset(d)) FROM unnest('{waits,waits_units,waits_guests,waits_wide}'::text[]) AS d;
DROP TABLE waits, waits_units, waits_guests, waits_wide;
RESET ROLE;
