-- 20000 generated patients in three groups; the truth is known.
CREATE TABLE truth (
    true_group int,
    rows int,
    column_name text,
    mean float8,
    stddev float8
);
INSERT INTO truth VALUES
    (1, 10000, 'age', 30, 5), (1, 10000, 'systolic_bp', 114, 8), (1, 10000, 'bmi', 23, 2),
    (2, 6000, 'age', 52, 6), (2, 6000, 'systolic_bp', 148, 9), (2, 6000, 'bmi', 34, 3),
    (3, 4000, 'age', 77, 5), (3, 4000, 'systolic_bp', 131, 8), (3, 4000, 'bmi', 24, 2);

-- Box and Muller's normal variates from a fixed seed.
SET max_parallel_workers_per_gather = 0;
SELECT setseed(0.2017) \g /dev/null
CREATE FUNCTION pg_temp.gaussian(mean float8, stddev float8) RETURNS float8 VOLATILE
    LANGUAGE sql RETURN mean + stddev * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random());

CREATE TABLE patients AS
SELECT pg_temp.gaussian(age.mean, age.stddev) AS age,
    pg_temp.gaussian(bp.mean, bp.stddev) AS systolic_bp,
    pg_temp.gaussian(bmi.mean, bmi.stddev) AS bmi
FROM truth AS age
    JOIN truth AS bp ON bp.true_group = age.true_group AND bp.column_name = 'systolic_bp'
    JOIN truth AS bmi ON bmi.true_group = age.true_group AND bmi.column_name = 'bmi',
    generate_series(1, age.rows)
WHERE age.column_name = 'age';

ANALYZE patients;
GRANT SELECT ON truth TO PUBLIC;
