-- dp_register_key and statistics by private keys: what SQL says without noise, what is released with noise, the part of delta that pays for it, refusals
\pset null -
SET ROLE regress_owner;
CREATE TYPE shift AS ENUM ('day', 'night');
CREATE TABLE cases AS
SELECT i AS id, i / 3 AS person, 100 * u AS age, (1000 * u)::numeric AS income, CASE WHEN i % 3 = 0 THEN 'night' ELSE 'day' END::shift AS shift, DATE '2026-01-01' + i / 2000 AS seen,
       i % 2 = 0 AS urgent, i % 4 AS room, md5((i % 3)::text)::uuid AS doctor, CASE WHEN i % 2 = 0 THEN 'yes' ELSE 'no' END AS smoker,
       CASE WHEN i <= 2500 THEN 'flu' WHEN i <= 4200 THEN E'it''s \\ "cold"' WHEN i <= 5700 THEN 'mumps' WHEN i <= 5900 THEN 'case ' || i WHEN i <= 5910 THEN '' END AS diagnosis
  FROM (SELECT i, (i * 0.7548776662 % 1)::float8 AS u FROM generate_series(1, 6000) AS i) AS s;
INSERT INTO cases (person, age, diagnosis) SELECT 1, x, 'flu' FROM unnest('{NULL,NaN,Infinity,-Infinity}'::float8[]) AS x;
INSERT INTO cases (person, age, diagnosis) SELECT NULL, 50, d FROM unnest(ARRAY['flu', repeat('x', 1024), repeat('y', 1025)]) AS d;
CREATE TABLE cases_units AS TABLE cases;
CREATE TABLE cases_guests AS TABLE cases;
CREATE TABLE cases_none AS TABLE cases;
ANALYZE cases, cases_units, cases_guests;
SELECT dp_register_dataset('cases', 'cases', 1000, 1e-4, keys_share => 0.1),
       dp_register_dataset('cases_units', 'cases_units', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2, keys_share => 0.5),
       dp_register_dataset('cases_guests', 'cases_guests', 1000, 1e-4, adjacency => 'add_remove', accountant => 'linear'),
       dp_register_dataset('cases_none', 'cases_none', 1000, 1e-4), dp_register_key('cases_none', 'room'), dp_grant_budget('regress_analyst', 'cases_none', 1000, 1e-4);
CREATE VIEW cases_names AS SELECT unnest('{cases,cases_units,cases_guests}'::text[]) AS d;
SELECT count(dp_register_key(d, c)) FROM cases_names, unnest('{diagnosis,shift,seen,urgent,room,doctor}'::text[]) AS c;
SELECT count(dp_register_column(d, 'age', 0, 80)), count(dp_register_column(d, 'income', 0, 1000)), count(dp_register_column(d, 'smoker', '{yes,no}'::text[])),
       count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM cases_names;
GRANT SELECT ON cases, cases_units, cases_guests TO regress_reader;
GRANT SELECT ON cases_names TO regress_analyst;
-- a key is listed as what it is, its values nowhere
SELECT column_name, kind, lower, upper, categories FROM dpem.columns WHERE dataset = 'cases' ORDER BY position;
SELECT count(*) FROM dpem.column_categories WHERE column_name <> 'smoker' AND dataset ~ '^cases';
SELECT dataset, keys_share FROM dpem.datasets WHERE dataset ~ '^cases' ORDER BY 1;
RESET ROLE;

-- without noise: what GROUP BY says, of every type; NULL, and what is longer than 1024 bytes, is no key
SET ROLE regress_reader;
SELECT c, bool_and(f.value = g.n) AS same, count(*) = count(f.value) AND count(*) = count(g.n) AS all, count(*) FROM (VALUES
    ('diagnosis', NULL), ('shift', NULL), ('seen', 'age >= 40'), ('urgent', 'smoker = ''yes'''), ('room', 'smoker = ''yes'' or age < 10'), ('doctor', NULL)) AS v (c, filter),
    LATERAL dp_count('cases', 'Infinity', by => c, filter => filter) AS f
    FULL JOIN LATERAL (SELECT to_jsonb(t) ->> c AS key, count(*) AS n FROM cases AS t
       WHERE octet_length(to_jsonb(t) ->> c) <= 1024 AND (filter IS NULL OR filter ~ '40' AND age >= 40 OR filter ~ '^smoker' AND smoker = 'yes' OR filter ~ '< 10' AND age < 10) GROUP BY 1) AS g USING (key)
 GROUP BY c ORDER BY c;
