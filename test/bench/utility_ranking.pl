# How near dp_feature_ranking's order of adult's columns is to that of their exact mutual information with the income:
# Kendall's rank correlation, how many of the five most are among its first five, and how often all true ranks are
# within the released ones.  Medians and shares, as a table.
# Run by `make bench-utility-ranking`.
#
#   DPEM_RUNS=40          runs of each epsilon (QUICK: 5)
#   EPSILONS=0.1,0.5,1    separated by commas
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $runs = $ENV{DPEM_RUNS} // ($ENV{QUICK} ? 5 : 40);
my @epsilons = split /,/, $ENV{EPSILONS} // '0.1,0.5,1';
my @numbers = ([ 'age', 17, 90 ], [ 'education_num', 1, 16 ], [ 'hours_per_week', 1, 99 ], [ 'capital_gain', 0, 99999 ], [ 'capital_loss', 0, 4356 ], [ 'fnlwgt', 0, 1500000 ]);
my @labels = qw(workclass marital_status occupation relationship race sex native_country);
my $top = 5;

$out_dir = 'build/bench/utility';

sub prepare
{
	load_text('adult.csv.gz') or return 0;
	my $columns = join ', ', (map { "$_->[0]::float8" } @numbers), map { "coalesce($_, '?') AS $_" } @labels;

	query('CREATE EXTENSION IF NOT EXISTS dpem; SET dpem.noise_warnings = off');
	query("CREATE TABLE adult AS SELECT CASE WHEN starts_with(income, '>') THEN 'more' ELSE 'less' END AS income, $columns FROM file; ANALYZE adult;
		SELECT dp_register_dataset('adult', 'adult', 1000, 0.01), dp_register_column('adult', 'income', '{less,more}'::text[])");
	query("SELECT dp_register_column('adult', '$_->[0]', $_->[1], $_->[2])") foreach @numbers;
	query("SELECT dp_register_column('adult', '$_', (SELECT array_agg(DISTINCT coalesce($_, '?')) FROM file))") foreach @labels;
	query("SELECT dp_grant_budget(current_user::regrole, 'adult', 1000, 0.01)");
	return 1;
}

# Rows of rank, its bounds, by name.
sub ranking
{
	my ($epsilon) = @_;
	my %of;

	foreach (query("SELECT concat_ws('|', column_name, rank, rank_best, rank_worst, information) FROM dp_feature_ranking('adult', 'income', '$epsilon')"))
	{
		my ($name, @rest) = split /\|/;

		$of{$name} = \@rest;
	}
	return \%of;
}

sub kendall
{
	my ($a, $b) = @_;
	my @names = sort keys %$a;
	my ($sum, $pairs) = (0, 0);

	for my $i (0 .. $#names)
	{
		for my $j (0 .. $i - 1)
		{
			$sum += ($a->{ $names[$i] }[0] <=> $a->{ $names[$j] }[0]) * ($b->{ $names[$i] }[0] <=> $b->{ $names[$j] }[0]);
			$pairs++;
		}
	}
	return $sum / $pairs;
}

sub median
{
	my @sorted = sort { $a <=> $b } @_;

	return ($sorted[ int($#sorted / 2) ] + $sorted[ int(@sorted / 2) ]) / 2;
}

sub measure
{
	my ($exact, $epsilon) = @_;
	my @said = map { ranking($epsilon) } 1 .. $runs;
	my @found = map { my $s = $_; scalar grep { $exact->{$_}[0] <= $top && $s->{$_}[0] <= $top } keys %$exact } @said;
	my $within = grep { my $s = $_; !grep { $exact->{$_}[0] < $s->{$_}[1] || $exact->{$_}[0] > $s->{$_}[2] } keys %$exact } @said;

	return [ $epsilon, sprintf('%.2f', median(map { kendall($exact, $_) } @said)), sprintf('%.1f', median(@found)), sprintf('%.0f %%', 100 * $within / $runs) ];
}

if (prepare())
{
	my $exact = ranking('Infinity');

	write_table("adult, 48,842 rows, 13 columns; medians of $runs runs, replace_one, δ = 10⁻⁶",
		[ 'ε', "Kendall's τ", "of the first $top", 'true ranks within all released ones' ], map { measure($exact, $_) } @epsilons);
}
else
{
	print "skipped: what adult is made of is not here\n";
}
