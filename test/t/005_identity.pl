# Whose budget pays, and who can touch what: nothing an analyst creates, and no
# context it lures a richer role into, changes either.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_people('identity');
my $counted = 'SELECT count(*) FROM ' . fit('counted');
my $people = 'SELECT count(*) FROM ' . fit('people');

create_people($node);
my $super = $node->safe_psql('postgres', 'SELECT current_user');
$node->safe_psql('postgres', q{
	CREATE ROLE team;
	CREATE ROLE bob LOGIN;
	CREATE ROLE poor LOGIN;
	GRANT team TO ana;
	GRANT CREATE ON DATABASE postgres TO ana;
	GRANT CREATE ON SCHEMA public TO bob;
	SET ROLE own;
	SELECT dp_grant_budget(role::regrole, name, 10, 1e-4)
	FROM unnest(ARRAY['team', 'bob']) role, unnest(ARRAY['people', 'counted']) name});

# Charges of each role, as "ana 3, team 1".
sub payers
{
	return $node->safe_psql('postgres', q{
		SELECT coalesce(string_agg(role || ' ' || n, ', ' ORDER BY role), '') FROM
			(SELECT role, count(DISTINCT charge) AS n FROM dpem.ledger GROUP BY role) s});
}

# ---- who pays ----------------------------------------------------------------

ok_as($node, 'ana', $people, 'a member pays itself');
is(payers(), 'ana 1', '... not the role it is a member of');
ok_as($node, 'ana', "SET ROLE team; $people", 'SET ROLE');
is(payers(), 'ana 1, team 1', 'SET ROLE: the set role pays');
ok_as($node, $super, "SET ROLE bob; $people", 'SET ROLE of a superuser');
is(payers(), 'ana 1, bob 1, team 1', 'SET ROLE of a superuser: the set role pays');
ok_as($node, $super, "SET SESSION AUTHORIZATION bob; $people", 'SET SESSION AUTHORIZATION');
is(payers(), 'ana 1, bob 2, team 1', 'SET SESSION AUTHORIZATION: that role pays');
is(run_as($node, 'ana', q{SET ROLE team; SELECT dp_budget_remaining('people') BETWEEN 9 AND 10})->{out},
	't', 'SET ROLE: what remains is the set role\'s');
refused_ok($node, 'poor', $counted, '42501', 'a role without a share');
refused_ok($node, 'own', $counted, '42501', 'the owner without a share');
refused_ok($node, $super, $counted, '42501', 'a superuser without a share');
refused_ok($node, 'poor', 'SET ROLE team', '42501', 'a role it is not a member of');

# ---- inside functions and restricted operations ------------------------------

$node->safe_psql('postgres', qq{
	SET ROLE bob;
	CREATE FUNCTION bob_fits() RETURNS bigint LANGUAGE sql SECURITY DEFINER
		AS \$\$$counted\$\$;
	CREATE FUNCTION anyone_fits() RETURNS bigint LANGUAGE sql AS \$\$$people\$\$;
	RESET ROLE;
	CREATE FUNCTION super_fits() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS \$\$$counted\$\$;
	SET ROLE ana;
	CREATE FUNCTION ana_fits() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS \$\$$counted\$\$});
refused_ok($node, 'ana', 'SELECT bob_fits()', '42501', 'SECURITY DEFINER wrapper of another role');
refused_ok($node, 'bob', 'SELECT ana_fits()', '42501', 'SECURITY DEFINER of the analyst, called by another');
refused_ok($node, 'ana', 'SELECT super_fits()', '42501', 'SECURITY DEFINER of a superuser');
refused_ok($node, $super, 'SELECT bob_fits()', '42501', 'SECURITY DEFINER called by a superuser');
refused_ok($node, $super, 'SELECT ana_fits()', '42501', 'the analyst\'s SECURITY DEFINER called by a superuser');
ok_as($node, 'ana', 'SELECT anyone_fits()', 'SECURITY INVOKER');
is(payers(), 'ana 2, bob 2, team 1', 'SECURITY INVOKER: the caller pays');
ok_as($node, 'bob', 'SELECT bob_fits()', 'SECURITY DEFINER of the caller itself');
is(payers(), 'ana 2, bob 3, team 1', 'SECURITY DEFINER of the caller itself: it pays');

