-- What the server tells about a table without any right on it, and what it writes into its log.

-- Functions that count for everybody.  `theme` groups them into one remedy.
CREATE FUNCTION dpem_internal.exposure_open_functions(dataset bigint, OUT theme text, OUT role oid, OUT functions text)
RETURNS SETOF record LANGUAGE sql STABLE ROWS 5 SET search_path = pg_catalog, pg_temp
AS $$
WITH counting AS (
    SELECT p.oid, p.pronamespace, p.proacl, p.proowner, 'counters' AS theme FROM pg_proc p
    WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proargtypes = '26'
        AND p.proname ~ '^pg_stat_get_(xact_)?(live_tuples|dead_tuples|mod_since_analyze|ins_since_vacuum|numscans|tuples_[a-z_]+|blocks_(fetched|hit))$'
    UNION ALL
    SELECT p.oid, p.pronamespace, p.proacl, p.proowner, 'size' FROM pg_proc p
    WHERE p.pronamespace = 'pg_catalog'::regnamespace
        AND p.proname IN ('pg_relation_size', 'pg_table_size', 'pg_total_relation_size', 'pg_indexes_size')
    UNION ALL
    SELECT p.oid, p.pronamespace, p.proacl, p.proowner, e.extname FROM pg_extension e JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass
        AND d.refobjid = e.oid AND d.deptype = 'e' AND d.classid = 'pg_proc'::regclass JOIN pg_proc p ON p.oid = d.objid
    WHERE e.extname IN ('pageinspect', 'pg_buffercache', 'pg_freespacemap', 'pg_visibility', 'pg_walinspect', 'pgstattuple')
        OR e.extname = 'pg_stat_statements' AND p.proname = 'pg_stat_statements'
)
SELECT c.theme, x.grantee, string_agg(s.signature, ', ' ORDER BY s.signature)
FROM counting c,
    -- regprocedure leaves out a schema that the pinned search_path has
    LATERAL (SELECT CASE c.pronamespace WHEN 'pg_catalog'::regnamespace THEN 'pg_catalog.' ELSE '' END
        || c.oid::regprocedure AS signature) s,
    aclexplode(coalesce(c.proacl, acldefault('f', c.proowner))) x
WHERE x.grantee <> c.proowner AND x.grantee IN (SELECT g.role FROM dpem_internal.exposure_grantees($1) g)
GROUP BY c.theme, x.grantee
$$;
COMMENT ON FUNCTION dpem_internal.exposure_open_functions(bigint) IS
'internal: functions that the analysts of a dataset may use to count rows';

-- Where the numbers of rows are public, what shows them is worth a line, not a remedy's trouble.  A person
-- with several rows changes them, and a value those of partitions and of what was materialised.
CREATE FUNCTION dpem_internal.exposure_statistics(dataset bigint) RETURNS SETOF dpem.exposure_finding
    LANGUAGE sql STABLE ROWS 5 SET search_path = pg_catalog, pg_temp
AS $$
WITH about AS (
    SELECT d.source_name AS source, CASE WHEN d.adjacency = 'replace_one' AND w.moved IS NULL THEN 'info' ELSE 'high' END AS severity,
        CASE WHEN d.adjacency = 'add_remove' THEN ', which add_remove was chosen to hide'
            ELSE coalesce(', which depends on values in ' || w.moved, ', which replace_one takes as public') END AS whose
    FROM dpem_internal.dataset d, LATERAL (
        SELECT CASE WHEN d.unit IS NOT NULL THEN d.source_name ELSE min(r.name) END AS moved
        FROM dpem_internal.exposure_relations(d.id) r
        WHERE r.kind = 'm' OR EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = r.relation)) w
    WHERE d.id = $1
)
SELECT 'row count', a.source, 'PUBLIC', 'every role reads reltuples and relpages in pg_class: about how many rows there are'
    || a.whose || '; PostgreSQL cannot hide it, short of another database for the analysts', a.severity, NULL
