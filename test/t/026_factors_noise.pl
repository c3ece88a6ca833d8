# The noise that factor and component fits really add is the noise that they
# announce, and the ledger says what the plan said.  A fit costs as much whatever it
# releases, so few fits of many numbers say most.
#
# The rows are the 256 points (+-a1, ..., +-a8), so that means, variances and products are
# known exactly: all a are 1, or they fall from 1 by tenths, which makes every axis a
# component of its own, of variance a^2/4 in units of the half-width.  The ratio of a mean square over m numbers to its expectation
# has a standard deviation of sqrt(2 / m).  For 300 or more it is outside 0.55 and 1.5 with a
# probability below 6e-8, for the 60 of total variances outside 0.28 and 2.4, and all 180 of them outside 0.52 and 1.7, below 4e-8, hence a
# false alarm rate below 1e-6 for all comparisons together.  Halved
# noise gives 0.25, noise for sensitivity 1 instead of sqrt 2 gives 0.5.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my ($d, $rows) = (8, 10240);
my $node = start_server('factors_noise', 'fsync = off');

sub make_dataset
{
	my ($name, $step, $more) = @_;
	my $signs = join ', ', map { (1 - $step * $_) . " * (CASE WHEN i & " . (1 << $_) . " = 0 THEN -1 ELSE 1 END)::float8 AS x$_" } 0 .. $d - 1;

	$node->safe_psql('postgres',
		"CREATE TABLE $name AS SELECT i / 2 AS person, $signs FROM generate_series(0, $rows - 1) i; ANALYZE $name");
	register_table($node, $name, $name, [ map { [ "x$_", -2, 2 ] } 0 .. $d - 1 ], epsilon => 1000, more => $more);
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 1e-4)");
	return;
}

sub run_fits
{
	my ($function, $dataset, $arguments, $fits) = @_;

	call_times($node, $fits, "dp_${function}_fit('$dataset', $arguments, model => '${dataset}_' || i)");
	return;
}

sub plan_of
{
	my ($function, $dataset, $arguments) = @_;
	my $plan = query_json($node, "SELECT json_agg(p) FROM dp_${function}_plan('$dataset', $arguments) p");

	return { map { $_->{statistic} => $_ } @$plan };
}

sub check_ratio
{
	my ($ratio, $label, $least, $most) = @_;

	ok($ratio > ($least // 0.55) && $ratio < ($most // 1.5), "$label: measured over announced variance is " . sprintf('%.3f', $ratio));
	return;
}

sub mean_of
{
	my ($dataset, $view, $expression, $condition) = @_;

	return $node->safe_psql('postgres',
		"SELECT avg($expression) FROM dpem.$view WHERE model LIKE '${dataset}\\_%' AND " . ($condition // 'true'));
}

# every line of the ledger is a line of the plan
sub check_ledger
{
	my ($function, $dataset, $arguments, $fits) = @_;

	is($node->safe_psql('postgres', qq{
		WITH planned AS (SELECT DISTINCT line, mechanism, noise_multiplier, releases FROM dp_${function}_plan('$dataset', $arguments) WHERE line IS NOT NULL)
		SELECT count(DISTINCT l.charge) || ' ' || bool_and(p.line IS NOT NULL AND l.line IS NOT NULL)
		FROM (SELECT * FROM dpem.ledger WHERE dataset = '$dataset') l FULL JOIN planned p USING (line, mechanism, noise_multiplier, releases)}),
		"$fits true", "$dataset: the ledger is the plan");
	return;
}

my %option = (
	replace_one => '',
	add_remove => ", adjacency => 'add_remove'",
	persons => ", unit => 'person', max_rows_per_unit => 2");

# One release of everything: means, the variances and their sum (noise on the diagonal)
# and, to first order, the axes, which noise off the diagonal turns: a stated deviation is that of a direction
# in all columns, of which its own does not move.  Two axes next to each other make half of what turns either,
# so that 60 fits of eight have as much to say as 400 numbers.
my %total;
foreach my $units (sort keys %option)
{
	my ($dataset, $fits) = ("moments_$units", 60);
	my $arguments = "$d, 15, 1e-4, precondition => 'none'";

	make_dataset($dataset, 0.1, $option{$units});
	run_fits('pca', $dataset, $arguments, $fits);
	check_ratio(mean_of($dataset, 'pca_means', '(mean / noise_stddev) ^ 2'), "$dataset: means");
	check_ratio(mean_of($dataset, 'pca_components', '((variance - (1.1 - 0.1 * component) ^ 2 / 4) / noise_stddev) ^ 2'), "$dataset: variances");
	$total{$units} = mean_of($dataset, 'pca_components', '((total_variance - 0.95) / total_noise_stddev) ^ 2');
	check_ratio($total{$units}, "$dataset: total variance", 0.28, 2.4);
	check_ratio(mean_of($dataset, 'pca_directions', '(direction / noise_stddev) ^ 2', "column_name <> 'x' || component - 1") * ($d - 1) / $d, "$dataset: directions");
	my $plan = plan_of('pca', $dataset, $arguments);
	my $unit = 2 * sqrt($d);    # half-width times clip_norm
	# by the public number of rows, unless the released one contradicts it, in one fit of 370
	is(sprintf('%.8g', $node->safe_psql('postgres', "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY noise_stddev)"
			  . " FROM dpem.pca_means WHERE model LIKE '$dataset\\_%'")),
		sprintf('%.8g', $plan->{'moments: sums'}{noise_stddev} / $rows * $unit), "$dataset: the plan says so of means")
	  if $units eq 'replace_one';    # else the number of rows is released
	check_ledger('pca', $dataset, $arguments, $fits);
}

check_ratio(($total{replace_one} + $total{add_remove} + $total{persons}) / 3, 'total variances', 0.52, 1.7);

# Products with directions: of equal variances any direction has the variance 1/4.
foreach my $units (qw(replace_one persons))
{
	my ($dataset, $fits) = ("products_$units", 150);
	my $arguments = "2, 6, 1e-4, columns => '{x0,x1}', center => 'public', algorithm => 'exponential'";

	make_dataset($dataset, 0, $option{$units});
	run_fits('pca', $dataset, $arguments, $fits);
	check_ratio(mean_of($dataset, 'pca_components', '((variance - 0.25) / noise_stddev) ^ 2'), "$dataset: variances");
	check_ledger('pca', $dataset, $arguments, $fits);
}

# A factor model's means, and those of the power method, which has its own charge.
make_dataset('factors', 0.05, '');
run_fits('fa', 'factors', "1, 15, 1e-4, precondition => 'none'", 40);
check_ratio(mean_of('factors', 'fa_noise', '(mean / mean_noise_stddev) ^ 2'), 'factors: means');
check_ledger('fa', 'factors', "1, 15, 1e-4, precondition => 'none'", 40);
make_dataset('power', 0.05, '');
run_fits('pca', 'power', "1, 15, 1e-4, algorithm => 'power', iterations => 3", 40);
check_ratio(mean_of('power', 'pca_means', '(mean / noise_stddev) ^ 2'), 'power: means');
check_ledger('pca', 'power', "1, 15, 1e-4, algorithm => 'power', iterations => 3", 40);
is($node->safe_psql('postgres', q{SELECT count(DISTINCT variance) = count(*) FROM dpem.pca_components WHERE model LIKE 'power\_%'}), 't',
	'no variance comes twice');

$node->stop;
done_testing();
