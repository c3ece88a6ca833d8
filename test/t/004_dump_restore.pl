# The ledger speaks of people: it outlives dumps, drops and second names.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_people('dumped');
my $dump = PostgreSQL::Test::Utils::tempdir() . '/database.dump';

create_people($node);

# What a dump must keep, in words.
my $everything = q{
	SELECT 'dataset', d.* FROM dpem.datasets d ORDER BY dataset;
	SELECT 'column', c.* FROM dpem.columns c ORDER BY dataset, position;
	SELECT 'category', c.* FROM dpem.column_categories c ORDER BY dataset, column_name, position;
	SELECT 'budget', dataset, role, epsilon, delta, spent_epsilon, remaining_epsilon, charges FROM dpem.budgets WHERE role IS NULL OR role !~ '^[0-9]' ORDER BY dataset, role;
	SELECT 'ledger', l.* FROM dpem.ledger l ORDER BY charge, line;
	SELECT 'model', m.model, family, dataset, components, columns, iterations, epsilon, charge FROM dpem.models m ORDER BY model;
	SELECT 'coordinate', c.* FROM dpem.model_columns c ORDER BY model, position;
	SELECT 'density', m.model, dp_log_density(m.model, '{1,-2}') FROM dpem.models m ORDER BY model;
	SELECT 'weight', c.* FROM dpem.gmm_components c ORDER BY model, component;
	SELECT 'mean', m.* FROM dpem.gmm_means m ORDER BY model, component, column_name;
	SELECT 'covariance', c.* FROM dpem.gmm_covariances c ORDER BY model, component, column_name, other_column;
	SELECT 'account', a.id, s.relation_name FROM dpem_internal.account a JOIN dpem_internal.account_source s ON s.account = a.id ORDER BY 2, 3;
	SELECT 'reader', m.name, g.role FROM dpem_internal.model_grant g JOIN dpem_internal.model m ON m.id = g.model ORDER BY 2, 3};

$node->safe_psql('postgres', q{
	CREATE ROLE leaver LOGIN;
	CREATE ROLE reader LOGIN;
	SET ROLE own;
	CREATE TABLE lost_rows AS TABLE people;
	CREATE FUNCTION lost_flag(float8) RETURNS boolean LANGUAGE sql RETURN true;
	CREATE VIEW lost_view AS SELECT x, y FROM lost_rows WHERE public.lost_flag(x);
	SELECT dp_register_dataset(name, name, 100, 1e-2), dp_register_column(name, 'x', -10, 10), dp_register_column(name, 'y', -10, 10),
		dp_grant_budget('ana', name, 50, 1e-3) FROM unnest('{lost_rows,lost_view}'::text[]) name;
	ALTER TABLE people ADD COLUMN label text;
	SELECT dp_register_column('people', 'label', ARRAY['a', 'b', 'it''s "c"']);
	SELECT dp_register_column('people', 'y', -10, 10, scale => 'signed_log');
	SELECT dp_grant_budget('leaver', 'people', 1, 1e-6)});
ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('people', q{model => 'kept'})
	  . q{; SELECT dp_grant_model('kept', 'reader')}, 'a fit before the dump');
ok_as($node, 'leaver', 'SELECT count(*) FROM ' . fit('people', q{model => 'left'}), 'a fit of another role');
ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('lost_rows', q{model => 'lost'}) . '; SELECT count(*) FROM ' . fit('lost_view', q{model => 'lost too'}), 'fits of tables that are lost');
my $gone = $node->safe_psql('postgres', q{SELECT 'leaver'::regrole::oid});
my $lost = $node->safe_psql('postgres', q{SELECT 'lost_rows'::regclass::oid});
$node->safe_psql('postgres', 'DROP ROLE leaver; SET ROLE own; DROP FUNCTION lost_flag(float8) CASCADE; DROP TABLE lost_rows');
is($node->safe_psql('postgres', q{SELECT (SELECT count(*) FROM dpem_internal.dataset WHERE source = 0), (SELECT count(*) FROM dpem_internal.model WHERE source = 0),
		(SELECT string_agg(relation_name, ' ' ORDER BY relation_name) FROM dpem_internal.account_source WHERE relation = 0)}),
	'2|2|public.lost_rows public.lost_view', 'a relation that is dropped has no number, whatever it went with');

my $before = $node->safe_psql('postgres', $everything);
my $remaining = q{SELECT dp_budget_remaining('people'), dp_budget_remaining('people', 1e-6)};
my $left = run_as($node, 'ana', $remaining)->{out};

# ---- into another database, serially and in parallel -------------------------

