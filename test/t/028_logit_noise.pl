# The noise that dp_logit_fit really adds to Sum (y - 1/2) x is the noise that
# dp_logit_plan announces, and a coefficient's noise_stddev says what it does:
# over 30 fits of one pass and 16 coefficients for each case.  A fit costs as much whatever it releases.
#
# Rows are points (+-1, ..., +-1) with columns that are orthogonal to each other and half of either class for each, so that the
# sums are zero, and a prior precision alpha far above the rows' own makes each coefficient, to one part in
# a thousand and of x / sqrt(16), in the unit ball, k e / alpha with e the noise in its sum, k = g / (g + v), g = N / (4 * 16)
# and v the variance of e.
#
# The mean of 480 squares of normal deviates over their variance is within 0.62
# and 1.45 but for one time in 10^8; halved noise gives 0.25.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my ($fits, $d, $rows, $alpha) = (30, 16, 4096, 1e7);
my $node = start_server('logit_noise', 'fsync = off');
my %option = (
	replace_one => '',
	add_remove => ", adjacency => 'add_remove'",
	persons => ", unit => 'person', max_rows_per_unit => 2");

foreach my $case (sort keys %option)
{
	my $arguments = "'$case', 'y', 24, 1e-4, iterations => 1, intercept => false, prior_variance => 1.0 / $alpha";
	# all rows of a person are alike, so that it does not matter which of them count: his class is the last bit of his number,
	# nine columns are the others, and the rest are products of two of these
	my @sign = map { "(1 - (i / 4 >> $_) % 2 * 2)" } 1 .. 9;
	my $signs = join ', ', map { ($_ < 9 ? $sign[$_] : "$sign[$_ - 9] * $sign[$_ - 8]") . "::float8 AS x$_" } 0 .. $d - 1;
	my ($sd, $g, $square, $relative);

	$node->safe_psql('postgres', "CREATE TABLE $case AS SELECT i / 4 AS person, $signs, i / 4 % 2 AS y FROM generate_series(0, $rows - 1) i;"
		  . " ANALYZE $case");
	# of a person with four rows two count, so half of all
	$g = $rows / $d / ($case eq 'persons' ? 8 : 4);
	register_table($node, $case, $case, [ (map { [ "x$_", -1, 1 ] } 0 .. $d - 1), [ 'y', 0, 1 ] ], epsilon => 1000, more => $option{$case});
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$case', 1000, 1e-4)");
	$sd = $node->safe_psql('postgres', "SELECT noise_stddev / 2 FROM dp_logit_plan($arguments) WHERE statistic ~ 'sums'");
	call_times($node, $fits, "dp_logit_fit($arguments)");
	($square, $relative) = split /\|/, $node->safe_psql('postgres', q{SELECT avg(mean ^ 2), avg((mean / c.noise_stddev) ^ 2)
		FROM dpem.logit_coefficients c JOIN dpem.models USING (model) WHERE column_name ~ '^x' AND dataset = '} . $case . q{'});
	my $expected = $sd**2 * ($g / ($g + $sd**2) / $alpha)**2 / $d;

	foreach ([ $square / $expected, 'as planned' ], [ $relative, 'as the model says' ])
	{
		my ($ratio, $label) = @$_;

		ok($ratio > 0.62 && $ratio < 1.45, "$case: noise $label: " . sprintf('%.3f', $ratio));
	}
}

$node->stop;
done_testing();
