-- every object says what it is, and nobody has more rights than meant
SET client_min_messages = warning;
CREATE VIEW member AS SELECT classid, objid FROM pg_depend, pg_extension AS e WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass AND refobjid = e.oid AND extname = 'dpem';
SELECT count(*) FILTER (WHERE classid = 'pg_proc'::regclass) > 30 AS functions, count(*) FILTER (WHERE classid = 'pg_class'::regclass) > 20 AS relations FROM member;
SELECT pg_describe_object(classid, objid, 0) AS without_comment FROM member
 WHERE obj_description(objid, classid::regclass::name) IS NULL
   AND (classid IN ('pg_proc'::regclass, 'pg_namespace'::regclass, 'pg_event_trigger'::regclass)
     OR classid = 'pg_class'::regclass AND objid IN (SELECT oid FROM pg_class WHERE relkind IN ('r', 'v', 'm', 'p', 'f'))) ORDER BY 1;
-- tools show what a view's column says of itself, and can show nothing that is not plain
SELECT relname, attname AS without_comment FROM pg_class AS c JOIN pg_attribute AS a ON attrelid = c.oid
 WHERE c.oid IN (SELECT objid FROM member WHERE classid = 'pg_class'::regclass) AND relkind = 'v' AND has_table_privilege('regress_other', c.oid, 'SELECT') AND attnum > 0
   AND (col_description(attrelid, attnum) IS NULL OR col_description(attrelid, attnum) ~ '^\s|\s$|\n|\.$') ORDER BY 1, attnum;
SELECT relname, attname AS not_plain, format_type(atttypid, NULL) FROM pg_class AS c JOIN pg_attribute AS a ON attrelid = c.oid
 WHERE c.oid IN (SELECT objid FROM member WHERE classid = 'pg_class'::regclass) AND relkind = 'v' AND has_table_privilege('regress_other', c.oid, 'SELECT') AND attnum > 0
   AND atttypid NOT IN ('text'::regtype, 'int'::regtype, 'bigint'::regtype, 'float8'::regtype, 'boolean'::regtype, 'timestamptz'::regtype, 'interval'::regtype, 'oid'::regtype) ORDER BY 1, attnum;
SELECT obj_description(oid, 'pg_extension') IS NOT NULL AS extension FROM pg_extension WHERE extname = 'dpem';
SELECT pg_describe_object(classid, objid, 0) AS strange_comment FROM member, LATERAL obj_description(objid, classid::regclass::name) AS comment
 WHERE comment ~ '^\s|\s$|\n|\.$' OR length(comment) < 15;

-- tables, views and sequences that everybody may use in some way
SELECT relname, relkind, string_agg(p, ' ' ORDER BY p) AS privileges
  FROM pg_class, unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) AS p
 WHERE oid IN (SELECT objid FROM member WHERE classid = 'pg_class'::regclass) AND relkind <> 'S' AND has_table_privilege('regress_other', oid, p) GROUP BY 1, 2 ORDER BY 1;
SELECT relname FROM pg_class WHERE oid IN (SELECT objid FROM member WHERE classid = 'pg_class'::regclass) 
   AND CASE WHEN relkind = 'S' THEN has_sequence_privilege('regress_other', oid, 'USAGE, SELECT, UPDATE') END;
-- a tool that asks information_schema is shown views with rows of one's own, no internal table and nothing that is called internal
SET ROLE regress_other;
SELECT count(*) > 30 AS views, count(*) FILTER (WHERE table_type <> 'VIEW' OR obj_description(format('dpem.%I', table_name)::regclass, 'pg_class') ~ 'internal') AS others
  FROM information_schema.tables WHERE table_schema IN ('dpem', 'dpem_internal');
SELECT count(*) AS internal_columns FROM information_schema.columns WHERE table_schema = 'dpem'
   AND table_name NOT IN (SELECT table_name FROM information_schema.tables WHERE table_schema = 'dpem' AND table_type = 'VIEW');
