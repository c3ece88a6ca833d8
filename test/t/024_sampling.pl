# Sampled passes: who is drawn, what it costs, and that no more is drawn than was paid for.
#
# One row (or unit) is marked, so that the mean of a column over a sample without
# noise is 1 / size if the marked one is in it and 0 if not.  Of 1,000 samples
# at rate 0.25 the marked one is in 250 +- 13.7 (one standard deviation): bounds
# of 168 and 332 have a false alarm rate below 1e-8.  A Poisson sample's size has
# mean 100 and standard deviation 8.7; the mean of about 250 sizes, given that
# the marked one is among them, 100.75 +- 0.55: bounds of 3.4 are beyond six
# standard deviations.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $fits = 1000;
my $node = start_server('sampling');

$node->safe_psql('postgres', q{
	CREATE TABLE persons AS SELECT i, (i = 17)::int::float8 AS mark FROM generate_series(1, 400) i;
	-- the marked person has three rows, of which two count; a row of nobody counts nowhere
	CREATE TABLE visits AS SELECT i % 400 AS person, (i % 400 = 17)::int::float8 AS mark FROM generate_series(0, 799) i
		UNION ALL SELECT 17, 1 UNION ALL SELECT NULL, 1;
});

sub register
{
	my ($dataset, $table, $adjacency, $more) = @_;

	# datasets of one table share a ledger, and a ledger has one adjacency
	$node->safe_psql('postgres', "CREATE TABLE of_$dataset AS TABLE $table; ANALYZE of_$dataset");
	register_table($node, $dataset, "of_$dataset", [ [ 'mark', 0, 1 ] ], epsilon => 8,
		more => ", adjacency => '$adjacency'$more");
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$dataset', 8, 1e-4)");
}

# means of the mark over samples without noise
sub samples
{
	my ($dataset) = @_;

	return split /\n/, $node->safe_psql('postgres', qq{
		SELECT (SELECT mean[1] FROM dp_gmm_fit('$dataset', 1, 'Infinity', 1e-4, iterations => 1, estimator => 'mle',
			precondition => 'none', sampling_rate => 0.25 + 0 * i)) FROM generate_series(1, $fits) AS i});
}

foreach my $case ([ 'fixed', 'persons', 'replace_one', '', 100 ],
	[ 'fixed_units', 'visits', 'replace_one', ", unit => 'person', max_rows_per_unit => 2", 100 ],
	[ 'poisson', 'persons', 'add_remove', '', 0 ],
	[ 'poisson_units', 'visits', 'add_remove', ", unit => 'person', max_rows_per_unit => 2", 0 ])
{
	my ($dataset, $table, $adjacency, $more, $size) = @$case;
	my (@drawn, %sizes);

	register($dataset, $table, $adjacency, ", accountant => 'rdp'$more");
	@drawn = grep { $_ > 1e-9 } samples($dataset);
	$sizes{ sprintf('%.3f', 1 / $_) }++ foreach @drawn;
	cmp_ok(scalar(@drawn), '>', 168, "$dataset: the marked one is drawn " . @drawn . " times of $fits");
	cmp_ok(scalar(@drawn), '<', 332, "$dataset: and not too often");
	if ($size)
	{
		is(join(' ', keys %sizes), sprintf('%.3f', $size), "$dataset: every sample has $size units");
	}
	else
	{
		my $mean = 0;

		$mean += $_ * $sizes{$_} / @drawn foreach keys %sizes;
		cmp_ok(abs($mean - 100.75), '<', 3.4, "$dataset: samples have $mean units on average");
		cmp_ok(scalar(keys %sizes), '>', 10, "$dataset: and different numbers of them");
	}
}

# ---- what it costs

my $fit = "dp_gmm_fit('%s', 2, 1, 1e-5, iterations => 10, precondition => '%s'%s)";
my $plan = $fit =~ s/_fit/_plan/r;

foreach my $dataset (qw(fixed poisson))
{
	my $sampling = $dataset eq 'fixed' ? 'without_replacement' : 'poisson';

	foreach my $precondition (qw(none whiten))
	{
		my $call = sprintf($fit, $dataset, $precondition, ', sampling_rate => 0.05');
		my $forecast = sprintf($plan, $dataset, $precondition, ', sampling_rate => 0.05');
		my $spent = $node->safe_psql('postgres', "SELECT epsilon_rdp FROM $forecast WHERE line IS NULL");

		cmp_ok($spent, '<=', 1, "$dataset, $precondition: a call of epsilon 1 costs $spent");
		cmp_ok($spent, '>', 0.999, "$dataset, $precondition: and hardly less");
		is($node->safe_psql('postgres', "SELECT count(*) FROM $call"), 2, "$dataset, $precondition: a sampled fit");
		is($node->safe_psql('postgres', qq{SELECT sampling, round(sampling_rate::numeric, 6), releases FROM dpem.ledger
			WHERE dataset = '$dataset' ORDER BY charge DESC, line DESC LIMIT 1}), "$sampling|0.050000|10",
			"$dataset, $precondition: the ledger says how it was drawn");
	}
	cmp_ok($node->safe_psql('postgres', qq{
		SELECT (SELECT max(noise_multiplier) FROM } . sprintf($plan, $dataset, 'none', ', sampling_rate => 0.05') . qq{)
			/ (SELECT max(noise_multiplier) FROM } . sprintf($plan, $dataset, 'none', '') . ')'), '<', 0.5,
		"$dataset: sampling saves noise");
}

# a budget for two holds two
register('tight', 'persons', 'add_remove', ", accountant => 'rdp'");
$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, 'tight', 1, 1e-5)");
is($node->safe_psql('postgres', 'SELECT count(*) FROM ' . sprintf($fit, 'tight', 'none', ', sampling_rate => 0.05')), 2,
	'a budget of one call holds it');
my ($status, $out, $err) = $node->psql('postgres', "\\set VERBOSITY verbose\nSELECT * FROM "
	. "dp_gmm_fit('tight', 2, 0.2, 1e-5, iterations => 10, sampling_rate => 0.05)");
like($err, qr/DP001/, 'and no second one');
cmp_ok($node->safe_psql('postgres', "SELECT remaining_epsilon FROM dpem.budgets WHERE dataset = 'tight' AND role IS NOT NULL"),
	'<', 0.05, 'nothing is left of it');

# ---- refused

register('exact', 'persons', 'add_remove', '');
foreach my $case (
	[ 'exact', ', sampling_rate => 0.5', qr/sampling_rate must be null with composition "exact"/ ],
	[ 'poisson', ', sampling_rate => 0', qr/sampling_rate must be/ ],
	[ 'poisson', ', sampling_rate => 1.5', qr/sampling_rate must be/ ],
	[ 'poisson', ", sampling_rate => 'NaN'", qr/sampling_rate must be/ ],
	[ 'poisson', ", sampling_rate => 0.5, mechanism => 'ggg'", qr/sampling_rate must be null with mechanisms/ ])
{
	my ($dataset, $more, $message) = @$case;

	($status, $out, $err) = $node->psql('postgres', 'SELECT * FROM ' . sprintf($fit, $dataset, 'none', $more));
	like($err, $message, "refused: $more on $dataset");
}

$node->stop;
done_testing();
