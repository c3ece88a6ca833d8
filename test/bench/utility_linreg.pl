# What dp_linreg_fit's defaults are worth on unlike data, through SQL in a throw-away server: R squared on the rows
# themselves, median and worst of many fits, beside the other algorithms, AdaSSP as published (utility_adassp.py),
# the private mean of the target and least squares without noise; the share of 95 % intervals that cover the coefficient
# without noise; and a fit's time beside that of dp_fa_fit over the same columns.
# Tables in build/bench/utility_linreg (docs/families/linreg.md has them), CSV as of every family.
# Run by `make bench-utility` or `make bench-utility-linreg`; Utility.pm has the settings.
#
#   PYTHON=     with numpy, for AdaSSP (without it there is none)
#   KINDS=      other algorithms, separated by commas (default: adassp,functional,blocks); NO_BASELINE=1: none
#   ADJACENCY=  of the datasets (default: replace_one); add_remove: how many rows there are is not public
#   ARGUMENTS=  more arguments of dp_linreg_fit, for trying
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use List::Util qw(min sum);
use Paper;
use Regression::Data qw(load_frame);
use Time::HiRes qw(time);
use Utility;

$| = 1;
$out_dir = 'build/bench/utility_linreg';

my $runs = utility_runs();
my $jobs = utility_jobs();
my @epsilons = utility_epsilons({ epsilons => [ 0.1, 0.5, 1, 4 ], quick_epsilons => [ 0.1, 1 ] });
my $delta = 1e-6;
my $python = utility_python('numpy');
my $adjacency = $ENV{ADJACENCY} || 'replace_one';
my $more = $ENV{ARGUMENTS} ? ", $ENV{ARGUMENTS}" : '';

# Each makes a table `rows` and returns its columns: [name, lower, upper], or [name, categories]; y is the target.
my @data = (
	{ name => 'ten', title => 'ten numbers, some of them skewed, two nearly collinear, in domains of 10 to 30 deviations', load => sub { load_ten(40000, 1) } },
	{ name => 'small', title => 'the same, 2,000 rows', load => sub { load_ten(2000, 1) } },
	{ name => 'nothing', title => 'the same, 10,000 rows, and a target that has nothing to do with them', load => sub { load_ten(10000, 0) } },
	{ name => 'few', title => '800 rows with eight numbers, a skewed target in a domain of 20 deviations', load => sub { load_few() } },
	{ name => 'diamonds', title => 'diamonds: the logarithm of the price, six numbers', load => sub { load_diamonds(0) } },
	{ name => 'diamonds_labels', title => 'diamonds: six numbers, and cut, color and clarity as labels', without => 'functional', load => sub { load_diamonds(1) } });

# ---- data -----------------------------------------------------------------------

# With noise as of so few rows at little epsilon, only the mean of the target is released.
sub load_few
{
	query('SELECT setseed(0.25)');
	query('CREATE TABLE rows AS SELECT ' . join(', ', map { "g[$_] AS x$_" } 1 .. 8) . ', exp(3 + 0.4 * g[1] + 0.3 * g[2] + 0.35 * g[9]) AS y
		FROM (SELECT ARRAY(SELECT sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) FROM generate_series(1, 9 + 0 * i)) AS g
		FROM generate_series(1, 800) AS i) AS deviates');
	return (map { [ "x$_", -8, 8 ] } 1 .. 8), [ 'y', 0, 300 ];
}

