# Sample and aggregate adds the noise that dp_kmeans_plan announces and the model says.
#
# All rows are alike, so every block has the same output whatever rows fall into
# it, and what varies from fit to fit is the noise alone: the mean square of
# (center - mean of all fits) over its noise is 1.
#
# Over m fits x 3 coordinates its standard error is sqrt((kurtosis - 1) / 3m):
# 5.3 % for 600 fits under Laplace noise (kurtosis 6), 4.7 % for 300 under
# Gaussian.  Bounds of 0.66 and 1.34 are 6.4 of those away: for a sum of
# exponentials a false alarm rate below 1e-7 for the three cases.  Halved noise gives 0.25.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $rows = 30000;
my $node = start_server('blocks_noise', 'fsync = off');
my %option = (replace_one => '', add_remove => ", adjacency => 'add_remove'", persons => ", unit => 'person', max_rows_per_unit => 2");

sub check_case
{
	my ($noise, $units) = @_;
	my $dataset = "blocks_${noise}_$units";
	my $fits = $noise eq 'laplace' ? 600 : 300;
	my $arguments = "1, 5, 1e-4, algorithm => 'sample_aggregate', noise => '$noise', iterations => 2";

	$node->safe_psql('postgres', "CREATE TABLE $dataset AS SELECT i / 2 AS person, 0.5::float8 AS x, -0.5::float8 AS y, 0.25::float8 AS z"
		  . " FROM generate_series(0, $rows - 1) i; ANALYZE $dataset");
	register_table($node, $dataset, $dataset, [ map { [ $_, -2, 2 ] } qw(x y z) ], epsilon => 1000, more => $option{$units});
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$dataset', 1000, 1e-4)");
	$node->safe_psql('postgres', qq{
		DO \$\$BEGIN
			FOR i IN 1..$fits LOOP
				PERFORM * FROM dp_kmeans_fit('$dataset', $arguments);
			END LOOP;
		END\$\$});

	my ($ratio, $largest, $distinct, $count, $off) = split /\|/, $node->safe_psql('postgres', qq{
		WITH c AS (SELECT *, avg(center) OVER (PARTITION BY column_name) AS mean
		             FROM dpem.kmeans_centers JOIN dpem.models USING (model) WHERE dataset = '$dataset')
		SELECT avg(((center - mean) / noise_stddev) ^ 2), max(noise_stddev), count(DISTINCT center), count(*),
			max(abs(mean - CASE column_name WHEN 'x' THEN 0.5 WHEN 'y' THEN -0.5 ELSE 0.25 END))
		  FROM c});
	my $planned = query_json($node, "SELECT json_agg(noise_stddev ORDER BY line) FROM dp_kmeans_plan('$dataset', $arguments) WHERE line IS NOT NULL");
	my $scale = 2 * sqrt(3);    # own units per unit of the ball
	my $blocks = int($rows ** 0.4 + 0.5);

	is($count, $fits * 3, "$dataset: all fits are there");
	# noise is on a grid, on which two of so many meet once in some hundreds of runs
	cmp_ok($distinct, '>', $count - 4, "$dataset: centers do not come again");
	cmp_ok($largest, '<', 0.3, "$dataset: noise that does not reach the domain's border");
	ok($ratio > 0.66 && $ratio < 1.34, "$dataset: measured over stated variance is " . sprintf('%.3f', $ratio));
	cmp_ok($off, '<', 0.1, "$dataset: the mean of all centers is where the rows are");
	cmp_ok(abs($largest * $blocks / $scale / $planned->[-1] - 1), '<', 0.1, "$dataset: the model states the planned noise");
	return;
}

check_case('laplace', 'replace_one');
check_case('gaussian', 'persons');
check_case('gaussian', 'add_remove');

$node->stop;
done_testing();
