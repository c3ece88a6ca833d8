# dp_selftest finds out libraries that are wrong on purpose (test/audit), each by the checks meant
# for its kind of fault; and nothing of them is in the library that is installed.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $node = start_server('selftest', 'fsync = off');

# check => must fail
my %caught_by = (
	halved_noise => [ 'sensitivity: mixture', 'sensitivity: means', 'sensitivity: covariances', 'mu of all releases, as charged' ],
	understated_sensitivity => [ 'sensitivity: mixture', 'sensitivity: means', 'mu of all releases, as charged' ],
	absent_noise => ['numbers that vary from fit to fit'],
	telling_rows => [ 'same end at all neighbours', 'same model from the same releases' ],
	restless_order => ['same sums in any order of rows']);

# Kinds of fits that draw rows at random, or seek keys.  A unit is in a sample and out of it in one of four passes
# of 17 neighbours under two kinds of add_remove with a probability of 1 - 1e-9.
my @drawn = ('kmeans blocks gaussian', 'kmeans joint, samples', 'count by keys, laplace');
my %drawn_caught_by = (
	halved_noise => [ 'sensitivity: clusters', 'sensitivity: blocks', 'sensitivity: keys' ],
	understated_sensitivity => ['sensitivity: clusters'],
	low_threshold => ['failure of keys, as charged']);

my %not_by = (absent_noise => [ 'sensitivity', 'mu of' ], halved_noise => [ 'vary', 'order', 'end' ]);

sub failed_checks
{
	my ($database, @families) = @_;
	my $families = join ', ', map { "'$_'" } @families ? @families : ('gmm full', 'gmm llg');

	return split /\n/, $node->safe_psql($database, qq{
		SELECT DISTINCT checked FROM unnest(ARRAY[$families]) AS f, dp_selftest(f) WHERE NOT passed ORDER BY 1});
}

is_deeply([ failed_checks('postgres') ], [], 'nothing is found against the extension itself');
is_deeply([ failed_checks('postgres', @drawn) ], [], 'nor where rows are drawn and keys sought');

my $installed = slurp_binary($node->config_data('--pkglibdir') . '/dpem.so');
unlike($installed, qr/dpem_saboteur|__wrap_dpem/, 'no saboteur in the installed library');
cmp_ok(length $installed, '>', 100_000, 'which was read');

foreach my $name (sort keys %{ { %caught_by, %drawn_caught_by } })
{
	my $library = sabotage($node, $name);
	my %failed = map { $_ => 1 } $caught_by{$name} ? failed_checks($name) : ();
	my %drawn = map { $_ => 1 } $drawn_caught_by{$name} ? failed_checks($name, @drawn) : ();
	my $others = join '|', @{ $not_by{$name} // [] };

	like(slurp_binary($library), qr/dpem_saboteur/, "$name: is a saboteur");
	ok($failed{$_}, "$name: caught by '$_'") foreach @{ $caught_by{$name} };
	ok($drawn{$_}, "$name: caught by '$_' where rows are drawn or keys sought") foreach @{ $drawn_caught_by{$name} };
	ok(!grep({ /$others/ } keys %failed), "$name: is not taken for a fault of another kind") if $others;
	diag("$name: ", join('; ', sort keys %failed)) if !%failed;
}

# one number of each release, of tens of thousands in all: the others' noise does not hide that it has none
sabotage($node, 'spared_number');
is_deeply([ failed_checks('spared_number', 'linear regression, standardised') ], ['numbers that vary from fit to fit'],
	'spared_number: caught, by nothing else');
is($node->safe_psql('spared_number', q{SELECT bool_and(declared > 10000 AND measured BETWEEN declared - 10 AND declared - 1)
	FROM dp_selftest('linear regression, standardised') WHERE checked ~ '^numbers'}), 't', '... though it is one of many');

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
