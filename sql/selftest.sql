-- the extension's test of itself: everything holds, the worst neighbours are met, nothing is left behind
CREATE TEMP TABLE before AS SELECT charges(), models(), (SELECT count(*) FROM dpem.dataset) AS datasets, (SELECT count(*) FROM dpem.role_number) AS roles,
    (SELECT count(*) FROM pg_class WHERE relnamespace::regnamespace::text !~ '^pg_t') AS relations, current_setting('client_min_messages') AS level;
CREATE TEMP TABLE tested AS SELECT * FROM dp_selftest();
SELECT family, adjacency, checked, declared, measured FROM tested WHERE passed IS NOT TRUE ORDER BY 1, 2, 3;
SELECT count(*) >= 20 AS families, bool_and(kinds = 4 AND rows >= 36) AS complete
  FROM (SELECT family, count(DISTINCT adjacency) AS kinds, count(*) AS rows FROM tested GROUP BY 1) f;
SELECT DISTINCT checked FROM tested WHERE checked !~ '^sensitivity: ' ORDER BY 1;
-- the neighbours come close to what is declared, or the test would say little
SELECT family, adjacency, max(measured / declared) > 0.99 AS tight FROM tested
 WHERE checked = 'sensitivity: mixture' AND family IN ('gmm full', 'gmm full, whitened', 'gmm one component') AND NOT (family = 'gmm one component' AND adjacency ~ 'add')
 GROUP BY 1, 2 ORDER BY 1, 2;
SELECT family, checked, max(measured / declared) > 0.99 AS tight FROM tested
 WHERE checked ~ '^sensitivity' AND (family = 'gmm llg' OR family ~ '^kmeans (joint|dplloyd)' OR (family ~ '^logit' AND checked ~ 'first') OR family = 'lda') GROUP BY 1, 2 ORDER BY 1, 2;
SELECT family, adjacency, max(measured / declared) > 0.99 AS tight FROM tested
 WHERE checked ~ '^sensitivity' AND family IN ('gmm by groups', 'count', 'count by groups, laplace', 'sum, laplace', 'average by groups', 'variance', 'covariance by groups', 'histogram', 'median', 'quantile') GROUP BY 1, 2 ORDER BY 1, 2;
-- samples, random blocks and private keys: the worst of these is met too
SELECT family, max(measured / declared) > 0.99 AS tight FROM tested WHERE checked ~ '^sensitivity' AND family ~ 'kmeans joint, samples|lda, samples|keys|blocks' GROUP BY 1 ORDER BY 1;
SELECT family, max(measured / declared) > 0.99 AS tight FROM tested WHERE checked ~ '^failure' GROUP BY 1 ORDER BY 1;
SELECT bool_and(measured > 5) AS queries_seen FROM tested WHERE checked ~ 'queries';
SELECT bool_and(measured > 0) AS messages_seen FROM tested WHERE checked ~ 'messages';
SELECT b.charges = charges() AS charges, b.models = models() AS models, b.datasets = (SELECT count(*) FROM dpem.dataset) AS datasets,
    (SELECT count(*) FROM dpem.role_number) - b.roles <= 1 AS roles, /* the tester's own number stays */ b.relations = (SELECT count(*) FROM pg_class WHERE relnamespace::regnamespace::text !~ '^pg_t') AS relations, level = current_setting('client_min_messages') AS level FROM before b;
SELECT count(DISTINCT family) FROM dp_selftest('gmm ggg%');
SELECT attempt($$SELECT count(*) FROM dp_selftest('no such family')$$);
CREATE FUNCTION pg_temp.hint(statement text, OUT hint text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
END$$;
SELECT hint ~ '^Say how a name begins, or a LIKE pattern, of: "gmm full", .*"kmeans blocks laplace"\.$' AS names FROM pg_temp.hint($$SELECT count(*) FROM dp_selftest('no such family')$$);
SELECT bool_and(attempt(format('SELECT count(*) FROM dp_selftest(%L)', f)) ~ '^22023') AS none FROM unnest(ARRAY['', 'gm', 'gmm f', 'GMM', 'gmm ', 'nothing%']) AS f;
SELECT string_agg(DISTINCT family, '; ' ORDER BY family) FROM dp_selftest('count by');

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
SELECT attempt('SELECT * FROM dp_selftest(''gmm full'')');
SELECT attempt($$SELECT * FROM dp_gmm_fit('dpem_selftest', 2, 1.5, 1e-5)$$) ~ '^DP001' AS refused;
SELECT attempt($$SELECT * FROM dp_gmm_fit('dpem_selftest', 2, 0.5, 1e-5)$$);
SELECT charges() - b.charges AS charged FROM before b;
SET client_min_messages = warning;
SELECT dp_drop_model(model) FROM dpem.models WHERE dataset = 'dpem_selftest';
SELECT dp_drop_dataset('dpem_selftest');
DROP SCHEMA dpem_selftest CASCADE;
DROP TABLE before, tested;
