# Questions about rows that are put by a setting, and what a scan writes where
# everybody can measure it.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_people('settings', conf => q{
	autovacuum = off
	checkpoint_timeout = 1h
	random_page_cost = 1.5
	app.mode = 'quiet'
	max_parallel_workers_per_gather = 2
	max_worker_processes = 12
});

create_people($node);
$node->safe_psql('postgres', 'CREATE ROLE eve LOGIN');
my $has_parameters = $node->safe_psql('postgres', 'SHOW server_version_num') >= 150000;
my $count = q{SELECT count(*) FROM dp_count('%s', 0.01)};

# ---- every setting -------------------------------------------------------------

# A view that writes down the settings in which its rows are read.
$node->safe_psql('postgres', q{
	SET ROLE own;
	ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
	CREATE TABLE seen (name text, setting text, boot_val text);
	CREATE FUNCTION look() RETURNS boolean LANGUAGE plpgsql AS $$
	BEGIN
		IF NOT EXISTS (SELECT FROM public.seen) THEN
			INSERT INTO public.seen SELECT name, setting, boot_val FROM pg_settings UNION ALL SELECT v, current_setting(v, true), ''
				FROM unnest('{app.mode, app.other}'::text[]) v;
		END IF;
		RETURN true;
	END$$;
	CREATE VIEW looking AS SELECT x, y FROM people WHERE public.look();
	SELECT dp_register_dataset('looking', 'looking', 100, 1e-2), dp_register_column('looking', 'x', -1, 1),
		dp_grant_budget('ana', 'looking', 90, 1e-3)});

sub seen_with
{
	my ($script) = @_;

	$node->safe_psql('postgres', 'TRUNCATE seen');
	my $result = run_as($node, 'ana', $script . ";\n" . sprintf($count, 'looking'));
	is($result->{out}, '1', 'the fit runs') or diag($result->{err});
	return { map { my ($name, @values) = split /\|/, $_, -1; ($name => \@values) }
		  split /\n/, $node->safe_psql('postgres', 'SELECT name, setting, boot_val FROM seen') };
}

# Sets every setting that ana may set to another value of its type, for strings one of those that some
# of them take.  What the server or the test could not live with stays.
my $change_all = q{
	SET client_min_messages = error;
	DO $$
	DECLARE
		s record;
		v text;
	BEGIN
		FOR s IN SELECT name, setting, vartype, enumvals, min_val, max_val FROM pg_settings
			WHERE context IN (%s) AND name !~ '^(transaction_|default_transaction|dpem\.|session_auth|client_min_messages|exit_on_error|max_stack_depth|.*_timeout$|debug_discard)'
		LOOP
			FOREACH v IN ARRAY CASE s.vartype WHEN 'bool' THEN ARRAY[CASE s.setting WHEN 'on' THEN 'off' ELSE 'on' END]
				WHEN 'enum' THEN s.enumvals
				WHEN 'string' THEN '{German,Asia/Tokyo,India,C.UTF-8,english,all,pg_default,LATIN1,set,other}'::text[]
				ELSE ARRAY[s.min_val, least(s.max_val::numeric, 1e5)::text] END
			LOOP
				BEGIN
					PERFORM set_config(s.name, v, false);
					EXIT WHEN current_setting(s.name) <> s.setting AND v <> s.setting;
				EXCEPTION WHEN OTHERS THEN
					NULL;
				END;
			END LOOP;
		END LOOP;
	END$$;
	SET app.mode = 'loud';
	SET app.other = 'loud';
	SET search_path = public, pg_catalog;
	SET exit_on_error = on};
# what a scan takes from the session: src/server/pinned_settings.c says why
my $kept = qr/^(client_encoding|temp_buffers|client_connection_check_interval|max_parallel_workers(_per_gather)?|parallel_\w+
	|min_parallel_\w+|force_parallel_mode|debug_parallel_query|transaction_\w+|tcp_\w+)$/x;

sub differences
{
	my ($before, $after, $may_be_boot) = @_;

	return join("\n", map { "$_: $before->{$_}[0] and $after->{$_}[0]" }
		  grep { !/$kept/ && $after->{$_}[0] ne $before->{$_}[0] && !($may_be_boot && $after->{$_}[0] eq $after->{$_}[1]) }
		  sort keys %$before);
}

my $plain = seen_with('');

is($plain->{random_page_cost}[0], '1.5', 'a scan has the settings of the configuration file');
is($plain->{'app.mode'}[0], 'quiet', '... those that nobody knows, too');
cmp_ok(scalar(keys %$plain), '>', 300, 'settings are seen: ' . scalar(keys %$plain));

my $changed = sprintf($change_all, q{'user'});
my $number = run_as($node, 'ana', "$changed;\nSELECT 'changed', count(*) FROM pg_settings WHERE source = 'session'");
my ($sets) = $number->{out} =~ /^changed\|(\d+)$/m;

