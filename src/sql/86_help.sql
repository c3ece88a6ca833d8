-- What can I do here?

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

-- internal: one example of each function.  In it {dataset}, {number}, {label} and {model} stand for
-- names that the caller can see, or for made-up ones where there are none.
CREATE VIEW dpem.help_examples WITH (security_barrier) AS
SELECT row_number() OVER () AS position, e.topic, e.function, e.example FROM (VALUES
    ('own', 'dp_register_dataset', $$SELECT dp_register_dataset('patients', 'hospital.patients', epsilon => 5, delta => 1e-6, unit => 'person')$$),
    ('own', 'dp_register_column', $$SELECT dp_register_column({dataset}, 'age', 0, 120)$$),
    ('own', 'dp_register_text', $$SELECT dp_register_text({dataset}, 'notes', '{fever,cough,pain}')$$),
    ('own', 'dp_register_key', $$SELECT dp_register_key({dataset}, 'diagnosis')$$),
    ('own', 'dp_register_person_column', $$SELECT dp_register_person_column('patients', 'visits', 'count(hospital.visits)', 0, 20)$$),
    ('own', 'dp_unregister_column', $$SELECT dp_unregister_column({dataset}, {number})$$),
    ('own', 'dp_alter_dataset', $$SELECT dp_alter_dataset({dataset}, epsilon => 8)$$),
    ('own', 'dp_choose_max_rows', $$SELECT dp_choose_max_rows({dataset}, epsilon => 0.5, calls_epsilon => 1)$$),
    ('own', 'dp_drop_dataset', $$SELECT dp_drop_dataset({dataset})$$),
    ('own', 'dp_grant_budget', $$SELECT dp_grant_budget('analyst', {dataset}, epsilon => 1, delta => 1e-6)$$),
    ('own', 'dp_publish', $$SELECT dp_publish({dataset}, 'private')$$),
    ('own', 'dp_revoke_budget', $$SELECT dp_revoke_budget('analyst', {dataset})$$),
    ('own', 'dp_exposure', $$SELECT * FROM dp_exposure({dataset})$$),
    ('own', 'dp_check_ledger', $$SELECT * FROM dp_check_ledger({dataset})$$),
    ('own', 'dp_acknowledge_restore', $$SELECT dp_acknowledge_restore({dataset}, 'restored after the disk failed')$$),
    ('own', 'dp_selftest', $$SELECT * FROM dp_selftest('gmm%')$$),
    ('ask', 'dp_budget_remaining', $$SELECT dp_budget_remaining({dataset})$$),
    ('ask', 'dp_statistic_plan', $$SELECT * FROM dp_statistic_plan('avg', {dataset}, 0.1, column_name => {number})$$),
    ('ask', 'dp_count', $$SELECT * FROM dp_count({dataset}, 0.1, by => {label})$$),
    ('ask', 'dp_sum', $$SELECT * FROM dp_sum({dataset}, {number}, 0.1)$$),
    ('ask', 'dp_avg', $$SELECT * FROM dp_avg({dataset}, {number}, 0.1, by => {label})$$),
    ('ask', 'dp_variance', $$SELECT * FROM dp_variance({dataset}, {number}, 0.1)$$),
    ('ask', 'dp_stddev', $$SELECT * FROM dp_stddev({dataset}, {number}, 0.1)$$),
    ('ask', 'dp_covariance', $$SELECT * FROM dp_covariance({dataset}, {number}, {number}, 0.1)$$),
    ('ask', 'dp_histogram', $$SELECT * FROM dp_histogram({dataset}, {number}, 0.1, bins => 20)$$),
    ('ask', 'dp_top_k', $$SELECT * FROM dp_top_k({dataset}, {label}, 3, 0.1)$$),
    ('ask', 'dp_count_distinct', $$SELECT * FROM dp_count_distinct({dataset}, {label}, 0.1)$$),
    ('ask', 'dp_count_distinct_plan', $$SELECT * FROM dp_count_distinct_plan({dataset}, epsilon => 0.1)$$),
    ('ask', 'dp_bounds', $$SELECT * FROM dp_bounds({dataset}, {number}, 0.1)$$),
    ('ask', 'dp_bounds_plan', $$SELECT * FROM dp_bounds_plan({dataset}, {number}, 0.1)$$),
    ('ask', 'dp_quantile', $$SELECT * FROM dp_quantile({dataset}, {number}, 0.5, 0.1)$$),
    ('ask', 'dp_quantile_plan', $$SELECT * FROM dp_quantile_plan({dataset}, {number}, 0.5, 0.1)$$),
    ('ask', 'dp_robust', $$SELECT * FROM dp_robust({dataset}, {number}, 0.5)$$),
    ('ask', 'dp_robust_plan', $$SELECT * FROM dp_robust_plan({dataset}, {number}, 0.5)$$),
    ('ask', 'dp_describe', $$SELECT * FROM dp_describe({dataset}, 1.0)$$),
    ('ask', 'dp_describe_plan', $$SELECT * FROM dp_describe_plan({dataset}, 1.0)$$),
    ('ask', 'dp_statistics', $$SELECT * FROM dp_statistics({dataset}, 0.1, '{count}', by => {label})$$),
    ('ask', 'dp_statistics_plan', $$SELECT * FROM dp_statistics_plan({dataset}, 0.1, '{count}')$$),
    ('ask', 'dp_quantiles', $$SELECT * FROM dp_quantiles({dataset}, {number}, '{0.25,0.5,0.75}', 0.1)$$),
    ('ask', 'dp_quantiles_plan', $$SELECT * FROM dp_quantiles_plan({dataset}, {number}, '{0.5}', 0.1)$$),
    ('ask', 'dp_feature_ranking', $$SELECT * FROM dp_feature_ranking({dataset}, {label}, 0.5)$$),
    ('ask', 'dp_feature_ranking_plan', $$SELECT * FROM dp_feature_ranking_plan({dataset}, {label}, 0.5)$$),
    ('use', 'dp_evaluate', $$SELECT * FROM dp_evaluate({model}, {dataset}, 0.1)$$),
    ('use', 'dp_evaluate_plan', $$SELECT * FROM dp_evaluate_plan({model}, {dataset}, 0.1)$$),
    ('fit', 'dp_gmm_fit', $$SELECT * FROM dp_gmm_fit({dataset}, 3, 1.0, model => 'groups')$$),
    ('fit', 'dp_mixture_fit', $$SELECT * FROM dp_mixture_fit({dataset}, 3, 1.0, model => 'kinds')$$),
    ('fit', 'dp_kmeans_fit', $$SELECT * FROM dp_kmeans_fit({dataset}, 3, 1.0, model => 'clusters')$$),
    ('fit', 'dp_linreg_fit', $$SELECT * FROM dp_linreg_fit({dataset}, {number}, 1.0, model => 'line')$$),
    ('fit', 'dp_logit_fit', $$SELECT * FROM dp_logit_fit({dataset}, {label}, 1.0, model => 'classifier')$$),
    ('fit', 'dp_gam_fit', $$SELECT * FROM dp_gam_fit({dataset}, {label}, 1.0, model => 'shapes')$$),
    ('fit', 'dp_svm_fit', $$SELECT * FROM dp_svm_fit({dataset}, {label}, 1.0, model => 'margin')$$),
    ('fit', 'dp_bayes_fit', $$SELECT * FROM dp_bayes_fit({dataset}, {label}, 1.0, model => 'bayes')$$),
    ('fit', 'dp_synth_fit', $$SELECT * FROM dp_synth_fit({dataset}, 1.0, model => 'marginals')$$),
    ('fit', 'dp_fa_fit', $$SELECT * FROM dp_fa_fit({dataset}, 2, 1.0, model => 'factors')$$),
    ('fit', 'dp_pca_fit', $$SELECT * FROM dp_pca_fit({dataset}, 2, 1.0, model => 'components')$$),
    ('fit', 'dp_sbn_fit', $$SELECT * FROM dp_sbn_fit({dataset}, 4, 1.0, model => 'network')$$),
    ('fit', 'dp_lda_fit', $$SELECT * FROM dp_lda_fit({dataset}, 10, 1.0, model => 'topics')$$),
    ('use', 'dp_predict', $$SELECT dp_predict({model}, t) FROM my_table AS t$$),
    ('use', 'dp_predict_value', $$SELECT dp_predict_value({model}, '{"age": 50}')$$),
    ('use', 'dp_predict_interval', $$SELECT * FROM dp_predict_interval({model}, '{"age": 50}', coverage => 0.9)$$),
    ('use', 'dp_predict_label', $$SELECT dp_predict_label({model}, '{"age": 50}')$$),
    ('use', 'dp_posterior', $$SELECT dp_posterior({model}, '{"age": 50}')$$),
    ('use', 'dp_log_density', $$SELECT dp_log_density({model}, '{"age": 50}')$$),
    ('use', 'dp_squared_distance', $$SELECT dp_squared_distance({model}, '{"age": 50}')$$),
    ('use', 'dp_transform', $$SELECT dp_transform({model}, '{"age": 50}')$$),
    ('use', 'dp_lda_transform', $$SELECT dp_lda_transform({model}, ARRAY['fever', 'cough'])$$),
    ('use', 'dp_lda_perplexity', $$SELECT dp_lda_perplexity({model}, words) FROM my_documents$$),
    ('use', 'dp_sample', $$SELECT * FROM dp_sample({model}, 1000)$$),
    ('use', 'dp_sample_rows', $$SELECT * FROM dp_sample_rows({model}, 1000) AS t(age float8, sex text)$$),
    ('use', 'dp_evaluate_curve', $$SELECT * FROM dp_evaluate_curve({model})$$),
    ('use', 'dp_sample_sql', $$SELECT dp_sample_sql({model})$$),
    ('use', 'dp_tabulate', $$SELECT * FROM dp_tabulate({model}, ARRAY[{number}, {label}])$$),
    ('use', 'dp_association', $$SELECT * FROM dp_association({model})$$),
    ('use', 'dp_importance', $$SELECT * FROM dp_importance({model}, 'public_rows')$$),
    ('use', 'dp_grant_model', $$SELECT dp_grant_model({model}, 'colleague')$$),
    ('use', 'dp_revoke_model', $$SELECT dp_revoke_model({model}, 'colleague')$$),
    ('use', 'dp_grant_models', $$SELECT dp_grant_models({dataset}, 'colleague')$$),
    ('use', 'dp_revoke_models', $$SELECT dp_revoke_models({dataset}, 'colleague')$$),
    ('use', 'dp_model_json', $$SELECT dp_model_json({model})$$),
    ('use', 'dp_model_sql', $$SELECT dp_model_sql({model})$$),
    ('use', 'dp_model_pmml', $$SELECT dp_model_pmml({model})$$),
    ('use', 'dp_model_from_json', $$SELECT dp_model_from_json('{"dpem": "...", "family": "..."}', 'copy')$$),
    ('use', 'dp_refresh_model', $$SELECT dp_refresh_model({model})$$),
    ('use', 'dp_drop_model', $$SELECT dp_drop_model({model})$$),
    ('draw', 'dp_plot', $$SELECT dp_plot({model})$$),
    ('draw', 'dp_plot_loadings', $$SELECT dp_plot_loadings({model})$$),
    ('draw', 'dp_plot_coefficients', $$SELECT dp_plot_coefficients({model})$$),
    ('draw', 'dp_plot_topics', $$SELECT dp_plot_topics({model})$$),
    ('draw', 'dp_plot_evaluation', $$SELECT dp_plot_evaluation({model})$$),
    ('draw', 'dp_plot_budget', $$SELECT dp_plot_budget({dataset})$$),
    ('compute', 'dp_gaussian_noise_multiplier', 'SELECT dp_gaussian_noise_multiplier(1.0, 1e-6)'),
    ('compute', 'dp_joint_sensitivity', $$SELECT dp_joint_sensitivity(3, 1, 1, 1, 'replace_one')$$),
    ('compute', 'dp_gdp_epsilon', 'SELECT dp_gdp_epsilon(0.5, 1e-6)'),
    ('compute', 'dp_gdp_delta', 'SELECT dp_gdp_delta(0.5, 1.0)'),
    ('compute', 'dp_gdp_mu', 'SELECT dp_gdp_mu(1.0, 1e-6)'),
    ('compute', 'dp_zcdp_epsilon', 'SELECT dp_zcdp_epsilon(0.05, 1e-6)'),
    ('compute', 'dp_zcdp_delta', 'SELECT dp_zcdp_delta(0.05, 1.0)'),
    ('compute', 'dp_zcdp_rho', 'SELECT dp_zcdp_rho(1.0, 1e-6)'),
    ('compute', 'dp_rdp_epsilon', $$SELECT dp_rdp_epsilon('{2,4,8}', '{0.1,0.2,0.4}', 1e-6)$$),
    ('compute', 'dp_subsampled_gaussian_rdp', $$SELECT dp_subsampled_gaussian_rdp('poisson', 0.01, 1.0, 8)$$),
    ('compute', 'dp_em_step_epsilon', $$SELECT dp_em_step_epsilon('llg', 'ma', 0.1, 1e-6, 1e-8, 10, 3)$$),
    ('help', 'dp_help', $$SELECT * FROM dp_help('fit')$$)
    ) AS e(topic, function, example);
