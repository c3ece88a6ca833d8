# What a label of many categories costs dp_linreg_fit and what it brings: R² of held-out rows, with the label among the predictors
# and without, of five numbers and a label of m equally frequent or of Zipf's categories that moves the target, or says nothing
# (docs/families/linreg.md, "Labels of many categories").
# Run by `make bench-utility`; Utility.pm has the settings.
#
#   FUNCTION=   dp_logit_fit or dp_svm_fit instead, of whether the target is positive: AUC
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Regression::Data qw(prepare);
use Utility;

my $delta = 1e-6;
my $function = $ENV{FUNCTION} // 'dp_linreg_fit';
my $regression = $function eq 'dp_linreg_fit';
my @numbers = map { "x$_" } 1 .. 5;

# nearly normal, of variance 1
my $normal = 'sqrt(3) * (random() + random() + random() + random() - 2)';

# as many rows again to be held out, 10,000 at most
sub make_table
{
	my ($d) = @_;
	my ($n, $m) = @$d{qw(n categories)};
	my $held = $n < 10_000 ? $n : 10_000;
	my $category = $d->{zipf} ? "least(floor(exp(random() * ln($m + 1)))::int, $m) - 1" : "floor(random() * $m)::int";
	my $x = join ', ', map { "$normal AS $_" } @numbers;

	query("SELECT setseed(0.3); CREATE TABLE drawn AS SELECT i, $x, $category AS c FROM generate_series(1, $n + $held) AS i;
		CREATE TABLE rows AS SELECT CASE WHEN i <= $n THEN 'train' ELSE 'test' END AS part, " . join(', ', @numbers) . ", 'c' || c AS big,
			x1 - 0.7 * x2 + 0.5 * x3 + 0.3 * x4 + $d->{effect} * sin(7.3 * c + c * c) + $normal AS y FROM drawn; DROP TABLE drawn");
	query("ALTER TABLE rows ADD label text; UPDATE rows SET label = CASE WHEN y > 0 THEN 'b' ELSE 'a' END; ALTER TABLE rows DROP COLUMN y") unless $regression;
	return ((map { [ $_, -10, 10 ] } @numbers), ['big']);
}

sub load
{
	my ($d) = @_;

	@$d{qw(adjacency kind range make)} = ('replace_one', $regression ? 'r2' : 'auc', [ -20, 20 ], sub { make_table($d) });
	return prepare($d);
}

sub score
{
	my ($name) = @_;

	return value("SELECT 1 - sum((y - p) ^ 2) / sum((y - m) ^ 2) FROM (SELECT y, dp_predict_value('m$$', to_jsonb(t)) AS p, avg(y) OVER () AS m FROM ${name}_test AS t) AS r")
	  if $regression;
	return auc("SELECT label = 'b' AS y, (" . ($function eq 'dp_svm_fit' ? 'dp_transform' : 'dp_posterior') . "('m$$', to_jsonb(t)))[2] AS p FROM ${name}_test AS t");
}

sub fit
{
	my ($task) = @_;
	my $name = $task->{data}{name};
	my @columns = (@numbers, $task->{method}{alone} ? () : 'big');

	query("SELECT count(*) FROM $function('$name', '" . ($regression ? 'y' : 'label') . "', $task->{epsilon}, $delta, columns => '{" . join(',', @columns) . "}', model => 'm$$')");
	my $score = score($name);
	query("SELECT dp_drop_model('m$$')");
	return $score;
}

sub table
{
	my ($n, $categories, $effect, $zipf) = @_;
	my $law = $zipf ? ' of Zipf\'s law' : '';
	my $what = $effect ? 'matter' : 'say nothing';

	return { name => "l${n}_${categories}_" . ($effect ? 1 : 0) . ($zipf ? '_zipf' : ''), n => $n, categories => $categories, effect => $effect, zipf => $zipf,
		quick => $n == 2000 && $categories == 100, title => "$categories categories$law that $what", load => \&load };
}

my @data = map { my $n = $_; map { my $m = $_; map { table($n, $m, $_, 0) } 0, 1.4 } 20, 100, 500 } 2000, 50_000;

run_family(
	name => 'labels', title => 'Labels of many categories', value => ($regression ? 'R²' : 'AUC') . ' of held-out rows', larger => 1,
	note => 'replace_one, δ = 10⁻⁶', epsilons => [ 0.1, 0.5, 1, 4 ], quick_epsilons => [ 1 ], score => \&fit,
	methods => [ { role => 'default', label => $function }, { role => 'baseline', label => 'without the label', alone => 1 } ],
	data => [ @data, map { table($_, 500, 1.4, 1), table($_, 500, 0, 1) } 2000, 50_000 ]);
