# What a statistic costs beyond its scan, charge included: the whole call on a
# table of one row, and, on many rows, the call less the same pass of the
# aggregate alone.  Medians in one session.  On a busy machine processors' time
# says more: that of the session, and of the charge workers.  Preloaded
# (shared_preload_libraries) the library is not loaded by each of them.  Run by
# `make bench-statistics`; STATISTICS calls of each, ROWS.
use strict;
use warnings;
no warnings 'portable';

use FindBin;
use List::Util qw(max min);

use lib $FindBin::RealBin;
use Session;

$| = 1;
my $runs = $ENV{STATISTICS} // 51;
my $rows = $ENV{ROWS} // 1_000_000;
my $limit = 20;		# ms, for `over` in what is printed

# The pass of a statistic as src/scan/pass.c writes it: family sums, one
# column in [0, 100], second moments or none.
sub make_pass
{
	my ($second) = @_;

	return unpack('H*', pack('Q<*', 0x6470656d70617309, 1, 1, 1, $second, 13, 18, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0) . pack('d<*', 1, 1, 0, 100));
}

# arguments but for the dataset; second moments of its pass, or undef where no plain pass is the same
my @statistics = (
	[ 'dp_count', '0.001', undef ],
	[ 'dp_sum', "'x', 0.001", 0 ],
	[ 'dp_avg', "'x', 0.001", 0 ],
	[ 'dp_variance', "'x', 0.001", 1 ],
	[ 'dp_avg', "'x', 0.001, by => 'g'", undef ],
	[ 'dp_avg', "'x', 0.001, filter => 'x > 10 and g in (''1'', ''2'')'", undef ],
	[ 'dp_histogram', "'x', 0.001", undef ]);

sub register
{
	my ($dataset, $n) = @_;

	session("CREATE TABLE $dataset AS SELECT (random() * 100)::float8 AS x, (i % 10)::text AS g FROM generate_series(1, $n) AS i;
		VACUUM ANALYZE $dataset;
		SELECT dp_register_dataset('$dataset', '$dataset', 1000, 1e-3), dp_register_column('$dataset', 'x', 0, 100),
			dp_register_column('$dataset', 'g', '{0,1,2,3,4,5,6,7,8,9}'), dp_grant_budget(current_user::regrole, '$dataset', 1000, 1e-3);");
	return;
}

sub repeated
{
	my ($query, $n) = @_;

	milliseconds($query);
	return map { milliseconds($query) } 1 .. $n;
}

sub report
{
	my ($label, $whole, @more) = @_;

	printf "%-62s %6.1f ms%s\n", $label, $whole, join('', @more);
	return;
}

open_session();
session('CREATE EXTENSION IF NOT EXISTS dpem; SET max_parallel_workers_per_gather = 0; SET jit = off;');
my ($backend) = session('SELECT pg_backend_pid();');
register('one', 1);
register('many', $rows);
print "shared_preload_libraries '", session('SHOW shared_preload_libraries;'), "', fsync ", session('SHOW fsync;'), ", synchronous_commit ", session('SHOW synchronous_commit;'), ", $runs calls each\n";
my @before = processor_time($backend);
system('psql', '-XAtqc', 'SELECT') == 0 or die "psql failed\n" foreach 1 .. $runs;
my @after = processor_time($backend);
printf "for comparison: a connection that does nothing uses %.1f ms\n", ($after[1] - $before[1]) / $runs;
print "one row: the whole call: median; processors' time of the session and of the charge's; least and slowest\n";
foreach my $statistic (@statistics)
{
	my ($name, $arguments) = @$statistic;
	my @before = processor_time($backend);
	my @ms = repeated("SELECT value FROM $name('one', $arguments)", $runs);
	my @used = processor_time($backend);

	report("  $name($arguments)", median(@ms), sprintf('  used %5.1f + %.1f ms', map { ($used[$_] - $before[$_]) / ($runs + 1) } 0, 1), sprintf("  %6.1f to %6.1f ms", min(@ms), max(@ms)), median(@ms) < $limit ? '' : '  over');
}
print "$rows rows: the call, the pass alone, and what is between them\n";
foreach my $statistic (grep { defined $_->[2] } @statistics)
{
	my ($name, $arguments, $second) = @$statistic;
	my $pass = make_pass($second);
	my (@whole, @pass);

	foreach (1 .. $runs / 5)
	{
		push @whole, milliseconds("SELECT value FROM $name('many', $arguments)");
		push @pass, milliseconds("SELECT length(dpem_internal.moments('\\x$pass', x)) FROM many");
	}
	report("  $name($arguments)", median(@whole), sprintf('  pass %6.1f ms', median(@pass)),
		sprintf('  beyond %5.1f ms', median(map { $whole[$_] - $pass[$_] } 0 .. $#whole)));
}
close_session();
