# Marginals: without noise the tables of GROUP BY, serial and parallel; with it, intervals of
# tabulations that cover the rows' own numbers, and selections that find the columns which belong
# together.
#
# A call by 100 categories makes 100 models with noise of their own: 20 calls are 2,000 releases of
# each cell.  Of the 22,000 cells of one-way tables 95 % are covered with a standard deviation of
# 0.15 % by chance, of at least 4,000 cells of chosen tables with one of 0.35 %: between 93 % and 97 % is more
# than five standard deviations, and a mean square of 1 +- 0.1 more than four of a mean of 4,000 squares (0.022).  False
# alarms below one in a million.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $node = start_server('synth', 'fsync = off');
my %settings = scan_settings();
my ($groups, $calls) = (100, 20);

# b follows a in three rows of four, c is on its own; a tenth of b is unknown
$node->safe_psql('postgres', qq{
	CREATE TABLE rows AS SELECT i % $groups AS g, i / $groups % 3 AS a, CASE WHEN u < 0.1 THEN NULL WHEN v < 0.75 THEN i / $groups % 3 ELSE (3 * w)::int % 3 END AS b, (4 * x)::int % 4 AS c
	  FROM (SELECT i, (i * 0.7548776662) % 1 AS u, (i * 0.5698402909) % 1 AS v, (i * 0.2236067977) % 1 AS w, (i * 0.4142135623) % 1 AS x FROM generate_series(1, 300 * $groups) AS i) AS s;
	ALTER TABLE rows ALTER a SET NOT NULL;
	ANALYZE rows;});
register_table($node, 'rows', 'rows', [ [ 'a', 0, 2 ], [ 'b', 0, 2 ], [ 'c', 0, 3 ] ], epsilon => 1000);
$node->safe_psql('postgres', "SELECT dp_register_column('rows', 'g', array_agg(i::text)), dp_grant_budget(current_user::regrole, 'rows', 1000, 1e-4) FROM generate_series(0, $groups - 1) AS i");

# ---- without noise ----

foreach my $mode (qw(serial parallel))
{
	is($node->safe_psql('postgres', "$settings{$mode} SELECT string_agg(columns::text || cells, ' ' ORDER BY marginal) FROM dp_synth_fit('rows', 'Infinity', columns => '{a,b}', rounds => 1)"),
		'{a}4 {b}4 {a,b}12', "$mode: the tables that there are");
}

# ---- coverage ----

foreach my $call (1 .. $calls)
{
	$node->safe_psql('postgres', "SELECT count(*) FROM dp_synth_fit('rows', 8, columns => '{a,b,c}', by => 'g', rounds => 1, model => 'm$call')");
}
$node->safe_psql('postgres', q{
	CREATE TABLE cells AS SELECT m.model, split_part(m.model, '/', 2) AS g, c.* FROM dpem.models m, LATERAL dpem_internal.synth_released_cells(m.model) c;
	CREATE TABLE exact AS SELECT g::text, columns, keys, count(*) AS n FROM rows,
		LATERAL (VALUES (a::text, coalesce(b::text, 'unknown'), c::text)) AS t (a, b, c),
		LATERAL (VALUES ('{a}'::text[], ARRAY[t.a]), ('{b}', ARRAY[t.b]), ('{c}', ARRAY[t.c]), ('{a,b}', ARRAY[t.a, t.b]), ('{a,c}', ARRAY[t.a, t.c]), ('{b,c}', ARRAY[t.b, t.c])) AS k (columns, keys)
	  GROUP BY 1, 2, 3;
	-- cells of one category in each column: others are sums of such
	CREATE TABLE judged AS SELECT c.*, coalesce(e.n, 0) AS n FROM cells c LEFT JOIN exact e USING (g, columns, keys) WHERE NOT EXISTS (SELECT FROM unnest(keys) AS k WHERE k ~ ' or |[.][.]')});
foreach my $order (1, 2)
{
	my ($cells, $covered, $square) = split /\|/, $node->safe_psql('postgres', qq{
		SELECT count(*), avg((n BETWEEN ci_lower AND ci_upper)::int), avg(((value - n) / noise_stddev) ^ 2) FROM judged WHERE cardinality(columns) = $order});

	cmp_ok($cells, '>', 4000, "$order columns: $cells cells");
	cmp_ok($covered, '>', 0.93, "$order columns: covered, $covered");
	cmp_ok($covered, '<', 0.97, "$order columns: no more than that");
	cmp_ok(abs($square - 1), '<', 0.1, "$order columns: the noise has its standard deviation");
}
my ($models, $together) = split /\|/, $node->safe_psql('postgres', "SELECT count(*), avg((columns = '{a,b}')::int) FROM (SELECT DISTINCT model, columns FROM cells WHERE cardinality(columns) = 2) AS s");
is($models, $groups * $calls, 'a pair of each model was chosen');
# chosen at random it would be a third, with a standard deviation of 1 %
cmp_ok($together, '>', 0.5, "columns that belong together are chosen, $together");

# ---- what a table says is what its cells say ----

is($node->safe_psql('postgres', q{
	SELECT bool_and(abs(t.value - c.value) < 1e-9 AND abs(t.noise_stddev - c.noise_stddev) < 1e-9 AND t.measured)
	  FROM cells c, LATERAL dp_tabulate(c.model, c.columns) AS t WHERE c.model = 'm1/7' AND c.columns = '{c}' AND t.keys = c.keys}), 't', 'dp_tabulate returns what was released');
is($node->safe_psql('postgres', q{
	SELECT bool_and(abs(total.value - parts.value) < 1e-6) FROM (SELECT sum(value) AS value FROM dp_tabulate('m1/7', '{a}', consistent => true)) AS total,
		(SELECT sum(value) AS value FROM dp_tabulate('m1/7', '{b,c}', consistent => true)) AS parts}), 't', 'consistent tables have the same number of rows');

$node->stop;
done_testing();
