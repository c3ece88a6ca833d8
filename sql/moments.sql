-- the aggregate of a pass: parallel, exact, and deaf to nonsense
SET ROLE regress_owner;
CREATE TABLE points AS SELECT i, (i * 7) % 201 / 10.0::float8 - 10 AS a, (i * 13) % 173 / 10.0::float8 - 8 AS b FROM generate_series(1, 20000) AS i;
ANALYZE points;

-- A pass as src/scan/pass.c writes it: header words and doubles in the
-- machine's byte order, here of a mixture of two components.
CREATE FUNCTION pg_temp.native(big_endian bytea, little boolean) RETURNS bytea LANGUAGE sql IMMUTABLE
RETURN CASE WHEN little THEN (SELECT string_agg(substr(big_endian, i, 1), ''::bytea ORDER BY i DESC) FROM generate_series(1, 8) AS i)
    ELSE big_endian END;
CREATE FUNCTION pg_temp.make_pass(words bigint[], numbers float8[], little boolean) RETURNS bytea LANGUAGE sql IMMUTABLE
RETURN (SELECT string_agg(pg_temp.native(int8send(w), little), ''::bytea ORDER BY o) FROM unnest(words) WITH ORDINALITY AS u (w, o))
    || (SELECT string_agg(pg_temp.native(float8send(n), little), ''::bytea ORDER BY o) FROM unnest(numbers) WITH ORDINALITY AS u (n, o));
-- magic, family, components, coordinates, second moments, bits of features and responsibilities, center, whitening, arguments, groups, where rows are kept, scales, classes, coordinates of the source, pairs of frequencies, coordinates in them,
-- coordinates that may be unknown, and that are imputed, ranges, numbers that may be unknown and from where coordinates tell which are known, and that the clip keeps
\set words '{7237396121895662345,2,2,2,3,13,18,0,0,2,0,0,0,0,2,0,0,0,0,0,0,0,0,0}'
-- radius, coordinates of the arguments, bounds; parameters: offsets, means, inverse Cholesky factors
\set numbers '{1.4142135623730951,1,1,-10,-10,10,10,-0.7,-0.7,-0.4,-0.3,0.4,0.2,2,0.5,3,4,0,2.5}'
CREATE TABLE pass AS SELECT little, pg_temp.make_pass(:'words', :'numbers', little) AS pass FROM unnest('{t,f}'::bool[]) AS little;
SELECT count(*) AS one_byte_order_is_this_machines FROM pass
 WHERE attempt(format('SELECT dpem_internal.moments(%L::bytea, 1::float8, 1::float8)', pass)) = 'done';
DELETE FROM pass WHERE attempt(format('SELECT dpem_internal.moments(%L::bytea, 1::float8, 1::float8)', pass)) <> 'done';
SELECT pass, little FROM pass \gset

-- in parallel
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT md5(dpem_internal.moments(pass, a, b)) FROM points, (SELECT '\x'::bytea AS pass) AS p;
SELECT md5(dpem_internal.moments(:'pass', a, b)) AS parallel FROM points \gset
RESET min_parallel_table_scan_size;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
SET max_parallel_workers_per_gather = 0;

-- the same bits, however the rows come
SELECT md5(dpem_internal.moments(:'pass', a, b)) = :'parallel' AS serial, md5(dpem_internal.moments(:'pass', b, a)) <> :'parallel' AS not_swapped FROM points;
SELECT md5(dpem_internal.moments(:'pass', a, b ORDER BY b, a DESC)) = :'parallel' AS sorted, md5(dpem_internal.moments(:'pass', a, b) FILTER (WHERE i > 0)) = :'parallel' AS filtered FROM points;
SELECT md5(dpem_internal.moments(:'pass', a::numeric, b::numeric)) = :'parallel' AS numeric FROM points;
SELECT md5(dpem_internal.moments(:'pass', a, b)) = :'parallel' AS null_rows_add_nothing
  FROM (SELECT a, b FROM points UNION ALL VALUES (NULL::float8, 1::float8), (1, NULL), ('NaN', 1), (1, 'Infinity'), ('-Infinity', 'NaN')) AS s;
