-- The aggregate of a pass.  Everyone may call it on rows they can read; it
-- adds no noise and releases nothing by itself.

CREATE FUNCTION dpem_internal.moments_transition(internal, bytea, VARIADIC "any")
RETURNS internal LANGUAGE c IMMUTABLE PARALLEL SAFE COST 100 AS 'MODULE_PATHNAME', 'dpem_moments_transition';
CREATE FUNCTION dpem_internal.moments_combine(internal, internal)
RETURNS internal LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_moments_combine';
CREATE FUNCTION dpem_internal.moments_serialize(internal)
RETURNS bytea LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_moments_serialize';
CREATE FUNCTION dpem_internal.moments_deserialize(bytea, internal)
RETURNS internal LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_moments_deserialize';
CREATE FUNCTION dpem_internal.moments_final(internal)
RETURNS bytea LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_moments_final';

REVOKE ALL ON FUNCTION dpem_internal.moments_transition(internal, bytea, VARIADIC "any") FROM PUBLIC;
REVOKE ALL ON FUNCTION dpem_internal.moments_combine(internal, internal) FROM PUBLIC;
REVOKE ALL ON FUNCTION dpem_internal.moments_serialize(internal) FROM PUBLIC;
REVOKE ALL ON FUNCTION dpem_internal.moments_deserialize(bytea, internal) FROM PUBLIC;
REVOKE ALL ON FUNCTION dpem_internal.moments_final(internal) FROM PUBLIC;
COMMENT ON FUNCTION dpem_internal.moments_transition(internal, bytea, VARIADIC "any") IS 'internal: support of dpem_internal.moments';
COMMENT ON FUNCTION dpem_internal.moments_combine(internal, internal) IS 'internal: support of dpem_internal.moments';
COMMENT ON FUNCTION dpem_internal.moments_serialize(internal) IS 'internal: support of dpem_internal.moments';
COMMENT ON FUNCTION dpem_internal.moments_deserialize(bytea, internal) IS 'internal: support of dpem_internal.moments';
COMMENT ON FUNCTION dpem_internal.moments_final(internal) IS 'internal: support of dpem_internal.moments';