SELECT bool_and(f.value = g.n) AS same, count(*) FROM dp_count('cases', 'Infinity', by => 'diagnosis', column_name => 'age') AS f
  JOIN (SELECT diagnosis AS key, count(*) AS n FROM cases WHERE age > '-Infinity' AND age < 'Infinity' GROUP BY 1) AS g USING (key);
SELECT array_agg(key) = array_agg(key ORDER BY key COLLATE "C") AS sorted FROM dp_count('cases', 'Infinity', by => 'diagnosis');
-- persons, each once for a key; of the three rows that some have two count
SELECT bool_and(f.value <= g.most) AS most, bool_and(f.value >= g.least) AS least, sum(f.value) > 2000 AS many, count(*) > 100 AS keys FROM dp_count('cases_units', 'Infinity', by => 'diagnosis') AS f
  JOIN (SELECT diagnosis AS key, count(DISTINCT person) AS most, count(DISTINCT person) FILTER (WHERE rows <= 2 OR rows = all_rows) AS least
          FROM (SELECT *, count(*) OVER (PARTITION BY person, diagnosis) AS all_rows, count(*) OVER (PARTITION BY person) AS rows FROM cases_units) AS c GROUP BY 1) AS g USING (key);
-- other statistics of each key's rows
CREATE TEMP VIEW clamped AS SELECT diagnosis, least(greatest(age, 0), 80) AS a, income::float8 AS m FROM cases WHERE age > '-Infinity' AND age < 'Infinity';
SELECT count(*), bool_and(near(s.value, e.s)) AS sum, bool_and(near(v.value, e.v)) AS variance, bool_and(near(c.value, e.c)) AS covariance
  FROM dp_sum('cases', 'age', 'Infinity', by => 'diagnosis') AS s JOIN dp_variance('cases', 'age', 'Infinity', by => 'diagnosis') AS v USING (key)
  JOIN dp_covariance('cases', 'age', 'income', 'Infinity', by => 'diagnosis') AS c USING (key)
  JOIN (SELECT diagnosis AS key, sum(a) AS s, variance(a) AS v, covar_samp(a, m) AS c FROM clamped GROUP BY 1) AS e USING (key) WHERE e.c IS NOT NULL;
SELECT count(*) FROM dp_avg('cases', 'age', 'Infinity', by => 'diagnosis', filter => 'age > 1000');
RESET ROLE;

-- With noise: keys of many and of no few (thresholds are ten standard deviations away from any number, and with delta 1e-40 no one's own key
-- passes), and what is said of them within 8 standard deviations, 25 for Laplace noise: false alarms below 1e-13
SET ROLE regress_analyst;
CREATE TEMP TABLE answers AS SELECT d, 'count' AS f, a.* FROM cases_names, dp_count(d, 4, 1e-40, by => 'diagnosis') AS a
    UNION ALL SELECT d, 'avg', a.* FROM cases_names, dp_avg(d, 'age', 4, 1e-40, by => 'diagnosis') AS a;
