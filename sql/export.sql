-- models in other languages: SQL and PMML
\pset null -
SET ROLE regress_owner;
CREATE TABLE export_rows AS SELECT (i % 17)::float8 AS x, exp((i * 7 % 23) / 5.0) AS y, (i * 5 % 31 - 15)::int AS "Z z", CASE WHEN i % 17 + i % 5 > 9 THEN 'yes' ELSE 'n''o' END AS label,
       (ARRAY['red','gre"en','<blue>'])[1 + i * 11 % 3] AS color, i % 3 = 0 AS flag, ARRAY[i % 4, i % 6]::float8[] AS v FROM generate_series(1, 3000) AS i;
ANALYZE export_rows;
SELECT dp_register_dataset('export_rows', 'export_rows', 1000, 1e-4);
SELECT dp_register_column('export_rows', 'x', 0, 16), dp_register_column('export_rows', 'y', 1, 90, scale => 'log'), dp_register_column('export_rows', 'Z z', -15, 15, scale => 'signed_log'),
       dp_register_column('export_rows', 'label', '{n''o,yes}'), dp_register_column('export_rows', 'color', ARRAY['red', 'gre"en', '<blue>']),
       dp_register_column('export_rows', 'flag', '{false,true}'), dp_register_column('export_rows', 'v', 0, 6, length => 2);
SELECT dp_grant_budget('regress_analyst', 'export_rows', 900, 1e-4);
SET ROLE regress_analyst;
SET client_min_messages = warning;	-- what noise makes of components
SELECT count(*) > 0 AS fitted FROM (SELECT model FROM dp_linreg_fit('export_rows', 'x', 9, model => 'export_linreg')
    UNION ALL SELECT model FROM dp_linreg_fit('export_rows', 'y', 9, model => 'export_log') UNION ALL SELECT model FROM dp_linreg_fit('export_rows', 'Z z', 9, model => 'export_signed')
    UNION ALL SELECT model FROM dp_logit_fit('export_rows', 'label', 9, columns => '{x,y,Z z,v}', model => 'export_logit') UNION ALL SELECT model FROM dp_logit_fit('export_rows', 'color', 9, model => 'export_classes')
    UNION ALL SELECT model FROM dp_svm_fit('export_rows', 'label', 9, model => 'export_svm') UNION ALL SELECT model FROM dp_svm_fit('export_rows', 'label', 9, features => 'fourier', dimension => 16, columns => '{x,y}', model => 'export_fourier')
    UNION ALL SELECT model FROM dp_gam_fit('export_rows', 'x', 9, bins => 5, columns => '{y,Z z,label,color,flag}', pairs => '{y:color,label:flag}', model => 'export_gam') UNION ALL SELECT model FROM dp_gam_fit('export_rows', 'label', 9, columns => '{x,y,Z z,color,flag}', model => 'export_additive')
    UNION ALL SELECT model FROM dp_gam_fit('export_rows', 'color', 9, bins => 5, columns => '{x,y,Z z,label,flag}', pairs => '2', model => 'export_additives') UNION ALL SELECT model FROM dp_bayes_fit('export_rows', 'color', 9, columns => '{x,y,Z z,label,flag}', model => 'export_bayes')
    UNION ALL SELECT model FROM dp_kmeans_fit('export_rows', 3, 9, model => 'export_kmeans') UNION ALL SELECT model FROM dp_gmm_fit('export_rows', 2, 9, model => 'export_gmm')
    UNION ALL SELECT model FROM dp_pca_fit('export_rows', 1, 9, model => 'export_pca') UNION ALL SELECT model FROM dp_mixture_fit('export_rows', 2, 9, columns => '{x,color}', model => 'export_mixture')) AS f;
RESET client_min_messages;

