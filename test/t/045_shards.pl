# A source spread over three servers: fitted where it lies.  Its fits are those
# of one table, only states travel, the servers work at the same time, and one
# that fails gives the constant message with the charge standing.
use strict;
use warnings;

use Dpem::Shards;
use Dpem::Test;
use Dpem::Wire;
use Test::More;

my $rows = 700;					# of each shard
my $center = start_server('center');

plan skip_all => 'postgres_fdw is not installed' if ($center->psql('postgres', 'CREATE EXTENSION postgres_fdw'))[0] != 0;

my (@shard, @wire);

# ---- three servers -----------------------------------------------------------

sub add_rows
{
	my ($s, $from, $to) = @_;

	$shard[$s]->safe_psql('postgres', 'INSERT INTO readings ' . readings($s, $from, $to));
	return;
}

foreach my $s (0 .. 2)
{
	$shard[$s] = start_server("shard$s", "log_statement = all\n");
	# barrier() waits as long as somebody holds the lock 7
	$shard[$s]->safe_psql('postgres', qq{
		CREATE ROLE fetcher LOGIN;
		CREATE TABLE readings ($reading_columns);
		CREATE FUNCTION barrier() RETURNS bool LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(7); RETURN true; END';
		CREATE VIEW slow AS SELECT * FROM readings WHERE (SELECT barrier());
		GRANT SELECT ON readings, slow TO fetcher});
	add_rows($s, 1, $rows);
	$wire[$s] = Dpem::Wire->new($shard[$s]);
}

$center->safe_psql('postgres', qq{
	CREATE ROLE keeper; CREATE ROLE ana LOGIN;
	GRANT CREATE ON SCHEMA public TO keeper;
	CREATE TABLE readings ($reading_columns) PARTITION BY LIST (shard);
	CREATE TABLE mixed ($reading_columns) PARTITION BY LIST (shard);
	CREATE TABLE mixed_0 PARTITION OF mixed FOR VALUES IN (0);
	CREATE TABLE family ($reading_columns);
	CREATE TABLE slow ($reading_columns) PARTITION BY LIST (shard);
	CREATE TABLE people (person int, a float8, b float8, y int, label text, well bool, shard int) PARTITION BY LIST (shard)});
foreach my $s (0 .. 2)
{
	foreign_server($center, "shard$s", $wire[$s]);
	$center->safe_psql('postgres', qq{
		CREATE FOREIGN TABLE readings_$s PARTITION OF readings FOR VALUES IN ($s) SERVER shard$s OPTIONS (table_name 'readings');
		CREATE FOREIGN TABLE slow_$s PARTITION OF slow FOR VALUES IN ($s) SERVER shard$s OPTIONS (table_name 'slow');
		CREATE FOREIGN TABLE people_$s PARTITION OF people FOR VALUES IN ($s) SERVER shard$s OPTIONS (table_name 'readings');
		CREATE FOREIGN TABLE family_$s () INHERITS (family) SERVER shard$s OPTIONS (table_name 'readings')});
	$center->safe_psql('postgres', qq{
		CREATE FOREIGN TABLE mixed_$s PARTITION OF mixed FOR VALUES IN ($s) SERVER shard$s OPTIONS (table_name 'readings')}) if $s;
}
$center->safe_psql('postgres', q{
	DO $$ DECLARE r regclass; BEGIN
		FOR r IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'f') LOOP
			EXECUTE format('ALTER TABLE %s OWNER TO keeper', r);
		END LOOP; END $$;
	SET ROLE keeper;
	CREATE TABLE whole AS TABLE readings;
	INSERT INTO mixed_0 SELECT * FROM whole WHERE shard = 0;
	CREATE TABLE more (LIKE whole);
	CREATE VIEW "all of it" AS SELECT a, b, y, label AS "Label", well FROM readings_0 WHERE a < 2
		UNION ALL SELECT a, b, y, label, well FROM readings_1
		UNION ALL (SELECT a, b, y, label, well FROM readings_2 UNION ALL SELECT a + 1, b, y, label, well FROM more)});

