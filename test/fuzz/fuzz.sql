-- Calls of every function of the extension with arguments nobody meant it to
-- get.  fuzz.run(seed, n, all) makes n of them in the current role, undoes what
-- each did and reports the SQLSTATEs; the same seed makes the same calls.
CREATE SCHEMA fuzz;
GRANT USAGE ON SCHEMA fuzz TO PUBLIC;

-- ---- what may be called ------------------------------------------------------

CREATE TABLE fuzz.target AS
SELECT row_number() OVER (ORDER BY p.oid)::int AS id, p.oid::regproc::text AS name, p.prokind = 'a' AS aggregate,
    p.pronargs AS arguments, p.pronargdefaults AS defaults,
    ARRAY(SELECT t::regtype::text FROM unnest(p.proargtypes) WITH ORDINALITY u (t, i) ORDER BY i) AS types,
    p.proargnames AS names
FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
    JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
WHERE e.extname = 'dpem' AND p.proname <> 'dp_selftest'	-- whose one argument is a pattern, and a call half a minute
    AND p.prosrc <> 'generate_series_int4';	-- the server's own, which gives billions of rows to who asks for them

-- Calls of a target as a share of the calls of others: a fit takes as long as hundreds of them.
ALTER TABLE fuzz.target ADD weight float8;
UPDATE fuzz.target SET weight = CASE WHEN name ~ '_fit$|^dp_(count|sum|avg|variance|stddev|covariance|histogram|quantile|count_distinct|bounds|robust|feature_ranking)$' THEN 0.1 WHEN name ~ '_plan$' THEN 4
    WHEN aggregate THEN 4 WHEN 'internal' = ANY (types) OR arguments = 0 THEN 0.1 ELSE 1 END;

-- ---- values ------------------------------------------------------------------

