# Keys that are not public, as an analyst gets them: who is released how often, the law of the noise, what a key of
# one person leaves behind, and the ledger.
#
# A table has thousands of keys of as many persons each, so that one call is as many releases. Shares of n keys are
# compared with the planned probability at 6 standard deviations, or where that is less by Bernstein's inequality
# at 1e-9; the mean square of n values' noise with 1 at 6 of its deviations, sqrt(2 / n), sqrt(5 / n) for Laplace
# noise.  A false alarm in less than 1e-7 of the runs for all of them; keys of one person come with delta 1e-30.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use Dpem::Test;
use Test::More;

my $keys = 2000;
my $node = start_server('keys', 'fsync = off');

$node->safe_psql('postgres', q{CREATE ROLE own LOGIN; CREATE ROLE ana LOGIN; CREATE ROLE bob LOGIN; GRANT CREATE ON SCHEMA public TO own; SET ROLE own});

# the part of what a plan says
sub planned
{
	my ($arguments, $statistic) = @_;

	return run_as($node, 'ana', "SELECT noise_stddev FROM dp_statistic_plan('count', $arguments, by => 'key') WHERE statistic = '$statistic'")->{out};
}

# the least x with 2 exp(-n x^2 / (2 v + 2 x / 3)) <= 1e-9
sub tolerance
{
	my ($n, $p) = @_;
	my $l = log(2e9) / $n;

	return $l / 3 + sqrt(($l / 3)**2 + 2 * $l * $p * (1 - $p));
}

# ---- the law: keys of each size are released as often, and with such numbers, as planned -------