RESET ROLE;
-- and one that asks pg_catalog, which hides nothing, is shown the same
SELECT relname AS internal FROM pg_class WHERE relnamespace = 'dpem'::regnamespace AND relkind NOT IN ('i', 'c')
   AND NOT has_table_privilege('regress_other', oid, 'SELECT') ORDER BY 1;
SELECT proname AS internal FROM pg_proc WHERE pronamespace = 'dpem'::regnamespace AND NOT has_function_privilege('regress_other', oid, 'EXECUTE') ORDER BY 1;
SELECT relname AS readable FROM pg_class WHERE relnamespace = 'dpem_internal'::regnamespace AND relkind NOT IN ('i', 'c', 'S')
   AND has_table_privilege('regress_other', oid, 'SELECT') ORDER BY 1;
SELECT s, p, has_schema_privilege('regress_other', s, p) FROM unnest('{dpem,dpem_internal}'::text[]) AS s, unnest('{CREATE,USAGE}'::text[]) AS p;
-- functions of dpem's two schemas that everybody may call
SELECT proname FROM pg_proc WHERE pronamespace IN ('dpem'::regnamespace, 'dpem_internal'::regnamespace) AND has_function_privilege('regress_other', oid, 'EXECUTE') ORDER BY 1;
-- no function runs with its owner's rights or looks names up in the caller's path
SELECT count(*) FILTER (WHERE prosecdef) AS security_definer, count(*) FILTER (WHERE proconfig IS NULL AND lanname = 'plpgsql') AS open_search_path
  FROM pg_proc JOIN pg_language AS l ON l.oid = prolang WHERE pg_proc.oid IN (SELECT objid FROM member WHERE classid = 'pg_proc'::regclass);
-- what charges, draws noise or writes is neither parallel nor foldable
SELECT proname, provolatile, proparallel FROM pg_proc WHERE oid IN (SELECT objid FROM member WHERE classid = 'pg_proc'::regclass)
   AND proname ~ '_fit$|^dp_(register|grant|revoke|drop|sample|acknowledge)' AND (provolatile <> 'v' OR proparallel = 's');
-- every view that shows rows of several roles hides them from the conditions of the reader
SELECT relname AS leaky FROM pg_class WHERE oid IN (SELECT objid FROM member WHERE classid = 'pg_class'::regclass) AND relkind = 'v'
   AND has_table_privilege('regress_other', oid, 'SELECT') AND NOT coalesce('security_barrier=true' = ANY (reloptions), false);
-- tables and the sequences behind them are dumped
SELECT relname AS not_dumped FROM pg_class WHERE oid IN (SELECT objid FROM member WHERE classid = 'pg_class'::regclass) AND relkind IN ('r', 'S')
   AND oid NOT IN (SELECT unnest(extconfig) FROM pg_extension WHERE extname = 'dpem');

SET ROLE regress_other;
\pset format unaligned
\pset tuples_only on
SELECT attempt(s) FROM (VALUES
    (1, $$SELECT * FROM dpem_internal.charge$$), (2, $$SELECT * FROM dpem_internal.gmm_parameter$$), (3, $$SELECT * FROM dpem_internal.standing$$), (4, $$SELECT * FROM dpem_internal.readable_model$$),
    (5, $$INSERT INTO dpem_internal.budget VALUES (1, 'regress_other', 1, 0.1, 'me')$$), (6, $$UPDATE dpem_internal.dataset SET epsilon = 1e9$$), (7, $$DELETE FROM dpem_internal.charge$$),
    (8, $$SELECT nextval('dpem_internal.charge_id_seq')$$), (9, $$CREATE TABLE dpem.mine ()$$), (10, $$DELETE FROM dpem.ledger$$), (11, $$UPDATE dpem.budgets SET epsilon = 9$$),
    (12, $$SELECT dpem_internal.charge_refuse_change()$$), (13, $$SELECT dpem_internal.warn_drop()$$),
    (14, $$SELECT * FROM dpem_internal.incarnation$$), (15, $$INSERT INTO dpem_internal.incarnation (account) VALUES (1)$$), (16, $$SELECT * FROM dpem_internal.suspension$$),
    (17, $$SELECT dp_acknowledge_restore('clusters', 'mine now')$$), (18, $$UPDATE dpem.restores SET reason = ''$$),
    (19, $$SELECT * FROM dpem_internal.running_total$$), (20, $$INSERT INTO dpem_internal.running_total SELECT * FROM dpem_internal.running_total$$), (21, $$SELECT dp_check_ledger('clusters')$$)
  ) AS v (n, s) ORDER BY n;