-- rows that anybody may see, some beyond the domains, some of which not everything is known; named as the expression names its own
CREATE TEMP TABLE x1 AS SELECT (i % 19 - 1)::numeric AS x, (i * 7 % 29 - 2) * 3.5::real AS y, (i % 37 - 18)::int AS "Z z", (ARRAY['yes', 'n''o', NULL])[1 + i % 3] AS label,
       (ARRAY['red','gre"en','<blue>','none',NULL])[1 + i % 5] AS color, i % 7 > 3 AS flag, ARRAY[i % 5, i % 7]::float8[] AS v, 5.5 AS s1, i AS x2 FROM generate_series(1, 300) AS i
  UNION ALL SELECT n.*, 5.5, 0 FROM (VALUES (NULL, 2, 3, 'yes', 'red', true, '{1,2}'::float8[]), (1, NULL, 3, 'yes', 'red', true, '{1,2}'), (1, 2, NULL, 'yes', 'red', true, '{1,2}'), (1, 2, 3, NULL, NULL, NULL, NULL),
       (1, 'NaN', 3, 'yes', 'red', NULL, '{1,2}'), ('NaN', 'Infinity', 3, 'yes', 'red', false, '{1,NULL}'), (1, '-Infinity', 3, 'yes', 'red', false, '{NaN,1}'), (1e30, -1e30, 2000000000, 'yes', 'red', false, '{1e30,-1e30}')) AS n (x, y, z, label, color, flag, v);
SELECT m.model, o.output, b.* FROM unnest('{linreg,log,signed,logit,classes,svm,gam,additive,additives,bayes,kmeans,gmm}'::text[]) WITH ORDINALITY AS m (model, n),
    (VALUES (1, 'value', 'dp_predict_value'), (2, 'label', 'dp_predict_label'), (3, 'class', 'dp_predict'), (4, 'posterior', 'dp_posterior')) AS o (i, output, use),
    LATERAL exported('export_' || m.model, o.output, o.use) AS b
 WHERE CASE WHEN m.model IN ('linreg', 'log', 'signed', 'gam') THEN o.output = 'value' WHEN m.model = 'kmeans' THEN o.output = 'class'
            WHEN m.model = 'gmm' THEN o.output IN ('class', 'posterior') WHEN m.model = 'svm' THEN o.output IN ('label', 'class') ELSE o.output <> 'value' END
 ORDER BY m.n, o.i;
-- by default what a person would ask for
SELECT m, dp_model_sql('export_' || m) = dp_model_sql('export_' || m, o) AS same FROM (VALUES ('linreg', 'value'), ('logit', 'label'), ('gmm', 'class')) AS d (m, o);
SELECT attempt(format('SELECT dp_model_sql(%L, %L)', m, o)) FROM (VALUES ('export_fourier', NULL), ('export_pca', NULL), ('export_mixture', NULL), ('export_none', NULL), (NULL, NULL),
    ('export_kmeans', 'posterior'), ('export_linreg', 'label'), ('export_svm', 'posterior'), ('export_logit', 'lable')) AS w (m, o);