-- SQL expressions by type: odd ones, and by argument's name such as would do.
CREATE TABLE fuzz.pool (type text PRIMARY KEY, literals text[]);
CREATE TABLE fuzz.usual (argument text PRIMARY KEY, literals text[]);
INSERT INTO fuzz.pool VALUES
    ('text', ARRAY[$$''$$, $$'people'$$, $$'persons'$$, $$'lists'$$, $$'m'$$, $$'x'$$, $$'y'$$, $$'a'$$, $$'word'$$, $$'full'$$, $$'diagonal'$$,
        $$'spherical'$$, $$'map'$$, $$'mle'$$, $$'joint'$$, $$'dpem'$$, $$'dplloyd'$$, $$'auto'$$, $$'analyze_gauss'$$, $$'power'$$, $$'exponential'$$, $$'private'$$, $$'public'$$, $$'radius'$$, $$'laplace'$$, $$'gaussian'$$, $$'smooth_sensitivity'$$, $$'propose_test_release'$$, $$'ggg'$$, $$'llg'$$, $$'lll'$$, $$'whiten'$$, $$'none'$$, $$'exact'$$, $$'zcdp'$$,
        $$'rdp'$$, $$'ma'$$, $$'advanced'$$, $$'linear'$$, $$'gdp'$$, $$'cdp'$$, $$'replace_one'$$, $$'add_remove'$$, $$'poisson'$$,
        $$'without_replacement'$$, $$'%s%n%999999d'$$, $$'"; DROP TABLE people; --'$$, $$E'\\\\'$$, $$'ctid'$$, $$'tableoid'$$, $$'X'$$,
        $$' '$$, $$E'\t\n'$$, $$U&'\00fc\2603\+01F600'$$, $$repeat('x', 64)$$, $$repeat('x', 100000)$$]),
    ('boolean', ARRAY['true', 'false']),
    ('integer', ARRAY['0', '1', '2', '3', '-1', '7', '100', '500', '501', '1000', '1001', '65536', '1000000', '1000001', '2147483647', '-2147483648']),
    ('bigint', ARRAY['0', '1', '-1', '1125899906842624', '1152921504606846976', '9223372036854775807', '(-9223372036854775808)']),
    ('bigint[]', ARRAY[$$'{}'$$, $$'{1,NULL}'$$, $$'{{1},{2}}'$$, $$array_fill(1::bigint, ARRAY[154])$$, $$array_fill(-1::bigint, ARRAY[154])$$,
        $$array_fill(9223372036854775807, ARRAY[154])$$, $$array_fill(0::bigint, ARRAY[154], ARRAY[5])$$]),
    ('double precision', ARRAY['0', '-0.0', '1', '-1', '0.5', '2', '1e-6', '1e-300', '1e300', '5e-324', '2.2250738585072014e-308',
        '1.7976931348623157e308', '-1.7976931348623157e308', '0.9999999999999999', '1.0000000000000002', '1000', '1000.0000000000001',
        '1e5', '1e6', '9007199254740993', $$'NaN'$$, $$'Infinity'$$, $$'-Infinity'$$]),
    ('numeric', ARRAY['0', '-1.5', '1e4000', '-1e4000', '1e-4000', $$'NaN'$$, $$'Infinity'$$, $$'-Infinity'$$]),
    ('regclass', ARRAY[$$'people'$$, $$'visits'$$, $$'arrays'$$, $$'fresh'$$, $$'seen'$$, $$'counter'$$, $$'fresh_i'$$, $$'parted'$$, $$'pg_class'$$,
        $$'pg_stat_activity'$$, $$'dpem_internal.charge'$$, $$'dpem.ledger'$$, $$'fuzz.target'$$, '0', '1', '4294967295']),
    ('regrole', ARRAY[$$'ana'$$, $$'own'$$, $$'postgres'$$, $$'pg_monitor'$$, '0', '1', '4294967295']),
    ('regnamespace', ARRAY[$$'public'$$, $$'dpem'$$, $$'pg_catalog'$$, '0', '1', '4294967295']),
    ('text[]', ARRAY[$$'{}'$$, $$'{x}'$$, $$'{x,y}'$$, $$'{y,x}'$$, $$'{x,x}'$$, $$'{NULL}'$$, $$'{x,NULL}'$$, $$'{""}'$$, $$'{{x},{y}}'$$,
        $$'[0:1]={x,y}'$$, $$'{a}'$$, $$'{a,x}'$$, $$'{word}'$$, $$'{nobody}'$$, $$array_fill('x'::text, ARRAY[2000])$$,
        $$ARRAY[repeat('x', 100000)]$$, $$ARRAY(SELECT 'w' || i FROM generate_series(1, 3000) i)$$]),
    ('double precision[]', ARRAY[$$'{}'$$, $$'{NULL}'$$, $$'{1,NULL}'$$, $$'{NaN,1}'$$, $$'{Infinity,-Infinity}'$$, $$'{{1,2},{3,4}}'$$,
        $$'[5:6]={1,2}'$$, $$'{1e308,-1e308}'$$, $$'{5e-324,0}'$$, $$array_fill(0.5::float8, ARRAY[100000])$$,
        $$array_fill(1::float8, ARRAY[2, 2, 2, 2, 2, 2])$$, $$array_fill(NULL::float8, ARRAY[1000])$$]),
    ('timestamp with time zone', ARRAY[$$'2001-01-01'$$, $$'2100-01-01'$$, $$'4713-01-01 BC'$$, $$'294276-12-31'$$, $$'infinity'$$, $$'-infinity'$$]),
    ('interval', ARRAY[$$'0'$$, $$'1 microsecond'$$, $$'-1 day'$$, $$'1 day'$$, $$'1 month'$$, $$'100 years'$$, $$'178000000 years'$$, $$'-178000000 years'$$]),
    ('date', ARRAY[$$'2000-01-01'$$, $$'1999-12-31'$$, $$'0001-01-01'$$, $$'9999-12-31'$$, $$'4713-01-01 BC'$$, $$'infinity'$$, $$'-infinity'$$, $$'2024-02-29'$$, 'NULL']),
    ('timestamp without time zone', ARRAY[$$'2000-01-01'$$, $$'1999-12-31'$$, $$'0001-01-01'$$, $$'9999-12-31'$$, $$'4713-01-01 BC'$$, $$'infinity'$$, $$'-infinity'$$, $$'2024-02-29'$$, 'NULL']),
    ('integer[]', ARRAY[$$'{}'$$, $$'{1}'$$, $$'{1,1,2}'$$, $$'{0,-1,3,2147483647,-2147483648}'$$, $$'{NULL}'$$, $$'{{1,2},{3,1}}'$$, $$'{{1,2},{0,1}}'$$, $$'{{1},{2147483647}}'$$,
        $$'{{1,2}}'$$, $$'{{{1}},{{2}}}'$$, $$'[-1:0]={1,2}'$$, $$array_fill(1, ARRAY[2, 50000])$$]),
    ('dpem_internal.total', ARRAY[$$'(0,0,0,0,,0,0,0,0)'$$, $$'(1,1,1,1,,1,1e-6,1,0)'$$, $$'(,,,,,,,,)'$$, $$'(-1,-1,-1,-1,"{}",-1,-1,-1,-1)'$$,
        $$'(9223372036854775807,9223372036854775807,2305843009213693952,-9223372036854775808,"{1,NULL}",NaN,Infinity,-Infinity,1e4000)'$$,
        $$ROW(1, 1, 1, 1, array_fill(1::bigint, ARRAY[154]), 1, 1e-6, 1, 0)$$, $$ROW(1, 1, 1, 1, array_fill(-1::bigint, ARRAY[154]), 1, 2, 1e-4000, 3)$$,
        $$ROW(2, 2305843009213693951, 1, 1, array_fill(9223372036854775807, ARRAY[154]), 1e300, 1, 1e300, 1)$$]),
    ('jsonb', ARRAY[$$'{}'$$, $$'null'$$, $$'[]'$$, $$'[1, 2]'$$, $$'1'$$, $$'"x"'$$, $$'{"x": 1, "y": 0.5}'$$, $$'{"x": null, "y": null, "word": null}'$$, $$'{"x": 1e4000, "y": -1e-4000}'$$,
        $$'{"x": "NaN", "y": "Infinity", "word": "w1"}'$$, $$'{"x": "1", "y": true}'$$, $$'{"x": [1], "y": {"x": 1}}'$$, $$'{"word": 1, "x": 0, "y": 0}'$$, $$'{"word": "w2", "x": 0.1, "y": 0.2, "z": [[[]]]}'$$,
        $$'{"a": [0.1, 0.2], "n": 1}'$$, $$'{"a": [0.1], "n": 1}'$$, $$jsonb_build_object('x', repeat('x', 100000), 'y', 1)$$, $$to_jsonb(array_fill(1, ARRAY[1000]))$$]),
    ('record', ARRAY['ROW(1, 0.5)', 'ROW()', $$(SELECT r FROM (SELECT 0.1 AS x, 0.2 AS y) AS r)$$, $$(SELECT r FROM (SELECT 'NaN'::float8 AS x, NULL::int AS y, 'w1' AS word, 1 AS word) AS r)$$,
        $$(SELECT r FROM (SELECT 1e4000 AS x, ARRAY[1, 2] AS y, repeat('x', 100000) AS word) AS r)$$, $$(SELECT r FROM (SELECT ARRAY[0.1, 0.2] AS a, ROW(1, 'x') AS x) AS r)$$]),
    ('tsvector', ARRAY[$$''$$, $$'w1'$$, $$'w1:1,2,3 w2:5A nobody'$$, $$strip('w1:1 w2:2')$$, $$to_tsvector('simple', repeat('w1 w3 ', 5000))$$]),
    ('oid', ARRAY['0', '1', '10', '4294967295', $$'people'::regclass$$, $$'ana'::regrole$$]),
    ('"any"', ARRAY['1::float8', $$'NaN'::float8$$, '1::int', 'true', $$'{1,2}'::float8[]$$, $$'x'::text$$, $$'x'$$, 'NULL']),
    ('anyelement', ARRAY['1::float8', '1::int', 'true', $$'{1,2}'::float8[]$$, $$repeat('x', 100000)$$, $$ROW(1, 'x')$$, 'NULL::int', 'NULL']),
    ('anycompatible', ARRAY['1', '0', '-1', '2::smallint', '9223372036854775807', '1.5', $$'x:y'$$, $$'{x:y,y:x}'$$, $$ARRAY['x:y']$$, $$ARRAY[[NULL, '']]$$, $$'{}'::text[]$$, 'true', $$ROW(1, 'x')$$, $$repeat('x:y,', 10000)$$, 'NULL::int', 'NULL']);
