# Running totals are what the ledger comes to, whoever asks: the worker, plans, dp_budget_remaining
# and the views; what contradicts the ledger stops charges; and no call reads the calls before it.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::Ledger;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_people('totals', conf => "dpem.resident_memory = 0\n");
my @accountants = qw(gdp rdp zcdp ma advanced linear);

create_people($node);
$node->safe_psql('postgres', q{
	CREATE ROLE bob LOGIN;
	CREATE SCHEMA test;
	-- the totals of a series from its lines, by sums that are not the extension's
	CREATE FUNCTION test.sums(account bigint, role bigint, since timestamptz) RETURNS dpem_internal.total LANGUAGE sql AS $$
		SELECT ROW(count(*) FILTER (WHERE c.line = 1), least(sum(c.mu2_units), 2305843009213693952), least(sum(c.rho_units), 2305843009213693952),
			least(coalesce(sum(c.rho_units) FILTER (WHERE c.rdp_units IS NULL), 0), 2305843009213693952),
			(SELECT array_agg(least(u.sum, 2305843009213693952)::bigint ORDER BY u.n) FROM (SELECT n, sum(v) FROM dpem_internal.charge l, unnest(l.rdp_units) WITH ORDINALITY AS o(v, n)
				WHERE l.account = $1 AND ($2 = 0 OR l.role = $2) AND l.charged_at >= $3 GROUP BY n) u),
			sum(c.epsilon::text::numeric) FILTER (WHERE c.line = 1), sum(c.delta::text::numeric) FILTER (WHERE c.line = 1),
			sum(c.epsilon::text::numeric ^ 2) FILTER (WHERE c.line = 1), sum(c.failure::text::numeric))::dpem_internal.total
		FROM dpem_internal.charge c WHERE c.account = $1 AND ($2 = 0 OR c.role = $2) AND c.charged_at >= $3 $$});

sub ask { return $node->safe_psql('postgres', $_[0]) }

# ---- they are the sums ---------------------------------------------------------

foreach my $accountant (@accountants)
{
	my $keys = $accountant =~ /^(advanced|linear)$/ ? 0 : 0.5;

	$node->safe_psql('postgres', qq{SET ROLE own;
		CREATE TABLE of_$accountant AS SELECT x, y, (row_number() OVER () % 2)::text AS word FROM people;
		ANALYZE of_$accountant;
		SELECT dp_register_dataset(name, 'of_$accountant', 100, 1e-3, accountant => '$accountant', keys_share => $keys),
			dp_register_column(name, 'x', -10, 10), dp_register_column(name, 'y', -10, 10), dp_register_key(name, 'word'),
			dp_grant_budget('ana', name, 50, 1e-4), dp_grant_budget('bob', name, 20, 1e-4, refresh => '10 days')
		FROM unnest(ARRAY['$accountant', 'also $accountant']) name});
	foreach my $call (
		[ 'ana', "dp_count('$accountant', 0.3, 1e-7)" ], [ 'bob', "dp_sum('also $accountant', 'x', 0.1, 1e-7)" ],
		[ 'ana', "dp_count('also $accountant', 0.7, 1e-7, by => 'word', mechanism => 'laplace')" ],
		[ 'bob', "dp_kmeans_fit('$accountant', 2, 1, 1e-6, algorithm => 'dplloyd', iterations => 3)" ], [ 'ana', "dp_quantile('$accountant', 'x', 0.5, 0.2)" ],
		$accountant =~ /^(rdp|ma)$/ ? ([ 'bob', "dp_gmm_fit('$accountant', 2, 1, 1e-6, iterations => 3, sampling_rate => 0.5)" ]) : ())
	{
		ok_as($node, $call->[0], "SELECT count(*) FROM $call->[1]", "$accountant: $call->[1]");
	}
}
is(ask(q{SELECT count(*) FROM dpem_internal.running_total t WHERE charge = (SELECT max(charge) FROM dpem_internal.charge c WHERE c.account = t.account AND (t.role = 0 OR c.role = t.role))
		AND NOT (t.total = test.sums(t.account, t.role, t.since))}),
	0, 'the last total of every series is the sum of its lines');
is(ask(q{SELECT count(DISTINCT (account, role, since)) >= 18, bool_or((total).failure > 0), bool_or((total).curve IS NOT NULL) FROM dpem_internal.running_total}),
	't|t|t', 'with failures and curves among them');
