-- registering private sources: who may, what is refused, who sees what
\pset null -
CREATE ROLE regress_gone;
SET ROLE regress_owner;
CREATE DOMAIN percent AS numeric CHECK (value BETWEEN 0 AND 100);
CREATE TABLE visits (person text, age int, score percent, genes float4[], mood text, notes text, born date, paid bool, codes int[]);
INSERT INTO visits SELECT 'p' || i, i % 90, i % 101, ARRAY[i % 7, i % 5, i % 3], 'good', 'fine', '2000-01-01', i % 2 = 0
  FROM generate_series(1, 500) AS i;
ANALYZE visits;
CREATE INDEX visits_age ON visits (age);
CREATE SEQUENCE visits_sequence;
CREATE TYPE visits_composite AS (a float8);
CREATE TEMP TABLE visits_temporary (a float8);
CREATE VIEW own_view AS SELECT * FROM visits;
RESET ROLE;
CREATE TABLE root_table (a float8);
GRANT SELECT ON root_table TO regress_owner;
SET ROLE regress_owner;
CREATE VIEW root_view AS SELECT * FROM root_table;
CREATE VIEW root_view_view AS SELECT a FROM root_view;

-- every argument that cannot be
\pset format unaligned
\pset tuples_only on
SELECT attempt(s) FROM (VALUES
    (1, $$SELECT dp_register_dataset('d', 'no_such_table', 1, 1e-6)$$),
    (2, $$SELECT dp_register_dataset('d', 0::regclass, 1, 1e-6)$$),
    (3, $$SELECT dp_register_dataset('d', NULL, 1, 1e-6)$$),
    (4, $$SELECT dp_register_dataset(NULL, 'visits', 1, 1e-6)$$),
    (5, $$SELECT dp_register_dataset('', 'visits', 1, 1e-6)$$),
    (6, $$SELECT dp_register_dataset('clusters', 'visits', 1, 1e-6)$$),
    (10, $$SELECT dp_register_dataset('d', 'visits', 0, 1e-6)$$),
    (11, $$SELECT dp_register_dataset('d', 'visits', -1, 1e-6)$$),
    (12, $$SELECT dp_register_dataset('d', 'visits', 'NaN', 1e-6)$$),
    (13, $$SELECT dp_register_dataset('d', 'visits', 'Infinity', 1e-6)$$),
    (14, $$SELECT dp_register_dataset('d', 'visits', NULL, 1e-6)$$),
    (20, $$SELECT dp_register_dataset('d', 'visits', 1, 0)$$),
    (21, $$SELECT dp_register_dataset('d', 'visits', 1, 1)$$),
    (22, $$SELECT dp_register_dataset('d', 'visits', 1, -1e-6)$$),
    (23, $$SELECT dp_register_dataset('d', 'visits', 1, 'NaN')$$),
    (24, $$SELECT dp_register_dataset('d', 'visits', 1, NULL)$$),
    (30, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6, adjacency => 'substitute')$$),
    (31, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6, adjacency => 'Replace_One')$$),
    (32, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6, adjacency => NULL)$$),
    (33, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6, accountant => 'exact')$$),
    (34, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6, accountant => '')$$),
    (35, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6, accountant => NULL)$$),
    (40, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6, unit => 'nobody')$$),
    (41, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6, unit => 'ctid')$$),
    (42, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6, unit => '')$$),
    (43, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6, max_rows_per_unit => 3)$$),
    (44, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6, unit => 'person', max_rows_per_unit => 0)$$),
    (45, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6, unit => 'person', max_rows_per_unit => 1000001)$$),
    (46, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6, unit => 'person', max_rows_per_unit => NULL)$$),
    (50, $$SELECT dp_register_dataset('d', 'visits_temporary', 1, 1e-6)$$),
    (51, $$SELECT dp_register_dataset('d', 'pg_class', 1, 1e-6)$$),
    (52, $$SELECT dp_register_dataset('d', 'visits_age', 1, 1e-6)$$),
    (53, $$SELECT dp_register_dataset('d', 'visits_sequence', 1, 1e-6)$$),
    (54, $$SELECT dp_register_dataset('d', 'visits_composite', 1, 1e-6)$$),
    (60, $$SELECT dp_register_dataset('d', 'root_table', 1, 1e-6)$$),
    (61, $$SELECT dp_register_dataset('d', 'root_view', 1, 1e-6)$$),
    (62, $$SELECT dp_register_dataset('d', 'root_view_view', 1, 1e-6)$$)
  ) AS v (n, s) ORDER BY n;
