-- pictures: well-formed, of what was asked for, harmless names, for those who may read the model
\pset null -
SET ROLE regress_owner;
CREATE TABLE plot_rows AS SELECT x, y, x + y AS "<script>alert(""&'"")</script>" FROM clusters;
ANALYZE plot_rows;
SELECT dp_register_dataset('plot_rows', 'plot_rows', 1000, 1e-4);
SELECT count(dp_register_column('plot_rows', c, -10, 10)) FROM unnest(ARRAY['x', 'y', '<script>alert("&''")</script>']) AS c;
SELECT dp_grant_budget('regress_analyst', 'plot_rows', 900, 1e-4);
CREATE TABLE plot_logit AS SELECT x, y, CASE WHEN x > 0 THEN 'yes' ELSE 'no' END AS word FROM clusters;
ANALYZE plot_logit;
SELECT dp_register_dataset('plot_logit', 'plot_logit', 1000, 1e-4), dp_register_column('plot_logit', 'x', -10, 10), dp_register_column('plot_logit', 'y', -10, 10),
       dp_register_column('plot_logit', 'word', '{no,yes}'::text[]), dp_grant_budget('regress_analyst', 'plot_logit', 900, 1e-4);

SET ROLE regress_analyst;
SELECT (SELECT count(*) FROM dp_gmm_fit('plot_rows', 3, 50, init_means => '{-4,-4,-8,0,4,4,4,-3,1}', model => '<b>"pictured" & ''kept''</b>')) AS gmm,
       (SELECT count(*) FROM dp_gmm_fit('plot_rows', 2, 20, columns => '{y}', model => 'pictured y')) AS one,
       (SELECT count(*) FROM dp_kmeans_fit('plot_rows', 3, 20, columns => '{x,y}', model => 'pictured clusters')) AS kmeans,
       (SELECT count(*) FROM dp_fa_fit('plot_rows', 1, 20, model => 'pictured factor')) AS fa,
       (SELECT count(*) FROM dp_pca_fit('plot_rows', 2, 20, model => 'pictured components')) AS pca;

