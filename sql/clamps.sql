-- numbers beyond what a classifier's fit has seen of their columns: the same in fits, predictions, exports and evaluations
\pset null -
SET ROLE regress_owner;
-- `wide` hides its tail in a hundredth of a wide domain: one row in fifty, all of which are of the class; `b` is unknown in some
CREATE TABLE tails AS
SELECT i, CASE WHEN i % 50 = 0 THEN 5 + 40 * (i * 0.7548777 % 1) ELSE 0.1 * (i * 0.6180340 % 1) END AS wide, CASE WHEN i % 9 > 0 THEN i * 0.5698403 % 1 * 4 - 2 END AS b,
       (i % 2)::int AS one, 1 + i % 300 AS money, '2020-01-01'::date + (i % 700)::int AS day, (ARRAY['red','green'])[1 + i % 2] AS color, i % 3 = 0 AS flag,
       CASE WHEN i % 50 = 0 OR i * 0.5698403 % 1 > 0.9 THEN 'yes' ELSE 'no' END AS word, (ARRAY['low','middle','high'])[1 + i % 3] AS size
  FROM generate_series(1, 20000) AS i;
ANALYZE tails;
SELECT dp_register_dataset('tails', 'tails', 1000, 1e-4);
SELECT dp_register_column('tails', 'wide', -10, 90), dp_register_column('tails', 'b', -1000, 1000), dp_register_column('tails', 'one', 0, 1), dp_register_column('tails', 'money', 1, 1e6, scale => 'log'),
       dp_register_column('tails', 'day', '2000-01-01', '2040-01-01'), dp_register_column('tails', 'color', '{red,green}'), dp_register_column('tails', 'flag', '{false,true}'), dp_register_column('tails', 'word', '{no,yes}'),
       dp_register_column('tails', 'size', '{low,middle,high}');
SELECT dp_grant_budget('regress_analyst', 'tails', 900, 1e-4);
GRANT SELECT ON tails TO regress_reader;

SET ROLE regress_analyst;
SELECT count(*) > 0 AS fitted FROM (SELECT model FROM dp_logit_fit('tails', 'word', 2, 1e-6, columns => '{wide,b,one,money,day,color,flag}', model => 'tail_logit')
    UNION ALL SELECT model FROM dp_svm_fit('tails', 'word', 2, 1e-6, columns => '{wide,b,one,money,day,color}', model => 'tail_svm')
    UNION ALL SELECT model FROM dp_logit_fit('tails', 'size', 2, 1e-6, columns => '{wide,b,money}', model => 'tail_classes')
    UNION ALL SELECT model FROM dp_logit_fit('tails', 'word', 2, 1e-6, columns => '{wide,b,money}', missing => 'complete', model => 'tail_complete')
    UNION ALL SELECT model FROM dp_svm_fit('tails', 'word', 2, 1e-6, columns => '{wide,b}', features => 'fourier', dimension => 8, model => 'tail_waves')
    UNION ALL SELECT model FROM dp_logit_fit('tails', 'word', 2, 1e-6, columns => '{wide,b}', algorithm => 'output', model => 'tail_output')
    UNION ALL SELECT model FROM dp_logit_fit('tails', 'word', 2, 1e-6, columns => '{wide,b}', by => 'color', model => 'tail_by')
    UNION ALL SELECT model FROM dp_logit_fit('tails', 'word', 2, 1e-6, columns => '{wide,b}', precondition => 'none', model => 'tail_whole')
    UNION ALL SELECT model FROM dp_logit_fit('tails', 'word', 2, 1e-6, columns => '{one,color,flag}', model => 'tail_labels')) AS f;
-- in the domain; numbers of domain [0, 1] and labels are not clamped
SELECT column_name, clamp_lower >= lower AND clamp_upper <= upper AND clamp_lower < clamp_upper AS clamped
  FROM dpem.model_columns WHERE model = 'tail_logit' ORDER BY position;
SELECT model, count(*) AS columns, count(clamp_lower) AS clamped, count(clamp_upper) AS above FROM dpem.model_columns WHERE model ~ '^tail_' GROUP BY 1 ORDER BY model COLLATE "C";

