-- Topics of documents.

-- The aggregate of a pass over documents.  It adds no noise and releases
-- nothing by itself; everyone may call it on rows they can read.
CREATE FUNCTION dpem_internal.topic_counts_transition(internal, bytea, text[], VARIADIC "any")
RETURNS internal LANGUAGE c VOLATILE PARALLEL SAFE COST 1000 AS 'MODULE_PATHNAME', 'dpem_topic_counts_transition';
REVOKE ALL ON FUNCTION dpem_internal.topic_counts_transition(internal, bytea, text[], VARIADIC "any") FROM PUBLIC;
COMMENT ON FUNCTION dpem_internal.topic_counts_transition(internal, bytea, text[], VARIADIC "any") IS 'internal: support of dpem_internal.topic_counts';

CREATE AGGREGATE dpem_internal.topic_counts(pass bytea, vocabulary text[], VARIADIC "any") (
    SFUNC = dpem_internal.topic_counts_transition,
    STYPE = internal,
    SSPACE = 8388608,
    COMBINEFUNC = dpem_internal.moments_combine,
    SERIALFUNC = dpem_internal.moments_serialize,
    DESERIALFUNC = dpem_internal.moments_deserialize,
    FINALFUNC = dpem_internal.moments_final,
    FINALFUNC_MODIFY = READ_WRITE,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE dpem_internal.topic_counts(bytea, text[], VARIADIC "any") IS
'internal: words of documents by topic and term';

-- lambda: parameters of the topic's Dirichlet distribution, by term, in the order of the model's columns
CREATE TABLE dpem_internal.lda_parameter (
    model bigint NOT NULL,
    topic int NOT NULL,
    weight float8 NOT NULL,
    alpha float8 NOT NULL,
    lambda float8[] NOT NULL,
    PRIMARY KEY (model, topic)
);
COMMENT ON TABLE dpem_internal.lda_parameter IS 'internal: topic models; read dpem.lda_topics, lda_topic_weights';
REVOKE ALL ON dpem_internal.lda_parameter FROM PUBLIC;
SELECT pg_catalog.pg_extension_config_dump('dpem_internal.lda_parameter', '');

CREATE FUNCTION dp_lda_fit(dataset text, topics int, epsilon float8, delta float8 DEFAULT NULL,
    document_column text DEFAULT NULL, iterations int DEFAULT NULL, composition text DEFAULT NULL,
    clip_fraction float8 DEFAULT NULL, model text DEFAULT NULL, sampling_rate float8 DEFAULT NULL,
    document_length int DEFAULT 500, alpha float8 DEFAULT NULL, eta float8 DEFAULT NULL,
    tau0 float8 DEFAULT NULL, kappa float8 DEFAULT NULL, estimator text DEFAULT 'shrinkage',
    resample boolean DEFAULT NULL, init_topics float8[] DEFAULT NULL, filter text DEFAULT NULL)
RETURNS TABLE (model text, topic int, weight float8, terms text[], lambda float8[], bounds float8[])
LANGUAGE c VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 20 AS 'MODULE_PATHNAME', 'dp_lda_fit';
SELECT dpem_internal.complete_fit('lda',
    'fits topics to documents (latent Dirichlet allocation) under differential privacy, charges the caller''s budget, stores the model and returns each topic''s share of all words and its most probable terms', 4,
    ', in words, its cost under every composition, and whether the noise exceeds the mean number of words per topic and term');
SELECT dpem_internal.complete_choice('lda', 'topics');

CREATE FUNCTION dp_lda_transform(model text, document tsvector)
RETURNS float8[] LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 10000 AS 'MODULE_PATHNAME', 'dp_lda_transform';
COMMENT ON FUNCTION dp_lda_transform(text, tsvector) IS
'topic mixture of a document; free of charge';
CREATE FUNCTION dp_lda_transform(model text, document int[])
RETURNS float8[] LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 10000 AS 'MODULE_PATHNAME', 'dp_lda_transform';
COMMENT ON FUNCTION dp_lda_transform(text, int[]) IS
'topic mixture of a document, given by the numbers of its terms in the vocabulary, from 1, or by two rows, terms and counts; free of charge';
CREATE FUNCTION dp_lda_transform(model text, document text[])
RETURNS float8[] LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 10000 AS 'MODULE_PATHNAME', 'dp_lda_transform';
COMMENT ON FUNCTION dp_lda_transform(text, text[]) IS
'topic mixture of a document''s words; free of charge';

CREATE FUNCTION dpem_internal.lda_perplexity_final(float8[])
RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dpem_lda_perplexity_final';
COMMENT ON FUNCTION dpem_internal.lda_perplexity_final(float8[]) IS 'internal: support of dp_lda_perplexity';

-- for each type of documents
DO $$
DECLARE
    document text;
BEGIN
    FOREACH document IN ARRAY '{tsvector,int[],text[]}'::text[] LOOP
        EXECUTE format('CREATE FUNCTION dpem_internal.lda_perplexity_transition(float8[], text, %1$s) RETURNS float8[]'
            ' LANGUAGE c STABLE PARALLEL RESTRICTED COST 10000 AS %2$L, %3$L', document, 'MODULE_PATHNAME', 'dpem_lda_perplexity_transition');
        EXECUTE format('COMMENT ON FUNCTION dpem_internal.lda_perplexity_transition(float8[], text, %s) IS %L', document,
            'internal: support of dp_lda_perplexity');
        EXECUTE format('CREATE AGGREGATE dp_lda_perplexity(model text, document %s) (SFUNC = dpem_internal.lda_perplexity_transition,'
            ' STYPE = float8[], FINALFUNC = dpem_internal.lda_perplexity_final, INITCOND = ''{0,0}'', PARALLEL = RESTRICTED)', document);
        EXECUTE format('COMMENT ON AGGREGATE dp_lda_perplexity(text, %s) IS %L', document,
            'per-word perplexity of documents, one half of each predicted from its other half; NULL if there are none; free of charge');
    END LOOP;
END$$;

-- As in 10_catalog.sql: what stands in a view runs as whoever reads it.
SET LOCAL search_path = pg_catalog, pg_temp;

CREATE VIEW dpem.lda_topics WITH (security_barrier) AS
SELECT t.model, t.topic, t.term, t.lambda / t.total AS weight,
    pg_catalog.row_number() OVER (PARTITION BY t.model, t.topic ORDER BY t.lambda DESC, t.position)::int AS rank
FROM (
    SELECT m.name AS model, p.topic, u.term, u.lambda, u.position,
        pg_catalog.sum(u.lambda) OVER (PARTITION BY m.id, p.topic) AS total
    FROM dpem_internal.readable_model m JOIN dpem_internal.lda_parameter p ON p.model = m.id,
        LATERAL ROWS FROM (pg_catalog.unnest(m.columns), pg_catalog.unnest(p.lambda))
            WITH ORDINALITY AS u(term, lambda, position)) AS t;
COMMENT ON VIEW dpem.lda_topics IS
'terms of topics, one per row: the probability of the term in the topic, and its rank there, from 1';

CREATE VIEW dpem.lda_topic_weights WITH (security_barrier) AS
SELECT m.name AS model, p.topic, p.weight, p.alpha
FROM dpem_internal.readable_model m JOIN dpem_internal.lda_parameter p ON p.model = m.id;
COMMENT ON VIEW dpem.lda_topic_weights IS
'topics, one per row: their share of all words, and the parameter of a document''s topic mixture';

GRANT SELECT ON dpem.lda_topics, dpem.lda_topic_weights TO PUBLIC;

SET LOCAL search_path = @extschema@, pg_temp;
