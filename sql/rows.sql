-- what a row may hold: nothing in it raises, bad rows count for nothing, values outside the domain as clipped
SET ROLE regress_owner;
CREATE TABLE clean (a float8, b float8);
INSERT INTO clean SELECT i % 19 - 9, (i * i) % 17 - 8 + (i % 19) / 4.0 FROM generate_series(1, 1500) AS i;
CREATE FUNCTION pg_temp.register(source regclass, VARIADIC columns text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    name text := source::text;
    c text;
BEGIN
    PERFORM dp_register_dataset(name, source, 1000, 1e-4);
    FOREACH c IN ARRAY columns LOOP
        PERFORM dp_register_column(name, c, -10, 10);
    END LOOP;
    PERFORM dp_grant_budget('regress_analyst', name, 1000, 1e-4);
END$$;
-- greatest difference of the numbers of two fits without noise, in three forms
CREATE FUNCTION pg_temp.differ(one text, two text, columns text[] DEFAULT '{a,b}', others text[] DEFAULT NULL) RETURNS float8
LANGUAGE sql AS $$
    SELECT max(distance(fit_numbers(format(f, one, columns)), fit_numbers(format(f, two, coalesce(others, columns)))))
      FROM (VALUES ('dp_gmm_fit(%L, 1, ''Infinity'', columns => %L, estimator => ''mle'', precondition => ''none'', iterations => 1)'),
                   ('dp_gmm_fit(%L, 2, ''Infinity'', columns => %L, precondition => ''none'', iterations => 2)'),
                   ('dp_gmm_fit(%L, 2, ''Infinity'', columns => %L, covariance => ''diagonal'', iterations => 2)')) AS v (f)$$;
SELECT pg_temp.register('clean', 'a', 'b');

-- one row more, and not a bad one: everything here is seen
CREATE TABLE one_more AS SELECT * FROM clean UNION ALL VALUES (1::float8, 1::float8);
SELECT pg_temp.register('one_more', 'a', 'b');
SELECT pg_temp.differ('clean', 'one_more') > 1e-6 AS one_row_makes_a_difference;

-- bad rows, before, between and after good ones
CREATE TABLE bad (a float8, b float8);
INSERT INTO bad VALUES (NULL, NULL), (NULL, 1), (1, NULL), ('NaN', 1), (1, 'NaN'), ('Infinity', 1), (1, '-Infinity'), ('NaN', 'Infinity'),
    (NULL, 1e308), ('-Infinity', 5e-324), (NULL, 'NaN');
CREATE TABLE with_bad AS SELECT * FROM bad UNION ALL SELECT * FROM (TABLE clean LIMIT 700) AS s UNION ALL SELECT * FROM bad
    UNION ALL SELECT * FROM (TABLE clean OFFSET 700) AS s UNION ALL SELECT bad.* FROM bad, generate_series(1, 100);
SELECT pg_temp.register('with_bad', 'a', 'b');
SELECT count(*) FROM with_bad;
SELECT pg_temp.differ('clean', 'with_bad') < 1e-12 AS bad_rows_are_no_rows;
-- not even those that are bad in a column nobody asks for
SELECT pg_temp.differ('clean', 'with_bad', '{a}') > 1e-6 AS good_in_this_column;

-- far outside the domain is on its border, hardly different from zero is zero
CREATE TABLE outside AS SELECT * FROM clean UNION ALL
    VALUES (1e308::float8, 1::float8), (-1e308, 1e308), (10.000001, -11), (5e-324, -5e-324), (2.3e-308, 1.7976931348623157e308), (1e15, 3);
CREATE TABLE inside AS SELECT * FROM clean UNION ALL
    VALUES (10::float8, 1::float8), (-10, 10), (10, -10), (0, 0), (0, 10), (10, 3);
SELECT pg_temp.register('outside', 'a', 'b'), pg_temp.register('inside', 'a', 'b');
SELECT pg_temp.differ('outside', 'inside') < 1e-12 AS clipped, pg_temp.differ('outside', 'clean') > 1e-6 AS not_dropped;

-- nobody, or nobody good
CREATE TABLE nobody (a float8, b float8);
CREATE TABLE only_bad AS TABLE bad;
SELECT pg_temp.register('nobody', 'a', 'b'), pg_temp.register('only_bad', 'a', 'b');
SELECT pg_temp.differ('nobody', 'only_bad') AS difference;
SET ROLE regress_analyst;
SELECT s, count(*) AS components, bool_and(weight BETWEEN 0 AND 1) AS weights FROM unnest('{clean,with_bad,outside,nobody,only_bad}'::text[]) AS s,
    LATERAL dp_gmm_fit(s, 2, 1) GROUP BY s ORDER BY s;
SET ROLE regress_owner;

-- every type of column
CREATE DOMAIN small AS int2;
CREATE DOMAIN amount AS numeric;
CREATE DOMAIN tiny_amount AS amount CHECK (value IS DISTINCT FROM 1000);
CREATE DOMAIN pair AS float8[];
CREATE TABLE typed (a float8, b float8, i2 int2, i4 int4, i8 int8, f4 float4, n numeric, ds small, da amount, dt tiny_amount,
    pair8 float8[], pair4 float4[], dp pair);
INSERT INTO typed SELECT a, floor(b), a, a, a, a, a, a, a, a, ARRAY[a, floor(b)], ARRAY[a, floor(b)], ARRAY[a, floor(b)] FROM clean;
SELECT pg_temp.register('typed', 'a', 'b', 'i2', 'i4', 'i8', 'f4', 'n', 'ds', 'da', 'dt');
SELECT dp_register_column('typed', c, -10, 10, length => 2) FROM unnest('{pair8,pair4,dp}'::text[]) AS c;
SELECT c AS column, pg_temp.differ('typed', 'typed', '{a}', ARRAY[c]) < 1e-12 AS same FROM unnest('{i2,i4,i8,f4,n,ds,da,dt}'::text[]) AS c;
SELECT c AS column, pg_temp.differ('typed', 'typed', '{a,b}', ARRAY[c]) < 1e-12 AS same FROM unnest('{pair8,pair4,dp}'::text[]) AS c;
SELECT pg_temp.differ('typed', 'typed', '{i2,b,i4}', '{n,b,f4}') < 1e-12 AS mixed,
       pg_temp.differ('typed', 'typed', '{b,pair4,ds}', '{b,pair8,i8}') < 1e-12 AS with_arrays;
-- their bad rows and their far values
CREATE TABLE typed_bad AS TABLE typed;
INSERT INTO typed_bad (n, dt, pair8, pair4, dp, f4, i8) VALUES
    ('NaN', 'NaN', '{1}', '{1}', '{1}', 'NaN', NULL),
    ('1e400', '-1e400', '{1,2,3}', '{1,2,3}', '{1,2,3}', 'Infinity', NULL),
    (NULL, NULL, '{}', '{}', '{}', '-Infinity', NULL),
    ('Infinity', '-Infinity', '{{1,2}}', '{{1},{2}}', '{{1,2}}', NULL, NULL),
    ('-Infinity', '1e131071', '{1,NULL}', '{NULL,1}', '{NULL,NULL}', NULL, NULL),
    (NULL, 'NaN', '{NaN,1}', '{1,Infinity}', '{1,-Infinity}', NULL, NULL),
    (NULL, NULL, '{{1,2},{3,4}}', '{{{1,2}}}', '{1,2,NULL}', 'NaN', NULL);
SELECT pg_temp.register('typed_bad', 'a', 'b', 'i2', 'i4', 'i8', 'f4', 'n', 'ds', 'da', 'dt');
SELECT dp_register_column('typed_bad', c, -10, 10, length => 2) FROM unnest('{pair8,pair4,dp}'::text[]) AS c;
SELECT c AS column, pg_temp.differ('typed', 'typed_bad', ARRAY[c]) < 1e-12 AS same FROM unnest('{i8,f4,n,dt,pair8,pair4,dp}'::text[]) AS c;
INSERT INTO typed (i2, i4, i8, f4, n, da, pair8, pair4) VALUES (10, 10, 10, 10, 10, 0, '{10,-10}', '{10,-10}'), (-10, -10, -10, -10, -10, 10, '{0,1}', '{0,1}');
INSERT INTO typed_bad (i2, i4, i8, f4, n, da, pair8, pair4) VALUES
    (32767, 2147483647, 9223372036854775807, 3.4e38, 1e300, 1e-400, '[0:1]={1e308,-10}', '{3e38,-11}'),
    (-32768, -2147483648, -9223372036854775808, -3.4e38, -1e300, 11, '[-7:-6]={1e-320,1}', '{1e-40,1}');
SELECT c AS column, pg_temp.differ('typed', 'typed_bad', ARRAY[c]) < 1e-12 AS same FROM unnest('{i2,i4,i8,f4,n,da,pair8,pair4}'::text[]) AS c;
-- long arrays, stored out of line, compressed or plain
CREATE TABLE long (a float8[], b float8[], c float4[]);
ALTER TABLE long ALTER a SET STORAGE external, ALTER c SET STORAGE plain;
INSERT INTO long SELECT v, v, v FROM (SELECT array_agg(((i * j) % 11)::float8) AS v FROM generate_series(1, 200) AS i, generate_series(1, 300) AS j GROUP BY i) AS s;
SELECT dp_register_dataset('long', 'long', 1, 1e-6);
SELECT dp_register_column('long', c, -10, 10, length => 300) FROM unnest('{a,b,c}'::text[]) AS c;
SELECT distance(f.mean, (SELECT array_agg(m ORDER BY o) FROM (SELECT o, avg(v) AS m FROM long, unnest(a) WITH ORDINALITY AS u (v, o) GROUP BY o) AS s)) < 1e-9 AS external,
       distance(f.mean, g.mean) < 1e-12 AS compressed, distance(f.mean, h.mean) < 1e-12 AS plain
  FROM dp_gmm_fit('long', 1, 'Infinity', columns => '{a}', covariance => 'spherical', precondition => 'none', estimator => 'mle', iterations => 1) AS f,
       dp_gmm_fit('long', 1, 'Infinity', columns => '{b}', covariance => 'spherical', precondition => 'none', estimator => 'mle', iterations => 1) AS g,
       dp_gmm_fit('long', 1, 'Infinity', columns => '{c}', covariance => 'spherical', precondition => 'none', estimator => 'mle', iterations => 1) AS h;

-- more columns than a function has arguments: 150 of several types, and an array
DO $$BEGIN
    EXECUTE (SELECT 'CREATE TABLE wide (whole float8[], ' || string_agg(format('c%s %s', i, (ARRAY['numeric', 'float8', 'int', 'float4', 'int8'])[i % 5 + 1]), ', ' ORDER BY i) || ')'
               FROM generate_series(1, 150) AS i);
    EXECUTE (SELECT 'INSERT INTO wide SELECT ARRAY[' || string_agg(format('(i * %s) %% 13 - 6', i), ', ' ORDER BY i) || '], '
                 || string_agg(format('(i * %s) %% 13 - 6', i), ', ' ORDER BY i) || ' FROM generate_series(1, 400) AS i' FROM generate_series(1, 150) AS i);
END$$;
CREATE TABLE wide_bad AS TABLE wide;
-- columns 1 and 3 are doubles and floats, 5 is numeric
INSERT INTO wide_bad SELECT * FROM wide LIMIT 5;
UPDATE wide_bad SET (whole, c1, c3, c5) = (CASE bad WHEN 1 THEN '{1,2,3}'::float8[] WHEN 2 THEN ARRAY[whole] END,
        CASE bad WHEN 1 THEN 'Infinity' ELSE c1 END, CASE bad WHEN 2 THEN 'NaN' ELSE c3 END,
        CASE bad WHEN 3 THEN NULL WHEN 4 THEN 'NaN' WHEN 5 THEN '-Infinity' ELSE c5 END)
  FROM (SELECT ctid AS at, row_number() OVER (ORDER BY ctid DESC) AS bad FROM wide_bad) AS s WHERE ctid = at AND bad <= 5;
CREATE TABLE wide_far AS TABLE wide;
INSERT INTO wide_far SELECT * FROM wide LIMIT 3;
UPDATE wide_far SET (whole, c5) = (NULL, (ARRAY['1e400', '-1e400', '1e131071']::numeric[])[far])
  FROM (SELECT ctid AS at, row_number() OVER (ORDER BY ctid DESC) AS far FROM wide_far) AS s WHERE ctid = at AND far <= 3;
CREATE TABLE wide_near AS TABLE wide;
UPDATE wide_near SET c5 = '1e-400' WHERE c5 = 0;
DO $$DECLARE d text; BEGIN
    FOREACH d IN ARRAY '{wide,wide_bad,wide_far,wide_near}'::text[] LOOP
        PERFORM dp_register_dataset(d, d::regclass, 1000, 1e-4), dp_register_column(d, 'whole', -10, 10, length => 150),
            dp_grant_budget('regress_analyst', d, 1000, 1e-4);
        PERFORM dp_register_column(d, 'c' || i, -10, 10) FROM generate_series(1, 150) AS i;
    END LOOP;
END$$;
SELECT array_agg('c' || i ORDER BY i) AS columns, array_agg('c' || i ORDER BY i) FILTER (WHERE i <= 90) AS ninety FROM generate_series(1, 150) AS i \gset
SELECT pg_temp.differ('wide', 'wide', :'columns', '{whole}') < 1e-12 AS as_an_array,
       distance((SELECT mean FROM dp_gmm_fit('wide', 1, 'Infinity', columns => :'ninety'::text[] || '{whole}'::text[], precondition => 'none', covariance => 'spherical')),
                (SELECT mean[:90] || mean FROM dp_gmm_fit('wide', 1, 'Infinity', columns => '{whole}', precondition => 'none', covariance => 'spherical'))) < 1e-6 AS and_an_array;
SELECT pg_temp.differ('wide', 'wide_bad', :'columns') < 1e-12 AS scalars, pg_temp.differ('wide', 'wide_bad', '{whole}') < 1e-12 AS arrays;
-- numbers that no double holds are infinite or zero, here as in a column of its own
CREATE FUNCTION pg_temp.same(one text, two text, columns text[], others text[] DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN pg_temp.differ(one, two, columns, others) < 1e-12;
EXCEPTION WHEN OTHERS THEN
    RETURN sqlstate;
END$$;
SELECT pg_temp.same('wide', 'wide_far', '{c5}') AS one_far, pg_temp.same('wide', 'wide_near', '{c5}') AS one_near,
       pg_temp.same('wide', 'wide_far', :'columns') AS many_far, pg_temp.same('wide', 'wide_near', :'columns') AS many_near;
SET ROLE regress_analyst;
SELECT d, attempt(format('SELECT dp_gmm_fit(%L, 2, 1, columns => %L, covariance => ''spherical'')', d, :'columns'))
  FROM unnest('{wide,wide_bad,wide_far,wide_near}'::text[]) AS d;
SET ROLE regress_owner;

-- names that need quotes, and names the query uses itself
CREATE TABLE "Odd ""table" ("a b" float8, "select" float8, "x""y" float8, "%L" float8, dpem_quota float8, s float8, u float8, "$1" float8,
    "per'son" int, "bytea" float8[]);
INSERT INTO "Odd ""table" SELECT a, b, a, b, a, b, a, b, row_number() OVER (), ARRAY[a, b] FROM clean;
CREATE TABLE "odd persons" AS TABLE "Odd ""table";
SELECT dp_register_dataset('it''s "odd"', '"Odd ""table"', 1000, 1e-4), dp_register_dataset('persons', '"odd persons"', 1000, 1e-4, unit => 'per''son');
SELECT count(dp_register_column(d, c, -10, 10)) FROM unnest('{it''s \"odd\",persons}'::text[]) AS d,
    unnest('{a b,select,"x\"y",%L,dpem_quota,s,u,$1}'::text[]) AS c;
SELECT count(dp_register_column(d, 'bytea', -10, 10, length => 2)) FROM unnest('{it''s \"odd\",persons}'::text[]) AS d;
SELECT d AS dataset, c AS columns, pg_temp.same('clean', d, '{a,b}', c::text[])
  FROM unnest(ARRAY['{a b,select}', '{"x\"y",%L}', '{u,s}', '{u,$1}', '{bytea}', '{dpem_quota,s}']) WITH ORDINALITY AS c (c, n),
       unnest('{it''s \"odd\",persons}'::text[]) AS d ORDER BY d, n;

-- every kind of relation
CREATE TABLE parted (a float8, b float8) PARTITION BY RANGE (a);
CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (0);
CREATE TABLE parted_high PARTITION OF parted DEFAULT PARTITION BY HASH (b);
CREATE TABLE parted_high_0 PARTITION OF parted_high FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_high_1 PARTITION OF parted_high FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parted TABLE clean;
CREATE UNLOGGED TABLE unlogged AS TABLE clean;
CREATE TABLE ancestor (a float8, b float8);
CREATE TABLE heir (b float8, c text, a float8);
ALTER TABLE heir INHERIT ancestor;
INSERT INTO ancestor SELECT * FROM clean LIMIT 600;
INSERT INTO heir SELECT b, 'c', a FROM (SELECT * FROM clean OFFSET 600) AS s;
CREATE TABLE dropped (z int, a float8, y text, b float8);
INSERT INTO dropped (a, b) TABLE clean;
ALTER TABLE dropped DROP z, DROP y;
CREATE TABLE base AS TABLE clean;
CREATE VIEW viewed AS SELECT b, a FROM base WHERE a IS NOT NULL;
CREATE VIEW viewed_again AS SELECT a + 0 AS a, b FROM viewed;
CREATE MATERIALIZED VIEW materialized AS SELECT * FROM viewed;
DO $$DECLARE r regclass; BEGIN
    FOREACH r IN ARRAY '{parted,unlogged,ancestor,dropped,viewed,viewed_again,materialized}'::regclass[] LOOP
        PERFORM pg_temp.register(r, 'a', 'b');
    END LOOP;
END$$;
SELECT dataset, pg_temp.same('clean', dataset, '{a,b}')
  FROM unnest('{parted,unlogged,ancestor,dropped,viewed,viewed_again,materialized}'::text[]) AS dataset;
SET ROLE regress_analyst;
SELECT dataset, attempt(format('SELECT dp_gmm_fit(%L, 2, 1)', dataset))
  FROM unnest('{parted,unlogged,ancestor,dropped,viewed,viewed_again,materialized}'::text[]) AS dataset;
SELECT attempt('SELECT * FROM ' || r) FROM unnest('{parted,unlogged,ancestor,heir,dropped,base,viewed,viewed_again,materialized}'::text[]) AS r;
