# What `make demo CSV=...` says about a file that it cannot take: what is wrong and where.
use strict;
use warnings;

use PostgreSQL::Test::Utils;
use Test::More;

my $dir = PostgreSQL::Test::Utils::tempdir;

# What csv.pl says, and the tables it plans, of a file with this content.
sub plan_of
{
	my ($content, %environment) = @_;
	my $file = "$dir/people.csv";

	local %ENV = (%ENV, BOUNDS => '', DEMO_COLUMNS => '', K => '', CSV => 'people.csv', %environment);
	open(my $out, '>', $file) or die "$file: $!";
	print $out $content;
	close($out) or die "$file: $!";
	unlink "$dir/create.sql";
	my $says = qx{perl ../scripts/demo/csv.pl '$file' '$dir' '$dir' 2>&1};

	return ($says, -e "$dir/create.sql");
}

sub refused
{
	my ($content, $says, $name, %environment) = @_;
	my ($said, $planned) = plan_of($content, %environment);

	ok(!$planned, "$name: no plan");
	like($said, $says, "$name: says so");
	return;
}

my @good = plan_of("Age,sex\n31,m\n,f\n", BOUNDS => 'Age=0:120');
is("@good", ' 1', 'a file with a missing value is taken');
refused('', qr/is empty: its first line must name the columns/, 'nothing');
refused("31,68.5\n40,70.1\n", qr/the first line must name the columns/, 'no header');
refused("age;weight\n31;68,5\n", qr/separated by commas, not semicolons/, 'semicolons');
refused("age\tweight\n31\t68\n", qr/separated by commas, not semicolons, tabs/, 'tabs');
refused("age,sex\n31,m\nNA,f\n", qr/no numeric column .*empty field.*: age is not, see record 3, sex is not, see record 2/, 'NA');
refused("age,sex\n31,m\nNA,f\n", qr/column age .* is not numeric, see record 3 \(a missing value is an empty field/, 'bounds of a text', BOUNDS => 'age=0:120');
refused("Age,sex\n31,m\n", qr/has no column age; its columns: Age, sex/, 'another name', BOUNDS => 'age=0:120');
refused("age,sex\n31,m\n", qr/in place of LOWER and UPPER.*BOUNDS='age=LOWER:UPPER'/s, 'no bounds');
refused("age,sex\n31,m\n", qr/'age=0' is not name=lower:upper/, 'half a bound', BOUNDS => 'age=0');
refused("age,sex\n31,m\n4\n", qr/record 3 has 1 fields, the header 2/, 'a short record', BOUNDS => 'age=0:120');

done_testing();
