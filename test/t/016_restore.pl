# A ledger that was copied, restored or failed over is not charged before the
# owner of the source has acknowledged it: the copy may be older than what was spent.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_people('restored', init => [ allows_streaming => 1, has_archiving => 1 ]);
my $dump = PostgreSQL::Test::Utils::tempdir() . '/copy.dump';
my $people = 'SELECT count(*) FROM ' . fit('people');
my $acknowledge = q{SELECT dp_acknowledge_restore('people', 'looked at the backups')};
my $spent = q{SELECT role, charges, spent_epsilon FROM dpem.budgets WHERE dataset = 'people' ORDER BY role};

# Not a charge, and words that say why; then the owner acknowledges, and it goes on.
sub suspended_ok
{
	my ($where, $name, $origin, %option) = @_;
	my $refused = refused_ok($where, 'ana', $people, 'DP005', $name, %option);
	my $before = $where->safe_psql($option{database} // 'postgres', $spent);
	my $done;

	like($refused->{err},
		qr/no charges to dataset "people": its ledger comes from \Q$origin\E$/m, "$name: the message");
	like($refused->{err}, qr/^HINT:.*dp_acknowledge_restore\(dataset, reason\)/m, "$name: the hint");
	is($where->safe_psql($option{database} // 'postgres',
			q{SELECT DISTINCT restored_from FROM dpem.budgets WHERE dataset IN ('people', 'slow')}),
		$origin, "$name: dpem.budgets shows it");
	$done = run_as($where, 'own', $acknowledge, %option);
	like($done->{err}, qr/NOTICE:  00000: the ledger of dataset "people" comes from \Q$origin\E and/,
		"$name: acknowledged");
	is($where->safe_psql($option{database} // 'postgres', $spent), $before, "$name: what was spent is spent");
	is(run_as($where, 'ana', $people, %option)->{out}, '2', "$name: a fit");
	return;
}

# A server started from a backup, told apart by its name; nothing of it stays.
sub started_from
{
	my ($name, $backup, $conf, %option) = @_;
	my $copy = PostgreSQL::Test::Cluster->new($name);

	$copy->init_from_backup($node, $backup, %option);
	$copy->append_conf('postgresql.conf', "archive_mode = off\n" . $conf);
	$copy->start;
	return $copy;
}

my $identity = 'SELECT system_identifier, (SELECT timeline_id FROM pg_control_checkpoint()) FROM pg_control_system()';

create_people($node);
ok_as($node, 'ana', $people, 'a first fit');

# ---- what does not disturb ---------------------------------------------------

$node->safe_psql('postgres', 'VACUUM (FULL, FREEZE) dpem_internal.incarnation');
$node->safe_psql('postgres', 'VACUUM FREEZE dpem_internal.incarnation');
$node->stop('immediate');
$node->start;
ok_as($node, 'ana', $people, 'after VACUUM FULL, FREEZE and a crash');
$node->restart;
ok_as($node, 'ana', $people, 'after a restart');
is(sqlstate(run_as($node, 'own', $acknowledge)), '55000', 'nothing to acknowledge in advance');

# ---- a copied database -------------------------------------------------------

my %copy = (database => 'copy');
$node->safe_psql('template1', 'CREATE DATABASE copy TEMPLATE postgres');

is(run_as($node, 'ana', q{SELECT dp_budget_remaining('people')}, %copy)->{out}, '0', 'a copy: nothing can be spent');
like(run_as($node, 'own', q{SELECT about, example FROM dp_help('next')}, %copy)->{out},
	qr/comes from another database, continues here.*\|SELECT dp_acknowledge_restore\('people'/, '... dp_help tells the owner what to do');
my $next = run_as($node, 'ana', q{SELECT about FROM dp_help('next')}, %copy)->{out};
like($next, qr/Ask the owner of people to acknowledge/, '... and the analyst whom to ask');
unlike($next, qr/epsilon \S+ is left/, '... who is not told to ask what is refused');
like(run_as($node, 'ana', q{SELECT dp_budget_remaining('people')}, %copy)->{err},
	qr/NOTICE:  00000: nothing can be spent: the ledger of dataset "people" comes from another database/,
	'a copy: and why');
is(run_as($node, 'ana', q{SELECT bool_or(allowed) FROM dp_gmm_plan('people', 2, 0.1)}, %copy)->{out},
	'f', 'a copy: a plan says that the fit is not allowed');

foreach my $who ('ana', 'poor')
{
	$node->safe_psql('postgres', 'CREATE ROLE poor LOGIN') if $who eq 'poor';
	is(sqlstate(run_as($node, $who, $acknowledge, %copy)), '42501', "a copy: $who cannot acknowledge");
}
foreach my $reason (q{''}, q{'  '}, q{E'\\n\\t'}, 'NULL', q{repeat('x', 1001)})
{
	is(sqlstate(run_as($node, 'own', "SELECT dp_acknowledge_restore('people', $reason)", %copy)),
		'22023', "a copy: no reason in $reason");
}
is(sqlstate(run_as($node, 'own', "BEGIN READ ONLY; $acknowledge", %copy)), '25006', 'a copy: READ ONLY');
ok_as($node, 'own', "SET client_min_messages = warning; BEGIN; $acknowledge; ROLLBACK", 'a copy: rolled back', %copy);

# What is new here needs nobody's word; what is old does not become new by another name.
ok_as($node, 'own', q{
		SET client_min_messages = warning; CREATE TABLE fresh AS SELECT * FROM people;
		SELECT dp_register_dataset('fresh', 'fresh', 10, 1e-4), dp_register_column('fresh', 'x', -10, 10),
			dp_grant_budget('ana', 'fresh', 5, 1e-5)}, 'a copy: a new dataset', %copy);
is(run_as($node, 'ana', 'SELECT count(*) FROM ' . fit('fresh'), %copy)->{out}, '2', 'a copy: a fit to it');
like(run_as($node, 'own', q{
		SELECT dp_register_dataset('other', 'people', 10, 1e-4), dp_register_column('other', 'x', -10, 10),
			dp_grant_budget('ana', 'other', 5, 1e-5)}, %copy)->{err},
	qr/continues with/, 'a copy: another name');
refused_ok($node, 'ana', 'SELECT count(*) FROM ' . fit('other'), 'DP005', 'a copy: another name', %copy);

# In a subtransaction as well: the row that says so is the one that was written here.
run_as($node, 'own', "BEGIN; SAVEPOINT a; $acknowledge; RELEASE a; COMMIT", %copy);
is(run_as($node, 'ana', $people, %copy)->{out}, '2', 'a copy: acknowledged in a subtransaction');
is(sqlstate(run_as($node, 'own', $acknowledge, %copy)), '55000', 'a copy: acknowledged once');
my $restores = q{SELECT dataset, acknowledged_by, reason, charges, from_database <> to_database,
	from_system_identifier = to_system_identifier AND from_timeline = to_timeline
		AND from_data_directory = to_data_directory FROM dpem.restores};
is(run_as($node, 'own', $restores, %copy)->{out}, 'people|own|looked at the backups|3|t|t', 'a copy: it is recorded');
is(run_as($node, 'ana', $restores, %copy)->{out}, '', 'a copy: for the owner to see');
is(run_as($node, 'ana', $people)->{out}, '2', 'the original goes on');

# ---- a dump put back over the database it was taken from ---------------------

$node->command_ok([ 'pg_dump', '-Fc', '-f', $dump, $node->connstr('copy') ], 'pg_dump');
ok_as($node, 'ana', $people, 'a charge after the dump', %copy);
$node->command_ok([ 'pg_restore', '-e', '--clean', '--if-exists', '-d', $node->connstr('copy'), $dump ], 'pg_restore --clean');
suspended_ok($node, 'a dump', 'a dump', %copy);
is(run_as($node, 'own', 'SELECT count(*) FROM dpem.restores', %copy)->{out}, '2', 'a dump: restores are dumped too');
refused_ok($node, 'ana', 'SELECT count(*) FROM ' . fit('fresh'), 'DP005', 'a dump: another ledger waits for its own word', %copy);

# The same with the record of where it was left out, and in another server.
$node->command_ok([ 'pg_dump', '-Fc', '--exclude-table-data=dpem_internal.incarnation', '-f', "$dump.part", $node->connstr('copy') ],
	'pg_dump without the incarnations');
$node->safe_psql('template1', 'CREATE DATABASE part');
$node->command_ok([ 'pg_restore', '-e', '-d', $node->connstr('part'), "$dump.part" ], 'pg_restore of it');
suspended_ok($node, 'an incomplete dump', 'an unknown server', database => 'part');
{
	my $other = new_people('other');

	$other->start;
	$other->safe_psql('postgres', 'CREATE ROLE own LOGIN; CREATE ROLE ana LOGIN; GRANT CREATE ON SCHEMA public TO own, ana');
	$other->command_ok([ 'pg_restore', '-e', '-d', $other->connstr('postgres'), $dump ], 'pg_restore into another server');
	suspended_ok($other, 'another server', 'another server');
	$other->stop;
}

# A ledger that has seen more of the server's log than there is.
$node->safe_psql('copy', q{
	INSERT INTO dpem_internal.charge SELECT (c).* FROM (SELECT jsonb_populate_record(c, jsonb_build_object(
		'charge', nextval('dpem_internal.charge_id_seq'), 'wal_position', 'FFFFFF/0')) AS c
	FROM dpem_internal.charge c ORDER BY charge DESC, line LIMIT 1) s});
suspended_ok($node, 'a later state', 'a later state of this server', %copy);

# ---- tampering ---------------------------------------------------------------

foreach my $who ('ana', 'own')
{
	foreach my $sql ('INSERT INTO dpem_internal.incarnation SELECT * FROM dpem_internal.incarnation', 'SELECT * FROM dpem_internal.incarnation',
		q{UPDATE dpem_internal.incarnation SET reason = 'x'}, 'DELETE FROM dpem_internal.incarnation', 'TRUNCATE dpem_internal.incarnation',
		'COPY dpem_internal.incarnation FROM stdin', q{SELECT nextval('dpem_internal.incarnation_id_seq')}, 'SELECT * FROM dpem_internal.suspension',
		'ALTER TABLE dpem_internal.incarnation DISABLE TRIGGER ALL', 'CREATE OR REPLACE VIEW dpem_internal.suspension AS SELECT 1',
		'BEGIN; LOCK TABLE dpem_internal.incarnation IN ACCESS EXCLUSIVE MODE')
	{
		is(sqlstate(run_as($node, $who, $sql, %copy)), '42501', "$who: $sql");
	}
	is(sqlstate(run_as($node, $who, 'DELETE FROM dpem.restores', %copy)), '55000', "$who: DELETE FROM dpem.restores");
}
foreach my $sql (q{UPDATE dpem_internal.incarnation SET reason = 'x'}, 'DELETE FROM dpem_internal.incarnation', 'TRUNCATE dpem_internal.incarnation')
{
	is(sqlstate(run_as($node, $node->safe_psql('postgres', 'SELECT current_user'), $sql, %copy)),
		'42501', "superuser: $sql");
}

# ---- backups -----------------------------------------------------------------

my $same = $node->safe_psql('postgres', $identity);

$node->backup('base');
ok_as($node, 'ana', $people, 'a charge after the backup');
$node->safe_psql('postgres', 'SELECT pg_switch_wal()');

{
	my $standby = started_from('standby', 'base', '', has_streaming => 1);

	$node->wait_for_catchup($standby, 'replay', $node->lsn('insert'));
	is(run_as($standby, 'ana', q{SELECT dp_budget_remaining('people') > 40})->{out}, 't',
		'a standby shows what its ledger leaves');
	is($standby->safe_psql('postgres', 'SELECT count(restored_from) FROM dpem.budgets'), 0, 'a standby cannot tell');
	is(sqlstate(run_as($standby, 'own', $acknowledge)), '25006', 'a standby acknowledges nothing');
	$standby->promote;
	suspended_ok($standby, 'promoted', 'another timeline of this server');
	$standby->restart;
	ok_as($standby, 'ana', $people, 'promoted: after a restart');
	$standby->stop;
}
{
	my $past = started_from('past', 'base', "recovery_target = 'immediate'\nrecovery_target_action = 'promote'\n",
		has_restoring => 1, standby => 0);

	$past->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()') or die 'no end of recovery';
	is(charges($past), charges($node) - 1, 'point-in-time recovery: a charge is lost');
	suspended_ok($past, 'point-in-time recovery', 'another timeline of this server');
	$past->stop;
}
{
	my $back = started_from('back', 'base', '');

	is($back->safe_psql('postgres', $identity), $same, 'a base backup put back: server and timeline are the same');
	is(charges($back), charges($node) - 1, 'a base backup put back: a charge is lost');
	suspended_ok($back, 'a base backup put back', 'another copy of the data directory');
	$back->restart;
	ok_as($back, 'ana', $people, 'a base backup put back: after a restart');
	$back->stop;
}

# The cure for a snapshot of a volume: take the mark away.
unlink($node->data_dir . '/pg_stat_tmp/dpem.mark') or die "no mark: $!";
suspended_ok($node, 'the mark removed', 'another copy of the data directory');
ok_as($node, 'ana', $people, 'the mark removed: a new one is there');

my $born = $node->safe_psql('postgres', q{SELECT data_directory LIKE '%.%' FROM dpem_internal.incarnation_now()}) eq 't';
$node->stop;
$node->backup_fs_cold('cold');

SKIP:
{
	skip 'the file system does not tell when a file was made', 10 unless $born;
	my $cold = started_from('cold', 'cold', '');

	is($cold->safe_psql('postgres', $identity), $same, 'copied files: server and timeline are the same');
	suspended_ok($cold, 'copied files', 'another copy of the data directory');
	$cold->stop;
}

done_testing();