-- a number beyond is what the end is, in rows and arrays, whatever it is
CREATE FUNCTION pg_temp.said(model text, wide float8, b float8) RETURNS float8[] LANGUAGE sql
RETURN dp_transform(model, jsonb_build_object('wide', wide, 'b', b, 'money', 20));
SELECT m.model, bool_and(pg_temp.said(m.model, x, 0) = pg_temp.said(m.model, CASE WHEN x < 0 THEN c.clamp_lower ELSE c.clamp_upper END, 0)) AS beyond,
       bool_or(pg_temp.said(m.model, c.clamp_lower, 0) <> pg_temp.said(m.model, c.clamp_upper, 0)) AS within
  FROM unnest('{tail_classes,tail_waves,tail_output}'::text[]) AS m (model) JOIN dpem.model_columns c ON c.model = m.model AND c.column_name = 'wide', unnest('{-1e308,-11,50,91,1e308}'::float8[]) AS x GROUP BY 1 ORDER BY 1;
SELECT dp_posterior('tail_complete', ARRAY[1e9, -1e9, 3e300]) = dp_posterior('tail_complete', ARRAY[max(clamp_upper) FILTER (WHERE column_name = 'wide'), max(clamp_lower) FILTER (WHERE column_name = 'b'), max(clamp_upper) FILTER (WHERE column_name = 'money')]) AS arrays,
       dp_posterior('tail_complete', '{1,NULL,3}') IS NULL AS unknown FROM dpem.model_columns WHERE model = 'tail_complete';

-- so the tail, which noise hides, does not turn the model round
SELECT m AS model, (SELECT (sum(rank) FILTER (WHERE word = 'yes') - n1 * (n1 + 1) / 2) / (n1 * n0) > 0.55 FROM (SELECT word, rank() OVER (ORDER BY said), count(*) FILTER (WHERE word = 'yes') OVER () AS n1, count(*) FILTER (WHERE word = 'no') OVER () AS n0
    FROM (SELECT CASE WHEN i % 50 = 0 OR i * 0.5698403 % 1 > 0.9 THEN 'yes' ELSE 'no' END AS word, (dp_transform(m, jsonb_build_object('wide', CASE WHEN i % 50 = 0 THEN 5 + 40 * (i * 0.7548777 % 1) ELSE 0.1 * (i * 0.6180340 % 1) END, 'b', i * 0.5698403 % 1 * 4 - 2, 'one', i % 2,
        'money', 1 + i % 300, 'day', '2020-01-01'::date + (i % 700)::int, 'color', (ARRAY['red','green'])[1 + i % 2], 'flag', i % 3 = 0)))[2] AS said FROM generate_series(1, 3000) AS i) AS p) AS r GROUP BY n1, n0) AS ranks
  FROM unnest('{tail_svm}'::text[]) AS m;

-- nor does it ruin a regression: two heavy tails, one nearly a multiple of the other
RESET ROLE;
SET ROLE regress_owner;
CREATE TABLE tails_pair AS SELECT sales, sales * price AS volume, price FROM (SELECT exp(5.3 + 1.3 * g) AS sales, 125000 + 25000 * g + 28000 * h AS price
  FROM (SELECT i, 1.7 * (i * 0.6180340 % 1 + i * 0.7548777 % 1 + i * 0.5698403 % 1 - 1.5) AS g, 3.4 * (i * 0.4142136 % 1) - 1.7 AS h FROM generate_series(1, 8000) AS i) AS u) AS v;
ANALYZE tails_pair;
SELECT dp_register_dataset('tails_pair', 'tails_pair', 1000, 1e-4), dp_register_column('tails_pair', 'sales', 0, 100000), dp_register_column('tails_pair', 'volume', 0, 5e10), dp_register_column('tails_pair', 'price', 0, 5e6),
       dp_grant_budget('regress_analyst', 'tails_pair', 900, 1e-4);
SET ROLE regress_analyst;
-- R squared of 100 fits is 0.32, give or take 0.08, at least 0.15: the median of five, should one of 300 fits be worse than the mean, is so in fewer than one of two million runs
SELECT count(*) > 0 AS fitted FROM generate_series(1, 5) AS i, dp_linreg_fit('tails_pair', 'price', 1 + 0 * i, 1e-6, model => 'tail_pair_' || i);
SET ROLE regress_owner;
SELECT count(*) > 2 AS clamped FROM (SELECT model FROM dpem.model_columns WHERE model ~ '^tail_pair_' AND clamp_upper < upper GROUP BY model HAVING count(*) = 2) AS m;
SELECT count(dp_grant_model('tail_pair_' || i, 'regress_owner')) AS granted FROM generate_series(1, 5) AS i;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY r2) > 0 AS better_than_the_mean
  FROM (SELECT 1 - avg((price - dp_predict_value('tail_pair_' || i, to_jsonb(t))) ^ 2) / var_pop(price) AS r2 FROM generate_series(1, 5) AS i, tails_pair AS t GROUP BY i) AS f;