COMMENT ON VIEW dpem.help_examples IS 'one example of each function, which dp_help() shows';

-- internal: what the caller may do, in the order of a first day
CREATE VIEW dpem.help_steps WITH (security_barrier) AS
WITH budgets AS MATERIALIZED (
    SELECT b.dataset, b.role, b.remaining_epsilon, b.expires, b.restored_from FROM dpem.budgets b
), granted AS (
    SELECT b.dataset, max(b.remaining_epsilon) FILTER (WHERE pg_has_role(r.oid, 'USAGE') AND b.restored_from IS NULL
            AND (b.expires IS NULL OR b.expires > clock_timestamp())) AS remaining
    FROM budgets b LEFT JOIN pg_roles r ON r.rolname = b.role WHERE b.role IS NOT NULL GROUP BY b.dataset
), restored AS (
    SELECT b.dataset, b.restored_from, bool_or(b.role IS NULL) AS is_own FROM budgets b WHERE b.restored_from IS NOT NULL GROUP BY b.dataset, b.restored_from
), mine AS (
    SELECT d.dataset, EXISTS (SELECT FROM dpem.columns c WHERE c.dataset = d.dataset) AS has_columns, g.dataset IS NOT NULL AS is_granted, g.remaining
    FROM dpem.datasets d LEFT JOIN granted g ON g.dataset = d.dataset
), own AS (
    SELECT min(format('%I.%I', n.nspname, r.relname)) AS source, min(r.relname::text) AS name FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace
    WHERE r.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^pg_|^information_schema$|^dpem(_internal)?$' AND pg_has_role(r.relowner, 'USAGE')
)
SELECT 1 AS position, 'Register a table of yours with its budget; if a person may have several rows, name the column that tells persons apart as unit.' AS about,
    format('SELECT dp_register_dataset(%L, %L, epsilon => 5, delta => 1e-6)', o.name, o.source) AS example
