# Nobody makes another's ledger, another role's charges or another database
# wait: with open and prepared transactions, with settings, with calls that
# were cancelled, or with many calls at once.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

my $node = new_people('availability', conf => q{
	max_connections = 50
	max_worker_processes = 8
	max_prepared_transactions = 2
});

create_people($node);

# Eve is an analyst of the owner's table with a table of her own, and new to
# the catalog; the crowd are roles with a ledger each.
$node->safe_psql('postgres', q{
	CREATE ROLE eve LOGIN;
	CREATE ROLE elsewhere LOGIN;
	GRANT CREATE ON SCHEMA public TO eve;
	SET ROLE eve;
	CREATE TABLE hers AS SELECT * FROM generate_series(1.0, 10) x;
	CREATE TABLE hers_too AS TABLE hers;
	SET ROLE own;
	CREATE TABLE calm AS SELECT * FROM generate_series(1.0, 10) x;
	CREATE TABLE apart AS TABLE calm;
	CREATE TABLE capped AS TABLE calm;
	SELECT dp_grant_budget('eve', 'people', 1, 1e-4);
	SELECT dp_register_dataset(name, name, 10, 1e-4), dp_register_column(name, 'x', 0, 10),
		dp_grant_budget('own', name, 10, 1e-4), dp_grant_budget('ana', name, 10, 1e-4)
	FROM unnest(ARRAY['calm', 'capped']) name;
	RESET ROLE;
	DO $$BEGIN
		FOR i IN 1..8 LOOP
			EXECUTE format('CREATE ROLE crowd%s LOGIN', i);
			EXECUTE format('CREATE TABLE crowd%s AS TABLE calm', i);
			PERFORM dp_register_dataset('crowd' || i, format('crowd%s', i)::regclass, 10, 1e-4),
				dp_grant_budget(format('crowd%s', i)::regrole, 'crowd' || i, 10, 1e-4);
		END LOOP;
	END$$});
$node->safe_psql('postgres', 'CREATE DATABASE other');
$node->safe_psql('other', q{
	CREATE EXTENSION dpem;
	CREATE TABLE t AS SELECT * FROM generate_series(1, 10) x;
	SELECT dp_register_dataset('t', 't', 10, 1e-4), dp_grant_budget('elsewhere', 't', 10, 1e-4)});

my $workers = q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'dpem charge'};

sub value
{
	my ($sql) = @_;

	return $node->safe_psql('postgres', $sql);
}

# How many workers there are, once those that have answered are gone.
sub settled_workers
{
	my ($expected) = @_;

	for (my $i = 0; $i < 50 && value($workers) > $expected; $i++)
	{
		sleep(0.1);
	}
	return value($workers);
}

# Sessions of these roles that wait for their charge, or for their turn.
sub await_waiting
{
	my ($roles, $number) = @_;

	$node->poll_query_until('postgres', qq{
		SELECT count(*) >= $number FROM pg_stat_activity WHERE usename ~ '^$roles' AND
			(wait_event_type = 'Lock' OR wait_event = 'Extension')})
	  or die "no $number sessions wait";
	return;
}

# A session that holds something open until it is told to let go.
sub holder
{
	my ($role, $sql) = @_;
	my $session = $node->background_psql('postgres', extra_params => [ '-U', $role ]);

	$session->query_safe('BEGIN');
	$session->query_safe("SET client_min_messages = warning; $sql");
	return $session;
}

sub let_go
{
	my ($session) = @_;

	$session->query_safe('ROLLBACK');
	$session->quit;
	return;
}

# What a superuser's lock does to a ledger: a worker that wants it has to wait.
sub hold_ledgers
{
	my ($names) = @_;

	return holder(value('SELECT current_user'), "SELECT count(*) FROM (SELECT FROM dpem_internal.account WHERE id IN"
		  . " (SELECT account FROM dpem_internal.dataset WHERE name ~ '^(?:$names)\$') FOR NO KEY UPDATE) a");
}

# ---- a setting without a bound ----------------------------------------------

is(sqlstate(run_as($node, 'ana', "SELECT dp_gdp_mu(1, 1e-6); SET dpem.charge_timeout = '20d'")), '22023',
	'dpem.charge_timeout has a maximum');

# ---- an open registration ------------------------------------------------------

