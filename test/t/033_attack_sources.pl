# Going round the ledger by way of the source: other names, other rows, other
# rules under a registered name, and the extension itself.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_people('sources');
my $people = 'SELECT count(*) FROM ' . fit('people');

create_people($node);
$node->safe_psql('postgres', q{
	CREATE ROLE bob LOGIN;
	GRANT CREATE ON SCHEMA public TO bob;
	SET ROLE bob;
	CREATE TABLE bobs AS SELECT sin(i) AS x, cos(i) AS y FROM generate_series(1, 50) i;
	GRANT SELECT ON bobs TO own;
	SET ROLE own;
	CREATE TABLE keyed (x float8 PRIMARY KEY)});

sub register
{
	my ($dataset, $source, $lower) = @_;
	my $low = $lower // -10;

	return "SELECT dp_register_dataset('$dataset', '$source', 100, 1e-2), dp_register_column('$dataset', 'x', $low, 10),"
	  . " dp_register_column('$dataset', 'y', $low, 10), dp_grant_budget('ana', '$dataset', 50, 1e-3);";
}

# Charges that the budget of a dataset counts.
sub counted
{
	my ($dataset) = @_;

	return $node->safe_psql('postgres',
		"SELECT charges FROM dpem.budgets WHERE dataset = '$dataset' AND role IS NULL");
}

# The one number of a fit without noise that a superuser makes.
sub mean_of
{
	my ($dataset) = @_;

	return $node->safe_psql('postgres', "SELECT round(mean[1]::numeric, 6) FROM dp_gmm_fit('$dataset', 1, 'Infinity',"
		  . " estimator => 'mle', precondition => 'none', iterations => 1)");
}

# ---- a view over somebody else's table, in two steps -------------------------

$node->safe_psql('postgres', q{SET ROLE own; CREATE VIEW shown AS SELECT x, y FROM people;
	CREATE VIEW inner_view AS SELECT x, y FROM people; CREATE VIEW outer_view AS SELECT x, y FROM inner_view;}
	  . register('shown', 'shown') . register('nested', 'outer_view'));
ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('shown') . '; SELECT count(*) FROM ' . fit('nested'), 'a view over one\'s own table');
$node->safe_psql('postgres', q{SET ROLE own; CREATE OR REPLACE VIEW shown AS SELECT x, y FROM bobs;
	CREATE OR REPLACE VIEW inner_view AS SELECT x, y FROM bobs});
refused_ok($node, 'ana', 'SELECT count(*) FROM ' . fit($_), 'DP004',
	"a view over somebody else's table, after it was registered: $_")
  foreach qw(shown nested);
is($node->safe_psql('postgres', q{SELECT count(*) FROM dpem_internal.account_source WHERE relation = 'bobs'::regclass}),
	0, '... whose ledger stays its owner\'s to open');
is(sqlstate(run_as($node, 'own', q{SELECT dp_drop_dataset('shown');} . register('shown', 'shown'))), '42501',
	'... nor can it be registered so');
$node->safe_psql('postgres', q{SET ROLE own; CREATE OR REPLACE VIEW inner_view AS SELECT x, y FROM people});
ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('nested'), 'as it was: the fit runs');
# what a superuser registered over several owners' tables goes on
$node->safe_psql('postgres', 'CREATE VIEW mixed AS SELECT x, y FROM bobs; ALTER VIEW mixed OWNER TO own;' . register('mixed', 'mixed'));
ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('mixed'), 'a view that a superuser registered');
# a partition of another owner was attached by who owns both
$node->safe_psql('postgres', q{
	GRANT bob TO own; SET ROLE own;
	CREATE TABLE split (x float8, y float8) PARTITION BY RANGE (x);} . register('split', 'split') . q{
	SET ROLE bob; CREATE TABLE split_bob (x float8, y float8); INSERT INTO split_bob VALUES (1, 1);
	SET ROLE own; ALTER TABLE split ATTACH PARTITION split_bob FOR VALUES FROM (0) TO (5);
	RESET ROLE; REVOKE bob FROM own});
ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('split'), 'attach partitions: a partition of another owner');
is($node->safe_psql('postgres', q{SELECT count(DISTINCT account) FROM dpem_internal.account_source WHERE relation IN ('split'::regclass, 'split_bob'::regclass)}),
	1, '... is on the ledger of its parent');

