-- What PostgreSQL itself shows about a private source to the roles that hold a
-- budget on it.  One function per theme, all called by dp_exposure as the
-- extension's owner; whom they speak of is found here.

CREATE TYPE dpem.exposure_finding AS
    (topic text, object text, role text, finding text, severity text, remedy text);
COMMENT ON TYPE dpem.exposure_finding IS 'internal: a row of dp_exposure';

-- The private relations of a dataset (below) and the views that read them.
CREATE FUNCTION dpem_internal.exposure_relations(dataset bigint, OUT relation oid, OUT name text,
    OUT kind "char", OUT owner oid, OUT below boolean)
RETURNS SETOF record LANGUAGE sql STABLE ROWS 20 SET search_path = pg_catalog, pg_temp
AS $$
WITH RECURSIVE rule(view, reads) AS (
    SELECT r.ev_class, d.refobjid FROM pg_rewrite r JOIN pg_depend d
        ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
), people(id) AS (
    SELECT x.id FROM dpem_internal.dataset d, LATERAL unnest(d.source::oid || coalesce(d.unit_relations::oid[], '{}')) x(id) WHERE d.id = $1
    UNION SELECT x.id FROM dpem_internal.dataset_column c, LATERAL unnest(c.detail::oid || c.detail_relations::oid[]) x(id)
        WHERE c.dataset = $1 AND c.aggregate IS NOT NULL
    UNION SELECT x.id FROM people p, LATERAL (
        SELECT r.reads AS id FROM rule r WHERE r.view = p.id
        UNION ALL SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = p.id
        UNION ALL SELECT i.inhparent FROM pg_inherits i WHERE i.inhrelid = p.id) x
), reader(id) AS (
    SELECT p.id FROM people p UNION SELECT r.view FROM reader b JOIN rule r ON r.reads = b.id
), sequence(id) AS (
    SELECT d.objid FROM people p JOIN pg_depend d ON d.classid = 'pg_class'::regclass
        AND d.refclassid = 'pg_class'::regclass AND d.refobjid = p.id AND d.deptype IN ('a', 'i')
        JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'S'
)
SELECT c.oid, format('%I.%I', n.nspname, c.relname), c.relkind, c.relowner, c.oid IN (SELECT id FROM people)
FROM (SELECT id FROM reader UNION SELECT id FROM sequence) s
    JOIN pg_class c ON c.oid = s.id JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'f', 'm', 'v', 'S')
$$;
COMMENT ON FUNCTION dpem_internal.exposure_relations(bigint) IS
'internal: the relations of a dataset, their sequences, and the views that read them';

-- Roles with a share of the dataset or of another on the same ledger.
CREATE FUNCTION dpem_internal.exposure_analysts(dataset bigint, OUT role oid, OUT superuser boolean)
RETURNS SETOF record LANGUAGE sql STABLE ROWS 5 SET search_path = pg_catalog, pg_temp
AS $$
SELECT DISTINCT r.oid, r.rolsuper FROM dpem_internal.dataset d
    JOIN dpem_internal.dataset s ON s.account = d.account JOIN dpem_internal.budget b ON b.dataset = s.id
    JOIN pg_roles r ON r.oid = b.role::oid
WHERE d.id = $1
$$;
COMMENT ON FUNCTION dpem_internal.exposure_analysts(bigint) IS 'internal: roles that hold a budget on the tables of a dataset';

-- Roles that analysts are or may become, with SET ROLE at least; 0 is PUBLIC.
CREATE FUNCTION dpem_internal.exposure_grantees(dataset bigint, OUT role oid, OUT analysts text)
RETURNS SETOF record LANGUAGE sql STABLE ROWS 10 SET search_path = pg_catalog, pg_temp
AS $$
SELECT 0::oid, 'every role'
UNION ALL
SELECT r.oid, string_agg(pg_get_userbyid(a.role), ', ' ORDER BY pg_get_userbyid(a.role))
FROM dpem_internal.exposure_analysts($1) a JOIN pg_roles r ON pg_has_role(a.role, r.oid, 'MEMBER')
WHERE NOT a.superuser GROUP BY r.oid
$$;
COMMENT ON FUNCTION dpem_internal.exposure_grantees(bigint) IS
'internal: roles whose rights the analysts of a dataset have, and which analysts';

CREATE FUNCTION dpem_internal.exposure_role(role oid) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$SELECT CASE WHEN $1 = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid($1)) END$$;
COMMENT ON FUNCTION dpem_internal.exposure_role(oid) IS 'internal: a grantee as GRANT and REVOKE want it';

