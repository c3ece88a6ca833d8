-- Units by paths of foreign keys, columns of the tables on the way, and columns of one row a person.
CREATE SCHEMA hospital;
CREATE TABLE hospital.patients (id int PRIMARY KEY, sex text NOT NULL, born int);
CREATE TABLE hospital.visits (id int PRIMARY KEY, patient_id int REFERENCES hospital.patients, cost float8, ward text);
CREATE TABLE hospital.prescriptions (id int PRIMARY KEY, visit_id int REFERENCES hospital.visits, dose float8);
INSERT INTO hospital.patients SELECT i, CASE WHEN i % 4 = 0 THEN 'f' ELSE 'm' END, 1930 + i % 80 FROM generate_series(1, 1000) i;
-- patient i has i % 3 visits, each of cost 10; nobody's visits are 7
INSERT INTO hospital.visits SELECT row_number() OVER (ORDER BY i, j), i, 10, CASE WHEN j = 1 THEN 'a' ELSE 'b' END
    FROM generate_series(1, 1000) i, generate_series(1, i % 3) j;
INSERT INTO hospital.visits SELECT 100000 + i, NULL, 10, 'a' FROM generate_series(1, 7) i;
INSERT INTO hospital.prescriptions SELECT row_number() OVER (ORDER BY id), id, 2 FROM hospital.visits WHERE patient_id IS NOT NULL;

-- the table of persons, and two tables that lead to them: one ledger
SELECT dp_register_dataset('patients', 'hospital.patients', epsilon => 1000, delta => 1e-6, unit => 'hospital.patients.id');
SELECT dp_register_dataset('visits', 'hospital.visits', epsilon => 1000, delta => 1e-6,
    unit => ' patient_id->hospital.patients.id', max_rows_per_unit => 2);
SELECT dp_register_dataset('prescriptions', 'hospital.prescriptions', epsilon => 1000, delta => 1e-6,
    unit => 'visit_id -> hospital.visits.id, patient_id -> hospital.patients.id', max_rows_per_unit => 2);
SELECT dataset, unit, unit_path, max_rows_per_unit FROM dpem.datasets ORDER BY dataset;
SELECT count(DISTINCT account) AS ledgers, count(*) AS datasets FROM dpem.dataset WHERE name IN ('patients', 'visits', 'prescriptions');

-- columns of the tables on the way have their table before their name; a column of the source comes first
SELECT dp_register_column('visits', 'cost', 0, 20);
SELECT dp_register_column('visits', 'patients.sex', ARRAY['f', 'm']);
SELECT dp_register_column('visits', 'hospital.patients.born', 1900, 2020);
SELECT dp_register_column('prescriptions', 'dose', 0, 10);
SELECT dp_register_column('prescriptions', 'patients.sex', ARRAY['f', 'm']);
SELECT dp_register_column('prescriptions', 'visits.ward', ARRAY['a', 'b']);
SELECT dp_register_column('visits', 'patients.name', ARRAY['f', 'm']);
SELECT dp_register_column('visits', 'visits.cost', 0, 1);

-- without noise, as who may read all: what plain SQL says
SELECT * FROM dp_count('visits', epsilon => 'Infinity', by => 'patients.sex');
SELECT p.sex, count(*) FROM hospital.visits v JOIN hospital.patients p ON p.id = v.patient_id GROUP BY 1 ORDER BY 1;
SELECT * FROM dp_count('prescriptions', epsilon => 'Infinity', by => 'visits.ward', filter => '"patients.sex" = ''f''');
SELECT v.ward, count(*) FROM hospital.prescriptions r JOIN hospital.visits v ON v.id = r.visit_id
    JOIN hospital.patients p ON p.id = v.patient_id WHERE p.sex = 'f' GROUP BY 1 ORDER BY 1;
SELECT * FROM dp_avg('visits', 'hospital.patients.born', epsilon => 'Infinity');

-- with noise
SELECT abs(value - 250) < 10 AS near FROM dp_count('visits', epsilon => 100, filter => '"patients.sex" = ''f''');
