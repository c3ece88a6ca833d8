# What rows hold reaches neither a message nor the number or kind of messages:
# an analyst who turns every setting up sees the same constants as anybody.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# The administrator logs every plan, also of inner statements.
my $node = new_people('messages', conf => q{
	log_min_messages = log
	session_preload_libraries = 'auto_explain'
	auto_explain.log_min_duration = 0
	auto_explain.log_nested_statements = on
	auto_explain.log_analyze = on
	auto_explain.log_verbose = on
	max_prepared_transactions = 2
	max_worker_processes = 16
});

create_people($node);

# The secret stands in one row and in nothing that the analyst writes.
my $secret = '7654321';
my $no_secret = qr/\A(?!.*$secret)/s;
my $loud = join ' ', map { "SET $_;" } (
	'client_min_messages = debug5', 'debug_print_parse = on', 'debug_print_rewritten = on',
	'debug_print_plan = on', 'debug_pretty_print = on', 'trace_sort = on',
	'check_function_bodies = on', 'extra_float_digits = 3', q{DateStyle = 'German'});

$node->safe_psql('postgres', qq{
	SET ROLE own;
	ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
	CREATE TABLE secrets (x float8, y float8, word text);
	INSERT INTO secrets SELECT i, i, 'word' FROM generate_series(1, 100) i;
	INSERT INTO secrets VALUES (0, $secret, 'word $secret');
	ANALYZE secrets;
	CREATE FUNCTION shout(x float8, y float8) RETURNS float8 LANGUAGE plpgsql AS \$\$
	BEGIN
		RAISE DEBUG 'row %', y;
		RAISE LOG 'row %', y;
		RAISE NOTICE 'row %', y;
		RAISE WARNING 'row %', y;
		RETURN x;
	END\$\$;
	CREATE FUNCTION inform(x float8, y float8) RETURNS float8 LANGUAGE plpgsql AS \$\$
	BEGIN
		RAISE INFO 'row %', y;
		RETURN x;
	END\$\$;
	CREATE FUNCTION fail(x float8, y float8) RETURNS float8 LANGUAGE plpgsql AS \$\$
	BEGIN
		IF x = 0 THEN
			RAISE EXCEPTION 'row %', y USING DETAIL = 'detail ' || y, HINT = 'hint ' || y,
				ERRCODE = 'DP001', COLUMN = 'column ' || y, CONSTRAINT = 'constraint ' || y,
				TABLE = 'table ' || y, SCHEMA = 'schema ' || y, DATATYPE = 'type ' || y;
		END IF;
		RETURN x;
	END\$\$;
	CREATE FUNCTION settle(x float8, y float8) RETURNS float8 LANGUAGE plpgsql AS \$\$
	BEGIN
		PERFORM set_config('application_name', 'name ' || y, false),
			set_config('client_min_messages', 'debug1', false), set_config('my.secret', y::text, false);
		RAISE NOTICE 'row %', y;
		RETURN x;
	END\$\$;
	CREATE FUNCTION cancel(x float8, y float8) RETURNS float8 LANGUAGE plpgsql AS \$\$
	BEGIN
		IF x = 0 THEN
			RAISE EXCEPTION 'row %', y USING ERRCODE = 'query_canceled';
		END IF;
		RETURN x;
	END\$\$;
	CREATE VIEW zero AS SELECT 1 / x AS x, y FROM secrets;
	CREATE VIEW cast_error AS SELECT x, word::float8 AS y FROM secrets;
	CREATE VIEW overflow AS SELECT x, (y * 1e305)::float8 * 10 AS y FROM secrets;
	CREATE VIEW raised AS SELECT public.fail(x, y) AS x, y FROM secrets;
	CREATE VIEW canceled AS SELECT public.cancel(x, y) AS x, y FROM secrets;
	CREATE VIEW noisy AS SELECT public.shout(x, y) AS x, y FROM secrets;
	CREATE VIEW informing AS SELECT public.inform(x, y) AS x, y FROM secrets;
	CREATE VIEW setting AS SELECT public.settle(x, y) AS x, y FROM secrets;
	SELECT dp_register_dataset(name, name, 100, 1e-2), dp_register_column(name, 'x', -10, 10),
		dp_register_column(name, 'y', -10, 10), dp_grant_budget('ana', name, 50, 1e-3)
	FROM unnest(ARRAY['zero', 'cast_error', 'overflow', 'raised', 'canceled', 'noisy', 'informing', 'setting']) name});

