-- Private tables grouped by what begins again, and conditions on it: days of the week, months, hours, remainders.
CREATE SCHEMA cycles AUTHORIZATION regress_owner;
-- what a role that may read the rows is told without noise, against what PostgreSQL says of the rows; groups without rows are left out
CREATE FUNCTION cycles.same(query text, private_table text DEFAULT 'cycles.journeys', its_rows text DEFAULT 'cycles.trips') RETURNS text LANGUAGE plpgsql AS $$
DECLARE of_private text; of_rows text;
BEGIN
    EXECUTE format('SELECT string_agg(s::text, '' '' ORDER BY s::text) FROM (%s) AS s', replace(query, '@', private_table)) INTO of_private;
    EXECUTE format('SELECT string_agg(s::text, '' '' ORDER BY s::text) FROM (%s) AS s', replace(query, '@', its_rows)) INTO of_rows;
    RETURN CASE WHEN of_private = of_rows THEN 'same' ELSE coalesce(left(of_private, 200), '-') || ' | ' || coalesce(left(of_rows, 200), '-') END;
END$$;
GRANT USAGE ON SCHEMA cycles TO PUBLIC;
SET ROLE regress_owner;
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
-- every 97 minutes for two years, and a row for every 10 minutes around the ends of summer time
CREATE TABLE cycles.trips AS SELECT i AS id, (timestamp '2022-01-01' + i * interval '97 min')::date AS on_day, timestamp '2022-01-01' + i * interval '97 min' AS began,
  timestamptz '2022-01-01 00:00Z' + i * interval '97 min' AS at, i % 90 AS age, (i % 7)::smallint AS seats, i % 2 = 0 AS paid, (i % 50)::float8 AS fare, (ARRAY['bus', 'rail', 'road'])[1 + i % 3] AS kind FROM generate_series(0, 10800) AS i;
INSERT INTO cycles.trips SELECT 20000 + i, '2023-03-26', timestamp '2023-03-25 12:00' + i * interval '10 min', timestamptz '2023-03-25 12:00Z' + i * interval '10 min', 1, 1, true, 1, 'bus' FROM generate_series(1, 400) AS i;
INSERT INTO cycles.trips SELECT 30000 + i, '2023-10-29', timestamp '2023-10-28 12:00' + i * interval '10 min', timestamptz '2023-10-28 12:00Z' + i * interval '10 min', 1, 1, true, 1, 'bus' FROM generate_series(1, 400) AS i;
ANALYZE cycles.trips;
SELECT dp_register_dataset('cycles', 'cycles.trips', 1000, 1e-3);
SELECT dp_register_column('cycles', 'on_day', '2022-01-01', '2023-12-31'), dp_register_column('cycles', 'began', timestamp '2022-01-01', timestamp '2024-01-01'), dp_register_column('cycles', 'at', '2022-01-01T00:00Z', '2024-01-01T00:00Z'),
  dp_register_column('cycles', 'age', 0, 120), dp_register_column('cycles', 'seats', 0, 8), dp_register_column('cycles', 'paid'), dp_register_column('cycles', 'fare', 0, 50), dp_register_column('cycles', 'kind', '{bus,rail,road}'::text[]);
