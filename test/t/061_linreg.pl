# Linear regression: without noise the least squares of an independent implementation,
# serial and parallel; with it, intervals that cover the rows' own coefficients.
#
# A call by 100 categories is 100 releases with noise of their own: 20 calls are 2,000 for each of
# four coefficients.  Of one coefficient 92 % to 96 % were covered in repeated runs, with a standard
# deviation of 0.5 % by chance: between 89 % and 98.5 % is six below the least that was seen.  The mean over the four,
# 94.3 % to 95.3 %, with about 0.3 %, is between 93 % and 97 %, and the mean of squares, 0.95 to 1.22 with 0.03,
# between 0.7 and 1.6.  False alarms below one in a million.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $node = start_server('linreg', 'fsync = off');
my %settings = scan_settings();
my $tolerance = 1e-8;

# ---- without noise ----

my $number = 0;
foreach my $golden (golden_values('linreg*.json'))
{
	my @columns = (@{ $golden->{columns} }, $golden->{target});
	my $name = "$golden->{dataset}_" . ++$number;
	my $fourier = $golden->{fourier};
	my $pairs = $fourier ? $fourier->{dimension} / 2 : 0;
	my $features = $fourier ? ", features => 'fourier', " . join(', ', map { "$_ => $fourier->{$_}" } sort keys %$fourier) : '';
	my @names = $fourier ? ((map { "cos $_" } 1 .. $pairs), map { "sin $_" } 1 .. $pairs) : @{ $golden->{columns} };

	load_csv($node, $name, $golden->{data});
	register_table($node, $name, $name, [ map { [ $columns[$_], $golden->{lower}[$_], $golden->{upper}[$_] ] } 0 .. $#columns ]);
	foreach my $mode (qw(serial parallel))
	{
		my $rows = query_json($node, "$settings{$mode} SELECT json_agg(f) FROM dp_linreg_fit('$name', '$golden->{target}', 'Infinity'$features) f");
		my @own = map { abs } @{ $golden->{coefficients} };

		is(join(' ', map { $_->{column_name} } @$rows), "@names (intercept)", "$name, $mode: a row per coefficient");
		foreach my $j (0 .. $#own)
		{
			cmp_ok(abs($rows->[$j]{coefficient} / $golden->{coefficients}[$j] - 1), '<', $tolerance, "$name, $mode: coefficient $j");
			cmp_ok(abs($rows->[$j]{stddev} / $golden->{stddevs}[$j] - 1), '<', $tolerance, "$name, $mode: its standard deviation");
			cmp_ok($rows->[$j]{noise_stddev}, '==', 0, "$name, $mode: no noise");
		}
	}
}

# ---- coverage ----

my ($groups, $calls) = (100, 20);
$node->safe_psql('postgres', qq{
	CREATE TABLE rows AS SELECT i % $groups AS g, a + 0.3 * b AS x1, b AS x2, floor(3 * c)::int AS x3, 2 + a - 0.5 * b + 0.3 * floor(3 * c) + 0.4 * e AS y
	  FROM (SELECT i, sqrt(-2 * ln(u[2])) * cos(2 * pi() * u[1]) AS a, sqrt(-2 * ln(u[2])) * sin(2 * pi() * u[1]) AS b, u[3] AS c,
	               sqrt(-2 * ln(u[4])) * cos(2 * pi() * u[5]) AS e
	          FROM (SELECT i, ARRAY(SELECT 1e-9 + ((i * sqrt(p)) % 1)::float8 FROM unnest('{2,3,5,7,11}'::numeric[]) AS p) AS u FROM generate_series(1, 1000 * $groups) AS i) AS d) AS s;
	ANALYZE rows;
	CREATE TABLE releases (model text, column_name text, category text, coefficient float8, stddev float8, noise_stddev float8, ci_lower float8, ci_upper float8, key text, rows_counted float8, rows_counted_noise float8);
	CREATE TABLE exact (LIKE releases);});
register_table($node, 'rows', 'rows', [ [ 'x1', -20, 20 ], [ 'x2', -20, 20 ], [ 'x3', 0, 30 ], [ 'y', -30, 30 ] ], epsilon => 1000);
$node->safe_psql('postgres', "SELECT dp_register_column('rows', 'g', array_agg(i::text)), dp_grant_budget(current_user::regrole, 'rows', 1000, 1e-4)
	FROM generate_series(0, $groups - 1) AS i;
	INSERT INTO exact SELECT * FROM dp_linreg_fit('rows', 'y', 'Infinity', columns => '{x1,x2,x3}', by => 'g')");
$node->safe_psql('postgres', "INSERT INTO releases SELECT * FROM dp_linreg_fit('rows', 'y', 8, columns => '{x1,x2,x3}', by => 'g');" x $calls);

my ($all) = $node->safe_psql('postgres', "SELECT avg((e.coefficient BETWEEN r.ci_lower AND r.ci_upper)::int) FROM releases r JOIN exact e USING (key, column_name)");
ok($all > 0.93 && $all < 0.97, sprintf 'intervals of all coefficients cover %.4f', $all);
foreach my $row (split /\n/, $node->safe_psql('postgres', "SELECT column_name, count(*), avg((e.coefficient BETWEEN r.ci_lower AND r.ci_upper)::int),
	avg(((r.coefficient - e.coefficient) / r.noise_stddev) ^ 2) FROM releases r JOIN exact e USING (key, column_name) GROUP BY 1 ORDER BY 1"))
{
	my ($name, $n, $coverage, $square) = split /\|/, $row;

	is($n, $groups * $calls, "$name: $n releases");
	ok($coverage > 0.89 && $coverage < 0.985, sprintf "$name: %.4f of the intervals cover", $coverage);
	ok($square > 0.7 && $square < 1.6, sprintf "$name: noise %.3f", $square);
	note(sprintf "$name: coverage %.4f, noise %.3f", $coverage, $square);
}

$node->stop;
done_testing();
