-- The aggregate of a pass.  Everyone may call it on rows they can read; it
-- adds no noise and releases nothing by itself.

CREATE FUNCTION dpem.moments_transition(internal, bytea, VARIADIC "any")
RETURNS internal LANGUAGE c IMMUTABLE PARALLEL SAFE COST 100 AS 'MODULE_PATHNAME', 'dpem_moments_transition';
CREATE FUNCTION dpem.moments_combine(internal, internal)
RETURNS internal LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_moments_combine';
CREATE FUNCTION dpem.moments_serialize(internal)
RETURNS bytea LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_moments_serialize';
CREATE FUNCTION dpem.moments_deserialize(bytea, internal)
RETURNS internal LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_moments_deserialize';
CREATE FUNCTION dpem.moments_final(internal)
RETURNS bytea LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_moments_final';

REVOKE ALL ON FUNCTION dpem.moments_transition(internal, bytea, VARIADIC "any") FROM PUBLIC;
REVOKE ALL ON FUNCTION dpem.moments_combine(internal, internal) FROM PUBLIC;
REVOKE ALL ON FUNCTION dpem.moments_serialize(internal) FROM PUBLIC;
REVOKE ALL ON FUNCTION dpem.moments_deserialize(bytea, internal) FROM PUBLIC;
REVOKE ALL ON FUNCTION dpem.moments_final(internal) FROM PUBLIC;
COMMENT ON FUNCTION dpem.moments_transition(internal, bytea, VARIADIC "any") IS 'internal: support of dpem.moments';
COMMENT ON FUNCTION dpem.moments_combine(internal, internal) IS 'internal: support of dpem.moments';
COMMENT ON FUNCTION dpem.moments_serialize(internal) IS 'internal: support of dpem.moments';
COMMENT ON FUNCTION dpem.moments_deserialize(bytea, internal) IS 'internal: support of dpem.moments';
COMMENT ON FUNCTION dpem.moments_final(internal) IS 'internal: support of dpem.moments';