register_readings($center, $_) foreach qw(whole readings mixed family slow);
register_readings($center, 'all of it', label => 'Label');
register_readings($center, 'people', more => ", unit => 'person', max_rows_per_unit => 1000");

# ---- the same fits -----------------------------------------------------------

foreach my $family (sort keys %reading_fits)
{
	my $expected = keeper_numbers($center, sprintf $reading_fits{$family}, 'whole');

	foreach my $dataset (qw(readings mixed family people), 'all of it')
	{
		my $sql = sprintf $reading_fits{$family}, $dataset;
		my $worst = largest_difference(keeper_numbers($center, $dataset eq 'all of it' ? $sql =~ s/'label'/'Label'/r : $sql), $expected);

		ok($worst < 1e-9, "$family of $dataset is that of one table") or diag("difference $worst");
	}
}

# evaluations bring a model, which the shards take from those who may
sub evaluation
{
	my ($dataset) = @_;
	my ($rc, $out, $err) = $center->psql('postgres', "SET ROLE keeper; SELECT metric, round(value::numeric, 9) FROM dp_evaluate('line', '$dataset', 'Infinity') UNION ALL SELECT metric, round(value::numeric, 9) FROM dp_evaluate('says', '$dataset', 'Infinity')");

	return $rc ? $err : $out;
}
$center->safe_psql('postgres', q{SET ROLE ana; SELECT count(*) FROM dp_linreg_fit('whole', 'b', 10, columns => '{a}', model => 'line'); SELECT count(*) FROM dp_logit_fit('whole', 'label', 10, columns => '{a,b}', model => 'says')});
my $alone = evaluation('whole');

like($alone, qr/r2\|.*auc\|/s, 'evaluations of one table');

# what ana is told of an evaluation that is not, and what it costs
sub distrust
{
	my ($dataset) = @_;
	my $charges = q{SELECT count(*) FROM dpem.ledger};
	my $before = $center->safe_psql('postgres', $charges);
	my ($rc, $out, $err) = $center->psql('postgres', "SET ROLE ana; SELECT count(*) FROM dp_evaluate('line', '$dataset', 1)");

	is($center->safe_psql('postgres', $charges), $before, "nothing is charged of $dataset");
	return $err;
}

# a table of one far part is not split
$center->safe_psql('postgres', q{SET ROLE keeper; CREATE FOREIGN TABLE alone (a float8, b float8, y int, label text, well bool) SERVER shard1 OPTIONS (table_name 'readings')});
register_readings($center, 'alone');
like(evaluation($_), qr/a server that has rows of the source takes no models from this one/, "$_: a shard that trusts nobody with models") foreach qw(readings mixed family alone);
like(distrust($_), qr/a server that has rows of the source takes no models from this one/, '... as the analyst is told') foreach qw(readings alone);
$shard[$_]->safe_psql('postgres', 'GRANT EXECUTE ON FUNCTION dpem_internal.brings_models TO fetcher') foreach 0, 1;
like(distrust('readings'), qr/takes no models from this one/, 'one shard of three that trusts nobody');
$_->safe_psql('postgres', 'GRANT EXECUTE ON FUNCTION dpem_internal.brings_models TO fetcher') foreach @shard;
is(evaluation($_), $alone, "evaluations of $_ are those of one table") foreach qw(readings mixed family people);

# what is computed here of a part's rows is not asked for trust, as rows would be read before the charge: of a row that fails the charge stands
$center->safe_psql('postgres', q{
	GRANT EXECUTE ON FUNCTION dpem_internal.brings_models TO keeper;
	SET ROLE keeper;
	CREATE FUNCTION fails(x float8) RETURNS float8 LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog AS 'BEGIN RETURN 1 / (x - x); END';
	CREATE VIEW computed AS SELECT fails(a) AS a, b, y, label, well FROM readings_0 UNION ALL SELECT a, b, y, label, well FROM readings_1});
