# What quartiles and means are worth in wide domains, and in others: of dp_describe and dp_quantiles of a single column, beside
# dp_avg with clamp => 'auto', all at the same total epsilon.  Errors of quartiles, the largest of the three, are in parts of the
# distance between the quartiles of the rows, those of means in parts of their standard deviation.  Median and worst of the runs.
# Run by `make bench-utility-wide`.
#
#   DPEM_RUNS=20          runs of each (QUICK: 4)
#   EPSILONS=0.1,1        of the calls, separated by commas
#   ROWS=1000,30000       of the tables, likewise
#   TABLES=incomes,zeros  some of them; all: none named
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $delta = 1e-6;
my $runs = $ENV{DPEM_RUNS} // ($ENV{QUICK} ? 4 : 20);
my $normal = 'sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';
my %wanted = map { $_ => 1 } split /,/, $ENV{TABLES} // '';

# name, expression of a value, domain
my @tables = (
	[ 'incomes', "least(1e5, exp(10.3 + 0.5 * $normal))", 0, 1e9 ],
	[ 'within 600', '600 * random()', 0, 1e6 ],
	[ 'counts', "round(exp(4 + 1.2 * $normal))", 0, 1e8 ],
	[ 'times', '1.7e9 + 1e5 * (2 * random() - 1)', 0, 4e9 ],
	[ 'signed', "30 * $normal", -1e6, 1e6 ],
	[ 'cauchy', 'least(1e6, 50 + abs(tan(pi() * (random() - 0.5))))', 0, 1e6 ],
	[ 'zeros', "CASE WHEN random() < 0.6 THEN 0 ELSE exp(8 + $normal) END", 0, 1e7 ],
	[ 'unknown', "CASE WHEN random() < 0.3 THEN NULL ELSE 100 + 10 * $normal END", 0, 1e6 ],
	[ 'constant', '42', 0, 1e5 ],
	[ 'two values', 'CASE WHEN random() < 0.7 THEN 3 ELSE 7 END', 0, 10 ],
	[ 'two heaps', "CASE WHEN random() < 0.7 THEN 20 + 4 * $normal ELSE 900 + 30 * $normal END", 0, 20000 ],
	[ 'integers', 'floor(-3 * ln(1 - random()))', 0, 1000 ],
	[ 'age', '17 + 73 * (random() + random()) / 2', 17, 90 ],
	[ 'ages', "least(120, greatest(0, 40 + 20 * $normal))", 0, 120 ],
	[ 'per cent', "100 - least(100, abs(8 * $normal))", 0, 100 ],
	[ 'uniform', '100 * random()', 0, 100 ],
	[ 'symmetric', "10 * $normal", -100, 100 ],
	[ 'tails', 'least(1, 0.005 * (1 - random()) ^ (-1 / 1.2))', 0, 1 ]);

$out_dir = 'build/bench/utility';

# name, rows, quartiles and their distance, mean, deviation; units of what has none are 1
sub load
{
	my ($table, $rows, $number) = @_;
	my ($name, $value, $lower, $upper) = @$table;
	my $t = "wide$number";

	query("CREATE EXTENSION IF NOT EXISTS dpem; SET dpem.noise_warnings = off; SELECT setseed(0.5);
		CREATE TABLE $t AS SELECT ($value)::float8 AS x FROM generate_series(1, $rows); ANALYZE $t;
		SELECT dp_register_dataset('$t', '$t', 1000, 0.1), dp_register_column('$t', 'x', $lower, $upper), dp_grant_budget(current_user::regrole, '$t', 1000, 0.1)");
	my ($low, $median, $high, $mean, $deviation) = split /\|/, value("SELECT concat_ws('|', array_to_string(percentile_cont('{0.25,0.5,0.75}'::float8[]) WITHIN GROUP (ORDER BY x), '|'), avg(x), stddev(x)) FROM t"
		=~ s/FROM t/FROM (SELECT greatest($lower, least($upper, x)) AS x FROM $t WHERE x IS NOT NULL) AS s/r);

	return { name => $name, t => $t, quartiles => [ $low, $median, $high ], distance => $high - $low || 1, mean => $mean, deviation => $deviation || 1 };
}

sub quartiles_error
{
	my ($data, @said) = @_;
	my ($largest) = sort { $b <=> $a } map { abs($said[$_] - $data->{quartiles}[$_]) } 0 .. 2;

	return $largest / $data->{distance};
}

sub described
{
	my ($data, $epsilon) = @_;
	my %said = split /[|=]/, value("SELECT string_agg(statistic || '=' || value, '|') FROM dp_describe('$data->{t}', $epsilon, $delta, '{x}', fresh => true, clamp => 'auto') WHERE column_name = 'x'");

	return (quartiles_error($data, @said{qw(quartile_1 median quartile_3)}), abs($said{mean} - $data->{mean}) / $data->{deviation});
}

sub run_once
{
	my ($data, $epsilon) = @_;
	my @quantiles = split /\|/, value("SELECT string_agg(value::text, '|' ORDER BY statistic) FROM dp_quantiles('$data->{t}', 'x', '{0.25,0.5,0.75}', $epsilon, $delta, fresh => true)");
	my $average = value("SELECT value FROM dp_avg('$data->{t}', 'x', $epsilon, $delta, clamp => 'auto', fresh => true)");

	return [ described($data, $epsilon), quartiles_error($data, @quantiles), abs($average - $data->{mean}) / $data->{deviation} ];
}

sub median_and_worst
{
	my @sorted = sort { $a <=> $b } @_;

	return sprintf '%.2g / %.2g', ($sorted[int($#sorted / 2)] + $sorted[int(@sorted / 2)]) / 2, $sorted[-1];
}

my $number = 0;

for my $rows (split /,/, $ENV{ROWS} // '1000,30000')
{
	my @data = map { load($_, $rows, $number++) } grep { !%wanted || $wanted{ $_->[0] } } @tables;

	for my $epsilon (split /,/, $ENV{EPSILONS} // '0.1,1')
	{
		write_table("$rows rows, ε = $epsilon: median / worst of $runs runs, δ = 10⁻⁶",
			[ 'column', 'quartiles of dp_describe', 'of dp_quantiles', 'mean of dp_describe, clamped', 'dp_avg, clamped' ],
			map { my $data = $_; my @errors = map { run_once($data, $epsilon) } 1 .. $runs;
				[ $data->{name}, map { my $i = $_; median_and_worst(map { $_->[$i] } @errors) } 0, 2, 1, 3 ] } @data);
	}
}
