-- Several statistics for one charge.

CREATE FUNCTION dp_describe(dataset text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL, columns text[] DEFAULT NULL,
    by text DEFAULT NULL, filter text DEFAULT NULL, composition text DEFAULT NULL, fresh boolean DEFAULT NULL,
    minimum int DEFAULT NULL, clamp text DEFAULT NULL)
RETURNS TABLE (column_name text, statistic text, category text, value float8, noise_stddev float8, ci_lower float8,
    ci_upper float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 40 AS 'MODULE_PATHNAME', 'dp_describe';
COMMENT ON FUNCTION dp_describe(text, float8, float8, text[], text, text, text, boolean, int, text) IS
'what a dataset looks like, under differential privacy: number of rows; missing values, mean, standard deviation and quartiles of its numbers, with clamp => ''auto'' the first two of values clamped to where released margins say that rows are, counts of its labels'' categories, of the rows that match a filter; with by, for each category (key) of that label; one charge for all of them, with 95 % intervals for the noise but for quartiles, which are chosen by rank; charges the caller''s budget once';

CREATE FUNCTION dp_describe_plan(dataset text, epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL, columns text[] DEFAULT NULL,
    by text DEFAULT NULL, filter text DEFAULT NULL, composition text DEFAULT NULL, clamp text DEFAULT NULL)
RETURNS SETOF dpem.fit_plan
LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 2 AS 'MODULE_PATHNAME', 'dp_describe_plan';
COMMENT ON FUNCTION dp_describe_plan(text, float8, float8, text[], text, text, text, text) IS
'noise of dp_describe with the same arguments, and its cost under every composition; reads no data and spends nothing';

CREATE FUNCTION dp_statistics(dataset text, epsilon float8, statistics text[], delta float8 DEFAULT NULL,
    by text DEFAULT NULL, filter text DEFAULT NULL, composition text DEFAULT NULL, fresh boolean DEFAULT NULL,
    minimum int DEFAULT NULL)
RETURNS TABLE (column_name text, statistic text, category text, value float8, noise_stddev float8, ci_lower float8,
    ci_upper float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10 AS 'MODULE_PATHNAME', 'dp_statistics';
COMMENT ON FUNCTION dp_statistics(text, float8, text[], float8, text, text, text, boolean, int) IS
'several statistics under differential privacy, such as {count, avg(age), stddev(age), median(cost), quantile(cost, 0.9), iqr(cost), trimmed_mean(cost, 0.1), missing(cost), categories(region)}, of the rows that match a filter; with by, for each category (key) of that label; one release of all of them, with 95 % intervals for the noise; charges the caller''s budget once';

CREATE FUNCTION dp_statistics_plan(dataset text, epsilon float8, statistics text[], delta float8 DEFAULT NULL,
    by text DEFAULT NULL, filter text DEFAULT NULL, composition text DEFAULT NULL)
RETURNS SETOF dpem.fit_plan
LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 2 AS 'MODULE_PATHNAME', 'dp_statistics_plan';
COMMENT ON FUNCTION dp_statistics_plan(text, float8, text[], float8, text, text, text) IS
'noise of dp_statistics with the same arguments, and its cost under every composition; reads no data and spends nothing';

CREATE FUNCTION dp_quantiles(dataset text, column_name text, quantiles float8[], epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    by text DEFAULT NULL, filter text DEFAULT NULL, composition text DEFAULT NULL, fresh boolean DEFAULT NULL,
    minimum int DEFAULT NULL, mechanism text DEFAULT NULL)
RETURNS TABLE (column_name text, statistic text, category text, value float8, noise_stddev float8, ci_lower float8,
    ci_upper float8, key text)
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 3 AS 'MODULE_PATHNAME', 'dp_quantiles';
COMMENT ON FUNCTION dp_quantiles(text, text, float8[], float8, float8, text, text, text, boolean, int, text) IS
'several quantiles of a column''s values, clamped to its domain, under differential privacy, of the rows that match a filter; with by, for each category (key) of that label; found by the mechanism whose ranks miss by less: gaussian (counts of bins, with 95 % intervals) or exponential (choices, without); charges the caller''s budget once';

CREATE FUNCTION dp_quantiles_plan(dataset text, column_name text, quantiles float8[], epsilon float8 DEFAULT NULL, delta float8 DEFAULT NULL,
    by text DEFAULT NULL, filter text DEFAULT NULL, composition text DEFAULT NULL, mechanism text DEFAULT NULL)
RETURNS SETOF dpem.fit_plan
LANGUAGE c VOLATILE PARALLEL UNSAFE ROWS 2 AS 'MODULE_PATHNAME', 'dp_quantiles_plan';
COMMENT ON FUNCTION dp_quantiles_plan(text, text, float8[], float8, float8, text, text, text, text) IS
'noise of dp_quantiles with the same arguments, and its cost under every composition; reads no data and spends nothing';