SELECT d, f, array_agg(left(key, 5) ORDER BY key COLLATE "C") AS keys, bool_and(noise_stddev > 0 AND ci_lower < value AND value < ci_upper) AS noisy FROM answers GROUP BY 1, 2 ORDER BY 1, 2;
GRANT SELECT ON answers TO regress_reader;
SET ROLE regress_reader;
SELECT d, f, bool_and(abs(a.value - e.value) < CASE d WHEN 'cases_guests' THEN 25 ELSE 8 END * noise_stddev) AS near, bool_or(a.value <> e.value) AS noisy FROM answers AS a JOIN (
    SELECT 'cases' AS d, 'count' AS f, key, value FROM dp_count('cases', 'Infinity', by => 'diagnosis')
    UNION ALL SELECT 'cases_guests', 'count', key, value FROM dp_count('cases_guests', 'Infinity', by => 'diagnosis')
    UNION ALL SELECT 'cases', 'avg', key, value FROM dp_avg('cases', 'age', 'Infinity', by => 'diagnosis')
    UNION ALL SELECT 'cases_guests', 'avg', key, value FROM dp_avg('cases_guests', 'age', 'Infinity', by => 'diagnosis')) AS e USING (d, f, key) GROUP BY 1, 2 ORDER BY 1, 2;
SET ROLE regress_analyst;
SELECT dataset, function, line, statistic, mechanism, releases, near(keys_delta, delta / 2) AS half, keys_delta FROM dpem.ledger WHERE dataset ~ '^cases' ORDER BY charge, line;
SELECT dataset, near(keys_delta * 1e6, 1e6 * 1e-4 * CASE dataset WHEN 'cases' THEN 0.1 WHEN 'cases_units' THEN 0.5 ELSE 0 END) AS part, spent_keys_delta FROM dpem.budgets WHERE dataset ~ '^cases' ORDER BY 1;

-- the keys of most persons, of those that reach the threshold; of as many as there are; how much epsilon an interval takes
SELECT rank, left(category, 5) AS category, noise_stddev > 0 AND ci_lower < value AND value < ci_upper AS noisy FROM dp_top_k('cases_guests', 'diagnosis', 2, 4, 1e-40) ORDER BY rank;
SELECT count(*) BETWEEN 1 AND 100 AS those_of_many, bool_and(value > 0) AS positive FROM dp_top_k('cases', 'diagnosis', 4096, 4, 1e-40);
SELECT near(e.noise_stddev, 1, 0.01) AS found FROM dp_statistic_plan('count', 'cases', 1, by => 'diagnosis') AS p, LATERAL dp_statistic_plan('count', 'cases', by => 'diagnosis', within => 1.96 * p.noise_stddev) AS e
 WHERE p.statistic = 'keys: units' AND e.statistic = 'epsilon';
SET ROLE regress_reader;
SELECT bool_and(t.value = c.value) AS same, bool_and(rank = place) AS ranks, count(*) FROM dp_top_k('cases', 'diagnosis', 5, 'Infinity') AS t
  JOIN (SELECT key, value, row_number() OVER (ORDER BY value DESC, key COLLATE "C") AS place FROM dp_count('cases', 'Infinity', by => 'diagnosis')) AS c ON c.key = t.category;
SET ROLE regress_analyst;
-- the plan: who moves how many keys, price, noise and threshold, by which each key of one person is released with the failure
SELECT charges() AS before \gset
SELECT d, p.statistic, p.mechanism, near(p.sensitivity ^ 2, 2 * CASE d WHEN 'cases_units' THEN 2 ELSE 1 END, 1e-6) AS replaced, near(p.sensitivity, 1) AS added,
       near(p.noise_stddev, p.sensitivity * p.noise_multiplier * CASE d WHEN 'cases_guests' THEN sqrt(2) ELSE 1 END, 1e-4) AS noise, p.allowed
  FROM cases_names, dp_statistic_plan('count', d, 0.5, by => 'diagnosis') AS p WHERE p.statistic = 'keys: units' ORDER BY 1;
SELECT near(t.noise_stddev, 1 + u.noise_stddev * 4.8916384756, 1e-4) AS normal_quantile, f.noise_stddev AS failure
  FROM dp_statistic_plan('count', 'cases', 0.5, by => 'diagnosis') AS t, dp_statistic_plan('count', 'cases', 0.5, by => 'diagnosis') AS u, dp_statistic_plan('count', 'cases', 0.5, by => 'diagnosis') AS f
 WHERE t.statistic = 'keys: threshold' AND u.statistic = 'keys: units' AND f.statistic = 'keys: failure';
