-- ... and the patients registered, and a model of them that ana has fitted.
\ir hospital.sql
SELECT dp_register_dataset('patients', 'hospital.patients', epsilon => 10, delta => 1e-4);
SELECT dp_register_column('patients', 'age', 0, 120);
SELECT dp_register_column('patients', 'bmi', 10, 60);
SELECT dp_register_column('patients', 'systolic', 60, 260);
SELECT dp_register_column('patients', 'smoker', ARRAY['yes', 'no']);
SELECT dp_register_column('patients', 'region', ARRAY['north', 'east', 'south', 'west']);
SELECT dp_grant_budget('ana', 'patients', epsilon => 8, delta => 5e-5);
SET SESSION AUTHORIZATION ana;
SELECT model FROM dp_gmm_fit('patients', 3, epsilon => 1, model => 'groups') LIMIT 1;
RESET SESSION AUTHORIZATION;