\pset tuples_only off
\pset format aligned
-- one of them as people see it
SELECT dp_register_dataset('d', 'visits', 1, 2);
SELECT count(*) AS registered FROM dpem.datasets WHERE dataset = 'd';

-- one that can
SELECT dp_register_dataset('visits', 'visits', 2, 1e-5, unit => 'person', accountant => 'zcdp');
SELECT dp_register_dataset('visits', 'clusters', 2, 1e-5);

-- columns
\pset format unaligned
\pset tuples_only on
SELECT attempt(s) FROM (VALUES
    (1, $$SELECT dp_register_column('no_such', 'age', 0, 1)$$),
    (2, $$SELECT dp_register_column('visits', 'no_such', 0, 1)$$),
    (3, $$SELECT dp_register_column('visits', 'ctid', 0, 1)$$),
    (4, $$SELECT dp_register_column('visits', NULL, 0, 1)$$),
    (5, $$SELECT dp_register_column('visits', 'age', 1, 1)$$),
    (6, $$SELECT dp_register_column('visits', 'age', 2, 1)$$),
    (7, $$SELECT dp_register_column('visits', 'age', 'NaN', 1)$$),
    (8, $$SELECT dp_register_column('visits', 'age', 0, 'NaN')$$),
    (9, $$SELECT dp_register_column('visits', 'age', '-Infinity', 1)$$),
    (10, $$SELECT dp_register_column('visits', 'age', 0, 'Infinity')$$),
    (11, $$SELECT dp_register_column('visits', 'age', NULL, 1)$$),
    (12, $$SELECT dp_register_column('visits', 'age', 0, NULL)$$),
    (13, $$SELECT dp_register_column('visits', 'age', -2e100, 0)$$),
    (14, $$SELECT dp_register_column('visits', 'age', 0, 1e-101)$$),
    (20, $$SELECT dp_register_column('visits', 'genes', 0, 1)$$),
    (21, $$SELECT dp_register_column('visits', 'genes', 0, 1, length => 0)$$),
    (22, $$SELECT dp_register_column('visits', 'genes', 0, 1, length => 100001)$$),
    (23, $$SELECT dp_register_column('visits', 'age', 0, 1, length => 1)$$),
    (24, $$SELECT dp_register_column('visits', 'mood', 0, 1)$$),
    (25, $$SELECT dp_register_column('visits', 'born', 0, 1)$$),
    (26, $$SELECT dp_register_column('visits', 'paid', 0, 1)$$),
    (27, $$SELECT dp_register_column('visits', 'codes', 0, 1, length => 3)$$),
    (30, $$SELECT dp_register_column('visits', 'mood', '{good,bad,good}')$$),
    (31, $$SELECT dp_register_column('visits', 'mood', '{good,NULL}')$$),
    (32, $$SELECT dp_register_column('visits', 'mood', '{good,""}')$$),
    (33, $$SELECT dp_register_column('visits', 'mood', '{}')$$),
    (34, $$SELECT dp_register_column('visits', 'mood', '{{good},{bad}}')$$),
    (35, $$SELECT dp_register_column('visits', 'mood', NULL)$$),
    (36, $$SELECT dp_register_column('visits', 'score', '{1,2}')$$),
    (37, $$SELECT dp_register_column('visits', 'no_such', '{1,2}')$$),
    (40, $$SELECT dp_register_text('visits', 'age', '{1,2}')$$),
    (41, $$SELECT dp_register_text('visits', 'notes', '{fine,fine}')$$),
    (42, $$SELECT dp_register_text('visits', 'notes', NULL)$$)
  ) AS v (n, s) ORDER BY n;
\pset tuples_only off
\pset format aligned
SELECT count(*) AS registered FROM dpem.columns WHERE dataset = 'visits';

SELECT dp_register_column('visits', 'age', 0, 100), dp_register_column('visits', 'score', -1, 1),
       dp_register_column('visits', 'genes', 0, 10, length => 3), dp_register_column('visits', 'mood', '{good,bad}'),
       dp_register_text('visits', 'notes', '{fine,ill,dizzy}'), dp_register_column('visits', 'paid', '{true,false}');
