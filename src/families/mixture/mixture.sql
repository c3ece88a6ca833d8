-- Mixtures of numbers and categories.

-- In the columns' own units; of a category its probability. law: 0 normal, 1 Poisson, 2 category.
CREATE TABLE dpem_internal.mixture_parameter (
    model bigint NOT NULL,
    component int NOT NULL,
    weight float8 NOT NULL,
    weight_noise float8 NOT NULL,
    mean float8[] NOT NULL,
    variance float8[] NOT NULL,
    mean_noise float8[] NOT NULL,
    law float8[] NOT NULL,
    atom_share float8[] NOT NULL,
    atom_lower float8[] NOT NULL,
    atom_upper float8[] NOT NULL,
    rest_scale float8[] NOT NULL,
    PRIMARY KEY (model, component)
);
COMMENT ON TABLE dpem_internal.mixture_parameter IS 'internal: mixtures of numbers and categories; read dpem.mixture_components, mixture_parameters';
REVOKE ALL ON dpem_internal.mixture_parameter FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.mixture_parameter', '');

CREATE FUNCTION dp_mixture_fit(dataset text, k int, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, poisson text[] DEFAULT NULL, iterations int DEFAULT NULL,
    composition text DEFAULT NULL, model text DEFAULT NULL, sampling_rate float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL)
RETURNS TABLE (model text, component int, weight float8, column_name text, category text, mean float8, stddev float8,
    noise_stddev float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 50 AS 'MODULE_PATHNAME', 'dp_mixture_fit';
SELECT dpem_internal.complete_fit('mixture',
    'finds groups of rows in numbers, counts and categories together under differential privacy, charges the caller''s budget, stores the model and returns each component''s mean and standard deviation of every number and share of every category; values may be missing; with by, a model of the rows of each category (key) of that label, for one charge', 4);
SELECT dpem_internal.complete_choice('mixture', 'k');

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE VIEW dpem.mixture_components WITH (security_barrier) AS
SELECT m.name AS model, p.component, p.weight, p.weight_noise AS noise_stddev,
    p.weight - 1.959963984540054 * p.weight_noise AS ci_lower, p.weight + 1.959963984540054 * p.weight_noise AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.mixture_parameter p ON p.model = m.id;
COMMENT ON VIEW dpem.mixture_components IS 'components of mixtures of numbers and categories: share of the rows and the standard deviation of the noise in it';

CREATE VIEW dpem.mixture_parameters WITH (security_barrier) AS
SELECT m.name AS model, p.component, coalesce(m.column_of[j], m.columns[j]) AS column_name, m.category_of[j] AS category,
    CASE p.law[j] WHEN 0 THEN 'normal' WHEN 1 THEN 'poisson' ELSE 'category' END AS law, p.mean[j] AS mean,
    CASE WHEN p.law[j] < 2 THEN pg_catalog.sqrt(p.variance[j]) END AS stddev, p.mean_noise[j] AS noise_stddev,
    p.mean[j] - 1.959963984540054 * p.mean_noise[j] AS ci_lower, p.mean[j] + 1.959963984540054 * p.mean_noise[j] AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.mixture_parameter p ON p.model = m.id,
    LATERAL dpem_internal.places(1, m.d) AS j;
COMMENT ON VIEW dpem.mixture_parameters IS
'mixtures of numbers and categories: in each component the mean and standard deviation of a number, in its own units, or the share of a category, one per row; noise_stddev is that of the privacy noise in the mean or share, given which rows the component has';

GRANT SELECT ON dpem.mixture_components, dpem.mixture_parameters TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