SELECT dp_grant_budget('regress_analyst', 'cycles', 900, 1e-3);
CREATE FOREIGN TABLE cycles.journeys (on_day date, began timestamp, at timestamptz, age int, seats smallint, paid boolean, fare float8, kind text) SERVER dpem OPTIONS (dataset 'cycles');
GRANT SELECT ON cycles.journeys, cycles.trips TO regress_analyst;
-- functions of anybody's are refused; of one in SQL the planner may have made its body
CREATE FUNCTION cycles.weekend(day date) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN date_part('isodow', day::timestamp) > 5;
CREATE FUNCTION cycles.tells(day date) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE NOTICE 'row %', day; RETURN extract(month FROM day); END$$;
-- and so are those of a domain's constraint
CREATE FUNCTION cycles.may(n int) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$BEGIN RAISE NOTICE 'value %', n; RETURN true; END$$;
CREATE DOMAIN cycles.checked AS int CHECK (cycles.may(VALUE));
SET ROLE regress_analyst;
SET dpem.epsilon = 'infinity';
SELECT g, cycles.same(format('SELECT %1$s AS g, count(*) AS n, round(sum(fare)::numeric, 3) AS fare FROM @ GROUP BY 1 HAVING count(*) > 0', g)) FROM unnest(ARRAY[
  $$extract(dow FROM on_day)$$, $$extract(isodow FROM began)$$, $$extract(dow FROM at)$$, $$extract(month FROM on_day)$$, $$extract(month FROM at)$$, $$extract(quarter FROM began)$$, $$extract(day FROM at)$$, $$extract(doy FROM began)$$, $$extract(week FROM at)$$,
  $$extract(hour FROM began)$$, $$extract(hour FROM at)$$, $$date_part('dow', on_day)$$, $$date_part('hour', at)$$, $$CAST(extract(dow FROM began) AS integer) + 1$$, $$to_char(on_day, 'Day')$$, $$to_char(at, 'MM')$$, $$to_char(began, 'Dy HH24')$$, $$to_char(at, 'HH12 AM')$$, $$to_char(at, 'TZH:TZM')$$,
  $$CASE WHEN extract(isodow FROM at) IN (6, 7) THEN 'weekend' ELSE 'week' END$$, $$extract(dow FROM at) IN (0, 6)$$, $$CASE extract(dow FROM began) WHEN 0 THEN 'Sun' WHEN extract(day FROM began) THEN 'same' ELSE 'other' END$$, $$extract(year FROM at)::text || '-' || extract(month FROM at)::text$$,
  $$extract(hour FROM at) * 100 + extract(dow FROM at AT TIME ZONE 'America/New_York')$$, $$extract(dow FROM at::date)$$, $$extract(hour FROM date_trunc('hour', began))$$, $$cycles.weekend(on_day)$$, $$age % 10$$, $$-age$$, $$CASE WHEN age < 18 THEN 'child' WHEN age < 65 THEN 'adult' ELSE 'old' END$$, $$seats % 2 = 0$$, $$abs(age - 40)$$, $$CASE age % 3 WHEN 0 THEN 'a' WHEN 1 THEN 'b' ELSE 'c' END$$, $$CASE kind WHEN 'bus' THEN 1 WHEN 'rail' THEN 2 ELSE 3 END$$]) AS g;
-- other clocks: of the session, or named in the query; summer time begins and ends, by an hour or by half of one, and a day is left out
SELECT z, set_config('timezone', z, false) = z AS set, cycles.same('SELECT extract(hour FROM at) AS g, count(*) AS n FROM @ GROUP BY 1 HAVING count(*) > 0') AS hour, cycles.same('SELECT extract(dow FROM at) AS g, count(*) AS n FROM @ GROUP BY 1 HAVING count(*) > 0') AS day,
  cycles.same(format('SELECT extract(hour FROM at AT TIME ZONE %L) AS g, count(*) AS n FROM @ GROUP BY 1 HAVING count(*) > 0', z)) AS named, cycles.same(format('SELECT extract(hour FROM began AT TIME ZONE ''UTC'' AT TIME ZONE %L) AS g, count(*) AS n FROM @ GROUP BY 1 HAVING count(*) > 0', z)) AS twice
  FROM unnest(ARRAY['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Chatham']) AS z;
SET timezone = 'UTC';
-- a domain long ago, when clocks went by the sun, by 19 minutes and 32 seconds or half an hour, and days were left out
SET ROLE regress_owner;
CREATE TABLE cycles.voyages AS SELECT timestamptz '1850-01-01 00:00Z' + i * interval '1 day 3 hours 7 min 13.37 s' AS at, timestamptz '1937-06-20 00:00Z' + i * interval '61.7 s' AS near FROM generate_series(0, 20000) AS i;
SELECT dp_register_dataset('cycles long ago', 'cycles.voyages', 1000, 1e-6), dp_register_column('cycles long ago', 'at', '1850-01-01T00:00Z', '1913-01-01T00:00Z'), dp_register_column('cycles long ago', 'near', '1937-06-20T00:00Z', '1937-07-10T00:00Z'), dp_grant_budget('regress_analyst', 'cycles long ago', 900, 1e-6);
CREATE FOREIGN TABLE cycles.logbook (at timestamptz, near timestamptz) SERVER dpem OPTIONS (dataset 'cycles long ago');
GRANT SELECT ON cycles.logbook, cycles.voyages TO regress_analyst;
SET ROLE regress_analyst;
SELECT z, set_config('timezone', z, false) = z AS set, g, cycles.same(format('SELECT %s AS g, count(*) AS n FROM @ GROUP BY 1 HAVING count(*) > 0', g), 'cycles.logbook', '(SELECT least(at, ''1913-01-01Z'') AS at, least(near, ''1937-07-10Z'') AS near FROM cycles.voyages) AS v')
  FROM unnest(ARRAY['UTC', 'Europe/Amsterdam', 'Asia/Manila', 'America/Juneau', 'Africa/Monrovia']) AS z, unnest(ARRAY['extract(dow FROM at)', 'extract(month FROM at)', 'extract(hour FROM near)', 'extract(minute FROM near)', $$extract(minute FROM near AT TIME ZONE 'Europe/Amsterdam')$$]) AS g;
