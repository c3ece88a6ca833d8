-- ... and a model of every kind that has a picture.
\ir patients.sql
CREATE TABLE hospital.letters AS
    SELECT to_tsvector('simple', CASE WHEN i % 2 = 0 THEN 'heart rhythm pulse' ELSE 'lung breath cough' END) AS words FROM generate_series(1, 3000) AS i;
ANALYZE hospital.letters;
SELECT dp_register_dataset('letters', 'hospital.letters', epsilon => 10, delta => 1e-4);
SELECT dp_register_text('letters', 'words', ARRAY['heart', 'rhythm', 'pulse', 'lung', 'breath', 'cough']);
SELECT dp_grant_budget('ana', 'letters', epsilon => 8, delta => 5e-5);
SET SESSION AUTHORIZATION ana;
SELECT count(*) FROM dp_fa_fit('patients', 1, epsilon => 1, columns => '{age,bmi,systolic}', model => 'factors');
SELECT count(*) FROM dp_logit_fit('patients', 'smoker', epsilon => 1, columns => '{age,bmi}', model => 'illness');
SELECT count(*) FROM dp_lda_fit('letters', 2, epsilon => 1, model => 'subjects');
RESET SESSION AUTHORIZATION;
