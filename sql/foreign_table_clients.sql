-- Private foreign tables as clients use them: the SQL of three BI tools' charts and probes, and of
-- libraries, is answered or refused with a hint, and a dashboard that is loaded again costs nothing.
-- Shapes after: Metabase (github.com/metabase/metabase, issues 9228, 12004, 46656 and 57890: binning, breakouts, limits),
-- Superset (github.com/apache/superset, issues 1804 and 3463: series limits, rows), Grafana (github.com/grafana/grafana,
-- issues 83593 and 53053: the query builder), dbplyr's, Django's and SQLAlchemy's manuals.
SET dpem.fresh = off;
CREATE SCHEMA private AUTHORIZATION regress_owner;
SET ROLE regress_owner;
GRANT USAGE ON SCHEMA private TO PUBLIC;
CREATE TABLE visitors AS SELECT (20 + i % 60)::float8 AS age, (18 + i % 17)::float8 AS bmi, (ARRAY['north', 'south', 'east'])[1 + i % 3] AS region, CASE WHEN i % 4 = 0 THEN 'yes' ELSE 'no' END AS smoker FROM generate_series(1, 5000) AS i;
ANALYZE visitors;
SELECT dp_register_dataset('visitors', 'visitors', 1000, 1e-3), dp_register_column('visitors', 'age', 0, 100), dp_register_column('visitors', 'bmi', 10, 60),
       dp_register_column('visitors', 'region', '{north,south,east,west}'::text[]), dp_register_column('visitors', 'smoker', '{yes,no}'::text[]), dp_grant_budget('regress_analyst', 'visitors', 900, 1e-3);
