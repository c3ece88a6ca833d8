-- ... and visits with dates, published as a private table; dashboard has a share of their budget.
\ir patients.sql
CREATE TABLE hospital.stays AS
    SELECT i AS id, date '2024-01-01' + i % 365 AS admitted, 20 + (i * 7) % 60 AS age, (i * 13) % 30 AS days, (ARRAY['north', 'east', 'south', 'west'])[1 + i % 4] AS region, i % 3 = 0 AS urgent
      FROM generate_series(1, 10000) AS i;
ANALYZE hospital.stays;
SELECT dp_register_dataset('stays', 'hospital.stays', epsilon => 20, delta => 1e-6);
SELECT dp_register_column('stays', 'admitted', '2024-01-01', '2024-12-31'), dp_register_column('stays', 'age', 0, 100), dp_register_column('stays', 'days', 0, 30),
    dp_register_column('stays', 'region', ARRAY['north', 'east', 'south', 'west']), dp_register_column('stays', 'urgent');
