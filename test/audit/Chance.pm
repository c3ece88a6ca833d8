# The statistics of an audit: quantiles, exact confidence limits, and the direction that tells two
# samples apart best.
package Chance;

use strict;
use warnings;

use Exporter qw(import);
use POSIX qw(erfc lgamma floor);
use List::Util qw(sum max min);

our @EXPORT = qw(normal_tail normal_quantile binomial_upper chi_square_tail best_direction project
  choose_threshold lower_bounds);

# P(X > z) of a standard normal deviate, and the z with P(X <= z) = p
sub normal_tail
{
	my ($z) = @_;

	return erfc($z / sqrt(2)) / 2;
}

sub bisect
{
	my ($condition, $low, $high) = @_;

	for (1 .. 200)
	{
		my $middle = ($low + $high) / 2;
		if ($condition->($middle)) { $low = $middle }
		else { $high = $middle }
	}
	return ($low + $high) / 2;
}

sub normal_quantile
{
	my ($p) = @_;

	return bisect(sub { normal_tail(-$_[0]) < $p }, -40, 40);
}

# P(X <= k), X ~ Binomial(n, p)
sub binomial_cdf
{
	my ($k, $n, $p) = @_;
	my $total = 0;

	return 1 if $k >= $n || $p <= 0;
	foreach my $i (0 .. $k)
	{
		$total += exp(lgamma($n + 1) - lgamma($i + 1) - lgamma($n - $i + 1) + $i * log($p) + ($n - $i) * log(1 - $p));
	}
	return $total;
}

# Clopper and Pearson's upper limit: fails with probability alpha at most
sub binomial_upper
{
	my ($k, $n, $alpha) = @_;

	return 1 if $k >= $n;
	return bisect(sub { binomial_cdf($k, $n, $_[0]) > $alpha }, 0, 1 - 1e-15);
}

# P(chi square of that many degrees of freedom > x), by the series or the continued fraction
sub chi_square_tail
{
	my ($x, $degrees) = @_;
	my ($a, $y) = ($degrees / 2, $x / 2);
	my $front = $y > 0 ? exp($a * log($y) - $y - lgamma($a)) : 0;

	return 1 if $y <= 0;
	if ($y < $a + 1)
	{
		my ($total, $term) = (1 / $a, 1 / $a);
		for (my $i = 1; $term > $total * 1e-16; $i++)
		{
			$term *= $y / ($a + $i);
			$total += $term;
		}
		return 1 - $total * $front;
	}
	my ($b, $c, $d) = ($y + 1 - $a, 1e300, 1 / ($y + 1 - $a));
	my $total = $d;
	foreach my $i (1 .. 1000)
	{
		my $an = -$i * ($i - $a);
		$b += 2;
		$d = 1 / ($an * $d + $b);
		$c = $b + $an / $c;
		$total *= $c * $d;
	}
	return $total * $front;
}

# ---- telling two samples apart ----

sub column_means
{
	my ($rows) = @_;
	my $n = @$rows;
	my @means = (0) x @{ $rows->[0] };

	foreach my $row (@$rows)
	{
		$means[$_] += $row->[$_] / $n foreach 0 .. $#means;
	}
	return \@means;
}

# solves a symmetric positive definite system by elimination
sub solve
{
	my ($matrix, $right) = @_;
	my @a = map { [@$_] } @$matrix;
	my @x = @$right;

	foreach my $i (0 .. $#a)
	{
		foreach my $j ($i + 1 .. $#a)
		{
			my $factor = $a[$j][$i] / $a[$i][$i];
			next if $factor == 0;
			$a[$j][$_] -= $factor * $a[$i][$_] foreach $i .. $#a;
			$x[$j] -= $factor * $x[$i];
		}
	}
	foreach my $i (reverse 0 .. $#a)
	{
		$x[$i] -= $a[$i][$_] * $x[$_] foreach $i + 1 .. $#a;
		$x[$i] /= $a[$i][$i];
	}
	return \@x;
}

# Fisher's linear discriminant: inverse covariance times difference of means.  The numbers of a model
# depend on one another, hence the small ridge.
sub best_direction
{
	my ($one, $two) = @_;
	my @means = (column_means($one), column_means($two));
	my $d = $#{ $means[0] };
	my @scatter = map { [ (0) x ($d + 1) ] } 0 .. $d;

	foreach my $sample (0, 1)
	{
		foreach my $row ($sample ? @$two : @$one)
		{
			my @x = map { $row->[$_] - $means[$sample][$_] } 0 .. $d;
			foreach my $i (0 .. $d)
			{
				$scatter[$i][$_] += $x[$i] * $x[$_] foreach 0 .. $d;
			}
		}
	}
	my @scale = map { sqrt($scatter[$_][$_]) || 1 } 0 .. $d;
	my @correlation = map { my $i = $_; [ map { $scatter[$i][$_] / $scale[$i] / $scale[$_] + ($i == $_ ? 1e-6 : 0) } 0 .. $d ] } 0 .. $d;
	my $solved = solve(\@correlation, [ map { ($means[1][$_] - $means[0][$_]) / $scale[$_] } 0 .. $d ]);

	return [ map { $solved->[$_] / $scale[$_] } 0 .. $d ];
}

sub project
{
	my ($direction, $rows) = @_;

	return [ map { my $row = $_; sum(map { $direction->[$_] * $row->[$_] } 0 .. $#$direction) } @$rows ];
}

# How often a test "above the threshold: the second" is wrong, in two samples of one length
sub errors
{
	my ($one, $two, $threshold) = @_;

	return (scalar(grep { $_ > $threshold } @$one), scalar(grep { $_ <= $threshold } @$two));
}

# The threshold with the greatest bound at 95 % among 41 quantiles of both samples.
sub choose_threshold
{
	my ($one, $two) = @_;
	my @sorted = sort { $a <=> $b } @$one, @$two;
	my ($best, $threshold) = (-1e9, 0);

	foreach my $q (0 .. 40)
	{
		my $candidate = $sorted[ floor($q / 40 * $#sorted) ];
		my $bound = mu_bound([ errors($one, $two, $candidate) ], scalar(@$one), 0.05);
		($best, $threshold) = ($bound, $candidate) if $bound > $best;
	}
	return $threshold;
}

# mu >= -Phi^-1(FPR) - Phi^-1(FNR), with both rates at their upper limits
sub mu_bound
{
	my ($wrong, $n, $alpha) = @_;
	my @rate = map { min(binomial_upper($_, $n, $alpha / 2), 1 - 1e-12) } @$wrong;

	return -normal_quantile($rate[0]) - normal_quantile($rate[1]);
}

# epsilon >= ln((1 - delta - FNR) / FPR), or with the two exchanged (Kairouz, Oh, Viswanath 2015)
sub epsilon_bound
{
	my ($wrong, $n, $delta, $alpha) = @_;
	my ($fp, $fn) = map { binomial_upper($_, $n, $alpha / 2) } @$wrong;
	my @odds = ((1 - $delta - $fn) / $fp, (1 - $delta - $fp) / $fn);

	return max(0, map { $_ > 1 ? log($_) : 0 } @odds);
}

# Lower bounds on mu and on epsilon at delta, each too large with probability alpha at most
sub lower_bounds
{
	my ($one, $two, $threshold, $delta, $alpha) = @_;
	my @wrong = errors($one, $two, $threshold);

	return (mu_bound(\@wrong, scalar(@$one), $alpha), epsilon_bound(\@wrong, scalar(@$one), $delta, $alpha));
}

1;
