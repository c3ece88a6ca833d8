-- dp_lda_fit: documents of every kind, what it charges and releases, the models' use, and what is refused
\pset null -
SET ROLE regress_owner;
-- 1000 documents of 60 words of three topics of ten terms, most of one topic each (points of a Weyl sequence)
CREATE TABLE lda_documents AS
SELECT i AS id, i / 2 AS person, array_agg(10 * t + 1 + floor(10 * u * u)::int) AS ids
  FROM (SELECT i, w, (CASE WHEN w % 10 < 8 THEN i ELSE i + w END) % 3 AS t, (i * 0.7548776662 + w * 0.5698402909) % 1 AS u
          FROM generate_series(1, 1000) AS i, generate_series(1, 60) AS w) AS words GROUP BY i;
CREATE FUNCTION lda_word(term int) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT substr('abc', 1 + (term - 1) / 10, 1) || (term - 1) % 10 $$;
ALTER TABLE lda_documents ADD counted int[], ADD words text[], ADD vector tsvector, ADD body text;
UPDATE lda_documents AS d SET words = (SELECT array_agg(lda_word(t)) FROM unnest(ids) AS t),
       counted = (SELECT ARRAY[array_agg(t), array_agg(n)] FROM (SELECT t, count(*)::int AS n FROM unnest(ids) AS t GROUP BY t) AS c),
       vector = (SELECT string_agg(lda_word(t) || ':' || p, ' ') FROM unnest(ids) WITH ORDINALITY AS u (t, p))::tsvector;
CREATE TABLE lda_units AS TABLE lda_documents;
CREATE TABLE lda_guests AS TABLE lda_documents;
ANALYZE lda_documents, lda_units, lda_guests;
SELECT dp_register_dataset('lda_documents', 'lda_documents', 1000, 1e-4),
       dp_register_dataset('lda_units', 'lda_units', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2),
       dp_register_dataset('lda_guests', 'lda_guests', 1000, 1e-4, adjacency => 'add_remove', accountant => 'rdp');
SELECT array_agg(lda_word(t) ORDER BY t) AS vocabulary FROM generate_series(1, 30) AS t \gset
SELECT count(dp_register_text('lda_documents', c, :'vocabulary')) FROM unnest('{ids,counted,words,vector,body}'::text[]) AS c;
SELECT count(dp_register_text(d, 'ids', :'vocabulary')) FROM unnest('{lda_units,lda_guests}'::text[]) AS d;
SELECT count(dp_grant_budget('regress_analyst', d, 900, 1e-4)) FROM unnest('{lda_documents,lda_units,lda_guests}'::text[]) AS d;
GRANT SELECT ON lda_documents TO regress_reader;
RESET ROLE;

-- without noise: every kind of document says the same
SET ROLE regress_reader;
SELECT array_agg(1 + ((7 * k + 3 * v) % 11) / 10.0 ORDER BY k, v) AS init FROM generate_series(0, 2) AS k, generate_series(0, 29) AS v \gset
CREATE FUNCTION pg_temp.fitted(kind text, more text, OUT lambda float8[], OUT bounds float8[]) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT array_agg(l ORDER BY topic, o), min(bounds) FROM dp_lda_fit(''lda_documents'', 3, ''Infinity'', document_column => %L, iterations => 8%s) AS f,
        LATERAL unnest(lambda) WITH ORDINALITY AS u (l, o)', kind, more) INTO lambda, bounds;
END$$;
CREATE FUNCTION pg_temp.far(a float8[], b float8[]) RETURNS float8 LANGUAGE sql AS $$ SELECT max(abs(x - y)) FROM ROWS FROM (unnest(a), unnest(b)) AS u (x, y) $$;
SELECT lambda AS plain, bounds FROM pg_temp.fitted('ids', format(', document_length => 0, init_topics => %L', :'init')) \gset
SELECT kind, pg_temp.far(f.lambda, :'plain') < 1e-6 AS same, pg_temp.far(f.bounds, :'bounds') < 1e-5 AS same_bounds
  FROM unnest('{counted,words,vector}'::text[]) AS kind, LATERAL pg_temp.fitted(kind, format(', document_length => 0, init_topics => %L', :'init')) AS f ORDER BY 1;
