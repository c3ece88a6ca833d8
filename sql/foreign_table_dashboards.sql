-- Dashboards over time: what Metabase, Superset and Grafana emit for ten standard charts each of a table with
-- dates, times, booleans, an enum and integers, and what libraries and psql ask.  Answered or refused with a hint; a dashboard of twenty
-- charts that is loaded again costs nothing.
-- After: Metabase (github.com/metabase/metabase, src/metabase/driver/postgres.clj: date_trunc, casts to date, weeks that begin on Sunday,
-- relative dates by NOW()), Superset (github.com/apache/superset, superset/db_engine_specs/postgres.py: time grains, convert_dttm),
-- Grafana (github.com/grafana/grafana, pkg/tsdb/grafana-postgresql-datasource/macros.go: $__timeGroup, $__timeFilter),
-- dbplyr's translations, Django's Trunc and Extract, SQLAlchemy's func.date_trunc.
SET dpem.fresh = off;
CREATE SCHEMA private AUTHORIZATION regress_owner;
SET ROLE regress_owner;
GRANT USAGE ON SCHEMA private TO PUBLIC;
SET timezone = 'UTC';
CREATE TYPE plan AS ENUM ('free', 'team', 'large');
CREATE TABLE parcels AS SELECT timestamptz '2022-01-01 00:00Z' + i * interval '50 min' AS created, date '2022-01-01' + i % 365 AS shipped, (i % 12)::int AS items, (10 + i % 90)::float8 AS total, i % 4 = 0 AS paid,
  (ARRAY['free', 'team', 'large'])[1 + i % 3]::plan AS plan, (ARRAY['north', 'south', 'east'])[1 + i % 3] AS region FROM generate_series(1, 10000) AS i;
ANALYZE parcels;
SET client_min_messages = warning;
SELECT dp_register_dataset('parcels', 'parcels', 1000, 1e-5), dp_register_column('parcels', 'created', '2022-01-01', '2022-12-31'), dp_register_column('parcels', 'shipped', '2022-01-01', '2022-12-31'), dp_register_column('parcels', 'items', 0, 12),
  dp_register_column('parcels', 'total', 0, 100), dp_register_column('parcels', 'paid'), dp_register_column('parcels', 'plan'), dp_register_column('parcels', 'region', '{north,south,east}'::text[]), dp_grant_budget('regress_analyst', 'parcels', 900, 1e-5), dp_publish('parcels', 'private');
