-- The dataset's own terms, and the report as a whole.

CREATE FUNCTION dpem_internal.exposure_terms(dataset bigint) RETURNS SETOF dpem.exposure_finding
    LANGUAGE sql STABLE ROWS 10 SET search_path = pg_catalog, pg_temp
AS $$
WITH about AS (
    SELECT d.*, c.reltuples, n.nspname FROM dpem_internal.dataset d JOIN pg_class c ON c.oid = d.source,
        pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE d.id = $1 AND e.extname = 'dpem'
), term AS (
    SELECT a.*, NULL::regrole AS holder, a.epsilon AS held_epsilon, a.delta AS held_delta FROM about a
    UNION ALL SELECT a.*, b.role, b.epsilon, b.delta FROM about a JOIN dpem_internal.budget b ON b.dataset = a.id
), judged AS (
    SELECT t.*, least(t.held_epsilon, 10) AS fair_epsilon,
        least(t.held_delta, CASE WHEN t.reltuples >= 1 THEN 1 / t.reltuples::float8 ELSE 1e-3 END) AS fair_delta
    FROM term t
)
SELECT 'budget', j.source_name, pg_get_userbyid(j.holder),
    format('epsilon %s at delta %s%s%s', j.held_epsilon, j.held_delta,
        CASE WHEN j.held_epsilon > 10 THEN '; above epsilon 10 little is promised' ELSE '' END,
        CASE WHEN j.held_delta > j.fair_delta THEN '; a delta above one over the number of rows may give a whole row away' ELSE '' END)
    || CASE WHEN j.holder IS NULL THEN '; it may become less, though not less than what was spent' ELSE '' END,
    'medium', CASE WHEN j.holder IS NOT NULL THEN format('SELECT %I.dp_grant_budget(%L, %L, %s, %s)',
        j.nspname, j.holder, j.name, j.fair_epsilon, j.fair_delta)
        ELSE format('SELECT %I.dp_alter_dataset(%L, epsilon => %s, delta => %s)', j.nspname, j.name, j.fair_epsilon, j.fair_delta) END
FROM judged j WHERE j.held_epsilon > j.fair_epsilon OR j.held_delta > j.fair_delta
UNION ALL
SELECT 'column', format('%s.%I', a.source_name, t.attname), NULL,
    'has no registered domain: no fit reads it, and whoever wants it in one has to know public bounds or categories first', 'info', NULL
FROM about a JOIN pg_attribute t ON t.attrelid = a.source AND t.attnum > 0 AND NOT t.attisdropped
WHERE t.attname IS DISTINCT FROM a.unit
    AND NOT EXISTS (SELECT 1 FROM dpem_internal.dataset_column c WHERE c.dataset = a.id AND c.column_name = t.attname)
UNION ALL
SELECT 'unit', a.source_name, NULL,
    'one row is taken as one person: whoever has several is protected less; register with unit where that can be', 'info', NULL
FROM about a WHERE a.unit IS NULL
UNION ALL
SELECT 'unit', a.source_name, NULL, CASE WHEN a.unit_path IS NULL
        THEN format('that %I tells persons apart is the owner''s word; a path of foreign keys to their table would prove it', a.unit)
        ELSE format('that its rows speak of %s is the owner''s word: a view has no foreign keys', a.unit) END, 'info', NULL
FROM about a JOIN pg_class c ON c.oid = a.source
WHERE a.unit IS NOT NULL AND (a.unit_path IS NULL OR c.relkind NOT IN ('r', 'p'))
UNION ALL
SELECT 'row security', t.name, NULL, CASE WHEN c.relrowsecurity
        THEN 'row-level security is forced on the owner too: scans fail' ELSE
        'without row-level security, the next GRANT SELECT shows every row' END, 'low',
    CASE WHEN c.relrowsecurity THEN format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', t.name)
        ELSE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t.name) END
FROM dpem_internal.exposure_relations($1) t JOIN pg_class c ON c.oid = t.relation
WHERE t.below AND t.kind IN ('r', 'p') AND (c.relforcerowsecurity OR NOT c.relrowsecurity)
    AND (NOT c.relispartition OR c.relacl IS NOT NULL)
$$;
COMMENT ON FUNCTION dpem_internal.exposure_terms(bigint) IS 'internal: the budget, columns and row-level security of a dataset';

