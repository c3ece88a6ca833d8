# Ways to end a fit that nobody asked to end, and what a server must not leave
# behind afterwards.
#
# Dynamic shared memory is kept in files of the data directory
# (dynamic_shared_memory_type = mmap), so that what is left over can be told
# from what other servers of the machine hold.
package Dpem::Crash;

use strict;
use warnings;

use Exporter qw(import);
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Time::HiRes qw(time usleep);

our @EXPORT = qw(@crash_kinds crash_conf start_fits finish_fits crash settle);

# Each kills (or stops) something and returns what became of the server:
# 'same' incarnation, 'reinitialised' after a crash, or 'down'.
my %crash = (
	'cancel' => sub { my ($node, $session) = @_; kill('INT', $session->{pid}); return 'same' },
	'terminate' => sub { my ($node, $session) = @_; kill('TERM', $session->{pid}); return 'same' },
	'client killed' => sub { my ($node, $session) = @_; $session->{run}->signal('KILL'); return 'same' },
	'backend killed' => sub { my ($node, $session) = @_; kill('KILL', $session->{pid}); return 'reinitialised' },
	'charge worker killed' => sub { my ($node) = @_; return signal_worker($node, 'KILL') ? 'reinitialised' : 'same' },
	'charge worker terminated' => sub { my ($node) = @_; signal_worker($node, 'TERM'); return 'same' },
	'auxiliary process killed' => \&kill_auxiliary,
	'postmaster killed' => sub { my ($node) = @_; return kill_tree($node, 0) },
	'all processes killed' => sub { my ($node) = @_; return kill_tree($node, 1) },
	'immediate stop' => sub { my ($node) = @_; $node->stop('immediate'); return 'down' },
	'fast stop' => sub { my ($node) = @_; $node->stop('fast'); return 'down' });
our @crash_kinds = sort keys %crash;

sub crash_conf
{
	return q{
		fsync = on
		restart_after_crash = on
		dynamic_shared_memory_type = mmap
		log_statement = none
		max_connections = 20
		work_mem = '64kB'
		parallel_setup_cost = 0
		parallel_tuple_cost = 0
		max_parallel_workers_per_gather = 1
	};
}

# ---- processes ---------------------------------------------------------------

sub postmaster
{
	my ($node) = @_;

	return (split /\n/, slurp_file($node->data_dir . '/postmaster.pid'))[0];
}

sub slurp_proc
{
	my ($file) = @_;

	open(my $in, '<', $file) or return '';
	local $/;
	return <$in> // '';
}

sub children
{
	my ($pid) = @_;

	return split ' ', slurp_proc("/proc/$pid/task/$pid/children");
}

# Children of the postmaster whose title matches.
sub titled
{
	my ($node, $title) = @_;

	return grep { slurp_proc("/proc/$_/cmdline") =~ $title } children(postmaster($node));
}

sub wait_until
{
	my ($what, $code) = @_;
	my $end = time() + $PostgreSQL::Test::Utils::timeout_default;

	until ($code->())
	{
		die "timed out: $what" if time() > $end;
		usleep(5_000);
	}
	return;
}

# A charge worker lives for a few milliseconds: it is watched for and, at a
# random moment of its life, gets the signal.  False if none came.
sub signal_worker
{
	my ($node, $signal) = @_;
	my $end = time() + 0.5;

	while (time() < $end)
	{
		my ($pid) = titled($node, qr/dpem charge/) or next;

		usleep(rand(8_000));
		return kill($signal, $pid);
	}
	return 0;
}

sub kill_auxiliary
{
	my ($node) = @_;
	my @pids = titled($node, qr/checkpointer|background writer|walwriter/);

	kill('KILL', $pids[ rand @pids ]);
	return 'reinitialised';
}

# Without its children, each of which then ends by itself when it notices.
sub kill_tree
{
	my ($node, $with_children) = @_;
	my $postmaster = postmaster($node);
	my @children = children($postmaster);

	$node->kill9;
	kill('KILL', @children) if $with_children;
	# a zombie that nobody has collected yet still looks like a running server
	wait_until('a killed postmaster and its children end', sub { !kill(0, $postmaster, @children) });
	return 'down';
}

# ---- an analyst's session ----------------------------------------------------

# Runs a script in the background; returns once it is connected.
sub start_fits
{
	my ($node, $role, $script) = @_;
	my $session = { out => '', err => '' };
	my $file = $node->basedir . '/session.sql';

	# not through a pipe, which breaks when its reader is killed
	unlink($file);
	append_to_file($file, "SELECT 'pid', pg_backend_pid();\n$script");
	$session->{run} = IPC::Run::start(
		[
			$node->installed_command('psql'), '-XAtq', '-U', $role, '-d', $node->connstr('postgres'), '-f', $file
		],
		'<', \undef, '>', \$session->{out}, '2>', \$session->{err},
		IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	$session->{run}->pump until $session->{out} =~ /^pid\|(\d+)\n/;
	$session->{pid} = $1;
	return $session;
}

# However it ends.
sub finish_fits
{
	my ($session) = @_;

	$session->{run}->finish;
	return;
}

# ---- a crash and what comes after --------------------------------------------

sub crash
{
	my ($node, $kind, $session) = @_;

	return $crash{$kind}->($node, $session);
}

# A row of a query, or '' if there is no server to answer.
sub ask
{
	my ($node, $sql) = @_;
	my $out;

	# not through a pipe, which breaks when psql cannot connect
	IPC::Run::run([ $node->installed_command('psql'), '-XAtq', '-d', $node->connstr('postgres'), '-c', $sql ],
		'<', \undef, '>', \$out, '2>', \my $err, IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	chomp $out;
	return $out;
}

# Waits until the server answers and nobody works in it but we; returns what
# should not be there.
sub settle
{
	my ($node, $state) = @_;
	my ($files, $segments);

	$node->start if $state eq 'down';
	wait_until('the server is back and quiet', sub {
		(my $busy, $files, $segments) = split /\|/, ask($node, q{
			SELECT (SELECT count(*) FROM pg_stat_activity
				WHERE backend_type IN ('client backend', 'parallel worker', 'dpem charge') AND pid <> pg_backend_pid()),
				(SELECT count(*) FROM pg_ls_tmpdir()), (SELECT count(*) FROM pg_ls_dir('pg_dynshmem'))});

		# a process that the query does not see is not gone yet
		return defined $segments && $busy == 0 && !titled($node, qr/dpem charge|parallel worker/);
	});
	return { 'temporary files' => $files, 'shared memory segments' => $segments };
}

1;
