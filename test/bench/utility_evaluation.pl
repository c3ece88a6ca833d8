# How many bins of the score dp_evaluate takes (src/core/evaluation/evaluate_rules.h): what bins do to the area under
# the curve without noise, beside the area by ranks of the same rows, and what noise does to it, for classifiers of
# adult's training rows on its test rows, as tables.
# Run by `make bench-utility`.
#
#   DPEM_RUNS=200   noisy evaluations of each cell (QUICK: 20)
#   EPSILONS=0.5    of the evaluations, separated by commas
#   DPEM_JOBS=      sessions side by side (default: processors)
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $delta = 1e-6;
my $runs = $ENV{DPEM_RUNS} // ($ENV{QUICK} ? 20 : 200);
my @epsilons = split /,/, $ENV{EPSILONS} // '0.5';
my @bins = (8, 12, 16, 20, 32);
my @numbers = ([ 'age', 17, 90 ], [ 'education_num', 1, 16 ], [ 'hours_per_week', 1, 99 ], [ 'capital_gain', 0, 99999 ], [ 'capital_loss', 0, 4356 ]);
my @labels = qw(workclass marital_status occupation relationship race sex);
my %model = (logit => 'logistic regression: bins of the logarithm of the odds', svm => 'support vector machine: bins of the margin');

$out_dir = 'build/bench/utility';

# Datasets `train` and `test` of the file's own split; rows of unknown work are of a category of their own.
sub prepare
{
	load_text('adult.csv.gz') or return 0;
	my $columns = join ', ', (map { "$_->[0]::float8" } @numbers), map { "coalesce($_, '?') AS $_" } @labels;

	query('CREATE EXTENSION IF NOT EXISTS dpem; SET dpem.noise_warnings = off');
	foreach my $part (qw(train test))
	{
		query("CREATE TABLE $part AS SELECT CASE WHEN starts_with(income, '>') THEN 'more' ELSE 'less' END AS income, $columns FROM file WHERE split = '$part'; ANALYZE $part;
			SELECT dp_register_dataset('$part', '$part', 1000, 0.01, adjacency => 'add_remove'), dp_register_column('$part', 'income', '{less,more}'::text[])");
		query("SELECT dp_register_column('$part', '$_->[0]', $_->[1], $_->[2])") foreach @numbers;
		query("SELECT dp_register_column('$part', '$_', (SELECT array_agg(DISTINCT coalesce($_, '?')) FROM file))") foreach @labels;
		query("SELECT dp_grant_budget(current_user::regrole, '$part', 1000, 0.01)");
	}
	query("SELECT count(*) FROM dp_${_}_fit('train', 'income', 1, $delta, model => '$_')") foreach keys %model;
	return 1;
}

# By ranks of the test rows, ties halved.
sub exact_area
{
	my ($model) = @_;
	my $score = $model eq 'svm' ? 'dp_transform' : 'dp_posterior';

	return value("WITH s AS MATERIALIZED (SELECT income = 'more' AS y, ($score('$model', to_jsonb(t)))[2] AS p FROM test t),
		r AS (SELECT y, rank() OVER (ORDER BY p) + (count(*) OVER (PARTITION BY p) - 1) / 2.0 AS rank FROM s),
		n AS (SELECT count(*) FILTER (WHERE y)::numeric AS ones, count(*) FILTER (WHERE NOT y)::numeric AS others FROM s)
		SELECT (sum(rank) FILTER (WHERE y) - max(ones) * (max(ones) + 1) / 2) / (max(ones) * max(others)) FROM r, n");
}

# The area that dp_evaluate says.
sub area
{
	my ($task) = @_;

	return value("SELECT value FROM dp_evaluate('$task->{model}', 'test', '$task->{epsilon}', $delta, bins => $task->{bins}) WHERE metric = 'auc'");
}

# Standard deviation of one evaluation; that of Paper.pm is of a mean.
sub spread
{
	my ($bins, $epsilon, @tasks) = @_;
	my @areas = map { $_->{score} } grep { $_->{bins} == $bins && $_->{epsilon} == $epsilon } @tasks;

	return sqrt(@areas) * deviation(@areas);
}

sub measure
{
	my ($model) = @_;
	my $exact = exact_area($model);
	my @tasks = map {
		my $bins = $_;
		map { my $e = $_; map { { model => $model, bins => $bins, epsilon => $e } } 1 .. $runs } @epsilons
	} @bins;
	my %bias = map { $_ => area({ model => $model, bins => $_, epsilon => 'Infinity' }) - $exact } @bins;

	parallel("evaluation: $model", utility_jobs(), \&area, @tasks);
	write_table(
		sprintf('%s; area by ranks %.4f; %d runs, δ = 10⁻⁶', $model{$model}, $exact, $runs),
		[ 'bins', 'off without noise', map { "standard deviation, ε = $_" } @epsilons ],
		map {
			my $bins = $_;
			[ $bins, sprintf('%.4f', $bias{$bins}), map { sprintf '%.4f', spread($bins, $_, @tasks) } @epsilons ]
		} @bins);
	return;
}

if (prepare())
{
	measure($_) foreach sort keys %model;
}
else
{
	print "skipped: what adult is made of is not here\n";
}