$node->safe_psql('postgres', qq{
	SET ROLE ana;
	CREATE FUNCTION trap(n int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS \$\$
	BEGIN
		IF current_setting('trap.armed', true) = 'yes' THEN
			PERFORM * FROM @{[fit('counted')]};
		END IF;
		RETURN n;
	END\$\$;
	CREATE TABLE bait (n int);
	INSERT INTO bait SELECT generate_series(1, 10);
	CREATE INDEX bait_trap ON bait (trap(n));
	CREATE MATERIALIZED VIEW lure AS SELECT trap(1)});
my $armed = "SET trap.armed = 'yes';";

foreach my $victim ('bob', $super, 'ana')
{
	my $who = $victim eq $super ? 'superuser' : $victim;

	refused_ok($node, $victim, "$armed CREATE MATERIALIZED VIEW mv_$who AS $counted", '42501',
		"CREATE MATERIALIZED VIEW of $who");
	next if $victim eq 'bob';
	foreach my $command ('REFRESH MATERIALIZED VIEW lure', 'ANALYZE bait', 'REINDEX TABLE bait',
		'CREATE INDEX ON bait (trap(n + 1))', 'CLUSTER bait USING bait_trap')
	{
		refused_ok($node, $victim, "$armed $command", '42501', "$command by $who");
	}
}
ok_as($node, $super, "$armed VACUUM ANALYZE people", 'VACUUM elsewhere is not disturbed');
is(payers(), 'ana 2, bob 3, team 1', 'nobody paid for what was refused');

# ---- planted names -----------------------------------------------------------

# Budgets and totals as the superuser sees them, before and after planting.
my $totals = q{SELECT dataset, role, epsilon, spent_epsilon, remaining_epsilon, charges FROM dpem.budgets ORDER BY 1, 2};
my $before = $node->safe_psql('postgres', $totals);
my $plant = q{
	SET client_min_messages = warning;
	CREATE SCHEMA IF NOT EXISTS planted;
	CREATE TEMP TABLE planting (was_run text);
	CREATE OR REPLACE FUNCTION planted.caught(text) RETURNS void LANGUAGE plpgsql
		AS $$BEGIN RAISE EXCEPTION USING ERRCODE = 'PLANT', MESSAGE = $1; END$$;
	CREATE OR REPLACE FUNCTION planted.same(bigint, bigint) RETURNS bool LANGUAGE plpgsql
		AS $$BEGIN PERFORM planted.caught('bigint ='); RETURN true; END$$;
	CREATE OR REPLACE FUNCTION planted.same(oid, oid) RETURNS bool LANGUAGE plpgsql
		AS $$BEGIN PERFORM planted.caught('oid ='); RETURN true; END$$;
	CREATE OR REPLACE FUNCTION planted.same(text, text) RETURNS bool LANGUAGE plpgsql
		AS $$BEGIN PERFORM planted.caught('text ='); RETURN true; END$$;
	CREATE OR REPLACE FUNCTION planted.no_sum(numeric, bigint) RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT 0::numeric';
	CREATE OR REPLACE FUNCTION planted.no_sum(numeric, numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT 0::numeric';
	CREATE OR REPLACE FUNCTION planted.no_sum(float8, float8) RETURNS float8 LANGUAGE sql IMMUTABLE AS 'SELECT 0::float8';
	CREATE OR REPLACE FUNCTION planted.nextval(regclass) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
	CREATE OR REPLACE FUNCTION planted.nextval(text) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
	CREATE OR REPLACE FUNCTION planted.pg_has_role(oid, text) RETURNS bool LANGUAGE sql AS 'SELECT true';
	CREATE OR REPLACE FUNCTION planted.pg_has_role(regrole, text) RETURNS bool LANGUAGE sql AS 'SELECT true';
	CREATE OR REPLACE FUNCTION planted.gen_random_uuid() RETURNS uuid LANGUAGE sql AS $$SELECT '00000000-0000-0000-0000-000000000000'::uuid$$;
	CREATE OR REPLACE FUNCTION planted.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$SELECT '-infinity'::timestamptz$$;
	DO $$
	BEGIN
		CREATE OPERATOR planted.= (FUNCTION = planted.same, LEFTARG = bigint, RIGHTARG = bigint);
		CREATE OPERATOR planted.= (FUNCTION = planted.same, LEFTARG = oid, RIGHTARG = oid);
		CREATE OPERATOR planted.= (FUNCTION = planted.same, LEFTARG = text, RIGHTARG = text);
		CREATE AGGREGATE planted.sum(bigint) (SFUNC = planted.no_sum, STYPE = numeric, INITCOND = '0');
		CREATE AGGREGATE planted.sum(numeric) (SFUNC = planted.no_sum, STYPE = numeric, INITCOND = '0');
		CREATE AGGREGATE planted.sum(float8) (SFUNC = planted.no_sum, STYPE = float8, INITCOND = '0');
	EXCEPTION WHEN duplicate_function OR duplicate_object THEN NULL;
	END$$;
	CREATE TEMP TABLE account (id bigint); CREATE TEMP TABLE account_source (account bigint, relation regclass, relation_name text);
	CREATE TEMP TABLE dataset (id bigint, name text, epsilon float8);
	CREATE TEMP TABLE budget (dataset bigint, role regrole, epsilon float8, delta float8);
	CREATE TEMP TABLE charge (charge bigint, line int, mu2_units bigint);
	CREATE TEMP TABLE model (id bigint, name text); CREATE TEMP TABLE people (x float8, y float8);
	CREATE TEMP TABLE pg_class (oid oid, relowner oid); CREATE TEMP TABLE pg_roles (oid oid, rolname name);
	CREATE TEMP TABLE pg_extension (extname name, extowner oid);
	CREATE TEMP SEQUENCE charge_id_seq; CREATE TEMP SEQUENCE people_reads;
	INSERT INTO budget SELECT generate_series(1, 5), 'ana', 1e6, 0.5;
	INSERT INTO dataset SELECT n, 'people', 1e6 FROM generate_series(1, 5) n;
	INSERT INTO people VALUES ('NaN', 'NaN');
	CREATE FUNCTION pg_temp.sum(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint';
	CREATE FUNCTION pg_temp.dp_gmm_fit(text, int) RETURNS int LANGUAGE sql AS 'SELECT 0';
	CREATE DOMAIN pg_temp.regrole AS text; CREATE DOMAIN pg_temp.float8 AS text; CREATE DOMAIN pg_temp.numeric AS text;
	RESET client_min_messages;};

foreach my $path ('planted, pg_temp, pg_catalog, public', 'pg_temp, planted, public', 'planted, public', 'pg_temp')
{
	my $call = $path =~ /public/ ? 'SELECT count(*) FROM ' . fit('people')
	  : 'SELECT pg_catalog.count(*) FROM public.' . fit('people');
	my $charges = charges($node);
	my $result = ok_as($node, 'ana', "$plant SET search_path = $path; $call", "functions, operators, casts, types in front of search_path, temp tables named like the catalog's, $path: a fit");

	is($result->{out}, '2', "planted in $path: answer");
	is(charges($node), $charges + 1, "planted in $path: charged");
	is(sqlstate(run_as($node, 'ana', "$plant SET search_path = $path;"
				  . $call =~ s/0\.1, 1e-6/pg_catalog.float8 '50', pg_catalog.float8 '1e-3'/r)),
		'DP001', "planted in $path: no more than the budget");
	is(run_as($node, 'ana', "$plant SET search_path = $path;"
			  . ' SELECT pg_catalog.count(*) FROM dpem.budgets WHERE epsilon OPERATOR(pg_catalog.>) pg_catalog.float8 \'50\'')->{out},
		'0', "planted in $path: the view is not fooled");
}
is(charges($node), 6 + 4, 'planted: four charges in all');
is(sqlstate(run_as($node, 'poor', q{CREATE TEMP TABLE budget AS SELECT generate_series(1, 5)::bigint AS dataset,
		'poor'::regrole AS role, 1e6::float8 AS epsilon, 0.5::float8 AS delta; SET search_path = pg_temp, public; }
			  . $people)), '42501', 'planted: no share out of a temp table');

# ---- the tables --------------------------------------------------------------

my @tables = qw(account account_source dataset dataset_column budget charge model model_grant
  gmm_parameter standing running_total readable_model);

foreach my $table (@tables)
{
	my @open;

	foreach my $command (
		"SELECT count(*) FROM dpem_internal.$table", "SELECT 1 FROM dpem_internal.$table WHERE false",
		"INSERT INTO dpem_internal.$table SELECT", "DELETE FROM dpem_internal.$table",
		"COPY dpem_internal.$table TO STDOUT", "COPY dpem_internal.$table FROM STDIN;\n\\.\n",
		"LOCK TABLE dpem_internal.$table IN ACCESS SHARE MODE", "LOCK TABLE dpem_internal.$table IN ACCESS EXCLUSIVE MODE",
		"TRUNCATE dpem_internal.$table", "ALTER TABLE dpem_internal.$table RENAME TO taken",
		"CREATE TRIGGER mine BEFORE INSERT ON dpem_internal.$table EXECUTE FUNCTION suppress_redundant_updates_trigger()",
		"CREATE RULE mine AS ON INSERT TO dpem_internal.$table DO INSTEAD NOTHING",
		"DROP TABLE dpem_internal.$table", "GRANT ALL ON dpem_internal.$table TO ana",
		"CREATE TABLE mine (id bigint REFERENCES dpem_internal.$table)",
		"COMMENT ON TABLE dpem_internal.$table IS 'mine'", "ANALYZE dpem_internal.$table")
	{
		my $result = run_as($node, 'ana', "BEGIN; $command; ROLLBACK");

		next if sqlstate($result) eq '42501';
		# views are no tables; ANALYZE only warns
		next if $table =~ /standing|readable/ && sqlstate($result) =~ /^(?:42809|42P16|55000)$/;
		next if $command =~ /^ANALYZE/ && $result->{err} =~ /WARNING: .*skipping/;
		push @open, $command . ' ' . $result->{err};
	}
	is("@open", '', "write to dpem_internal.$table by INSERT, DELETE, TRUNCATE, COPY, rules, triggers, foreign keys, LOCK");
}
is(sqlstate(run_as($node, 'ana', "UPDATE dpem_internal.charge SET epsilon = 0")), '42501', 'UPDATE of the ledger');
is(sqlstate(run_as($node, 'ana', "UPDATE dpem_internal.budget SET epsilon = 1e6")), '42501', 'UPDATE of a budget');
is(sqlstate(run_as($node, 'ana', "SELECT nextval('dpem_internal.charge_id_seq')")), '42501', 'nextval of a sequence');
is(sqlstate(run_as($node, 'ana', "SELECT setval('dpem_internal.charge_id_seq', 1)")), '42501', 'setval of a sequence');
is(sqlstate(run_as($node, 'ana', 'CREATE TABLE dpem.mine ()')), '42501', 'CREATE in schema dpem');
is(sqlstate(run_as($node, 'ana', 'CREATE FUNCTION dpem.mine() RETURNS int LANGUAGE sql RETURN 1')), '42501',
	'CREATE FUNCTION in schema dpem');
is(sqlstate(run_as($node, 'ana', 'INSERT INTO dpem.ledger (charge) VALUES (1)')), '42501', 'INSERT into a view');
is(sqlstate(run_as($node, 'ana', "SELECT x FROM people")), '42501', 'the rows themselves');
foreach my $admin (
	"dp_grant_budget('ana', 'people', 99, 1e-3)", "dp_revoke_budget('bob', 'people')",
	"dp_drop_dataset('people')", "dp_register_column('people', 'x', 0, 1)",
	"dp_register_dataset('mine', 'people', 100, 1e-2)",
	"dp_register_text('people', 'x', ARRAY['a'])")
{
	refused_ok($node, 'ana', "SELECT $admin", '42501', "grant oneself, register a table one does not own: $admin");
}
refused_ok($node, 'ana', q{CREATE VIEW mine AS SELECT * FROM people;
	SELECT dp_register_dataset('mine', 'mine', 100, 1e-2)}, '42501', 'register a view over somebody else\'s table');

# The owner of the extension cannot rewrite history by mistake either.
foreach my $command (
	'UPDATE dpem_internal.charge SET epsilon = 0', 'UPDATE dpem_internal.charge SET epsilon = 0 WHERE false',
	'DELETE FROM dpem_internal.charge', 'TRUNCATE dpem_internal.charge',
	'INSERT INTO dpem_internal.charge SELECT * FROM dpem_internal.charge ON CONFLICT (charge, line) DO UPDATE SET epsilon = 0')
{
	my $result = refused_ok($node, $super, $command, '42501', "superuser: $command");
	like($result->{err}, qr/the ledger is append-only/, "superuser: $command: by the trigger");
}

# ---- internal functions ------------------------------------------------------

my $support = $node->safe_psql('postgres', q{
	SELECT string_agg(p.oid::regprocedure::text, ' ' ORDER BY 1) FROM pg_proc p
	WHERE pronamespace IN ('dpem'::regnamespace, 'dpem_internal'::regnamespace) AND has_function_privilege('ana', p.oid, 'EXECUTE')
		AND prokind = 'f' AND ('internal'::regtype = ANY (proargtypes) OR prorettype IN
			('internal'::regtype, 'trigger'::regtype, 'event_trigger'::regtype))});
is($support, '', 'call aggregate support functions: nobody may');
foreach my $aggregate (
	'(bytea, float8) (SFUNC = dpem_internal.moments_transition, STYPE = internal)',
	'(bytea, float8) (SFUNC = dpem_internal.moments_transition, STYPE = bytea)',
	'(bytea) (SFUNC = byteacat, STYPE = bytea, FINALFUNC = dpem_internal.moments_final)',
	'(bytea) (SFUNC = byteacat, STYPE = bytea, MSFUNC = byteacat, MINVFUNC = byteacat, MSTYPE = bytea, MFINALFUNC = dpem_internal.moments_final)',
	'(bytea, VARIADIC "any") (SFUNC = dpem_internal.moments_transition, STYPE = internal)',
	'(bytea, VARIADIC "any") (SFUNC = dpem_internal.moments_transition, STYPE = internal, FINALFUNC = dpem_internal.moments_final)',
	'(internal) (SFUNC = dpem_internal.moments_combine, STYPE = internal, FINALFUNC = dpem_internal.moments_final)')
{
	# 42P13: a state of type internal is for superusers
	like(sqlstate(run_as($node, 'ana', "CREATE AGGREGATE mine $aggregate")), qr/^(?:42501|42P13|42883)$/,
		"an aggregate of one's own on a support function: $aggregate");
}
like(sqlstate(run_as($node, 'ana', q{SELECT dpem_internal.moments(NULL::bytea, 1.0::float8)})), qr/^22/, 'no pass');
like(sqlstate(run_as($node, 'ana', q{SELECT dpem_internal.moments('\x'::bytea, 1.0::float8)})), qr/^22/, 'crafted bytes: an empty pass');
is(sqlstate(run_as($node, 'ana', qq{SELECT dpem_internal.moments(decode(repeat('$_', 4000), 'hex'), 1.0::float8)})),
	'22P03', "a pass of bytes $_")
  foreach qw(00 01 7f ff);
is($node->safe_psql('postgres', 'SELECT 1'), 1, 'the server is well');

$node->stop;
done_testing();
