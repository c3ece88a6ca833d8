-- Pictures of released models, for roles that may read them.

CREATE FUNCTION dp_plot(model text, x text DEFAULT NULL, y text DEFAULT NULL)
RETURNS text LANGUAGE c STABLE PARALLEL RESTRICTED COST 10000 AS 'MODULE_PATHNAME', 'dp_plot';
COMMENT ON FUNCTION dp_plot(text, text, text) IS
'picture of a released model as SVG, in the plane of columns x and y (by default the first two) in their own units, or with x alone of that column: ellipses of one and two standard deviations, cluster centers, factors or principal directions; of an additive model all shape functions, with x that of a column and with y that of a pair; of a model that learnt online its coefficients batch by batch, with x those of a column; of other models, without x, what dp_plot_coefficients, dp_plot_loadings or dp_plot_topics draws; free of charge';

CREATE FUNCTION dp_plot_loadings(model text)
RETURNS text LANGUAGE c STABLE PARALLEL RESTRICTED COST 10000 AS 'MODULE_PATHNAME', 'dp_plot_loadings';
COMMENT ON FUNCTION dp_plot_loadings(text) IS
'heat map of a factor model, of principal components or of a sigmoid belief network as SVG: how strongly each column (the 60 strongest) goes with each of the first 12 factors, components or hidden units; free of charge';

CREATE FUNCTION dp_plot_coefficients(model text)
RETURNS text LANGUAGE c STABLE PARALLEL RESTRICTED COST 10000 AS 'MODULE_PATHNAME', 'dp_plot_coefficients';
COMMENT ON FUNCTION dp_plot_coefficients(text) IS
'coefficients of a logistic or linear regression or a support vector machine, or contributions to an additive model (the 60 largest) as SVG, with 95 % intervals that allow for the privacy noise, drawn from the lower to the upper bound of each column and written per unit; free of charge';

CREATE FUNCTION dp_plot_topics(model text)
RETURNS text LANGUAGE c STABLE PARALLEL RESTRICTED COST 10000 AS 'MODULE_PATHNAME', 'dp_plot_topics';
COMMENT ON FUNCTION dp_plot_topics(text) IS
'the eight most probable terms of each topic (of the 24 largest) as SVG, with bars for their probabilities and the topic''s part of all words; free of charge';

CREATE FUNCTION dp_plot_budget(dataset text)
RETURNS text LANGUAGE c STABLE PARALLEL RESTRICTED COST 10000 AS 'MODULE_PATHNAME', 'dp_plot_budget';
COMMENT ON FUNCTION dp_plot_budget(text) IS
'what was spent of a dataset''s budget over time as SVG, role by role, as far as the caller sees the ledger: its own charges, or, for the owner of the source, all';
