-- tables as others make them: names with capitals, domains over types, types of a closed schema, narrow numbers, another owner; and what is called as in SQL
\pset null -
CREATE SCHEMA "Closed one" AUTHORIZATION regress_owner;
CREATE SCHEMA unusual_shown AUTHORIZATION regress_owner;
GRANT USAGE, CREATE ON SCHEMA unusual_shown TO regress_other;
SET ROLE regress_owner;
CREATE DOMAIN "Closed one"."Years" AS smallint CHECK (VALUE BETWEEN 0 AND 120);
CREATE DOMAIN "Closed one".grade AS numeric(3,2) CHECK (VALUE <= 9.99);
CREATE DOMAIN "Closed one".marks AS float8[];
CREATE TYPE "Closed one".light AS ENUM ('red', 'green');
CREATE DOMAIN "Closed one".answer AS text CHECK (VALUE IN ('yes', 'no'));
CREATE TABLE "Closed one"."Sick People" AS
SELECT (i % 100)::smallint::"Closed one"."Years" AS "Age", (i * 7 % 1000 / 100.0)::"Closed one".grade AS "Höhe (m)", (i * 321 % 32000)::smallint AS paid,
       (ARRAY['red', 'green'])[1 + i % 2]::"Closed one".light AS light, (ARRAY['yes', 'no'])[1 + i % 2]::"Closed one".answer AS smokes, i % 10 AS a,
       ARRAY[i % 7, i % 5]::"Closed one".marks AS marks
  FROM generate_series(1, 3000) AS i;
ANALYZE "Closed one"."Sick People";
SELECT dp_register_dataset('Sick People', '"Closed one"."Sick People"', 900, 1e-5);
SELECT count(*) FROM (SELECT dp_register_column('Sick People', 'Age', 0, 120), dp_register_column('Sick People', 'Höhe (m)', 0, 10), dp_register_column('Sick People', 'paid', 0, 32000),
    dp_register_column('Sick People', 'light'), dp_register_column('Sick People', 'smokes', '{yes,no}'), dp_register_column('Sick People', 'a', 0, 10), dp_register_column('Sick People', 'marks', 0, 7, length => 2), dp_grant_budget('regress_other', 'Sick People', 900, 1e-5)) AS r;
-- a budget of which little is left of the promise can be made less
SELECT remedy FROM dp_exposure('Sick People') WHERE topic = 'budget' AND role IS NULL \gset
BEGIN;
SELECT :'remedy' AS remedy, attempt(:'remedy');
SELECT epsilon, delta FROM dpem.datasets WHERE dataset = 'Sick People';
ROLLBACK;
RESET ROLE;

SET ROLE regress_other;
-- what dp_sample_sql writes can be run by whoever reads the model, and holds what is drawn
SELECT count(*) FROM dp_gmm_fit('Sick People', 1, 20, model => 'unusual numbers');
-- families that have no arrays leave them out where no columns are named
SELECT count(*) > 0 AS cells FROM dp_synth_fit('Sick People', 20, model => 'unusual rows');
SELECT model, dp_sample_sql(model) FROM (VALUES ('unusual numbers'), ('unusual rows')) AS v(model);
SELECT attempt('CREATE TEMP TABLE drawn_numbers AS ' || dp_sample_sql('unusual numbers')), attempt('CREATE TEMP TABLE drawn_rows AS ' || dp_sample_sql('unusual rows'));
SELECT (SELECT count(*) FROM drawn_numbers), (SELECT count(DISTINCT light) FROM drawn_rows);
RESET ROLE;
-- of a model that has come from elsewhere no type of a source is known
SELECT dp_model_from_json(dp_model_json('unusual numbers'), 'unusual copy');
SELECT dp_sample_sql('unusual copy');
SELECT attempt('CREATE TEMP TABLE drawn_copy AS ' || dp_sample_sql('unusual copy')), dp_drop_model('unusual copy');
-- a column of another table has that table's name before its own, more than an identifier holds
SELECT dp_model_from_json(jsonb_set(dp_model_json('unusual numbers'), '{model,columns,0}', to_jsonb('a table with a long name.' || repeat('Höhe ', 10))), 'unusual copy');
SELECT dp_sample_sql('unusual copy') ~ 'a table with a long name' AS named, attempt('CREATE TEMP TABLE drawn_long AS ' || dp_sample_sql('unusual copy')), dp_drop_model('unusual copy');
-- a column without a name, an element that is not named as one, a number and an array of one name, an array in two places
SELECT n, attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(dp_model_json('unusual numbers'), path::text[], value::jsonb), 'unusual copy ' || n))
  FROM (VALUES (1, '{model,columns,0}', '""'), (2, '{model,columns,4}', '"marks"'), (3, '{model,columns,0}', '"marks"'), (4, '{model,column_of,0}', '"Age"'),
    (5, '{model}', (SELECT jsonb_set(jsonb_set(m, '{columns}', '["marks[1]", "Age", "marks[2]", "a", "paid", "Höhe (m)"]'), '{column_of}', '["marks", null, "marks", null, null, null]')::text FROM jsonb(dp_model_json('unusual numbers') -> 'model') AS m)),
    (6, '{model,category_of}', '["old", null, null, null, null, null]')) AS v(n, path, value) ORDER BY n;