# Everything the client gets: output, messages of every field.
sub received
{
	my ($dataset, $settings) = @_;
	my $result = run_as($node, 'ana', "$settings; SELECT count(*) FROM " . fit($dataset)
		  . '; SELECT 1');

	return ("$result->{out}\n$result->{err}", $result);
}

# ---- a scan that fails -------------------------------------------------------

my $constant = qr{\Apsql:<stdin>:\d+:\ ERROR:\ \ DP003:\ the\ private\ source\ could\ not\ be\ scanned\n
	DETAIL:\ \ The\ charge\ stands\.\n
	HINT:\ \ The\ owner\ of\ the\ dataset\ finds\ the\ reason\ in\ the\ server\ log\.\n
	LOCATION:\ \ [^\n]*\z}x;

foreach my $case (
	[ 'zero', 'division by zero', 'division by zero' ],
	[ 'cast_error', 'invalid input syntax for type double precision: "word', 'bad casts' ],
	[ 'overflow', 'value out of range: overflow', 'overflow' ],
	[ 'raised', "row $secret", 'data-dependent errors' ])
{
	my ($dataset, $reason, $attack) = @$case;
	my $charges = charges($node);
	my $logged = -s $node->logfile;
	my ($got, $result) = received($dataset, '');

	like($result->{err}, $constant, "$attack: constant message");
	ok(slurp_file($node->logfile, $logged) =~ /dpem: scan of a private source failed: \Q$reason\E/,
		"$dataset: the server log has the reason");
	is(charges($node), $charges + 1, "$dataset: the charge stands");
	($got, $result) = received($dataset, $loud);
	like($got, $no_secret, "$dataset: no row in what a loud client receives");
	unlike($got, qr/dpem_internal\.moments|division|invalid input|out of range:|PL\/pgSQL/,
		"$dataset: nor the reason, nor the inner query");
	like($result->{err}, qr/ERROR:  DP003: the private source could not be scanned/, "$dataset: loud client, same message");
}
unlike((received('canceled', ''))[0], qr/$secret|CONTEXT/, 'a view that raises query_canceled: constant message');

# The exception can be caught; its fields are constants too.
is(run_as($node, 'ana', q{
	DO $$
	DECLARE
		m text; d text; h text; c text; col text; con text; typ text; tab text; sch text;
	BEGIN
		PERFORM * FROM } . fit('raised') . q{;
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS m = MESSAGE_TEXT, d = PG_EXCEPTION_DETAIL, h = PG_EXCEPTION_HINT,
			c = PG_EXCEPTION_CONTEXT, col = COLUMN_NAME, con = CONSTRAINT_NAME, typ = PG_DATATYPE_NAME,
			tab = TABLE_NAME, sch = SCHEMA_NAME;
		PERFORM set_config('ana.seen', concat_ws('|', SQLSTATE, m, d, col, con, typ, tab, sch), false);
		IF concat(m, d, h, c, col, con, typ, tab, sch) LIKE '%} . $secret . q{%' THEN
			PERFORM set_config('ana.seen', 'secret', false);
		END IF;
	END$$;
	SELECT current_setting('ana.seen')})->{out},
	'DP003|the private source could not be scanned|The charge stands.|||||', 'caught: constant fields');

# ---- a scan that talks -------------------------------------------------------

foreach my $settings ('', $loud)
{
	my $how = 'views with volatile functions, ' . ($settings ? 'client_min_messages = debug5' : 'quiet client');

	foreach my $dataset (qw(noisy informing setting))
	{
		my ($got, $result) = received($dataset, $settings);

		like($result->{out}, qr/2\n1$/, "$dataset, $how: the fit works");
		like($got, $no_secret, "$dataset, $how: no row in what it receives");
		unlike($got, qr/PL\/pgSQL function|dpem_internal\.moments/, "$dataset, $how: nothing from inside");
		is($result->{err}, '', "$dataset, $how: silence") unless $settings;
	}
}
{
	my $application = run_as($node, 'ana', q{SHOW application_name})->{out};
	my $result = run_as($node, 'ana', 'SELECT count(*) FROM ' . fit('setting')
		  . q{; SELECT coalesce(current_setting('my.secret', true), ''); SHOW application_name; SHOW client_min_messages});

	is($result->{out}, "2\n\n$application\nnotice", 'settings made by a view are gone');
}

