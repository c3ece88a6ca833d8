# dp_selftest finds out libraries that are wrong on purpose (test/audit), each by the checks meant
# for its kind of fault; and nothing of them is in the library that is installed.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $node = start_server('selftest', 'fsync = off');

# Saboteurs, and by case of the self-test what must fail.  Whether a number varies, what is the same at neighbours, and
# the order of rows are looked for in every case alike: one has to find it.
my @fits = ('gmm full', 'gmm llg');
my %caught_by = (
	halved_noise => { 'gmm full' => [ 'sensitivity: mixture', 'mu of all releases, as charged' ],
		'gmm llg' => [ 'sensitivity: means', 'sensitivity: covariances', 'mu of all releases, as charged' ] },
	understated_sensitivity => { 'gmm full' => [ 'sensitivity: mixture', 'mu of all releases, as charged' ], 'gmm llg' => ['sensitivity: means'] },
	absent_noise => { 'gmm llg' => ['numbers that vary from fit to fit'] },
	telling_rows => { 'gmm llg' => [ 'same end at all neighbours', 'same model from the same releases' ] },
	restless_order => { 'gmm llg' => ['same sums in any order of rows'] });

# Kinds of fits that draw rows at random, or seek keys.  A unit is in a sample and out of it in one of four passes
# of 17 neighbours under two kinds of add_remove with a probability of 1 - 1e-9.
my @drawn = ('kmeans blocks gaussian', 'kmeans joint, samples', 'count by keys, laplace');
my %drawn_caught_by = (
	halved_noise => { 'kmeans joint, samples' => ['sensitivity: clusters'], 'kmeans blocks gaussian' => ['sensitivity: blocks'],
		'count by keys, laplace' => ['sensitivity: keys'] },
	understated_sensitivity => { 'kmeans joint, samples' => ['sensitivity: clusters'] },
	low_threshold => { 'count by keys, laplace' => ['failure of keys, as charged'] });

my %not_by = (absent_noise => [ 'sensitivity', 'mu of' ], halved_noise => [ 'vary', 'order', 'end' ]);

# checks that a case of the self-test does not pass
sub failed_checks
{
	my ($database, @families) = @_;
	my $families = join ', ', map { "'$_'" } @families;

	return split /\n/, $node->safe_psql($database, qq{
		SELECT DISTINCT checked FROM unnest(ARRAY[$families]) AS f, dp_selftest(f) WHERE NOT passed ORDER BY 1});
}

is_deeply([ failed_checks('postgres', @fits) ], [], 'nothing is found against the extension itself');
is_deeply([ failed_checks('postgres', @drawn) ], [], 'nor where rows are drawn and keys sought');

my $installed = slurp_binary($node->config_data('--pkglibdir') . '/dpem.so');
unlike($installed, qr/dpem_saboteur|__wrap_dpem/, 'no saboteur in the installed library');
cmp_ok(length $installed, '>', 100_000, 'which was read');

foreach my $name (sort keys %{ { %caught_by, %drawn_caught_by } })
{
	my $library = sabotage($node, $name);
	my $others = join '|', @{ $not_by{$name} // [] };

	like(slurp_binary($library), qr/dpem_saboteur/, "$name: is a saboteur");
	foreach my $cases ($caught_by{$name} // {}, $drawn_caught_by{$name} // {})
	{
		foreach my $case (sort keys %$cases)
		{
			my %failed = map { $_ => 1 } failed_checks($name, $case);

			ok($failed{$_}, "$name: caught by '$_' of $case") foreach @{ $cases->{$case} };
			ok(!grep({ /$others/ } keys %failed), "$name: is not taken for a fault of another kind") if $others && grep { $_ eq $case } @fits;
			diag("$name, $case: ", join('; ', sort keys %failed)) if grep { !$failed{$_} } @{ $cases->{$case} };
		}
	}
}

# one number of each release, of tens of thousands in all: the others' noise does not hide that it has none
sabotage($node, 'spared_number');
$node->safe_psql('spared_number', q{CREATE TABLE tested AS SELECT * FROM dp_selftest('linear regression, standardised')});
is($node->safe_psql('spared_number', 'SELECT DISTINCT checked FROM tested WHERE NOT passed'), 'numbers that vary from fit to fit', 'spared_number: caught, by nothing else');
is($node->safe_psql('spared_number', q{SELECT bool_and(declared > 10000 AND measured BETWEEN declared - 10 AND declared - 1)
	FROM tested WHERE checked ~ '^numbers'}), 't', '... though it is one of many');

# The wall gives nothing for what has no price, whoever asks: stray weights beside every special
# contribution, marks, other neighbours than the rows', and all rows for the price of a sample.
my %refused = (
	unpriced_releases => [ 'gmm one component', 'pca power', 'lda, truncation', 'kmeans blocks gaussian', 'sbn', 'kmeans genetic' ],
	whole_samples => ['lda, samples']);

foreach my $name (sort keys %refused)
{
	sabotage($node, $name);
	foreach my $family (@{ $refused{$name} })
	{
		is($node->safe_psql($name, "SELECT DISTINCT passed FROM dp_selftest('$family') WHERE checked = 'same end at all neighbours'"), 'f', "$name: no release of $family");
	}
}

$node->stop;
done_testing();
