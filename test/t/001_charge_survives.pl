# A charge stands however the statement, subtransaction, transaction, session
# or server ends: whoever could have seen a released value has paid for it.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# What an asynchronous commit leaves behind stays unwritten for ten seconds,
# as long as it does not fill a page of the log.
my $node = new_people('survives', conf => q{
	max_prepared_transactions = 2
	restart_after_crash = on
	wal_writer_delay = 10s
	full_page_writes = off
	autovacuum = off
});
my $fit = fit('people');
my $canceled = 'canceling a private scan on request or timeout';

create_people($node);
$node->safe_psql('postgres', q{
	SET ROLE own;
	CREATE TABLE crowd AS SELECT 5 * sin(i) AS x, 5 * cos(i) AS y FROM generate_series(1, 200000) i;
	ANALYZE crowd;
	SELECT dp_register_dataset('crowd', 'crowd', 100, 1e-3), dp_register_column('crowd', 'x', -10, 10),
		dp_register_column('crowd', 'y', -10, 10), dp_grant_budget('ana', 'crowd', 50, 1e-3)});

# What the owner reads: charges in the ledger of people, as many as the
# budgets of the role and of the dataset count, and what they have spent.
sub books
{
	my $result = run_as($node, 'own', q{
		SELECT count(DISTINCT charge) FROM dpem.ledger WHERE dataset <> 'crowd';
		SELECT charges, spent_epsilon FROM dpem.budgets WHERE dataset = 'people' ORDER BY role});
	my ($ledger, $role, $dataset) = split /\n/, $result->{out};

	die $result->{err} if $result->{err};
	return ($ledger, map { split /\|/ } $role, $dataset);
}

# Runs the code; so many charges more must be on the books.
sub survives_ok
{
	my ($name, $more, $code) = @_;
	my @before = books();

	$code->();
	my @after = books();

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($after[0] - $before[0], $more, "$name: ledger");
	is("@after[1, 3]", "$after[0] $after[0]", "$name: budgets count it");
	ok($more == 0 ? "@after" eq "@before" : ($after[2] > $before[2] && $after[4] > $before[4]),
		"$name: spent_epsilon");
	return;
}

