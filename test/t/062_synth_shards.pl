# Marginals of a source spread over two servers: every table is that of all rows together, a fit of many rounds sends one
# query to each server, and filters, groups and unknown values are those of one table.
#
# Cells are compared with exact counts within 8 standard deviations of their noise: of at most 1,000 cells one is
# farther off by chance in 1e-12 of all runs.
use strict;
use warnings;

use Dpem::Shards;
use Dpem::Test;
use Dpem::Wire;
use Test::More;

my $center = start_server('center');

plan skip_all => 'postgres_fdw is not installed' if ($center->psql('postgres', 'CREATE EXTENSION postgres_fdw'))[0] != 0;

my (@shard, @wire);

foreach my $s (0, 1)
{
	$shard[$s] = start_server("shard$s", "log_statement = all\n");
	$shard[$s]->safe_psql('postgres', "CREATE ROLE fetcher LOGIN; CREATE TABLE readings ($reading_columns); GRANT SELECT ON readings TO fetcher; INSERT INTO readings " . readings($s, 1, 700));
	$wire[$s] = Dpem::Wire->new($shard[$s]);
}
$center->safe_psql('postgres', "CREATE ROLE keeper; CREATE ROLE ana LOGIN; GRANT CREATE ON SCHEMA public TO keeper; CREATE TABLE readings ($reading_columns) PARTITION BY LIST (shard)");
foreach my $s (0, 1)
{
	foreign_server($center, "shard$s", $wire[$s]);
	$center->safe_psql('postgres', "CREATE FOREIGN TABLE readings_$s PARTITION OF readings FOR VALUES IN ($s) SERVER shard$s OPTIONS (table_name 'readings'); ALTER TABLE readings_$s OWNER TO keeper");
}
# the same rows here, in the categories and bins of the fits below
$center->safe_psql('postgres', q{
	ALTER TABLE readings OWNER TO keeper;
	SET ROLE keeper;
	CREATE TABLE cells AS SELECT least(floor((a + 1) * 2), 3)::int AS a, y, CASE WHEN label IN ('well', 'ill') THEN label ELSE 'unknown' END AS label, well::text AS well, a > 0 AS filtered FROM readings;
	GRANT SELECT ON cells TO ana});
register_readings($center, 'readings');

# a fit, and cells of it that are too far from those of the rows
sub strays
{
	my ($model, $arguments, $condition) = @_;

	$center->safe_psql('postgres', "SET ROLE ana; SELECT count(*) FROM dp_synth_fit('readings', 8, 1e-6, columns => '{a,y,label,well}', bins => 4, rounds => 5, model => '$model' $arguments)");
	return $center->safe_psql('postgres', qq{
		SET ROLE ana;
		CREATE TEMP TABLE tables AS SELECT t.columns, c.* FROM (VALUES ('{y}'::text[]), ('{label}'), ('{well}'), ('{label,well}'), ('{well,y}')) AS t (columns), LATERAL dp_tabulate('$model', t.columns) AS c;
		SELECT count(*) FILTER (WHERE abs(value - n) > 8 * noise_stddev), count(*) FILTER (WHERE measured) > 8
		  FROM tables, LATERAL (SELECT count(*) AS n FROM cells r WHERE $condition AND NOT EXISTS (SELECT FROM unnest(columns, keys) AS k (name, key) WHERE to_jsonb(r) ->> name <> key)) AS s});
}

my @at;

# what each server was asked for since @at
sub queries
{
	my ($s) = @_;

	return log_since($shard[$s], $at[$s]) =~ /DECLARE \w+ CURSOR FOR\s+(.*)/g;
}

@at = map { -s $_->logfile } @shard;
is(strays('all', '', 'true'), '0|t', 'tables of all servers together');
is(scalar(() = queries($_)), 1, "server $_: one query, however many rounds") foreach 0, 1;
@at = map { -s $_->logfile } @shard;
$center->safe_psql('postgres', q{SET ROLE ana; SELECT count(*) FROM dp_synth_fit('readings', 8, 1e-6, columns => '{a,b,y}', bins => 4, rounds => 3)});
is(join(' ', map { /^SELECT dpem_internal\.moments\(/ ? 'state' : $_ } map { queries($_) } 0, 1), 'state state', 'of numbers a state travels, and no row');
is(strays('some', ", filter => 'a > 0'", 'filtered'), '0|t', 'with a filter');
$center->safe_psql('postgres', q{SET ROLE ana; SELECT count(*) FROM dp_synth_fit('readings', 8, 1e-6, columns => '{a,y,label}', bins => 4, rounds => 3, by => 'well', model => 'each')});
is($center->safe_psql('postgres', q{
	SET ROLE ana;
	SELECT count(*), count(*) FILTER (WHERE abs(value - n) > 8 * noise_stddev) FROM unnest('{false,true}'::text[]) AS w,
		LATERAL dp_tabulate('each/' || w, '{label}') AS c, LATERAL (SELECT count(*) AS n FROM cells r WHERE r.well = w AND r.label = c.keys[1]) AS s}), '6|0', 'groups');

$center->stop;
$_->stop foreach @shard;
$_->stop foreach @wire;
done_testing();
