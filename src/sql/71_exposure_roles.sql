-- Analysts that are, or may become, somebody who sees more than a model.

-- Roles with power over a dataset: owners, attributes, predefined roles.
CREATE FUNCTION dpem_internal.exposure_powers(dataset bigint, OUT role oid, OUT power text,
    OUT severity text, OUT attribute text)
RETURNS SETOF record LANGUAGE sql STABLE ROWS 20 SET search_path = pg_catalog, pg_temp
AS $$
SELECT DISTINCT t.owner, 'owns private rows', 'high', NULL
FROM dpem_internal.exposure_relations($1) t WHERE t.below AND t.kind <> 'S'
UNION ALL
SELECT r.oid, a.power, a.severity, a.attribute FROM pg_roles r, LATERAL (VALUES
    (r.rolsuper, 'is a superuser', 'high', 'NOSUPERUSER'),
    (r.rolreplication, 'may copy the whole server by replication', 'high', 'NOREPLICATION'),
    (r.rolcreaterole, 'may make itself a member of other roles, the owner''s and pg_read_all_data among them',
        CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'high' ELSE 'medium' END, 'NOCREATEROLE'),
    (r.rolbypassrls, 'is not bound by row-level security', 'low', 'NOBYPASSRLS'),
    (r.rolcreatedb AND EXISTS (SELECT 1 FROM pg_database d WHERE d.datname = current_database()
        AND (d.datistemplate OR pg_has_role(r.oid, d.datdba, 'USAGE'))),
        'may copy this database as a template', 'high', 'NOCREATEDB')) AS a (has, power, severity, attribute)
WHERE a.has
UNION ALL
SELECT r.oid, p.power, p.severity, NULL FROM pg_roles r JOIN (VALUES
    ('pg_read_all_data', 'reads every table', 'high'),
    ('pg_write_all_data', 'changes every table, and learns how many rows it changed', 'medium'),
    ('pg_read_server_files', 'reads the server''s files: tables, log, backups', 'high'),
    ('pg_write_server_files', 'writes files as the server', 'high'),
    ('pg_execute_server_program', 'runs programs as the server', 'high'),
    ('pg_monitor', 'sees everybody''s statements and scans tables to count rows', 'medium'),
    ('pg_read_all_stats', 'sees everybody''s statements and their statistics', 'medium'),
    ('pg_stat_scan_tables', 'scans tables to count rows', 'medium')) AS p (name, power, severity)
    ON p.name = r.rolname
$$;
COMMENT ON FUNCTION dpem_internal.exposure_powers(bigint) IS 'internal: roles that see more of a dataset than a model, and why';

-- Held by the analyst itself, or by a role it is a member of: then the link to
-- that role which the analyst reaches is what the remedy cuts.
CREATE FUNCTION dpem_internal.exposure_roles(dataset bigint) RETURNS SETOF dpem.exposure_finding
    LANGUAGE sql STABLE ROWS 10 SET search_path = pg_catalog, pg_temp
AS $$
WITH revoke AS (
    SELECT b.role::oid AS role, string_agg(format('%I.dp_revoke_budget(%L, %L)', n.nspname, b.role, s.name), ', ') AS calls
    FROM dpem_internal.dataset d JOIN dpem_internal.dataset s ON s.account = d.account JOIN dpem_internal.budget b ON b.dataset = s.id,
        pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE d.id = $1 AND e.extname = 'dpem' GROUP BY 1
)
SELECT 'role', pg_get_userbyid(a.role), pg_get_userbyid(a.role), format('the analyst %s', p.power),
    CASE WHEN p.power = 'owns private rows' THEN 'low' ELSE p.severity END,
    CASE WHEN p.attribute IS NULL OR a.role < 16384 THEN 'SELECT ' || r.calls
        ELSE format('ALTER ROLE %I %s', pg_get_userbyid(a.role), p.attribute) END
FROM dpem_internal.exposure_analysts($1) a JOIN dpem_internal.exposure_powers($1) p ON p.role = a.role JOIN revoke r ON r.role = a.role
WHERE NOT a.superuser OR p.attribute = 'NOSUPERUSER'
UNION ALL
SELECT 'membership', pg_get_userbyid(p.role), pg_get_userbyid(m.member),
    format('%s: may become %s, which %s', g.analysts, pg_get_userbyid(p.role), p.power),
    p.severity, format('REVOKE %I FROM %I', pg_get_userbyid(p.role), pg_get_userbyid(m.member))
FROM (SELECT x.role, string_agg(x.power, ' and ' ORDER BY x.power) AS power,
        (array_agg(x.severity ORDER BY array_position('{high,medium,low}', x.severity)))[1] AS severity
    FROM dpem_internal.exposure_powers($1) x GROUP BY x.role) p
    JOIN pg_auth_members m ON m.roleid = p.role
    JOIN dpem_internal.exposure_grantees($1) g ON g.role = m.member
WHERE m.member >= 16384
UNION ALL
SELECT 'replication', r.rolname, r.rolname, 'not an analyst, and may copy the whole server by replication',
    'info', format('ALTER ROLE %I NOREPLICATION', r.rolname)
FROM pg_roles r
WHERE r.rolreplication AND NOT r.rolsuper AND r.oid NOT IN (SELECT g.role FROM dpem_internal.exposure_grantees($1) g)
$$;
COMMENT ON FUNCTION dpem_internal.exposure_roles(bigint) IS 'internal: what the analysts of a dataset are or may become';

