# Sigmoid belief networks against epsilon through SQL, in a throw-away server: dp_sbn_fit as it comes on
# a9a's 123 columns of zeros and ones.  CSV and a markdown table in build/bench/vips_sbn (docs/vips.md says what
# came of them).  Run by `make bench-vips-sbn`.
#
#   RUNS=2     fits of each kind
#   QUICK=1    a minute: 1 fit, two epsilons
#   JOBS=      sessions side by side (default: processors)
#
# The score is the mean over the files' test rows of dp_log_density, a lower bound
# of a row's log-probability.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;

$| = 1;
$out_dir = 'build/bench/vips_sbn';

my $quick = $ENV{QUICK};
my $runs = $ENV{RUNS} // ($quick ? 1 : 2);
my $jobs = $ENV{JOBS} // (`getconf _NPROCESSORS_ONLN 2>/dev/null` || 1) + 0;
my @epsilons = $quick ? (1, 100) : (0.25, 1, 4, 100);
my ($delta, $d) = (1e-6, 123);
# replace_one: the number of rows is public
my @methods = map { [ "hidden$_", "$_ hidden units", $_ ] } 10;

sub prepare
{
	load_text('a9a_sparse.csv.gz') or return 0;
	query("CREATE TABLE a9a_all AS SELECT split, ARRAY(SELECT (j = ANY (idx::int[]))::int FROM generate_series(1, $d) AS j)::float8[] AS x FROM file;
		CREATE TABLE test AS SELECT x FROM a9a_all WHERE split = 'test';
		CREATE TABLE a9a AS SELECT x FROM a9a_all WHERE split = 'train'; ANALYZE a9a;
		SELECT dp_register_dataset('a9a', 'a9a', 1000, 1e-2), dp_register_column('a9a', 'x', 0, 1, $d);
		SELECT dp_grant_budget(current_user::regrole, 'a9a', 1000, 1e-2)");
	return 1;
}

# Rows' columns by themselves, at the training rows' frequencies, half a row of each kind added.
sub independent
{
	return value("WITH p AS (SELECT j, (sum(v) + 0.5) / (count(*) + 1) AS p FROM a9a, unnest(x) WITH ORDINALITY AS u (v, j) GROUP BY j),
		t AS (SELECT j, avg(v) AS q FROM test, unnest(x) WITH ORDINALITY AS u (v, j) GROUP BY j)
		SELECT sum(q * ln(p) + (1 - q) * ln(1 - p)) FROM p JOIN t USING (j)");
}

sub bound
{
	my ($task) = @_;

	query("SELECT count(*) FROM dp_sbn_fit('a9a', $task->{hidden}, $task->{epsilon}, $delta, model => 'm$$')");
	my @scores = (value("SELECT avg(dp_log_density('m$$', x)) FROM test"), value("SELECT iterations FROM dpem.models WHERE model = 'm$$'"));
	query("SELECT dp_drop_model('m$$')");
	return @scores;
}

sub cells
{
	my ($name, @tasks) = @_;

	return map {
		my $e = $_;
		my @values = map { $_->{bound} } grep { $_->{method} eq $name && $_->{epsilon} == $e } @tasks;
		sprintf('%.2f', mean(@values)) . (@values > 1 ? sprintf(' ± %.2f', deviation(@values)) : '')
	} @epsilons;
}

query('CREATE EXTENSION IF NOT EXISTS dpem');
if (!prepare())
{
	print "skipped: a9a_sparse.csv.gz is not here\n";
	exit 0;
}

my @tasks = map {
	my $m = $_;
	map { my $e = $_; map { { table => 'a9a', method => $m->[0], hidden => $m->[2], epsilon => $e, run => $_ } } 1 .. $runs } @epsilons
} @methods;

parallel('a9a', $jobs, \&bound, @tasks);
@{$_}{qw(bound iterations)} = @{ $_->{scores} } foreach @tasks;
write_table("a9a: bound of a test row's log-probability, mean of $runs fits, δ = $delta", [ '', map { "ε = $_" } @epsilons ],
	[ 'independent columns, without noise', (sprintf '%.2f', independent()) x @epsilons ],
	(map { [ $_->[1], cells($_->[0], @tasks) ] } @methods),
	(map { my $m = $_; [ "$m->[1]: steps", map { my $e = $_; (map { $_->{iterations} } grep { $_->{method} eq $m->[0] && $_->{epsilon} == $e } @tasks)[0] } @epsilons ] } @methods));
write_csv('bounds', [qw(table method epsilon run bound iterations)], @tasks);
