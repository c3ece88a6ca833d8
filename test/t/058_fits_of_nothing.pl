# A fit of nothing says so, from released numbers: a column that is NULL in every row, far more
# components than noise leaves rows for; and a fit of rows does not.
#
# False alarms: a release of noise alone is taken for rows with a probability below 2e-8 (core/statistics/signal.h), and
# there are fewer than fifty here; the fits of rows have hundreds of deviations.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $node = start_server('fits_of_nothing', "fsync = off\ndpem.noise_warnings = on");

$node->safe_psql('postgres', q{
	CREATE TABLE people AS SELECT i, sin(i) AS x, cos(i) AS y, NULL::float8 AS nothing, i % 2 = 0 AS yes, (i % 3 = 0)::int AS bit, (i % 5 = 0)::int AS other_bit, NULL::int AS no_bit
	FROM generate_series(1, 4500) i;
	CREATE TABLE nobody (x float8, y float8);
	ANALYZE;
	SELECT dp_register_dataset('people', 'people', 1000, 1e-2), dp_register_dataset('nobody', 'nobody', 1000, 1e-2, adjacency => 'add_remove');
	SELECT dp_register_column(d, c, -1, 1) FROM (VALUES ('people', 'x'), ('people', 'y'), ('people', 'nothing'), ('nobody', 'x'), ('nobody', 'y')) AS v(d, c);
	SELECT dp_register_column('people', c, 0, 1) FROM unnest('{bit,other_bit,no_bit}'::text[]) AS c;
	SELECT dp_register_column('people', 'yes', '{false,true}'::text[]);
	SELECT dp_grant_budget(current_user::regrole, d, 1000, 1e-2) FROM unnest('{people,nobody}'::text[]) AS d});

sub warning_of
{
	my ($call) = @_;
	my ($status, $out, $err) = $node->psql('postgres', "SELECT count(*) FROM $call");

	is($status, 0, "$call is answered") or diag($err);
	return $err;
}

my %call = (
	gmm => "dp_gmm_fit('people', 3, %s, columns => '%s')",
	kmeans => "dp_kmeans_fit('people', 3, %s, columns => '%s')",
	'kmeans, subspace' => "dp_kmeans_fit('people', 3, %s, columns => '%s', algorithm => 'subspace')",
	'kmeans, joint' => "dp_kmeans_fit('people', 3, %s, columns => '%s', algorithm => 'joint')",
	'gmm, ggg' => "dp_gmm_fit('people', 3, %s, columns => '%s', mechanism => 'ggg', composition => 'exact')",
	'kmeans, dpem' => "dp_kmeans_fit('people', 3, %s, columns => '%s', algorithm => 'dpem', composition => 'exact')",
	fa => "dp_fa_fit('people', 1, %s, columns => '%s')",
	pca => "dp_pca_fit('people', 1, %s, columns => '%s')",
	'pca, power' => "dp_pca_fit('people', 1, %s, columns => '%s', algorithm => 'power')",
	linreg => "dp_linreg_fit('people', 'bit', %s, columns => '%s', missing => 'complete')",
	logit => "dp_logit_fit('people', 'yes', %s, columns => '%s', missing => 'complete')",
	sbn => "dp_sbn_fit('people', 1, %s, columns => '%s')");

foreach my $family (sort keys %call)
{
	my ($rows, $none) = $family eq 'sbn' ? ('{bit,other_bit}', '{bit,no_bit}') : ('{x,y}', '{x,nothing}');

	like(warning_of(sprintf($call{$family}, 1, $none)), qr/^.*WARNING:  \S+: nothing of any row is to be seen in what was released$/m,
		"$family: of nothing");
	unlike(warning_of(sprintf($call{$family}, 20, $rows)), qr/WARNING/, "$family: of rows");
}
like(warning_of("dp_kmeans_fit('nobody', 2, 1)"), qr/WARNING:  dp_kmeans_fit: nothing of any row/, 'an empty table');
like(warning_of("dp_gmm_fit('people', 400, 0.5, 1e-6, columns => '{x,y}', iterations => 4)"), qr/WARNING:  dp_gmm_fit: the noise in the weights, \S+ rows, is larger/,
	'far too many components');
like(warning_of("dp_kmeans_fit('people', 300, 0.2, 1e-6, columns => '{x,y}', algorithm => 'joint')"),
	qr/WARNING:  dp_kmeans_fit: (?:the noise in the weights, \S+ rows, is larger|nothing of any row)/, 'far too many clusters');

# statistics: of no rows, of groups of which some have none, and of rows; a count of none is an answer.  A group of
# none is taken for rows once in forty, all of the thirty once in 1e48; 4500 rows are hundreds of deviations.
sub thirty { return '(' . join(' UNION ALL ', ("SELECT value FROM $_[0]") x 30) . ') AS u' }
like(warning_of(thirty("dp_avg('people', 'nothing', 1)")), qr/WARNING:  dp_avg: there are no more rows than noise behind the value/, 'an average of nothing');
like(warning_of(thirty("dp_variance('people', 'nothing', 1, by => 'yes')")), qr/WARNING:  dp_variance: there are no more rows than noise behind [12] of 2 values/, 'by groups');
unlike(warning_of("dp_avg('people', 'x', 1), dp_stddev('people', 'x', 1, by => 'yes'), dp_count('nobody', 1)"), qr/WARNING/, 'of rows');

# the rows have no part in it: the same warning, and the same charge
is($node->safe_psql('postgres', "SELECT count(*) FROM dpem.calls WHERE dataset = 'nobody'"), '2', 'a fit of nothing is charged');

$node->stop;
done_testing();