# Plans, also analysed ones, are of the analyst's own statement.
foreach my $command ('EXPLAIN (ANALYZE, VERBOSE, BUFFERS, SETTINGS)', 'EXPLAIN (ANALYZE, FORMAT json)')
{
	my $result = run_as($node, 'ana', "$loud $command SELECT * FROM " . fit('noisy'));

	unlike("$result->{out}\n$result->{err}", qr/$secret|secrets|dpem_internal\.moments/, "plans of inner queries, debug_print_plan, auto_explain: $command");
}

# ---- queries inside ------------------------------------------------------------

# Whatever ends a query of the extension's own, the client is told what, not in which query.
$node->safe_psql('postgres', q{
	SET ROLE own;
	CREATE TABLE mixed (x float8, y float8, region text, words int[], late boolean);
	INSERT INTO mixed SELECT sin(i), cos(i), (ARRAY['north', 'south'])[1 + i % 2], ARRAY[1 + i % 3], i % 5 = 0 FROM generate_series(1, 100) i;
	SELECT dp_register_dataset('mixed', 'mixed', 1000, 0.1), dp_register_column('mixed', 'x', -1, 1), dp_register_column('mixed', 'y', -1, 1),
		dp_register_column('mixed', 'late', '{false,true}'::text[]), dp_register_text('mixed', 'words', '{1,2,3}');
	SELECT dp_grant_budget('ana', 'mixed', 1000, 0.1);
	CREATE TABLE spare (z float8, region text);
	SELECT dp_register_dataset('spare', 'spare', 1, 1e-5);
	CREATE TABLE persons (id int PRIMARY KEY); CREATE TABLE letters (person int REFERENCES persons);
	SELECT dp_register_dataset('persons', 'persons', 1, 1e-5, unit => 'public.persons.id');
	CREATE TABLE public_rows (x float8, y float8, late boolean);
	GRANT SELECT ON public_rows TO ana;
	SET ROLE ana;
	SELECT count(*) FROM dp_gmm_fit('mixed', 1, 1, model => 'm_gmm'), dp_kmeans_fit('mixed', 1, 1, model => 'm_kmeans'), dp_fa_fit('mixed', 1, 1, model => 'm_fa'),
		dp_pca_fit('mixed', 1, 1, model => 'm_pca'), dp_logit_fit('mixed', 'late', 1, model => 'm_logit'), dp_lda_fit('mixed', 1, 1, model => 'm_lda'),
		dp_linreg_fit('mixed', 'y', 1, columns => '{x}', model => 'm_linreg'), dp_bayes_fit('mixed', 'late', 1, model => 'm_bayes'),
		dp_sbn_fit('mixed', 1, 1, model => 'm_sbn'), dp_synth_fit('mixed', 1, bins => 3, rounds => 1, model => 'm_synth')});

