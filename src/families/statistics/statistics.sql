-- Statistics of one or two columns.

CREATE FUNCTION dp_count(dataset text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL, filter text DEFAULT NULL,
    by text DEFAULT NULL, column_name text DEFAULT NULL, composition text DEFAULT NULL, mechanism text DEFAULT NULL,
    fresh boolean DEFAULT NULL, minimum int DEFAULT NULL)
RETURNS TABLE (value float8, noise_stddev float8, ci_lower float8, ci_upper float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1 AS 'MODULE_PATHNAME', 'dp_count';
COMMENT ON FUNCTION dp_count(text, float8, float8, text, text, text, text, text, boolean, int) IS
'number of rows (by a private key: of persons) that match a filter and where column_name, if given, is not null, under differential privacy; one row for each category of the label by, or each value of a private key that enough persons have; a 95 % interval for the noise; charges the caller''s budget';

CREATE FUNCTION dp_sum(dataset text, column_name text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL, composition text DEFAULT NULL, mechanism text DEFAULT NULL,
    clamp text DEFAULT NULL, fresh boolean DEFAULT NULL, minimum int DEFAULT NULL)
RETURNS TABLE (value float8, noise_stddev float8, ci_lower float8, ci_upper float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1 AS 'MODULE_PATHNAME', 'dp_sum';
COMMENT ON FUNCTION dp_sum(text, text, float8, float8, text, text, text, text, text, boolean, int) IS
'sum of a column''s values, clamped to its domain (clamp => ''auto'': to quantiles of the rows'' own that are released first, for a part of the same charge), under differential privacy, of the rows that match a filter; one row for each category of the label by, or each value of a private key that enough persons have; a 95 % interval for the noise; charges the caller''s budget';

CREATE FUNCTION dp_avg(dataset text, column_name text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL, composition text DEFAULT NULL, mechanism text DEFAULT NULL,
    clamp text DEFAULT NULL, fresh boolean DEFAULT NULL, minimum int DEFAULT NULL)
RETURNS TABLE (value float8, noise_stddev float8, ci_lower float8, ci_upper float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1 AS 'MODULE_PATHNAME', 'dp_avg';
COMMENT ON FUNCTION dp_avg(text, text, float8, float8, text, text, text, text, text, boolean, int) IS
'average of a column''s values, clamped to its domain (clamp => ''auto'': to quantiles of the rows'' own that are released first, for a part of the same charge), under differential privacy, of the rows that match a filter; one row for each category of the label by, or each value of a private key that enough persons have; a 95 % interval for the noise; charges the caller''s budget';

CREATE FUNCTION dp_variance(dataset text, column_name text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL, composition text DEFAULT NULL, mechanism text DEFAULT NULL,
    clamp text DEFAULT NULL, fresh boolean DEFAULT NULL, minimum int DEFAULT NULL)
RETURNS TABLE (value float8, noise_stddev float8, ci_lower float8, ci_upper float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1 AS 'MODULE_PATHNAME', 'dp_variance';
COMMENT ON FUNCTION dp_variance(text, text, float8, float8, text, text, text, text, text, boolean, int) IS
'sample variance of a column''s values, clamped to its domain (clamp => ''auto'': to quantiles of the rows'' own that are released first, for a part of the same charge), under differential privacy, of the rows that match a filter; one row for each category of the label by, or each value of a private key that enough persons have; a 95 % interval for the noise; charges the caller''s budget';

CREATE FUNCTION dp_stddev(dataset text, column_name text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL, composition text DEFAULT NULL, mechanism text DEFAULT NULL,
    clamp text DEFAULT NULL, fresh boolean DEFAULT NULL, minimum int DEFAULT NULL)
RETURNS TABLE (value float8, noise_stddev float8, ci_lower float8, ci_upper float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1 AS 'MODULE_PATHNAME', 'dp_stddev';
COMMENT ON FUNCTION dp_stddev(text, text, float8, float8, text, text, text, text, text, boolean, int) IS
'sample standard deviation of a column''s values, clamped to its domain (clamp => ''auto'': to quantiles of the rows'' own that are released first, for a part of the same charge), under differential privacy, of the rows that match a filter; one row for each category of the label by, or each value of a private key that enough persons have; a 95 % interval for the noise; charges the caller''s budget';

CREATE FUNCTION dp_covariance(dataset text, column_name text, other_column text, epsilon float8 DEFAULT NULL,
    delta float8 DEFAULT NULL, filter text DEFAULT NULL, by text DEFAULT NULL, composition text DEFAULT NULL,
    fresh boolean DEFAULT NULL, minimum int DEFAULT NULL)
RETURNS TABLE (value float8, noise_stddev float8, ci_lower float8, ci_upper float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1 AS 'MODULE_PATHNAME', 'dp_covariance';
COMMENT ON FUNCTION dp_covariance(text, text, text, float8, float8, text, text, text, boolean, int) IS
'sample covariance of two columns'' values, clamped to their domains, under differential privacy, of the rows that match a filter; one row for each category of the label by, or each value of a private key that enough persons have; a 95 % interval for the noise; charges the caller''s budget';

CREATE FUNCTION dp_histogram(dataset text, column_name text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    bins int DEFAULT 20, filter text DEFAULT NULL, edges float8[] DEFAULT NULL, composition text DEFAULT NULL,
    mechanism text DEFAULT NULL, fresh boolean DEFAULT NULL, minimum int DEFAULT NULL)
RETURNS TABLE (bin int, lower float8, upper float8, category text,
    value float8, noise_stddev float8, ci_lower float8, ci_upper float8)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20 AS 'MODULE_PATHNAME', 'dp_histogram';
COMMENT ON FUNCTION dp_histogram(text, text, float8, float8, int, text, float8[], text, text, boolean, int) IS
'numbers of rows in public bins of a number (equal parts of its domain, on its scale, or between edges; values are clamped to the domain first) or in the categories of a label, under differential privacy, each with a 95 % interval for the noise; charges the caller''s budget once';

CREATE FUNCTION dp_top_k(dataset text, column_name text, k int, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    filter text DEFAULT NULL, composition text DEFAULT NULL, mechanism text DEFAULT NULL, fresh boolean DEFAULT NULL,
    minimum int DEFAULT NULL)
RETURNS TABLE (rank int, category text, value float8, noise_stddev float8, ci_lower float8, ci_upper float8)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10 AS 'MODULE_PATHNAME', 'dp_top_k';
COMMENT ON FUNCTION dp_top_k(text, text, int, float8, float8, text, text, text, boolean, int) IS
'the k categories of a label with most rows, or values of a private key with most persons (of those that enough persons have), under differential privacy, of the rows that match a filter, with their noisy numbers; the k largest of one release of all numbers, whose cost does not depend on k; 95 % intervals are for the noise before the choice; charges the caller''s budget once';

CREATE FUNCTION dp_statistic_plan(statistic text, dataset text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    column_name text DEFAULT NULL, filter text DEFAULT NULL, by text DEFAULT NULL, other_column text DEFAULT NULL,
    composition text DEFAULT NULL, mechanism text DEFAULT NULL, bins int DEFAULT 20, edges float8[] DEFAULT NULL,
    clamp text DEFAULT NULL, within float8 DEFAULT NULL, rows float8 DEFAULT NULL)
RETURNS SETOF dpem.fit_plan
LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 4 AS 'MODULE_PATHNAME', 'dp_statistic_plan';
COMMENT ON FUNCTION dp_statistic_plan(text, text, float8, float8, text, text, text, text, text, text, int, float8[], text, float8, float8) IS
'noise of dp_count, dp_sum, dp_avg, dp_variance, dp_stddev, dp_covariance, dp_histogram or dp_top_k (statistic is the name without dp_) with the same arguments, and its cost under every composition; within in place of epsilon: of the least epsilon, to within 1 %, whose 95 % interval is planned to be at most that wide either side, which stands in the row epsilon; rows is an estimate of the rows of a group where their number is not public; reads no data and spends nothing';

CREATE FUNCTION dp_quantile(dataset text, column_name text, quantile float8, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    bins int DEFAULT NULL, filter text DEFAULT NULL, composition text DEFAULT NULL, fresh boolean DEFAULT NULL)
RETURNS TABLE (value float8, lower float8, upper float8, rank_error float8)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1 AS 'MODULE_PATHNAME', 'dp_quantile';
COMMENT ON FUNCTION dp_quantile(text, text, float8, float8, float8, int, text, text, boolean) IS
'quantile (0.5 is the median) of a column''s values, clamped to its domain, under differential privacy, of the rows that match a filter: the exponential mechanism chooses one of 4096 bins of the domain, narrow near zero, or of so many equal ones on its scale; returns its middle and its ends. In 95 of 100 calls the rank of the bin differs from quantile times the number of rows by at most rank_error rows; charges the caller''s budget';

CREATE FUNCTION dp_quantile_plan(dataset text, column_name text, quantile float8, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    bins int DEFAULT NULL, filter text DEFAULT NULL, composition text DEFAULT NULL, within float8 DEFAULT NULL)
RETURNS SETOF dpem.fit_plan
LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 3 AS 'MODULE_PATHNAME', 'dp_quantile_plan';
COMMENT ON FUNCTION dp_quantile_plan(text, text, float8, float8, float8, int, text, text, float8) IS
'cost of dp_quantile with the same arguments under every composition, its sensitivity (how many rows a unit can move the rank of one bin relative to another''s), and, as noise_stddev of a separate row, its rank error in rows; within in place of epsilon: for the least epsilon, to within 1 %, whose rank error is at most that many rows; reads no data and spends nothing';

CREATE FUNCTION dp_count_distinct(dataset text, column_name text DEFAULT NULL, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL, composition text DEFAULT NULL, mechanism text DEFAULT NULL,
    fresh boolean DEFAULT NULL, minimum int DEFAULT NULL)
RETURNS TABLE (value float8, noise_stddev float8, ci_lower float8, ci_upper float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1 AS 'MODULE_PATHNAME', 'dp_count_distinct';
COMMENT ON FUNCTION dp_count_distinct(text, text, float8, float8, text, text, text, text, boolean, int) IS
'number of different persons (column_name NULL, or the dataset''s unit), or of different values of a number, label or private key, under differential privacy, among the rows that match a filter; one row for each category of the label by; a 95 % interval for the noise; charges the caller''s budget';

CREATE FUNCTION dp_count_distinct_plan(dataset text, column_name text DEFAULT NULL, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    filter text DEFAULT NULL, by text DEFAULT NULL, composition text DEFAULT NULL, mechanism text DEFAULT NULL, within float8 DEFAULT NULL)
RETURNS SETOF dpem.fit_plan
LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 2 AS 'MODULE_PATHNAME', 'dp_count_distinct_plan';
COMMENT ON FUNCTION dp_count_distinct_plan(text, text, float8, float8, text, text, text, text, float8) IS
'noise of dp_count_distinct with the same arguments, how far one person moves its numbers, and its cost under every composition; within in place of epsilon: for the least epsilon, to within 1 %, whose 95 % interval is at most that wide either side; reads no data and spends nothing';

CREATE FUNCTION dp_bounds(dataset text, column_name text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    filter text DEFAULT NULL, composition text DEFAULT NULL, mechanism text DEFAULT NULL, fresh boolean DEFAULT NULL)
RETURNS TABLE (lower float8, upper float8, outside float8, ci_lower float8, ci_upper float8)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1 AS 'MODULE_PATHNAME', 'dp_bounds';
COMMENT ON FUNCTION dp_bounds(text, text, float8, float8, text, text, text, boolean) IS
'where a column''s values are, under differential privacy, of the rows that match a filter: powers of two (or ends of its domain, which may be as wide as numbers are) between which rows are seen above the noise of one histogram, and which share of the rows is outside, with its 95 % interval; charges the caller''s budget';

CREATE FUNCTION dp_bounds_plan(dataset text, column_name text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    filter text DEFAULT NULL, composition text DEFAULT NULL, mechanism text DEFAULT NULL)
RETURNS SETOF dpem.fit_plan
LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 3 AS 'MODULE_PATHNAME', 'dp_bounds_plan';
COMMENT ON FUNCTION dp_bounds_plan(text, text, float8, float8, text, text, text) IS
'cost and noise of dp_bounds with the same arguments, and, as noise_stddev of a row of its own, how many rows a bin must have to be seen; reads no data and spends nothing';
