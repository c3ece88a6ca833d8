# Rows that Citus has distributed.  Fits of such a table are those of one table, whatever settings a session has, and the rows travel
# for them, once.  By the recipe of docs/servers.md, which is run as it stands there, only states do.  There is one ledger.
use strict;
use warnings;

use Dpem::Shards;
use Dpem::Test;
use Dpem::Wire;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $sharedir = PostgreSQL::Test::Cluster->new('probe')->config_data('--sharedir');

plan skip_all => 'Citus is not installed' if !-e "$sharedir/extension/citus.control";

# ---- a coordinator and two workers -------------------------------------------

# what Citus's own daemons ask all the time would be counted
my $config = q{
shared_preload_libraries = 'citus'
log_statement = all
citus.distributed_deadlock_detection_factor = -1
citus.recover_2pc_interval = -1
citus.enable_statistics_collection = off
};
my $center = start_bare_server('coordinator', $config);
my @worker = map { start_bare_server("worker$_", $config) } 1, 2;
my @wire = map { Dpem::Wire->new($_) } @worker;			# between Citus and its workers
my @foreign = map { Dpem::Wire->new($_) } @worker;		# between postgres_fdw and them

$_->safe_psql('postgres', 'CREATE EXTENSION citus') foreach $center, @worker;
$center->safe_psql('postgres', sprintf(q{SELECT citus_set_coordinator_host('%s', %s)}, $center->host, $center->port));
$center->safe_psql('postgres', sprintf(q{SELECT citus_add_node('%s', %s)}, $_->host, $_->port)) foreach @wire;
$center->safe_psql('postgres', 'CREATE EXTENSION dpem');
note($center->safe_psql('postgres', 'SELECT citus_version()'));
is($_->safe_psql('postgres', q{SELECT count(*) FROM pg_extension WHERE extname = 'dpem'}), 1, 'a worker gets dpem') foreach @worker;

# `readings` and `residents` lie by person; rows of a person of `people` lie anywhere
$center->safe_psql('postgres', qq{
	CREATE ROLE keeper LOGIN; CREATE ROLE ana LOGIN; CREATE ROLE fetcher LOGIN;
	GRANT CREATE ON SCHEMA public TO keeper;
	SET ROLE keeper;
	SET citus.shard_count = 4;
	CREATE TABLE whole ($reading_columns);
	CREATE TABLE readings (LIKE whole);
	SELECT create_distributed_table('readings', 'person');
	CREATE TABLE residents (LIKE whole);
	SELECT create_distributed_table('residents', 'person');
	CREATE TABLE people (LIKE whole);
	SELECT create_distributed_table('people', 'a');
	CREATE TABLE years (LIKE whole) PARTITION BY LIST (shard);
	CREATE TABLE years_0 PARTITION OF years FOR VALUES IN (0);
	CREATE TABLE years_1 PARTITION OF years DEFAULT;
	SELECT create_distributed_table('years', 'person');
	CREATE TABLE everywhere (LIKE whole);
	SELECT create_reference_table('everywhere');
	CREATE TABLE single (LIKE whole);
	SELECT create_distributed_table('single', 'person', shard_count => 1, colocate_with => 'none');
	CREATE TABLE visits (region text, age float8, stay float8);
	SELECT create_distributed_table('visits', 'age');
	CREATE VIEW seen AS SELECT shard, person, a, b, y, label, well FROM readings WHERE person >= 0;
	CREATE VIEW latest AS SELECT a, b, y, label, well, person FROM (SELECT *, row_number() OVER (PARTITION BY shard, a) AS n FROM readings) AS p WHERE n = 1});

my @copies = qw(readings residents people years everywhere single);
my $rows = 1000;					# of each of two shards

sub add_rows
{
	my ($from, $to) = @_;

	$center->safe_psql('postgres', "SET ROLE keeper; CREATE TABLE more (LIKE whole); "
		  . join('', map { 'INSERT INTO more ' . readings($_, $from, $to) . ';' } 0, 1)
		  . join('', map { "INSERT INTO $_ SELECT * FROM more;" } 'whole', @copies)
		  . q{INSERT INTO visits SELECT 'north', 50 + 50 * a, 30 + 30 * b FROM more; DROP TABLE more});
	return;
}

