\echo Use "CREATE EXTENSION dpem" to load this file. \quit

-- Views live in schema dpem whatever schema the functions go to, and what they
-- are made of in dpem_internal, so that a tool that lists dpem lists what a
-- person may read.  A dataset's owner calls the aggregates in dpem_internal by
-- name, hence USAGE; its tables are nobody's.  Nobody but the extension's owner
-- may create anything in either.
CREATE SCHEMA dpem;
REVOKE ALL ON SCHEMA dpem FROM PUBLIC;
GRANT USAGE ON SCHEMA dpem TO PUBLIC;
CREATE SCHEMA dpem_internal;
REVOKE ALL ON SCHEMA dpem_internal FROM PUBLIC;
GRANT USAGE ON SCHEMA dpem_internal TO PUBLIC;
-- Views call functions of these schemas as whoever reads them, and scans as the rows' owner: whom default privileges let call
-- functions is no matter.  Undone at the end.
ALTER DEFAULT PRIVILEGES IN SCHEMA dpem, dpem_internal GRANT EXECUTE ON FUNCTIONS TO PUBLIC;
COMMENT ON SCHEMA dpem_internal IS 'internal: the tables of dpem, and the functions that its own queries call';
COMMENT ON SCHEMA dpem IS 'private datasets, budgets, the ledger of charges, and released models';
