-- Made-up stays in a hospital, published as a private table, and a role that may ask it and nothing else.
CREATE EXTENSION IF NOT EXISTS dpem;
CREATE ROLE ward_owner;
CREATE ROLE ward_dashboard LOGIN;
CREATE SCHEMA ward AUTHORIZATION ward_owner;
CREATE SCHEMA private AUTHORIZATION ward_owner;

SET ROLE ward_owner;
CREATE TABLE ward.stays AS
SELECT date '2024-01-01' + (i * i / 7 + i / 3) % 366 AS admitted, 20 + (i % 40 + i * 7 % 41) AS age, i * 13 % (10 + 5 * place) AS days,
    (ARRAY['north', 'east', 'south', 'west'])[place] AS region, i % 3 = 0 AS urgent
FROM (SELECT i, 1 + (i % 10 > 3)::int + (i % 10 > 6)::int + (i % 10 > 8)::int AS place FROM generate_series(1, 6000) AS i) AS places;
ANALYZE ward.stays;
SELECT dp_register_dataset('stays', 'ward.stays', epsilon => 10, delta => 1e-5);
SELECT dp_register_column('stays', 'admitted', '2024-01-01', '2024-12-31'), dp_register_column('stays', 'age', 0, 100),
    dp_register_column('stays', 'days', 0, 40), dp_register_column('stays', 'urgent'),
    dp_register_column('stays', 'region', '{north,east,south,west}'::text[]);
SELECT dp_grant_budget('ward_dashboard', 'stays', 5, 5e-6), dp_publish('stays', 'private');
ALTER FOREIGN TABLE private.stays OPTIONS (ADD epsilon '0.3');
GRANT USAGE ON SCHEMA private TO ward_dashboard;
GRANT SELECT ON private.stays TO ward_dashboard;
RESET ROLE;
