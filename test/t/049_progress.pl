# What dpem.stat_progress shows of a fit while it runs, to whom, and that
# nothing stays of fits that end, fail, are cancelled or lose their session.
use strict;
use warnings;

use Dpem::Test;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_server('progress', 'fsync = off');
my $fit = q{dp_gmm_fit('crowd', 20, 0.5, 1e-6, iterations => 1000, precondition => 'none')};
my $shown = 'SELECT count(*) FROM dpem.stat_progress';

$node->safe_psql('postgres', q{
	CREATE ROLE own LOGIN; CREATE ROLE ana LOGIN; CREATE ROLE eve LOGIN;
	GRANT CREATE ON SCHEMA public TO own;
	SET ROLE own;
	CREATE TABLE crowd AS SELECT random() AS x, random() AS y FROM generate_series(1, 100000);
});
$node->safe_psql('postgres', q{
	SELECT dp_register_dataset('crowd', 'crowd', 10, 1e-4);
	SELECT dp_register_column('crowd', 'x', 0, 1);
	SELECT dp_register_column('crowd', 'y', 0, 1);
	SELECT dp_grant_budget('ana', 'crowd', 10, 1e-4);
	SELECT dp_grant_budget('eve', 'crowd', 10, 1e-4);
}, extra_params => [ '-U', 'own' ]);

sub as
{
	my ($role, $sql) = @_;

	return $node->safe_psql('postgres', $sql, extra_params => [ '-U', $role ]);
}

# Starts the fit; returns once its first pass is shown.
sub start_fit
{
	my $session = { out => '', err => '' };

	$session->{run} = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-U', 'ana',
			'-c', "SELECT count(*) FROM $fit" ], '<', \'', '>', \$session->{out}, '2>', \$session->{err});
	$node->poll_query_until('postgres', "SELECT count(*) = 1 FROM dpem.stat_progress WHERE phase = 'mixture' AND iteration >= 2")
	  or die 'no fit is shown';
	return $session;
}

sub ended_ok
{
	my ($name, $session, $stop) = @_;

	as('own', "SELECT $stop(pid) FROM dpem.stat_progress");
	eval { IPC::Run::finish($session->{run}) };
	is(as('own', $shown), 0, "$name: nothing is shown any more");
}

is(as('own', $shown), 0, 'nothing at first');

my $session = start_fit();
my $first = as('own', 'SELECT iteration FROM dpem.stat_progress');

is(as('own', q{SELECT dataset, function, role, phase, iterations, started_at < now() FROM dpem.stat_progress}),
	'crowd|dp_gmm_fit|ana|mixture|1000|t', 'the owner sees the fit');
is(as('own', q{SELECT count(*) FROM dpem.stat_progress p JOIN pg_stat_activity a USING (pid) WHERE a.usename = 'ana'}), 1,
	'its process is that of the session');
is(as('ana', $shown), 1, 'the role that runs it sees it');
is(as('eve', $shown), 0, 'another role with a budget does not');
ok($node->poll_query_until('postgres', "SELECT iteration > $first FROM dpem.stat_progress"), 'it moves');
$node->safe_psql('postgres', 'CREATE DATABASE other');
$node->safe_psql('other', 'CREATE EXTENSION dpem');
is($node->safe_psql('other', $shown), 0, 'another database does not show it');
$node->safe_psql('postgres', 'GRANT pg_signal_backend TO own');
ended_ok('cancelled', $session, 'pg_cancel_backend');
like($session->{err}, qr/cancel/, 'cancelled: it was');
ended_ok('terminated', start_fit(), 'pg_terminate_backend');

is(as('ana', qq{SELECT count(*) FROM dp_gmm_fit('crowd', 2, 0.5, iterations => 2)}), 2, 'a fit that ends');
is(as('own', $shown), 0, 'nothing is shown of it');
is(as('ana', q{BEGIN; DECLARE c CURSOR FOR SELECT * FROM dp_gmm_fit('crowd', 2, 0.5, iterations => 2); FETCH 1 FROM c;
	SELECT count(*) FROM dpem.stat_progress}) =~ s/.*\n//sr, 0, 'nor of one whose rows are still being read');

done_testing();