sub check_law
{
	my ($name, $epsilon, $delta, $registered, $tail, $kurtosis) = @_;

	$node->safe_psql('postgres', qq{SET ROLE own; CREATE TABLE $name (person int, key text);
		SELECT dp_register_dataset('$name', '$name', 1000, 0.4$registered), dp_register_key('$name', 'key'), dp_grant_budget('ana', '$name', 1000, 0.4)});
	my $sd = planned("'$name', $epsilon, $delta", 'keys: units');
	my $threshold = planned("'$name', $epsilon, $delta", 'keys: threshold');
	my @size = (1, int($threshold - $sd), int($threshold), int($threshold + 2 * $sd), int($threshold + 12 * $sd));

	cmp_ok($size[1], '>', 1, "$name: noise $sd, threshold $threshold");
	$node->safe_psql('postgres', "INSERT INTO $name SELECT n, size || '-' || k FROM unnest('{" . join(',', @size) . "}'::int[]) AS size, generate_series(1, $keys) AS k,
		LATERAL generate_series(1, size) AS n");
	my $answer = run_as($node, 'ana', "CREATE TEMP TABLE answer AS SELECT split_part(key, '-', 1)::int AS size, value FROM dp_count('$name', $epsilon, $delta, by => 'key');
		SELECT size, count(*), avg(((value - size) / $sd) ^ 2), min(value) FROM answer GROUP BY 1 ORDER BY 1");

	is($answer->{err}, '', "$name: the call");
	my %row = map { my ($size, @rest) = split /\|/; ($size => \@rest) } split /\n/, $answer->{out};

	foreach my $size (@size)
	{
		my $p = $tail->(($threshold - $size) / $sd);
		my $share = ($row{$size}[0] // 0) / $keys;

		cmp_ok(abs($share - $p), '<', tolerance($keys, $p), sprintf('%s: of keys of %d persons %.4f are released, of %.4f', $name, $size, $share, $p));
		cmp_ok($row{$size}[2], '>=', $threshold - 1e-6, '... none below the threshold') if $row{$size};
	}
	my $square = $row{ $size[-1] }[1];
	cmp_ok(abs($square - 1), '<', 6 * sqrt($kurtosis / $keys), sprintf('%s: mean square of the noise %.3f', $name, $square));
	cmp_ok(1 - 0.25, '>', 6 * sqrt($kurtosis / $keys), 'half the noise would be seen');
	return;
}

# P(X >= x) for a standard normal deviate, by the continued fraction or the series of erf
sub normal_tail
{
	my ($x) = @_;
	my ($sum, $term) = ($x, $x);

	return 1 - normal_tail(-$x) if $x < 0;
	return 0 if $x > 11;
	foreach my $i (1 .. 400)
	{
		$term *= $x * $x / (2 * $i + 1);
		$sum += $term;
	}
	my $p = 0.5 - $sum * exp(-$x * $x / 2) / sqrt(2 * 3.14159265358979);
	return $p > 0 ? $p : 0;
}

check_law('crowd', 1, 0.02, ', keys_share => 0.5', \&normal_tail, 2);
check_law('guests', 0.5, 0.02, ", adjacency => 'add_remove', accountant => 'linear'", sub { my $x = $_[0] * sqrt(2); $x < 0 ? 1 - exp($x) / 2 : exp(-$x) / 2 }, 5);

# ---- a key that only one person has ---------------------------------------------------------

my $canary = 'canary-5f3b1c';

$node->safe_psql('postgres', qq{SET ROLE own;
	CREATE TABLE cases (person int, age float8, key text);
	INSERT INTO cases SELECT i, i % 90, CASE WHEN i <= 2000 THEN 'flu' WHEN i <= 3500 THEN 'cold' ELSE '$canary' || i END FROM generate_series(1, 3700) AS i;
	INSERT INTO cases SELECT 3701, 50, '$canary alone' FROM generate_series(1, 20000);
	ANALYZE cases;
	SELECT dp_register_dataset('cases', 'cases', 1000, 1e-4, unit => 'person', max_rows_per_unit => 3, keys_share => 0.01), dp_register_key('cases', 'key'),
		dp_register_column('cases', 'age', 0, 100), dp_grant_budget('ana', 'cases', 1000, 1e-4), dp_grant_budget('bob', 'cases', 1000, 1e-6)});

my $noisy = q{SET client_min_messages = debug1; SET debug_print_plan = on; SET debug_print_parse = on; SET debug_print_rewritten = on; SET dpem.progress = on;
	SET log_statement_stats = off; SET work_mem = '64kB';};
my $times = 40;
my $all = '';
my %seen;

foreach my $call ("dp_count('cases', 4, 1e-30, by => 'key')", "dp_avg('cases', 'age', 4, 1e-30, by => 'key')", "dp_count('cases', 4, 1e-30, by => 'key', filter => 'age < 80', column_name => 'age')")
{
	my $result = run_as($node, 'ana', "$noisy EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM $call;" . "SELECT 'key', key FROM $call;" x $times);

	$all .= "$result->{out}\n$result->{err}";
	$seen{$_}++ foreach $result->{out} =~ /^key\|(.*)$/mg;
}
unlike($all, qr/canary/, 'a rare key as canary: it is in no answer, message or plan');
is_deeply(\%seen, { flu => 3 * $times, cold => 3 * $times }, 'and the keys of many are in every answer');
unlike(run_as($node, 'ana', "SELECT * FROM dpem.columns; SELECT * FROM dpem.column_categories; SELECT * FROM dpem.ledger; SELECT * FROM dpem.budgets;
	SELECT * FROM dpem.datasets; SELECT * FROM pg_stats; SELECT * FROM pg_stat_activity; SELECT * FROM dp_statistic_plan('count', 'cases', 1, by => 'key')")->{out},
	qr/canary/, 'a rare key as canary: it is in no view');
like($node->safe_psql('postgres', "SELECT string_agg(key, ',') FROM (SELECT DISTINCT key FROM cases) k"), qr/canary/, 'it is there');
is($node->safe_psql('postgres', q{SET ROLE own; SELECT string_agg(key || ' ' || value, ',') FROM dp_count('cases', 'Infinity', by => 'key') WHERE key !~ '\d$'}),
	"$canary alone 1,cold 1500,flu 2000", 'one person in thousands of rows counts once');
is(run_as($node, 'bob', "SELECT count(*) FROM dp_count('cases', 'Infinity', by => 'key')")->{err} =~ /42501/ ? 1 : 0, 1, 'without noise it needs SELECT');

# Tables that differ in one person's rows, which have keys of their own: everything but numbers with noise is the same.
sub surface
{
	my ($name) = @_;
	my $call = "dp_count('$name', 4, 1e-30, by => 'key')";
	my $result = run_as($node, 'ana', "SET client_min_messages = debug1; SET dpem.progress = on; SELECT key, value > 100 AS many, noise_stddev FROM $call; SELECT key, noise_stddev > 0 AS noisy FROM dp_avg('$name', 'age', 4, 1e-30, by => 'key');
		EXPLAIN (ANALYZE, VERBOSE, TIMING OFF, SUMMARY OFF) SELECT * FROM $call; SELECT * FROM dp_count('$name', 4, 1e-3, by => 'key'); SELECT * FROM dp_statistic_plan('count', '$name', 4, by => 'key');
		SELECT function, line, statistic, mechanism, noise_multiplier, releases, keys_delta, mu_squared FROM dpem.ledger WHERE dataset = '$name' ORDER BY charge, line;
		SELECT role, spent_epsilon, remaining_epsilon, spent_keys_delta, charges FROM dpem.budgets WHERE dataset = '$name'");

	return "$result->{out}\n$result->{err}" =~ s/$name/DATASET/gr;
}

my %surface;

my %own_key = (near_none => 'NULL', near_rare => "'$canary'", near_many => 'i', near_long => "repeat('x', 100000)");

foreach my $name (sort keys %own_key)
{
	$node->safe_psql('postgres', qq{SET ROLE own; CREATE TABLE $name AS SELECT person, age, key FROM cases WHERE person <= 3500;
		INSERT INTO $name SELECT 5000, 'NaN', $own_key{$name} FROM generate_series(1, 3000) AS i;
		SELECT dp_register_dataset('$name', '$name', 1000, 1e-4, unit => 'person', max_rows_per_unit => 3, keys_share => 0.01), dp_register_key('$name', 'key'),
			dp_register_column('$name', 'age', 0, 100), dp_grant_budget('ana', '$name', 1000, 1e-4)});
	$surface{$name} = surface($name);
}
like($surface{near_none}, qr/flu\|t\|.*Function Scan.*keys: threshold.*DP001/s, 'there is something to see');
is($surface{$_}, $surface{near_none}, "a person's own keys are seen nowhere: $_") foreach qw(near_rare near_many near_long);

# temporary files are as ever
{
	my $counters = q{SELECT temp_files, temp_bytes FROM pg_stat_database WHERE datname = current_database()};
	my $before = run_as($node, 'ana', $counters)->{out};

	is(run_as($node, 'ana', "SET work_mem = '64kB'; SELECT count(*) FROM dp_count('crowd', 1, 1e-9, by => 'key') WHERE key IS NULL")->{out}, '0', 'thousands of keys in little memory');
	is(run_as($node, 'ana', $counters)->{out}, $before, 'temporary files are not counted');
}

# rows that lie on another server, or in partitions
$node->safe_psql('postgres', 'CREATE EXTENSION postgres_fdw; CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host \'' . $node->host . '\', port \'' . $node->port . q{', dbname 'postgres', extensions 'dpem');
	GRANT USAGE ON FOREIGN SERVER far TO own; CREATE USER MAPPING FOR own SERVER far OPTIONS (user 'own', password_required 'false');
	SET ROLE own;
	CREATE FOREIGN TABLE far_cases (person int, age float8, key text) SERVER far OPTIONS (table_name 'cases');
	CREATE TABLE parts (person int, age float8, key text) PARTITION BY RANGE (person);
	CREATE TABLE part_1 PARTITION OF parts FOR VALUES FROM (MINVALUE) TO (1000);
	CREATE TABLE part_2 PARTITION OF parts FOR VALUES FROM (1000) TO (MAXVALUE);
	INSERT INTO parts SELECT * FROM cases;
	SELECT dp_register_dataset(d, d::regclass, 1000, 1e-4, unit => 'person', max_rows_per_unit => 3, keys_share => 0.01), dp_register_key(d, 'key'), dp_grant_budget('ana', d, 1000, 1e-4)
		FROM unnest('{far_cases,parts}'::text[]) AS d});
foreach my $dataset (qw(far_cases parts))
{
	is(run_as($node, 'ana', "SELECT string_agg(key || ' ' || (abs(value - CASE key WHEN 'flu' THEN 2000 ELSE 1500 END) < 8 * noise_stddev), ',') FROM dp_count('$dataset', 4, 1e-30, by => 'key')")->{out},
		'cold true,flu true', "$dataset: keys and their numbers");
}

# ---- the ledger -----------------------------------------------------------------------------

sub failures
{
	return run_as($node, 'own', "SELECT spent_keys_delta, charges FROM dpem.budgets WHERE dataset = 'cases' AND role IS NULL")->{out};
}

my ($spent, $charges) = split /\|/, failures();

run_as($node, 'ana', "BEGIN; SELECT count(*) FROM dp_count('cases', 1, 1e-7, by => 'key'); ROLLBACK");
my ($after, $more) = split /\|/, failures();
is($more - $charges, 1, 'rolled back, the charge stands');
cmp_ok(abs($after - $spent - 5e-8), '<', 1e-15, 'and so does its failure');

my $bob = run_as($node, 'bob', "SELECT count(*) FROM dp_count('cases', 1, 1e-8, by => 'key');" x 2 . "SELECT count(*) FROM dp_count('cases', 1, 1e-8, by => 'key')");
is($bob->{out}, "2\n2", 'a share of failures: two calls that use it up');
like($bob->{err}, qr/DP001: the budget of the role allows no private keys or tests at delta 1e-08: 0 of its delta is left for them/, 'and no third');
is(run_as($node, 'bob', "SELECT count(*) FROM dp_count('cases', 1, 1e-8)")->{out}, '1', 'what is for noise goes on');
like(run_as($node, 'ana', "SELECT count(*) FROM dp_count('cases', 1, 2e-6, by => 'key')")->{err}, qr/DP001: the budget of the dataset allows no private keys or tests/, 'the dataset has a cap');
is(run_as($node, 'ana', "SELECT count(*) FROM dp_count('cases', 1, 1.8e-6, by => 'key')")->{err} , '', 'up to which');
like(run_as($node, 'ana', "SELECT count(*) FROM dp_count('cases', 1, 1e-7, by => 'key')")->{err}, qr/DP001/, 'all roles are charged');
is((split /\|/, failures())[1] - $charges, 1 + 2 + 1 + 1, 'refused calls are not');

# ---- whoever drops and registers -------------------------------------------------------------

my $again = "SELECT dp_drop_dataset('cases'); SELECT dp_register_dataset('cases', 'cases', 1000, %s, unit => 'person', max_rows_per_unit => 3, keys_share => %s),
	dp_register_key('cases', 'key'), dp_grant_budget('ana', 'cases', 1000, 1e-5)";
like(run_as($node, 'own', sprintf($again, '1e-4', '0.001'))->{err}, qr/has keys_share 0\.01/, 'another part is refused, as long as there are charges of this one');
unlike(run_as($node, 'own', sprintf($again =~ s/^.*?; //r, '1e-5', '0.01'))->{err}, qr/ERROR/, 'a smaller budget is not');
like(run_as($node, 'ana', "SELECT count(*) FROM dp_count('cases', 1, 1e-9)")->{err}, qr/DP001: the budget of the dataset allows no charge: earlier private keys and tests/, 'a smaller part that is used up by earlier charges lets nothing through');

$node->stop;
done_testing();
