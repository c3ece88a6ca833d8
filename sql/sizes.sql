-- what is too large for memory, or for a pass, is refused before anything is spent or cut down to what fits; nothing that was paid for is lost
SET ROLE regress_owner;
CREATE TABLE sizes AS SELECT i * 1e-3 AS x, i * 1e-104 AS tiny, '{}'::float4[] AS v, '{}'::float4[] AS u, CASE i % 2 WHEN 0 THEN 'no' ELSE 'yes' END AS word, 'c' || i % 300 AS ward, 'm' || i AS many FROM generate_series(1, 1000) AS i;
ANALYZE sizes;
SELECT dp_register_dataset('sizes', 'sizes', 100, 1e-3), dp_register_column('sizes', 'x', 0, 1), dp_register_column('sizes', 'tiny', 0, 1e-100), dp_register_column('sizes', 'v', 0, 1, 12000), dp_register_column('sizes', 'u', 0, 1, 6000),
       dp_register_column('sizes', 'word', '{no,yes}'::text[]), dp_register_column('sizes', 'many', (SELECT array_agg('m' || i) FROM generate_series(1, 4096) AS i)), dp_register_column('sizes', 'ward', (SELECT array_agg('c' || i) FROM generate_series(0, 299) AS i)), dp_grant_budget('regress_analyst', 'sizes', 100, 1e-3);
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
SELECT attempt($$SELECT count(*) FROM dp_kmeans_fit('sizes', 3, 1, columns => '{v,u}', algorithm => 'evolution')$$);
SELECT attempt($$SELECT count(*) FROM dp_mixture_fit('sizes', 100, 1, columns => '{x,tiny}', by => 'many')$$);
SELECT attempt($$SELECT count(*) FROM dp_linreg_fit('sizes', 'x', 1, columns => '{v}', features => 'fourier', dimension => 8)$$);
SELECT charges() - :charges AS charges;

-- many columns of many kinds in any order; too many arrays are refused
SET ROLE regress_owner;
DO $$
BEGIN
    EXECUTE (SELECT 'CREATE TABLE sizes_wide AS SELECT i % 2 = 0 AS y, ' || string_agg(format('(i + %1$s) %% 7 < 3 AS l%1$s, sin(i * %1$s) AS n%1$s', j), ', ') || ' FROM generate_series(1, 400) AS i' FROM generate_series(1, 60) AS j);
    EXECUTE (SELECT 'CREATE TABLE sizes_arrays AS SELECT ' || string_agg(format('ARRAY[1, 0]::float8[] AS a%s', j), ', ') FROM generate_series(1, 101) AS j);
    PERFORM dp_register_dataset(name, name::regclass, 100, 1e-3) FROM unnest('{sizes_wide,sizes_arrays}'::text[]) AS name;
    PERFORM dp_register_column('sizes_wide', 'y', '{false,true}'::text[]);
    FOR j IN 1 .. 60 LOOP
        PERFORM dp_register_column('sizes_wide', 'l' || j, '{false,true}'::text[]), dp_register_column('sizes_wide', 'n' || j, -1, 1);
    END LOOP;
    PERFORM dp_register_column('sizes_arrays', 'a' || j, 0, 1, 2) FROM generate_series(1, 101) AS j;
    PERFORM dp_grant_budget('regress_analyst', name, 100, 1e-3) FROM unnest('{sizes_wide,sizes_arrays}'::text[]) AS name;
END$$;
SET ROLE regress_analyst;
SELECT count(*), count(DISTINCT column_name) AS names FROM dp_logit_fit('sizes_wide', 'y', 1, iterations => 2);
SELECT count(*) FROM dp_mixture_fit('sizes_wide', 1, 1);
SELECT attempt($$SELECT dp_kmeans_fit('sizes_arrays', 2, 1)$$);

-- the noise in covariances is a number in the widest domains and the narrowest
RESET ROLE;
SET ROLE regress_owner;
CREATE TABLE sizes_ends AS SELECT 2e99 * sin(i) AS a, 5e-101 * (1 + cos(i)) AS b FROM generate_series(1, 300) AS i;
SELECT dp_register_dataset('sizes_ends', 'sizes_ends', 100, 1e-3) IS NOT NULL AND dp_register_column('sizes_ends', 'a', -1e100, 1e100) IS NOT NULL AND dp_register_column('sizes_ends', 'b', 0, 1e-100) IS NOT NULL
    AND dp_grant_budget('regress_analyst', 'sizes_ends', 100, 1e-3) IS NOT NULL AS ready;
SET ROLE regress_analyst;
SELECT bool_and(sd > 0 AND sd < 'Infinity') AS numbers FROM dp_gmm_fit('sizes_ends', 1, 5), unnest(covariance_noise_stddev) AS sd;

-- leave nothing behind for the tests that follow
RESET dpem.noise_warnings;
RESET client_min_messages;
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE dataset LIKE 'sizes%';
SET ROLE regress_owner;
SELECT dp_drop_dataset('sizes'), dp_drop_dataset('sizes_wide'), dp_drop_dataset('sizes_arrays'), dp_drop_dataset('sizes_ends');
DROP TABLE sizes, sizes_wide, sizes_arrays, sizes_ends;
RESET ROLE;
