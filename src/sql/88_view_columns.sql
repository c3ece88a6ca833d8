-- What the columns of the views are, for \d+ and for the tools that show it beside their fields.
-- A column that its view says more of has its comment there; a view of NULL: wherever there is none.

-- As in 10_catalog.sql: only pg_catalog's names and operators are looked at.
SET LOCAL search_path = pg_catalog, pg_temp;

DO $$
DECLARE
    c record;
BEGIN
    FOR c IN SELECT DISTINCT ON (v.relname, a.attnum) v.relname, a.attname, d.comment
        FROM pg_class v JOIN pg_attribute a ON a.attrelid = v.oid AND a.attnum > 0
            JOIN (VALUES
    ('models', 'covariance', 'shape of the covariances of a mixture: full, diagonal or spherical'),
    ('models', 'iterations', 'passes over the rows'),
    ('models', 'columns', 'names of the columns in order; dpem.model_columns has one per row'),
    ('models', 'by', 'label by whose categories the rows were divided; NULL: one model of all rows'),
    ('models', 'components', 'components, clusters, factors or topics'),
    ('models', 'dimensions', 'number of columns'),
    ('fa_models', 'iterations', 'EM steps on the released moments'),
    ('pca_means', 'unit', 'how much of the column''s own unit is 1 in the coordinates of the components: half the width of its domain'),
    ('pca_directions', 'loading', 'what one standard deviation along the component adds to the column, in the column''s own unit'),
    ('gmm_means', 'stddev', 'standard deviation of the component in this column, in its own unit'),
    ('logit_coefficients', 'mean', 'posterior mean of the coefficient: change of the log-odds per unit of the column'),
    ('logit_coefficients', 'stddev', 'posterior standard deviation of the coefficient, which includes the privacy noise'),
    ('logit_covariances', 'covariance', 'posterior covariance of two coefficients'),
    ('lda_topic_weights', 'alpha', 'prior of the topic in a document'),
    ('sbn_hidden', 'bias', 'log-odds that the hidden unit is 1'),
    ('sbn_hidden', 'prior', 'probability that the hidden unit is 1'),
    ('sbn_visible', 'bias', 'log-odds that the column is 1 where all hidden units are 0'),
    ('sbn_weights', 'weight', 'what the hidden unit adds to the log-odds of the column where it is 1'),
    ('budgets', 'epsilon', 'size of the budget'),
    ('budget_changes', 'changed_by', 'role that made the change'),
    ('stat_progress', 'started_at', 'when the call began'),
    (NULL, 'accountant', 'how costs are added up: gdp, rdp, zcdp, ma, advanced or linear'),
    (NULL, 'acknowledged_at', 'when the owner acknowledged the restore'),
    (NULL, 'acknowledged_by', 'who acknowledged the restore'),
    (NULL, 'adjacency', 'what one person may change: replace_one (the number of persons is public) or add_remove'),
    (NULL, 'category', 'a category of the label, or a term of the vocabulary'),
    ('models', 'key', 'category of the label "by" whose rows alone the model is of; NULL: of all rows'),
    (NULL, 'center', 'coordinate of the cluster center, in the column''s own unit'),
    (NULL, 'changed_at', 'when the change was made'),
    (NULL, 'charge', 'number of the call in the ledger'),
    (NULL, 'charged_at', 'when the charge was made'),
    (NULL, 'charges', 'number of calls that were charged'),
    (NULL, 'class', 'number of the class, as dp_predict gives it'),
    (NULL, 'column_name', 'name of the column; of an array, name and position of the element'),
    (NULL, 'component', 'number of the component or cluster, from 1'),
    (NULL, 'composition', 'how the noise of several releases was calibrated together'),
    (NULL, 'correlation', 'correlation of two columns within the component, between -1 and 1'),
    (NULL, 'covariance', 'covariance of two columns within the component, in the product of their units'),
    (NULL, 'created_at', 'when the model was released'),
    (NULL, 'dataset', 'name of the private dataset'),
    (NULL, 'delta', 'slack of epsilon: bound on the probability that the guarantee fails'),
    (NULL, 'direction', 'entry of the unit vector, for columns scaled to [-1, 1] by their domains'),
    (NULL, 'dimensions', 'number of columns'),
    (NULL, 'epsilon', 'privacy loss at delta'),
    (NULL, 'estimator', 'map (with priors) or mle'),
    (NULL, 'expires', 'time from which the share cannot be spent; NULL: it does not expire'),
    (NULL, 'factor', 'number of the factor, from 1'),
    (NULL, 'factors', 'number of factors'),
    (NULL, 'family', 'kind of model, as in the names of functions: gmm for dp_gmm_fit'),
    (NULL, 'from_data_directory', 'mark of the data directory that the ledger came from'),
    (NULL, 'from_database', 'OID of the database that the ledger came from'),
    (NULL, 'from_system_identifier', 'server that the ledger came from'),
    (NULL, 'from_timeline', 'timeline that the ledger came from'),
    (NULL, 'function', 'function that was called'),
    (NULL, 'hidden', 'number of the hidden unit, from 1'),
    (NULL, 'iterations', 'passes over the rows'),
    (NULL, 'kind', 'number, array (of numbers), label or text'),
    (NULL, 'label', 'column of the classes'),
    (NULL, 'length', 'number of elements of an array'),
    (NULL, 'loading', 'what one standard deviation of the factor adds to the column, in the column''s own unit'),
    (NULL, 'log_likelihood', 'log-likelihood per row of the released moments, in the columns'' own units'),
    (NULL, 'lower', 'public lower bound; smaller values count as this one'),
    (NULL, 'max_rows_per_unit', 'how many rows of a person count'),
    (NULL, 'mean', 'mean, in the column''s own unit'),
    (NULL, 'mean_noise_stddev', 'standard deviation of the privacy noise in the mean, in the column''s own unit'),
    (NULL, 'mechanism', 'how the noise is drawn or the released value is chosen'),
    (NULL, 'model', 'name of the model'),
    (NULL, 'noise_stddev', 'standard deviation of the privacy noise in the value; 95 % of the noise is within 1.96 standard deviations; NULL: not known'),
    (NULL, 'noise_variance', 'variance of the column that no factor explains, in its own unit squared'),
    (NULL, 'other_column', 'name of the second column of the pair'),
    (NULL, 'maker', 'role that made the model'),
    (NULL, 'position', 'place in the order, from 1'),
    (NULL, 'precondition', 'private preprocessing before the fit: whiten, radius or none'),
    (NULL, 'rank', 'place in the order of weights, from 1'),
    (NULL, 'reason', 'reason that the owner gave'),
    (NULL, 'refresh', 'period after which the share is renewed; NULL: never'),
    (NULL, 'registered_at', 'when the dataset was registered'),
    (NULL, 'releases', 'how many times the mechanism was used'),
    (NULL, 'rho', 'zCDP cost of this line'),
    (NULL, 'role', 'role that the row is about'),
    (NULL, 'rows_per_unit', 'how many rows of a person counted'),
    (NULL, 'sampling_rate', 'fraction of the persons that each release read; 1: all'),
    (NULL, 'source', 'table or view that the rows are in'),
    (NULL, 'spent_epsilon', 'what was spent, at the budget''s delta'),
    (NULL, 'remaining_epsilon', 'what is left, at the budget''s delta'),
    (NULL, 'started_at', 'when it began'),
    (NULL, 'statistic', 'what was released'),
    (NULL, 'stddev', 'standard deviation, in the column''s own unit'),
    (NULL, 'term', 'term of the vocabulary'),
    (NULL, 'to_data_directory', 'mark of the data directory that the ledger is in'),
    (NULL, 'to_database', 'OID of the database that the ledger is in'),
    (NULL, 'to_system_identifier', 'server that the ledger is on'),
    (NULL, 'to_timeline', 'timeline that the ledger is on'),
    (NULL, 'topic', 'number of the topic, from 1'),
    (NULL, 'total_noise_stddev', 'standard deviation of the privacy noise in the total variance'),
    (NULL, 'total_variance', 'total variance of all columns, scaled to [-1, 1] by their domains'),
    (NULL, 'unit', 'column that identifies persons; NULL: one row is one person'),
    (NULL, 'upper', 'public upper bound; larger values count as this one'),
    (NULL, 'variance', 'variance along the component, for columns scaled to [-1, 1] by their domains'),
    (NULL, 'weight', 'share, between 0 and 1')
            ) AS d(view, name, comment) ON d.name = a.attname::text AND coalesce(d.view = v.relname::text, true)
        WHERE v.relnamespace = 'dpem'::regnamespace AND v.relkind = 'v'::"char"
            AND col_description(v.oid, a.attnum) IS NULL
        ORDER BY v.relname, a.attnum, d.view NULLS LAST
    LOOP
        EXECUTE format('COMMENT ON COLUMN dpem.%I.%I IS %L', c.relname, c.attname, c.comment);
    END LOOP;
END$$;

SET LOCAL search_path = @extschema@, pg_temp;
