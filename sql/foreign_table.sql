-- private foreign tables: what plain SQL is answered, what it is refused, what it costs
\pset null -
SET dpem.fresh = off;
CREATE SCHEMA private AUTHORIZATION regress_owner;
CREATE SCHEMA twice AUTHORIZATION regress_owner;
CREATE FUNCTION reveal(x float8) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$BEGIN RAISE NOTICE 'saw %', x; RETURN true; END$$;
CREATE FUNCTION reveal(x text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$BEGIN IF x NOT IN ('south', 'north', 'east', 'west') THEN RAISE NOTICE 'saw %', x; END IF; RETURN true; END$$;
SET ROLE regress_owner;
GRANT USAGE ON SCHEMA private TO PUBLIC;
CREATE TABLE clinic AS
SELECT i AS id, 20 + 60 * u ^ 1.5 AS age, (1000 * v)::numeric AS income, (i % 50)::smallint AS stay,
       CASE WHEN w < 0.3 THEN 'yes' ELSE 'no' END AS smoker, w < 0.5 AS insured, (ARRAY['north', 'south', 'east'])[1 + (3 * u)::int % 3] AS ward,
       'D' || i % 20 AS diagnosis, ARRAY[u, v] AS pair
  FROM (SELECT i, (i * 0.7548776662 % 1)::float8 AS u, (i * 0.5698402909 % 1)::float8 AS v, (i * 0.41421356237 % 1)::float8 AS w FROM generate_series(1, 6000) AS i) AS s;
INSERT INTO clinic (age, income, stay, smoker, insured, ward) VALUES (NULL, 1, 1, 'yes', true, 'north'), (30, NULL, 2, NULL, NULL, NULL), (40, 5, NULL, 'perhaps', false, 'east');
ANALYZE clinic;
SELECT dp_register_dataset('clinic', 'clinic', 1000, 1e-3, keys_share => 0.1);
SELECT dp_register_column('clinic', 'age', 0, 100), dp_register_column('clinic', 'income', 0, 1000), dp_register_column('clinic', 'stay', -10, 100),
       dp_register_column('clinic', 'smoker', '{yes,no}'::text[]), dp_register_column('clinic', 'insured', '{true,false}'::text[]),
       dp_register_column('clinic', 'ward', '{south,north,east,west}'::text[]), dp_register_key('clinic', 'diagnosis'), dp_register_column('clinic', 'pair', 0, 1, length => 2);
SELECT dp_grant_budget('regress_analyst', 'clinic', 900, 1e-3);

-- one table for a dataset, with the columns that it can publish
SELECT dp_publish('clinic', 'private');
\d private.clinic
SELECT attempt($$SELECT dp_publish('nothing', 'private')$$), attempt($$SELECT dp_publish('clinic', 'private')$$);
RESET ROLE;
GRANT CREATE ON SCHEMA twice TO regress_other;
SET ROLE regress_other;
SELECT attempt($$SELECT dp_publish('clinic', 'twice')$$);
SET ROLE regress_owner;
IMPORT FOREIGN SCHEMA anything LIMIT TO (clinic) FROM SERVER dpem INTO twice;
SELECT attempt($$ALTER FOREIGN TABLE twice.clinic OPTIONS (ADD rows '3')$$), attempt($$ALTER FOREIGN TABLE twice.clinic OPTIONS (ADD epsilon '-1')$$),
       attempt($$ALTER SERVER dpem OPTIONS (ADD epsilon '1')$$);
GRANT SELECT ON private.clinic TO regress_analyst, regress_reader, regress_other;
GRANT SELECT ON clinic TO regress_reader;
CREATE TABLE wards (ward text, floor int);
INSERT INTO wards VALUES ('south', 1), ('north', 2), ('east', 3), ('cellar', -1);
GRANT SELECT ON wards TO PUBLIC;

-- without noise: what SQL says of the table itself
SET ROLE regress_reader;
SET dpem.epsilon = 'infinity';
SELECT a.count = b.count AND near(a.sum, b.sum) AND near(a.avg, b.avg) AND near(a.variance, b.variance, 1e-6) AND near(a.var_pop, b.var_pop, 1e-6)
       AND near(a.stddev, b.stddev, 1e-6) AND near(a.stddev_pop, b.stddev_pop, 1e-6) AS same
  FROM (SELECT count(*), sum(age), avg(age), variance(age), var_pop(age), stddev(age), stddev_pop(age) FROM private.clinic) AS a,
       (SELECT count(*), sum(age), avg(age), variance(age), var_pop(age), stddev(age), stddev_pop(age) FROM clinic) AS b;
SELECT a.n = b.n AND a.m = b.m AND a.k = b.k AND a.f = b.f AND a.g = b.g AND a.h = b.h AND near(a.s, b.s) AS same
  FROM (SELECT count(age) AS n, count(ward) AS m, count(1) AS k, count(*) FILTER (WHERE smoker = 'yes') AS f,
               sum(CASE WHEN age >= 40 AND ward = 'north' THEN 1 ELSE 0 END) AS g, count(CASE WHEN stay < 10 THEN 1 END) AS h, sum(CASE WHEN insured = 'true' THEN age END) AS s FROM private.clinic) AS a,
       (SELECT count(age) AS n, count(ward) AS m, count(1) AS k, count(*) FILTER (WHERE smoker = 'yes') AS f,
               sum(CASE WHEN age >= 40 AND ward = 'north' THEN 1 ELSE 0 END) AS g, count(CASE WHEN stay < 10 THEN 1 END) AS h, sum(CASE WHEN insured THEN age END) AS s FROM clinic) AS b;
SELECT near(a.c, b.c, 1e-6) AND near(a.p, b.p, 1e-6) AS covariances
  FROM (SELECT covar_samp(age, stay) AS c, covar_pop(age, stay) AS p FROM private.clinic) AS a, (SELECT covar_samp(age, stay) AS c, covar_pop(age, stay) AS p FROM clinic) AS b;
SELECT abs(a.m - b.m) <= 0.1 AND abs(a.h - b.h) <= 0.1 AND abs(a.l - b.l) <= 0.1 AS percentiles
  FROM (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY age) AS m, percentile_disc(0.9) WITHIN GROUP (ORDER BY age) AS h, percentile_disc(0.9) WITHIN GROUP (ORDER BY age DESC) AS l FROM private.clinic) AS a,
       (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY age) AS m, percentile_disc(0.9) WITHIN GROUP (ORDER BY age) AS h, percentile_disc(0.9) WITHIN GROUP (ORDER BY age DESC) AS l FROM clinic) AS b;
