# What one release of many statistics is worth: dp_describe beside calls that divide its epsilon, and beside calls that
# come to the same in the ledger; its chosen quartiles beside those from counts, of dp_statistics with the same list; quartiles
# by groups beside dp_quantile of each group's rows.  As tables of medians.
# Run by `make bench-utility-describe`.
#
#   DPEM_RUNS=40    runs of each (QUICK: 5)
#   EPSILONS=1      of the calls, separated by commas
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $delta = 1e-6;
my $runs = $ENV{DPEM_RUNS} // ($ENV{QUICK} ? 5 : 40);
my @epsilons = split /,/, $ENV{EPSILONS} // '0.5,1';
my ($columns, $rows, $groups) = (10, 30000, 10);
my $all = join ',', map { "x$_" } 1 .. $columns;
my %truth;

$out_dir = 'build/bench/utility';

# Ten columns of unlike shapes on the domain 0 to 100, and ten groups of about equal size.
sub prepare
{
	my $shape = 'CASE j % 3 WHEN 0 THEN 100 * random() WHEN 1 THEN least(100, -15 * ln(1 - random())) ELSE 50 + 20 * (random() + random() + random() - 1.5) END';
	my $table = join ', ', map { (my $s = $shape) =~ s/\bj\b/$_/g; "($s)::float8 AS x$_" } 1 .. $columns;

	query("CREATE EXTENSION IF NOT EXISTS dpem; SET dpem.noise_warnings = off; SELECT setseed(0.5)");
	query("CREATE TABLE t AS SELECT 'g' || i % $groups AS part, $table FROM generate_series(1, $rows) i; ANALYZE t;
		SELECT dp_register_dataset('t', 't', 1000, 0.01), dp_register_column('t', 'part', (SELECT array_agg('g' || i) FROM generate_series(0, $groups - 1) i))");
	query("SELECT dp_register_column('t', 'x$_', 0, 100)") foreach 1 .. $columns;
	query("SELECT dp_grant_budget(current_user::regrole, 't', 1000, 0.01)");
	$truth{$_} = [ split /\|/, value("SELECT concat_ws('|', avg(x$_), stddev(x$_)) FROM t") ] foreach 1 .. $columns;
	return;
}

# Mean over the columns of the squared error of their averages and deviations, in squares of the domain's width.
sub squared_error
{
	my ($said) = @_;
	my $sum = 0;

	for my $j (1 .. $columns)
	{
		$sum += (($said->{$j}[$_] - $truth{$j}[$_]) / 100) ** 2 / (2 * $columns) foreach 0, 1;
	}
	return $sum;
}

sub described
{
	my ($epsilon, $list) = @_;

	return value("SELECT string_agg(value::text, '|' ORDER BY column_name, statistic) FROM dp_describe('t', $epsilon, $delta, '$list') WHERE statistic IN ('mean', 'stddev')");
}

sub together
{
	my ($epsilon) = @_;
	my @values = split /\|/, described($epsilon, "{$all}");
	my @names = sort map { "x$_" } 1 .. $columns;
	my %said = map { substr($names[$_], 1) => [ @values[2 * $_, 2 * $_ + 1] ] } 0 .. $#names;

	return squared_error(\%said);
}

sub alone
{
	my ($epsilon) = @_;

	return squared_error({ map { $_ => [ split /\|/, described($epsilon, "{x$_}") ] } 1 .. $columns });
}

# Mean over columns and quartiles of the rank error, in rows, of what describes all columns: (column_name, q, value).
sub quartiles_error
{
	my ($answers) = @_;

	return value("SELECT avg(abs((SELECT count(*) FROM (SELECT (to_jsonb(t) ->> a.column_name)::float8 AS x FROM t) AS c WHERE x <= a.value) - a.q * $rows)) FROM ($answers) AS a");
}

sub chosen
{
	my ($epsilon) = @_;
	my $list = join ',', map { "x$_" } 1, 2, 3;

	return quartiles_error("SELECT column_name, CASE statistic WHEN 'quartile_1' THEN 0.25 WHEN 'median' THEN 0.5 ELSE 0.75 END AS q, value
		FROM dp_describe('t', $epsilon, $delta, '{$all}', fresh => true) WHERE statistic IN ('quartile_1', 'median', 'quartile_3') AND column_name = ANY ('{$list}')");
}

sub counted
{
	my ($epsilon) = @_;
	my $list = join ',', 'count', map { ("missing(x$_)", "avg(x$_)", "stddev(x$_)", "\"quantile(x$_, 0.25)\"", "\"quantile(x$_, 0.5)\"", "\"quantile(x$_, 0.75)\"") } 1 .. $columns;

	return quartiles_error("SELECT column_name, substring(statistic FROM ', (.*)\\)')::float8 AS q, value FROM dp_statistics('t', $epsilon, '{$list}', $delta, fresh => true) WHERE statistic LIKE 'quantile%' AND column_name = ANY ('{x1,x2,x3}')");
}

# The epsilon of each of ten calls whose squared mu adds up to that of one call.
sub ledger_epsilon
{
	my ($epsilon) = @_;
	my $plan = "SELECT mu_squared FROM dp_describe_plan('t', %.9g, $delta, '{%s}') WHERE statistic = 'total'";
	my $mu2 = value(sprintf $plan, $epsilon, $all) / $columns;
	my ($low, $high) = (0, $epsilon);

	for (1 .. 25)
	{
		my $middle = ($low + $high) / 2;

		(value(sprintf $plan, $middle, 'x1') > $mu2 ? $high : $low) = $middle;
	}
	return $low;
}

# Mean over groups and quartiles of the rank error, in rows of the group.
sub rank_error
{
	my ($answers) = @_;

	return value("SELECT avg(abs((SELECT count(*) FROM t WHERE part = a.key AND x2 <= a.value) - a.q * (SELECT count(*) FROM t WHERE part = a.key))) FROM ($answers) AS a");
}

sub grouped
{
	my ($epsilon) = @_;

	return rank_error("SELECT key, statistic::float8 AS q, value FROM dp_quantiles('t', 'x2', '{0.25,0.5,0.75}', $epsilon, $delta, by => 'part')");
}

sub single
{
	my ($epsilon) = @_;
	my @calls = map {
		my $g = $_;
		map { "SELECT 'g$g' AS key, $_ AS q, value FROM dp_quantile('t', 'x2', $_, $epsilon, $delta, filter => 'part = ''g$g''')" } 0.25, 0.5, 0.75
	} 0 .. $groups - 1;

	return rank_error(join ' UNION ALL ', @calls);
}

sub median
{
	my @sorted = sort { $a <=> $b } @_;

	return ($sorted[int($#sorted / 2)] + $sorted[int((@sorted) / 2)]) / 2;
}

sub compare
{
	my ($epsilon) = @_;
	my $each = ledger_epsilon($epsilon);
	my %median = (
		together => median(map { together($epsilon) } 1 .. $runs),
		divided => median(map { alone($epsilon / $columns) } 1 .. $runs),
		ledger => median(map { alone($each) } 1 .. $runs),
		chosen => median(map { chosen($epsilon) } 1 .. $runs),
		counted => median(map { counted($epsilon) } 1 .. $runs),
		grouped => median(map { grouped($epsilon) } 1 .. $runs),
		single => median(map { single($epsilon) } 1 .. $runs));

	return [ $epsilon, sprintf('%.3g', $median{together}), sprintf('%.2f', $median{together} / $median{divided}),
		sprintf('%.2f', $median{together} / $median{ledger}), sprintf('%.1f', $median{chosen}), sprintf('%.1f', $median{counted}), sprintf('%.1f', $median{grouped}), sprintf('%.1f', $median{single}), sprintf('%.2f', $median{grouped} / $median{single}) ];
}

prepare();
write_table(
	"dp_describe of $columns columns, dp_quantiles by $groups groups of " . $rows / $groups . " rows; medians of $runs runs, δ = 10⁻⁶",
	[ 'ε', 'squared error', 'over calls of ε / 10', 'over calls of the same cost', 'rank error of quartiles', 'from counts', 'rank error by groups', 'of dp_quantile', 'ratio' ],
	map { compare($_) } @epsilons);
