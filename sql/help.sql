-- dp_help: what a role may do, with examples that can be run
\pset null -
-- every function that people call has one example, and none is of a function that is gone
SELECT p.proname FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
  JOIN pg_extension AS x ON x.oid = d.refobjid AND x.extname = 'dpem'
 WHERE p.proname ~ '^dp_' AND p.proname !~ '^dp_\w+_plan$' AND p.prokind <> 'a'
EXCEPT SELECT function FROM dpem.help_examples;
SELECT function FROM dpem.help_examples EXCEPT SELECT proname FROM pg_proc;
SELECT function FROM dpem.help_examples GROUP BY 1 HAVING count(*) > 1;

-- somebody without anything
CREATE ROLE regress_help;
SET ROLE regress_help;
SELECT topic, about FROM dp_help('next');
SELECT DISTINCT topic FROM dp_help() ORDER BY 1;
-- an owner on the first day, and step by step
RESET ROLE;
CREATE SCHEMA help_schema AUTHORIZATION regress_help;
SET ROLE regress_help;
CREATE TABLE help_schema.people AS SELECT i % 90 AS years, CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS kind FROM generate_series(1, 1000) AS i;
SELECT topic, about, example FROM dp_help('next');
SELECT dp_register_dataset('people', 'help_schema.people', 2, 1e-6);
SELECT topic, about, example FROM dp_help('next');
SELECT dp_register_column('people', 'years', 0, 90), dp_register_column('people', 'kind', '{f,m}');
SELECT topic, about, example FROM dp_help('next');
SELECT dp_grant_budget('regress_help', 'people', 2, 1e-6);
SELECT topic, about, example FROM dp_help('next');
SELECT topic, count(*) > 3 AS many, bool_and(about IS NOT NULL AND example IS NOT NULL) AS complete FROM dp_help() WHERE topic NOT IN ('next', 'help') GROUP BY 1 ORDER BY 1;
SELECT topic, function, example FROM dp_help('dp_avg');
SELECT count(*) FROM dp_help('nothing of that name');
-- its statistics run as they stand
CREATE FUNCTION pg_temp.runs(statement text) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN EXECUTE statement; RETURN true; END$$;
SELECT function, pg_temp.runs(example) FROM dp_help('ask') WHERE function NOT IN ('dp_covariance') ORDER BY function;
SELECT function, pg_temp.runs(example) FROM dp_help('compute') ORDER BY function;
SELECT dp_drop_dataset('people');
DROP FUNCTION pg_temp.runs(text);
RESET ROLE;
DROP SCHEMA help_schema CASCADE;
DROP ROLE regress_help;

-- views of models and dp_help are run, not compiled: the planner expects few rows of a model, and the steps' query is long
CREATE FUNCTION pg_temp.rows_expected(name text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE format('EXPLAIN (FORMAT JSON) SELECT * FROM dpem.%I', name) INTO plan;
    RETURN plan->0->'Plan'->>'Plan Rows';
END$$;
SELECT viewname FROM pg_views WHERE schemaname = 'dpem' AND pg_temp.rows_expected(viewname) >= 1e6 ORDER BY 1;
SELECT proconfig FROM pg_proc WHERE proname = 'dp_help';
