# What dp_kmeans_fit finds by default, beside what else there is: the table of
# PE-means (arXiv 2606.00342) and a dozen unlike kinds of data (docs/families/kmeans.md says what came of them).
# Markdown in build/bench/utility_kmeans, CSV as of every family.
# Run by `make bench-utility` or `make bench-utility-kmeans`; Utility.pm has the settings.
#
#   PART=      published or unlike: one of the tables
#   WIDER=     times that the domains of the second table are as wide
#
# First table: data centered and divided by its largest norm, columns registered
# as [-1, 1], clip_norm => 1, add_remove, delta = N^-1.1.  The loss is the mean
# squared distance of a row to the nearest center; its integral over epsilon from
# 0.25 to 4 is that of the straight lines between 0.25, 0.5, 1, 2 and 4 (trapezoids).
# Blobs are scikit-learn's make_blobs(20000, d, centers=k, random_state=1), to the
# last bits: its Mersenne Twister and polar method are below.  Where adult.csv.gz is absent from
# DPEM_DATA, or R's package mlbench (LetterRecognition), their rows of the table are skipped.
#
# Second table: NICV, as in clusters.pl, at delta 1e-6: median and worst of the runs over
# that of the non-private answer.  `dplloyd` is diffprivlib's algorithm and budget (pure epsilon,
# counts and sums of every pass; Su et al. 2016); neither that library nor Google's is run.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Utility;

$| = 1;

$out_dir = 'build/bench/utility_kmeans';

my $quick = utility_quick();
my $runs = utility_runs();
my $jobs = utility_jobs();
my $data_dir = $ENV{DPEM_DATA} // '../shared/data';
my @published_epsilons = (0.25, 0.5, 1, 2, 4);
my @epsilons = (0.05, 0.2, 1, 4);

# Published integrals; blobs of k clusters in d columns.
my @published = (
	{ name => 'adult', k => 3, d => 6, bar => 0.0056 },
	(map { { name => "k$_->[0]_d$_->[1]", k => $_->[0], d => $_->[1], bar => $_->[2] } }
		[ 4, 16, 0.0955 ], [ 16, 4, 0.0445 ], [ 64, 4, 0.0379 ], [ 16, 16, 0.0668 ], [ 64, 16, 0.1183 ], [ 16, 64, 0.1189 ],
		[ 64, 64, 0.3070 ], [ 16, 128, 0.1562 ]),
	{ name => 'letter', k => 26, d => 16, bar => 0.2852 });

# ---- numbers as NumPy's RandomState makes them -------------------------------------

my (@word, $next_word, $kept);

sub seed_words
{
	my ($seed) = @_;

	@word = ($seed);
	foreach my $i (1 .. 623)
	{
		my $x = $word[-1] ^ ($word[-1] >> 30);

		push @word, (1812433253 * ($x & 0xffff) + (((1812433253 * ($x >> 16)) & 0xffff) << 16) + $i) & 0xffffffff;
	}
	($next_word, $kept) = (624, undef);
	return;
}

sub twist
{
	foreach my $i (0 .. 623)
	{
		my $y = ($word[$i] & 0x80000000) | ($word[ ($i + 1) % 624 ] & 0x7fffffff);

		$word[$i] = $word[ ($i + 397) % 624 ] ^ ($y >> 1) ^ ($y & 1 ? 0x9908b0df : 0);
	}
	$next_word = 0;
	return;
}

sub random_word
{
	twist() if $next_word == 624;
	my $y = $word[ $next_word++ ];

	$y ^= $y >> 11;
	$y ^= ($y << 7) & 0x9d2c5680;
	$y ^= ($y << 15) & 0xefc60000;
	return $y ^ ($y >> 18);
}

sub uniform
{
	my $high = random_word() >> 5;

	return ($high * 67108864 + (random_word() >> 6)) / 9007199254740992;
}

sub normal
{
	my ($x, $y, $square);

	if (defined $kept)
	{
		my $last = $kept;

		$kept = undef;
		return $last;
	}
	do
	{
		$x = 2 * uniform() - 1;
		$y = 2 * uniform() - 1;
		$square = $x * $x + $y * $y;
	} while ($square >= 1 || $square == 0);
	my $factor = sqrt(-2 * log($square) / $square);

	$kept = $factor * $x;
	return $factor * $y;
}