-- a column again: other bounds, the old place
SELECT dp_register_column('visits', 'score', 0, 100);
SELECT position, column_name, kind, lower, upper, length, categories FROM dpem.columns
 WHERE dataset = 'visits' ORDER BY position;
SELECT column_name, position, category FROM dpem.column_categories WHERE dataset = 'visits' ORDER BY 1, 2;

-- only the owner and superusers administer
SELECT dp_grant_budget('regress_analyst', 'visits', 1, 1e-5);
RESET ROLE;
\pset format unaligned
\pset tuples_only on
CREATE TABLE administration (n int, statement text);
INSERT INTO administration VALUES
    (1, $$SELECT dp_register_dataset('d', 'visits', 1, 1e-6)$$),
    (2, $$SELECT dp_register_dataset('d', 'own_view', 1, 1e-6)$$),
    (3, $$SELECT dp_register_column('visits', 'age', 0, 100)$$),
    (4, $$SELECT dp_register_column('visits', 'mood', '{good,bad}')$$),
    (5, $$SELECT dp_register_text('visits', 'notes', '{fine,ill,dizzy}')$$),
    (6, $$SELECT dp_grant_budget('regress_other', 'visits', 1, 1e-6)$$),
    (7, $$SELECT dp_revoke_budget('regress_other', 'visits')$$),
    (8, $$SELECT dp_drop_dataset('visits')$$);
GRANT SELECT ON administration TO PUBLIC;
SET ROLE regress_analyst;
SELECT attempt(statement) FROM administration ORDER BY n;
RESET ROLE;
-- all SELECT on the table does not make an owner
GRANT ALL ON visits TO regress_other;
SET ROLE regress_other;
SELECT attempt(statement) FROM administration ORDER BY n;
RESET ROLE;
-- a superuser may, and so may a member of the owner
SELECT attempt(statement) FROM administration WHERE n BETWEEN 3 AND 7 ORDER BY n;
GRANT regress_owner TO regress_other;
SET ROLE regress_other;
SELECT attempt(statement) FROM administration WHERE n BETWEEN 3 AND 7 ORDER BY n;
RESET ROLE;
REVOKE regress_owner FROM regress_other;
REVOKE ALL ON visits FROM regress_other;
\pset tuples_only off
\pset format aligned