FROM own o WHERE o.source IS NOT NULL AND NOT EXISTS (SELECT FROM mine)
UNION ALL
SELECT 1, CASE WHEN r.is_own THEN format('Say that the ledger of %s, which comes from %s, continues here: nothing can be spent before.', r.dataset, r.restored_from)
        ELSE format('Ask the owner of %s to acknowledge that its ledger comes from %s: nothing can be spent before.', r.dataset, r.restored_from) END,
    CASE WHEN r.is_own THEN format('SELECT dp_acknowledge_restore(%L, ''moved; the old server is switched off'')', r.dataset) END
FROM restored r
UNION ALL
SELECT 2, format('Give the columns of %s their public domains.', m.dataset),
    format('SELECT dp_register_column(%L, ''age'', 0, 120), dp_register_column(%L, ''sex'', ''{f,m}'')', m.dataset, m.dataset)
FROM mine m WHERE NOT m.has_columns
UNION ALL
SELECT 3, format('Grant a role a share of the budget of %s.', m.dataset),
    format('SELECT dp_grant_budget(''analyst'', %L, epsilon => 1, delta => 1e-6)', m.dataset)
FROM mine m WHERE m.has_columns AND NOT m.is_granted
UNION ALL
SELECT 4, format('Ask %s: epsilon %s is left. First see what it costs.', m.dataset, round(m.remaining::numeric, 3)),
    format('SELECT * FROM dp_statistic_plan(''count'', %L, 0.1)', m.dataset)