-- Privileges on the relations and their columns.  What a role with a grant
-- option passed on goes with its grant option.
CREATE FUNCTION dpem_internal.exposure_grants(dataset bigint) RETURNS SETOF dpem.exposure_finding
    LANGUAGE sql STABLE ROWS 20 SET search_path = pg_catalog, pg_temp
AS $$
WITH entry AS (
    SELECT t.*, x.grantor, x.grantee, x.privilege_type, x.privilege_type AS what
    FROM dpem_internal.exposure_relations($1) t JOIN pg_class c ON c.oid = t.relation,
        aclexplode(c.relacl) x
    UNION ALL
    SELECT t.*, x.grantor, x.grantee, x.privilege_type, format('%s (%I)', x.privilege_type, a.attname)
    FROM dpem_internal.exposure_relations($1) t JOIN pg_attribute a ON a.attrelid = t.relation AND NOT a.attisdropped,
        aclexplode(a.attacl) x
), grouped AS (
    SELECT e.relation, e.name, e.kind, e.owner, e.grantor, e.grantee, g.analysts, k.class, string_agg(e.what, ', ' ORDER BY e.what) AS what
    FROM entry e JOIN dpem_internal.exposure_grantees($1) g ON g.role = e.grantee,
        LATERAL (SELECT CASE WHEN e.kind = 'S' THEN 'sequence' WHEN e.privilege_type IN ('SELECT', 'REFERENCES', 'TRIGGER')
            THEN lower(e.privilege_type) ELSE 'change' END AS class) k
    WHERE e.grantee <> e.owner
    GROUP BY e.relation, e.name, e.kind, e.owner, e.grantor, e.grantee, g.analysts, k.class
)
SELECT 'grant', g.name, CASE WHEN g.grantee = 0 THEN 'PUBLIC' ELSE pg_get_userbyid(g.grantee) END,
    format('%s: %s', g.analysts, CASE g.class
        WHEN 'select' THEN 'reads rows' || CASE WHEN EXISTS (SELECT 1 FROM pg_statistic s WHERE s.starelid = g.relation)
            THEN ', and their commonest values and histograms in pg_stats' ELSE '' END
            || CASE WHEN EXISTS (SELECT 1 FROM pg_statistic_ext s WHERE s.stxrelid = g.relation)
            THEN ', and combinations of values in pg_stats_ext' ELSE '' END
        WHEN 'references' THEN 'learns by foreign keys which values there are'
        WHEN 'trigger' THEN 'may plant a trigger that reads rows as they are written'
        WHEN 'sequence' THEN 'sees a counter that moves with the rows'
        ELSE 'learns from changing rows how many there are and which values they have' END),
    CASE g.class WHEN 'sequence' THEN 'low' WHEN 'change' THEN 'medium' ELSE 'high' END,
    format('REVOKE %s%s ON %s%s FROM %s CASCADE', CASE WHEN g.grantor <> g.owner THEN 'GRANT OPTION FOR ' ELSE '' END,
        g.what, CASE WHEN g.kind = 'S' THEN 'SEQUENCE ' ELSE '' END, g.name,
        dpem_internal.exposure_role(CASE WHEN g.grantor <> g.owner THEN g.grantor ELSE g.grantee END))
FROM grouped g
UNION ALL
SELECT 'default grant', coalesce(quote_ident(n.nspname), 'every schema'),
    CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE pg_get_userbyid(x.grantee) END,
    format('%s: reads tables that %s creates from now on, partitions among them', g.analysts, pg_get_userbyid(a.defaclrole)),
    'medium',
    format('ALTER DEFAULT PRIVILEGES FOR ROLE %I %sREVOKE SELECT ON TABLES FROM %s', pg_get_userbyid(a.defaclrole),
        CASE WHEN n.oid IS NOT NULL THEN format('IN SCHEMA %I ', n.nspname) ELSE '' END, dpem_internal.exposure_role(x.grantee))
FROM pg_default_acl a LEFT JOIN pg_namespace n ON n.oid = a.defaclnamespace, aclexplode(a.defaclacl) x
    JOIN dpem_internal.exposure_grantees($1) g ON g.role = x.grantee
WHERE a.defaclobjtype = 'r' AND x.privilege_type = 'SELECT' AND x.grantee <> a.defaclrole
    AND a.defaclrole IN (SELECT t.owner FROM dpem_internal.exposure_relations($1) t WHERE t.below)
$$;
COMMENT ON FUNCTION dpem_internal.exposure_grants(bigint) IS 'internal: privileges on the relations of a dataset that its analysts have';
