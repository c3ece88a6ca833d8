# Row counts by other ways: the server's own statistics, counters of buffers
# and log records, temporary files, statements, seeds and settings.  Everything
# that can be switched on in the server is on.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_people('statistics', conf => q{
	shared_preload_libraries = 'pg_stat_statements'
	pg_stat_statements.track = all
	pg_stat_statements.track_planning = on
	track_functions = all
	track_io_timing = on
	session_preload_libraries = 'auto_explain'
	auto_explain.log_min_duration = 0
	auto_explain.log_nested_statements = on
	auto_explain.log_analyze = on
	auto_explain.log_buffers = on
	auto_explain.log_wal = on
	autovacuum = off
	checkpoint_timeout = 1h
});

create_people($node);
my $contrib = ($node->psql('postgres', 'CREATE EXTENSION pg_stat_statements'))[0] == 0;

# `crowd` has long values, a toast table, dead rows and a unit; `few` is its little sister.
my $secret = '7654321';

$node->safe_psql('postgres', qq{
	SET ROLE own;
	CREATE TABLE few (person int, x float8, a float8[]);
	ALTER TABLE few ALTER a SET STORAGE EXTERNAL;
	CREATE TABLE crowd (LIKE few INCLUDING STORAGE) WITH (fillfactor = 10);
	INSERT INTO few SELECT i, sin(i), ARRAY[cos(i), sin(3 * i)] FROM generate_series(1, 60) i;
	INSERT INTO crowd SELECT i / 3, sin(i), ARRAY[cos(i), sin(3 * i)] FROM generate_series(1, 5000) i;
	INSERT INTO crowd SELECT i, $secret, array_fill(${secret}::float8, '{3000}') FROM generate_series(1, 300) i;
	CREATE FUNCTION same(x float8) RETURNS float8 LANGUAGE plpgsql SET search_path = pg_catalog AS 'BEGIN RETURN x; END';
	CREATE VIEW calling AS SELECT public.same(x) AS x, y FROM people;
	SELECT dp_register_dataset(name, name, 100, 1e-2, unit => 'person', max_rows_per_unit => 2),
		dp_register_column(name, 'x', -1, 1), dp_register_column(name, 'a', -1, 1, length => 2)
	FROM unnest(ARRAY['few', 'crowd']) name;
	SELECT dp_register_dataset('calling', 'calling', 100, 1e-2), dp_register_column('calling', 'x', -1, 1);
	SELECT dp_grant_budget('ana', name, 90, 1e-2) FROM unnest(ARRAY['few', 'crowd', 'calling']) name;
	ANALYZE few, crowd});

# ---- counters of tables, functions and files ---------------------------------

my $relations = q{(SELECT oid FROM pg_class WHERE relowner = 'own'::regrole
	UNION SELECT reltoastrelid FROM pg_class WHERE relowner = 'own'::regrole)};
my $counters = qq{
	SELECT relid, seq_scan, seq_tup_read, idx_scan, idx_tup_fetch FROM pg_stat_all_tables WHERE relid IN $relations ORDER BY 1;
	SELECT * FROM pg_statio_all_tables WHERE relid IN $relations ORDER BY 1;
	SELECT * FROM pg_stat_all_indexes WHERE relid IN $relations ORDER BY 1, 2;
	SELECT * FROM pg_stat_user_functions WHERE funcname = 'same';
	SELECT temp_files, temp_bytes FROM pg_stat_database WHERE datname = current_database()};
my $in_transaction = qq{
	SELECT relid, seq_scan, seq_tup_read, idx_scan, idx_tup_fetch FROM pg_stat_xact_all_tables
	WHERE relid IN $relations AND seq_scan + seq_tup_read + coalesce(idx_scan + idx_tup_fetch, 0) > 0;
	SELECT oid, pg_stat_get_xact_blocks_fetched(oid), pg_stat_get_xact_blocks_hit(oid) FROM pg_class
	WHERE oid IN $relations AND pg_stat_get_xact_blocks_fetched(oid) > 0;
	SELECT * FROM pg_stat_xact_user_functions WHERE funcname = 'same'};
