# Without noise factor analysis and principal components equal an independent
# implementation, serial and parallel.
use strict;
use warnings;

use Dpem::Test;
use List::Util qw(max sum);
use Test::More;

my $tolerance = 1e-8;
my $fa = shared_file('golden', 'fa.json');
my $pca = shared_file('golden', 'pca.json');
my $file = shared_file('data', 'lifesci.csv.gz');

plan skip_all => 'the reference fits are not here' unless $fa && $pca && $file;

my $node = start_server('factors');
my %settings = (
	serial => 'SET max_parallel_workers_per_gather = 0;',
	parallel => 'SET max_parallel_workers_per_gather = 2; SET min_parallel_table_scan_size = 0;'
	  . 'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET parallel_leader_participation = off;');

# largest difference relative to the largest value
sub difference
{
	my ($got, $expected) = @_;

	return 'inf' if @$got != @$expected;
	return max(map { abs($got->[$_] - $expected->[$_]) } 0 .. $#$got) / max(map { abs } @$expected);
}

sub check_close
{
	my ($got, $expected, $label) = @_;
	my $d = difference($got, $expected);

	ok($d < $tolerance, $label) or diag("relative difference $d");
	return;
}

# x' W W' x for coordinates in the ball, from loadings in the columns' own units
sub common_covariance
{
	my ($rows, $unit) = @_;

	return [ map {
		my $a = $_->{loadings};
		map { my $b = $_->{loadings}; sum(map { $a->[$_] * $b->[$_] } 0 .. $#$a) / $unit ** 2 } @$rows
	} @$rows ];
}

sub check_factors
{
	my ($golden, $fit, $mode) = @_;
	my $unit = $golden->{upper};
	my $d = @{ $fit->{noise_variances} };
	my $label = "$fit->{factors} factors, $mode";
	my $rows = query_json($node, "$settings{$mode} SELECT json_agg(f) FROM dp_fa_fit('lifesci', $fit->{factors},"
		  . " 'Infinity', iterations => $golden->{iterations}, clip_norm => $golden->{clip_norm}) f");

	check_close([ map { $_->{noise_variance} / $unit ** 2 } @$rows ], $fit->{noise_variances}, "$label: noise variances");
	check_close(common_covariance($rows, $unit), [ map { @$_ } @{ $fit->{common_covariance} } ], "$label: common covariance");
	check_close([ $rows->[0]{log_likelihood} + $d * log($unit) ], [ $fit->{mean_log_density} ], "$label: likelihood");
	return $rows;
}

# component i of the reference, in the sign of the fit: its largest coordinate positive
sub reference_direction
{
	my ($components, $i) = @_;
	my @v = @{ $components->[$i] };
	my ($largest) = sort { abs($b) <=> abs($a) } @v;

	return [ map { $largest < 0 ? -$_ : $_ } @v ];
}

sub check_components
{
	my ($golden, $centre, $arguments, $label, $mode) = @_;
	my $expected = $golden->{ $centre eq 'public' ? 'uncentred' : 'centred' };
	my $rows = query_json($node, "$settings{$mode} SELECT json_agg(f ORDER BY component) FROM dp_pca_fit('lifesci', $arguments,"
		  . " centre => '$centre', clip_norm => $golden->{clip_norm}) f");
	my $total = sum(@{ $expected->{eigenvalues} });

	foreach my $i (0 .. $#$rows)
	{
		my $reference = $expected->{eigenvalues}[$i];

		check_close([ $rows->[$i]{variance}, $rows->[$i]{explained_ratio} ], [ $reference, $reference / $total ],
			"$label, $centre centre, $mode: variance " . ($i + 1));
		check_close($rows->[$i]{direction}, reference_direction($expected->{components}, $i),
			"$label, $centre centre, $mode: direction " . ($i + 1));
	}
	return;
}

my $golden_fa = read_json($fa);
my $golden_pca = read_json($pca);

load_csv($node, 'lifesci', $file);
register_table($node, 'lifesci', 'lifesci', [ map { [ "x$_", $golden_fa->{lower}, $golden_fa->{upper} ] } 1 .. 10 ]);
foreach my $mode (sort keys %settings)
{
	foreach my $fit (@{ $golden_fa->{fits} })
	{
		my $rows = check_factors($golden_fa, $fit, $mode);

		check_close([ map { $_->{mean} / $golden_fa->{upper} } @$rows ], $golden_pca->{centred}{mean}, "mean, $mode");
	}
	foreach my $centre (qw(private public))
	{
		check_components($golden_pca, $centre, "10, 'Infinity'", 'analyze_gauss', $mode);
		check_components($golden_pca, $centre, "1, 'Infinity', iterations => 200, algorithm => 'power'", 'power', $mode);
	}
}

# the best of a finite net is near the best of all: 10 degrees in five dimensions
my $angle = $node->safe_psql('postgres', q{
	SELECT min(abs((SELECT sum(x * y) FROM unnest(a.direction, b.direction) u(x, y))))
	FROM dp_pca_fit('lifesci', 1, 'Infinity', columns => '{x1,x2,x3,x4,x5}', clip_norm => 1) a,
		dp_pca_fit('lifesci', 1, 'Infinity', columns => '{x1,x2,x3,x4,x5}', clip_norm => 1, algorithm => 'exponential') b});
cmp_ok($angle, '>', cos(10 * atan2(1, 1) / 45), 'exponential: the nearest direction of the net');

$node->stop;
done_testing();
