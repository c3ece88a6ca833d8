-- Units by paths of foreign keys, columns of the tables on the way, and columns of one row a person.
\pset null -
CREATE SCHEMA hospital AUTHORIZATION regress_owner;
SET ROLE regress_owner;
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
SELECT dp_register_dataset('star_patients', 'hospital.patients', epsilon => 1000, delta => 1e-6, unit => 'hospital.patients.id');
SELECT dp_register_dataset('star_visits', 'hospital.visits', epsilon => 1000, delta => 1e-6,
    unit => ' patient_id->hospital.patients.id', max_rows_per_unit => 2);
SELECT dp_register_dataset('star_prescriptions', 'hospital.prescriptions', epsilon => 1000, delta => 1e-6,
    unit => 'visit_id -> hospital.visits.id, patient_id -> hospital.patients.id', max_rows_per_unit => 2);
SELECT dataset, unit, unit_path, max_rows_per_unit FROM dpem.datasets WHERE dataset LIKE 'star\_%' ORDER BY dataset;
RESET ROLE;
SELECT count(DISTINCT account) AS ledgers, count(*) AS datasets FROM dpem_internal.dataset WHERE name LIKE 'star\_%';
SET ROLE regress_owner;

-- columns of the tables on the way have their table before their name; a column of the source comes first
SELECT dp_register_column('star_visits', 'cost', 0, 20);
SELECT dp_register_column('star_visits', 'patients.sex', ARRAY['f', 'm']);
SELECT dp_register_column('star_visits', 'hospital.patients.born', 1900, 2020);
SELECT dp_register_column('star_prescriptions', 'dose', 0, 10);
SELECT dp_register_column('star_prescriptions', 'patients.sex', ARRAY['f', 'm']);
SELECT dp_register_column('star_prescriptions', 'visits.ward', ARRAY['a', 'b']);
SELECT dp_register_column('star_visits', 'patients.name', ARRAY['f', 'm']);
SELECT dp_register_column('star_visits', 'visits.cost', 0, 1);

-- without noise, as who may read all: what plain SQL says
SELECT * FROM dp_count('star_visits', epsilon => 'Infinity', by => 'patients.sex');
SELECT p.sex, count(*) FROM hospital.visits v JOIN hospital.patients p ON p.id = v.patient_id GROUP BY 1 ORDER BY 1;
SELECT * FROM dp_count('star_prescriptions', epsilon => 'Infinity', by => 'visits.ward', filter => '"patients.sex" = ''f''');
SELECT v.ward, count(*) FROM hospital.prescriptions r JOIN hospital.visits v ON v.id = r.visit_id
    JOIN hospital.patients p ON p.id = v.patient_id WHERE p.sex = 'f' GROUP BY 1 ORDER BY 1;
SELECT * FROM dp_avg('star_visits', 'hospital.patients.born', epsilon => 'Infinity');

-- with noise, for somebody with a budget who may read nothing
SELECT dp_grant_budget('regress_analyst', 'star_visits', 900, 1e-6);
SELECT dp_grant_budget('regress_analyst', 'star_patients', 900, 1e-6);
SELECT dp_grant_budget('regress_analyst', 'star_prescriptions', 900, 1e-6);
SET ROLE regress_analyst;
SELECT abs(value - 250) < 20 AS near FROM dp_count('star_visits', epsilon => 100, filter => '"patients.sex" = ''f''');
SELECT attempt($$SELECT * FROM dp_count('star_visits', epsilon => 'Infinity')$$);
SELECT unit, rows_per_unit FROM dpem.ledger WHERE dataset = 'star_visits';
RESET ROLE;
GRANT SELECT ON hospital.visits TO regress_analyst;
SET ROLE regress_analyst;
-- whoever may read one of the tables may not read the others through it
SELECT attempt($$SELECT * FROM dp_count('star_visits', epsilon => 'Infinity', by => 'patients.sex')$$);
SELECT attempt($$SELECT * FROM dp_count('star_prescriptions', epsilon => 'Infinity')$$);
SET ROLE regress_owner;
REVOKE SELECT ON hospital.visits FROM regress_analyst;

