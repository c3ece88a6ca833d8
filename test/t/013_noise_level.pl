# The noise that is really added is the noise that is declared: over 31
# one-pass, one-component fits of 40 columns the variance of each mean equals the square of
# the declared noise_stddev.
#
# A fit costs as much whatever it releases.  30 degrees of freedom of each of 40
# coordinates are 1200: the ratio has a standard deviation of 4.1 %, so that bounds of 25 % have a false alarm rate
# below 1e-8, while halved noise would give a ratio of 0.25.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my ($fits, $columns) = (31, 40);
my $values = join ', ', map { "sin($_ * i)::float8 AS x$_" } 1 .. $columns;
my $node = start_server('noise');

foreach my $adjacency (qw(replace_one add_remove))
{
	$node->safe_psql('postgres', qq{
		CREATE TABLE points_$adjacency AS
		SELECT $values
		FROM generate_series(1, 3000) i; ANALYZE points_$adjacency});
	register_table($node, $adjacency, "points_$adjacency", [ map { [ "x$_", -2, 2 ] } 1 .. $columns ],
		epsilon => 500, more => ", adjacency => '$adjacency'");
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$adjacency', 500, 1e-4)");
	call_times($node, $fits, "dp_gmm_fit('$adjacency', 1, 1, 1e-4, iterations => 1, estimator => 'mle', precondition => 'none', covariance => 'spherical', model => '${adjacency}_' || i)");
	my $ratio = $node->safe_psql('postgres', qq{
		SELECT sum(variance) / sum(declared) FROM (
			SELECT var_samp(mean) AS variance, avg(noise_stddev ^ 2) AS declared
			FROM dpem.gmm_means WHERE model LIKE '$adjacency%' GROUP BY column_name) s});
	cmp_ok($ratio, '>', 0.75, "$adjacency: variance over declared variance is $ratio");
	cmp_ok($ratio, '<', 1.25, "$adjacency: and not too large");
	is($node->safe_psql('postgres', qq{SELECT count(DISTINCT mean) = count(*)
		FROM dpem.gmm_means WHERE model LIKE '$adjacency%'}), 't', "$adjacency: no mean comes twice");
}

$node->stop;
done_testing();
