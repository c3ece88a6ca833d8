-- dp_count_distinct: what SQL says without noise, noise and intervals, units, groups, filters, plans, refusals
\pset null -
SET ROLE regress_owner;
CREATE TABLE rides AS
SELECT i AS id, 'p' || i / 3 AS person, CASE WHEN i % 2 = 0 THEN 'bus' WHEN i % 7 = 0 THEN 'tram' ELSE 'train' END AS line, (i % 90)::float8 AS fare, 'stop ' || i % 1234 AS stop,
       (i * 0.7548776662 % 1)::float8 AS u FROM generate_series(1, 6000) AS i;
INSERT INTO rides (person, line, fare, stop, u) VALUES (NULL, 'bus', 5, 'nowhere', 0.5), ('q', 'ferry', 'NaN', NULL, 0.5), ('q', NULL, -0.0, '', 0.5), ('r', 'bus', 'Infinity', repeat('x', 1025), NULL), ('s', 'bus', NULL, repeat('y', 1024), 0.1);
INSERT INTO rides (person, line, fare, stop, u) SELECT 'many', 'tram', 1000 + i, 'own ' || i, 0.5 FROM generate_series(1, 40) AS i;
CREATE TABLE trips_units AS TABLE rides;
CREATE TABLE trips_guests AS TABLE rides;
ANALYZE rides, trips_units, trips_guests;
SELECT dp_register_dataset('rides', 'rides', 1000, 1e-4),
       dp_register_dataset('trips_units', 'trips_units', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2),
       dp_register_dataset('trips_guests', 'trips_guests', 1000, 1e-4, adjacency => 'add_remove', accountant => 'linear', unit => 'person', max_rows_per_unit => 3);
CREATE VIEW trips_names AS SELECT unnest('{rides,trips_units,trips_guests}'::text[]) AS d;
SELECT count(dp_register_column(d, 'fare', 0, 100)), count(dp_register_column(d, 'u', 0, 1)), count(dp_register_column(d, 'line', '{bus,tram,train,ship}'::text[])), count(dp_register_key(d, 'stop')),
       count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM trips_names;
SELECT dp_register_text('rides', 'person', '{x}');
GRANT SELECT ON rides, trips_units, trips_guests TO regress_reader;
GRANT SELECT ON trips_names TO regress_reader, regress_analyst;
RESET ROLE;

-- without noise: what SQL says; without groups a person counts whichever of his rows do, whatever the quota
SET ROLE regress_reader;
SELECT c AS column, value = e AS exact, noise_stddev FROM (SELECT count(*)::float8 AS rows, (SELECT count(DISTINCT line) FROM rides WHERE line <> 'ferry')::float8 AS lines, count(DISTINCT stop) FILTER (WHERE length(stop) < 1025)::float8 AS stops,
    count(DISTINCT fare + 0) FILTER (WHERE abs(fare) < 'Infinity')::float8 AS fares FROM rides) AS s,
    LATERAL (VALUES (NULL, rows), ('line', lines), ('stop', stops), ('fare', fares)) AS v (c, e), LATERAL dp_count_distinct('rides', c, 'Infinity') ORDER BY 1;
SELECT f AS filter, n.value = (SELECT count(DISTINCT person) FROM trips_units WHERE f IS NULL OR u > 0.9) AS persons, n.value = p.value AS same
  FROM unnest('{NULL,u > 0.9}'::text[]) AS f, dp_count_distinct('trips_units', NULL, 'Infinity', filter => f) AS n, dp_count_distinct('trips_units', 'person', 'Infinity', filter => f) AS p ORDER BY 1 NULLS FIRST;
SELECT key, value = count(DISTINCT stop) AS stops, value FROM dp_count_distinct('rides', 'stop', 'Infinity', by => 'line', filter => 'fare < 50') LEFT JOIN rides ON line = key AND fare < 50 GROUP BY key, value ORDER BY key;
-- persons by groups: of three rows each two count, which are drawn anew, a deviation of at most 10 persons of 400; of 'many' one stop out of forty at most two times
SELECT key, value BETWEEN 0.4 * persons AND persons AS persons FROM dp_count_distinct('trips_units', NULL, 'Infinity', by => 'line') JOIN (SELECT line, count(DISTINCT person) AS persons FROM trips_units GROUP BY 1) AS t ON line = key ORDER BY 1;
SELECT value <= (SELECT count(DISTINCT stop) FROM trips_units WHERE person <> 'many') + 2 AS quota FROM dp_count_distinct('trips_units', 'stop', 'Infinity');
SELECT value FROM dp_count_distinct('rides', 'stop', 'Infinity', filter => 'fare > 1e6');

