# What dp_logit_fit's defaults are worth on unlike data: AUC of rows that were held out, beside noisy gradient descent
# with its best step, passes and clip in hindsight (utility_gd.py) and beside a fit without noise.
# Run by `make bench-utility`; Utility.pm has the settings.
#
#   ARGUMENTS=  more arguments of dp_logit_fit, for trying: "algorithm => 'output'" or 'functional'
#   FUNCTION=   dp_svm_fit instead
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Regression::Data qw(load_frame);
use Utility;

my $delta = 1e-6;
# beside what is tried nothing else is measured again
my $python = $ENV{ARGUMENTS} || $ENV{FUNCTION} ? undef : utility_python('numpy');
my $more = $ENV{ARGUMENTS} ? ", $ENV{ARGUMENTS}" : '';
my $function = $ENV{FUNCTION} // 'dp_logit_fit';
my $scores = $function eq 'dp_svm_fit' ? 'dp_transform' : 'dp_posterior';
my %quick = map { $_ => 1 } qw(adult_numbers small letters);

# Each makes a table (part, y, x) of coordinates scaled by public domains to [-1, 1]; `lower` where these are narrower.
my @data = (
	{ name => 'adult', title => 'adult: five numbers and 43 ones, domains of the census', adjacency => 'add_remove', load => sub { load_adult(1) } },
	{ name => 'adult_numbers', title => 'adult: its five numbers', adjacency => 'replace_one', load => sub { load_adult(0) } },
	{ name => 'a9a', title => 'a9a: 123 ones', lower => 0, adjacency => 'add_remove', load => \&load_a9a },
	{ name => 'a9a_clip', table => 'a9a', title => 'a9a, clip_norm => sqrt(14)', adjacency => 'add_remove', load => \&load_a9a, arguments => ', clip_norm => sqrt(14)' },
	{ name => 'bank', title => 'bank-like: seven wide numbers, heavy tails and spikes, 41 ones', adjacency => 'replace_one', load => \&load_bank },
	{ name => 'narrow', title => '30 columns in a thirtieth to a thousandth of their domains, and strays', adjacency => 'replace_one', load => \&load_narrow },
	{ name => 'small', title => 'two heavy tails in wide domains, 3,000 rows', adjacency => 'replace_one', load => \&load_small },
	{ name => 'letters', title => 'LetterRecognition: 16 integers, A to M or not', adjacency => 'replace_one', load => \&load_letters },
	{ name => 'diamonds', title => 'diamonds: nine numbers, ideal cut or not', adjacency => 'replace_one', load => \&load_diamonds });

# ---- data -----------------------------------------------------------------------

sub load_adult
{
	my ($all) = @_;
	my @numbers = ('2 * (age::float8 - 17) / 73 - 1', '2 * (education_num::float8 - 1) / 15 - 1', '2 * (hours_per_week::float8 - 1) / 98 - 1',
		'2 * capital_gain::float8 / 99999 - 1', '2 * capital_loss::float8 / 4356 - 1');
	my @ones;

	load_text('adult.csv.gz') or return 0;
	foreach my $column ($all ? qw(workclass marital_status occupation relationship race sex) : ())
	{
		push @ones, map { "$column IS NOT DISTINCT FROM '$_'" } query("SELECT DISTINCT $column FROM file WHERE $column IS NOT NULL ORDER BY 1");
	}
	push @ones, "native_country IS NOT DISTINCT FROM 'United-States'" if $all;
	my $x = join ', ', @numbers, map { "($_)::int" } @ones;
	query("CREATE TABLE rows AS SELECT split AS part, starts_with(income, '>') AS y, ARRAY[$x]::float8[] AS x FROM file");
	return 1;
}

