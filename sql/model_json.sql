-- a model as JSON, and back
\pset null -
SET ROLE regress_owner;
CREATE TABLE json_rows AS SELECT (i % 17)::float8 AS x, (i * 7 % 23)::float8 AS y, CASE WHEN i % 17 > 8 THEN 'yes' ELSE 'no' END AS label,
       ARRAY(SELECT (ARRAY['red','green','blue'])[1 + (i + j) % 3] FROM generate_series(1, 6) AS j) AS words FROM generate_series(1, 2000) AS i;
ANALYZE json_rows;
SELECT dp_register_dataset('json_rows', 'json_rows', 1000, 1e-4);
SELECT dp_register_column('json_rows', 'x', 0, 16), dp_register_column('json_rows', 'y', 1, 23, scale => 'log'), dp_register_column('json_rows', 'label', '{no,yes}'),
       dp_register_text('json_rows', 'words', '{red,green,blue}');
SELECT dp_grant_budget('regress_analyst', 'json_rows', 900, 1e-4);
SET ROLE regress_analyst;
SET client_min_messages = warning;	-- what noise makes of components
SELECT count(*) > 0 AS fitted FROM (SELECT model FROM dp_gmm_fit('json_rows', 2, 5, model => 'json_gmm') UNION ALL SELECT model FROM dp_kmeans_fit('json_rows', 2, 5, model => 'json_kmeans')
    UNION ALL SELECT model FROM dp_logit_fit('json_rows', 'label', 5, model => 'json_logit') UNION ALL SELECT model FROM dp_linreg_fit('json_rows', 'x', 5, model => 'json_linreg')
    UNION ALL SELECT model FROM dp_fa_fit('json_rows', 1, 5, model => 'json_fa') UNION ALL SELECT model FROM dp_pca_fit('json_rows', 1, 5, model => 'json_pca')
    UNION ALL SELECT model FROM dp_sbn_fit('json_rows', 1, 5, model => 'json_sbn') UNION ALL SELECT model FROM dp_mixture_fit('json_rows', 2, 5, columns => '{x,y,label}', model => 'json_mixture')
    UNION ALL SELECT model FROM dp_lda_fit('json_rows', 2, 5, document_column => 'words', model => 'json_lda') UNION ALL SELECT model FROM dp_gmm_fit('json_rows', 1, 5, by => 'label', model => 'json_by')) AS f;
RESET client_min_messages;
CREATE TEMP TABLE json_models AS SELECT model, family, dp_model_json(model) AS document FROM dpem.models WHERE model ~ '^json_';
GRANT SELECT ON json_models TO PUBLIC;
-- nothing of this database's own
SELECT DISTINCT k FROM json_models, LATERAL jsonb_object_keys(document) AS k ORDER BY k;
SELECT k FROM json_models, LATERAL jsonb_object_keys(document -> 'model') AS k WHERE k IN ('id', 'charge', 'maker', 'source', 'name') ;
SELECT dp_model_from_json(document, 'json_mine') FROM json_models WHERE model = 'json_gmm';
RESET ROLE;
SELECT dp_model_json('json_none');

-- every family comes back to the last bit
SELECT model, dp_model_from_json(document, 'copy of ' || model) FROM json_models ORDER BY model;
SELECT model, dp_model_json('copy of ' || model) = document AS same FROM json_models ORDER BY model;
SELECT model, family, charge, maker = current_user AS mine FROM dpem.models WHERE model ~ '^copy of' ORDER BY model;
SELECT bool_and(dp_predict('json_' || f, ARRAY[3,4]) = dp_predict('copy of json_' || f, ARRAY[3,4])) AS predicts FROM unnest('{gmm,kmeans}'::text[]) AS f;
SELECT dp_log_density('json_mixture', '{"x": 3, "y": 4, "label": "yes"}') = dp_log_density('copy of json_mixture', '{"x": 3, "y": 4, "label": "yes"}') AS density,
       dp_predict_value('json_linreg', '{"y": 4, "label": "yes"}') = dp_predict_value('copy of json_linreg', '{"y": 4, "label": "yes"}') AS value,
       dp_posterior('json_logit', '{"x": 3, "y": 4}') = dp_posterior('copy of json_logit', '{"x": 3, "y": 4}') AS posterior,
       dp_transform('json_fa', '{3,4}') = dp_transform('copy of json_fa', '{3,4}') AS transform;