RESET ROLE;
-- the ledger takes nothing back, not even for a superuser
SELECT attempt(s) FROM (VALUES (1, $$DELETE FROM dpem_internal.charge$$), (2, $$UPDATE dpem_internal.charge SET epsilon = 0$$), (3, $$TRUNCATE dpem_internal.charge$$),
    (4, $$TRUNCATE dpem_internal.account CASCADE$$), (5, $$DELETE FROM dpem_internal.account$$),
    (6, $$UPDATE dpem_internal.incarnation SET database = 0$$), (7, $$DELETE FROM dpem_internal.incarnation$$), (8, $$TRUNCATE dpem_internal.incarnation$$),
    (9, $$UPDATE dpem_internal.running_total SET charge = 0$$), (10, $$DELETE FROM dpem_internal.running_total$$), (11, $$TRUNCATE dpem_internal.running_total$$)) AS v (n, s) ORDER BY n;
-- the order of arguments: what is asked, what of it, epsilon, delta; exceptions are decided in docs/contributing.md
CREATE TEMP VIEW asks AS SELECT DISTINCT p.proname, p.proargnames[1:p.pronargs] AS a, array_position(p.proargnames, 'epsilon') AS e
  FROM pg_proc AS p WHERE p.oid IN (SELECT objid FROM member WHERE classid = 'pg_proc'::regclass) AND 'dataset' = ANY (p.proargnames[1:p.pronargs]) AND p.proname ~ '^dp_';
SELECT proname AS dataset_not_first, a[1] AS first FROM asks WHERE a[1] <> 'dataset' ORDER BY 1;
SELECT string_agg(DISTINCT a[i], ' ' ORDER BY a[i]) AS between_dataset_and_epsilon FROM asks, generate_series(2, e - 1) AS i WHERE a[1] = 'dataset' AND proname <> 'dp_alter_dataset';
SELECT proname AS delta_not_after_epsilon FROM asks WHERE a[e + 1] IS DISTINCT FROM 'delta' AND e IS NOT NULL ORDER BY 1;
-- a plan takes the arguments of its function, in their order, but fresh, as it spends nothing, and minimum, as it shows no group
SELECT p.proname AS plan, f.proname AS function, f.a AS arguments FROM asks AS p JOIN asks AS f ON f.proname IN (regexp_replace(p.proname, '_plan$', '_fit'), regexp_replace(p.proname, '_plan$', ''))
 WHERE p.proname ~ '_plan$' AND f.proname <> p.proname AND (array_remove(p.a, 'within'))[1:cardinality(array_remove(array_remove(f.a, 'fresh'), 'minimum'))] <> array_remove(array_remove(f.a, 'fresh'), 'minimum') ORDER BY 1;
SELECT p.proname AS plan_of_nothing FROM asks AS p WHERE p.proname ~ '_plan$' AND p.proname <> 'dp_statistic_plan'
   AND NOT EXISTS (SELECT FROM asks AS f WHERE f.proname IN (regexp_replace(p.proname, '_plan$', '_fit'), regexp_replace(p.proname, '_plan$', ''))) ORDER BY 1;
-- one word for one thing
SELECT DISTINCT n AS another_word FROM pg_proc AS p, unnest(p.proargnames) AS n WHERE p.oid IN (SELECT objid FROM member WHERE classid = 'pg_proc'::regclass) AND p.proname ~ '^dp_'
   AND n ~ '^(centre|centres|clip|narrow|failure|person|row|query|name)$' AND p.proname <> 'dp_alter_dataset' ORDER BY 1;
DROP VIEW asks;
DROP VIEW member;
