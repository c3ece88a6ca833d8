-- Released statistics, kept (src/answers).

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

-- A row is an answer, its arrays its cells.  question says what was asked, in one way of writing it;
-- facts, by what bounds, categories and views: with the dataset they are what is compared.
CREATE SEQUENCE dpem_internal.answer_id_seq;
CREATE TABLE dpem_internal.answer (
    id bigint PRIMARY KEY DEFAULT nextval('dpem_internal.answer_id_seq'),
    dataset bigint NOT NULL,
    role bigint NOT NULL,
    incarnation bigint NOT NULL,
    charge bigint NOT NULL,
    function text NOT NULL,
    question text NOT NULL,
    facts text NOT NULL,
    epsilon float8 NOT NULL,
    delta float8 NOT NULL,
    answered_at timestamptz NOT NULL,
    statistic text[] NOT NULL,
    key text[] NOT NULL,
    value float8[] NOT NULL,
    noise_stddev float8[] NOT NULL,
    ci_lower float8[] NOT NULL,
    ci_upper float8[] NOT NULL,
    rank_error float8[] NOT NULL,
    adds boolean[] NOT NULL
);
CREATE INDEX answer_question_idx ON dpem_internal.answer (dataset, hashtextextended(question, 0), id);
CREATE INDEX answer_role_idx ON dpem_internal.answer (role);
CREATE INDEX answer_charge_idx ON dpem_internal.answer (charge);
COMMENT ON TABLE dpem_internal.answer IS 'internal: released statistics; read dpem.answers';
COMMENT ON COLUMN dpem_internal.answer.role IS 'that paid; others that were given it have a charge in the ledger that reads this one';
COMMENT ON COLUMN dpem_internal.answer.incarnation IS 'of the ledger when it was released: after a restore nothing older is given again';
COMMENT ON COLUMN dpem_internal.answer.adds IS 'whether the noise is Gaussian, unbiased, and of a deviation that does not depend on rows';
REVOKE ALL ON dpem_internal.answer, dpem_internal.answer_id_seq FROM PUBLIC;
SELECT pg_extension_config_dump('dpem_internal.answer', '');
SELECT pg_extension_config_dump('dpem_internal.answer_id_seq', '');

-- Filters hold words that an analyst typed: an answer is for the roles that it was given to, and
-- not for the dataset's owner, who sees its charge in dpem.ledger.
CREATE VIEW dpem.answers WITH (security_barrier) AS
WITH me AS (
    SELECT r.id FROM dpem_internal.role_number r WHERE pg_catalog.pg_has_role(r.role, 'USAGE')
), seen AS (
    SELECT a.* FROM dpem_internal.answer a WHERE a.role IN (SELECT me.id FROM me)
    UNION
    SELECT a.* FROM dpem_internal.charge c JOIN dpem_internal.answer a ON a.charge = c.reads WHERE c.role IN (SELECT me.id FROM me)
), cell AS (
    SELECT d.name AS dataset_name, s.dataset, s.question, s.facts, s.incarnation, s.charge, s.epsilon, s.delta, s.answered_at, u.*,
        first_value(u.value) OVER latest AS last_value, first_value(u.noise) OVER latest AS last_noise
    FROM seen s JOIN dpem_internal.dataset d ON d.id = s.dataset, LATERAL ROWS FROM (pg_catalog.unnest(s.statistic), pg_catalog.unnest(s.key),
        pg_catalog.unnest(s.value), pg_catalog.unnest(s.noise_stddev), pg_catalog.unnest(s.ci_lower), pg_catalog.unnest(s.ci_upper),
        pg_catalog.unnest(s.rank_error), pg_catalog.unnest(s.adds))
        WITH ORDINALITY AS u(statistic, key, value, noise, lower, upper, rank_error, adds, position)
    WINDOW latest AS (PARTITION BY s.dataset, s.question, s.facts, s.incarnation, u.adds, u.position ORDER BY s.id DESC)
), weighed AS (
    -- those that agree with the latest: src/core/statistics/combine.h
    SELECT c.*, sum((c.last_noise / c.noise) ^ 2) FILTER (WHERE g.agrees) OVER same AS weight,
        sum(c.value * (c.last_noise / c.noise) ^ 2) FILTER (WHERE g.agrees) OVER same AS weighted,
        CASE WHEN c.adds THEN count(*) FILTER (WHERE g.agrees) OVER same ELSE 1 END AS releases
    FROM cell c, LATERAL (SELECT c.adds AND abs(c.value - c.last_value) <= 5 * sqrt(c.noise ^ 2 + c.last_noise ^ 2) AS agrees) g
    WINDOW same AS (PARTITION BY c.dataset, c.question, c.facts, c.incarnation, c.adds, c.position)
)
SELECT c.dataset_name AS dataset, c.question, c.position::int AS position, c.statistic, c.key, nullif(c.value, 'NaN') AS value, nullif(c.noise, 'NaN') AS noise_stddev,
    nullif(c.lower, 'NaN') AS ci_lower, nullif(c.upper, 'NaN') AS ci_upper, nullif(c.rank_error, 'NaN') AS rank_error, c.epsilon, c.delta, c.charge, c.answered_at,
    clock_timestamp() - c.answered_at AS age, c.releases::int AS releases, coalesce(c.weighted / c.weight, nullif(c.value, 'NaN')) AS combined_value,
    coalesce(c.last_noise / sqrt(c.weight), nullif(c.noise, 'NaN')) AS combined_noise_stddev
FROM weighed c;
COMMENT ON VIEW dpem.answers IS
'released statistics that the current role paid for, or was given for its share, one row for each number; asking for them again costs nothing (docs/answers.md)';
COMMENT ON COLUMN dpem.answers.question IS 'what was asked, in one way of writing it';
COMMENT ON COLUMN dpem.answers.position IS 'of the number among those of its release';
COMMENT ON COLUMN dpem.answers.statistic IS 'what the number is';
COMMENT ON COLUMN dpem.answers.key IS 'group that it is of; NULL: of all rows that the question is about';
COMMENT ON COLUMN dpem.answers.value IS 'released number; NULL: hidden, as it stands for fewer persons than the minimum';
COMMENT ON COLUMN dpem.answers.ci_lower IS 'lower end of the 95 % interval for the number without noise; of dp_quantile: of the bin that was chosen';
COMMENT ON COLUMN dpem.answers.ci_upper IS 'upper end of the 95 % interval for the number without noise; of dp_quantile: of the bin that was chosen';
COMMENT ON COLUMN dpem.answers.answered_at IS 'when it was released';
COMMENT ON COLUMN dpem.answers.noise_stddev IS 'standard deviation of the noise in it; NULL: not known';
COMMENT ON COLUMN dpem.answers.rank_error IS 'of a quantile: rows by which its rank differs at most, in 95 of 100 releases';
COMMENT ON COLUMN dpem.answers.epsilon IS 'of the whole release at delta';
COMMENT ON COLUMN dpem.answers.charge IS 'that paid for it; that of another role if this one''s share was charged for reading it';
COMMENT ON COLUMN dpem.answers.age IS 'time since it was released; rows may have changed since';
COMMENT ON COLUMN dpem.answers.releases IS 'releases of this number with Gaussian noise, which combined_value is the average of: those no further from the latest than five standard deviations';
COMMENT ON COLUMN dpem.answers.combined_value IS 'average of these releases, weighted by the inverse variance of their noise';
COMMENT ON COLUMN dpem.answers.combined_noise_stddev IS 'standard deviation of the noise in combined_value';
GRANT SELECT ON dpem.answers TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