-- person columns: counts and sums of nothing are 0, all else of nothing is not known
SELECT dp_register_person_column('star_patients', 'visits', 'count(hospital.visits)', 0, 5);
SELECT dp_register_person_column('star_patients', 'in_b', 'COUNT ( hospital.visits )', 0, 5, filter => 'ward = ''b'' AND cost BETWEEN 5 AND 15');
SELECT dp_register_person_column('star_patients', 'cost', 'sum(hospital.visits.cost)', 0, 15);
SELECT dp_register_person_column('star_patients', 'least', 'min(hospital.visits.cost)', 0, 100);
SELECT dp_register_person_column('star_patients', 'most', 'max(hospital.visits.cost)', 0, 100);
SELECT dp_register_person_column('star_patients', 'mean', 'avg(hospital.visits.cost)', 0, 100);
SELECT dp_register_person_column('star_patients', 'wards', 'count(distinct hospital.visits.ward)', 0, 3);
SELECT dp_register_person_column('star_patients', 'doses', 'count(distinct hospital.prescriptions.dose)', 0, 3);
SELECT dp_register_person_column('star_patients', 'drugs', 'count(hospital.prescriptions)', 0, 3);
SELECT dp_register_person_column('star_patients', 'ever', 'exists(hospital.visits)', 0, 1);
SELECT column_name, kind, lower, upper, aggregate, filter FROM dpem.columns WHERE dataset = 'star_patients' ORDER BY position;
SELECT c, round((SELECT value FROM dp_sum('star_patients', c, epsilon => 'Infinity'))::numeric, 6) AS sum,
    round((SELECT value FROM dp_avg('star_patients', c, epsilon => 'Infinity'))::numeric, 6) AS avg
    FROM unnest('{visits,in_b,cost,least,most,mean,wards,doses,drugs,ever}'::text[]) c;
SELECT sum(n) AS visits, sum(b) AS in_b, sum(least(n * 10, 15)) AS cost FROM (SELECT p.id, count(v.id) AS n, count(*) FILTER (WHERE ward = 'b') AS b
    FROM hospital.patients p LEFT JOIN hospital.visits v ON v.patient_id = p.id GROUP BY 1) t;
-- in filters, groups, models, and of the rows of another table of these persons
SELECT round(value::numeric, 6) AS value FROM dp_count('star_patients', epsilon => 'Infinity', filter => 'visits >= 1 AND in_b = 0');
SELECT dp_register_person_column('star_visits', 'all visits', 'count(hospital.visits)', 0, 5);
SELECT round(value::numeric, 6) AS value FROM dp_sum('star_visits', 'all visits', epsilon => 'Infinity');
SET ROLE regress_analyst;
SELECT abs(value - 1000) < 60 AS near FROM dp_sum('star_patients', 'visits', epsilon => 100);
SELECT count(*) > 0 AS fitted FROM dp_linreg_fit('star_patients', 'cost', epsilon => 50, columns => ARRAY['visits', 'ever'], model => 'regress_persons');
SELECT column_name, lower, upper FROM dpem.model_columns WHERE model = 'regress_persons' ORDER BY position;
SET ROLE regress_owner;

-- an answer that was kept is not given for a column that is made of other rows since
SET ROLE regress_analyst;
SET dpem.fresh = off;
SET client_min_messages = warning;
SELECT charges() AS before \gset
SELECT abs(value - 333) < 30 AS near FROM dp_sum('star_patients', 'in_b', epsilon => 50);
SELECT abs(value - 333) < 30 AS near FROM dp_sum('star_patients', 'in_b', epsilon => 50);
SELECT charges() - :before AS charges;
SET ROLE regress_owner;
SELECT dp_register_person_column('star_patients', 'in_b', 'count(hospital.visits)', 0, 5, filter => 'ward = ''a''');
SET ROLE regress_analyst;
SELECT abs(value - 667) < 30 AS near FROM dp_sum('star_patients', 'in_b', epsilon => 50);
SELECT charges() - :before AS charges;
RESET dpem.fresh;
RESET client_min_messages;
SET ROLE regress_owner;
SELECT dp_register_person_column('star_patients', 'in_b', 'COUNT ( hospital.visits )', 0, 5, filter => 'ward = ''b'' AND cost BETWEEN 5 AND 15');

