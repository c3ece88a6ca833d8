-- a minimum of persons: the owner's and the call's; what is hidden of every statistic, of keys, of private tables and of kept answers
-- Groups of 1000, 400 and 3 persons at epsilon 5, with noise of a few rows: every number is more than 150 rows from the minimum it is judged by, but of the few that are not seen at all (false alarms below 1e-20)
SET dpem.fresh = off;
SET client_min_messages = warning;
\pset null -
SET ROLE regress_owner;
CREATE TABLE members AS
SELECT (i % 90)::float8 AS age, CASE WHEN i <= 1000 THEN 'many' WHEN i <= 1400 THEN 'some' ELSE 'few' END AS part, CASE WHEN i <= 1000 THEN 'k1' WHEN i <= 1400 THEN 'k2' ELSE 'k3' END AS word,
       CASE WHEN i > 1390 THEN NULL ELSE (i % 13 - 6)::float8 END AS change, 'p' || i AS person, CASE WHEN i = 1403 THEN 9.5 ELSE i % 9 END::float8 AS stay
  FROM generate_series(1, 1403) AS i;
ANALYZE members;
SELECT dp_register_dataset('members', 'members', 1000, 1e-3, keys_share => 0.1), dp_register_column('members', 'age', 0, 100), dp_register_column('members', 'change', -6, 6), dp_register_column('members', 'stay', 0, 10),
       dp_register_column('members', 'part', '{many,some,few}'::text[]), dp_register_key('members', 'word'), dp_grant_budget('regress_analyst', 'members', 900, 5e-4);
SELECT dp_alter_dataset('members', minimum => 200) IS NOT NULL AS altered;
SELECT minimum FROM dpem.datasets WHERE dataset = 'members';
CREATE FOREIGN TABLE private_members (age float8, part text, word text, change float8) SERVER dpem OPTIONS (dataset 'members', epsilon '5');
GRANT SELECT ON private_members TO regress_analyst;

SET ROLE regress_analyst;
SET client_min_messages = notice;
SELECT key, value > 200 AS shown FROM dp_count('members', 5, by => 'part');
SET client_min_messages = warning;
CREATE TEMP TABLE asked (n int, query text);
INSERT INTO asked VALUES (1, $$dp_count('members', 5, by => 'part', fresh => true)$$), (2, $$dp_sum('members', 'change', 5, by => 'part')$$), (3, $$dp_sum('members', 'age', 5, by => 'part', mechanism => 'laplace')$$),
    (4, $$dp_avg('members', 'age', 5, by => 'part')$$), (5, $$dp_variance('members', 'age', 5, by => 'part')$$), (6, $$dp_stddev('members', 'age', 5, by => 'part', clamp => 'auto')$$), (7, $$dp_covariance('members', 'age', 'change', 5, by => 'part')$$),
    (8, $$dp_count('members', 5, by => 'word')$$), (9, $$dp_avg('members', 'age', 5, by => 'word')$$), (10, $$dp_count_distinct('members', NULL, 5, by => 'part')$$),
    (11, $$dp_statistics('members', 5, '{avg(age)}', by => 'part')$$), (12, $$dp_quantiles('members', 'age', '{0.5}', 5, by => 'part')$$);