-- and can be granted, to everybody, too
SELECT dp_grant_model('copy of json_gmm', 'regress_other'), dp_grant_model('copy of json_fa', 'public');
SET ROLE regress_other;
SELECT model FROM dpem.models WHERE model ~ '^copy of' ORDER BY model;
SELECT dp_transform('copy of json_fa', '{3,4}') IS NOT NULL AS read, attempt($$SELECT dp_revoke_model('copy of json_fa', 'public')$$), attempt($$SELECT dp_transform('copy of json_pca', '{3,4}')$$);
RESET ROLE;
SELECT dp_revoke_model('copy of json_fa', 'public');
SELECT attempt(s) FROM unnest(ARRAY[$$SELECT dp_revoke_model('copy of json_fa', 'public')$$, $$SELECT dp_grant_model('copy of json_fa', 'nobody here')$$, $$SELECT dp_grant_model('copy of json_fa', NULL)$$]) AS s;
SET ROLE regress_other;
SELECT model FROM dpem.models WHERE model ~ '^copy of' ORDER BY model;
RESET ROLE;

-- what is no model is refused, and leaves nothing
CREATE TEMP TABLE wrong (n int, document jsonb);
INSERT INTO wrong SELECT v.n, v.document FROM json_models AS m, LATERAL (VALUES
    (0, document), (1, '[]'::jsonb), (2, '{}'), (3, '{"family": 3}'), (4, '{"family": "nonsense"}'), (5, '{"family": "gmm"}'),
    (6, document - 'tables'), (7, document - 'model'), (8, jsonb_set(document, '{model,d}', '3')), (9, jsonb_set(document, '{model,k}', '3')),
    (10, jsonb_set(document, '{model,k}', '-1')), (11, jsonb_set(document, '{model,lower,0}', '99')), (12, jsonb_set(document, '{model,lower,0}', '"NaN"')),
    (13, jsonb_set(document, '{model,scale,0}', '"log"')), (14, jsonb_set(document, '{model,scale,0}', '"sqrt"')), (15, jsonb_set(document, '{tables,gmm_parameter}', '[]')),
    (16, jsonb_set(document, '{tables,gmm_parameter,0,mean}', '[1]')), (17, jsonb_set(document, '{tables,gmm_parameter,0,mean,0}', '"NaN"')),
    (18, jsonb_set(document, '{tables,gmm_parameter,0,weight}', '"much"')), (19, jsonb_set(document, '{model,columns}', 'null')), (20, jsonb_set(document, '{model,k}', '2000000000')),
    (21, jsonb_set(document, '{family}', '"kmeans"')), (22, NULL), (23, jsonb_set(document, '{model,columns}', '"[0:1]={x,y}"')), (26, jsonb_set(document, '{model,columns}', '"{{x},{y}}"')),
    (24, jsonb_set(document, '{model,columns}', '["x", "x"]')), (25, jsonb_set(jsonb_set(document, '{model,columns}', '["label=no", "label=no"]'), '{model,column_of}', '["label", "label"]'))) AS v(n, document) WHERE m.model = 'json_gmm';