-- what is not a number is nothing, and no sum of numbers is an error
UPDATE hospital.visits SET cost = 'Infinity' WHERE id % 5 = 0;
UPDATE hospital.visits SET cost = 'NaN' WHERE id % 5 = 1;
UPDATE hospital.visits SET cost = 1e308 WHERE id % 5 = 2;
UPDATE hospital.visits SET cost = -1e308 WHERE id % 5 = 3;
SELECT value BETWEEN 0 AND 15000 AS within FROM dp_sum('star_patients', 'cost', epsilon => 'Infinity');
SELECT value BETWEEN 0 AND 100000 AS within FROM dp_sum('star_patients', 'mean', epsilon => 'Infinity');
UPDATE hospital.visits SET cost = 10;

-- the clip that is chosen
SET ROLE regress_analyst;
SELECT attempt($$SELECT dp_register_person_column('star_patients', 'auto', 'sum(hospital.visits.cost)', 0, 'auto', epsilon => 20)$$);
SET ROLE regress_owner;
SELECT attempt($$SELECT dp_register_person_column('star_patients', 'auto', 'sum(hospital.visits.cost)', 0, 'auto', epsilon => 20)$$);
SELECT charges() AS before \gset
SELECT dp_grant_budget('regress_owner', 'star_patients', 100, 1e-6);
SELECT dp_register_person_column('star_patients', 'auto', 'sum(hospital.visits.cost)', 0, 'auto', epsilon => 20) AS upper;
SELECT charges() - :before AS charges;
SELECT lower, upper FROM dpem.columns WHERE dataset = 'star_patients' AND column_name = 'auto';
SELECT attempt($$SELECT dp_register_person_column('star_patients', 'auto', 'sum(hospital.visits.cost)', 0, 'much')$$);
SELECT attempt($$SELECT dp_register_person_column('star_patients', 'auto', 'sum(hospital.visits.cost)', 0, 'auto')$$);

-- aggregates, names and filters that are none
\pset format unaligned
\pset tuples_only on
SELECT attempt(format('SELECT dp_register_person_column(%L, %L, %L, 0, 1, filter => %L, path => %L)', d, c, a, f, p)) FROM (VALUES
    (1, 'star_patients', 'x', 'median(hospital.visits.cost)', NULL, NULL),
    (2, 'star_patients', 'x', 'count(*)', NULL, NULL),
    (3, 'star_patients', 'x', 'count(hospital.visits) + 1', NULL, NULL),
    (4, 'star_patients', 'x', 'sum(hospital.visits)', NULL, NULL),
    (5, 'star_patients', 'x', 'sum(hospital.visits.ward)', NULL, NULL),
    (6, 'star_patients', 'x', 'sum(hospital.visits.nothing)', NULL, NULL),
    (7, 'star_patients', 'x', 'sum(hospital.nothing.cost)', NULL, NULL),
    (8, 'star_patients', 'sex', 'count(hospital.visits)', NULL, NULL),
    (9, 'star_patients', 'x', 'count(hospital.visits)', 'nothing = 1', NULL),
    (10, 'star_patients', 'x', 'count(hospital.visits)', 'ward = 1', NULL),
    (11, 'star_patients', 'x', 'count(hospital.visits)', 'cost >', NULL),
    (12, 'star_patients', 'x', 'count(hospital.visits)', NULL, 'ward -> hospital.patients.id'),
    (13, 'star_patients', 'x', 'count(hospital.visits)', NULL, 'id -> hospital.visits.id'),
    (14, 'star_patients', 'x', 'count(hospital.patients)', NULL, NULL),
    (15, 'star_patients', 'x', 'count(pg_catalog.pg_class)', NULL, NULL),
    (16, 'star_patients', 'x', NULL, NULL, NULL)) v(i, d, c, a, f, p) ORDER BY i;