{
	my $registrant = holder('eve', q{SELECT dp_register_dataset('hers', 'hers', 1, 1e-6)});
	my $charges = charges($node);
	my $session = start_as($node, 'eve', "SET dpem.charge_timeout = '5min'; SELECT count(*) FROM " . fit('people'));

	# her charge is made, or waits for her own transaction
	$node->poll_query_until('postgres', qq{
		SELECT (SELECT count(DISTINCT charge) FROM dpem.ledger) > $charges
			OR (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'dpem charge' AND wait_event_type = 'Lock') > 0})
	  or die 'nothing became of the charge';
	ok_as($node, 'ana', "SET dpem.charge_timeout = '3s'; SELECT count(*) FROM " . fit('people'),
		'open registration of a role without a number: another\'s ledger is not frozen');
	ok_as($node, 'own', "SET lock_timeout = '3s'; SET client_min_messages = warning; SELECT dp_register_dataset('apart', 'apart', 1, 1e-6)",
		'open registration: other tables are registered beside it');
	foreach my $try ([ "'hers', 'calm'", 'own', 'the name' ], [ "'hers_again', 'hers'", 'eve', 'the table' ])
	{
		my $result = run_as($node, $try->[1],
			"SET statement_timeout = '20s'; SET dpem.charge_timeout = '300ms'; SELECT dp_register_dataset($try->[0], 1, 1e-6)");

		is(sqlstate($result), '55P03', "open registration: $try->[2] is waited for, not for ever");
		like($result->{err}, qr/a transaction that has not ended/, "open registration: $try->[2], message");
	}
	let_go($registrant);
	finish($session);
	is("$session->{out} $session->{err}", '2 ', 'open registration: its role charges beside it');
}

{
	my $registrant = holder('own', q{SELECT dp_register_dataset('calm_again', 'calm', 10, 1e-4)});

	ok_as($node, 'ana', "SET dpem.charge_timeout = '3s'; SELECT count(*) FROM dp_count('calm', 0.1)",
		'open registration of a table with a ledger: charges to it go on');
	let_go($registrant);
}

# ---- a view that is replaced while its registration waits -------------------------

# of another's table, and of one's own that would lock another's ledger out
foreach my $try ([ 'eve', 'SELECT x FROM calm', '42501' ], [ 'eve', 'SELECT c.x FROM hers_too AS h, calm AS c', '42501' ])
{
	my ($role, $later, $expected) = @$try;

	$node->safe_psql('postgres', 'SET ROLE eve; CREATE VIEW turning AS SELECT x FROM hers_too');
	my $registrant = holder('eve', q{SELECT dp_register_dataset('turning', 'hers', 1, 1e-6)});
	my $session = start_as($node, $role, q{SELECT dp_register_dataset('turning', 'turning', 1000, 1e-3)});

	await_waiting($role, 1);
	my $replaced = run_as($node, 'eve', "SET lock_timeout = '3s'; CREATE OR REPLACE VIEW turning AS $later");
	let_go($registrant);
	finish($session);
	like($session->{err}, qr/$expected|must be owner/, "replaced while it waits by $later: not registered") or diag($session->{out}, $replaced->{err});
	is(value(q{SELECT count(*) FROM dpem_internal.account_source a JOIN dpem_internal.account_source b ON a.relation = b.relation WHERE a.account <> b.account}),
		'0', '... and no table is in two ledgers');
	$node->safe_psql('postgres', q{DO $$BEGIN PERFORM dp_drop_dataset('turning'); EXCEPTION WHEN OTHERS THEN NULL; END$$; DROP VIEW turning});
}
ok_as($node, 'ana', "SELECT count(*) FROM dp_count('calm', 0.1)", 'its ledger is charged as before');

# ---- prepared transactions -----------------------------------------------------

foreach my $change (
	q{dp_register_dataset('hers', 'hers_too', 1, 1e-6)}, q{dp_register_column('calm', 'x', 0, 11)},
	q{dp_grant_budget('eve', 'calm', 1, 1e-5)}, q{dp_revoke_budget('ana', 'calm')}, q{dp_drop_dataset('calm')})
{
	my $result = run_as($node, $change =~ /hers/ ? 'eve' : 'own', "BEGIN; SELECT $change; PREPARE TRANSACTION 'kept'");

	is(sqlstate($result), '0A000', "prepared: $change");
}
is(value('SELECT count(*) FROM pg_prepared_xacts'), 0, 'prepared: none is left');

# ---- a ledger that its owner keeps closed ---------------------------------------

{
	my $dropping = holder('own', q{SELECT dp_drop_dataset('calm')});
	my $session = start_as($node, 'ana', q{SELECT count(*) FROM dp_count('calm', 0.1)});

	await_waiting('ana', 1);
	is(settled_workers(0), 0, 'open drop: it is waited for without a worker');
	ok_as($node, 'ana', "SET dpem.charge_timeout = '3s'; SELECT count(*) FROM " . fit('people'),
		'open drop: the same role charges to other ledgers meanwhile');
	refused_ok($node, 'ana', "SET dpem.charge_timeout = '300ms'; SELECT dp_count('calm', 0.1)", 'DP002',
		'open drop: it is not waited for for ever');
	let_go($dropping);
	finish($session);
	is("$session->{out} $session->{err}", '1 ', 'open drop: rolled back, the charge is made');
}

