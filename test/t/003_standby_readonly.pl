# Where a charge cannot be written, a fit is refused before anything is read;
# what is free of charge works there all the same.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = new_people('primary', init => [ allows_streaming => 1 ]);
my $counted = 'SELECT count(*) FROM ' . fit('counted');

create_people($primary);
ok_as($primary, 'ana', 'SELECT count(*) FROM ' . fit('people', q{model => 'kept'}), 'a first fit');

# ---- read-only transactions --------------------------------------------------

refused_ok($primary, 'ana', "BEGIN READ ONLY; $counted; ROLLBACK", '25006', 'read-only transactions: BEGIN READ ONLY');
refused_ok($primary, 'ana', "BEGIN; SET TRANSACTION READ ONLY; $counted; ROLLBACK", '25006',
	'SET TRANSACTION READ ONLY');
refused_ok($primary, 'ana',
	"BEGIN; SAVEPOINT a; SET TRANSACTION READ ONLY; $counted; ROLLBACK TO a; ROLLBACK", '25006',
	'READ ONLY subtransaction');
refused_ok($primary, 'ana', "SET default_transaction_read_only = on; $counted", '25006',
	'default_transaction_read_only of the session');
$primary->safe_psql('postgres', 'ALTER ROLE ana SET default_transaction_read_only = on');
refused_ok($primary, 'ana', $counted, '25006', 'default_transaction_read_only of the role');
$primary->safe_psql('postgres',
	'ALTER ROLE ana RESET ALL; ALTER DATABASE postgres SET default_transaction_read_only = on');
refused_ok($primary, 'ana', $counted, '25006', 'default_transaction_read_only of the database');
ok_as($primary, 'ana', "BEGIN READ WRITE; $counted; COMMIT", 'READ WRITE in spite of it');
is(charges($primary), 2, 'READ WRITE in spite of it: charged');
$primary->safe_psql('postgres',
	'BEGIN READ WRITE; ALTER DATABASE postgres RESET default_transaction_read_only; COMMIT');

my $free = q{
	SELECT dp_predict('kept', '{1,1}') IN (1, 2), dp_posterior('kept', '{1,1}') IS NOT NULL,
		dp_log_density('kept', '{1,1}') IS NOT NULL, dp_budget_remaining('people') BETWEEN 49 AND 50;
	SELECT count(*) FROM dp_sample('kept', 3);
	SELECT count(*) FROM dpem.datasets;
	SELECT count(*) FROM dpem.columns;
	SELECT dataset, charges FROM dpem.budgets ORDER BY dataset;
	SELECT count(DISTINCT charge) FROM dpem.ledger;
	SELECT model FROM dpem.models WHERE model = 'kept';
	SELECT count(*) FROM dpem.gmm_components WHERE model = 'kept';
	SELECT count(*) FROM dpem.gmm_means WHERE model = 'kept';
	SELECT count(*) FROM dpem.gmm_covariances WHERE model = 'kept'};
my $answers = join "\n", 't|t|t|t', 3, 3, 6, 'counted|2', 'people|2', 'slow|2', 2, 'kept', 2, 4, 8;

is(ok_as($primary, 'ana', "BEGIN READ ONLY; $free; COMMIT", 'READ ONLY: free things run')->{out},
	$answers, 'READ ONLY: free things answer');

# What stores nothing but an answer is charged there, too, by the worker; the answer is kept, and nothing else is written.
my $asked = q{SELECT value IS NOT NULL FROM dp_count('people', 0.01, filter => 'x > 1')};
my $again = "SET dpem.fresh = off; SET client_min_messages = warning; $asked";

is(ok_as($primary, 'ana', "BEGIN READ ONLY; $again; COMMIT", 'READ ONLY: a statistic')->{out}, 't', 'READ ONLY: a statistic answers');
is(charges($primary), 3, 'READ ONLY: a statistic is charged');
ok_as($primary, 'ana', "SET default_transaction_read_only = on; $again", 'READ ONLY: the answer is kept');
is(charges($primary), 3, '... which costs nothing');
ok_as($primary, 'ana', "BEGIN READ ONLY; SAVEPOINT a; $asked; ROLLBACK TO a; SHOW transaction_read_only; ROLLBACK", 'READ ONLY: rolled back');
is(charges($primary), 4, 'READ ONLY: what is rolled back was paid');
is(sqlstate(run_as($primary, 'ana', "BEGIN READ ONLY; SET LOCAL dpem.fresh = off; $asked; CREATE TABLE written ()")), '25006', 'READ ONLY: what follows an answer writes nothing');
refused_ok($primary, 'ana', "BEGIN READ ONLY ISOLATION LEVEL SERIALIZABLE; $asked; COMMIT", '25006', 'READ ONLY and SERIALIZABLE');
foreach my $call (q{dp_histogram('people', 'x', 0.01)}, q{dp_quantile('people', 'x', 0.5, 0.01)}, q{dp_quantiles('people', 'x', '{0.5}', 0.01)}, q{dp_bounds('people', 'x', 0.01)}, q{dp_describe('people', 0.01)}, q{dp_avg('people', 'x', 0.01)}, q{dp_robust('people', 'x', 0.01)})
{
	is(run_as($primary, 'ana', "SET client_min_messages = warning; BEGIN READ ONLY; SELECT count(*) > 0 FROM $call; COMMIT")->{out}, 't', "READ ONLY: $call");
}
refused_ok($primary, 'own', q{BEGIN READ ONLY; SELECT dp_grant_budget('ana', 'people', 1, 1e-6)}, '25006', 'READ ONLY: a grant');

# ---- a hot standby -----------------------------------------------------------

$primary->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->start;

ok_as($primary, 'ana', 'SELECT count(*) FROM ' . fit('people'), 'a charge after the backup');
$primary->wait_for_catchup($standby, 'replay', $primary->lsn('insert'));
my $charges = charges($primary);
$answers =~ s/(counted|people|slow)\|2/$1|$charges/g;
$answers =~ s/\n2\nkept/\n$charges\nkept/;

refused_ok($standby, 'ana', $counted, '25006', 'standby');
refused_ok($standby, 'ana', $asked, '25006', 'standby, a statistic');
refused_ok($standby, 'ana', "EXPLAIN ANALYZE $counted", '25006', 'standby, EXPLAIN ANALYZE');
is(ok_as($standby, 'ana', $free, 'standby: free things run')->{out},
	$answers, 'standby: free things answer');

# Promoted, it goes on with the same ledger, once its owner says that nothing is missing from it.
$primary->stop('immediate');
$standby->promote;
refused_ok($standby, 'ana', $counted, 'DP005', 'promoted');
ok_as($standby, 'postgres', q{SET client_min_messages = warning; SELECT dp_acknowledge_restore('people', 'failover')},
	'promoted: acknowledged');
is(run_as($standby, 'ana', 'SELECT count(*) FROM ' . fit('people'))->{out}, '2', 'promoted: a fit works');
is(charges($standby), $charges + 1, 'promoted: the ledger continues');
is($standby->safe_psql('postgres',
		q{SELECT charges FROM dpem.budgets WHERE dataset = 'people' AND role = 'ana'}),
	$charges + 1, 'promoted: the budget counts all');

$standby->stop;
done_testing();