cmp_ok($sets, '>', 110, "the session has changed $sets settings");
is(differences($plain, seen_with($changed)), '', 'every setting of the session is the server\'s own in a scan');

SKIP:
{
	skip 'rights on parameters are new in 15', 4 unless $has_parameters;
	my $superset = $node->safe_psql('postgres', q{SELECT string_agg(quote_ident(name), ', ') FROM pg_settings
		WHERE context = 'superuser' AND name NOT LIKE '%.%'});

	$node->safe_psql('postgres', "GRANT SET ON PARAMETER $superset TO ana");
	$changed = sprintf($change_all, q{'user', 'superuser'});
	$number = run_as($node, 'ana', "$changed;\nSELECT 'changed', count(*) FROM pg_settings WHERE source = 'session'");
	cmp_ok(($number->{out} =~ /^changed\|(\d+)$/m)[0], '>', $sets + 15, '... and more, by a right on a parameter');
	is(differences($plain, seen_with($changed)), '', '... of a superuser that the role may set, too');

	# the same values as the role's own, which a session cannot tell from the server's
	my $own = q{SELECT format('ALTER ROLE ana SET %%s = %%L', name, setting)
		FROM pg_settings WHERE source = 'session' AND name !~ '^(search_path|local_preload|session_preload|dynamic_lib|exit_on_error|client_encoding)'};
	my @alter = split /\n/, run_as($node, 'ana', "$changed;\n" . sprintf($own))->{out};

	foreach my $sql (grep { /^ALTER/ } @alter)
	{
		$node->psql('postgres', $sql);
	}
	$node->safe_psql('postgres', q{ALTER ROLE ana SET app.mode = 'loud'});
	is(differences($plain, seen_with(''), 1), '', 'a setting of the role is the server\'s, or built in, in a scan');
	$node->safe_psql('postgres', 'ALTER ROLE ana RESET ALL');
}

# ---- those that make a view fail on one row --------------------------------------

my $xml = $node->safe_psql('postgres', q{SELECT count(*) FROM pg_config WHERE setting LIKE '%--with-libxml%'});

$node->safe_psql('postgres', q{
	SET ROLE own;
	CREATE TABLE odd AS SELECT i::float8 AS x, i = 77 AS secret, CASE WHEN i = 77 THEN 'plain' ELSE '<a/>' END AS note
		FROM generate_series(1, 100) i;
	CREATE FUNCTION first_of(secret boolean) RETURNS boolean LANGUAGE plpgsql PARALLEL SAFE AS $$
	DECLARE
		i int;
	BEGIN
		IF secret THEN
			SELECT v.c INTO i FROM (VALUES (1), (2)) v (c);
		END IF;
		RETURN true;
	END$$;
	CREATE FUNCTION fails(fails boolean) RETURNS boolean LANGUAGE plpgsql PARALLEL SAFE AS $$
	BEGIN
		IF fails THEN
			RAISE division_by_zero;
		END IF;
		RETURN true;
	END$$;
	CREATE VIEW extra_errors AS SELECT x FROM odd WHERE public.first_of(secret);
	CREATE VIEW abbreviations AS SELECT x FROM odd
		WHERE public.fails(secret AND ('2020-01-01 ' || left('EST' || note, 3))::timestamptz <> '2020-01-01 05:00+00');
	CREATE VIEW zones AS SELECT x FROM odd WHERE public.fails(secret AND '2020-01-01'::date::timestamptz <> '2020-01-01 00:00+00');
	CREATE VIEW modes AS SELECT x FROM odd WHERE public.fails(secret AND current_setting('app.mode') = 'loud');
	SELECT dp_register_dataset(n, n, 100, 1e-2), dp_register_column(n, 'x', 0, 100), dp_grant_budget('ana', n, 9, 1e-3)
		FROM unnest('{extra_errors,abbreviations,zones,modes}'::text[]) n});
if ($xml)
{
	$node->safe_psql('postgres', q{
		SET ROLE own;
		CREATE VIEW options AS SELECT x FROM odd WHERE public.fails(note::xml IS NULL);
		CREATE VIEW binaries AS SELECT x FROM odd
			WHERE public.fails(secret AND xmlelement(name a, convert_to(note, 'UTF8'))::text NOT LIKE '%cGxhaW4=%');
		SELECT dp_register_dataset(n, n, 100, 1e-2), dp_register_column(n, 'x', 0, 100), dp_grant_budget('ana', n, 9, 1e-3)
			FROM unnest('{options,binaries}'::text[]) n});
}
my $parallel = 'SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET parallel_leader_participation = off';
my $serial = 'SET max_parallel_workers_per_gather = 0';
my %failing = (
	extra_errors => "LOAD 'plpgsql'; SET plpgsql.extra_errors = 'too_many_rows'",
	abbreviations => q{SET timezone_abbreviations = 'Australia'},
	zones => q{SET timezone = 'Asia/Tokyo'},
	modes => q{SET app.mode = 'loud'},
	$xml ? (options => 'SET xmloption = document', binaries => 'SET xmlbinary = hex') : ());
