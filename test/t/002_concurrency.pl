# Many sessions racing for the last of a budget get exactly what it holds;
# a charge that cannot be recorded in time refuses the fit before any row is read.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# The default number of worker slots: the sessions have to share them.
my $node = new_people('concurrency', conf => q{
	max_connections = 70
	max_worker_processes = 8
});

create_people($node);

sub value
{
	my ($sql) = @_;

	return $node->safe_psql('postgres', $sql);
}

# ---- fifty sessions, a budget for ten ----------------------------------------

my $race = PostgreSQL::Test::Utils::tempdir() . '/race.sql';

# A table of its own, hence a ledger of its own; the share equals the dataset's budget.
sub prepare_race
{
	my ($accountant, $epsilon, $delta) = @_;

	$node->safe_psql('postgres', qq{
		SET ROLE own;
		CREATE TABLE $accountant AS SELECT * FROM people;
		SELECT dp_register_dataset('$accountant', '$accountant', $epsilon, $delta,
			accountant => '$accountant');
		SELECT dp_register_column('$accountant', 'x', -10, 10), dp_register_column('$accountant', 'y', -10, 10);
		SELECT dp_grant_budget('ana', '$accountant', $epsilon, $delta);
		SET ROLE ana;
		CREATE TABLE outcome_$accountant (state text)});
	append_to_file($race, '');
	open(my $script, '>', $race) or die "$race: $!";
	print $script "DO \$\$BEGIN PERFORM * FROM dp_gmm_fit('$accountant', 2, 0.1, 1e-6, iterations => 2);"
	  . " INSERT INTO outcome_$accountant VALUES ('fitted');"
	  . " EXCEPTION WHEN OTHERS THEN INSERT INTO outcome_$accountant VALUES (SQLSTATE); END\$\$;\n";
	close($script);
	return;
}

sub run_race
{
	my ($accountant) = @_;

	$node->command_ok(
		[
			'pgbench', '-n', '-c', '50', '-j', '2', '-t', '1', '-U', 'ana', '-f', $race,
			'-d', $node->connstr('postgres')
		],
		"$accountant: many sessions racing for the last of the budget");
	is(value("SELECT string_agg(state || ' ' || n, ', ' ORDER BY state) FROM"
			  . " (SELECT state, count(*) AS n FROM outcome_$accountant GROUP BY state) s"),
		'DP001 40, fitted 10', "$accountant: ten are served");
	is(value("SELECT count(DISTINCT charge) || ' ' || count(DISTINCT role) FROM dpem.ledger"
			  . " WHERE dataset = '$accountant'"),
		'10 1', "$accountant: ten charges");
	is(value("SELECT count(*) FROM dpem.models WHERE dataset = '$accountant'"),
		10, "$accountant: ten models");
	is(value("SELECT string_agg(charges::text, ' ') FROM dpem.budgets WHERE dataset = '$accountant'"),
		'10 10', "$accountant: the budgets count ten");
	return;
}

prepare_race('gdp', 'dp_gdp_epsilon(sqrt(10) * dp_gdp_mu(0.1, 1e-6), 1e-6)', '1e-6');
run_race('gdp');
is(value(q{SELECT count(*) FROM (SELECT sum(mu_squared) AS cost FROM dpem.ledger
		WHERE dataset = 'gdp' GROUP BY charge) s
	GROUP BY cost}), 10, 'gdp: every charge costs the same');
is(value(q{SELECT bool_and(spent_epsilon <= epsilon AND spent_epsilon > epsilon * (1 - 1e-6)
		AND remaining_epsilon < epsilon * 1e-2)
	FROM dpem.budgets WHERE dataset = 'gdp'}), 't', 'gdp: the budget is used up, not crossed');
is(value(q{SELECT bool_and(b.spent_epsilon = dp_gdp_epsilon(sqrt(l.cost), b.delta)) FROM dpem.budgets b,
	(SELECT sum(mu_squared) AS cost FROM dpem.ledger WHERE dataset = 'gdp') l
	WHERE b.dataset = 'gdp'}), 't', 'gdp: the total is the sum of the ledger');

prepare_race('linear', '1.0', '1e-5');
run_race('linear');
is(value(q{SELECT bool_and(spent_epsilon = 1 AND remaining_epsilon = 0)
	FROM dpem.budgets WHERE dataset = 'linear'}), 't', 'linear: ten times 0.1 is 1');

# ---- registering one table twice at once -------------------------------------

$node->safe_psql('postgres', 'SET ROLE own; CREATE TABLE once AS SELECT * FROM people');
{
	my $late = $node->background_psql('postgres',
		on_error_stop => 0, extra_params => [ '-U', 'own' ]);

	$late->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM dpem.datasets');
	run_as($node, 'own', q{SELECT dp_register_dataset('once', 'once', 1, 1e-6)});
	$late->query(q{SELECT dp_register_dataset('twice', 'once', 1, 1e-6)});
	$late->query('COMMIT');
	$late->quit;
}
is(value(q{SELECT count(DISTINCT account) FROM dpem_internal.account_source WHERE relation = 'once'::regclass}),
	1, 'a snapshot older than another session\'s registration opens no second ledger');