-- paths that are none
CREATE TABLE hospital.letters (sender int REFERENCES hospital.patients, recipient int REFERENCES hospital.patients, pages int);
CREATE TABLE hospital.notes (id int PRIMARY KEY, patient_id int, visit_id int REFERENCES hospital.visits, kind text);
CREATE TABLE hospital.copies (note_id int REFERENCES hospital.notes, patient_id int REFERENCES hospital.patients DEFERRABLE);
CREATE TABLE hospital.calls (patient_id int);
ALTER TABLE hospital.calls ADD FOREIGN KEY (patient_id) REFERENCES hospital.patients NOT VALID;
CREATE VIEW hospital.sent AS SELECT sender, pages FROM hospital.letters;
SELECT attempt(format('SELECT dp_register_dataset(%L, %L, 1, 1e-6, unit => %L)', 'star_d', s, u)) FROM (VALUES
    (1, 'hospital.letters', 'sender -> hospital.patients.id'),
    (15, 'hospital.notes', 'visit_id -> hospital.visits.id, patient_id -> hospital.patients.id'),
    (3, 'hospital.notes', 'patient_id -> hospital.patients.id'),
    (4, 'hospital.notes', 'kind -> hospital.patients.id'),
    (5, 'hospital.copies', 'patient_id -> hospital.patients.id'),
    (6, 'hospital.calls', 'patient_id -> hospital.patients.id'),
    (7, 'hospital.visits', 'patient_id -> hospital.patients.born'),
    (8, 'hospital.visits', 'patient_id -> hospital.nothing.id'),
    (9, 'hospital.visits', 'patient_id -> hospital.patients.nothing'),
    (10, 'hospital.visits', 'hospital.patients.id'),
    (11, 'hospital.visits', 'patient_id -> patients.id'),
    (12, 'hospital.visits', 'patient_id ->'),
    (13, 'hospital.visits', 'patient_id'),
    (14, 'hospital.patients', 'id')) v(i, s, u) ORDER BY i;
SELECT attempt($$SELECT dp_register_person_column('star_patients', 'x', 'count(hospital.letters)', 0, 1)$$);
SELECT attempt($$SELECT dp_register_person_column('star_patients', 'x', 'count(hospital.sent)', 0, 1)$$);
-- a view's word is its owner's
SELECT attempt($$SELECT dp_register_person_column('star_patients', 'pages', 'sum(hospital.sent.pages)', 0, 9, path => 'sender -> hospital.patients.id')$$);
SELECT attempt($$SELECT dp_register_dataset('star_sent', 'hospital.sent', 1000, 1e-6, unit => 'sender -> hospital.patients.id')$$);
RESET ROLE;
SELECT object, finding FROM dp_exposure('star_sent') WHERE topic = 'unit';
SELECT object, finding FROM dp_exposure('star_visits') WHERE topic = 'unit';
SET ROLE regress_owner;

-- what no longer is as it was stops every charge, and nothing is read
CREATE FUNCTION stops(change text, statement text DEFAULT $$SELECT * FROM dp_count('star_prescriptions', epsilon => 1)$$) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    before bigint := charges();
    said text;
BEGIN
    BEGIN
        EXECUTE change;
        EXECUTE statement;
        said := 'done';
        RAISE EXCEPTION USING ERRCODE = 'ZZ001';
    EXCEPTION WHEN SQLSTATE 'ZZ001' THEN
    WHEN OTHERS THEN
        said := sqlstate || ': ' || sqlerrm;
    END;
    RETURN charges() - before || ' charges, ' || said;
