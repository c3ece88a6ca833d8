# What dp_fa_fit's defaults are worth on unlike data: the mean log-density of rows that were held out, in units of the
# domain's half-width, beside independent columns and one Gaussian (dp_gmm_fit of one component, diagonal or full, at the same price)
# and beside factors at an epsilon that stands for none.  Run by `make bench-utility`; Utility.pm has the settings.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $delta = 1e-6;
my $without_noise = 300;		# fits without noise are not stored

# Each makes a table rows (part, x) with coordinates in [-1, 1]: rows, nearly constant columns and their deviation,
# other columns, width of these.
my @data = (
	{ name => 'near_constant', factors => 4, shape => [ 42000, 30, 0.01, 22 ] },
	{ name => 'wide', factors => 3, shape => [ 20000, 0, 0, 20, 0.04 ], quick => 1 },
	{ name => 'plain', factors => 3, shape => [ 20000, 0, 0, 12 ], quick => 1 },
	{ name => 'few_rows', factors => 2, shape => [ 1500, 0, 0, 8 ], quick => 1 },
	{ name => 'many_columns', factors => 4, shape => [ 20000, 0, 0, 100 ] },
	{ name => 'hardly_any', factors => 2, shape => [ 50000, 18, 0.002, 4 ] },
	{ name => 'large', factors => 3, shape => [ 200000, 0, 0, 10, 0.3 ] },
	{ name => 'three_columns', factors => 1, shape => [ 5000, 0, 0, 3 ] },
	{ name => 'lifesci', factors => 3, load => \&load_lifesci },
	{ name => 'adult', factors => 2, load => \&load_adult });

my %fit = (
	'dp_fa_fit' => sub { my ($d, $e, $m) = @_; "dp_fa_fit('$d->{name}', $d->{factors}, $e, $delta, model => '$m')" },
	'one Gaussian' => sub { my ($d, $e, $m) = @_; "dp_gmm_fit('$d->{name}', 1, $e, $delta, model => '$m')" },
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
	return 1;
}

# Columns of a file, scaled by their public domains: [expression, lower, upper].
sub load_file
{
	my ($file, @columns) = @_;
	my $x = join ', ', map { "greatest(-1, least(1, 2 * ($_->[0]::float8 - $_->[1]) / ($_->[2] - $_->[1]) - 1))" } @columns;

	load_text($file) or return 0;
	query("CREATE TABLE rows AS SELECT CASE WHEN row_number() OVER () % 10 = 0 THEN 'test' ELSE 'train' END AS part, ARRAY[$x]::float8[] AS x FROM file");
	return 1;
}

sub load_lifesci { return load_file('lifesci.csv.gz', map { [ "x$_", -16.24, 16.24 ] } 1 .. 10) }

sub load_adult
{
	return load_file('adult.csv.gz', [ 'age', 17, 90 ], [ 'education_num', 1, 16 ], [ 'hours_per_week', 1, 99 ], [ 'fnlwgt', 0, 1500000 ]);
}

sub prepare
{
	my ($data) = @_;
	my $name = $data->{name};

	query('DROP TABLE IF EXISTS rows');
	($data->{make} ? $data->{make}->() : make_rows(@{ $data->{shape} })) or return 0;
	$data->{columns} = value('SELECT cardinality(x) FROM rows LIMIT 1');
	query("CREATE TABLE ${name}_test AS SELECT x FROM rows WHERE part = 'test' LIMIT 1000;
		CREATE TABLE ${name}_train AS SELECT x FROM rows WHERE part = 'train'; DROP TABLE rows; ANALYZE ${name}_train;
		SELECT dp_register_dataset('$name', '${name}_train', 1000, 1e-2);
		SELECT dp_register_column('$name', 'x', -1, 1, $data->{columns});
		SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 1e-2)");
	$data->{rows} = value("SELECT count(*) FROM ${name}_train");
	return 1;
}

sub log_density
{
	my ($data, $label, $epsilon) = @_;

	query("SELECT count(*) FROM " . $fit{$label}->($data, $epsilon, "m$$"));
	my $score = value("SELECT avg(greatest(dp_log_density('m$$', x), -1e4)) FROM $data->{name}_test");
	query("SELECT dp_drop_model('m$$')");
	return $score;
}

run_family(
	name => 'factors', title => 'Factor analysis', value => 'mean test log-likelihood per row', larger => 1,
	note => 'replace_one, δ = 10⁻⁶', epsilons => [ 0.1, 0.5, 2, 8 ], quick_epsilons => [ 0.5, 2 ],
	score => sub { my ($task) = @_; return log_density($task->{data}, $task->{method}{label}, $task->{epsilon}) },
	methods => [ { role => 'default', label => 'dp_fa_fit' }, { role => 'baseline', label => 'independent columns' },
		{ role => 'baseline', label => 'one Gaussian' },
		{ role => 'non-private', label => "dp_fa_fit, ε = $without_noise", values => sub { return { '' => [ log_density($_[0], 'dp_fa_fit', $without_noise) ] } } } ],
	data => [ map { { %$_, make => $_->{load}, load => \&prepare } } @data ]);
