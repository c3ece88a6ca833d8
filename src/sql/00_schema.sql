\echo Use "CREATE EXTENSION dpem" to load this file. \quit

-- Tables and views live in schema dpem whatever schema the functions go to.
-- Nobody but the extension's owner may create anything in it.
CREATE SCHEMA dpem;
REVOKE ALL ON SCHEMA dpem FROM PUBLIC;
GRANT USAGE ON SCHEMA dpem TO PUBLIC;
COMMENT ON SCHEMA dpem IS 'private datasets, budgets, the ledger of charges, and released models';
