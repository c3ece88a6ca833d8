# Quartiles by groups for one charge: by how many rows they miss their ranks, chosen by the exponential mechanism and from
# counts of bins, beside single calls of dp_quantile for each group's rows, each with all of epsilon.  As tables of the median
# and the largest of all groups' quartiles over all runs, one table for each thing that varies.  Whether counts or
# choices are taken is a rule that bench_quantiles.c chose (core/statistics/quantile_rules.h).
# Run by `make bench-utility-quantiles`.
#
#   DPEM_RUNS=20    runs of each (QUICK: 3)
#   ACCOUNTANT=gdp  of the dataset: linear adds up epsilons
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $delta = 1e-6;
my $runs = $ENV{DPEM_RUNS} // ($ENV{QUICK} ? 3 : 20);
my $accountant = $ENV{ACCOUNTANT} // 'gdp';
my $domain = 100;
my %shape = (
	exponential => 'least(100, -15 * ln(1 - random()))',
	'heavy tails' => 'least(100, 0.5 * (1 - random()) ^ (-1 / 1.2))',
	integers => 'floor(80 * random() * random())',
	'60 % zeros' => 'CASE WHEN random() < 0.6 THEN 0 ELSE 100 * random() END');
my $made = 0;

$out_dir = 'build/bench/utility';

sub prepare
{
	my ($groups, $rows, $shape) = @_;
	my $name = 't' . ++$made;

	query("CREATE EXTENSION IF NOT EXISTS dpem; SET dpem.noise_warnings = off; SELECT setseed(0.5);
		CREATE TABLE $name AS SELECT 'g' || i % $groups AS part, ($shape{$shape})::float8 AS x FROM generate_series(1, $groups * $rows) i; CREATE INDEX ON $name (part, x); ANALYZE $name;
		SELECT dp_register_dataset('$name', '$name', 1000, 0.01, accountant => '$accountant'), dp_register_column('$name', 'part', (SELECT array_agg('g' || i) FROM generate_series(0, $groups - 1) i)),
			dp_register_column('$name', 'x', 0, $domain), dp_grant_budget(current_user::regrole, '$name', 1000, 0.01)");
	return $name;
}

# Rows by which the bins, of 4,096, that values (key, q, value) are in miss their ranks.
sub misses
{
	my ($name, $answers) = @_;
	my $bin = $domain / 4096;

	return split /,/, value("SELECT string_agg(greatest(0, below - a.q * n, a.q * n - upto)::text, ',') FROM ($answers) AS a,
		LATERAL (SELECT least(floor(a.value / $bin), 4095) * $bin AS lower) AS b,
		LATERAL (SELECT count(*) AS n, count(*) FILTER (WHERE x < lower) AS below, count(*) FILTER (WHERE x < lower + $bin) AS upto FROM $name WHERE part = a.key) AS r");
}

sub together
{
	my ($name, $epsilon, $mechanism) = @_;

	return misses($name, "SELECT key, statistic::float8 AS q, value FROM dp_quantiles('$name', 'x', '{0.25,0.5,0.75}', $epsilon, $delta, by => 'part', mechanism => '$mechanism', fresh => true)");
}

# of at most ten of the groups, which are alike
sub alone
{
	my ($name, $epsilon, $groups) = @_;
	my @calls = map {
		my $g = $_;
		map { "SELECT 'g$g' AS key, $_ AS q, value FROM dp_quantile('$name', 'x', $_, $epsilon, $delta, filter => 'part = ''g$g''', bins => 4096, fresh => true)" } 0.25, 0.5, 0.75
	} 0 .. ($groups < 10 ? $groups : 10) - 1;

	return misses($name, join ' UNION ALL ', @calls);
}

sub numbers
{
	my @sorted = sort { $a <=> $b } @_;

	return map { sprintf '%.1f', $_ } mean(@sorted), $sorted[ $#sorted / 2 ], $sorted[-1];
}

sub ratio { my ($a, $b) = @_; return $b > 0 ? sprintf('%.2f', $a / $b) : '-'; }

sub compare
{
	my ($what, $epsilon, $groups, $rows, $shape) = @_;
	my $name = prepare($groups, $rows, $shape);
	my @choices = map { together($name, $epsilon, 'exponential') } 1 .. $runs;
	my @counts = map { together($name, $epsilon, 'gaussian') } 1 .. $runs;
	my @single = map { alone($name, $epsilon, $groups) } 1 .. $runs;
	my $plan = value("SELECT mechanism FROM dp_quantiles_plan('$name', 'x', '{0.25,0.5,0.75}', $epsilon, $delta, by => 'part') WHERE line = 1");

	query("SELECT dp_drop_dataset('$name'); DROP TABLE $name");
	return [ $what, numbers(@choices), numbers(@counts), numbers(@single), ratio(mean(@choices), mean(@single)), ratio(mean(@counts), mean(@single)), $plan ];
}

my @columns = (qw(choices median most counts median most single median most), 'choices / single', 'counts / single', 'the plan takes');

write_table("quartiles of 10 groups of 3,000 rows, by ε; mean, median and largest rank error in rows, $runs runs, accountant $accountant", [ 'ε', @columns ],
	map { compare($_, $_, 10, 3000, 'exponential') } 0.1, 0.5, 1, 2);
write_table('by groups of 3,000 rows, ε = 0.5', [ 'groups', @columns ], map { compare($_, 0.5, $_, 3000, 'exponential') } 1, 3, 30);
write_table('by rows of a group, 10 groups, ε = 0.5', [ 'rows', @columns ], map { compare($_, 0.5, 10, $_, 'exponential') } 100, 1000, 10000);
write_table('by the shape of the column, 10 groups of 3,000 rows, ε = 0.5', [ 'shape', @columns ], map { compare($_, 0.5, 10, 3000, $_) } 'heavy tails', 'integers', '60 % zeros');
