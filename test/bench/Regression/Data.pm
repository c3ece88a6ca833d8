# Data of regression.pl: tables NAME_train and NAME_test with the columns that are registered, and what is to be
# explained: a label of classes, or a number y.
package Regression::Data;

use strict;
use warnings;

use Exporter qw(import);
use Paper;
use Tables;

our @EXPORT_OK = qw(data_of load_adult load_diamonds load_frame load_packaged prepare);

# kind: auc (two classes, the second is what is looked for), accuracy (several) or r2 (a number).
# arguments: more of a family's, where its defaults are not for such columns.  range: the answer's, [0, 12] by default.
# make makes a table `rows` with a column part (train or test) and returns its columns: [name, lower, upper, scale],
# or [name] of a label, whose categories are those of the data; the answer is label, or y.
sub data_of
{
	return (
		{ name => 'adult', kind => 'auc', quick => 1, adjacency => 'add_remove', title => 'adult: six numbers and eight labels, some of them missing', make => \&load_adult },
		{ name => 'a9a', kind => 'auc', adjacency => 'add_remove', title => 'a9a: 123 numbers that are 0 or 1', make => \&load_a9a },
		{ name => 'lifesci', kind => 'auc', adjacency => 'add_remove', title => 'lifesci: ten numbers, 3 % of the rows are in the class', make => \&load_lifesci },
		{ name => 'nursery', kind => 'accuracy', quick => 1, adjacency => 'add_remove', title => 'nursery: eight labels, five classes', make => \&load_nursery },
		{ name => 'letter', kind => 'accuracy', adjacency => 'add_remove', title => 'LetterRecognition: 16 whole numbers, 26 classes', make => \&load_letter },
		{ name => 'diamonds', kind => 'r2', quick => 1, adjacency => 'replace_one', title => 'diamonds: the logarithm of the price by six numbers and three labels', make => \&load_diamonds },
		{ name => 'diamonds_numbers', kind => 'r2', adjacency => 'replace_one', title => 'diamonds: the same by the six numbers alone', make => sub { load_diamonds(1) } },
		held_out());
}

# In the choice of no constant: ranges are what such numbers can be, and NULLs are left as they are.
sub held_out
{
	return (
		{ name => 'shuttle', kind => 'accuracy', adjacency => 'replace_one', title => 'Shuttle (mlbench): nine whole numbers with heavy tails, seven classes', make => sub {
				load_packaged('library(mlbench); data(Shuttle); d <- Shuttle[, c("Class", paste0("V", 1:9))]', 'label', [ map { [ "v$_->[0]", -$_->[1], $_->[1] ] } [ 1, 200 ], [ 2, 10000 ], [ 3, 200 ], [ 4, 10000 ], [ 5, 1000 ], [ 6, 20000 ], [ 7, 200 ], [ 8, 500 ], [ 9, 500 ] ], []) } },
		{ name => 'income', kind => 'auc', adjacency => 'replace_one', title => 'income (kernlab): twelve labels, whether a household has 40,000 dollars', make => sub {
				load_packaged('library(kernlab); data(income); rich <- c("[40.000-50.000)", "[50.000-75.000)", "[75.000-"); d <- cbind(ifelse(income$INCOME %in% rich, "yes", "no"), income[, 2:13])', 'label', [],
					[qw(sex marital_status age education occupation area dual_incomes household_size under18 householder home_type ethnic_class)]) } },
		{ name => 'slid', kind => 'r2', adjacency => 'replace_one', range => [ 0, 100 ], title => 'SLID (carData): wages by two numbers and two labels, 3,000 rows', make => sub {
				load_packaged('library(carData); d <- SLID[, c("wages", "education", "age", "sex", "language")]', 'y', [ [ education => 0, 25 ], [ age => 0, 120 ] ], [qw(sex language)]) } },
		{ name => 'gss', kind => 'r2', adjacency => 'replace_one', range => [ 0, 10 ], title => 'GSSvocab (carData): words known, by three numbers and two labels', make => sub {
				load_packaged('library(carData); x <- GSSvocab; x$year <- as.numeric(as.character(x$year)); d <- x[, c("vocab", "year", "age", "educ", "gender", "nativeBorn")]', 'y', [ [ year => 1970, 2020 ], [ age => 0, 120 ], [ educ => 0, 25 ] ], [qw(gender native_born)]) } });
}

# ---- files ------------------------------------------------------------------------

# Public ranges; those of sums of money on a logarithmic scale.
sub load_adult
{
	my @numbers = ([ age => 17, 90 ], [ fnlwgt => 0, 1500000 ], [ education_num => 1, 16 ], [ hours_per_week => 1, 99 ], [ capital_gain => 0, 99999, 'signed_log' ], [ capital_loss => 0, 4356, 'signed_log' ]);
	my @labels = qw(workclass education marital_status occupation relationship race sex native_country);

	load_text('adult.csv.gz') or return;
	query("CREATE TABLE rows AS SELECT split AS part, CASE WHEN starts_with(income, '>') THEN 'yes' ELSE 'no' END AS label, " .
		  join(', ', (map { "$_->[0]::float8 AS $_->[0]" } @numbers), @labels) . ' FROM file');
	return (@numbers, map { [$_] } @labels);
}

sub load_a9a
{
	load_text('a9a_sparse.csv.gz') or return;
	query("CREATE TABLE rows AS SELECT split AS part, CASE WHEN label::int > 0 THEN 'yes' ELSE 'no' END AS label, " .
		  join(', ', map { "($_ = ANY (idx::int[]))::int AS x$_" } 1 .. 123) . ' FROM file');
	return map { [ "x$_", 0, 1 ] } 1 .. 123;
}