# Every function that has such queries, by a call of it: role and arguments.  What is written in SQL reads nothing that
# its caller could not, and everybody sees its text in the catalog.
my %call = (
	(map { ("dp_${_}_fit" => [ 'ana', "('mixed', 1, 1)" ], "dp_${_}_plan" => [ 'ana', "('mixed', 1, 1)" ]) } qw(gmm kmeans fa pca lda mixture sbn)),
	(map { ("dp_gam_$_" => [ 'ana', "('mixed', 'y', 1)" ], "dp_svm_$_" => [ 'ana', "('mixed', 'late', 1)" ]) } qw(fit plan)),
	(map { ("dp_logit_$_" => [ 'ana', "('mixed', 'late', 1)" ], "dp_bayes_$_" => [ 'ana', "('mixed', 'late', 1)" ], "dp_linreg_$_" => [ 'ana', "('mixed', 'y', 1)" ]) } qw(fit plan)),
	(map { ("dp_synth_$_" => [ 'ana', "('mixed', 1)" ]) } qw(fit plan)), dp_tabulate => [ 'ana', "('m_synth', '{x}')" ], dp_association => [ 'ana', "('m_synth')" ],
	dp_importance => [ 'ana', "('m_synth', 'public_rows')" ], dp_sample_sql => [ 'ana', "('m_synth')" ],
	dp_count => [ 'ana', "('mixed', 1)" ], (map { ("dp_$_" => [ 'ana', "('mixed', 'x', 1)" ]) } qw(sum avg variance stddev histogram)),
	dp_covariance => [ 'ana', "('mixed', 'x', 'y', 1)" ], dp_statistic_plan => [ 'ana', "('count', 'mixed', 1)" ], dp_top_k => [ 'ana', "('mixed', 'late', 1, 1)" ],
	(map { ($_ => [ 'ana', "('mixed', 'x', 0.5, 1)" ]) } qw(dp_quantile dp_quantile_plan)), dp_budget_remaining => [ 'ana', "('mixed')" ],
	(map { ($_ => [ 'ana', "('m_gmm', '{0,0}')" ]) } qw(dp_predict dp_posterior dp_log_density)), dp_squared_distance => [ 'ana', "('m_kmeans', '{0,0}')" ],
	(map { ($_ => [ 'ana', "('m_linreg', '{0}'::float8[])" ]) } qw(dp_predict_value dp_predict_interval)), dp_predict_label => [ 'ana', "('m_logit', '{0,0}'::float8[])" ],
	dp_transform => [ 'ana', "('m_pca', '{0,0}')" ], dp_lda_transform => [ 'ana', "('m_lda', '{1,2}'::int[])" ], dp_sample => [ 'ana', "('m_gmm', 2)" ],
	dp_sample_rows => [ 'ana', "('m_gmm', 2) AS t(x float8)" ],
	(map { ($_ => [ 'ana', "('m_gmm', 'own')" ]) } qw(dp_grant_model dp_revoke_model)), (map { ("dp_${_}_models" => [ 'ana', "('mixed', 'own')" ]) } qw(grant revoke)), dp_drop_model => [ 'ana', "('m_gmm')" ], dp_refresh_model => [ 'ana', "('m_gmm')" ],
	dp_plot => [ 'ana', "('m_gmm')" ], dp_plot_loadings => [ 'ana', "('m_pca')" ], dp_plot_coefficients => [ 'ana', "('m_logit')" ],
	dp_plot_topics => [ 'ana', "('m_lda')" ], dp_plot_budget => [ 'ana', "('mixed')" ],
	dp_register_dataset => [ 'own', "('other', 'spare', 1, 1e-5)" ], dp_register_column => [ 'own', "('spare', 'z', 0, 1)" ],
	dp_register_person_column => [ 'own', "('persons', 'letters', 'count(letters)', 0, 1)" ],
	dp_register_key => [ 'own', "('spare', 'region')" ], dp_register_text => [ 'own', "('mixed', 'words', '{1,2}')" ], dp_drop_dataset => [ 'own', "('spare')" ],
	dp_acknowledge_restore => [ 'own', "('spare', 'none')" ], dp_check_ledger => [ 'own', "('spare')" ], dp_grant_budget => [ 'own', "('ana', 'spare', 1, 1e-6)" ],
	dp_revoke_budget => [ 'own', "('ana', 'mixed')" ], dp_exposure => [ 'own', "('mixed')" ], dp_publish => [ 'own', "('mixed', 'shown')" ],
	dp_choose_max_rows => [ 'own', "('persons', 1)" ],
	dp_alter_dataset => [ 'own', "('spare')" ], dp_unregister_column => [ 'own', "('spare', 'z')" ],
	(map { ("dp_describe$_" => [ 'ana', "('mixed', 1)" ], "dp_statistics$_" => [ 'ana', "('mixed', 1, '{count}')" ],
		"dp_quantiles$_" => [ 'ana', "('mixed', 'x', '{0.5}', 1)" ], "dp_evaluate$_" => [ 'ana', "('m_gmm', 'mixed', 1)" ]) } ('', '_plan')),
	(map { ($_ => [ 'ana', "('mixed', NULL, 1)" ]) } qw(dp_count_distinct dp_count_distinct_plan)),
	(map { ($_ => [ 'ana', "('mixed', 'x', 1)" ]) } qw(dp_bounds dp_bounds_plan dp_robust dp_robust_plan)),
	(map { ($_ => [ 'ana', "('mixed', 'late', 1)" ]) } qw(dp_feature_ranking dp_feature_ranking_plan)),
	dp_plot_evaluation => [ 'ana', "('m_gmm')" ], dp_model_json => [ 'ana', "('m_gmm')" ],
	(map { ("dp_model_$_" => [ 'ana', "('m_linreg')" ]) } qw(sql pmml)),
	dp_model_from_json => [ $node->safe_psql('postgres', 'SELECT current_user'), q{('{"family": "gmm"}', 'none')} ],
	dp_selftest => [ $node->safe_psql('postgres', 'SELECT current_user'), "('count')" ]);