SELECT bool_and(b > before) AS bounds_rise, count(*) FROM (SELECT b, lag(b) OVER () AS before FROM unnest(:'bounds'::float8[]) AS b) AS u;
-- all words are shared out; every document scaled to a length, or drawn anew to it, weighs the same, and a clip takes from it
SELECT near(sum(l), 3 * 30 / 3.0 + 60000, 1e-9) AS mass FROM unnest(:'plain'::float8[]) AS l;
SELECT more, near((SELECT sum(l) FROM unnest(lambda) AS l), 3 * 30 / 3.0 + 1000 * 100, 1e-9) AS mass, (SELECT sum(l) FROM unnest(lambda) AS l) < 1000 * 50 AS clipped
  FROM unnest('{document_length => 100,"document_length => 100, resample => true","document_length => 100, clip_fraction => 0.05"}'::text[]) AS more, LATERAL pg_temp.fitted('ids', ', ' || more) ORDER BY more COLLATE "C";
-- the topics that the documents were made of
SELECT array_agg((SELECT string_agg(DISTINCT left(t, 1), '') FROM unnest(terms[1:6]) AS t) ORDER BY terms[1]) AS letters, near(sum(weight), 1) AS whole, count(model) AS models
  FROM dp_lda_fit('lda_documents', 3, 'Infinity', document_column => 'vector', iterations => 40);
RESET ROLE;

-- rows that are no documents count for nothing and raise nothing; terms beyond the vocabulary are ignored
SET ROLE regress_owner;
INSERT INTO lda_documents (ids, counted, words, vector) VALUES (NULL, NULL, NULL, NULL), ('{}', '{}', '{}', ''), ('{0,31,-2147483648,2147483647}', '{{0,31},{1,1}}', '{d0,A0,NULL}', 'zz A0');
INSERT INTO lda_documents (ids, counted, words, vector) VALUES ('{1,NULL}', '{{1,2},{1,0}}', '{{a0,a1},{a2,a3}}', NULL), ('{{1,2},{3,-1}}', '{{1,2},{1,2},{1,2}}', '{"",é}', 'é'),
    ('{{{1}},{{2}}}', '{{1,2},{2147483647,2147483647}}', NULL, NULL);
SET ROLE regress_reader;
SELECT kind, pg_temp.far(f.lambda, :'plain') < 1e-6 AS same FROM unnest('{ids,counted,words,vector}'::text[]) AS kind, LATERAL pg_temp.fitted(kind, format(', document_length => 0, init_topics => %L', :'init')) AS f ORDER BY 1;
-- parallel workers say the same
SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET max_parallel_workers_per_gather = 2;
SELECT pg_temp.far(f.lambda, :'plain') < 1e-6 AS same FROM pg_temp.fitted('counted', format(', document_length => 0, init_topics => %L', :'init')) AS f;
RESET min_parallel_table_scan_size; RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET max_parallel_workers_per_gather;
RESET ROLE;

-- Epsilon 50 on 1000 documents: the topics' terms are those that they were made of (noise of tens of words an entry beside thousands; false alarms below 1e-12).
SET ROLE regress_analyst;
CREATE TEMP TABLE lda_calls AS
SELECT d AS name, d AS dataset, format('%L, 3, 50, document_column => %L', d, 'ids') AS arguments FROM unnest('{lda_documents,lda_units,lda_guests}'::text[]) AS d
UNION ALL SELECT 'lda_sampled', 'lda_guests', $$'lda_guests', 3, 50, sampling_rate => 0.25$$
UNION ALL SELECT 'lda_paper', 'lda_guests', $$'lda_guests', 3, 50, sampling_rate => 0.25, estimator => 'truncation', composition => 'ma', iterations => 30, tau0 => 1$$;
CREATE FUNCTION pg_temp.check_fit(arguments text, name text, OUT topics bigint, OUT whole boolean, OUT named boolean, OUT inside boolean)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*), near(sum(weight), 1), bool_and(model = %L), bool_and(lambda IS NULL AND bounds IS NULL) FROM dp_lda_fit(%s, model => %L)', name, arguments, name)
       INTO STRICT topics, whole, named, inside;
