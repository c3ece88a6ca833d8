# One pass of the aggregate beside plain aggregates over the same rows, in
# one session: ratios of medians.  Run by `make bench-pass`.
use strict;
use warnings;
no warnings 'portable';

use FindBin;
use List::Util qw(min);
use POSIX ();

use lib $FindBin::RealBin;
use Session;

my $runs = $ENV{RUNS} // 7;
my ($k, $d, $rows) = (10, 10, $ENV{ROWS} // 1_000_000);

# The pass as the leader of a fit writes it (src/scan/pass.c).
sub make_pass
{
	my ($k, $d, @lengths) = @_;
	my @words = (0x6470656d70617309, 2, $k, $d, 3, 13, 18, 0, 0, scalar @lengths, 0, 0, 0, 0, $d, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	my @doubles = (sqrt($d), @lengths, (-10) x $d, (10) x $d, (log(1 / $k)) x $k);

	push @doubles, map { 0.3 * sin($_) } 1 .. $k * $d;
	foreach (1 .. $k)
	{
		foreach my $i (0 .. $d - 1)
		{
			push @doubles, (0.1) x $i, 3;
		}
	}
	return unpack('H*', pack('Q<*', @words) . pack('d<*', @doubles));
}

# the same with all columns, an argument each, on a scale (src/core/numeric/column_scale.h): a word of the header says so, and scales follow the bounds
sub on_scale
{
	my ($pass, $d, $scale) = @_;

	substr($pass, 16 * 12, 16) = unpack('H*', pack('Q<', 1));
	substr($pass, 16 * (21 + 3 * $d), 0) = unpack('H*', pack('d<*', ($scale) x $d));
	return $pass;
}

# A and B in turn; medians, and the median of the ratios pair by pair
sub compare
{
	my ($label, $a, $b) = @_;
	my (@a, @b);

	milliseconds($a);
	milliseconds($b);
	foreach (1 .. $runs)
	{
		push @a, milliseconds($a);
		push @b, milliseconds($b);
	}
	printf "%-44s %8.1f ms %8.1f ms   ratio %.2f (%.2f to %.2f)\n", $label, median(@a), median(@b),
	  median(map { $a[$_] / $b[$_] } 0 .. $#a), min(map { $a[$_] / $b[$_] } 0 .. $#a),
	  -min(map { -$a[$_] / $b[$_] } 0 .. $#a);
	return;
}

sub create_rows
{
	my $columns = join ', ', map { "(random() * 20 - 10)::float8 AS x$_" } 1 .. $d;

	session("CREATE EXTENSION IF NOT EXISTS dpem;
		CREATE TABLE plain AS SELECT $columns FROM generate_series(1, $rows);
		CREATE TABLE packed AS SELECT ARRAY[" . join(', ', map { "x$_" } 1 .. $d) . "] AS x FROM plain;
		VACUUM ANALYZE plain; VACUUM ANALYZE packed;");
	return;
}

sub private_memory
{
	my ($backend) = @_;

	open(my $status, '<', "/proc/$backend/status") or return 0;
	my ($kb) = map { /^RssAnon:\s+(\d+)/ ? $1 : () } <$status>;
	return $kb // 0;
}

# watches a process until told to stop; its greatest private memory in kB
sub start_watching
{
	my ($backend) = @_;

	pipe(my $read, my $write) or die $!;
	my $child = fork() // die $!;
	return ($child, $read) if $child;
	my ($most, $stop) = (0, 0);
	local $SIG{TERM} = sub { $stop = 1 };
	while (!$stop)
	{
		my $now = private_memory($backend);

		$most = $now if $now > $most;
		select(undef, undef, undef, 0.002);
	}
	syswrite($write, "$most\n");
	POSIX::_exit(0);
}

# private memory of a serial backend during one pass over a number of rows,
# above what a plain aggregate over them leaves it with
sub peak_memory
{
	my ($k, $d, $n) = @_;
	my $pass = make_pass($k, $d, (1) x $d);
	my $columns = join ', ', map { 'x' . (1 + $_ % 10) } 0 .. $d - 1;

	open_session();
	my ($backend) = session('SELECT pg_backend_pid();');
	session("SET max_parallel_workers_per_gather = 0; SET jit = off; SELECT sum(x1) FROM (SELECT * FROM plain LIMIT $n) s;");
	my $before = private_memory($backend);
	my ($child, $read) = start_watching($backend);
	session("SELECT length(dpem_internal.moments('\\x$pass', $columns)) FROM (SELECT * FROM plain LIMIT $n) s;");
	kill('TERM', $child);
	my $most = <$read>;
	waitpid($child, 0);
	close_session();
	printf "K=%-3d d=%-3d %8d rows: private memory grows by %6.1f MB\n", $k, $d, $n, ($most - $before) / 1024;
	return;
}

my $columns = join ', ', map { "x$_" } 1 .. $d;
my $moments = "SELECT length(dpem_internal.moments('\\x" . make_pass($k, $d, (1) x $d) . "', $columns)) FROM plain";
my $packed = "SELECT length(dpem_internal.moments('\\x" . make_pass($k, $d, $d) . "', x)) FROM packed";
my ($log, $signed_log) = map { my $pass = on_scale(make_pass($k, $d, (1) x $d), $d, $_); $moments =~ s/'.*'/'\\x$pass'/r } 1, 2;
my $sums = 'SELECT ' . join(', ', map { "sum(x$_)" } 1 .. $d) . ' FROM plain';

open_session();
create_rows();
foreach my $workers (0, 1, 2)
{
	session("SET max_parallel_workers_per_gather = $workers; SET jit = off;");
	print "$rows rows x $d, K=$k, full covariance, $workers parallel workers\n";
	compare('  dpem_internal.moments : sum of every column', $moments, $sums);
	compare('  dpem_internal.moments(float8[]) : sum(x[1])', $packed, 'SELECT sum(x[1]) FROM packed');
	compare('  dpem_internal.moments : count(*)', $moments, 'SELECT count(*) FROM plain');
	compare('  all columns log : all linear', $log, $moments);
	compare('  all columns signed_log : all linear', $signed_log, $moments);
}
close_session();
peak_memory(10, 10, 100_000);
peak_memory(10, 10, $rows);
peak_memory(20, 10, $rows);
peak_memory(10, 40, $rows);
