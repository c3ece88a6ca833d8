-- Dates, times, integers, booleans and enums as columns with domains: registered, filtered, in
-- models, and in private tables, where they have their own types.
CREATE SCHEMA private AUTHORIZATION regress_owner;
CREATE FUNCTION same(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE of_private text; of_rows text;
BEGIN
    EXECUTE format('SELECT string_agg(s::text, '' '' ORDER BY s::text) FROM (%s) AS s', replace(query, '@', 'private.admissions')) INTO of_private;
    EXECUTE format('SELECT string_agg(s::text, '' '' ORDER BY s::text) FROM (%s) AS s', replace(query, '@', '(SELECT * FROM admissions WHERE id > 0) AS s')) INTO of_rows;
    RETURN CASE WHEN of_private = of_rows THEN 'same' ELSE left(of_private, 200) || ' | ' || left(of_rows, 200) END;
END$$;
SET ROLE regress_owner;
GRANT USAGE ON SCHEMA private TO PUBLIC;
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
CREATE TYPE mood AS ENUM ('sad', 'calm', 'happy');
CREATE TABLE admissions AS SELECT i AS id, date '2020-01-01' + i % 1461 AS visited, timestamp '2022-03-01' + i * interval '7 min' AS seen, timestamptz '2022-03-01 00:00Z' + i * interval '7 min' AS at,
  20 + i % 60 AS age, (i % 9)::smallint AS visits, i % 3 = 0 AS smoker, (ARRAY['sad', 'calm', 'happy'])[1 + i % 3]::mood AS mood, (i % 100)::float8 AS cost, i % 5 AS ward FROM generate_series(1, 20000) AS i;
INSERT INTO admissions VALUES (0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, NULL), (-1, 'infinity', '-infinity', 'infinity', 30, 1, true, 'sad', 1, 1), (-2, '1900-01-01', '1900-01-01', '2100-01-01Z', 30, 1, true, 'sad', 1, 1);
ANALYZE admissions;
SELECT dp_register_dataset('admissions', 'admissions', 1000, 1e-3);
SELECT attempt(q) FROM unnest(ARRAY[
    $$SELECT dp_register_column('admissions', 'visited', 0, 10)$$, $$SELECT dp_register_column('admissions', 'visited', '2020-01-01', 'yesterday')$$, $$SELECT dp_register_column('admissions', 'visited', '2020-02-01', '2020-01-01')$$,
    $$SELECT dp_register_column('admissions', 'visited', '2020-01-01', '2020-02-30')$$, $$SELECT dp_register_column('admissions', 'visited', '2020-01-01'::date, 'infinity'::date)$$,
    $$SELECT dp_register_column('admissions', 'visited', '4714-01-01 BC'::date, '2020-01-01'::date)$$, $$SELECT dp_register_column('admissions', 'age', '0', '100')$$, $$SELECT dp_register_column('admissions', 'age', now(), now())$$,
    $$SELECT dp_register_column('admissions', 'age')$$, $$SELECT dp_register_column('admissions', 'visited', NULL, NULL)$$]) AS q;
SELECT dp_register_column('admissions', 'visited', '2020-01-01', '2023-12-31'), dp_register_column('admissions', 'seen', timestamp '2022-03-01', timestamp '2022-06-10'), dp_register_column('admissions', 'at', '2022-03-01T02:00+02', '2022-06-10'),
  dp_register_column('admissions', 'age', 0, 100), dp_register_column('admissions', 'visits', 0, 8), dp_register_column('admissions', 'cost', 0, 100), dp_register_column('admissions', 'smoker'), dp_register_column('admissions', 'mood'), dp_register_column('admissions', 'ward', '{0,1,2,3,4}'::text[]);
SELECT dp_register_column('admissions', 'visited', date '2020-01-01', date '2023-12-31');
SELECT column_name, kind, lower, upper, categories, calendar FROM dpem.columns WHERE dataset = 'admissions' ORDER BY position;
SELECT dpem.date_at(lower), dpem.date_at(upper) FROM dpem.columns WHERE column_name = 'visited' AND dataset = 'admissions';
SELECT dpem_internal.days('2000-01-02'), dpem_internal.days('-infinity'), dpem_internal.seconds('2000-01-01 00:00:01.5'::timestamp), dpem_internal.seconds('2000-01-01 01:00+01'::timestamptz), dpem_internal.seconds('infinity'::timestamptz), dpem.date_at(-0.5), dpem.date_at('NaN'), dpem.date_at(1e300), dpem.timestamp_at(86400.5), dpem.timestamp_at('-Infinity');
SELECT category FROM dpem.column_categories WHERE dataset = 'admissions' AND column_name IN ('smoker', 'mood') ORDER BY column_name, position;
SELECT dp_grant_budget('regress_analyst', 'admissions', 900, 1e-3);
SELECT dp_publish('admissions', 'private');
GRANT SELECT ON private.admissions TO regress_analyst;
GRANT SELECT ON admissions TO regress_analyst;
SELECT column_name, data_type, udt_name FROM information_schema.columns WHERE table_schema = 'private' ORDER BY ordinal_position;
SET ROLE regress_analyst;
-- without noise, as the role may read the rows: the same as PostgreSQL itself says, of rows in the domain
SET dpem.epsilon = 'infinity';
SELECT c, same(format('SELECT count(*) FROM @ WHERE %s', c)) FROM unnest(ARRAY[
  $$visited >= '2021-01-01' AND visited <= '2023-12-31'$$, $$visited BETWEEN '2021-01-01' AND '2021-01-31'$$, $$extract(year FROM visited) = 2022$$, $$date_trunc('month', seen) = '2022-04-01'$$, $$seen::date = '2022-04-05'$$,
  $$CAST(at AS date) BETWEEN '2022-04-01' AND '2022-04-30'$$, $$at >= '2022-04-01 12:00+02' AND at < '2022-04-02'$$, $$visited IN ('2020-05-05', '2021-05-05')$$, $$visited NOT IN ('2020-05-05') AND visited >= '2020-01-01' AND visited < '2024-01-01'$$, $$visited = '2020-05-05'::timestamptz$$,
  $$visited < timestamp '2020-05-05 12:00' AND visited > '2019-01-01'$$, $$age > 30.5$$, $$age / 10 = 3 AND visits < 9 AND cost <> 1$$, $$age = ANY ('{31,32}') AND cost <> 1$$, $$cost = ANY ('{20,33}'::real[])$$, $$cost <> ALL ('{1,20,33}'::real[])$$, $$age * 2 < 80 AND NOT (age = 30)$$, $$visits::int + 1 = 3$$, $$age < 0$$, $$NOT (age < 0) AND age <> 30$$, $$35 >= age AND age <> 30$$, $$age IS DISTINCT FROM 40 AND age <> 30 AND age IS NOT NULL$$,
  $$smoker AND mood = 'sad' AND visits <> 1$$, $$NOT smoker$$, $$smoker IS NOT TRUE AND smoker IS NOT NULL$$, $$mood > 'sad'$$, $$mood IN ('calm', 'happy')$$, $$ward = 3$$, $$ward IN (2, 3)$$, $$ward < 1$$, $$to_char(seen, 'YYYY-MM') = '2022-04'$$, $$seen >= '2022-04-01'::date AND seen < '2022-04-01'::date + 7$$]) AS c;
SELECT g, same(format('SELECT %s AS g, count(*) AS n FROM @ WHERE visited >= ''2020-01-01'' AND visited <= ''2023-12-31'' GROUP BY 1 HAVING count(*) > 0', g)) FROM unnest(ARRAY[
  $$date_trunc('month', visited)$$, $$date_trunc('quarter', seen)$$, $$CAST(date_trunc('month', visited) AS date)$$, $$extract(year FROM visited)$$, $$to_char(at, 'YYYY-MM')$$, $$seen::date$$, $$date_trunc('week', at)$$, $$date_trunc('day', at, 'Europe/Berlin')$$,
  $$date_trunc('week', seen + interval '1 day') - interval '1 day'$$, $$floor(extract(epoch FROM at) / 86400) * 86400$$, $$visited$$, $$age$$, $$age / 10 * 10$$, $$floor(age / 10.0) * 10$$, $$width_bucket(age, 0, 100, 10)$$, $$visits$$, $$smoker$$, $$mood$$, $$NOT smoker$$, $$ward$$, $$date_trunc('hour', seen)$$]) AS g;
SELECT a.s = b.s AS sum, abs(a.m - b.m) < 1e-3 AS mean, pg_typeof(a.s) = pg_typeof(b.s) AS types FROM (SELECT sum(age) AS s, avg(visits) AS m FROM private.admissions WHERE visited >= '2020-01-01' AND visited <= '2023-12-31') AS a, (SELECT sum(age) AS s, avg(visits) AS m FROM admissions WHERE id > 0) AS b;
SELECT abs(m - date '2021-12-30') < 20 AS date, pg_typeof(m) AS type, abs(a - 50) <= 1 AS age, pg_typeof(a) AS age_type, t BETWEEN '2022-04-10' AND '2022-04-25' AS time, pg_typeof(t) AS time_type
  FROM (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY visited) AS m, percentile_disc(0.5) WITHIN GROUP (ORDER BY age) AS a, percentile_disc(0.5) WITHIN GROUP (ORDER BY at) AS t FROM private.admissions) AS s;
