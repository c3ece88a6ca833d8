# What dp_kmeans_fit finds when it is asked for nothing but K and epsilon: the
# median NICV of 31 fits on real data, add_remove, delta 1e-6, against levels
# that k-means without noise is close to (0.01864, 0.00823, 0.698) and other
# private algorithms are far from.
#
# Each column is scaled to [-1, 1] by the bounds below, the extremes of these
# files, which stand for bounds known without looking at rows.
#
# False alarms: a single fit is above its level in less than 10 % of runs (in at
# most 8 of 120 fits at each), hence sixteen of 31 in less than 3e8 * 0.1^16 = 3e-8
# of runs, for each of the seven levels.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $fits = 31;
my $node = start_server('kmeans_targets', 'fsync = off');
my %data = (
	gowalla => { file => 'gowalla_locations.csv.gz', k => 5,
		columns => [ [ 'lat', -46.386775868, 69.7236399009 ], [ 'lon', -159.6754821667, 176.253742833 ] ],
		levels => [ [ 0.05, 0.0190 ], [ 1, 0.0187 ] ] },
	s1 => { file => 's1_su_processed.csv.gz', k => 15,
		columns => [ [ 'x', -1, 1 ], [ 'y', -1, 1 ] ],
		levels => [ [ 0.1, 0.021 ], [ 0.5, 0.0085 ], [ 1, 0.0083 ] ] },
	lifesci => { file => 'lifesci.csv.gz', k => 3,
		columns => [ [ 'x1', -13.4531, -0.010748 ], [ 'x2', -6.4655, 5.9762 ], [ 'x3', -7.5628, 5.6764 ],
			[ 'x4', -4.7937, 5.3849 ], [ 'x5', -6.9696, 4.7242 ], [ 'x6', -5.0108, 6.466 ], [ 'x7', -4.6077, 6.3295 ],
			[ 'x8', -4.9134, 4.5263 ], [ 'x9', -5.12, 4.7116 ], [ 'x10', -3.4201, 4.9505 ] ],
		levels => [ [ 0.05, 0.735 ], [ 0.5, 0.70 ] ] });

sub nicv
{
	my ($name, $epsilon) = @_;
	my $row = 'ARRAY[' . join(', ', map { $_->[0] } @{ $data{$name}{columns} }) . ']';

	$node->safe_psql('postgres', "SELECT count(*) FROM dp_kmeans_fit('$name', $data{$name}{k}, $epsilon, 1e-6, model => 'tried')");
	my $nicv = $node->safe_psql('postgres', "SELECT avg(dp_squared_distance('tried', $row)) FROM $name");
	$node->safe_psql('postgres', "SELECT dp_drop_model('tried')");
	return $nicv;
}

foreach my $name (sort keys %data)
{
	my $data = $data{$name};
	my $file = shared_file('data', $data->{file});

  SKIP:
	{
		skip "$data->{file} is not here", scalar @{ $data->{levels} } unless $file;
		load_csv($node, $name, $file);
		register_table($node, $name, $name, $data->{columns}, epsilon => 100, more => ", adjacency => 'add_remove'");
		$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$name', 100, 1e-4)");
		foreach my $level (@{ $data->{levels} })
		{
			my ($epsilon, $most) = @$level;
			my @sorted = sort { $a <=> $b } map { nicv($name, $epsilon) } 1 .. $fits;

			cmp_ok($sorted[ $fits / 2 ], '<=', $most, "$name at epsilon $epsilon: median NICV of $fits fits");
		}
	}
}

$node->stop;
done_testing();