register_readings($center, 'computed');
{
	my $charges = q{SELECT count(DISTINCT charge) FROM dpem.ledger WHERE dataset = 'computed'};
	my $before = $center->safe_psql('postgres', $charges);
	my ($rc, $out, $err) = $center->psql('postgres', q{SET ROLE ana; SELECT count(*) FROM dp_evaluate('line', 'computed', 1)});

	like($err, qr/the private source could not be scanned\nDETAIL:  The charge stands/, 'a part whose rows are read here');
	is($center->safe_psql('postgres', $charges), $before + 1, '... only when they are paid for');
}
$center->safe_psql('postgres', q{REVOKE EXECUTE ON FUNCTION dpem_internal.brings_models FROM keeper});

# where steps are between passes is told to no other server, and nothing is charged
foreach my $fit (map { my $dataset = $_; map { [ $dataset, $_ ] } qw(output objective) } qw(readings mixed family people))
{
	my ($dataset, $algorithm) = @$fit;
	my $charges = "SELECT count(*) FROM dpem.ledger WHERE dataset = '$dataset'";
	my $before = $center->safe_psql('postgres', $charges);
	my ($rc, $out, $err) = $center->psql('postgres', "SET ROLE ana; SELECT count(*) FROM dp_logit_fit('$dataset', 'label', 1, columns => '{a,b}', algorithm => '$algorithm')");

	like($err, qr/goes over rows that are kept/, "$algorithm over $dataset");
	is($center->safe_psql('postgres', $charges), $before, '... are not charged');
}

# columns on scales: the shards apply them
sub on_scales
{
	my ($a, $b) = @_;

	$center->safe_psql('postgres', "SET ROLE keeper; SELECT dp_register_column('$_', 'a', $a), dp_register_column('$_', 'b', $b)")
	  foreach qw(whole readings mixed family people), 'all of it';
	return;
}

my $on_line = keeper_numbers($center, sprintf $reading_fits{gmm}, 'whole');

on_scales("0.01, 1, scale => 'log'", "-1, 1, scale => 'signed_log'");
foreach my $family (qw(gmm kmeans pca))
{
	my $expected = keeper_numbers($center, sprintf $reading_fits{$family}, 'whole');

	cmp_ok(largest_difference($expected, $on_line), '>', 1e-3, 'scales make a difference') if $family eq 'gmm';
	foreach my $dataset (qw(readings mixed family people), 'all of it')
	{
		my $worst = largest_difference(keeper_numbers($center, sprintf $reading_fits{$family}, $dataset), $expected);

		ok($worst < 1e-9, "$family of $dataset on scales is that of one table") or diag("difference $worst");
	}
}
on_scales('-1, 1', '-1, 1');

# ---- what travels ------------------------------------------------------------

# bytes that come from all shards during a statement of keeper's
sub bytes_of
{
	my ($sql) = @_;
	my $before = received(@wire);

	$center->safe_psql('postgres', "SET ROLE keeper; $sql");
	return received(@wire) - $before;
}

sub gmm_bytes
{
	my ($dataset, $iterations) = @_;

	return bytes_of("SELECT count(*) FROM dp_gmm_fit('$dataset', 3, 'Infinity', columns => '{a,b}', iterations => $iterations,"
		  . " precondition => 'none', init_variance => 0.1)");
}

my @at = map { -s $_->logfile } @shard;
my %small = map { $_ => gmm_bytes('readings', $_) } 2, 12;

