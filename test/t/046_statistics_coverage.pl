# How often the 95 % intervals of statistics hold the statistic of the clamped
# rows, and how far from it values are.
#
# A call costs as much whatever it releases.  One by 500 categories is 500 releases with noise of their own: 20 calls are
# 10,000 for each statistic, whose coverage has a standard deviation of 0.22 %.
# Between 93.5 % and 96.5 % is seven of them: a false alarm once in 10^11.  The mean
# of the squares of (value - statistic) / noise_stddev over as many is within 10 % of 1
# for Gaussian noise of counts and sums, and within 20 % for Laplace noise, whose mean of squares varies by 2.2 % (of
# 10 % it is off once in 50,000 times): seven standard deviations or more.  Of the others noise_stddev is to first order
# only: within a quarter.
#
# Without groups, where other weights are used, 300 releases each (DPEM_RELEASES= more): 87 % is
# six standard deviations below 95 %; that all are covered happens once in five million times to each, and intervals
# that are too wide are seen in the mean of squares, which is within 1 / 1.6 and 1.6 but once in 10^7 times.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my ($groups, $calls, $single) = (500, 20, $ENV{DPEM_RELEASES} // 300);
my $node = start_server('statistics', 'fsync = off');
my %exact = (
	count => 'count(*)',
	sum => 'sum(x)',
	avg => 'avg(x)',
	variance => 'variance(x)',
	stddev => 'stddev(x)',
	covariance => 'covar_samp(x, y)');

# rows in no group or beyond the domain are among them
$node->safe_psql('postgres', qq{
	CREATE TABLE rows AS SELECT i % $groups AS g, least(greatest(x, 0), 10) AS x, y, x AS raw
	  FROM (SELECT i, 4 + 5 * (i * 0.7548776662 % 1)::float8 ^ 2 + 2 * (i * 0.5698402909 % 1)::float8 AS x, (i * 0.41421356237 % 1)::float8 - 0.5 AS y
	          FROM generate_series(1, 100 * $groups) AS i) AS s;
	INSERT INTO rows SELECT $groups, 5, 0.2, 5 FROM generate_series(1, 1000);
	CREATE TABLE releases (statistic text, dataset text, value float8, noise_stddev float8, ci_lower float8, ci_upper float8, key text);
	CREATE TABLE truth (statistic text, dataset text, value float8, key text);});
sub arguments
{
	my ($statistic, $dataset) = @_;

	return $statistic eq 'count' ? "'$dataset'" : $statistic eq 'covariance' ? "'$dataset', 'raw', 'y'" : "'$dataset', 'raw'";
}

# a join without an equality of keys to hash, or statistics to know that it pays, compares all with all
sub check
{
	my ($name, $statistic, $dataset, $coverages, $squares) = @_;
	my ($n, $coverage, $square) = split /\|/, $node->safe_psql('postgres', "ANALYZE releases, truth; SELECT count(*), avg((t.value BETWEEN ci_lower AND ci_upper)::int),
		avg(((r.value - t.value) / noise_stddev) ^ 2) FROM releases r JOIN truth t USING (statistic, dataset)
		WHERE coalesce(r.key, '') = coalesce(t.key, '') AND statistic = '$statistic' AND dataset = '$dataset'");

	ok($coverage > $coverages->[0] && $coverage < $coverages->[1], "$name: $n intervals cover " . sprintf('%.4f', $coverage));
	ok($square > $squares->[0] && $square < $squares->[1], "$name: noise " . sprintf('%.3f', $square));
	note("$name: $n releases, coverage " . sprintf('%.4f', $coverage));
	return;
}

sub around { my ($factor) = @_; return [ 1 / $factor, $factor ]; }

# calls of one statistic, whose answers are those of a dataset of that name
sub release
{
	my ($statistic, $name, $source, $epsilon, $more, $times) = @_;
	my $call = "dp_$statistic(" . arguments($statistic, $source) . ", $epsilon$more)";

	$node->safe_psql('postgres', "INSERT INTO releases SELECT '$statistic', '$name', * FROM $call;" x $times);
	return;
}

# rows with a ledger of their own for each statistic: a charge reads what was charged before
sub make_rows
{
	my ($name, $which, $more) = @_;

	$node->safe_psql('postgres', "CREATE TABLE $name AS SELECT * FROM rows WHERE $which; ANALYZE $name");
	register_table($node, $name, $name, [ [ 'raw', 0, 10 ], [ 'y', -1, 1 ] ], epsilon => 1000, more => $more);
	$node->safe_psql('postgres', "SELECT dp_register_column('$name', 'g', array_agg(i::text)), dp_grant_budget(current_user::regrole, '$name', 1000, 1e-4)
		FROM generate_series(0, $groups - 1) AS i");
	return $name;
}

foreach my $statistic (sort keys %exact)
{
	my $all = make_rows("all_$statistic", 'true');
	my $few = make_rows("few_$statistic", 'g < 20');
	my @rows = ([ 'rows', $all, 5, '' ], [ 'some', $all, 5, ", filter => 'y > -0.3 and raw <= 9'" ]);

	push @rows, [ 'guests', make_rows("guests_$statistic", 'true', ", adjacency => 'add_remove', accountant => 'linear'"), 0.5, '' ]
	  if $statistic =~ /^(count|sum|avg)$/;
	$node->safe_psql('postgres', "INSERT INTO truth SELECT '$statistic', d, $exact{$statistic}, g::text FROM rows, unnest('{rows,guests}'::text[]) AS d WHERE g < $groups GROUP BY g, d;
		INSERT INTO truth SELECT '$statistic', 'some', $exact{$statistic}, g::text FROM rows WHERE g < $groups AND y > -0.3 AND raw <= 9 GROUP BY g;
		INSERT INTO truth SELECT '$statistic', 'few', $exact{$statistic}, NULL FROM $few;");
	foreach my $case (@rows)
	{
		my ($name, $source, $epsilon, $more) = @$case;

		release($statistic, $name, $source, $epsilon, "$more, by => 'g'", $calls);
		check("$statistic by groups of $name", $statistic, $name, [ 0.935, 0.965 ], around($statistic !~ /^(count|sum)$/ ? 1.25 : $name eq 'guests' ? 1.2 : 1.1));
	}
	release($statistic, 'few', $few, 0.5, '', $single);
	check("$statistic of rows", $statistic, 'few', [ 0.87, 1.001 ], around(1.6));
}

make_rows('all_histogram', 'true');
$node->safe_psql('postgres', "INSERT INTO truth SELECT 'histogram', 'rows', count(x), bin::text FROM generate_series(1, $groups) AS bin
		LEFT JOIN rows ON bin = least(width_bucket(x, 0, 10, $groups), $groups) GROUP BY bin;"
	. "INSERT INTO releases SELECT 'histogram', 'rows', value, noise_stddev, ci_lower, ci_upper, bin::text FROM dp_histogram('all_histogram', 'raw', 5, bins => $groups);" x $calls);
check('histogram', 'histogram', 'rows', [ 0.935, 0.965 ], around(1.1));

$node->stop;
done_testing();