my %sessions = (
	serial => q{SET max_parallel_workers_per_gather = 0; SET work_mem = '64kB';},
	parallel => q{SET max_parallel_workers_per_gather = 2; SET min_parallel_table_scan_size = 0;
		SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET work_mem = '64kB';});
my $before = run_as($node, 'ana', $counters)->{out};

foreach my $dataset (qw(crowd people calling))
{
	foreach my $how (sort keys %sessions)
	{
		my $result = ok_as($node, 'ana', "$sessions{$how} BEGIN; SELECT count(*) FROM "
			  . fit($dataset) . "; $in_transaction; COMMIT", "$dataset, $how: a fit");

		is($result->{out}, '2', "row counts through the transaction's own statistics, $dataset, $how");
	}
}
is(run_as($node, 'ana', $counters)->{out}, $before,
	'row counts through statistics views: tables, toast tables, functions, temporary files');

# They would have seen it.
$node->safe_psql('postgres', q{SET work_mem = '64kB'; SELECT sum(public.same(x)) FROM
	(SELECT x, row_number() OVER (PARTITION BY person ORDER BY gen_random_uuid()) FROM crowd) s});
isnt(run_as($node, 'ana', $counters)->{out}, $before, 'the statistics views do count');

# What the extension itself counts on goes on being counted.
is($node->safe_psql('postgres', q{SELECT n_tup_ins > 0 FROM pg_stat_all_tables WHERE relid = 'dpem_internal.gmm_parameter'::regclass}),
	't', 'the extension\'s own tables are counted, for autovacuum');

# ---- statements --------------------------------------------------------------

SKIP:
{
	skip 'pg_stat_statements is not installed', 2 unless $contrib;
	my $visible = q{SELECT calls, rows, shared_blks_hit, shared_blks_read, temp_blks_read, temp_blks_written, wal_bytes
		FROM pg_stat_statements(false) WHERE userid = 'own'::regrole ORDER BY 1, 2, 3, 4};
	my $others = run_as($node, 'ana', $visible)->{out};

	run_as($node, 'ana', 'SELECT count(*) FROM ' . fit('crowd'));
	is(run_as($node, 'ana', $visible)->{out}, $others, 'pg_stat_statements rows of inner statements');
	run_as($node, 'own', 'SELECT sum(x) FROM crowd');
	isnt(run_as($node, 'ana', $visible)->{out}, $others, 'pg_stat_statements does count');
}

# ---- what parallel workers say that they run ----------------------------------

# Each of them says it to every session of the role, and the query holds the secret of holdouts.
{
	my $parallel = 'SET max_parallel_workers_per_gather = 2; SET min_parallel_table_scan_size = 0;
		SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0';
	my $session = start_as($node, 'ana', $parallel, "SELECT count(*) FROM @{[fit('slow', 'holdout => 0.3')]}");
	my $workers = q{FROM pg_stat_activity WHERE backend_type = 'parallel worker' AND query <> ''};

	$node->poll_query_until('postgres', "SELECT count(*) > 0 $workers") or die 'no worker';
	is(run_as($node, 'ana', "SELECT DISTINCT query $workers")->{out}, 'dpem scan', "the text of a scan's query in its parallel workers");
	$node->safe_psql('postgres', q{SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'ana' AND backend_type = 'client backend'});
	eval { finish($session) };
}

# ---- counters of the analyst's own statement ---------------------------------

