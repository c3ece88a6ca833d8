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

my %not_by = (absent_noise => [ 'sensitivity', 'mu of' ], halved_noise => [ 'vary', 'order', 'end' ]);

sub failed_checks
{
	my ($database) = @_;

	return split /\n/, $node->safe_psql($database, q{
		SELECT DISTINCT checked FROM unnest('{gmm full,gmm llg}'::text[]) AS f, dp_selftest(f) WHERE NOT passed ORDER BY 1});
}

is_deeply([ failed_checks('postgres') ], [], 'nothing is found against the extension itself');

my $installed = slurp_binary($node->config_data('--pkglibdir') . '/dpem.so');
unlike($installed, qr/dpem_saboteur|__wrap_dpem/, 'no saboteur in the installed library');
cmp_ok(length $installed, '>', 100_000, 'which was read');

foreach my $name (sort keys %caught_by)
{
	my $library = sabotage($node, $name);
	my %failed = map { $_ => 1 } failed_checks($name);
	my $others = join '|', @{ $not_by{$name} // [] };

	like(slurp_binary($library), qr/dpem_saboteur/, "$name: is a saboteur");
	ok($failed{$_}, "$name: caught by '$_'") foreach @{ $caught_by{$name} };
	ok(!grep({ /$others/ } keys %failed), "$name: is not taken for a fault of another kind") if $others;
	diag("$name: ", join('; ', sort keys %failed)) if !%failed;
}

$node->stop;
done_testing();
