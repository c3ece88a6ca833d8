-- answers are kept: the same question costs nothing, whoever pays for it pays once, and what was
-- altered since is asked anew
SET dpem.fresh = off;
SET client_min_messages = warning;
\pset null -
SET ROLE regress_owner;
CREATE TABLE appointments AS
SELECT (i % 90)::float8 AS age, (ARRAY['north', 'south'])[1 + i % 2] AS region, 'D' || i % 5 AS diagnosis, CASE WHEN i % 7 > 0 THEN (i % 13)::float8 END AS stay
  FROM generate_series(1, 4000) AS i;
ANALYZE appointments;
SELECT dp_register_dataset('appointments', 'appointments', 50, 1e-3, keys_share => 0.1), dp_register_column('appointments', 'age', 0, 100), dp_register_column('appointments', 'stay', 0, 20),
       dp_register_column('appointments', 'region', '{north,south}'::text[]), dp_register_key('appointments', 'diagnosis'), dp_grant_budget('regress_analyst', 'appointments', 40, 5e-4);

-- a dashboard of twenty statistics, loaded twice: the second time costs nothing and says the same
CREATE TABLE dashboard (n int, query text);
GRANT SELECT ON dashboard TO PUBLIC;
INSERT INTO dashboard VALUES
    (1, $$SELECT s FROM dp_count('appointments', 0.2) s$$), (2, $$SELECT s FROM dp_count('appointments', 0.2, by => 'region') s$$),
    (3, $$SELECT s FROM dp_count('appointments', 0.2, column_name => 'stay') s$$), (4, $$SELECT s FROM dp_count('appointments', 0.5, by => 'diagnosis') s$$),
    (5, $$SELECT s FROM dp_count('appointments', 0.2, filter => 'age > 40 and not (stay = 3 or region in (''north''))') s$$),
    (6, $$SELECT s FROM dp_sum('appointments', 'age', 0.2) s$$), (7, $$SELECT s FROM dp_sum('appointments', 'stay', 0.2, mechanism => 'laplace') s$$),
    (8, $$SELECT s FROM dp_avg('appointments', 'age', 0.2, by => 'region') s$$), (9, $$SELECT s FROM dp_avg('appointments', 'age', 0.5, clamp => 'auto') s$$),
    (10, $$SELECT s FROM dp_avg('appointments', 'age', 0.5, by => 'diagnosis') s$$), (11, $$SELECT s FROM dp_variance('appointments', 'age', 0.2) s$$),
    (12, $$SELECT s FROM dp_stddev('appointments', 'stay', 0.2) s$$), (13, $$SELECT s FROM dp_covariance('appointments', 'age', 'stay', 0.2) s$$),
    (14, $$SELECT s FROM dp_histogram('appointments', 'age', 0.2, bins => 10) s$$), (15, $$SELECT s FROM dp_histogram('appointments', 'age', 0.2, edges => '{0,18,65,100}') s$$),
    (16, $$SELECT s FROM dp_top_k('appointments', 'diagnosis', 3, 0.7, filter => 'age > 10') s$$), (17, $$SELECT s FROM dp_quantile('appointments', 'age', 0.5, 0.2) s$$),
    (18, $$SELECT s FROM dp_quantiles('appointments', 'age', '{0.25,0.75}', 0.2, by => 'region') s$$), (19, $$SELECT s FROM dp_describe('appointments', 0.5) s$$),
    (20, $$SELECT s FROM dp_statistics('appointments', 0.2, '{count, avg(age), missing(stay), categories(region)}') s$$);
CREATE FUNCTION load_dashboard(OUT answers text[], OUT paid bigint) LANGUAGE plpgsql AS $$
DECLARE q text; one text; before bigint := charges();
BEGIN
    FOR q IN SELECT query FROM dashboard ORDER BY n LOOP
        EXECUTE 'SELECT string_agg(s::text, E''\n'') FROM (' || q || ') AS a(s)' INTO one;
        answers := answers || one;
    END LOOP;
    paid := charges() - before;