$node->command_ok([ 'pg_dump', '-Fc', '-f', $dump, $node->connstr('postgres') ], 'dump and restore: pg_dump');
foreach my $jobs (1, 2)
{
	my %there = (database => "restored$jobs");

	$node->safe_psql('postgres', "CREATE DATABASE $there{database}");
	$node->command_ok(
		[ 'pg_restore', '-e', '-j', $jobs, '-d', $node->connstr($there{database}), $dump ],
		"pg_restore, $jobs jobs");
	is($node->safe_psql($there{database}, $everything), $before, "$jobs jobs: all is there");
	is(run_as($node, 'ana', $remaining, %there)->{out}, '0|0', "$jobs jobs: nothing can be spent");
	refused_ok($node, 'ana', 'SELECT count(*) FROM ' . fit('people'), 'DP005', "$jobs jobs: a fit", %there);
	ok_as($node, 'own', q{SET client_min_messages = warning; SELECT dp_acknowledge_restore('people', 'a copy')},
		"$jobs jobs: acknowledged", %there);
	is(run_as($node, 'ana', $remaining, %there)->{out}, $left, "$jobs jobs: as much remains");
	is($node->safe_psql($there{database}, q{SELECT count(*) FROM dpem_internal.budget
			WHERE role::oid NOT IN (SELECT oid FROM pg_roles)}),
		0, "$jobs jobs: the share of a dropped role is not there");
	is(ok_as($node, 'reader', q{SELECT dp_predict('kept', '{0,0}') IN (1, 2)}, "$jobs jobs: a grant works",
			%there)->{out}, 't', "$jobs jobs: a model works");
	ok_as($node, 'ana', "SELECT dp_budget_remaining('people'); SELECT count(*) FROM " . fit('people'),
		"$jobs jobs: a fit works", %there);
	is($node->safe_psql($there{database}, 'SELECT max(charge), count(DISTINCT charge) FROM dpem.ledger'),
		'5|5', "$jobs jobs: it is the next charge");
	is($node->safe_psql($there{database},
			q{SELECT role, charges FROM dpem.budgets WHERE dataset = 'people' ORDER BY role}),
		"ana|2\n|3", "$jobs jobs: the budgets count on");
	is(sqlstate(run_as($node, 'own', q{SELECT dp_register_dataset('next', 'people', 1, 1e-6)}, %there)),
		'', "$jobs jobs: another dataset can be registered");
	is($node->safe_psql($there{database}, 'SELECT count(*) FROM dpem_internal.account'),
		2, "$jobs jobs: on the same ledger");
}
$node->command_ok([ 'pg_dump', '-f', "$dump.sql", $node->connstr('restored1') ], 'a dump of the copy');

# ---- into another server, where the number of a dropped role, or table, is somebody's ---

{
	my $other = new_people('other');

	$other->start;
	$other->safe_psql('postgres', qq{
		CREATE ROLE own LOGIN; CREATE ROLE ana LOGIN; CREATE ROLE reader LOGIN;
		GRANT CREATE ON SCHEMA public TO own, ana;
		DO \$\$
		DECLARE
			n int := 0;
			number oid := 0;
		BEGIN
			WHILE number < $gone LOOP
				n := n + 1;
				EXECUTE format('CREATE ROLE filler%s LOGIN', n);
				SELECT oid INTO number FROM pg_roles WHERE rolname = format('filler%s', n);
			END LOOP;
			IF number = $gone THEN
				EXECUTE format('ALTER ROLE filler%s RENAME TO heir', n);
				WHILE number < $lost - 1 LOOP
					n := n + 1;
					EXECUTE format('CREATE ROLE filler%s LOGIN', n);
					SELECT oid INTO number FROM pg_roles WHERE rolname = format('filler%s', n);
				END LOOP;
				CREATE TABLE heirloom (x float8, y float8);
				ALTER TABLE heirloom OWNER TO heir;
			END IF;
		END\$\$});

  SKIP:
	{
		skip 'the number is not to be had', 11
		  if $other->safe_psql('postgres', q{SELECT count(*) FROM pg_roles WHERE rolname = 'heir'}) == 0;
		$other->command_ok([ 'pg_restore', '-e', '-d', $other->connstr('postgres'), $dump ],
			'pg_restore into another server');
		is($other->safe_psql('postgres', $everything), $before, 'another server: all is there');
		is(sqlstate(run_as($other, 'heir', 'SELECT count(*) FROM ' . fit('people'))),
			'42501', 'another server: no share for who has the number of a dropped role');
		is(sqlstate(run_as($other, 'ana', 'SELECT count(*) FROM ' . fit('people'))),
			'DP005', 'another server: no fit for who has a share, before it is acknowledged');
		is(sqlstate(run_as($other, 'heir', q{SELECT dp_predict('left', '{0,0}')})),
			'42704', '... nor its models');
		is(run_as($other, 'heir', 'SELECT count(*) FROM dpem.models')->{out}, '0', '... in no view');
		is(run_as($other, 'heir', 'SELECT count(*) FROM dpem.ledger')->{out}, '0', '... nor its charges');
		is($other->safe_psql('postgres', q{SELECT 'heirloom'::regclass::oid}), $lost, 'another server: a table has the number of one that was dropped');
		refused_ok($other, 'heir', q{SELECT dp_drop_dataset('lost_rows')}, '42501', '... whose dataset is not its owner\'s');
		is(sqlstate(run_as($other, 'heir', q{SELECT dp_register_dataset('heirloom', 'heirloom', 1, 1e-6)})), '', '... and whose ledger it does not have');
		is(run_as($other, 'own', q{SELECT dp_drop_dataset('lost_rows')})->{err} =~ /ERROR.*/ ? $& : '', '', 'another server: who owned it may drop its dataset');
	}
	$other->stop;
}