INSERT INTO fuzz.usual VALUES
    ('dataset', ARRAY[$$'people'$$, $$'persons'$$, $$'lists'$$, $$'posts'$$]), ('source', ARRAY[$$'fresh'$$]), ('k', ARRAY['1', '2', '3']),
    ('epsilon', ARRAY['0.01', '1']), ('delta', ARRAY['1e-6']), ('column_name', ARRAY[$$'x'$$, $$'word'$$]),
    ('lower', ARRAY['-1']), ('upper', ARRAY['1']), ('categories', ARRAY[$$'{a,b}'$$]), ('vocabulary', ARRAY[$$'{a,b}'$$]),
    ('model', ARRAY[$$'m'$$, $$'m'$$, $$'l'$$, $$'t'$$, $$'r'$$, $$'mx'$$]), ('n', ARRAY['0', '1', '20']), ('iterations', ARRAY['1', '2', '3']), ('scenario', ARRAY[$$'llg'$$, $$'ggg'$$]),
    ('composition', ARRAY[$$'exact'$$, $$'ma'$$]), ('accountant', ARRAY[$$'gdp'$$, $$'rdp'$$]), ('alphas', ARRAY[$$'{2,4,8}'$$]),
    ('rdp', ARRAY[$$'{0.1,0.2,0.5}'$$]), ('sampling', ARRAY[$$'poisson'$$, $$'without_replacement'$$]), ('q', ARRAY['0.01']),
    ('noise_multiplier', ARRAY['1.5']), ('alpha', ARRAY['4']), ('x', ARRAY[$$'{0.1,0.2}'$$]), ('mu', ARRAY['1']), ('rho', ARRAY['0.1']),
    ('step_delta', ARRAY['1e-9']), ('algorithm', ARRAY[$$'joint'$$, $$'dpem'$$, $$'dplloyd'$$, $$'analyze_gauss'$$, $$'power'$$]), ('factors', ARRAY['1']), ('components', ARRAY['1', '2']), ('hidden', ARRAY['1', '2']), ('center', ARRAY[$$'private'$$, $$'public'$$]), ('postprocess', ARRAY[$$'none'$$]), ('count_weight', ARRAY['0.5']), ('sum_weight', ARRAY['0.5']), ('second_weight', ARRAY['0.5']),
    ('label', ARRAY[$$'word'$$]), ('positive', ARRAY['NULL', $$'w1'$$, $$'w2'$$]), ('prior_variance', ARRAY['NULL', '1']),
    ('statistic', ARRAY[$$'count'$$, $$'avg'$$, $$'variance'$$, $$'covariance'$$, $$'histogram'$$, $$'median'$$, $$'iqr'$$]), ('other_column', ARRAY['NULL', $$'y'$$]),
    ('filter', ARRAY['NULL', $$'x > 0 and not (y between -1 and 0.5 or word in (''w1'', ''w3''))'$$, $$'word is not null'$$]), ('by', ARRAY['NULL', $$'word'$$]),
    ('quantile', ARRAY['0.5', '0.99']), ('bins', ARRAY['1', '20']), ('edges', ARRAY['NULL', $$'{-1,0,2}'$$]),
    ('intercept', ARRAY['true', 'false']), ('sampling_rate', ARRAY['NULL', '0.5', '1']),
    ('topics', ARRAY['1', '2']), ('document_column', ARRAY[$$'doc'$$, 'NULL']), ('clip_fraction', ARRAY['NULL', '0.1']), ('document_length', ARRAY['5', '500']),
    ('eta', ARRAY['NULL', '0.1']), ('tau0', ARRAY['NULL', '1']), ('kappa', ARRAY['NULL', '0.5']), ('resample', ARRAY['NULL', 'true']), ('init_topics', ARRAY['NULL', $$'{1,2,3}'$$]),
    ('estimator', ARRAY[$$'map'$$, $$'mle'$$, $$'shrinkage'$$, $$'truncation'$$]),
    ('adjacency', ARRAY[$$'replace_one'$$]), ('keys_share', ARRAY['0', '0.1']), ('role', ARRAY[$$'ana'$$]);

