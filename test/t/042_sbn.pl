# The noise that dp_sbn_fit really adds is the noise that dp_sbn_plan announces: over 70 fits of one step
# for each case, of eight numbers each.  A fit costs as much whatever it releases.
#
# Hidden units: one column, 1 in half of n rows, and eight units.  A prior of precision 10^6, far above the rows' own, takes
# nine fifths of every weight away in the step, whatever the gradient is.  A unit's
# bias is the log-odds of its mean m = (Sum on + e') / n, e' the noise in an entry of E[h~ h~'], which is in two places.
# Where n is not public the noise in it moves m as well.  That the noise in margins moves Sum on is worth less than
# one part in a hundred.
#
# Margins: eight columns, 1 in shares p of rows from 0.2 to 0.8, too far apart to be shrunk towards each other, that one
# unit with such a prior fits so badly that it is given up (sbn_idle.h).  Then a column's bias is the log-odds of its margin, which move by
# (e - (p - 1/2) e0) / (n p (1 - p)) with e the noise in Sum (v - 1/2) and e0 that in n.
#
# Of 560 numbers some have noise in common: in 24 runs of 400 the ratio of variances had a standard deviation of up to 0.09, as that
# of 250 normal deviates.  With 350 of these it is within 0.62 and 1.45 but for one time in 10^7;
# halved noise gives 0.25, noise for sensitivity 1 instead of sqrt 2 gives 0.5.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my ($fits, $rows, $numbers, $epsilon) = (70, 4000, 8, 12);
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

# 1 in half of a person's rows, and in all or none in shares of persons
$node->safe_psql('postgres', "CREATE TABLE rows AS SELECT i / 4 AS person, i % 2 AS v, "
	  . join(', ', map { "(i / 4 * 61 % 1000 < " . 1000 * share($_) . ")::int AS s$_" } 0 .. $numbers - 1) . " FROM generate_series(0, $rows - 1) AS i");

sub share { my ($column) = @_; return 0.2 + 0.085 * $column; }

# fits of a table of its own, which has a ledger of its own; the planned deviations of its releases
sub run_fits
{
	my ($name, $hidden, $units, @columns) = @_;
	my $arguments = "'$name', $hidden, $epsilon, 1e-4, iterations => 1, prior_variance => 1e-6";

	$node->safe_psql('postgres', "CREATE TABLE $name AS SELECT * FROM rows; ANALYZE $name");
	register_table($node, $name, $name, [ map { [ $_, 0, 1 ] } @columns ], epsilon => 1000, more => $option{$units});
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 1e-4)");
	call_times($node, $fits, "dp_sbn_fit($arguments)");
	return query_json($node, "SELECT json_object_agg(statistic, noise_stddev) FROM dp_sbn_plan($arguments) WHERE line IS NOT NULL");
}

# the mean over a view's units or columns of a variance over fits
sub mean_variance
{
	my ($name, $view, $unit, $of) = @_;

	return $node->safe_psql('postgres', "SELECT avg(v) FROM (SELECT variance($of) AS v FROM dpem.$view JOIN dpem.models USING (model)
		WHERE dataset = '$name' GROUP BY $unit) AS s");
}

foreach my $case (sort keys %option)
{
	# of a person with four rows two count, so half of all
	my $n = $rows / ($case eq 'persons' ? 2 : 1);
	my $sd = run_fits("hidden_$case", $numbers, $case, 'v');
	my $mean = $node->safe_psql('postgres', "SELECT avg(prior) FROM dpem.sbn_hidden JOIN dpem.models USING (model) WHERE dataset = 'hidden_$case'");
	# E[h~ h~'] is in units of its norm
	my $product = (($numbers + 1) * $sd->{'gradients: second moments'})**2 / 2;
	my $count = $case eq 'replace_one' ? 0 : $sd->{'margins: second moments'}**2;

	check_ratio(mean_variance("hidden_$case", 'sbn_hidden', 'hidden', 'bias') / (($product + $mean**2 * $count) / ($n * $mean * (1 - $mean))**2),
		"$case: noise in products");

	$sd = run_fits("margins_$case", 1, $case, map { "s$_" } 0 .. $numbers - 1);
	$count = $case eq 'replace_one' ? 0 : $sd->{'margins: second moments'}**2;
	is($node->safe_psql('postgres', "SELECT count(*) FROM dpem.sbn_weights JOIN dpem.models USING (model) WHERE dataset = 'margins_$case' AND weight <> 0"),
		0, "$case: units of margins alone are given up");
	# margins are in units of their norm, 1/2 for each column
	my $deviation = join ' ', map {
		my $p = share($_);
		"WHEN 's$_' THEN " . sqrt($numbers / 4 * $sd->{'margins: sums'}**2 + ($p - 0.5)**2 * $count) / ($n * $p * (1 - $p))
	} 0 .. $numbers - 1;
	check_ratio(mean_variance("margins_$case", 'sbn_visible', 'column_name', "bias / CASE column_name $deviation END"), "$case: noise in margins");
}

$node->stop;
done_testing();