foreach my $view (sort keys %failing)
{
	my $set = $failing{$view};

	isnt(sqlstate(run_as($node, 'own', "$set; SELECT x FROM $view")), '', "$view: fails on one row with $set");
	is(run_as($node, 'ana', "$_; $set; " . sprintf($count, $view))->{out}, '1', "a setting makes a view fail on one row: $view, $_")
		foreach ($serial, $parallel);
}

# ---- temporary files ---------------------------------------------------------------

# What everybody could measure while a scan reads its rows, written to the log by the view itself.
my $rows = 20_000;

$node->safe_psql('postgres', qq{
	SET ROLE own;
	CREATE TABLE crowd AS SELECT i AS number, i / 2 AS person, i / 2 AS key, sin(i) AS x, cos(i) AS y FROM generate_series(1, $rows) i;
	CREATE FUNCTION measure(number int) RETURNS boolean LANGUAGE plpgsql PARALLEL SAFE AS \$\$
	BEGIN
		IF number % 500 = 0 THEN
			RAISE LOG 'size %', pg_tablespace_size('pg_default');
		END IF;
		RETURN true;
	END\$\$;
	CREATE VIEW measured AS SELECT * FROM crowd WHERE public.measure(number);
	CREATE TABLE others AS TABLE crowd;
	CREATE VIEW kept AS SELECT * FROM others WHERE public.measure(number);
	CREATE VIEW sorted AS SELECT DISTINCT * FROM kept;
	SELECT dp_register_dataset('measured', 'measured', 100, 1e-2, unit => 'person', max_rows_per_unit => 1, keys_share => 0.1),
		dp_register_key('measured', 'key'), dp_register_column('measured', 'x', -1, 1), dp_register_column('measured', 'y', -1, 1),
		dp_grant_budget('ana', 'measured', 90, 9e-3);
	SELECT dp_register_dataset(n, n, 100, 1e-2), dp_register_column(n, 'x', -1, 1), dp_register_column(n, 'y', -1, 1),
		dp_grant_budget('ana', n, 90, 1e-3) FROM unnest('{kept,sorted}'::text[]) n;
	ANALYZE crowd, others});

my $fit = 'SELECT count(*) FROM ' . fit('%s');
my @scans = (
	['a quota', $serial, sprintf($fit, 'measured')],
	['a quota, parallel', $parallel, sprintf($fit, 'measured')],
	['private keys', $serial, q{SELECT count(*) >= 0 FROM dp_count('measured', 0.1, 1e-6, by => 'key')}],
	['kept rows', "$serial; SET dpem.resident_memory = 1", sprintf($fit, 'kept')],
	['a view that sorts', $serial, sprintf($fit, 'sorted')]);

# Least and greatest size during a call.
sub sizes
{
	my ($before, $sql, $name) = @_;
	my $offset = -s $node->logfile;

	ok_as($node, 'ana', "SET work_mem = '64kB'; $before; $sql", $name);
	my @sizes = sort { $a <=> $b } slurp_file($node->logfile, $offset) =~ /size (\d+)/g;
	die "nothing was measured: $name" unless @sizes > 20;
	return @sizes[0, -1];
}

foreach my $scan (@scans)
{
	my ($least, $most) = sizes(@$scan[1, 2], $scan->[0]);

	is($most - $least, 0, "the size of a tablespace grows by what a scan sorts: $scan->[0]");
}

# It would have been seen.
{
	my $offset = -s $node->logfile;

	run_as($node, 'own', q{SET work_mem = '64kB'; SELECT sum(rank) FROM (SELECT row_number() OVER (PARTITION BY person ORDER BY x) AS rank FROM measured) s});
	my @sizes = sort { $a <=> $b } slurp_file($node->logfile, $offset) =~ /size (\d+)/g;
	cmp_ok($sizes[-1] - $sizes[0], '>', 300_000, 'a sort of the owner\'s is seen');
}

# A limit of the caller's is no limit of a scan.
SKIP:
{
	skip 'rights on parameters are new in 15', 4 unless $has_parameters;
	$node->append_conf('postgresql.conf', q{dpem.scan_memory = '64kB'});
	$node->reload;
	foreach my $scan (grep { $_->[0] !~ /parallel/ } @scans)
	{
		ok_as($node, 'ana', "SET temp_file_limit = '100kB'; $scan->[1]; $scan->[2]", "temp_file_limit as a threshold: $scan->[0]");
	}
}

