# The bins that dp_quantile chooses have the law of the exponential mechanism
# with the planned noise: 500 calls under each of two adjacencies and
# accountants, every bin's share and the mean of the ranks missed.
#
# Each mean of n numbers in [0, M] of variance v is compared with its
# expectation by Bernstein's inequality, P(off by x) <= 2 exp(-n x^2 / (2 v + 2 M x / 3)),
# at 1e-8: a false alarm in less than 1e-6 of the runs for all 34 comparisons together.
# Half the noise would make the mean miss half as large: it is looked for, too.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $calls = 500;
my @rows = (5, 3, 0, 6, 4, 2, 7, 3, 0, 4, 5, 3, 4, 6, 2, 5);    # in each bin of width 1
my $node = start_server('quantile_law', 'fsync = off');

# by how many rows each bin misses the rank
sub misses
{
	my ($quantile) = @_;
	my ($n, $below, @miss) = (0, 0);

	$n += $_ foreach @rows;
	foreach my $count (@rows)
	{
		my ($first, $last) = ($below - $quantile * $n, $quantile * $n - $below - $count);
		my $most = $first > $last ? $first : $last;

		push @miss, $most > 0 ? $most : 0;
		$below += $count;
	}
	return @miss;
}

sub law
{
	my ($scale, @miss) = @_;
	my @weight = map { exp(-$_ / $scale) } @miss;
	my $sum = 0;

	$sum += $_ foreach @weight;
	return map { $_ / $sum } @weight;
}

sub mean
{
	my ($p, $value) = @_;
	my $sum = 0;

	$sum += $p->[$_] * $value->[$_] foreach 0 .. $#$p;
	return $sum;
}

# the least x with 2 exp(-n x^2 / (2 v + 2 M x / 3)) <= 1e-8
sub tolerance
{
	my ($variance, $most) = @_;
	my $l = log(2e8) / $calls;

	return $l * $most / 3 + sqrt(($l * $most / 3)**2 + 2 * $l * $variance);
}

sub check_law
{
	my ($name, $quantile, $epsilon, $more) = @_;
	my @miss = misses($quantile);

	$node->safe_psql('postgres', "CREATE TABLE $name AS SELECT bin + 0.5 AS x FROM unnest('{"
		  . join(',', @rows) . "}'::int[]) WITH ORDINALITY AS u (n, bin), generate_series(1, n); UPDATE $name SET x = x - 1; ANALYZE $name");
	register_table($node, $name, $name, [ [ 'x', 0, scalar @rows ] ], epsilon => 1000, more => $more);
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 1e-4); CREATE TABLE ${name}_answers (bin int)");

	my $arguments = "'$name', 'x', $quantile, $epsilon, 1e-8, bins => " . @rows;
	my $scale = $node->safe_psql('postgres', "SELECT noise_stddev FROM dp_quantile_plan($arguments) WHERE statistic = 'quantile'");

	$node->safe_psql('postgres', "INSERT INTO ${name}_answers SELECT floor(value) FROM dp_quantile($arguments);" x $calls);

	my %seen = split /[|\n]/, $node->safe_psql('postgres', "SELECT bin, count(*) FROM ${name}_answers GROUP BY 1");
	my @share = map { ($seen{$_} // 0) / $calls } 0 .. $#rows;
	my @p = law($scale, @miss);

	foreach my $bin (0 .. $#rows)
	{
		cmp_ok(abs($share[$bin] - $p[$bin]), '<', tolerance($p[$bin] * (1 - $p[$bin]), 1),
			sprintf('%s: bin %d, %.4f of %.4f', $name, $bin, $share[$bin], $p[$bin]));
	}
	my $expected = mean(\@p, \@miss);
	my $variance = mean(\@p, [ map { ($_ - $expected)**2 } @miss ]);
	my ($most) = sort { $b <=> $a } @miss;
	my $bound = tolerance($variance, $most);

	cmp_ok(abs(mean(\@share, \@miss) - $expected), '<', $bound, sprintf('%s: rows missed, %.3f of %.3f', $name, mean(\@share, \@miss), $expected));

	my $halved = mean([ law($scale / 2, @miss) ], \@miss);
	cmp_ok($expected - $halved, '>', $bound, 'half the noise would be seen');
	return $scale;
}

check_law('rows', 0.5, 0.5, '');
cmp_ok(abs(check_law('guests', 0.75, 0.15, ", adjacency => 'add_remove', accountant => 'linear'") - 1.5 / 0.15), '<', 1e-4, 'range 2 max(q, 1 - q) over epsilon');

$node->stop;
done_testing();