-- a type that may be named stays
GRANT USAGE ON SCHEMA "Closed one" TO regress_other;
SET ROLE regress_other;
SELECT dp_sample_sql('unusual rows');
RESET ROLE;

-- a registered category may be longer than the column's type; models that draw no rows have no query
SET ROLE regress_owner;
CREATE TABLE unusual_shown.short AS SELECT ('v' || i % 3)::varchar(4) AS v, i % 10 AS n FROM generate_series(1, 2000) AS i;
SELECT count(*) FROM (SELECT dp_register_dataset('short', 'unusual_shown.short', 900, 1e-5, unit => 'n'), dp_register_column('short', 'v', '{v0,v1,v2,longer than four}'),
    dp_register_column('short', 'n', 0, 10), dp_grant_budget('regress_owner', 'short', 800, 1e-6)) AS s;
SELECT count(*) > 0 AS cells FROM dp_synth_fit('short', 20, model => 'short rows');
SELECT dp_sample_sql('short rows');
SELECT count(*) FROM dp_kmeans_fit('short', 1, 20, columns => '{n}', model => 'short centers');
SELECT dp_sample_sql('short centers');
SELECT dp_drop_model('short rows'), dp_drop_model('short centers'), dp_drop_dataset('short');
RESET ROLE;

-- a name that is that of a category's models only
SET ROLE regress_other;
SELECT count(*) FROM dp_gmm_fit('Sick People', 1, 20, columns => '{Age}', by => 'smokes', model => 'unusual parts');
SELECT dp_predict('unusual parts', ARRAY[50]);
SELECT dp_drop_model('unusual parts/yes'), dp_drop_model('unusual parts/no');
RESET ROLE;

-- what a materialized view cannot ask, a table can
SET ROLE regress_other;
CREATE MATERIALIZED VIEW unusual_shown.asked AS SELECT * FROM dp_avg('Sick People', 'Age', 1);
CREATE TABLE unusual_shown.asked AS SELECT * FROM dp_avg('Sick People', 'Age', 1);
RESET ROLE;

-- capitals in a filter need double quotes, and the hint says so; a name in other letters is not guessed at from one letter
SET ROLE regress_other;
SELECT value > 0 AS known FROM dp_count('Sick People', 1, filter => 'Age > 50');
SELECT value > 0 AS known FROM dp_count('Sick People', 1, filter => '"Age" > 50');
SELECT value > 0 AS known FROM dp_count('Sick People', 1, filter => 'ages > 50');
SELECT value > 0 AS known FROM dp_avg('Sick People', 'b', 1);

-- rows are counted as in SQL; "*" in quotes is a name like others
SELECT statistic, value > 0 AS counted FROM dp_statistics('Sick People', 1, '{count(*),count( * ),count}');
SELECT * FROM dp_statistics('Sick People', 1, '{"count(\"*\")"}');
SELECT * FROM dp_statistics('Sick People', 1, '{avg(*)}');
-- a number that is given is not called null
SELECT * FROM dp_histogram('Sick People', 'paid', 1, bins => -5);
SELECT * FROM dp_histogram('Sick People', 'paid', 1, bins => -1);
SELECT * FROM dp_histogram('Sick People', 'paid', 1, bins => NULL);
RESET ROLE;