# A script of the analyst, to its end.
sub script_ok
{
	my ($name, $more, $sql, $sqlstate, $out) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	survives_ok($name, $more, sub {
		my $result = run_as($node, 'ana', $sql);

		is(sqlstate($result), $sqlstate // '', "$name: outcome") or diag($result->{err});
		like($result->{out}, $out, "$name: output") if $out;
	});
	return;
}

# A fit that is under way when the code runs.
sub interrupted_ok
{
	my ($name, $sql, $error, $code) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	survives_ok($name, 1, sub {
		my $charges = charges($node);
		my $session = start_as($node, 'ana', $sql);

		wait_for_charge($node, $charges + 1);
		$code->();
		finish($session);
		like($session->{err}, $error, "$name: message");
		is($session->{out}, '', "$name: no output");
	});
	return;
}

sub fitting_backend
{
	return $node->safe_psql('postgres', q{
		SELECT pid FROM pg_stat_activity WHERE usename = 'ana' AND backend_type = 'client backend'});
}

sub crash
{
	$node->stop('immediate');
	$node->start;
	return;
}

# ---- statements and transactions ---------------------------------------------

script_ok('committed', 1, "SELECT count(*) FROM $fit", '', qr/^2$/);
script_ok('transaction rolled back', 1, "BEGIN; SELECT count(*) FROM $fit; ROLLBACK", '', qr/^2$/);
script_ok('savepoint rolled back', 1,
	"BEGIN; SAVEPOINT a; SELECT count(*) FROM $fit; ROLLBACK TO a; RELEASE a; COMMIT", '', qr/^2$/);
script_ok('exception block in PL/pgSQL that keeps the value in a variable or a setting', 1, qq{
	DO \$\$
	DECLARE
		seen float8;
	BEGIN
		BEGIN
			SELECT weight INTO seen FROM $fit;
			RAISE EXCEPTION 'undo';
		EXCEPTION WHEN OTHERS THEN
			PERFORM set_config('ana.seen', seen::text, false);
		END;
	END\$\$;
	SELECT current_setting('ana.seen')::float8 IS NOT NULL}, '', qr/^t$/);
script_ok('error after rows were streamed', 1, "SELECT 1 / (component - 2) FROM $fit", '22012');
script_ok('error at COMMIT, by a deferred constraint', 1, qq{
	CREATE TEMP TABLE kept (a int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED);
	INSERT INTO kept SELECT 1 FROM $fit}, '23505');
survives_ok('multi-statement query string that fails later', 1, sub {
	$node->command_fails_like(
		[
			'psql', '-XAt', '-U', 'ana', '-d', $node->connstr('postgres'),
			'-c', "SELECT count(*) FROM $fit; SELECT 1 / 0"
		],
		qr/division by zero/, 'multi-statement query string that fails later: outcome');
});
script_ok('cursor read in part', 1, qq{
	BEGIN; DECLARE c CURSOR FOR SELECT component FROM $fit; FETCH 1 FROM c; ROLLBACK}, '', qr/^1$/);
script_ok('cursor never read', 0, "BEGIN; DECLARE c CURSOR FOR SELECT * FROM $fit; ROLLBACK");
script_ok('CREATE TABLE AS', 1, "BEGIN; CREATE TABLE kept AS SELECT * FROM $fit; ROLLBACK");
script_ok('COPY (SELECT ...)', 1, "BEGIN; COPY (SELECT component FROM $fit) TO STDOUT; ROLLBACK", '', qr/^1\n2$/);
script_ok('prepared transaction', 1, qq{
	BEGIN; SELECT count(*) FROM $fit; PREPARE TRANSACTION 'fitted';
	ROLLBACK PREPARED 'fitted'}, '', qr/^2$/);
script_ok('EXPLAIN must not run the fit', 0, "EXPLAIN (VERBOSE) SELECT * FROM $fit", '', qr/Function Scan/);
script_ok('EXPLAIN ANALYZE must charge', 1, "EXPLAIN (ANALYZE) SELECT * FROM $fit", '', qr/actual/);
script_ok('prepared statement', 2, "PREPARE f AS SELECT count(*) FROM $fit; EXECUTE f; EXECUTE f");
script_ok('LATERAL join runs it n times and pays n times', 3, q{SELECT count(*) FROM (VALUES (0.1), (0.11), (0.12)) v (e),
	LATERAL dp_gmm_fit('people', 2, v.e, 1e-6, iterations => 2) f}, '', qr/^6$/);
script_ok('select list', 3, "SELECT count(*) FROM (SELECT $fit FROM generate_series(1, 3)) f",
	'', qr/^6$/);
script_ok('WHERE false', 0, "SELECT count(*) FROM $fit WHERE false", '', qr/^0$/);

# ---- a fit in disguise -------------------------------------------------------

$node->safe_psql('postgres', qq{
	SET ROLE ana;
	CREATE FUNCTION folded(n int) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS \$\$
	BEGIN
		RETURN (SELECT max(weight) FROM $fit) + 0 * n;
	END\$\$;
	CREATE FUNCTION stable_fit() RETURNS bigint LANGUAGE sql STABLE AS \$\$SELECT count(*) FROM $fit\$\$;
	CREATE FUNCTION safe_fit(n int) RETURNS bigint LANGUAGE sql PARALLEL SAFE AS \$\$SELECT count(*) + 0 * n FROM $fit\$\$;
	CREATE FUNCTION opened() RETURNS refcursor LANGUAGE plpgsql AS \$\$
	DECLARE
		c refcursor := 'kept';
	BEGIN
		OPEN c FOR SELECT component FROM $fit;
		RETURN c;
	END\$\$;
	CREATE PROCEDURE fit_and_forget(kept INOUT float8) LANGUAGE plpgsql AS \$\$
	BEGIN
		SELECT weight INTO kept FROM $fit LIMIT 1;
		ROLLBACK;
		SELECT kept + weight INTO kept FROM $fit LIMIT 1;
		COMMIT;
	END\$\$;
	CREATE TABLE late (n int);
	CREATE FUNCTION late_fit() RETURNS trigger LANGUAGE plpgsql AS \$\$
	BEGIN
		PERFORM set_config('ana.late', (SELECT max(weight) FROM $fit)::text, false);
		RAISE EXCEPTION 'undo';
	END\$\$;
	CREATE CONSTRAINT TRIGGER late AFTER INSERT ON late DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW EXECUTE FUNCTION late_fit()});
script_ok('EXPLAIN that folds a function said to be immutable', 1, 'EXPLAIN (VERBOSE, COSTS OFF) SELECT folded(1)',
	'', qr/Output: '\d/);
script_ok('function said to be stable', 1, 'BEGIN; SELECT stable_fit(); ROLLBACK', '', qr/^2$/);
script_ok('function said to be parallel safe', 0, q{SET force_parallel_mode = on; SET parallel_setup_cost = 0;
	SET min_parallel_table_scan_size = 0; SELECT safe_fit(relpages) FROM pg_class LIMIT 1}, '25000', qr/^$/);
script_ok('LIMIT 1', 1, "SELECT component FROM $fit LIMIT 1", '', qr/^1$/);
script_ok('EXISTS', 1, "SELECT EXISTS (SELECT FROM $fit)", '', qr/^t$/);
script_ok('cursor WITH HOLD, run by COMMIT', 1,
	"BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT component FROM $fit; COMMIT; FETCH 1 FROM c; CLOSE c", '', qr/^1$/);
script_ok('cursor that a function opened', 1, 'BEGIN; SELECT opened(); FETCH 1 FROM kept; ROLLBACK', '', qr/^kept\n1$/);
script_ok('deferred trigger that fits at COMMIT and fails', 1,
	'BEGIN; INSERT INTO late VALUES (1); COMMIT', 'P0001', qr/^$/);
script_ok('procedure with transactions of its own', 2, 'CALL fit_and_forget(NULL)', '', qr/^\d/);
script_ok('INSERT ... ON CONFLICT that fails', 1, qq{
	CREATE TEMP TABLE once (n int PRIMARY KEY);
	INSERT INTO once SELECT 1 FROM $fit ON CONFLICT (n) DO UPDATE SET n = 2}, '21000');
{
	my $holder = $node->background_psql('postgres');

	$holder->query_safe('BEGIN; LOCK TABLE people IN ACCESS EXCLUSIVE MODE');
	script_ok('lock_timeout', 0, "SET lock_timeout = '100ms'; SELECT count(*) FROM $fit", '55P03', qr/^$/);
	$holder->query_safe('ROLLBACK');
	$holder->quit;
}

# ---- stopped in the middle ---------------------------------------------------

my $slow = 'SELECT count(*) FROM ' . fit('slow');

survives_ok('statement_timeout', 1, sub {
	my $result = run_as($node, 'ana', "SET statement_timeout = '4s'; $slow");

	like($result->{err}, qr/ERROR:  57014: $canceled\nDETAIL:  The charge stands\.\nLOCATION:[^\n]*$/,
		'statement_timeout: constant message');
	is($result->{out}, '', 'statement_timeout: no output');
});
interrupted_ok('cancel', $slow,
	qr/ERROR:  57014: $canceled\nDETAIL:  The charge stands\.\nLOCATION:[^\n]*$/,
	sub { $node->safe_psql('postgres', 'SELECT pg_cancel_backend(' . fitting_backend() . ')') });
interrupted_ok('terminate', $slow,
	qr/FATAL:  57P01: terminating connection|server closed the connection/,
	sub { $node->safe_psql('postgres', 'SELECT pg_terminate_backend(' . fitting_backend() . ')') });

# Without pg_sleep: the work itself can be interrupted, in a scan or between two.
{
	my $charges = charges($node);
	my $session = start_as($node, 'ana',
		q{SELECT count(*) FROM dp_gmm_fit('crowd', 20, 1, 1e-6, iterations => 1000)});

	wait_for_charge($node, $charges + 1);
	is($node->safe_psql('postgres', 'SELECT pg_cancel_backend(' . fitting_backend() . ')'),
		't', 'work is cancelled');
	finish($session);
	like($session->{err},
		qr/ERROR:  57014: (?:$canceled|canceling statement due to user request)\n/,
		'work is cancelled: message');
	is(charges($node), $charges + 1, 'work is cancelled: ledger');
}

# ---- crashes -----------------------------------------------------------------

interrupted_ok('kill -9', $slow, qr/server closed the connection|terminating connection/,
	sub {
		kill 'KILL', fitting_backend();
		$node->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()');
	});
interrupted_ok('immediate shutdown', $slow, qr/server closed the connection|terminating connection/,
	\&crash);

# synchronous_commit is off in every place it can be set: a crash after the
# answer, and a crash when the charge is the last thing in the log.
sub asynchronous_ok
{
	my ($where, $before) = @_;

	survives_ok("crash after a fit, synchronous_commit off in $where", 1, sub {
		is(run_as($node, 'ana', "$before SELECT count(*) FROM $fit")->{out}, '2', "$where: answer");
		crash();
	});
	interrupted_ok("crash in a fit, synchronous_commit off in $where", "$before $slow",
		qr/server closed the connection|terminating connection/, \&crash);
	return;
}

my $super = $node->safe_psql('postgres', 'SELECT quote_ident(current_user)');

asynchronous_ok('the session', 'SET synchronous_commit = off;');
asynchronous_ok('transaction', 'BEGIN; SET LOCAL synchronous_commit = off;');
foreach my $place ('ROLE ana', 'ROLE ALL', 'DATABASE postgres', "ROLE $super", "ROLE $super IN DATABASE postgres")
{
	$node->safe_psql('postgres', "ALTER $place SET synchronous_commit = off");
	asynchronous_ok($place, '');
	$node->safe_psql('postgres', "ALTER $place RESET synchronous_commit");
}
$node->append_conf('postgresql.conf', "synchronous_commit = off\n");
$node->restart;
asynchronous_ok('postgresql.conf', '');

$node->stop;
done_testing();