SELECT dp_publish('visitors', 'private');
GRANT SELECT ON private.visitors TO regress_analyst;
SET ROLE regress_analyst;
CREATE TEMP TABLE chart (i int GENERATED ALWAYS AS IDENTITY, tool text, what text, query text);
INSERT INTO chart (tool, what, query) VALUES
('Metabase', 'number', $$SELECT COUNT(*) AS "count" FROM "private"."visitors"$$),
('Metabase', 'bars', $$SELECT "private"."visitors"."region" AS "region", COUNT(*) AS "count", AVG("private"."visitors"."age") AS "avg" FROM "private"."visitors" GROUP BY "private"."visitors"."region" ORDER BY "private"."visitors"."region" ASC$$),
('Metabase', 'histogram', $$SELECT ((floor((("private"."visitors"."age" - 0.0) / 12.5)) * 12.5) + 0.0) AS "age", COUNT(*) AS "count" FROM "private"."visitors" GROUP BY ((floor((("private"."visitors"."age" - 0.0) / 12.5)) * 12.5) + 0.0) ORDER BY ((floor((("private"."visitors"."age" - 0.0) / 12.5)) * 12.5) + 0.0) ASC$$),
('Metabase', 'stacked bars', $$SELECT "private"."visitors"."region" AS "region", "private"."visitors"."smoker" AS "smoker", COUNT(*) AS "count" FROM "private"."visitors" GROUP BY "private"."visitors"."region", "private"."visitors"."smoker" ORDER BY "private"."visitors"."region" ASC, "private"."visitors"."smoker" ASC$$),
('Metabase', 'filters', $$SELECT SUM("private"."visitors"."bmi") AS "sum" FROM "private"."visitors" WHERE (("private"."visitors"."region" = 'north') OR ("private"."visitors"."region" = 'south')) AND ("private"."visitors"."age" >= 30) AND (LOWER("private"."visitors"."smoker") LIKE '%e%')$$),
('Metabase', 'share', $$SELECT "private"."visitors"."region" AS "region", CAST(SUM(CASE WHEN "private"."visitors"."smoker" = 'yes' THEN 1 ELSE 0.0 END) AS DOUBLE PRECISION) / NULLIF(CAST(COUNT(*) AS DOUBLE PRECISION), 0.0) AS "share" FROM "private"."visitors" GROUP BY "private"."visitors"."region" ORDER BY "private"."visitors"."region" ASC$$),
('Metabase', 'cumulative count', $$SELECT "private"."visitors"."region" AS "region", SUM(COUNT(*)) OVER (ORDER BY "private"."visitors"."region" ASC ROWS UNBOUNDED PRECEDING) AS "count" FROM "private"."visitors" GROUP BY "private"."visitors"."region" ORDER BY "private"."visitors"."region" ASC$$),
('Metabase', 'median', $$SELECT PERCENTILE_CONT(0.5) within group (order by "private"."visitors"."age") AS "median" FROM "private"."visitors"$$),
('Metabase', 'nested question', $$SELECT "source"."region" AS "region", "source"."count" AS "count" FROM (SELECT "private"."visitors"."region" AS "region", COUNT(*) AS "count" FROM "private"."visitors" GROUP BY "private"."visitors"."region") AS "source" WHERE "source"."count" > 10 LIMIT 1048575$$),
('Metabase', 'source of a model', $$SELECT "source"."region" AS "region", STDDEV_POP("source"."age") AS "stddev" FROM (SELECT "private"."visitors"."region" AS "region", "private"."visitors"."age" AS "age" FROM "private"."visitors" WHERE "private"."visitors"."bmi" < 40) AS "source" GROUP BY "source"."region"$$),
('Metabase', 'field values', $$SELECT "private"."visitors"."region" AS "region" FROM "private"."visitors" GROUP BY "private"."visitors"."region" ORDER BY "private"."visitors"."region" ASC LIMIT 1000$$),
('Metabase', 'rows', $$SELECT "private"."visitors"."age" AS "age", "private"."visitors"."region" AS "region" FROM "private"."visitors" LIMIT 2000$$),
('Metabase', 'fingerprint', $$SELECT substring("private"."visitors"."region" FROM 1 FOR 1234) AS "region" FROM "private"."visitors" LIMIT 10000$$),
('Metabase', 'distinct values', $$SELECT COUNT(DISTINCT "private"."visitors"."region") AS "count" FROM "private"."visitors"$$),
('Metabase', 'range of a number', $$SELECT MIN("private"."visitors"."age") AS "min", MAX("private"."visitors"."age") AS "max" FROM "private"."visitors"$$),
('Superset', 'bars', $$SELECT region AS region, COUNT(*) AS count FROM private.visitors GROUP BY region ORDER BY count DESC LIMIT 10000$$),
('Superset', 'big number', $$SELECT AVG(age) AS "AVG(age)" FROM private.visitors LIMIT 50000$$),
('Superset', 'filters', $$SELECT smoker AS smoker, SUM(bmi) AS "SUM(bmi)" FROM private.visitors WHERE age >= 30 AND age < 60 AND region IN ('north', 'south') GROUP BY smoker ORDER BY "SUM(bmi)" DESC LIMIT 1000$$),
('Superset', 'having', $$SELECT region AS region, AVG(bmi) AS a FROM private.visitors GROUP BY region HAVING ((COUNT(*) > 100)) ORDER BY a DESC LIMIT 1000$$),
('Superset', 'pivot table', $$SELECT region AS region, smoker AS smoker, AVG(age) AS "AVG(age)" FROM private.visitors GROUP BY region, smoker LIMIT 50000$$),
('Superset', 'virtual dataset', $$SELECT region AS region, COUNT(*) AS count FROM (SELECT * FROM private.visitors) AS virtual_table GROUP BY region ORDER BY count DESC LIMIT 100$$),
('Superset', 'metric in a range', $$SELECT COUNT(CASE WHEN age BETWEEN 20 AND 30 THEN 1 END) AS young FROM private.visitors LIMIT 1$$),
('Superset', 'two metrics', $$SELECT region AS region, STDDEV(age) AS s, COUNT(age) AS n FROM private.visitors WHERE ((smoker = 'no')) GROUP BY region LIMIT 100$$),
('Superset', 'filter values', $$SELECT DISTINCT region AS region FROM private.visitors LIMIT 1000$$),
('Superset', 'series limit', $$SELECT region AS region, smoker AS smoker, COUNT(*) AS count FROM private.visitors JOIN (SELECT region AS region__, COUNT(*) AS mme_inner__ FROM private.visitors GROUP BY region ORDER BY mme_inner__ DESC LIMIT 2) AS series_limit ON region = region__ GROUP BY region, smoker ORDER BY count DESC LIMIT 10000$$),
('Superset', 'rows', $$SELECT age AS age, region AS region FROM private.visitors LIMIT 1000$$),
('Superset', 'histogram of rows', $$SELECT age AS age FROM private.visitors LIMIT 10000$$),
('Grafana', 'builder', $$SELECT AVG(age) AS "avg", region FROM private.visitors GROUP BY region LIMIT 50$$),
('Grafana', 'stat', $$SELECT COUNT(age) FROM private.visitors LIMIT 50$$),
('Grafana', 'pie', $$SELECT region AS metric, COUNT(*) AS value FROM private.visitors GROUP BY 1 ORDER BY 2 DESC$$),
('Grafana', 'gauge', $$SELECT percentile_disc(0.9) WITHIN GROUP (ORDER BY age) AS value FROM private.visitors WHERE smoker IN ('yes')$$),
('Grafana', 'histogram', $$SELECT width_bucket(age, 0, 100, 10) AS bucket, COUNT(*) AS value FROM private.visitors GROUP BY 1 ORDER BY 1$$),
('Grafana', 'heatmap', $$SELECT floor(age/20)*20 AS x, floor(bmi/10)*10 AS y, COUNT(*) AS value FROM private.visitors GROUP BY 1, 2 ORDER BY 1, 2$$),
('Grafana', 'table of several', $$SELECT region, COUNT(*), AVG(age), STDDEV(bmi) FROM private.visitors WHERE region <> 'west' GROUP BY region ORDER BY region$$),
('Grafana', 'variable', $$SELECT DISTINCT(smoker) FROM private.visitors ORDER BY 1$$),
('Grafana', 'annotations', $$SELECT COUNT(*) FILTER (WHERE bmi > 25) AS heavy, COUNT(*) AS all_of_them FROM private.visitors$$),
('Grafana', 'union of series', $$SELECT 'young' AS metric, COUNT(*) AS value FROM private.visitors WHERE age < 40 UNION ALL SELECT 'old', COUNT(*) FROM private.visitors WHERE age >= 40$$),
('Grafana', 'rows', $$SELECT * FROM private.visitors LIMIT 50$$),
('dbplyr', 'summarise', $$SELECT "region", COUNT(*) AS "n", AVG("age") AS "m" FROM "private"."visitors" WHERE ("age" > 40.0) AND ("smoker" = 'yes') GROUP BY "region"$$),
('dbplyr', 'columns', $$SELECT * FROM "private"."visitors" AS "q01" WHERE (0 = 1)$$),
('dbplyr', 'head', $$SELECT "visitors".* FROM "private"."visitors" LIMIT 6$$),
('Django', 'annotate', $$SELECT "visitors"."region", COUNT("visitors"."age") AS "n" FROM "private"."visitors" WHERE ("visitors"."age" >= 18.0 AND NOT ("visitors"."smoker" = 'yes')) GROUP BY "visitors"."region" ORDER BY "n" DESC$$),
('Django', 'aggregate', $$SELECT AVG("visitors"."age") AS "age__avg", STDDEV_POP("visitors"."bmi") AS "sd", COUNT("visitors"."age") FILTER (WHERE "visitors"."region" IN ('north', 'east')) AS "some" FROM "private"."visitors"$$),
('Django', 'exists', $$SELECT 1 AS "a" FROM "private"."visitors" LIMIT 1$$),
('SQLAlchemy', 'select', $$SELECT visitors.region, count(*) AS count_1, sum(visitors.bmi) AS sum_1 FROM private.visitors WHERE visitors.age BETWEEN 20.0 AND 65.0 GROUP BY visitors.region HAVING count(*) > 5 ORDER BY count_1 DESC LIMIT 10 OFFSET 0$$),
('pandas', 'read_sql_table', $$SELECT visitors.age, visitors.bmi, visitors.region, visitors.smoker FROM private.visitors$$);
SET dpem.epsilon = 0.5;
SELECT charges() AS before \gset
SELECT tool, what, attempt(query) FROM chart ORDER BY i;
SELECT charges() - :before AS first_load \gset
SELECT charges() AS before \gset
SELECT count(*) FILTER (WHERE attempt(query) = 'done') AS answered, count(*) FILTER (WHERE attempt(query) LIKE '0A000: %private table%') AS refused, count(*) FROM chart;
SELECT :first_load > 20 AS paid, charges() - :before AS second_load;
-- what clients ask the catalog
SELECT table_type FROM information_schema.tables WHERE table_schema = 'private';
SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'private' ORDER BY ordinal_position;
RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA private CASCADE;
SELECT dp_drop_dataset('visitors');
DROP TABLE visitors;