END$$;
SET ROLE regress_analyst;
SELECT paid, cardinality(answers) AS statistics, answers AS first FROM load_dashboard() \gset
SELECT :paid AS paid, :statistics AS statistics;
SELECT dp_budget_remaining('appointments') AS remaining \gset
SELECT paid, answers = :'first' AS same, cardinality(array_positions(answers, NULL)) AS without FROM load_dashboard();
SELECT dp_budget_remaining('appointments') = :remaining AS nothing_spent;

-- the same question however it is written, also by another function
SELECT (SELECT value FROM dp_count('appointments', 0.2, filter => '(AGE>4.0e1) AND NOT (stay=3 OR region IN (''north''))')) = (SELECT value FROM dp_count('appointments', 0.1, filter => 'age > 40 and not (stay = 3 or region in (''north''))')) AS same,
       (SELECT array_agg(value ORDER BY value) FROM dp_histogram('appointments', 'region', 0.2)) = (SELECT array_agg(value ORDER BY value) FROM dp_count('appointments', 0.2, by => 'region')) AS histogram,
       (SELECT value FROM dp_top_k('appointments', 'region', 1, 0.2)) = (SELECT max(value) FROM dp_count('appointments', 0.2, by => 'region')) AS top;
SELECT dp_budget_remaining('appointments') = :remaining AS nothing_spent;
-- ... but not where the noise, the rows, the groups or the price are others
SELECT charges() AS before \gset
SELECT count(*) FROM dp_count('appointments', 0.2, filter => 'age >= 40') AS a, dp_count('appointments', 0.2, mechanism => 'laplace') AS b, dp_count('appointments', 0.2, composition => 'zcdp') AS c, dp_count('appointments', 0.2, delta => 4.9e-4) AS d,
                     dp_count('appointments', 0.3) AS e, dp_histogram('appointments', 'age', 0.2, bins => 11) AS f, dp_quantile('appointments', 'age', 0.5, 0.2, bins => 100) AS g;
SELECT charges() - :before AS paid;
-- nor where it is wanted anew, or nothing as old; a setting says the same
SELECT charges() AS before \gset
SELECT count(*) FROM dp_count('appointments', 0.2, fresh => true);
SET dpem.fresh = on;
SELECT count(*) FROM dp_count('appointments', 0.2) AS a, dp_count('appointments', 0.2, fresh => false) AS b;
SET dpem.fresh = off;
SET dpem.answer_age = 0;
SELECT count(*) FROM dp_count('appointments', 0.2);
SET dpem.answer_age = '1us';
SELECT count(*) FROM dp_count('appointments', 0.2);
RESET dpem.answer_age;
SELECT charges() - :before AS paid;

-- persons and values that differ, bounds and rankings are kept, too, and each is told from others that are nearly the same
CREATE TEMP TABLE asked (n int, query text);
INSERT INTO asked VALUES (1, $$dp_count_distinct('appointments', NULL, 0.4)$$), (2, $$dp_count_distinct('appointments', 'region', 0.4, by => 'region')$$), (3, $$dp_count_distinct('appointments', 'diagnosis', 0.4)$$),
    (4, $$dp_count_distinct('appointments', 'stay', 0.4, filter => 'age > 40', mechanism => 'laplace')$$), (5, $$dp_bounds('appointments', 'age', 1)$$), (6, $$dp_bounds('appointments', 'stay', 1)$$),
    (7, $$dp_feature_ranking('appointments', 'region', 1)$$), (8, $$dp_feature_ranking('appointments', 'region', 1, columns => '{stay,age}')$$), (9, $$dp_feature_ranking('appointments', 'region', 1, columns => '{age}', filter => 'stay > 1')$$);
