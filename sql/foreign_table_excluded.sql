-- private tables: groups of which WHERE leaves no row are not shown, whatever noise says of them
\pset null -
CREATE SCHEMA excluded_shown AUTHORIZATION regress_owner;
GRANT USAGE ON SCHEMA excluded_shown TO regress_analyst;
SET ROLE regress_owner;
CREATE TABLE wards AS
SELECT i % 90 AS age, (i % 50)::float8 AS stay, (ARRAY['north', 'south', 'it''s'])[1 + i % 3] AS region, i % 2 = 0 AS insured, date '2024-01-01' + i % 366 AS seen,
       timestamptz '2024-01-01 00:00+00' + i % 8000 * interval '1 h' AS at FROM generate_series(1, 3000) AS i;
ANALYZE wards;
SELECT count(*) FROM (SELECT dp_register_dataset('wards', 'wards', 1000, 1e-5), dp_register_column('wards', 'age', 0, 89), dp_register_column('wards', 'stay', 0, 50),
    dp_register_column('wards', 'region', '{north,south,it''s}'::text[]), dp_register_column('wards', 'insured'), dp_register_column('wards', 'seen', '2024-01-01', '2024-12-31'),
    dp_register_column('wards', 'at', '2024-01-01', '2024-12-31'), dp_grant_budget('regress_analyst', 'wards', 900, 1e-5), dp_publish('wards', 'excluded_shown')) AS r;
GRANT SELECT ON excluded_shown.wards TO regress_analyst;
SET ROLE regress_analyst;
SET dpem.epsilon = 1;
SET timezone = 'UTC';
-- labels
SELECT region, count(*) > 0 AS counted FROM excluded_shown.wards WHERE region = 'north' GROUP BY region;
SELECT region FROM excluded_shown.wards WHERE region IN ('north', 'it''s') AND age > 3 GROUP BY region HAVING count(*) > -1000 ORDER BY 1;
SELECT region FROM excluded_shown.wards WHERE region <> 'north' GROUP BY region HAVING count(*) > -1000 ORDER BY 1;
SELECT upper(region) AS name FROM excluded_shown.wards WHERE region LIKE '%t%s' GROUP BY 1 HAVING count(*) > -1000;
SELECT region, count(*) > 0 AS counted FROM excluded_shown.wards GROUP BY region HAVING region = 'south';
SELECT q.region, q.n > 0 AS counted FROM (SELECT region, count(*) AS n FROM excluded_shown.wards GROUP BY region) AS q JOIN (VALUES ('north')) AS v (name) ON v.name = q.region;
SELECT insured, region FROM excluded_shown.wards WHERE insured AND (region = 'north' OR region = 'south') GROUP BY 1, 2 HAVING count(*) > -1000 ORDER BY 2;
-- a condition that other columns may meet leaves all
SELECT region FROM excluded_shown.wards WHERE region = 'north' OR age > 3 GROUP BY region HAVING count(*) > -1000 ORDER BY 1;
SELECT region FROM excluded_shown.wards WHERE NOT (region = 'north' AND age > 3) GROUP BY region HAVING count(*) > -1000 ORDER BY 1;
SELECT count(*) FROM (SELECT region, count(*) FROM excluded_shown.wards WHERE region = 'north' AND region = 'south' GROUP BY region) AS q;
SELECT count(*) FROM (SELECT region, count(*) FROM excluded_shown.wards WHERE region IS NULL GROUP BY region) AS q;
-- numbers, dates and times
SELECT age / 10 * 10 AS decade FROM excluded_shown.wards WHERE age >= 20 AND age < 50 GROUP BY 1 HAVING count(*) > -1000 ORDER BY 1;
SELECT age / 10 AS decade FROM excluded_shown.wards WHERE age BETWEEN 19 AND 30 OR age = 77 GROUP BY 1 HAVING count(*) > -1000 ORDER BY 1;
SELECT age / 10 AS decade FROM excluded_shown.wards WHERE age NOT BETWEEN 10 AND 79 GROUP BY 1 HAVING count(*) > -1000 ORDER BY 1;
SELECT floor(stay / 10) * 10 AS days FROM excluded_shown.wards WHERE stay < 20 GROUP BY 1 HAVING count(*) > -1000 ORDER BY 1;
SELECT width_bucket(stay, 0, 50, 5) AS bin FROM excluded_shown.wards WHERE stay > 40 GROUP BY 1 HAVING count(*) > -1000 ORDER BY 1;
SELECT to_char(date_trunc('month', seen), 'YYYY-MM') AS month FROM excluded_shown.wards WHERE seen >= '2024-03-01' AND seen < '2024-06-01' GROUP BY date_trunc('month', seen) HAVING count(*) > -1000 ORDER BY 1;
SELECT q.month FROM (SELECT date_trunc('month', at) AS month, count(*) FROM excluded_shown.wards GROUP BY 1) AS q WHERE q.month > '2024-10-01' ORDER BY 1;
SELECT extract(dow FROM seen) AS day FROM excluded_shown.wards WHERE extract(dow FROM seen) IN (0, 6) GROUP BY 1 HAVING count(*) > -1000 ORDER BY 1;
-- values beyond the domain count as its end
SELECT age / 10 AS decade FROM excluded_shown.wards WHERE age > 500 GROUP BY 1 HAVING count(*) > -1000 ORDER BY 1;
-- several sets of groups, groups alone, values that an execution knows
SELECT region, insured FROM excluded_shown.wards WHERE region = 'north' GROUP BY ROLLUP (region, insured) HAVING count(*) > -1000 ORDER BY 1, 2;
SELECT DISTINCT region FROM excluded_shown.wards WHERE region <> 'north' ORDER BY 1;
SELECT v.name, (SELECT string_agg(q.region, ' ') FROM (SELECT DISTINCT region FROM excluded_shown.wards w WHERE w.region = v.name) AS q) AS found FROM (VALUES ('north'), ('south')) AS v (name);
PREPARE of_region(text) AS SELECT region, count(*) > -1000 AS counted FROM excluded_shown.wards WHERE region = $1 GROUP BY region;
SET plan_cache_mode = force_generic_plan;
EXECUTE of_region('south');
EXECUTE of_region('north');
SELECT DISTINCT key FROM dpem.last_answer;
RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA excluded_shown CASCADE;
SELECT dp_drop_dataset('wards');
DROP TABLE wards;