END$$;
SELECT name, f.* FROM lda_calls, LATERAL pg_temp.check_fit(arguments, name) AS f ORDER BY name;
SELECT model, count(DISTINCT topic) AS topics, bool_and(near(w, 1)) AS distributions, bool_and(ranks = 30) AS ranked
  FROM (SELECT model, topic, sum(weight) AS w, count(DISTINCT rank) FILTER (WHERE rank BETWEEN 1 AND 30) AS ranks FROM dpem.lda_topics GROUP BY 1, 2) AS t GROUP BY 1 ORDER BY 1;
SELECT model, string_agg(letters, ' ' ORDER BY letters) AS letters
  FROM (SELECT model, topic, string_agg(DISTINCT left(term, 1), '') AS letters FROM dpem.lda_topics WHERE rank <= 4 GROUP BY 1, 2) AS t WHERE model IN ('lda_documents', 'lda_units', 'lda_guests') GROUP BY 1 ORDER BY 1;
SELECT model, family, components, dimensions, estimator, composition, iterations FROM dpem.models WHERE family = 'lda' ORDER BY 1;
SELECT model, count(*) AS topics, near(sum(weight), 1) AS whole, near(min(alpha), 1 / 3.0) AS alpha, near(min(alpha / weight), max(alpha / weight)) AS by_weight FROM dpem.lda_topic_weights GROUP BY 1 ORDER BY 1;

-- the plan says what the ledger says
CREATE FUNCTION pg_temp.compare_plan(arguments text, name text, OUT lines bigint, OUT same boolean, OUT whole boolean)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(DISTINCT p.line), bool_and(p.mechanism = l.mechanism AND p.releases = l.releases AND near(p.noise_multiplier, l.noise_multiplier)
                        AND near(p.mu_squared, l.mu_squared, 1e-6)),
                    bool_and(near((SELECT mu_squared FROM dp_lda_plan(%s) WHERE statistic = %L), (SELECT sum(mu_squared) FROM dpem.ledger WHERE charge = m.charge), 1e-6))
                    FROM dpem.models AS m JOIN dpem.ledger AS l USING (charge) LEFT JOIN dp_lda_plan(%s) AS p USING (line) WHERE m.model = %L',
                   arguments, 'total', arguments, name) INTO STRICT lines, same, whole;
END$$;
SELECT charges() AS before \gset
SELECT name, p.* FROM lda_calls, LATERAL pg_temp.compare_plan(arguments, name) AS p ORDER BY name;
SELECT charges() = :before AS nothing_spent;
SELECT model, l.statistic, l.mechanism, releases, rows_per_unit, adjacency, sampling, round(sampling_rate::numeric, 6) AS rate FROM dpem.ledger AS l JOIN dpem.models USING (charge) WHERE family = 'lda' ORDER BY model, line;

-- Noise by the proofs, in words: a document is clipped to a * length and moves the sum by that, and by sqrt 2 times that where it is replaced.
-- Of a document's gains, in nats per word, 0.5.
SELECT dataset, clip, statistic, near(sensitivity, s, 1e-6) AS sensitivity, near(noise_stddev, noise_multiplier * s, 1e-6) AS noise
  FROM (SELECT d AS dataset, clip, p.*, CASE d WHEN 'lda_guests' THEN 1 ELSE sqrt(2) END * CASE d WHEN 'lda_units' THEN 2 ELSE 1 END * CASE p.statistic WHEN 'choice: sums' THEN 0.5 ELSE 200 * clip END AS s
          FROM unnest('{lda_documents,lda_units,lda_guests}'::text[]) AS d, unnest('{0.1,1}'::float8[]) AS clip, LATERAL dp_lda_plan(d, 3, 1, 1e-5, document_column => 'ids', document_length => 200, clip_fraction => clip) AS p) AS p
 WHERE line IS NOT NULL ORDER BY dataset, clip, statistic;
