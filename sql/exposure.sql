-- dp_exposure: what PostgreSQL itself shows to analysts, and statements that really close it
SET client_min_messages = error;
DROP ROLE IF EXISTS "regress team", regress_copier;
CREATE ROLE "regress team";
CREATE ROLE regress_copier REPLICATION;
CREATE SCHEMA "Exposed schema" AUTHORIZATION regress_owner;
SELECT current_database() AS dbname \gset

-- what depends on the server the test runs in is left to the TAP test
CREATE FUNCTION exposed(dataset text) RETURNS SETOF record LANGUAGE sql AS $$
SELECT topic, object, role, finding, severity, remedy FROM dp_exposure($1)
 WHERE remedy !~ '^ALTER SYSTEM|^SELECT pg_catalog.pg_drop_replication_slot' AND topic NOT IN ('counters', 'size', 'replica', 'pg_stat_statements')
   AND (topic NOT IN ('replication', 'setting') OR coalesce(role, 'regress') ~ '^regress')
$$;

-- Runs the remedies one after the other; each must make its own finding disappear.
CREATE FUNCTION close_all(dataset text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    f record;
    closed int := 0;
BEGIN
    LOOP
        SELECT * INTO f FROM exposed(dataset) AS (topic text, object text, role text, finding text, severity text, remedy text)
            ORDER BY topic COLLATE "C", object COLLATE "C", role COLLATE "C", remedy COLLATE "C" LIMIT 1;
        EXIT WHEN NOT FOUND;
        EXECUTE f.remedy;
        IF EXISTS (SELECT 1 FROM dp_exposure(dataset) AS e
                   WHERE (e.topic, e.object, e.finding) = (f.topic, f.object, f.finding) AND e.role IS NOT DISTINCT FROM f.role) THEN
            RETURN format('%s does not close %s', f.remedy, f.topic);
        END IF;
        closed := closed + 1;
    END LOOP;
    RETURN format('%s closed', CASE WHEN closed > 30 THEN 'all' ELSE closed::text END);
END$$;

SET ROLE regress_owner;
-- autovacuum, which may come in the middle of closing, waits for a row of the catalog that closing has changed
CREATE TABLE "Exposed schema"."Exposed people" (person serial, x float8, y float8, note text) WITH (autovacuum_enabled = off);
INSERT INTO "Exposed schema"."Exposed people" (x, y, note) SELECT i % 10, i % 7, 'n' || i % 3 FROM generate_series(1, 100) AS i;
CREATE STATISTICS "Exposed schema".both ON x, y FROM "Exposed schema"."Exposed people";
ANALYZE "Exposed schema"."Exposed people";
SELECT dp_register_dataset('it''s exposed', '"Exposed schema"."Exposed people"', 5, 1e-3, unit => 'person'),
       dp_register_column('it''s exposed', 'x', 0, 10), dp_register_column('it''s exposed', 'y', 0, 10),
       dp_grant_budget('regress_analyst', 'it''s exposed', 2, 1e-4);
SET ROLE regress_reader;
SELECT attempt($$SELECT * FROM dp_exposure('it''s exposed')$$);
SET ROLE regress_analyst;
SELECT attempt($$SELECT * FROM dp_exposure('it''s exposed')$$);
SELECT attempt($$SELECT * FROM dpem_internal.exposure(1)$$);
SET ROLE regress_owner;
SELECT attempt($$SELECT * FROM dp_exposure(NULL)$$);
SELECT attempt($$SELECT * FROM dp_exposure('no_such')$$);

-- to begin with: what nobody can close, what the owner is told, and row-level security
SELECT topic, object, role, severity, remedy FROM dp_exposure('it''s exposed')
 WHERE topic NOT IN ('setting', 'counters', 'size', 'replica', 'replication', 'replication slot', 'pg_stat_statements') ORDER BY topic COLLATE "C", object COLLATE "C";
SELECT topic, role, severity, remedy ~ '^REVOKE EXECUTE ON FUNCTION (pg_catalog.\w+\([a-z,]+\)(, )?)+ FROM PUBLIC CASCADE$' AS remedy
  FROM dp_exposure('it''s exposed') WHERE topic IN ('counters', 'size') ORDER BY topic;
-- a role whose path has other functions and tables in front sees the same
CREATE TEMP TABLE pg_class (oid oid, relkind text);
CREATE TEMP TABLE pg_proc (oid oid);
SELECT count(*) AS before FROM dp_exposure('it''s exposed') \gset
SET search_path = pg_temp, pg_catalog, public;
SELECT count(*) = :before AS same FROM dp_exposure('it''s exposed');
RESET search_path;
DROP TABLE pg_temp.pg_class, pg_temp.pg_proc;

-- everything is opened
SET ROLE regress_owner;
CREATE VIEW "Exposed schema"."its view" AS SELECT x FROM "Exposed schema"."Exposed people";
CREATE VIEW "Exposed schema".view_of_view AS SELECT count(*) FROM "Exposed schema"."its view";
CREATE MATERIALIZED VIEW "Exposed schema".frozen AS SELECT x, y FROM "Exposed schema"."Exposed people";
GRANT SELECT ON "Exposed schema"."Exposed people" TO regress_reader WITH GRANT OPTION;
GRANT SELECT, DELETE, REFERENCES, TRIGGER ON "Exposed schema"."Exposed people" TO "regress team";
GRANT SELECT (x), UPDATE (x, y), REFERENCES (person) ON "Exposed schema"."Exposed people" TO PUBLIC;
GRANT SELECT ON "Exposed schema"."its view", "Exposed schema".frozen TO regress_analyst;
GRANT SELECT ON "Exposed schema".view_of_view TO PUBLIC;
GRANT SELECT, USAGE ON SEQUENCE "Exposed schema"."Exposed people_person_seq" TO regress_analyst;
CREATE FUNCTION "Exposed schema"."how many"(int) RETURNS bigint LANGUAGE sql SECURITY DEFINER
    AS 'SELECT count(*) FROM "Exposed schema"."Exposed people"';
CREATE FUNCTION "Exposed schema".copies() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END';
CREATE TRIGGER "copy it" AFTER INSERT ON "Exposed schema"."Exposed people" FOR EACH ROW EXECUTE FUNCTION "Exposed schema".copies();
CREATE RULE "rule it" AS ON INSERT TO "Exposed schema"."Exposed people" DO ALSO NOTHING;
ALTER TABLE "Exposed schema"."Exposed people" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER DEFAULT PRIVILEGES IN SCHEMA "Exposed schema" GRANT SELECT ON TABLES TO "regress team";
ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC;
GRANT USAGE ON SCHEMA "Exposed schema" TO regress_reader, regress_analyst;
SELECT dp_grant_budget('regress_analyst', 'it''s exposed', 50, 0.05), dp_grant_budget('regress_owner', 'it''s exposed', 1, 1e-4);
SET ROLE regress_reader;
GRANT SELECT ON "Exposed schema"."Exposed people" TO regress_analyst;
RESET ROLE;
GRANT "regress team" TO regress_analyst;
GRANT regress_owner, pg_read_server_files TO "regress team";
GRANT pg_read_all_data, pg_monitor TO regress_analyst;
ALTER ROLE regress_analyst REPLICATION CREATEROLE BYPASSRLS;
ALTER ROLE "regress team" SUPERUSER;
CREATE FUNCTION "Exposed schema".trusted(float8) RETURNS bool LANGUAGE sql LEAKPROOF AS 'SELECT $1 > 0';
CREATE PUBLICATION "pub table" FOR TABLE "Exposed schema"."Exposed people";
CREATE PUBLICATION "pub schema" FOR TABLES IN SCHEMA "Exposed schema";
CREATE PUBLICATION "pub all" FOR ALL TABLES;
CREATE FOREIGN DATA WRAPPER regress_wrapper;
CREATE SERVER "other server" FOREIGN DATA WRAPPER regress_wrapper;
CREATE FOREIGN TABLE "Exposed schema".far (x float8) SERVER "other server";
ALTER FOREIGN TABLE "Exposed schema".far ADD COLUMN person int NOT NULL, ADD COLUMN y float8, ADD COLUMN note text, OWNER TO regress_owner;
ALTER FOREIGN TABLE "Exposed schema".far INHERIT "Exposed schema"."Exposed people";
GRANT USAGE ON FOREIGN SERVER "other server" TO PUBLIC;
CREATE USER MAPPING FOR regress_analyst SERVER "other server";
ALTER ROLE regress_analyst SET log_statement = 'all';
ALTER ROLE "regress team" IN DATABASE :"dbname" SET debug_print_plan = on;
ALTER DATABASE :"dbname" SET log_duration = on;
ALTER DATABASE :"dbname" SET log_executor_stats = false;
GRANT CREATE ON DATABASE :"dbname" TO regress_analyst;
GRANT CREATE ON SCHEMA public TO regress_analyst;
CREATE SCHEMA regress_other;
GRANT CREATE ON SCHEMA regress_other TO PUBLIC;

-- a schema named like a role stands before the extension's for that role
SET ROLE regress_analyst;
CREATE SCHEMA regress_reader;
GRANT USAGE ON SCHEMA regress_reader TO PUBLIC;
CREATE FUNCTION regress_reader.dp_budget_remaining(text) RETURNS float8 LANGUAGE sql AS 'SELECT -1::float8';
SET ROLE regress_reader;
SET search_path = "$user", public;
SELECT dp_budget_remaining('it''s exposed') AS captured;
RESET search_path;
RESET ROLE;

-- ... and is seen
SELECT topic, replace(object, :'dbname', 'this_database') AS object, CASE WHEN role = session_user THEN 'superuser' ELSE role END AS role,
       CASE WHEN remedy ~ 'NOCREATEROLE' THEN 'by version' ELSE severity END AS severity, replace(remedy, :'dbname', 'this_database') AS remedy
  FROM exposed('it''s exposed') AS (topic text, object text, role text, finding text, severity text, remedy text)
 ORDER BY topic COLLATE "C", object COLLATE "C", role COLLATE "C", remedy COLLATE "C";
SELECT finding ~ 'pg_stats, and combinations of values in pg_stats_ext' AS statistics, count(*) > 1 AS several
  FROM dp_exposure('it''s exposed') WHERE topic = 'grant' AND severity = 'high' AND object ~ 'people' GROUP BY 1 ORDER BY 1;

-- ... and can be closed
SELECT close_all('it''s exposed');
SELECT topic, object, role, finding, severity FROM dp_exposure('it''s exposed')
 WHERE remedy IS NULL AND topic NOT IN ('replica') ORDER BY topic COLLATE "C", object COLLATE "C";
ALTER FOREIGN TABLE "Exposed schema".far NO INHERIT "Exposed schema"."Exposed people";
SET ROLE regress_analyst;
SELECT attempt($$SELECT * FROM dp_exposure('it''s exposed')$$);
SELECT attempt($$SELECT x FROM "Exposed schema"."Exposed people"$$), attempt($$SELECT x FROM "Exposed schema"."its view"$$),
       attempt($$SELECT "Exposed schema"."how many"(1)$$), pg_has_role('regress_owner', 'MEMBER') AS member;
SELECT count(*) FROM pg_stats WHERE tablename = 'Exposed people';
SELECT left(attempt($$CREATE SCHEMA "regress team"$$), 5) AS schema, left(attempt($$CREATE FUNCTION public.f() RETURNS int LANGUAGE sql AS 'SELECT 1'$$), 5) AS function;
SET ROLE regress_reader;
SET search_path = "$user", public;
SELECT attempt($$SELECT dp_budget_remaining('it''s exposed')$$) AS captured;
RESET search_path;
RESET ROLE;

-- counters and sizes say nothing to anybody any more
BEGIN;
SELECT count(attempt(remedy)) AS remedies FROM dp_exposure('it''s exposed') WHERE topic IN ('counters', 'size');
SELECT count(*) AS findings FROM dp_exposure('it''s exposed') WHERE topic IN ('counters', 'size');
SET ROLE regress_other;
SELECT attempt($$SELECT n_live_tup FROM pg_stat_all_tables$$), attempt($$SELECT pg_table_size('dpem_internal.dataset')$$);
ROLLBACK;

-- a function's text names a table only as a word
SET ROLE regress_owner;
CREATE FUNCTION its_unseen_not() RETURNS text LANGUAGE sql SECURITY DEFINER AS $$SELECT 'unseen_ and notunseen'$$;
-- where the number of persons is private, what shows it is severe
CREATE TABLE unseen AS SELECT 1::float8 AS a;
SELECT dp_register_dataset('unseen', 'unseen', 1, 1e-5, adjacency => 'add_remove');
SELECT topic, severity, finding ~ 'which add_remove was chosen to hide' AS whose FROM dp_exposure('unseen') WHERE topic IN ('counters', 'size', 'row count') ORDER BY 1;
-- above, below and beside the source: parents, partitions, and views that read them
CREATE TABLE parts (a float8) PARTITION BY RANGE (a);
CREATE TABLE parts_low PARTITION OF parts FOR VALUES FROM (0) TO (1);
CREATE TABLE parts_high PARTITION OF parts FOR VALUES FROM (1) TO (2);
CREATE VIEW parts_view AS SELECT a FROM parts_low;
CREATE VIEW parts_beside AS SELECT max(a) FROM parts_high;
CREATE TABLE parts_other (a float8);
SELECT dp_register_dataset('parts', 'parts_view', 1, 1e-5);
GRANT SELECT ON parts, parts_low, parts_high, parts_view, parts_beside, parts_other TO PUBLIC;
SELECT object, severity FROM dp_exposure('parts') WHERE topic = 'grant' ORDER BY object COLLATE "C";
SELECT dp_drop_dataset('parts');
-- sums whose last bits are due to the order of rows, of which ordered ones, those of numeric, and the least are none
CREATE VIEW parts_sums AS SELECT b AS who, sum(a) AS s, sum(a ORDER BY a) AS t, avg(a::float4) AS m, sum(a::numeric) AS n, max(a) AS h, count(DISTINCT a) AS c
    FROM (SELECT a, a > 1 AS b FROM parts) p GROUP BY b;
CREATE VIEW parts_ordered AS SELECT a > 1 AS who, avg(a ORDER BY a) AS s, min(a) AS l FROM parts GROUP BY 1;
CREATE VIEW parts_above AS SELECT * FROM parts_sums;
SELECT dp_register_dataset('sums', 'parts_above', 1, 1e-5, unit => 'who');
SELECT dp_register_dataset('ordered', 'parts_ordered', 1, 1e-5, unit => 'who');
SELECT topic, object, finding, severity, remedy FROM dp_exposure('sums') WHERE topic = 'sum' ORDER BY finding COLLATE "C";
SELECT count(*) AS findings FROM dp_exposure('ordered') WHERE topic = 'sum';
SELECT dp_drop_dataset('sums'), dp_drop_dataset('ordered');
-- a superuser with a budget: one finding, not all of them
RESET ROLE;
CREATE ROLE regress_super SUPERUSER;
SELECT dp_grant_budget('regress_super', 'unseen', 1, 1e-5);
SELECT topic, role, severity, remedy FROM dp_exposure('unseen') WHERE severity = 'high' AND topic NOT IN ('counters', 'size', 'row count');
SELECT close_all('unseen');

SELECT count(*) AS functions FROM dp_exposure('unseen') WHERE topic = 'function';
DROP FUNCTION its_unseen_not();

SELECT dp_drop_dataset('it''s exposed'), dp_drop_dataset('unseen');
DROP FOREIGN DATA WRAPPER regress_wrapper CASCADE;
DROP PUBLICATION IF EXISTS "pub table", "pub schema", "pub all";
DROP SCHEMA "Exposed schema", "regress_reader of regress_analyst", regress_other CASCADE;
SET ROLE regress_owner;
ALTER DEFAULT PRIVILEGES REVOKE SELECT ON TABLES FROM PUBLIC;
RESET ROLE;
ALTER DATABASE :"dbname" RESET log_duration;
ALTER DATABASE :"dbname" RESET log_executor_stats;
DROP FUNCTION exposed(text), close_all(text);
DROP ROLE "regress team", regress_copier, regress_super;
