# The noise that k-means algorithms really add is the noise that dp_kmeans_plan
# announces: over 40 one-pass fits of 32 clusters for each case, 58 where noise is Laplace's, the
# mean square of the error of counts and sums equals the planned variance.  A fit costs as much
# whatever it releases, so that few of many numbers each say most.
#
# The rows are the 64 points (+-1, ..., +-1) in six columns in equal numbers; the 32 centers
# of the start have the signs of the first five coordinates, so every cluster
# holds n = N/32 rows with mean (+-1, ..., +-1, 0).  To first order in noise / n
#     weight                   (e_n - mean of e_n) / N
#     last coordinate          e_s / n
#     the other coordinates    (e_s - c e_n) / n,   c = +-1 own units = +-1/sqrt(24) in the ball.
# Noise over n is below 6 %, so the second order changes a ratio of variances by
# about 1 %; the start is so far away that the joint fit believes all of its step.
#
# The ratio of mean squares has a standard error of sqrt((kurtosis - 1) / m) over
# m numbers: 5.2 % for the 1,856 last coordinates under Laplace noise (kurtosis 6) and 4 %
# for the 1,280 under Gaussian.  Bounds of 0.66 and 1.34 are 6.5 of those away or more, a false
# alarm rate below 1e-7 for all comparisons together: of Laplace noise, whose squares have heavier
# tails than a normal law, 1e-8 for each above and 1e-14 below, by importance sampling.  Halved
# noise gives 0.25, and noise for sensitivity 1 instead of sqrt 2 gives 0.5, whose standard error
# is half as large.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my ($k, $d, $rows, $epsilon) = (32, 6, 32000, 24);
my $n = $rows / $k;
my $unit = 2 * sqrt($d);    # half-width 2 times clip_norm: own units per unit of the ball
my $node = start_server('kmeans_noise', 'fsync = off');
my $signs = join ', ', map { "(CASE WHEN i & " . (1 << $_) . " = 0 THEN -1 ELSE 1 END)::float8 AS x$_" } 0 .. $d - 1;
my $last = "x" . ($d - 1);
my @start = map { my $c = $_; [ (map { $c & (1 << $_) ? 1.9 : -1.9 } 0 .. $d - 2), 1.9 ] } 0 .. $k - 1;
my %option = (
	replace_one => '',
	add_remove => ", adjacency => 'add_remove'",
	persons => ", unit => 'person', max_rows_per_unit => 2");

sub make_dataset
{
	my ($name, $more) = @_;

	# a dataset may have a budget of 1000 at most
	$node->safe_psql('postgres',
		"CREATE TABLE $name AS SELECT i / 2 AS person, $signs FROM generate_series(0, $rows - 1) i; ANALYZE $name");
	register_table($node, $name, $name, [ map { [ "x$_", -2, 2 ] } 0 .. $d - 1 ], epsilon => 1000, more => $more);
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 1e-4)");
	return;
}

# noise standard deviations of a count and of a coordinate of a sum, as planned
sub planned
{
	my ($dataset, $arguments) = @_;
	my $plan = query_json($node, "SELECT json_object_agg(regexp_replace(statistic, '.*: ', ''), noise_stddev)"
		  . " FROM dp_kmeans_plan('$dataset', $arguments) WHERE sensitivity IS NOT NULL");

	return ($plan->{counts} // $plan->{weights}, $plan->{sums} // $plan->{means});
}

sub check_ratio
{
	my ($measured, $variance, $label) = @_;
	my $ratio = $measured / $variance;

	ok($ratio > 0.66 && $ratio < 1.34, "$label: measured over planned variance is " . sprintf('%.3f', $ratio));
	return;
}

sub mean_square
{
	my ($view, $error, $dataset, $condition) = @_;

	return $node->safe_psql('postgres', "SELECT avg(($error) ^ 2) FROM dpem.$view JOIN dpem.models USING (model)"
		  . " WHERE dataset LIKE '$dataset\\_%' AND ($condition)");
}

sub check_case
{
	my ($algorithm, $noise, $units) = @_;
	my $dataset = join '_', grep { $_ } $algorithm, $noise, $units;
	my $arguments = "$k, $epsilon, 1e-4, iterations => 1, algorithm => '$algorithm', init_means => '" . pg_array(\@start) . "'"
	  . ($noise ? ", noise => '$noise'" : '');

	# a table's budget is spent by 41 fits
	my @fits = ($noise // '') eq 'laplace' ? (29, 29) : (40);
	while (my ($i, $fits) = each @fits)
	{
		make_dataset("${dataset}_$i", $option{$units});
		call_times($node, $fits, "dp_kmeans_fit('${dataset}_$i', $arguments)");
	}
	my ($count_sd, $sum_sd) = planned("${dataset}_0", $arguments);
	cmp_ok($_ / $n, '<', 0.06, "$dataset: known well enough to linearise") foreach $count_sd, $sum_sd;
	check_ratio(mean_square('kmeans_clusters', "weight - 1.0 / $k", $dataset, 'true'),
		($count_sd / $rows) ** 2 * ($k - 1) / $k, "$dataset: counts");
	check_ratio(mean_square('kmeans_centers', 'center', $dataset, "column_name = '$last'"),
		($sum_sd / $n * $unit) ** 2, "$dataset: sums");
	check_ratio(mean_square('kmeans_centers', 'abs(center) - 1', $dataset, "column_name <> '$last'"),
		($sum_sd ** 2 + ($count_sd / $unit) ** 2) / $n ** 2 * $unit ** 2, "$dataset: sums over counts");
	check_ratio(mean_square('kmeans_centers', 'noise_stddev', $dataset, 'true'),
		($sum_sd ** 2 + ($d - 1) / $d * ($count_sd / $unit) ** 2) / $n ** 2 * $unit ** 2, "$dataset: the model says so");
	is($node->safe_psql('postgres', "SELECT count(DISTINCT center) = count(*) FROM dpem.kmeans_centers"
			  . " JOIN dpem.models USING (model) WHERE dataset LIKE '$dataset\\_%'"), 't', "$dataset: no center comes twice");
	return;
}

check_case('joint', undef, $_) foreach sort keys %option;
check_case('dplloyd', undef, $_) foreach sort keys %option;
check_case('dpem', 'gaussian', 'replace_one');
check_case('dpem', 'laplace', 'persons');

$node->stop;
done_testing();
