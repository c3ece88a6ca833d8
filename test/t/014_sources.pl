# A foreign table is a source like any other, and the same people: its
# no-noise fit equals the local table's, also beside a local partition.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $node = start_server('sources');
my ($rc) = $node->psql('postgres', 'CREATE EXTENSION postgres_fdw');

plan skip_all => 'postgres_fdw is not installed' if $rc != 0;

my ($host, $port) = ($node->host, $node->port);

$node->safe_psql('postgres', qq{
	CREATE TABLE remote_rows AS
	SELECT i, sin(i)::float8 AS a, cos(2 * i)::float8 AS b FROM generate_series(1, 2000) i;
	CREATE SERVER loop FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port', dbname 'postgres');
	CREATE USER MAPPING FOR CURRENT_USER SERVER loop;
	CREATE FOREIGN TABLE far (a float8, b float8) SERVER loop OPTIONS (table_name 'remote_rows');
	CREATE TABLE near AS SELECT a, b FROM remote_rows;
	CREATE TABLE split (i int, a float8, b float8) PARTITION BY RANGE (i);
	CREATE TABLE split_near PARTITION OF split FOR VALUES FROM (0) TO (1001);
	CREATE FOREIGN TABLE split_far PARTITION OF split FOR VALUES FROM (1001) TO (9999)
		SERVER loop OPTIONS (table_name 'remote_half');
	CREATE TABLE remote_half AS SELECT * FROM remote_rows WHERE i > 1000;
	INSERT INTO split_near SELECT * FROM remote_rows WHERE i <= 1000});

sub fit
{
	my ($dataset) = @_;

	return query_json($node, "SELECT json_agg(json_build_array(weight, mean, covariance) ORDER BY component)"
		  . " FROM dp_gmm_fit('$dataset', 2, 'Infinity', iterations => 5, precondition => 'none', init_variance => 0.1)");
}

sub flatten
{
	my ($value) = @_;

	return ref $value ? map { flatten($_) } @$value : $value;
}

register_table($node, $_, $_, [ [ 'a', -1, 1 ], [ 'b', -1, 1 ] ]) foreach qw(near far split);
my @near = flatten(fit('near'));
foreach my $dataset (qw(far split))
{
	my @got = flatten(fit($dataset));

	is(scalar(grep { abs($got[$_] - $near[$_]) > 1e-9 } 0 .. $#near), 0, "$dataset: the local table's fit");
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$dataset', 5, 1e-4)");
	is($node->safe_psql('postgres', "SELECT count(*) FROM dp_gmm_fit('$dataset', 2, 1)"), 2, "$dataset: a private fit");
}

# the remote server fails: one constant message, the charge stands
$node->safe_psql('postgres', 'DROP TABLE remote_rows');
my ($status, $out, $err) = $node->psql('postgres', "\\set VERBOSITY verbose\nSELECT * FROM dp_gmm_fit('far', 2, 1)");
like($err, qr/DP003: the private source could not be scanned/, 'a failing server: DP003');
unlike($err, qr/remote_rows/, '... which says nothing of why');
is($node->safe_psql('postgres', "SELECT count(DISTINCT charge) FROM dpem.ledger WHERE dataset = 'far'"), 2, 'the charge stands');

$node->stop;
done_testing();
