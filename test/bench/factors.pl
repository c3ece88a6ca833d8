# Factor analysis and principal components against epsilon and the number of
# rows, in a throw-away server: CSV, SVG and markdown tables in
# build/bench/factors (docs/factors.md says what came of them).  Run by
# `make bench-factors`.
#
#   RUNS=5     fits of each kind
#   QUICK=1    a minute: 2 fits, three epsilons, fewer rows
#   JOBS=      sessions side by side (default: processors)
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;

$| = 1;
$out_dir = 'build/bench/factors';

my $quick = $ENV{QUICK};
my $runs = $ENV{RUNS} // ($quick ? 2 : 5);
my $jobs = $ENV{JOBS} // (`getconf _NPROCESSORS_ONLN 2>/dev/null` || 1) + 0;
my @epsilons = $quick ? (0.1, 1, 4) : (0.1, 0.25, 0.5, 1, 2, 4);
my $delta = 1e-4;
my $side = 16;
my $pixels = $side * $side;
my $ticks = join ', ', map { "'$_' $_" } @epsilons;
my %name = (analyze_gauss => 'Analyze Gauss', power => 'power', exponential => 'exponential');
my %colour = (analyze_gauss => '#d6006c', power => '#2166ac', exponential => '#1b7837');

# ---- data -----------------------------------------------------------------------

# The rows `times` over: the covariance stays, the noise in it shrinks.
sub repeat_rows
{
	my ($from, $times, $select) = @_;
	my $table = "${from}_$times";

	query("CREATE TABLE $table AS SELECT $select FROM $from, generate_series(1, $times)");
	return $table;
}

sub load_lifesci
{
	my @columns = map { "x$_" } 1 .. 10;

	return unless load_folds('lifesci', 'lifesci.csv.gz', @columns);
	return map {
		my $table = $_ < 1 ? 'lifesci_tenth' : repeat_rows('lifesci', $_, join(', ', @columns));

		query("CREATE TABLE lifesci_tenth AS SELECT * FROM lifesci WHERE fold = 0") if $_ < 1;
		prepare_dataset($table, map { [ $_, -16, 16 ] } @columns);
		{ table => $table, rows => value("SELECT count(*) FROM $table") }
	} $quick ? (0.1, 1) : (0.1, 1, 10);
}

sub load_faces
{
	my @columns = map { "p$_" } 0 .. $pixels - 1;

	return unless load_folds('pixel', 'olivetti16.csv.gz', @columns);
	query('CREATE TABLE faces AS SELECT ARRAY[' . join(', ', @columns) . ']::float4[] AS x FROM pixel; ALTER TABLE faces ALTER x SET STORAGE EXTERNAL');
	return map {
		my $table = repeat_rows('faces', $_, 'x');

		query("ANALYZE $table; SELECT dp_register_dataset('$table', '$table', 1000, 1e-4);"
			  . "SELECT dp_register_column('$table', 'x', 0, 255, $pixels);"
			  . "SELECT dp_grant_budget(current_user::regrole, '$table', 1000, 1e-4)");
		{ table => $table, rows => 400 * $_ }
	} $quick ? (1, 10) : (1, 10, 100);
}

# ---- subspaces --------------------------------------------------------------------

