# The noise that dp_sbn_fit really adds is the noise that dp_sbn_plan announces: over 400 fits of one step
# for each case.
#
# One column, 1 in half of n rows, one hidden unit.  A prior of precision 10^6, far above the rows' own, takes
# nine fifths of every weight away in the step, whatever the gradient is: the column's bias ends as -0.8 times its
# start, and that is a constant plus the log-odds of the margin, 4 e / n with e the noise in Sum (v - 1/2).  The unit's
# bias is the log-odds of its mean m = (Sum on + e') / n, e' the noise in an entry of E[h~ h~'], which is in two places.
# Where n is not public the noise in it moves m as well.  That the noise in e moves Sum on is worth less than
# four parts in a hundred.
#
# Where the margin is some three deviations off, the network fits it so badly that its unit is given up (sbn_idle.h):
# the unit's weight is 0 and the bias the log-odds of the margin, without the constant.  Such fits, four in ten thousand
# of persons, are left out.
#
# The variance of 400 normal deviates over the true one is within 0.62 and 1.45 but for one time in 10^7;
# halved noise gives 0.25.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my ($fits, $rows) = (400, 4000);
my $node = start_server('sbn', 'fsync = off');
my %option = (
	replace_one => '',
	add_remove => ", adjacency => 'add_remove'",
	persons => ", unit => 'person', max_rows_per_unit => 2");

sub check_ratio
{
	my ($ratio, $label) = @_;

	ok($ratio > 0.62 && $ratio < 1.45, "$label: " . sprintf('%.3f', $ratio));
	return;
}

sub variance_of
{
	my ($case, $view) = @_;

	return $node->safe_psql('postgres', qq{
		SELECT variance(bias) FROM dpem.$view JOIN dpem.models USING (model) JOIN dpem.sbn_weights USING (model)
		WHERE dataset = '$case' AND weight <> 0});
}

foreach my $case (sort keys %option)
{
	my $arguments = "'$case', 1, 2, 1e-4, iterations => 1, prior_variance => 1e-6";
	# of a person with four rows two count, so half of all; which two is random as well: a third of the choices adds 1 or -1
	my $n = $rows / ($case eq 'persons' ? 2 : 1);
	my $chosen = $case eq 'persons' ? $rows / 4 / 3 : 0;
	my ($sd, $mean);

	$node->safe_psql('postgres', "CREATE TABLE $case AS SELECT i / 4 AS person, i % 2 AS v FROM generate_series(0, $rows - 1) i; ANALYZE $case");
	register_table($node, $case, $case, [ [ 'v', 0, 1 ] ], epsilon => 1000, more => $option{$case});
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$case', 1000, 1e-4)");
	$sd = query_json($node, "SELECT json_object_agg(statistic, noise_stddev) FROM dp_sbn_plan($arguments) WHERE line IS NOT NULL");
	$node->safe_psql('postgres', qq{
		DO \$\$BEGIN
			FOR i IN 1..$fits LOOP
				PERFORM * FROM dp_sbn_fit($arguments);
			END LOOP;
		END\$\$});
	$mean = $node->safe_psql('postgres', "SELECT avg(prior) FROM dpem.sbn_hidden JOIN dpem.models USING (model) WHERE dataset = '$case'");

	# margins are in units of their norm, 1/2
	my $margin = ($sd->{'margins: sums'} / 2)**2 + $chosen;
	# E[h~ h~'] is in units of its norm, 2
	my $product = (2 * $sd->{'gradients: second moments'})**2 / 2;
	my $count = $case eq 'replace_one' ? 0 : $sd->{'margins: second moments'}**2;

	check_ratio(variance_of($case, 'sbn_visible') / ((0.8 * 4 / $n)**2 * $margin), "$case: noise in margins");
	check_ratio(variance_of($case, 'sbn_hidden') / (($product + $mean**2 * $count) / ($n * $mean * (1 - $mean))**2), "$case: noise in products");
}

$node->stop;
done_testing();
