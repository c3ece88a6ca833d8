-- the extension's test of itself: everything holds, the worst neighbours are met, nothing is left behind
CREATE TEMP TABLE before AS SELECT charges(), models(), (SELECT count(*) FROM dpem_internal.dataset) AS datasets, (SELECT count(*) FROM dpem_internal.role_number) AS roles,
    (SELECT count(*) FROM pg_class WHERE relnamespace::regnamespace::text !~ '^pg_t') AS relations, current_setting('client_min_messages') AS level;
-- one case of each family (`make audit` runs all): a pattern with an underscore is one name only
CREATE TEMP TABLE tested AS SELECT t.* FROM unnest('{gmm ll_,kmeans join_,factor analysi_,pca power,logi_,ld_,sb_,median,count by keys,"mixture, own frames","kmeans sparse grid, dim cells","kmeans sparse grid, heap"}'::text[]) AS f, dp_selftest(f) AS t;
SELECT family, adjacency, checked, declared, measured FROM tested WHERE passed IS NOT TRUE ORDER BY 1, 2, 3;
SELECT family, count(DISTINCT adjacency) AS adjacencies, count(*) >= 36 AS complete FROM tested GROUP BY 1 ORDER BY 1;
SELECT DISTINCT checked FROM tested WHERE checked !~ '^sensitivity: ' ORDER BY 1;
-- the neighbours come close to what is declared, or the test would say little
SELECT family, checked, max(measured / declared) > 0.99 AS tight FROM tested
 WHERE checked ~ '^(sensitivity|failure)' AND family ~ 'gmm|kmeans joint|logit|lda|median|keys' AND NOT (family = 'logit' AND checked !~ 'first') AND checked !~ 'choice' GROUP BY 1, 2 ORDER BY 1, 2;
-- what a document gains depends on topics that are mostly noise
SELECT max(measured) > 0 AS gains_seen FROM tested WHERE checked = 'sensitivity: choice';
SELECT bool_and(measured > 5) AS queries_seen FROM tested WHERE checked ~ 'queries';
SELECT bool_and(measured > 0) AS messages_seen FROM tested WHERE checked ~ 'messages';
SELECT b.charges = charges() AS charges, b.models = models() AS models, b.datasets = (SELECT count(*) FROM dpem_internal.dataset) AS datasets,
    (SELECT count(*) FROM dpem_internal.role_number) - b.roles <= 1 AS roles, /* the tester's own number stays */ b.relations = (SELECT count(*) FROM pg_class WHERE relnamespace::regnamespace::text !~ '^pg_t') AS relations, level = current_setting('client_min_messages') AS level FROM before b;
-- one case of each family, with one kind of units: a word of its own, not a beginning
SELECT count(DISTINCT family) > 10 AS families, count(DISTINCT adjacency) AS kinds, bool_and(passed) AS passed FROM dp_selftest('quick');
SELECT attempt($$SELECT count(*) FROM dp_selftest('no such family')$$);
CREATE FUNCTION pg_temp.hint(statement text, OUT hint text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
END$$;
SELECT hint ~ '^Say how a name begins, or a LIKE pattern, of: "gmm full", .*"kmeans blocks laplace".*"sum by keys"' AS names FROM pg_temp.hint($$SELECT count(*) FROM dp_selftest('no such family')$$);
SELECT bool_and(attempt(format('SELECT count(*) FROM dp_selftest(%L)', f)) ~ '^22023') AS none FROM unnest(ARRAY['', 'gm', 'gmm f', 'GMM', 'gmm ', 'nothing%']) AS f;

-- for the trusted only, and not where nothing may be written
SET ROLE regress_other;
SELECT attempt('SELECT * FROM dp_selftest()');
RESET ROLE;
GRANT EXECUTE ON FUNCTION dp_selftest(text) TO regress_other;
SET ROLE regress_other;
SELECT attempt('SELECT * FROM dp_selftest()');
RESET ROLE;
REVOKE EXECUTE ON FUNCTION dp_selftest(text) FROM regress_other;
BEGIN READ ONLY;
SELECT attempt('SELECT * FROM dp_selftest()');
ROLLBACK;
-- a schema of that name is nobody's to overwrite, and a failed test leaves no rehearsal on
CREATE SCHEMA dpem_selftest;
SELECT attempt('SELECT * FROM dp_selftest()');
DROP SCHEMA dpem_selftest;

-- what a rehearsal does is not to be had for a table that looks like its: such a fit is charged
CREATE SCHEMA dpem_selftest;
CREATE TABLE dpem_selftest.made_up (position int, unit int, a float8, b numeric, c float8);
INSERT INTO dpem_selftest.made_up SELECT i, i, sin(i), cos(i), sin(2 * i) FROM generate_series(1, 100) i;
SELECT dp_register_dataset('dpem_selftest', 'dpem_selftest.made_up', 10, 1e-4);
SELECT dp_register_column('dpem_selftest', x, -1, 1) FROM unnest('{a,b,c}'::text[]) x;
SELECT dp_grant_budget(current_user::regrole, 'dpem_selftest', 1, 1e-4);
SELECT attempt('SELECT * FROM dp_selftest(''gmm ll_'')');
SELECT attempt($$SELECT * FROM dp_gmm_fit('dpem_selftest', 2, 1.5, 1e-5)$$) ~ '^DP001' AS refused;
SELECT attempt($$SELECT * FROM dp_gmm_fit('dpem_selftest', 2, 0.5, 1e-5)$$);
SELECT charges() - b.charges AS charged FROM before b;
SET client_min_messages = warning;
SELECT dp_drop_model(model) FROM dpem.models WHERE dataset = 'dpem_selftest';
SELECT dp_drop_dataset('dpem_selftest');
DROP SCHEMA dpem_selftest CASCADE;
DROP TABLE before, tested;
