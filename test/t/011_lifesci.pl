# Held-out log-likelihood of private mixtures, epsilon 1, delta 1e-4, replace_one.
#
# Made-up rows of three components in six coordinates: of 40 default fits the mean
# was -1.151, the least -1.174, the standard deviation 0.011.  The mean of ten is more
# than ten of its own standard deviations above -1.19.
#
# Where the reference data are beside the checkout: the mean test log-likelihood per point over ten folds, in the
# scale of the published experiment (rows divided by their largest norm).
#
# Means are about 9.8 and 10.12 (docs/estimation.md).  Over the noise one
# fold's score has a standard deviation of about 0.1 and 0.04, the mean of ten
# 0.03 and 0.013: both thresholds are more than nine standard deviations away,
# a false alarm rate far below one in a million.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $norm = 16.24094504854936;
my $node = start_server('lifesci');

# ---- made-up rows --------------------------------------------------------------

$node->safe_psql('postgres', q{
	CREATE TABLE made AS
	SELECT i, ARRAY[m[1] + 0.9 * z[1], m[2] + 0.5 * z[2] + 0.4 * z[1], m[3] + 0.7 * z[3], m[4] + 0.5 * z[4] - 0.3 * z[3], m[5] + 0.4 * z[5], m[6] + 0.6 * z[6]] AS a
	  FROM (SELECT i, CASE i % 3 WHEN 0 THEN ARRAY[3, 1, 0, 2, -1, 0.5] WHEN 1 THEN ARRAY[-3, 2, 1, 0, 0.5, 0] ELSE ARRAY[0, -3, -1, -2, 0, 1] END::float8[] AS m,
	               (SELECT array_agg(sqrt(-2 * ln((0.5 + i * sqrt(j * 7 + 2.0)) % 1)) * cos(2 * pi() * ((0.5 + i * sqrt(j * 11 + 3.0)) % 1)) ORDER BY j)
	                  FROM generate_series(1, 6) AS j)::float8[] AS z
	          FROM generate_series(1, 24000) AS i) AS s;
	CREATE TABLE train AS SELECT * FROM made WHERE i % 10 <> 0;
	ANALYZE train;
	SELECT dp_register_dataset('train', 'train', 1000, 1e-4), dp_register_column('train', 'a', -8, 8, 6), dp_grant_budget(current_user::regrole, 'train', 1000, 1e-4)});
$node->safe_psql('postgres', "SELECT count(*) FROM dp_gmm_fit('train', 3, 1, 1e-4, model => 'made_$_')") foreach 1 .. 10;
my $made = $node->safe_psql('postgres', "SELECT avg(dp_log_density('made_' || n, a)) FROM made, generate_series(1, 10) AS n WHERE i % 10 = 0");
cmp_ok($made, '>=', -1.19, "made-up rows: mean of ten default fits $made");

# ---- real rows -------------------------------------------------------------------

sub prepare_fold
{
	my ($fold) = @_;

	$node->safe_psql('postgres',
		"CREATE TABLE train$fold AS SELECT * FROM numbered WHERE fold <> $fold; ANALYZE train$fold");
	register_table($node, "train$fold", "train$fold", [ map { [ "x$_", -$norm, $norm ] } 1 .. 10 ],
		epsilon => 1000);
	$node->safe_psql('postgres',
		"SELECT dp_grant_budget(current_user::regrole, 'train$fold', 1000, 1e-4)");
	return;
}

sub score
{
	my ($fold, $model, $arguments) = @_;

	$node->safe_psql('postgres',
		"SELECT * FROM dp_gmm_fit('train$fold', 3, 1, 1e-4, model => '$model' $arguments)");
	return $node->safe_psql('postgres',
		"SELECT avg(dp_log_density('$model', ARRAY[x1, x2, x3, x4, x5, x6, x7, x8, x9, x10]))"
		  . " + 10 * ln(${norm}::float8) FROM numbered WHERE fold = $fold");
}

sub mean_score
{
	my ($name, $arguments) = @_;
	my $sum = 0;

	$sum += score($_, "${name}_$_", $arguments) foreach 0 .. 9;
	return $sum / 10;
}

my $file = data_file('lifesci.csv.gz');

if ($file)
{
	load_csv($node, 'lifesci', $file);
	$node->safe_psql('postgres', 'CREATE TABLE numbered AS SELECT row_number() OVER () % 10 AS fold, * FROM lifesci');
	prepare_fold($_) foreach 0 .. 9;

	my $plain = mean_score('plain', ", precondition => 'none', clip_norm => 1, iterations => 10");
	cmp_ok($plain, '>=', 9.3, "no preconditioning: mean of ten folds $plain");

	my $whitened = mean_score('whitened', '');
	cmp_ok($whitened, '>=', 10.0, "default fit: mean of ten folds $whitened");
}
else
{
	note('lifesci.csv.gz is not beside the checkout: not tried');
}

$node->stop;
done_testing();