-- the mean words of a topic and term, where the number of documents is public, and what noise is beside it
SELECT epsilon, regexp_replace(statistic, ',.*', '') AS statistic, near(noise_stddev, 1000 * 500 / 90.0, 0.1) AS mean FROM unnest('{0.01,100}'::float8[]) AS epsilon, LATERAL dp_lda_plan('lda_documents', 3, epsilon, document_column => 'ids') WHERE statistic ~ 'mean words' ORDER BY 1;
-- the parts of the budget: of the first release, and of the choice of alpha unless it is given
SELECT d AS dataset, more, round((max(mu_squared) FILTER (WHERE statistic = 'terms: sums') / max(mu_squared) FILTER (WHERE statistic = 'total'))::numeric, 4) AS terms,
       round((max(mu_squared) FILTER (WHERE statistic = 'choice: sums') / max(mu_squared) FILTER (WHERE statistic = 'total'))::numeric, 4) AS choice
  FROM (SELECT d, 'alpha chosen' AS more, p.* FROM unnest('{lda_documents,lda_guests}'::text[]) AS d, LATERAL dp_lda_plan(d, 30, 1, document_column => 'ids', composition => 'zcdp') AS p
        UNION ALL SELECT 'lda_documents', 'alpha given', p.* FROM dp_lda_plan('lda_documents', 30, 1, document_column => 'ids', composition => 'zcdp', alpha => 1) AS p
        UNION ALL SELECT 'lda_documents', 'one topic', p.* FROM dp_lda_plan('lda_documents', 1, 1, document_column => 'ids', composition => 'zcdp') AS p) AS p GROUP BY 1, 2 ORDER BY 1, 2;
-- every composition costs what was asked for by its own count
SELECT composition, near(CASE composition WHEN 'exact' THEN epsilon_exact WHEN 'zcdp' THEN epsilon_zcdp WHEN 'rdp' THEN epsilon_rdp ELSE epsilon_ma END, 0.5, 1e-5) AS as_asked
  FROM unnest('{exact,zcdp,rdp,ma}'::text[]) AS composition, LATERAL dp_lda_plan('lda_documents', 3, 0.5, 1e-5, document_column => 'ids', composition => composition) WHERE statistic = 'total' ORDER BY 1;

-- use: mixtures of documents in every form, and perplexities, free of charge
SELECT near((SELECT sum(p) FROM unnest(dp_lda_transform('lda_documents', '{1,2,3,1}'::int[])) AS p), 1) AS whole,
       dp_lda_transform('lda_documents', '{1,1,2,3}'::int[]) = dp_lda_transform('lda_documents', '{{1,2,3},{2,1,1}}'::int[]) AS counted,
       pg_temp.far(dp_lda_transform('lda_documents', '{1,1,2,3}'::int[]), dp_lda_transform('lda_documents', '{a2,a0,nothing,a1,a0}'::text[])) < 1e-6 AS words,
       pg_temp.far(dp_lda_transform('lda_documents', '{1,1,2,3}'::int[]), dp_lda_transform('lda_documents', 'a0:1,5 a1:2 a2:9 zz:3'::tsvector)) < 1e-6 AS vector,
       pg_temp.far(dp_lda_transform('lda_documents', '{1,1,2,3}'::int[]), dp_transform('lda_documents', ARRAY[2, 1, 1] || array_fill(0, '{27}'))) < 1e-6 AS all_terms,
       pg_temp.far(dp_lda_transform('lda_documents', '{}'::int[]), (SELECT array_agg(weight ORDER BY topic) FROM dpem.lda_topic_weights WHERE model = 'lda_documents')) < 1e-6 AS empty;
