# Marginals of a real table (make bench-synth): mean total variation distance over all pairs beside
# simple baselines, time of a fit, the classifier for nothing, and the pass beside GROUPING SETS.
#
# The table is adult_binned.csv.gz of $DPEM_DATA or ../shared/data; without it the bench says so and ends.  Baselines are
# the same system: one-way tables alone, and all pairs released at once with equal noise, negative counts put to 0.
use strict;
use warnings;

use File::Basename qw(dirname);
use Time::HiRes qw(time);

my ($file) = grep { -r } map { "$_/adult_binned.csv.gz" } $ENV{DPEM_DATA} // (), map { dirname(__FILE__) . "/../../../$_" } 'shared/data', 'data';
my @size = (85, 9, 100, 16, 7, 15, 6, 5, 2, 100, 100, 99, 42, 2);
my @column = map { "c$_" } 1 .. @size;

print "skipped: there is no adult_binned.csv.gz\n" and exit unless $file;

# the answer of the last of some statements
sub sql
{
	my ($statements) = @_;

	open(my $answer, '-|', 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-c', $statements) or die "psql: $!";
	my @lines = <$answer>;
	close($answer) or die "failed: $statements";
	chomp(@lines);
	return $lines[-1];
}

# a dataset of the table's columns, under add_remove
sub register
{
	my ($table) = @_;

	sql("SELECT dp_register_dataset('$table', '$table', 1000, 1e-4, adjacency => 'add_remove')");
	sql("SELECT dp_register_column('$table', '$column[$_]', 0, " . ($size[$_] - 1) . ')') foreach 0 .. $#size;
	sql("SELECT dp_grant_budget(current_user::regrole, '$table', 1000, 1e-4)");
}

sql('CREATE EXTENSION IF NOT EXISTS dpem');
sql('CREATE TABLE adult (' . join(', ', map { "$_ int NOT NULL" } @column) . ')');
sql("\\copy adult FROM PROGRAM 'zcat $file' CSV HEADER");
sql('ANALYZE adult');
register('adult');
sql(q{
	CREATE OR REPLACE FUNCTION distance(model text, a text, b text) RETURNS float8 LANGUAGE plpgsql AS $$
	DECLARE
	    d float8;
	BEGIN
	    EXECUTE format('WITH t AS (SELECT ARRAY[%I::text, %I::text] AS keys, count(*) / (SELECT count(*) FROM adult)::float8 AS p FROM adult GROUP BY 1),
	        e AS (SELECT keys, value / sum(value) OVER () AS p FROM dp_tabulate(%L, ARRAY[%L, %L], consistent => true))
	        SELECT sum(abs(coalesce(t.p, 0) - coalesce(e.p, 0))) / 2 FROM t FULL JOIN e USING (keys)', a, b, model, a, b) INTO d;
	    RETURN d;
	END$$;
	CREATE FUNCTION one_shot(a text, b text, cells int, sd float8) RETURNS float8 LANGUAGE plpgsql AS $$
	DECLARE
	    d float8;
	BEGIN
	    EXECUTE format('WITH t AS (SELECT count(*)::float8 AS n FROM adult GROUP BY %I, %I), z AS (SELECT n FROM t UNION ALL SELECT 0 FROM generate_series(1, %s - (SELECT count(*) FROM t))),
	        e AS (SELECT n, greatest(n + %s * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()), 0) AS x FROM z)
	        SELECT sum(abs(n / (SELECT sum(n) FROM e) - x / (SELECT sum(x) FROM e))) / 2 FROM e', a, b, cells, sd) INTO d;
	    RETURN d;
	END$$});

my $pairs = join ', ', map { my $i = $_; map { "('$column[$i]', '$column[$_]', " . $size[$i] * $size[$_] . ')' } $i + 1 .. $#size } 0 .. $#size;

print "| epsilon | dp_synth_fit, mean total variation of 91 pairs | seconds | one-way tables alone | all pairs at once |\n|---|---|---|---|---|\n";
foreach my $epsilon (0.1, 1, 10)
{
	my $start = time;
	sql("SELECT count(*) FROM dp_synth_fit('adult', $epsilon, 1e-9, bins => 100, label => 'c14', workload => '{" . join(',', map { my $i = $_; map { qq{"$column[$i],$column[$_]"} } $i + 1 .. $#size } 0 .. $#size) . "}', model => 'm$epsilon')");
	my $seconds = time - $start;
	my $distance = sql("SELECT avg(distance('m$epsilon', a, b)) FROM (VALUES $pairs) AS p (a, b, cells)");
	sql("SELECT count(*) FROM dp_synth_fit('adult', $epsilon, 1e-9, bins => 100, workload => '{" . join(',', @column) . "}', model => 'o$epsilon')");
	my $alone = sql("SELECT avg(distance('o$epsilon', a, b)) FROM (VALUES $pairs) AS p (a, b, cells)");
	my $at_once = sql("SELECT avg(one_shot(a, b, cells, sqrt(91) / dp_gdp_mu($epsilon, 1e-9))) FROM (VALUES $pairs) AS p (a, b, cells)");

	printf "| %g | %.4f | %.1f | %.4f | %.4f |\n", $epsilon, $distance, $seconds, $alone, $at_once;
}

# the model's own posterior of the label, on the rows themselves, and the pass beside plain SQL
my $auc = sql(q{WITH s AS (SELECT c14 AS y, (dp_posterior('m1', to_jsonb(a) - 'c14'))[2] AS p FROM adult a WHERE random() < 0.2),
	r AS (SELECT y, avg(rank) OVER (PARTITION BY p) AS rank FROM (SELECT y, p, row_number() OVER (ORDER BY p) AS rank FROM s) q)
	SELECT (sum(rank) FILTER (WHERE y = 1) - count(*) FILTER (WHERE y = 1) * (count(*) FILTER (WHERE y = 1) + 1) / 2.0) / (count(*) FILTER (WHERE y = 1)::float8 * count(*) FILTER (WHERE y = 0)) FROM r});
printf "\nposterior of the label at epsilon 1: AUC %.3f\n", $auc;

sql("CREATE TABLE large AS SELECT a.* FROM adult a, generate_series(1, 21); ANALYZE large");
register('large');
my $start = time;
sql('SELECT count(*) FROM (SELECT count(*) FROM large GROUP BY GROUPING SETS (' . join(', ', map { my $i = $_; map { "($column[$i], $column[$_])" } $i + 1 .. $#size } 0 .. $#size) . ')) AS s');
my $grouping = time - $start;
$start = time;
sql("SELECT count(*) FROM dp_synth_fit('large', 1, 1e-9, bins => 100, rounds => 1)");
my $pass = time - $start;
printf "a million rows, 91 pairs: GROUPING SETS %.1f s; a pass with one round %.1f s, %.2f of that\n", $grouping, $pass, $pass / $grouping;
