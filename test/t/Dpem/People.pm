# A server with a private table of people, its owner `own` and an analyst
# `ana` who holds a budget: what the tests of charges, identity and messages
# share.
package Dpem::People;

use strict;
use warnings;

use Exporter qw(import);
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(new_people create_people fit run_as sqlstate sqlstates start_as finish charges reads
  wait_for_charge ok_as refused_ok);

# Budgets of the datasets below are far larger than any test spends.
my $people = q{
	CREATE EXTENSION dpem;
	CREATE ROLE own LOGIN;
	CREATE ROLE ana LOGIN;
	GRANT CREATE ON SCHEMA public TO own, ana;
	SET ROLE own;
	CREATE TABLE people (x float8, y float8);
	INSERT INTO people SELECT 5 * sin(i), 5 * cos(i * i) FROM generate_series(1, 200) i;
	ANALYZE people;
	CREATE SEQUENCE people_reads;
	CREATE VIEW counted AS SELECT x, y FROM people WHERE nextval('public.people_reads') > 0;
	CREATE VIEW slow AS SELECT x, y FROM people WHERE pg_sleep(1) IS NOT NULL;
	SELECT dp_register_dataset(name, name, 100, 1e-2), dp_register_column(name, 'x', -10, 10),
		dp_register_column(name, 'y', -10, 10), dp_grant_budget('ana', name, 50, 1e-3)
	FROM unnest(ARRAY['people', 'counted', 'slow']) name;
};

# A server, not yet started: new_people(name, conf => '...', init => [...]).
sub new_people
{
	my ($name, %option) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init(@{ $option{init} // [] });
	$node->append_conf('postgresql.conf', "max_connections = 20\ndpem.noise_warnings = off\ndpem.fresh = on\n" . ($option{conf} // ''));
	return $node;
}

# Starts it and fills it with three datasets on one table and one ledger:
# `people` is the table, `counted` counts the rows that are read in a
# sequence, and a fit to `slow` takes minutes for each pass.
sub create_people
{
	my ($node) = @_;

	$node->start;
	$node->safe_psql('postgres', $people);
	return;
}

# A call of dp_gmm_fit for the FROM clause; more arguments may follow.
sub fit
{
	my ($dataset, $more) = @_;

	return "dp_gmm_fit('$dataset', 2, 0.1, 1e-6, iterations => 2" . ($more ? ", $more" : '') . ')';
}

# Runs a script to its end as a role; returns { out, err }, in which errors
# show their SQLSTATE.
sub run_as
{
	my ($node, $role, $sql, %option) = @_;
	my ($rc, $out, $err) = $node->psql(
		$option{database} // 'postgres', $sql,
		on_error_stop => 0,
		extra_params => [ '-U', $role, '-v', 'VERBOSITY=verbose' ]);

	return { out => $out, err => $err };
}

# SQLSTATE of the first error, or ''.
sub sqlstate
{
	my ($result) = @_;

	return $result->{err} =~ /(?:ERROR|FATAL):  (\w{5}):/ ? $1 : '';
}

# SQLSTATEs of statements that one session runs, each rolled back.
sub sqlstates
{
	my ($node, $role, @sql) = @_;
	my $result = run_as($node, $role, join "\n", map { "$_;\n\\echo state :SQLSTATE\nROLLBACK;" } @sql);

	return $result->{out} =~ /^state (\w{5})$/mg;
}

# Statements in the background, each a query string of its own.
sub start_as
{
	my ($node, $role, @sql) = @_;
	my $session = { out => '', err => '' };

	$session->{run} = IPC::Run::start(
		[
			$node->installed_command('psql'), '-XAtq', '-U', $role, '-v', 'VERBOSITY=verbose',
			'-d', $node->connstr('postgres'), map { ('-c', $_) } @sql
		],
		'<', \undef, '>', \$session->{out}, '2>', \$session->{err},
		IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	return $session;
}

sub finish
{
	my ($session) = @_;

	$session->{run}->finish;
	chomp($session->{out}, $session->{err});
	return $session;
}

sub charges
{
	my ($node, %option) = @_;

	return $node->safe_psql($option{database} // 'postgres',
		'SELECT count(DISTINCT charge) FROM dpem.ledger');
}

# How many rows of `counted` were read so far.
sub reads
{
	my ($node) = @_;

	return $node->safe_psql('postgres',
		'SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM people_reads');
}

# Waits until the ledger has so many charges: the fit is under way.
sub wait_for_charge
{
	my ($node, $number) = @_;

	$node->poll_query_until('postgres',
		"SELECT count(DISTINCT charge) >= $number FROM dpem.ledger")
	  or die 'the fit was not charged';
	return;
}

# The script runs without an error or a word.
sub ok_as
{
	my ($node, $role, $sql, $name, %option) = @_;
	my $result = run_as($node, $role, $sql, %option);

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($result->{err}, '', $name);
	return $result;
}

# The script fails with this SQLSTATE, no row is read, nothing is charged.
sub refused_ok
{
	my ($node, $role, $sql, $sqlstate, $name, %option) = @_;
	my @before = (charges($node, %option), $option{database} ? 0 : reads($node));
	my $result = run_as($node, $role, $sql, %option);
	my @after = (charges($node, %option), $option{database} ? 0 : reads($node));

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is(sqlstate($result), $sqlstate, "$name: $sqlstate") or diag($result->{err});
	is("@after", "@before", "$name: nothing charged, nothing read");
	return $result;
}

1;