is(join(' ', sort keys %call), $node->safe_psql('postgres', q{SELECT string_agg(DISTINCT p.proname, ' ' ORDER BY p.proname)
	FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'dpem'
	WHERE d.classid = 'pg_proc'::regclass AND d.deptype = 'e' AND p.proname COLLATE "C" LIKE 'dp\_%' AND p.provolatile <> 'i'
		AND p.prolang = (SELECT l.oid FROM pg_language l WHERE l.lanname = 'c')}),
	'there is a call of every function that looks anything up');

$node->safe_psql('postgres', 'CREATE SCHEMA shown AUTHORIZATION own');
# Somebody's lock on a table of the catalog, which they wait for a moment.
my %ended;
my $told = '';
foreach my $table (qw(dataset dataset_column role_number account account_source budget model gmm_parameter))
{
	$node->safe_psql('postgres', "BEGIN; LOCK TABLE dpem_internal.$table IN ACCESS EXCLUSIVE MODE; PREPARE TRANSACTION 'lock'");
	foreach my $role (qw(own ana), $call{dp_selftest}[0])
	{
		# a model is stored at last, for which a lock is waited for ten seconds, twice
		my @names = grep { $call{$_}[0] eq $role && (!/_fit$|selftest/ || $table =~ /^(dataset|model)$/) && (!/refresh/ || $table ne 'gmm_parameter') } sort keys %call;
		my $result = run_as($node, $role, "SET lock_timeout = 10; SET dpem.charge_timeout = 200; \\set SHOW_CONTEXT always\n"
			  . join "\n", map { "BEGIN; SELECT count(*) FROM $_$call{$_}[1];\n\\echo $_ :SQLSTATE\nROLLBACK;" } @names);

		$ended{$_}++ foreach $result->{out} =~ /^(dp_\w+) 55P03$/mg;
		$told .= $result->{err};
	}
	$node->safe_psql('postgres', q{ROLLBACK PREPARED 'lock'});
}
is(join(' ', grep { !$ended{$_} } sort keys %call), '', 'a query of every function ran into a lock');
my $inside = qr/^(?:CONTEXT|QUERY):.*|\b(?:FROM|INTO) dpem(?:_internal)?\.|dpem_internal\.moments/m;
unlike($told, $inside, 'a lock_timeout in a query of any function: its text is not told');

# Timeouts, cancellation and locks in a scan, of an analyst and of a reader of the rows, who may see what is wrong with one.
my $quick = 'SET statement_timeout = 500; \set SHOW_CONTEXT always' . "\n";
unlike(run_as($node, 'ana', "${quick}SELECT count(*) FROM " . fit('slow'))->{err}, $inside, 'statement_timeout in a scan: no query is told');
my $reader = run_as($node, 'own', "${quick}SELECT count(*) FROM dp_gmm_fit('slow', 2, 'Infinity', iterations => 2)");
like($reader->{err}, qr/ERROR:  57014: canceling statement due to statement timeout/, 'a reader is told what ended a scan');
unlike($reader->{err}, $inside, '... and not in which query');
my $failed = run_as($node, 'own', "\\set SHOW_CONTEXT always\nSELECT count(*) FROM dp_gmm_fit('raised', 2, 'Infinity', iterations => 2)");
like($failed->{err}, qr/ERROR:  DP001: row $secret/, 'a reader is told what is wrong with a row');
unlike($failed->{err}, $inside, '... and not in which query');
unlike(run_as($node, 'own', "\\set SHOW_CONTEXT always\nSELECT count(*) FROM dp_gmm_fit('informing', 2, 'Infinity', iterations => 2)")->{err}, qr/./, 'INFO in a scan of a reader: silence');
{
	my $running = start_as($node, 'ana', 'SELECT count(*) FROM ' . fit('slow'));

	$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM dpem.stat_progress WHERE phase <> ''}) or die 'no fit is running';
	$node->safe_psql('postgres', q{SELECT pg_sleep(0.3), pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'ana' AND query LIKE '%slow%'});
	unlike(finish($running)->{err}, $inside, 'a scan that is cancelled: no query is told');
}
$node->safe_psql('postgres', q{BEGIN; LOCK TABLE mixed IN ACCESS EXCLUSIVE MODE; PREPARE TRANSACTION 'lock'});
my $locked = run_as($node, 'ana', "SET lock_timeout = 50; SELECT count(*) FROM dp_gmm_fit('mixed', 2, 1); SELECT * FROM dp_count('mixed', 1)");
like($locked->{err}, qr/ERROR/, 'a lock on the source ends a fit');
unlike($locked->{err}, $inside, 'lock_timeout in a scan: no query is told');
$node->safe_psql('postgres', q{ROLLBACK PREPARED 'lock'});