FROM mine m WHERE m.has_columns AND m.remaining > 0
UNION ALL
SELECT 5, format('Look at the model %s.', l.model), format('SELECT dp_plot(%L)', l.model)
FROM (SELECT o.model FROM dpem.models o ORDER BY o.created_at DESC LIMIT 1) l
UNION ALL
SELECT 6, 'Ask the owner of a dataset for a share of its budget, or for a model: there is nothing that you may ask yet.', NULL
FROM own o WHERE o.source IS NULL AND NOT EXISTS (SELECT FROM mine) AND NOT EXISTS (SELECT FROM dpem.models);
COMMENT ON VIEW dpem.help_steps IS 'what the current role may do next, which dp_help() shows';
COMMENT ON COLUMN dpem.help_examples.example IS 'a statement; names in braces are to be replaced';
COMMENT ON COLUMN dpem.help_steps.about IS 'what the step is';
COMMENT ON COLUMN dpem.help_steps.example IS 'a statement that takes it; NULL: there is none';
GRANT SELECT ON dpem.help_examples, dpem.help_steps TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;

CREATE FUNCTION dp_help(topic text DEFAULT NULL)
RETURNS TABLE (topic text, function text, about text, example text)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 80 SET search_path = pg_catalog, pg_temp
    -- compiling the views below would take a hundred times as long as running them
    SET jit = off
