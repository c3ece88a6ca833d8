# No cluster on cells that noise alone made, and none whose noise is said to be nothing.
#
# 45,000 made-up customers of a bank, in wide domains: a heavy-tailed balance, durations of
# calls, days since the last call that are -1 for four of five.  Nearly all rows are in
# few of thousands of cells, and a count that only noise made, far from all others, is
# worth a center of its own to k-means.
#
# A phantom is a center that fewer than 15 rows are nearest to, where noise in a
# count has a deviation of a hundred, and that has a deviation of its noise all the same.
#
# False alarms: 1 of 28 fits had one, so that 9 of 24 have one in 1.3e6 * 0.036^9 = 1e-7 of runs
# (24 over 9 is 1.3e6).  Of fits by the counts alone nearly all have.
#
# A weight is counted about a center before its last step, so that it is not quite that of the
# center released: where two centers part the cell in which most rows are, that step moves the
# plane between them.  The largest error of a fit exceeds 0.047 in one fit of ten, so that 13 of 24
# do in 2.5e6 * 0.1^13 * 0.9^11 = 8e-8 of runs.  Of weights of cells, the largest of many, seven of
# ten do.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $fits = 24;
my $node = start_server('kmeans_phantoms', 'fsync = off');

$node->safe_psql('postgres', q{
	CREATE FUNCTION normal() RETURNS float8 LANGUAGE sql VOLATILE AS 'SELECT sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';
	SELECT setseed(0.25);
	CREATE TABLE bank AS
	SELECT CASE WHEN random() < 0.08 THEN -exp(3 + 2 * normal()) ELSE exp(6.1 + 1.5 * normal()) END AS balance,
		exp(5.2 + 0.9 * normal()) AS duration,
		CASE WHEN random() < 0.8 THEN -1 ELSE 1 + 400 * random() ^ 0.7 END AS pdays
	FROM generate_series(1, 45000);
	ANALYZE bank});
register_table($node, 'bank', 'bank', [ [ 'balance', -20000, 150000 ], [ 'duration', 0, 5000 ], [ 'pdays', -1, 1000 ] ], epsilon => 100);
$node->safe_psql('postgres', q{
	SELECT dp_grant_budget(current_user::regrole, 'bank', 100, 1e-4);
	CREATE TABLE found (fit int, component int, rows bigint, deviation float8, weight float8);
	CREATE FUNCTION fit(i int) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM * FROM dp_kmeans_fit('bank', 10, 0.1, 1e-6, model => 'tried');
		INSERT INTO found
		SELECT i, c.component, coalesce(n.rows, 0), d.deviation, c.weight FROM dpem.kmeans_clusters AS c
		JOIN (SELECT component, min(noise_stddev) AS deviation FROM dpem.kmeans_centers WHERE model = 'tried' GROUP BY 1) AS d USING (component)
		LEFT JOIN (SELECT dp_predict('tried', ARRAY[balance, duration, pdays]) AS component, count(*) AS rows FROM bank GROUP BY 1) AS n USING (component)
		WHERE c.model = 'tried';
		PERFORM dp_drop_model('tried');
	END$$});
$node->safe_psql('postgres', "SELECT count(fit(i)) FROM generate_series(1, $fits) AS i");

sub value { return $node->safe_psql('postgres', "SELECT $_[0]") }

is(value('count(*) FROM found WHERE deviation = 0'), '0', 'no center without noise');
cmp_ok(value('count(DISTINCT fit) FROM found WHERE rows < 15 AND deviation IS NOT NULL'), '<=', 8,
	"of $fits fits, those with a cluster that noise made");
cmp_ok(value('count(DISTINCT fit) FROM found WHERE abs(weight - rows / 45000.0) > 0.047'), '<=', 12,
	'weights are about the centers released');
note(value("count(*) || ' centers, ' || count(*) FILTER (WHERE rows < 15) || ' with fewer than 15 rows, ' || count(*) FILTER (WHERE deviation IS NULL) || ' not estimated; ' || max(abs(weight - rows / 45000.0)) FROM found"));

$node->stop;
done_testing();
