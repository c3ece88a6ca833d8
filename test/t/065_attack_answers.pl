# Kept answers: who is given them, what that costs whom, and that nothing in the store shows a role
# what it could not ask.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_people('answers', conf => "dpem.fresh = off\n");

create_people($node);
$node->safe_psql('postgres', q{
	CREATE ROLE bob LOGIN;
	CREATE ROLE eve LOGIN;
	CREATE ROLE poor LOGIN;
	SET ROLE own;
	SELECT dp_grant_budget('bob', 'counted', 20, 1e-3), dp_grant_budget('poor', 'counted', 0.05, 1e-3)});

# spent of the dataset's budget, of a role's share, and rows read so far
sub spent
{
	my ($role) = @_;

	return split /\|/, $node->safe_psql('postgres', qq{
		SELECT (SELECT spent_epsilon FROM dpem.budgets WHERE dataset = 'counted' AND role IS NULL),
			(SELECT spent_epsilon FROM dpem.budgets WHERE dataset = 'counted' AND role = '$role'),
			(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM people_reads)});
}

# runs it and says what has risen: of 'dataset', 'share', 'reads'
sub risen
{
	my ($role, $sql) = @_;
	my @before = spent($role);
	my $result = run_as($node, $role, $sql);
	my @after = spent($role);
	my @name = qw(dataset share reads);

	return ($result, join ' ', map { $name[$_] } grep { $after[$_] > $before[$_] } 0 .. 2);
}

my $count = "SELECT value FROM dp_count('counted', 0.5, filter => 'x > 1')";

# ---- two roles -------------------------------------------------------------------

my ($paid, $rose) = risen('ana', $count);
is($rose, 'dataset share reads', 'who asks first pays, and rows are read');
($_, $rose) = risen('ana', $count);
is("$_->{out} $rose", "$paid->{out} ", 'again: the same number, nothing paid, nothing read');
like($_->{err}, qr/given again, which costs nothing/, '... and a NOTICE says so');

my ($read, $cost) = risen('bob', $count);
is("$read->{out} $cost", "$paid->{out} share", 'what another role paid for: its own share pays, the dataset does not, nothing is read');
is((spent('bob'))[1], (spent('ana'))[1], '... as much as who paid first');
like($read->{err}, qr/your share of the budget pays once/, '... and a NOTICE says so');
unlike($read->{err}, qr/ana/, '... without a name');
($read, $cost) = risen('bob', $count);
is("$read->{out} $cost", "$paid->{out} ", '... once');
is($node->safe_psql('postgres', q{SELECT bool_and(agrees), bool_and(wrong_from IS NULL) FROM dp_check_ledger('counted')}), 't|t', 'ledger and totals agree');
is($node->safe_psql('postgres', q{SELECT count(*) FROM dpem.ledger WHERE reads IS NOT NULL}), '1', 'the ledger says who reads what');

# not for a price that nobody agreed to
($_, $cost) = risen('bob', "SELECT value FROM dp_count('counted', 0.1, filter => 'x > 2'); SELECT value FROM dp_count('counted', 0.2, filter => 'x > 2')");
is($cost, 'dataset share reads', 'a role that asks twice at rising prices pays twice');
($_, $cost) = risen('ana', "SELECT value FROM dp_count('counted', 0.15, filter => 'x > 2')");
is($cost, 'dataset share reads', "another role's answer at another price is not charged for");

# ---- who may not -----------------------------------------------------------------