-- values beyond the domain count as its end, infinite ones not at all
SELECT visited, count(*) - 13 AS more FROM private.admissions GROUP BY 1 ORDER BY count(*) DESC, visited LIMIT 3;
-- functions
SELECT round(value) FROM dp_count('admissions', 'infinity', filter => 'visited >= ''2021-01-01'' and seen < ''2022-05-01T00:00'' and at > ''2022-03-10 00:00:00+01''');
SELECT count(*) FROM admissions WHERE visited >= '2021-01-01' and seen < '2022-05-01' and at > '2022-03-10 00:00:00+01';
SET datestyle = 'German, DMY';
SET timezone = 'America/New_York';
SELECT round(value) FROM dp_count('admissions', 'infinity', filter => 'visited >= ''2021-01-01'' and seen < ''2022-05-01T00:00'' and at > ''2022-03-10 00:00:00+01''');
SET datestyle = 'ISO, YMD';
SET timezone = 'UTC';
SELECT attempt(format('SELECT dp_count(''admissions'', 1, filter => %L)', f)) FROM unnest(ARRAY['visited > 7000', 'visited > ''today''', 'visited > ''2021''', 'visited > ''2021-13-01''', 'visited > ''2021-01-01 infinity''', 'age > ''2021-01-01''']) AS f;
SELECT dpem.date_at(value) BETWEEN '2021-12-01' AND '2022-01-31' AS mean FROM dp_avg('admissions', 'visited', 'infinity');
SELECT count(*) AS bins, min(dpem.date_at(lower)) AS first FROM dp_histogram('admissions', 'visited', 'infinity', bins => 4);
SELECT count(*) AS coefficients FROM dp_linreg_fit('admissions', 'cost', 5, columns => '{age,visited,smoker,mood}', model => 'admissions_line');
SELECT count(*) > 0 AS fitted FROM dp_gmm_fit('admissions', 2, 5, columns => '{age,visited,seen}', model => 'admissions_model');
SELECT count(p) AS predicted FROM (SELECT dp_predict('admissions_model', to_jsonb(s)) AS p FROM admissions AS s WHERE id BETWEEN 1 AND 10) AS s;
-- values that an execution gives
SET plan_cache_mode = force_generic_plan;
PREPARE q(date, int[], mood, boolean) AS SELECT count(*) FROM private.admissions WHERE visited > $1 AND age = ANY ($2) AND mood = $3 AND smoker = $4;
EXECUTE q('2021-01-01', '{20,21}', 'calm', false);
SELECT count(*) FROM admissions WHERE visited > '2021-01-01' AND age = ANY ('{20,21}') AND mood = 'calm' AND NOT smoker;
RESET plan_cache_mode;
-- refused
SELECT q, attempt(q) FROM unnest(ARRAY[$$SELECT min(visited), max(visited) FROM private.admissions$$, $$SELECT extract(dow FROM at), count(*) FROM private.admissions GROUP BY 1$$, $$SELECT seen, count(*) FROM private.admissions GROUP BY 1$$, $$SELECT date_trunc('minute', at AT TIME ZONE 'America/Sao_Paulo'), count(*) FROM private.admissions GROUP BY 1$$,
  $$SELECT -age, count(*) FROM private.admissions GROUP BY 1$$, $$SELECT age % 10, count(*) FROM private.admissions GROUP BY 1$$, $$SELECT count(*) FROM private.admissions WHERE age % 10 = 1$$, $$SELECT count(*) FROM private.admissions WHERE age = NULL$$, $$SELECT count(*) FROM private.admissions WHERE age = visits$$, $$SELECT to_char(at, 'MM'), count(*) FROM private.admissions GROUP BY 1$$]) AS q;