sub load_lifesci
{
	load_text('lifesci.csv.gz') or return;
	query("CREATE TABLE rows AS SELECT CASE WHEN row_number() OVER () % 4 = 0 THEN 'test' ELSE 'train' END AS part, CASE WHEN label::float8 > 0 THEN 'yes' ELSE 'no' END AS label, " .
		  join(', ', map { "x$_\::float8" } 1 .. 10) . ' FROM file');
	return map { [ "x$_", -16, 16 ] } 1 .. 10;
}

sub load_nursery
{
	my @labels = qw(parents has_nurs form children housing finance social health);

	load_text('nursery.csv.gz') or return;
	query("SELECT setseed(0.5); CREATE TABLE rows AS SELECT CASE WHEN random() < 0.25 THEN 'test' ELSE 'train' END AS part, class AS label, " . join(', ', @labels) . ' FROM file');
	return map { [$_] } @labels;
}

# ---- data frames of R ----------------------------------------------------------------

# a table `frame` of those columns ("name type"); false where R or the package is not here
sub load_frame
{
	my ($code, @columns) = @_;
	my (undef, @rows) = read_frame($code) or return 0;

	query('CREATE TABLE frame (i serial, ' . join(', ', @columns) . ')');
	my $names = join ', ', map { (split)[0] } @columns;
	while (my @some = splice @rows, 0, 5000)
	{
		query("INSERT INTO frame ($names) VALUES " . join(', ', map { "('" . join("','", @$_) . "')" } @some));
	}
	return 1;
}

sub load_letter
{
	my @numbers = map { "x$_" } 1 .. 16;

	load_frame('library(mlbench); data(LetterRecognition); d <- LetterRecognition', 'label text', map { "$_ float8" } @numbers) or return;
	query("CREATE TABLE rows AS SELECT CASE WHEN i % 4 = 0 THEN 'test' ELSE 'train' END AS part, label, " . join(', ', @numbers) . ' FROM frame; DROP TABLE frame');
	return map { [ $_, 0, 15 ] } @numbers;
}

sub load_diamonds
{
	my ($numbers) = @_;
	my @labels = $numbers ? () : qw(cut color clarity);

	load_frame('library(ggplot2); x <- as.data.frame(diamonds); d <- x[, c("carat", "depth", "table", "x", "y", "z", "price", "cut", "color", "clarity")]',
		(map { "$_ float8" } qw(carat depth tab len wid hei price)), map { "$_ text" } qw(cut color clarity)) or return;
	query("CREATE TABLE rows AS SELECT CASE WHEN i % 4 = 0 THEN 'test' ELSE 'train' END AS part, ln(price) AS y, " . join(', ', qw(carat depth tab len wid hei), @labels) . ' FROM frame; DROP TABLE frame');
	return ([ 'carat', 0, 10 ], [ 'depth', 0, 100 ], [ 'tab', 0, 100 ], [ 'len', 0, 60 ], [ 'wid', 0, 60 ], [ 'hei', 0, 60 ], map { [$_] } @labels);
}

# a data frame of the answer, numbers and labels, in that order; returns the columns
sub load_packaged
{
	my ($code, $answer, $numbers, $labels) = @_;
	my @names = map { $_->[0] } @$numbers;

	load_frame($code, map { "$_ text" } $answer, @names, @$labels) or return;
	query("CREATE TABLE rows AS SELECT CASE WHEN i % 4 = 0 THEN 'test' ELSE 'train' END AS part, $answer" . ($answer eq 'y' ? '::float8' : '') .
		  join('', (map { ", nullif($_, 'NA')::float8 AS $_" } @names), map { ", nullif($_, 'NA') AS $_" } @$labels) . " FROM frame WHERE $answer <> 'NA'; DROP TABLE frame");
	return (@$numbers, map { [$_] } @$labels);
}

# ---- registration ----------------------------------------------------------------------

sub register
{
	my ($name, $column) = @_;
	my ($what, $lower, $upper, $scale) = @$column;
	my $domain = defined $lower ? "$lower, $upper, scale => '@{[ $scale // 'linear' ]}'" : "(SELECT array_agg(DISTINCT $what ORDER BY $what)::text[] FROM rows WHERE $what IS NOT NULL)";

	query("SELECT dp_register_column('$name', '$what', $domain)");
	return;
}

# Makes the tables and the dataset; false where the data is not here.
sub prepare
{
	my ($data) = @_;
	my $name = $data->{name};

	$data->{range} //= [ 0, 12 ];
	query('DROP TABLE IF EXISTS rows, frame');
	my @columns = $data->{make}->() or return 0;
	my $answer = $data->{answer} = $data->{kind} eq 'r2' ? 'y' : 'label';

	query("CREATE TABLE ${name}_$_ AS SELECT * FROM rows WHERE part = '$_'; ALTER TABLE ${name}_$_ DROP COLUMN part; ANALYZE ${name}_$_") foreach qw(train test);
	query("SELECT dp_register_dataset('$name', '${name}_train', 1000, 1e-2, adjacency => '$data->{adjacency}')");
	register($name, $_) foreach @columns, $answer eq 'y' ? [ 'y', @{ $data->{range} } ] : ['label'];
	query("SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 1e-2)");
	query('DROP TABLE rows');
	$data->{rows} = value("SELECT count(*) FROM ${name}_train");
	$data->{columns} = @columns;
	return 1;
}

1;
