# Marginals of unlike tables at their defaults beside simple baselines with the whole budget (make bench-synth-tables):
# median mean total variation distance over all pairs, of SEEDS fits, without a server (bench_synth).
#
#   SEEDS=3   EPSILONS=0.1,1,10   DPEM_DATASETS= only tables whose names match this regular expression
#
# Real tables are those of $DPEM_DATA or ../shared/data, as far as they are there.
use strict;
use warnings;

use File::Path qw(make_path);
use FindBin;
use lib $FindBin::Bin;
use List::Util qw(max min sum);
use POSIX qw(floor);
use Tables;

my $bench = "$ENV{DPEM_BENCHES}/bench_synth";
my $out = 'build/bench/synth';

make_path($out);

# categories of the values that there are
sub label
{
	my ($name, $rows, $j) = @_;
	my %seen = map { $_->[$j] => 1 } @$rows;
	my @known = sort keys %seen;
	my %code = map { $known[$_] => $_ } 0 .. $#known;

	return { name => "$name=" . @known, codes => [ map { $code{ $_->[$j] } } @$rows ] };
}

# equal bins of a number
sub bins
{
	my ($name, $rows, $j, $lower, $upper, $n) = @_;

	return { name => "$name#$n", codes => [ map { max(0, min($n - 1, floor(($_->[$j] - $lower) / ($upper - $lower) * $n))) } @$rows ] };
}

# ---- real ones ---------------------------------------------------------------

sub adult
{
	my ($names, @rows) = read_table('adult_binned') or return;
	my @size = (85, 9, 100, 16, 7, 15, 6, 5, 2, 100, 100, 99, 42, 2);

	return map { my $j = $_; { name => "$names->[$j]" . ($names->[$j] =~ /^(age|fnlwgt|education-num|capital|hours)/ ? '#' : '=') . $size[$j], codes => [ map { $_->[$j] } @rows ] } } 0 .. $#size;
}

sub nursery
{
	my ($names, @rows) = read_table('nursery') or return;

	return map { label($names->[$_], \@rows, $_) } 0 .. $#$names;
}

sub lifesci
{
	my ($names, @rows) = read_table('lifesci') or return;

	return (label('label', \@rows, 10), map { bins($names->[$_], \@rows, $_, -16, 16, 32) } 0 .. 9);
}

# two columns: a single pair
sub places
{
	my ($names, @rows) = read_table('gowalla_locations') or return;

	return (bins('lat', \@rows, 0, -90, 90, 64), bins('lon', \@rows, 1, -180, 180, 64));
}

# ---- made-up ones ------------------------------------------------------------

# an index with probabilities that add up to 1
sub draw
{
	my ($p) = @_;
	my $u = rand;

	foreach my $i (0 .. $#$p)
	{
		return $i if ($u -= $p->[$i]) < 0;
	}
	return $#$p;
}

# a distribution over n categories, the more uneven the smaller alpha
sub uneven
{
	my ($n, $alpha) = @_;
	my @weight = map { rand()**(1 / $alpha) + 1e-9 } 1 .. $n;
	my $all = sum(@weight);

	return [ map { $_ / $all } @weight ];
}

# each column follows from one before it (census-like), or from none
sub descent
{
	my ($rows, @size) = @_;
	my @parent = map { $_ == 0 ? -1 : int(rand($_)) } 0 .. $#size;
	my @law = map { my $j = $_; [ map { uneven($size[$j], 0.3) } 1 .. ($parent[$j] < 0 ? 1 : $size[ $parent[$j] ]) ] } 0 .. $#size;
	my @codes = map { [] } @size;

	foreach my $row (0 .. $rows - 1)
	{
		foreach my $j (0 .. $#size)
		{
			push @{ $codes[$j] }, draw($law[$j][ $parent[$j] < 0 ? 0 : $codes[ $parent[$j] ][$row] ]);
		}
	}
	return map { { name => "c$_=$size[$_]", codes => $codes[$_] } } 0 .. $#size;
}

# answers to questions, of people of a few kinds
sub classes
{
	my ($rows, $kinds, @size) = @_;
	my @law = map { my $n = $_; [ map { uneven($n, 0.5) } 1 .. $kinds ] } @size;
	my @kind = map { int(rand($kinds)) } 1 .. $rows;

	return map { my $j = $_; { name => "c$j=$size[$j]", codes => [ map { draw($law[$j][$_]) } @kind ] } } 0 .. $#size;
}

my %table = (
	adult => \&adult, nursery => \&nursery, lifesci => \&lifesci, places => \&places,
	census => sub { srand(1); return descent(200_000, 50, 18, 2, 6, 9, 24, 16, 20, 6, 4, 12, 3) },
	questions => sub { srand(2); return classes(5_000, 4, (2, 3, 5) x 10) },
	few => sub { srand(3); return descent(1_000, (5) x 8) },
	independent => sub { srand(4); return classes(20_000, 1, (12) x 8) },
);

# ---- fits --------------------------------------------------------------------

sub median { my @x = sort { $a <=> $b } @_; return $x[ int($#x / 2) ] }

my @epsilons = split /,/, $ENV{EPSILONS} // '0.1,1,10';
my $wanted = $ENV{DPEM_DATASETS} // '.';

print "| table | rows | columns | epsilon | dp_synth_fit (worst) | its rows (worst) | one-way tables alone | all pairs at once | seconds |\n|---|---|---|---|---|---|---|---|---|\n";
foreach my $name (sort grep { /$wanted/ } keys %table)
{
	my @columns = $table{$name}->();
	my $file = "$out/$name.csv";

	print "| $name | skipped: its file is not there |\n" and next if !@columns;
	write_table($file, @columns);
	foreach my $epsilon (@epsilons)
	{
		open(my $lines, '-|', $bench, $file, $epsilon, $ENV{SEEDS} // 3) or die "$bench: $!";
		my @runs = map { [/: ([\d.]+), ([\d.]+) s.*model ([\d.]+); one-way ([\d.]+), pairs ([\d.]+)/] } grep { /^epsilon/ } <$lines>;
		close($lines) or die "$bench failed";
		my @distance = map { $_->[0] } @runs;

		$| = 1;
		printf "| %s | %d | %d | %g | %.4f (%.4f) | %.4f (%.4f) | %.4f | %.4f | %.1f |\n", $name, scalar @{ $columns[0]{codes} }, scalar @columns, $epsilon,
		  median(@distance), max(@distance), median(map { $_->[2] } @runs), max(map { $_->[2] } @runs), map { my $i = $_; median(map { $_->[$i] } @runs) } 3, 4, 1;
	}
}
