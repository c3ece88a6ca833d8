# The linear algebra libraries are in the processes that solve something and in no other, without
# threads of their own; where they cannot be loaded, a fit says so before it costs anything.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::Test;
use File::Copy qw(copy);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'needs /proc' if !-r "/proc/$$/maps";

my $fit = q{SELECT count(*) FROM dp_gmm_fit('points', 2, 1, iterations => 2)};
my $pca = q{SELECT count(*) FROM dp_pca_fit('points', 1, 1)};
my $count = q{SELECT value IS NOT NULL FROM dp_count('points', 1)};

my $node = PostgreSQL::Test::Cluster->new('blas');
$node->init;
$node->append_conf('postgresql.conf', "max_worker_processes = 12\nmax_parallel_workers_per_gather = 0\ndpem.fresh = on\n");
$node->start;
my $setup = q{
	CREATE TABLE points AS SELECT sin(i) AS x, cos(i) AS y FROM generate_series(1, 2000) i;
	SELECT dp_register_dataset('points', 'points', 100, 1e-3), dp_register_column('points', 'x', -1, 1), dp_register_column('points', 'y', -1, 1);
	SELECT dp_grant_budget('postgres', 'points', 100, 1e-3)};
$node->safe_psql('postgres', "CREATE EXTENSION dpem; $setup");

# statements in one session, and what its process is like after each
sub watch_session
{
	my @seen;
	my $session = $node->background_psql('postgres', on_error_stop => 1);
	my $pid = $session->query_safe('SELECT pg_backend_pid()');

	foreach my $sql (@_)
	{
		$session->query_safe($sql);
		my ($threads) = slurp_file("/proc/$pid/status") =~ /^Threads:\s*(\d+)/m;
		push @seen, (slurp_file("/proc/$pid/maps") =~ /blas/ ? 'there' : 'absent') . ", $threads";
	}
	$session->quit;
	return \@seen;
}

sub charges { return $node->safe_psql('postgres', 'SELECT count(DISTINCT charge) FROM dpem_internal.charge') }

is_deeply(watch_session($count, "SELECT * FROM dp_budget_remaining('points')", $fit, $count, $pca),
	[ 'absent, 1', 'absent, 1', 'there, 1', 'there, 1', 'there, 1' ], 'loaded by what solves something, and no thread with it');

# preloaded, the postmaster has it for all
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'dpem'\n");
$node->restart;
is_deeply(watch_session($count, $fit), [ 'there, 1', 'there, 1' ], 'preloaded');
my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
like(slurp_file("/proc/$postmaster/status"), qr/^Threads:\s*1$/m, 'the postmaster has one thread');

# OpenBLAS takes the kernels of the processor's instructions, whether or not it knows the processor, unless it is told others
sub kernels_taken
{
	my ($told) = @_;
	local $ENV{OPENBLAS_VERBOSE} = 2;
	local $ENV{OPENBLAS_CORETYPE} = $told;
	delete $ENV{OPENBLAS_CORETYPE} if !defined $told;
	my $before = -s $node->logfile;

	$node->restart;
	$node->safe_psql('postgres', $fit);
	my ($taken) = slurp_file($node->logfile, $before) =~ /^Core: (\w+)/m;
	return $taken;
}

SKIP:
{
	my ($flags) = slurp_file('/proc/cpuinfo') =~ /^flags\s*:(.*)/m;
	my $expected = !defined $flags ? undef : $flags =~ /\bavx512vl\b/ ? 'SkylakeX' : $flags =~ /\bavx2\b/ ? 'Haswell' : undef;
	my $told = kernels_taken('Nehalem');

	skip 'no OpenBLAS with kernels for several processors', 2 if !defined $told || !defined $expected;
	is($told, 'Nehalem', 'kernels that the environment asks for');
	is(kernels_taken(undef), $expected, 'kernels of the widest instructions');
}
$node->restart;

# it is looked for where dpem was found
{
	my $directory = PostgreSQL::Test::Utils::tempdir();
	my $installed = $node->config_data('--pkglibdir');

	copy($_, $directory) or die "$_: $!" foreach glob("$installed/dpem*");
	$node->append_conf('postgresql.conf', "dynamic_library_path = '$directory:\$libdir'\nshared_preload_libraries = ''\n");
	$node->restart;
	$node->safe_psql('postgres', 'CREATE DATABASE elsewhere');
	$node->safe_psql('elsewhere', 'CREATE EXTENSION dpem');
	$node->safe_psql('elsewhere', "UPDATE pg_proc SET probin = 'dpem' WHERE probin = '\$libdir/dpem'");
	$node->safe_psql('elsewhere', $setup);
	my $session = $node->background_psql('elsewhere', on_error_stop => 1);
	my $pid = $session->query_safe('SELECT pg_backend_pid()');
	$session->query_safe($fit);
	like(slurp_file("/proc/$pid/maps"), qr{\Q$directory\E/dpem_blas}, 'beside a dpem that is not in the usual place');
	$session->quit;
	$node->append_conf('postgresql.conf', "dynamic_library_path = '\$libdir'\n");
}

# a library that the system's loader cannot use; dpem preloaded or not
my $broken = PostgreSQL::Test::Utils::tempdir();
append_to_file("$broken/liblapacke.so.3", 'not a library');
foreach my $preloaded ('dpem', '')
{
	local $ENV{LD_LIBRARY_PATH} = $broken;
	my $title = $preloaded ? 'preloaded' : 'not preloaded';

	$node->append_conf('postgresql.conf', "shared_preload_libraries = '$preloaded'\n");
	$node->restart;
	my $before = charges();
	my (undef, undef, $error) = $node->psql('postgres', $fit);
	like($error, qr/^psql:<stdin>:1: ERROR:  could not load the linear algebra library ".*dpem_blas[^"]*": /m, "$title: a fit says what is wrong");
	like($error, qr/^HINT:  /m, "$title: and what to do");
	is(charges(), $before, "$title: at no cost");
	is($node->safe_psql('postgres', $count), 't', "$title: a count needs none of it");
	is(charges(), $before + 1, "$title: and is charged");
}

$node->stop;
done_testing();