sub load_a9a
{
	load_text('a9a_sparse.csv.gz') or return 0;
	query("CREATE TABLE rows AS SELECT split AS part, label::int > 0 AS y,
		ARRAY(SELECT (j = ANY (idx::int[]))::int FROM generate_series(1, 123) AS j)::float8[] AS x FROM file");
	return 1;
}

# Rows i of 1..n with so many normal and uniform deviates, the same every time.
sub deviates
{
	my ($n, $normals, $uniforms) = @_;

	query("SELECT setseed(0.5)");
	query("CREATE TABLE deviates AS SELECT i, ARRAY(SELECT sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) FROM generate_series(1, $normals + 0 * i)) AS g,
		ARRAY(SELECT random() FROM generate_series(1, $uniforms + 0 * i)) AS u FROM generate_series(1, $n) AS i");
	return;
}

# rows = those of `columns`, a list of [expression over g and u, lower, upper], with that score
sub make_rows
{
	my ($score, $label, @columns) = @_;
	my $x = join ', ', map { "2 * (greatest(least($_->[0], $_->[2]), $_->[1]) - ($_->[1])) / (($_->[2]) - ($_->[1]))::float8 - 1" } @columns;

	query("CREATE TABLE rows AS SELECT CASE WHEN i % 5 = 0 THEN 'test' ELSE 'train' END AS part, $label < 1 / (1 + exp(-($score))) AS y, ARRAY[$x]::float8[] AS x FROM deviates;
		DROP TABLE deviates");
	return 1;
}

# k ones of which each row has one, by the j-th uniform deviate, skewed; and a score of them
sub choice
{
	my ($j, $k) = @_;
	my $place = "floor($k * u[$j] ^ 1.7)";

	return ("0.7 * sin(3 * $place + $j)", map { [ "($place = $_)::int", -1, 1 ] } 0 .. $k - 1);
}

sub load_bank
{
	my @columns = ([ 'round(18 + 22 * exp(0.45 * g[1]))', 18, 95 ], [ 'round(490 * exp(1.4 * g[2]) - 300 * (u[1] < 0.3)::int)', -8019, 102127 ],
		[ 'ceil(31 * u[2])', 1, 31 ], [ 'round(180 * exp(0.9 * g[3]))', 0, 4918 ], [ '1 + floor(-2.2 * ln(1 - u[3]))', 1, 63 ],
		[ 'CASE WHEN u[4] < 0.82 THEN -1 ELSE round(220 * exp(0.5 * g[4])) END', -1, 871 ], [ 'CASE WHEN u[4] < 0.82 THEN 0 ELSE 1 + floor(-3 * ln(1 - u[5])) END', 0, 275 ]);
	my $score = '-3 + 0.15 * g[1] + 0.2 * g[2] + 1.6 * g[3] - 0.15 * (1 + floor(-2.2 * ln(1 - u[3]))) + (u[4] >= 0.82)::int';

	deviates(45211, 4, 15);
	foreach my $choice ([ 6, 12 ], [ 7, 3 ], [ 8, 4 ], [ 9, 2 ], [ 10, 2 ], [ 11, 3 ], [ 12, 12 ], [ 13, 3 ])
	{
		my ($part, @ones) = choice(@$choice);

		$score .= " + $part";
		push @columns, @ones;
	}
	return make_rows($score, 'u[15]', @columns);
}

# Column j has a standard deviation between a thirtieth and a thousandth of the domain's half-width; one value in 2000 is anywhere.
sub load_narrow
{
	my @columns;
	my @score;

	deviates(30000, 31, 31);
	foreach my $j (1 .. 30)
	{
		my $value = "(0.6 * g[31] + 0.8 * g[$j])";

		push @columns, [ sprintf('CASE WHEN u[%d] < 0.0005 THEN 4000 * u[%d] - 1 ELSE %g + %g * %s END', $j, $j, 0.8 * sin($j), 10**(-1.5 - $j / 20), $value), -1, 1 ];
		push @score, sprintf('%g * %s', sin(2 * $j) / 2, $value);
	}
	return make_rows(join(' + ', @score), 'u[31]', @columns);
}

sub load_small
{
	deviates(3750, 1, 3);
	return make_rows('1.2 * g[1] + CASE WHEN u[1] < 0.7 THEN 0 ELSE -ln(1 - u[2]) END - 0.8', 'u[3]',
		[ 'exp(3 + g[1])', 0, 10000 ], [ 'CASE WHEN u[1] < 0.7 THEN 0 ELSE -50 * ln(1 - u[2]) END', 0, 10000 ]);
}

# A data frame of R: a 0/1 column and coordinates, every fourth row a test row.
sub load_coordinates
{
	my ($code, $columns) = @_;

	load_frame($code, 'y int', map { "x$_ float8" } 1 .. $columns) or return 0;
	query("CREATE TABLE rows AS SELECT CASE WHEN i % 4 = 0 THEN 'test' ELSE 'train' END AS part, y = 1 AS y, ARRAY[" .
		  join(', ', map { "x$_" } 1 .. $columns) . ']::float8[] AS x FROM frame; DROP TABLE frame');
	return 1;
}

sub load_letters
{
	return load_coordinates('library(mlbench); data(LetterRecognition); d <- cbind(as.integer(LetterRecognition$lettr %in% LETTERS[1:13]), sapply(LetterRecognition[, -1], function(v) 2 * as.numeric(v) / 15 - 1))', 16);
}

sub load_diamonds
{
	return load_coordinates('library(ggplot2); x <- as.data.frame(diamonds); s <- function(v, l, u) 2 * (as.numeric(v) - l) / (u - l) - 1;
		d <- cbind(as.integer(x$cut == "Ideal"), s(x$carat, 0, 10), s(x$depth, 0, 100), s(x$table, 0, 100), s(x$x, 0, 60), s(x$y, 0, 60), s(x$z, 0, 60), s(x$color, 1, 7), s(x$clarity, 1, 8), s(x$price, 0, 1e5))', 9);
}

sub prepare
{
	my ($data) = @_;
	my $name = $data->{name};

	query('DROP TABLE IF EXISTS rows');
	$data->{make}->() or return 0;
	my $d = $data->{columns} = value('SELECT cardinality(x) FROM rows LIMIT 1');
	query("CREATE TABLE ${name}_test AS SELECT y, x FROM rows WHERE part = 'test';
		CREATE TABLE ${name}_train AS SELECT CASE WHEN y THEN 'yes' ELSE 'no' END AS label, x FROM rows WHERE part = 'train'; ANALYZE ${name}_train;
		SELECT dp_register_dataset('$name', '${name}_train', 1000, 1e-2, adjacency => '$data->{adjacency}');
		SELECT dp_register_column('$name', 'x', @{[ $data->{lower} // -1 ]}, 1, $d), dp_register_column('$name', 'label', '{no,yes}'::text[]);
		SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 1e-2)");
	$data->{rows} = value("SELECT count(*) FROM ${name}_train");
	return 1;
}

# ---- scores -----------------------------------------------------------------------

# AUC of the test rows.
sub score
{
	my ($task) = @_;
	my $name = $task->{data}{name};

	query("SELECT count(*) FROM $function('$name', 'label', $task->{epsilon}, $delta, model => 'm$$'" . ($task->{data}{arguments} // '') . "$more)");
	my $auc = auc("SELECT y, ($scores('m$$', x))[2] AS p FROM ${name}_test");
	query("SELECT dp_drop_model('m$$')");
	return $auc;
}

sub write_rows
{
	my ($name, $label, $file) = @_;

	open(my $out, '>', $file) or die "$file: $!";
	print $out "$_\n" foreach query("SELECT $label || ',' || array_to_string(x, ',') FROM $name");
	close $out or die "$file: $!";
	return;
}

# epsilon => [AUC of each run] of the baseline, and '' => [that without noise]; nothing without numpy
sub baseline
{
	my ($data, $epsilons, $runs) = @_;
	my $name = $data->{name};
	my @files = map { "$out_dir/$name.$_.csv" } qw(train test);

	return {} if !$python;
	system('mkdir', '-p', $out_dir);
	write_rows("${name}_train", "(label = 'yes')::int", $files[0]);
	write_rows("${name}_test", 'y::int', $files[1]);
	my @lines = `$python $FindBin::Bin/utility_gd.py @files $runs $data->{adjacency} @$epsilons`;
	unlink @files;
	return { map { my ($e, @scores) = split; ($e eq 'inf' ? '' : $e) => \@scores } @lines };
}

sub gradient_descent
{
	my ($data, $epsilons, $runs) = @_;
	my $found = $data->{baseline} = baseline($data, $epsilons, $runs);

	return { map { $_ => $found->{$_} } grep { length } keys %$found };
}

run_family(
	name => 'logit', title => 'Logistic regression', value => 'AUC of test rows', larger => 1, note => 'δ = 10⁻⁶',
	epsilons => [ 0.1, 0.5, 1, 4 ], quick_epsilons => [ 0.1, 1 ], score => \&score,
	methods => [ { role => 'default', label => $function },
		{ role => 'baseline', label => 'noisy gradient descent', values => \&gradient_descent },
		{ role => 'non-private', label => 'non-private', values => sub { return { '' => $_[0]{baseline}{''} // [] } } } ],
	data => [ map { { %$_, quick => $quick{ $_->{name} }, make => $_->{load}, load => \&prepare } } @data ]);