END$$;
SELECT dp_grant_budget('regress_owner', 'star_prescriptions', 100, 1e-6);
SELECT dp_grant_budget('regress_owner', 'star_visits', 100, 1e-6);
SELECT stops('SELECT 1');
SELECT stops(s) FROM (VALUES
    (1, 'ALTER TABLE hospital.visits DROP CONSTRAINT visits_patient_id_fkey'),
    (2, 'ALTER TABLE hospital.prescriptions DROP CONSTRAINT prescriptions_visit_id_fkey'),
    (3, 'ALTER TABLE hospital.visits DROP CONSTRAINT visits_patient_id_fkey, ADD FOREIGN KEY (patient_id) REFERENCES hospital.patients NOT VALID'),
    (4, 'ALTER TABLE hospital.visits ALTER CONSTRAINT visits_patient_id_fkey DEFERRABLE INITIALLY DEFERRED'),
    (5, 'ALTER TABLE hospital.patients RENAME TO people'),
    (6, 'ALTER TABLE hospital.visits RENAME patient_id TO person'),
    (7, 'ALTER TABLE hospital.visits ADD doctor int REFERENCES hospital.patients'),
    (8, 'CREATE TABLE hospital.more () INHERITS (hospital.visits)'),
    (9, 'DROP TABLE hospital.patients CASCADE'),
    (10, 'ALTER TABLE hospital.patients RENAME TO people; CREATE TABLE hospital.patients (id int PRIMARY KEY, sex text)'),
    (11, 'ALTER TABLE hospital.visits DROP CONSTRAINT visits_pkey CASCADE')
    ) v(i, s) ORDER BY i;
RESET ROLE;
SELECT stops('ALTER TABLE hospital.visits DISABLE TRIGGER ALL; SET LOCAL ROLE regress_owner');
SELECT stops('ALTER TABLE hospital.patients OWNER TO regress_other; SET LOCAL ROLE regress_owner');
SET ROLE regress_owner;
SELECT stops('ALTER TABLE hospital.prescriptions DROP CONSTRAINT prescriptions_visit_id_fkey', $$SELECT * FROM dp_count('star_patients', epsilon => 1)$$);
SELECT stops('ALTER TABLE hospital.visits DROP ward CASCADE', $$SELECT * FROM dp_count('star_patients', epsilon => 1)$$);

-- functions of somebody's that a scan would call, as for every source
CREATE FUNCTION hospital.lowered(x text) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
SELECT stops('ALTER TABLE hospital.patients ADD CHECK (hospital.lowered(sex))', $$SELECT * FROM dp_count('star_visits', epsilon => 1)$$);
-- policies do not hide persons from the scan, which is the owner's
ALTER TABLE hospital.patients ENABLE ROW LEVEL SECURITY;
SET ROLE regress_analyst;
SELECT abs(value - 1000) < 20 AS near FROM dp_count('star_visits', epsilon => 50, filter => '"patients.sex" IS NOT NULL');
SET ROLE regress_owner;
ALTER TABLE hospital.patients DISABLE ROW LEVEL SECURITY;

-- partitions on both sides
CREATE TABLE hospital.members (id bigint PRIMARY KEY, plan text) PARTITION BY HASH (id);
CREATE TABLE hospital.members_0 PARTITION OF hospital.members FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE hospital.members_1 PARTITION OF hospital.members FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE hospital.claims (member int REFERENCES hospital.members, amount numeric) PARTITION BY RANGE (amount);
CREATE TABLE hospital.claims_low PARTITION OF hospital.claims FOR VALUES FROM (MINVALUE) TO (50);
CREATE TABLE hospital.claims_high PARTITION OF hospital.claims DEFAULT;
INSERT INTO hospital.members SELECT i, CASE WHEN i % 2 = 0 THEN 'gold' ELSE 'tin' END FROM generate_series(1, 100) i;
INSERT INTO hospital.claims SELECT i, i FROM generate_series(1, 100) i;
SELECT dp_register_dataset('star_claims', 'hospital.claims', 1000, 1e-6, unit => 'member -> hospital.members.id');
SELECT dp_register_dataset('star_members', 'hospital.members', 1000, 1e-6, unit => 'hospital.members.id');
SELECT dp_register_column('star_claims', 'members.plan', ARRAY['gold', 'tin']);
SELECT dp_register_person_column('star_members', 'amount', 'sum(hospital.claims.amount)', 0, 60);
SELECT round(value::numeric, 6) FROM dp_count('star_claims', epsilon => 'Infinity', filter => '"members.plan" = ''gold''');
SELECT round(value::numeric, 6) FROM dp_sum('star_members', 'amount', epsilon => 'Infinity');
SELECT dp_grant_budget('regress_owner', 'star_claims', 900, 1e-6);
SELECT stops('SELECT 1', $$SELECT * FROM dp_count('star_claims', epsilon => 1)$$);
RESET ROLE;
SELECT stops('ALTER TABLE hospital.claims_high DISABLE TRIGGER ALL; SET LOCAL ROLE regress_owner', $$SELECT * FROM dp_count('star_claims', epsilon => 1)$$);
SET ROLE regress_owner;

