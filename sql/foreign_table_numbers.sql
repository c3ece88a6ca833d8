-- Private tables: aggregates of numbers that are made of a column, such as extract(epoch FROM time), total * 1.19 and
-- current_date - date, in their own types.
CREATE SCHEMA private AUTHORIZATION regress_owner;
CREATE FUNCTION near_rows(expression text, scale float8) RETURNS text LANGUAGE plpgsql AS $$
DECLARE of_private text; of_rows text; type_of_private text; type_of_rows text; apart float8;
BEGIN
    EXECUTE format('SELECT a, pg_typeof(a) FROM (SELECT %s AS a FROM private.parcels_made) AS s', expression) INTO of_private, type_of_private;
    EXECUTE format('SELECT a, pg_typeof(a) FROM (SELECT %s AS a FROM (SELECT * FROM parcels_made OFFSET 0) AS r) AS s', expression) INTO of_rows, type_of_rows;
    IF type_of_rows = 'interval' THEN
        apart := extract(epoch FROM of_private::interval) - extract(epoch FROM of_rows::interval);
    ELSIF type_of_rows ~ '^(date|timestamp)' THEN
        apart := extract(epoch FROM of_private::timestamptz) - extract(epoch FROM of_rows::timestamptz);
    ELSE
        apart := of_private::float8 - of_rows::float8;
    END IF;
    RETURN CASE WHEN type_of_private <> type_of_rows THEN type_of_private WHEN abs(apart) <= scale THEN 'near' ELSE of_private || ' | ' || of_rows END;
END$$;
SET ROLE regress_owner;
SET timezone = 'America/New_York';
SET datestyle = 'ISO, YMD';
GRANT USAGE ON SCHEMA private TO PUBLIC;
CREATE TABLE parcels_made AS SELECT date '2022-01-01' + i % 365 AS shipped, timestamp '2022-01-01' + i * interval '50 min' AS packed, timestamptz '2022-01-01 00:00Z' + i * interval '50 min' AS created,
  (i % 12)::int AS items, (10 + i % 90)::float8 AS total, i % 3 = 0 AS paid FROM generate_series(1, 10000) AS i;
ANALYZE parcels_made;
SET client_min_messages = warning;
SELECT dp_register_dataset('parcels_made', 'parcels_made', 1000, 1e-5), dp_register_column('parcels_made', 'shipped', '2022-01-01', '2022-12-31'), dp_register_column('parcels_made', 'packed', '2022-01-01', '2022-12-31'),
  dp_register_column('parcels_made', 'created', '2022-01-01', '2022-12-31'), dp_register_column('parcels_made', 'items', 0, 12), dp_register_column('parcels_made', 'total', 0, 100), dp_register_column('parcels_made', 'paid'),
  dp_grant_budget('regress_analyst', 'parcels_made', 900, 1e-5), dp_publish('parcels_made', 'private');
RESET client_min_messages;
GRANT SELECT ON private.parcels_made, parcels_made TO regress_analyst;
SET ROLE regress_analyst;
-- without noise, as the role may read the rows: what PostgreSQL itself says, in its type
SET dpem.epsilon = 'infinity';
SELECT e, near_rows(e, s) FROM (VALUES
  ('avg(extract(epoch FROM created))', 100), ('to_timestamp(avg(extract(epoch FROM created)))', 100), ('avg(date_part(''epoch'', packed))', 100), ('avg(extract(epoch FROM shipped))', 100), ('date ''1970-01-01'' + (avg(extract(epoch FROM shipped)) / 86400)::int', 86400),
  ('avg(extract(epoch FROM created) * 1000)', 1e5), ('avg(shipped - date ''2022-01-01'')', 0.01), ('avg(date ''2023-01-01'' - shipped)', 0.01), ('avg(created - timestamptz ''2021-06-01'')', 100), ('avg(timestamp ''2023-06-01 12:34'' - packed)', 100),
  ('avg(extract(epoch FROM timestamptz ''2023-06-01'' - created) / 86400)', 0.01), ('stddev(extract(epoch FROM packed))', 2000), ('variance(shipped - date ''2022-01-01'')', 10), ('avg(shipped::timestamp - timestamp ''2022-01-01'')', 100),
  ('sum(total * 1.19)', 100), ('sum(items * 2)', 10), ('avg(total / 100)', 0.001), ('avg((total - 32) * 5 / 9)', 0.01), ('avg(100 - total)', 0.01), ('stddev_pop(10 - 2 * total)', 0.1), ('var_pop(items * 3)', 0.1), ('covar_samp(total * 2, -1 * items)', 0.1), ('avg(items * 1.5 + 1)', 0.01),
  ('percentile_cont(0.25) WITHIN GROUP (ORDER BY 100 - total)', 0.2), ('percentile_cont(0.25) WITHIN GROUP (ORDER BY total * 2 DESC)', 0.4), ('percentile_disc(0.9) WITHIN GROUP (ORDER BY extract(epoch FROM created))', 40000), ('count(extract(epoch FROM created))', 0),
  ('sum(CASE WHEN paid THEN total * 2 ELSE 0 END)', 100), ('avg(total * 2) FILTER (WHERE NOT paid)', 0.01), ('sum(total + total)', 100)) AS v (e, s);
-- values that are known only when the query runs
PREPARE moved(float8, numeric) AS SELECT round(avg(total * $1 + 1)), round(sum(items * $2)) FROM private.parcels_made;
SET plan_cache_mode = force_generic_plan;
EXECUTE moved(2, 3);
SELECT round(avg(total * 2 + 1)), round(sum(items * 3.0)) FROM parcels_made;
RESET plan_cache_mode;
SELECT a.d - b.d BETWEEN -0.01 AND 0.01 AS days FROM (SELECT avg(current_date - shipped) AS d FROM private.parcels_made) AS a, (SELECT avg(current_date - shipped) AS d FROM parcels_made) AS b;
-- with noise: the interval moves and turns with the number
SET dpem.epsilon = 1;
SELECT count(a) AS one FROM (SELECT avg(100 - total) AS a FROM private.parcels_made) AS s;
SELECT aggregate, ci_lower < value AND value < ci_upper AS around, abs(value - 45.5) < 5 AS moved, noise_stddev > 0 AS noise FROM dpem.last_answer;
EXPLAIN (COSTS OFF) SELECT sum(items), sum(items * 2) FROM private.parcels_made;
SELECT charges() AS before \gset
SELECT q, attempt('SELECT ' || q || ' FROM private.parcels_made') FROM unnest(ARRAY['sum(total + 1)', 'sum(extract(epoch FROM created))', 'avg(total * items)', 'avg(total / items)', 'avg(items / 2)', 'avg(total * 0)', 'avg(extract(dow FROM created))', 'avg(created::timestamp - timestamp ''2022-01-01'')', 'avg(sqrt(total))', 'avg(created - packed)', 'sum(created - timestamptz ''2022-01-01'')',
  'avg(total * random())', 'avg(total / 0.0::float8)', 'avg(total * ''NaN'')', 'avg(total + ''NaN'')', 'avg(total * NULL::float8)', 'min(extract(epoch FROM created))', 'percentile_cont(0.5) WITHIN GROUP (ORDER BY total * total)', 'avg(age(created))']) AS q;
SELECT charges() - :before AS spent;
RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA private CASCADE;
DROP FUNCTION near_rows;
SELECT dp_drop_dataset('parcels_made');
DROP TABLE parcels_made;
