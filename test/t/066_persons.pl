# Units that are paths: through a dump, whatever the session's settings are, and while somebody drops a constraint.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('persons');
my $dump = PostgreSQL::Test::Utils::tempdir() . '/persons.dump';

$node->init;
# every question is asked anew
$node->append_conf('postgresql.conf', 'dpem.fresh = on');
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION dpem;
	CREATE ROLE own; CREATE ROLE ana;
	CREATE SCHEMA "Clinic" AUTHORIZATION own;
	SET ROLE own;
	CREATE TABLE "Clinic"."People" ("Id" int PRIMARY KEY, sex text);
	CREATE TABLE "Clinic".visits (id int PRIMARY KEY, "Who" int CONSTRAINT who REFERENCES "Clinic"."People", cost float8);
	INSERT INTO "Clinic"."People" SELECT i, CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END FROM generate_series(1, 500) i;
	INSERT INTO "Clinic".visits SELECT i, 1 + i % 500, 1 FROM generate_series(1, 1000) i;
	SELECT dp_register_dataset('people', '"Clinic"."People"', 500, 1e-5, unit => '"Clinic"."People"."Id"');
	SELECT dp_register_dataset('visits', '"Clinic".visits', 500, 1e-5, unit => '"Who" -> "Clinic"."People"."Id"', max_rows_per_unit => 2);
	SELECT dp_register_column('visits', 'People.sex', '{f,m}'::text[]);
	SELECT dp_register_person_column('people', 'visits', 'count("Clinic".visits)', 0, 4, filter => 'cost = 1');
	SELECT dp_grant_budget('ana', d, 400, 1e-6) FROM unnest('{people,visits}'::text[]) d});

# of 500 women's visits, and of 1000 visits: noise of epsilon 60 has a standard deviation below 1
my $women = q{SELECT abs(value - 500) < 12 FROM dp_count('visits', 60, filter => '"People.sex" = ''f''')};
my $visits = q{SELECT abs(value - 1000) < 20 FROM dp_sum('people', 'visits', 60)};
my $terms = q{SELECT dataset, unit, unit_path FROM dpem.datasets ORDER BY 1; SELECT dataset, column_name, aggregate, filter FROM dpem.columns ORDER BY 1, 2;
	SELECT count(DISTINCT account) FROM dpem_internal.dataset};

sub as_ana
{
	my ($database, $sql) = @_;

	return $node->safe_psql($database, "SET ROLE ana; $sql");
}

is(as_ana('postgres', $women), 't', 'a column of the table that the path leads to');
is(as_ana('postgres', $visits), 't', 'a person column');
is(as_ana('postgres', "SET quote_all_identifiers = on; $women"), 't', 'quote_all_identifiers changes nothing');
is(as_ana('postgres', "SET quote_all_identifiers = on; $visits"), 't', 'nor for person columns');

# ---- a dump --------------------------------------------------------------------

my $before = $node->safe_psql('postgres', $terms);

like($before, qr/^visits\|"Clinic"."People"."Id"\|"Who" -> "Clinic"."People"."Id"$/m, 'a path is kept as it was written');
$node->command_ok([ 'pg_dump', '-Fc', '-f', $dump, $node->connstr('postgres') ], 'pg_dump');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok([ 'pg_restore', '-e', '-d', $node->connstr('restored'), $dump ], 'pg_restore');
is($node->safe_psql('restored', $terms), $before, 'paths and person columns come through a dump');
$node->safe_psql('restored', q{SET ROLE own; SELECT dp_acknowledge_restore('people', 'a test')});
is(as_ana('restored', $women), 't', 'a path leads to the restored table');
is(as_ana('restored', $visits), 't', 'and a person column is of restored rows');

# ---- a constraint that is dropped while a fit reads ------------------------------

my $fit = $node->background_psql('postgres');

$fit->query_safe("SET ROLE ana; BEGIN; $women;");
my ($rc, $out, $err) = $node->psql('postgres', q{SET lock_timeout = '200ms'; ALTER TABLE "Clinic".visits DROP CONSTRAINT who});
like($err, qr/lock timeout/, 'a constraint that a transaction relies on stays until it ends');
$fit->query_safe('COMMIT;');
$fit->quit;
$node->safe_psql('postgres', 'ALTER TABLE "Clinic".visits DROP CONSTRAINT who');
my $charges = $node->safe_psql('postgres', 'SELECT count(*) FROM dpem_internal.charge');

foreach my $query ($women, $visits)
{
	($rc, $out, $err) = $node->psql('postgres', "\\set VERBOSITY verbose\nSET ROLE ana; $query");
	like($err, qr/DP004.*needs a foreign key/, 'a constraint that was dropped stops charges');
}
is($node->safe_psql('postgres', 'SELECT count(*) FROM dpem_internal.charge'), $charges, 'and nothing is charged');
$node->safe_psql('postgres', 'ALTER TABLE "Clinic".visits ADD CONSTRAINT who FOREIGN KEY ("Who") REFERENCES "Clinic"."People"');
is(as_ana('postgres', $visits), 't', 'one that is there again is as good');

done_testing();