-- an enum whose value has another name: said before anything is spent, until the owner takes the new names
SET ROLE regress_owner;
ALTER TYPE mood RENAME VALUE 'sad' TO 'blue';
ALTER TYPE mood ADD VALUE 'angry';
SET ROLE regress_analyst;
SELECT q, attempt(q) FROM unnest(ARRAY[$$SELECT dp_count('admissions', 1, by => 'mood')$$, $$SELECT dp_count('admissions', 1, filter => 'mood = ''sad''')$$, $$SELECT dp_histogram('admissions', 'mood', 1)$$,
  $$SELECT dp_logit_fit('admissions', 'mood', 1)$$, $$SELECT dp_bayes_fit('admissions', 'mood', 1)$$, $$SELECT dp_linreg_fit('admissions', 'cost', 1, columns => '{age,mood}')$$, $$SELECT dp_synth_fit('admissions', 1)$$,
  $$SELECT mood, count(*) FROM private.admissions GROUP BY 1$$]) AS q;
SELECT count(*) FROM dp_count('admissions', 1, by => 'smoker');
SET ROLE regress_owner;
SELECT attempt($$SELECT dp_register_column('admissions', 'mood', '{sad,calm}'::text[])$$), dp_register_column('admissions', 'mood');
SET ROLE regress_analyst;
SELECT key FROM dp_count('admissions', 'infinity', by => 'mood') ORDER BY 1;
-- a type that is not what it was
SET ROLE regress_owner;
ALTER TABLE admissions ALTER visited TYPE timestamp;
SELECT attempt('SELECT count(*) FROM private.admissions WHERE visited > ''2020-01-01'''), attempt($$SELECT dp_avg('admissions', 'visited', 1)$$);
ALTER TABLE admissions ALTER age TYPE bigint;
SELECT attempt('SELECT count(*) FROM private.admissions WHERE age > 3');
SET client_min_messages = warning;
RESET ROLE;
DROP FUNCTION same(text);
DROP SCHEMA private CASCADE;
SELECT dp_drop_model('admissions_model'), dp_drop_model('admissions_line'), dp_drop_dataset('admissions');
DROP TABLE admissions;
DROP TYPE mood;
