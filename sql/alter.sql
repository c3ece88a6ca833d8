-- dp_alter_dataset, dp_unregister_column: what changes, what stays, what is refused
\pset null -
CREATE SCHEMA alter_schema AUTHORIZATION regress_owner;
SET ROLE regress_owner;

CREATE TABLE alter_rows AS SELECT i % 90 AS age, i % 2 = 0 AS paid, 'p' || i AS person FROM generate_series(1, 500) AS i;
CREATE TABLE alter_other AS SELECT 1.0 AS age;
ANALYZE alter_rows;
SELECT dp_register_dataset('alter_first', 'alter_rows', 2, 1e-5), dp_register_dataset('alter_other', 'alter_other', 1, 1e-5);
SELECT dp_register_column('alter_first', 'age', 0, 90), dp_register_column('alter_first', 'paid', '{true,false}');
SELECT dp_grant_budget('regress_analyst', 'alter_first', 1.5, 1e-5);

-- what is replaced is said
SELECT dp_register_column('alter_first', 'age', 0, 80);
SELECT dp_register_column('alter_first', 'age', 0, 90);
SELECT dp_grant_budget('regress_analyst', 'alter_first', 1, 1e-5);
SELECT dp_grant_budget('regress_analyst', 'alter_first', 1.5, 1e-5);

-- before the first charge everything may change
SELECT dp_alter_dataset('alter_first', epsilon => 3, delta => 1e-6, keys_share => 0.1);
SELECT epsilon, delta, keys_share FROM dpem.datasets WHERE dataset = 'alter_first';
SELECT dp_alter_dataset('alter_first', keys_share => 0);

SET ROLE regress_analyst;
CREATE TEMP TABLE alter_calls AS SELECT * FROM dp_avg('alter_first', 'age', 1, 1e-6);
SELECT count(*) FROM dp_gmm_fit('alter_first', 1, 0.2, 1e-6, columns => '{age}', model => 'alter_model');
SELECT dp_alter_dataset('alter_first', name => 'mine');
-- names that were meant
SELECT value FROM dp_avg('alter_first', 'agee', 1);
SELECT value FROM dp_count('alter_first', 1, filter => $$paid = 'True'$$);
RESET ROLE;

-- a name, with what belongs to the dataset
SET ROLE regress_owner;
SELECT dp_alter_dataset('alter_first', name => 'alter_second');
SELECT dataset, source, epsilon FROM dpem.datasets WHERE dataset ~ '^alter_(first|second)';
SELECT dataset, column_name FROM dpem.columns WHERE dataset = 'alter_second' ORDER BY position;
SELECT dataset, role, epsilon, charges, near(spent_epsilon, remaining_epsilon, 1) AS some_is_left FROM dpem.budgets WHERE dataset = 'alter_second' ORDER BY role;
SELECT DISTINCT dataset, function, spent_percent > 0 AS costs FROM dpem.calls WHERE dataset ~ '^alter' ORDER BY function;
SELECT dataset, sum(charges) AS charges, bool_and(spent_percent > 0) AS costs FROM dpem.spending WHERE dataset ~ '^alter' GROUP BY 1;
SELECT dataset FROM dpem.models WHERE model = 'alter_model';
SELECT charges, agrees FROM dp_check_ledger('alter_second');
SELECT dataset, role, change, epsilon FROM dpem.budget_changes WHERE dataset ~ '^alter' ORDER BY changed_at;
SET ROLE regress_analyst;
SELECT value IS NOT NULL AS answered FROM dp_avg('alter_second', 'age', 0.1, 1e-6);
SELECT value FROM dp_avg('alter_first', 'age', 0.1, 1e-6);
SET ROLE regress_owner;
SELECT dp_register_dataset('alter_first', 'alter_other', 1, 1e-5);
SELECT dp_alter_dataset('alter_other', name => 'alter_first');
SELECT dp_alter_dataset('alter_other', name => 'alter_second');
-- and back
SELECT dp_alter_dataset('alter_second', name => 'alter_first'), dp_alter_dataset('alter_first', name => 'alter_second');

-- the budget: never below what was spent, and as one of the ledger's budgets
SELECT dp_alter_dataset('alter_second', epsilon => 10);
SELECT attempt(s) FROM (VALUES
    (1, $$SELECT dp_alter_dataset('alter_second', epsilon => 0.5)$$),
    (2, $$SELECT dp_alter_dataset('alter_second', keys_share => 0.2)$$),
    (3, $$SELECT dp_alter_dataset('alter_second', epsilon => 'NaN')$$),
    (4, $$SELECT dp_alter_dataset('alter_second', epsilon => 2000)$$),
    (5, $$SELECT dp_alter_dataset('alter_second', delta => 1)$$),
    (6, $$SELECT dp_alter_dataset('alter_second', name => '')$$),
    (7, $$SELECT dp_alter_dataset('alter_second', source => 'alter_other')$$),
    (8, $$SELECT dp_alter_dataset('alter_second', source => 'pg_class')$$),
    (9, $$SELECT dp_alter_dataset(NULL)$$),
    (10, $$SELECT dp_alter_dataset('alter_none')$$)
  ) AS v (n, s) ORDER BY n;