add_rows(1, $rows);
register_readings($center, $_) foreach qw(whole readings years everywhere single seen latest);
register_readings($center, $_, more => ", unit => 'person', max_rows_per_unit => 30") foreach qw(residents people);

# ---- the same fits -----------------------------------------------------------

sub same
{
	my ($got, $expected, $what) = @_;
	my $worst = largest_difference($got, $expected);

	return ok($worst < 1e-9, $what) || diag("difference $worst");
}

foreach my $family (sort keys %reading_fits)
{
	my $expected = keeper_numbers($center, sprintf($reading_fits{$family}, 'whole'));

	same(keeper_numbers($center, sprintf($reading_fits{$family}, $_)), $expected, "$family of $_ is that of one table")
	  foreach qw(readings years everywhere single seen latest);
}
foreach my $statistic (q{dp_count('%s', 'Infinity', by => 'label')}, q{dp_avg('%s', 'a', 'Infinity', filter => 'b > 0 AND y = 1')})
{
	my $value = sub { return $center->safe_psql('postgres', 'SET ROLE keeper; SELECT round(value::numeric, 9) FROM ' . sprintf($statistic, $_[0])); };

	is($value->('readings'), $value->('whole'), sprintf($statistic, 'readings'));
}

# 40 persons with 2 * 25 rows, of whom 30 count
is($center->safe_psql('postgres', "SET ROLE keeper; SELECT value FROM dp_count('$_', 'Infinity')"), 40 * 30, "the quota of $_") foreach qw(residents people);

# ---- with noise, and with settings of the session -----------------------------

# what a session may set makes no difference; `latest` needs all rows of readings in an intermediate result
my $settings = q{SET client_min_messages = error; SET citus.max_intermediate_result_size = '1kB'; SET citus.subquery_pushdown = on;
	SET citus.limit_clause_row_fetch_count = 1; SET plan_cache_mode = force_generic_plan;};
my ($unset) = ($center->psql('postgres', "SET ROLE keeper; $settings SELECT sum(a) FROM latest"))[0];
isnt($unset, 0, 'these settings break a plain query');

foreach my $dataset (qw(readings people latest))
{
	foreach my $call ("dp_gmm_fit('$dataset', 2, 1, 1e-6, columns => '{a,b}', iterations => 3)",
		"dp_gmm_fit('$dataset', 2, 1, 1e-6, columns => '{a,b}', iterations => 3, sampling_rate => 0.5)",
		"dp_kmeans_fit('$dataset', 2, 1, 1e-6, columns => '{a,b}', algorithm => 'sample_aggregate')",
		"dp_gmm_fit('$dataset', 2, 1, 1e-6, columns => '{a,b}', iterations => 3, by => 'well')")
	{
		my $components = $call =~ /by =>/ ? 4 : 2;

		is($center->safe_psql('postgres', "SET ROLE ana; $settings SELECT count(*) FROM $call"), $components, "$call with such settings");
	}
}

# one call in 10^15 is wrong
is($center->safe_psql('postgres', "SET ROLE ana; $settings SELECT abs(value - 2 * $rows) < 8 * noise_stddev FROM dp_count('latest', 1)"), 't', 'a noisy count');

# ---- one ledger --------------------------------------------------------------

sub refused
{
	my ($node, $source, $what) = @_;
	my ($rc, $out, $err) = $node->psql('postgres', "SET ROLE keeper; SELECT dp_register_dataset('other', '$source', 1, 1e-6)");

	return like($err, qr/ERROR:  "\w+" cannot be a private source on this server\nDETAIL:  .*\nHINT:  Register the distributed table on the coordinator/, $what);
}

refused($worker[0], 'readings', 'a worker registers no distributed table');
refused($worker[0], 'seen', '... and no view of one');
refused($worker[0], $worker[0]->safe_psql('postgres', q{SELECT min(shard_name) FROM citus_shards WHERE table_name = 'visits'::regclass AND nodename = '} . $wire[0]->host . q{'}),
	'... and no shard');

