# Every function that says how far a unit can move something stands in
# docs/proofs.md, and some unit test searches for a counter-example to it.
use strict;
use warnings;

use Test::More;

# the tests run in the directory `test` of the tree
sub slurp
{
	my $text = '';

	foreach my $file (@_)
	{
		open(my $in, '<', $file) or next;
		local $/;
		$text .= <$in>;
	}
	return $text;
}

my $proofs = slurp('../docs/proofs.md');
my $tests = slurp(glob('unit/*.[ch]'));
my %bound = map { $_ => 1 } slurp(glob('../src/core/*/*.h')) =~ /^extern [^;]*?\b(dpem_\w*(?:sensitivity\d?|_range))\(/mg;

cmp_ok(scalar keys %bound, '>=', 4, 'there are bounds');
foreach my $function (sort keys %bound)
{
	ok($proofs =~ /`$function`/, "$function: a proof");
	ok($tests =~ /\b$function\(/, "$function: a search for a counter-example");
}

# what proofs.md names is there
my $sources = slurp(glob('../src/*/*.[ch] ../src/*/*/*.[ch]'));

ok($sources =~ /\b$_\b/, "proofs.md names $_: it exists") foreach sort { $a cmp $b } keys %{ { map { $_ => 1 } $proofs =~ /`(dpem_\w+)`/g } };
ok(-e "unit/$_.c", "proofs.md names $_: it exists") foreach sort keys %{ { map { $_ => 1 } $proofs =~ /`(test_\w+)`/g } };
ok(-e "t/$_.pl", "proofs.md names $_: it exists") foreach sort keys %{ { map { $_ => 1 } $proofs =~ /`(\d\d\d_\w+)`/g } };

done_testing();
