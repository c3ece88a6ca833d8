# Row counts from what was read: long values lie in tables of their own, and pg_stat_bgwriter, which
# every role may read, counts the pages that were fetched; pg_stat_io, from 16 on, also those that were there.
# Calls that name the same columns, and of which one counts few rows and the other all, must read the same.
# So must calls over enums of few different values and of many, which the server looks up in its catalog.
#
# Every long value is stored out of line, uncompressed, so that a column has known pages.  What is public is
# looked at from a server that was just started: each page is fetched once, in whatever order, and what the charge
# and catalogs take differs by few.  How often a page is touched, auto_explain tells the server's log.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use Dpem::Test;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $rows = 1500;
my $width = 300;				# coordinates of an array, so that three of them fill a page
my $text = 2400;
my $few = 20;					# pages
my $node = start_server('reads', q{
	shared_buffers = 128MB
	bgwriter_delay = 10ms
	autovacuum = off
	checkpoint_timeout = 1h
	max_wal_size = 4GB
	fsync = off
	max_parallel_workers_per_gather = 0
	session_preload_libraries = 'auto_explain'
	auto_explain.log_min_duration = 0
	auto_explain.log_nested_statements = on
	auto_explain.log_analyze = on
	auto_explain.log_buffers = on
	auto_explain.log_timing = off
});

# ---- tables ------------------------------------------------------------------

# `part` is uniform on 1 .. 100.  Each long column is a table's only one;
# `padding` makes rows long enough for it to be stored out of line.
my %column = (
	a => "array_fill(sin(i)::float8, '{$width}')",
	w => "array_fill(sin(i)::float8, ARRAY[$width + (i % 100 > 0)::int])",
	n => "(i % 100 || '.' || repeat('1234', $text / 2))::numeric",
	note => "repeat(CASE WHEN i % 2 = 0 THEN 'x' ELSE 'y' END, $text)",
	topics => "ARRAY(SELECT 1 + (i + j) % 5 FROM generate_series(1, $text / 4) j)",
	words => "ARRAY(SELECT 'w' || (i + j) % 5 FROM generate_series(1, $text / 8) j)",
	person => "lpad((i / 3)::text, 1000, '0')");
my %type = (a => 'float8[]', w => 'float8[]', n => 'numeric', note => 'text', topics => 'int[]', words => 'text[]', person => 'text');
my $ranks = "(SELECT i, 1 + i % 100 AS part, CASE WHEN i % 100 = 0 THEN 1 END AS rare, 1 AS always, 0 AS one, i AS alone, repeat('p', 1100) AS padding
	FROM generate_series(1, $rows) i)";

$node->safe_psql('postgres', 'CREATE ROLE own LOGIN; CREATE ROLE ana LOGIN; GRANT CREATE ON SCHEMA public TO own');

# A table with a dataset of its name; returns the pages of its long column.
sub make_table
{
	my ($table, $long, %option) = @_;
	my $unit = $option{unit} ? ", unit => '$option{unit}', max_rows_per_unit => 1" : '';
	my %register = (
		a => "dp_register_column('$table', '$long', -1, 1, length => $width)",
		w => "dp_register_column('$table', '$long', -1, 1, length => $width)",
		n => "dp_register_column('$table', '$long', 0, 100)",
		note => "dp_register_column('$table', '$long', ARRAY[repeat('x', $text), repeat('y', $text)])",
		topics => "dp_register_text('$table', '$long', '{a,b,c,d,e}')",
		words => "dp_register_text('$table', '$long', '{w0,w1,w2,w3,w4}')",
		person => "dp_register_key('$table', '$long')");
	my $pages;

	$node->safe_psql('postgres', qq{SET ROLE own;
		CREATE TABLE $table (i int, part int, rare float8, always float8, one int, alone int, padding text, $long $type{$long}) WITH (toast_tuple_target = 128);
		ALTER TABLE $table ALTER $long SET STORAGE EXTERNAL, ALTER padding SET STORAGE PLAIN;
		INSERT INTO $table SELECT i, part, rare, always, one, alone, padding, $column{$long} FROM $ranks AS s;
		SELECT dp_register_dataset('$table', '$table', 1000, 0.01, keys_share => 0.1, accountant => '} . ($option{accountant} // 'gdp') . qq{'$unit);
		SELECT $register{$long}, dp_register_column('$table', 'part', 1, 100),
			dp_register_column('$table', 'rare', 0, 2), dp_register_column('$table', 'always', 0, 2), dp_grant_budget('ana', '$table', 1000, 0.01)});
	# dead rows are pruned, hints are set, and nothing is dirty
	$node->safe_psql('postgres', "VACUUM (FREEZE, ANALYZE) $table; CHECKPOINT");
	$pages = $node->safe_psql('postgres', "SELECT pg_relation_size(reltoastrelid) / 8192 FROM pg_class WHERE oid = '$table'::regclass");
	cmp_ok($pages, '>', 200, "$table: $pages pages of long values");
	return $pages;
}