SELECT epsilon, delta, keys_share FROM dpem.datasets WHERE dataset = 'alter_second';

-- the source: renamed, moved, a view of it
ALTER TABLE alter_rows RENAME TO alter_people;
ALTER TABLE alter_people SET SCHEMA alter_schema;
SET ROLE regress_analyst;
SELECT value FROM dp_avg('alter_second', 'age', 0.1, 1e-6);
SET ROLE regress_owner;
SELECT dp_alter_dataset('alter_second');
CREATE VIEW alter_view AS SELECT age, person FROM alter_schema.alter_people WHERE age > 18;
SELECT dp_alter_dataset('alter_second', source => 'alter_view');
SELECT dataset, source FROM dpem.datasets WHERE dataset = 'alter_second';
SET ROLE regress_analyst;
SELECT value IS NOT NULL AS answered FROM dp_avg('alter_second', 'age', 0.1, 1e-6);
SELECT count(*) FROM dp_count('alter_second', 0.1, 1e-6, by => 'paid');
SELECT dp_unregister_column('alter_second', 'paid');
RESET ROLE;

-- columns
SET ROLE regress_owner;
SELECT dp_unregister_column('alter_second', 'paid');
SELECT dp_unregister_column('alter_second', 'paid');
SELECT column_name FROM dpem.columns WHERE dataset = 'alter_second';

-- no charge while it is open, and it can be taken back
BEGIN;
SELECT dp_alter_dataset('alter_second', name => 'alter_third');
ROLLBACK;
SELECT dp_alter_dataset('alter_second', name => 'alter_third');
SELECT dp_drop_dataset('alter_third'), dp_drop_dataset('alter_other');
-- the ledger still knows under which budgets it was charged
SELECT dp_register_dataset('alter_third', 'alter_view', 3, 1e-6, keys_share => 0.2);

-- from rows to persons: charges are carried over as an upper bound
CREATE TABLE alter_visits AS SELECT i, (i + 2) / 3 AS person, i % 90 AS age, 'k' || i % 5 AS key FROM generate_series(1, 900) AS i;
CREATE FUNCTION pg_temp.visits(name text, accountant text, epsilon float8, keys_share float8 DEFAULT 0) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE %I AS SELECT * FROM alter_visits', name);
    PERFORM dp_register_dataset(name, name, epsilon, 1e-4, accountant => accountant, keys_share => keys_share);
    PERFORM dp_register_column(name, 'age', 0, 90), dp_register_key(name, 'key');
    PERFORM dp_grant_budget('regress_analyst', name, epsilon, 1e-4), dp_grant_budget('regress_member', name, epsilon, 1e-4);
    RETURN name;
END$$;
SET client_min_messages = warning;
SELECT pg_temp.visits('alter_' || a, a, 100) FROM unnest('{gdp,zcdp,rdp,ma,advanced,linear}'::text[]) AS a;
SELECT pg_temp.visits('alter_keys', 'gdp', 10, 0.5), pg_temp.visits('alter_two', 'gdp', 10);
SELECT count(dp_register_dataset('alter_two_too', 'alter_two', 10, 1e-4));
RESET client_min_messages;
SET ROLE regress_analyst;
SELECT a, (SELECT count(*) FROM dp_avg('alter_' || a, 'age', 0.5, 1e-6)), (SELECT count(*) FROM dp_count('alter_' || a, 0.25, 1e-6)) FROM unnest('{gdp,zcdp,rdp,ma,advanced,linear}'::text[]) AS a;
SELECT count(*) FROM dp_avg('alter_two', 'age', 0.5, 1e-6);
SELECT count(*) >= 0 AS keys FROM dp_count('alter_keys', 1, 1e-5, by => 'key');
SET ROLE regress_member;
SELECT a, (SELECT count(*) FROM dp_avg('alter_' || a, 'age', 0.5, 1e-6)) FROM unnest('{gdp,linear}'::text[]) AS a;
SET ROLE regress_owner;
CREATE TEMP TABLE alter_before AS SELECT dataset, sum(mu_squared) AS mu2, sum(rho) AS rho, sum(epsilon) FILTER (WHERE line = 1) AS epsilon,
    sum(epsilon ^ 2) FILTER (WHERE line = 1) AS epsilon2, sum(delta) FILTER (WHERE line = 1) AS delta, md5(string_agg(l::text, ',' ORDER BY charge, line)) AS lines
  FROM dpem.ledger AS l WHERE dataset IN ('alter_gdp', 'alter_zcdp', 'alter_rdp', 'alter_ma', 'alter_advanced', 'alter_linear') GROUP BY dataset;
