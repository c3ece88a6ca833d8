# What dp_fa_fit's defaults are worth on unlike data, through SQL in a throw-away server: the mean log-density of rows that
# were held out, medians and worst of ten fits, beside independent columns (dp_gmm_fit of one diagonal component,
# at the same price) and factors without noise.
# CSV and tables in build/bench/utility_factors (docs/families/factors.md has them).
# Run by `make bench-utility`.
#
#   RUNS=10     fits of each kind
#   QUICK=1     two minutes: 3 fits, two epsilons
#   DATA=regex  which data
#   JOBS=       sessions side by side (default: processors)
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use List::Util qw(min);
use Paper;

$| = 1;
$out_dir = 'build/bench/utility_factors';

my $quick = $ENV{QUICK};
my $runs = $ENV{RUNS} // ($quick ? 3 : 10);
my $jobs = $ENV{JOBS} // (`getconf _NPROCESSORS_ONLN 2>/dev/null` || 1) + 0;
my @epsilons = $ENV{EPSILONS} ? split(/,/, $ENV{EPSILONS}) : $quick ? (0.5, 2) : (0.1, 0.5, 1, 2, 4, 8);
my $delta = 1e-6;

# Each makes a table rows (part, x) with coordinates in [-1, 1].
my @data = (
	{ name => 'near_constant', title => '52 columns, 30 of them with a standard deviation of 0.01 of the half-width, four factors in the others',
	  factors => 4, make => sub { make_rows(38000 + 4000, 30, 0.01, 22) } },
	{ name => 'wide', title => '20 columns, all within a hundredth to a thirtieth of their domains, three factors',
	  factors => 3, make => sub { make_rows(20000, 0, 0, 20, 0.04) } },
	{ name => 'plain', title => '12 columns that fill their domains, three factors', factors => 3, make => sub { make_rows(20000, 0, 0, 12) } });

my %methods = (
	'dp_fa_fit' => sub { my ($d, $e, $m) = @_; "dp_fa_fit('$d->{name}', $d->{factors}, $e, $delta, model => '$m')" },
	'dp_fa_fit, precondition => radius' => sub { my ($d, $e, $m) = @_; "dp_fa_fit('$d->{name}', $d->{factors}, $e, $delta, model => '$m', precondition => 'radius')" },
	'independent columns' => sub { my ($d, $e, $m) = @_; "dp_gmm_fit('$d->{name}', 1, $e, $delta, model => '$m', covariance => 'diagonal')" });

# So many nearly constant columns of that deviation, then columns of standard deviations about 0.3 * width,
# half of whose variance is that of common factors.
sub make_rows
{
	my ($n, $still, $deviation, $columns, $width) = @_;
	my $normal = 'sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';
	my @x = map { sprintf '%g + %g * %s', 0.7 * sin($_), $deviation, $normal } 1 .. $still;

	query('SELECT setseed(0.25)');
	foreach my $j (1 .. $columns)
	{
		my $scale = ($width // 1) * (0.15 + 0.2 * (1 + sin(7 * $j)) / 2);
		my @loading = map { sin(3 * $j + 5 * $_) } 1 .. 4;
		my $length = sqrt($loading[0]**2 + $loading[1]**2 + $loading[2]**2 + $loading[3]**2);

		push @x, sprintf '%g + %g * (%s + %s)', ($width ? 0.5 : 0.1) * cos($j), $scale / sqrt(2), $normal, join ' + ', map { sprintf '%g * g[%d]', $loading[ $_ - 1 ] / $length, $_ } 1 .. 4;
	}
	my $x = join ', ', map { "greatest(least($_, 1), -1)" } @x;
	query("CREATE TABLE rows AS SELECT CASE WHEN i % 10 = 0 THEN 'test' ELSE 'train' END AS part, ARRAY[$x]::float8[] AS x
		FROM (SELECT i, ARRAY(SELECT $normal FROM generate_series(1, 4 + 0 * i)) AS g FROM generate_series(1, $n) AS i) AS s");
	return;
}

sub prepare
{
	my ($data) = @_;
	my $name = $data->{name};

	query('DROP TABLE IF EXISTS rows');
	$data->{make}->();
	my $d = value('SELECT cardinality(x) FROM rows LIMIT 1');
	query("CREATE TABLE ${name}_test AS SELECT x FROM rows WHERE part = 'test' LIMIT 1000;
		CREATE TABLE ${name}_train AS SELECT x FROM rows WHERE part = 'train'; ANALYZE ${name}_train;
		SELECT dp_register_dataset('$name', '${name}_train', 1000, 1e-2);
		SELECT dp_register_column('$name', 'x', -1, 1, $d);
		SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 1e-2)");
	return;
}

sub log_density
{
	my ($task) = @_;

	query("SELECT count(*) FROM " . $methods{ $task->{method} }->($task->{data}, $task->{epsilon}, "m$$"));
	my $score = value("SELECT avg(greatest(dp_log_density('m$$', x), -1e4)) FROM $task->{data}{name}_test");
	query("SELECT dp_drop_model('m$$')");
	return $score;
}

sub median
{
	my @sorted = sort { $a <=> $b } @_;

	return ($sorted[ $#sorted / 2 ] + $sorted[ @sorted / 2 ]) / 2;
}

sub measure
{
	my ($data) = @_;
	my @tasks = map {
		my $m = $_;
		map {
			my $e = $_;
			map { { data => $data, table => $data->{name}, method => $m, epsilon => $e, run => $_ } } 1 .. $runs
		} @epsilons
	} sort keys %methods;

	parallel($data->{name}, $jobs, \&log_density, @tasks);
	$_->{log_density} = $_->{scores}[0] foreach @tasks;
	write_table("$data->{title}: mean log-density of a row, median (worst) of $runs", [ '', map { "ε = $_" } @epsilons ],
		map {
			my $m = $_;
			[ $m, map {
					my $e = $_;
					my @of = map { $_->{log_density} } grep { $_->{method} eq $m && $_->{epsilon} == $e } @tasks;
					sprintf '%.1f (%.1f)', median(@of), min(@of)
				} @epsilons ]
		} sort keys %methods);
	return @tasks;
}

my @all;

query('CREATE EXTENSION IF NOT EXISTS dpem; SET dpem.noise_warnings = off');
foreach my $data (grep { my $wanted = $ENV{DATA} // '.'; $_->{name} =~ /$wanted/ } @data)
{
	prepare($data);
	push @all, measure($data);
}
write_csv('scores', [qw(table method epsilon run log_density)], @all) if @all;
