# What clamp => 'auto' is worth for averages over wide domains, through SQL in a throw-away server: the error of an
# average in per cent of the true one, medians and worst of twenty calls at the same total epsilon, with and without.
# CSV and tables in build/bench/utility_statistics (docs/statistics.md has them).
# Run by `make bench-utility`.
#
#   RUNS=20    calls of each kind
#   QUICK=1    half a minute: 5 calls
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use List::Util qw(max);
use Paper;

$| = 1;
$out_dir = 'build/bench/utility_statistics';

my $quick = $ENV{QUICK};
my $runs = $ENV{RUNS} // ($quick ? 5 : 20);
my @epsilons = $ENV{EPSILONS} ? split(/,/, $ENV{EPSILONS}) : (0.1, 0.5, 1);
my $normal = 'sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';

# name, title, expression of a value, rows, domain
my @data = (
	[ 'balance', 'balances: mean about 1,360, heavy tails, domain of 130,000', "round(500 * exp(1.35 * $normal) - 200 * (random() < 0.2)::int + 150)", 4521, -8000, 122000 ],
	[ 'wages', 'a narrow column in a domain of a million', "30000 + 8000 * $normal", 10000, 0, 1000000 ],
	[ 'gain', 'capital gain: 92 % zeros, the others up to the end of the domain', "CASE WHEN random() < 0.92 THEN 0 ELSE least(99999, round(5000 * exp(0.9 * $normal))) END", 48842, 0, 99999 ],
	[ 'age', 'ages, which fill their domain', "17 + 73 * (random() + random()) / 2", 30000, 17, 90 ],
	[ 'millions', 'a million rows of a narrow column', "100 + 3 * $normal", 1000000, 0, 100000 ]);

sub prepare
{
	my ($name, $title, $value, $n, $lower, $upper) = @_;

	query("SELECT setseed(0.75)");
	query("CREATE TABLE $name AS SELECT ($value)::float8 AS x FROM generate_series(1, $n); ANALYZE $name;
		SELECT dp_register_dataset('$name', '$name', 1000, 1e-2), dp_register_column('$name', 'x', $lower, $upper), dp_grant_budget(current_user::regrole, '$name', 1000, 1e-2)");
	return value("SELECT avg(greatest($lower, least($upper, x))) FROM $name");
}

sub median
{
	my @sorted = sort { $a <=> $b } @_;

	return ($sorted[ $#sorted / 2 ] + $sorted[ @sorted / 2 ]) / 2;
}

sub errors
{
	my ($name, $truth, $epsilon, $more) = @_;

	return map { 100 * abs(value("SELECT value FROM dp_avg('$name', 'x', $epsilon$more)") / $truth - 1) } 1 .. $runs;
}

my @all;

query("CREATE EXTENSION IF NOT EXISTS dpem; SET client_min_messages = warning");
foreach my $data (@data)
{
	my ($name, $title) = @$data;
	my $truth = prepare(@$data);
	my %row = ('' => [], ", clamp => 'auto'" => []);

	foreach my $more (sort keys %row)
	{
		foreach my $e (@epsilons)
		{
			my @errors = errors($name, $truth, $e, $more);

			push @{ $row{$more} }, sprintf '%.2g (%.2g)', median(@errors), max(@errors);
			push @all, map { { table => $name, clamp => $more ? 'auto' : '', epsilon => $e, error => $_ } } @errors;
		}
	}
	write_table("$title ($data->[3] rows): error of the average in per cent, median (worst) of $runs", [ '', map { "ε = $_" } @epsilons ],
		map { [ "dp_avg$_", @{ $row{$_} } ] } sort keys %row);
}
write_csv('scores', [qw(table clamp epsilon error)], @all);
