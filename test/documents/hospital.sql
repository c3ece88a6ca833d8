-- What documents take for granted: a hospital's tables, an analyst and a role for dashboards.
CREATE SCHEMA hospital;
CREATE ROLE ana LOGIN;
CREATE ROLE dashboard LOGIN;
CREATE TABLE hospital.patients AS
    SELECT i AS patient_id, 30 + 15 * (i % 3) + 20 * random() AS age, 110 + 15 * (i % 3) + 30 * random() AS systolic, 18 + 4 * (i % 3) + 8 * random() AS bmi,
        CASE WHEN random() < 0.3 THEN 'yes' ELSE 'no' END AS smoker,
        CASE i % 4 WHEN 0 THEN 'north' WHEN 1 THEN 'east' WHEN 2 THEN 'south' ELSE 'west' END AS region
      FROM generate_series(1, 3000) AS i;
CREATE TABLE hospital.visits AS
    SELECT 1 + i % 2000 AS patient_id, 100 * random() AS cost, 10 * random() AS days FROM generate_series(1, 5000) AS i;
ANALYZE;
