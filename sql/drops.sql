-- versions of a name, grants of all models of a dataset, and what drops leave
\pset null -
SET ROLE regress_owner;
CREATE TABLE drop_rows AS SELECT (i % 17)::float8 AS x, (i % 23)::float8 AS y FROM generate_series(1, 1000) AS i;
CREATE VIEW drop_view AS SELECT x FROM drop_rows;
ANALYZE drop_rows;
SELECT dp_register_dataset('drop_rows', 'drop_rows', 1000, 1e-4);
SELECT dp_register_column('drop_rows', 'x', 0, 16), dp_register_column('drop_rows', 'y', 0, 23);
SELECT dp_register_dataset('drop_view', 'drop_view', 1000, 1e-4);
SELECT dp_grant_budget('regress_analyst', 'drop_rows', 900, 1e-4);
SELECT dp_grant_budget('regress_other', 'drop_rows', 1, 1e-5);
SET ROLE regress_analyst;
SELECT count(*) FROM dp_kmeans_fit('drop_rows', 2, 5, model => 'drop a');
SELECT count(*) FROM dp_kmeans_fit('drop_rows', 3, 5, model => 'drop b');
SELECT model, version FROM dpem.models WHERE model ~ '^drop[ _]' ORDER BY model;
-- all at once; to each but those it has
SELECT dp_grant_model('drop a', 'regress_other');
SELECT dp_grant_models('drop_rows', 'regress_other'), dp_grant_models('drop_rows', 'regress_other'::regrole);
SELECT dp_grant_models('drop_rows', 'public');
SET ROLE regress_reader;
SELECT model, version FROM dpem.models WHERE model ~ '^drop[ _]' ORDER BY model;
SELECT dp_grant_models('drop_rows', 'regress_other');
SET ROLE regress_analyst;
-- one in place of another keeps the grants and counts on; the old one is gone
SELECT count(*) FROM dp_kmeans_fit('drop_rows', 4, 5, model => 'drop a', replace => true);
SELECT count(*) FROM dp_kmeans_fit('drop_rows', 5, 5, model => 'drop a', replace => true);
SET ROLE regress_reader;
SELECT model, version, components FROM dpem.models WHERE model ~ '^drop[ _]' ORDER BY model;
SET ROLE regress_analyst;
SELECT dp_revoke_models('drop_rows', 'public'), dp_revoke_models('drop_rows', 'public');
SET ROLE regress_reader;
SELECT count(*) FROM dpem.models WHERE model ~ '^drop[ _]';
SET ROLE regress_analyst;
SELECT attempt(s) FROM unnest(ARRAY[$$SELECT dp_grant_models('nowhere', 'public')$$, $$SELECT dp_grant_models(NULL, 'public')$$, $$SELECT dp_grant_models('drop_rows', NULL::text)$$,
    $$SELECT dp_grant_models('drop_rows', 'nobody here')$$, $$SELECT dp_revoke_models('nowhere', 'public')$$]) AS s;
-- a document has no version: elsewhere the name begins anew
SELECT dp_model_json('drop a') -> 'model' ? 'version' AS version;

