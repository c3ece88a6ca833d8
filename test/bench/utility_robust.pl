# Medians and interquartile ranges by smooth sensitivity, propose-test-release and blocks (dp_robust), beside dp_quantile and the
# iqr of dp_statistics: by how much of the domain they miss those of the rows, in per cent, as tables of the median and the
# largest of all runs, and how many tests of 100 refused.  DPEM_SMOOTH_POWER, DPEM_ROBUST_PROPOSAL and
# DPEM_ROBUST_BLOCK_POWER of core/robust/robust_rules.h are judged by them.
# Run by `make bench-utility-robust`.
#
#   DPEM_RUNS=40      runs of each (QUICK: 3)
#   EPSILONS=0.1,1    separated by commas
#   WAYS=blocks       those whose names match, only
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $delta = 1e-6;
my $runs = $ENV{DPEM_RUNS} // ($ENV{QUICK} ? 3 : 40);
my @epsilons = split /,/, $ENV{EPSILONS} // '0.1,1';
my $made = 0;

$out_dir = 'build/bench/utility';

sub prepare
{
	my ($rows, $width) = @_;
	my $name = 't' . ++$made;

	query("CREATE EXTENSION IF NOT EXISTS dpem; SET dpem.noise_warnings = off; SELECT setseed(0.5); CREATE TABLE $name AS $rows; ANALYZE $name;
		SELECT dp_register_dataset('$name', '$name', 1000, 0.01, keys_share => 0.2), dp_register_column('$name', 'x', 0, $width), dp_grant_budget(current_user::regrole, '$name', 1000, 0.01)");
	return $name;
}

# What SQL calls the exact value, and all that release it: [ name, call ].
my %statistic = (
	median => [ 'percentile_cont(0.5) WITHIN GROUP (ORDER BY x)', [ 'dp_quantile', q{dp_quantile('%s', 'x', 0.5, %s, 1e-6, bins => 4096)} ] ],
	iqr => [ 'percentile_cont(0.75) WITHIN GROUP (ORDER BY x) - percentile_cont(0.25) WITHIN GROUP (ORDER BY x)',
		[ 'dp_statistics', q{(SELECT value FROM dp_statistics('%s', %s, '{iqr(x)}', 1e-6)) AS s} ] ]);

sub ways
{
	my ($name, $what, $epsilon, $width) = @_;
	my $robust = "dp_robust('$name', 'x', $epsilon, $delta, statistic => '$what'";

	return grep { $_->[0] =~ ($ENV{WAYS} // '') } [ 'smooth', "$robust)" ],
	  (map { [ sprintf('tested, 1/%d', $_), "$robust, mechanism => 'propose_test_release', proposal => @{[ $width / $_ ]})" ] } 256, 2048),
	  [ 'blocks', "$robust, mechanism => 'blocks')" ],
	  [ $statistic{$what}[1][0], sprintf($statistic{$what}[1][1], $name, $epsilon) ];
}

# median and largest error in per cent of the domain, refusals in per cent
sub errors
{
	my ($call, $exact, $width) = @_;
	my @values = map { value("SET dpem.noise_warnings = off; SET dpem.fresh = on; SELECT coalesce(value::text, '') FROM $call") } 1 .. $runs;
	my @missed = sort { $a <=> $b } map { 100 * abs($_ - $exact) / $width } grep { /\d/ } @values;

	return (@missed ? (map { sprintf '%.3f', $_ } $missed[ $#missed / 2 ], $missed[-1]) : ('-', '-'), sprintf '%.0f', 100 * (1 - @missed / $runs));
}

sub compare
{
	my ($data, $rows, $width) = @_;
	my $name = prepare($rows, $width);
	my @lines;

	foreach my $what (qw(median iqr))
	{
		my $exact = value("SELECT $statistic{$what}[0] FROM $name");

		foreach my $epsilon (@epsilons)
		{
			push @lines, map { [ $data, $what, $epsilon, $_->[0], errors($_->[1], $exact, $width) ] } ways($name, $what, $epsilon, $width);
		}
	}
	query("SELECT dp_drop_dataset('$name'); DROP TABLE $name");
	return @lines;
}

# logarithms of a normal law about exp(3.7), and a tenth of the domain between quartiles
sub logarithmic { return "SELECT exp(3.7 + 0.7 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())) AS x FROM generate_series(1, $_[0])" }

my @data = map { [ "log-normal, $_ rows", logarithmic($_), 400 ] } 1000, 10000, 100000;

push @data, [ 'adult, age', 'SELECT age::float8 AS x FROM file', 120 ], [ 'adult, fnlwgt', 'SELECT fnlwgt::float8 AS x FROM file', 1500000 ] if load_text('adult.csv.gz');
write_table("medians and interquartile ranges: error in per cent of the domain, $runs runs, δ = 10⁻⁶, accountant gdp", [ qw(data statistic ε mechanism median most refused) ],
	map { compare(@$_) } @data);