is(ask('SELECT bool_and(agrees), count(*) > 12 FROM dp_check_ledger()'), 't|t', 'dp_check_ledger says so');
is(ask('SELECT bool_and(agrees) FROM dpem.budgets'), 't', 'and dpem.budgets');
is(run_as($node, 'own', 'SELECT count(*) FROM dp_check_ledger()')->{out}, 3 + 2 * @accountants, 'the owner checks its own ledgers');
is(run_as($node, 'ana', 'SELECT count(*) FROM dp_check_ledger()')->{out}, 0, 'others have none');
is(sqlstate(run_as($node, 'ana', q{SELECT * FROM dp_check_ledger('gdp')})), '42501', 'and may not check this one');

# ---- one answer ----------------------------------------------------------------

foreach my $accountant (@accountants)
{
	my $delta = $accountant =~ /^(advanced|linear)$/ ? '1e-7' : '1e-5';
	my $left = run_as($node, 'ana', "SELECT dp_budget_remaining('$accountant', $delta)")->{out};
	my $plan = sub { return run_as($node, 'ana', "SELECT bool_and(allowed) FROM dp_statistic_plan('count', '$accountant', $_[0], $delta)")->{out} };
	my $count = sub { return sqlstate(run_as($node, 'ana', "SELECT FROM dp_count('$accountant', $_[0], $delta)")) };

	is($plan->(1.001 * $left), 'f', "$accountant: more than $left: planned");
	is($count->(1.001 * $left), 'DP001', "$accountant: more: refused");
	is(join('', map { $plan->($_ * $left) } 0.02, 0.1), 'tt', "$accountant: less: planned");
	is(join('', map { $count->($_ * $left) } 0.02, 0.1), '', "$accountant: less: charged");
}
is(ask('SELECT bool_and(agrees) FROM dp_check_ledger()'), 't', 'and the totals are right');

# ---- a period ------------------------------------------------------------------

my $spent = q{SELECT charges, (SELECT count(*) FROM dpem.ledger l JOIN dpem_internal.dataset e ON e.name = l.dataset JOIN dpem_internal.dataset d ON d.account = e.account
		WHERE d.name = b.dataset AND l.role = b.role AND l.line = 1 AND l.charged_at >= b.refreshed_at)
	FROM dpem.budgets b WHERE role = 'bob' AND dataset = 'gdp'};

is(ask($spent), '2|2', 'a period: what it holds');
ask(q{UPDATE dpem_internal.budget SET refreshed_from = clock_timestamp() WHERE role = 'bob'::regrole AND dataset IN (SELECT id FROM dpem_internal.dataset WHERE name = 'gdp')});
is(ask($spent), '0|0', 'another one has begun');
ok_as($node, 'bob', q{SELECT count(*) FROM dp_count('also gdp', 0.1, 1e-7)}, 'a call through another dataset of the ledger');
is(ask($spent), '1|1', 'counts in it');
ask(q{UPDATE dpem_internal.budget SET refreshed_from = '2020-01-01', refresh = '100 years' WHERE role = 'bob'::regrole AND dataset IN (SELECT id FROM dpem_internal.dataset WHERE name = 'gdp')});
is(ask($spent), '3|3', 'a longer one holds all of them');
ok_as($node, 'bob', q{SELECT count(*) FROM dp_count('gdp', 0.1, 1e-7)}, 'a call in it');
is(ask($spent), '4|4', 'and this one');
ask(q{UPDATE dpem_internal.budget SET refreshed_from = clock_timestamp() + '1 hour', refresh = '1 day' WHERE role = 'bob'::regrole AND dataset IN (SELECT id FROM dpem_internal.dataset WHERE name = 'gdp')});
is(ask(q{SELECT charges, refreshed_at IS NULL FROM dpem.budgets WHERE role = 'bob' AND dataset = 'gdp'}), '4|t', 'none has begun (a clock was set back): all calls count');
ok_as($node, 'bob', q{SELECT count(*) FROM dp_count('gdp', 0.1, 1e-7)}, 'and a call goes through');
is(ask(q{SELECT charges FROM dpem.budgets WHERE role = 'bob' AND dataset = 'gdp'}), 5, 'and counts');
is(ask('SELECT bool_and(agrees) FROM dp_check_ledger()'), 't', 'totals of periods are right');

# ---- tampering -----------------------------------------------------------------

my $account = ask(q{SELECT account FROM dpem_internal.dataset WHERE name = 'gdp'});
my $call = q{SELECT count(*) FROM dp_count('gdp', 0.1, 1e-7)};

