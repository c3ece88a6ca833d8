-- Which columns say most of a label.

CREATE FUNCTION dp_feature_ranking(dataset text, label text, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, composition text DEFAULT NULL, filter text DEFAULT NULL, by text DEFAULT NULL,
    fresh boolean DEFAULT NULL)
RETURNS TABLE (rank int, column_name text, information float8, noise_stddev float8, ci_lower float8, ci_upper float8,
    rank_best int, rank_worst int, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10 AS 'MODULE_PATHNAME', 'dp_feature_ranking';
COMMENT ON FUNCTION dp_feature_ranking(text, text, float8, float8, text[], text, text, text, boolean) IS
'columns (or all numbers and labels) by how much they say of a label, under differential privacy: their mutual information in nats, from one release of counts by class and cell, each with a 95 % interval for the noise, and the ranks between which all of them are in 95 of 100 calls; with by, for each category (key) of that label; charges the caller''s budget once';

CREATE FUNCTION dp_feature_ranking_plan(dataset text, label text, epsilon float8, delta float8 DEFAULT NULL,
    columns text[] DEFAULT NULL, composition text DEFAULT NULL, filter text DEFAULT NULL, by text DEFAULT NULL)
RETURNS SETOF dpem.fit_plan
LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 2 AS 'MODULE_PATHNAME', 'dp_feature_ranking_plan';
COMMENT ON FUNCTION dp_feature_ranking_plan(text, text, float8, float8, text[], text, text, text) IS
'noise of dp_feature_ranking with the same arguments, and its cost under every composition; reads no data and spends nothing';
