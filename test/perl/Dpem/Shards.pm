# What tests of a source on several servers share: rows, a dataset of them, fits without noise to compare, foreign servers.
package Dpem::Shards;

use strict;
use warnings;

use Exporter qw(import);
use PostgreSQL::Test::Utils;

our @EXPORT = qw($reading_columns %reading_fits readings register_readings keeper_numbers largest_difference
	foreign_server received log_since);

our $reading_columns = 'shard int, person int, a float8, b float8, y int, label text, well bool';

# rows of one shard: numbers that differ from row to row and are no multiples of anything
sub readings
{
	my ($shard, $from, $to) = @_;

	return qq{SELECT $shard, i % 40, sin(i::float8 * i + $shard), cos(3 * i) / 2 + sin(i + $shard) / 2, ((i + $shard) % 3 = 0)::int,
		CASE (i + $shard) % 7 WHEN 0 THEN 'ill' WHEN 1 THEN 'Well' WHEN 2 THEN NULL ELSE 'well' END, i % 5 < 2 FROM generate_series($from, $to) i};
}

# as keeper, a dataset over the relation of its name, and a budget for ana; options: name of the label, more arguments
sub register_readings
{
	my ($node, $dataset, %option) = @_;
	my $label = $option{label} // 'label';

	$node->safe_psql('postgres', qq{SET ROLE keeper;
		SELECT dp_register_dataset('$dataset', '"$dataset"', 100, 1e-4, accountant => 'rdp' @{[ $option{more} // '' ]});
		SELECT dp_register_column('$dataset', 'a', -1, 1), dp_register_column('$dataset', 'b', -1, 1),
			dp_register_column('$dataset', 'y', 0, 1), dp_register_column('$dataset', '$label', ARRAY['well', 'ill']),
			dp_register_column('$dataset', 'well', ARRAY['false', 'true']);
		SELECT dp_grant_budget('ana', '$dataset', 90, 1e-4)});
	return;
}

# formats that want the dataset
our %reading_fits = (
	gmm => q{SELECT weight, mean, covariance FROM dp_gmm_fit('%s', 3, 'Infinity', columns => '{a,b}', iterations => 6, init_variance => 0.1) ORDER BY component},
	kmeans => q{SELECT weight, mean FROM dp_kmeans_fit('%s', 3, 'Infinity', columns => '{a,b,y}') ORDER BY component},
	pca => q{SELECT variance, direction FROM dp_pca_fit('%s', 2, 'Infinity', columns => '{b,a,y}') ORDER BY component},
	logit => q{SELECT mean, covariance FROM dp_logit_fit('%s', 'y', 'Infinity', columns => '{a,b}') ORDER BY column_name},
	synth => q{SELECT marginal, cells FROM dp_synth_fit('%s', 'Infinity', bins => 5, rounds => 6) ORDER BY marginal});
$reading_fits{"logit by $_"} = $reading_fits{logit} =~ s/'y'/'$_'/r foreach qw(label well);

# all numbers that a query of keeper's returns, in its order
sub keeper_numbers
{
	my ($node, $sql) = @_;

	return $node->safe_psql('postgres', "SET ROLE keeper; SELECT string_agg(f::text, ' ') FROM ($sql) AS f") =~ s/[^-+.e\d]+/ /gr;
}

# of two such answers; huge unless there are as many numbers, and some
sub largest_difference
{
	my ($got, $expected) = @_;
	my @got = split(' ', $got);
	my @expected = split(' ', $expected);
	my $worst = @got == @expected && @got > 3 ? 0 : 9e9;

	foreach my $i (0 .. $#expected)
	{
		my $d = abs(($got[$i] // 9e9) - $expected[$i]);
		$worst = $d if $d > $worst;
	}
	return $worst;
}

# a server behind a wire (Dpem::Wire) that has dpem, which keeper reaches as fetcher
sub foreign_server
{
	my ($node, $name, $wire) = @_;
	my ($host, $port) = ($wire->host, $wire->port);

	$node->safe_psql('postgres', qq{
		CREATE SERVER $name FOREIGN DATA WRAPPER postgres_fdw
			OPTIONS (host '$host', port '$port', dbname 'postgres', extensions 'dpem', async_capable 'true');
		GRANT USAGE ON FOREIGN SERVER $name TO keeper;
		CREATE USER MAPPING FOR keeper SERVER $name OPTIONS (user 'fetcher', password_required 'false')});
	return;
}

# bytes that came through wires until now
sub received { my $sum = 0; $sum += $_->received foreach @_; return $sum; }

# a server's log from that byte on
sub log_since
{
	my ($node, $at) = @_;

	return substr(slurp_file($node->logfile), $at);
}

1;
