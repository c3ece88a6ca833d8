-- The aggregate of a pass.  Everyone may call it on rows they can read; it
-- adds no noise and releases nothing by itself.

CREATE FUNCTION dpem.moments_transition(internal, bytea, VARIADIC "any")
RETURNS internal LANGUAGE c IMMUTABLE PARALLEL SAFE COST 100
AS 'MODULE_PATHNAME', 'dpem_moments_transition';
CREATE FUNCTION dpem.moments_combine(internal, internal)
RETURNS internal LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'dpem_moments_combine';
CREATE FUNCTION dpem.moments_serialize(internal)
RETURNS bytea LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'dpem_moments_serialize';
CREATE FUNCTION dpem.moments_deserialize(bytea, internal)
RETURNS internal LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'dpem_moments_deserialize';
CREATE FUNCTION dpem.moments_final(internal)
RETURNS bytea LANGUAGE c IMMUTABLE PARALLEL SAFE
AS 'MODULE_PATHNAME', 'dpem_moments_final';

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

CREATE FUNCTION dpem.numeric_to_float8(numeric)
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE
AS 'MODULE_PATHNAME', 'dpem_numeric_to_float8';
COMMENT ON FUNCTION dpem.numeric_to_float8(numeric) IS
'internal: a number as float8, infinite where it is out of range; never an error';