# ---- counters ----------------------------------------------------------------

# What everybody sees.  The background writer has told of all that there was to tell.
sub counter
{
	my ($before, $now) = (-1, 0);

	until ($before >= 0 && $now - $before < $few)
	{
		$before = $now;
		usleep(30_000);
		$now = run_as($node, 'ana', 'SELECT buffers_alloc FROM pg_stat_bgwriter')->{out};
	}
	return $now;
}

sub call_ok
{
	my ($call) = @_;

	return is(run_as($node, 'ana', "SET client_min_messages = warning; SELECT count(*) FROM $call")->{err}, '', substr($call, 0, 120));
}

sub fetched
{
	my ($call) = @_;
	my $before;

	$node->restart;
	$before = counter();
	call_ok($call) or return 0;
	return counter() - $before;
}

# Pages that the passes of a call touched, each as often as it was.
sub touched
{
	my ($call) = @_;
	my $start = -s $node->logfile;
	my $sum = 0;

	call_ok($call) or return 0;
	foreach my $plan (split /(?=Query Text: )/, substr(slurp_file($node->logfile), $start))
	{
		next if $plan !~ /\AQuery Text: SELECT (?:dpem(?:_internal)?\.|k\.key)/;
		my ($pages) = $plan =~ /Buffers: shared([^\n]*)/;

		$sum += $1 while ($pages // '') =~ /(?:hit|read)=(\d+)/g;
	}
	return $sum;
}

sub compare
{
	my ($name, $pages, $how, @calls) = @_;
	my @read = map { $how->($_) } @calls;
	my ($least, $most) = (sort { $a <=> $b } @read)[ 0, -1 ];

	cmp_ok($most - $least, '<=', $few, "$name: pages (@read) do not tell which rows count");
	cmp_ok($least, '>=', $pages, "$name: every long value is read");
	return;
}

# Calls that differ in the rows that count; each must read all the long values.
sub same_touched { my ($name, $pages, @calls) = @_; return compare($name, $pages, \&touched, @calls); }
sub same_fetched { my ($name, $pages, @calls) = @_; return compare("$name, seen by all", $pages, \&fetched, @calls); }

# ---- arrays ------------------------------------------------------------------

my $means = 'iterations => 1, clip_norm => 1';
my $pages = make_table('arrays', 'a');
my @calls = map { "dp_kmeans_fit('arrays', 2, 1, columns => '{a}', $means, filter => 'part <= $_')" } 1, 100;

same_fetched('a filter', $pages, @calls);
same_touched('a filter', $pages, @calls);
same_touched('a NULL in another column', $pages, map { "dp_kmeans_fit('arrays', 2, 1, columns => '{$_,a}', $means)" } qw(rare always));
same_touched('random blocks', $pages, map { "dp_kmeans_fit('arrays', 2, 1, columns => '{a}', algorithm => 'sample_aggregate', filter => 'part <= $_')" } 1, 100);
same_touched('random blocks in cells', $pages, map { "dp_kmeans_fit('arrays', 2, 1, columns => '{a}', algorithm => 'center_of_attention', filter => 'part <= $_')" } 1, 100);

$pages = make_table('shorter', 'w');
same_touched('arrays of another length', $pages, "dp_kmeans_fit('shorter', 2, 1, columns => '{w}', $means)");

make_table('ones', 'a', unit => 'one');
$pages = make_table('others', 'a', unit => 'alone');
@calls = map { "dp_kmeans_fit('$_', 2, 1, columns => '{a}', $means)" } qw(ones others);
same_fetched('a quota', $pages, @calls);
same_touched('a quota', $pages, @calls);

$pages = make_table('sampled', 'a', accountant => 'rdp');
@calls = map { "dp_kmeans_fit('sampled', 2, 1, columns => '{a}', $means, sampling_rate => $_)" } 0.01, 0.9;
same_fetched('a sample', $pages, @calls);
same_touched('a sample', $pages, @calls);

# ---- numbers -----------------------------------------------------------------

$pages = make_table('numbers', 'n');
same_touched('a number beside a filter', $pages, map { "dp_sum('numbers', 'n', 0.1, filter => 'part <= $_')" } 1, 100);
@calls = map { "dp_count('numbers', 0.1, filter => 'part <= $_ AND n < 50')" } 1, 100;
same_fetched('a number in a filter, after AND', $pages, @calls);
same_touched('a number in a filter, after AND', $pages, @calls);
same_touched('... after OR', $pages, map { "dp_count('numbers', 0.1, filter => 'part > $_ OR n < 50')" } 1, 99);
same_touched('... in a range', $pages, map { "dp_count('numbers', 0.1, filter => 'part BETWEEN 1 AND $_ AND n BETWEEN $_ AND 100')" } 1, 100);
same_touched('a number in bins', $pages, map { "dp_histogram('numbers', 'n', 0.1, edges => '{$_,99.5,99.9}')" } 0, 99);
same_touched('a quantile', $pages, map { "dp_quantile('numbers', 'n', 0.5, 0.1, bins => 100, filter => 'part <= $_')" } 1, 100);

# ---- labels ------------------------------------------------------------------

$pages = make_table('labels', 'note');
same_touched('a long label beside a filter', $pages, map { "dp_count('labels', 0.1, by => 'note', filter => 'part <= $_')" } 1, 100);
same_touched('... in one, after AND', $pages, map { "dp_count('labels', 0.1, filter => 'part <= $_ AND note < ''y''')" } 1, 100);
@calls = map { "dp_count('labels', 0.1, filter => 'note <= ''' || repeat('x', $_) || '''')" } 10, $text;
same_fetched('a long label, compared with strings of two lengths', $pages, @calls);
same_touched('... compared with strings of two lengths', $pages, @calls);
same_touched('... in a list', $pages, map { "dp_count('labels', 0.1, filter => 'NOT part <= $_ AND note NOT BETWEEN ''x'' AND ''' || repeat('y', $text) || '''')" } 1, 99);
same_touched('... as classes', $pages, map { "dp_logit_fit('labels', 'note', 1, columns => '{always}', iterations => 1, filter => 'part <= $_')" } 1, 100);

# ---- documents ---------------------------------------------------------------

foreach my $documents (qw(topics words))
{
	$pages = make_table($documents, $documents, accountant => 'rdp');
	@calls = map { "dp_lda_fit('$documents', 2, 1, iterations => 1, filter => 'part <= $_')" } 1, 100;
	same_fetched("documents of $documents beside a filter", $pages, @calls) if $documents eq 'words';
	same_touched("documents of $documents beside a filter", $pages, @calls);
	same_touched("documents of $documents and a sample", $pages, map { "dp_lda_fit('$documents', 2, 1, iterations => 1, sampling_rate => $_)" } 0.01, 0.9);
}

# ---- keys and units ----------------------------------------------------------

$pages = make_table('keys', 'person', unit => 'alone');
@calls = map { "dp_count('keys', 0.1, by => 'person', filter => 'part <= $_')" } 1, 100;
same_fetched('a long key beside a filter', $pages, @calls);
same_touched('a long key beside a filter', $pages, @calls);
same_touched('a long key beside a NULL', $pages, map { "dp_count('keys', 0.1, by => 'person', column_name => '$_')" } qw(rare always));

$pages = make_table('units', 'person', unit => 'person');
same_touched('a long unit', $pages, map { "dp_count('units', 0.1, filter => 'part <= $_')" } 1, 100);

# ---- enums: pages of the catalog -----------------------------------------------

$node->safe_psql('postgres', q{DO $$ BEGIN EXECUTE 'CREATE TYPE illness AS ENUM (' || (SELECT string_agg(format('%L', 'e' || i), ',') FROM generate_series(1, 200) i) || ')'; END $$});
foreach my $table (qw(healthy ill))
{
	my $values = $table eq 'ill' ? 200 : 1;

	$node->safe_psql('postgres', qq{SET ROLE own; CREATE TABLE $table AS SELECT (enum_range(NULL::illness))[1 + i % $values] AS diagnosis FROM generate_series(1, $rows) i;
		SELECT dp_register_dataset('$table', '$table', 1000, 0.01), dp_register_column('$table', 'diagnosis', '{e1,e2}'), dp_grant_budget('ana', '$table', 1000, 0.01)});
	$node->safe_psql('postgres', "VACUUM (FREEZE, ANALYZE) $table");
}
same_touched("an enum's values", 1, map { "dp_count('$_', 0.1, filter => 'diagnosis = ''e1''')" } qw(healthy ill));

$node->stop;
done_testing();