sub tamper
{
	my ($table, $sql) = @_;

	return ask("BEGIN; ALTER TABLE dpem_internal.$table DISABLE TRIGGER ${table}_append_only; $sql; ALTER TABLE dpem_internal.$table ENABLE TRIGGER ${table}_append_only; COMMIT");
}

sub stopped_ok
{
	my ($name) = @_;

	refused_ok($node, 'ana', $call, 'DP006', "$name: a call");
	is(run_as($node, 'ana', q{SELECT dp_budget_remaining('gdp')})->{out}, 0, "$name: nothing can be spent");
	like(run_as($node, 'ana', q{SELECT dp_budget_remaining('gdp')})->{err}, qr/NOTICE:.*contradict its ledger/, "$name: and why");
	is(run_as($node, 'ana', q{SELECT bool_or(allowed) FROM dp_gmm_plan('gdp', 2, 0.1)})->{out}, 'f', "$name: a plan");
	is(ask(q{SELECT bool_and(agrees) FROM dpem.budgets WHERE dataset = 'gdp'}), 'f', "$name: dpem.budgets");
	is(ask(q{SELECT agrees, wrong_from > 0 FROM dp_check_ledger('gdp')}), 'f|t', "$name: dp_check_ledger");
	is(run_as($node, 'ana', q{SELECT count(*) FROM dp_count('zcdp', 0.1, 1e-7)})->{out}, 1, "$name: other ledgers go on");
	return;
}

sub goes_on_ok
{
	my ($name) = @_;

	is(ask(q{SELECT agrees FROM dp_check_ledger('gdp')}), 't', "$name: it agrees again");
	is(run_as($node, 'ana', $call)->{out}, 1, "$name: and is charged");
	return;
}

my $last = "(SELECT max(charge) FROM dpem_internal.charge WHERE account = $account)";

foreach my $case (
	[ 'a smaller sum', "UPDATE dpem_internal.running_total SET total.mu2_units = (total).mu2_units - 1 WHERE account = $account AND role = 0 AND charge = $last",
		"UPDATE dpem_internal.running_total SET total.mu2_units = (total).mu2_units + 1 WHERE account = $account AND role = 0 AND charge = $last" ],
	[ 'a smaller epsilon of the role', "UPDATE dpem_internal.running_total SET total.epsilon = (total).epsilon - 1e-20 WHERE account = $account AND role <> 0 AND charge = $last",
		"UPDATE dpem_internal.running_total SET total.epsilon = (total).epsilon + 1e-20 WHERE account = $account AND role <> 0 AND charge = $last" ])
{
	my ($name, $change, $back) = @$case;

	goes_on_ok("before $name");
	tamper('running_total', $change);
	stopped_ok($name);
	tamper('running_total', $back);
	goes_on_ok("after $name");
}

# the ledger loses its last charge, and its totals do not
ask("CREATE TABLE test.lost AS SELECT * FROM dpem_internal.charge WHERE charge = $last");
tamper('charge', 'DELETE FROM dpem_internal.charge WHERE charge IN (SELECT charge FROM test.lost)');
stopped_ok('a lost charge');
ask('INSERT INTO dpem_internal.charge SELECT * FROM test.lost');
goes_on_ok('a lost charge found');

# a line becomes cheaper
tamper('charge', "UPDATE dpem_internal.charge SET mu2_units = mu2_units - 1 WHERE charge = $last");
stopped_ok('a cheaper charge');
tamper('charge', "UPDATE dpem_internal.charge SET mu2_units = mu2_units + 1 WHERE charge = $last");
goes_on_ok('its price again');

# one that no charge continues any more decides nothing; the check finds it
tamper('running_total', "UPDATE dpem_internal.running_total SET total.charges = 0 WHERE account = $account AND role = 0 AND charge = (SELECT min(charge) FROM dpem_internal.charge WHERE account = $account)");
is(ask(qq{SELECT agrees, wrong_from = (SELECT min(charge) FROM dpem_internal.charge WHERE account = $account) FROM dp_check_ledger('gdp')}), 'f|t', 'an old total: dp_check_ledger');