sub blobs
{
	my ($k, $d) = @_;
	my $n = $quick ? 5000 : 20000;
	my @rows;

	seed_words(1);
	my @centers = map { [ map { -10 + 20 * uniform() } 1 .. $d ] } 1 .. $k;
	foreach my $c (0 .. $k - 1)
	{
		my $size = int($n / $k) + ($c < $n % $k ? 1 : 0);

		push @rows, [ map { $_ + normal() } @{ $centers[$c] } ] foreach 1 .. $size;
	}
	return \@rows;
}

# ---- the published setting ----------------------------------------------------------------

sub read_numbers
{
	my ($command, $pick) = @_;
	my @rows;

	open(my $file, '-|', @$command) or return \@rows;
	while (my $line = <$file>)
	{
		chomp $line;
		my @row = $pick->(split /,/, $line);

		push @rows, \@row if @row && $row[0] =~ /^[-0-9.]+$/;
	}
	close($file);
	return \@rows;
}

sub rows_of
{
	my ($set) = @_;

	if ($set->{name} eq 'adult')
	{
		return -r "$data_dir/adult.csv.gz" ? read_numbers([ 'gzip', '-dc', "$data_dir/adult.csv.gz" ], sub { @_[ 0, 2, 4, 10, 11, 12 ] }) : undef;
	}
	if ($set->{name} eq 'letter')
	{
		my $rows = read_numbers([ 'Rscript', '-e', 'library(mlbench); data(LetterRecognition); write.table(LetterRecognition[, -1], row.names = FALSE, col.names = FALSE, sep = ",")' ], sub { @_ });

		return @$rows ? $rows : undef;
	}
	return blobs($set->{k}, $set->{d});
}

# Rows centered and divided by the largest norm.
sub normalise
{
	my ($rows) = @_;
	my $d = @{ $rows->[0] };
	my @sum = (0) x $d;
	my $most = 0;

	foreach my $row (@$rows) { $sum[$_] += $row->[$_] foreach 0 .. $d - 1; }
	foreach my $row (@$rows)
	{
		my $square = 0;

		foreach my $j (0 .. $d - 1)
		{
			$row->[$j] -= $sum[$j] / @$rows;
			$square += $row->[$j]**2;
		}
		$most = $square if $square > $most;
	}
	foreach my $row (@$rows) { $_ /= sqrt($most) foreach @$row; }
	return;
}

sub create_table
{
	my ($set, $rows) = @_;
	my @columns = map { "x$_" } 1 .. @{ $rows->[0] };
	my $path = "/tmp/utility_kmeans_$$.csv";

	open(my $file, '>', $path) or die "$path: $!";
	print $file join(',', map { sprintf '%.17g', $_ } @$_), "\n" foreach @$rows;
	close($file);
	query("CREATE TABLE $set->{name} (" . join(', ', map { "$_ float8" } @columns) . ')');
	query("\\copy $set->{name} FROM '$path' WITH (FORMAT csv)");
	unlink $path;
	$set->{columns} = [ map { [ $_, -1, 1 ] } @columns ];
	$set->{n} = @$rows;
	return;
}

sub register
{
	my ($set) = @_;
	my $table = $set->{name};

	query("ANALYZE $table; SELECT dp_register_dataset('$table', '$table', 1000, 1e-2, adjacency => 'add_remove')");
	query("SELECT dp_register_column('$table', '$_->[0]', $_->[1], $_->[2])") foreach @{ $set->{columns} };
	query("SELECT dp_grant_budget(current_user::regrole, '$table', 1000, 1e-2)");
	return;
}

# ---- fits -----------------------------------------------------------------------------------

sub row_of
{
	my ($set) = @_;

	return 'ARRAY[' . join(', ', map { $_->[0] } @{ $set->{columns} }) . ']';
}

