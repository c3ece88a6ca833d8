-- Everything an installed dpem consists of, a line each, the same however it came about: objects,
-- definitions, rights, comments, and what pg_dump carries.
SET search_path = pg_catalog, pg_temp;
CREATE TEMP VIEW member AS
    SELECT d.classid, d.objid FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid
     WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'dpem';
CREATE FUNCTION pg_temp.rights(acl aclitem[]) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(concat_ws(' ', CASE grantee WHEN 0 THEN 'public' ELSE grantee::regrole::text END, privilege_type, is_grantable), ', '
            ORDER BY grantee, privilege_type) FROM aclexplode(acl) $$;
CREATE TEMP VIEW relation AS
    SELECT c.* FROM pg_class AS c JOIN member AS m ON m.classid = 'pg_class'::regclass AND m.objid = c.oid;

SELECT concat_ws(' | ', 'object', i.type, i.identity, obj_description(m.objid, m.classid::regclass::name))
  FROM member AS m, pg_identify_object(m.classid, m.objid, 0) AS i WHERE m.classid <> 'pg_type'::regclass
UNION ALL
SELECT concat_ws(' | ', 'function', p.oid::regprocedure, CASE p.prokind WHEN 'a' THEN to_jsonb(a)::text ELSE pg_get_functiondef(p.oid) END,
        coalesce(pg_temp.rights(p.proacl), 'default'))
  FROM pg_proc AS p JOIN member AS m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
  LEFT JOIN (SELECT aggfnoid AS oid, aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggtranstype::regtype, agginitval FROM pg_aggregate) AS a
         ON a.oid = p.oid
UNION ALL
SELECT concat_ws(' | ', 'relation', c.oid::regclass, c.relkind, c.relpersistence, c.reloptions::text, c.relrowsecurity, c.relforcerowsecurity,
        CASE c.relkind WHEN 'v' THEN pg_get_viewdef(c.oid) END, coalesce(pg_temp.rights(c.relacl), 'default')) FROM relation AS c
UNION ALL
SELECT concat_ws(' | ', 'column', c.oid::regclass, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
        pg_get_expr(d.adbin, d.adrelid), pg_temp.rights(a.attacl), col_description(c.oid, a.attnum))
  FROM relation AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
UNION ALL
SELECT concat_ws(' | ', 'constraint', c.oid::regclass, k.conname, pg_get_constraintdef(k.oid)) FROM relation AS c JOIN pg_constraint AS k ON k.conrelid = c.oid
UNION ALL
SELECT concat_ws(' | ', 'index', pg_get_indexdef(x.indexrelid)) FROM relation AS c JOIN pg_index AS x ON x.indrelid = c.oid
UNION ALL
SELECT concat_ws(' | ', 'trigger', pg_get_triggerdef(t.oid), t.tgenabled) FROM relation AS c JOIN pg_trigger AS t ON t.tgrelid = c.oid WHERE NOT t.tgisinternal
UNION ALL
SELECT concat_ws(' | ', 'policy', c.oid::regclass, p.polname, p.polcmd, p.polpermissive, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
  FROM relation AS c JOIN pg_policy AS p ON p.polrelid = c.oid
UNION ALL
SELECT concat_ws(' | ', 'event trigger', e.evtname, e.evtevent, e.evtfoid::regprocedure, e.evtenabled, e.evttags::text)
  FROM pg_event_trigger AS e JOIN member AS m ON m.classid = 'pg_event_trigger'::regclass AND m.objid = e.oid
UNION ALL
SELECT concat_ws(' | ', 'schema', n.nspname, pg_temp.rights(n.nspacl)) FROM pg_namespace AS n JOIN member AS m ON m.classid = 'pg_namespace'::regclass AND m.objid = n.oid
UNION ALL
SELECT concat_ws(' | ', 'dumped', u.relation::regclass, u.condition)
  FROM pg_extension AS e, unnest(e.extconfig, e.extcondition) AS u (relation, condition) WHERE e.extname = 'dpem'
UNION ALL
SELECT concat_ws(' | ', 'version', e.extversion) FROM pg_extension AS e WHERE e.extname = 'dpem'
ORDER BY 1;
