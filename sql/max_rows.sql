-- dp_choose_max_rows: how many rows of a person count, chosen from a histogram of how many each has
-- (noise has 30 standard deviations of its own, or more, between a choice and another one)
CREATE SCHEMA quotas AUTHORIZATION regress_owner;
SET ROLE regress_owner;
CREATE TABLE quotas.people (id int PRIMARY KEY);
CREATE TABLE quotas.visits (person int REFERENCES quotas.people, cost float8);
INSERT INTO quotas.people SELECT i FROM generate_series(1, 4000) i;
-- one row each, of 1000 of them 5, of 500 of these 12, and one has 3000
INSERT INTO quotas.visits SELECT i, 1 FROM generate_series(1, 4000) i, generate_series(1, CASE WHEN i <= 500 THEN 12 WHEN i <= 1000 THEN 5 ELSE 1 END) j;
INSERT INTO quotas.visits SELECT 4000, 1 FROM generate_series(1, 2999);
INSERT INTO quotas.visits SELECT NULL, 1 FROM generate_series(1, 20000);
SELECT dp_register_dataset('quota word', 'quotas.visits', 1000, 1e-4, unit => 'person', max_rows_per_unit => 1000), dp_register_column('quota word', 'cost', 0, 1);
SELECT attempt($$SELECT dp_choose_max_rows('quota word', epsilon => 10)$$);
SELECT dp_grant_budget('regress_owner', 'quota word', 1000, 1e-4), dp_grant_budget('regress_analyst', 'quota word', 1000, 1e-4);
SELECT charges() AS before \gset
SELECT dp_choose_max_rows('quota word', epsilon => 20, calls_epsilon => 0.1);
SELECT charges() - :before AS charges, max_rows_per_unit FROM dpem.datasets WHERE dataset = 'quota word';
SELECT column_name FROM dpem.columns WHERE dataset = 'quota word';
SELECT function, statistic, releases, rows_per_unit FROM dpem.ledger WHERE dataset = 'quota word';
-- what it was is the most that it can be
SELECT dp_alter_dataset('quota word', max_rows_per_unit => 11);
SELECT dp_choose_max_rows('quota word', epsilon => 20);
-- a call of much noise wants fewer rows than one of little
SELECT dp_alter_dataset('quota word', max_rows_per_unit => 1000);
SELECT dp_choose_max_rows('quota word', epsilon => 20, calls_epsilon => 0.005);
SELECT dp_alter_dataset('quota word', max_rows_per_unit => 1000);
SELECT dp_choose_max_rows('quota word', epsilon => 20, calls_epsilon => 0.001);
SELECT dp_alter_dataset('quota word', max_rows_per_unit => 1000);
SELECT dp_choose_max_rows('quota word', epsilon => 20) >= 16 AS as_many;
-- what is released afterwards is of that many rows of each
SELECT dp_alter_dataset('quota word', max_rows_per_unit => 1000);
SELECT dp_choose_max_rows('quota word', epsilon => 20, calls_epsilon => 0.1);
SET ROLE regress_analyst;
SELECT near(value, 500 * 12 + 500 * 5 + 2999 + 16, 0.01) AS rows FROM dp_count('quota word', epsilon => 100);
SELECT attempt($$SELECT dp_choose_max_rows('quota word', epsilon => 1)$$);
SET ROLE regress_owner;
-- cells below a minimum are nobody's
SELECT dp_alter_dataset('quota word', max_rows_per_unit => 1000, minimum => 800);
SELECT dp_choose_max_rows('quota word', epsilon => 20, calls_epsilon => 0.1);
-- a kept answer is given again
SELECT dp_alter_dataset('quota word', max_rows_per_unit => 1000, minimum => 0);
SET dpem.fresh = off;
SELECT dp_choose_max_rows('quota word', epsilon => 40, calls_epsilon => 0.1);
SELECT charges() AS before \gset
SELECT dp_alter_dataset('quota word', max_rows_per_unit => 1000);
-- the NOTICE says how old it is
SET client_min_messages = warning;
SELECT dp_choose_max_rows('quota word', epsilon => 40, calls_epsilon => 0.1);
RESET client_min_messages;
SELECT charges() - :before AS charges;
RESET dpem.fresh;
-- what is called is none of the names of a search path: a function of anybody's that fits better is not
CREATE FUNCTION public.dp_histogram(dataset text, column_name text, epsilon float8, delta float8, edges float8[]) RETURNS TABLE (bin int, value float8, noise_stddev float8) LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'planted'; END$$;
SELECT dp_alter_dataset('quota word', max_rows_per_unit => 1000);
SELECT dp_choose_max_rows('quota word', epsilon => 20, calls_epsilon => 0.1);
DROP FUNCTION public.dp_histogram(text, text, float8, float8, float8[]);

-- nothing is charged where nothing can be chosen
SELECT charges() AS before \gset
SELECT dp_alter_dataset('quota word', max_rows_per_unit => 1);
SELECT attempt(s) FROM (VALUES
    (1, $$SELECT dp_choose_max_rows('quota word', epsilon => 1)$$), (2, $$SELECT dp_choose_max_rows('quota word')$$),
    (3, $$SELECT dp_choose_max_rows('quota word', epsilon => -1)$$), (4, $$SELECT dp_choose_max_rows('quota word', epsilon => 1, delta => 2)$$),
    (5, $$SELECT dp_choose_max_rows('quota word', epsilon => 1, calls_epsilon => 0)$$), (6, $$SELECT dp_choose_max_rows('clusters', epsilon => 1)$$),
    (7, $$SELECT dp_choose_max_rows(NULL, epsilon => 1)$$), (8, $$SELECT dp_choose_max_rows('quota none', epsilon => 1)$$)) v(i, s) ORDER BY i;