-- a coordinate that tells whether the number before it is known, of which nothing is read; what is not known is in the middle
SELECT pg_temp.make_pass((:'words'::bigint[])[:9] || '{1,0,0,0,0,2,0,0,0,0,0,1,1,0,0}'::bigint[], (:'numbers'::float8[])[:2] || (:'numbers'::float8[])[4:], :'little') AS told \gset
SELECT md5(dpem_internal.moments(:'told', x)) = md5(dpem_internal.moments(:'pass', coalesce(x, 0), (x IS NOT NULL)::int::float8)) AS nulls,
       md5(dpem_internal.moments(:'told', coalesce(x, 'NaN'))) = md5(dpem_internal.moments(:'told', x)) AS nan,
       md5(dpem_internal.moments(:'told', coalesce(x, '-Infinity')::numeric)) = md5(dpem_internal.moments(:'told', x)) AS infinite
  FROM (SELECT CASE WHEN i % 3 > 0 THEN a END AS x FROM points) AS s;
-- one number is not two coordinates
SELECT attempt(format('SELECT dpem_internal.moments(%L::bytea, 1::float8)', pg_temp.make_pass((:'words'::bigint[])[:9] || '{1,0,0,0,0,2,0,0,0,0,0,0,0,0,0}'::bigint[],
    (:'numbers'::float8[])[:1] || 2::float8 || (:'numbers'::float8[])[4:], :'little'))) AS too_few;
-- features of 26 bits are of rows that are counted in cells, and of nothing that is summed
SELECT family, second, attempt(format('SELECT dpem_internal.moments(%L::bytea, 1::float8, 1::float8)', pg_temp.make_pass(
    (:'words'::bigint[])[:1] || ARRAY[family, 2, 2, second, 26] || (:'words'::bigint[])[7:], (:'numbers'::float8[])[:7] || numbers, :'little'))) AS fine
  FROM (VALUES (5, 4, '{1,1,0,-0.7,0.7,2,0.5,0.5}'::float8[]), (2, 3, (:'numbers'::float8[])[8:]), (1, 3, '{}')) AS v (family, second, numbers);
SELECT md5(dpem_internal.moments(:'pass', kept, a, b)) = :'parallel' AS nor_do_refused_ones
  FROM (SELECT true AS kept, a, b FROM points UNION ALL VALUES (false, 1::float8, 1::float8), (NULL, 1, 1)) AS s;
SELECT md5(dpem_internal.moments(:'pass', a, b)) <> :'parallel' AS one_more_adds FROM (SELECT a, b FROM points UNION ALL VALUES (1::float8, 1::float8)) AS s;
SELECT md5(dpem_internal.moments(:'pass', a, b)) = :'parallel' AS odd_even_together,
       md5(dpem_internal.moments(:'pass', a, b) FILTER (WHERE i % 2 = 0)) <> md5(dpem_internal.moments(:'pass', a, b) FILTER (WHERE i % 2 = 1)) AS not_apart FROM points;
SELECT count(*) AS groups, count(DISTINCT state) AS states, min(length(state)) = max(length(state)) AS of_one_size
  FROM (SELECT dpem_internal.moments(:'pass', a, b) AS state FROM points GROUP BY i % 500) AS s;
-- no rows, no state
SELECT dpem_internal.moments(:'pass', a, b) IS NULL AS nothing FROM points WHERE false;
-- 2^18 for every row, over all components: record 1, counts, in network order after 12 bytes
SELECT (get_byte(s, 12 + 15) + 256 * (get_byte(s, 12 + 14) + 256 * (get_byte(s, 12 + 13) + 256 * (get_byte(s, 12 + 12) + 256::bigint * get_byte(s, 12 + 11)))))
     + (get_byte(s, 108 + 15) + 256 * (get_byte(s, 108 + 14) + 256 * (get_byte(s, 108 + 13) + 256 * (get_byte(s, 108 + 12) + 256::bigint * get_byte(s, 108 + 11)))))
     = 20000 * 2 ^ 18 AS every_row_counts_once, length(s) AS bytes
  FROM (SELECT dpem_internal.moments(:'pass', a, b) AS s FROM points) AS s;