# ---- dropped and registered again --------------------------------------------

my $continues = qr/NOTICE:  00000: the ledger of this source continues with (\d+) earlier charges/;
my $columns = q{SELECT dp_register_column('%1$s', 'x', -10, 10), dp_register_column('%1$s', 'y', -10, 10),
	dp_grant_budget('ana', '%1$s', 50, 1e-3);};

# Registers a source under a name; its budget must count all charges so far, but those of what was lost.
my $other_charges = 2;

sub continues_ok
{
	my ($what, $dataset, $source, $setup) = @_;
	my $charges = charges($node) - $other_charges;
	my $result = run_as($node, 'own', $setup
		  . "; SELECT dp_register_dataset('$dataset', '$source', 100, 1e-2);" . sprintf($columns, $dataset));

	is(sqlstate($result), '', "$what: registered") or diag($result->{err});
	is($result->{err} =~ $continues ? $1 : undef, $charges, "$what: the ledger continues");
	is(run_as($node, 'ana', 'SELECT count(*) FROM ' . fit($dataset))->{out}, '2', "$what: a fit");
	is($node->safe_psql('postgres',
			"SELECT charges FROM dpem.budgets WHERE dataset = '$dataset' AND role IS NULL"),
		$charges + 1, "$what: the budget counts all");
	return;
}

my $table = 'CREATE TABLE people (x float8, y float8); INSERT INTO people SELECT sin(i), cos(i) FROM generate_series(1, 100) i';

continues_ok('register the same table again after dropping it', 'people', 'people', q{SELECT dp_drop_dataset('people')});
continues_ok('register the same table under a second name', 'humans', 'people', 'SELECT 1');
continues_ok('a view', 'half', 'half', 'CREATE VIEW half AS SELECT x, y FROM people WHERE x > 0');
continues_ok('a view over a view', 'fewer', 'fewer', 'CREATE VIEW fewer AS SELECT * FROM half WHERE y > 0');
continues_ok('a materialized view', 'frozen', 'frozen', 'CREATE MATERIALIZED VIEW frozen AS SELECT * FROM people');
continues_ok('renamed', 'renamed', 'persons', 'ALTER TABLE people RENAME TO persons');
continues_ok('another table of the old name', 'people2', 'people', $table);
continues_ok('... whose table of before has another', 'older', 'older', "ALTER TABLE people RENAME TO older; $table; SELECT dp_register_dataset('newer', 'people', 100, 1e-2)");
continues_ok('... and once more', 'oldest', 'oldest', "ALTER TABLE older RENAME TO oldest; ALTER TABLE people RENAME TO older; $table; SELECT dp_register_dataset('newest', 'people', 100, 1e-2)");
continues_ok('dropped and created', 'again', 'people', "DROP TABLE people; $table");

$node->safe_psql('postgres', q{
	SET ROLE own;
	CREATE TABLE visits (x float8, y float8) PARTITION BY RANGE (x);
	CREATE TABLE visits_low PARTITION OF visits FOR VALUES FROM (-100) TO (0);
	CREATE TABLE visits_high PARTITION OF visits FOR VALUES FROM (0) TO (100);
	INSERT INTO visits SELECT 5 * sin(i), 5 * cos(i) FROM generate_series(1, 100) i;
	SELECT dp_register_dataset('visits', 'visits', 100, 1e-2)} . ';' . sprintf($columns, 'visits'));
ok_as($node, 'ana', 'SELECT count(*) FROM ' . fit('visits'), 'a partitioned table');

# Charges of the ledger that a dataset has.
sub ledger_of
{
	my ($dataset) = @_;

	return $node->safe_psql('postgres',
		"SELECT charges FROM dpem.budgets WHERE dataset = '$dataset' AND role IS NULL");
}

like(run_as($node, 'own', q{SELECT dp_register_dataset('low', 'visits_low', 100, 1e-2)})->{err},
	$continues, 'a partition: the ledger continues');
