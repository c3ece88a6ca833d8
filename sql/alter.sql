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