SELECT dp_alter_dataset('alter_gdp', unit => 'person', max_rows_per_unit => 2, earlier_rows => 3);
SELECT dp_alter_dataset('alter_' || a, unit => 'person', max_rows_per_unit => 3) FROM unnest('{zcdp,rdp,ma,advanced,linear}'::text[]) AS a;
-- what was there is the same; the sums are nine times mu^2 and rho, three times epsilon, and more delta
SELECT b.dataset, b.lines = (SELECT md5(string_agg(l::text, ',' ORDER BY charge, line)) FROM dpem.ledger AS l WHERE l.dataset = b.dataset AND mechanism <> 'group') AS lines,
       near(s.mu2, 9 * b.mu2, 1e-12) AS mu2, s.rho >= 9 * b.rho * (1 - 1e-12) AND s.rho <= 10 * b.rho AS rho,
       CASE WHEN b.dataset = 'alter_advanced' THEN s.epsilon2 >= 9 * b.epsilon2 ELSE near(s.epsilon, 3 * b.epsilon, 1e-12) END AS epsilon,
       b.delta > 0 AND s.delta BETWEEN b.delta * 3 AND b.delta * (1 + exp(0.5) + exp(1)) * 1.000001 AS delta
  FROM alter_before AS b, LATERAL (SELECT sum(mu_squared) AS mu2, sum(rho) AS rho, sum(epsilon) FILTER (WHERE line = 1) AS epsilon,
    sum(epsilon ^ 2) FILTER (WHERE line = 1) AS epsilon2, sum(delta) FILTER (WHERE line = 1) AS delta FROM dpem.ledger AS l WHERE l.dataset = b.dataset) AS s ORDER BY 1;
SELECT dataset, role, function, statistic, mechanism, unit, rows_per_unit FROM dpem.ledger WHERE dataset = 'alter_gdp' AND mechanism = 'group' ORDER BY role;
SELECT dataset, unit, max_rows_per_unit FROM dpem.datasets WHERE dataset ~ '^alter_(gdp|linear)' ORDER BY 1;
SELECT near(spent_epsilon, dp_gdp_epsilon(3 * sqrt(b.mu2), 1e-4), 1e-6) AS persons FROM dpem.budgets JOIN alter_before AS b USING (dataset) WHERE dataset = 'alter_gdp' AND role IS NULL;
SELECT d.dataset, c.agrees FROM alter_before AS d, dp_check_ledger(d.dataset) AS c ORDER BY 1;
SET ROLE regress_analyst;
SELECT a, (SELECT count(*) FROM dp_avg('alter_' || a, 'age', 0.5, 1e-6)) FROM unnest('{gdp,zcdp,rdp,ma,advanced,linear}'::text[]) AS a;
SET ROLE regress_owner;
SELECT d.dataset, c.charges, c.agrees FROM alter_before AS d, dp_check_ledger(d.dataset) AS c ORDER BY 1;
SELECT dataset, agrees FROM dpem.budgets WHERE dataset IN ('alter_gdp', 'alter_rdp') ORDER BY 1, role;
-- the unit is the ledger's from now on; another number of rows is nothing new
SELECT dp_alter_dataset('alter_gdp', max_rows_per_unit => 1);
SELECT attempt(s) FROM (VALUES
    (1, $$SELECT dp_alter_dataset('alter_gdp', unit => 'i')$$),
    (2, $$SELECT dp_register_dataset('alter_gdp_rows', 'alter_gdp', 100, 1e-4)$$),
    (3, $$SELECT dp_register_dataset('alter_gdp_too', 'alter_gdp', 100, 1e-4, unit => 'person')$$),
    (4, $$SELECT dp_alter_dataset('alter_keys', unit => 'person', max_rows_per_unit => 3)$$),
    (5, $$SELECT dp_alter_dataset('alter_gdp', max_rows_per_unit => 0)$$),
    (6, $$SELECT dp_alter_dataset('alter_two', max_rows_per_unit => 2)$$),
    (7, $$SELECT dp_alter_dataset('alter_two', unit => 'nobody')$$),
    (8, $$SELECT dp_alter_dataset('alter_two', unit => 'person', earlier_rows => 0)$$),
    (9, $$SELECT dp_alter_dataset('alter_two', unit => 'person', earlier_rows => 2)$$)
  ) AS v (n, s) ORDER BY n;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT dp_alter_dataset('alter_two', unit => 'person');
ROLLBACK;
-- all datasets of a ledger go together
SELECT dp_drop_dataset('alter_two_too');
SELECT dp_alter_dataset('alter_two', unit => 'person', earlier_rows => 1000);
SELECT dp_alter_dataset('alter_two', unit => 'person');
SET client_min_messages = warning;
SELECT count(dp_drop_dataset(d)) FROM unnest('{alter_two,alter_keys,alter_gdp,alter_gdp_too,alter_zcdp,alter_rdp,alter_ma,alter_advanced,alter_linear}'::text[]) AS d;
RESET client_min_messages;
RESET ROLE;
