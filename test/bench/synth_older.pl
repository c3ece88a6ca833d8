# Older ways to release the two-way tables of a real table (make bench-synth), beside dp_synth_fit's in synth.pl: the
# same rows, epsilon, delta, adjacency and metric (mean total variation distance over all pairs).  Small
# implementations of what the papers say, with Gaussian noise for all of them: more than they had.  None needs a server.
#
# The whole domain of the 14 columns has 6 * 10^17 cells, so that what works on cells works on each pair's, with 1/91 of the
# budget.  Tables have their negative counts put to 0 and are divided by their sum.
use strict;
use warnings;

use File::Basename qw(dirname);
use List::Util qw(max sum);
use POSIX qw(erfc floor);
use Time::HiRes qw(time);

my ($file) = grep { -r } map { "$_/adult_binned.csv.gz" } $ENV{DPEM_DATA} // (), map { dirname(__FILE__) . "/../../../$_" } 'shared/data', 'data';
my @size = (85, 9, 100, 16, 7, 15, 6, 5, 2, 100, 100, 99, 42, 2);
my @pairs = map { my $i = $_; map { [ $i, $_ ] } $i + 1 .. $#size } 0 .. $#size;

print "skipped: there is no adult_binned.csv.gz\n" and exit unless $file;

# ---- the table, noise and metric ---------------------------------------------

my (@rows, %truth, @one_way);

open(my $lines, '-|', 'zcat', $file) or die "zcat: $!";
<$lines>;
while (<$lines>) { chomp; push @rows, [ split /,/ ] }
close($lines) or die "zcat failed";
foreach my $p (@pairs)
{
	my ($i, $j) = @$p;
	my @cells = (0) x ($size[$i] * $size[$j]);

	$cells[ $_->[$i] * $size[$j] + $_->[$j] ]++ foreach @rows;
	$truth{"@$p"} = \@cells;
}
foreach my $j (0 .. $#size)
{
	$one_way[$j] = [ (0) x $size[$j] ];
	$one_way[$j][ $_->[$j] ]++ foreach @rows;
}

my $spare;

# Box and Muller's normal numbers
sub normal
{
	if (defined $spare) { my $z = $spare; undef $spare; return $z }
	my $r = sqrt(-2 * log(1 - rand()));
	my $angle = 8 * atan2(1, 1) * rand();

	$spare = $r * sin($angle);
	return $r * cos($angle);
}

sub noisy { my ($cells, $sd) = @_; return [ map { $_ + $sd * normal() } @$cells ] }

# the mu of Gaussian differential privacy that is (epsilon, delta) (Dong, Roth, Su 2022, corollary 2.13)
sub mu_of
{
	my ($epsilon, $delta) = @_;
	my ($low, $high) = (1e-6, 100);
	my $phi = sub { erfc(-$_[0] / sqrt(2)) / 2 };

	foreach (1 .. 200)
	{
		my $mu = ($low + $high) / 2;
		my $spent = $phi->(-$epsilon / $mu + $mu / 2) - exp($epsilon) * $phi->(-$epsilon / $mu - $mu / 2);

		if ($spent > $delta) { $high = $mu } else { $low = $mu }
	}
	return $low;
}

sub distance
{
	my ($true, $estimate) = @_;
	my $all = sum(map { max($_, 0) } @$estimate) || 1;
	my $n = @rows;

	return sum(map { abs($true->[$_] / $n - max($estimate->[$_], 0) / $all) } 0 .. $#$true) / 2;
}

# ---- multiplicative weights (MWEM; Hardt, Ligett, McSherry 2012, figure 1) ----------

my $mwem_rounds = 12;

# the index of a score by the exponential mechanism, whose Gumbel noise of 1 / (mu / sensitivity) spends mu^2 / 2 of zCDP
sub choose
{
	my ($score, $mu) = @_;
	my ($best, $most) = (0, -9**9**9);

	foreach my $i (0 .. $#$score)
	{
		my $value = $mu * $score->[$i] - log(-log(rand() || 1e-300));

		($best, $most) = ($i, $value) if $value > $most;
	}
	return $best;
}

# what the multiplicative updates of all measured cells, repeated, end at: these as measured, the others in proportion
sub reweigh
{
	my ($weights, $measured, $n) = @_;
	my $rest = sum(map { exists $measured->{$_} ? 0 : $weights->[$_] } 0 .. $#$weights) || 1;
	my $left = max($n - sum(values %$measured), 0);

	foreach my $i (0 .. $#$weights)
	{
		$weights->[$i] = $measured->{$i} // $weights->[$i] * $left / $rest;
	}
	return;
}

# half of the budget for one-way tables, of whose product the weights begin; then rounds that choose and measure a cell
sub mwem
{
	my ($mu) = @_;
	my $n = @rows;
	my @ways = map { my $noisy = noisy($_, sqrt(2 * @size) / $mu); my $all = sum(map { max($_, 0) } @$noisy); [ map { max($_, 1e-3) / $all } @$noisy ] } @one_way;
	my $mu_round = $mu / sqrt(2 * @pairs * 2 * $mwem_rounds);
	my $total = 0;

	foreach my $p (@pairs)
	{
		my $true = $truth{"@$p"};
		my $weights = [ map { my $x = $_; map { $n * $x * $_ } @{ $ways[ $p->[1] ] } } @{ $ways[ $p->[0] ] } ];
		my %measured;

		foreach (1 .. $mwem_rounds)
		{
			my $cell = choose([ map { abs($true->[$_] - $weights->[$_]) } 0 .. $#$true ], $mu_round);

			$measured{$cell} = max($true->[$cell] + normal() / $mu_round, 0);
			reweigh($weights, \%measured, $n);
		}
		$total += distance($true, $weights);
	}
	return $total / @pairs;
}

# ---- partition in two steps (DPCube; Xiao, Xiong, Yuan 2010) -----------------------

# sums over rectangles of a table
sub integral
{
	my ($cells, $rows, $columns) = @_;
	my @sum = map { [ (0) x ($columns + 1) ] } 0 .. $rows;

	foreach my $r (0 .. $rows - 1)
	{
		$sum[ $r + 1 ][ $_ + 1 ] = $cells->[ $r * $columns + $_ ] + $sum[$r][ $_ + 1 ] + $sum[ $r + 1 ][$_] - $sum[$r][$_] foreach 0 .. $columns - 1;
	}
	return \@sum;
}

sub inside
{
	my ($sum, $box) = @_;
	my ($r0, $r1, $c0, $c1) = @$box;

	return $sum->[$r1][$c1] - $sum->[$r0][$c1] - $sum->[$r1][$c0] + $sum->[$r0][$c0];
}

sub area { my ($box) = @_; return ($box->[1] - $box->[0]) * ($box->[3] - $box->[2]) }

# sum of squared differences to the box's mean
sub spread
{
	my ($sums, $squares, $box) = @_;

	return inside($squares, $box) - inside($sums, $box)**2 / area($box);
}

# boxes whose noisy counts differ no more than noise does; else divided where both parts differ least
sub partition
{
	my ($sums, $squares, $box, $variance) = @_;
	my ($r0, $r1, $c0, $c1) = @$box;
	my $free = area($box) - 1;
	my ($least, $first, $second) = (9**9**9);

	return $box if $free == 0 || spread($sums, $squares, $box) < $variance * ($free + 2 * sqrt(2 * $free));
	foreach my $cut ((map { [ [ $r0, $_, $c0, $c1 ], [ $_, $r1, $c0, $c1 ] ] } $r0 + 1 .. $r1 - 1), map { [ [ $r0, $r1, $c0, $_ ], [ $r0, $r1, $_, $c1 ] ] } $c0 + 1 .. $c1 - 1)
	{
		my $both = spread($sums, $squares, $cut->[0]) + spread($sums, $squares, $cut->[1]);

		($least, $first, $second) = ($both, @$cut) if $both < $least;
	}
	return (partition($sums, $squares, $first, $variance), partition($sums, $squares, $second, $variance));
}

sub dpcube
{
	my ($mu) = @_;
	my $sd = sqrt(2 * @pairs) / $mu;
	my $total = 0;

	foreach my $p (@pairs)
	{
		my ($rows, $columns) = @size[@$p];
		my $first = noisy($truth{"@$p"}, $sd);
		my $sums = integral($first, $rows, $columns);
		my $true = integral($truth{"@$p"}, $rows, $columns);
		my @estimate;

		foreach my $box (partition($sums, integral([ map { $_**2 } @$first ], $rows, $columns), [ 0, $rows, 0, $columns ], $sd**2))
		{
			my $cells = area($box);
			my $count = (inside($sums, $box) / $cells + inside($true, $box) + $sd * normal()) / (1 / $cells + 1);

			foreach my $r ($box->[0] .. $box->[1] - 1) { $estimate[ $r * $columns + $_ ] = $count / $cells foreach $box->[2] .. $box->[3] - 1 }
		}
		$total += distance($truth{"@$p"}, \@estimate);
	}
	return $total / @pairs;
}

# ---- coefficients: Fourier (Barak et al. 2007) and residuals (ResidualPlanner; Xiao, He, Zhang, Kifer 2023) -------

# normal noise of which only what is orthogonal to sums over either column is left; columns of 1 are none
sub residual_noise
{
	my ($rows, $columns, $sd) = @_;
	my @z = map { $sd * normal() } 1 .. $rows * $columns;

	foreach my $r ($rows > 1 || $columns > 1 ? 0 .. $rows - 1 : ())
	{
		last if $columns == 1;
		my $mean = sum(@z[ $r * $columns .. ($r + 1) * $columns - 1 ]) / $columns;
		$z[ $r * $columns + $_ ] -= $mean foreach 0 .. $columns - 1;
	}
	foreach my $c (0 .. $columns - 1)
	{
		last if $rows == 1;
		my $mean = sum(map { $z[ $_ * $columns + $c ] } 0 .. $rows - 1) / $rows;
		$z[ $_ * $columns + $c ] -= $mean foreach 0 .. $rows - 1;
	}
	return \@z;
}

# sd: of the noise in the whole, in each column's and in each pair's residuals; distance of the tables they add up to
sub residuals
{
	my (%sd) = @_;
	my $whole = $sd{''} * normal();
	my @alone = map { residual_noise($size[$_], 1, $sd{$_}) } 0 .. $#size;
	my $total = 0;

	foreach my $p (@pairs)
	{
		my ($rows, $columns) = @size[@$p];
		my $z = residual_noise($rows, $columns, $sd{"@$p"});

		foreach my $r (0 .. $rows - 1)
		{
			$z->[ $r * $columns + $_ ] += $alone[ $p->[0] ][$r] / $columns + $alone[ $p->[1] ][$_] / $rows + $whole / ($rows * $columns) foreach 0 .. $columns - 1;
		}
		$total += distance($truth{"@$p"}, [ map { $truth{"@$p"}[$_] + $z->[$_] } 0 .. $#$z ]);
	}
	return $total / @pairs;
}

# sets of columns, by name, with their sizes
my %set = ('' => [], (map { $_ => [ $size[$_] ] } 0 .. $#size), map { ("@$_" => [ @size[@$_] ]) } @pairs);

sub product { my $all = 1; $all *= $_ foreach @_; return $all }

# the same noise in every coefficient of the whole domain's orthonormal basis, a row's part in which is product (n - 1)
sub barak
{
	my ($mu) = @_;
	my $coefficients = sum(map { product(map { $_ - 1 } @$_) } values %set);

	return residuals(map { $_ => sqrt($coefficients / product(@{ $set{$_} })) / $mu } keys %set);
}

# the least sum of variances over all cells of all pairs: cost c / sd^2, variance w sd^2 of each set
sub planned
{
	my ($mu) = @_;
	my (%cost, %weight);

	foreach my $name (keys %set)
	{
		$cost{$name} = product(map { ($_ - 1) / $_ } @{ $set{$name} });
		foreach my $p (grep { my $pair = " @$_ "; !grep { $pair !~ / $_ / } split / /, $name } @pairs)
		{
			$weight{$name} += $cost{$name} * product(@{ $set{$name} })**2 / product(@size[@$p]);
		}
	}
	my $all = sum(map { sqrt($cost{$_} * $weight{$_}) } keys %set);
	return residuals(map { $_ => sqrt(sqrt($cost{$_} / $weight{$_}) * $all) / $mu } keys %set);
}

# ---- sketches (compressive mechanism; Li, Zhang, Winslett, Yang 2011) --------------

my $marks = 4;					# of each cell, so that columns of the matrix have norm 1

# cells from a sketch by iterative hard thresholding (Blumensath, Davies 2009), none negative
sub recover
{
	my ($sketch, $at, $sign, $cells, $most) = @_;
	my %x;
	my $step = 0.3;

	foreach (1 .. 30)
	{
		my @rest = @$sketch;

		foreach my $c (keys %x) { $rest[ $at->[ $c * $marks + $_ ] ] -= $sign->[ $c * $marks + $_ ] * $x{$c} foreach 0 .. $marks - 1 }
		my @next = map { my $c = $_; ($x{$c} // 0) + $step * sum(map { $sign->[ $c * $marks + $_ ] * $rest[ $at->[ $c * $marks + $_ ] ] } 0 .. $marks - 1) } 0 .. $cells - 1;
		my @order = sort { $next[$b] <=> $next[$a] } 0 .. $cells - 1;

		%x = map { $_ => $next[$_] } grep { $next[$_] > 0 } @order[ 0 .. $most - 1 ];
	}
	return [ map { $x{$_} // 0 } 0 .. $cells - 1 ];
}

sub sketched
{
	my ($mu) = @_;
	my $sd = sqrt(@pairs) / $mu;
	my $total = 0;

	foreach my $p (@pairs)
	{
		my $true = $truth{"@$p"};
		my $cells = @$true;
		my $length = max(floor($cells / 2), $marks);
		my @at = map { floor(rand($length)) } 1 .. $cells * $marks;
		my @sign = map { (rand() < 0.5 ? -1 : 1) / sqrt($marks) } 1 .. $cells * $marks;
		my @sketch = map { $sd * normal() } 1 .. $length;

		foreach my $c (grep { $true->[$_] > 0 } 0 .. $cells - 1) { $sketch[ $at[ $c * $marks + $_ ] ] += $sign[ $c * $marks + $_ ] * $true->[$c] foreach 0 .. $marks - 1 }
		$total += distance($true, recover(\@sketch, \@at, \@sign, $cells, max(floor($length / 8), 1)));
	}
	return $total / @pairs;
}

# ---- all of them ---------------------------------------------------------------

my @ways = (
	[ 'multiplicative weights from one-way tables, 12 cells of each pair (MWEM)', \&mwem ],
	[ 'partition of each pair in two steps (DPCube)', \&dpcube ],
	[ 'Fourier coefficients of all pairs', \&barak ],
	[ 'residuals of all pairs, noise planned (ResidualPlanner)', \&planned ],
	[ 'a sketch of each pair, sparse recovery (compressive mechanism)', \&sketched ]);
my @epsilons = (0.1, 1, 10);

print '| older ways | ', join(' | ', map { "epsilon $_" } @epsilons), " | seconds |\n|---|", '---|' x (@epsilons + 1), "\n";
foreach my $way (@ways)
{
	my $start = time;
	my @distances = map { sprintf '%.3f', $way->[1]->(mu_of($_, 1e-9)) } @epsilons;

	printf "| %s | %s | %.0f |\n", $way->[0], join(' | ', @distances), (time - $start) / @epsilons;
}