# ---- what functions of a source read ------------------------------------------

$node->safe_psql('postgres', q{SET ROLE own; CREATE TABLE elsewhere AS SELECT i, 1::float8 AS x FROM generate_series(1, 20) i;
	CREATE TABLE unregistered AS TABLE elsewhere;
	CREATE TABLE below () INHERITS (elsewhere);
	SELECT dp_register_dataset('elsewhere', 'elsewhere', 1, 1e-6);
	CREATE FUNCTION as_sql(n float8) RETURNS float8 LANGUAGE sql STABLE AS 'SELECT max(x) FROM public.elsewhere WHERE i < n';
	CREATE FUNCTION constant(n float8) RETURNS float8 LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS 'SELECT sum(x) FROM public.elsewhere';
	CREATE FUNCTION in_workers(n float8) RETURNS float8 LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog AS 'BEGIN RETURN (SELECT max(x) FROM public.elsewhere WHERE i < n); END';
	CREATE FUNCTION of_child(n float8) RETURNS float8 LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog AS 'BEGIN RETURN (SELECT max(x) FROM public.below WHERE i < n); END';
	CREATE FUNCTION of_none(n float8) RETURNS float8 LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog AS 'BEGIN RETURN (SELECT max(x) FROM public.unregistered WHERE i < n); END'});
foreach my $function (qw(as_sql constant in_workers of_child of_none))
{
	$node->safe_psql('postgres', "SET ROLE own; CREATE VIEW through_$function AS SELECT $function(x) + x AS x, y FROM people;" . register("through_$function", "through_$function"));
	foreach my $settings ('SET max_parallel_workers_per_gather = 0', 'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET parallel_leader_participation = off')
	{
		my $call = "$settings; SELECT count(*) FROM " . fit("through_$function");

		$function eq 'of_none' ? ok_as($node, 'ana', $call, "a function of the owner's reads a table without a ledger")
		  : is(sqlstate(run_as($node, 'ana', $call)), 'DP003', "a function of the owner's reads a table of another ledger: $function");
	}
}
like(PostgreSQL::Test::Utils::slurp_file($node->logfile), qr/a function of the source reads public\.$_, which has another ledger/, "... and the log says which: $_")
  foreach qw(elsewhere below);

# ---- the same table again ----------------------------------------------------

{
	my $charges = counted('people');

	ok_as($node, 'own', 'SET client_min_messages = warning;' . register('narrow', 'people', -1), 'the same table with other bounds');
	is(counted('narrow'), $charges, '... has spent what the table has spent');
	ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('narrow'), '... and a fit to it');
	is(counted('people'), $charges + 1, '... is charged to both');
}

# Names in the ledger do not depend on how the session quotes them.
$node->safe_psql('postgres', q{SET ROLE own; SET quote_all_identifiers = on;
	CREATE TABLE quoted AS SELECT * FROM people;} . register('quoted', 'quoted'));
ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('quoted') . '; SET quote_all_identifiers = on; SELECT count(*) FROM ' . fit('quoted'),
	'quote_all_identifiers: fits');
ok_as($node, 'own', q{SET client_min_messages = warning; DROP TABLE quoted; SELECT dp_drop_dataset('quoted');
	CREATE TABLE quoted AS SELECT * FROM people;} . register('quoted', 'quoted'),
	'the same table under a name that was quoted, again after dropping');
is(counted('quoted'), 2, '... has no fresh budget');

# ---- other columns under the same names --------------------------------------

$node->safe_psql('postgres', q{SET ROLE own; CREATE TABLE swapped AS SELECT 1::float8 AS x, 9::float8 AS y, 5::numeric AS z FROM generate_series(1, 20);}
	  . register('swapped', 'swapped', 0));