# ---- somebody holds the ledger -----------------------------------------------

my $impatient = "SET dpem.charge_timeout = '500ms'; SELECT count(*) FROM " . fit('counted');

{
	my $holder = $node->background_psql('postgres');

	$holder->query_safe('BEGIN');
	$holder->query_safe('SELECT count(*) FROM (SELECT FROM dpem_internal.account FOR NO KEY UPDATE) a');
	my $result = refused_ok($node, 'ana', $impatient, 'DP002', 'account locked');
	unlike($result->{err}, qr/deadlock|lock timeout/, 'account locked: constant message');
	$holder->query_safe('ROLLBACK');
	$holder->query_safe('BEGIN; LOCK TABLE dpem_internal.charge IN EXCLUSIVE MODE');
	refused_ok($node, 'ana', $impatient, 'DP002', 'ledger locked');
	$holder->query_safe('ROLLBACK');
	$holder->quit;
}

# The session itself holds what its worker needs: no deadlock detector sees it.
$node->safe_psql('postgres', q{SET ROLE own; SELECT dp_grant_budget('own', 'counted', 1, 1e-4)});
refused_ok($node, 'own', "BEGIN; SELECT dp_drop_dataset('people'); $impatient; ROLLBACK", 'DP002',
	'account locked by its own transaction');

# A fit that began to wait is served when the lock goes.
{
	my $holder = $node->background_psql('postgres');
	my $charges = charges($node);

	$holder->query_safe('BEGIN');
	$holder->query_safe('SELECT count(*) FROM (SELECT FROM dpem_internal.account FOR NO KEY UPDATE) a');
	my $session = start_as($node, 'ana', 'SELECT count(*) FROM ' . fit('people'));

	$node->poll_query_until('postgres',
		q{SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'dpem charge' AND wait_event_type = 'Lock'})
	  or die 'no worker waits for the lock';
	is(charges($node), $charges, 'lock held: nothing charged');
	$holder->query_safe('COMMIT');
	$holder->quit;
	finish($session);
	is("$session->{out} $session->{err}", '2 ', 'lock released: the fit goes on');
	is(charges($node), $charges + 1, 'lock released: charged');
}

# A waiting session is cancelled at once.
{
	my $holder = $node->background_psql('postgres');
	my $before = reads($node);

	$holder->query_safe('BEGIN');
	$holder->query_safe('SELECT count(*) FROM (SELECT FROM dpem_internal.account FOR NO KEY UPDATE) a');
	my $result = run_as($node, 'ana', "SET statement_timeout = '1s'; SELECT count(*) FROM " . fit('counted'));
	is(sqlstate($result), '57014', 'cancelled while it waits');
	is(reads($node), $before, 'cancelled while it waits: nothing read');
	$holder->query_safe('ROLLBACK');
	$holder->quit;
}

# ---- worker slots ------------------------------------------------------------

$node->append_conf('postgresql.conf', "max_worker_processes = 1\nmax_logical_replication_workers = 0\n");
$node->restart;
{
	my $holder = $node->background_psql('postgres');

	$holder->query_safe('BEGIN');
	$holder->query_safe('SELECT count(*) FROM (SELECT FROM dpem_internal.account FOR NO KEY UPDATE) a');
	my $session = start_as($node, 'ana', 'SELECT count(*) FROM ' . fit('people'));

	$node->poll_query_until('postgres',
		q{SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'dpem charge'})
	  or die 'no worker was started';
	refused_ok($node, 'ana', $impatient, 'DP002', 'the only worker slot is busy');
	$holder->query_safe('ROLLBACK');
	$holder->quit;
	finish($session);
	is("$session->{out} $session->{err}", '2 ', 'the only worker slot: its user is served');
}
ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('people'), 'the only worker slot is free again');

$node->append_conf('postgresql.conf', "max_worker_processes = 0\n");
$node->restart;
my $result = refused_ok($node, 'ana', $impatient, 'DP002', 'worker slots exhausted');
like($result->{err}, qr/HINT:.*max_worker_processes/, 'worker slots exhausted: the hint names the setting');

# a drop needs none, and who gave the table away does not get its dataset back
my ($rc, $out, $err) = $node->psql('postgres', q{SET dpem.charge_timeout = '2s'; CREATE ROLE heir LOGIN; ALTER TABLE once OWNER TO heir; DROP TABLE once});
is($rc, 0, 'no worker slots: a source is dropped');
like($err, qr/WARNING:.*"heir" is new to dpem/, '... with a warning, where its owner has no number yet');
refused_ok($node, 'own', q{SELECT dp_drop_dataset('once')}, '42501', '... and its dataset is not that of whoever registered it');
is($node->safe_psql('postgres', q{SELECT source FROM dpem.datasets WHERE dataset = 'once'}), 'public.once', '... but for superusers');

$node->stop;
done_testing();
