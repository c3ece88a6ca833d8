-- Medians and interquartile ranges by mechanisms whose noise depends on the table.

CREATE FUNCTION dp_robust(dataset text, column_name text, epsilon float8, delta float8 DEFAULT NULL,
    statistic text DEFAULT 'median', mechanism text DEFAULT 'smooth_sensitivity', filter text DEFAULT NULL,
    bins int DEFAULT 65536, proposal float8 DEFAULT NULL, composition text DEFAULT NULL, fresh boolean DEFAULT NULL)
RETURNS TABLE (value float8, noise_stddev float8, ci_lower float8, ci_upper float8, refused boolean)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1 AS 'MODULE_PATHNAME', 'dp_robust';
COMMENT ON FUNCTION dp_robust(text, text, float8, float8, text, text, text, int, float8, text, boolean) IS
'median or iqr of a column''s values in equal bins of its domain, of the rows that match a filter, under differential privacy by mechanism smooth_sensitivity (Nissim, Raskhodnikova, Smith 2007; how much noise there is remains private), propose_test_release (Dwork, Lei 2009: a proposal for how far one unit moves the value is tested, and noise is for the proposal; a 95 % interval for it; refused, with a NULL value, where the test fails) or blocks (Smith 2011: the winsorised mean of those of random blocks of rows, with a 95 % interval for its noise); baselines for dp_quantile and dp_quantiles; charges the caller''s budget, also where it refuses';

CREATE FUNCTION dp_robust_plan(dataset text, column_name text, epsilon float8, delta float8 DEFAULT NULL,
    statistic text DEFAULT 'median', mechanism text DEFAULT 'smooth_sensitivity', filter text DEFAULT NULL,
    bins int DEFAULT 65536, proposal float8 DEFAULT NULL, composition text DEFAULT NULL)
RETURNS SETOF dpem.fit_plan
LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 4 AS 'MODULE_PATHNAME', 'dp_robust_plan';
COMMENT ON FUNCTION dp_robust_plan(text, text, float8, float8, text, text, text, int, float8, text) IS
'noise of dp_robust with the same arguments as far as it is public, the threshold of its test, and its cost under every composition; reads no data and spends nothing';