CREATE FUNCTION fuzz.any_of(literals text[]) RETURNS text LANGUAGE sql VOLATILE
RETURN literals[1 + floor(random() * cardinality(literals))::int];

-- a double of any exponent
CREATE FUNCTION fuzz.number() RETURNS text LANGUAGE sql VOLATILE
RETURN format('%s%se%s', CASE WHEN random() < 0.3 THEN '-' END, 1 + 9 * random(),
    CASE WHEN random() < 0.7 THEN floor(random() * 16 - 10) ELSE floor(random() * 614 - 307) END);

CREATE FUNCTION fuzz.value(of_type text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    dice float8 := random();
BEGIN
    IF of_type IN ('"any"', 'anyelement', 'anycompatible', 'internal') THEN
        RETURN coalesce(fuzz.any_of((SELECT literals FROM fuzz.pool WHERE type = of_type)), 'NULL');
    ELSIF dice < 0.07 THEN
        RETURN format('NULL::%s', of_type);
    ELSIF of_type = 'double precision' AND dice < 0.6 THEN
        RETURN '''' || fuzz.number() || '''::float8';
    ELSIF of_type = 'double precision[]' AND dice < 0.6 THEN
        RETURN format('''{%s}''::float8[]', (SELECT string_agg(fuzz.number(), ',') FROM generate_series(1, (dice * 10)::int)));
    ELSIF of_type = 'integer' AND dice < 0.4 THEN
        RETURN ((random() * 4294967295)::bigint - 2147483648)::text || '::int';
    ELSIF of_type = 'bytea' THEN
        RETURN format('decode(''%s'', ''hex'')', encode(fuzz.broken_pass(), 'hex'));
    END IF;
    RETURN format('(%s)::%s', fuzz.any_of((SELECT literals FROM fuzz.pool WHERE type = of_type)), of_type);
END$$;

-- ---- passes ------------------------------------------------------------------

-- Well-formed ones, and words that mean something to a double or to a header.
CREATE TABLE fuzz.wire (pass bytea[], word bytea[]);

CREATE FUNCTION fuzz.one_of(bytes bytea[]) RETURNS bytea LANGUAGE sql VOLATILE
RETURN bytes[1 + floor(random() * cardinality(bytes))::int];

CREATE FUNCTION fuzz.broken_pass() RETURNS bytea LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    wire bytea := (SELECT fuzz.one_of(pass) FROM fuzz.wire);
    dice float8 := random();
    at int;
BEGIN
    IF dice < 0.03 THEN
        RETURN substr(wire, 1, floor(random() * length(wire))::int);
    ELSIF dice < 0.05 THEN
        RETURN wire || sha256(wire);
    ELSIF dice < 0.07 THEN
        RETURN sha512(random()::text::bytea) || sha512(random()::text::bytea);
    END IF;
    FOR i IN 1 .. floor(random() * 4) LOOP
        at := floor(random() * length(wire));
        IF random() < 0.5 THEN
            wire := set_bit(wire, at * 8::bigint + floor(random() * 8)::int, floor(random() * 2)::int);
        ELSE
            wire := overlay(wire PLACING (SELECT fuzz.one_of(word) FROM fuzz.wire) FROM at - at % 8 + 1 FOR 8);
        END IF;
    END LOOP;
    RETURN wire;
END$$;

-- ---- calls -------------------------------------------------------------------

-- Some arguments odd, the others usual or left out.
CREATE FUNCTION fuzz.arguments(t fuzz.target) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    odd float8 := (ARRAY[0, 1.0 / greatest(t.arguments, 1), 2.0 / greatest(t.arguments, 1), 0.5, 1])[1 + floor(random() * 5)::int];
    list text[];
    value text;
BEGIN
    FOR i IN 1 .. t.arguments LOOP
        value := NULL;
        IF random() >= odd THEN
            CONTINUE WHEN i > t.arguments - t.defaults;
            value := fuzz.any_of((SELECT literals FROM fuzz.usual WHERE argument = t.names[i]));
        END IF;
        -- dp_sample writes as many rows as it is asked for
        IF t.names[i] = 'n' THEN
            value := fuzz.any_of('{NULL::int,-1,0,1,1000,-2147483648}');
        END IF;
        value := coalesce(value, fuzz.value(t.types[i]));
        list := list || CASE WHEN t.names[i] <> '' THEN t.names[i] || ' => ' || value ELSE value END;
    END LOOP;
    RETURN array_to_string(list, ', ');
END$$;

CREATE FUNCTION fuzz.statement(t fuzz.target) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    list text[];
BEGIN
    IF t.aggregate THEN
        -- what comes before the rows' own: a pass, a model
        FOR i IN 1 .. t.arguments - 1 LOOP
            list := list || coalesce(CASE WHEN random() < 0.8 THEN fuzz.any_of((SELECT literals FROM fuzz.usual WHERE argument = t.names[i])) END, fuzz.value(t.types[i]));
        END LOOP;
        list := list || CASE WHEN t.types[t.arguments] <> '"any"' THEN fuzz.value(t.types[t.arguments])
            ELSE fuzz.any_of('{"d, d","d, f","i, n","a","kept, d, s","a, f","d","n, b, d","w, d","kept","i, d, f","s, d, n","o","kept, o","v","ws"}') END;
        RETURN format('SELECT %s(%s) FROM fuzz.odd_rows', t.name, array_to_string(list, ', '));
    END IF;
    IF t.name = 'dp_sample_rows' THEN
        RETURN format('SELECT * FROM dp_sample_rows(%s) AS t(%s)', fuzz.arguments(t), fuzz.any_of('{"x float8","x int, y numeric","word text, x float8","word int","nobody text","x fuzz.target"}'));
    END IF;
    RETURN format('SELECT %s(%s)', t.name, fuzz.arguments(t));
END$$;

-- Rows for the aggregate, of every type it reads and some that it does not.
CREATE TABLE fuzz.odd_rows (kept bool, d float8, f float4, s int2, i int4, b int8, n numeric, a float8[], w text, o int[], v tsvector, ws text[]);
INSERT INTO fuzz.odd_rows
SELECT i % 3 > 0, (ARRAY[0, -0.0, 0.5, -1, 1e308, -1e308, 5e-324, 'NaN', 'Infinity', '-Infinity', NULL, 0.25, 0.7])[1 + i % 13],
    (ARRAY[0, 1, -1, 3e38, 1e-45, 'NaN', 'Infinity', NULL])[1 + i % 8], i, -i, i::bigint << 55,
    (ARRAY[0, 0.1, 1e400, -1e400, 1e-400, 'NaN', 'Infinity', NULL])[1 + i % 8],
    ('{"{0.1,0.2}","{1,NULL}","{}","{1,2,3}","{{1},{2}}","[3:4]={1,2}","{NaN,1}","{1e308,-1e308}"}'::text[])[1 + i % 8]::float8[], 'w',
    ('{"{1,2}","{2,2,2,9}","{}","{1,NULL}","{{1,2},{3,4}}","{{1},{0}}","{0,-1,2147483647}",NULL}'::text[])[1 + i % 8]::int[],
    ('{"a","a:1,2 b:3","","c",NULL}'::text[])[1 + i % 5]::tsvector, ('{"{a}","{a,b,b}","{}","{NULL}","{{a},{b}}",NULL}'::text[])[1 + i % 6]::text[]
FROM generate_series(1, 40) i;

-- all: every target once to begin with, those that are seldom called, too
CREATE FUNCTION fuzz.run(seed int, n int, "all" boolean) RETURNS TABLE (target text, state text, call text, message text) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    targets fuzz.target[] := ARRAY(SELECT t FROM fuzz.target t ORDER BY id);
    ends float8[] := ARRAY(SELECT sum(weight) OVER (ORDER BY id) FROM fuzz.target);
    t fuzz.target;
BEGIN
    PERFORM setseed(seed / 2147483648.0);
    FOR i IN 1 .. n LOOP
        t := targets[CASE WHEN "all" AND i <= cardinality(targets) THEN i ELSE 1 + width_bucket(random() * ends[cardinality(ends)], ends) END];
        target := t.name;
        call := fuzz.statement(t);
        message := NULL;
        BEGIN
            EXECUTE call;
            RAISE EXCEPTION SQLSTATE 'OK000';
        EXCEPTION WHEN OTHERS THEN
            state := SQLSTATE;
            message := SQLERRM;
        END;
        RETURN NEXT;
    END LOOP;
END$$;

GRANT SELECT ON ALL TABLES IN SCHEMA fuzz TO PUBLIC;