sub private_loss
{
	my ($task) = @_;
	my $set = $task->{set};
	my $delta = $set->{bar} ? $set->{n}**-1.1 : 1e-6;
	my $more = ($set->{bar} ? ', clip_norm => 1' : '') . ($task->{fit} ? ", $task->{fit}" : '');

	query("SELECT count(*) FROM dp_kmeans_fit('$set->{name}', $set->{k}, $task->{epsilon}, $delta, model => 'm$$'$more)");
	my $loss = value("SELECT avg(dp_squared_distance('m$$', " . row_of($set) . ")) FROM $set->{name}");
	query("SELECT dp_drop_model('m$$')");
	return $loss;
}

# The loss of the centers that a query for arrays gives.
sub loss_of
{
	my ($set, $centers) = @_;
	my $j = 0;
	my $distance = join ' + ', map { $j++; "(($_->[0] - c[$j]) * " . 2 / ($_->[2] - $_->[1]) . ')^2' } @{ $set->{columns} };

	return value("WITH m AS MATERIALIZED ($centers) SELECT avg((SELECT min($distance) FROM m AS m(c))) FROM $set->{name}");
}

# The best of what the fits find without noise, with Lloyd's passes until nothing moves.
sub open_loss
{
	my ($set) = @_;
	my $clip = $set->{bar} ? ', clip_norm => 1' : '';
	my $best;

	foreach my $algorithm ('auto', @{ $set->{columns} } > 1 ? 'plane' : ())
	{
		my $start = join ',', query("SELECT unnest(mean) FROM dp_kmeans_fit('$set->{name}', $set->{k}, 'Infinity', algorithm => '$algorithm'$clip)");
		my $loss = loss_of($set, "SELECT mean FROM dp_kmeans_fit('$set->{name}', $set->{k}, 'Infinity', algorithm => 'joint',"
			  . " iterations => 50, init_means => '{$start}'$clip)");

		$best = $loss if !defined $best || $loss < $best;
	}
	return $best;
}