SELECT count(dp_drop_model('tail_pair_' || i)) AS dropped FROM generate_series(1, 5) AS i;
SELECT dp_drop_dataset('tails_pair');
DROP TABLE tails_pair;
SET ROLE regress_analyst;

-- in other languages
CREATE TEMP TABLE x1 AS SELECT w AS wide, b, 1 AS one, m AS money, '2019-01-01'::date + 900 * (row_number() OVER ())::int AS day, 'red' AS color, true AS flag
  FROM unnest('{NULL,-1e30,-1,0,0.05,0.3,3,60,1e30,NaN,Infinity}'::float8[]) AS w, unnest('{NULL,-500,-1,0.5,2,7,NaN}'::float8[]) AS b, unnest('{NULL,-3,0,1,100,500,1e9}'::float8[]) AS m;
SELECT m.model, o.output, e.* FROM unnest('{tail_logit,tail_svm,tail_classes,tail_complete,tail_output}'::text[]) AS m (model), (VALUES ('label', 'dp_predict_label'), ('posterior', 'dp_posterior')) AS o (output, use),
    LATERAL exported(m.model, o.output, o.use) AS e WHERE m.model <> 'tail_svm' OR o.output = 'label' ORDER BY 1, 2;
SELECT f[1] AS field, f[2] ~ ' outliers="asExtremeValues" lowValue="[-+.e0-9]+" highValue="[-+.e0-9]+"/>' AS clamped FROM regexp_matches(dp_model_pmml('tail_logit'), '<MiningField name="(\w+)"([^>]*>)', 'g') AS f;
RESET ROLE;
-- as a document, and not as a document that somebody has changed
SELECT dp_model_from_json(dp_model_json('tail_logit'), 'tail_copy');
SELECT bool_and(a.clamp_lower IS NOT DISTINCT FROM b.clamp_lower AND a.clamp_upper IS NOT DISTINCT FROM b.clamp_upper) AS same FROM dpem.model_columns a JOIN dpem.model_columns b USING (position) WHERE a.model = 'tail_logit' AND b.model = 'tail_copy';
SELECT n, attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(dp_model_json('tail_logit'), ARRAY['model', field] || place, value), 'tail_other')) AS outcome
  FROM (VALUES (1, 'clamp_lower', '{0}'::text[], '95'::jsonb), (2, 'clamp_upper', '{0}', 'null'), (3, 'clamp_lower', '{}', '[1]'), (4, 'clamp_lower', '{5}', '0'), (5, 'clamp_upper', '{1}', '1e9'), (6, 'clamp_upper', '{}', 'null'), (7, 'clamp_lower', '{1}', '"NaN"'), (8, 'imputed', '{1}', '999')) AS c (n, field, place, value) ORDER BY n;
SELECT dp_model_from_json(jsonb_set(jsonb_set(dp_model_json('tail_logit'), '{model,clamp_lower}', 'null'), '{model,clamp_upper}', 'null'), 'tail_free');
SELECT count(clamp_lower) AS clamped FROM dpem.model_columns WHERE model = 'tail_free';
SELECT count(dp_drop_model(m)) FROM unnest('{tail_copy,tail_free}'::text[]) AS m;
SET ROLE regress_analyst;

-- an evaluation sees rows as predictions do
SELECT count(dp_grant_model(m, 'regress_reader')) FROM unnest('{tail_logit,tail_classes}'::text[]) AS m;
SET ROLE regress_reader;
SELECT e.metric, near(e.value, avg((dp_predict_label('tail_logit', to_jsonb(t)) = word)::int)) AS same FROM tails t, dp_evaluate('tail_logit', 'tails', 'Infinity') AS e WHERE e.metric = 'accuracy' GROUP BY e.metric, e.value;
SELECT e.metric, abs(e.value - avg((dp_predict_label('tail_classes', to_jsonb(t)) = size)::int)) < 1e-3 AS same FROM tails t, dp_evaluate('tail_classes', 'tails', 'Infinity') AS e WHERE e.metric = 'accuracy' GROUP BY e.metric, e.value;
RESET ROLE;
SELECT count(dp_drop_model(model)) FROM dpem.models WHERE model ~ '^tail_';
SET ROLE regress_owner;
SELECT dp_drop_dataset('tails');
DROP TABLE tails;
