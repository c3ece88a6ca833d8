# Without noise factor analysis and principal components equal an independent
# implementation, serial and parallel.
use strict;
use warnings;

use Dpem::Test;
use List::Util qw(sum);
use Test::More;

my $tolerance = 1e-8;
my $node = start_server('factors');
my %settings = scan_settings();

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
	my $label = "$golden->{dataset}, $fit->{factors} factors, $mode";
	my $rows = query_json($node, "$settings{$mode} SELECT json_agg(f) FROM dp_fa_fit('$golden->{dataset}', $fit->{factors},"
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
	my ($golden, $center, $arguments, $label, $mode) = @_;
	my $expected = $golden->{ $center eq 'public' ? 'uncentred' : 'centred' };
	my $rows = query_json($node, "$settings{$mode} SELECT json_agg(f ORDER BY component) FROM dp_pca_fit('$golden->{dataset}', $arguments,"
		  . " center => '$center', clip_norm => $golden->{clip_norm}) f");
	my $total = sum(@{ $expected->{eigenvalues} });

	$label = "$golden->{dataset}, $label";
	foreach my $i (0 .. $#$rows)
	{
		my $reference = $expected->{eigenvalues}[$i];

		check_close([ $rows->[$i]{variance}, $rows->[$i]{explained_ratio} ], [ $reference, $reference / $total ],
			"$label, $center center, $mode: variance " . ($i + 1));
		check_close($rows->[$i]{direction}, reference_direction($expected->{components}, $i),
			"$label, $center center, $mode: direction " . ($i + 1));
	}
	return;
}

# the best of a finite net is near the best of all: 10 degrees in five dimensions
sub check_net
{
	my ($name) = @_;
	my $angle = $node->safe_psql('postgres', qq{
		SELECT min(abs((SELECT sum(x * y) FROM unnest(a.direction, b.direction) u(x, y))))
		FROM dp_pca_fit('$name', 1, 'Infinity', columns => '{x1,x2,x3,x4,x5}', clip_norm => 1) a,
			dp_pca_fit('$name', 1, 'Infinity', columns => '{x1,x2,x3,x4,x5}', clip_norm => 1, algorithm => 'exponential') b});

	cmp_ok($angle, '>', cos(10 * atan2(1, 1) / 45), "$name, exponential: the nearest direction of the net");
	return;
}

my %pca = map { $_->{dataset} => $_ } golden_values('pca.json');

foreach my $fa (golden_values('fa.json'))
{
	my $name = $fa->{dataset};
	my $pca = $pca{$name};
	my $d = @{ $fa->{fits}[0]{noise_variances} };

	load_csv($node, $name, $fa->{data});
	register_table($node, $name, $name, [ map { [ "x$_", $fa->{lower}, $fa->{upper} ] } 1 .. $d ]);
	foreach my $mode (sort keys %settings)
	{
		foreach my $fit (@{ $fa->{fits} })
		{
			my $rows = check_factors($fa, $fit, $mode);

			check_close([ map { $_->{mean} / $fa->{upper} } @$rows ], $pca->{centred}{mean}, "$name: mean, $mode");
		}
		foreach my $center (qw(private public))
		{
			check_components($pca, $center, "$d, 'Infinity'", 'analyze_gauss', $mode);
			check_components($pca, $center, "1, 'Infinity', iterations => 200, algorithm => 'power'", 'power', $mode);
		}
	}
	check_net($name);
}

$node->stop;
done_testing();