CREATE FUNCTION pg_temp.ask(query text, again text, OUT paid bigint, OUT then_paid bigint, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE a text; b text; before bigint := charges();
BEGIN
    EXECUTE 'SELECT string_agg(s::text, E''\n'') FROM (SELECT * FROM ' || query || ') AS s' INTO a;
    paid := charges() - before;
    EXECUTE 'SELECT string_agg(s::text, E''\n'') FROM (SELECT * FROM ' || again || ') AS s' INTO b;
    then_paid := charges() - before - paid;
    same := a = b AND a IS NOT NULL;
END$$;
SELECT n, a.* FROM asked, pg_temp.ask(query, query) AS a ORDER BY n;
SELECT n, a.paid, a.then_paid FROM asked, pg_temp.ask(query, left(query, -1) || ', fresh => true)') AS a WHERE n IN (1, 5, 8) ORDER BY n;
SELECT near(noise_stddev * sqrt(2), (SELECT max(noise_stddev) FROM dpem.answers WHERE question LIKE 'count_distinct with %')) AS of_two FROM dp_count_distinct('appointments', NULL, 0.4);
SELECT near(value, combined_value) AS latest, bool_or(statistic LIKE 'rank(%' AND ci_lower >= 1 AND value BETWEEN ci_lower AND ci_upper) AS ranks FROM dpem.answers WHERE question LIKE 'feature_ranking(region, stay, age) with %' GROUP BY 1;

-- releases of a count are averaged, by their noise; those of an average are not
SELECT count(*) FROM dp_count('appointments', 1, fresh => true, by => 'region') AS a, dp_count('appointments', 0.5, fresh => true, by => 'region') AS b, dp_avg('appointments', 'age', 0.2, fresh => true, by => 'region') AS c;
WITH release AS (SELECT * FROM dpem.answers WHERE dataset = 'appointments' AND question LIKE 'count by region with %'), said AS (SELECT key, value, noise_stddev FROM dp_count('appointments', 0.2, by => 'region'))
SELECT r.key, count(*) AS releases, near(sum(r.value * r.noise_stddev ^ -2) / sum(r.noise_stddev ^ -2), min(s.value)) AS value, near(sum(r.noise_stddev ^ -2) ^ -0.5, min(s.noise_stddev)) AS noise,
       bool_and(near(r.combined_value, s.value) AND near(r.combined_noise_stddev, s.noise_stddev) AND r.releases = 3) AS viewed
  FROM release r JOIN said s USING (key) GROUP BY r.key ORDER BY r.key;
SELECT (SELECT array_agg(value) FROM dp_avg('appointments', 'age', 0.2, by => 'region')) = array_agg(value ORDER BY position) AS latest, bool_and(releases = 1 AND combined_value = value) AS alone
  FROM dpem.answers WHERE question LIKE 'avg(age) by region with %' AND charge = (SELECT max(charge) FROM dpem.answers WHERE question LIKE 'avg(age) by region with %');
SELECT ci_lower < value AND near(ci_upper - value, 1.959963984540054 * noise_stddev) AS interval FROM dp_count('appointments', 0.2, by => 'region');

-- what is seen of them: the questions, by whoever paid, and by members of that role
SELECT question, statistic, key, value IS NOT NULL AS value, noise_stddev > 0 AS noise, rank_error > 0 AS rank_error, epsilon, age < interval '1 hour' AS age
  FROM (SELECT DISTINCT ON (question, position) * FROM dpem.answers WHERE dataset = 'appointments' ORDER BY question, position, charge) a WHERE position = 1 ORDER BY question COLLATE "C";
SET ROLE regress_member;
SELECT count(*) > 20 AS seen FROM dpem.answers;
SET ROLE regress_owner;
SELECT count(*) AS seen FROM dpem.answers;
SET ROLE regress_other;
SELECT count(*) AS seen FROM dpem.answers;
SELECT attempt('SELECT * FROM dpem_internal.answer');

-- what was altered is another question: bounds and categories that it has, a view's text, another source; not other bounds, the budget or the name
SET ROLE regress_owner;
CREATE VIEW seen_appointments AS SELECT * FROM appointments WHERE age < 50;
SELECT dp_register_dataset('seen_appointments', 'seen_appointments', 50, 1e-3, keys_share => 0.1), dp_register_column('seen_appointments', 'age', 0, 100), dp_register_column('seen_appointments', 'region', '{north,south}'::text[]), dp_grant_budget('regress_analyst', 'seen_appointments', 40, 5e-4);
CREATE FUNCTION paid_for(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE before bigint := charges();
BEGIN EXECUTE query; RETURN charges() - before; END$$;
CREATE TABLE altered (n int, change text, query text);
GRANT SELECT ON altered TO PUBLIC;
INSERT INTO altered VALUES
    (1, $$SELECT dp_register_column('seen_appointments', 'age', 0, 101)$$, $$SELECT dp_avg('seen_appointments', 'age', 0.1)$$),
    (2, $$SELECT dp_register_column('seen_appointments', 'age', 0, 101)$$, $$SELECT dp_count('seen_appointments', 0.1)$$),
    (3, $$SELECT dp_register_column('seen_appointments', 'region', '{south,north}'::text[])$$, $$SELECT dp_count('seen_appointments', 0.1, by => 'region')$$),
    (4, $$CREATE OR REPLACE VIEW seen_appointments AS SELECT * FROM appointments WHERE age < 60$$, $$SELECT dp_count('seen_appointments', 0.1)$$),
    (5, $$SELECT dp_alter_dataset('seen_appointments', epsilon => 51)$$, $$SELECT dp_count('seen_appointments', 0.1)$$),
    (6, $$SELECT dp_alter_dataset('seen_appointments', name => 'renamed_appointments')$$, $$SELECT dp_count('renamed_appointments', 0.1)$$),
    (7, $$SELECT dp_alter_dataset('renamed_appointments', source => 'appointments')$$, $$SELECT dp_count('renamed_appointments', 0.1)$$);
CREATE TABLE charged (n int, first bigint, again bigint, altered bigint);
GRANT ALL ON charged TO PUBLIC;
CREATE PROCEDURE ask_and_alter() LANGUAGE plpgsql AS $$
DECLARE a record; first bigint; again bigint; before text;
BEGIN
    FOR a IN SELECT * FROM altered ORDER BY n LOOP
        before := CASE WHEN a.n = 6 THEN replace(a.query, 'renamed', 'seen') ELSE a.query END;
        SET ROLE regress_analyst;
        first := paid_for(before);
        again := paid_for(before);
        COMMIT;
        SET ROLE regress_owner;
        EXECUTE a.change;
        COMMIT;
        SET ROLE regress_analyst;
        INSERT INTO charged VALUES (a.n, first, again, paid_for(a.query));
        COMMIT;
    END LOOP;
    RESET ROLE;
END$$;
RESET ROLE;
CALL ask_and_alter();
SELECT * FROM charged ORDER BY n;

-- rows that have changed since are not: that is what the age is for
SET ROLE regress_owner;
DELETE FROM appointments WHERE age < 45;
SET ROLE regress_analyst;
SELECT charges() AS before \gset
SELECT value > 3000 AS stale FROM dp_count('appointments', 0.2);
SELECT value < 3000 AS current FROM dp_count('appointments', 0.2, fresh => true);
SELECT value < 3000 AS not_averaged_with_what_was FROM dp_count('appointments', 0.2);
SELECT bool_and(combined_value < 3000) AS nor_viewed FROM dpem.answers WHERE dataset = 'appointments' AND question LIKE 'count with gaussian noise, composition exact';
SELECT charges() - :before AS paid;

-- a transaction that is rolled back forgets its answer, and has paid
SELECT charges() AS before \gset
BEGIN;
SELECT count(*) FROM dp_count('appointments', 0.25, filter => 'stay = 1');
ROLLBACK;
SELECT count(*) FROM dp_count('appointments', 0.25, filter => 'stay = 1') AS a, dp_count('appointments', 0.25, filter => 'stay = 1') AS b;
SELECT charges() - :before AS paid;

-- without noise nothing is kept; a dataset that is dropped takes its answers along
SET ROLE regress_owner;
SELECT value = 1980 AS exact FROM dp_count('appointments', 'infinity', filter => 'age >= 45');
RESET ROLE;
SELECT count(*) AS of_readers FROM dpem_internal.answer WHERE epsilon = 'infinity';
SET ROLE regress_owner;
SELECT dp_drop_dataset('appointments'), dp_drop_dataset('renamed_appointments');
RESET ROLE;
SELECT count(*) AS left_behind FROM dpem_internal.answer a WHERE NOT EXISTS (SELECT FROM dpem_internal.dataset d WHERE d.id = a.dataset);
DROP VIEW seen_appointments;
DROP TABLE appointments, dashboard, altered, charged;
DROP FUNCTION load_dashboard(), paid_for(text);
DROP PROCEDURE ask_and_alter();
