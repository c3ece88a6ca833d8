-- The extension's test of itself, on rows of its own making.

CREATE FUNCTION dp_selftest(families text DEFAULT '%')
RETURNS TABLE (family text, adjacency text, checked text, declared float8, measured float8, passed boolean)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 10000000 ROWS 500 AS 'MODULE_PATHNAME', 'dp_selftest';
REVOKE ALL ON FUNCTION dp_selftest(text) FROM PUBLIC;
COMMENT ON FUNCTION dp_selftest(text) IS
'runs every family on neighbouring artificial tables with the same randomness and compares declared with measured values (families: the beginning of their names, or a LIKE pattern; quick: one case of each, with one kind of units, in seconds); reads no other rows, spends nothing and leaves nothing behind';