# A function of the analyst's own is theirs to hear of.
like(run_as($node, 'ana', q{DO $$BEGIN PERFORM dp_budget_remaining('no such dataset'); END$$})->{err}, qr/CONTEXT:  SQL statement "SELECT dp_budget_remaining.*PL\/pgSQL function inline_code_block/s,
	'the client\'s own context is kept');

# ---- rows that are no numbers ------------------------------------------------

# Neighbouring tables: one row differs from an ordinary one in columns of
# type float8, float4, numeric and float8[].
my @rows = (
	[ 'ordinary', '1', '1', '1', '{1,1}' ],
	[ 'null', 'NULL', 'NULL', 'NULL', undef ],
	[ 'nan', q{'NaN'}, q{'NaN'}, q{'NaN'}, '{NaN,1}' ],
	[ 'infinity', q{'Infinity'}, q{'Infinity'}, q{'Infinity'}, '{Infinity,1}' ],
	[ 'minus_infinity', q{'-Infinity'}, q{'-Infinity'}, q{'-Infinity'}, '{1,-Infinity}' ],
	[ 'huge', '1e308', '3e38', '1e400', '{1e308,-1e308}' ],
	[ 'minus_huge', '-1.7e308', '-3e38', '-1e4000', '{-1e308,1e308}' ],
	[ 'denormal', '5e-324', '1e-45', '1e-4000', '{5e-324,-5e-324}' ],
	[ 'null_element', '1', '1', '1', '{1,NULL}' ],
	[ 'empty_array', '1', '1', '1', '{}' ],
	[ 'long_array', '1', '1', '1', '{1,2,3}' ],
	[ 'deep_array', '1', '1', '1', '{{1,2},{3,4}}' ],
	[ 'shifted_array', '1', '1', '1', '[0:1]={1,2}' ]);

# Everything that fits to the table give but the noisy numbers themselves.
sub seen_by_analyst
{
	my ($name, $double, $single, $number, $array) = @_;
	my $literal = defined $array ? "'$array'" : 'NULL';

	$node->safe_psql('postgres', qq{
		SET ROLE own;
		CREATE TABLE row_$name (d float8, f float4, n numeric, a float8[]);
		INSERT INTO row_$name SELECT sin(i), cos(i), sin(2 * i), ARRAY[cos(i), sin(3 * i)] FROM generate_series(1, 99) i;
		INSERT INTO row_$name VALUES ($double, $single, $number, $literal);
		ANALYZE row_$name;
		SELECT dp_register_dataset('row', 'row_$name', 100, 1e-2);
		SELECT dp_register_column('row', c, -1, 1) FROM unnest(ARRAY['d', 'f', 'n']) c;
		SELECT dp_register_column('row', 'a', -1, 1, 2);
		SELECT dp_grant_budget('ana', 'row', 50, 1e-3)});
	my @results = map {
		run_as($node, 'ana', "SET client_min_messages = notice; SET dpem.progress = on; SET dpem.noise_warnings = off;"
			  . " SELECT component, weight BETWEEN 0 AND 1, cardinality(mean), 'NaN' = ANY (mean),"
			  . " 'NaN' = ANY (covariance), cardinality(covariance)"
			  . " FROM dp_gmm_fit('row', 2, 1, 1e-6, iterations => 3, columns => $_)")
	} ('NULL', q{'{d}'}, q{'{f}'}, q{'{n}'}, q{'{a}'});

	$node->safe_psql('postgres', q{SELECT dp_drop_dataset('row')});
	return join "\n", map { "$_->{out}\n$_->{err}" } @results;
}

my $ordinary = seen_by_analyst(@{ shift @rows });

like($ordinary, qr/INFO:  00000: dp_gmm_fit: mixture, pass 3 of 3\n/, 'progress: passes are announced');
unlike($ordinary, qr/ERROR|WARNING|NOTICE/, 'an ordinary row: no error');
is(seen_by_analyst(@$_), $ordinary, "NULL, NaN, infinities, denormals, values of 1e308 in rows: $_->[0]") foreach @rows;

$node->stop;
done_testing();
