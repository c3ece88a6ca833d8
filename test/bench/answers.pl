# What it takes to be given a kept answer, beside a new release of it, with few and with many answers
# in the store: medians of milliseconds in one session, and their ratios.  Run by `make
# bench-answers`; ANSWERS the many (100,000), RUNS of each.  The answers are copies of one with other
# filters, half of them, and with the same question at a lower price, the other half, so that both the
# search for a question and that among its releases is long.  Then the same questions as plain SQL of a private
# table, beside the functions, in turns: the difference of their times, and of what the backend computes
# for each, which other processes of the machine do not change much.
use strict;
use warnings;

use FindBin;

use lib $FindBin::RealBin;
use Session;

$| = 1;
my $many = $ENV{ANSWERS} // 100_000;
my $runs = $ENV{RUNS} // 31;

# label => call
my @calls = (
	[ 'dp_count', "dp_count('visits', 0.001, %s)" ],
	[ 'dp_avg by 10 categories', "dp_avg('visits', 'age', 0.001, by => 'region', %s)" ],
	[ 'dp_histogram, 1,000 bins', "dp_histogram('visits', 'age', 0.001, bins => 1000, %s)" ],
	[ 'dp_describe', "dp_describe('visits', 0.001, %s)" ]);

# query of the private table => the function's
my @queries = (
	[ 'SELECT count(*) FROM private.visits', "SELECT value FROM dp_count('visits', 0.001, delta => 1e-6)" ],
	[ 'SELECT avg(age) FROM private.visits', "SELECT value FROM dp_avg('visits', 'age', 0.001, delta => 1e-6)" ],
	[ 'SELECT region, avg(age) FROM private.visits GROUP BY region', "SELECT key, value FROM dp_avg('visits', 'age', 0.001, by => 'region', delta => 1e-6)" ]);

sub register
{
	session("CREATE EXTENSION dpem; SET client_min_messages = error; SET dpem.fresh = off;
		CREATE TABLE visits AS SELECT (i % 100)::float8 AS age, 'r' || i % 10 AS region FROM generate_series(1, 100000) AS i;
		VACUUM ANALYZE visits;
		SELECT dp_register_dataset('visits', 'visits', 1000, 1e-3), dp_register_column('visits', 'age', 0, 100),
			dp_register_column('visits', 'region', (SELECT array_agg(DISTINCT region) FROM visits)), dp_grant_budget(current_user::regrole, 'visits', 1000, 1e-3);");
	return;
}

sub fill
{
	session("INSERT INTO dpem_internal.answer (dataset, role, incarnation, charge, function, question, facts, epsilon, delta, answered_at, statistic, key, value, noise_stddev, ci_lower, ci_upper, rank_error, adds)
		SELECT dataset, role, incarnation, charge, function, CASE WHEN i % 2 = 0 THEN question ELSE question || i END, facts, epsilon / 2, delta, answered_at, statistic, key, value, noise_stddev, ci_lower, ci_upper, rank_error, adds
		FROM (SELECT * FROM dpem_internal.answer WHERE question LIKE 'count with %' LIMIT 1) AS a, generate_series(1, $many) AS i;
		ANALYZE dpem_internal.answer;");
	return;
}

sub measure
{
	my ($call, $fresh) = @_;
	my $sql = 'SELECT count(*) FROM ' . sprintf($call, "fresh => $fresh");

	return median(map { milliseconds($sql) } 1 .. $runs);
}

sub table
{
	my ($title) = @_;

	printf "%s\n\n| call | new, ms | given again, ms | ratio |\n|---|---|---|---|\n", $title;
	foreach my $call (@calls)
	{
		my ($new, $again) = (measure($call->[1], 'true'), measure($call->[1], 'false'));

		printf "| %s | %.1f | %.2f | 1 / %.0f |\n", $call->[0], $new, $again, $new / $again;
	}
	print "\n";
	return;
}

# milliseconds of the backend's processor time for one of many
sub computing
{
	my ($backend, $query) = @_;
	my ($before) = processor_time($backend);

	session("$query;") foreach 1 .. 4 * $runs;
	my ($after) = processor_time($backend);
	return ($after - $before) / (4 * $runs);
}

# how much longer one query takes than another, asked in turns: the median of the differences
sub waiting
{
	my ($query, $other) = @_;

	return median(map { milliseconds($query) - milliseconds($other) } 1 .. 4 * $runs);
}

sub private_table
{
	session("CREATE SCHEMA private; SELECT dp_publish('visits', 'private'); SET dpem.epsilon = 0.001;");
	my ($backend) = session('SELECT pg_backend_pid();');

	print "A private table: processor time, and how much longer it takes\n\n",
		"| query | new, ms | the function, ms | more, ms | longer, ms | given again, ms |\n|---|---|---|---|---|---|\n";
	foreach my $pair (@queries)
	{
		session('SET dpem.fresh = on;');
		my ($table, $function) = map { computing($backend, $_) } @$pair;
		my $longer = waiting(@$pair);

		session('SET dpem.fresh = off;');
		printf "| %s | %.2f | %.2f | %.2f | %.2f | %.2f |\n", $pair->[0], $table, $function, $table - $function, $longer, computing($backend, $pair->[0]);
	}
	print "\n";
	return;
}

open_session();
register();
table('A store of no other answers');
fill();
table("With $many others");
private_table();
close_session();