FROM about a
UNION ALL
SELECT f.theme, a.source, CASE WHEN f.role = 0 THEN 'PUBLIC' ELSE pg_get_userbyid(f.role) END,
    format('%s: ', g.analysts) || CASE f.theme
        WHEN 'counters' THEN 'reads how many rows were written and scanned, in pg_stat_all_tables and its like' || a.whose
            || '; closing it (as a superuser) takes these views from every role without a grant'
        WHEN 'size' THEN 'measures the files that rows are in: about how many there are' || a.whose
            || '; closing it (as a superuser) takes these functions from every role without a grant'
        WHEN 'pg_stat_statements' THEN 'sees calls, rows, time and blocks of everybody''s statements'
        ELSE 'inspects pages of tables through the extension' END,
    CASE WHEN f.theme IN ('counters', 'size') THEN a.severity WHEN f.theme = 'pg_stat_statements' THEN 'medium' ELSE 'high' END,
    format('REVOKE EXECUTE ON FUNCTION %s FROM %s CASCADE', f.functions, dpem_internal.exposure_role(f.role))
FROM about a, dpem_internal.exposure_open_functions($1) f JOIN dpem_internal.exposure_grantees($1) g ON g.role = f.role
$$;
COMMENT ON FUNCTION dpem_internal.exposure_statistics(bigint) IS 'internal: what counters and sizes tell about a dataset';

-- Settings that print statements, plans or times.  A reader of the log learns from
-- them what fits did to private rows; client_min_messages brings some to the client.
CREATE FUNCTION dpem_internal.exposure_settings(dataset bigint) RETURNS SETOF dpem.exposure_finding
    LANGUAGE sql STABLE ROWS 10 SET search_path = pg_catalog, pg_temp
AS $$
WITH quiet(name, value, severity, what) AS (VALUES
    ('log_statement', 'none', 'low', 'writes statements, and with them the values they insert, to the log'),
    ('log_min_duration_statement', '-1', 'low', 'writes statements and their times to the log'),
    ('log_min_duration_sample', '-1', 'low', 'writes statements and their times to the log'),
    ('log_transaction_sample_rate', '0', 'low', 'writes statements to the log'),
    ('log_duration', 'off', 'low', 'writes the times of statements to the log'),
    ('log_parameter_max_length_on_error', '0', 'low', 'writes parameters of failing statements to the log'),
    ('log_temp_files', '-1', 'low', 'writes the size of temporary files to the log'),
    ('log_parser_stats', 'off', 'low', 'writes statistics of statements to the log'),
    ('log_planner_stats', 'off', 'low', 'writes statistics of statements to the log'),
    ('log_executor_stats', 'off', 'low', 'writes statistics of statements to the log'),
    ('log_statement_stats', 'off', 'low', 'writes statistics of statements to the log'),
    ('debug_print_parse', 'off', 'medium', 'writes query trees to the log'),
    ('debug_print_rewritten', 'off', 'medium', 'writes query trees to the log'),
    ('debug_print_plan', 'off', 'medium', 'writes plans to the log'),
    ('auto_explain.log_min_duration', '-1', 'medium', 'writes plans to the log, and with log_nested_statements and log_analyze the row counts of scans of private rows'),
    ('pg_stat_statements.track', 'top', 'low', 'keeps statistics of statements inside functions, whoever calls them')
), loud AS (
    SELECT q.*, s.setdatabase, s.setrole, o.option_value AS now
    FROM pg_db_role_setting s, pg_options_to_table(s.setconfig) o JOIN quiet q ON q.name = o.option_name
    WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    UNION ALL
    SELECT q.*, NULL, NULL, p.reset_val FROM pg_settings p JOIN quiet q ON q.name = p.name
    WHERE NOT EXISTS (SELECT 1 FROM pg_db_role_setting s, pg_options_to_table(s.setconfig) o
        WHERE o.option_name = p.name AND s.setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = session_user))
            AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database())))
)
SELECT 'setting', l.name, CASE WHEN l.setrole <> 0 THEN pg_get_userbyid(l.setrole) END,
    format('%s = %s %s%s', l.name, l.now, l.what,
        CASE WHEN l.setrole IS NULL THEN '; the remedy (as a superuser) takes pg_reload_conf() after it' ELSE '' END),
    l.severity,
    CASE WHEN l.setrole IS NULL THEN format('ALTER SYSTEM SET %s = %L', l.name, l.value)
        WHEN l.setrole = 0 THEN format('ALTER DATABASE %I RESET %s', current_database(), l.name)
        ELSE format('ALTER ROLE %I %sRESET %s', pg_get_userbyid(l.setrole),
            CASE WHEN l.setdatabase <> 0 THEN format('IN DATABASE %I ', current_database()) ELSE '' END, l.name) END
