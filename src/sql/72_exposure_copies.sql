-- Where rows go besides the table: triggers, rules, replication, other servers.

CREATE FUNCTION dpem_internal.exposure_copies(dataset bigint) RETURNS SETOF dpem.exposure_finding
    LANGUAGE sql STABLE ROWS 10 SET search_path = pg_catalog, pg_temp
AS $$
WITH private AS (
    SELECT t.*, c.relnamespace FROM dpem_internal.exposure_relations($1) t JOIN pg_class c ON c.oid = t.relation
    WHERE t.below AND t.kind IN ('r', 'p', 'f')
)
SELECT 'trigger', t.name, pg_get_userbyid(p.proowner),
    format('trigger %I hands rows to function %s', g.tgname, g.tgfoid::regprocedure),
    CASE WHEN p.proowner IN (SELECT a.role FROM dpem_internal.exposure_grantees($1) a) THEN 'high' ELSE 'medium' END,
    format('ALTER TABLE %s DISABLE TRIGGER %I', t.name, g.tgname)
FROM private t JOIN pg_trigger g ON g.tgrelid = t.relation JOIN pg_proc p ON p.oid = g.tgfoid
WHERE NOT g.tgisinternal AND g.tgenabled <> 'D'
UNION ALL
SELECT 'rule', t.name, NULL, format('rule %I rewrites statements on the table, and may copy rows', r.rulename), 'medium',
    format('ALTER TABLE %s DISABLE RULE %I', t.name, r.rulename)
FROM private t JOIN pg_rewrite r ON r.ev_class = t.relation WHERE r.ev_type <> '1' AND r.ev_enabled <> 'D'
UNION ALL
SELECT 'publication', t.name, pg_get_userbyid(p.pubowner), format('publication %I sends rows to its subscribers', p.pubname),
    'medium', format('ALTER PUBLICATION %I DROP TABLE ONLY %s', p.pubname, t.name)
FROM private t JOIN pg_publication_rel r ON r.prrelid = t.relation JOIN pg_publication p ON p.oid = r.prpubid
UNION ALL
SELECT DISTINCT 'publication', format('%I', s.nspname), pg_get_userbyid(p.pubowner),
    format('publication %I sends the rows of every table in the schema to its subscribers', p.pubname),
    'medium', format('ALTER PUBLICATION %I DROP TABLES IN SCHEMA %I', p.pubname, s.nspname)
FROM private t JOIN pg_namespace s ON s.oid = t.relnamespace JOIN pg_publication_namespace n ON n.pnnspid = s.oid
    JOIN pg_publication p ON p.oid = n.pnpubid
UNION ALL
SELECT 'publication', 'every table', pg_get_userbyid(p.pubowner),
    format('publication %I sends the rows of every table to its subscribers', p.pubname),
    'medium', format('DROP PUBLICATION %I', p.pubname)
FROM pg_publication p WHERE p.puballtables AND EXISTS (SELECT 1 FROM private)
UNION ALL
SELECT 'replication slot', s.slot_name, NULL, format('a logical slot of plugin %s decodes every row written in this database', s.plugin),
    'medium', format('SELECT pg_catalog.pg_drop_replication_slot(%L)', s.slot_name)
FROM pg_replication_slots s WHERE s.slot_type = 'logical' AND s.database = current_database()
UNION ALL
SELECT 'replication slot', s.slot_name, NULL, 'a physical slot: a replica or a log archive holds a copy of the server, with its own logins and log',
    'info', format('SELECT pg_catalog.pg_drop_replication_slot(%L)', s.slot_name)
FROM pg_replication_slots s WHERE s.slot_type = 'physical'
UNION ALL
SELECT 'replica', coalesce(nullif(r.application_name, ''), 'unnamed'), r.usename,
    'holds a copy, and shows there what is listed here; nothing on this server can close that', 'info', NULL
FROM pg_stat_replication r
$$;
COMMENT ON FUNCTION dpem_internal.exposure_copies(bigint) IS 'internal: where rows of a dataset are copied to';

-- Rows that come from another server can be had by whoever may use that server.
CREATE FUNCTION dpem_internal.exposure_servers(dataset bigint) RETURNS SETOF dpem.exposure_finding
    LANGUAGE sql STABLE ROWS 5 SET search_path = pg_catalog, pg_temp
AS $$
WITH server AS (
    SELECT DISTINCT s.oid, s.srvname, s.srvowner, s.srvacl, s.srvoptions, w.fdwname FROM dpem_internal.exposure_relations($1) t
    JOIN pg_foreign_table f ON f.ftrelid = t.relation JOIN pg_foreign_server s ON s.oid = f.ftserver
    JOIN pg_foreign_data_wrapper w ON w.oid = s.srvfdw WHERE t.below
), option AS (
    SELECT s.oid, s.srvname, max(o.option_value) FILTER (WHERE o.option_name = 'sslmode') AS sslmode,
        coalesce(bool_or(o.option_name IN ('host', 'hostaddr') AND o.option_value !~ '^[/@]'), false) AS by_network
    FROM server s LEFT JOIN LATERAL pg_options_to_table(s.srvoptions) o ON true WHERE s.fdwname = 'postgres_fdw' GROUP BY 1, 2
)
SELECT 'foreign server', format('%I', s.srvname), CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE pg_get_userbyid(x.grantee) END,
    format('%s: may make foreign tables of its own over the rows', g.analysts), 'high',
    format('REVOKE USAGE ON FOREIGN SERVER %I FROM %s CASCADE', s.srvname, dpem_internal.exposure_role(x.grantee))
FROM server s, aclexplode(coalesce(s.srvacl, acldefault('S', s.srvowner))) x JOIN dpem_internal.exposure_grantees($1) g ON g.role = x.grantee
WHERE x.grantee <> s.srvowner
UNION ALL
SELECT 'user mapping', format('%I', s.srvname), CASE WHEN m.umuser = 0 THEN 'PUBLIC' ELSE pg_get_userbyid(m.umuser) END,
    format('%s: the other server lets it in', g.analysts), 'medium',
    format('DROP USER MAPPING FOR %s SERVER %I', dpem_internal.exposure_role(m.umuser), s.srvname)
FROM server s JOIN pg_user_mapping m ON m.umserver = s.oid JOIN dpem_internal.exposure_grantees($1) g ON g.role = m.umuser
UNION ALL
SELECT 'foreign server', format('%I', o.srvname), NULL,
    'rows, or exact sums over them, may cross the network unencrypted', 'medium',
    format('ALTER SERVER %I OPTIONS (%s sslmode %L)', o.srvname, CASE WHEN o.sslmode IS NULL THEN 'ADD' ELSE 'SET' END, 'verify-full')
FROM option o WHERE o.by_network AND coalesce(o.sslmode, 'prefer') NOT IN ('require', 'verify-ca', 'verify-full')
UNION ALL
SELECT 'foreign server', format('%I', s.srvname), NULL,
    'rows lie there, too: its roles, settings, log, statistics and backups may show them, and have to be looked at there', 'info', NULL
FROM server s
$$;
COMMENT ON FUNCTION dpem_internal.exposure_servers(bigint) IS 'internal: servers that the rows of a dataset come from and its analysts may use';
