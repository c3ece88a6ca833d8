-- what is too large for memory, or for a pass, is refused before anything is spent or cut down to what fits; nothing that was paid for is lost
SET ROLE regress_owner;
CREATE TABLE sizes AS SELECT i * 1e-3 AS x, i * 1e-104 AS tiny, '{}'::float4[] AS v, '{}'::float4[] AS u, CASE i % 2 WHEN 0 THEN 'no' ELSE 'yes' END AS word, 'c' || i % 300 AS ward FROM generate_series(1, 1000) AS i;
ANALYZE sizes;
SELECT dp_register_dataset('sizes', 'sizes', 100, 1e-3), dp_register_column('sizes', 'x', 0, 1), dp_register_column('sizes', 'tiny', 0, 1e-100), dp_register_column('sizes', 'v', 0, 1, 12000), dp_register_column('sizes', 'u', 0, 1, 6000),
       dp_register_column('sizes', 'word', '{no,yes}'::text[]), dp_register_column('sizes', 'ward', (SELECT array_agg('c' || i) FROM generate_series(0, 299) AS i)), dp_grant_budget('regress_analyst', 'sizes', 100, 1e-3);
SET ROLE regress_analyst;
SET dpem.noise_warnings = off;
SET client_min_messages = warning;

-- margins of many groups are coarser
SELECT count(*) FROM dp_logit_fit('sizes', 'word', 1, columns => '{x}', by => 'ward');
SELECT count(*) FROM dp_fa_fit('sizes', 1, 1, columns => '{x,tiny}', by => 'ward', precondition => 'standardise');

-- the fourth power of a width is no number
SELECT value BETWEEN 0 AND 1e-200 AS variance FROM dp_variance('sizes', 'tiny', 1);
SELECT value BETWEEN 0 AND 1e-200 AS variance FROM dp_variance('sizes', 'tiny', 1, clamp => 'auto');

SELECT charges() AS charges \gset
SELECT attempt(format('SELECT count(*) FROM dp_kmeans_fit(''sizes'', 3, 1, columns => ''{v}'', algorithm => %L)', a)) FROM unnest('{plane,subspace}'::text[]) AS a ORDER BY a;
SELECT attempt($$SELECT count(*) FROM dp_fa_fit('sizes', 5500, 1, columns => '{u}')$$);
SELECT charges() - :charges AS charges;

-- leave nothing behind for the tests that follow
RESET dpem.noise_warnings;
RESET client_min_messages;
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE dataset = 'sizes';
SET ROLE regress_owner;
SELECT dp_drop_dataset('sizes');
DROP TABLE sizes;
RESET ROLE;
