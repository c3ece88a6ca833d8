# The noise that dp_logit_fit really adds to Sum (y - 1/2) x is the noise that
# dp_logit_plan announces, and a coefficient's noise_stddev says what it does:
# over 400 fits of one pass for each case.
#
# All rows are x = 1, half of either class, so that the sum is zero, and a prior
# precision alpha far above the rows' own makes the coefficient, to one part in
# a thousand, k e / alpha with e the noise in the sum, k = g / (g + v), g = N/4
# and v the variance of e.
#
# The mean of 400 squares of normal deviates over their variance is within 0.62
# and 1.45 but for one time in 10^7; halved noise gives 0.25.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my ($fits, $rows, $alpha) = (400, 4000, 1e7);
my $node = start_server('logit_noise', 'fsync = off');
my %option = (
	replace_one => '',
	add_remove => ", adjacency => 'add_remove'",
	persons => ", unit => 'person', max_rows_per_unit => 2");

foreach my $case (sort keys %option)
{
	my $arguments = "'$case', 'y', 2, 1e-4, iterations => 1, intercept => false, prior_variance => 1.0 / $alpha";
	my ($sd, $g, $square, $relative);

	$node->safe_psql('postgres', "CREATE TABLE $case AS SELECT i / 4 AS person, 1::float8 AS x, i % 2 AS y FROM generate_series(0, $rows - 1) i;"
		  . " ANALYZE $case");
	# of a person with four rows two count, so half of all
	$g = $rows / ($case eq 'persons' ? 8 : 4);
	register_table($node, $case, $case, [ [ 'x', -1, 1 ], [ 'y', 0, 1 ] ], epsilon => 1000, more => $option{$case});
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$case', 1000, 1e-4)");
	$sd = $node->safe_psql('postgres', "SELECT noise_stddev / 2 FROM dp_logit_plan($arguments) WHERE statistic ~ 'sums'");
	$node->safe_psql('postgres', qq{
		DO \$\$BEGIN
			FOR i IN 1..$fits LOOP
				PERFORM * FROM dp_logit_fit($arguments);
			END LOOP;
		END\$\$});
	($square, $relative) = split /\|/, $node->safe_psql('postgres', q{SELECT avg(mean ^ 2), avg((mean / c.noise_stddev) ^ 2)
		FROM dpem.logit_coefficients c JOIN dpem.models USING (model) WHERE column_name = 'x' AND dataset = '} . $case . q{'});
	# which two of a person's rows count is random as well: four choices in six take one of each class, the others add 1 or -1
	my $chosen = $case eq 'persons' ? $rows / 4 * 1 / 3 : 0;
	my $expected = ($sd**2 + $chosen) * ($g / ($g + $sd**2) / $alpha)**2;

	foreach ([ $square / $expected, 'as planned' ], [ $relative * $sd**2 / ($sd**2 + $chosen), 'as the model says' ])
	{
		my ($ratio, $label) = @$_;

		ok($ratio > 0.62 && $ratio < 1.45, "$case: noise $label: " . sprintf('%.3f', $ratio));
	}
}

$node->stop;
done_testing();