-- what leads to a second person may be another key of the same column, a key of a partition alone, or one to a partition alone
CREATE TABLE hospital.cards (id bigint PRIMARY KEY, member bigint REFERENCES hospital.members);
CREATE TABLE hospital.uses (card bigint REFERENCES hospital.cards REFERENCES hospital.members, cost float8);
SELECT attempt($$SELECT dp_register_dataset('star_uses', 'hospital.uses', 1000, 1e-6, unit => 'card -> hospital.cards.id, member -> hospital.members.id')$$);
CREATE TABLE hospital.referrals (member bigint REFERENCES hospital.members, other bigint, year int) PARTITION BY RANGE (year);
CREATE TABLE hospital.referrals_old PARTITION OF hospital.referrals DEFAULT;
SELECT attempt($$SELECT dp_register_dataset('star_referrals', 'hospital.referrals', 1000, 1e-6, unit => 'member -> hospital.members.id')$$);
SELECT dp_grant_budget('regress_owner', 'star_referrals', 900, 1e-6);
SELECT stops('ALTER TABLE hospital.referrals_old ADD FOREIGN KEY (other) REFERENCES hospital.members', $$SELECT * FROM dp_count('star_referrals', epsilon => 1)$$);
SELECT stops('ALTER TABLE hospital.referrals_old ADD FOREIGN KEY (other) REFERENCES hospital.members_0', $$SELECT * FROM dp_count('star_referrals', epsilon => 1)$$);
SELECT stops('ALTER TABLE hospital.referrals ADD FOREIGN KEY (other) REFERENCES hospital.members_0', $$SELECT * FROM dp_count('star_referrals', epsilon => 1)$$);
-- nor does a column of the unit's name say whose rows they are
CREATE TABLE hospital.named (member bigint REFERENCES hospital.members, "hospital.members.id" int);
INSERT INTO hospital.named SELECT 1, i FROM generate_series(1, 50) i;
SELECT dp_register_dataset('star_named', 'hospital.named', 1000, 1e-6, unit => 'member -> hospital.members.id', max_rows_per_unit => 2);
SELECT value FROM dp_count('star_named', epsilon => 'Infinity');
SELECT dp_drop_dataset(dataset) FROM (VALUES ('star_referrals'), ('star_named')) d(dataset);

-- a dataset that is altered keeps its path and its person columns
SELECT attempt($$SELECT dp_alter_dataset('star_patients', name => 'star_people')$$);
SELECT round(value::numeric, 6) FROM dp_sum('star_people', 'cost', epsilon => 'Infinity');
SELECT attempt($$SELECT dp_alter_dataset('star_people', source => 'hospital.visits')$$);

-- neighbouring databases: all rows of one person, in all tables, are others
\pset format aligned
\pset tuples_only off
CREATE TABLE hospital.answers (i int, changed boolean, what text, value float8);
CREATE FUNCTION ask(i int, changed boolean) RETURNS void LANGUAGE sql AS $$
INSERT INTO hospital.answers
SELECT i, changed, column_name, value FROM dp_statistics('star_people', 'Infinity', '{sum(visits),sum(in_b),sum(cost),sum(wards),sum(doses),sum(drugs),sum(ever)}')
UNION ALL SELECT i, changed, 'rows', value FROM dp_count('star_visits', epsilon => 'Infinity', filter => '"patients.sex" = ''f''')
UNION ALL SELECT i, changed, 'doses of rows', value FROM dp_sum('star_prescriptions', 'dose', epsilon => 'Infinity')
$$;
DO $$
BEGIN
    PERFORM setseed(0.5);
    FOR i IN 1..30 LOOP
        PERFORM ask(i, false);
        DELETE FROM hospital.prescriptions r USING hospital.visits v WHERE v.id = r.visit_id AND v.patient_id = i;
        DELETE FROM hospital.visits WHERE patient_id = i;
        UPDATE hospital.patients SET sex = CASE WHEN random() < 0.5 THEN 'f' ELSE 'm' END WHERE id = i;
        INSERT INTO hospital.visits SELECT 200000 + i * 100 + j, i, (ARRAY['NaN', 'Infinity', '-Infinity', '1e308', '-1e308', '5', '15'])[1 + floor(7 * random())]::float8,
            (ARRAY['a', 'b', NULL])[1 + floor(3 * random())] FROM generate_series(1, floor(30 * random())::int) j;
        INSERT INTO hospital.prescriptions SELECT 2000000 + v.id * 10 + j, v.id, 100 * random()
            FROM hospital.visits v, generate_series(1, 4) j WHERE v.patient_id = i AND random() < 0.5;
        PERFORM ask(i, true);
        -- a quota draws rows anew in every pass: nobody else may have more of them
        DELETE FROM hospital.prescriptions r USING hospital.visits v WHERE v.id = r.visit_id AND v.patient_id = i;
        DELETE FROM hospital.visits WHERE patient_id = i;
    END LOOP;