SET timezone = 'UTC';
-- conditions, also on a row without values
SET ROLE regress_owner;
INSERT INTO cycles.trips (id) VALUES (40000);
SET ROLE regress_analyst;
SELECT c, cycles.same(format('SELECT count(*) FROM @ WHERE %s', c)) FROM unnest(ARRAY[
  $$extract(month FROM on_day) = 12$$, $$extract(month FROM began) IN (1, 2, 12)$$, $$NOT (extract(quarter FROM at) = 2)$$, $$extract(day FROM on_day) = 1 OR extract(day FROM on_day) = 15$$, $$date_part('month', at) BETWEEN 3 AND 5 AND paid$$, $$age % 10 = 3$$, $$age % 2 <> 0 AND fare < 10$$, $$to_char(on_day, 'MM') = '07'$$,
  $$extract(month FROM on_day) = 13$$, $$extract(month FROM on_day) < 13$$, $$seats % 2 = 0$$, $$extract(dow FROM on_day) = 3$$, $$CASE kind WHEN 'bus' THEN true ELSE false END$$, $$CASE age % 7 WHEN 2 THEN true ELSE false END$$, $$NOT (CASE age % 7 WHEN 2 THEN true ELSE false END)$$, $$coalesce(age, 2) % 3 = 2$$, $$NOT (coalesce(seats, 1) % 2 = 0)$$]) AS c;
SET ROLE regress_owner;
-- beyond the domain: its end; infinite: in no group
INSERT INTO cycles.trips (id, on_day, at) VALUES (40001, '1900-01-01', '2100-01-01Z'), (40002, 'infinity', '-infinity');
SET ROLE regress_analyst;
SELECT sum(n) - (SELECT count(*) FROM cycles.trips WHERE isfinite(on_day)) AS days, sum(n) FILTER (WHERE day = 6) - (SELECT count(*) FROM cycles.trips WHERE isfinite(on_day) AND extract(dow FROM greatest(on_day, '2022-01-01')) = 6) AS saturdays
  FROM (SELECT extract(dow FROM on_day) AS day, count(*) AS n FROM cycles.journeys GROUP BY 1) AS s;
SELECT sum(n) - (SELECT count(*) FROM cycles.trips WHERE isfinite(at)) AS hours FROM (SELECT extract(hour FROM at) AS hour, count(*) AS n FROM cycles.journeys GROUP BY 1) AS s;
SET ROLE regress_owner;
DELETE FROM cycles.trips WHERE id >= 40000;
SET ROLE regress_analyst;
-- all of it together
SELECT cycles.same($$SELECT extract(dow FROM on_day) AS day, paid, count(*) AS n, avg(fare)::numeric(9, 3) AS fare FROM @ WHERE age < 50 AND extract(month FROM on_day) <> 2 GROUP BY 1, 2 HAVING count(*) > 0$$) AS pairs,
  cycles.same($$SELECT extract(dow FROM on_day) AS day, extract(month FROM began) AS month, count(*) FILTER (WHERE extract(quarter FROM at) = 1) AS n FROM @ GROUP BY 1, 2 HAVING count(*) > 0$$) AS filter,
  cycles.same($$SELECT extract(dow FROM at) AS day, extract(hour FROM at) / 6 * 6 AS hour, grouping(extract(dow FROM at)) AS no_day, count(*) AS n FROM @ GROUP BY CUBE (extract(dow FROM at), extract(hour FROM at) / 6 * 6) HAVING count(*) > 0$$) AS cube,
  cycles.same($$SELECT extract(isodow FROM on_day) AS day, date_trunc('year', on_day) AS year, count(*) AS n FROM @ GROUP BY 1, 2 HAVING count(*) > 0$$) AS year;
