# A private foreign table: no row leaves it, one query pays once and gets one draw, and neither plans,
# statistics nor functions of the analyst's see anything of the rows.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_people('foreign_table', conf => q{
	track_functions = all
	dpem.fresh = off
	max_prepared_transactions = 2
	min_parallel_table_scan_size = 0
	parallel_setup_cost = 0
	parallel_tuple_cost = 0
});

create_people($node);
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');

# `few` and `crowd` are neighbours that no planner may tell apart
$node->safe_psql('postgres', q{
	CREATE SCHEMA private AUTHORIZATION own;
	CREATE TABLE public.big AS SELECT i % 4 AS i FROM generate_series(1, 100000) i;
	ANALYZE public.big;
	GRANT SELECT ON public.big TO PUBLIC;
	CREATE ROLE eve LOGIN;
	GRANT CREATE ON SCHEMA public TO eve;
	SET ROLE own;
	GRANT USAGE ON SCHEMA private TO PUBLIC;
	CREATE TABLE few (x float8, y float8, kind text);
	INSERT INTO few SELECT sin(i), cos(i), 'a' FROM generate_series(1, 10) i;
	CREATE TABLE crowd (LIKE few);
	INSERT INTO crowd SELECT 9, 9, 'b' FROM generate_series(1, 50000) i;
	ANALYZE few, crowd;
	SELECT dp_register_dataset(name, name, 100, 1e-2, adjacency => 'add_remove'), dp_register_column(name, 'x', -10, 10), dp_register_column(name, 'y', -10, 10),
		dp_register_column(name, 'kind', '{a,b}'::text[]), dp_grant_budget('ana', name, 50, 1e-3), dp_grant_budget('eve', name, 50, 1e-3) FROM unnest(ARRAY['few', 'crowd']) name;
	SELECT dp_publish(name, 'private') FROM unnest(ARRAY['people', 'counted', 'slow', 'few', 'crowd']) name;
	GRANT SELECT ON ALL TABLES IN SCHEMA private TO ana, eve;
	GRANT INSERT, UPDATE, DELETE, TRUNCATE ON private.counted TO ana});

my $spend = 'SET dpem.epsilon = 0.1; SET dpem.answer_age = 0;';

