# Private k-means on real data through SQL, in a throw-away server: every
# algorithm of dp_kmeans_fit, trivial answers beside them.  CSV, SVG and
# markdown tables in build/bench (docs/clusters.md says what came of them).
# Run by `make bench-clusters`.
#
#   RUNS=30    fits of each algorithm at each epsilon
#   QUICK=1    a minute: 3 runs, two epsilons, no genetic search
#   METHODS=   only the algorithms whose names match this regular expression
#   REPLOT=1   no fits: tables and plots of the CSV files that are in build/bench
#   JOBS=      sessions side by side (default: processors)
#
# NICV is the mean squared distance of a row to the nearest center, columns
# scaled to [-1, 1] by the bounds below.  They are the extremes of these files
# and stand for bounds that are known without looking at rows.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;

$| = 1;

my $quick = $ENV{QUICK};
my $runs = $ENV{RUNS} // ($quick ? 3 : 30);
my $jobs = $ENV{JOBS} // (`getconf _NPROCESSORS_ONLN 2>/dev/null` || 1) + 0;
my @epsilons = $quick ? (0.1, 1) : (0.01, 0.05, 0.1, 0.5, 1);
my $delta = 1e-6;

my @data = (
	{ name => 'gowalla', title => 'gowalla, K = 5', file => 'gowalla_locations.csv.gz', k => 5,
		columns => [ [ 'lat', -46.386775868, 69.7236399009 ], [ 'lon', -159.6754821667, 176.253742833 ] ],
		targets => { 0.05 => 0.0190, 1 => 0.0187 } },
	{ name => 's1', title => 'S1, K = 15', file => 's1_su_processed.csv.gz', k => 15, starts => 's1_su_init_centroids.csv.gz',
		columns => [ [ 'x', -1, 1 ], [ 'y', -1, 1 ] ],
		targets => { 0.1 => 0.021, 0.5 => 0.0085, 1 => 0.0083 } },
	{ name => 'lifesci', title => 'lifesci, d = 10, K = 3', file => 'lifesci.csv.gz', k => 3,
		columns => [ [ 'x1', -13.4531, -0.010748 ], [ 'x2', -6.4655, 5.9762 ], [ 'x3', -7.5628, 5.6764 ],
			[ 'x4', -4.7937, 5.3849 ], [ 'x5', -6.9696, 4.7242 ], [ 'x6', -5.0108, 6.466 ], [ 'x7', -4.6077, 6.3295 ],
			[ 'x8', -4.9134, 4.5263 ], [ 'x9', -5.12, 4.7116 ], [ 'x10', -3.4201, 4.9505 ] ],
		targets => { 0.05 => 0.735, 0.5 => 0.70 } });

# Name, title, colour, dash and point of its line, arguments; `start`: takes initial centers; `most`: in so many coordinates.
my $pure = "composition => 'linear'";
my @methods = (
	[ 'auto', '**auto**', '#d6006c', 1, 7, '' ],
	[ 'auto pure', "auto, $pure", '#d6006c', 3, 6, $pure ],
	[ 'joint', 'joint', '#000000', 1, 5, "algorithm => 'joint'", start => 1 ],
	[ 'joint mcmc', 'joint, mcmc', '#000000', 3, 4, "algorithm => 'joint', postprocess => 'mcmc'", start => 1 ],
	[ 'dpem', 'dpem, zCDP', '#1b7837', 1, 9, "algorithm => 'dpem', composition => 'zcdp'", start => 1 ],
	[ 'dplloyd', 'dplloyd, linear', '#2166ac', 1, 11, "algorithm => 'dplloyd', $pure", start => 1 ],
	[ 'dplloyd mcmc', 'dplloyd, linear, mcmc', '#2166ac', 3, 10, "algorithm => 'dplloyd', $pure, postprocess => 'mcmc'", start => 1 ],
	[ 'grid', 'grid (EUGkM), linear', '#e08214', 1, 13, "algorithm => 'grid', $pure", most => 4 ],
	[ 'grid threshold', 'grid, linear, threshold 3', '#e08214', 3, 12, "algorithm => 'grid', $pure, threshold => 3", most => 4 ],
	[ 'grid adaptive', 'grid, linear, adaptive', '#e08214', 4, 3, "algorithm => 'grid', $pure, adaptive => true", most => 4 ],
	[ 'sample_aggregate', 'sample_aggregate, linear', '#762a83', 1, 1, "algorithm => 'sample_aggregate', $pure, noise => 'laplace'" ],
	[ 'genetic', 'genetic, linear', '#7f3b08', 1, 2, "algorithm => 'genetic', $pure" ]);
