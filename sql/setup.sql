-- what every other test starts from: the extension, roles, one table and helpers
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_owner, regress_analyst, regress_member, regress_other, regress_reader, regress_gone;
RESET client_min_messages;

CREATE EXTENSION dpem;
-- of few rows much is noise; what is asked for twice is released twice, but where answers are what is tested
DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET dpem.noise_warnings = off', current_database()); END$$;
DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET dpem.fresh = on', current_database()); END$$;
CREATE ROLE regress_owner;
CREATE ROLE regress_analyst;
CREATE ROLE regress_member IN ROLE regress_analyst;
CREATE ROLE regress_other;
CREATE ROLE regress_reader;
GRANT CREATE ON SCHEMA public TO regress_owner;

-- runs a statement and tells how it ended
CREATE FUNCTION attempt(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN 'done';
EXCEPTION WHEN OTHERS THEN
    RETURN sqlstate || ': ' || sqlerrm;
END$$;

-- how many charges and models there are, whoever asks
CREATE FUNCTION charges() RETURNS bigint LANGUAGE sql SECURITY DEFINER
AS 'SELECT count(DISTINCT charge) FROM dpem_internal.charge';
CREATE FUNCTION models() RETURNS bigint LANGUAGE sql SECURITY DEFINER
AS 'SELECT count(*) FROM dpem_internal.model';

CREATE FUNCTION near(actual float8, expected float8, tolerance float8 DEFAULT 1e-9) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN abs(actual - expected) <= tolerance * greatest(abs(expected), 1);

-- greatest difference of two arrays, element by element
CREATE FUNCTION distance(a float8[], b float8[]) RETURNS float8 LANGUAGE sql IMMUTABLE
RETURN CASE WHEN cardinality(a) = cardinality(b)
    THEN (SELECT max(abs(x - y)) FROM ROWS FROM (unnest(a), unnest(b)) AS u (x, y)) ELSE 'Infinity' END;

-- what dp_model_sql and a function of dpem say of the rows of x1, which is a table of the session; the latter warns of each category that is none of the model's
CREATE FUNCTION exported(model text, output text, use text, OUT rows bigint, OUT nulls bigint, OUT same boolean) LANGUAGE plpgsql SET client_min_messages = warning AS $$
BEGIN
    EXECUTE format('SELECT count(*), count(*) - count(a), bool_and((a IS NULL) = (b IS NULL) AND coalesce(%s, true)) FROM (SELECT %s AS a, %s(%L, to_jsonb(t)) AS b FROM x1 AS t) AS r',
        CASE output WHEN 'posterior' THEN '(a IS NULL OR distance(a, b) < 1e-9)' WHEN 'value' THEN 'near(a, b, 1e-9)' ELSE 'a = b' END, dp_model_sql(model, output), use, model) INTO rows, nulls, same;
END$$;

-- every number of a fit, given as a call of dp_gmm_fit
CREATE FUNCTION fit_numbers(call text) RETURNS float8[] LANGUAGE plpgsql AS $$
DECLARE
    numbers float8[];
BEGIN
    EXECUTE 'SELECT array_agg(n ORDER BY component, part, i) FROM ' || call || ' AS fit, LATERAL (
        SELECT 1 AS part, 1 AS i, weight AS n
        UNION ALL SELECT 2, o, v FROM unnest(mean) WITH ORDINALITY AS u (v, o)
        UNION ALL SELECT 3, o, v FROM unnest(covariance) WITH ORDINALITY AS u (v, o)) AS n' INTO numbers;
    RETURN numbers;
END$$;

-- Three Gaussians of standard deviation 0.8, more than ten of them apart, from
-- a two-dimensional Weyl sequence; every person has three rows.
SET ROLE regress_owner;
CREATE TABLE clusters (id int, person int, component int, x float8, y float8);
CREATE TABLE truth (component int, weight float8, mean float8[]);
INSERT INTO truth VALUES (1, 11 / 30.0, '{-5,-4}'), (2, 10 / 30.0, '{0,5}'), (3, 9 / 30.0, '{5,-3}');
GRANT SELECT ON truth TO PUBLIC;
INSERT INTO clusters
SELECT i, (i + 2) / 3, component,
    mean[1] + 0.8 * sqrt(-2 * ln(u)) * cos(2 * pi() * v),
    mean[2] + 0.8 * sqrt(-2 * ln(u)) * sin(2 * pi() * v)
  FROM (SELECT i, CASE WHEN i % 30 < 11 THEN 1 WHEN i % 30 < 21 THEN 2 ELSE 3 END AS component,
               (0.5 + i * 0.7548776662466927) % 1 AS u, (0.5 + i * 0.5698402909980532) % 1 AS v
          FROM generate_series(1, 6000) AS i) AS s
       JOIN truth USING (component);
ANALYZE clusters;

SELECT count(*) AS rows, count(DISTINCT person) AS persons,
       bool_and(x BETWEEN -10 AND 10 AND y BETWEEN -10 AND 10) AS inside_domain
  FROM clusters;
SELECT component, count(*), near(avg(x), min(mean[1]), 0.05) AND near(avg(y), min(mean[2]), 0.05) AS mean,
       near(stddev(x), 0.8, 0.05) AND near(stddev(y), 0.8, 0.05) AS stddev
  FROM clusters JOIN truth USING (component) GROUP BY component ORDER BY component;

-- a budget that no test exhausts by accident
SELECT dp_register_dataset('clusters', 'clusters', 1000, 1e-4);
SELECT dp_register_column('clusters', 'x', -10, 10);
SELECT dp_register_column('clusters', 'y', -10, 10);
SELECT dp_register_column('clusters', 'component', '{1,2,3}');
SELECT dp_grant_budget('regress_analyst', 'clusters', 900, 1e-4);
RESET ROLE;

-- DROP EXTENSION says what it forgets, before there is a charge
BEGIN;
DROP EXTENSION dpem;
ROLLBACK;
SELECT dataset, source, epsilon, delta FROM dpem.datasets;