# ---- callers that are gone -----------------------------------------------------

foreach my $how ([ 'cancel', 'pg_cancel_backend' ], [ 'terminate', 'pg_terminate_backend' ])
{
	my $holder = hold_ledgers('people');
	my $charges = charges($node);
	my $session = start_as($node, 'ana', 'SELECT count(*) FROM ' . fit('people'));

	$node->poll_query_until('postgres', "$workers AND wait_event_type = 'Lock'", 1)
	  or die 'no worker waits for the lock';
	value("SELECT $how->[1](pid) FROM pg_stat_activity WHERE usename = 'ana' AND backend_type = 'client backend'");
	finish($session);
	is(settled_workers(0), 0, "$how->[0]: the worker goes with its caller");
	let_go($holder);
	ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('people'), "$how->[0]: the ledger is free");
	is(charges($node), $charges + 1, "$how->[0]: a charge that waited is not made");
}

# ---- many calls at once --------------------------------------------------------

# Ten calls of one role: one worker, served in the order in which they came.
{
	my $holder = hold_ledgers('people');
	my @sessions;

	foreach my $i (1 .. 10)
	{
		push @sessions, start_as($node, 'ana',
			"SELECT count(*) FROM dp_gmm_fit('people', 2, 0.02 + $i / 1000.0, 1e-6, iterations => 1)");
		await_waiting('ana', $i);
	}
	is(settled_workers(1), 1, 'ten calls of one role: one worker');
	ok_as($node, 'elsewhere', q{SET dpem.charge_timeout = '3s'; SELECT count(*) FROM dp_count('t', 0.1)},
		'ten calls of one role: another database has a worker', database => 'other');
	let_go($holder);
	finish($_) foreach @sessions;
	is(join(' ', map { "$_->{out}$_->{err}" } @sessions), join(' ', (2) x 10), 'ten calls of one role: all are served');
	is(value(q{SELECT string_agg(round(((epsilon - 0.02) * 1000)::numeric)::text, ' ' ORDER BY charge) FROM
			(SELECT DISTINCT charge, epsilon FROM dpem.ledger WHERE epsilon > 0.02 AND epsilon < 0.031) c}),
		join(' ', 1 .. 10), 'ten calls of one role: first come, first served');
}

# Eight roles with a ledger each: a quarter of the server's workers.
{
	my $holder = hold_ledgers('crowd[0-9]');
	my @sessions = map { start_as($node, "crowd$_", "SELECT count(*) FROM dp_count('crowd$_', 0.1)") } 1 .. 8;

	await_waiting('crowd', 8);
	is(settled_workers(2), 2, 'calls of many roles: a quarter of the worker slots');
	ok_as($node, 'elsewhere', q{SET dpem.charge_timeout = '3s'; SELECT count(*) FROM dp_count('t', 0.1)},
		'calls of many roles: another database has a worker', database => 'other');
	let_go($holder);
	finish($_) foreach @sessions;
	is(join(' ', map { "$_->{out}$_->{err}" } @sessions), join(' ', (1) x 8), 'calls of many roles: all are served');
}

# ---- the worker's waits are bounded whatever the setting is --------------------

my $capped = hold_ledgers('capped');
my $began = time;
my $patient = start_as($node, 'own', "SET dpem.charge_timeout = '5min'; SELECT dp_count('capped', 0.1)");

# Nobody takes a charge's locks from SQL.
{
	my $holder = holder('eve', 'SELECT count(pg_advisory_lock(i)), count(pg_advisory_lock(0, i)) FROM generate_series(0, 500) i');

	is(value(q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid NOT IN (1, 2) AND
			pid IN (SELECT pid FROM pg_stat_activity WHERE usename = 'eve')}), 0, 'advisory locks are of other classes');
	ok_as($node, 'ana', "SET dpem.charge_timeout = '3s'; SELECT count(*) FROM " . fit('people'),
		'advisory locks on every number do not stop a charge');
	let_go($holder);
}

finish($patient);
like($patient->{err}, qr/ERROR:  DP002: the charge could not be recorded\n/, 'the worker\'s waits are capped: refused');
cmp_ok(time - $began, '<', 120, 'the worker\'s waits are capped whatever the setting');
let_go($capped);

$node->stop;
done_testing();
