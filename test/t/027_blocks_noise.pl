# Sample and aggregate adds the noise that dp_kmeans_plan announces and the model says.
#
# All rows are alike, so every block has the same output whatever rows fall into
# it, and what varies from fit to fit is the noise alone: the mean square of
# (center - mean of all fits) over its noise is 1.
#
# A fit costs as much whatever it releases, so few fits of many coordinates say most.  Over m
# numbers the standard error of the mean square is sqrt((kurtosis - 1) / m): 5.2 % for the 1,860 of
# Laplace noise (kurtosis 6), 5.3 % for the 720 of Gaussian.  Bounds of 0.66 and 1.34 are 6.4 of
# those away or more, a false alarm rate below 1e-7 for the three cases: of Laplace noise, whose
# squares have heavier tails than a normal law, 1e-8 above and 1e-14 below, by importance sampling.
# Halved noise gives 0.25, noise for sensitivity 1 instead of sqrt 2 gives 0.5.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $rows = 30000;
my $node = start_server('blocks_noise', 'fsync = off');
my %option = (replace_one => '', add_remove => ", adjacency => 'add_remove'", persons => ", unit => 'person', max_rows_per_unit => 2");

# a table of as many columns, with as much budget as a table may have, and fits of it
sub run_fits
{
	my ($dataset, $columns, $more, $fits, $arguments) = @_;
	my $values = join ', ', map { ($_ % 3 - 1) / 2 . "::float8 AS x$_" } 1 .. $columns;

	$node->safe_psql('postgres', "CREATE TABLE $dataset AS SELECT i / 2 AS person, $values FROM generate_series(0, $rows - 1) i; ANALYZE $dataset");
	register_table($node, $dataset, $dataset, [ map { [ "x$_", -2, 2 ] } 1 .. $columns ], epsilon => 1000, more => $more);
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$dataset', 1000, 1e-4)");
	call_times($node, $fits, "dp_kmeans_fit('$dataset', $arguments)");
	return;
}

sub check_case
{
	my ($noise, $units) = @_;
	my $dataset = "blocks_${noise}_$units";
	# Laplace noise is larger in more columns
	my ($tables, $columns, $fits) = $noise eq 'laplace' ? (5, 12, 31) : (1, 24, 30);
	my $arguments = "1, 30, 1e-4, algorithm => 'sample_aggregate', noise => '$noise', iterations => 2";

	run_fits("${dataset}_$_", $columns, $option{$units}, $fits, $arguments) foreach 1 .. $tables;

	my ($ratio, $largest, $distinct, $count, $off) = split /\|/, $node->safe_psql('postgres', qq{
		WITH c AS (SELECT *, avg(center) OVER (PARTITION BY column_name) AS mean
		             FROM dpem.kmeans_centers JOIN dpem.models USING (model) WHERE dataset LIKE '$dataset%')
		SELECT avg(((center - mean) / noise_stddev) ^ 2), max(noise_stddev), count(DISTINCT center), count(*),
			max(abs(mean - (substr(column_name, 2)::int % 3 - 1) / 2.0))
		  FROM c});
	my $planned = query_json($node, "SELECT json_agg(noise_stddev ORDER BY line) FROM dp_kmeans_plan('${dataset}_1', $arguments) WHERE line IS NOT NULL");
	my $scale = 2 * sqrt($columns);    # own units per unit of the ball
	my $blocks = int($rows ** 0.4 + 0.5);

	is($count, $tables * $fits * $columns, "$dataset: all fits are there");
	# noise is on a grid, on which two of so many meet once in a hundred runs
	cmp_ok($distinct, '>', $count - 4, "$dataset: centers do not come again");
	cmp_ok($largest, '<', 0.3, "$dataset: noise that does not reach the domain's border");
	$ratio *= $tables * $fits / ($tables * $fits - 1);    # the mean is one of as many centers
	ok($ratio > 0.66 && $ratio < 1.34, "$dataset: measured over stated variance is " . sprintf('%.3f', $ratio));
	# seven of its standard deviations, and less than half of the way to another column's value
	cmp_ok($off, '<', 0.24, "$dataset: the mean of all centers is where the rows are");
	cmp_ok(abs($largest * $blocks / $scale / $planned->[-1] - 1), '<', 0.1, "$dataset: the model states the planned noise");
	return;
}

check_case('laplace', 'replace_one');
check_case('gaussian', 'persons');
check_case('gaussian', 'add_remove');

$node->stop;
done_testing();
