-- What those who make mistakes find: a hospital's tables, of which patients is registered and granted.
CREATE EXTENSION dpem;
CREATE ROLE hospital LOGIN;
CREATE ROLE ana LOGIN;
CREATE ROLE bob LOGIN;
CREATE ROLE dba LOGIN SUPERUSER;
CREATE SCHEMA hospital AUTHORIZATION hospital;
CREATE SCHEMA private AUTHORIZATION hospital;
SET SESSION AUTHORIZATION hospital;
GRANT USAGE ON SCHEMA private TO ana;
CREATE TABLE hospital.patients AS
    SELECT i AS id, 30 + 15 * (i % 3) + i % 20 AS age, (110 + 15 * (i % 3) + i % 30)::float8 AS systolic, CASE WHEN i % 10 = 0 THEN NULL ELSE 18 + 4 * (i % 3) + i % 8 END::float8 AS bmi,
        CASE WHEN i % 3 = 0 THEN 'yes' ELSE 'no' END AS smoker, (ARRAY['north', 'east', 'south', 'west'])[1 + i % 4] AS region,
        date '2024-01-01' + i % 300 AS admitted, i % 5 = 0 AS insured, ARRAY['fever', 'cough'] AS notes
      FROM generate_series(1, 3000) AS i;
CREATE TABLE hospital.visits AS SELECT 1 + i % 1000 AS patient, (i % 97)::float8 AS cost, 'ward ' || i % 7 AS ward FROM generate_series(1, 4000) AS i;
CREATE TABLE hospital.persons AS SELECT i AS id FROM generate_series(1, 1000) AS i;
ALTER TABLE hospital.persons ADD PRIMARY KEY (id);
CREATE TABLE hospital.stays AS SELECT patient AS person, cost, ward FROM hospital.visits;
ALTER TABLE hospital.stays ADD FOREIGN KEY (person) REFERENCES hospital.persons (id);
CREATE TABLE hospital.thin AS SELECT age, CASE WHEN id % 10 = 0 THEN 60 + id % 40 END AS pulse FROM hospital.patients;
CREATE TABLE hospital.gone AS SELECT i AS x FROM generate_series(1, 100) AS i;
ANALYZE hospital.patients, hospital.visits, hospital.thin;
SELECT dp_register_dataset('patients', 'hospital.patients', epsilon => 1000, delta => 1e-5);
SELECT dp_register_column('patients', 'age', 0, 120), dp_register_column('patients', 'systolic', 60, 260), dp_register_column('patients', 'bmi', 10, 60),
    dp_register_column('patients', 'smoker', '{yes,no}'), dp_register_column('patients', 'region', '{north,east,south,west}'),
    dp_register_column('patients', 'admitted', '2024-01-01', '2024-12-31'), dp_register_column('patients', 'insured'), dp_publish('patients', 'private');
SELECT dp_grant_budget('ana', 'patients', epsilon => 500, delta => 5e-6);
SELECT dp_register_dataset('thin', 'hospital.thin', 100, 1e-5), dp_register_column('thin', 'age', 0, 120), dp_register_column('thin', 'pulse', 30, 220), dp_grant_budget('ana', 'thin', 90, 1e-6);
SELECT dp_register_dataset('gone', 'hospital.gone', 10, 1e-5), dp_register_column('gone', 'x', 0, 120), dp_grant_budget('ana', 'gone', 9, 1e-6), dp_publish('gone', 'private');
GRANT SELECT ON private.patients, private.gone TO ana;
SET SESSION AUTHORIZATION ana;
SELECT count(*) FROM dp_gmm_fit('patients', 2, 5, columns => '{age,systolic}', model => 'groups');
SELECT count(*) FROM dp_logit_fit('patients', 'smoker', 5, columns => '{age,systolic}', model => 'smoking');
SELECT count(*) FROM dp_linreg_fit('patients', 'systolic', 5, columns => '{age,smoker}', model => 'pressure');