CREATE AGGREGATE dpem_internal.moments(pass bytea, VARIADIC "any") (
    SFUNC = dpem_internal.moments_transition,
    STYPE = internal,
    SSPACE = 1048576,
    COMBINEFUNC = dpem_internal.moments_combine,
    SERIALFUNC = dpem_internal.moments_serialize,
    DESERIALFUNC = dpem_internal.moments_deserialize,
    FINALFUNC = dpem_internal.moments_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE dpem_internal.moments(bytea, VARIADIC "any") IS
'internal: expected sufficient statistics of a pass over rows';

-- Evaluations bring a model, which is believed from dpem's own scans alone, and from the roles that may execute this:
-- those that another server's scans connect as.

CREATE FUNCTION dpem_internal.brings_models_transition(boolean, bytea, VARIADIC "any")
RETURNS boolean LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_brings_models_transition';
REVOKE ALL ON FUNCTION dpem_internal.brings_models_transition(boolean, bytea, VARIADIC "any") FROM PUBLIC;
COMMENT ON FUNCTION dpem_internal.brings_models_transition(boolean, bytea, VARIADIC "any") IS 'internal: support of dpem_internal.brings_models';

CREATE AGGREGATE dpem_internal.brings_models(bytea, VARIADIC "any") (
    SFUNC = dpem_internal.brings_models_transition,
    STYPE = boolean,
    PARALLEL = SAFE
);
REVOKE ALL ON FUNCTION dpem_internal.brings_models FROM PUBLIC;
COMMENT ON AGGREGATE dpem_internal.brings_models(bytea, VARIADIC "any") IS
'internal: its EXECUTE privilege lets a role bring dpem_internal.moments, whose arguments it has, a model to score rows by; for the role that another server''s dp_evaluate connects as, and no other. That server asks for it before the charge, of no rows';

-- States of parts of the rows, which other servers computed, added up.

CREATE FUNCTION dpem_internal.moments_total_transition(internal, bytea)
RETURNS internal LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_moments_total_transition';
REVOKE ALL ON FUNCTION dpem_internal.moments_total_transition(internal, bytea) FROM PUBLIC;
COMMENT ON FUNCTION dpem_internal.moments_total_transition(internal, bytea) IS 'internal: support of dpem_internal.moments_total';

CREATE AGGREGATE dpem_internal.moments_total(state bytea) (
    SFUNC = dpem_internal.moments_total_transition,
    STYPE = internal,
    SSPACE = 1048576,
    COMBINEFUNC = dpem_internal.moments_combine,
    SERIALFUNC = dpem_internal.moments_serialize,
    DESERIALFUNC = dpem_internal.moments_deserialize,
    FINALFUNC = dpem_internal.moments_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE dpem_internal.moments_total(bytea) IS
'internal: sum of results of dpem_internal.moments over parts of the rows, from this server or others';

-- k-means or least squares within random blocks of rows, for sample-and-aggregate.  It draws random
-- numbers and needs all rows in one place.

CREATE FUNCTION dpem_internal.block_means_transition(internal, bytea, VARIADIC "any")
RETURNS internal LANGUAGE c VOLATILE PARALLEL UNSAFE COST 100 AS 'MODULE_PATHNAME', 'dpem_block_means_transition';
CREATE FUNCTION dpem_internal.block_means_final(internal)
RETURNS bytea LANGUAGE c VOLATILE PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'dpem_block_means_final';
REVOKE ALL ON FUNCTION dpem_internal.block_means_transition(internal, bytea, VARIADIC "any") FROM PUBLIC;
REVOKE ALL ON FUNCTION dpem_internal.block_means_final(internal) FROM PUBLIC;
COMMENT ON FUNCTION dpem_internal.block_means_transition(internal, bytea, VARIADIC "any") IS 'internal: support of dpem_internal.block_means';
COMMENT ON FUNCTION dpem_internal.block_means_final(internal) IS 'internal: support of dpem_internal.block_means';

CREATE AGGREGATE dpem_internal.block_means(pass bytea, VARIADIC "any") (
    SFUNC = dpem_internal.block_means_transition,
    STYPE = internal,
    SSPACE = 1048576,
    FINALFUNC = dpem_internal.block_means_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = UNSAFE
);
COMMENT ON AGGREGATE dpem_internal.block_means(bytea, VARIADIC "any") IS
'internal: sum of the outputs of k-means or least squares within random blocks of rows';

CREATE FUNCTION dpem_internal.numeric_to_float8(numeric)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_numeric_to_float8';
COMMENT ON FUNCTION dpem_internal.numeric_to_float8(numeric) IS
'internal: a number as float8, infinite where it is out of range; never an error';

CREATE FUNCTION dpem_internal.place(categories text[], value text)
RETURNS int LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_place';
COMMENT ON FUNCTION dpem_internal.place(text[], text) IS
'internal: the place of a value among categories, from 1, compared byte by byte; NULL where it is none of them';

CREATE FUNCTION dpem_internal.days(date)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_days';
COMMENT ON FUNCTION dpem_internal.days(date) IS
'days since 2000-01-01, as columns of dates are read; infinite for infinite dates';

CREATE FUNCTION dpem_internal.seconds(timestamp)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_seconds';
COMMENT ON FUNCTION dpem_internal.seconds(timestamp) IS
'seconds since 2000-01-01 00:00, as columns of timestamps are read; infinite for infinite ones';

CREATE FUNCTION dpem_internal.seconds(timestamptz)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_seconds';
COMMENT ON FUNCTION dpem_internal.seconds(timestamptz) IS
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

CREATE FUNCTION dpem_internal.fetched(anyelement)
RETURNS anyelement LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_fetched';
COMMENT ON FUNCTION dpem_internal.fetched(anyelement) IS
'internal: the value, read in full from where it is stored';

CREATE FUNCTION dpem_internal.enum_label(anyelement)
RETURNS text LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_enum_label';
COMMENT ON FUNCTION dpem_internal.enum_label(anyelement) IS
'internal: label of an enum''s value, by one look into the catalog for all values';

CREATE FUNCTION dpem_internal.both(boolean, boolean)
RETURNS boolean LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_both';
COMMENT ON FUNCTION dpem_internal.both(boolean, boolean) IS
'internal: AND that always evaluates both sides';

CREATE FUNCTION dpem_internal.either(boolean, boolean)
RETURNS boolean LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_either';
COMMENT ON FUNCTION dpem_internal.either(boolean, boolean) IS
'internal: OR that always evaluates both sides';

CREATE FUNCTION dpem_internal.counted_key(key text, counts boolean)
RETURNS text LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_counted_key';
COMMENT ON FUNCTION dpem_internal.counted_key(text, boolean) IS
'internal: the key of a row that counts, else NULL; always evaluates both';

CREATE FUNCTION dpem_internal.counted_value(x float8, counts boolean)
RETURNS float8 LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_counted_value';
COMMENT ON FUNCTION dpem_internal.counted_value(float8, boolean) IS
'internal: the number of a row that counts, else NULL, as for NaN and infinities; always evaluates both';

CREATE FUNCTION dpem_internal.gathered(relation regclass) RETURNS SETOF record
LANGUAGE C STABLE STRICT PARALLEL UNSAFE
AS 'MODULE_PATHNAME', 'dpem_gathered';
COMMENT ON FUNCTION dpem_internal.gathered(regclass) IS
'internal: the columns that the caller''s column definition list names, of all rows of a relation, read with the caller''s rights by a query of its own; how passes read what Citus has distributed';