-- mistakes of a first day come with what to do next
CREATE FUNCTION pg_temp.advice(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    hint text;
BEGIN
    EXECUTE statement;
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN hint;
END $$;
SET ROLE regress_owner;
\pset format unaligned
\pset tuples_only on
SELECT pg_temp.advice(s) FROM (VALUES
    (1, $$SELECT dp_register_column('visits', 'Age', 0, 120)$$),
    (2, $$SELECT dp_register_column('visits', 'mood', 0, 1)$$),
    (3, $$SELECT dp_register_column('visits', 'age', 120, 0)$$),
    (4, $$SELECT dp_register_column('visits', 'age', 0, 120, 3)$$),
    (5, $$SELECT dp_register_dataset('persons', 'visits', 1, 1e-6, unit => 'Person')$$),
    (6, $$SELECT dp_revoke_budget('regress_reader', 'visits')$$),
    (7, $$SELECT * FROM dp_gmm_fit('visit', 2, 1)$$),
    (8, $$SELECT * FROM dp_gmm_fit('visits', 2, 1, columns => '{Age}')$$)
  ) AS v (n, s) ORDER BY n;
\pset tuples_only off
\pset format aligned
RESET ROLE;
DROP FUNCTION pg_temp.advice;

-- shares of a budget
SET ROLE regress_owner;
\pset format unaligned
\pset tuples_only on
SELECT attempt(s) FROM (VALUES
    (1, $$SELECT dp_grant_budget('regress_no_such', 'visits', 1, 1e-6)$$),
    (2, $$SELECT dp_grant_budget(0::regrole, 'visits', 1, 1e-6)$$),
    (3, $$SELECT dp_grant_budget(NULL, 'visits', 1, 1e-6)$$),
    (4, $$SELECT dp_grant_budget('regress_analyst', 'no_such', 1, 1e-6)$$),
    (5, $$SELECT dp_grant_budget('regress_analyst', NULL, 1, 1e-6)$$),
    (6, $$SELECT dp_grant_budget('regress_analyst', 'visits', 0, 1e-6)$$),
    (7, $$SELECT dp_grant_budget('regress_analyst', 'visits', 'NaN', 1e-6)$$),
    (8, $$SELECT dp_grant_budget('regress_analyst', 'visits', 'Infinity', 1e-6)$$),
    (9, $$SELECT dp_grant_budget('regress_analyst', 'visits', NULL, 1e-6)$$),
    (10, $$SELECT dp_grant_budget('regress_analyst', 'visits', 1, 0)$$),
    (11, $$SELECT dp_grant_budget('regress_analyst', 'visits', 1, 1)$$),
    (12, $$SELECT dp_grant_budget('regress_analyst', 'visits', 1, 'NaN')$$),
    (13, $$SELECT dp_revoke_budget('regress_reader', 'visits')$$),
    (14, $$SELECT dp_revoke_budget('regress_analyst', 'no_such')$$),
    (15, $$SELECT dp_drop_dataset('no_such')$$),
    (16, $$SELECT dp_drop_dataset(NULL)$$)
  ) AS v (n, s) ORDER BY n;
\pset tuples_only off
\pset format aligned
-- a share of a role that is gone later does not stand in the way
SELECT dp_grant_budget('regress_gone', 'visits', 0.5, 1e-6);
RESET ROLE;
DROP ROLE regress_gone;
SELECT dp_register_dataset('roots', 'root_view_view', 1, 1e-6);

-- who sees what: the owner, a role with a share, a member of it, and nobody else
SET ROLE regress_analyst;
SELECT count(*) AS components FROM dp_gmm_fit('visits', 2, 0.25, 1e-6, '{age}', 3, precondition => 'none');
RESET ROLE;
CREATE FUNCTION seen(OUT datasets text, OUT columns bigint, OUT categories bigint, OUT budgets text, OUT charges bigint)
LANGUAGE sql STABLE AS $$SELECT
    (SELECT string_agg(dataset, ' ' ORDER BY dataset) FROM dpem.datasets WHERE dataset IN ('visits', 'roots')),
    (SELECT count(*) FROM dpem.columns WHERE dataset = 'visits'),
    (SELECT count(*) FROM dpem.column_categories WHERE dataset = 'visits'),
    (SELECT string_agg(format('%s %s', coalesce(role, 'all'), charges), ', ' ORDER BY role NULLS FIRST)
       FROM dpem.budgets WHERE dataset = 'visits' AND (role IS NULL OR role LIKE 'regress%')),
    (SELECT count(*) FROM dpem.ledger WHERE dataset = 'visits')$$;
SET ROLE regress_owner;
SELECT dp_grant_budget('regress_reader', 'visits', 1, 1e-6);
SELECT * FROM seen();
SET ROLE regress_analyst;
SELECT * FROM seen();
SET ROLE regress_member;
SELECT * FROM seen();
SET ROLE regress_reader;
SELECT * FROM seen();
SET ROLE regress_other;
SELECT * FROM seen();
RESET ROLE;
SELECT * FROM seen();
SELECT line, role, function, statistic, mechanism, releases, sampling_rate, adjacency, unit, rows_per_unit, composition,
       epsilon, delta, near(mu_squared, 2 * rho) AND near(rho, dp_zcdp_rho(0.25, 1e-6), 1e-6) AS cost,
       near(mu_squared, releases / noise_multiplier ^ 2, 1e-12) AS noise
  FROM dpem.ledger WHERE dataset = 'visits';

-- two datasets that read one table, directly or through a view, share its ledger
SET ROLE regress_owner;
SELECT dp_register_dataset('visits_again', 'visits', 5, 1e-5, unit => 'person', max_rows_per_unit => 7, accountant => 'zcdp');
SELECT dp_register_dataset('visits_view', 'own_view', 5, 1e-5, unit => 'person', accountant => 'zcdp');
SELECT dp_register_column('visits_again', 'age', 0, 100), dp_register_column('visits_view', 'age', 0, 100);
SELECT dp_grant_budget('regress_analyst', 'visits_again', 1, 1e-5), dp_grant_budget('regress_analyst', 'visits_view', 1, 1e-5);
SELECT dataset, role, charges, spent_epsilon > 0 AND near(spent_epsilon + remaining_epsilon, epsilon, 1) AS spent
  FROM dpem.budgets WHERE dataset IN ('visits_again', 'visits_view') ORDER BY 1, 2;
SET ROLE regress_analyst;
SELECT dp_budget_remaining('visits_again') AS before \gset
SELECT count(*) AS components FROM dp_gmm_fit('visits_view', 1, 0.25, 1e-6);
SELECT dp_budget_remaining('visits_again') < :before AS less_is_left_for_the_other;
RESET ROLE;
-- charges of one ledger count in one unit and one adjacency
SET ROLE regress_owner;
SELECT dp_register_dataset('visits_rows', 'visits', 5, 1e-5);
SELECT dp_register_dataset('visits_rows', 'own_view', 5, 1e-5, unit => 'mood');
SELECT dp_register_dataset('visits_rows', 'visits', 5, 1e-5, unit => 'person', adjacency => 'add_remove');
-- even if both are registered before the first charge
CREATE TABLE mixed AS SELECT i AS person, i::float8 AS a FROM generate_series(1, 100) AS i;
SELECT dp_register_dataset('mixed', 'mixed', 5, 1e-5);
SELECT dp_register_column('mixed', 'a', 0, 100);
SELECT dp_grant_budget('regress_analyst', 'mixed', 5, 1e-5);
DO $$BEGIN
    PERFORM dp_register_dataset('mixed_other', 'mixed', 5, 1e-5, unit => 'person', adjacency => 'add_remove');
    PERFORM dp_register_column('mixed_other', 'a', 0, 100);
    PERFORM dp_grant_budget('regress_analyst', 'mixed_other', 5, 1e-5);
EXCEPTION WHEN OTHERS THEN NULL;
END$$;
SET ROLE regress_analyst;
SELECT attempt($$SELECT dp_gmm_fit('mixed', 1, 0.1)$$);
SELECT attempt($$SELECT dp_gmm_fit('mixed_other', 1, 0.1)$$) = 'done' AS mixed;
SELECT count(DISTINCT (unit, adjacency)) AS currencies FROM dpem.ledger WHERE dataset IN ('mixed', 'mixed_other');
SET ROLE regress_owner;

-- a ledger has one accountant and one keys_share, and of two budgets one is the larger; what a dropped dataset was charged under stays
CREATE TABLE ruled AS SELECT i::float8 AS a FROM generate_series(1, 100) AS i;
SELECT dp_register_dataset('ruled', 'ruled', 1, 1e-5), dp_register_dataset('ruled_less', 'ruled', 0.5, 1e-4);
SELECT dp_register_dataset('ruled_other', 'ruled', 1, 1e-5, accountant => 'linear');
SELECT dp_register_dataset('ruled_other', 'ruled', 1, 1e-5, keys_share => 0.1);
SELECT dp_register_column('ruled', 'a', 0, 100), dp_grant_budget('regress_analyst', 'ruled', 1, 1e-5);
SET ROLE regress_analyst;
SELECT attempt($$SELECT dp_count('ruled', 0.1)$$);
SET ROLE regress_owner;
SELECT dp_drop_dataset('ruled_less'), dp_drop_dataset('ruled');
SELECT dp_register_dataset('ruled', 'ruled', 1, 1e-5, accountant => 'linear');
SELECT dp_register_dataset('ruled', 'ruled', 1, 1e-5, keys_share => 0.1);
SELECT dp_register_dataset('ruled', 'ruled', 0.5, 1e-4);
CREATE TABLE added AS TABLE ruled;
SELECT dp_register_dataset('added_never', 'added', 1, 1e-5);
SELECT dp_drop_dataset('added_never');
SELECT dp_register_dataset('added', 'added', 1, 1e-6, accountant => 'linear');
SELECT dp_register_dataset('added_more', 'added', 0.5, 1e-5, accountant => 'linear');
SELECT dp_register_dataset('added_more', 'added', 1, 1e-5, accountant => 'linear');

-- sources with different ledgers do not mix
CREATE TABLE others AS SELECT id, x, y FROM clusters;
SELECT dp_register_dataset('others', 'others', 1, 1e-5);
CREATE VIEW joined AS SELECT v.age, o.x FROM visits AS v JOIN others AS o ON v.age = o.id;
SELECT dp_register_dataset('joined', 'joined', 1, 1e-5);
DROP VIEW joined;

-- a partition's people are its parent's and its siblings'
CREATE TABLE parent (a float8) PARTITION BY RANGE (a);
CREATE TABLE low PARTITION OF parent FOR VALUES FROM (0) TO (50);
CREATE TABLE high PARTITION OF parent FOR VALUES FROM (50) TO (101);
INSERT INTO parent SELECT generate_series(1, 100);
SELECT dp_register_dataset('low', 'low', 1, 1e-5), dp_register_dataset('parent', 'parent', 1, 1e-5),
       dp_register_dataset('high', 'high', 1, 1e-5);
SELECT dp_register_column('low', 'a', 0, 100), dp_grant_budget('regress_analyst', 'low', 0.5, 1e-5);
SET ROLE regress_analyst;
SELECT count(*) AS components FROM dp_gmm_fit('low', 1, 0.25);
SET ROLE regress_owner;
SELECT dataset, charges FROM dpem.budgets WHERE dataset IN ('low', 'parent', 'high') AND role IS NULL ORDER BY 1;

-- ... when the parent is no dataset, and of inheritance, too: by way of one parent they are those of another
CREATE TABLE divided (a float8) PARTITION BY RANGE (a);
CREATE TABLE divided_low PARTITION OF divided FOR VALUES FROM (0) TO (50);
CREATE TABLE divided_high PARTITION OF divided FOR VALUES FROM (50) TO (101);
CREATE TABLE one_parent (a float8);
CREATE TABLE other_parent (a float8);
CREATE TABLE child_of_both () INHERITS (one_parent, other_parent);
INSERT INTO divided SELECT generate_series(1, 100);
SET client_min_messages = error;
SELECT dp_register_dataset(name, name::regclass, 1, 1e-5) FROM unnest('{divided_low,divided_high,one_parent,other_parent}'::text[]) AS name;
SELECT dp_register_column(name, 'a', 0, 100), dp_grant_budget('regress_analyst', name, 0.5, 1e-5) FROM unnest('{divided_low,one_parent}'::text[]) AS name;
SET ROLE regress_analyst;
SELECT count(*) AS counts FROM dp_count('divided_low', 0.25);
SELECT count(*) AS counts FROM dp_count('one_parent', 0.25);
SET ROLE regress_owner;
SELECT dataset, charges FROM dpem.budgets WHERE dataset IN ('divided_high', 'other_parent') AND role IS NULL ORDER BY 1;
SELECT count(dp_drop_dataset(name)) FROM unnest('{divided_low,divided_high,one_parent,other_parent}'::text[]) AS name;
DROP TABLE divided, one_parent, other_parent, child_of_both;
RESET client_min_messages;

-- dropping forgets domains and shares, never charges
SELECT dp_drop_dataset('visits_again');
SELECT dp_drop_dataset('visits');
SELECT count(*) AS charges FROM dpem.ledger WHERE dataset = 'visits';
SELECT dp_register_dataset('visits', 'visits', 2, 1e-5);
SELECT dp_register_dataset('visits', 'visits', 2, 1e-5, unit => 'person', accountant => 'zcdp');
SELECT role, charges, spent_epsilon > 0 AS spent FROM dpem.budgets WHERE dataset = 'visits';
SELECT count(*) AS columns FROM dpem.columns WHERE dataset = 'visits';
-- nor does another name or dropping the table itself bring a fresh ledger
SELECT dp_drop_dataset('visits_view');
CREATE TABLE short (person int, a float8);
SELECT dp_register_dataset('short', 'short', 1, 1e-5);
SELECT dp_register_column('short', 'a', 0, 1), dp_grant_budget('regress_analyst', 'short', 0.5, 1e-5);
SET ROLE regress_analyst;
SELECT count(*) AS components FROM dp_gmm_fit('short', 1, 0.25);
SET ROLE regress_owner;
SELECT dp_drop_dataset('short');
DROP TABLE short;
CREATE TABLE short (person int, a float8);
SELECT dp_register_dataset('short_again', 'short', 1, 1e-5);
SELECT charges FROM dpem.budgets WHERE dataset = 'short_again';
SELECT dp_drop_dataset('short_again');

-- what changes after registration is noticed before anything is spent
SELECT dp_register_column('visits', 'age', 0, 100), dp_register_column('visits', 'score', 0, 100),
       dp_register_column('visits', 'genes', 0, 10, length => 3), dp_grant_budget('regress_analyst', 'visits', 2, 1e-5);
CREATE VIEW changing AS SELECT x, y FROM others;
SELECT dp_register_dataset('changing', 'changing', 1, 1e-5);
SELECT dp_register_column('changing', 'x', -10, 10), dp_grant_budget('regress_analyst', 'changing', 1, 1e-5);
SELECT charges() AS charges \gset
\set fit 'SELECT attempt($$SELECT dp_gmm_fit(\'visits\', 1, 0.1, columns => \'{age,score,genes}\')$$);'
\pset format unaligned
\pset tuples_only on
DROP VIEW own_view;
ALTER TABLE visits ALTER age TYPE text;
SET ROLE regress_analyst;
:fit
SET ROLE regress_owner;
ALTER TABLE visits ALTER age TYPE float8[] USING ARRAY[age]::float8[];
SET ROLE regress_analyst;
:fit
SET ROLE regress_owner;
ALTER TABLE visits ALTER age TYPE int USING age[1], ALTER genes TYPE float8 USING genes[1];
SET ROLE regress_analyst;
:fit
SET ROLE regress_owner;
ALTER TABLE visits ALTER genes TYPE float8[] USING ARRAY[genes, genes, genes];
ALTER TABLE visits RENAME score TO points;
SET ROLE regress_analyst;
:fit
SET ROLE regress_owner;
ALTER TABLE visits DROP points, ADD score text;
SET ROLE regress_analyst;
:fit
SET ROLE regress_owner;
ALTER TABLE visits DROP score, ADD score percent;
ALTER TABLE visits RENAME person TO human;
SET ROLE regress_analyst;
:fit
SET ROLE regress_owner;
ALTER TABLE visits RENAME human TO person;
ALTER TABLE visits RENAME TO visitors;
SET ROLE regress_analyst;
:fit
SET ROLE regress_owner;
CREATE TABLE visits (LIKE visitors);
SET ROLE regress_analyst;
:fit
SET ROLE regress_owner;
DROP TABLE visits;
ALTER TABLE visitors RENAME TO visits;
-- a view that reads other people now
CREATE OR REPLACE VIEW changing AS SELECT age::float8 AS x, age::float8 AS y FROM visits;
SET ROLE regress_analyst;
SELECT attempt($$SELECT dp_gmm_fit('changing', 1, 0.1)$$);
SELECT charges() = :charges AS nothing_spent;
-- as it was, or of another type that is a number: the fit runs
SET ROLE regress_owner;
CREATE OR REPLACE VIEW changing AS SELECT y AS x, x AS y FROM others;
ALTER TABLE visits ALTER age TYPE numeric;
SET ROLE regress_analyst;
:fit
SELECT attempt($$SELECT dp_gmm_fit('changing', 1, 0.1)$$);
SELECT charges() - :charges AS spent;
-- a source that is gone, and another table in its place: the ledger goes on
SELECT charges() AS charges \gset
SET ROLE regress_owner;
DROP TABLE visits CASCADE;
SET ROLE regress_analyst;
:fit
SET ROLE regress_owner;
CREATE TABLE visits (person text, age int);
SET ROLE regress_analyst;
:fit
SELECT charges() = :charges AS nothing_spent;
SET ROLE regress_other;
SELECT attempt($$SELECT dp_drop_dataset('visits')$$);
SELECT count(*) FROM dpem.datasets WHERE dataset = 'visits';
RESET ROLE;
SELECT dp_drop_dataset('roots');
SET ROLE regress_owner;
SELECT source, epsilon FROM dpem.datasets WHERE dataset = 'visits';
SELECT dp_drop_dataset('visits');
SELECT dp_register_dataset('visits', 'visits', 5, 1e-5, unit => 'person', accountant => 'zcdp');
\pset tuples_only off
\pset format aligned
SELECT charges, spent_epsilon > 0 AS spent FROM dpem.budgets WHERE dataset = 'visits';