# Rows with R squared 0.862, or 0.
sub load_ten
{
	my ($n, $signal) = @_;
	my $part = sub { my ($j) = @_; sprintf '(0.75 * g[%d] + %.4f * g[11] + %.4f * g[12])', $j, cos($j) / 2, sin($j) / 2 };
	my @x = map { $part->($_) } 1 .. 10;
	my @weight = (1, 0.7, -0.5, 0.4, 0.4, -0.8, 0.3, 0, 0.2, -0.1);

	$x[1] = "exp($x[1] / 2)";
	$x[2] = "round($x[2])";
	$x[3] = "(0.9 * $x[4] + 0.3 * $x[3])";
	query('SELECT setseed(0.5)');
	query("CREATE TABLE deviates AS SELECT ARRAY(SELECT sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) FROM generate_series(1, 13 + 0 * i)) AS g
		FROM generate_series(1, $n) AS i");
	query('CREATE TABLE scored AS SELECT ' . join(', ', map { "$x[$_ - 1]::float8 AS x$_" } 1 .. 10) . ', g[13] AS g FROM deviates');
	my $score = join ' + ', map { "($weight[$_ - 1]) * x$_" } 1 .. 10;
	query("CREATE TABLE rows AS SELECT x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, " .
		  ($signal ? "$score + g * (SELECT stddev_pop($score) FROM scored) * sqrt(0.138 / 0.862)" : 'g') . ' AS y FROM scored; DROP TABLE scored, deviates');
	return (map { [ "x$_", -5 - $_, 5 + $_ ] } 1 .. 10), [ 'y', -30, 30 ];
}

sub load_diamonds
{
	my ($labels) = @_;
	my @labels = $labels ? qw(cut color clarity) : ();

	load_frame('library(ggplot2); x <- as.data.frame(diamonds); d <- x[, c("' . join('","', qw(carat depth table x y z price), @labels) . '")]',
		(map { "$_ float8" } qw(carat depth tab x y0 z price)), map { "$_ text" } @labels) or return;
	query('CREATE TABLE rows AS SELECT carat, depth, tab, x, y0, z, ln(price) AS y' . ($labels ? ', cut, color, clarity' : '') . ' FROM frame; DROP TABLE frame');
	return ([ 'carat', 0, 10 ], [ 'depth', 0, 100 ], [ 'tab', 0, 100 ], [ 'x', 0, 60 ], [ 'y0', 0, 60 ], [ 'z', 0, 60 ], [ 'y', 0, 12 ],
		map { [ $_, value("SELECT array_agg(DISTINCT $_)::text FROM rows") ] } $labels ? qw(cut color clarity) : ());
}

sub prepare
{
	my ($data) = @_;
	my $name = $data->{name};

	query('DROP TABLE IF EXISTS rows');
	my @columns = $data->{load}->() or return 0;
	$data->{columns} = \@columns;
	query("ALTER TABLE rows RENAME TO $name; ANALYZE $name; SELECT dp_register_dataset('$name', '$name', 1000, 1e-2, adjacency => '$adjacency')");
	query(@$_ == 3 ? "SELECT dp_register_column('$name', '$_->[0]', $_->[1], $_->[2])" : "SELECT dp_register_column('$name', '$_->[0]', '$_->[1]'::text[])") foreach @columns;
	query("SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 1e-2)");
	$data->{rows} = value("SELECT count(*) FROM $name");
	$data->{variance} = value("SELECT var_pop(y) FROM $name");
	return 1;
}

# ---- scores -----------------------------------------------------------------------

# R squared of the coefficients (column, category, value) on the rows.
sub r_squared
{
	my ($data, @coefficients) = @_;
	my $sum = join ' + ', map {
		my ($column, $category, $value) = split /\t/, $_, -1;
		$column eq '(intercept)' ? "($value)" : $category eq '' ? "($value) * $column" : "($value) * ($column = '$category')::int";
	} @coefficients;

	return value("SELECT 1 - avg((y - ($sum)) ^ 2) / $data->{variance} FROM $data->{name}");
}

sub fit_score
{
	my ($task) = @_;
	my $data = $task->{data};

	return (r_squared($data, "(intercept)\t\t" . value("SELECT value FROM dp_avg('$data->{name}', 'y', $task->{epsilon}, $delta)")), 0) if $task->{kind} eq 'mean';
	my $arguments = $task->{kind} eq 'default' ? $more : ", algorithm => '$task->{kind}'" . ($task->{kind} eq 'functional' ? ", composition => 'linear'" : '');
	my @rows = map { [split /\t/, $_, -1] } query("SELECT column_name, category, coefficient, ci_lower, ci_upper FROM dp_linreg_fit('$data->{name}', 'y', $task->{epsilon}, $delta$arguments)");
	my $covered = grep { $rows[$_][3] <= $data->{exact}[$_] && $data->{exact}[$_] <= $rows[$_][4] } 0 .. $#rows;

	return (r_squared($data, map { join "\t", @{$_}[ 0 .. 2 ] } @rows), $covered / @rows);
}

# least squares without noise, and their R squared
sub exact_fit
{
	my ($data) = @_;
	my @rows = query("SELECT column_name, category, coefficient FROM dp_linreg_fit('$data->{name}', 'y', 'Infinity')");

	$data->{exact} = [ map { (split /\t/, $_, -1)[2] } @rows ];
	return r_squared($data, @rows);
}

# of a fit, divided by that of dp_fa_fit over the same columns; medians of seven, in turns
sub time_ratio
{
	my ($data) = @_;
	my @columns = map { $_->[0] } grep { @$_ == 3 } @{ $data->{columns} };
	my %call = (linreg => "dp_linreg_fit('$data->{name}', 'y', 1, 1e-6, columns => '{" . join(',', grep { $_ ne 'y' } @columns) . "}')",
		fa => "dp_fa_fit('$data->{name}', 2, 1, 1e-6, columns => '{" . join(',', @columns) . "}')");
	my %times;

	foreach my $round (1 .. 8)
	{
		foreach my $name (sort keys %call)
		{
			my $start = time;

			query("SELECT count(*) FROM $call{$name}");
			push @{ $times{$name} }, time - $start if $round > 1;
		}
	}
	return median(@{ $times{linreg} }) / median(@{ $times{fa} });
}

# AdaSSP as published: epsilon => [median, worst]; nothing without numpy
sub adassp
{
	my ($data) = @_;
	my $name = $data->{name};
	my $file = "$out_dir/$name.csv";
	my @bounds = map { "($_->[0] - ($_->[1]) * 0.5 - ($_->[2]) * 0.5) / (($_->[2]) - ($_->[1])) * 2" } grep { @$_ == 3 && $_->[0] ne 'y' } @{ $data->{columns} };
	my ($target) = grep { $_->[0] eq 'y' } @{ $data->{columns} };

	foreach my $label (grep { @$_ == 2 } @{ $data->{columns} })
	{
		push @bounds, map { "($label->[0] = '$_')::int" } query("SELECT unnest('$label->[1]'::text[])");
	}
	return () if $ENV{NO_BASELINE} || !$python;
	system('mkdir', '-p', $out_dir);
	open(my $out, '>', $file) or die "$file: $!";
	print $out "$_\n" foreach query("SELECT concat_ws(',', (y - ($target->[1]) * 0.5 - ($target->[2]) * 0.5) / (($target->[2]) - ($target->[1])) * 2, " . join(', ', @bounds) . ") FROM $name");
	close $out or die "$file: $!";
	my $square = grep { 1 } @{ $data->{columns} };	# a label counts once; so does the constant, in the target's place
	my @lines = `$python $FindBin::Bin/utility_adassp.py $file $square $delta $runs @epsilons`;
	unlink $file;
	return map { my ($e, @scores) = split; ($e => \@scores) } @lines;
}

sub median
{
	my @sorted = sort { $a <=> $b } @_;

	return ($sorted[ $#sorted / 2 ] + $sorted[ @sorted / 2 ]) / 2;
}

sub cell { return sprintf '%.3f (%.3f)', @_ }

sub measure
{
	my ($data) = @_;
	my @kinds = ('default', $ENV{NO_BASELINE} ? () : ((grep { $_ ne ($data->{without} // '') } split(/,/, $ENV{KINDS} // 'adassp,functional,blocks')), 'mean'));
	my @tasks = map { my $kind = $_; map { my $e = $_; map { { data => $data, table => $data->{name}, kind => $kind, epsilon => $e, run => $_ } } 1 .. $runs } @epsilons } @kinds;
	my %published = adassp($data);
	my $exact = exact_fit($data);
	my $ratio = time_ratio($data);
	my (@lines, @covered);

	parallel($data->{name}, $jobs, \&fit_score, @tasks);
	foreach my $kind (@kinds)
	{
		my @cells;

		foreach my $e (@epsilons)
		{
			my @scores = map { $_->{score} } grep { $_->{epsilon} == $e && $_->{kind} eq $kind } @tasks;

			push @cells, cell(median(@scores), min(@scores));
			push @covered, sprintf '%.1f %%', 100 * sum(map { $_->{scores}[1] } grep { $_->{epsilon} == $e && $_->{kind} eq $kind } @tasks) / $runs if $kind eq 'default';
		}
		push @lines, [ $kind eq 'default' ? '**`dp_linreg_fit`**' : $kind eq 'mean' ? 'private mean' : "`algorithm => '$kind'`", @cells ];
	}
	push @lines, [ 'AdaSSP as published', map { cell(@{ $published{$_} }) } @epsilons ] if %published;
	push @lines, [ 'intervals of `ridge` that cover', @covered ];
	write_table("$data->{title}; $data->{rows} rows, non-private R² " . sprintf('%.3f', $exact) . ', time ' . sprintf('%.2f', $ratio) . " of dp_fa_fit: R², median (worst) of $runs", [ '', map { "ε = $_" } @epsilons ], @lines);
	return cells($data, $exact, @tasks);
}

# as every family's: the other algorithms are no simple baselines, so that the mean is the only one
sub cells
{
	my ($data, $exact, @tasks) = @_;
	my %common = (family => 'linreg', dataset => $data->{name}, rows => $data->{rows}, columns => scalar @{ $data->{columns} }, larger_is_better => 1);
	my %method = (default => [ 'default', 'dp_linreg_fit' ], mean => [ 'baseline', 'private mean' ]);
	my @of = grep { $method{ $_->{kind} } } @tasks;

	return ((map { { %common, epsilon => $_->{epsilon}, method => $method{ $_->{kind} }[0], label => $method{ $_->{kind} }[1], run => $_->{run}, value => $_->{score} } } @of),
		{ %common, epsilon => '', method => 'non-private', label => 'least squares', run => 1, value => $exact });
}

my @all;

query('CREATE EXTENSION IF NOT EXISTS dpem; SET dpem.noise_warnings = off');
foreach my $data (grep { utility_wanted($_->{name}) } @data)
{
	if (!prepare($data))
	{
		print "skipped: what $data->{name} is made of is not here\n";
		next;
	}
	push @all, measure($data);
}
$out_dir = 'build/bench/utility';
write_cells({ name => 'linreg', title => 'Linear regression', value => 'R² on the rows themselves', larger => 1, note => "$adjacency, δ = 10⁻⁶" }, @all);
