-- views of matrices read each array once, and not once for each of its elements
CREATE SCHEMA wide;
DO $$BEGIN EXECUTE (SELECT 'CREATE TABLE wide.numbers AS SELECT i % 2 = 0 AS flag, ' || string_agg(format('((i * %s + i * i %% 97) %% 1000) / 1000.0::float8 AS c%s', 7 + j, j), ', ')
    || ' FROM generate_series(1, 1000) AS i' FROM generate_series(1, 24) AS j); END$$;
ANALYZE wide.numbers;
SET client_min_messages = warning;
SELECT dp_register_dataset('numbers', 'wide.numbers', 900, 1e-4) IS NOT NULL AS registered;
SELECT count(dp_register_column('numbers', 'c' || j, 0, 1)) FROM generate_series(1, 24) AS j;
SELECT dp_register_column('numbers', 'flag') IS NOT NULL AS flag, dp_grant_budget(current_user::regrole, 'numbers', 900, 1e-4) IS NOT NULL AS granted;
SELECT count(*) FROM dp_linreg_fit('numbers', 'c1', 20, columns => (SELECT array_agg('c' || j) FROM generate_series(2, 24) AS j), model => 'long line');
SELECT count(*) FROM dp_logit_fit('numbers', 'flag', 20, model => 'long logit');
SELECT count(*) FROM dp_gmm_fit('numbers', 1, 20, model => 'long gmm');

CREATE FUNCTION wide.scans() RETURNS bigint LANGUAGE sql AS
'SELECT sum(pg_stat_get_xact_numscans(i.indexrelid))::bigint FROM pg_class AS c JOIN pg_index AS i ON i.indrelid = c.reltoastrelid
  WHERE c.oid IN (''dpem_internal.linreg_parameter''::regclass, ''dpem_internal.logit_parameter''::regclass, ''dpem_internal.gmm_parameter''::regclass)';
BEGIN;
SELECT wide.scans() AS before \gset
SELECT count(*), count(DISTINCT column_name), count(DISTINCT other_column), bool_and(covariance IS NOT NULL) AS known FROM dpem.linreg_covariances WHERE model = 'long line';
SELECT count(*), count(DISTINCT column_name), count(DISTINCT other_column), bool_and(covariance IS NOT NULL) AS known FROM dpem.logit_covariances WHERE model = 'long logit';
SELECT count(*), count(DISTINCT column_name), count(DISTINCT other_column), bool_and(correlation BETWEEN -1.001 AND 1.001 AND noise_stddev > 0) AS known FROM dpem.gmm_covariances WHERE model = 'long gmm';
SELECT wide.scans() - :before BETWEEN 1 AND 20 AS few_reads;
COMMIT;
-- the elements are where they belong
SELECT bool_and(near(v.stddev ^ 2, c.covariance)) AS variances FROM dpem.linreg_coefficients v JOIN dpem.linreg_covariances c USING (model, column_name) WHERE model = 'long line' AND c.other_column = column_name;
SELECT bool_and(near(v.stddev ^ 2, c.covariance)) AS variances FROM dpem.logit_coefficients v JOIN dpem.logit_covariances c USING (model, column_name) WHERE model = 'long logit' AND c.other_column = column_name;
SELECT bool_and(near(v.stddev ^ 2, c.covariance)) AS variances FROM dpem.gmm_means v JOIN dpem.gmm_covariances c USING (model, column_name) WHERE model = 'long gmm' AND c.other_column = column_name;
SELECT dp_drop_model('long line'), dp_drop_model('long logit'), dp_drop_model('long gmm');
SELECT dp_drop_dataset('numbers');
DROP SCHEMA wide CASCADE;
