# Without noise k-means equals an independent implementation of Lloyd's steps,
# by every algorithm that makes them, serial and parallel: centers, the counts
# around them, and the sum of squared distances in box scale.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $tolerance = 1e-8;
my $node = start_server('kmeans_golden');
my %settings = scan_settings();

sub fit_call
{
	my ($golden, $algorithm, $iterations, $start) = @_;

	return "dp_kmeans_fit('$golden->{dataset}', $golden->{k}, 'Infinity', iterations => $iterations,"
	  . " algorithm => '$algorithm', init_means => '" . pg_array($start) . "')";
}

sub check_close
{
	my ($got, $expected, $label) = @_;
	my $d = difference($got, $expected);

	ok($d < $tolerance, $label) or diag("relative difference $d");
	return;
}

sub check_fit
{
	my ($golden, $algorithm, $mode) = @_;
	my $label = "$golden->{dataset} $algorithm $mode";
	my $means = query_json($node, "$settings{$mode} SELECT json_agg(mean ORDER BY component) FROM "
		  . fit_call($golden, $algorithm, $golden->{iterations}, $golden->{init_means}));
	my $shares = query_json($node, "$settings{$mode} SELECT json_agg(weight ORDER BY component) FROM "
		  . fit_call($golden, $algorithm, 1, $golden->{means}));
	my $rows = 0;

	$rows += $_ foreach @{ $golden->{counts} };
	check_close($means, $golden->{means}, "$label: centers");
	check_close([ map { $_ * $rows } @$shares ], $golden->{counts}, "$label: counts around the final centers");
	return $means;
}

# the sum over rows of the squared distance to the nearest center, every column scaled to [-1, 1]
sub squared_distances
{
	my ($golden, $means) = @_;
	my @terms = map {
		my $half = ($golden->{upper}[$_] - $golden->{lower}[$_]) / 2;
		"(($golden->{columns}[$_] - mean[" . ($_ + 1) . "]) / $half) ^ 2"
	} 0 .. $#{ $golden->{columns} };
	my $values = join ', ', map { "('" . pg_array($_) . "'::float8[])" } @$means;

	return $node->safe_psql('postgres', 'SELECT sum((SELECT min(' . join(' + ', @terms) . ") FROM (VALUES $values) c (mean)))"
		  . " FROM $golden->{dataset}");
}

foreach my $golden (golden_values('kmeans.json'))
{
	load_csv($node, $golden->{dataset}, $golden->{data});
	register_table($node, $golden->{dataset}, $golden->{dataset},
		[ map { [ $golden->{columns}[$_], $golden->{lower}[$_], $golden->{upper}[$_] ] } 0 .. $#{ $golden->{columns} } ]);
	foreach my $algorithm (qw(joint dpem dplloyd))
	{
		my $means = check_fit($golden, $algorithm, $algorithm eq 'dpem' ? 'serial' : 'parallel');

		check_close([ squared_distances($golden, $means) ], [ $golden->{wcss_box_scale} ],
			"$golden->{dataset} $algorithm: sum of squared distances");
	}
}

$node->stop;
done_testing();
