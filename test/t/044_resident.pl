# Rows that a fit keeps between its passes, and the workers that go over them,
# are gone when the fit is, however it ends; and what an analyst sees of an
# end says nothing of the rows.
use strict;
use warnings;

use Fcntl qw(:mode);
use FindBin;
use List::Util qw(sum0);
use lib $FindBin::RealBin;
use Dpem::Crash;
use Dpem::People;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time usleep);

# Shared memory is in files of the data directory (Dpem::Crash).
my $node = new_people('resident', conf => crash_conf() . q{
	max_parallel_workers_per_gather = 2
	min_parallel_table_scan_size = 0
	max_worker_processes = 12
	max_parallel_workers = 8
});
my $rows = 30_000;
# with 900 passes a fit lasts much longer than some questions to the server
my ($components, $passes) = (30, 900);
my ($segments, $fits) = (0, 0);

$node->start;
$node->safe_psql('postgres', qq{
	CREATE EXTENSION dpem;
	CREATE ROLE own LOGIN;
	CREATE ROLE ana LOGIN;
	CREATE ROLE eve LOGIN;
	GRANT CREATE ON SCHEMA public TO own;
	SET ROLE own;
	CREATE TABLE people AS SELECT 5 * sin(i) AS x, 5 * cos(i * i) AS y, sin(i * 3) + cos(i) AS z FROM generate_series(1, $rows) i;
	ANALYZE people;
	SELECT dp_register_dataset('people', 'people', 1000, 1e-2), dp_grant_budget('ana', 'people', 1000, 1e-2);
	SELECT dp_register_column('people', c, -10, 10) FROM unnest('{x,y,z}'::text[]) c;
	RESET ROLE;
	SELECT dp_grant_budget('postgres', 'people', 1000, 1e-2)});
$segments = settle($node, 'same')->{'shared memory segments'};

# A fit of that many passes; all of its rows in memory, or in a file.
sub long_fit
{
	my ($memory, $passes) = @_;

	return "\\set VERBOSITY verbose\nSET dpem.resident_memory = '$memory';\n"
	  . "SELECT 'weights', count(*), round(sum(weight)::numeric, 6) FROM dp_gmm_fit('people', $components, 1, iterations => $passes);\n";
}

# One value that a superuser asks for.
sub ask_one
{
	return $node->safe_psql('postgres', $_[0], timeout => $PostgreSQL::Test::Utils::timeout_default);
}

sub workers
{
	return split /\n/, ask_one(q{SELECT pid FROM pg_stat_activity WHERE backend_type = 'parallel worker' AND query = 'dpem pass'});
}

# Starts a long fit; returns once so many workers are at it.
sub start_fit
{
	my $session = start_fits($node, 'ana', long_fit(@_));
	my $end = time() + $PostgreSQL::Test::Utils::timeout_default;

	$fits++;
	until ((@{ $session->{workers} } = workers()) == 2)
	{
		die "no workers came: $session->{out}$session->{err}" if time() > $end;
		usleep(1_000);
	}
	return $session;
}

# What is left, and what was charged, when a fit has ended.
sub end_ok
{
	my ($session, $state, $name) = @_;

	finish_fits($session);
	my $left = settle($node, $state);
	is("$left->{'temporary files'} files, " . ($left->{'shared memory segments'} - $segments) . ' segments',
		'0 files, 0 segments', "$name: nothing is left");
	is(ask_one('SELECT count(DISTINCT charge) FROM dpem_internal.charge'), $fits, "$name: the charge stands");
	return;
}

