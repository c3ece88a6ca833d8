-- what a source's owner has no right to: every call is refused before its charge, and its hint puts that right
\pset null -
SET client_min_messages = warning;
SET ROLE regress_owner;
CREATE TABLE taken AS SELECT (i % 100)::float8 AS x, i % 7 AS person, i % 2 = 0 AS y FROM generate_series(1, 1000) AS i;
CREATE VIEW taken_near AS SELECT x, y FROM taken;
CREATE VIEW taken_far AS SELECT x, y FROM taken_near WHERE x IN (SELECT x FROM taken_near);
CREATE MATERIALIZED VIEW taken_kept AS SELECT x, y FROM taken;
CREATE FUNCTION taken_half(x float8) RETURNS float8 LANGUAGE sql IMMUTABLE SET search_path = pg_catalog RETURN x / 2;
CREATE VIEW taken_called AS SELECT x, y FROM taken WHERE public.taken_half(x) >= 0;
SELECT count(*) FROM (SELECT dp_register_dataset(name, name, 100, 1e-2), dp_register_column(name, 'x', 0, 100), dp_register_column(name, 'y', '{true,false}'), dp_grant_budget('regress_analyst', name, 50, 1e-3)
    FROM unnest('{taken,taken_far,taken_kept,taken_called}'::text[]) AS name) AS r;
CREATE FUNCTION pg_temp.told(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
    hint text;
BEGIN
    EXECUTE 'SELECT count(*) FROM ' || statement;
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT, detail = PG_EXCEPTION_DETAIL;
    RETURN sqlstate || ': ' || sqlerrm || E'\n' || coalesce(detail, '') || E'\n' || coalesce(hint, '');
END$$;
SELECT charges() AS before \gset
\set ask 'SET ROLE regress_analyst; SELECT pg_temp.told($$dp_count(''taken'', 1)$$) AS taken, pg_temp.told($$dp_sum(''taken_far'', ''x'', 1)$$) AS view_of_view, pg_temp.told($$dp_gmm_fit(''taken_kept'', 1, 1, columns => ''{x}'')$$) AS kept, pg_temp.told($$dp_logit_fit(''taken_called'', ''y'', 1, columns => ''{x}'')$$) AS called; SET ROLE regress_owner'
\x on
-- rights on the tables, also of a view's owner, and on functions
BEGIN;
REVOKE ALL ON taken FROM regress_owner;
REVOKE ALL ON FUNCTION taken_half(float8) FROM PUBLIC, regress_owner;
:ask;
GRANT ALL ON taken TO regress_owner;
RESET ROLE;
GRANT CREATE ON SCHEMA public TO regress_other;
ALTER VIEW taken_near OWNER TO regress_other;
:ask;
SET ROLE regress_other;
GRANT SELECT ON taken_near TO regress_owner;
SET ROLE regress_owner;
GRANT EXECUTE ON FUNCTION taken_half(float8) TO regress_owner;
:ask;
ROLLBACK;
-- whom no share makes ask is told neither which table it is nor that anything is wrong
BEGIN;
REVOKE ALL ON taken FROM regress_owner;
REVOKE ALL ON FUNCTION taken_half(float8) FROM PUBLIC, regress_owner;
SET ROLE regress_other;
SELECT pg_temp.told($$dp_count('taken', 1)$$) AS taken, pg_temp.told($$dp_sum('taken_far', 'x', 1)$$) AS view_of_view, pg_temp.told($$dp_gmm_fit('taken_called', 1, 1, columns => '{x}')$$) AS called, pg_temp.told($$dp_gmm_plan('taken_called', 1, 1, columns => '{nothing}')$$) AS columns, pg_temp.told($$dp_quantile('taken', 'nothing', 0.5, 1)$$) AS quantile;
RESET ROLE;
DROP TABLE taken CASCADE;
SET ROLE regress_other;
SELECT pg_temp.told($$dp_count('taken', 1)$$) AS taken, pg_temp.told($$dp_describe('taken_kept', 1)$$) AS kept;
ROLLBACK;
-- policies, and rows that are not there yet
BEGIN;
ALTER TABLE taken ENABLE ROW LEVEL SECURITY;
ALTER TABLE taken FORCE ROW LEVEL SECURITY;
REFRESH MATERIALIZED VIEW taken_kept WITH NO DATA;
:ask;
ROLLBACK;
-- locks on rows
BEGIN;
SET ROLE regress_owner;
CREATE OR REPLACE VIEW taken_near AS SELECT x, y FROM taken FOR SHARE;
:ask;
ROLLBACK;
-- the extension's own functions, of any query of a source
BEGIN;
RESET ROLE;
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA dpem_internal FROM PUBLIC;
:ask;
SET ROLE regress_analyst;
SELECT pg_temp.told($$dp_count('taken', 1, by => 'y')$$) AS by_group, pg_temp.told($$dp_count('taken', 1, filter => 'x > 50')$$) AS filtered, pg_temp.told($$dp_count_distinct('taken', 'x', 1)$$) AS different;
ROLLBACK;
BEGIN;
RESET ROLE;
REVOKE USAGE ON SCHEMA dpem_internal FROM PUBLIC;
:ask;
ROLLBACK;
\x off
RESET ROLE;
SELECT charges() - :before AS charged;
:ask;
SELECT charges() - :before AS charged;
SET ROLE regress_analyst;
SELECT count(dp_drop_model(model)) > 0 AS dropped FROM dpem.models WHERE dataset ~ '^taken';