SELECT near(noise_stddev, 1 + 2 * ln(0.5 / 5e-7), 1e-4) AS laplace_quantile FROM dp_statistic_plan('count', 'cases_guests', 0.5, by => 'diagnosis') WHERE statistic = 'keys: threshold';
SELECT c, m, near(CASE c WHEN 'exact' THEN epsilon_exact WHEN 'zcdp' THEN epsilon_zcdp WHEN 'rdp' THEN epsilon_rdp WHEN 'ma' THEN epsilon_ma WHEN 'advanced' THEN epsilon_advanced ELSE epsilon_linear END, 0.5, 1e-6) AS price
  FROM unnest('{exact,zcdp,rdp,ma,advanced,linear}'::text[]) AS c, unnest('{gaussian,laplace}'::text[]) AS m, unnest('{count,sum}'::text[]) AS s,
       dp_statistic_plan(s, 'cases', 0.5, column_name => 'age', by => 'diagnosis', composition => c, mechanism => m) AS p
 WHERE p.statistic = 'total' AND NOT (s = 'sum' AND m = 'gaussian' AND c IN ('advanced', 'linear')) ORDER BY s, 1, 2;
SELECT p.line, p.statistic, p.mechanism, p.noise_stddev IS NULL AS none FROM dp_statistic_plan('variance', 'cases', 0.5, column_name => 'age', by => 'diagnosis') AS p;

-- refused before anything is spent
\pset format unaligned
\pset tuples_only on
SELECT attempt('SELECT * FROM ' || c) FROM (VALUES
    (1, $$dp_count('cases_none', 1, by => 'room')$$), (2, $$dp_gmm_fit('cases', 1, 1, by => 'diagnosis')$$), (3, $$dp_kmeans_plan('cases', 1, 1, by => 'room')$$),
    (4, $$dp_histogram('cases', 'diagnosis', 1)$$), (5, $$dp_quantile('cases', 'room', 0.5, 1)$$), (6, $$dp_avg('cases', 'room', 1)$$), (7, $$dp_gmm_fit('cases', 1, 1, columns => '{room}')$$),
    (8, $$dp_count('cases', 1, filter => 'diagnosis = ''flu''')$$), (9, $$dp_count('cases', 1, filter => 'room < 3')$$), (10, $$dp_count('cases', 1, by => 'person')$$), (11, $$dp_count('cases', 1, by => 'nothing')$$),
    (12, $$dp_count('cases', 1, 1e-320, by => 'room')$$), (13, $$dp_count('cases', 1e-20, by => 'room', composition => 'linear')$$), (14, $$dp_count('cases', 1, 0.01, by => 'room')$$), (15, $$dp_count('cases', 'Infinity', by => 'room')$$),
    (16, $$dp_logit_fit('cases', 'diagnosis', 1)$$), (17, $$dp_variance('cases', 'age', 1, by => 'room', mechanism => 'laplace')$$)) AS v (n, c) ORDER BY n;
SELECT left(attempt($$SELECT * FROM dp_count('cases', 1, filter => 'diagnosis is null')$$), 4);
SET ROLE regress_owner;
SELECT attempt('SELECT ' || c) FROM (VALUES
    (1, $$dp_register_key('cases', 'age')$$), (2, $$dp_register_key('cases', 'nothing')$$), (3, $$dp_register_key('cases', NULL)$$), (4, $$dp_register_key(NULL, 'room')$$), (5, $$dp_register_key('nowhere', 'room')$$),
    (6, $$dp_register_key('cases', 'income')$$), (7, $$dp_register_dataset('more', 'cases', 1, 1e-5, keys_share => 0.51)$$), (8, $$dp_register_dataset('more', 'cases', 1, 1e-5, keys_share => -0.1)$$),
    (9, $$dp_register_dataset('more', 'cases', 1, 1e-5, keys_share => 'NaN')$$), (10, $$dp_register_dataset('more', 'cases', 1, 1e-5, keys_share => NULL)$$),
    (11, $$dp_register_dataset('more', 'cases', 1, 1e-5, accountant => 'linear', keys_share => 0.1)$$), (12, $$dp_register_dataset('more', 'cases', 1, 1e-5)$$), (13, $$dp_register_dataset('more', 'cases', 1, 1e-5, keys_share => 0.2)$$)) AS v (n, c) ORDER BY n;