# ---- the recipe --------------------------------------------------------------

my ($on_worker, $on_center, $as_keeper) = slurp_file('../docs/servers.md') =~ /^## Citus.*?```sql\n(.*?)```.*?```sql\n(.*?)```.*?```sql\n(.*?)```/ms;

foreach my $i (0, 1)
{
	my ($host, $port) = ($wire[$i]->host, $wire[$i]->port);

	$worker[$i]->safe_psql('postgres', $on_worker =~ s/worker-1/$host/r =~ s/5432/$port/r);
	($host, $port) = ($foreign[$i]->host, $foreign[$i]->port);
	$center->safe_psql('postgres', $on_center =~ s/worker-1/$host/r =~ s/5432/$port/r =~ s/worker_1/"worker_" . ($i + 1)/ger
		  =~ s/clinic/postgres/r =~ s/password '...'/password_required 'false'/r);
}
$center->safe_psql('postgres', 'GRANT keeper TO postgres; SET SESSION AUTHORIZATION keeper; ' . $as_keeper);
$center->safe_psql('postgres', q{SET ROLE keeper; SELECT dp_register_dataset('visits', 'visits', 100, 1e-4);
	SELECT dp_register_column('visits', 'age', 0, 100), dp_register_column('visits', 'stay', 0, 60)});

sub fit_visits
{
	my ($dataset, $iterations) = @_;

	return "SELECT weight, mean, covariance FROM dp_gmm_fit('$dataset', 3, 'Infinity', columns => '{age,stay}', iterations => $iterations,"
	  . " precondition => 'none', init_variance => 0.1) ORDER BY component";
}

same(keeper_numbers($center, fit_visits('visits there', 6)), keeper_numbers($center, fit_visits('visits', 6)), 'fits by the recipe are the same');

# bytes that come through these wires during a fit
sub bytes_of
{
	my ($wires, $dataset, $iterations) = @_;
	my $before = received(@$wires);

	keeper_numbers($center, fit_visits($dataset, $iterations));
	return received(@$wires) - $before;
}

my @at = map { -s $_->logfile } @worker;
my %small = (there => bytes_of(\@foreign, 'visits there', 12), gathered => bytes_of(\@wire, 'visits', 12));
my $short = bytes_of(\@foreign, 'visits there', 2);

foreach my $i (0, 1)
{
	my $log = log_since($worker[$i], $at[$i]);
	my @sent = $log =~ /DECLARE \w+ CURSOR FOR\s+(.*)/g;
	my @asked = $log =~ /citus_internal .*execute <unnamed>: (.*)/g;

	is(scalar(@sent), 14, 'by the recipe a worker is asked once for each pass');
	is(scalar(grep { $_ ne 'SELECT dpem_internal.moments($1::bytea, age, stay) FROM public.visits_here' } @sent), 0, '... for a state') or diag($sent[0]);
	is(scalar(grep { !/^SELECT age, stay FROM public\.visits_\d+ visits WHERE true$/ } @asked), 0, 'by Citus for rows') or diag($asked[0]);
	is(scalar(@asked), 2, '... once for each shard');
}
add_rows($rows + 1, 10 * $rows);
my %large = (there => bytes_of(\@foreign, 'visits there', 12), gathered => bytes_of(\@wire, 'visits', 12));
my $once = bytes_of(\@wire, 'visits', 2);

is($large{there}, $small{there}, 'by the recipe not a byte more for ten times the rows');
cmp_ok(($small{there} - $short) / 10 / 2, '<', 1000, '... but states');
cmp_ok($large{gathered} / $small{gathered}, '>', 5, 'otherwise the rows travel');
cmp_ok($large{gathered}, '<', 1.2 * $once, '... once, however many iterations');
note(sprintf 'bytes received: an iteration and worker %.0f; a gathered row %.1f', ($small{there} - $short) / 10 / 2, $large{gathered} / (20 * $rows));

$_->stop foreach $center, @worker, @wire, @foreign;
done_testing();
