-- Rows of a classifier's heavy tails are clipped as a whole. The constant is not to be clipped with them, nor are slopes learnt
-- of clipped rows to be used for whole ones: where a class is rare that turns models round.
SET ROLE regress_owner;
SELECT setseed(0.25);
-- the rare class is that of long rows, if of any
CREATE TABLE long_rows AS
SELECT t[1] AS t1, t[2] AS t2, t[3] AS t3, t[4] AS t4, t[5] AS t5, t[6] AS t6, t[7] AS t7, t[8] AS t8,
       CASE WHEN random() < 0.014 * s / (2 + s) THEN 'no' ELSE 'yes' END AS word
  FROM (SELECT t, t[1] + t[2] + t[3] + t[4] AS s FROM generate_series(1, 10000) AS i,
        LATERAL (SELECT array_agg(exp(2.598 * (random() + random() + random() + random() - 2))) AS t FROM generate_series(i, i + 7)) AS u) AS v;
ANALYZE long_rows;
SELECT dp_register_dataset('long_rows', 'long_rows', 1000, 1e-4), dp_register_column('long_rows', 'word', '{no,yes}'),
       dp_grant_budget('regress_analyst', 'long_rows', 900, 1e-4);
SELECT count(dp_register_column('long_rows', 't' || k, 0, 1000)) FROM generate_series(1, 8) AS k;
SET ROLE regress_analyst;
SELECT count(*) > 0 AS fitted FROM dp_logit_fit('long_rows', 'word', 40, 1e-6, model => 'long_logit');
SELECT count(*) > 0 AS fitted FROM dp_svm_fit('long_rows', 'word', 40, 1e-6, model => 'long_svm');
SELECT count(dp_grant_model(m, 'regress_owner')) FROM unnest('{long_logit,long_svm}'::text[]) AS m;
SET ROLE regress_owner;
CREATE FUNCTION pg_temp.auc(model text, statement text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE auc float8;
BEGIN
    EXECUTE format('SELECT (sum(rank) FILTER (WHERE word = ''yes'') - n1 * (n1 + 1) / 2.0) / (n1 * n0) FROM (SELECT word, rank() OVER (ORDER BY said), count(*) FILTER (WHERE word = ''yes'') OVER () AS n1,
        count(*) FILTER (WHERE word = ''no'') OVER () AS n0 FROM (SELECT word, (%s(%L, to_jsonb(t)))[2] AS said FROM long_rows AS t) AS p) AS r GROUP BY n1, n0', statement, model) INTO auc;
    RETURN auc;
END $$;
SELECT pg_temp.auc('long_logit', 'dp_posterior') > 0.515 AS logit, pg_temp.auc('long_svm', 'dp_transform') > 0.515 AS svm;
RESET ROLE;
SELECT count(dp_drop_model(m)) FROM unnest('{long_logit,long_svm}'::text[]) AS m;
SET ROLE regress_owner;
SELECT dp_drop_dataset('long_rows');
DROP TABLE long_rows;