# The messages of a session without what psql puts before them.
sub messages
{
	my ($session) = @_;

	return join("\n", map { s/^psql:[^ ]* //r } grep { !/^LOCATION/ } split /\n/, $session->{err});
}

# within a pass, or between two
my $cancelled = qr/\AERROR:  57014: canceling (a private scan on request or timeout\nDETAIL:  The charge stands.|statement due to user request)\z/;
my $failed = "ERROR:  DP003: the private source could not be scanned\nDETAIL:  The charge stands.\n"
  . 'HINT:  The owner of the dataset finds the reason in the server log.';

# ---- it works, and others see nothing of it -----------------------------------

foreach my $memory ('1GB', '1MB', '1kB')
{
	my $session = start_fit($memory, $passes);
	my $seen = $node->safe_psql('postgres', q{SELECT DISTINCT concat(query, wait_event, state, backend_type) FROM pg_stat_activity
		WHERE usename = 'ana'}, extra_params => [ '-U', 'eve' ]);

	is($seen, '<insufficient privilege>', "$memory: another role sees that there are processes");
	end_ok($session, 'same', $memory);
	is($session->{err}, '', "$memory: no error");
	like($session->{out}, qr/^weights\|$components\|1\.000000$/m, "$memory: a model");
}
# The files belong to the server, and are there, empty, where rows are in memory.
sub row_files { return glob($node->data_dir . '/base/pgsql_tmp/*.fileset/rows.*'); }
{
	my $session = start_fit('1kB', $passes);
	my @files = row_files();
	my %modes = map { sprintf('%04o', S_IMODE((stat $_)[2])) => 1 } @files;

	is(join(' ', keys %modes), '0600', 'the files of kept rows are the server\'s alone');
	cmp_ok(sum0(map { -s $_ } @files), '>=', $rows * 3 * 8, 'they hold what does not fit into memory');
	ask_one('SELECT pg_stat_reset()');
	end_ok($session, 'same', 'a fit to its end');
	cmp_ok(ask_one('SELECT temp_bytes FROM pg_stat_database WHERE datname = current_database()'), '<', $rows * 3 * 8,
		'their size is in no statistics');
	$session = start_fit('1GB', $passes);
	@files = row_files();
	is(join(' ', scalar(@files) > 0, map { -s $_ } @files), '1' . ' 0' x @files, 'they are empty where all fits');
	end_ok($session, 'same', 'a fit to its end');
}

# ---- ends that nobody asked for -------------------------------------------------

foreach my $memory ('1GB', '1kB')
{
	my $session = start_fit($memory, $passes);
	kill('INT', $session->{pid});
	end_ok($session, 'same', "cancelled, $memory");
	like(messages($session), $cancelled, "cancelled, $memory: what the analyst sees");

	$session = start_fit($memory, $passes);
	kill('TERM', $session->{pid});
	end_ok($session, 'same', "terminated, $memory");
	like($session->{err}, qr/57P01: terminating connection|connection to server was lost/, "terminated, $memory: what the analyst sees");

	$session = start_fit($memory, $passes);
	$session->{run}->signal('KILL');
	kill('INT', $session->{pid});
	end_ok($session, 'same', "client killed, $memory");
}

# A worker that is told to go hands over what it has; the others go on.  The leader is not stopped meanwhile: it might
# hold a lock that every new session needs.
{
	my $session = start_fit('1GB', $passes);
	my ($pid) = @{ $session->{workers} };

	is(ask_one("SELECT pg_terminate_backend($pid)"), 't', 'a worker is terminated');
	$node->poll_query_until('postgres', "SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = $pid") or die 'it stays';
	is(scalar(workers()), 1, '... and the other one goes on');
	end_ok($session, 'same', 'without a worker');
	is($session->{err}, '', '... the fit too');
	like($session->{out}, qr/^weights\|$components\|1\.000000$/m, '... to its end');
	$session = start_fit('1GB', $passes);
	ask_one("SELECT pg_terminate_backend($_)") foreach @{ $session->{workers} };
	end_ok($session, 'same', 'without any worker');
	like($session->{out}, qr/^weights\|$components\|1\.000000$/m, '... a model');
}

# An error in all processes: the files lose their ends.  The log says what it was.  Where all stand still within a
# pass, the leader fails after it has been told of a worker's error, and must not raise that one instead.  Nothing is
# asked of the server meanwhile.
foreach (1 .. 8)
{
	my $session = start_fit('1kB', $passes);
	my @files = row_files();
	my $offset = -s $node->logfile;

	kill('STOP', $session->{pid}, @{ $session->{workers} });
	foreach my $file (@files)
	{
		truncate($file, 1000) or die "$file: $!";
	}
	kill('CONT', @{ $session->{workers} });
	usleep(100_000);
	kill('CONT', $session->{pid});
	end_ok($session, 'same', 'a damaged file');
	is(messages($session), $failed, 'a damaged file: what the analyst sees');
	like(substr(slurp_file($node->logfile), $offset), qr/could not read kept rows from a temporary file/, '... and what the log says');
}

# A limit would tell how many rows there are.
$node->safe_psql('postgres', q{ALTER ROLE ana SET temp_file_limit = '100kB'});
{
	my $session = start_fits($node, 'ana', long_fit('1kB', 10) . long_fit('1GB', 10));

	$fits += 2;
	end_ok($session, 'same', 'temp_file_limit');
	is(messages($session), '', 'temp_file_limit does not reach the files of kept rows');
}
$node->safe_psql('postgres', 'ALTER ROLE ana RESET temp_file_limit');

# No workers to be had.
$node->safe_psql('postgres', 'ALTER ROLE ana SET max_parallel_workers = 0');
{
	my $session = start_fits($node, 'ana', long_fit('1GB', 20) . long_fit('1kB', 20));

	$fits += 2;
	end_ok($session, 'same', 'no workers');
	is(scalar(() = $session->{out} =~ /^weights\|$components\|1\.000000$/mg), 2, '... models');
}
$node->safe_psql('postgres', 'ALTER ROLE ana RESET max_parallel_workers');

# ---- a killed worker restarts the server ------------------------------------------

foreach my $memory ('1GB', '1kB')
{
	my $session = start_fit($memory, $passes);

	kill('KILL', $session->{workers}[0]);
	end_ok($session, 'reinitialised', "worker killed, $memory");
}
unlike(slurp_file($node->logfile), qr/PANIC|TRAP:|leak|leftover/, 'no panic, no failed assertion, no leak');

# An error between passes, caught in the session, which goes on.
is($node->safe_psql('postgres', q{
	SET statement_timeout = '30s';
	DO $$
	BEGIN
		FOR i IN 1 .. 5 LOOP
			BEGIN
				PERFORM set_config('statement_timeout', '30s', true);
				PERFORM * FROM dp_gmm_fit('people', 3, 'Infinity', iterations => 3);
				RAISE division_by_zero;
			EXCEPTION WHEN division_by_zero THEN
				NULL;
			END;
		END LOOP;
	END$$;
	SELECT count(*) FROM dp_gmm_fit('people', 3, 'Infinity', iterations => 3)}), 3, 'fits in subtransactions that fail');
$node->stop;
done_testing();
