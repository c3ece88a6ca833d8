# What dp_predict_interval of dp_linreg_fit covers: the share of rows held out whose target is in the interval that is to hold 95 %,
# by the number of rows and by how numbers and residuals are distributed (docs/families/linreg.md, "Intervals").
# Run by `make bench-utility`; Utility.pm has the settings.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $normal = 'sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';
my %residual = (
	normal => [ 'normal', $normal ],
	heavy => [ "Student's of 3 degrees of freedom", "$normal / sqrt((($normal) ^ 2 + ($normal) ^ 2 + ($normal) ^ 2) / 3) / sqrt(3)" ],
	skewed => [ 'exponential', '-ln(1 - random()) - 1' ]);

my @data = map { my ($law, $rows, $columns) = @$_;
	{ name => "${law}_${rows}_$columns", quick => $rows == 2000, law => $law, rows => $rows, columns => $columns,
		title => "$rows rows, $columns numbers, residual $residual{$law}[0], half of the variance" } }
	((map { my $rows = $_; map { [ $_, $rows, 5 ] } qw(normal heavy skewed) } 500, 2000, 20000), [ 'normal', 2000, 12 ]);

sub load
{
	my ($d) = @_;
	my $name = $d->{name};
	my $sum = join ' + ', map { sprintf '%.2f * g[%d]', cos($_), $_ } 1 .. $d->{columns};
	my $scale = 0;

	$scale += cos($_) ** 2 foreach 1 .. $d->{columns};
	query("CREATE TABLE ${name}_all AS SELECT i, " . join(', ', map { "g[$_] AS x$_" } 1 .. $d->{columns}) . ", ($sum) / sqrt($scale) + $residual{$d->{law}}[1] AS y
		FROM (SELECT i, ARRAY(SELECT $normal FROM generate_series(1, $d->{columns} + 0 * i)) AS g FROM generate_series(1, $d->{rows} + 2000) AS i) AS s");
	query("CREATE TABLE ${name}_held AS SELECT * FROM ${name}_all WHERE i <= 2000");
	query("CREATE TABLE $name AS SELECT * FROM ${name}_all WHERE i > 2000; ALTER TABLE $name DROP i");
	prepare_dataset($name, (map { [ "x$_", -10, 10 ] } 1 .. $d->{columns}), [ 'y', -30, 30 ]);
	return 1;
}

sub fit
{
	my ($task) = @_;
	my $d = $task->{data};

	query("SELECT count(*) FROM dp_linreg_fit('$d->{name}', 'y', $task->{epsilon}, 1e-6, model => 'm$$')");
	my $point = join ', ', map { "x$_" } 1 .. $d->{columns};
	my $score = value("SELECT avg((y BETWEEN p.lower AND p.upper)::int) FROM $d->{name}_held, LATERAL dp_predict_interval('m$$', ARRAY[$point]::float8[]) AS p");
	query("SELECT dp_drop_model('m$$')");
	return $score;
}

run_family(
	name => 'intervals', title => 'Prediction intervals', value => 'share of rows held out that are in the interval of 95 %', larger => 1,
	note => 'replace_one, δ = 10⁻⁶', epsilons => [ 0.1, 0.5, 1, 4 ], quick_epsilons => [ 1 ], score => \&fit,
	methods => [ { role => 'default', label => 'dp_linreg_fit' } ],
	data => [ map { { %$_, load => \&load, unload => \&unload_held } } @data ]);