SET ROLE regress_other;
SELECT attempt($$SELECT dp_register_key('cases', 'room')$$);
SELECT attempt($$SELECT * FROM dp_count('cases', 1, by => 'diagnosis')$$);
SELECT attempt($$SELECT * FROM dp_statistic_plan('count', 'cases', 1, by => 'diagnosis')$$);
RESET ROLE;
SELECT charges() - :before AS charges;
\pset tuples_only off
\pset format aligned

-- the part of delta for keys, and what each has left: five calls of 2e-7 use up 1e-6 (half of each), and others go on; a share has the same part
SET ROLE regress_owner;
CREATE TABLE cases_few AS TABLE cases;
SELECT dp_register_dataset('cases_few', 'cases_few', 100, 1e-5, keys_share => 0.1), dp_register_key('cases_few', 'room'), dp_register_column('cases_few', 'age', 0, 100),
       dp_grant_budget('regress_analyst', 'cases_few', 100, 1e-5), dp_grant_budget('regress_other', 'cases_few', 100, 1e-6);
SET ROLE regress_analyst;
SELECT round(dp_budget_remaining('cases_few')) AS all_of_it, dp_budget_remaining('cases_few', 1e-5) < 100 AS "less at the whole delta";
\pset format unaligned
\pset tuples_only on
SELECT attempt($$SELECT * FROM dp_count('cases_few', 0.1, 3e-6, by => 'room')$$);
SELECT count(attempt($$SELECT * FROM dp_count('cases_few', 0.1, 2e-7, by => 'room')$$)) FROM generate_series(1, 5);
SET ROLE regress_other;
SELECT attempt($$SELECT * FROM dp_count('cases_few', 0.1, 2.1e-7, by => 'room')$$);
SELECT attempt($$SELECT * FROM dp_count('cases_few', 0.1, 2e-7, by => 'room')$$);
SELECT attempt($$SELECT * FROM dp_count('cases_few', 0.1, 1e-9, by => 'room')$$);
SET ROLE regress_analyst;
SELECT count(attempt($$SELECT * FROM dp_count('cases_few', 0.1, 2e-7, by => 'room')$$)) FROM generate_series(1, 4);
SELECT attempt($$SELECT * FROM dp_count('cases_few', 0.1, 1e-9, by => 'room')$$);
SELECT attempt($$SELECT * FROM dp_count('cases_few', 0.1, 1e-9)$$);
\pset tuples_only off
\pset format aligned
SET ROLE regress_owner;
SELECT role, near(keys_delta * 1e6, spent_keys_delta * 1e6, 1e-9) AS used_up, round(spent_percent) AS spent_percent, remaining_epsilon > 90 AS remaining, more_like_last > 100 AS more FROM dpem.budgets WHERE dataset = 'cases_few' ORDER BY 1;
SET ROLE regress_analyst;
SELECT round(sum(spent_percent)) AS percent FROM dpem.calls WHERE dataset = 'cases_few';
SELECT allowed FROM dp_statistic_plan('count', 'cases_few', 0.1, 1e-9, by => 'room') LIMIT 1;

-- leave nothing behind for the tests that follow
SET ROLE regress_reader;
DROP VIEW clamped;
SET ROLE regress_owner;
DROP VIEW cases_names;
SELECT count(dp_drop_dataset(d)) FROM unnest('{cases,cases_units,cases_guests,cases_few,cases_none}'::text[]) AS d;
DROP TABLE cases, cases_units, cases_guests, cases_few, cases_none;
DROP TYPE shift;
RESET ROLE;
