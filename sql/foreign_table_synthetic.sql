-- Rows of private tables that name a model: synthetic ones, for those who may read it.
CREATE SCHEMA private AUTHORIZATION regress_owner;
SET ROLE regress_owner;
GRANT USAGE ON SCHEMA private TO PUBLIC;
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
CREATE TABLE lookalikes AS SELECT date '2020-01-01' + i % 1461 AS visited, timestamptz '2022-03-01 00:00Z' + i * interval '7 min' AS at, 20 + i % 60 AS age, i % 3 = 0 AS smoker, (ARRAY['north', 'south'])[1 + i % 2] AS region, (i % 100)::float8 AS cost FROM generate_series(1, 5000) AS i;
ANALYZE lookalikes;
SET client_min_messages = warning;
SELECT dp_register_dataset('lookalikes', 'lookalikes', 1000, 1e-5), dp_register_column('lookalikes', 'visited', '2020-01-01', '2023-12-31'), dp_register_column('lookalikes', 'at', '2022-03-01', '2022-04-10'), dp_register_column('lookalikes', 'age', 0, 100), dp_register_column('lookalikes', 'smoker'),
  dp_register_column('lookalikes', 'region', '{north,south}'::text[]), dp_register_column('lookalikes', 'cost', 0, 100), dp_grant_budget('regress_analyst', 'lookalikes', 900, 1e-5), dp_grant_budget('regress_other', 'lookalikes', 50, 1e-5), dp_publish('lookalikes', 'private');
RESET client_min_messages;
GRANT SELECT ON private.lookalikes TO regress_analyst, regress_other;
SET ROLE regress_analyst;
SELECT count(*) > 0 AS fitted FROM dp_synth_fit('lookalikes', 10, columns => '{visited,at,age,smoker,region}', model => 'lookalikes_rows');
SELECT attempt('SELECT * FROM private.lookalikes LIMIT 2000');
SET ROLE regress_owner;
ALTER FOREIGN TABLE private.lookalikes OPTIONS (ADD synthetic 'lookalikes_rows');
SET ROLE regress_analyst;
SELECT charges() AS before \gset
-- a client's look at the rows; a column that the model does not have is NULL
SELECT count(*) AS rows, count(visited) > 0 AS visited, bool_and(visited BETWEEN '2020-01-01' AND '2023-12-31') AS dates, bool_and(at BETWEEN '2022-03-01' AND '2022-04-10') AS times, bool_and(age BETWEEN 0 AND 100) AS ages, count(DISTINCT smoker) AS smoker, count(cost) AS cost
  FROM (SELECT * FROM private.lookalikes LIMIT 2000) AS s;
SELECT count(*) BETWEEN 1 AND 999 AS some, bool_and(smoker AND region = 'north') AS filtered FROM (SELECT * FROM private.lookalikes WHERE smoker AND region = 'north' OFFSET 0) AS s;
-- one draw a query, however often it is read
SELECT count(*) AS rows, count(DISTINCT s.at) <= 1000 AS drawn_once FROM generate_series(1, 3) AS g, LATERAL (SELECT * FROM private.lookalikes OFFSET 0) AS s;
EXPLAIN (COSTS OFF) SELECT * FROM private.lookalikes;
SELECT charges() - :before AS paid;
-- aggregates are still those of the rows
SET dpem.epsilon = 10;
SELECT abs(count(*) - 5000) < 100 AS private FROM private.lookalikes;
SELECT attempt('SELECT max(age) FROM private.lookalikes'), attempt('DELETE FROM private.lookalikes'), attempt('SELECT * FROM private.lookalikes FOR UPDATE');
SELECT charges() - :before AS paid;
-- rows in the columns' own types
SELECT dp_sample_sql('lookalikes_rows');
SELECT count(*) AS rows, bool_and(visited BETWEEN '2020-01-01' AND '2023-12-31') AS dates FROM dp_sample_rows('lookalikes_rows', 50) AS t(visited date, at timestamptz, smoker boolean);
-- a role that was not granted the model, and then was
SET ROLE regress_other;
SELECT attempt('SELECT * FROM private.lookalikes LIMIT 1'), attempt('SELECT * FROM private.lookalikes LIMIT 0');
SET ROLE regress_analyst;
SELECT dp_grant_model('lookalikes_rows', 'regress_other');
SET ROLE regress_other;
SELECT count(*) AS rows FROM (SELECT * FROM private.lookalikes OFFSET 0) AS s;
RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA private CASCADE;
SELECT dp_drop_model('lookalikes_rows'), dp_drop_dataset('lookalikes');
DROP TABLE lookalikes;
