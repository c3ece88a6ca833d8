# What dp_sbn_fit's defaults are worth beside independent Bernoulli columns at the same price, on unlike tables of
# bits: the mean bound of the log-probability of rows that were held out.  The baseline counts the ones of every
# column in one Gaussian release, accounted for as exactly as the fit.  Its likelihood is exact and the
# networks' is a bound, which flatters the baseline.  Run by `make bench-utility`; Utility.pm has the settings.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $delta = 1e-6;
my $most_test = 1000;
my $without_noise = 300;		# an epsilon that stands for none, as fits without noise are not stored

# name, rows, columns, hidden units, the probability that column j is 1, of hidden bits h[1..] and columns' constants; quick?
my @generated = (
	[ 'two_causes', 20000, 20, 4, '1 / (1 + exp(3 - 6 * h[1 + j % 2]))', 1 ],
	[ 'many_causes', 20000, 40, 8, '1 / (1 + exp(-(3 * sin(7 * j) * h[1] + 3 * cos(3 * j) * h[2] + 3 * sin(5 * j) * h[3] + 2 * cos(11 * j) * h[4] - 1)))' ],
	[ 'independent', 20000, 20, 4, '0.1 + 0.8 * (j % 10) / 10.0', 1 ],
	[ 'rare_ones', 30000, 50, 5, '0.01 + 0.2 * h[1] * (j % 2) + 0.05 * h[2] * ((j + 1) % 2)' ],
	[ 'one_of_ten', 20000, 30, 5, 'CASE WHEN floor(10 * u[1 + j / 10]) = j % 10 THEN 0.95 ELSE 0.02 END' ],
	[ 'blocks', 10000, 60, 6, '0.1 + 0.8 * h[1 + j / 15]' ],
	[ 'few_rows', 1500, 10, 3, '0.15 + 0.7 * h[1 + j / 5]', 1 ],
	[ 'near_constant', 20000, 40, 4, 'CASE WHEN j < 30 THEN 0.002 ELSE 0.1 + 0.8 * h[1 + j % 2] END' ],
	[ 'chain', 40000, 16, 4, '0.05 + 0.9 * (u[1] < j / 16.0)::int' ],
	[ 'large', 200000, 12, 4, '0.2 + 0.6 * h[1 + j % 3]' ]);

sub register
{
	my ($data) = @_;
	my $name = $data->{name};

	query("CREATE TABLE ${name}_test AS SELECT x FROM rows WHERE test LIMIT $most_test;
		CREATE TABLE ${name}_train AS SELECT x FROM rows WHERE NOT test; DROP TABLE rows; ANALYZE ${name}_train;
		SELECT dp_register_dataset('$name', '${name}_train', 1000, 1e-2);
		SELECT dp_register_column('$name', 'x', 0, 1, $data->{columns});
		SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 1e-2);
		CREATE TABLE ${name}_ones AS SELECT j, sum(v) AS ones FROM ${name}_train, unnest(x) WITH ORDINALITY AS u (v, j) GROUP BY j");
	$data->{rows} = value("SELECT count(*) FROM ${name}_train");
	return 1;
}

sub generate
{
	my ($data) = @_;
	my ($n, $d, $p) = @{$data}{qw(n columns law)};

	query("SELECT setseed(0.5)");
	query("CREATE TABLE rows AS SELECT i % 5 = 0 AS test, ARRAY(SELECT (random() < $p)::int FROM generate_series(0, $d - 1 + 0 * i) AS j)::float8[] AS x
		FROM (SELECT i, ARRAY(SELECT (random() < 0.5)::int FROM generate_series(1, 6 + 0 * i)) AS h,
			ARRAY(SELECT random() FROM generate_series(1, 6 + 0 * i)) AS u FROM generate_series(1, $n) AS i OFFSET 0) AS s");
	return register($data);
}

sub load_a9a
{
	my ($data) = @_;

	load_text('a9a_sparse.csv.gz') or return 0;
	query("CREATE TABLE rows AS SELECT split = 'test' AS test, ARRAY(SELECT (j = ANY (idx::int[]))::int FROM generate_series(1, 123) AS j)::float8[] AS x FROM file");
	return register($data);
}

sub load_adult
{
	my ($data) = @_;
	my @ones = ("sex = 'Male'", "starts_with(income, '>')", 'age::int >= 40', 'education_num::int >= 10', 'hours_per_week::int > 40', 'capital_gain::int > 0',
		'capital_loss::int > 0', "marital_status LIKE 'Married%'", "relationship = 'Own-child'", "race = 'White'", "native_country = 'United-States'", "workclass = 'Private'");

	load_text('adult.csv.gz') or return 0;
	query("CREATE TABLE rows AS SELECT split = 'test' AS test, ARRAY[" . join(', ', map { "coalesce($_, false)::int" } @ones) . ']::float8[] AS x FROM file');
	return register($data);
}

sub bound
{
	my ($data, $epsilon) = @_;

	query("SELECT count(*) FROM dp_sbn_fit('$data->{name}', $data->{hidden}, $epsilon, $delta, model => 'm$$')");
	my $score = value("SELECT avg(dp_log_density('m$$', x)) FROM $data->{name}_test");
	query("SELECT dp_drop_model('m$$')");
	return $score;
}

# frequencies from counts of ones with such noise (0: none), kept half a row from the ends
sub independent
{
	my ($data, $sd) = @_;
	my ($name, $n) = @{$data}{qw(name rows)};

	return value("WITH p AS (SELECT j, greatest(0.5, least($n - 0.5, ones + $sd * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()))) / $n AS p FROM ${name}_ones),
		t AS (SELECT j, avg(v) AS q FROM ${name}_test, unnest(x) WITH ORDINALITY AS u (v, j) GROUP BY j)
		SELECT sum(q * ln(p) + (1 - q) * ln(1 - p)) FROM p JOIN t USING (j)");
}

sub score
{
	my ($task) = @_;
	my ($data, $epsilon) = @{$task}{qw(data epsilon)};

	return bound($data, $epsilon) if $task->{method}{role} eq 'default';
	# replace_one: a row changes every column's count by at most one
	return independent($data, value("SELECT sqrt($data->{columns}) / dp_gdp_mu($epsilon, $delta)"));
}

sub unload
{
	my ($data) = @_;

	query("SELECT dp_drop_dataset('$data->{name}'); DROP TABLE $data->{name}_train, $data->{name}_test, $data->{name}_ones");
	return;
}

run_family(
	name => 'sbn', title => 'Sigmoid belief networks', value => 'mean bound of the log-probability of a test row', larger => 1,
	note => 'replace_one, δ = 10⁻⁶', epsilons => [ 0.1, 0.5, 1, 4 ], quick_epsilons => [ 0.5, 4 ], score => \&score,
	methods => [ { role => 'default', label => 'dp_sbn_fit' }, { role => 'baseline', label => 'independent columns' },
		{ role => 'non-private', label => "dp_sbn_fit, ε = $without_noise", values => sub { return { '' => [ bound($_[0], $without_noise) ] } } },
		{ role => 'non-private', label => 'independent columns, not private', values => sub { return { '' => [ independent($_[0], 0) ] } } } ],
	data => [ { name => 'a9a', columns => 123, hidden => 10, load => \&load_a9a, unload => \&unload },
		{ name => 'adult_bits', columns => 12, hidden => 4, quick => 1, load => \&load_adult, unload => \&unload },
		map { { name => $_->[0], n => $_->[1], columns => $_->[2], hidden => $_->[3], law => $_->[4], quick => $_->[5], load => \&generate, unload => \&unload } } @generated ]);
