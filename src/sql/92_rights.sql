-- ---- nobody has rights by default privileges ----
--
-- ALTER DEFAULT PRIVILEGES of whoever creates the extension, made for other tables, would hold for the catalog as well: for
-- the secret of holdouts, for answers that a minimum hides, and if it says more than SELECT, for budgets.
ALTER DEFAULT PRIVILEGES IN SCHEMA dpem, dpem_internal REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
SET LOCAL search_path = pg_catalog, pg_temp;

DO $$
DECLARE
    r record;
    public_executes boolean := has_function_privilege('public', '@extschema@.dp_budget_remaining(text, float8)', 'EXECUTE');
BEGIN
    FOR r IN SELECT format('%s %s.%s', CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, quote_ident(n.nspname), quote_ident(c.relname)) AS object,
            x.privilege_type, x.grantee
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, aclexplode(c.relacl) x
        WHERE n.nspname IN ('dpem', 'dpem_internal') AND x.grantee <> c.relowner
            AND NOT (n.nspname = 'dpem' AND x.grantee = 0 AND x.privilege_type = 'SELECT')
        UNION ALL
        SELECT format('SCHEMA %I', n.nspname), x.privilege_type, x.grantee FROM pg_namespace n, aclexplode(n.nspacl) x
        WHERE n.nspname IN ('dpem', 'dpem_internal') AND x.grantee <> n.nspowner AND NOT (x.grantee = 0 AND x.privilege_type = 'USAGE')
        UNION ALL
        -- what everybody may call stays whose default privileges say, and of what is not for all nobody's
        SELECT format('ROUTINE %s', p.oid::regprocedure), x.privilege_type, x.grantee
        FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
            JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND e.extname = 'dpem', aclexplode(p.proacl) x
        WHERE x.grantee NOT IN (0, p.proowner)
            AND CASE WHEN public_executes OR p.pronamespace IN ('dpem'::regnamespace, 'dpem_internal'::regnamespace)
                THEN NOT has_function_privilege('public', p.oid, 'EXECUTE') ELSE p.proname IN ('dp_selftest', 'dp_model_from_json') END
    LOOP
        EXECUTE format('REVOKE %s ON %s FROM %s CASCADE', r.privilege_type, r.object,
            CASE r.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(r.grantee)) END);
    END LOOP;
END $$;

SET LOCAL search_path = @extschema@, pg_temp;
