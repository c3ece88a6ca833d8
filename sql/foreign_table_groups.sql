-- Private tables: percentiles of groups, GROUPING SETS, tally_persons, many categories.
SET dpem.fresh = off;
CREATE SCHEMA private AUTHORIZATION regress_owner;
SET ROLE regress_owner;
GRANT USAGE ON SCHEMA private TO PUBLIC;
CREATE TABLE tallies AS SELECT 'p' || i % 4000 AS person, (i % 100)::float8 AS cost, 20 + i % 60 AS age, (ARRAY['north', 'south', 'west'])[1 + i % 3] AS region, i % 2 = 0 AS smoker, 'c' || i % 2500 AS code FROM generate_series(1, 8000) AS i;
CREATE TABLE tally_persons AS SELECT * FROM tallies;
CREATE TABLE tally_twice AS SELECT * FROM tallies;
ANALYZE tallies, tally_persons, tally_twice;
SET client_min_messages = warning;
SELECT dp_register_dataset('tallies', 'tallies', 1000, 1e-5), dp_register_dataset('tally_persons', 'tally_persons', 1000, 1e-5, unit => 'person'), dp_register_dataset('tally_twice', 'tally_twice', 1000, 1e-5, unit => 'person', max_rows_per_unit => 2, keys_share => 0.1);
SELECT dp_register_column(d, 'cost', 0, 100), dp_register_column(d, 'age', 0, 100), dp_register_column(d, 'region', '{north,south,west,east}'::text[]), dp_register_column(d, 'smoker'), dp_register_key(d, 'person') FROM unnest('{tallies,tally_persons,tally_twice}'::text[]) AS d;
SELECT dp_register_column('tallies', 'code', (SELECT array_agg('c' || i ORDER BY i) FROM generate_series(0, 2999) AS i));
SELECT dp_grant_budget('regress_analyst', d, 900, 1e-5), dp_publish(d, 'private') FROM unnest('{tallies,tally_persons,tally_twice}'::text[]) AS d;
RESET client_min_messages;
GRANT SELECT ON ALL TABLES IN SCHEMA private TO regress_analyst;
GRANT SELECT ON tallies, tally_persons, tally_twice TO regress_analyst;
SET ROLE regress_analyst;
-- without noise, as the role may read the rows
SET dpem.epsilon = 'infinity';
SELECT region, smoker, GROUPING(region, smoker) AS g, count(*), round(sum(cost)::numeric, 3) FROM private.tallies GROUP BY ROLLUP (region, smoker) HAVING count(*) > 0
EXCEPT SELECT region, smoker, GROUPING(region, smoker) AS g, count(*), round(sum(cost)::numeric, 3) FROM tallies GROUP BY ROLLUP (region, smoker) ORDER BY 1, 2;
SELECT GROUPING(smoker) AS g, region, smoker, age / 50 AS half, count(*) FROM private.tallies GROUP BY GROUPING SETS ((region, age / 50), (smoker), ()) HAVING count(*) > 0
EXCEPT SELECT GROUPING(smoker) AS g, region, smoker, age / 50 AS half, count(*) FROM tallies GROUP BY GROUPING SETS ((region, age / 50), (smoker), ());
SELECT region, smoker, count(*) FROM private.tallies GROUP BY CUBE (region, smoker) HAVING GROUPING(region) = 1 ORDER BY 2, 3;
SELECT a.region, abs(a.m - b.m) < 0.5 AS median, abs(a.p - b.p) <= 1 AS age FROM (SELECT region, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) AS m, percentile_disc(0.9) WITHIN GROUP (ORDER BY age) AS p FROM private.tallies GROUP BY 1) AS a
  JOIN (SELECT region, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) AS m, percentile_disc(0.9) WITHIN GROUP (ORDER BY age) AS p FROM tallies GROUP BY 1) AS b USING (region) ORDER BY 1;