SELECT n, attempt(format('SELECT dp_model_from_json(%L, %L)', document, 'wrong ' || n)) FROM wrong ORDER BY n;
SELECT count(*) FROM dpem.models WHERE model ~ '^wrong [1-9]';
SELECT count(*) FROM dpem_internal.gmm_parameter AS p WHERE NOT EXISTS (SELECT FROM dpem_internal.model AS m WHERE m.id = p.model);
SELECT dp_model_from_json(document, 'json_gmm') FROM json_models WHERE model = 'json_gmm';
SELECT dp_model_from_json(document - 'tables', 'wrong') FROM json_models WHERE model = 'json_gmm';
-- nor is a name that is too long for an index, nor what a transaction may not do
SELECT attempt(format('SELECT dp_model_from_json(%L, %L)', document, (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 100) i))) FROM json_models WHERE model = 'json_gmm';
BEGIN READ ONLY;
SELECT attempt(format('SELECT dp_model_from_json(%L, %L)', document, 'json_read_only')) FROM json_models WHERE model = 'json_gmm';
COMMIT;
-- a classifier without the class that is drawn; a column of which one coordinate is no category
SET ROLE regress_analyst;
SELECT count(*) > 0 AS fitted FROM dp_logit_fit('json_rows', 'label', 5, algorithm => 'output', model => 'json_parts');
CREATE TEMP TABLE json_parts AS SELECT m AS model, dp_model_json(m) AS document FROM unnest('{json_parts,json_mixture}'::text[]) AS m;
GRANT SELECT ON json_parts TO PUBLIC;
RESET ROLE;
SELECT attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(document, '{tables,class_parameter,1,class}', '15'), 'wrong class')) FROM json_parts WHERE model = 'json_parts';
SELECT attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(document, ARRAY['model', 'category_of', (d - 1)::text], 'null'), 'wrong parts')) FROM json_parts, LATERAL (SELECT document #>> '{model,d}') AS m(n), LATERAL (SELECT n::int) AS i(d) WHERE model = 'json_mixture';
-- rows of cells, and tables of categories: no number of them is believed, as it says where others are
SET ROLE regress_analyst;
SELECT count(*) > 0 AS fitted FROM (SELECT model FROM dp_gam_fit('json_rows', 'label', 5, bins => 4, pairs => '1', model => 'json_gam') UNION ALL SELECT model FROM dp_synth_fit('json_rows', 5, columns => '{x,label}', bins => 4, rounds => 1, model => 'json_synth')) AS f;
CREATE TEMP TABLE json_cells AS SELECT m AS model, dp_model_json(m) AS document FROM unnest('{json_gam,json_synth,json_linreg}'::text[]) AS m;
GRANT SELECT ON json_cells TO PUBLIC;
RESET ROLE;
SELECT v.path, v.value, attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(c.document, v.path, v.value), 'wrong cells')) AS attempt
  FROM (VALUES (1, 'json_gam', '{tables,gam_cell,0,place}'::text[], '1'::jsonb), (2, 'json_gam', '{tables,gam_cell,1,place}', '2147483648'), (3, 'json_gam', '{tables,gam_cell,1,place}', '-5'),
    (4, 'json_gam', '{tables,gam_cell,2,place}', '0'), (5, 'json_gam', '{tables,gam_cell,1,bin}', '0.5'), (6, 'json_synth', '{tables,synth_model,0,groups,3}', '1e9'), (7, 'json_synth', '{tables,synth_model,0,groups,5}', '-1'),
    (8, 'json_synth', '{tables,synth_model,0,shape,0}', '9'), (9, 'json_synth', '{tables,synth_model,0,shape,1}', '1e9'), (10, 'json_synth', '{tables,synth_model,0,shape,3}', '501'), (11, 'json_synth', '{tables,synth_model,0,shape,2}', '0'),
    (12, 'json_synth', '{tables,synth_model,0,label}', '2147483648'), (13, 'json_synth', '{tables,synth_model,0,total}', '0'), (14, 'json_synth', '{tables,synth_model,0,association}', '[1]'),
    (15, 'json_synth', '{tables,synth_marginal,0,members,0}', '70'), (16, 'json_synth', '{tables,synth_marginal,0,members}', '[]'), (17, 'json_synth', '{tables,synth_marginal,0,level}', '5'), (18, 'json_synth', '{tables,synth_marginal,0,level}', '0.5'),
    (19, 'json_synth', '{tables,synth_marginal,0,theta}', '[0]'), (20, 'json_synth', '{tables,synth_marginal,0,value}', '[0]'), (21, 'json_synth', '{model,category_of}', 'null'), (22, 'json_gam', '{tables,gam_cell,1,other_place}', '1'), (23, 'json_gam', '{tables,gam_cell,12,other_bin}', '77'), (24, 'json_gam', '{tables,gam_cell,12,bin}', '-2'),
    (25, 'json_gam', '{tables,gam_parameter,0,residual_variance}', '1'), (26, 'json_gam', '{tables,gam_parameter,0,target_upper}', '1'), (27, 'json_linreg', '{tables,linreg_parameter,0,target_upper}', '-1e9'),
    (28, 'json_linreg', '{tables,linreg_parameter,0,target_upper}', '"Infinity"'), (29, 'json_linreg', '{tables,linreg_parameter,0,scale}', '"none"'), (30, 'json_linreg', '{tables,linreg_parameter,0,target_lower}', 'null'),
    (31, 'json_gam', '{tables,gam_cell,1,upper}', 'null'), (32, 'json_gam', '{tables,gam_cell,1,upper}', '1e9'), (33, 'json_gam', '{tables,gam_cell,2,upper}', '"-Infinity"')) AS v (n, model, path, value) JOIN json_cells c USING (model) ORDER BY n;