is(mean_of('swapped'), '1.000000', 'columns as registered');
$node->safe_psql('postgres', q{SET ROLE own; ALTER TABLE swapped RENAME x TO t; ALTER TABLE swapped RENAME y TO x; ALTER TABLE swapped RENAME t TO y});
is(mean_of('swapped'), '9.000000', 'swap columns under a registered dataset: bounds go by name');
$node->safe_psql('postgres', q{SET ROLE own; UPDATE swapped SET x = 1000});
is(mean_of('swapped'), '10.000000', '... and hold for what the name means now');
$node->safe_psql('postgres', q{SET ROLE own; ALTER TABLE swapped ALTER x TYPE numeric});
is(mean_of('swapped'), '10.000000', 'change a type: to another number');
$node->safe_psql('postgres', q{SET ROLE own; ALTER TABLE swapped ALTER x TYPE text});
refused_ok($node, 'ana', 'SELECT count(*) FROM ' . fit('swapped'), 'DP004', 'change a type: to none');

# ---- row-level security ------------------------------------------------------

$node->safe_psql('postgres', q{SET ROLE own; CREATE TABLE guarded AS SELECT (i % 2)::float8 AS x, i::float8 AS y FROM generate_series(1, 200) i;}
	  . register('guarded', 'guarded', 0) . q{
	GRANT SELECT ON guarded TO ana;
	ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
	CREATE POLICY odd ON guarded FOR SELECT TO ana USING (x = 1)});
is(mean_of('guarded'), '0.500000', 'add RLS: the fit is over all rows, for every role the same');
ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('guarded'), '... with noise, for a role that the policy restricts');
refused_ok($node, 'ana', q{SELECT * FROM dp_gmm_fit('guarded', 1, 'Infinity')}, '42501',
	'add RLS: no noiseless fit past the policy');
$node->safe_psql('postgres', 'ALTER TABLE guarded FORCE ROW LEVEL SECURITY');
{
	my $charges = charges($node);

	refused_ok($node, 'ana', 'SELECT count(*) FROM ' . fit('guarded'), '42501', 'add RLS and force it on the owner: refused');
	is(charges($node), $charges, '... before the charge');
}

# ---- expressions of the caller's own -----------------------------------------

{
	my @expressions = ('x + y', '(x)', 'x::text', 'x" + "y', '*', 'ctid', 'tableoid', 'xmin', 'people', 's', 's.x', '$1', 'public.leak(x)', '');
	my $before = charges($node);
	my @states = sqlstates($node, 'ana',
		map { "SELECT * FROM dp_gmm_fit('people', 1, 0.1, columns => ARRAY['$_'])" } @expressions);

	is($states[$_], $expressions[$_] eq '' ? '22023' : '42703',
		"expressions with functions, casts or operators of the caller's own: '$expressions[$_]'")
	  foreach 0 .. $#expressions;
	is(charges($node), $before, '... nothing charged');
}
is($node->safe_psql('postgres', q{SELECT string_agg(DISTINCT format_type(t, NULL), ', ' ORDER BY format_type(t, NULL))
		FROM pg_proc p, unnest(proargtypes) t WHERE proname LIKE 'dp\_%\_fit'}),
	'anycompatible, boolean, double precision, double precision[], integer, integer[], text, text[]',
	'a fit has no argument that could hold an expression, a query or a relation');

# the one of any type is a number or names of columns
{
	my @others = (q{'people'::regclass}, q{'lower(text)'::regprocedure}, q{'<x/>'::xml}, q{'{}'::jsonb}, q{ROW('x', 'y')}, q{'{x:y}'::name}, '1.5');
	my $before = charges($node);
	my @states = sqlstates($node, 'ana', map { "SELECT * FROM dp_gam_fit('people', 'x', 0.1, columns => '{y}', pairs => $_)" } @others);

	is($node->safe_psql('postgres', q{SELECT string_agg(proname || ' ' || proargnames[n], ', ') FROM pg_proc, unnest(proargtypes) WITH ORDINALITY AS a (t, n)
			WHERE proname LIKE 'dp\_%\_fit' AND t = 'anycompatible'::regtype}), 'dp_gam_fit pairs', '... but for pairs of columns');
	is($states[$_], '22023', "... which are no $others[$_]") foreach 0 .. $#others;
	is(charges($node), $before, '... nothing charged');
}