RESET client_min_messages;
GRANT SELECT ON private.parcels TO regress_analyst;
SET ROLE regress_analyst;
CREATE TEMP TABLE chart (i int GENERATED ALWAYS AS IDENTITY, tool text, what text, query text);
INSERT INTO chart (tool, what, query) VALUES
('Metabase', 'number', $$SELECT COUNT(*) AS "count" FROM "private"."parcels" WHERE ("private"."parcels"."created" >= timestamp with time zone '2022-03-01 00:00:00.000Z') AND ("private"."parcels"."created" < timestamp with time zone '2022-04-01 00:00:00.000Z')$$),
('Metabase', 'line by month', $$SELECT DATE_TRUNC('month', "private"."parcels"."created") AS "created", COUNT(*) AS "count" FROM "private"."parcels" GROUP BY DATE_TRUNC('month', "private"."parcels"."created") ORDER BY DATE_TRUNC('month', "private"."parcels"."created") ASC$$),
('Metabase', 'line by day', $$SELECT CAST("private"."parcels"."created" AS date) AS "created", SUM("private"."parcels"."total") AS "sum" FROM "private"."parcels" GROUP BY CAST("private"."parcels"."created" AS date) ORDER BY CAST("private"."parcels"."created" AS date) ASC$$),
('Metabase', 'line by week', $$SELECT (DATE_TRUNC('week', ("private"."parcels"."created" + INTERVAL '1 day')) + INTERVAL '-1 day') AS "created", COUNT(*) AS "count" FROM "private"."parcels" GROUP BY (DATE_TRUNC('week', ("private"."parcels"."created" + INTERVAL '1 day')) + INTERVAL '-1 day') ORDER BY 1$$),
('Metabase', 'area of a date', $$SELECT CAST(DATE_TRUNC('month', "private"."parcels"."shipped") AS date) AS "shipped", "private"."parcels"."plan" AS "plan", COUNT(*) AS "count" FROM "private"."parcels" GROUP BY CAST(DATE_TRUNC('month', "private"."parcels"."shipped") AS date), "private"."parcels"."plan" ORDER BY 1, 2$$),
('Metabase', 'bars of a boolean', $$SELECT "private"."parcels"."paid" AS "paid", AVG("private"."parcels"."total") AS "avg" FROM "private"."parcels" WHERE "private"."parcels"."plan" = CAST('team' AS plan) GROUP BY "private"."parcels"."paid" ORDER BY "private"."parcels"."paid" ASC$$),
('Metabase', 'histogram of integers', $$SELECT (FLOOR(("private"."parcels"."items" / 2.0)) * 2.0) AS "items", COUNT(*) AS "count" FROM "private"."parcels" GROUP BY (FLOOR(("private"."parcels"."items" / 2.0)) * 2.0) ORDER BY 1$$),
('Metabase', 'last year', $$SELECT DATE_TRUNC('quarter', "private"."parcels"."created") AS "created", COUNT(*) AS "count" FROM "private"."parcels" WHERE "private"."parcels"."created" >= DATE_TRUNC('year', (NOW() + (INTERVAL '-30 year'))) AND "private"."parcels"."paid" = TRUE GROUP BY DATE_TRUNC('quarter', "private"."parcels"."created")$$),
('Metabase', 'pivot with totals', $$SELECT "private"."parcels"."region" AS "region", "private"."parcels"."plan" AS "plan", GROUPING("private"."parcels"."region", "private"."parcels"."plan") AS "g", SUM("private"."parcels"."items") AS "sum" FROM "private"."parcels" GROUP BY ROLLUP ("private"."parcels"."region", "private"."parcels"."plan")$$),
('Metabase', 'median by group', $$SELECT "private"."parcels"."region" AS "region", PERCENTILE_CONT(0.5) within group (order by "private"."parcels"."total") AS "median" FROM "private"."parcels" GROUP BY "private"."parcels"."region"$$),
('Metabase', 'day of the week', $$SELECT CAST(extract(dow from "private"."parcels"."created") AS integer) + 1 AS "created", COUNT(*) AS "count" FROM "private"."parcels" GROUP BY CAST(extract(dow from "private"."parcels"."created") AS integer) + 1$$),
('Metabase', 'range of a date', $$SELECT MIN("private"."parcels"."created") AS "min", MAX("private"."parcels"."created") AS "max" FROM "private"."parcels"$$),
('Superset', 'time series', $$SELECT DATE_TRUNC('month', created) AS created, COUNT(*) AS count FROM private.parcels WHERE created >= TO_TIMESTAMP('2022-02-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND created < TO_TIMESTAMP('2022-11-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') GROUP BY DATE_TRUNC('month', created) ORDER BY count DESC LIMIT 10000$$),
('Superset', 'time series of groups', $$SELECT DATE_TRUNC('week', created) AS created, region AS region, SUM(total) AS "SUM(total)" FROM private.parcels GROUP BY DATE_TRUNC('week', created), region LIMIT 10000$$),
('Superset', 'date filter', $$SELECT region AS region, COUNT(*) AS count FROM private.parcels WHERE shipped >= TO_DATE('2022-02-01', 'YYYY-MM-DD') AND shipped < TO_DATE('2022-03-01', 'YYYY-MM-DD') GROUP BY region ORDER BY count DESC LIMIT 100$$),
('Superset', 'calendar', $$SELECT DATE_TRUNC('day', created) AS created, COUNT(*) AS count FROM private.parcels GROUP BY DATE_TRUNC('day', created) LIMIT 50000$$),
('Superset', 'boolean filter', $$SELECT plan AS plan, AVG(items) AS "AVG(items)" FROM private.parcels WHERE paid IS true GROUP BY plan ORDER BY "AVG(items)" DESC LIMIT 100$$),
('Superset', 'big number with trend', $$SELECT DATE_TRUNC('quarter', shipped) AS shipped, AVG(total) AS a FROM private.parcels GROUP BY DATE_TRUNC('quarter', shipped) LIMIT 50000$$),
('Superset', 'integers', $$SELECT items AS items, COUNT(*) AS count FROM private.parcels WHERE items > 3 AND items <= 10 GROUP BY items ORDER BY items ASC LIMIT 10000$$),
('Superset', 'enum filter', $$SELECT COUNT(*) AS count FROM private.parcels WHERE plan IN ('team', 'large') AND paid = false LIMIT 50000$$),
('Superset', 'rolling mean', $$SELECT created, AVG(count) OVER (ORDER BY created ROWS 2 PRECEDING) AS m FROM (SELECT DATE_TRUNC('month', created) AS created, COUNT(*) AS count FROM private.parcels GROUP BY 1) AS s ORDER BY created$$),
('Superset', 'year over year', $$SELECT EXTRACT(YEAR FROM created) AS year, COUNT(*) AS count FROM private.parcels GROUP BY EXTRACT(YEAR FROM created)$$),
('Superset', 'hour of the day', $$SELECT EXTRACT(HOUR FROM created) AS hour, COUNT(*) AS count FROM private.parcels GROUP BY 1$$),
('Superset', 'columns', $$SELECT * FROM private.parcels WHERE 0 = 1$$),
('Superset', 'first row', $$SELECT * FROM private.parcels LIMIT 0$$),
('Grafana', 'time series', $$SELECT floor(extract(epoch from created)/604800)*604800 AS "time", COUNT(*) AS "value" FROM private.parcels WHERE created BETWEEN '2022-02-01T00:00:00Z' AND '2022-11-01T00:00:00Z' GROUP BY 1 ORDER BY 1$$),
('Grafana', 'series by metric', $$SELECT floor(extract(epoch from created)/2592000)*2592000 AS "time", region AS metric, AVG(total) AS "value" FROM private.parcels WHERE created BETWEEN '2022-02-01T00:00:00Z' AND '2022-11-01T00:00:00Z' GROUP BY 1, 2 ORDER BY 1, 2$$),
('Grafana', 'bars by month', $$SELECT date_trunc('month', created) AS "time", SUM(items) AS items FROM private.parcels WHERE created >= '2022-02-01T00:00:00Z' AND created <= '2022-11-01T00:00:00Z' GROUP BY 1 ORDER BY 1$$),
('Grafana', 'stat', $$SELECT COUNT(*) AS value FROM private.parcels WHERE created BETWEEN '2022-02-01T00:00:00Z' AND '2022-11-01T00:00:00.123Z' AND NOT paid$$),
('Grafana', 'bars', $$SELECT plan::text AS metric, COUNT(*) AS value FROM private.parcels GROUP BY plan ORDER BY plan$$),
('Grafana', 'gauge', $$SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY items) AS value FROM private.parcels WHERE paid$$),
('Grafana', 'heatmap', $$SELECT floor(extract(epoch from created)/2592000)*2592000 AS "time", width_bucket(total, 0, 100, 5) AS bucket, COUNT(*) FROM private.parcels GROUP BY 1, 2$$),
('Grafana', 'state', $$SELECT shipped AS "time", COUNT(*) FILTER (WHERE paid) AS paid, COUNT(*) AS parcels FROM private.parcels GROUP BY shipped ORDER BY shipped$$),
('Grafana', 'epoch filter', $$SELECT COUNT(*) FROM private.parcels WHERE extract(epoch from created) >= 1643673600 AND extract(epoch from created) <= 1667260800$$),
('Grafana', 'annotations', $$SELECT created AS "time", region AS text FROM private.parcels WHERE created BETWEEN '2022-02-01T00:00:00Z' AND '2022-11-01T00:00:00Z'$$),
('dbplyr', 'floor_date', $$SELECT "month", COUNT(*) AS "n" FROM (SELECT "parcels".*, DATE_TRUNC('month', "created") AS "month" FROM "private"."parcels") AS "q01" GROUP BY "month"$$),
('dbplyr', 'filter', $$SELECT "plan", COUNT(*) AS "n" FROM "private"."parcels" WHERE ("shipped" > '2022-06-01') AND ("items" IN (1, 2, 3)) GROUP BY "plan"$$),
('Django', 'TruncMonth', $$SELECT DATE_TRUNC('month', "parcels"."created" AT TIME ZONE 'UTC') AS "month", COUNT("parcels"."items") AS "n" FROM "private"."parcels" WHERE "parcels"."paid" GROUP BY 1 ORDER BY 1 ASC$$),
('Django', 'ExtractYear', $$SELECT EXTRACT('year' FROM "parcels"."shipped") AS "year", SUM("parcels"."total") AS "s" FROM "private"."parcels" WHERE "parcels"."shipped" BETWEEN '2022-01-01'::date AND '2022-12-31'::date GROUP BY 1$$),
('Django', 'date lookup', $$SELECT COUNT(*) AS "__count" FROM "private"."parcels" WHERE ("parcels"."created" AT TIME ZONE 'UTC')::date = '2022-05-01'::date$$),
('SQLAlchemy', 'date_trunc', $$SELECT date_trunc('month', parcels.created) AS month, count(*) AS count_1 FROM private.parcels WHERE parcels.plan = 'free' AND parcels.paid IS false GROUP BY date_trunc('month', parcels.created) HAVING count(*) > 5 ORDER BY month$$),
('SQLAlchemy', 'case', $$SELECT sum(CASE WHEN (parcels.shipped < '2022-07-01') THEN 1 ELSE 0 END) AS first_half FROM private.parcels$$),
('psql', 'to_char', $$SELECT to_char(created, 'YYYY-MM'), count(*) FROM private.parcels GROUP BY 1 ORDER BY 1$$),
('psql', 'ages', $$SELECT count(*) FROM private.parcels WHERE created > now() - interval '100 years' AND shipped <= current_date$$);
SET dpem.epsilon = 0.5;
SELECT charges() AS before \gset
SELECT tool, what, attempt(query) FROM chart ORDER BY i;
SELECT charges() - :before AS first_load \gset
SELECT charges() AS before \gset
SELECT count(*) FILTER (WHERE attempt(query) = 'done') AS answered, count(*) FILTER (WHERE attempt(query) LIKE '0A000: %private table%') AS refused, count(*) FROM chart;
-- questions of the present moment change with it, all others are kept
SELECT :first_load > 30 AS paid, charges() - :before <= 2 AS second_load;
SELECT charges() AS before \gset
SELECT count(*) AS charts, bool_and(attempt(query) = 'done') AS answered FROM (SELECT query FROM chart WHERE tool IN ('Metabase', 'Superset', 'Grafana') AND query NOT LIKE '%NOW()%' AND attempt(query) = 'done' ORDER BY i LIMIT 20) AS dashboard;
SELECT charges() - :before AS spent;
-- months are those of the session's time zone
SELECT min(m), count(*) FROM (SELECT date_trunc('month', created) AS m, count(*) AS n FROM private.parcels GROUP BY 1) AS s WHERE n > -1000;
SET timezone = 'America/New_York';
SELECT min(m), count(*) FROM (SELECT date_trunc('month', created) AS m, count(*) AS n FROM private.parcels GROUP BY 1) AS s WHERE n > -1000;
RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA private CASCADE;
SELECT dp_drop_dataset('parcels');
DROP TABLE parcels;
DROP TYPE plan;