SELECT array_agg(DISTINCT extract(dow FROM on_day)::int) AS days FROM (SELECT on_day FROM cycles.journeys GROUP BY on_day) AS s;
SELECT extract(dow FROM on_day) AS day FROM cycles.journeys GROUP BY 1 ORDER BY 1 DESC LIMIT 2;
-- with noise: the price of any other grouping, one charge; the question is the groups, however they are written
SET dpem.epsilon = 1;
SET dpem.fresh = off;
SELECT charges() AS before \gset
SELECT count(n) AS days FROM (SELECT extract(dow FROM on_day), count(*) AS n FROM cycles.journeys GROUP BY 1) AS s;
SELECT count(*) AS groups, min(noise_stddev) = max(noise_stddev) AS equal, min(noise_stddev) AS noise FROM dpem.last_answer \gset
SELECT count(n) AS days FROM (SELECT to_char(on_day, 'D'), count(*) AS n FROM cycles.journeys GROUP BY 1) AS s;
SELECT count(n) AS months FROM (SELECT date_trunc('month', on_day), count(*) AS n FROM cycles.journeys GROUP BY 1) AS s;
SELECT charges() - :before AS charges, :groups AS groups, :'equal' AS equal, near(min(noise_stddev), :noise) AS as_months FROM dpem.last_answer;
-- another time zone is another question, and the same one again is not
SELECT charges() AS before \gset
SELECT count(n) AS hours FROM (SELECT extract(hour FROM at), count(*) AS n FROM cycles.journeys GROUP BY 1) AS s;
SET timezone = 'Europe/Berlin';
SELECT count(n) AS hours FROM (SELECT extract(hour FROM at), count(*) AS n FROM cycles.journeys GROUP BY 1) AS s;
SET timezone = 'UTC';
SELECT count(n) AS hours FROM (SELECT date_part('hour', at), count(*) AS n FROM cycles.journeys GROUP BY 1) AS s;
SELECT charges() - :before AS charges;
RESET dpem.fresh;
SET plan_cache_mode = force_generic_plan;
SET dpem.epsilon = 'infinity';
PREPARE in_month(int) AS SELECT count(*) FROM cycles.journeys WHERE extract(month FROM on_day) = $1;
EXECUTE in_month(3);
SELECT count(*) FROM cycles.trips WHERE extract(month FROM on_day) = 3;
RESET plan_cache_mode;
-- refused, before anything is spent
SET dpem.epsilon = 1;
SELECT charges() AS before \gset
SELECT q, attempt(format('SELECT count(*) FROM cycles.journeys GROUP BY %s', q)) FROM unnest(ARRAY[$$extract(second FROM began)$$, $$extract(minute FROM began)$$, $$to_char(at, 'MI:SS')$$, $$at::time$$, $$age % 10 + seats$$, $$cycles.tells(on_day)$$, $$random() > age$$, $$nullif(age % 3, 0)$$, $$(age % 3)::cycles.checked$$,
  $$extract(dow FROM at AT TIME ZONE 'CET')$$, $$extract(hour FROM began AT TIME ZONE 'Europe/Berlin')$$, $$extract(dow FROM on_day + age)$$, $$on_day::text || age$$, $$fare::int % 2$$, $$(SELECT max(id) FROM cycles.trips) % age$$]) AS q;
SELECT q, attempt(format('SELECT count(*) FROM cycles.journeys WHERE %s', q)) FROM unnest(ARRAY[$$extract(dow FROM began) = 1$$, $$extract(hour FROM at) < 6$$, $$cycles.tells(on_day) = 1$$, $$age % seats = 0$$, $$cycles.weekend(on_day)$$, $$1 / (age % 2) = 1$$, $$(age % 3)::cycles.checked = 1$$]) AS q;
SELECT charges() - :before AS charges;
-- a domain without an end in sight is not looked through
SET ROLE regress_owner;
CREATE TABLE cycles.numbers AS SELECT i::bigint AS account FROM generate_series(1, 100) AS i;
SELECT dp_register_dataset('cycles of accounts', 'cycles.numbers', 10, 1e-3), dp_register_column('cycles of accounts', 'account', 0, 1e15), dp_grant_budget('regress_analyst', 'cycles of accounts', 10, 1e-3);
CREATE FOREIGN TABLE cycles.accounts (account bigint) SERVER dpem OPTIONS (dataset 'cycles of accounts');
GRANT SELECT ON cycles.accounts TO regress_analyst;
SET ROLE regress_analyst;
SELECT attempt(q) FROM unnest(ARRAY['SELECT count(*) FROM cycles.accounts GROUP BY account % 2 = 5', 'SELECT count(*) FROM cycles.accounts WHERE account % 2 = 5']) AS q;
RESET ROLE;
SET client_min_messages = warning;
SELECT dp_drop_dataset('cycles'), dp_drop_dataset('cycles long ago'), dp_drop_dataset('cycles of accounts');
DROP SCHEMA cycles CASCADE;