refused_ok($node, 'eve', $count, '42501', 'a role without a share: a kept answer');
refused_ok($node, 'poor', $count, 'DP001', 'a role whose share is too small: a kept answer');
my $nobody = run_as($node, 'poor', "SELECT value FROM dp_count('counted', 0.5, filter => 'x > 1.5')")->{err} =~ s/^.*?ERROR/ERROR/sr;
is(run_as($node, 'poor', $count)->{err} =~ s/^.*?ERROR/ERROR/sr, $nobody, '... and the error does not tell whether somebody has asked it');
is(run_as($node, 'eve', 'SELECT count(*) FROM dpem.answers')->{out}, '0', 'the view shows nothing to a role that paid nothing');
is(run_as($node, 'own', 'SELECT count(*) FROM dpem.answers')->{out}, '0', "nor to the dataset's owner, what analysts typed");
foreach my $sql ('SELECT * FROM dpem_internal.answer', 'DELETE FROM dpem_internal.answer', 'UPDATE dpem_internal.answer SET value = NULL', 'INSERT INTO dpem_internal.answer SELECT * FROM dpem_internal.answer', "SELECT nextval('dpem_internal.answer_id_seq')")
{
	refused_ok($node, 'ana', $sql, '42501', "the store itself: $sql");
}
run_as($node, 'ana', q{SELECT value FROM dp_count('counted', 0.5, filter => 'x > 3.1415 or x = 0.7071')});
is(run_as($node, 'bob', q{SELECT count(*) FROM dpem.answers WHERE question LIKE '%3.1415%'})->{out}, '0', "words that another role typed are not shown");
is(run_as($node, 'bob', q{SELECT count(*) > 0 FROM dpem.answers WHERE question LIKE '%x > 1 %'})->{out}, 't', "... but one's own, when they were given an answer");
my $leaky = q{CREATE FUNCTION pg_temp.leak(t text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$BEGIN RAISE NOTICE 'saw %', t; RETURN true; END$$;};
unlike(run_as($node, 'bob', "$leaky SELECT count(*) FROM dpem.answers WHERE pg_temp.leak(question)")->{err}, qr/3\.1415/, 'a cheap function in WHERE is not run before the view has chosen');

$node->safe_psql('postgres', qq{GRANT CREATE ON SCHEMA public TO bob; SET ROLE bob;
	CREATE FUNCTION public.lend() RETURNS float8 LANGUAGE sql SECURITY DEFINER AS \$\$$count\$\$});
refused_ok($node, 'eve', 'SELECT lend()', '42501', "another role's function does not spend its share on readers");
refused_ok($node, 'ana', "BEGIN READ ONLY ISOLATION LEVEL SERIALIZABLE; SELECT value FROM dp_count('counted', 0.5, filter => 'x > 9')", '25006', 'a read-only transaction');

# ---- guesses that cost nothing ---------------------------------------------------

# the whole error, of a question that ana has asked and of one that nobody has
sub errors_of
{
	my ($role, $dataset, $before) = @_;

	return map { run_as($node, $role, "$before SELECT value FROM dp_count('$dataset', 0.9, 1e-5, filter => 'x > $_')")->{err} =~ s/^.*?ERROR/ERROR/sr } (1, 2);
}

$node->safe_psql('postgres', q{
	SET ROLE own;
	CREATE TABLE public.small AS SELECT x FROM public.people;
	CREATE FUNCTION public.same(float8) RETURNS float8 LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS 'SELECT $1 + 0';
	CREATE TABLE public.others AS SELECT x FROM public.people;
	CREATE VIEW public.by_function AS SELECT public.same(x) AS x FROM public.others;
	SELECT dp_register_dataset('small', 'public.small', 1, 1e-5), dp_register_dataset('by_function', 'public.by_function', 10, 1e-4),
		dp_register_column('small', 'x', 0, 10), dp_register_column('by_function', 'x', 0, 10),
		dp_grant_budget('ana', d, 1, 1e-5), dp_grant_budget('bob', d, 1, 1e-5), dp_grant_budget('poor', d, 0.05, 1e-5)
	FROM unnest('{small}'::text[]) d;
	SELECT dp_grant_budget('ana', 'by_function', 1, 1e-5), dp_grant_budget('bob', 'by_function', 1, 1e-5)});
run_as($node, 'ana', "SELECT value FROM dp_count('$_', 0.9, 1e-5, filter => 'x > 1')") foreach qw(small by_function);
my ($asked, $never) = errors_of('bob', 'small', '');
like($asked, qr/the budget of the dataset allows no charge/, 'what the dataset does not afford is not read from others, either');
is($asked, $never, '... and the error does not tell whether somebody has asked it');
($asked, $never) = errors_of('poor', 'small', '');
like($asked, qr/the budget of the dataset allows no charge/, 'neither dataset nor share afford it');
is($asked, $never, '... and the error does not tell whether somebody has asked it');
($asked, $never) = errors_of('bob', 'by_function', 'CREATE TEMP TABLE lure (x int);');
like($asked, qr/beside temporary tables/, 'where a release would be refused before its charge, others\' answers are, too');
is($asked, $never, '... and the error does not tell whether somebody has asked it');
$node->safe_psql('postgres', q{CREATE SCHEMA shop AUTHORIZATION own; SET ROLE own; SELECT dp_publish('by_function', 'shop');
	GRANT USAGE ON SCHEMA shop TO PUBLIC; GRANT SELECT ON shop.by_function TO PUBLIC});
run_as($node, 'ana', 'SET dpem.epsilon = 0.3; SELECT count(*) FROM shop.by_function WHERE x > 1');
$node->safe_psql('postgres', 'REVOKE ALL ON FUNCTION public.same FROM PUBLIC, own');
($asked, $never) = errors_of('bob', 'by_function', '');
like($asked, qr/cannot be read as its owner/, 'where the owner lacks a right, others\' answers are refused as a release is');
is($asked, $never, '... and the error does not tell whether somebody has asked it');
($asked, $never) = map { run_as($node, 'bob', "SET dpem.epsilon = 0.3; SELECT count(*) FROM shop.by_function WHERE x > $_")->{err} =~ s/^.*?ERROR/ERROR/sr } (1, 2);
like($asked, qr/cannot be read as its owner/, '... of private tables, too');
is($asked, $never, '... and the error does not tell whether somebody has asked it');
$node->safe_psql('postgres', 'GRANT EXECUTE ON FUNCTION public.same TO own');
is($node->safe_psql('postgres', q{SELECT sum(spent_epsilon) FROM dpem.budgets WHERE role IN ('bob', 'poor') AND dataset IN ('small', 'by_function')}),
	'0', '... none of which cost anything');
like(run_as($node, 'bob', q{SELECT value FROM dp_count('by_function', 0.9, 1e-5, filter => 'x > 1')})->{err}, qr/your share of the budget pays once/,
	'... and without them they are given');

# what a guess that costs nothing adds to the statistics of the store and the ledger, which everybody may read
sub counted
{
	my ($condition) = @_;
	my $counters = q{SELECT string_agg(concat_ws(' ', indexrelname, idx_scan, idx_tup_read, idx_tup_fetch), ', ' ORDER BY indexrelname)
		FROM pg_stat_user_indexes WHERE schemaname = 'dpem_internal' AND relname IN ('answer', 'charge')};
	my %before = map { /(\S+) (\d+) (\d+) (\d+)/ ? ($1 => [ $2, $3, $4 ]) : () } split /, /, $node->safe_psql('postgres', $counters);

	run_as($node, 'poor', "SELECT value FROM dp_count('small', 0.9, 1e-5, filter => '$condition')");
	$node->safe_psql('postgres', 'SELECT pg_sleep(1.5)');
	my %after = map { /(\S+) (\d+) (\d+) (\d+)/ ? ($1 => [ $2, $3, $4 ]) : () } split /, /, $node->safe_psql('postgres', $counters);
	return join ', ', map { my $name = $_; join ' ', $name, map { $after{$name}[$_] - $before{$name}[$_] } 0 .. 2 } sort keys %after;
}

counted('x > 4');				# the first has more to look up
my $known = counted('x > 1');
like($known, qr/\banswer_question_idx \d+ \d+ \d+/, 'statistics of the index that finds answers');
is($known, counted('x > 3'), '... do not tell whether somebody has asked');

# ---- rolled back, old snapshots, both at once ---------------------------------------

run_as($node, 'ana', q{SELECT value FROM dp_avg('counted', 'x', 0.5)});
($_, $cost) = risen('bob', q{BEGIN; SELECT value FROM dp_avg('counted', 'x', 0.5); ROLLBACK});
is($cost, 'share', 'reading is charged for, whatever becomes of the transaction');
($_, $cost) = risen('bob', q{SELECT value FROM dp_avg('counted', 'x', 0.5)});
is($cost, '', '... and is not charged again');
run_as($node, 'ana', q{SELECT value FROM dp_avg('counted', 'y', 0.5)});
my $before = charges($node);
($read) = risen('bob', q{BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT value FROM dp_avg('counted', 'y', 0.5); SELECT value FROM dp_avg('counted', 'y', 0.5); COMMIT});
is(charges($node) - $before, 1, 'under a snapshot that does not see the charge it is made once');
my ($one, $two) = split /\n/, $read->{out};
is($one, $two, '... and the answer is the same');

{
	my $sql = q{SELECT value FROM dp_sum('counted', 'x', 0.3)};
	my @sessions = map { start_as($node, 'ana', $sql) } 1 .. 4;

	is(join(' ', map { finish($_)->{err} =~ /ERROR/ ? 'error' : 'answer' } @sessions), 'answer answer answer answer', 'several sessions ask the same at once: each has an answer');
	like(run_as($node, 'ana', $sql)->{out}, qr/^-?\d/, '... and the next one, too');
}
{
	run_as($node, 'ana', q{SELECT value FROM dp_sum('counted', 'y', 0.3)});
	$before = charges($node);
	my @sessions = map { start_as($node, 'bob', q{SELECT value FROM dp_sum('counted', 'y', 0.3)}) } 1 .. 4;
	my %seen = map { finish($_)->{out} => 1 } @sessions;

	is(scalar keys %seen, 1, 'several sessions of a role read the same at once: one answer');
	is(charges($node) - $before, 1, '... is charged for once');
}

# ---- a store that fails ------------------------------------------------------------

$node->safe_psql('postgres', q{CREATE FUNCTION public.full() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'no space left'; END$$;
	CREATE TRIGGER is_full BEFORE INSERT ON dpem_internal.answer FOR EACH ROW EXECUTE FUNCTION public.full()});
($_, $cost) = risen('ana', q{SELECT value FROM dp_count('counted', 0.5, filter => 'y > 1')});
like($_->{out}, qr/^-?\d/, 'an answer that cannot be kept is returned all the same');
like($_->{err}, qr/WARNING.*could not be kept/, '... with a warning');
unlike($_->{err}, qr/no space left/, '... that does not say what the log says');
$node->safe_psql('postgres', 'DROP TRIGGER is_full ON dpem_internal.answer');

# ---- the self-test, restores, and the end ---------------------------------------------

my $kept = $node->safe_psql('postgres', 'SELECT count(*) FROM dpem_internal.answer');
$node->safe_psql('postgres', q{SELECT count(*) FROM dp_selftest('statistics%')});
is($node->safe_psql('postgres', 'SELECT count(*) FROM dpem_internal.answer'), $kept, 'dp_selftest leaves no answers behind');

$node->safe_psql('postgres', 'CREATE DATABASE copy');
my $dump = PostgreSQL::Test::Utils::tempdir . '/dump.sql';
$node->command_ok([ 'pg_dump', '-f', $dump, $node->connstr('postgres') ], 'a dump');
$node->psql('copy', "\\i $dump");
is($node->safe_psql('copy', 'SELECT count(*) FROM dpem_internal.answer'), $kept, 'answers are in it');
is(sqlstate(run_as($node, 'ana', $count, database => 'copy')), 'DP005', '... but are not given where the ledger was restored');
$node->safe_psql('copy', q{SET ROLE own; SELECT dp_acknowledge_restore('counted', 'a test')});
$before = charges($node, database => 'copy');
unlike(run_as($node, 'ana', $count, database => 'copy')->{err}, qr/given again|ERROR/, '... nor, once that is acknowledged, again');
is(charges($node, database => 'copy') - $before, 1, '... but paid for anew');

$node->safe_psql('postgres', q{SET ROLE own; SELECT dp_drop_dataset(name) FROM unnest('{people,counted,slow,small,by_function}'::text[]) name});
is($node->safe_psql('postgres', 'SELECT count(*) FROM dpem_internal.answer'), '0', 'a dataset that is dropped takes its answers along');

done_testing();