-- what drops leave
RESET ROLE;
CREATE ROLE regress_leaver;
SELECT dp_grant_budget('regress_leaver', 'drop_rows', 1, 1e-5);
SET ROLE regress_leaver;
SELECT count(value) FROM dp_count('drop_rows', 0.1);
SET ROLE regress_reader;
\set VERBOSITY terse
DROP OWNED BY regress_leaver;
\set VERBOSITY default
RESET ROLE;
DROP OWNED BY regress_leaver;
-- whom no event trigger is told of
DROP ROLE regress_leaver;
SELECT role, function FROM dpem.ledger WHERE dataset = 'drop_rows' AND line = 1 ORDER BY charge;
BEGIN;
DROP VIEW drop_view;
ROLLBACK;
CREATE TABLE drop_nothing ();
DROP TABLE drop_nothing;
SET ROLE regress_owner;
DROP TABLE drop_rows CASCADE;
SELECT dataset, source FROM dpem.datasets WHERE dataset ~ '^drop[ _]' ORDER BY dataset;
RESET ROLE;
SELECT model FROM dpem.models WHERE model ~ '^drop[ _]' ORDER BY model;
SELECT dp_drop_dataset('drop_rows'), dp_drop_dataset('drop_view');
SELECT count(dp_drop_model(model)) FROM dpem.models WHERE model ~ '^drop[ _]';
SELECT dpem_internal.tell_drop();
-- a source may go with anything that it depends on, and two may have had one name
SET ROLE regress_owner;
CREATE FUNCTION drop_flag(float8) RETURNS boolean LANGUAGE sql RETURN true;
CREATE TABLE drop_rows AS SELECT i::float8 AS x FROM generate_series(1, 10) AS i;
CREATE VIEW drop_view AS SELECT x FROM drop_rows WHERE public.drop_flag(x);
SELECT dp_register_dataset('drop_view', 'drop_view', 1000, 1e-4);
ALTER TABLE drop_rows RENAME TO drop_rows_before;
CREATE TABLE drop_rows ();
SELECT dp_register_dataset('drop_rows', 'drop_rows', 1000, 1e-4);
DROP FUNCTION drop_flag(float8) CASCADE;
RESET ROLE;
SET session_replication_role = replica;
DROP TABLE drop_rows, drop_rows_before;
RESET session_replication_role;
SELECT name, source FROM dpem_internal.dataset WHERE name ~ '^drop_' ORDER BY name;
SELECT relation, relation_name FROM dpem_internal.account_source WHERE relation_name ~ '\.drop_' ORDER BY relation_name;
SELECT dp_drop_dataset('drop_rows'), dp_drop_dataset('drop_view');
-- without a source a dataset is its last owner's, who may have been in no catalog of the extension's
CREATE ROLE regress_heir;
GRANT CREATE ON SCHEMA public TO regress_heir;
CREATE FUNCTION pg_temp.whose(dataset text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    who text;
    whose text := '';
BEGIN
    FOREACH who IN ARRAY '{regress_owner,regress_heir}'::text[] LOOP
        EXECUTE format('SET LOCAL ROLE %I', who);
        whose := whose || format('%s sees %s, %s; ', who, (SELECT count(*) FROM dpem.datasets d WHERE d.dataset = $1),
            attempt(format('SELECT dp_alter_dataset(%L, epsilon => 999)', $1)));
    END LOOP;
    RESET ROLE;
    RETURN whose;
END$$;
SET client_min_messages = warning;
SET ROLE regress_owner;
CREATE TABLE drop_rows (x float8);
SELECT dp_register_dataset('drop_rows', 'drop_rows', 1000, 1e-4);
RESET ROLE;
ALTER TABLE drop_rows OWNER TO regress_heir;
SELECT pg_temp.whose('drop_rows');
DROP TABLE drop_rows;
SELECT pg_temp.whose('drop_rows');
SELECT dp_drop_dataset('drop_rows');
-- whose it was for a while, in a part that was rolled back, or before the same transaction gave it back
SET ROLE regress_owner;
CREATE TABLE drop_rows (x float8);
SELECT dp_register_dataset('drop_rows', 'drop_rows', 1000, 1e-4);
RESET ROLE;
BEGIN;
ALTER TABLE drop_rows OWNER TO regress_heir;
ALTER TABLE drop_rows OWNER TO regress_owner;
SAVEPOINT heir;
ALTER TABLE drop_rows OWNER TO regress_heir;
ROLLBACK TO heir;
DROP TABLE drop_rows;
COMMIT;
SELECT pg_temp.whose('drop_rows');
SELECT dp_drop_dataset('drop_rows');
SET ROLE regress_owner;
CREATE TABLE drop_rows (x float8);
SELECT dp_register_dataset('drop_rows', 'drop_rows', 1000, 1e-4);
RESET ROLE;
BEGIN;
ALTER TABLE drop_rows OWNER TO regress_heir;
SAVEPOINT dropped;
DROP TABLE drop_rows;
ROLLBACK TO dropped;
ALTER TABLE drop_rows ADD y float8;
DROP OWNED BY regress_heir;
COMMIT;
SELECT pg_temp.whose('drop_rows');
DROP ROLE regress_heir;
SELECT dp_drop_dataset('drop_rows');
RESET client_min_messages;