-- XML, where the server can tell; nothing in it that a page could run, load or follow
CREATE FUNCTION pg_temp.well_formed(picture text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RETURN picture !~ '<script|<a[ >]|<image|<foreignObject|<!|href|[^x]mlns:|url\(|@import|\son[a-z]+=|nan|inf[^o]' AND xmlparse(DOCUMENT picture) IS NOT NULL;
EXCEPTION WHEN feature_not_supported THEN
    RETURN true;
END$$;
CREATE FUNCTION pg_temp.times(picture text, part text) RETURNS bigint LANGUAGE sql
RETURN (length(picture) - length(replace(picture, part, ''))) / length(part);
CREATE FUNCTION pg_temp.shapes(picture text, OUT well_formed boolean, OUT components bigint, OUT ellipses bigint, OUT regions bigint, OUT directions bigint, OUT curves bigint, OUT noises bigint)
LANGUAGE sql RETURN ROW(pg_temp.well_formed(picture), pg_temp.times(picture, 'class="component"'), pg_temp.times(picture, '<ellipse'), pg_temp.times(picture, 'class="region"'),
    pg_temp.times(picture, 'class="direction"'), pg_temp.times(picture, 'class="whole"'), pg_temp.times(picture, 'class="noise"'));
CREATE TEMP VIEW picture AS
SELECT p.*, picture, s.* FROM (VALUES
    (1, '<b>"pictured" & ''kept''</b>', NULL, NULL), (2, '<b>"pictured" & ''kept''</b>', '<script>alert("&''")</script>', 'y'), (3, '<b>"pictured" & ''kept''</b>', 'y', NULL),
    (4, 'pictured y', NULL, NULL), (5, 'pictured clusters', NULL, NULL), (6, 'pictured clusters', 'x', NULL), (7, 'pictured factor', 'y', 'x'), (8, 'pictured factor', 'x', NULL),
    (9, 'pictured components', NULL, NULL)
  ) AS p (n, model, x, y), LATERAL dp_plot(model, x, y) AS picture, LATERAL pg_temp.shapes(picture) AS s;
SELECT n, model, x, y, well_formed, components, ellipses, regions, directions, curves, noises FROM picture ORDER BY n;
-- names are text, and say what is on which axis; a picture is of numbers that the views have
SELECT n, picture LIKE '%<title>&lt;b&gt;&quot;pictured&quot; &amp; &#39;kept&#39;&lt;/b&gt;</title>%' AS title, picture LIKE '%font-weight="600">y</text>%' AS y, picture LIKE '%font-weight="600">&lt;script&gt;%' AS script
  FROM picture WHERE n <= 3 ORDER BY n;
SELECT c.component, near((regexp_match(picture, format('Component %s, weight ([0-9.]+)', c.component)))[1]::float8, c.weight, 1e-3) AS weight
  FROM picture, dpem.gmm_components AS c WHERE n = 1 AND c.model = '<b>"pictured" & ''kept''</b>' ORDER BY 1;
SELECT dp_plot('pictured y') = dp_plot('pictured y', 'y') AS one_column, dp_plot('pictured clusters') = dp_plot('pictured clusters', 'x', 'y') AS first_two,
       dp_plot('pictured clusters', 'y', 'x') <> dp_plot('pictured clusters', 'x', 'y') AS order_counts;
-- columns in the order of x, as they were when the model was made
SELECT position, column_name, lower, upper FROM dpem.model_columns WHERE model = 'pictured factor' ORDER BY 1;

-- lists: every column in its line, strengths between -1 and 1, what was spent as the ledger has it
SELECT count(*) AS coefficients FROM dp_logit_fit('plot_logit', 'word', 20, columns => '{x,y}', model => 'pictured <effects>');
SELECT count(*) AS units FROM dp_sbn_fit('plot_rows', 2, 20, columns => '{x,y}', model => 'pictured <units>');
CREATE TEMP VIEW list AS
SELECT p.*, pg_temp.well_formed(picture) AS well_formed, pg_temp.times(picture, 'class="cell"') AS cells, pg_temp.times(picture, 'class="interval"') AS intervals, pg_temp.times(picture, 'class="series"') AS series
  FROM (VALUES (1, dp_plot_loadings('pictured factor')), (2, dp_plot_loadings('pictured components')), (3, dp_plot_coefficients('pictured <effects>')), (4, dp_plot_budget('plot_rows')), (5, dp_plot_loadings('pictured <units>'))) AS p (n, picture);
SELECT n, well_formed, cells, intervals, series FROM list ORDER BY n;
SELECT n, bool_and(abs(v[1]::float8) <= 1) AS strengths FROM list, regexp_matches(picture, 'font-size="11">([^<]*)<', 'g') AS v WHERE n IN (1, 2, 5) GROUP BY 1 ORDER BY 1;
-- the first row of a factor's loadings over the standard deviations of the model: a correlation
SELECT near((regexp_match(picture, 'font-size="11">([^<]*)<'))[1]::float8, loading / sqrt(noise_variance + loading ^ 2), 0.006) AS correlation
  FROM list, dpem.fa_loadings JOIN dpem.fa_noise USING (model, column_name) WHERE n = 1 AND model = 'pictured factor' AND column_name = 'x';
-- what the second hidden unit does to the first column
SELECT near(v[1]::float8, 1 / (1 + exp(-bias - weight)) - 1 / (1 + exp(-bias)), 0.006) AS difference
  FROM list, regexp_matches(picture, 'font-size="11">([^<]*)<', 'g') WITH ORDINALITY AS m (v, cell), dpem.sbn_weights JOIN dpem.sbn_visible USING (model, column_name) WHERE n = 5 AND cell = 2 AND model = 'pictured <units>' AND column_name = 'x' AND hidden = 2;
SELECT near((regexp_match(picture, '<title>regress_analyst: ([0-9.]*) %'))[1]::float8, (SELECT sum(spent_percent) FROM dpem.calls WHERE dataset = 'plot_rows'), 0.01) AS spent FROM list WHERE n = 4;
SELECT near(sum(c.spent_percent), min(b.spent_percent), 1e-6) AS as_budgets, count(*) = min(b.charges) AS calls FROM dpem.calls AS c, (SELECT (sum(s.spent_percent)), sum(s.charges) FROM dpem.spending AS s WHERE s.dataset = 'plot_rows') AS b (spent_percent, charges) WHERE c.dataset = 'plot_rows';

-- topics: a list for each, of its most probable terms
SET ROLE regress_owner;
CREATE TABLE plot_documents AS SELECT array_agg(CASE i % 2 WHEN 0 THEN '<b>&"' ELSE 'w' END || (i * 7 + w * w) % 6) AS words FROM generate_series(1, 1000) AS i, generate_series(1, 20) AS w GROUP BY i;
ANALYZE plot_documents;
SELECT dp_register_dataset('plot_documents', 'plot_documents', 1000, 1e-4), dp_grant_budget('regress_analyst', 'plot_documents', 900, 1e-4),
       dp_register_text('plot_documents', 'words', ARRAY(SELECT p || n FROM unnest(ARRAY['<b>&"', 'w']) AS p, generate_series(0, 5) AS n));
SET ROLE regress_analyst;
SELECT count(*) FROM dp_lda_fit('plot_documents', 3, 100, iterations => 5, model => 'pictured <topics>');
CREATE TEMP VIEW topics AS SELECT 5 AS n, p.picture, pg_temp.well_formed(picture), pg_temp.times(picture, 'class="list"') AS lists, pg_temp.times(picture, 'class="bar"') AS bars FROM dp_plot_topics('pictured <topics>') AS p (picture);
SELECT n, well_formed, lists, bars, picture LIKE '%&lt;b&gt;&amp;&quot;%' AS escaped FROM topics;
-- what it says of each topic and its terms is what the views say
SELECT w.topic, near(part[1]::float8, 100 * w.weight, 1e-2) AS part, count(*) AS terms, bool_and(near(split_part(said, ' ', 2)::float8, 100 * t.weight, 1e-2)) AS weights, bool_and(split_part(said, ' ', 1) = replace(replace(replace(replace(t.term, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;')) AS names
  FROM topics, dpem.lda_topic_weights AS w JOIN dpem.lda_topics AS t USING (model, topic), regexp_match(picture, format('Topic %s, (.*?) %%: (.*?) %%[.]', topic)) AS part, split_part(part[2], ' %, ', t.rank) AS said
 WHERE model = 'pictured <topics>' AND t.rank <= 8 GROUP BY 1, 2 ORDER BY 1;

-- free of charge, and in a transaction that may not write
SELECT charges() AS before \gset
BEGIN READ ONLY;
SELECT bool_and(well_formed) FROM picture;
SELECT bool_and(well_formed) FROM list;
SELECT well_formed FROM topics;
COMMIT;
SELECT charges() = :before AS free;

-- a model without a plane of columns has a picture of its own
SELECT dp_plot('pictured <effects>') = dp_plot_coefficients('pictured <effects>') AS coefficients, dp_plot('pictured <topics>') = dp_plot_topics('pictured <topics>') AS topics, dp_plot('pictured <units>') = dp_plot_loadings('pictured <units>') AS loadings;

-- what cannot be drawn
\pset format unaligned
\pset tuples_only on
SELECT n, attempt(s) FROM (VALUES
    (1, $$SELECT dp_plot(NULL)$$), (2, $$SELECT dp_plot('no such model')$$), (3, $$SELECT dp_plot('pictured clusters', 'z')$$), (4, $$SELECT dp_plot('pictured clusters', 'x', 'z')$$),
    (5, $$SELECT dp_plot('pictured clusters', 'x', 'x')$$), (6, $$SELECT dp_plot('pictured clusters', NULL, 'x')$$), (7, $$SELECT dp_plot('pictured components', 'x')$$),
    (8, $$SELECT dp_plot('pictured clusters', 'X')$$), (9, $$SELECT dp_plot_loadings('pictured clusters')$$), (10, $$SELECT dp_plot_coefficients('pictured factor')$$),
    (11, $$SELECT dp_plot('pictured <effects>')$$), (12, $$SELECT dp_plot_budget('no such dataset')$$), (13, $$SELECT dp_plot_budget(NULL)$$), (14, $$SELECT dp_plot_loadings('no such model')$$),
    (15, $$SELECT dp_plot_topics('pictured factor')$$), (16, $$SELECT dp_plot_topics('no such model')$$), (17, $$SELECT dp_plot('pictured <topics>')$$), (19, $$SELECT dp_plot('pictured <effects>', 'x')$$), (18, $$SELECT dp_plot_topics(NULL)$$)) AS v (n, s) ORDER BY n;
-- a role sees its own spending, the owner of the source everybody's
SET ROLE regress_owner;
SELECT dp_grant_budget('regress_reader', 'plot_rows', 900, 1e-4);
SET ROLE regress_reader;
SELECT pg_temp.times(dp_plot_budget('plot_rows'), 'class="series"');
SELECT count(*) FROM dp_gmm_fit('plot_rows', 1, 1);
SELECT pg_temp.times(dp_plot_budget('plot_rows'), 'class="series"'), dp_plot_budget('plot_rows') LIKE '%regress_analyst%';
SET ROLE regress_owner;
SELECT pg_temp.times(dp_plot_budget('plot_rows'), 'class="series"'), dp_plot_budget('plot_rows') LIKE '%regress_analyst%';
-- for those who may read the model, whatever stands in front of names
SET ROLE regress_other;
SELECT attempt(s) FROM unnest(ARRAY['(''pictured <effects>'')', '_loadings(''pictured factor'')', '_coefficients(''pictured <effects>'')', '_budget(''plot_rows'')', '_topics(''pictured <topics>'')']) WITH ORDINALITY AS u (c, n), format('SELECT dp_plot%s', c) AS s ORDER BY n;
SELECT attempt($$SELECT dp_plot('pictured y')$$), (SELECT count(*) FROM dpem.model_columns);
SET ROLE regress_analyst;
SELECT dp_grant_model('pictured y', 'regress_other');
SET ROLE regress_other;
CREATE TEMP TABLE gmm_components (model text, component int, weight float8, noise_stddev float8);
CREATE TEMP TABLE models (model text, dataset text, epsilon float8, delta float8);
SET search_path = pg_temp, dpem, public;
SELECT dp_plot('pictured y') LIKE '<svg %</svg>_', (SELECT string_agg(column_name, ' ') FROM dpem.model_columns);
RESET search_path;
SET ROLE regress_analyst;
SELECT dp_revoke_model('pictured y', 'regress_other');
SET ROLE regress_other;
SELECT attempt($$SELECT dp_plot('pictured y')$$), (SELECT count(*) FROM dpem.model_columns);
DROP TABLE gmm_components, models;
RESET ROLE;

-- a call in the views costs far less than an inversion of the accountant, of which 60 a call were made for each bisection
BEGIN;
INSERT INTO dpem_internal.charge SELECT 1000000000 + i, line, account, dataset, role, role_name, function, statistic, mechanism, noise_multiplier, releases, sampling, sampling_rate,
    adjacency, unit, rows_per_unit, composition, epsilon, delta, mu2_units, rho_units, rdp_units, incarnation, wal_position, charged_at + i * interval '1 second', failure
  FROM generate_series(1, 2000) AS i, (SELECT * FROM dpem_internal.charge WHERE dataset = 'plot_rows' AND line = 1 ORDER BY charge LIMIT 1) AS c;
SET LOCAL max_parallel_workers_per_gather = 0;
CREATE FUNCTION pg_temp.seconds(query text, OUT seconds float8) LANGUAGE plpgsql AS $$
DECLARE
    start timestamptz := clock_timestamp();
BEGIN
    EXECUTE query;
    seconds := extract(epoch FROM clock_timestamp() - start);
END$$;
SELECT s.name, s.seconds < 10 * i.seconds AS cheap, CASE WHEN s.seconds >= 10 * i.seconds THEN s.seconds / i.seconds END AS ratio
  FROM pg_temp.seconds($$SELECT sum(dp_gdp_mu(1 + i * 1e-9, 1e-5)) FROM generate_series(1, 2000) AS i$$) AS i,
    LATERAL (VALUES ('calls', pg_temp.seconds($$SELECT sum(spent_percent) FROM dpem.calls WHERE dataset = 'plot_rows'$$)),
      ('plot', pg_temp.seconds($$SELECT dp_plot_budget('plot_rows')$$))) AS s (name, seconds) ORDER BY 1;
ROLLBACK;

-- leave nothing behind for the tests that follow
SET ROLE regress_analyst;
SELECT count(dp_drop_model(model)) > 5 AS dropped FROM dpem.models WHERE starts_with(model, 'pictured');
RESET ROLE;
