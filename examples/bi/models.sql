-- Made-up patients, a dataset of them, a model of every family that the dashboard draws, and a role
-- that has no right but to connect.
CREATE EXTENSION dpem;
CREATE ROLE steward;
CREATE ROLE analyst;
CREATE ROLE dashboard LOGIN;
GRANT CREATE ON SCHEMA public TO steward;

SET ROLE steward;
SELECT setseed(0.2017) \g /dev/null
CREATE TABLE patients AS
SELECT age, bmi, 80 + 0.8 * age + 8 * noise AS systolic_bp,
    CASE WHEN random() < 1 / (1 + exp(6 - 0.08 * age - 0.05 * bmi)) THEN 'yes' ELSE 'no' END AS ill
FROM (SELECT CASE WHEN i % 10 < 5 THEN 30 WHEN i % 10 < 8 THEN 52 ELSE 76 END + 6 * a AS age,
        CASE WHEN i % 10 < 5 THEN 23 WHEN i % 10 < 8 THEN 32 ELSE 25 END + 2 * b AS bmi, c AS noise
    FROM (SELECT i, sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) AS a,
            sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) AS b,
            sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) AS c
        FROM generate_series(1, 20000) AS i) AS normal) AS people;
ANALYZE patients;
SELECT dp_register_dataset('patients', 'patients', 10, 1e-5);
SELECT dp_register_column('patients', 'age', 0, 110), dp_register_column('patients', 'bmi', 10, 60),
    dp_register_column('patients', 'systolic_bp', 60, 240), dp_register_column('patients', 'ill', '{no,yes}'::text[]);
CREATE TABLE notes AS
SELECT patient, array_agg((string_to_array(CASE WHEN random() < 0.85 THEN main ELSE other END, ' '))[1 + floor(10 * random() * random())::int]) AS words
FROM (SELECT patient, subject[1 + patient % 3] AS main, subject[1 + floor(3 * random())::int] AS other, word
    FROM generate_series(1, 20000) AS patient, generate_series(1, 30) AS word,
        (VALUES ('{heart chest pain pressure pulse breath swelling stent rhythm valve,'
            'knee hip fall fracture joint pain cast walk swelling shoulder,'
            'sugar insulin diet weight thirst foot eye kidney pressure meal}'::text[])) AS s (subject)) AS said
GROUP BY patient;
ANALYZE notes;
SELECT dp_register_dataset('notes', 'notes', 10, 1e-5),
    dp_register_text('notes', 'words', '{heart,chest,pain,pressure,pulse,breath,swelling,stent,rhythm,valve,knee,hip,fall,fracture,joint,cast,walk,shoulder,sugar,insulin,diet,weight,thirst,foot,eye,kidney,meal}');
SELECT dp_grant_budget('analyst', 'patients', 8, 1e-5), dp_grant_budget('analyst', 'notes', 8, 1e-5);

SET ROLE analyst;
SELECT count(*) FROM dp_gmm_fit('patients', 3, 1, columns => '{age,bmi}', model => 'groups');
SELECT count(*) FROM dp_kmeans_fit('patients', 4, 0.5, columns => '{age,bmi}', model => 'clusters');
SELECT count(*) FROM dp_fa_fit('patients', 1, 1, model => 'health');
SELECT count(*) FROM dp_pca_fit('patients', 2, 1, model => 'axes');
SELECT count(*) FROM dp_logit_fit('patients', 'ill', 1, model => 'illness');
SELECT count(*) FROM dp_gam_fit('patients', 'ill', 1, bins => 8, model => 'risk');
SELECT count(*) FROM dp_lda_fit('notes', 3, 2, model => 'subjects');