SELECT count(DISTINCT t) AS topics FROM (SELECT (SELECT o FROM unnest(dp_lda_transform('lda_documents', ARRAY[w, w, w, w])) WITH ORDINALITY AS u (p, o) ORDER BY p DESC LIMIT 1) AS t FROM unnest('{a0,b0,c0}'::text[]) AS w) AS d;
RESET ROLE;
GRANT SELECT ON lda_documents TO regress_analyst;
SET ROLE regress_analyst;
SELECT near(dp_lda_perplexity('lda_documents', ids), dp_lda_perplexity('lda_documents', words), 1e-2) AS same, dp_lda_perplexity('lda_documents', ids) BETWEEN 5 AND 25 AS well_below_30 FROM lda_documents WHERE id < 300;
SELECT dp_lda_perplexity('lda_documents', ids) FROM lda_documents WHERE false;
SELECT attempt(format('SELECT %s', call)) FROM (VALUES (1, $$dp_lda_transform('lda_documents', '{{1,2},{3,0}}'::int[])$$), (2, $$dp_lda_transform('lda_documents', '{1,NULL}'::int[])$$), (3, $$dp_lda_transform('none', '{1}'::int[])$$),
    (4, $$dp_transform('lda_documents', '{1}')$$), (5, $$dp_sample('lda_documents', 1)$$), (6, $$dpem_internal.lda_perplexity_transition('{0,0}', 'lda_documents', '{1}'::int[])$$),
    (7, $$dp_lda_perplexity(NULL, '{1}'::int[])$$)) AS v (n, call) ORDER BY n;
SET ROLE regress_other;
SELECT count(*) FROM dpem.lda_topics;
SELECT attempt($$SELECT dp_lda_transform('lda_documents', '{1}'::int[])$$), attempt($$SELECT * FROM dpem_internal.lda_parameter$$);
SET ROLE regress_analyst;
SELECT dp_grant_model('lda_documents', 'regress_other');
SET ROLE regress_other;
SELECT count(*) FROM dpem.lda_topics;
SET ROLE regress_analyst;
-- two runs differ: nothing of a run is the data alone
SELECT count(*) FROM dp_lda_fit('lda_documents', 2, 0.5, document_column => 'ids', model => 'lda_one', iterations => 2, alpha => 0.5);
SELECT count(*) FROM dp_lda_fit('lda_documents', 2, 0.5, document_column => 'ids', model => 'lda_two', iterations => 2, alpha => 0.5);
SELECT count(DISTINCT weight) > 100 AS varies FROM dpem.lda_topics WHERE model IN ('lda_one', 'lda_two');

-- Where noise hides the topics all of the budget goes to the words of all documents: topics that are the same (noise of ten times the words and more), and it is said.
SELECT count(*) FROM dp_lda_fit('lda_documents', 30, 1e-3, document_column => 'ids', model => 'lda_hidden');
SELECT count(DISTINCT t.weight) AS weights, near(sum(w.alpha), 1e6, 1e-6) AS concentrated FROM dpem.lda_topics AS t JOIN dpem.lda_topic_weights AS w USING (model, topic) WHERE model = 'lda_hidden' GROUP BY term ORDER BY term LIMIT 1;

