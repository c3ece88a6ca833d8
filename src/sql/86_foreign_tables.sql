-- Private foreign tables.

-- As in 10_catalog.sql: only pg_catalog's names and operators are looked at.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE FUNCTION dpem_internal.last_answers()
RETURNS TABLE (table_name text, aggregate text, key text, value float8, noise_stddev float8, ci_lower float8,
    ci_upper float8, rank_error float8, epsilon float8, delta float8, charge bigint, answered_at timestamptz, reused boolean)
LANGUAGE c VOLATILE PARALLEL RESTRICTED ROWS 10 AS 'MODULE_PATHNAME', 'dpem_last_answer';
COMMENT ON FUNCTION dpem_internal.last_answers() IS
'internal: what this session''s last query of private tables was given; read dpem.last_answer';

CREATE VIEW dpem.last_answer WITH (security_barrier) AS SELECT * FROM dpem_internal.last_answers();
COMMENT ON VIEW dpem.last_answer IS
'numbers that this session''s last query of private tables was given, one row for each aggregate and group, with the noise in them';
COMMENT ON COLUMN dpem.last_answer.table_name IS 'private table';
COMMENT ON COLUMN dpem.last_answer.aggregate IS 'aggregate as the query has it';
COMMENT ON COLUMN dpem.last_answer.key IS 'group: the values of what the query groups by; NULL: there is one group';
COMMENT ON COLUMN dpem.last_answer.value IS 'released number, not rounded';
COMMENT ON COLUMN dpem.last_answer.ci_lower IS 'lower end of the 95 % interval for the number without noise; of a percentile: of the bin that was chosen';
COMMENT ON COLUMN dpem.last_answer.ci_upper IS 'upper end of the 95 % interval for the number without noise; of a percentile: of the bin that was chosen';
COMMENT ON COLUMN dpem.last_answer.rank_error IS 'of a percentile: rows by which its rank differs at most, in 95 of 100 answers; NULL: of others';
COMMENT ON COLUMN dpem.last_answer.epsilon IS 'of the whole query that was paid for';
COMMENT ON COLUMN dpem.last_answer.answered_at IS 'when it was released';
COMMENT ON COLUMN dpem.last_answer.reused IS 'whether an earlier answer was given again, which costs nothing';
GRANT SELECT ON dpem.last_answer TO PUBLIC;

CREATE FUNCTION dpem_internal.fdw_handler() RETURNS fdw_handler
    LANGUAGE c AS 'MODULE_PATHNAME', 'dpem_fdw_handler';
COMMENT ON FUNCTION dpem_internal.fdw_handler() IS 'internal: of the foreign data wrapper dpem_fdw';
CREATE FUNCTION dpem_internal.fdw_validator(text[], oid) RETURNS void
    LANGUAGE c AS 'MODULE_PATHNAME', 'dpem_fdw_validator';
COMMENT ON FUNCTION dpem_internal.fdw_validator(text[], oid) IS 'internal: of the foreign data wrapper dpem_fdw';

REVOKE ALL ON FUNCTION dpem_internal.fdw_handler(), dpem_internal.fdw_validator(text[], oid) FROM PUBLIC;

CREATE FOREIGN DATA WRAPPER dpem_fdw HANDLER dpem_internal.fdw_handler VALIDATOR dpem_internal.fdw_validator;
COMMENT ON FOREIGN DATA WRAPPER dpem_fdw IS 'private foreign tables: plain SQL over datasets';
CREATE SERVER dpem FOREIGN DATA WRAPPER dpem_fdw;
COMMENT ON SERVER dpem IS 'the datasets of this database, for private foreign tables';
-- A table on it has no rights of its own: whoever reads it needs a share of the dataset's budget.
GRANT USAGE ON FOREIGN SERVER dpem TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;

CREATE FUNCTION dp_publish(dataset text, schema regnamespace DEFAULT NULL)
RETURNS regclass LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dp_publish';
COMMENT ON FUNCTION dp_publish(text, regnamespace) IS
'makes a private foreign table of a dataset of the caller''s in a schema: its numbers, labels and keys, and no rows; roles with SELECT on it and a share of the dataset''s budget may ask for aggregates in plain SQL';