@methods = grep { $_->[0] ne 'genetic' } @methods if $quick;
@methods = grep { $_->[0] eq 'auto' || $_->[0] =~ /$ENV{METHODS}/ } @methods if $ENV{METHODS};

# ---- numbers ----------------------------------------------------------------------

sub quantile
{
	my ($q, @values) = @_;
	my @sorted = sort { $a <=> $b } @values;
	my $at = $q * $#sorted;
	my $low = int($at);

	return $sorted[$low] + ($at - $low) * ($sorted[ $low < $#sorted ? $low + 1 : $low ] - $sorted[$low]);
}

sub names { return map { $_->[0] } @{ $_[0]{columns} } }

# The terms of a squared distance, columns scaled to [-1, 1], from the array c.
sub distance
{
	my ($data) = @_;
	my $j = 0;

	return join ' + ', map { $j++; "(($_->[0] - c[$j]) * " . 2 / ($_->[2] - $_->[1]) . ')^2' } @{ $data->{columns} };
}

# NICV of any centers, given as text of an SQL query for arrays.
sub nicv_of
{
	my ($data, $centers) = @_;

	return value("WITH m AS MATERIALIZED ($centers) SELECT avg((SELECT min(" . distance($data) . ") FROM m AS m(c))) FROM $data->{name}");
}

sub array { return "'{" . join(',', @_) . "}'" }

sub init_means
{
	my ($data, $run) = @_;
	my $starts = $data->{start} or return '';

	return ', init_means => ' . array(@{ $starts->[ $run % @$starts ] });
}

sub private_nicv
{
	my ($task) = @_;
	my $data = $task->{data};
	my $row = 'ARRAY[' . join(', ', names($data)) . ']';
	my $dataset = $task->{dataset} // $data->{name};
	my $call = "'$dataset', $data->{k}, $task->{epsilon}, $delta, model => 'm$$'" . ($task->{fit} ? ", $task->{fit}" : '');

	query("SELECT count(*) FROM dp_kmeans_fit($call)");
	my $score = value("SELECT avg(dp_squared_distance('m$$', $row)) FROM $data->{name}");
	query("SELECT dp_drop_model('m$$')");
	return $score;
}

# ---- data ---------------------------------------------------------------------------

sub read_starts
{
	my ($data) = @_;
	my @sets;

	return unless $data->{starts};
	open(my $csv, '-|', 'gzip', '-dc', ($ENV{DPEM_DATA} // '../shared/data') . "/$data->{starts}") or die $!;
	<$csv>;
	while (my $line = <$csv>)
	{
		chomp $line;
		my ($set, undef, @center) = split /,/, $line;
		push @{ $sets[$set] }, @center;
	}
	close($csv);
	$data->{start} = \@sets;
	return;
}

sub register
{
	my ($data, $table) = @_;

	query("ANALYZE $table; SELECT dp_register_dataset('$table', '$table', 1000, 1e-3, adjacency => 'add_remove')");
	query("SELECT dp_register_column('$table', '$_->[0]', $_->[1], $_->[2])") foreach @{ $data->{columns} };
	query("SELECT dp_grant_budget(current_user::regrole, '$table', 1000, 1e-3)");
	return;
}

sub prepare
{
	my ($data) = @_;
	my $table = $data->{name};

	load_folds($table, $data->{file}, names($data)) or return 0;
	read_starts($data);
	query("ALTER TABLE $table DROP COLUMN fold");
	register($data, $table);
	return 1;
}

# ---- answers that cost nothing, and the best there are -----------------------------

# Lloyd's steps without noise from what a grid without noise finds.
sub open_nicv
{
	my ($data) = @_;
	my $start = @{ $data->{columns} } <= 4 ? 'sparse_grid' : 'plane';
	my $centers = join ',', query("SELECT unnest(mean) FROM dp_kmeans_fit('$data->{name}', $data->{k}, 'Infinity', algorithm => '$start') AS f");

	return nicv_of($data, "SELECT mean FROM dp_kmeans_fit('$data->{name}', $data->{k}, 'Infinity', algorithm => 'joint', iterations => 50, init_means => '{$centers}')");
}

# Of where a fit begins: on a table of a single row, noise is all there is.
sub untouched_nicv
{
	my ($data) = @_;
	my $name = "$data->{name}_row";

	query("CREATE TABLE $name AS SELECT * FROM $data->{name} LIMIT 1");
	register($data, $name);
	return private_nicv({ data => $data, dataset => $name, epsilon => 0.01, fit => "algorithm => 'joint'" });
}

# Initial centers as they are: the published sets, or those of a fit that learns nothing.
sub start_nicvs
{
	my ($data) = @_;

	return untouched_nicv($data) unless $data->{start};
	return map {
		my @set = @$_;
		my $d = @{ $data->{columns} };
		nicv_of($data, 'VALUES ' . join(', ', map { '(ARRAY[' . join(',', @set[ $_ * $d .. $_ * $d + $d - 1 ]) . '])' } 0 .. $data->{k} - 1))
	} @{ $data->{start} };
}

sub references
{
	my ($data) = @_;
	my $one = join ', ', map { "avg($_)" } names($data);

	return {
		open => [ open_nicv($data) ],
		one => [ nicv_of($data, "SELECT ARRAY[$one] FROM $data->{name}") ],
		start => [ start_nicvs($data) ]
	};
}

# ---- tables and plots -----------------------------------------------------------------

sub cell
{
	my ($values, $target) = @_;
	my $median = quantile(0.5, @$values);
	my $text = sprintf '%.4g', $median;

	$text .= sprintf ' (%.4g … %.4g)', quantile(0.25, @$values), quantile(0.75, @$values) if @$values > 1;
	return $text unless defined $target;
	return "$text " . ($median <= $target ? '✓' : "✗ $target");
}

sub flat_row
{
	my ($title, $values) = @_;

	return [ $title, map { cell($values) } @epsilons ];
}

sub plot_lines
{
	my ($data, $scores, $reference) = @_;
	my @flat = ([ 'open', 'non-private', '#666666' ], [ 'one', 'one center', '#aaaaaa' ], [ 'start', 'untouched start', '#cccccc' ]);
	my @lines = map {
		my $median = quantile(0.5, @{ $reference->{ $_->[0] } });
		{ flat => 1, title => $_->[1], colour => $_->[2], width => 2, dash => 2, points => [ map { [ $_, $median ] } @epsilons[ 0, -1 ] ] }
	} @flat;

	foreach my $m (@methods)
	{
		my $of = $scores->{ $m->[0] } or next;
		push @lines, { title => $m->[1] =~ s/\*//gr =~ tr/_/ /r, colour => $m->[2], dash => $m->[3], point => $m->[4],
			width => $m->[0] eq 'auto' ? 3 : 1.5, points => [ map { [ $_, quantile(0.5, @{ $of->{$_} }) ] } @epsilons ] };
	}
	return @lines;
}

# Where rows of the plane are, and where the centers of one fit each.
sub plot_centers
{
	my ($data, $epsilon) = @_;
	my ($x, $y) = $data->{name} eq 'gowalla' ? reverse @{ $data->{columns} } : @{ $data->{columns} };
	my $name = "clusters_$data->{name}";
	my $table = $data->{name};
	my @shown = ([ 'auto', '', '#d6006c', 7 ], [ 'dplloyd, linear', ", algorithm => 'dplloyd', $pure", '#2166ac', 9 ], [ 'joint', ", algorithm => 'joint'", '#000000', 5 ]);
	my @cells = query("SELECT $x->[1] + ($x->[2] - $x->[1]) * (i - 0.5) / 160, $y->[1] + ($y->[2] - $y->[1]) * (j - 0.5) / 160, ln(1 + count(*))
		FROM (SELECT least(width_bucket($x->[0], $x->[1], $x->[2], 160), 160) AS i, least(width_bucket($y->[0], $y->[1], $y->[2], 160), 160) AS j FROM $table) c GROUP BY i, j");
	my ($column) = grep { $data->{columns}[ $_ - 1 ][0] eq $x->[0] } 1, 2;
	my $other = 3 - $column;

	open(my $file, '>', "$out_dir/$name.gnuplot") or die $!;
	print $file "set terminal svg size 760,560 font 'Helvetica,13' background rgb 'white'\nset output '$out_dir/$name.svg'\n",
	  "set title '$data->{title}, ε = $epsilon: centers over the density of rows (logarithm)'\nset xlabel '$x->[0]'\nset ylabel '$y->[0]'\n",
	  "set xrange [$x->[1]:$x->[2]]\nset yrange [$y->[1]:$y->[2]]\nset palette defined (0 '#ffffff', 1 '#9ecae1', 2 '#3182bd')\nunset colorbox\nset key outside bottom center horizontal\n";
	print $file "\$density << EOD\n", map({ my $c = $_; $c =~ tr/\t/ /; "$c\n" } @cells), "EOD\n";
	foreach my $i (0 .. $#shown)
	{
		my $start = $shown[$i][1] ? init_means($data, 0) : '';
		print $file "\$c$i << EOD\n", map({ my $c = $_; $c =~ tr/\t/ /; "$c\n" }
			query("SELECT mean[$column], mean[$other] FROM dp_kmeans_fit('$table', $data->{k}, $epsilon, $delta$shown[$i][1]$start)")), "EOD\n";
	}
	print $file "plot \$density using 1:2:3 with points pt 5 ps 0.35 lc palette notitle",
	  map({ ", \$c$_ with points pt $shown[$_][3] ps 1.3 lw 2 lc rgb '$shown[$_][2]' title '$shown[$_][0]'" } 0 .. $#shown), "\n";
	close($file);
	system('gnuplot', "$out_dir/$name.gnuplot") == 0 or die "gnuplot failed on $name\n";
	print "$out_dir/$name.svg\n";
	return;
}

# ---- all of it ---------------------------------------------------------------------------

# What an earlier run, or several, left of the fits.
sub read_tasks
{
	my ($data) = @_;
	my @tasks;

	open(my $csv, '<', "$out_dir/clusters_$data->{name}.csv") or die "$out_dir/clusters_$data->{name}.csv: $!";
	while (my $line = <$csv>)
	{
		chomp $line;
		my ($dataset, $method, $epsilon, $run, $score) = split /,/, $line;
		push @tasks, { dataset => $dataset, method => $method, epsilon => $epsilon, run => $run, score => $score } if $dataset eq $data->{name};
	}
	close($csv);
	return @tasks;
}

sub make_tasks
{
	my ($data) = @_;
	my @tasks;

	foreach my $m (@methods)
	{
		my ($method, $fit, %more) = @$m[ 0, 5 .. $#$m ];

		next if $more{most} && $more{most} < @{ $data->{columns} };
		foreach my $epsilon (@epsilons)
		{
			push @tasks, map {
				{ data => $data, dataset => $data->{name}, method => $method, epsilon => $epsilon, run => $_,
					fit => $fit . ($more{start} ? init_means($data, $_ - 1) : '') }
			} 1 .. $runs;
		}
	}
	return @tasks;
}

sub measure
{
	my ($data) = @_;
	my $began = time;
	my @tasks = $ENV{REPLOT} ? read_tasks($data) : make_tasks($data);
	my %scores;

	parallel($data->{name}, $jobs, \&private_nicv, @tasks) unless $ENV{REPLOT};
	printf "%s: %d fits in %d s\n", $data->{name}, scalar @tasks, time - $began;
	push @{ $scores{ $_->{method} }{ $_->{epsilon} } }, $_->{score} foreach @tasks;
	write_csv("clusters_$data->{name}", [qw(dataset method epsilon run score)], @tasks);
	return \%scores;
}

my $plots = ensure_gnuplot();
my (@panels, @verdicts);

query('CREATE EXTENSION IF NOT EXISTS dpem');
foreach my $data (grep { my $d = $_; !@ARGV || grep { $_ eq $d->{name} } @ARGV } @data)
{
	if (!prepare($data))
	{
		print "skipped: $data->{file} is not here\n";
		next;
	}
	my $reference = references($data);
	my $scores = measure($data);
	write_table("$data->{title}: NICV, median (quartiles) of $runs fits, add_remove, δ = $delta",
		[ '', map { "ε = $_" } @epsilons ],
		flat_row('non-private', $reference->{open}), flat_row('one center', $reference->{one}),
		flat_row('untouched start', $reference->{start}),
		map {
			my $of = $scores->{ $_->[0] };
			my $auto = $_->[0] eq 'auto';
			$of ? [ $_->[1], map { cell($of->{$_}, $auto ? $data->{targets}{$_} : undef) } @epsilons ] : ()
		} @methods);
	foreach my $epsilon (grep { $data->{targets}{$_} } @epsilons)
	{
		my $median = quantile(0.5, @{ $scores->{auto}{$epsilon} });
		push @verdicts, sprintf "%s %s at ε = %s: %.5f, to be at most %s\n",
		  $median <= $data->{targets}{$epsilon} ? 'pass' : 'FAIL', $data->{name}, $epsilon, $median, $data->{targets}{$epsilon};
	}
	# the lines of the last panel are named: one that has all algorithms
	my $at = @{ $data->{columns} } > 4 ? 0 : @panels;
	splice @panels, $at, 0, { title => $data->{title}, range => '*:*', yticks => 'auto', ticks => join(', ', map { "'$_' $_" } @epsilons),
		domain => '0.009:1.1', logarithmic => 1, lines => [ plot_lines($data, $scores, $reference) ] };
	plot_centers($data, 0.1) if $plots && @{ $data->{columns} } == 2;
}
plot('clusters', '1500,560', 'ε (δ = 10⁻⁶)', 'NICV', @panels) if $plots && @panels;
print @verdicts;