sub quantile
{
	my ($q, @values) = @_;
	my @sorted = sort { $a <=> $b } @values;

	return $sorted[ int($q * $#sorted + 0.5) ];
}

sub integral
{
	my ($of) = @_;
	my $sum = 0;

	foreach my $i (1 .. $#published_epsilons)
	{
		my ($from, $to) = @published_epsilons[ $i - 1, $i ];

		$sum += ($to - $from) * (mean(@{ $of->{$from} }) + mean(@{ $of->{$to} })) / 2;
	}
	return $sum;
}

sub measure
{
	my ($set, $methods, $of) = @_;
	my %loss;
	my @tasks = map {
		my $m = $_;
		map { my $e = $_; map { { set => $set, name => $set->{name}, method => $m->[0], fit => $m->[1], epsilon => $e, run => $_ } } 1 .. $runs } @$of
	} @$methods;

	parallel($set->{name}, $jobs, \&private_loss, @tasks);
	push @{ $loss{ $_->{method} }{ $_->{epsilon} } }, $_->{score} foreach @tasks;
	return (\%loss, @tasks);
}

# ---- unlike data ------------------------------------------------------------------------------

# Name, rows, clusters, expressions of the columns in terms of t (a cluster 0 .. k - 1, see below) with bounds.
# g() is a normal number, h(a, b) a fixed one in [-1, 1] for two integers, e() of the exponential law.
sub blob_columns
{
	my ($d, $width, $sd, $middle) = @_;

	return map { [ sprintf('%s + %s * h(t, %d) + %s * g()', $middle // 0, $width, $_, $sd), -1, 1 ] } 1 .. $d;
}

my @unlike = (
	[ 'bank2', 45000, 6, [ 'sign(random() - 0.08) * exp(6.1 + 1.5 * g())', -20000, 150000 ], [ 'exp(5.2 + 0.9 * g())', 0, 5000 ] ],
	[ 'bank7', 45000, 8, [ 'sign(random() - 0.08) * exp(6.1 + 1.5 * g())', -20000, 150000 ], [ 'exp(5.2 + 0.9 * g())', 0, 5000 ],
		[ 'CASE WHEN random() < 0.8 THEN -1 ELSE 400 * random() ^ 0.7 END', -1, 1000 ], [ '41 + 10 * g()', 18, 95 ],
		[ '1 + floor(2 * e())', 1, 60 ], [ '16 + 8 * g()', 1, 31 ], [ 'CASE WHEN random() < 0.82 THEN 0 ELSE floor(3 * e()) END', 0, 100 ] ],
	[ 'constant10', 10000, 4, blob_columns(2, 0.5, 0.06), map { [ '0.3 + 0.0005 * g()', -1, 1 ] } 1 .. 8 ],
	[ 'spike8', 20000, 6, map { [ "0.7 * h(t, $_) + CASE t WHEN 0 THEN 0 ELSE 0.08 * g() END", -1, 1 ] } 1 .. 8 ],
	[ 'narrow3', 20000, 5, blob_columns(3, 0.01, 0.001, 0.6) ],
	[ 'narrow12', 20000, 5, blob_columns(12, 0.02, 0.003, -0.8) ],
	[ 'uniform10', 20000, 8, map { [ '2 * random() - 1', -1, 1 ] } 1 .. 10 ],
	[ 'tails8', 30000, 5, map { [ "0.3 * h(t, $_) + 0.04 * g() / sqrt(e() + 0.01)", -1, 1 ] } 1 .. 8 ],
	[ 'binary60', 20000, 5, map { [ "sign(random() - 0.5 + 0.4 * h(t, $_))", -1, 1 ] } 1 .. 60 ],
	[ 'few5', 1000, 4, blob_columns(5, 0.7, 0.1) ],
	[ 'unequal12', 20000, 8, blob_columns(12, 0.6, 0.1) ],
	[ 'far6', 20000, 5, blob_columns(6, 0.65, 0.02) ],
	[ 'skewed20', 15000, 6, map { [ '0.1 * e() * ' . (1 + $_ % 5) . ' - 1', -1, 1 ] } 1 .. 20 ],
	[ 'rings2', 20000, 10, [ '(0.4 + 0.4 * (t % 2) + 0.02 * g()) * cos(u)', -1, 1 ], [ '(0.4 + 0.4 * (t % 2) + 0.02 * g()) * sin(u)', -1, 1 ] ],
	[ 'blobs5', 1000000, 10, blob_columns(5, 0.8, 0.05) ]);

sub create_functions
{
	query(q{CREATE FUNCTION g() RETURNS float8 LANGUAGE sql VOLATILE AS 'SELECT sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';
		CREATE FUNCTION e() RETURNS float8 LANGUAGE sql VOLATILE AS 'SELECT -ln(1 - random())';
		CREATE FUNCTION h(a int, b int) RETURNS float8 LANGUAGE sql IMMUTABLE AS
			'SELECT (hashint8extended(a, b::bigint) & 65535) / 32767.5 - 1'});
	return;
}

# Clusters are equally large but for spike8 (70 % of the rows are cluster 0), unequal12 (each half of those before it) and far6
# (90, 5, 3, 1.5 and 0.5 %).
sub cluster_of
{
	my ($name, $k) = @_;

	return "CASE WHEN random() < 0.7 THEN 0 ELSE 1 + floor(random() * ($k - 1))::int END" if $name eq 'spike8';
	return 'least(floor(1.6 * e()), ' . ($k - 1) . ')::int' if $name eq 'unequal12';
	return "width_bucket(random(), '{0.9,0.95,0.98,0.995}'::float8[])" if $name eq 'far6';
	return "floor(random() * $k)::int";
}

sub make_unlike
{
	my ($name, $n, $k, @columns) = @_;
	my $set = { name => $name, k => $k, n => $n };
	my $i = 0;
	my $values = join ', ', map { $i++; "$_->[0] AS x$i" } @columns;

	query("SELECT setseed(0.5); CREATE TABLE $name AS SELECT $values FROM (SELECT " . cluster_of($name, $k)
		  . " AS t, 2 * pi() * random() AS u FROM generate_series(1, $n) OFFSET 0) AS s");
	$i = 0;
	my $wider = (($ENV{WIDER} // 1) - 1) / 2;

	$set->{columns} = [ map { $i++; [ "x$i", $_->[1] - $wider * ($_->[2] - $_->[1]), $_->[2] + $wider * ($_->[2] - $_->[1]) ] } @columns ];
	return $set;
}

# as every family's; `joint` and `plane` are choices of the same fit, so that the one baseline is `dplloyd`
sub cells
{
	my ($set, $open, @tasks) = @_;
	my %common = (family => 'kmeans', dataset => $set->{name}, rows => $set->{n}, columns => scalar @{ $set->{columns} }, larger_is_better => 0);
	my %method = (auto => [ 'default', 'dp_kmeans_fit' ], dplloyd => [ 'baseline', 'dplloyd' ]);
	my @of = grep { $method{ $_->{method} } } @tasks;

	return ((map { { %common, epsilon => $_->{epsilon}, method => $method{ $_->{method} }[0], label => $method{ $_->{method} }[1], run => $_->{run}, value => $_->{score} } } @of),
		{ %common, epsilon => '', method => 'non-private', label => 'without noise', run => 1, value => $open });
}

# ---- all of it -----------------------------------------------------------------------------------

sub published_table
{
	my (@rows, @all);

	foreach my $set (grep { utility_wanted($_->{name}) } @published)
	{
		next if $quick && $set->{d} > 16;
		my $rows = rows_of($set);

		if (!$rows)
		{
			print "skipped: the data of $set->{name} is not here\n";
			next;
		}
		normalise($rows);
		create_table($set, $rows);
		register($set);
		my $open = open_loss($set);
		my ($loss, @tasks) = measure($set, [ [ 'auto', '' ], [ 'plane', "algorithm => 'plane'" ] ], \@published_epsilons);
		my ($auto, $plane) = map { integral($loss->{$_}) } 'auto', 'plane';
		my $span = $published_epsilons[-1] - $published_epsilons[0];
		my $published_rows = !$quick || $set->{name} eq 'adult';	# blobs are fewer rows with QUICK

		push @all, cells($set, $open, @tasks);
		push @rows, [ $set->{name}, map({ sprintf '%.5f', mean(@{ $loss->{auto}{$_} }) } @published_epsilons),
			sprintf('%.4f', $auto), sprintf('%.4f', $set->{bar}), $published_rows ? $auto <= $set->{bar} + 5e-5 ? 'yes' : 'no' : '',
			sprintf('%.4f', $plane), sprintf('%.4f', $open * $span), sprintf('%.3f', $auto / ($open * $span)) ];
		query("SELECT dp_drop_dataset('$set->{name}'); DROP TABLE $set->{name}");
	}
	write_table("Mean loss of $runs fits of auto, and its integral", [ 'data', map({ "ε = $_" } @published_epsilons),
			'integral', 'PE-means', 'reached', 'plane', 'non-private', 'auto over that' ], @rows);
	return @all;
}

sub unlike_table
{
	my (@rows, @all);
	my @methods = ([ 'auto', '' ], [ 'joint', "algorithm => 'joint'" ], [ 'dplloyd', "algorithm => 'dplloyd', composition => 'linear'" ]);

	create_functions();
	foreach my $kind (grep { utility_wanted($_->[0]) } @unlike)
	{
		next if $quick && $kind->[1] > 20000;
		my $set = make_unlike(@$kind);

		register($set);
		my $open = open_loss($set);
		my ($loss, @tasks) = measure($set, \@methods, \@epsilons);

		push @all, cells($set, $open, @tasks);
		foreach my $m (@methods)
		{
			my $of = $loss->{ $m->[0] };

			push @rows, [ $set->{name}, $m->[0], map { sprintf '%.3g (%.3g)', quantile(0.5, @{ $of->{$_} }) / $open, quantile(1, @{ $of->{$_} }) / $open } @epsilons ];
		}
		query("SELECT dp_drop_dataset('$set->{name}'); DROP TABLE $set->{name}");
	}
	write_table("NICV over that of the non-private answer, median (worst) of $runs fits", [ 'data', 'algorithm', map { "ε = $_" } @epsilons ], @rows);
	return @all;
}

query('CREATE EXTENSION IF NOT EXISTS dpem');
my @published_cells = ($ENV{PART} // '') eq 'unlike' ? () : published_table();
my @unlike_cells = ($ENV{PART} // '') eq 'published' ? () : unlike_table();

$out_dir = 'build/bench/utility';
write_cells({ name => 'kmeans', title => 'k-means', value => 'mean squared distance of a row to its center', larger => 0,
		note => 'add_remove; δ = N^−1.1 in the published table, else 10⁻⁶' }, @published_cells, @unlike_cells);
