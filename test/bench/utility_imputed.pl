# What missing => 'impute' is worth in rows that were held out, numbers unknown in them as in those that are fitted: AUC of
# dp_logit_fit, R² of dp_linreg_fit.  Beside fits of complete rows, which predict the middle (score 1/2, the target's
# mean in the test rows) where a number is unknown, and beside the same fits where it is their test row's mean that
# stands there, which nobody with private rows has (docs/families/linreg.md, "Unknown numbers").
# Run by `make bench-utility`; Utility.pm has the settings.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Regression::Data qw(load_adult load_diamonds load_packaged prepare);
use Utility;

my $delta = 1e-6;

# makes so many of a hundred numbers unknown, more of large ones if `why` is value
sub with_holes
{
	my ($share, $why, @columns) = @_;
	my @numbers = grep { @$_ > 1 } @columns;

	query('SELECT setseed(0.5)');
	if ($why eq 'random')
	{
		query('UPDATE rows SET ' . join(', ', map { "$_->[0] = CASE WHEN random() >= $share / 100.0 THEN $_->[0] END" } @numbers));
		return @columns;
	}
	query("CREATE TABLE placed AS SELECT *, " . join(', ', map { "percent_rank() OVER (ORDER BY $_->[0]) AS p_$_->[0]" } @numbers) . ' FROM rows;
		UPDATE placed SET ' . join(', ', map { "$_->[0] = CASE WHEN random() >= $share / 50.0 * p_$_->[0] THEN $_->[0] END" } @numbers) . ';
		DROP TABLE rows; ALTER TABLE placed RENAME TO rows');
	query("ALTER TABLE rows DROP COLUMN p_$_->[0]") foreach @numbers;
	return @columns;
}

sub holes
{
	my ($load, $share, $why) = @_;

	return sub { my @columns = $load->() or return; return with_holes($share, $why, @columns) };
}

my $flchain = sub {
	return load_packaged('library(survival); x <- flchain; d <- data.frame(label = ifelse(x$death == 1, "dead", "alive"), x[, c("age", "sample.yr", "kappa", "lambda", "flc.grp", "creatinine", "mgus", "sex")])',
		'label', [ [ 'age', 0, 120 ], [ 'year', 1990, 2010 ], [ 'kappa', 0, 30 ], [ 'lambda', 0, 30 ], [ 'grp', 0, 10 ], [ 'creatinine', 0, 20 ], [ 'mgus', 0, 1 ] ], ['sex']);
};
my $pima = sub {
	return load_packaged('library(mlbench); data(PimaIndiansDiabetes2); x <- PimaIndiansDiabetes2; d <- data.frame(label = as.character(x$diabetes), x[, 1:8])',
		'label', [ [ 'pregnant', 0, 20 ], [ 'glucose', 0, 200 ], [ 'pressure', 0, 150 ], [ 'triceps', 0, 100 ], [ 'insulin', 0, 900 ], [ 'mass', 0, 70 ], [ 'pedigree', 0, 3 ], [ 'age', 0, 100 ] ], []);
};
my $diamonds = sub { return load_diamonds(0) };

my @data = (
	{ name => 'flchain', quick => 1, kind => 'auc', title => 'flchain: deaths, one number of seven unknown in 17 % of the rows', make => $flchain },
	{ name => 'pima', kind => 'auc', title => 'pima: 576 rows, one number unknown in half of them, another in 30 %', make => $pima },
	{ name => 'adult_holes', kind => 'auc', title => 'adult: a tenth of its numbers unknown', make => holes(\&load_adult, 10, 'random') },
	{ name => 'adult_large', kind => 'auc', title => 'adult: a tenth of its numbers unknown, more of the large ones', make => holes(\&load_adult, 10, 'value') },
	{ name => 'diamonds_holes', quick => 1, kind => 'r2', title => 'diamonds, log price: a tenth of six numbers unknown', make => holes($diamonds, 10, 'random') },
	{ name => 'diamonds_large', kind => 'r2', title => 'diamonds: more of the large ones', make => holes($diamonds, 10, 'value') },
	{ name => 'diamonds_half', kind => 'r2', title => 'diamonds: half of its numbers unknown', make => holes($diamonds, 50, 'random') });

sub load
{
	my ($d) = @_;

	$d->{adjacency} = 'replace_one';
	return prepare($d);
}

# with the test rows' means where numbers are unknown
sub filled
{
	my ($d) = @_;
	my @columns = query("SELECT attname || ' ' || (atttypid = 'float8'::regtype) FROM pg_attribute WHERE attrelid = '$d->{name}_test'::regclass AND attnum > 0 AND NOT attisdropped");

	return '(SELECT ' . join(', ', map { my ($column, $number) = split; $number eq 'true' && $column ne 'y' ? "coalesce($column, avg($column) OVER ()) AS $column" : $column } @columns) . " FROM $d->{name}_test) AS t";
}

sub r2
{
	my ($prediction, $rows) = @_;

	return value("SELECT 1 - sum((y - p) ^ 2) / sum((y - m) ^ 2) FROM (SELECT y, coalesce($prediction, avg(y) OVER ()) AS p, avg(y) OVER () AS m FROM $rows) AS r");
}

sub fit
{
	my ($task) = @_;
	my $d = $task->{data};
	my $regression = $d->{kind} eq 'r2';
	my $default = $task->{method}{role} eq 'default';
	my $rows = $task->{method}{filled} ? filled($d) : "$d->{name}_test AS t";

	query("SELECT count(*) FROM dp_" . ($regression ? "linreg_fit('$d->{name}', 'y'" : "logit_fit('$d->{name}', 'label'") . ", $task->{epsilon}, $delta, missing => '" . ($default ? 'impute' : 'complete') . "', model => 'm$$')");
	my $prediction = ($regression ? 'dp_predict_value' : 'dp_posterior') . "('m$$', to_jsonb(t))";
	my $score = $regression ? r2($prediction, $rows) : auc("SELECT label = (SELECT category FROM dpem.logit_classes WHERE model = 'm$$' AND class = 2) AS y, coalesce(($prediction)[2], 0.5) AS p FROM $rows");
	query("SELECT dp_drop_model('m$$')");
	return $score;
}

run_family(
	name => 'imputed', title => 'Unknown numbers', value => 'AUC, or R², of all test rows', larger => 1,
	note => 'replace_one, δ = 10⁻⁶', epsilons => [ 0.1, 0.5, 1, 4 ], quick_epsilons => [ 1 ], score => \&fit,
	methods => [ { role => 'default', label => "missing => 'impute'" }, { role => 'baseline', label => 'complete rows' }, { role => 'baseline', label => 'complete rows, test means', filled => 1 } ],
	data => [ map { { %$_, load => \&load } } @data ]);