CREATE FUNCTION pg_temp.keys_of(query text, OUT keys text) LANGUAGE plpgsql AS $$
BEGIN EXECUTE 'SELECT string_agg(key, '','' ORDER BY key) FROM ' || query INTO keys; END$$;
CREATE FUNCTION pg_temp.minimum_of(query text, OUT statistic text, OUT noise_stddev float8) RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN RETURN QUERY EXECUTE 'SELECT statistic, noise_stddev FROM ' || query || ' WHERE statistic LIKE ''minimum%'''; END$$;
SELECT n, keys FROM asked, pg_temp.keys_of(query) ORDER BY n;
-- of the call, where it is larger; a smaller one changes nothing
SELECT n, keys FROM asked, pg_temp.keys_of(left(query, -1) || ', minimum => 700)') ORDER BY n;
SELECT count(*) AS of_two FROM dp_count('members', 5, by => 'part', minimum => 1);
-- without groups, of filters, bins, the largest, several at once
SELECT count(*) AS few FROM dp_count('members', 5, filter => 'part = ''few''');
SELECT count(*) AS many FROM dp_avg('members', 'age', 5, filter => 'part = ''many''');
SELECT count(*) AS bins FROM dp_histogram('members', 'stay', 5, edges => '{0,9.2,10}');
SELECT string_agg(category, ',' ORDER BY rank) AS largest FROM dp_top_k('members', 'part', 3, 5);
SELECT string_agg(category, ',' ORDER BY rank) AS largest FROM dp_top_k('members', 'word', 3, 5);
SELECT string_agg(coalesce(statistic || ' ' || category, statistic || ' ' || column_name, statistic), ', ') AS shown FROM dp_statistics('members', 5, '{count, missing(change), missing(age), categories(part), avg(change)}');
SELECT lower, upper > 8 AS upper FROM dp_bounds('members', 'stay', 5);
SELECT count(*) AS distinct_values FROM dp_count_distinct('members', 'age', 5);
-- private tables: groups that are hidden are not there, and one group is NULL
SET dpem.delta = 1e-6;
SELECT part, count(*) > 200 AS count, avg(age) > 0 AS age FROM private_members GROUP BY part ORDER BY part;
SELECT word, count(*) > 200 AS count FROM private_members GROUP BY word ORDER BY word;
SELECT count(*) > 200 AS count, avg(age) > 0 AS age FROM private_members WHERE part = 'few';
SELECT count(*) > 200 AS count, count(*) FILTER (WHERE part = 'few') AS few FROM private_members;
-- kept answers have no more than was shown, and are another question's under another minimum; no release is averaged
SELECT charges() AS before \gset
SELECT n, keys FROM asked, pg_temp.keys_of(query) WHERE n IN (2, 4, 8, 10, 11) ORDER BY n;
SELECT charges() - :before AS paid;
SELECT question, count(*) AS cells, count(value) AS shown, count(ci_lower) AS ends, count(combined_value) AS combined, max(releases) AS releases FROM dpem.answers
 WHERE question IN ('count by part with gaussian noise, composition exact, minimum 200', 'count by word with gaussian noise, composition exact, minimum 200') GROUP BY 1 ORDER BY 1;
-- a minimum that cannot be judged is refused before anything is spent
\pset format unaligned
\pset tuples_only on
SELECT charges() AS before \gset
SELECT attempt('SELECT * FROM ' || c) FROM (VALUES (1, $$dp_quantile('members', 'age', 0.5, 5, filter => 'part = ''few''')$$), (2, $$dp_count('members', 5, minimum => 0)$$), (3, $$dp_count('members', 5, minimum => -1)$$)) AS v (n, c) ORDER BY n;
SELECT attempt($$SELECT dp_alter_dataset('members', minimum => 0)$$);
SELECT charges() - :before AS paid;
\pset tuples_only off
\pset format aligned
SELECT count(*) AS whole FROM dp_quantile('members', 'age', 0.5, 5);
-- models by groups: that of too few is neither returned nor stored; one of all rows is
CREATE TEMP TABLE fitted (n int, name text, query text);
INSERT INTO fitted VALUES (1, 'min_gmm', $$dp_gmm_fit('members', 2, 5, columns => '{age}', by => 'part', model => 'min_gmm')$$), (2, 'min_kmeans', $$dp_kmeans_fit('members', 2, 5, columns => '{age}', by => 'part', model => 'min_kmeans')$$),
    (3, 'min_pca', $$dp_pca_fit('members', 1, 5, columns => '{age,stay}', by => 'part', model => 'min_pca')$$), (4, 'min_synth', $$dp_synth_fit('members', 5, columns => '{age,stay}', by => 'part', model => 'min_synth')$$);
SELECT n, keys FROM fitted, pg_temp.keys_of('(SELECT DISTINCT key FROM ' || query || ') AS k') ORDER BY n;
SELECT string_agg(model, ',' ORDER BY model COLLATE "C") AS stored FROM dpem.models WHERE starts_with(model, 'min_');
SELECT count(*) AS components FROM dp_gmm_fit('members', 2, 5, columns => '{age}', filter => 'part = ''few''', model => 'min_all');
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE starts_with(model, 'min_');
-- that noise is larger than the rows of what is hidden is not said: warnings are about what is shown
SET dpem.noise_warnings = on;
SELECT count(*) AS two FROM dp_avg('members', 'age', 0.5, by => 'part');
SELECT count(*) AS two FROM dp_gmm_fit('members', 1, 1, columns => '{age}', by => 'part', model => 'min_quiet');
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE starts_with(model, 'min_');
SET dpem.noise_warnings = off;
-- those of every family, whatever its releases count rows by
SET ROLE regress_owner;
CREATE TABLE members_halves AS SELECT i % 90 AS age, CASE WHEN i % 2 = 0 THEN 'even' ELSE 'odd' END AS half, CASE WHEN i <= 1000 THEN 'many' WHEN i <= 1400 THEN 'some' ELSE 'few' END AS part FROM generate_series(1, 1403) AS i;
SELECT dp_register_dataset('members_halves', 'members_halves', 1000, 1e-3) IS NOT NULL AND dp_register_column('members_halves', 'age', 0, 100) IS NOT NULL AND dp_register_column('members_halves', 'half', '{even,odd}'::text[]) IS NOT NULL
    AND dp_register_column('members_halves', 'part', '{many,some,few}'::text[]) IS NOT NULL AND dp_grant_budget('regress_analyst', 'members_halves', 900, 5e-4) IS NOT NULL AND dp_alter_dataset('members_halves', minimum => 200) IS NOT NULL AS ready;
