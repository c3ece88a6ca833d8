-- dp_model_sql of columns that are dates and times, and of others that are not double precision: in any session what dp_predict gives
\pset null -
SET ROLE regress_owner;
CREATE TYPE export_mood AS ENUM ('calm', 'it''s');
CREATE TABLE export_times AS SELECT date '2022-01-01' + i % 900 AS "on day", timestamp '2022-01-01' + i * interval '4 h 7.123456 s' AS seen, timestamptz '2022-01-01Z' + i * 17 % 3001 * interval '7 h' AS at,
       (i % 7)::smallint AS small, (i * 31 % 11)::bigint AS big, (i * 5 % 13 / 7.0)::numeric AS exact, i % 3 = 0 AS flag, (ARRAY['calm', 'it''s'])[1 + i % 2]::export_mood AS mood, i * 7 % 3 AS code,
       i % 900 / 10.0 + i * 17 % 3001 / 30.0 AS y, (ARRAY['early', 'late'])[1 + (i % 900 + i % 100) / 500] AS label FROM generate_series(1, 3000) AS i;
ANALYZE export_times;
SELECT dp_register_dataset('export_times', 'export_times', 1000, 1e-4);
SELECT count(*) FROM (SELECT dp_register_column('export_times', 'on day', '2022-01-01', '2024-06-30'), dp_register_column('export_times', 'seen', '2022-01-01', '2023-12-31'),
       dp_register_column('export_times', 'at', '2022-01-01', '2024-12-31'), dp_register_column('export_times', 'small', 0, 6), dp_register_column('export_times', 'big', 0, 10), dp_register_column('export_times', 'exact', 0, 2),
       dp_register_column('export_times', 'flag'), dp_register_column('export_times', 'mood'), dp_register_column('export_times', 'code', '{0,1,2}'), dp_register_column('export_times', 'y', 0, 200), dp_register_column('export_times', 'label', '{early,late}')) AS r;
SELECT dp_grant_budget('regress_analyst', 'export_times', 900, 1e-4);
SET ROLE regress_analyst;
SET client_min_messages = warning;
\set columns '''{on day,seen,at,small,big,exact,flag,mood,code}'''
\set numbers '''{on day,seen,at,small,big,exact}'''
SELECT count(*) > 0 AS fitted FROM (SELECT model FROM dp_linreg_fit('export_times', 'y', 9, columns => :columns, model => 'export_linreg')
    UNION ALL SELECT model FROM dp_linreg_fit('export_times', 'y', 9, columns => :columns, missing => 'complete', model => 'export_complete')
    UNION ALL SELECT model FROM dp_linreg_fit('export_times', 'at', 9, columns => '{on day,seen,y}', model => 'export_time') UNION ALL SELECT model FROM dp_linreg_fit('export_times', 'y', 9, columns => '{big,small}', model => 'export_plain')
    UNION ALL SELECT model FROM dp_logit_fit('export_times', 'label', 9, columns => :columns, model => 'export_logit') UNION ALL SELECT model FROM dp_svm_fit('export_times', 'label', 9, columns => :columns, model => 'export_svm')
    UNION ALL SELECT model FROM dp_gam_fit('export_times', 'y', 9, bins => 5, columns => :columns, pairs => '{on day:at}', model => 'export_gam') UNION ALL SELECT model FROM dp_bayes_fit('export_times', 'label', 9, columns => :columns, model => 'export_bayes')
    UNION ALL SELECT model FROM dp_kmeans_fit('export_times', 3, 9, columns => :numbers, model => 'export_kmeans') UNION ALL SELECT model FROM dp_gmm_fit('export_times', 2, 9, columns => :numbers, model => 'export_gmm')) AS f;
RESET client_min_messages;
-- some beyond the domains, infinite, or of years that few calendars have
CREATE TEMP TABLE x1 AS SELECT date '2021-06-01' + i * 5 AS "on day", timestamp '2021-06-01' + i * interval '75 h 7.123456 s' AS seen, timestamptz '2021-06-01Z' + i * interval '99 h' AS at, (i % 9 - 1)::smallint AS small, i % 13 AS big, i % 17 / 7.0 AS exact,
       i % 3 = 0 AS flag, (ARRAY['calm', 'it''s', NULL])[1 + i % 3]::export_mood AS mood, i % 4 AS code, 2.5 AS s1, i AS x2, 50.0 AS y FROM generate_series(1, 300) AS i
  UNION ALL SELECT d::date, t::timestamp, z::timestamptz, 3, 4, 1, flag, 'calm', 1, 2.5, 0, 50 FROM (VALUES (NULL, NULL, NULL), ('infinity', 'infinity', 'infinity'), ('-infinity', '-infinity', '-infinity'), ('2023-01-01', '-infinity', '2023-01-01'), ('2023-01-01', '2023-01-01', 'infinity'), ('infinity', '2023-01-01', '2023-01-01'),
    ('0044-03-15 BC', '0044-03-15 12:00 BC', '0044-03-15 12:00 BC'), ('12022-03-15', '12022-03-15 01:02:03.000004', '12022-03-15 01:02:03.000004'), ('5874897-12-31', '294276-12-31', '294276-12-31'), ('1999-12-31', '1999-12-31 23:59:59.999999', '1999-12-31 23:59:59.999999Z')) AS n (d, t, z), unnest('{t,f,NULL}'::boolean[]) AS flag;
