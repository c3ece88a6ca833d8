-- Pictures of released models, for roles that may read them.

CREATE FUNCTION dp_plot(model text, x text DEFAULT NULL, y text DEFAULT NULL)
RETURNS text LANGUAGE c STABLE PARALLEL RESTRICTED COST 10000
AS 'MODULE_PATHNAME', 'dp_plot';
COMMENT ON FUNCTION dp_plot(text, text, text) IS
'picture of a released model as SVG, in the plane of columns x and y (by default the first two) in their own units, or with x alone of that column: ellipses of one and two standard deviations, cluster centers, factors or principal directions; free of charge';