-- all views call a role the same, whatever its name is; of one that is gone, dpem.budgets has the OID
CREATE ROLE "Regress Ana";
SET ROLE regress_owner;
SELECT dp_grant_budget('"Regress Ana"', 'Sick People', 10, 1e-6);
SET ROLE "Regress Ana";
SELECT count(*) FROM dp_gmm_fit('Sick People', 1, 2, columns => '{Age}', model => 'unusual maker');
SELECT b.role, b.remaining_epsilon < 10 AS spent, l.role = b.role AS ledger, m.maker = b.role AS maker
  FROM dpem.budgets b JOIN dpem.models m ON m.dataset = b.dataset JOIN dpem.ledger l ON l.charge = m.charge AND l.line = 1 WHERE m.model = 'unusual maker';
SELECT regexp_replace(about, '[0-9.]+', 'E') AS about FROM dp_help('next') WHERE about LIKE 'Ask Sick%';
SELECT dp_drop_model('unusual maker');
RESET ROLE;
DROP ROLE "Regress Ana";
SELECT count(*) FROM dpem.budgets WHERE dataset = 'Sick People' AND role ~ '^[0-9]+$';
SELECT count(*) FROM dp_help('next') WHERE about LIKE 'Ask Sick%';

-- a category that no value of the type is, and a share without end
SET ROLE regress_owner;
CREATE TABLE "Closed one".types (b boolean, e "Closed one".light, i int);
SELECT dp_register_dataset('types', '"Closed one".types', 1, 1e-6, unit => 'i');
SELECT dp_register_column('types', 'b', '{yes,no}');
SELECT dp_register_column('types', 'i', '{1,02}');
SELECT dp_register_column('types', 'e', '{green,yellow}');
SELECT dp_register_column('types', 'b'), dp_register_column('types', 'e', '{green}'), dp_register_column('types', 'i', '{1,-2,0}');
SELECT dp_grant_budget('regress_other', 'types', 1, 1e-6, expires => 'infinity');
SELECT dp_drop_dataset('types');
RESET ROLE;

-- a dataset is published by whoever owns its source now
ALTER TABLE "Closed one"."Sick People" OWNER TO regress_other;
SET ROLE regress_owner;
SELECT attempt($$SELECT dp_publish('Sick People', 'unusual_shown')$$);
RESET ROLE;
SET ROLE regress_other;
SELECT dp_publish('Sick People', 'unusual_shown');
SELECT dp_drop_model('unusual rows'), dp_drop_model('unusual numbers'), dp_drop_dataset('Sick People');
RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA unusual_shown CASCADE;
DROP SCHEMA "Closed one" CASCADE;

-- units whose values have no order, by which the rows of one are found; of parts that have none, too
SET ROLE regress_owner;
CREATE TYPE unusual_pair AS (a int, b json);
CREATE TABLE unusual_units AS SELECT i::float8 AS x, json_build_object('id', i % 10) AS document, point(i % 10, 0) AS place, '1'::xid AS number,
    ARRAY[json_build_object('id', i % 10)] AS documents, ROW(i % 10, NULL)::unusual_pair AS pair, jsonb_build_object('id', i % 10) AS good FROM generate_series(1, 100) AS i;
SELECT attempt(format($$SELECT dp_register_dataset('unusual_units', 'unusual_units', 10, 1e-5, unit => %L)$$, u)) FROM unnest('{document,place,number,documents,pair}'::text[]) AS u;
SELECT count(dp_register_dataset('unusual_units', 'unusual_units', 10, 1e-5, unit => 'good', max_rows_per_unit => 10));
SELECT count(dp_register_column('unusual_units', 'x', 0, 100)), count(dp_grant_budget('regress_analyst', 'unusual_units', 10, 1e-5));
SET ROLE regress_analyst;
SELECT count(*) FROM dp_sum('unusual_units', 'x', 1);
SET ROLE regress_owner;
ALTER TABLE unusual_units ALTER good TYPE json USING good::text::json;
SELECT charges() AS before \gset
SET ROLE regress_analyst;
SELECT attempt($$SELECT dp_sum('unusual_units', 'x', 1)$$);
RESET ROLE;
SELECT charges() - :before AS charged;
SELECT dp_drop_dataset('unusual_units');
DROP TABLE unusual_units;
DROP TYPE unusual_pair;