-- Functions that read for others, and functions that the planner trusts with rows.
CREATE FUNCTION dpem_internal.exposure_functions(dataset bigint) RETURNS SETOF dpem.exposure_finding
    LANGUAGE sql STABLE ROWS 10 SET search_path = pg_catalog, pg_temp
AS $$
WITH own AS (
    SELECT p.* FROM pg_proc p WHERE p.oid >= 16384 AND NOT EXISTS (SELECT 1 FROM pg_depend d
        WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
)
SELECT 'function', p.oid::regprocedure::text, CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE pg_get_userbyid(x.grantee) END,
    format('%s: runs it with the rights of %s, and its text names %s', g.analysts, pg_get_userbyid(p.proowner),
        string_agg(DISTINCT t.name, ', ')),
    'medium', format('REVOKE EXECUTE ON ROUTINE %s FROM %s CASCADE', p.oid::regprocedure, dpem_internal.exposure_role(x.grantee))
FROM own p JOIN dpem_internal.exposure_relations($1) t ON t.kind <> 'S' AND has_table_privilege(p.proowner, t.relation, 'SELECT')
    JOIN pg_class c ON c.oid = t.relation
        AND (p.prosrc ~ ('(^|\W)' || regexp_replace(c.relname, '(\W)', '\\\1', 'g') || '($|\W)') OR EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass
            AND d.objid = p.oid AND d.refclassid = 'pg_class'::regclass AND d.refobjid = t.relation)),
    aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x JOIN dpem_internal.exposure_grantees($1) g ON g.role = x.grantee
WHERE p.prosecdef AND x.grantee <> p.proowner
GROUP BY p.oid, p.proowner, x.grantee, g.analysts
UNION ALL
SELECT 'leakproof', p.oid::regprocedure::text, pg_get_userbyid(p.proowner),
    'marked leakproof: sees rows before security barrier views and row-level security have hidden them',
    CASE WHEN r.rolsuper THEN 'low' ELSE 'medium' END,
    format('ALTER FUNCTION %s NOT LEAKPROOF', p.oid::regprocedure)
FROM own p JOIN pg_roles r ON r.oid = p.proowner WHERE p.proleakproof AND p.prokind = 'f'
$$;
COMMENT ON FUNCTION dpem_internal.exposure_functions(bigint) IS 'internal: functions through which rows of a dataset may be read';

-- "$user" comes first in the default search_path: functions in a schema that is
-- named like a role stand before those of the extension's for that role.
CREATE FUNCTION dpem_internal.exposure_schemas(dataset bigint) RETURNS SETOF dpem.exposure_finding
    LANGUAGE sql STABLE ROWS 5 SET search_path = pg_catalog, pg_temp
AS $$
WITH trusted AS (
    SELECT r.oid FROM pg_roles r WHERE r.rolsuper
    UNION SELECT e.extowner FROM pg_extension e WHERE e.extname = 'dpem'
    UNION SELECT d.datdba FROM pg_database d WHERE d.datname = current_database()
    UNION SELECT t.owner FROM dpem_internal.exposure_relations($1) t WHERE t.below
), named AS (
    SELECT n.*, r.oid AS namesake FROM pg_namespace n JOIN pg_roles r ON r.rolname = n.nspname
), extension AS (
    SELECT n.* FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'dpem'
)
SELECT 'database', quote_ident(d.datname), CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE pg_get_userbyid(x.grantee) END,
    format('%s: may create a schema named like another role, whose unqualified calls then find functions in it before the extension''s', g.analysts),
    'medium', format('REVOKE CREATE ON DATABASE %I FROM %s CASCADE', d.datname, dpem_internal.exposure_role(x.grantee))
FROM pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) x JOIN dpem_internal.exposure_grantees($1) g ON g.role = x.grantee
WHERE d.datname = current_database() AND x.privilege_type = 'CREATE' AND x.grantee NOT IN (SELECT t.oid FROM trusted t)
UNION ALL
SELECT 'schema', quote_ident(n.nspname), pg_get_userbyid(n.nspowner),
    format('named like role %s and owned by another: unqualified calls of %s find functions in it before the extension''s', n.nspname, n.nspname),
    'high', format('ALTER SCHEMA %I RENAME TO %I', n.nspname, left(n.nspname, 30) || ' of ' || left(pg_get_userbyid(n.nspowner), 29))
FROM named n WHERE n.nspowner <> n.namesake AND n.nspowner NOT IN (SELECT t.oid FROM trusted t)
UNION ALL
SELECT 'schema', quote_ident(n.nspname), CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE pg_get_userbyid(x.grantee) END,
    format('%s: may create functions that stand before the extension''s for %s', g.analysts, n.whom),
    n.severity, format('REVOKE CREATE ON SCHEMA %I FROM %s CASCADE', n.nspname, dpem_internal.exposure_role(x.grantee))
FROM (SELECT m.nspname, m.nspowner, m.nspacl, m.namesake, format('role %s', m.nspname) AS whom, 'high' AS severity FROM named m
    UNION ALL SELECT e.nspname, e.nspowner, e.nspacl, NULL, 'whoever calls them with arguments that fit better', 'medium' FROM extension e) n,
    aclexplode(n.nspacl) x JOIN dpem_internal.exposure_grantees($1) g ON g.role = x.grantee
WHERE x.privilege_type = 'CREATE' AND x.grantee <> n.nspowner AND x.grantee IS DISTINCT FROM n.namesake
    AND x.grantee NOT IN (SELECT t.oid FROM trusted t)
$$;
COMMENT ON FUNCTION dpem_internal.exposure_schemas(bigint) IS 'internal: where analysts may put functions that others then call';