foreach my $s (0 .. 2)
{
	my @sent = log_since($shard[$s], $at[$s]) =~ /DECLARE \w+ CURSOR FOR\s+(.*)/g;

	is(scalar(@sent), 14, "shard $s: one query for each pass");
	is(scalar(grep { $_ ne 'SELECT dpem_internal.moments($1::bytea, a, b) FROM public.readings' } @sent), 0, '... all for a state')
	  or diag($sent[0]);
}
$at[0] = -s $shard[0]->logfile;
keeper_numbers($center, sprintf $reading_fits{logit}, 'all of it');
keeper_numbers($center, sprintf $reading_fits{"logit by $_"}, 'readings') foreach qw(label well);
like(log_since($shard[0], $at[0]), qr/FOR\s+SELECT dpem_internal\.moments\(.*y::double precision = .*FROM public\.readings WHERE \(\(a < 2/, 'a member of a view, with label and condition');
like(log_since($shard[0], $at[0]), qr/FOR\s+SELECT dpem_internal\.moments\(\$1::bytea, \(\(dpem_internal\.fetched\(label\) = 'ill'.* FROM public\.readings\n/, 'a text as label');
like(log_since($shard[0], $at[0]), qr/FOR\s+SELECT dpem_internal\.moments\(\$1::bytea, \(well::integer - .* FROM public\.readings\n/, 'a truth value as label');
$center->safe_psql('postgres', q{SET ROLE keeper; SELECT count(*) FROM dp_count('readings', 'Infinity', filter => 'a > 0 AND b < 0.5')});
like(log_since($shard[0], $at[0]), qr/FOR\s+SELECT dpem_internal\.moments\(\$1::bytea, dpem_internal\."?both"?\(\(a > .*FROM public\.readings\n/, 'a filter, both of whose sides are evaluated');

my %before = (unit => gmm_bytes('people', 12));
add_rows($_, $rows + 1, 10 * $rows) foreach 0 .. 2;
my %large = map { $_ => gmm_bytes('readings', $_) } 2, 12;
my $growth = gmm_bytes('people', 12) / $before{unit};
my $per_pass = ($large{12} - $large{2}) / 10;

is($large{12}, $small{12}, 'ten times the rows, not a byte more');
cmp_ok($per_pass, '<', 3 * 2000, 'an iteration moves three states');
cmp_ok($per_pass, '>', 3 * 100, '... and the wire is what was measured');
cmp_ok($growth, '>', 5, 'with a unit the rows travel');
note("bytes received per iteration and shard: @{[ $per_pass / 3 ]}; with a unit $before{unit} at $rows rows a shard, times $growth at ten times");

# ---- at the same time --------------------------------------------------------

# sessions that hold the lock which barrier() waits for, on every shard
sub hold
{
	return map { my $h = $_->background_psql('postgres'); $h->query_safe('SELECT pg_advisory_lock(7)'); $h } @shard;
}

# does a scan wait there within the time that poll_query_until allows?
sub waits
{
	my ($node) = @_;

	return $node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND usename = 'fetcher'});
}

# no session of the coordinator's is at work or in a transaction
sub quiet
{
	my ($node) = @_;

	return $node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_stat_activity WHERE usename = 'fetcher' AND state <> 'idle'});
}

my $fit_slow = q{SELECT count(*) FROM dp_gmm_fit('slow', 2, 1, 1e-6, columns => '{a,b}', iterations => 1)};
my @holders = hold();
my $fit = $center->background_psql('postgres', on_error_stop => 0);

$fit->query_safe('SET ROLE ana');
$fit->query_until(qr/sent/, "\\echo sent\n$fit_slow;\n");
ok(waits($shard[$_]), "shard $_ works while the others do") foreach 0 .. 2;
is($center->safe_psql('postgres', q{SELECT count(*) FROM dpem.ledger WHERE dataset = 'slow'}) > 0, 1, 'the charge was there before');
$_->quit foreach @holders;
is($fit->query('SELECT 41 + 1') =~ /(\d+)\s+42/ ? $1 : '', 2, 'and then the fit is done');

# cancelled while all shards work
@holders = hold();
$fit->query_until(qr/sent/, "\\echo sent\n$fit_slow;\n");
ok(waits($shard[$_]), "shard $_ works again") foreach 0 .. 2;
$center->safe_psql('postgres', q{SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query ~ 'dp_gmm_fit' AND pid <> pg_backend_pid()});
ok(quiet($_), 'a cancelled fit ends on the shard, too') foreach @shard;
$_->quit foreach @holders;
$fit->quit;

# ---- what fails --------------------------------------------------------------

# a fit of ana's fails with the constant message, and is charged; returns what keeper's server log got
sub fails
{
	my ($what) = @_;
	my $charges = q{SELECT count(DISTINCT charge) FROM dpem.ledger WHERE dataset = 'readings'};
	my $before = $center->safe_psql('postgres', $charges);
	my $from = -s $center->logfile;
	my ($rc, $out, $err) = $center->psql('postgres', "\\set VERBOSITY verbose\nSET ROLE ana;\n"
		  . q{SELECT * FROM dp_gmm_fit('readings', 2, 0.1, 1e-6, columns => '{a,b}', iterations => 2)});
	my @lines = grep { /^(psql|ERROR|DETAIL|HINT)/ && !/LOCATION/ } split(/\n/, $err);

	like($lines[0], qr/ERROR:  DP003: the private source could not be scanned$/, "$what: the constant message");
	is_deeply([ map { s/^\w+:\s+//r } @lines[1, 2] ], [ 'The charge stands.', 'The owner of the dataset finds the reason in the server log.' ],
		'... and nothing else');
	is($center->safe_psql('postgres', $charges), $before + 1, '... one charge, which stands');
	return log_since($center, $from);
}

$shard[1]->stop('immediate');
like(fails('a shard that is down'), qr/scan of a private source failed: could not connect to server "shard1"/, '... the reason in the log');
$shard[1]->start;

$shard[2]->safe_psql('postgres', 'DROP EXTENSION dpem CASCADE');
like(fails('a shard without dpem'), qr/scan of a private source failed: schema "dpem_internal" does not exist/, '... the reason in the log');

# stands in for a shard of another version, and for one whose states are broken
$shard[2]->safe_psql('postgres', q{
	CREATE SCHEMA dpem_internal;
	CREATE FUNCTION dpem_internal.keep(bytea, bytea, float8, float8) RETURNS bytea LANGUAGE sql RETURN '\x0902010200000001000000020000'::bytea;
	CREATE AGGREGATE dpem_internal.moments(bytea, float8, float8) (SFUNC = dpem_internal.keep, STYPE = bytea);
	GRANT USAGE ON SCHEMA dpem_internal TO PUBLIC});
like(fails('a state of another version'), qr/scan of a private source failed: state of dpem_internal.moments in the format of another version/, '... the reason in the log');
foreach my $broken ('\x02', '\x0202010200000001000000020000', '\x020201020000000100000002' . '00' x 80, '\x020201030000000100000001' . '7f' x 48)
{
	$shard[2]->safe_psql('postgres', qq{CREATE OR REPLACE FUNCTION dpem_internal.keep(bytea, bytea, float8, float8) RETURNS bytea LANGUAGE sql RETURN '$broken'::bytea});
	like(fails('a broken state'), qr/scan of a private source failed: (malformed state|states of dpem_internal.moments of different kernels or shapes)/, '... the reason in the log');
}
$shard[2]->safe_psql('postgres', 'DROP SCHEMA dpem_internal CASCADE; CREATE EXTENSION dpem');
is($center->safe_psql('postgres', q{SET ROLE ana; SELECT count(*) FROM dp_gmm_fit('readings', 2, 1, 1e-6, columns => '{a,b}', iterations => 2)}),
	2, 'and all is well again');

# ---- sampled passes, rows of units: fetched, and fitted -----------------------

is($center->safe_psql('postgres', q{SET ROLE ana; SELECT count(*) FROM dp_gmm_fit('readings', 2, 1, 1e-6, columns => '{a,b}', iterations => 2, sampling_rate => 0.1)}),
	2, 'a sampled fit');
is($center->safe_psql('postgres', q{SET ROLE ana; SELECT count(*) FROM dp_kmeans_fit('readings', 2, 1, 1e-6, columns => '{a,b}', algorithm => 'sample_aggregate')}),
	2, 'a fit that needs all rows in one place');

# ---- stand-ins for the catalogs of Citus: what they name is gathered -------------

$center->safe_psql('postgres', q{
	SET allow_system_table_mods = on;
	CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass);
	CREATE TABLE pg_catalog.pg_dist_local_group (groupid int);
	CREATE FUNCTION pg_catalog.relation_is_a_known_shard(r regclass) RETURNS bool LANGUAGE sql AS $$ SELECT r::text ~ '_10\d+$' $$;
	INSERT INTO pg_dist_local_group VALUES (0);
	SET ROLE keeper;
	CREATE TABLE spread AS TABLE whole; CREATE TABLE crowd AS TABLE whole; CREATE TABLE crowd_102008 (LIKE whole);
	CREATE FOREIGN TABLE far (a float8, b float8, y int, label text, well bool) SERVER shard0 OPTIONS (table_name 'readings');
	CREATE VIEW heard AS SELECT a, b, y, label, well FROM spread UNION ALL SELECT a, b, y, label, well FROM far WHERE a > 1;
	RESET ROLE;
	INSERT INTO pg_dist_partition VALUES ('spread'), ('crowd')});
register_readings($center, $_) foreach qw(spread heard);
register_readings($center, 'crowd', more => ", unit => 'person', max_rows_per_unit => 30");
foreach my $family (sort keys %reading_fits)
{
	my $expected = keeper_numbers($center, sprintf $reading_fits{$family}, 'whole');

	foreach my $dataset (qw(spread heard))
	{
		my $worst = largest_difference(keeper_numbers($center, sprintf $reading_fits{$family}, $dataset), $expected);

		ok($worst < 1e-9, "$family of $dataset, gathered, is that of one table") or diag("difference $worst");
	}
}
is($center->safe_psql('postgres', q{SET ROLE keeper; SELECT value FROM dp_count('crowd', 'Infinity')}), 40 * 30, 'the quota of gathered rows');
is($center->safe_psql('postgres', qq{SET ROLE ana; SELECT count(*) FROM dp_gmm_fit('$_', 2, 1, 1e-6, columns => '{a,b}', iterations => 2, sampling_rate => 0.1)}), 2,
	"a sample of gathered rows: $_") foreach qw(spread crowd);
is($center->safe_psql('postgres', q{SET ROLE ana; SELECT count(*) FROM dp_count('spread', 1, by => 'label', filter => 'a > 0 AND b < 0.5')}), 2, 'groups and a filter');

sub refused
{
	my ($source) = @_;

	return like(($center->psql('postgres', "SET ROLE keeper; SELECT dp_register_dataset('other', '$source', 1, 1e-6)"))[2],
		qr/ERROR:  "$source" cannot be a private source on this server/, "$source has its ledger elsewhere");
}

refused('crowd_102008');
$center->safe_psql('postgres', 'UPDATE pg_dist_local_group SET groupid = 1');
refused('spread');
$center->safe_psql('postgres', 'SET allow_system_table_mods = on; DROP TABLE pg_dist_partition, pg_dist_local_group');

# ---- what dp_exposure says ---------------------------------------------------

my $findings = q{SET ROLE keeper; SELECT string_agg(severity || ' ' || object, ',' ORDER BY severity, object) FROM dp_exposure('readings') WHERE topic = 'foreign server'};

$center->safe_psql('postgres', q{ALTER SERVER shard1 OPTIONS (SET host 'db.example.org'); ALTER SERVER shard2 OPTIONS (ADD sslmode 'disable')});
is($center->safe_psql('postgres', $findings), 'info shard0,info shard1,info shard2,medium shard1', 'servers to look at, and one that may not encrypt');
$center->safe_psql('postgres', q{ALTER SERVER shard2 OPTIONS (SET host '127.0.0.1')});
$center->safe_psql('postgres', $center->safe_psql('postgres', q{SELECT string_agg(remedy, ';') FROM dp_exposure('readings') WHERE topic = 'foreign server'}));
is($center->safe_psql('postgres', $findings), 'info shard0,info shard1,info shard2', '... until the remedies are run');

ok(quiet($_), 'nothing is left behind') foreach @shard;
$center->stop;
$_->stop foreach @shard;
$_->stop foreach @wire;
done_testing();