-- PMML: text that is well-formed, of the elements that the standard says
SELECT m, attempt(format('SELECT dp_model_pmml(%L)', 'export_' || m)) FROM unnest('{signed,fourier,gam,gmm,none}'::text[]) AS m;
CREATE FUNCTION pg_temp.elements(model text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(e || CASE WHEN n > 1 THEN ' x ' || n ELSE '' END, ', ' ORDER BY first)
      FROM (SELECT e[1] AS e, count(*) AS n, min(i) AS first FROM regexp_matches(dp_model_pmml(model), '<(\w+)[ >/]', 'g') WITH ORDINALITY AS m (e, i) GROUP BY 1) AS c$$;
SELECT m AS model, pg_temp.elements('export_' || m) AS elements FROM unnest('{linreg,log,logit,classes,svm,bayes,kmeans}'::text[]) AS m;
-- every tag is closed by the one that opened it last
CREATE FUNCTION pg_temp.well_formed(document text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    tag text[];
    open text[] := '{}';
BEGIN
    IF regexp_replace(document, '^<\?xml version="1\.0"\?>|</?\w+( \w+="[^"<>&]*(&#?\w+;[^"<>&]*)*")*/?>', '', 'g') ~ '[<>&]' THEN
        RETURN false;
    END IF;
    FOR tag IN SELECT regexp_matches(document, '<(/?)(\w+)[^>]*?(/?)>', 'g') LOOP
        IF tag[1] = '/' AND open[1] IS DISTINCT FROM tag[2] THEN
            RETURN false;
        END IF;
        open := CASE WHEN tag[1] = '/' THEN open[2:] WHEN tag[3] = '/' THEN open ELSE tag[2] || open END;
    END LOOP;
    RETURN cardinality(open) = 0;
END$$;
SELECT pg_temp.well_formed('<a><b c="d"/></a>') AS good, pg_temp.well_formed('<a><b></a></b>') AS crossed, pg_temp.well_formed('<a b="<"/>') AS raw, pg_temp.well_formed('<a>') AS open;
SELECT m AS model, pg_temp.well_formed(dp_model_pmml('export_' || m)) FROM unnest('{linreg,log,logit,classes,svm,bayes,kmeans}'::text[]) AS m;
-- on a logarithmic scale what is not above 0 counts as the lower bound, and an infinity below it as unknown
SELECT m[1] AS then, m[2]::float8 <= -1.797e308 AS finite, near(m[3]::float8, ln(1::float8)) AS bound
  FROM regexp_matches(dp_model_pmml('export_logit'), '<DerivedField name="log\(y\)"[^>]*><Apply function="if"><Apply function="greaterThan"><FieldRef field="y"/><Constant dataType="double">0</Constant></Apply><Apply function="(\w+)"><FieldRef field="y"/></Apply>'
       || '<Apply function="if"><Apply function="greaterOrEqual"><FieldRef field="y"/><Constant dataType="double">([^<]*)</Constant></Apply><Constant dataType="double">([^<]*)</Constant></Apply></Apply></DerivedField>') AS m;
-- the numbers are those of the views
SELECT bool_and(near(c.coefficient, p.value)) AS same, count(*) FROM dpem.linreg_coefficients AS c JOIN
    (SELECT m[1] AS name, m[2]::float8 AS value FROM regexp_matches(dp_model_pmml('export_linreg'), 'NumericPredictor name="([^"]*)" coefficient="([^"]*)"', 'g') AS m
     UNION ALL SELECT '(intercept)', substring(dp_model_pmml('export_linreg') FROM 'intercept="([^"]*)"')::float8) AS p
    ON p.name IN (c.column_name, 'log(' || c.column_name || ')', 'signed_log(' || c.column_name || ')') WHERE c.model = 'export_linreg';
-- naive Bayes by the rules of the standard, from the document alone: counts of a value over those of all values, times counts of the class; what is in no bin or no pair is left out
CREATE TEMP TABLE pmml_inputs AS SELECT split_part(b, '"', 1) AS field, b FROM regexp_split_to_table(split_part(dp_model_pmml('export_bayes'), '<BayesOutput', 1), '<BayesInput fieldName="') WITH ORDINALITY AS i (b, n) WHERE n > 1;
CREATE TEMP TABLE pmml_counts AS SELECT field, split_part(p, '"', 1) AS value, class, m[1]::float8 AS count
  FROM pmml_inputs, regexp_split_to_table(b, '<PairCounts value="') WITH ORDINALITY AS i (p, n), regexp_matches(p, 'count="([^"]*)"', 'g') WITH ORDINALITY AS c (m, class) WHERE n > 1;
CREATE TEMP TABLE pmml_bins AS SELECT field, m[1] AS value, m[2] AS closure, m[3]::float8 AS lower, m[4]::float8 AS upper
  FROM pmml_inputs, regexp_matches(b, 'binValue="([^"]*)"><Interval closure="(\w+)" leftMargin="([^"]*)" rightMargin="([^"]*)"', 'g') AS m;
CREATE TEMP TABLE pmml_output AS SELECT class, m[1]::float8 AS count FROM regexp_matches(split_part(dp_model_pmml('export_bayes'), '<BayesOutput', 2), 'count="([^"]*)"', 'g') WITH ORDINALITY AS c (m, class);
CREATE TEMP TABLE pmml_rows AS SELECT row_number() OVER () AS r, t.*, dp_posterior('export_bayes', to_jsonb(t)) AS posterior FROM x1 AS t WHERE y IS NULL OR y > '-Infinity';
CREATE TEMP TABLE pmml_values AS SELECT r, v.field, coalesce(v.category, (SELECT value FROM pmml_bins AS b WHERE b.field = v.field AND number >= lower AND (number < upper OR closure = 'closedClosed' AND number <= upper))) AS value
  FROM pmml_rows, LATERAL (VALUES ('x', x::float8, NULL), ('log(y)', ln(CASE WHEN y > 0 THEN y::float8 ELSE 1 + 0 * y END), NULL), ('signed_log(Z z)', sign("Z z") * ln(1 + abs("Z z"::float8)), NULL),
    ('label', NULL, label), ('flag', NULL, flag::text)) AS v (field, number, category);
SELECT count(*) AS inputs, bool_and(f.field IS NOT NULL) AS known FROM pmml_inputs AS i LEFT JOIN (SELECT DISTINCT field FROM pmml_values) AS f USING (field);
SELECT bool_and(near(sums.sum, o.count)) AS counts_add_up, near((SELECT sum(count) FROM pmml_output), 1) AS shares FROM (SELECT field, class, sum(count) FROM pmml_counts GROUP BY 1, 2) AS sums JOIN pmml_output AS o USING (class);
WITH score AS (SELECT r, o.class, ln(o.count) + coalesce((SELECT sum(ln(p.count) - ln((SELECT sum(a.count) FROM pmml_counts AS a WHERE a.field = p.field AND a.class = p.class)))
                  FROM pmml_values AS v JOIN pmml_counts AS p USING (field, value) WHERE v.r = s.r AND p.class = o.class), 0) AS s FROM pmml_rows AS s, pmml_output AS o),
     best AS (SELECT *, exp(s - max(s) OVER (PARTITION BY r)) AS e FROM score), posterior AS (SELECT r, array_agg(e / total ORDER BY class) AS p FROM (SELECT *, sum(e) OVER (PARTITION BY r) AS total FROM best) AS t GROUP BY r)
SELECT count(*), bool_and(distance(p, posterior) < 1e-9) AS same FROM posterior JOIN pmml_rows USING (r);
DROP TABLE pmml_inputs, pmml_counts, pmml_bins, pmml_output, pmml_rows, pmml_values;
-- every kind has a picture with numbers in it
SELECT m AS model, p LIKE '<svg %</svg>_' AS complete, p ~ '>-?\d*\.?\d+' AND p !~ '#</text>' AND p !~* 'nan' AS numbers FROM unnest('{linreg,log,logit,classes,svm,fourier,gam,additives,bayes,kmeans,gmm,pca,mixture}'::text[]) AS m, LATERAL dp_plot('export_' || m) AS p;
SELECT count(dp_drop_model(model)) FROM dpem.models WHERE model ~ '^export_';
SET ROLE regress_owner;
SELECT dp_drop_dataset('export_rows');
DROP TABLE export_rows;

-- of more coordinates than a server's parser goes deep in terms
SET ROLE regress_owner;
CREATE TABLE export_wide AS SELECT ARRAY(SELECT (i * j * 0.6180340 % 1) FROM generate_series(1, 120) AS j)::float8[] AS v, CASE WHEN i % 3 = 0 THEN 'yes' ELSE 'no' END AS word, (i % 5)::float8 AS y FROM generate_series(1, 500) AS i;
ANALYZE export_wide;
SELECT dp_register_dataset('export_wide', 'export_wide', 100, 1e-3), dp_register_column('export_wide', 'v', 0, 1, 120), dp_register_column('export_wide', 'y', 0, 4), dp_register_column('export_wide', 'word', '{no,yes}'::text[]);
SELECT dp_grant_budget('regress_owner', 'export_wide', 50, 1e-4);
SET client_min_messages = error;
SELECT count(*) FROM (SELECT model FROM dp_logit_fit('export_wide', 'word', 9, columns => '{v}', model => 'export_wide_logit') UNION ALL SELECT model FROM dp_linreg_fit('export_wide', 'y', 9, columns => '{v}', model => 'export_wide_linreg')) AS f;
RESET client_min_messages;
SELECT dp_model_sql('export_wide_logit', 'posterior') AS posterior, dp_model_sql('export_wide_linreg') AS value \gset
SELECT bool_and(distance(:posterior, dp_posterior('export_wide_logit', v)) < 1e-9) AS posterior, bool_and(near(:value, dp_predict_value('export_wide_linreg', v), 1e-9)) AS value FROM export_wide WHERE v[1] < 0.1;
SELECT dp_drop_model('export_wide_logit'), dp_drop_model('export_wide_linreg'), dp_drop_dataset('export_wide');
DROP TABLE export_wide;
RESET ROLE;
