-- dp_feature_ranking: SQL's own mutual information without noise, the order with noise, groups, plans, refusals
\pset null -
SET ROLE regress_owner;
CREATE TABLE clients AS
SELECT i AS id, CASE WHEN u < 0.4 THEN 'yes' ELSE 'no' END AS churn, 100 * (0.7 * u + 0.3 * v)::float8 AS strong, 100 * (0.2 * u + 0.8 * w)::float8 AS weak, CASE WHEN i % 9 > 0 THEN 100 * v::float8 END AS nothing,
       CASE WHEN u < 0.4 AND w < 0.7 THEN 'a' WHEN w < 0.9 THEN 'b' END AS kind, CASE WHEN v < 0.5 THEN 'north' ELSE 'south' END AS region, 'w' || i AS word
  FROM (SELECT i, i * 0.7548776662 % 1 AS u, i * 0.5698402909 % 1 AS v, i * 0.41421356237 % 1 AS w FROM generate_series(1, 20000) AS i) AS s;
ANALYZE clients;
SELECT dp_register_dataset('clients', 'clients', 1000, 1e-4), dp_register_column('clients', 'churn', '{yes,no}'::text[]), dp_register_column('clients', 'kind', '{a,b,c}'::text[]), dp_register_column('clients', 'region', '{north,south}'::text[]);
SELECT count(dp_register_column('clients', c, 0, 100)) FROM unnest('{strong,weak,nothing}'::text[]) AS c;
SELECT dp_register_key('clients', 'word'), dp_grant_budget('regress_analyst', 'clients', 900, 1e-4);
GRANT SELECT ON clients TO regress_reader;
SET ROLE regress_reader;
SELECT rank, column_name, noise_stddev, ci_lower = ci_upper AS sharp, rank_best, rank_worst FROM dp_feature_ranking('clients', 'churn', 'Infinity');
SELECT near(information, (SELECT sum(p * ln(p / (px * py)))::float8 FROM (SELECT n / sum(n) OVER () AS p, sum(n) OVER (PARTITION BY kind) / sum(n) OVER () AS px, sum(n) OVER (PARTITION BY churn) / sum(n) OVER () AS py
    FROM (SELECT kind, churn, count(*) AS n FROM clients WHERE kind IS NOT NULL GROUP BY 1, 2) AS c) AS t), 1e-6) AS exact FROM dp_feature_ranking('clients', 'churn', 'Infinity', columns => '{kind}');
-- epsilon 5: information of 0.5 to 0.0001 nats with noise of about 0.001 (false alarms below 1e-20), once for all columns
SET ROLE regress_analyst;
SELECT charges() AS before \gset
SELECT rank, column_name, noise_stddev > 0 AND ci_lower <= information AND information <= ci_upper AND rank BETWEEN rank_best AND rank_worst AS noisy FROM dp_feature_ranking('clients', 'churn', 5, columns => '{strong,kind,nothing}', filter => 'weak > 10') ORDER BY rank;
SELECT key, count(*), min(column_name) FILTER (WHERE rank = 1) AS first FROM dp_feature_ranking('clients', 'churn', 5, columns => '{strong,weak,nothing}', by => 'region') GROUP BY key ORDER BY key;
SELECT charges() - :before AS charges;
SELECT statistic, near(sensitivity, sqrt(2), 1e-6) AS root_two, allowed FROM dp_feature_ranking_plan('clients', 'churn', 1);
\pset format unaligned
\pset tuples_only on
SELECT attempt('SELECT * FROM ' || c) FROM (VALUES (1, $$dp_feature_ranking('clients', 'strong', 1)$$), (2, $$dp_feature_ranking('clients', 'word', 1)$$), (3, $$dp_feature_ranking('clients', 'churn', 1, columns => '{word}')$$),
    (4, $$dp_feature_ranking('clients', NULL, 1)$$), (5, $$dp_feature_ranking('clients', 'churn', NULL)$$), (6, $$dp_feature_ranking('clients', 'churn', 'Infinity')$$), (7, $$dp_feature_ranking('clients', 'churn', 1, columns => '{churn}')$$)) AS v (n, c) ORDER BY n;
SET ROLE regress_other;
SELECT attempt($$SELECT * FROM dp_feature_ranking('clients', 'churn', 1)$$);
\pset tuples_only off
\pset format aligned
SET ROLE regress_owner;
SELECT dp_drop_dataset('clients');
DROP TABLE clients;
RESET ROLE;
