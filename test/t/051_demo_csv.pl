# What `make demo CSV=...` says about a file that it cannot take: what is wrong and where; and the story
# that `make demo` tells, at several sizes of the budget.
use strict;
use warnings;

use Dpem::Test;
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

# ---- the story, told of a few rows --------------------------------------------------------

my $node = start_server('demo', 'fsync = off');
my $demo = '../scripts/demo';
my $k = 1;

$node->safe_psql('postgres', 'DROP EXTENSION dpem');
$node->safe_psql('postgres', "CREATE ROLE $_ LOGIN") foreach qw(hospital analyst dashboard);

# As scripts/demo.sh prepares it.
sub prepare_story
{
	my ($database) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql('postgres', "ALTER DATABASE $database SET extra_float_digits = -11");
	$node->safe_psql($database, 'GRANT CREATE ON SCHEMA public TO hospital; CREATE EXTENSION dpem; SET ROLE hospital;
		CREATE TABLE patients AS SELECT 30 + i % 50 AS age, 100 + i % 40 AS systolic_bp, 20 + i % 10 AS bmi FROM generate_series(1, 500) AS i;
		ANALYZE patients');
	return;
}

sub story_of
{
	my ($epsilon) = @_;
	my $database = 'demo_' . $epsilon =~ tr/./_/r;
	my %variable = (
		dataset => 'patients', k => $k, point => '{50,145,33}', register => "$demo/register_patients.sql", has_truth => 0,
		epsilon => $epsilon, some => $epsilon / 4, share => 2 * $epsilon, total => 4 * $epsilon,
		expect => "$demo/expect.sql", truth => "$demo/truth.sql");
	my ($out, $err);

	prepare_story($database);
	my $told = IPC::Run::run(
		[ 'psql', '-X', '-q', '-d', $node->connstr($database), '-v', 'ON_ERROR_STOP=1', map({ ('-v', "$_=$variable{$_}") } sort keys %variable), '-f', "$demo/story.sql" ],
		'>', \$out, '2>', \$err);

	return ($told, $out . $err);
}

foreach my $epsilon (qw(0.1 0.5 1 2 3))
{
	my ($told, $says) = story_of($epsilon);

	ok($told, "epsilon $epsilon: the story goes to its end") or diag($says);
	is(() = $says =~ /as it should be/g, 3, "... with its three refusals");
	like($says, qr{== 9.*groups}s, '... and what the owner sees');
}

$node->stop;
done_testing();
