\echo
\echo 'This sample was generated, so the truth can be put beside it (groups in order of age):'
\echo
\set ECHO none
WITH fitted AS (
    SELECT component, rank() OVER (ORDER BY mean) AS true_group
    FROM dpem.gmm_means WHERE model = 'groups' AND column_name = 'age')
SELECT true_group AS "group", column_name,
    round((t.rows / 20000.0)::numeric, 2) AS "true weight", round(c.weight::numeric, 2) AS "fitted",
    round(t.mean::numeric, 1) AS "true mean", round(m.mean::numeric, 1) AS "fitted",
    round(t.stddev::numeric, 1) AS "true stddev", round(m.stddev::numeric, 1) AS "fitted"
FROM truth AS t
    JOIN fitted USING (true_group)
    JOIN dpem.gmm_means AS m USING (component, column_name)
    JOIN dpem.gmm_components AS c USING (model, component)
WHERE m.model = 'groups'
ORDER BY true_group, column_name;
\set ECHO queries