SELECT count(*) AS wrong FROM dpem.models WHERE model ~ '^wrong cells';
SELECT dp_model_from_json(document, 'copy of ' || model) FROM json_cells WHERE model <> 'json_linreg' ORDER BY model;
SELECT dp_posterior('json_gam', '{"x": 3, "y": 4}') = dp_posterior('copy of json_gam', '{"x": 3, "y": 4}') AS posterior, dp_log_density('json_synth', '{"x": 3, "label": "yes"}') = dp_log_density('copy of json_synth', '{"x": 3, "label": "yes"}') AS density;
-- classes without probabilities, numbers that are none in other words, no components, no columns: none of it is taken for what memory happens to hold
SET ROLE regress_analyst;
SELECT count(*) > 0 AS fitted FROM dp_bayes_fit('json_rows', 'label', 5, columns => '{x,y}', model => 'json_bayes');
CREATE TEMP TABLE json_none AS SELECT m AS model, dp_model_json(m) AS document FROM unnest('{json_bayes,json_gmm,json_mixture,json_kmeans}'::text[]) AS m;
GRANT SELECT ON json_none TO PUBLIC;
RESET ROLE;
SELECT attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(jsonb_set(document, '{tables,bayes_class,0,probability}', '[]'), '{tables,bayes_class,1,probability}', '[]'), 'wrong none')) FROM json_none WHERE model = 'json_bayes';
SELECT v.mean, attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(document, '{tables,gmm_parameter,0,mean}', to_jsonb(v.mean)), 'wrong none'))
  FROM json_none, unnest('{"{nan,3}","{3,inf}","{-infinity,3}"}'::text[]) AS v (mean) WHERE model = 'json_gmm';
SELECT attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(document, '{tables,gmm_parameter,0,weight}', '" nan "'), 'wrong none')) FROM json_none WHERE model = 'json_gmm';
SELECT model, attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(jsonb_set(document, '{model,k}', '0'), ARRAY['tables', m.family || '_parameter'], '[]'), 'wrong none')) FROM json_none JOIN dpem.models AS m USING (model) WHERE model <> 'json_bayes' ORDER BY model;
SELECT attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(document, '{model}', document -> 'model' || '{"d": 0, "columns": [], "lower": [], "upper": [], "scale": null, "imputed": null, "calendar": null, "column_of": null, "category_of": null, "clamp_lower": null, "clamp_upper": null}'), 'wrong none')) FROM json_none WHERE model = 'json_bayes';
-- parts of a table that cannot be
SELECT v.part, attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(document, '{model}', document -> 'model' || v.part), 'wrong part'))
  FROM json_none, unnest('{"{\"holdout\": 0, \"part\": \"rest\"}","{\"holdout\": 2, \"part\": \"rest\"}","{\"holdout\": \"NaN\", \"part\": \"rest\"}","{\"holdout\": 0.2, \"part\": \"all\"}"}'::jsonb[]) AS v (part) WHERE model = 'json_gmm';
-- clusters of which neither weights nor noise were released; centers always are
SET ROLE regress_analyst;
SELECT count(*) FROM dp_kmeans_fit('json_rows', 2, 5, columns => '{x,y}', algorithm => 'sample_aggregate', model => 'json_blocks');
CREATE TEMP TABLE json_blocks AS SELECT dp_model_json('json_blocks') AS document;
GRANT SELECT ON json_blocks TO PUBLIC;
RESET ROLE;
SELECT document #> '{tables,kmeans_parameter,0,weight}' AS weight, dp_model_from_json(document, 'copy of json_blocks') AS copy FROM json_blocks;
SELECT dp_model_json('copy of json_blocks') = document AS same, dp_predict('json_blocks', '{3,4}') = dp_predict('copy of json_blocks', '{3,4}') AS predicts FROM json_blocks;
SELECT p.path, p.value, attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(document, path::text[], to_jsonb(value)), 'wrong blocks')) AS refused
  FROM json_blocks, (VALUES ('{tables,kmeans_parameter,0,center,0}', 'NaN'), ('{tables,kmeans_parameter,0,weight}', '-Infinity'), ('{tables,kmeans_parameter,1,center_noise,0}', 'Infinity')) AS p (path, value);