-- refused before anything is spent
SELECT charges() AS before \gset
SELECT n, attempt(format('SELECT count(*) FROM dp_lda_fit(%s)', arguments)) FROM (VALUES
    (1, $$'lda_documents', 3, 1$$), (2, $$'lda_documents', 3, 1, document_column => 'nothing'$$), (3, $$'lda_documents', 3, 1, document_column => 'body'$$), (4, $$'lda_guests', 0, 1$$),
    (5, $$'lda_guests', 501, 1$$), (6, $$'lda_guests', 3, 0$$), (7, $$'lda_guests', 3, 1, clip_fraction => 0$$), (8, $$'lda_guests', 3, 1, clip_fraction => 1.5$$), (9, $$'lda_guests', 3, 1, clip_fraction => 'NaN'$$),
    (10, $$'lda_guests', 3, 1, document_length => 0$$), (11, $$'lda_guests', 3, 1, document_length => -1$$), (12, $$'lda_guests', 3, 1, alpha => 0$$), (13, $$'lda_guests', 3, 1, eta => 'Infinity'$$),
    (14, $$'lda_guests', 3, 1, kappa => 2$$), (15, $$'lda_guests', 3, 1, tau0 => -1$$), (16, $$'lda_guests', 3, 1, estimator => 'best'$$), (17, $$'lda_guests', 3, 1, init_topics => '{1,2,3}'$$),
    (18, $$'lda_guests', 3, 1, init_topics => '{0}'$$), (19, $$'lda_documents', 3, 1, document_column => 'ids', sampling_rate => 0.5$$), (20, $$'lda_guests', 3, 1, iterations => 0$$),
    (21, $$'lda_guests', 3, 1, model => 'lda_one'$$), (22, $$'lda_guests', 3, 'Infinity'$$)) AS v (n, arguments) ORDER BY n;
SELECT attempt($$SELECT dp_lda_plan('lda_guests', 3, 'Infinity')$$), attempt($$SELECT dp_gmm_fit('lda_guests', 3, 1, columns => '{ids}')$$);
SELECT charges() = :before AS nothing_spent;
SET ROLE regress_other;
SELECT attempt($$SELECT dp_lda_fit('lda_guests', 3, 1)$$), attempt($$SELECT dp_lda_plan('lda_guests', 3, 1)$$);

RESET ROLE;
SET ROLE regress_analyst;
-- the number of topics is chosen among several by one release: the three that the documents were made of (false alarms below 1e-12)
SELECT charges() AS before \gset
SELECT count(*) AS topics FROM dp_lda_fit('lda_documents', '{1,2,3}'::int[], 50, document_column => 'ids', model => 'lda_chosen');
SELECT charges() - :before AS charges;
SELECT c.k, c.chosen, c.k = m.components AS the_models, c.score <= c.log_likelihood AS penalised FROM dpem.model_choices AS c JOIN dpem.models AS m USING (model) WHERE model = 'lda_chosen' ORDER BY 1;
SELECT near(sum(weight), 1) AS whole, near(min(alpha / weight), max(alpha / weight)) AS by_weight FROM dpem.lda_topic_weights WHERE model = 'lda_chosen';
SELECT statistic, noise_stddev FROM dp_lda_plan('lda_guests', '{1,3}', 1) WHERE statistic ~ 'candidates';
SELECT charges() AS before \gset
SELECT n, attempt(format('SELECT count(*) FROM dp_lda_fit(%s)', arguments)) FROM (VALUES
    (1, $$'lda_guests', '{2,3}', 1, alpha => 0.5$$), (2, $$'lda_guests', '{2,3}', 1, estimator => 'truncation'$$), (3, $$'lda_guests', '{1,2}', 1, init_topics => '{1}'$$), (4, $$'lda_guests', '{0,2}', 1$$),
    (5, $$'lda_guests', '{2,501}', 1$$), (6, $$'lda_guests', '{200,301}', 1$$), (7, $$'lda_guests', '{1,2,3,4,5}', 1$$), (8, $$'lda_guests', ARRAY(SELECT generate_series(1, 17)), 1$$)) AS v (n, arguments) ORDER BY n;
SELECT charges() = :before AS nothing_spent;
SET client_min_messages = warning;
SELECT count(*) AS least FROM dp_lda_fit('lda_documents', '{2,20}', 1e-3, document_column => 'ids', model => 'lda_least');
RESET client_min_messages;
SELECT count(*) BETWEEN 2 AND 3 AS without_noise FROM dp_lda_fit('lda_documents', '{1,2,3}', 'Infinity', document_column => 'ids', iterations => 40);