FROM loud l
WHERE CASE WHEN l.value = 'off' AND lower(l.now) IN ('false', 'no', '0') THEN 'off' ELSE l.now END <> l.value AND NOT (l.name = 'log_statement' AND l.now = 'ddl')
    AND NOT (l.name = 'pg_stat_statements.track' AND l.now = 'none')
$$;
COMMENT ON FUNCTION dpem_internal.exposure_settings(bigint) IS 'internal: settings that write about private rows';

-- Where the sorts and hash tables of a scan go when dpem.scan_memory is too small for them, and who could
-- measure it there.  A row that is sorted takes up to five times its bytes on disk.
CREATE FUNCTION dpem_internal.exposure_temporary_files(dataset bigint) RETURNS SETOF dpem.exposure_finding
    LANGUAGE sql STABLE ROWS 1 SET search_path = pg_catalog, pg_temp
AS $$
WITH size AS (
    SELECT d.source_name AS source, d.adjacency, 5 * sum(pg_relation_size(t.relation)) AS needed,
        pg_size_bytes(current_setting('dpem.scan_memory')) AS memory, current_setting('dpem.spill_tablespace') AS place
    FROM dpem_internal.dataset d, dpem_internal.exposure_relations($1) t
    WHERE d.id = $1 AND t.below AND t.kind IN ('r', 'm') GROUP BY 1, 2
), large AS (
    SELECT s.*, t.oid AS tablespace, EXISTS (SELECT 1 FROM pg_database b WHERE b.dattablespace = t.oid) AS is_default
    FROM size s LEFT JOIN pg_tablespace t ON t.spcname = s.place WHERE s.needed > s.memory
), seen AS (
    SELECT l.*, NULL::oid AS role FROM large l WHERE l.tablespace IS NULL OR l.is_default
    UNION ALL
    SELECT l.*, x.grantee FROM large l JOIN pg_tablespace t ON t.oid = l.tablespace,
        aclexplode(coalesce(t.spcacl, acldefault('t', t.spcowner))) x
    WHERE NOT l.is_default AND x.grantee IN (SELECT g.role FROM dpem_internal.exposure_grantees($1) g)
)
SELECT 'temporary files', s.source, CASE WHEN coalesce(s.role, 0) = 0 THEN 'PUBLIC' ELSE pg_get_userbyid(s.role) END,
    CASE WHEN s.role IS NULL THEN 'scans may need more than dpem.scan_memory for a sort, and every role can ask how large the tablespace of its'
        || ' database is, temporary files included: how many rows are sorted; name another tablespace in dpem.spill_tablespace, or'
        || ' give more memory (as a superuser; it takes pg_reload_conf() after it)'
        ELSE format('may ask how large tablespace %s is, which has the temporary files of scans', s.place) END,
    CASE s.adjacency WHEN 'replace_one' THEN 'medium' ELSE 'high' END,
    CASE WHEN s.role IS NULL THEN format('ALTER SYSTEM SET dpem.scan_memory = %L',
            least(ceil(s.needed / 1048576.0), 2097151) || 'MB')
        ELSE format('REVOKE CREATE ON TABLESPACE %I FROM %s', s.place, dpem_internal.exposure_role(s.role)) END
FROM seen s
$$;
COMMENT ON FUNCTION dpem_internal.exposure_temporary_files(bigint) IS 'internal: temporary files of scans that analysts can measure';