SET ROLE regress_analyst;
SELECT call, keys FROM unnest(ARRAY[$$dp_bayes_fit('members_halves', 'half', 20, columns => '{age}', by => 'part', model => 'min_bayes')$$, $$dp_gam_fit('members_halves', 'half', 20, columns => '{age}', by => 'part', model => 'min_gam')$$,
    $$dp_logit_fit('members_halves', 'half', 20, columns => '{age}', by => 'part', model => 'min_logit')$$, $$dp_svm_fit('members_halves', 'half', 20, columns => '{age}', by => 'part', model => 'min_svm')$$,
    $$dp_linreg_fit('members_halves', 'age', 20, columns => '{half}', by => 'part', model => 'min_linreg')$$, $$dp_mixture_fit('members_halves', 2, 20, columns => '{age,half}', by => 'part', model => 'min_mixture')$$]) AS call,
    pg_temp.keys_of('(SELECT DISTINCT key FROM ' || call || ') AS k');
SELECT count(*) FILTER (WHERE model LIKE '%few%') AS of_few, count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE starts_with(model, 'min_');
-- plans say by what numbers are judged
SELECT n, statistic, noise_stddev FROM (VALUES (1, $$dp_statistic_plan('count', 'members', 5, by => 'part')$$), (2, $$dp_statistic_plan('count', 'members', 5, by => 'word')$$), (3, $$dp_describe_plan('members', 5, columns => '{age}')$$),
    (4, $$dp_count_distinct_plan('members', NULL, 5, by => 'part')$$), (5, $$dp_gmm_plan('members', 2, 5, columns => '{age}', by => 'part')$$), (6, $$dp_gmm_plan('members', 2, 5, columns => '{age}')$$)) AS v (n, query),
    LATERAL pg_temp.minimum_of(query) AS p ORDER BY n;
-- who may read the rows, and a dataset without a minimum, hide nothing
SET ROLE regress_owner;
SELECT count(*) AS of_readers FROM dp_count('members', 'infinity', by => 'part');
SELECT attempt($$SELECT dp_alter_dataset('members', minimum => -1)$$);
SELECT dp_alter_dataset('members', name => 'members_again') IS NOT NULL AS renamed;
SELECT minimum FROM dpem.datasets WHERE dataset = 'members_again';
SELECT dp_alter_dataset('members_again', minimum => 0) IS NOT NULL AS altered;
SET ROLE regress_analyst;
SELECT count(*) AS all_three FROM dp_count('members_again', 5, by => 'part');
-- of persons of three rows each: 400 persons are 1200 rows at least
SET ROLE regress_owner;
CREATE TABLE visits_many AS SELECT part, age, person FROM members, generate_series(1, 3);
SELECT dp_register_dataset('visits_many', 'visits_many', 1000, 1e-3, unit => 'person', max_rows_per_unit => 3), dp_register_column('visits_many', 'part', '{many,some,few}'::text[]), dp_register_column('visits_many', 'age', 0, 100),
       dp_grant_budget('regress_analyst', 'visits_many', 900, 5e-4);
SELECT dp_alter_dataset('visits_many', minimum => 700) IS NOT NULL AS altered;
SET ROLE regress_analyst;
SELECT key FROM dp_count('visits_many', 20, by => 'part');
SELECT key FROM dp_count_distinct('visits_many', NULL, 20, by => 'part', minimum => 200);
SET ROLE regress_owner;
DROP FOREIGN TABLE private_members;
SELECT dp_drop_dataset('members_again'), dp_drop_dataset('visits_many'), dp_drop_dataset('members_halves');
DROP TABLE members, visits_many, members_halves;
RESET ROLE;