CREATE AGGREGATE dpem.moments(pass bytea, VARIADIC "any") (
    SFUNC = dpem.moments_transition,
    STYPE = internal,
    SSPACE = 1048576,
    COMBINEFUNC = dpem.moments_combine,
    SERIALFUNC = dpem.moments_serialize,
    DESERIALFUNC = dpem.moments_deserialize,
    FINALFUNC = dpem.moments_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE dpem.moments(bytea, VARIADIC "any") IS
'internal: expected sufficient statistics of a pass over rows';

-- Evaluations bring a model, which is believed from dpem's own scans alone, and from the roles that may execute this:
-- those that another server's scans connect as.

CREATE FUNCTION dpem.brings_models() RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT true';
REVOKE ALL ON FUNCTION dpem.brings_models() FROM PUBLIC;
COMMENT ON FUNCTION dpem.brings_models() IS
'internal: its EXECUTE privilege lets a role bring dpem.moments a model to score rows by; for the role that another server''s dp_evaluate connects as, and no other';

-- States of parts of the rows, which other servers computed, added up.

CREATE FUNCTION dpem.moments_total_transition(internal, bytea)
RETURNS internal LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_moments_total_transition';
REVOKE ALL ON FUNCTION dpem.moments_total_transition(internal, bytea) FROM PUBLIC;
COMMENT ON FUNCTION dpem.moments_total_transition(internal, bytea) IS 'internal: support of dpem.moments_total';

CREATE AGGREGATE dpem.moments_total(state bytea) (
    SFUNC = dpem.moments_total_transition,
    STYPE = internal,
    SSPACE = 1048576,
    COMBINEFUNC = dpem.moments_combine,
    SERIALFUNC = dpem.moments_serialize,
    DESERIALFUNC = dpem.moments_deserialize,
    FINALFUNC = dpem.moments_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE dpem.moments_total(bytea) IS
'internal: sum of results of dpem.moments over parts of the rows, from this server or others';

-- k-means or least squares within random blocks of rows, for sample-and-aggregate.  It draws random
-- numbers and needs all rows in one place.

CREATE FUNCTION dpem.block_means_transition(internal, bytea, VARIADIC "any")
RETURNS internal LANGUAGE c VOLATILE PARALLEL UNSAFE COST 100 AS 'MODULE_PATHNAME', 'dpem_block_means_transition';
CREATE FUNCTION dpem.block_means_final(internal)
RETURNS bytea LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dpem_block_means_final';
REVOKE ALL ON FUNCTION dpem.block_means_transition(internal, bytea, VARIADIC "any") FROM PUBLIC;
REVOKE ALL ON FUNCTION dpem.block_means_final(internal) FROM PUBLIC;
COMMENT ON FUNCTION dpem.block_means_transition(internal, bytea, VARIADIC "any") IS 'internal: support of dpem.block_means';
COMMENT ON FUNCTION dpem.block_means_final(internal) IS 'internal: support of dpem.block_means';

CREATE AGGREGATE dpem.block_means(pass bytea, VARIADIC "any") (
    SFUNC = dpem.block_means_transition,
    STYPE = internal,
    SSPACE = 1048576,
    FINALFUNC = dpem.block_means_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = UNSAFE
);
COMMENT ON AGGREGATE dpem.block_means(bytea, VARIADIC "any") IS
'internal: sum of the outputs of k-means or least squares within random blocks of rows';

CREATE FUNCTION dpem.numeric_to_float8(numeric)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_numeric_to_float8';
COMMENT ON FUNCTION dpem.numeric_to_float8(numeric) IS
'internal: a number as float8, infinite where it is out of range; never an error';

CREATE FUNCTION dpem.place(categories text[], value text)
RETURNS int LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_place';
COMMENT ON FUNCTION dpem.place(text[], text) IS
'internal: the place of a value among categories, from 1, compared byte by byte; NULL where it is none of them';

CREATE FUNCTION dpem.days(date)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_days';
COMMENT ON FUNCTION dpem.days(date) IS
'days since 2000-01-01, as columns of dates are read; infinite for infinite dates';

CREATE FUNCTION dpem.seconds(timestamp)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_seconds';
COMMENT ON FUNCTION dpem.seconds(timestamp) IS
'seconds since 2000-01-01 00:00, as columns of timestamps are read; infinite for infinite ones';

CREATE FUNCTION dpem.seconds(timestamptz)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_seconds';
COMMENT ON FUNCTION dpem.seconds(timestamptz) IS
'seconds since 2000-01-01 00:00 UTC, as columns of timestamps with time zone are read; infinite for infinite ones';

CREATE FUNCTION dpem.date_at(days float8)
RETURNS date LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_date_at';
COMMENT ON FUNCTION dpem.date_at(float8) IS
'the date of so many days since 2000-01-01: a released number of a column of dates; infinite beyond the dates that there are';

CREATE FUNCTION dpem.timestamp_at(seconds float8)
RETURNS timestamp LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_timestamp_at';
COMMENT ON FUNCTION dpem.timestamp_at(float8) IS
'the time (UTC) of so many seconds since 2000-01-01 00:00: a released number of a column of timestamps; infinite beyond the times that there are';

-- What queries of passes are written with where AND, OR, CASE and comparisons
-- would read a value of some rows only.  Whose rows they are may call them.

CREATE FUNCTION dpem.fetched(anyelement)
RETURNS anyelement LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_fetched';
COMMENT ON FUNCTION dpem.fetched(anyelement) IS
'internal: the value, read in full from where it is stored';

CREATE FUNCTION dpem.enum_label(anyelement)
RETURNS text LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_enum_label';
COMMENT ON FUNCTION dpem.enum_label(anyelement) IS
'internal: label of an enum''s value, by one look into the catalog for all values';

CREATE FUNCTION dpem.both(boolean, boolean)
RETURNS boolean LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_both';
COMMENT ON FUNCTION dpem.both(boolean, boolean) IS
'internal: AND that always evaluates both sides';

CREATE FUNCTION dpem.either(boolean, boolean)
RETURNS boolean LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_either';
COMMENT ON FUNCTION dpem.either(boolean, boolean) IS
'internal: OR that always evaluates both sides';

CREATE FUNCTION dpem.counted_key(key text, counts boolean)
RETURNS text LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_counted_key';
COMMENT ON FUNCTION dpem.counted_key(text, boolean) IS
'internal: the key of a row that counts, else NULL; always evaluates both';

CREATE FUNCTION dpem.counted_value(x float8, counts boolean)
RETURNS float8 LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_counted_value';
COMMENT ON FUNCTION dpem.counted_value(float8, boolean) IS
'internal: the number of a row that counts, else NULL, as for NaN and infinities; always evaluates both';

CREATE FUNCTION dpem.is_known(x float8)
RETURNS float8 LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_is_known';
COMMENT ON FUNCTION dpem.is_known(float8) IS
'internal: 1 for a finite number, 0 for NULL, NaN and infinities';

CREATE FUNCTION dpem.known_or(x float8, other float8)
RETURNS float8 LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_known_or';
COMMENT ON FUNCTION dpem.known_or(float8, float8) IS
'internal: x if it is a finite number, else the other';

CREATE FUNCTION dpem.gathered(relation regclass) RETURNS SETOF record
LANGUAGE C STABLE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'dpem_gathered';
COMMENT ON FUNCTION dpem.gathered(regclass) IS
'internal: the columns that the caller''s column definition list names, of all rows of a relation, read with the caller''s rights by a query of its own; how passes read what Citus has distributed';