# Of three fits in one session: the third's buffers, when all caches are warm,
# and the first's log records, when dead rows are still to be pruned.
sub explained
{
	my ($dataset, $how) = @_;
	my $explain = "EXPLAIN (ANALYZE, BUFFERS, WAL, TIMING OFF, SUMMARY OFF) SELECT * FROM " . fit($dataset);
	my $result = run_as($node, 'ana', "$sessions{$how} SET client_min_messages = log; $explain; $explain; \\echo third\n$explain");
	my ($third) = $result->{out} =~ /third\n(.*)/s;
	my ($nodes) = ($third // '') =~ /\A([^\n]*\n[^\n]*Buffers:[^\n]*)/;
	my $buffers = 0;

	$buffers += $1 while ($nodes // '') =~ /(?:hit|read)=(\d+)/g;
	my ($records) = $result->{out} =~ /WAL: records=(\d+)/;
	return { buffers => $buffers, records => $records // 0, all => "$result->{out}\n$result->{err}" };
}

my $pages = $node->safe_psql('postgres', q{SELECT pg_relation_size('crowd') / 8192});

cmp_ok($pages, '>', 200, "the table is large: $pages pages");
foreach my $how (sort keys %sessions)
{
	my $few = explained('few', $how);

	$node->safe_psql('postgres', 'DELETE FROM crowd WHERE person % 5 = 1; UPDATE crowd SET x = x / 2 WHERE person % 5 = 2');
	my $many = explained('crowd', $how);

	cmp_ok(abs($many->{buffers} - $few->{buffers}), '<', $pages / 3,
		"buffer counters in EXPLAIN (ANALYZE, BUFFERS), $how: $few->{buffers} and $many->{buffers}");
	cmp_ok($many->{records}, '<', 50, "log records in EXPLAIN (ANALYZE, WAL), $how: $many->{records}");
	unlike($many->{all}, qr/crowd AS|dpem_internal\.moments|WindowAgg|Seq Scan|$secret/, "EXPLAIN and auto_explain show no inner plan, $how");
}

# ---- seeds and settings ------------------------------------------------------

{
	my $numbers = q{SELECT weight, mean FROM dp_gmm_fit('people', 2, 5, iterations => 2, model => 'seeded%s')};
	my $seeded = run_as($node, 'ana', 'SELECT setseed(0.5); ' . sprintf($numbers, 1) . '; \echo next' . "\n"
		  . 'SELECT setseed(0.5); ' . sprintf($numbers, 2));
	my ($one, $two) = split /\nnext\n/, $seeded->{out};

	isnt($one, $two, 'setseed');
	($one, $two) = split /\nnext\n/, run_as($node, 'ana', q{SELECT setseed(0.5); SELECT dp_sample('seeded1', 3); \echo next
		SELECT setseed(0.5); SELECT dp_sample('seeded1', 3)})->{out};
	isnt($one, $two, 'setseed before dp_sample');
}

# Every setting that is a user's own to change, the other way round or at both
# ends of its range.
my @settings = split /\n/, $node->safe_psql('postgres', q{
	SELECT format('%s = %L', name, value) FROM pg_settings,
		LATERAL (SELECT CASE setting WHEN 'on' THEN 'off' ELSE 'on' END WHERE vartype = 'bool'
			UNION SELECT unnest(enumvals) WHERE vartype = 'enum'
			UNION SELECT unnest(ARRAY[min_val, least(max_val::numeric, 1e6)::text]) WHERE vartype IN ('integer', 'real')) v (value)
	WHERE context = 'user' AND name !~ '^(transaction_|default_transaction|.*_timeout$|session_|dpem\.)'
	ORDER BY 1});
my $script = join "\n", map {
	"SET $_;\nSELECT $$ || '|' || count(*) FROM " . fit('people') . ";\nRESET " . s/ = .*//r . ';'
} @settings;
my $result = run_as($node, 'ana', $script);
my @fits = $result->{out} =~ /^$$\|(\d+)$/mg;

cmp_ok(scalar(@settings), '>', 100, 'there are settings: ' . scalar(@settings));
is("@fits", join(' ', (2) x @settings), 'every planner and output setting: the fit runs');
unlike($result->{err}, qr/ERROR/, '... without an error');
unlike("$result->{out}$result->{err}", qr/dpem_internal\.moments|$secret/, '... and nothing is printed from inside');

$node->stop;
done_testing();