SELECT dp_alter_dataset('quota word', max_rows_per_unit => 1000);
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT dp_choose_max_rows('quota word', epsilon => 1);
ROLLBACK;
SELECT charges() - :before AS charges, max_rows_per_unit FROM dpem.datasets WHERE dataset = 'quota word';
-- undone with its transaction, but for what it has spent
BEGIN;
SELECT dp_choose_max_rows('quota word', epsilon => 20, calls_epsilon => 0.1);
ROLLBACK;
SELECT charges() - :before AS charges, max_rows_per_unit FROM dpem.datasets WHERE dataset = 'quota word';
-- a column of the name that numbers of rows have meanwhile
ALTER TABLE quotas.visits ADD COLUMN "rows of a unit" int;
SELECT attempt($$SELECT dp_choose_max_rows('quota word', epsilon => 20, calls_epsilon => 0.1)$$);
SELECT dp_alter_dataset('quota word', max_rows_per_unit => 1000), dp_register_column('quota word', 'rows of a unit', 0, 1);
SELECT attempt($$SELECT dp_choose_max_rows('quota word', epsilon => 20, calls_epsilon => 0.1)$$);
SELECT dp_drop_dataset('quota word');

-- the same by a path: persons are at its end
CREATE TABLE quotas.orders (id int PRIMARY KEY, person int REFERENCES quotas.people);
CREATE TABLE quotas.items (orders int REFERENCES quotas.orders, cost float8);
INSERT INTO quotas.orders SELECT i, 1 + i % 2000 FROM generate_series(1, 8000) i;
INSERT INTO quotas.items SELECT 1 + i % 8000, 1 FROM generate_series(1, 24000) i;
SELECT dp_register_dataset('quota path', 'quotas.items', 1000, 1e-4, unit => 'orders -> quotas.orders.id, person -> quotas.people.id', max_rows_per_unit => 100);
SELECT dp_grant_budget('regress_owner', 'quota path', 1000, 1e-4);
SELECT dp_choose_max_rows('quota path', epsilon => 20, calls_epsilon => 0.1);
SELECT min(n), max(n) FROM (SELECT count(*) AS n FROM quotas.items i JOIN quotas.orders o ON o.id = i.orders GROUP BY o.person) s;
-- neighbouring databases: whatever becomes of the rows of one person, in all tables, one person moves from one bin to another
RESET ROLE;
UPDATE dpem_internal.dataset SET counts_rows = true, max_rows_per_unit = 1 WHERE name = 'quota path';
INSERT INTO dpem_internal.dataset_column (dataset, position, column_name, kind, lower, upper) SELECT id, 0, 'rows of a unit', 'number', 0, 100 FROM dpem_internal.dataset WHERE name = 'quota path';
SET ROLE regress_owner;
CREATE FUNCTION quotas.exact() RETURNS float8[] LANGUAGE sql
AS $$SELECT array_agg(value ORDER BY bin) FROM dp_histogram('quota path', 'rows of a unit', epsilon => 'Infinity', edges => '{0,1.5,2.5,4.5,8.5,16.5,100}')$$;
CREATE FUNCTION quotas.truth() RETURNS float8[] LANGUAGE sql
AS $$SELECT array_agg((SELECT count(*) FROM (SELECT least(count(*), 100) AS n FROM quotas.items i JOIN quotas.orders o ON o.id = i.orders
    WHERE o.person IS NOT NULL GROUP BY o.person) s WHERE n > low AND n <= high)::float8 ORDER BY low) FROM (VALUES (0, 1.5), (1.5, 2.5), (2.5, 4.5), (4.5, 8.5), (8.5, 16.5), (16.5, 100)) b(low, high)$$;
CREATE TABLE quotas.seen (change int, bins float8[], right_ones boolean);
DO $$
DECLARE
    change record;
BEGIN
    FOR change IN SELECT * FROM (VALUES (1, 'SELECT 1'), (2, 'DELETE FROM quotas.items WHERE orders IN (SELECT id FROM quotas.orders WHERE person = 7)'),
        (3, 'INSERT INTO quotas.orders SELECT 9000, 7'), (4, 'INSERT INTO quotas.items SELECT 9000, NULL'), (5, 'INSERT INTO quotas.items SELECT 9000, ''Infinity'''),
        (6, 'INSERT INTO quotas.items SELECT 9000, ''NaN'' FROM generate_series(1, 5000)'), (7, 'INSERT INTO quotas.items SELECT id, 1 FROM quotas.orders WHERE person = 7'),
        (8, 'UPDATE quotas.orders SET person = NULL WHERE person = 7'), (9, 'UPDATE quotas.orders SET person = 7 WHERE person IS NULL'),
        (10, 'UPDATE quotas.items SET cost = -1 WHERE orders = 9000'), (11, 'DELETE FROM quotas.items WHERE orders = 9000')) v(number, statement) ORDER BY 1
    LOOP
        EXECUTE change.statement;
        INSERT INTO quotas.seen SELECT change.number, quotas.exact(), quotas.exact() = quotas.truth();
    END LOOP;
END$$;
SELECT count(*), count(DISTINCT bins) > 3 AS different, bool_and(right_ones) AS right_ones FROM quotas.seen;
SELECT max(distance.square) AS most FROM quotas.seen a, quotas.seen b, LATERAL (SELECT sum((x - y) ^ 2) AS square FROM unnest(a.bins, b.bins) AS u(x, y)) distance;
SELECT dp_drop_dataset('quota path');
SET client_min_messages = warning;
DROP SCHEMA quotas CASCADE;
RESET ROLE;