# what a statement paid, how many passes it read (by default, one for each charge), and what it said; the table has 200 rows
sub paid_ok
{
	my ($sql, $charges, $name, $passes) = @_;
	my @before = (charges($node), reads($node));
	my $result = run_as($node, 'ana', "$spend $sql");
	my @after = (charges($node), reads($node));

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($result->{err}, '', "$name: no error");
	is($after[0] - $before[0], $charges, "$name: $charges charge");
	is($after[1] - $before[1], 200 * ($passes // $charges), "$name: as many passes as it has questions");
	return $result->{out};
}

sub same_ok
{
	my ($out, $values, $name) = @_;
	my %seen = map { $_ => 1 } split /\n/, $out;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is(scalar keys %seen, $values, "$name: one draw");
	return;
}

# ---- one query pays once -------------------------------------------------------

my $count = 'SELECT count(*) AS n FROM private.counted';

same_ok(paid_ok("SELECT s.n FROM generate_series(1, 4), ($count OFFSET 0) s", 1, 'a join with many rows'), 1, 'a join with many rows');
same_ok(paid_ok("SET enable_material = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SELECT s.n FROM big CROSS JOIN LATERAL ($count OFFSET 0) s WHERE big.i = 1 LIMIT 300", 1, 'rescans'), 1, 'rescans');
same_ok(paid_ok("SELECT (SELECT n + 0 * g * random()::int FROM ($count) s) FROM generate_series(1, 5) g", 1, 'a subquery in a volatile context'), 1, 'a subquery in a volatile context');
same_ok(paid_ok("SELECT s.n FROM generate_series(1, 3) g, LATERAL ($count) s", 1, 'LATERAL'), 1, 'LATERAL');
same_ok(paid_ok("WITH RECURSIVE t(i, n) AS (SELECT 1, 0::bigint UNION ALL SELECT i + 1, s.n FROM t, ($count OFFSET 0) s WHERE i < 5) SELECT n FROM t WHERE n <> 0", 1, 'a recursive query'), 1, 'a recursive query');
same_ok(paid_ok("BEGIN; DECLARE c SCROLL CURSOR WITH HOLD FOR $count; FETCH NEXT FROM c; FETCH PRIOR FROM c; FETCH FIRST FROM c; COMMIT; MOVE ABSOLUTE 0 IN c; FETCH NEXT FROM c", 1, 'a cursor'), 1, 'a cursor');
paid_ok('BEGIN; DECLARE c CURSOR FOR SELECT kind, count(*) FROM private.few GROUP BY kind; COMMIT', 0, 'a cursor that nobody reads');
like(paid_ok("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) $count", 1, 'EXPLAIN ANALYZE'), qr/epsilon 0\.1/, '... is a query, and says its price');
paid_ok("EXPLAIN (VERBOSE, COSTS ON) $count", 0, 'EXPLAIN');
paid_ok("COPY ($count) TO STDOUT", 1, 'COPY from a query');
paid_ok("CREATE TEMP TABLE t AS $count", 1, 'CREATE TABLE AS');
same_ok(paid_ok("SELECT s.n FROM generate_series(1, 4) g, LATERAL (SELECT sum(n) AS n FROM (SELECT count(*) AS n FROM private.counted GROUP BY ROLLUP (floor(x / 5))) r) s", 1, 'grouping sets in rescans', 2), 1, 'grouping sets in rescans');
paid_ok("EXPLAIN SELECT count(*) FROM private.counted GROUP BY ROLLUP (floor(x / 5)), CUBE (floor(y / 5))", 0, 'EXPLAIN of grouping sets');

# of a sum, as two noisy counts are the same number once in fifty times
my $twice = paid_ok("PREPARE q(float8) AS SELECT sum(x) FROM private.counted WHERE x > \$1; SET plan_cache_mode = force_generic_plan; EXECUTE q(-3); EXECUTE q(-3)", 2, 'a generic plan, twice');
like($twice, qr/^[-+.\de]+\n[-+.\de]+$/, '... gives two numbers');
unlike($twice, qr/^(\S+)\n\1$/, '... is two questions, as answers are not kept');
my ($first, $second) = split /\n/, run_as($node, 'ana', "SET dpem.epsilon = 0.1; $count WHERE y > -3; $count WHERE y > -3")->{out};
is($second, $first, 'a kept answer is the same');

# it goes with its transaction, and what was paid does not
my $before = charges($node);
run_as($node, 'ana', "SET dpem.epsilon = 0.1; BEGIN; $count WHERE y > -2; ROLLBACK; $count WHERE y > -2; $count WHERE y > -2");
is(charges($node) - $before, 2, 'an answer that was rolled back is paid for again');

# ---- parallel plans ------------------------------------------------------------

my $plan = run_as($node, 'ana', "$spend EXPLAIN (COSTS OFF) SELECT s.n, count(*) FROM big, ($count) s GROUP BY 1; EXPLAIN (COSTS OFF) SELECT n FROM (SELECT count(*) AS n FROM big) b, ($count) s(m)")->{out};
like($plan, qr/Gather/, 'the other table would be read in parallel');
same_ok(paid_ok("SELECT s.n FROM (SELECT count(*) FROM big) b, ($count) s", 1, 'beside a parallel scan'), 1, 'beside a parallel scan');
$node->safe_psql('postgres', q{CREATE FUNCTION counting() RETURNS bigint LANGUAGE plpgsql PARALLEL SAFE AS 'BEGIN RETURN (SELECT count(*) FROM private.few); END';
	ALTER FUNCTION counting() OWNER TO ana});
refused_ok($node, 'ana', "$spend SET parallel_leader_participation = off; SELECT sum(counting()) FROM big", '25000', 'a function that says it is safe, in workers');

# ---- rows ----------------------------------------------------------------------

foreach my $sql ('SELECT * FROM private.counted', 'SELECT * FROM private.counted LIMIT 2000', 'SELECT x FROM private.counted ORDER BY x LIMIT 1', 'SELECT count(*) FROM (SELECT x FROM private.counted OFFSET 0) s',
	'SELECT count(*) FROM private.counted a, private.counted b', 'SELECT count(*) FROM private.counted, big', 'SELECT EXISTS (SELECT FROM private.counted WHERE x > 3)', 'SELECT 1 WHERE 3 IN (SELECT x FROM private.counted)',
	'SELECT ctid FROM private.counted', 'SELECT c FROM private.counted c', 'SELECT to_jsonb(c) FROM private.counted c', 'SELECT array_agg(c) FROM private.counted c', 'SELECT min(x) FROM private.counted', 'SELECT any_value FROM (SELECT mode() WITHIN GROUP (ORDER BY x) AS any_value FROM private.counted) s',
	'SELECT x, count(*) FROM private.counted GROUP BY x', 'SELECT DISTINCT x FROM private.counted', 'SELECT lag(x) OVER () FROM private.counted', 'SELECT * FROM private.counted FOR UPDATE', 'TABLE private.counted', 'COPY (TABLE private.counted) TO STDOUT', 'CREATE TEMP TABLE t AS TABLE private.counted',
	'INSERT INTO private.counted VALUES (1)', 'DELETE FROM private.counted WHERE x > 3', 'UPDATE private.counted SET x = 1 RETURNING *', 'TRUNCATE private.counted', 'MERGE INTO private.counted c USING big ON c.x = big.i WHEN MATCHED THEN DO NOTHING')
{
	my $state = sqlstate(run_as($node, 'ana', "$spend $sql"));

	like($state, qr/^(0A000|42809|42501|55000|42P10|HV00\w)$/, "refused: $sql") or diag($state);
}
{
	my ($charged, $read) = (charges($node), reads($node));

	run_as($node, 'ana', "$spend SELECT * FROM private.counted; SELECT max(x) FROM private.counted; SELECT count(*) FROM private.counted, big");
	is(charges($node) . ' ' . reads($node), "$charged $read", 'what is refused is neither charged nor read');
}

# ---- functions of the analyst's --------------------------------------------------

my $spies = q{
	CREATE FUNCTION pg_temp.spy(v float8) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$BEGIN RAISE NOTICE 'saw %', v; RETURN true; END$$;
	CREATE FUNCTION pg_temp.spy(v text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$BEGIN RAISE NOTICE 'saw %', v; RETURN true; END$$;
	CREATE FUNCTION pg_temp.spy2(a float8, b float8) RETURNS boolean LANGUAGE plpgsql IMMUTABLE COST 0.0001 AS $$BEGIN RAISE NOTICE 'saw %', a; RETURN true; END$$;
	CREATE OPERATOR public.<~> (LEFTARG = float8, RIGHTARG = float8, FUNCTION = pg_temp.spy2);};

foreach my $sql ('WHERE pg_temp.spy(x)', 'WHERE x OPERATOR(public.<~>) 3', 'WHERE x > 0 AND pg_temp.spy(x)', 'WHERE x > 0 OR pg_temp.spy(y)', 'WHERE CASE WHEN pg_temp.spy(x) THEN true END',
	'HAVING bool_and(pg_temp.spy(x))', 'GROUP BY pg_temp.spy(x)', 'WHERE x = ANY (ARRAY[y, 3])', 'WHERE (x, y) = (1, 2) AND pg_temp.spy(x + y)')
{
	my $result = run_as($node, 'ana', "$spend $spies SELECT count(*) FROM private.counted $sql");

	isnt(sqlstate($result), '', "refused: a function on a column, $sql");
	unlike($result->{err}, qr/saw/, '... which sees nothing');
}
my $seen = run_as($node, 'ana', "$spend $spies SELECT count(*) FROM private.crowd WHERE pg_temp.spy(kind)")->{err};
like($seen, qr/saw a/, 'a function of a label sees its public categories');
is(join(' ', sort keys %{ { map { $_ => 1 } $seen =~ /saw (\S+)/g } }), '<NULL> a b', '... and nothing else');

# ---- plans and statistics --------------------------------------------------------

sub plan_of
{
	my ($table, $query) = @_;
	my $out = run_as($node, 'ana', "$spend EXPLAIN (VERBOSE) " . sprintf($query, "private.$table"))->{out};

	return $out =~ s/\b$table\b/TABLE/gr;
}

foreach my $query ('SELECT count(*), avg(x) FROM %s', 'SELECT kind, sum(x) FROM %s WHERE y > 3 GROUP BY kind ORDER BY 2', 'SELECT * FROM %s WHERE x > 8', 'SELECT count(*) FROM %s, big WHERE x = i', 'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM %s')
{
	is(plan_of('crowd', $query), plan_of('few', $query), "the same plan for 10 and for 50,000 rows: $query");
}
run_as($node, $superuser, 'ANALYZE private.crowd; ANALYZE');
is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_stats WHERE schemaname = 'private'}), '0', 'ANALYZE makes no statistics of it');
is($node->safe_psql('postgres', q{SELECT string_agg(DISTINCT reltuples::text, ' ') FROM pg_class WHERE relnamespace = 'private'::regnamespace}), '-1', '... nor a number of rows');
my $counters = q{SELECT coalesce(sum(seq_scan + seq_tup_read), 0) FROM pg_stat_all_tables WHERE schemaname = 'private' OR relname IN ('few', 'crowd')};
my $counted = run_as($node, 'ana', $counters)->{out};
ok_as($node, 'ana', "$spend SELECT count(*), avg(x) FROM private.crowd", 'a query');
is(run_as($node, 'ana', "SELECT pg_sleep(1); $counters")->{out} =~ s/^\n//r, $counted, 'pg_stat views count nothing of it');

# ---- whose budget ----------------------------------------------------------------

$node->safe_psql('postgres', q{
	SET ROLE eve;
	CREATE VIEW public.bait AS SELECT count(*) AS n FROM private.counted;
	CREATE VIEW public.fair WITH (security_invoker) AS SELECT count(*) AS n FROM private.counted;
	CREATE FUNCTION public.trap() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM private.counted';
	GRANT SELECT ON public.bait, public.fair TO ana});
refused_ok($node, 'ana', "$spend SELECT * FROM bait", '42501', 'a view of another role');
refused_ok($node, 'ana', "$spend SELECT trap()", '42501', 'a function of another role');
paid_ok('SELECT n > -1000 FROM fair', 1, 'a view with the rights of whoever reads it');
refused_ok($node, 'eve', "$spend SELECT count(*) FROM private.counted", '42501', 'a role with SELECT and no share');
$node->safe_psql('postgres', 'REVOKE SELECT ON private.counted FROM ana');
refused_ok($node, 'ana', "$spend SELECT count(*) FROM private.counted", '42501', 'a role with a share and no SELECT');
$node->safe_psql('postgres', 'GRANT SELECT ON private.counted TO ana');
refused_ok($node, 'ana', "$spend CREATE MATERIALIZED VIEW m AS $count", '42501', 'a materialized view');
refused_ok($node, 'ana', "$spend BEGIN READ ONLY ISOLATION LEVEL SERIALIZABLE; $count", '25006', 'a read-only transaction that is serializable');

# a table of one's own on the server is no way round: it has no rights but its reader's
my $own = q{CREATE FOREIGN TABLE mine (x float8, y float8) SERVER dpem OPTIONS (dataset 'counted');};
refused_ok($node, 'eve', "$spend $own SELECT count(*) FROM mine", '42501', "a foreign table of one's own");
refused_ok($node, 'ana', "$spend " . $own =~ s/mine/wrong/r =~ s/x float8/x bigint/r . ' SELECT count(*) FROM wrong', 'DP004', '... with other types');
refused_ok($node, 'ana', "$spend " . $own =~ s/mine/unknown/r =~ s/x float8/xmin2 float8/r . ' SELECT count(*) FROM unknown', '42703', '... with other columns');
refused_ok($node, 'ana', "$spend CREATE TABLE parent (x float8, y float8); CREATE FOREIGN TABLE child () INHERITS (parent) SERVER dpem OPTIONS (dataset 'counted'); SELECT count(*) FROM parent", '0A000', 'a child of a table');

# kept answers are the payer's; what a session was told is the role's that it told it to
is(run_as($node, 'ana', "SET dpem.epsilon = 0.1; $count WHERE y > -3")->{err}, '', 'one who paid reads it again');
refused_ok($node, 'eve', "SET dpem.epsilon = 0.1; $count WHERE y > -3", '42501', 'one who did not pay');
refused_ok($node, 'ana', 'SELECT * FROM dpem_internal.answer', '42501', 'the table of answers');
$node->safe_psql('postgres', q{CREATE FUNCTION public.peep() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM dpem.last_answer'; ALTER FUNCTION public.peep() OWNER TO eve});
is(run_as($node, 'ana', "$spend $count WHERE y > -1; SELECT peep(), (SELECT count(*) FROM dpem.last_answer)")->{out} =~ s/.*\n//r, '0|1', "another role's function does not see the last answer");

# ... and shows categories and bounds to those who see them in dpem.columns
$node->safe_psql('postgres', q{
	SET ROLE own;
	CREATE TABLE hidden (x float8, kind text);
	INSERT INTO hidden SELECT i, 'b' FROM generate_series(1, 100) i;
	SELECT dp_register_dataset('hidden', 'hidden', 100, 1e-2, adjacency => 'add_remove', keys_share => 0.1), dp_register_column('hidden', 'x', 0, 100), dp_register_column('hidden', 'kind', '{a,b}'::text[]),
		dp_grant_budget('ana', 'hidden', 50, 1e-3), dp_publish('hidden', 'private');
	GRANT SELECT ON private.hidden TO ana});
my $strange = q{CREATE FOREIGN TABLE public.strange (x float8, kind text) SERVER dpem OPTIONS (dataset 'hidden');};
foreach my $sql ('SELECT DISTINCT kind FROM strange', 'SELECT floor(x / 10) FROM strange GROUP BY 1', 'SELECT * FROM strange LIMIT 0', 'EXPLAIN SELECT count(*), sum(x) FROM strange')
{
	refused_ok($node, 'eve', "$spend BEGIN; $strange $sql", '42501', "what a dataset is like, for a stranger: $sql");
}
refused_ok($node, 'eve', q{SELECT dp_count('hidden', 0.1, filter => 'kind = ''c''')}, '42501', 'a guess of a category, by a stranger');

# ---- what is altered meanwhile -----------------------------------------------------

# asks, lets the owner change something, and asks again
sub after
{
	my ($sql, $change) = @_;

	run_as($node, 'ana', "SET dpem.epsilon = 10; $sql");
	$node->safe_psql('postgres', "SET ROLE own; $change");
	my $result = run_as($node, 'ana', "SET dpem.epsilon = 10; $sql");
	return join ' ', sort split /\n/, "$result->{out}\n$result->{err}";
}

my $kinds = 'SELECT kind, count(*) > 50 FROM private.hidden GROUP BY kind';
like(after($kinds, q{SELECT dp_register_column('hidden', 'kind', '{b,a}'::text[])}), qr/^ ?a\|f b\|t$/, 'a kept answer is not given under the names of other groups');
like(after($kinds, q{SELECT dp_register_key('hidden', 'kind')}), qr/^ ?b\|t$/, '... nor for a key that was a label');
$node->safe_psql('postgres', q{SET ROLE own; SELECT dp_register_column('hidden', 'kind', '{a,b}'::text[])});
{
	my $session = $node->background_psql('postgres', extra_params => [ '-U', 'ana' ]);

	$session->query_safe("$spend SET dpem.epsilon = 10; BEGIN; DECLARE c CURSOR FOR $kinds");
	$node->safe_psql('postgres', q{SET ROLE own; SELECT dp_alter_dataset('hidden', epsilon => 99)});
	is(join(' ', sort split /\n/, $session->query_safe('FETCH ALL FROM c')), 'a|f b|t', 'a cursor over a dataset that was altered since');
	$session->quit;
}

# ---- dates, integers, booleans and enums -------------------------------------------

$node->safe_psql('postgres', q{
	SET ROLE own;
	CREATE TYPE public.mood AS ENUM ('sad', 'glad');
	CREATE TABLE dated (day date, at timestamptz, n int, flag boolean, mood mood);
	INSERT INTO dated SELECT date '2020-01-01' + i, timestamptz '2020-01-01' + i * interval '1 hour', i, i % 2 = 0, 'sad' FROM generate_series(1, 20) i;
	CREATE TABLE outdated (LIKE dated);
	INSERT INTO outdated SELECT 'infinity', '1900-01-01', -77, true, 'glad' FROM generate_series(1, 50000) i;
	ANALYZE dated, outdated;
	SELECT dp_register_dataset(name, name, 100, 1e-2, adjacency => 'add_remove'), dp_register_column(name, 'day', '2020-01-01', '2020-12-31'), dp_register_column(name, 'at', '2020-01-01', '2020-12-31'),
		dp_register_column(name, 'n', 0, 100), dp_register_column(name, 'flag'), dp_register_column(name, 'mood'), dp_grant_budget('ana', name, 50, 1e-3), dp_publish(name, 'private') FROM unnest(ARRAY['dated', 'outdated']) name;
	GRANT SELECT ON private.dated, private.outdated TO ana});
my $charged = charges($node);
ok_as($node, 'ana', "$spend SET default_transaction_read_only = on; SELECT count(*) FROM private.dated WHERE n < 7; BEGIN; SELECT extract(dow FROM day), count(*) FROM private.dated GROUP BY 1; ROLLBACK", 'read-only transactions');
is(charges($node) - $charged, 2, '... pay, and what is rolled back is paid');
my $kind_spies = q{
	CREATE FUNCTION public.spy(v date) RETURNS date LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE NOTICE 'saw %', v; RETURN v; END$$;
	CREATE FUNCTION public.spy(v int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE NOTICE 'saw %', v; RETURN v; END$$;
	CREATE FUNCTION public.date_trunc(u text, v date) RETURNS date LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE NOTICE 'saw %', v; RETURN v; END$$;
	CREATE FUNCTION public.spy2(a int, b int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$BEGIN RAISE NOTICE 'saw %', a; RETURN true; END$$;
	CREATE OPERATOR public.<~~> (LEFTARG = int, RIGHTARG = int, FUNCTION = public.spy2, COMMUTATOR = OPERATOR(public.<~~>));};
$node->safe_psql('postgres', "GRANT CREATE ON SCHEMA public TO ana");
run_as($node, 'ana', $kind_spies);
foreach my $sql ('SELECT count(*) FROM private.dated WHERE spy(day) > \'2020-02-02\'', 'SELECT count(*) FROM private.dated WHERE n OPERATOR(public.<~~>) 3', 'SELECT spy(n), count(*) FROM private.dated GROUP BY 1',
	'SELECT public.date_trunc(\'month\', day), count(*) FROM private.dated GROUP BY 1', 'SELECT count(*) FROM private.dated WHERE n = ANY (ARRAY[spy(n), 3])', 'SELECT n + spy(n), count(*) FROM private.dated GROUP BY 1',
	'SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY spy(n)) FROM private.dated', 'SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY day USING OPERATOR(pg_catalog.>)), min(day) FROM private.dated', 'SELECT min(at), max(n) FROM private.dated',
	'SELECT day, n FROM private.dated', 'SELECT at, count(*) FROM private.dated GROUP BY 1', 'SELECT count(*) FROM private.dated WHERE spy(n) * n > 4', 'SELECT spy(n) % 3, count(*) FROM private.dated GROUP BY 1', 'SELECT extract(dow FROM spy(day)), count(*) FROM private.dated GROUP BY 1', 'SELECT CASE n WHEN spy(n) THEN 1 ELSE 2 END, count(*) FROM private.dated GROUP BY 1', 'SELECT n % 3 + random(), count(*) FROM private.dated GROUP BY 1', 'SELECT bool_or(flag) FROM private.dated', 'SELECT array_agg(mood) FROM private.dated', 'SELECT flag FROM private.dated WHERE flag')
{
	my $result = refused_ok($node, 'ana', "$spend $sql", '0A000', "a typed column: $sql");

	unlike($result->{err}, qr/saw/, '... and nothing sees it');
}
foreach my $query ('SELECT date_trunc(\'month\', day), count(*), sum(n) FROM %s WHERE at > \'2020-02-02\' GROUP BY 1', 'SELECT flag, mood, count(*) FROM %s GROUP BY CUBE (flag, mood)', 'SELECT mood, percentile_disc(0.5) WITHIN GROUP (ORDER BY day) FROM %s WHERE flag GROUP BY 1')
{
	is(plan_of('outdated', $query), plan_of('dated', $query), "the same plan for 20 and for 50,000 rows: $query");
}
{
	my $out = run_as($node, 'ana', "$spend SET dpem.epsilon = 20; SELECT count(*) FROM (SELECT day, count(*) AS n FROM private.outdated GROUP BY 1) s WHERE n > 1000; SELECT percentile_disc(0.9) WITHIN GROUP (ORDER BY at) BETWEEN '2020-01-01' AND '2020-01-03' FROM private.outdated");

	is($out->{out}, "0\nt", 'dates and times outside of the domain do not show') or diag($out->{err});
}
refused_ok($node, 'ana', q{SELECT dp_register_column('dated', 'day', '2020-01-01', '2021-01-01')}, '42501', 'a domain, by another than the owner');
refused_ok($node, 'ana', q{SELECT dp_register_column('dated', 'flag')}, '42501', '... of a boolean');
refused_ok($node, 'ana', q{SELECT dp_count('dated', 0.1, filter => 'day >= ''2020-01-01''''::date OR true --''')}, '22023', 'SQL in a date of a filter');

# ---- numbers that one cannot be added to -------------------------------------------

refused_ok($node, 'ana', "$spend SET statement_timeout = '20s'; SELECT floor(x * 20 + 1e17), count(*) FROM private.hidden GROUP BY 1", '0A000', 'groups beyond the whole numbers that a double has');

# ---- another server on top ---------------------------------------------------------

SKIP:
{
	skip 'no postgres_fdw', 3 if ($node->psql('postgres', 'CREATE EXTENSION postgres_fdw'))[0] != 0;
	my ($host, $port) = ($node->host, $node->port);

	$node->safe_psql('postgres', qq{
		CREATE SERVER loop FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port', dbname 'postgres', options '-c dpem.epsilon=0.1 -c dpem.answer_age=0');
		CREATE USER MAPPING FOR ana SERVER loop OPTIONS (user 'ana', password_required 'false');
		GRANT USAGE ON FOREIGN SERVER loop TO ana;
		CREATE FOREIGN TABLE public.remote (x float8, y float8) SERVER loop OPTIONS (schema_name 'private', table_name 'counted');
		GRANT SELECT ON public.remote TO ana});
	isnt(sqlstate(run_as($node, 'ana', 'SELECT x FROM remote')), '', 'postgres_fdw gets no row');
	my $read = reads($node);
	isnt(sqlstate(run_as($node, 'ana', 'SELECT count(*) FROM remote WHERE x > random()')), '', '... where it would compute here');
	is(reads($node), $read, '... and none was read');
}

# ---- cancelled and failed -----------------------------------------------------------

{
	my $paid = charges($node);
	my $result = run_as($node, 'ana', "$spend SET statement_timeout = '3s'; SELECT count(*) FROM private.slow");

	is(sqlstate($result), '57014', 'a query that is cancelled');
	is(charges($node) - $paid, 1, '... has paid');
}

done_testing();
