# Without noise a fit equals an independent implementation of EM, in every
# covariance shape, MLE and MAP, serial and parallel.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $tolerance = 1e-8;
my $node = start_server('golden');
my %settings = scan_settings();

sub check_fit
{
	my ($dataset, $golden, $fit, $mode) = @_;
	my $label = "$dataset $fit->{covariance} $fit->{estimator} $mode";
	my $call = "dp_gmm_fit('$dataset', $golden->{k}, 'Infinity', columns => '{@{[ join ',', @{ $golden->{columns} } ]}}', iterations => $golden->{iterations},"
	  . " covariance => '$fit->{covariance}', estimator => '$fit->{estimator}',"
	  . " precondition => 'none', init_variance => $golden->{init_variance},"
	  . " clip_norm => $golden->{clip_norm}, init_means => '" . pg_array($golden->{init_means}) . "')";
	my $got = query_json($node,
		"$settings{$mode} SELECT json_build_object('weights', json_agg(weight ORDER BY component),"
		  . " 'means', json_agg(mean ORDER BY component),"
		  . " 'covariances', json_agg(covariance ORDER BY component)) FROM $call");

	foreach my $what (qw(weights means covariances))
	{
		my $d = difference($got->{$what}, $fit->{$what});
		ok($d < $tolerance, "$label: $what") or diag("relative difference $d");
	}
	return;
}

foreach my $golden (golden_values('gmm_*.json'))
{
	my $name = $golden->{dataset};

	load_csv($node, $name, $golden->{data});
	register_table($node, $name, $name,
		[ map { [ $golden->{columns}[$_], $golden->{lower}[$_], $golden->{upper}[$_] ] } 0 .. $#{ $golden->{columns} } ]);
	foreach my $fit (@{ $golden->{fits} })
	{
		check_fit($name, $golden, $fit, $_) foreach sort keys %settings;
	}
}

$node->stop;
done_testing();