-- states of parts of the rows add up to the state of all, whatever the parts
SELECT md5(dpem_internal.moments_total(state)) = :'parallel' AS of_groups, md5(dpem_internal.moments_total(state ORDER BY state DESC)) = :'parallel' AS in_another_order
  FROM (SELECT dpem_internal.moments(:'pass', a, b) AS state FROM points GROUP BY i % 7 UNION ALL SELECT NULL) AS s;
SELECT md5(dpem_internal.moments_total(state)) = :'parallel' AS of_tables
  FROM (SELECT dpem_internal.moments(:'pass', a, b) AS state FROM points WHERE i <= 300 UNION ALL SELECT dpem_internal.moments(:'pass', a, b) FROM points WHERE i > 300
    UNION ALL SELECT dpem_internal.moments(:'pass', a, b) FROM points WHERE false) AS s;
SELECT dpem_internal.moments_total(NULL) IS NULL AS nothing, count(state) AS nor_here FROM (SELECT dpem_internal.moments_total(state) AS state FROM (SELECT '\x'::bytea AS state) AS s WHERE false) AS s;

-- nonsense
\pset format unaligned
\pset tuples_only on
-- how a server says that nobody calls a function of internal states is its own business
CREATE FUNCTION pg_temp.refusal(statement text) RETURNS text LANGUAGE sql
RETURN regexp_replace(attempt(statement), '^(42883: function dpem_internal\.moments_(transition|combine|serialize|deserialize|final|total_transition)\(.*|42846: .* to internal|0A000: .* of type internal)$', 'not to be called');
SELECT pg_temp.refusal(s) FROM (VALUES
    (1, $$SELECT dpem_internal.moments(NULL, a, b) FROM points$$),
    (2, $$SELECT dpem_internal.moments('', a, b) FROM points$$),
    (3, $$SELECT dpem_internal.moments('\x00', a, b) FROM points$$),
    (4, $$SELECT dpem_internal.moments(sha512('random'), a, b) FROM points$$),
    (5, $$SELECT dpem_internal.moments(sha512('random') || sha512('bytes') || sha512('of some length'), a, b) FROM points$$),
    (6, $$SELECT dpem_internal.moments(decode(repeat('ff', 500), 'hex'), a, b) FROM points$$),
    (7, $$SELECT dpem_internal.moments(decode(repeat('00', 80), 'hex'), a, b) FROM points$$),
    (10, $$SELECT dpem_internal.moments() FROM points$$),
    (11, $$SELECT dpem_internal.moments(pass) FROM points, pass$$),
    (12, $$SELECT dpem_internal.moments(pass, a) FROM points, pass$$),
    (13, $$SELECT dpem_internal.moments(pass, a, b, a) FROM points, pass$$),
    (14, $$SELECT dpem_internal.moments(pass, a::text, b) FROM points, pass$$),
    (15, $$SELECT dpem_internal.moments(pass, true, true) FROM points, pass$$),
    (16, $$SELECT dpem_internal.moments(pass, true, a) FROM points, pass$$),
    (17, $$SELECT dpem_internal.moments(pass, ARRAY[a, b]::numeric[]) FROM points, pass$$),
    (18, $$SELECT dpem_internal.moments(pass, '1', '2') FROM pass$$),
    (19, $$SELECT dpem_internal.moments(pass, pass, pass) FROM pass$$),
    (20, $$SELECT dpem_internal.moments(pass, VARIADIC ARRAY[a, b]) FROM points, pass$$),
    (21, $$SELECT dpem_internal.moments(pass, points) FROM points, pass$$),
    (22, $$SELECT dpem_internal.moments(pass, a, b) OVER (ORDER BY a) FROM points, pass$$),
    (30, $$SELECT dpem_internal.moments_transition(NULL, '', 1)$$),
    (31, $$SELECT dpem_internal.moments_combine(NULL, NULL)$$),
    (32, $$SELECT dpem_internal.moments_serialize(NULL)$$),
    (33, $$SELECT dpem_internal.moments_deserialize('', NULL)$$),
    (34, $$SELECT dpem_internal.moments_final(NULL)$$),
    (40, $$SELECT dpem_internal.moments_total('')$$),
    (41, $$SELECT dpem_internal.moments_total(decode(repeat('02', 100), 'hex'))$$),
    (42, $$SELECT dpem_internal.moments_total(substr(s, 1, length(s) - 1)) FROM (SELECT dpem_internal.moments(pass, a, b) AS s FROM points, pass) AS s$$),
    (43, $$SELECT dpem_internal.moments_total(s || '\x00') FROM (SELECT dpem_internal.moments(pass, a, b) AS s FROM points, pass) AS s$$),
    (44, $$SELECT dpem_internal.moments_total(set_byte(s, 0, 1)) FROM (SELECT dpem_internal.moments(pass, a, b) AS s FROM points, pass) AS s$$),
    (45, $$SELECT dpem_internal.moments_total(s) FROM (SELECT dpem_internal.moments(pass, a, b) AS s FROM points, pass UNION ALL SELECT decode('020201000000000100000001' || repeat('00', 32), 'hex')) AS s$$),
    (46, $$SELECT dpem_internal.moments_total(1)$$),
    (48, $$SELECT dpem_internal.moments_total(s) FROM (SELECT dpem_internal.moments(pass, a, b) AS s FROM points, pass UNION ALL SELECT set_byte(dpem_internal.moments(pass, a, b), 1, 3) FROM points, pass) AS s$$),
    (49, $$SELECT dpem_internal.moments_total(set_byte(s, 1, 99)) FROM (SELECT dpem_internal.moments(pass, a, b) AS s FROM points, pass) AS s$$),
    (47, $$SELECT dpem_internal.moments_total_transition(NULL, '')$$)
  ) AS v (n, s) ORDER BY n;
