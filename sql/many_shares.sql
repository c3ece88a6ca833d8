-- what views ask of the ledger grows with the number of shares, not with datasets times shares
\pset null -
SET client_min_messages = warning;
CREATE SCHEMA many;
DO $$
BEGIN
    FOR i IN 1 .. 40 LOOP
        EXECUTE format('CREATE TABLE many.t%s (x float8)', i);
        PERFORM dp_register_dataset('many ' || i, format('many.t%s', i)::regclass, 10, 1e-5), dp_register_column('many ' || i, 'x', 0, 1);
        PERFORM dp_grant_budget(role::regrole, 'many ' || i, 1, 1e-6, reserved => role = 'regress_other', expires => CASE WHEN role = 'regress_other' THEN 'tomorrow'::timestamptz END)
          FROM unnest('{regress_analyst,regress_other,regress_reader,regress_member}'::text[]) AS role;
    END LOOP;
END$$;
ANALYZE dpem_internal.budget, dpem_internal.dataset;
-- index scans of the ledger and its totals, in this transaction
CREATE FUNCTION many.scans() RETURNS bigint LANGUAGE sql AS
'SELECT sum(pg_stat_get_xact_numscans(i.indexrelid))::bigint FROM pg_index AS i WHERE i.indrelid IN (''dpem_internal.charge''::regclass, ''dpem_internal.running_total''::regclass)';
BEGIN;
-- the view looks at the shares of other tests' datasets, too, before the condition on its names
SELECT count(*) AS shares FROM dpem.budgets \gset
SELECT many.scans() AS before \gset
SELECT count(*) FILTER (WHERE role IS NULL) AS datasets, count(role) AS shares, bool_and(epsilon = remaining_epsilon) AS whole, count(*) FILTER (WHERE reserved_percent > 0) AS reserved,
       bool_and(reserved_percent BETWEEN 0 AND 100) AS percent FROM dpem.budgets WHERE dataset LIKE 'many %';
SELECT (many.scans() - :before) / :shares.0 < 60 AS few_scans_a_share;
COMMIT;
SET ROLE regress_other;
SELECT count(*), min(reserved_percent) = max(reserved_percent) AS same FROM dpem.budgets WHERE dataset LIKE 'many %' AND role = 'regress_other';
RESET ROLE;
DO $$BEGIN PERFORM dp_drop_dataset(dataset) FROM dpem.datasets WHERE dataset LIKE 'many %'; END$$;
DROP SCHEMA many CASCADE;
