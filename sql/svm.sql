-- dp_svm_fit and logistic regression of several classes: fits, models, plans, and what is refused
\pset null -
SET ROLE regress_owner;
-- points of a Weyl sequence in three classes
CREATE TABLE svm_rows AS
SELECT x, y, CASE WHEN x < -3 THEN 'a' WHEN y < 0 THEN 'b' ELSE 'c' END AS class, CASE WHEN x - y > 0 THEN 'yes' ELSE 'no' END AS word,
       CASE WHEN x < -3 THEN 'a' WHEN x < 3 THEN 'b' ELSE 'c' END AS band
  FROM (SELECT (i * 0.7548776662 % 1)::float8 * 20 - 10 AS x, (i * 0.5698402909 % 1)::float8 * 20 - 10 AS y FROM generate_series(1, 6000) AS i) AS p;
ANALYZE svm_rows;
SELECT dp_register_dataset('svm_rows', 'svm_rows', 1000, 1e-4), dp_register_column('svm_rows', 'x', -10, 10), dp_register_column('svm_rows', 'y', -10, 10),
       dp_register_column('svm_rows', 'class', '{a,b,c}'::text[]), dp_register_column('svm_rows', 'word', '{no,yes}'::text[]),
       dp_register_column('svm_rows', 'band', '{a,b,c}'::text[]), dp_grant_budget('regress_analyst', 'svm_rows', 900, 1e-4);
RESET ROLE;
SET ROLE regress_analyst;
-- two classes, several, and waves; rows that are classified as they should be, by noise of epsilon 20 with false alarms below 1e-20
SELECT class, column_name, coefficient > 0 AS positive, noise_stddev > 0 AS noise FROM dp_svm_fit('svm_rows', 'word', 20, columns => '{x,y}', intercept => false, model => 'svm_two') ORDER BY 2;
SELECT class, count(*) FROM dp_svm_fit('svm_rows', 'class', 20, columns => '{x,y}', model => 'svm_three') GROUP BY 1 ORDER BY 1;
SELECT class, count(*) FROM dp_svm_fit('svm_rows', 'class', 20, columns => '{x,y}', features => 'fourier', dimension => 60, model => 'svm_waves') GROUP BY 1 ORDER BY 1;
SELECT class, count(*), bool_and(stddev IS NULL) AS no_posterior FROM dp_logit_fit('svm_rows', 'class', 20, columns => '{x,y}', model => 'svm_logit') GROUP BY 1 ORDER BY 1;
SELECT dp_predict_label('svm_two', '{5,-5}') AS two, dp_predict('svm_two', '{-5,5}') AS number, dp_predict_label('svm_three', '{-9,0}') AS a, dp_predict_label('svm_waves', '{5,-8}') AS b,
       dp_predict_label('svm_waves', '{5,8}') AS c, dp_predict_label('svm_logit', '{5,8}') AS logit, array_length(dp_transform('svm_waves', '{0,0}'), 1) AS scores;
SELECT near((SELECT sum(p) FROM unnest(dp_posterior('svm_logit', '{1,2}')) AS p), 1) AS whole;
-- a class between two others has its turn, which by least squares of one class against the rest it never has
SELECT count(*) FROM dp_svm_fit('svm_rows', 'band', 20, columns => '{x,y}', model => 'svm_bands');
SELECT string_agg(dp_predict_label('svm_bands', ARRAY[x, 0]), '' ORDER BY x) AS bands FROM unnest('{-9,-5,0,5,9}'::float8[]) AS x;
-- probabilities of scores that were fitted together
SELECT bool_and(abs(p - exp(s) / sum) < 1e-12) AS softmax FROM (SELECT p, s, sum(exp(s)) OVER () AS sum FROM unnest(dp_posterior('svm_logit', '{1,2}'), dp_transform('svm_logit', '{1,2}')) AS u (p, s)) AS v;
SELECT dp_posterior('svm_two', '{1,2}');
SELECT model, label, classes, loss, features, dimension, width > 0 AS width, seed FROM dpem.class_models WHERE model ~ '^svm' ORDER BY 1;
SELECT model, count(*), count(DISTINCT category) AS classes, bool_and(column_name ~ '^(cos|sin) ') AS waves FROM dpem.class_coefficients WHERE model ~ '^svm' GROUP BY 1 ORDER BY 1;
-- noise by the proofs: gradients of any number of classes move by 2 under replace_one
SELECT DISTINCT statistic, near(sensitivity, 2, 1e-6) AS two FROM dp_svm_plan('svm_rows', 'class', 1, features => 'fourier') WHERE statistic ~ 'gradients';
-- sampled: every pass but the first reads a sample, and is paid as one
RESET ROLE;
SET ROLE regress_owner;
CREATE TABLE svm_sampled AS SELECT x, y, class, word FROM svm_rows;
SELECT dp_register_dataset('svm_sampled', 'svm_sampled', 1000, 1e-4, accountant => 'rdp', adjacency => 'add_remove'), dp_grant_budget('regress_analyst', 'svm_sampled', 900, 1e-4);
SELECT count(dp_register_column('svm_sampled', c, -10, 10)) FROM unnest('{x,y}'::text[]) AS c;
SELECT dp_register_column('svm_sampled', 'class', '{a,b,c}'::text[]), dp_register_column('svm_sampled', 'word', '{no,yes}'::text[]);
SET ROLE regress_analyst;
SELECT count(*) > 0 AS two FROM dp_svm_fit('svm_sampled', 'word', 20, columns => '{x,y}', sampling_rate => 0.5, iterations => 2, model => 'svm_s2');
SELECT count(*) > 0 AS three FROM dp_svm_fit('svm_sampled', 'class', 20, columns => '{x,y}', sampling_rate => 0.5, model => 'svm_s3');
SELECT count(*) > 0 AS groups FROM dp_logit_fit('svm_sampled', 'class', 20, columns => '{x,y}', by => 'word', sampling_rate => 0.5);
SELECT dp_predict_label('svm_s2', '{5,-5}') AS two, dp_predict_label('svm_s3', '{-9,0}') AS a, dp_predict_label('svm_s3', '{8,8}') AS c;
SELECT DISTINCT l.statistic, l.sampling, round(sampling_rate::numeric, 6) AS rate FROM dpem.ledger AS l WHERE dataset = 'svm_sampled' ORDER BY 1;
-- by groups, and what is refused
SELECT key, count(*) FROM dp_svm_fit('svm_rows', 'class', 20, columns => '{x,y}', by => 'word') GROUP BY 1 ORDER BY 1;
SELECT dp_svm_plan('svm_rows', 'class', 1, positive => 'a');
SELECT dp_svm_plan('svm_rows', 'word', 1, iterations => 1);
SELECT dp_svm_plan('svm_rows', 'word', 1, features => 'cubic');
SELECT dp_svm_plan('svm_rows', 'word', 1, features => 'fourier', dimension => 7);
SELECT dp_svm_plan('svm_rows', 'word', 1, features => 'fourier', clip_norm => 1);
SELECT dp_svm_plan('svm_rows', 'word', 1, seed => -1);
SELECT dp_svm_plan('svm_rows', 'word', 1, smoothing => 0);
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE dataset ~ '^svm_';
RESET ROLE;
SET ROLE regress_owner;
SELECT dp_drop_dataset(d) FROM unnest('{svm_rows,svm_sampled}'::text[]) AS d;
DROP TABLE svm_rows, svm_sampled;
RESET ROLE;
