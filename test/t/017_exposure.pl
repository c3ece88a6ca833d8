# dp_exposure on a server that logs, replicates and keeps statistics: what it
# says of the server as a whole, and that its remedies close it.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_people('exposed', init => [ allows_streaming => 'logical' ], conf => q{
log_statement = mod
log_min_duration_statement = 0
log_duration = on
log_temp_files = 0
log_executor_stats = on
debug_print_rewritten = on
log_error_verbosity = terse
});

create_people($node);
my @libraries = grep { -e "$_.so" } map { $node->config_data('--pkglibdir') . "/$_" } qw(pg_stat_statements auto_explain);
my $has_contrib = @libraries == 2
  && $node->safe_psql('postgres', q{SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_stat_statements'});

if ($has_contrib)
{
	$node->append_conf('postgresql.conf', q{
shared_preload_libraries = 'pg_stat_statements, auto_explain'
pg_stat_statements.track = all
auto_explain.log_min_duration = 0
});
	$node->restart;
	$node->safe_psql('postgres', 'CREATE EXTENSION pg_stat_statements');
}
$node->safe_psql('postgres', q{
	CREATE ROLE copier REPLICATION;
	SELECT pg_create_logical_replication_slot('spy', 'pgoutput');
	SELECT pg_create_physical_replication_slot('archive')});
$node->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('replica');
$standby->init_from_backup($node, 'base', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);

# Findings, sorted, as "topic|object|severity|has a remedy", of the topics that are about the server.
sub findings
{
	my $result = run_as($node, 'own', q{SELECT topic, object, severity, remedy IS NOT NULL FROM dp_exposure('people')
		WHERE topic NOT IN ('counters', 'size', 'row count', 'row security', 'unit', 'budget', 'column', 'grant', 'schema')});

	is($result->{err}, '', 'the owner of the source reads the report');
	return join "\n", sort split /\n/, $result->{out};
}

my @settings = qw(debug_print_rewritten|medium log_duration|low log_executor_stats|low log_min_duration_statement|low
  log_statement|low log_temp_files|low);
my @expected = ('replica|replica|info|f', 'replication slot|archive|info|t', 'replication slot|spy|medium|t',
	'replication|copier|info|t');
if ($has_contrib)
{
	push @settings, 'auto_explain.log_min_duration|medium', 'pg_stat_statements.track|low';
	push @expected, 'pg_stat_statements|public.people|medium|t';
}
push @expected, map { "setting|$_|t" } @settings;
is(findings(), join("\n", sort @expected), 'what the server tells is found');

# A fit does not disturb any of it, and the report reads nothing that is private.
ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('people'), 'a fit');
is(run_as($node, 'ana', q{SELECT * FROM dp_exposure('people')})->{out}, '', 'the analyst reads no report');

# Every remedy, as a superuser would paste it.
my $remedies = run_as($node, 'own', q{SELECT remedy FROM dp_exposure('people')
	WHERE topic IN ('setting', 'replication slot', 'replication', 'pg_stat_statements', 'row security')})->{out};
foreach my $remedy (split /\n/, $remedies)
{
	my ($rc, $out, $err) = $node->psql('postgres', $remedy);

	is($rc, 0, $remedy) or diag($err);
}
$node->safe_psql('postgres', 'SELECT pg_reload_conf()');
$node->poll_query_until('postgres', q{SELECT reset_val = 'none' FROM pg_settings WHERE name = 'log_statement'});
is(findings(), 'replica|replica|info|f', 'what has a remedy is closed');
is(sqlstate(run_as($node, 'ana', 'SELECT * FROM pg_stat_statements')), '42501', 'pg_stat_statements is closed')
  if $has_contrib;
ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('people'), 'a fit works as before');

$standby->stop;
$node->stop;
done_testing();