-- Views of the source that add up floating-point numbers in the order in which rows come.  In a view's query tree an aggregate's own
-- ORDER BY stands after its arguments.
CREATE FUNCTION dpem_internal.exposure_sums(dataset bigint) RETURNS SETOF dpem.exposure_finding
    LANGUAGE sql STABLE ROWS 1 SET search_path = pg_catalog, pg_temp
AS $$
SELECT DISTINCT 'sum', t.name, NULL, format('%s of floating-point numbers depends on the order of rows, '
    'which is due to the rows of all persons: make it one of numeric, or say ORDER BY the number inside', p.proname), 'medium', NULL
FROM dpem_internal.exposure_relations($1) t JOIN pg_rewrite r ON r.ev_class = t.relation,
    LATERAL regexp_matches(r.ev_action::text, '\{AGGREF :aggfnoid (\d+?) .*?:aggorder ([<(])', 'g') m(found)
    JOIN pg_aggregate a ON a.aggfnoid = m.found[1]::oid JOIN pg_proc p ON p.oid = a.aggfnoid
WHERE t.below AND t.kind IN ('v', 'm') AND m.found[2] = '<'
    AND a.aggtransfn::text IN ('float4pl', 'float8pl', 'float4_accum', 'float8_accum', 'float8_regr_accum')
$$;
COMMENT ON FUNCTION dpem_internal.exposure_sums(bigint) IS 'internal: sums in a dataset''s views whose last bits other persons'' rows decide';

CREATE FUNCTION dpem_internal.exposure(dataset bigint) RETURNS SETOF dpem.exposure_finding
    LANGUAGE sql STABLE ROWS 50 SET search_path = pg_catalog, pg_temp
AS $$
SELECT f.* FROM (
    SELECT * FROM dpem_internal.exposure_grants($1) UNION ALL SELECT * FROM dpem_internal.exposure_roles($1)
    UNION ALL SELECT * FROM dpem_internal.exposure_schemas($1)
    UNION ALL SELECT * FROM dpem_internal.exposure_functions($1) UNION ALL SELECT * FROM dpem_internal.exposure_copies($1)
    UNION ALL SELECT * FROM dpem_internal.exposure_servers($1) UNION ALL SELECT * FROM dpem_internal.exposure_statistics($1)
    UNION ALL SELECT * FROM dpem_internal.exposure_settings($1) UNION ALL SELECT * FROM dpem_internal.exposure_temporary_files($1)
    UNION ALL SELECT * FROM dpem_internal.exposure_sums($1) UNION ALL SELECT * FROM dpem_internal.exposure_terms($1)) f
ORDER BY array_position('{high,medium,low,info}', f.severity), f.topic, f.object, f.role, f.finding
$$;
COMMENT ON FUNCTION dpem_internal.exposure(bigint) IS 'internal: dp_exposure for a dataset''s number';

REVOKE ALL ON FUNCTION dpem_internal.exposure_relations(bigint), dpem_internal.exposure_analysts(bigint), dpem_internal.exposure_grantees(bigint),
    dpem_internal.exposure_role(oid), dpem_internal.exposure_grants(bigint), dpem_internal.exposure_powers(bigint), dpem_internal.exposure_roles(bigint),
    dpem_internal.exposure_schemas(bigint), dpem_internal.exposure_functions(bigint), dpem_internal.exposure_copies(bigint), dpem_internal.exposure_servers(bigint),
    dpem_internal.exposure_open_functions(bigint), dpem_internal.exposure_statistics(bigint), dpem_internal.exposure_settings(bigint),
    dpem_internal.exposure_temporary_files(bigint), dpem_internal.exposure_sums(bigint), dpem_internal.exposure_terms(bigint), dpem_internal.exposure(bigint) FROM PUBLIC;

CREATE FUNCTION dp_exposure(dataset text, OUT topic text, OUT object text, OUT role text,
    OUT finding text, OUT severity text, OUT remedy text)
RETURNS SETOF record LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_exposure';
COMMENT ON FUNCTION dp_exposure(text) IS
'what PostgreSQL itself shows about a dataset to the roles that hold a budget on it, how bad that is, and one SQL statement that closes it';
