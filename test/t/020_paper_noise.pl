# The noise that mechanisms ggg and llg really add is the noise that
# dp_gmm_plan announces: over 41 one-pass fits of 32 components for each mechanism,
# adjacency and unit, the mean square of every released statistic's error
# equals the planned variance; the joint mechanism beside them, in 64 columns.
# A fit costs as much whatever it releases, so that few of many numbers each say most.
#
# The rows are the 16 points (+-1, +-1, +-1, +-1) in equal numbers and all of
# the 32 components start alike at the origin.  So every responsibility is 1/32,
# counts are N/32, sums 0, second moments N/32 times (1/16 on the diagonal, 0 off
# it) in unit-ball coordinates, exactly; and to first order in noise / count
#     weight       (e_n - mean of e_n) / N
#     mean         e_s / n
#     variance     (e_S - e_n / 16) / n,    covariance   e_S / (sqrt(2) n).
# Noise over count is below 6 %, so the second order changes a ratio of variances by
# about 1 %.
#
# The ratio of mean squares has a standard error of sqrt((kurtosis - 1) / m) over
# m numbers: at most 5.3 % for the 1,271 weights of llg (kurtosis 4.5 or less) and less
# for the others.  Bounds of 0.66 and 1.34 are 6.4 of those away, a false alarm
# rate below 1e-7 for all comparisons together; halved noise gives 0.25, and noise
# for sensitivity 1 instead of sqrt 2 gives 0.5, whose standard error is half as large.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my ($fits, $k, $d, $rows, $epsilon) = (41, 32, 4, 32000, 24);
my $n = $rows / $k;
my $unit = 4;    # half-width 2 times clip_norm sqrt(4): own units per unit of the ball
my $wide = 64;
my $node = start_server('paper_noise', 'fsync = off');

sub make_dataset
{
	my ($name, $more) = @_;
	my $columns = $name =~ /^joint/ ? $wide : $d;
	my $signs = join ', ', map { "(CASE WHEN (i + i / 16 * ($_ / 4)) & " . (1 << $_ % 4) . " = 0 THEN -1 ELSE 1 END)::float8 AS x$_" } 0 .. $columns - 1;

	# a dataset may have a budget of 1000 at most
	$node->safe_psql('postgres',
		"CREATE TABLE $name AS SELECT i / 2 AS person, $signs FROM generate_series(0, $rows - 1) i; ANALYZE $name");
	register_table($node, $name, $name, [ map { [ "x$_", -2, 2 ] } 0 .. $columns - 1 ], epsilon => 1000, more => $more);
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 1e-4)");
	return;
}

sub run_fits
{
	my ($dataset, $arguments) = @_;

	call_times($node, $fits, "dp_gmm_fit('$dataset', $arguments)");
	return;
}

# {statistic => {noise_stddev, ...}}
sub plan_of
{
	my ($dataset, $arguments) = @_;
	my $rows = query_json($node, "SELECT json_agg(p) FROM dp_gmm_plan('$dataset', $arguments) p");

	return { map { $_->{statistic} => $_ } @$rows };
}

sub check_ratio
{
	my ($ratio, $label) = @_;

	ok($ratio > 0.66 && $ratio < 1.34, "$label: measured over planned variance is " . sprintf('%.3f', $ratio));
	return;
}

sub mean_square
{
	my ($view, $error, $condition) = @_;

	return $node->safe_psql('postgres', "SELECT avg(($error) ^ 2) FROM dpem.$view WHERE $condition");
}

sub check_mechanism
{
	my ($dataset, $mechanism) = @_;
	my $fit_arguments = "$k, $epsilon, 1e-4, mechanism => '$mechanism', iterations => 1, estimator => 'mle',"
	  . " init_means => array_fill(0::float8, ARRAY[$k, $d]), step_delta => 1e-6";
	my $plan = plan_of($dataset, $fit_arguments);
	my %sd = map { $_ => $plan->{$_}{noise_stddev} } qw(weights means covariances);
	my $of = "model IN (SELECT model FROM dpem.models WHERE dataset = '$dataset' AND mechanism = '$mechanism')";
	my $label = $dataset;

	run_fits($dataset, $fit_arguments);
	cmp_ok($sd{$_} / $n, '<', 0.06, "$label: $_ are known well enough to linearise") foreach sort keys %sd;
	check_ratio(mean_square('gmm_components', "weight - 1.0 / $k", $of) / (($sd{weights} / $rows) ** 2 * ($k - 1) / $k),
		"$label: weights");
	check_ratio(mean_square('gmm_means', 'mean', $of) / ($sd{means} / $n * $unit) ** 2, "$label: means");
	check_ratio(mean_square('gmm_covariances', 'covariance', "$of AND column_name < other_column")
		  / (($sd{covariances} / $n * $unit ** 2) ** 2 / 2), "$label: covariances");
	check_ratio(mean_square('gmm_covariances', 'covariance - 1', "$of AND column_name = other_column")
		  / (($sd{covariances} ** 2 + ($sd{weights} / 16) ** 2) / $n ** 2 * $unit ** 4), "$label: variances");
	if ($dataset =~ /replace_one/)
	{
		is(sprintf('%.10g', $plan->{means}{column_noise_stddev}[1]), sprintf('%.10g', $sd{means} / $n * $unit),
			"$label: the plan says so in the columns' units");
		is(sprintf('%.10g', $plan->{covariances}{column_noise_stddev}[2]),
			sprintf('%.10g', $sd{covariances} / $n * $unit ** 2), "$label: and of variances");
	}
	is($node->safe_psql('postgres', "SELECT count(DISTINCT mean) = count(*) FROM dpem.gmm_means WHERE $of"), 't',
		"$label: no mean comes twice");
	return;
}

# one component and one pass: the estimate is sums over the number of rows, in a ball of more coordinates
sub check_joint
{
	my ($dataset) = @_;
	my $arguments = "1, 8, 1e-4, iterations => 1, estimator => 'mle', precondition => 'none', covariance => 'spherical'";
	my $sd = plan_of($dataset, $arguments)->{'mixture: sums'}{noise_stddev};

	run_fits($dataset, $arguments);
	check_ratio(mean_square('gmm_means', 'mean', "model IN (SELECT model FROM dpem.models WHERE dataset = '$dataset'"
			  . " AND mechanism = 'joint')") / ($sd / $rows * 2 * sqrt($wide)) ** 2, "$dataset: sums");
	return;
}

my %option = (
	replace_one => '',
	add_remove => ", adjacency => 'add_remove'",
	persons => ", unit => 'person', max_rows_per_unit => 2");

foreach my $mechanism (qw(ggg llg joint))
{
	foreach my $units ($mechanism eq 'joint' ? qw(replace_one add_remove) : qw(replace_one add_remove persons))
	{
		make_dataset("${mechanism}_$units", $option{$units});
		$mechanism eq 'joint' ? check_joint("joint_$units") : check_mechanism("${mechanism}_$units", $mechanism);
	}
}

$node->stop;
done_testing();