# Settings of the administrator's are nobody else's, nor before the library is loaded.
{
	my $result = run_as($node, 'ana', q{SET dpem.scan_memory = '1GB'; SET dpem.scanning = on; SET dpem.spill_tablespace = 'pg_default';
		SELECT count(*) FROM dp_count('kept', 0.01); SHOW dpem.scan_memory; SHOW dpem.scanning; SHOW dpem.spill_tablespace;
		SET dpem.scan_memory = '1GB'; SET dpem.scanning = on; SET dpem.spill_tablespace = 'pg_default'});

	is($result->{out}, "1\n64kB\noff\n", 'a session does not choose the memory or the place of a scan');
	is(join(' ', $result->{err} =~ /ERROR:  (\w+)/g), '55P02 42501 55P02', '... when it knows what they are');
}

# ---- a tablespace that nobody can size ------------------------------------------------

my $place = PostgreSQL::Test::Utils::tempdir();
my $exposed = q{SELECT string_agg(severity || coalesce(' ' || remedy, ''), '; ') FROM dp_exposure('measured') WHERE topic = 'temporary files'};

$node->append_conf('postgresql.conf', q{dpem.scan_memory = '64kB'});
$node->reload;
is(run_as($node, 'own', $exposed)->{out}, q{medium ALTER SYSTEM SET dpem.scan_memory = '6MB'}, 'dp_exposure says what a scan may write');
$node->safe_psql('postgres', q{ALTER SYSTEM SET dpem.scan_memory = '6MB'});
$node->reload;
is(run_as($node, 'own', $exposed)->{out}, '', '... unless it has the memory that the remedy says');
foreach my $scan (@scans)
{
	my ($least, $most) = sizes(@$scan[1, 2], $scan->[0]);

	is($most - $least, 0, "the size of a tablespace grows by what a scan sorts: $scan->[0], with that memory");
}
$node->safe_psql('postgres', 'ALTER SYSTEM RESET dpem.scan_memory');
$node->safe_psql('postgres', "CREATE TABLESPACE elsewhere LOCATION '$place'");
$node->append_conf('postgresql.conf', q{dpem.spill_tablespace = 'elsewhere'});
$node->reload;
is(run_as($node, 'own', $exposed)->{out}, '', '... or there is a place for it');
is(sqlstate(run_as($node, 'eve', q{SELECT pg_tablespace_size('elsewhere')})), '42501', '... that nobody can size');
$node->safe_psql('postgres', "ALTER FUNCTION measure(int) RENAME TO measure_default");
$node->safe_psql('postgres', q{
	CREATE FUNCTION measure(number int) RETURNS boolean LANGUAGE plpgsql PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog AS $$
	BEGIN
		IF number % 500 = 0 THEN
			RAISE LOG 'elsewhere %', pg_tablespace_size('elsewhere');
			PERFORM public.measure_default(number);
		END IF;
		RETURN true;
	END$$;
	CREATE OR REPLACE VIEW measured AS SELECT * FROM crowd WHERE public.measure(number);
	CREATE OR REPLACE VIEW kept AS SELECT * FROM others WHERE public.measure(number)});
foreach my $scan (@scans)
{
	my $offset = -s $node->logfile;
	my ($least, $most) = sizes(@$scan[1, 2], $scan->[0]);
	my @there = sort { $a <=> $b } slurp_file($node->logfile, $offset) =~ /elsewhere (\d+)/g;

	is($most - $least, 0, "the size of a tablespace grows by what a scan sorts: $scan->[0], elsewhere");
	cmp_ok($there[-1] - $there[0], '>', 100_000, "... which does: $scan->[0]") unless $scan->[0] eq 'kept rows';
}

# The session's own files and temporary tables are where they were.
$node->safe_psql('postgres', q{GRANT CREATE ON TABLESPACE pg_default TO ana});
is(run_as($node, 'ana', q{BEGIN; SET temp_tablespaces = 'pg_default'; SELECT count(*) FROM } . fit('kept') . q{;
	CREATE TEMP TABLE t AS SELECT 1 AS x; SELECT reltablespace FROM pg_class WHERE relname = 't'; COMMIT})->{out}, "2\n0",
	'the session\'s temporary tables stay out of it');
is(run_as($node, 'own', $exposed)->{out}, '', 'nothing is exposed');
$node->safe_psql('postgres', 'GRANT CREATE ON TABLESPACE elsewhere TO PUBLIC');
is(run_as($node, 'own', $exposed)->{out}, q{medium REVOKE CREATE ON TABLESPACE elsewhere FROM PUBLIC}, 'a place that analysts can size is exposed');

$node->stop;
done_testing();
