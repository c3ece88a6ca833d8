-- Every case of dp_selftest, in a fresh database: everything holds, the neighbours come close to what is declared (or the
-- test would say little), and nothing is left behind.  Stops at the first thing that does not hold.
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS dpem;

CREATE FUNCTION pg_temp.left_behind(OUT charges bigint, OUT models bigint, OUT datasets bigint, OUT relations bigint) LANGUAGE sql
AS $$SELECT (SELECT count(*) FROM dpem_internal.charge), (SELECT count(*) FROM dpem_internal.model), (SELECT count(*) FROM dpem_internal.dataset),
    (SELECT count(*) FROM pg_class WHERE relnamespace::regnamespace::text !~ '^pg_t')$$;

CREATE FUNCTION pg_temp.hold(what text, holds boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF holds IS NOT TRUE THEN
        RAISE EXCEPTION 'dp_selftest: not so: %', what;
    END IF;
END$$;

CREATE TEMP TABLE before AS SELECT * FROM pg_temp.left_behind();
CREATE TEMP TABLE tested AS SELECT * FROM dp_selftest();

SELECT pg_temp.hold(family || ', ' || adjacency || ': ' || checked || ', declared ' || declared || ', measured ' || measured, passed) FROM tested
 WHERE passed IS NOT TRUE \g /dev/null
SELECT pg_temp.hold('every kind of neighbour of every family', count(*) >= 50 AND bool_and(kinds = 4 AND rows >= 36))
  FROM (SELECT count(DISTINCT adjacency) AS kinds, count(*) AS rows FROM tested GROUP BY family) AS f \g /dev/null
-- what the probability of a false alarm is computed from (LUCK in src/api/selftest/selftest_run.c)
SELECT pg_temp.hold('fewer than ten million numbers with noise', sum(declared) BETWEEN 1 AND 9999999) FROM tested WHERE checked ~ '^numbers' \g /dev/null
SELECT pg_temp.hold('nothing left behind', (SELECT b FROM before b) IS NOT DISTINCT FROM (SELECT a FROM pg_temp.left_behind() a)) \g /dev/null

-- greatest measured over declared: under each kind of neighbour, of each release, of each case
SELECT pg_temp.hold(family || ', ' || adjacency || ' comes near', max(measured / declared) > 0.99) FROM tested
 WHERE checked ~ '^sensitivity' AND (checked = 'sensitivity: mixture' AND family = 'gmm full'
    OR checked = 'sensitivity: mixture' AND family = 'gmm one component' AND adjacency !~ 'add'
    OR family IN ('gmm by groups', 'count', 'count by groups, laplace', 'sum, laplace', 'average by groups', 'variance', 'covariance by groups', 'histogram',
        'median', 'quantile'))
 GROUP BY family, adjacency \g /dev/null
-- a whitened ball reaches beyond most corners of the domain, and its middle is noisy: one of them does (0.9998 at least in thirty runs)
SELECT pg_temp.hold('whitened mixtures come near', max(measured / declared) > 0.99) FROM tested
 WHERE checked = 'sensitivity: mixture' AND family ~ '^gmm .*whitened' \g /dev/null
-- k-means that has looked for the rows sees most of them within its ball (0.89 to 0.98 in a run)
SELECT pg_temp.hold(family || ', ' || checked || ' comes near', max(measured / declared) > CASE WHEN family ~ 'looked for|one cluster' AND checked !~ 'margins' THEN 0.5 ELSE 0.99 END) FROM tested
 WHERE checked ~ '^sensitivity' AND (family IN ('gmm llg', 'lda') AND checked !~ 'choice' OR family ~ '^kmeans (joint|dplloyd)' OR (family ~ '^logit' AND checked ~ 'first'))
 GROUP BY family, checked \g /dev/null
-- what a document gains depends on topics that are mostly noise
SELECT pg_temp.hold('gains of documents are seen', max(measured) > 0) FROM tested WHERE checked = 'sensitivity: choice' \g /dev/null
SELECT pg_temp.hold(family || ', sensitivity comes near', max(measured / declared) > 0.99) FROM tested
 WHERE checked ~ '^sensitivity' AND family ~ 'kmeans joint, samples|lda, samples|keys|blocks|robust .*tested' GROUP BY family \g /dev/null
-- outputs of random blocks, counted in cells
SELECT pg_temp.hold('distances of medians come near', max(measured / declared) > 0.99) FROM tested
 WHERE family = 'linear regression, tested' AND checked = 'sensitivity: distance' \g /dev/null
SELECT pg_temp.hold('centers of attention are moved', max(measured / declared) > 0.1) FROM tested
 WHERE family = 'kmeans blocks, center of attention' AND checked = 'sensitivity: centers' \g /dev/null
-- (a test of a distance that is above 0 cannot fail)
SELECT pg_temp.hold(family || ', failure comes near', max(measured / declared) > 0.99) FROM tested WHERE checked ~ '^failure' AND family !~ 'tested' GROUP BY family \g /dev/null
SELECT pg_temp.hold('queries and messages are seen', bool_and(measured > CASE WHEN checked ~ 'queries' THEN 5 ELSE 0 END)) FROM tested
 WHERE checked ~ 'queries|messages' \g /dev/null

SELECT format('dp_selftest: %s checks of %s cases hold', count(*), count(DISTINCT family)) FROM tested \g (format=unaligned tuples_only=on)