-- not even by a superuser
RESET ROLE;
SELECT pg_temp.refusal(s) FROM (VALUES
    (1, $$SELECT dpem_internal.moments_transition(NULL, '', 1)$$),
    (2, $$SELECT dpem_internal.moments_combine(NULL, NULL)$$),
    (3, $$SELECT dpem_internal.moments_deserialize('', NULL) IS NULL$$),
    (4, $$SELECT dpem_internal.moments_deserialize('', 'x'::internal)$$),
    (5, $$SELECT dpem_internal.moments_final(NULL)$$)
  ) AS v (n, s) ORDER BY n;
SET ROLE regress_owner;
\pset tuples_only off
\pset format aligned
-- nor built into an aggregate of one's own
CREATE AGGREGATE pg_temp.mine(pass bytea, VARIADIC "any") (SFUNC = dpem_internal.moments_transition, STYPE = internal, FINALFUNC = dpem_internal.moments_final);
-- a good pass, damaged: every length, every byte, numbers that no fit would send: an error or another answer
CREATE FUNCTION pg_temp.outcome(pass bytea) RETURNS text LANGUAGE sql
RETURN attempt(format('SELECT dpem_internal.moments(%L::bytea, a, b) FROM points WHERE i < 100', pass));
SELECT pg_temp.outcome(substr(pass, 1, n)) AS outcome, count(*) = min(length(pass)) AS always FROM pass, generate_series(0, length(pass) - 1) AS n GROUP BY 1;
SELECT pg_temp.outcome(pass || '\x00'), pg_temp.outcome(pass || pass) FROM pass;
SELECT pg_temp.outcome(pg_temp.make_pass(ARRAY[7237396121895662345 + 1] || (:'words'::bigint[])[2:], :'numbers', :'little')) AS version,
       pg_temp.outcome(pg_temp.make_pass(:'words', :'numbers', NOT :'little')) AS byte_order;