# without any, as before an upgrade or in a dump without them: what was spent is the ledger's
my $figures = q{SELECT dataset, role, spent_epsilon, remaining_epsilon, charges, spent_percent, more_like_last, spent_keys_delta FROM dpem.budgets ORDER BY 1, 2};
my $before = ask($figures);
tamper('running_total', 'TRUNCATE dpem_internal.running_total');
is(ask($figures), $before, 'without totals: the same figures');
is(run_as($node, 'ana', $call)->{out}, 1, 'and a call');
is(ask(qq{SELECT count(*) FROM dpem_internal.running_total WHERE account = $account AND role = 0}), 1, 'which leaves one');
goes_on_ok('from there on');

# ---- restored ------------------------------------------------------------------

my $dump = PostgreSQL::Test::Utils::tempdir() . '/totals.dump';
my $acknowledge = q{SELECT dp_acknowledge_restore('gdp', 'a copy')};

foreach my $how ('all of it', 'without totals', 'with another total')
{
	my %there = (database => $how =~ s/ /_/gr);

	$node->command_ok([ 'pg_dump', '-Fc', ($how eq 'without totals' ? '--exclude-table-data=dpem_internal.running_total' : ()), '-f', $dump, $node->connstr('postgres') ], "$how: pg_dump");
	ask("CREATE DATABASE $there{database}");
	$node->command_ok([ 'pg_restore', '-e', '-d', $node->connstr($there{database}), $dump ], "$how: pg_restore");
	if ($how eq 'with another total')
	{
		$node->safe_psql($there{database}, qq{ALTER TABLE dpem_internal.running_total DISABLE TRIGGER running_total_append_only;
			UPDATE dpem_internal.running_total SET total.rho_units = 1 WHERE account = $account AND charge = (SELECT min(charge) FROM dpem_internal.running_total WHERE account = $account)});
		is(sqlstate(run_as($node, 'own', $acknowledge, %there)), 'DP006', "$how: not acknowledged");
		refused_ok($node, 'ana', $call, 'DP005', "$how: not charged", %there);
		next;
	}
	is(sqlstate(run_as($node, 'own', $acknowledge, %there)), '', "$how: acknowledged");
	is($node->safe_psql($there{database}, $figures), ask($figures), "$how: the same figures");
	is(run_as($node, 'ana', $call, %there)->{out}, 1, "$how: a call");
	is($node->safe_psql($there{database}, q{SELECT agrees FROM dp_check_ledger('gdp')}), 't', "$how: right");
}

# ---- what is read --------------------------------------------------------------

# rows of the ledger and its totals that were read by what is run
sub rows_read
{
	my ($run) = @_;
	my $read = q{SELECT pg_stat_force_next_flush(); SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_all_tables WHERE schemaname = 'dpem_internal' AND relname IN ('charge', 'running_total')};
	my ($before) = ask($read) =~ /(\d+)$/;

	$run->();
	return (ask($read) =~ /(\d+)$/)[0] - $before;
}

sub all_read
{
	return join(' ', map { my $sql = $_; rows_read(sub { run_as($node, 'ana', $sql) }) } $call,
		q{SELECT dp_budget_remaining('gdp')}, q{SELECT count(*) FROM dp_gmm_plan('gdp', 2, 0.1)}, q{SELECT * FROM dpem.budgets WHERE dataset = 'gdp'});
}

# what the planner expects of a view
sub expected_cost
{
	my ($view) = @_;

	return ask("EXPLAIN (FORMAT json) SELECT * FROM $view") =~ /"Total Cost": ([0-9.]+)/ ? $1 : die;
}

run_as($node, 'ana', $call) foreach 1 .. 3;
run_as($node, 'bob', $call) foreach 1 .. 3;
my $few = all_read();
my @views = qw(dpem.budgets dpem.help_steps);
my %cost = map { $_ => expected_cost($_) } @views;
$node->safe_psql('postgres', repeat_last_call('gdp', 5000));
is(ask(q{SELECT agrees, charges > 5000 FROM dp_check_ledger('gdp')}), 't|t', 'a long ledger');
my $many = all_read();
note("rows of the ledger read by a call, what remains, a plan, dpem.budgets: $few, after 5000 more calls $many");
my @few = split / /, $few;
my @many = split / /, $many;
cmp_ok($many[$_], '<=', 1.5 * $few[$_] + 20, qw(call remaining plan budgets)[$_] . ' reads no more rows') foreach 0 .. $#few;
cmp_ok($few[0], '>', 0, 'rows are counted');
# else it would compile them
cmp_ok(expected_cost($_), '<=', 1.5 * $cost{$_}, "the planner expects no more of $_ for that") foreach @views;

$node->stop;
done_testing();
