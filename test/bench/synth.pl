# Marginals of a real table (make bench-synth): mean total variation distance over all pairs beside
# simple baselines, time of a fit, the classifier for nothing, and the pass beside GROUPING SETS.
# Medians and worst of RUNS fits, 3 unless told.
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
my %is_number = map { ($_ => 1) } 1, 3, 4, 10, 11, 12;	# the others are labels, whose codes have no order

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

	sql("SELECT dp_register_dataset('$table', '$table', 1000, 1e-4, adjacency => 'add_remove') WHERE NOT EXISTS (SELECT FROM dpem.datasets WHERE dataset = '$table')");
	foreach my $i (0 .. $#size)
	{
		my $domain = $is_number{$i + 1} ? '0, ' . ($size[$i] - 1) : "'{" . join(',', 0 .. $size[$i] - 1) . "}'::text[]";

		sql("SELECT dp_register_column('$table', '$column[$i]', $domain)");
	}
	sql("SELECT dp_grant_budget(current_user::regrole, '$table', 1000, 1e-4)");
}

sql('CREATE EXTENSION IF NOT EXISTS dpem');
sql('CREATE TABLE adult (' . join(', ', map { "$column[$_] " . ($is_number{$_ + 1} ? 'int' : 'text') . ' NOT NULL' } 0 .. $#size) . ')');
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

my $workload = '{' . join(',', map { my $i = $_; map { qq{"$column[$i],$column[$_]"} } $i + 1 .. $#size } 0 .. $#size) . '}';
my $runs = $ENV{RUNS} // 3;

# mean distance over all pairs of a fit, and its seconds
sub distance_of
{
	my ($model, $epsilon, $tables) = @_;
	my $start = time;

	sql("SELECT count(*) FROM dp_synth_fit('adult', $epsilon, 1e-9, bins => 100, label => 'c14', workload => '$tables', model => '$model', replace => true)");
	my $seconds = time - $start;
	return [ sql("SELECT avg(distance('$model', a, b)) FROM (VALUES $pairs) AS p (a, b, cells)"), $seconds ];
}

print "medians (worst) of $runs\n\n| epsilon | dp_synth_fit, mean total variation of 91 pairs | seconds | one-way tables alone | all pairs at once |\n|---|---|---|---|---|\n";
foreach my $epsilon (0.1, 1, 10)
{
	my @fit = sort { $a->[0] <=> $b->[0] } map { distance_of("m$epsilon", $epsilon, $workload) } 1 .. $runs;
	my @alone = sort map { distance_of("o$epsilon", $epsilon, '{' . join(',', @column) . '}')->[0] } 1 .. $runs;
	my @at_once = sort map { sql("SELECT avg(one_shot(a, b, cells, sqrt(91) / dp_gdp_mu($epsilon, 1e-9))) FROM (VALUES $pairs) AS p (a, b, cells)") } 1 .. $runs;
	my $middle = int($#fit / 2);

	printf "| %g | %.4f (%.4f) | %.1f | %.4f (%.4f) | %.4f (%.4f) |\n", $epsilon, $fit[$middle][0], $fit[-1][0], $fit[$middle][1],
	  $alone[$middle], $alone[-1], $at_once[$middle], $at_once[-1];
}

# AUC on real rows of a model that gives the label's posterior
sub auc
{
	my ($model) = @_;

	return sql("WITH s AS (SELECT c14::int AS y, (dp_posterior('$model', to_jsonb(a) - 'c14'))[2] AS p FROM adult a WHERE random() < 0.2),
		r AS (SELECT y, avg(rank) OVER (PARTITION BY p) AS rank FROM (SELECT y, p, row_number() OVER (ORDER BY p) AS rank FROM s) q)
		SELECT (sum(rank) FILTER (WHERE y = 1) - count(*) FILTER (WHERE y = 1) * (count(*) FILTER (WHERE y = 1) + 1) / 2.0) / (count(*) FILTER (WHERE y = 1)::float8 * count(*) FILTER (WHERE y = 0)) FROM r");
}

# an additive model of a table, almost without noise
sub train
{
	my ($table) = @_;

	register($table);
	sql("SELECT count(*) FROM dp_gam_fit('$table', 'c14', 200, model => 'gam of $table')");
	return auc("gam of $table");
}

sql("CREATE TABLE synthetic AS SELECT * FROM dp_sample_rows('m1', (SELECT count(*) FROM adult)::int) AS t(" . join(', ', map { "$column[$_] " . ($is_number{$_ + 1} ? 'int' : 'text') } 0 .. $#size) . '); ANALYZE synthetic');
printf "\nAUC on real rows at epsilon 1: the model's own posterior %.3f, an additive model of as many synthetic rows %.3f, of the real rows %.3f\n", auc('m1'), train('synthetic'), train('adult');

my $most = sql("SET client_min_messages = error; SELECT count(*) FROM dp_synth_fit('adult', 10, 1e-9, bins => 100, workload => '$workload'); SELECT (regexp_match(pg_read_file('/proc/self/status'), 'VmHWM:\\s+(\\d+)'))[1]::int / 1024");
printf "memory of the fit's session at epsilon 10, shared buffers included: %d MB\n\n", $most;

sql("CREATE TABLE large AS SELECT a.* FROM adult a, generate_series(1, 21); ANALYZE large");
register('large');
my $start = time;
sql('SELECT count(*) FROM (SELECT count(*) FROM large GROUP BY GROUPING SETS (' . join(', ', map { my $i = $_; map { "($column[$i], $column[$_])" } $i + 1 .. $#size } 0 .. $#size) . ')) AS s');
my $grouping = time - $start;
$start = time;
sql("SELECT count(*) FROM dp_synth_fit('large', 1, 1e-9, bins => 100, rounds => 1)");
my $pass = time - $start;
printf "a million rows, 91 pairs: GROUPING SETS %.1f s; a pass with one round %.1f s, %.2f of that\n", $grouping, $pass, $pass / $grouping;
