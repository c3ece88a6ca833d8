# Sampled passes: who is drawn, what it costs, and that no more is drawn than was paid for.
#
# Four rows (or units) are marked, each in a column of its own, so that the mean of the column over a sample without
# noise is 1 / size if the marked one is in it and 0 if not.  Of 400 samples
# at rate 0.25 the four are in 400 +- 17.3 (one standard deviation): bounds
# of 296 and 504 have a false alarm rate below 1e-8.  A sample's size has
# mean 100 and standard deviation 8.7; the mean of about 400 sizes, given that
# a marked one is among them, of which several may be of one sample, 100.75 +- 0.59: bounds of 3.4 have a false alarm rate
# of 7e-9.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my ($fits, $marked) = (400, 4);
my $node = start_server('sampling');

$node->safe_psql('postgres', q{
	CREATE TABLE persons AS SELECT i, (i = 17)::int::float8 AS mark, (i = 18)::int::float8 AS mark2, (i = 19)::int::float8 AS mark3, (i = 20)::int::float8 AS mark4,
		i % 7 / 7.0 AS other FROM generate_series(1, 400) i;
	-- the marked persons have three rows, of which two count; a row of nobody counts nowhere
	CREATE TABLE visits AS SELECT p AS person, (p = 17)::int::float8 AS mark, (p = 18)::int::float8 AS mark2, (p = 19)::int::float8 AS mark3, (p = 20)::int::float8 AS mark4
		FROM (SELECT i % 400 AS p FROM generate_series(0, 799) i UNION ALL SELECT unnest('{17,18,19,20,NULL}'::int[])) s;
	UPDATE visits SET mark = 1 WHERE person IS NULL;
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

# means of the marks over samples without noise
sub samples
{
	my ($dataset) = @_;

	return split /\n/, $node->safe_psql('postgres', qq{
		SELECT m FROM generate_series(1, $fits) AS i, unnest((SELECT mean FROM dp_gmm_fit('$dataset', 1, 'Infinity', 1e-4, iterations => 1,
			estimator => 'mle', precondition => 'none', sampling_rate => 0.25 + 0 * i))) AS m});
}

foreach my $case ([ 'replaced', 'persons', 'replace_one', '' ],
	[ 'replaced_units', 'visits', 'replace_one', ", unit => 'person', max_rows_per_unit => 2" ],
	[ 'poisson', 'persons', 'add_remove', '' ],
	[ 'poisson_units', 'visits', 'add_remove', ", unit => 'person', max_rows_per_unit => 2" ])
{
	my ($dataset, $table, $adjacency, $more) = @$case;
	my (@drawn, %sizes);
	my $mean = 0;

	register($dataset, $table, $adjacency, ", accountant => 'rdp'$more");
	$node->safe_psql('postgres', "SELECT dp_register_column('$dataset', 'mark' || i, 0, 1) FROM generate_series(2, $marked) AS i");
	@drawn = grep { $_ > 1e-9 } samples($dataset);
	$sizes{ sprintf('%.3f', 1 / $_) }++ foreach @drawn;
	cmp_ok(scalar(@drawn), '>', 296, "$dataset: the $marked marked ones are drawn " . @drawn . " times in $fits samples");
	cmp_ok(scalar(@drawn), '<', 504, "$dataset: and not too often");
	$mean += $_ * $sizes{$_} / @drawn foreach keys %sizes;
	cmp_ok(abs($mean - 100.75), '<', 3.4, "$dataset: samples have $mean units on average");
	cmp_ok(scalar(keys %sizes), '>', 10, "$dataset: and different numbers of them");
}

# The rows of `halves` are at the middle of the domain or at its ends, as many here as there: without noise the variance about the
# middle, and the mean of `h`, is the part of a sample that is at the ends; with `power`, those at the ends as a part of the 100 that are expected.  That has
# standard deviation 0.0433 and 0.0612, the mean over 40 samples 0.0068 and 0.0097 (0.05 is beyond five, 3e-7), and two samples are alike once in thirteen times.
$node->safe_psql('postgres', 'CREATE TABLE halves AS SELECT (i % 2) * (i % 4 - 2) AS x, sin(i) AS y, i % 2 AS h FROM generate_series(1, 400) i; ANALYZE halves');
register_table($node, 'halves', 'halves', [ [ 'x', -1, 1 ], [ 'y', -1, 1 ], [ 'h', 0, 1 ] ], more => ", accountant => 'ma'");
foreach my $case (
	[ 'kmeans', "SELECT mean[1] FROM dp_kmeans_fit('halves', 1, 'Infinity', iterations => 1, columns => '{h}'" ],
	[ 'fa', "SELECT loadings[1]^2 + noise_variance FROM dp_fa_fit('halves', 1, 'Infinity', center => 'public', columns => '{x,y}'" ],
	[ 'pca analyze_gauss', "SELECT variance FROM dp_pca_fit('halves', 1, 'Infinity', center => 'public', columns => '{x}'" ],
	[ 'pca power', "SELECT variance FROM dp_pca_fit('halves', 1, 'Infinity', center => 'public', algorithm => 'power', iterations => 1, columns => '{x}'" ])
{
	my ($family, $call) = @$case;
	my @parts = split /\n/, $node->safe_psql('postgres',
		"SELECT ($call, sampling_rate => 0.25 + 0 * i) LIMIT 1) FROM generate_series(1, 40) AS i");
	my %values = map { sprintf('%.5f', $_) => 1 } @parts;
	my $mean = 0;

	$mean += $_ / @parts foreach @parts;
	cmp_ok(abs($mean - 0.5), '<', 0.05, "$family: samples are $mean of the whole on average");
	cmp_ok(scalar(keys %values), '>', 3, "$family: every fit draws its own");
	cmp_ok($node->safe_psql('postgres', "SELECT abs(($call, sampling_rate => 1) LIMIT 1) - 0.5)"), '<', 1e-4,
		"$family: and the whole is what rate 1 reads");
}

# ---- what it costs

my $fit = "dp_gmm_fit('%s', 2, 1, 1e-5, iterations => 10, precondition => '%s'%s)";
my $plan = $fit =~ s/_fit/_plan/r;

foreach my $dataset (qw(replaced poisson))
{
	foreach my $precondition (qw(none whiten))
	{
		my $call = sprintf($fit, $dataset, $precondition, ', sampling_rate => 0.05');
		my $forecast = sprintf($plan, $dataset, $precondition, ', sampling_rate => 0.05');
		my $spent = $node->safe_psql('postgres', "SELECT epsilon_rdp FROM $forecast WHERE line IS NULL");

		cmp_ok($spent, '<=', 1, "$dataset, $precondition: a call of epsilon 1 costs $spent");
		cmp_ok($spent, '>', 0.999, "$dataset, $precondition: and hardly less");
		is($node->safe_psql('postgres', "SELECT count(*) FROM $call"), 2, "$dataset, $precondition: a sampled fit");
		is($node->safe_psql('postgres', qq{SELECT sampling, round(sampling_rate::numeric, 6), releases FROM dpem.ledger
			WHERE dataset = '$dataset' ORDER BY charge DESC, line DESC LIMIT 1}), 'poisson|0.050000|10',
			"$dataset, $precondition: the ledger says how it was drawn");
	}
	cmp_ok($node->safe_psql('postgres', qq{
		SELECT (SELECT max(noise_multiplier) FROM } . sprintf($plan, $dataset, 'none', ', sampling_rate => 0.05') . qq{)
			/ (SELECT max(noise_multiplier) FROM } . sprintf($plan, $dataset, 'none', '') . ')'), '<', 0.5,
		"$dataset: sampling saves noise");
}

# of every family that can be sampled, the last stage is; what stages before it cost is left out of what it may
foreach my $adjacency (qw(replace_one add_remove))
{
	register("two_$adjacency", 'persons', $adjacency, ", accountant => 'rdp'");
	$node->safe_psql('postgres', "SELECT dp_register_column('two_$adjacency', 'other', 0, 1)");
}
foreach my $case (
	[ 'kmeans', "'%s', 3, 0.1, 1e-5, algorithm => 'joint', iterations => 20, clip_norm => 1", 1, 20 ],
	[ 'kmeans', "'%s', 3, 0.1, 1e-5, algorithm => 'plane', iterations => 4", 4, 4 ],
	[ 'kmeans', "'%s', 3, 0.1, 1e-5, algorithm => 'subspace', iterations => 4", 4, 4 ],
	[ 'fa', "'%s', 1, 0.1, 1e-5, precondition => 'none'", 1, 1 ],
	[ 'fa', "'%s', 1, 0.1, 1e-5, precondition => 'radius'", 2, 1 ],
	[ 'pca', "'%s', 1, 0.1, 1e-5, precondition => 'none'", 1, 1 ],
	[ 'pca', "'%s', 1, 0.1, 1e-5, algorithm => 'power', iterations => 5", 2, 5 ])
{
	my ($family, $arguments, $lines, $releases) = @$case;

	foreach my $adjacency (qw(replace_one add_remove))
	{
		my $call = sprintf($arguments, "two_$adjacency") . ', sampling_rate => 0.05';
		my $title = "$family, $call";
		my $spent = $node->safe_psql('postgres', "SELECT epsilon_rdp FROM dp_${family}_plan($call) WHERE line IS NULL");

		cmp_ok($spent, '<=', 0.1, "$title: costs $spent");
		cmp_ok($spent, '>', 0.0999, "$title: and hardly less");
		$node->safe_psql('postgres', "SELECT count(*) FROM dp_${family}_fit($call)");
		is($node->safe_psql('postgres', qq{SELECT count(*), count(*) FILTER (WHERE sampling <> 'none'), max(sampling || ' ' || releases)
			FILTER (WHERE line = $lines) FROM dpem.ledger WHERE charge = (SELECT max(charge) FROM dpem.ledger)}),
			"$lines|1|poisson $releases", "$title: the ledger says which releases were sampled");
		is($node->safe_psql('postgres', qq{SELECT count(*) FROM dpem.ledger AS l JOIN dp_${family}_plan($call) AS p USING (line)
			WHERE l.charge = (SELECT max(charge) FROM dpem.ledger) AND abs(l.noise_multiplier / p.noise_multiplier - 1) > 1e-9}), 0,
			"$title: and the plan said the same");
	}
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
foreach my $case (
	[ 'kmeans', "algorithm => 'dpem'", qr/sampling_rate must be null with algorithm dpem, not 0.5/ ],
	[ 'kmeans', "algorithm => 'dplloyd'", qr/null with algorithm dplloyd/ ],
	[ 'kmeans', "algorithm => 'genetic'", qr/null with algorithm genetic/ ],
	[ 'kmeans', "algorithm => 'sparse_grid'", qr/null with algorithm sparse_grid/ ],
	[ 'kmeans', "postprocess => 'mcmc'", qr/null with postprocess mcmc/ ],
	[ 'kmeans', 'iterations => 3', undef ],
	[ 'pca', "algorithm => 'exponential'", qr/null with algorithm exponential/ ])
{
	my ($family, $more, $message) = @$case;

	foreach my $verb (qw(fit plan))
	{
		next unless $message || $verb eq 'plan';
		($status, $out, $err) = $node->psql('postgres',
			"SELECT statistic FROM dp_${family}_$verb('poisson', 1, 0.1, 1e-5, sampling_rate => 0.5, $more)" =~ s/statistic FROM (\S+_fit)/* FROM $1/r);
		$message ? like($err, $message, "refused: $verb of $family with $more") : like($out, qr/clusters/, 'auto is what can be sampled');
	}
}

$node->stop;
done_testing();