-- conditions, one by one
CREATE FUNCTION pg_temp.number_of(relation text, condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE n bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM %s WHERE %s', relation, condition) INTO n;
    RETURN n;
END$$;
SELECT condition, private = plain AS same, plain > 0 AS any FROM (VALUES (1, 'age >= 40'), (2, '40 > age'), (3, 'NOT (age < 40 OR ward = ''north'')'), (4, 'stay BETWEEN 10 AND 20'), (5, 'stay NOT BETWEEN 10 AND 20'),
    (6, 'ward IN (''east'', ''west'')'), (7, 'ward NOT IN (''north'', ''south'')'), (8, 'stay IN (1, 2, 3.5)'), (9, 'smoker IS NULL OR income IS NULL'), (10, 'smoker IS DISTINCT FROM ''yes'''),
    (11, 'NOT smoker IS DISTINCT FROM ''yes'''), (12, 'ward LIKE ''%th'''), (13, 'upper(ward) = ''NORTH'' OR length(ward) = 4'), (14, 'ward COLLATE "C" < ''o'''), (15, '(smoker = ''yes'') IS TRUE'), (16, 'ward ~ ''x'''),
    (17, 'NOT ward ~ ''x'''), (18, 'age = -5'), (19, 'age > 1e1 AND age <> 30 AND income IS NOT NULL'), (20, 'ward = ''west'''), (21, 'coalesce(ward, ''none'') = ''none'''), (22, 'NOT coalesce(ward, ''none'') = ''none'''), (23, 'NOT coalesce(smoker, ''no'') = ''yes'' AND smoker IN (''yes'', ''no'')')) AS v (i, condition),
    LATERAL (SELECT pg_temp.number_of('private.clinic', condition) AS private,
                    pg_temp.number_of('clinic', condition) AS plain) AS q ORDER BY i;
-- groups: every category and every bin of the domain, empty ones too
SELECT bool_and(a.n = coalesce(b.n, 0) AND (b.n IS NULL OR near(a.s, b.s))) AS same, count(*) AS groups
  FROM (SELECT ward, smoker, count(*) AS n, sum(stay) AS s FROM private.clinic GROUP BY ward, smoker) AS a LEFT JOIN (SELECT ward, smoker, count(*) AS n, sum(stay) AS s FROM clinic GROUP BY ward, smoker) AS b USING (ward, smoker);
SELECT bool_and(a.n = coalesce(b.n, 0)) AS same, sum(a.n) = sum(b.n) AS complete, count(*) AS groups
  FROM (SELECT floor(age / 10) * 10 AS decade, width_bucket(income, 100, 900, 4) AS bucket, ward, count(*) AS n FROM private.clinic GROUP BY 1, 2, 3) AS a
       LEFT JOIN (SELECT floor(age / 10) * 10 AS decade, width_bucket(income, 100, 900, 4) AS bucket, ward, count(*) AS n FROM clinic WHERE age IS NOT NULL AND income IS NOT NULL AND ward IS NOT NULL GROUP BY 1, 2, 3) AS b USING (decade, bucket, ward);
SELECT initcap(ward) AS ward, count(*) > 1000 AS many FROM private.clinic GROUP BY initcap(ward) ORDER BY 1;
SELECT ((floor(((age - 5.0) / 20.0)) * 20.0) + 5.0) AS age, count(*) FROM private.clinic GROUP BY ((floor(((age - 5.0) / 20.0)) * 20.0) + 5.0) ORDER BY 1;
SELECT diagnosis, count(*) FROM private.clinic GROUP BY diagnosis ORDER BY 2, 1 LIMIT 2;
-- what runs above
SELECT w.floor, r.n > 0 AS some, rank() OVER (ORDER BY w.floor) FROM (SELECT ward, count(*) AS n FROM private.clinic GROUP BY ward HAVING avg(age) > 1 AND count(*) > 10) AS r JOIN wards AS w USING (ward) ORDER BY 1;
WITH t AS (SELECT ward, count(*) AS n FROM private.clinic GROUP BY 1) SELECT ward, round(n / sum(n) OVER (), 1) AS share FROM t ORDER BY 2 DESC, 1 LIMIT 2;
RESET dpem.epsilon;

-- columns and categories are public: nobody pays for them, nor for what nobody looks at
SET ROLE regress_analyst;
SELECT charges() AS before \gset
SELECT * FROM private.clinic LIMIT 0;
SELECT * FROM private.clinic WHERE 1 = 0;
SELECT DISTINCT ward FROM private.clinic ORDER BY ward;
SELECT ward, smoker FROM private.clinic GROUP BY ward, smoker ORDER BY 1, 2 LIMIT 3;
SELECT count(*) FROM (SELECT ward, avg(age) FROM private.clinic GROUP BY ward) AS s;

-- refused before anything is spent
SELECT attempt('SELECT count(*) FROM private.clinic');
SET dpem.epsilon = 1;
SELECT q AS query, attempt(q) FROM unnest(ARRAY['SELECT * FROM private.clinic LIMIT 2000', 'SELECT age FROM private.clinic', 'SELECT 1 FROM private.clinic', 'SELECT max(age) FROM private.clinic', 'SELECT count(DISTINCT age) FROM private.clinic',
    'SELECT array_agg(age) FROM private.clinic', 'SELECT string_agg(ward, '','' ORDER BY age) FROM private.clinic', 'SELECT count(*) FROM private.clinic WHERE age > stay', 'SELECT count(*) FROM private.clinic WHERE exp(age) > 3',
    'SELECT age, count(*) FROM private.clinic GROUP BY age', 'SELECT round(age), count(*) FROM private.clinic GROUP BY 1', 'SELECT length(ward), count(*) FROM private.clinic GROUP BY 1',
    'SELECT count(*) FROM private.clinic JOIN wards USING (ward)', 'SELECT floor, (SELECT count(*) FROM private.clinic v WHERE v.ward = w.ward) FROM wards w', 'SELECT count(*) FROM private.clinic WHERE ward = ''cellar''', 'SELECT count(*) FROM private.clinic WHERE random() < 0.5',
    'SELECT count(*) FROM private.clinic WHERE ward = ''north'' AND random() < 0.5', 'SELECT count(*) FROM private.clinic WHERE reveal(age)', 'SELECT count(*) FILTER (WHERE reveal(age)) FROM private.clinic', 'SELECT sum(CASE WHEN reveal(age) THEN 1 ELSE 0 END) FROM private.clinic',
    'SELECT sum(reveal(age)::int) FROM private.clinic', 'SELECT ctid, tableoid FROM private.clinic', 'SELECT count(v) FROM private.clinic v', 'SELECT tableoid, count(*) FROM private.clinic GROUP BY 1', 'SELECT DISTINCT age FROM private.clinic',
    'SELECT DISTINCT ON (ward) ward, age FROM private.clinic', 'SELECT percentile_cont(0) WITHIN GROUP (ORDER BY age) FROM private.clinic',
    'SELECT mode() WITHIN GROUP (ORDER BY age) FROM private.clinic', 'SELECT sum(age), avg(age), count(*), stddev(age), sum(stay), avg(stay), stddev(stay), sum(income), avg(income) FROM private.clinic', 'SELECT diagnosis, ward, count(*) FROM private.clinic GROUP BY 1, 2',
    'SELECT diagnosis, count(*), avg(age) FROM private.clinic GROUP BY 1', 'SELECT count(*) FROM private.clinic WHERE age = ''NaN''', 'SELECT width_bucket(age, 0, 100, 5000), count(*) FROM private.clinic GROUP BY 1', 'SELECT row_number() OVER () FROM private.clinic',
    'SELECT count(*) FROM (SELECT age FROM private.clinic LIMIT 10) s', 'SELECT EXISTS (SELECT FROM private.clinic)', 'SELECT count(*) FROM private.clinic FOR UPDATE', 'INSERT INTO private.clinic (age) VALUES (1)', 'COPY private.clinic TO STDOUT']) AS q;
SELECT charges() - :before AS paid;

-- a price, the same answer for as long as it is kept, and the noise beside it
EXPLAIN (COSTS OFF) SELECT ward, count(*) AS n FROM private.clinic GROUP BY ward HAVING count(*) > 0 ORDER BY n;
EXPLAIN (COSTS OFF) SELECT DISTINCT ward FROM private.clinic;
EXPLAIN (COSTS OFF) SELECT * FROM private.clinic;
SELECT charges() - :before AS paid;
CREATE TEMP TABLE first AS SELECT ward, count(*) AS n, avg(age) AS a, sum(income) AS s FROM private.clinic GROUP BY ward;
SELECT l.aggregate, count(*), bool_and(l.noise_stddev > 0 AND l.ci_lower <= l.value AND l.value <= l.ci_upper AND l.ci_lower < l.ci_upper AND NOT l.reused AND l.epsilon = 1) AS noise, count(DISTINCT charge) AS charges
  FROM dpem.last_answer AS l GROUP BY 1 ORDER BY 1;
SELECT count(*) AS groups, bool_and(f.n = s.n AND f.a = s.a AND f.s = s.s) AS same FROM first AS f JOIN (SELECT ward, count(*) AS n, avg(age) AS a, sum(income) AS s FROM private.clinic GROUP BY ward) AS s USING (ward);
SELECT bool_and(reused) AS reused FROM dpem.last_answer;
EXPLAIN (COSTS OFF) SELECT count(*) FROM private.clinic WHERE age > 20;
SELECT charges() - :before AS paid;
SELECT line, statistic, epsilon FROM dpem.ledger WHERE charge = (SELECT max(charge) FROM dpem.ledger) ORDER BY line;
-- a smaller epsilon is covered, a larger one and an older answer are not; nor is one for another role
SET dpem.epsilon = 0.5;
SELECT count(n + a + s) FROM (SELECT ward, count(*) AS n, avg(age) AS a, sum(income) AS s FROM private.clinic GROUP BY ward) AS s;
SELECT charges() - :before AS paid;
SET dpem.epsilon = 2;
SELECT count(n + a + s) FROM (SELECT ward, count(*) AS n, avg(age) AS a, sum(income) AS s FROM private.clinic GROUP BY ward) AS s;
SELECT charges() - :before AS paid;
SET dpem.epsilon = 1;
SET dpem.answer_age = 0;
SELECT count(n + a + s) FROM (SELECT ward, count(*) AS n, avg(age) AS a, sum(income) AS s FROM private.clinic GROUP BY ward) AS s;
SELECT charges() - :before AS paid;
RESET dpem.answer_age;
SET ROLE regress_other;
SELECT attempt('SELECT ward, count(*) AS n, avg(age) AS a, sum(income) AS s FROM private.clinic GROUP BY ward');
SELECT count(*) FROM dpem.last_answer;
SET ROLE regress_analyst;
-- several kinds of mechanism in one charge cost what was asked for
SELECT m + n + a > 0 AS answered FROM (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY age) AS m, count(*) AS n, avg(age) AS a FROM private.clinic) AS s;
SELECT array_agg(statistic ORDER BY line) AS lines, abs(sum(mu_squared) - 3 * max(mu_squared)) < 1e-6 * max(mu_squared) AS equal FROM dpem.ledger WHERE charge = (SELECT max(charge) FROM dpem.ledger);
-- prepared statements: a question for each value
PREPARE older(float8, text) AS SELECT count(*) AS n FROM private.clinic WHERE age > $1 AND ward = $2;
SET plan_cache_mode = force_generic_plan;
SELECT charges() AS before \gset
EXECUTE older(200, 'west') \gset one_
EXECUTE older(200, 'west') \gset two_
SELECT :one_n = :two_n AS same, charges() - :before AS paid;
EXECUTE older(1000, 'west') \gset three_
SELECT abs(:three_n) < 100 AS none, charges() - :before AS paid;
SELECT attempt('EXECUTE older(NULL, ''west'')'), attempt('EXECUTE older(''NaN'', ''west'')');
RESET plan_cache_mode;
-- the owner's default
SET ROLE regress_owner;
ALTER FOREIGN TABLE private.clinic OPTIONS (ADD epsilon '0.25');
SET ROLE regress_analyst;
RESET dpem.epsilon;
EXPLAIN (COSTS OFF) SELECT count(*) FROM private.clinic WHERE age > 21;
-- what the table no longer is
SET ROLE regress_owner;
ALTER FOREIGN TABLE private.clinic ADD COLUMN name text;
SELECT attempt('SELECT count(*) FROM private.clinic');
ALTER FOREIGN TABLE private.clinic DROP COLUMN name, ALTER COLUMN age TYPE int;
SELECT attempt('SELECT count(*) FROM private.clinic');
ALTER FOREIGN TABLE private.clinic ALTER COLUMN age TYPE float8;
SELECT dp_drop_dataset('clinic');
SELECT attempt('SELECT count(*) FROM private.clinic');
SET client_min_messages = warning;
DROP SCHEMA private, twice CASCADE;
DROP TABLE clinic, wards;
RESET ROLE;
DROP FUNCTION reveal(float8), reveal(text);
