# docs/security.md names a test for every attack: each must be there.
use strict;
use warnings;

use Test::More;

# the tests run in the directory `test` of the tree
my %directory = (t => 't', sql => '../sql', isolation => 'isolation/specs');
my %part;
my $heading = '';

sub slurp
{
	my ($file) = @_;

	open(my $in, '<', $file) or return undef;
	local $/;
	return <$in>;
}

my $document = slurp('../docs/security.md') // '';

foreach my $line (split /\n/, $document)
{
	$heading = $1 if $line =~ /^#+ (.*)/;
	next unless $line =~ m{^\|[^|]*\| (t|sql|isolation)/(\S+) \| (.+) \|$};
	my ($kind, $file, $name) = ($1, $2, $3);
	my $source = (slurp("$directory{$kind}/$file") // '') =~ s/\\'/'/gr;

	ok(index($source, $name) >= 0, "$kind/$file: $name");
	$part{$heading}++;
}
is(join(', ', sort keys %part), 'Be somebody else, Go round, Keep the result, lose the charge, Make others wait, Make rows talk, Take away what others paid for',
	'every part of the list has its tests');

# nor does a file of attacks go unnamed
foreach my $file (glob 't/*_attack_*.pl')
{
	next if $file =~ /_attack_list/;
	like($document, qr/\Q$file\E/, "$file is in the list");
}

done_testing();