-- how good topics are on private documents: without noise as dp_lda_perplexity says, in intervals with it
SET ROLE regress_analyst;
CREATE TEMP TABLE lda_exactly AS SELECT * FROM dp_evaluate('lda_documents', 'lda_documents', 'Infinity', document_column => 'ids', document_length => 100000, range => '{-50,0}');
SELECT e.metric, near(e.value, CASE e.metric WHEN 'words' THEN 30 * 1000 WHEN 'perplexity' THEN p.perplexity ELSE -ln(p.perplexity) END, 1e-9) AS exact, e.noise_stddev
  FROM lda_exactly e, (SELECT dp_lda_perplexity('lda_documents', ids) AS perplexity FROM lda_documents WHERE id IS NOT NULL) AS p ORDER BY 1;
SELECT d AS dataset, e.metric, abs(e.value - x.value) < 10 * e.noise_stddev AND (e.ci_lower <= e.value AND e.value <= e.ci_upper) AS near, e.noise_stddev > 0 AS noise
  FROM unnest('{lda_documents,lda_units,lda_guests}'::text[]) AS d, dp_evaluate('lda_documents', d, 20, document_column => 'ids', document_length => 30, range => '{-10,0}') AS e JOIN lda_exactly x USING (metric) ORDER BY 1, 2;
SELECT e.metric, e.value BETWEEN CASE metric WHEN 'words' THEN 6000 ELSE -4 END AND CASE metric WHEN 'words' THEN 24000 ELSE 30 END AS sensible FROM dp_evaluate('lda_documents', 'lda_documents', 20, document_column => 'ids', holdout => 0.5, part => 'holdout') AS e ORDER BY 1;
SELECT statistic, mechanism, sensitivity, noise_stddev > 0 AS noise FROM dp_evaluate_plan('lda_documents', 'lda_guests', 1, document_length => 30, range => '{-10,0}');
SELECT model, metric, count(*) FROM dpem.evaluations WHERE model = 'lda_documents' GROUP BY 1, 2 ORDER BY 1, 2;
SELECT charges() AS before \gset
SET ROLE regress_owner;
SELECT dp_register_dataset('lda_other', 'lda_units', 1000, 1e-4, unit => 'person', max_rows_per_unit => 2), dp_register_text('lda_other', 'ids', '{a,b,c}'::text[]), dp_grant_budget('regress_analyst', 'lda_other', 900, 1e-4);
SET ROLE regress_analyst;
SELECT n, attempt(format('SELECT count(*) FROM dp_evaluate(%s)', arguments)) FROM (VALUES
    (1, $$'lda_documents', 'lda_other', 1$$), (2, $$'lda_documents', 'lda_documents', 1$$), (3, $$'lda_documents', 'lda_guests', 1, document_length => 0$$),
    (4, $$'lda_documents', 'lda_guests', 1, document_length => 100001$$), (5, $$'lda_documents', 'lda_guests', 1, range => '{0,-1}'$$), (6, $$'lda_documents', 'lda_guests', 1, target => 'ids'$$),
    (7, $$'lda_documents', 'lda_guests', 1, document_column => 'words'$$), (8, $$'lda_documents', 'lda_guests', 1, part => 'holdout'$$)) AS v (n, arguments) ORDER BY n;
SELECT charges() = :before AS nothing_spent;

-- leave nothing behind for the tests that follow
SET ROLE regress_analyst;
SELECT count(dp_drop_model(model)) AS dropped FROM dpem.models WHERE family = 'lda';
RESET ROLE;
SELECT count(*) AS left_over FROM dpem_internal.lda_parameter;
SET ROLE regress_owner;
SELECT count(dp_drop_dataset(d)) FROM unnest('{lda_documents,lda_units,lda_guests,lda_other}'::text[]) AS d;
DROP TABLE lda_documents, lda_units, lda_guests;
DROP FUNCTION lda_word(int);
RESET ROLE;
