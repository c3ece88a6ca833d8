-- k-means: fitting, for roles with a budget; views and use, for roles that may read a model.

-- Centers in the columns' own units.
CREATE TABLE dpem_internal.kmeans_parameter (
    model bigint NOT NULL,
    component int NOT NULL,
    weight float8 NOT NULL,
    weight_noise float8 NOT NULL,
    center float8[] NOT NULL,
    center_noise float8[] NOT NULL,
    PRIMARY KEY (model, component)
);
COMMENT ON TABLE dpem_internal.kmeans_parameter IS 'internal: k-means centers; read dpem.kmeans_clusters, kmeans_centers';
REVOKE ALL ON dpem_internal.kmeans_parameter FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.kmeans_parameter', '');

CREATE FUNCTION dp_kmeans_fit(dataset text, k int, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, iterations int DEFAULT NULL, algorithm text DEFAULT 'auto',
    composition text DEFAULT NULL, init_means float8[] DEFAULT NULL, clip_norm float8 DEFAULT NULL,
    model text DEFAULT NULL, postprocess text DEFAULT 'none', noise text DEFAULT NULL,
    postprocess_steps int DEFAULT 30000,
    cells int DEFAULT NULL, threshold float8 DEFAULT NULL, adaptive boolean DEFAULT false,
    sampling_rate float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL)
RETURNS TABLE (model text, component int, weight float8, mean float8[], key text,
    noise_stddev float8, mean_noise_stddev float8[])
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 5 AS 'MODULE_PATHNAME', 'dp_kmeans_fit';
SELECT dpem_internal.complete_fit('kmeans',
    'finds cluster centers under differential privacy, charges the caller''s budget, stores the model and returns its centers in the columns'' units; with by, a model of the rows of each category (key) of that label, for one charge', 3);
SELECT dpem_internal.complete_choice('kmeans', 'k');

CREATE FUNCTION dp_squared_distance(model text, x float8[])
RETURNS float8 LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 1000 AS 'MODULE_PATHNAME', 'dp_squared_distance';
COMMENT ON FUNCTION dp_squared_distance(text, float8[]) IS
'squared distance of a point to the nearest center, every column scaled to [-1, 1] by its domain, on its scale; the mean over rows that the caller may read is their NICV; free of charge';
SELECT dpem_internal.complete_use('dp_squared_distance');

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE VIEW dpem.kmeans_clusters WITH (security_barrier) AS
SELECT m.name AS model, p.component, NULLIF(p.weight, 'NaN') AS weight, NULLIF(p.weight_noise, 'NaN') AS noise_stddev,
    NULLIF(p.weight, 'NaN') - 1.959963984540054 * NULLIF(p.weight_noise, 'NaN') AS ci_lower, NULLIF(p.weight, 'NaN') + 1.959963984540054 * NULLIF(p.weight_noise, 'NaN') AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.kmeans_parameter p ON p.model = m.id;
COMMENT ON VIEW dpem.kmeans_clusters IS 'clusters: share of the rows around the released center and the standard deviation of the noise in it';

CREATE VIEW dpem.kmeans_centers WITH (security_barrier) AS
SELECT m.name AS model, p.component, m.columns[j] AS column_name, p.center[j] AS center,
    NULLIF(p.center_noise[j], 'NaN') AS noise_stddev,
    p.center[j] - 1.959963984540054 * NULLIF(p.center_noise[j], 'NaN') AS ci_lower, p.center[j] + 1.959963984540054 * NULLIF(p.center_noise[j], 'NaN') AS ci_upper
FROM dpem_internal.readable_model m JOIN dpem_internal.kmeans_parameter p ON p.model = m.id,
    LATERAL dpem_internal.places(1, m.d) AS j;
COMMENT ON VIEW dpem.kmeans_centers IS
'cluster centers, one column per row, in the column''s own units';
COMMENT ON COLUMN dpem.kmeans_centers.noise_stddev IS
'standard deviation of the privacy noise in the center, plus the size of a cell if the center was found from cells only; NULL: nothing was estimated from rows';

GRANT SELECT ON dpem.kmeans_clusters, dpem.kmeans_centers TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