SELECT count(*) AS groups, count(m) AS medians FROM (SELECT region, smoker, age / 50, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) AS m FROM private.tallies GROUP BY 1, 2, 3) AS s;
SELECT code, count(*), round(sum(cost)::numeric, 3) FROM private.tallies GROUP BY code HAVING count(*) > 0 EXCEPT SELECT code, count(*), round(sum(cost)::numeric, 3) FROM tallies GROUP BY code;
SELECT count(DISTINCT person) AS tally_persons, count(*) FROM private.tally_persons;
SELECT sum(tally_persons) AS tally_persons FROM (SELECT region, count(DISTINCT person) AS tally_persons FROM private.tally_persons WHERE smoker GROUP BY region) AS s;
SELECT dpem_internal.place('{b,a,"",ab,b,NULL}', v) IS NOT DISTINCT FROM array_position('{b,a,"",ab,b,NULL}'::text[], v) AS same, v FROM unnest('{a,b,ab,aa,"",c}'::text[]) AS v;
SELECT count(*) FROM generate_series(1, 40) AS n, LATERAL (SELECT array_agg((i * 7919 % 1009)::text ORDER BY i) AS a FROM generate_series(1, n) AS i) AS s, generate_series(0, 1008) AS v WHERE dpem_internal.place(a, v::text) IS DISTINCT FROM array_position(a, v::text);
-- with noise: sets are one charge, which costs what a question does, and are kept together
SET dpem.epsilon = 3;
SELECT charges() AS before \gset
EXPLAIN (COSTS OFF) SELECT region, count(*) FROM private.tallies GROUP BY ROLLUP (region);
SELECT count(*) AS rows, count(region) AS regions FROM (SELECT region, count(*) AS n FROM private.tallies GROUP BY GROUPING SETS ((region), (smoker), ())) AS s WHERE n > 500;
SELECT charges() - :before AS paid;
SELECT line, statistic, releases, epsilon, delta FROM dpem.ledger WHERE charge = (SELECT max(charge) FROM dpem.ledger) ORDER BY line;
SELECT epsilon, count(*) AS numbers, count(DISTINCT charge) AS charges, round((max(noise_stddev) / min(noise_stddev))::numeric, 2) AS of_groups FROM dpem.last_answer GROUP BY 1;
SELECT max(charge) AS sets FROM dpem.ledger \gset
SELECT count(*) > 7000 AS all_rows FROM (SELECT count(*) AS n FROM private.tallies WHERE cost >= 0) AS s, generate_series(1, 8000) WHERE n > 7000;
RESET ROLE;
SELECT count(*) AS charges, round(max(mu2)::numeric / min(mu2), 2) AS costs FROM (SELECT sum(mu2_units) AS mu2 FROM dpem_internal.charge WHERE charge >= :sets GROUP BY charge) AS c;
SET ROLE regress_analyst;
SELECT charges() AS before \gset
SELECT count(*) AS rows FROM (SELECT region, count(*) AS n FROM private.tallies GROUP BY GROUPING SETS ((region), (smoker), ())) AS s WHERE n > 500;
SELECT count(*) AS rows FROM (SELECT region, count(*) AS n FROM private.tallies GROUP BY region) AS s;
SELECT charges() - :before AS paid;
-- more than a charge has lines for, and one of a key whose values are not public
SELECT charges() AS before \gset
EXPLAIN (COSTS OFF) SELECT region, smoker, count(*), sum(cost), avg(age) FROM private.tallies GROUP BY CUBE (region, smoker);
SELECT count(n + s + a) > 3 AS rows FROM (SELECT count(*) AS n, sum(cost) AS s, avg(age) AS a FROM private.tallies GROUP BY CUBE (region, smoker)) AS q;
SELECT charges() - :before AS charges;
SELECT epsilon, count(DISTINCT charge) AS charges FROM dpem.last_answer GROUP BY 1;
SELECT attempt('SELECT person, region, count(*) AS n FROM private.tallies GROUP BY GROUPING SETS ((person), (region), ())');
SELECT charges() - :before AS charges;
SELECT count(DISTINCT person) AS persons, count(*) AS rows FROM (SELECT person, region, count(*) AS n FROM private.tally_twice GROUP BY GROUPING SETS ((person), (region), ())) AS q WHERE n > 100;
SELECT charges() - :before AS charges;
-- what all of its charges come to is more than is left: none of them is made
SELECT charges() AS before \gset
SET dpem.epsilon = 1500;
SELECT attempt('SELECT count(n + s + a) FROM (SELECT count(*) AS n, sum(cost) AS s, avg(age) AS a FROM private.tallies GROUP BY CUBE (region, smoker)) AS q');
SELECT charges() - :before AS charges;
SET dpem.epsilon = 3;
-- several in one charge, which costs what was asked for
SELECT count(m + n) AS regions FROM (SELECT region, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) AS m, count(*) AS n FROM private.tallies GROUP BY 1) AS s;
SELECT array_agg(statistic ORDER BY line) AS lines, min(epsilon) AS epsilon FROM dpem.ledger WHERE charge = (SELECT max(charge) FROM dpem.ledger);
-- percentiles are chosen: they have a rank error and no interval; a tenth of the domain is 266 rows, of which a choice misses fewer than 50 but once in 10^8 times
SELECT aggregate, count(*), bool_and(rank_error BETWEEN 1 AND 100 AND ci_lower IS NULL AND ci_upper IS NULL AND noise_stddev IS NULL) AS chosen, bool_and(abs(value - 49.5) < 10) FILTER (WHERE key <> 'east') AS near FROM dpem.last_answer WHERE aggregate LIKE 'perc%' GROUP BY 1;
-- a minimum of persons is judged by counts, which have intervals
SET ROLE regress_owner;
SELECT dp_alter_dataset('tallies', minimum => 100) IS NOT NULL AS altered;
SET ROLE regress_analyst;
SELECT count(m) AS regions FROM (SELECT region, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) AS m FROM private.tallies GROUP BY 1) AS s;
SELECT count(*), bool_and(rank_error IS NULL AND ci_lower < value AND value < ci_upper) AS interval FROM dpem.last_answer WHERE value IS NOT NULL;
SELECT charges() AS before \gset
SELECT q, attempt(q) FROM unnest(ARRAY[$$SELECT person, percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM private.tallies GROUP BY 1$$, $$SELECT count(DISTINCT person) FROM private.tally_twice$$, $$SELECT count(DISTINCT person) FROM private.tallies$$, $$SELECT count(DISTINCT age) FROM private.tally_persons$$,
  $$SELECT sum(DISTINCT age) FROM private.tally_persons$$, $$SELECT region, smoker, count(*) FROM private.tallies GROUP BY CUBE (region, smoker, age / 50, age / 25, width_bucket(age, 0, 100, 2))$$, $$SELECT substr(region, 1, 0), count(*) FROM private.tallies GROUP BY 1$$, $$SELECT person, count(*) FROM private.tallies GROUP BY ROLLUP (person, region)$$]) AS q;
SELECT charges() - :before AS paid;
RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA private CASCADE;
SELECT dp_drop_dataset(d) FROM unnest('{tallies,tally_persons,tally_twice}'::text[]) AS d;
DROP TABLE tallies, tally_persons, tally_twice;