# ---- tables and the extension, as the analyst --------------------------------

my @commands = (
	'LOCK TABLE people IN ACCESS SHARE MODE', 'LOCK TABLE people IN ACCESS EXCLUSIVE MODE',
	'CREATE TABLE child () INHERITS (people)', 'CREATE TABLE referring (x float8 REFERENCES keyed)',
	'CREATE INDEX ON people (x)', 'CREATE STATISTICS s ON x, y FROM people', 'CREATE RULE r AS ON SELECT TO people DO INSTEAD SELECT 1',
	'CREATE TRIGGER t BEFORE INSERT ON people EXECUTE FUNCTION suppress_redundant_updates_trigger()',
	'CREATE POLICY p ON people', 'CREATE PUBLICATION p FOR TABLE people', 'COPY people TO STDOUT', 'TABLE people',
	'CREATE OR REPLACE VIEW dpem.ledger AS SELECT 1', 'ALTER VIEW dpem.ledger SET (security_barrier = off)', 'ALTER EXTENSION dpem DROP VIEW dpem.ledger', 'ALTER EXTENSION dpem SET SCHEMA pg_temp',
	'ALTER EXTENSION dpem ADD TABLE mine', 'ALTER SCHEMA dpem RENAME TO mine', 'DROP SCHEMA dpem CASCADE', 'DROP SCHEMA dpem_internal CASCADE', 'ALTER SCHEMA dpem_internal RENAME TO mine',
	'DROP EVENT TRIGGER dpem_warn_drop', 'ALTER EVENT TRIGGER dpem_warn_drop DISABLE',
	'CREATE EVENT TRIGGER mine ON ddl_command_start EXECUTE FUNCTION dpem_internal.warn_drop()',
	'DROP FUNCTION dpem_internal.owns(oid) CASCADE', 'ALTER FUNCTION dpem_internal.owns(oid) IMMUTABLE LEAKPROOF',
	q{CREATE OR REPLACE FUNCTION dpem_internal.owns(source oid) RETURNS boolean LANGUAGE sql RETURN true},
	q{CREATE FUNCTION worker(internal) RETURNS void LANGUAGE c AS 'dpem', 'dpem_charge_worker_main'},
	q{CREATE FUNCTION final(internal) RETURNS bytea LANGUAGE c AS '$libdir/dpem', 'dpem_moments_final'});
my @states = sqlstates($node, 'ana', map { "BEGIN;\nCREATE TABLE mine (x int);\n$_" } @commands);

is($states[$_], '42501', "go round: $commands[$_]") foreach 0 .. $#commands;
{
	my $result = refused_ok($node, 'ana', 'DROP EXTENSION dpem', '42501', 'drop and create the extension');

	unlike($result->{err}, qr/WARNING|charges/, '... tells an analyst no numbers');
}
# A superuser does not drop a ledger by accident.  Dropped on purpose it is gone: nobody has a budget any more.
{
	my ($rc, $out, $err) = $node->psql('postgres', 'DROP EXTENSION dpem');

	like($err, qr/ERROR:  extension dpem has a ledger of \d+ charges/, 'drop and create the extension: not without CASCADE');
	($rc, $out, $err) = $node->psql('postgres', 'SET client_min_messages = error; DROP EXTENSION dpem CASCADE; CREATE EXTENSION dpem');

	is($err, '', 'drop and create the extension, by a superuser');
	is(sqlstate(run_as($node, 'ana', $people)), '42704', '... leaves no dataset to fit');
}

$node->stop;
done_testing();