SELECT pg_temp.outcome(set_byte(pass, n, (get_byte(pass, n) + change) % 256)) AS outcome, count(*) > 10 AS often
  FROM pass, generate_series(0, length(pass) - 1) AS n, unnest('{1,2,128,255}'::int[]) AS change GROUP BY 1 ORDER BY 1;
-- passes without the parameters that would say how many they are: a grid, candidates
SELECT family, pg_temp.outcome(pg_temp.make_pass(ARRAY[7237396121895662345, family, 1, 2, second, 13, 18, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], '{1.5,1,1,-10,-10,10,10}', :'little')) AS outcome
  FROM (VALUES (5, 4), (6, 0)) AS f (family, second);
SELECT number, pg_temp.outcome(pg_temp.make_pass(:'words', (:'numbers'::float8[])[1:at - 1] || number || (:'numbers'::float8[])[at + 1:19], :'little')) AS outcome
  FROM generate_series(1, 19) AS at, unnest('{0,-1,NaN,Infinity,1e308,-1e308,5e-324}'::float8[]) AS number GROUP BY 1, 2 ORDER BY 1, 2;

-- dpem_internal.gathered: the rows of a relation, with the caller's rights, in the columns that the caller defines
CREATE TABLE gathered_rows (a float8, gone int, "B c" varchar(3), d numeric(4,1)[]);
ALTER TABLE gathered_rows DROP COLUMN gone;
INSERT INTO gathered_rows VALUES (1, 'x', '{1,2.5}'), (NULL, 'y', NULL), (1, 'x', '{1,2.5}');
SELECT count(*) FROM (SELECT * FROM dpem_internal.gathered('gathered_rows') AS g(d numeric(4,1)[], "B c" varchar(3), a float8) EXCEPT ALL SELECT d, "B c", a FROM gathered_rows) AS s;
SELECT count(*) FROM dpem_internal.gathered('gathered_rows') AS g(a float8);
SELECT * FROM dpem_internal.gathered('gathered_rows') AS g(a int);
SELECT * FROM dpem_internal.gathered('gathered_rows') AS g(gone int);
SELECT * FROM dpem_internal.gathered(0) AS g(a int);
GRANT SELECT (a) ON gathered_rows TO regress_other;
SET ROLE regress_other;
SELECT count(*) FROM dpem_internal.gathered('gathered_rows') AS g(a float8);
SELECT count(*) FROM dpem_internal.gathered('gathered_rows') AS g(a float8, "B c" varchar(3));
RESET ROLE;
DROP TABLE gathered_rows;

-- AND, OR and the key of a row that counts, of which nothing is left unevaluated
SELECT bool_and(dpem_internal.both(a, b) IS NOT DISTINCT FROM (a AND b)) AS both, bool_and(dpem_internal.either(a, b) IS NOT DISTINCT FROM (a OR b)) AS either, count(*) FROM unnest('{t,f,NULL}'::bool[]) AS a, unnest('{t,f,NULL}'::bool[]) AS b;
SELECT dpem_internal.counted_key(k, true) AS counted, dpem_internal.counted_key(k, false) AS not_counted, dpem_internal.counted_key(k, NULL) AS unknown FROM unnest('{a,NULL}'::text[]) AS k;
SELECT length(dpem_internal.counted_key(repeat('k', n), true)) AS key FROM unnest('{1024,1025}'::int[]) AS n;
CREATE TYPE pg_temp.mood AS ENUM ('sad', 'happy');
CREATE DOMAIN pg_temp.temper AS pg_temp.mood;
SELECT dpem_internal.enum_label(m) AS label, dpem_internal.enum_label(m::pg_temp.temper) AS same FROM unnest('{happy,NULL,sad}'::pg_temp.mood[]) AS m;
SELECT dpem_internal.enum_label(1);
SELECT dpem_internal.fetched(1) AS number, dpem_internal.fetched('x'::text) AS text, dpem_internal.fetched('{1,2}'::int[]) AS row, dpem_internal.fetched('n'::name) AS name, dpem_internal.fetched(NULL::text) IS NULL AS nothing;