is(ledger_of('low'), 1, 'a partition: the budget counts it');
like(run_as($node, 'own', q{
		CREATE VIEW rest AS SELECT * FROM visits_high;
		SELECT dp_register_dataset('rest', 'rest', 100, 1e-2)})->{err},
	$continues, 'a view over a partition: the ledger continues');
like(run_as($node, 'own', q{
		ALTER TABLE visits DETACH PARTITION visits_high;
		SELECT dp_register_dataset('high', 'visits_high', 100, 1e-2)})->{err},
	$continues, 'a detached partition: the ledger continues');
is(sqlstate(run_as($node, 'own', q{
		CREATE VIEW everybody AS SELECT x, y FROM visits UNION ALL SELECT x, y FROM people;
		SELECT dp_register_dataset('everybody', 'everybody', 100, 1e-2)})),
	'55006', 'two ledgers cannot become one');

# A fit to rows that came under a registered name later is refused, or it is on
# the ledger of the table they are in, also when that has left again.
sub late_ok
{
	my ($name, $create, $come, $go) = @_;
	my $state;
	my $result;

	$node->safe_psql('postgres', qq{
		SET ROLE own;
		CREATE TABLE ${name}_first AS SELECT sin(i) AS x, cos(i) AS y FROM generate_series(1, 50) i;
		CREATE TABLE ${name}_late AS SELECT sin(i) AS x, cos(i) AS y FROM generate_series(1, 50) i;
		$create;
		SELECT dp_register_dataset('$name', '$name', 100, 1e-2);} . sprintf($columns, $name) . $come);
	$state = sqlstate(run_as($node, 'ana', 'SELECT count(*) FROM ' . fit($name)));
	$node->safe_psql('postgres', "SET ROLE own; $go") if $go;
	$result = run_as($node, 'own', "SELECT dp_register_dataset('${name}_own', '${name}_late', 100, 1e-2)");
	ok($state eq 'DP004' || $state eq '' && $result->{err} =~ $continues,
		"$name: no fresh budget for rows that came later")
	  or diag("fit: '$state', registered: '$result->{err}'");
	return;
}

my @view = (
	'CREATE VIEW %1$s AS SELECT x, y FROM %1$s_first',
	'CREATE OR REPLACE VIEW %1$s AS SELECT x, y FROM %1$s_late',
	'CREATE OR REPLACE VIEW %1$s AS SELECT x, y FROM %1$s_first');
my @partition = (
	'CREATE TABLE %1$s (x float8, y float8) PARTITION BY RANGE (x);'
	  . ' ALTER TABLE %1$s ATTACH PARTITION %1$s_first FOR VALUES FROM (-100) TO (100)',
	'ALTER TABLE %1$s DETACH PARTITION %1$s_first;'
	  . ' ALTER TABLE %1$s ATTACH PARTITION %1$s_late FOR VALUES FROM (-100) TO (100)',
	'ALTER TABLE %1$s DETACH PARTITION %1$s_late');

late_ok('view_changed', map { sprintf($_, 'view_changed') } @view[0, 1]);
late_ok('view_changed_back', map { sprintf($_, 'view_changed_back') } @view);
late_ok('attached', map { sprintf($_, 'attached') } @partition[0, 1]);
late_ok('detached', map { sprintf($_, 'detached') } @partition);

# Charges in one currency cannot be added to charges in another.
is(sqlstate(run_as($node, 'own',
			q{SELECT dp_register_dataset('added', 'people', 1, 1e-6, adjacency => 'add_remove')})),
	'55000', 'another adjacency is refused');
is(sqlstate(run_as($node, 'own', q{SELECT dp_register_dataset('persons', 'people', 1, 1e-6, 'x')})),
	'55000', 'another unit is refused');

# ---- DROP EXTENSION ----------------------------------------------------------

{
	my $counts = $node->safe_psql('postgres', q{SELECT format('%s datasets, %s models and a ledger of %s charges',
		(SELECT count(*) FROM dpem.datasets), (SELECT count(*) FROM dpem.models),
		(SELECT count(DISTINCT charge) FROM dpem.ledger))});
	my ($rc, $out, $err) = $node->psql('postgres', 'BEGIN; DROP EXTENSION dpem CASCADE; ROLLBACK');

	like($err, qr/WARNING:  dropping extension dpem forgets $counts/, 'DROP EXTENSION warns');
	$node->safe_psql('restored1', 'DROP EXTENSION dpem CASCADE; CREATE EXTENSION dpem');
	is($node->safe_psql('restored1', 'SELECT count(*) FROM dpem.ledger'), 0, 'a new extension is empty');
	($rc, $out, $err) = $node->psql('restored1', 'DROP EXTENSION dpem');
	is($err, '', 'DROP EXTENSION of an empty one is silent');
}

$node->stop;
done_testing();
