# What the TAP tests share: a server with the extension, and reference data.
package Dpem::Test;

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter qw(import);
use File::Basename qw(dirname);
use JSON::PP;
use PostgreSQL::Test::Cluster;

our @EXPORT = qw(start_server start_bare_server golden_values data_file read_json query_json load_csv register_table call_times pg_array difference scan_settings
	slurp_binary create_database sabotage);

my $top = abs_path(dirname(__FILE__) . '/../../..');

# Where golden values and the data they are about lie: made-up ones in the repository, and real ones
# where the reference data are beside the checkout.
my @golden_places = map { [ "$_->[0]/golden", "$_->[0]/data" ] } grep { -d "$_->[0]/golden" && -d "$_->[0]/data" } [ "$top/test" ], [ "$top/.." ], [ "$top/../shared" ];

# A file of the real data beside the checkout, or undef.
sub data_file
{
	my ($name) = @_;

	foreach my $directory ("$top/../data", "$top/../shared/data")
	{
		return "$directory/$name" if -r "$directory/$name";
	}
	return undef;
}

# The golden values of files of a name (shell pattern), each with `data`, the file of its data: `dataset`.csv or
# `corpus`.docs, as it is or gzipped.
sub golden_values
{
	my ($pattern) = @_;
	my @found;

	foreach my $place (@golden_places)
	{
		foreach my $golden (map { my $values = read_json($_); ref $values eq 'ARRAY' ? @$values : $values } sort(grep { -e } glob("$place->[0]/$pattern")))
		{
			my $name = "$place->[1]/" . ($golden->{dataset} ? "$golden->{dataset}.csv" : "$golden->{corpus}.docs");

			($golden->{data}) = grep { -r } $name, "$name.gz";
			push @found, $golden if $golden->{data};
		}
	}
	die "no golden values in $pattern" if !@found;
	return @found;
}

sub read_json
{
	my ($file) = @_;

	open(my $in, '<', $file) or die "$file: $!";
	local $/;
	return decode_json(<$in>);
}

sub start_bare_server
{
	my ($name, $config) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init;
	$node->append_conf('postgresql.conf', "max_worker_processes = 16\ndpem.noise_warnings = off\ndpem.fresh = on\n" . ($config // ''));
	$node->start;
	return $node;
}

sub start_server
{
	my $node = start_bare_server(@_);

	$node->safe_psql('postgres', 'CREATE EXTENSION dpem');
	return $node;
}

# The one value of a query that returns JSON.
sub query_json
{
	my ($node, $sql) = @_;

	return decode_json($node->safe_psql('postgres', $sql));
}

# A table of a CSV file, gzipped or not, with a header; every column has type float8.
sub load_csv
{
	my ($node, $table, $file) = @_;

	open(my $in, '-|', 'gzip', '-dcf', $file) or die "$file: $!";
	my $header = <$in>;
	close($in);
	chomp $header;
	my $columns = join ', ', map { "\"$_\" float8" } split(/,/, $header);
	$node->safe_psql('postgres', "CREATE TABLE $table ($columns)");
	my $quoted = $file =~ s/'/''/gr;
	$node->safe_psql('postgres',
		"COPY $table FROM PROGRAM 'gzip -dcf \"$quoted\"' CSV HEADER; ANALYZE $table");
	return;
}

# Registers a table with bounds [[column, lower, upper], ...].
sub register_table
{
	my ($node, $dataset, $table, $columns, %option) = @_;
	my $epsilon = $option{epsilon} // 10;
	my $delta = $option{delta} // 1e-4;
	my $more = $option{more} // '';
	my $sql = "SELECT dp_register_dataset('$dataset', '$table', $epsilon, $delta$more);";

	$sql .= "SELECT dp_register_column('$dataset', '$_->[0]', $_->[1], $_->[2]);" foreach @$columns;
	$node->safe_psql('postgres', $sql);
	return;
}

# Calls a function that returns rows so many times, in one session; `i` in the call is its number, from 1.
sub call_times
{
	my ($node, $times, $call) = @_;

	$node->safe_psql('postgres', "DO \$\$BEGIN FOR i IN 1..$times LOOP PERFORM * FROM $call; END LOOP; END\$\$");
	return;
}

sub slurp_binary
{
	my ($file) = @_;

	open(my $in, '<:raw', $file) or die "$file: $!";
	local $/;
	return <$in>;
}

# A database with the extension: a copy of one that is made once, in a tenth of the time.
sub create_database
{
	my ($node, $name) = @_;

	if ($node->safe_psql('postgres', "SELECT count(*) FROM pg_database WHERE datname = 'with_dpem'") == 0)
	{
		$node->safe_psql('postgres', 'CREATE DATABASE with_dpem');
		$node->safe_psql('with_dpem', 'CREATE EXTENSION dpem');
	}
	$node->safe_psql('postgres', "CREATE DATABASE $name TEMPLATE with_dpem STRATEGY file_copy");
	return;
}

# Makes the saboteur of that name (test/audit) the server's dpem, for a database of that name and
# for the charge worker; returns the library.  Databases made before are not to be used any more.
sub sabotage
{
	my ($node, $name) = @_;
	my $directory = $ENV{DPEM_SABOTEURS} or die 'DPEM_SABOTEURS does not name the directory of the saboteurs';
	my $path = "$directory/$name";

	die "there is no $path/dpem.so" if !-r "$path/dpem.so";
	$node->safe_psql('postgres', "ALTER SYSTEM SET dynamic_library_path = '$path:\$libdir'");
	$node->reload;
	$node->poll_query_until('postgres', "SELECT current_setting('dynamic_library_path') ~ '$name'") or die 'no reload';
	create_database($node, $name);
	$node->safe_psql($name, "UPDATE pg_proc SET probin = 'dpem' WHERE probin = '\$libdir/dpem'");
	return "$path/dpem.so";
}

# A (nested) perl array as an SQL array literal.
sub pg_array
{
	my ($value) = @_;

	return ref $value ? '{' . join(',', map { pg_array($_) } @$value) . '}' : sprintf('%.17g', $value);
}

sub flatten
{
	my ($value) = @_;

	return ref $value ? map { flatten($_) } @$value : $value;
}

# Largest difference of two (nested) arrays relative to the largest expected value.
sub difference
{
	my ($got, $expected) = @_;
	my @got = flatten($got);
	my @expected = flatten($expected);
	my ($difference, $scale) = (0, 0);

	return 'inf' if @got != @expected;
	foreach my $i (0 .. $#got)
	{
		my $d = abs($got[$i] - $expected[$i]);
		$difference = $d if $d > $difference;
		$scale = abs($expected[$i]) if abs($expected[$i]) > $scale;
	}
	return $difference / $scale;
}

# Settings that make the server read a table in one process, or in several.
sub scan_settings
{
	return (
		serial => 'SET max_parallel_workers_per_gather = 0;',
		parallel => 'SET max_parallel_workers_per_gather = 2; SET min_parallel_table_scan_size = 0;'
		  . 'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET parallel_leader_participation = off;');
}

1;