SET timezone = 'Asia/Kathmandu';
SET datestyle = 'German, DMY';
SELECT m.model, o.output, b.* FROM unnest('{linreg,complete,time,logit,svm,gam,bayes,kmeans,gmm}'::text[]) WITH ORDINALITY AS m (model, n),
    (VALUES (1, 'value', 'dp_predict_value'), (2, 'label', 'dp_predict_label'), (3, 'class', 'dp_predict'), (4, 'posterior', 'dp_posterior')) AS o (i, output, use),
    LATERAL exported('export_' || m.model, o.output, o.use) AS b
 WHERE CASE WHEN m.model IN ('linreg', 'complete', 'time', 'gam') THEN o.output = 'value' WHEN m.model = 'kmeans' THEN o.output = 'class'
            WHEN m.model = 'gmm' THEN o.output IN ('class', 'posterior') WHEN m.model = 'svm' THEN o.output IN ('label', 'class') ELSE o.output <> 'value' END
 ORDER BY m.n, o.i;
-- a coordinate is what a fit reads
SELECT dp_model_sql('export_complete') AS value \gset
SELECT bool_and(near(:value, dp_predict_value('export_complete', ARRAY[dpem_internal.days("on day"), dpem_internal.seconds(seen), dpem_internal.seconds(at), small, big, exact, (flag IS FALSE)::int, flag::int, (mood = 'calm')::int, (mood = 'it''s')::int, (code = 0)::int, (code = 1)::int, (code = 2)::int]), 1e-9)) AS same
  FROM x1 WHERE isfinite("on day") AND isfinite(seen) AND isfinite(at) AND flag IS NOT NULL AND mood IS NOT NULL;
-- a date for a time is its midnight, a time for a date its day; what is none is refused
SELECT near(dp_predict_value('export_complete', r || '{"on day": "2023-05-06T23:59:59"}'), dp_predict_value('export_complete', r)) AS day,
       near(dp_predict_value('export_complete', r || '{"seen": "2023-05-06", "at": "2023-05-06"}'), dp_predict_value('export_complete', r || '{"seen": "2023-05-06T00:00", "at": "2023-05-06T00:00Z"}')) AS midnight,
       attempt(format('SELECT dp_predict_value(%L, %L::jsonb)', 'export_complete', r || '{"on day": "tomorrow"}')) AS word, attempt(format('SELECT dp_predict_value(%L, %L::jsonb)', 'export_complete', r || '{"big": "many"}')) AS number,
       attempt(format('SELECT dp_predict_value(%L, %L::jsonb)', 'export_complete', r || '{"big": "2023-05-06"}')) AS no_date, attempt(format('SELECT dp_predict_value(%L, %L::jsonb)', 'export_plain', r || '{"big": "2023-05-06"}')) AS none
  FROM (SELECT '{"on day": "2023-05-06", "seen": "2023-05-06T07:08:09", "at": "2023-05-06T07:08:09+02", "small": 1, "big": 2, "exact": 1.5, "flag": true, "mood": "calm", "code": 1}'::jsonb) AS o (r);
-- a model that has moved knows, too, but for documents in which nothing of it stands
SELECT dp_model_json('export_complete') AS document, dp_model_sql('export_complete') AS value \gset
RESET ROLE;
SELECT dp_model_from_json(:'document', 'export_moved') = 'export_moved' AS moved;
SELECT dp_model_sql('export_moved') = :'value' AS same;
-- equal components share a row equally, however far out it is
SELECT dp_model_json('export_gmm') AS gmm \gset
SELECT dp_model_from_json(jsonb_set(:'gmm', '{tables,gmm_parameter}', (SELECT jsonb_agg(:'gmm'::jsonb #> '{tables,gmm_parameter,0}' || jsonb_build_object('component', c, 'weight', 0.5)) FROM generate_series(1, 2) AS c)), 'export_equal') = 'export_equal' AS moved;
SELECT * FROM exported('export_equal', 'posterior', 'dp_posterior');
-- every day ends at midnight; a date may have an offset, too; what no date can be is refused
SELECT dp_model_from_json(jsonb_set(:'document', '{tables,linreg_parameter,0,target_upper}', '1e9'), 'export_far') = 'export_far' AS moved;
SELECT dp_predict_value('export_far', r || '{"on day": "2400-01-01T23:59:59.999999"}') = dp_predict_value('export_far', r || '{"on day": "2400-01-01"}') AS day,
       dp_predict_value('export_far', r || '{"at": "2023-05-06+02"}') = dp_predict_value('export_far', r || '{"at": "2023-05-06T00:00+02"}') AS offset,
       (SELECT count(*) FROM unnest('{5874898-01-01,4714-11-23 BC,2023-02-29,2023-05-06+16}'::text[]) AS w, LATERAL attempt(format('SELECT dp_predict_value(%L, %L::jsonb)', 'export_far', r || jsonb_build_object('on day', w))) AS a WHERE a ~ '^22023: "on day" of the row') AS refused
  FROM (SELECT '{"on day": "2023-05-06", "seen": "2023-05-06T07:08:09", "at": "2023-05-06T07:08:09+02", "small": 1, "big": 2, "exact": 1.5, "flag": true, "mood": "calm", "code": 1}'::jsonb) AS o (r);
SELECT dp_model_from_json(:'document'::jsonb #- '{model,calendar}', 'export_older') = 'export_older' AS moved;
SELECT dp_model_sql('export_older') ~ 'extract' AS knows;
SELECT attempt(format('SELECT dp_model_from_json(%L, %L)', jsonb_set(:'document', '{model,calendar}', d), 'export_none')) FROM unnest(ARRAY['["date"]', '["time", null, null, null, null, null, null, null, null, null, null, null, null]',
    '[null, null, null, null, null, null, "date", null, null, null, null, null, null]']::jsonb[]) AS d;
SELECT count(dp_drop_model(model)) FROM dpem.models WHERE model ~ '^export_';
SET ROLE regress_owner;
SELECT dp_drop_dataset('export_times');
DROP TABLE export_times;
DROP TYPE export_mood CASCADE;
RESET ROLE;