AS $help$
WITH names AS (
    SELECT coalesce(quote_literal((SELECT min(d.dataset) FROM dpem.datasets d)), $$'patients'$$) AS dataset,
        coalesce(quote_literal((SELECT min(c.column_name) FROM dpem.columns c WHERE c.kind = 'number'
            AND c.dataset = (SELECT min(d.dataset) FROM dpem.datasets d))), $$'age'$$) AS number,
        coalesce(quote_literal((SELECT min(c.column_name) FROM dpem.columns c WHERE c.kind = 'label'
            AND c.dataset = (SELECT min(d.dataset) FROM dpem.datasets d))), $$'sex'$$) AS label,
        coalesce(quote_literal((SELECT m.model FROM dpem.models m ORDER BY m.created_at DESC LIMIT 1)), $$'groups'$$) AS model
), roles AS (
    SELECT EXISTS (SELECT FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace
            WHERE r.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^pg_|^information_schema$|^dpem(_internal)?$'
                AND pg_has_role(r.relowner, 'USAGE')) AS owns,
        EXISTS (SELECT FROM dpem.datasets) AS asks, EXISTS (SELECT FROM dpem.models) AS has_models
)
(SELECT s.topic, s.function, s.about, s.example FROM (
    SELECT 0 AS part, p.position, 'next' AS topic, NULL AS function, p.about, p.example FROM dpem.help_steps p
    UNION ALL
    SELECT 1, e.position, e.topic, e.function, obj_description(f.oid, 'pg_proc'),
        replace(replace(replace(replace(e.example, '{dataset}', n.dataset), '{number}', n.number), '{label}', n.label), '{model}', n.model)
    FROM dpem.help_examples e CROSS JOIN names n CROSS JOIN roles r CROSS JOIN LATERAL (
        SELECT min(q.oid) AS oid FROM pg_proc q JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = q.oid AND d.deptype = 'e'
            JOIN pg_extension x ON x.oid = d.refobjid AND x.extname = 'dpem' WHERE q.proname = e.function) f
    WHERE CASE e.topic WHEN 'own' THEN r.owns WHEN 'ask' THEN r.asks WHEN 'fit' THEN r.asks
        WHEN 'use' THEN r.asks OR r.has_models WHEN 'draw' THEN r.asks OR r.has_models ELSE true END
) s
WHERE dp_help.topic IS NULL OR s.topic = dp_help.topic OR s.function = dp_help.topic
ORDER BY s.part, s.position)
UNION ALL
SELECT 'help', NULL, format('Nothing is called %s.  Topics are next, own, ask, fit, use, draw and compute; functions are found by their whole names.', dp_help.topic),
    'SELECT * FROM dp_help()'
WHERE dp_help.topic NOT IN ('next', 'own', 'ask', 'fit', 'use', 'draw', 'compute', 'help') AND NOT EXISTS (SELECT FROM dpem.help_examples e WHERE e.function = dp_help.topic)
$help$;
COMMENT ON FUNCTION dp_help(text) IS
'what the current role can do: first what could be next, then each function for it with an example, by topic (next, own, ask, fit, use, draw, compute); with an argument, one topic or one function';