sub directions
{
	my ($arguments) = @_;

	return map { [ split /,/, tr/{}//dr ] } query("SELECT direction FROM dp_pca_fit($arguments) ORDER BY component");
}

# Root mean square sine of the angles between two subspaces of orthonormal rows: 0 the same, 1 orthogonal.
sub subspace_distance
{
	my ($a, $b) = @_;
	my $common = 0;

	foreach my $u (@$a)
	{
		foreach my $v (@$b)
		{
			my $dot = 0;

			$dot += $u->[$_] * $v->[$_] foreach 0 .. $#$u;
			$common += $dot ** 2;
		}
	}
	my $rest = 1 - $common / @$a;
	return $rest > 0 ? sqrt($rest) : 0;
}

sub score_subspace
{
	my ($task) = @_;
	my @got = directions("'$task->{table}', $task->{k}, $task->{epsilon}, $delta, $task->{more}, model => 'm$$'");

	query("SELECT dp_drop_model('m$$')");
	return subspace_distance($task->{truth}, \@got);
}

sub row_of
{
	my ($label, $scores) = @_;

	return [ $label, map { sprintf('%.3f', mean(@{ $scores->{$_} })) } @epsilons ];
}

# One panel and one table of distances: a dataset of several sizes, several algorithms.
sub compare
{
	my ($title, $k, $datasets, %more) = @_;
	my @tasks;
	my %scores;
	my @styles = (1, 2, 4);

	foreach my $data (@$datasets)
	{
		foreach my $algorithm (sort keys %more)
		{
			my $truth = [ directions("'$data->{table}', $k, 'Infinity', $more{$algorithm}") ];

			push @tasks, map { my $epsilon = $_; map { {
						table => $data->{table}, rows => $data->{rows}, k => $k, epsilon => $epsilon, run => $_, truth => $truth,
						algorithm => $algorithm, more => "$more{$algorithm}, algorithm => '$algorithm'" } } 1 .. $runs } @epsilons;
		}
	}
	parallel($title, $jobs, \&score_subspace, @tasks);
	push @{ $scores{ $_->{rows} }{ $_->{algorithm} }{ $_->{epsilon} } }, $_->{score} foreach @tasks;
	my @rows;
	my @lines;
	foreach my $i (0 .. $#$datasets)
	{
		foreach my $algorithm (sort keys %more)
		{
			my $of = $scores{ $datasets->[$i]{rows} }{$algorithm};

			push @rows, row_of("$algorithm, N = $datasets->[$i]{rows}", $of);
			push @lines, { title => "$name{$algorithm}, N" . ('', ' × 10', ' × 100')[$i], colour => $colour{$algorithm}, dash => $styles[$i],
				point => 5 + 2 * $i, width => 1.8, points => [ map { [ $_, mean(@{ $of->{$_} }) ] } @epsilons ] };
		}
	}
	write_table("$title: subspace distance to the fit without noise (0 the same, 1 orthogonal), mean of $runs", [ 'ε', @epsilons ], @rows);
	return ({ title => "$title, N = $datasets->[0]{rows}", lines => \@lines, domain => '0.08:5', ticks => $ticks, range => '0:1', yticks => '0.2' }, @tasks);
}

# ---- faces --------------------------------------------------------------------------

# Loadings as images, one row of them for each fit.
sub draw_faces
{
	my ($plots, @fits) = @_;
	my $factors = $fits[0]{factors};

	return unless $plots;
	open(my $file, '>', "$out_dir/faces.gnuplot") or die $!;
	printf $file "set terminal svg size %d,%d font 'Helvetica,13' background rgb 'white'\nset output '$out_dir/faces.svg'\n",
	  90 * $factors + 230, 92 * @fits;
	print $file "unset key\nunset tics\nunset colorbox\nset size ratio -1\nset palette gray\nset multiplot\n";
	foreach my $row (0 .. $#fits)
	{
		my $top = 1 - $row / @fits;
		my $width = 90 / (90 * $factors + 230);

		printf $file "set label 1 \"%s\" at screen 0.005, screen %.4f\n", $fits[$row]{title}, $top - 0.5 / @fits;
		foreach my $f (0 .. $factors - 1)
		{
			my $left = 1 - ($factors - $f) * $width;

			printf $file "set lmargin at screen %.4f\nset rmargin at screen %.4f\nset tmargin at screen %.4f\nset bmargin at screen %.4f\n",
			  $left + 0.05 * $width, $left + 0.95 * $width, $top - 0.05 / @fits, $top - 0.95 / @fits;
			print $file "\$m << EOD\n", (map { my $y = $_; join(' ', map { $fits[$row]{loadings}[ $y * $side + $_ ][$f] } 0 .. $side - 1) . "\n" } 0 .. $side - 1),
			  "EOD\nplot [-0.5:", $side - 0.5, "][", $side - 0.5, ":-0.5] \$m matrix with image\nunset label 1\n";
		}
	}
	print $file "unset multiplot\n";
	close($file);
	system('gnuplot', "$out_dir/faces.gnuplot") == 0 or die "gnuplot failed on $out_dir/faces.gnuplot\n";
	print "$out_dir/faces.svg\n";
	return;
}

sub loadings
{
	my ($arguments, $title, $factors) = @_;

	return { title => $title, factors => $factors,
		loadings => [ map { [ split /,/, tr/{}//dr ] } query("SELECT loadings FROM dp_fa_fit($arguments)") ] };
}

# Mean log-density of the 400 faces under a factor model, as it is stored or as the same fit without noise has it.
sub density
{
	my ($table, $factors, $epsilon) = @_;

	query("SELECT count(*) FROM dp_fa_fit('$table', $factors, $epsilon, $delta, clip_norm => 16, model => 'density')");
	my $density = value("SELECT avg(dp_log_density('density', x::float8[])) FROM faces");
	query("SELECT dp_drop_model('density')");
	return $density;
}

# Noise and signal of the published experiment in numbers that need no run: 400 faces of 64 x 64.
sub forecast_published
{
	my $d = 4096;

	query("CREATE TABLE published (x float4[]); INSERT INTO published SELECT NULL FROM generate_series(1, 400); ANALYZE published;"
		  . "SELECT dp_register_dataset('published', 'published', 10, 1e-4), dp_register_column('published', 'x', 0, 255, $d)");
	return map {
		my $sd = value("SELECT noise_stddev FROM dp_fa_plan('published', 10, $_, $delta, precondition => 'none') WHERE statistic = 'moments: second moments'");

		$sd / 400 * sqrt(2 * $d)
	} @epsilons;
}

sub faces
{
	my ($plots, @datasets) = @_;
	my $factors = $quick ? 4 : 8;
	my @fits = (loadings("'faces_1', $factors, 'Infinity'", 'no noise', $factors),
		map { loadings("'$_->{table}', $factors, 1, $delta, clip_norm => 16", "ε = 1, N = $_->{rows}", $factors) } reverse @datasets);
	my ($open) = query("SELECT log_likelihood FROM dp_fa_fit('faces_1', $factors, 'Infinity') LIMIT 1");
	my ($top) = query("SELECT variance / $pixels FROM dp_pca_fit('faces_1', 1, 'Infinity')");

	draw_faces($plots, @fits);
	write_table("Faces, $factors factors: mean log-density of the 400 faces (without noise " . sprintf('%.0f', $open) . ')', [ 'ε', @epsilons ],
		map { my $data = $_; [ "N = $data->{rows}", map { my $epsilon = $_; sprintf('%.0f', mean(map { density($data->{table}, $factors, $epsilon) } 1 .. ($quick ? 1 : 3))) } @epsilons ] } @datasets);
	write_table("400 faces of 64 x 64, as published: spectral norm of the noise over the largest variance of the faces (" . sprintf('%.4f', $top)
		  . " of the ball's squared radius)", [ 'ε', @epsilons ], [ 'noise / signal', map { sprintf('%.0f', $_ / $top) } forecast_published() ]);
	return;
}

# ---- speed ----------------------------------------------------------------------------

sub seconds
{
	my ($sql) = @_;
	my $start = value('SELECT extract(epoch FROM clock_timestamp())');

	query($sql);
	return value("SELECT extract(epoch FROM clock_timestamp()) - $start");
}

# A pass over rows of 1,024 coordinates and what comes after it.
sub speed
{
	my $rows = $quick ? 2000 : 20000;

	query("CREATE TABLE wide (x float4[]); ALTER TABLE wide ALTER x SET STORAGE EXTERNAL; INSERT INTO wide
		SELECT (SELECT array_agg((sin(i * (1 + j % 17)) + random())::float4) FROM generate_series(1, 1024) j) FROM generate_series(1, $rows / 10) i;
		INSERT INTO wide SELECT x FROM wide, generate_series(1, 9); ANALYZE wide; SELECT dp_register_dataset('wide', 'wide', 1000, 1e-4);
		SELECT dp_register_column('wide', 'x', -1, 2, 1024); SELECT dp_grant_budget(current_user::regrole, 'wide', 1000, 1e-4);
		SET max_parallel_workers_per_gather = 0");
	my $pca = seconds("SELECT count(*) FROM dp_pca_fit('wide', 5, 1, $delta)");
	my $fa = seconds("SELECT count(*) FROM dp_fa_fit('wide', 5, 1, $delta)");
	query('CREATE TABLE narrow AS SELECT x FROM wide LIMIT 1; ANALYZE narrow');
	query("SELECT dp_register_dataset('narrow', 'narrow', 1000, 1e-4), dp_register_column('narrow', 'x', -1, 2, 1024); SELECT dp_grant_budget(current_user::regrole, 'narrow', 1000, 1e-4)");
	my $fixed = seconds("SELECT count(*) FROM dp_pca_fit('narrow', 5, 1, $delta)");
	write_table("$rows rows of 1,024 coordinates, one process", [ 'what', 'measured' ],
		[ 'dp_pca_fit, 5 components', sprintf('%.2f s', $pca) ], [ 'of which noise and eigenvectors', sprintf('%.2f s', $fixed) ],
		[ 'rows a second', sprintf('%d', $rows / ($pca - $fixed)) ], [ 'dp_fa_fit, 5 factors', sprintf('%.2f s', $fa) ]);
	return;
}

# ---- all ---------------------------------------------------------------------------------

query('CREATE EXTENSION IF NOT EXISTS dpem');
my $plots = ensure_gnuplot();
my @lifesci = load_lifesci();
my @faces = load_faces();
my (@panels, @tasks);

if (@lifesci)
{
	# the scale of the published experiments, where the longest row is the ball's radius
	my ($panel, @done) = compare('lifesci, 3 of 10', 3, \@lifesci, map { $_ => 'clip_norm => 1.02' } qw(analyze_gauss power));
	my ($small, @more) = compare('lifesci, 1 of 5', 1, \@lifesci,
		map { $_ => "clip_norm => 1.02, columns => '{x1,x2,x3,x4,x5}'" } qw(analyze_gauss exponential));

	push @panels, $panel, $small;
	push @tasks, @done, @more;
}
if (@faces)
{
	my ($panel, @done) = compare('faces, 5 of 256', 5, \@faces, map { $_ => 'clip_norm => 16' } qw(analyze_gauss power));

	push @panels, $panel;
	push @tasks, @done;
	faces($plots, @faces);
}
write_csv('subspaces', [qw(table rows k algorithm epsilon run score)], @tasks) if @tasks;
plot('subspaces', '1500,480', 'ε (δ = 10⁻⁴)', 'subspace distance', @panels) if $plots && @panels;
speed();
