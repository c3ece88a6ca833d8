-- domains thousands of times as wide as the data: rows are in the right bins, which steps of 1/8192 of half a domain would not tell
-- (false alarms below 1e-20: what is compared is many times its noise)
\pset null -
SET ROLE regress_owner;
-- at: about 0, which is between two bins; y: 100 or 103 by its sign; side: that sign
CREATE TABLE wide_domain AS
SELECT CASE WHEN i % 2 = 0 THEN -1 ELSE 1 END * (1 + (i * 0.7548776662 % 1)) AS at, 100 + 3 * (i % 2)::float8 AS y, CASE i % 2 WHEN 0 THEN 'below' ELSE 'above' END AS side
  FROM generate_series(1, 4000) AS i;
ANALYZE wide_domain;
SELECT dp_register_dataset('wide_domain', 'wide_domain', 1000, 1e-4), dp_register_column('wide_domain', 'at', -50000, 50000), dp_register_column('wide_domain', 'y', -50000, 50000),
       dp_register_column('wide_domain', 'side', '{below,above}'::text[]), dp_grant_budget('regress_analyst', 'wide_domain', 900, 1e-4);

SET ROLE regress_analyst;
SET client_min_messages = warning;
-- the mean of rows on either side of a bin's bound: neither side is clamped away
SELECT near(value, 0, 0.3) AS average FROM dp_avg('wide_domain', 'at', 50, clamp => 'auto');
-- a number whose values are nearer to each other than such steps
SELECT count(*) > 0 AS cells FROM dp_gam_fit('wide_domain', 'y', 100, columns => '{at}', model => 'wide_gam');
SELECT near(dp_predict_value('wide_gam', '{"at": -1.5}'), 100, 0.003) AS below, near(dp_predict_value('wide_gam', '{"at": 1.5}'), 103, 0.003) AS above;
-- classes that only the bound between two bins tells apart
SELECT count(*) > 0 AS cells FROM dp_gam_fit('wide_domain', 'side', 50, columns => '{at}', model => 'wide_sides');
SELECT count(*) > 0 AS cells FROM dp_bayes_fit('wide_domain', 'side', 50, columns => '{at}', model => 'wide_bayes');
SELECT m, dp_predict_label(m, '{"at": -1.5}') AS below, dp_predict_label(m, '{"at": 1.5}') AS above FROM unnest('{wide_sides,wide_bayes}'::text[]) AS m ORDER BY 1;
-- rows are drawn near the data: the background of densities reaches the ends of domains
SELECT count(*) FROM dp_gmm_fit('wide_domain', 1, 50, columns => '{at}', model => 'wide_gmm');
SELECT count(*) > 0 AS numbers FROM dp_mixture_fit('wide_domain', 1, 50, columns => '{at,side}', model => 'wide_mixture');
SELECT count(*) FROM dp_fa_fit('wide_domain', 1, 50, columns => '{at,y}', model => 'wide_fa');
SELECT m, max(abs(s[1])) < 20 AS near FROM unnest('{wide_gmm,wide_mixture,wide_fa}'::text[]) AS m, dp_sample(m, 3000) AS s GROUP BY 1 ORDER BY 1;
SELECT count(dp_drop_model(m)) AS dropped FROM unnest('{wide_gam,wide_sides,wide_bayes,wide_gmm,wide_mixture,wide_fa}'::text[]) AS m;
RESET ROLE;