-- with noise: within 8 standard deviations, 25 for Laplace noise: false alarms below 1e-13
SET ROLE regress_analyst;
CREATE TEMP TABLE answers AS SELECT d, c, f, a.* FROM trips_names, unnest('{NULL,stop,line,fare}'::text[]) AS c, unnest('{NULL,line}'::text[]) AS f, dp_count_distinct(d, c, 2, by => f) AS a;
SELECT d, count(*), bool_and(noise_stddev > 0 AND ci_lower < value AND value < ci_upper) AND bool_or(value <> round(value)) AS noisy FROM answers GROUP BY 1 ORDER BY 1;
GRANT SELECT ON answers TO regress_reader;
SET ROLE regress_reader;
SELECT a.d, bool_and(abs(a.value - e.value) < 25 * noise_stddev) AS near FROM answers AS a JOIN (SELECT d, c, f, a.key, a.value FROM trips_names, unnest('{NULL,line,fare}'::text[]) AS c, unnest('{NULL,line}'::text[]) AS f,
    dp_count_distinct(d, c, 'Infinity', by => f) AS a WHERE f IS NULL) AS e ON a.d = e.d AND a.c IS NOT DISTINCT FROM e.c AND a.f IS NULL GROUP BY 1 ORDER BY 1;
SET ROLE regress_analyst;
SELECT dataset, function, statistic, mechanism, count(*) FROM dpem.ledger WHERE dataset ~ '^rides' GROUP BY 1, 2, 3, 4 ORDER BY 1;

-- the plan: how far one unit moves the numbers, in one group and in four
SELECT charges() AS before \gset
SELECT d, coalesce(c, 'persons') AS what, f AS by, near(p.sensitivity ^ CASE d WHEN 'trips_guests' THEN 1 ELSE 2 END, round(p.sensitivity ^ CASE d WHEN 'trips_guests' THEN 1 ELSE 2 END), 1e-6) AS whole,
       round(p.sensitivity ^ CASE d WHEN 'trips_guests' THEN 1 ELSE 2 END) AS sensitivity, p.allowed
  FROM trips_names, unnest('{NULL,stop}'::text[]) AS c, unnest('{NULL,line}'::text[]) AS f, dp_count_distinct_plan(d, c, 0.5, by => f) AS p WHERE p.statistic = 'count_distinct' ORDER BY 1, 2, 3 NULLS FIRST;
SELECT d, near(e.noise_stddev, 1, 0.01) AS found FROM trips_names, dp_count_distinct_plan(d, 'stop', 1) AS p, LATERAL dp_count_distinct_plan(d, 'stop', within => CASE d WHEN 'trips_guests' THEN -ln(0.05) / sqrt(2) ELSE 1.96 END * p.noise_stddev) AS e
 WHERE p.statistic = 'count_distinct' AND e.statistic = 'epsilon' ORDER BY 1;

-- refused before anything is spent
\pset format unaligned
\pset tuples_only on
SELECT attempt('SELECT * FROM ' || c) FROM (VALUES
    (1, $$dp_count_distinct('rides', 'person', 1)$$), (2, $$dp_count_distinct('rides', 'nothing', 1)$$), (3, $$dp_count_distinct('rides', '', 1)$$), (4, $$dp_count_distinct('rides', 'stop', 1, by => 'stop')$$),
    (5, $$dp_count_distinct('rides', 'stop', 1, mechanism => 'cauchy')$$), (6, $$dp_count_distinct('rides', 'stop')$$), (7, $$dp_count_distinct('rides', 'stop', 'Infinity')$$), (8, $$dp_count_distinct('nowhere', 'stop', 1)$$),
    (9, $$dp_count_distinct('rides', 'stop', 1, filter => 'stop = ''x''')$$), (10, $$dp_count_distinct_plan('rides', 'stop', 1, within => 2)$$)) AS v (n, c) ORDER BY n;
SET ROLE regress_other;
SELECT attempt($$SELECT * FROM dp_count_distinct('rides', 'stop', 1)$$);
RESET ROLE;
SELECT charges() - :before AS charges;
\pset tuples_only off
\pset format aligned
SET ROLE regress_owner;
DROP VIEW trips_names;
SELECT count(dp_drop_dataset(d)) FROM unnest('{rides,trips_units,trips_guests}'::text[]) AS d;
DROP TABLE rides, trips_units, trips_guests;
RESET ROLE;