END$$;
-- never by more than a column's width, or, of rows, by two rows' worth; and it is searched where that is nearly met
SELECT a.what, max(abs(a.value - b.value)) <= w.most + 1e-6 AS bounded, max(abs(a.value - b.value)) > w.most / 2 AS met
FROM hospital.answers a JOIN hospital.answers b USING (i, what) JOIN (VALUES ('visits', 5), ('in_b', 5), ('cost', 15), ('wards', 3), ('doses', 3),
    ('drugs', 3), ('ever', 1), ('rows', 2), ('doses of rows', 20)) w(what, most) USING (what)
WHERE NOT a.changed AND b.changed GROUP BY a.what, w.most ORDER BY a.what;

-- a person's sum is that of his rows alone: 0.3 + 0.2 + 0.1 is more than 0.6, 0.1 + 0.2 + 0.3 is not, and one row that is out of order
-- changes the order in which a sort gives all others (different values need one)
CREATE TABLE hospital.payers (id int PRIMARY KEY);
CREATE TABLE hospital.fees (payer int REFERENCES hospital.payers, fee float8);
INSERT INTO hospital.payers SELECT i FROM generate_series(1, 1000) i;
INSERT INTO hospital.fees SELECT i, f FROM generate_series(1, 1000) i, (VALUES (1, 0.3), (2, 0.2), (3, 0.1)) v(j, f) ORDER BY i, j;
SELECT dp_register_dataset('star_payers', 'hospital.payers', epsilon => 1000, delta => 1e-6, unit => 'hospital.payers.id');
SELECT dp_register_person_column('star_payers', 'fees', 'count(distinct hospital.fees.fee)', 0, 9);
SELECT dp_register_person_column('star_payers', 'paid', 'sum(hospital.fees.fee)', 0, 1);
SELECT dp_register_person_column('star_payers', 'mean', 'avg(hospital.fees.fee)', 0, 1);
CREATE VIEW hospital.more AS
SELECT (SELECT value FROM dp_count('star_payers', epsilon => 'Infinity', filter => 'fees > 0 and paid > 0.6')) AS sums,
    (SELECT value FROM dp_count('star_payers', epsilon => 'Infinity', filter => 'fees > 0 and mean > 0.2')) AS averages;
CREATE TABLE hospital.before AS SELECT * FROM hospital.more;
UPDATE hospital.fees SET fee = fee WHERE payer = 1 AND fee = 0.3;
SELECT abs(m.sums - b.sums) <= 1 AS sums, abs(m.averages - b.averages) <= 1 AS averages FROM hospital.more m, hospital.before b;
SELECT dp_drop_dataset('star_payers');
RESET ROLE;
SELECT dpem_internal.counted_value('-0', true) AS zero;
SET ROLE regress_owner;
SELECT dp_drop_dataset(dataset) FROM (VALUES ('star_people'), ('star_visits'), ('star_prescriptions'), ('star_sent'), ('star_d'), ('star_claims'), ('star_members')) d(dataset);
RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA hospital CASCADE;
DROP FUNCTION stops(text, text), ask(int, boolean);
