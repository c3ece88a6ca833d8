-- docs/reference.md from the comments in the catalog: what \df+ and \d+ show.
SET search_path = pg_catalog, pg_temp;
SET client_min_messages = warning;
CREATE TEMP VIEW member AS
    SELECT d.classid, d.objid FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid
     WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'dpem';

-- a cell of a table: text in which a line or a bar would end it
CREATE FUNCTION pg_temp.cell(content text) RETURNS text LANGUAGE sql
AS $$ SELECT replace(replace(replace(content, '|', '\|'), '<', '&lt;'), E'\n', ' ') $$;

-- types by their short names, and defaults without a cast
CREATE FUNCTION pg_temp.short(content text) RETURNS text LANGUAGE sql
AS $$ SELECT regexp_replace(replace(replace(content, 'double precision', 'float8'), 'timestamp with time zone', 'timestamptz'), '::[a-z0-9 ]+(\[\])?', '', 'g') $$;

-- the functions in the schema of the extension
CREATE TEMP VIEW function AS
    SELECT p.proname, p.oid, obj_description(p.oid, 'pg_proc') AS comment,
        pg_temp.short(pg_get_function_arguments(p.oid)) AS arguments,
        pg_temp.short(pg_get_function_result(p.oid)) AS result,
        CASE WHEN p.proname ~ '^dp_(register|grant_budget|revoke_budget|drop_dataset|acknowledge|exposure|selftest)' THEN 1
             WHEN 'dataset' = ANY (p.proargnames) THEN 2
             WHEN p.proargnames[1] IN ('model', 'models') THEN 3
             ELSE 4 END AS part
      FROM pg_proc AS p JOIN member AS m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
     WHERE p.pronamespace NOT IN ('dpem'::regnamespace, 'dpem_internal'::regnamespace);

-- tables and views that everybody may read, and the rows of functions
CREATE TEMP VIEW relation AS
    SELECT c.relname, c.oid, obj_description(c.oid, 'pg_class') AS comment
      FROM pg_class AS c JOIN member AS m ON m.classid = 'pg_class'::regclass AND m.objid = c.oid
     WHERE c.relkind IN ('r', 'v', 'f') AND EXISTS (SELECT FROM aclexplode(c.relacl) AS a WHERE a.grantee = 0 AND a.privilege_type = 'SELECT')
    UNION ALL
    SELECT t.typname, t.typrelid, obj_description(t.oid, 'pg_type')
      FROM pg_type AS t JOIN member AS m ON m.classid = 'pg_type'::regclass AND m.objid = t.oid
      JOIN pg_class AS c ON c.oid = t.typrelid WHERE c.relkind = 'c' AND c.relnamespace <> 'dpem_internal'::regnamespace;

CREATE TEMP VIEW line (part, item, sub, line) AS
    VALUES (0, '', 0, '# Reference'), (0, '', 1, ''),
        (0, '', 2, '<!-- written by scripts/reference.sh -->'),
        (0, '', 3, 'What `\df+` and `\d+` show: functions in the schema of the extension, views in schema `dpem`, settings. '
                   'Each [family](families/gmm.md) has a page that explains the arguments of its fits; [datasets.md](datasets.md) explains datasets, shares and accountants.'), (0, '', 4, ''),
        (1, '', 0, '## For the owner of a source, and superusers'), (1, '', 1, ''), (2, '', 0, '## For roles with a budget'), (2, '', 1, ''),
        (3, '', 0, '## For roles that may read a model'), (3, '', 1, ''), (4, '', 0, '## For everyone'), (4, '', 1, ''),
        (5, '', 0, '## Views, and rows of functions'), (5, '', 1, ''), (6, '', 0, '## Settings'), (6, '', 1, ''),
        (6, '', 2, '| setting | default | meaning |'), (6, '', 3, '|---|---|---|')
    UNION ALL
    SELECT f.part, f.proname || ' ' || f.arguments, n,
        CASE n WHEN 0 THEN format('**`%s`**`(%s)` → `%s`', f.proname, f.arguments, f.result) WHEN 2 THEN f.comment ELSE '' END
      FROM function AS f, generate_series(0, 3) AS n
    UNION ALL
    SELECT 5, r.relname, n,
        CASE n WHEN 0 THEN format('### dpem.%s', r.relname) WHEN 2 THEN r.comment WHEN 4 THEN '| column | type | meaning |' WHEN 5 THEN '|---|---|---|' ELSE '' END
      FROM relation AS r, generate_series(0, 5) AS n
    UNION ALL
    SELECT 5, r.relname, 5 + a.attnum,
        format('| `%s` | %s | %s |', a.attname, pg_temp.short(format_type(a.atttypid, a.atttypmod)),
            pg_temp.cell(coalesce(col_description(r.oid, a.attnum), '')))
      FROM relation AS r JOIN pg_attribute AS a ON a.attrelid = r.oid WHERE a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT 5, r.relname, 10000, '' FROM relation AS r
    UNION ALL
    SELECT 6, s.name, 4, format('| `%s` | %s | %s |', s.name, s.boot_val || coalesce(' ' || s.unit, ''),
            pg_temp.cell(concat_ws('; ', s.short_desc, s.extra_desc)))
      FROM pg_settings AS s WHERE s.name LIKE 'dpem.%';

SELECT line FROM line ORDER BY part, item COLLATE "C", sub;