-- numbers that a view could not show would be everybody's error who reads it; categories may have the names of what is no number
SET ROLE regress_owner;
CREATE TABLE json_odd AS SELECT sin(i) AS x, (ARRAY['NaN','-Infinity','Infinity'])[1 + i % 3] AS c FROM generate_series(1, 2000) AS i;
SELECT dp_register_dataset('json_odd', 'json_odd', 1000, 1e-4);
SELECT dp_register_column('json_odd', 'x', -1, 1), dp_register_column('json_odd', 'c', '{NaN,-Infinity,Infinity}');
SELECT dp_grant_budget('regress_analyst', 'json_odd', 900, 1e-4);
SET ROLE regress_analyst;
SELECT count(*) > 0 AS fitted FROM (SELECT model FROM dp_bayes_fit('json_odd', 'c', 5, model => 'json_odd_bayes') UNION ALL SELECT model FROM dp_svm_fit('json_odd', 'c', 5, model => 'json_odd_svm')
    UNION ALL SELECT model FROM dp_gam_fit('json_odd', 'c', 5, bins => 4, model => 'json_odd_gam') UNION ALL SELECT model FROM dp_linreg_fit('json_odd', 'x', 5, model => 'json_odd_linreg')) AS f;
CREATE TEMP TABLE json_odd AS SELECT m AS model, dp_model_json(m) AS document FROM unnest('{json_odd_bayes,json_odd_gam,json_odd_linreg,json_odd_svm,json_sbn}'::text[]) AS m;
GRANT SELECT ON json_odd TO PUBLIC;
RESET ROLE;
SELECT model, dp_model_from_json(document, 'copy of ' || model) IS NOT NULL AS copied FROM json_odd WHERE model <> 'json_sbn' ORDER BY model;
SELECT model, dp_model_json('copy of ' || model) = document AS same FROM json_odd ORDER BY model;
SELECT v.path, attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(document, v.path::text[], v.value), 'wrong odd')) AS attempt
  FROM (VALUES ('json_odd_linreg', '{tables,linreg_parameter,0,covariance,0}', '-1'::jsonb), ('json_sbn', '{tables,sbn_parameter,1,bias}', '-1000'), ('json_odd_svm', '{tables,class_parameter,1,coefficient,0}', '"NaN"')) AS v (model, path, value)
  JOIN json_odd USING (model) ORDER BY 1;
-- nor could its pictures be drawn: of numbers beyond those that are, of bounds that no column has, of features fewer than none
SELECT v.path, attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(document, v.path::text[], v.value), 'wrong picture ' || v.n)) AS attempt
  FROM (VALUES (1, 'json_odd_linreg', '{tables,linreg_parameter,0,coefficient,0}', '1.7e308'::jsonb), (2, 'json_odd_svm', '{tables,class_parameter,1,noise,0}', '1.7e308'), (3, 'json_odd_svm', '{model,upper,0}', '1e101'),
    (4, 'json_odd_linreg', '{tables,linreg_features,0,dimension}', '-4')) AS v (n, model, path, value) JOIN json_odd USING (model) ORDER BY n;
-- a network with weights that leave nothing to chance is one, and is drawn
SELECT dp_model_from_json(jsonb_set(document, '{tables,sbn_parameter}', (SELECT jsonb_agg(CASE WHEN u ? 'weight' THEN jsonb_set(u, '{weight}', (SELECT jsonb_agg(sign(w::float8) * 1000) FROM jsonb_array_elements(u -> 'weight') w)) ELSE u END) FROM jsonb_array_elements(document #> '{tables,sbn_parameter}') u)),
    'copy of json_certain') AS copied FROM json_odd WHERE model = 'json_sbn';
SELECT dp_plot('copy of json_certain') ~ '^<svg' AS drawn;
-- what is no view of the extension's is not asked
CREATE VIEW dpem.not_ours AS SELECT p.unit FROM dpem_internal.sbn_parameter p;
SELECT dp_model_from_json(document, 'copy of json_units') FROM json_odd WHERE model = 'json_sbn';
DROP VIEW dpem.not_ours;
SELECT count(dp_drop_model(model)) FROM dpem.models WHERE model ~ '^(copy of )?json_|^wrong ';
SET ROLE regress_owner;
SELECT dp_drop_dataset('json_rows'), dp_drop_dataset('json_odd');
