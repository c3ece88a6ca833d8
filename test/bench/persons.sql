-- Persons in a star of three tables with TPC-H's columns: what a fit over a path costs beside the same join by
-- plain SQL and a fit over the flat copy, and what a clip that is chosen privately is worth beside fixed ones.
-- Run by `make bench-persons`; PERSONS (default 100000), each with about 10 line items.
\set QUIET on
\pset format unaligned
\pset footer off
SET client_min_messages = error;
CREATE EXTENSION dpem;
CREATE TABLE customer (c_custkey int PRIMARY KEY, c_mktsegment text, c_nationkey int);
CREATE TABLE orders (o_orderkey int PRIMARY KEY, o_custkey int NOT NULL REFERENCES customer, o_orderdate date);
CREATE TABLE lineitem (l_orderkey int NOT NULL REFERENCES orders, l_quantity float8, l_extendedprice float8, l_discount float8,
    l_returnflag text, l_revenue float8 GENERATED ALWAYS AS (l_extendedprice * (1 - l_discount)) STORED);
\getenv persons PERSONS
\if :{?persons}
\else
\set persons 100000
\endif
SELECT setseed(0.3) \g /dev/null
INSERT INTO customer SELECT i, (ARRAY['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'MACHINERY', 'HOUSEHOLD'])[1 + i % 5], i % 25 FROM generate_series(1, :persons) i;
INSERT INTO orders SELECT i, 1 + floor(:persons * random() ^ 1.3)::int, date '1992-01-01' + (random() * 2400)::int FROM generate_series(1, :persons * 5 / 2) i;
INSERT INTO lineitem SELECT 1 + (i - 1) / 4, 1 + floor(50 * random()), exp(7 + 1.2 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())), 0.1 * random(),
    (ARRAY['A', 'N', 'R'])[1 + floor(3 * random())] FROM generate_series(1, :persons * 10) i;
VACUUM ANALYZE customer, orders, lineitem;
CREATE TABLE flat AS SELECT l.*, c.c_nationkey, c.c_custkey FROM lineitem l JOIN orders o ON o.o_orderkey = l.l_orderkey JOIN customer c ON c.c_custkey = o.o_custkey;
VACUUM ANALYZE flat;
DO $$
BEGIN
    PERFORM dp_register_dataset('customer', 'customer', 1000, 1e-6, unit => 'public.customer.c_custkey');
    PERFORM dp_register_dataset('lineitem', 'lineitem', 1000, 1e-6, max_rows_per_unit => 10,
        unit => 'l_orderkey -> public.orders.o_orderkey, o_custkey -> public.customer.c_custkey');
    PERFORM dp_register_dataset('flat', 'flat', 1000, 1e-6, unit => 'c_custkey', max_rows_per_unit => 10);
    PERFORM dp_register_column(d, c, 0, 5000) FROM unnest('{lineitem,flat}'::text[]) d, unnest('{l_quantity,l_extendedprice,l_revenue}'::text[]) c;
    PERFORM dp_register_column('lineitem', 'customer.c_nationkey', 0, 25), dp_register_column('flat', 'c_nationkey', 0, 25);
    PERFORM dp_grant_budget(current_user::regrole, d, 1000, 1e-6) FROM unnest('{customer,lineitem,flat}'::text[]) d;
END$$;

CREATE TABLE seconds (run int, what text, s float8);
CREATE PROCEDURE measure(run int, what text, statement text) LANGUAGE plpgsql AS $$
DECLARE
    start timestamptz := clock_timestamp();
BEGIN
    EXECUTE statement;
    INSERT INTO seconds VALUES (run, what, extract(epoch FROM clock_timestamp() - start));
END$$;
SELECT format('CALL measure(%s, %L, %L)', run, what, statement) FROM generate_series(1, 3) run, (VALUES
    ('path', $$SELECT count(*) FROM dp_gmm_fit('lineitem', 3, 10, columns => '{l_quantity,l_extendedprice,l_revenue,customer.c_nationkey}')$$),
    ('join', $$CREATE TABLE flat_copy AS SELECT l.*, c.c_nationkey, c.c_custkey FROM lineitem l
        JOIN orders o ON o.o_orderkey = l.l_orderkey JOIN customer c ON c.c_custkey = o.o_custkey; DROP TABLE flat_copy$$),
    ('flat', $$SELECT count(*) FROM dp_gmm_fit('flat', 3, 10, columns => '{l_quantity,l_extendedprice,l_revenue,c_nationkey}')$$)) v(what, statement) \gexec
\echo seconds of a fit over the path, of the join by plain SQL, of a fit over the flat copy; the first over the sum of the others
SELECT run, round(p.s::numeric, 2) AS path, round(j.s::numeric, 2) AS "join", round(f.s::numeric, 2) AS flat, round((p.s / (j.s + f.s))::numeric, 2) AS ratio
    FROM seconds p JOIN seconds j USING (run) JOIN seconds f USING (run) WHERE p.what = 'path' AND j.what = 'join' AND f.what = 'flat' ORDER BY run;

\echo sums of persons at epsilon 1 as of queries 1, 5 and 10: root mean squared error at the clip chosen with epsilon 0.5, at the best power of two, at ten times that
DO $$
BEGIN
    PERFORM dp_register_person_column('customer', 'q1', 'sum(lineitem.l_quantity)', 0, 'auto', epsilon => 0.5);
    PERFORM dp_register_person_column('customer', 'q5', 'sum(lineitem.l_revenue)', 0, 'auto', epsilon => 0.5);
    PERFORM dp_register_person_column('customer', 'q10', 'sum(lineitem.l_revenue)', 0, 'auto', epsilon => 0.5, filter => 'l_returnflag = ''R''');
END$$;
CREATE TABLE person AS SELECT c.c_custkey, coalesce(sum(l_quantity), 0) AS q1, coalesce(sum(l_revenue), 0) AS q5, coalesce(sum(l_revenue) FILTER (WHERE l_returnflag = 'R'), 0) AS q10
    FROM customer c LEFT JOIN orders ON o_custkey = c_custkey LEFT JOIN lineitem ON l_orderkey = o_orderkey GROUP BY 1;
-- noise in proportion to the clip, as dp_sum says it for the one that was chosen
CREATE TABLE noise AS SELECT k.column_name AS c, k.upper, (SELECT noise_stddev FROM dp_sum('customer', k.column_name, 1)) / k.upper AS per
    FROM dpem.columns k WHERE k.dataset = 'customer';
CREATE TABLE error AS SELECT n.c, n.upper, t, n.per * t AS noise, sqrt((n.per * t) ^ 2 + sum(greatest(v - t, 0)) ^ 2) AS rmse
    FROM noise n JOIN (SELECT x.c, x.v FROM person, LATERAL (VALUES ('q1', q1), ('q5', q5), ('q10', q10)) x(c, v)) p ON p.c = n.c,
        (SELECT 2.0::float8 ^ j AS t FROM generate_series(0, 22) j) t GROUP BY n.c, n.upper, n.per, t;
SELECT e.c AS query, e.upper AS chosen, b.t AS best, round((e.rmse / b.rmse)::numeric, 2) AS chosen_to_best, round((10 * b.noise / e.rmse)::numeric, 1) AS ten_times_to_chosen
    FROM error e JOIN LATERAL (SELECT * FROM error b WHERE b.c = e.c ORDER BY b.rmse LIMIT 1) b ON true WHERE e.t = e.upper ORDER BY length(e.c), e.c;
