# Additive models, or with BENCH=bayes naive Bayes classifiers (make bench-bayes), of unlike tables by default beside shares alone and no noise, without a server (make bench-gam): AUC, accuracy of
# more than two classes or R squared of a number, and log loss, of rows held out; median and, in brackets, the worst of SEEDS fits.
#
#   SEEDS=9   EPSILONS=0.02,0.1,0.5,1,4   DPEM_DATASETS= only tables whose names match this regular expression   BINS=equal  no default ones, BINS=apart  none that are joined   POWER=one  naive Bayes without a power   ADJACENCY=replace_one
#
# Real tables are those of $DPEM_DATA or ../shared/data and of Debian's r-cran-ggplot2, -cardata, -kernlab, -mlbench and -survival, as far as these are there.  Made-up ones whose names begin with held took
# no part in the choice of constants.
use strict;
use warnings;

use File::Path qw(make_path);
use FindBin;
use lib $FindBin::Bin;
use List::Util qw(max min sum);
use POSIX qw(floor);
use Tables;

my $bench = "$ENV{DPEM_BENCHES}/bench_" . ($ENV{BENCH} // 'gam');
my $out = $ENV{DPEM_OUT} // 'build/bench/gam';

make_path($out);

# ---- tables ------------------------------------------------------------------

# rows as hashes, of names and rows or of nothing
sub hashes
{
	my ($names, @rows) = @_;

	return map { my %row; @row{@$names} = @$_; \%row } @rows;
}

# rows of a real table; nothing if it is not there
sub read_rows { return hashes(read_table(@_)) }

# a column: header and codes; categories of the values that there are, -1 where there is none
sub label
{
	my ($name, @values) = @_;
	my %seen = map { $_ => 1 } grep { $_ ne '' } @values;
	my @known = sort keys %seen;
	my %code = map { $known[$_] => $_ } 0 .. $#known;

	return { name => "$name=" . @known, codes => [ map { $code{$_} // -1 } @values ] };
}

# a number in 32 bins of its domain
sub bins
{
	my ($name, $lower, $upper, @values) = @_;

	return { name => "$name#32:$lower:$upper" . (($ENV{BINS} // '') eq 'equal' ? ':equal' : ''), codes => [ map { $_ eq '' ? $lower : $_ } @values ] };
}

sub part { return { name => 'part', codes => [@_] } }

sub number
{
	my ($lower, $upper, @values) = @_;

	return { name => 'y', codes => [ map { sprintf '%.9f', max(-1, min(1, 2 * ($_ - $lower) / ($upper - $lower) - 1)) } @values ] };
}

# ---- real ones, as test/bench/Regression/Data.pm has them ----------------------

sub logarithm { my ($x) = @_; return ($x < 0 ? -1 : 1) * log(1 + abs $x) }

# adult by such numbers, [name, lower, upper, function], and its labels
sub adult_of
{
	my @numbers = @_;
	my @rows = read_rows('adult') or return;

	return (part(map { $_->{split} eq 'test' ? 1 : 0 } @rows),
		(map { my ($name, $lower, $upper, $of) = @$_; bins($name, $lower, $upper, map { $of ? $of->($_->{$name}) : $_->{$name} } @rows) } @numbers),
		(map { my $name = $_; label($name, map { $_->{$name} } @rows) } qw(workclass education marital_status occupation relationship race sex native_country)),
		label('y', map { substr $_->{income}, 0, 1 } @rows));
}

sub adult
{
	return adult_of([ age => 17, 90 ], [ fnlwgt => 0, 1500000 ], [ education_num => 1, 16 ], [ hours_per_week => 1, 99 ],
		map { [ $_->[0], 0, logarithm($_->[1]), \&logarithm ] } [ capital_gain => 99999 ], [ capital_loss => 4356 ]);
}

# its amounts as they are, in domains that begin at zero
sub adult_amounts
{
	return adult_of(map { [ $_->[0], 0, $_->[1] ] } [ age => 120 ], [ fnlwgt => 2000000 ], [ education_num => 20 ], [ hours_per_week => 168 ], [ capital_gain => 99999 ], [ capital_loss => 10000 ]);
}

sub lifesci
{
	my @rows = read_rows('lifesci') or return;

	return (part(map { $_ % 4 == 3 ? 1 : 0 } 0 .. $#rows), (map { my $name = "x$_"; bins($name, -16, 16, map { $_->{$name} } @rows) } 1 .. 10), label('y', map { $_->{label} } @rows));
}

# numbers that are 0 or 1
sub a9a
{
	my @rows = read_rows('a9a_sparse') or return;
	my @ones = map { my %in = map { $_ => 1 } $_->{idx} =~ /\d+/g; \%in } @rows;

	return (part(map { $_->{split} eq 'test' ? 1 : 0 } @rows), (map { my $j = $_; { name => "x$j#2", codes => [ map { $_->{$j} ? 1 : 0 } @ones ] } } 1 .. 123), label('y', map { $_->{label} } @rows));
}

sub nursery
{
	my @rows = read_rows('nursery') or return;

	srand(5);
	return (part(map { rand() < 0.25 ? 1 : 0 } @rows), (map { my $name = $_; label($name, map { $_->{$name} } @rows) } qw(parents has_nurs form children housing finance social health class)));
}

# rows of a data frame of R as hashes; nothing if R or its package is not there
sub frame { return hashes(map { [ map { $_ eq 'NA' ? '' : $_ } @$_ ] } read_frame(@_)) }

# a quarter of the rows held out
sub quarter { my ($n) = @_; srand(77); return part(map { rand() < 0.25 ? 1 : 0 } 1 .. $n) }

# numbers from zero to such multiples of the largest, and a label
sub from_zero
{
	my ($rows, $multiple, $class, @names) = @_;

	return (quarter(scalar @$rows), (map { my $name = $_; my @x = map { $_->{$name} } @$rows; bins($name, 0, $multiple * max(@x), @x) } @names), label('y', map { $_->{$class} } @$rows));
}

sub spam
{
	my @rows = frame('library(kernlab); data(spam); d <- spam') or return;

	return from_zero(\@rows, 1, 'type', qw(remove free your money hp george charExclamation charDollar capitalAve capitalTotal));
}

sub diabetes
{
	my @rows = frame('library(mlbench); data(PimaIndiansDiabetes); d <- PimaIndiansDiabetes') or return;

	return from_zero(\@rows, 2, 'diabetes', grep { $_ ne 'diabetes' } sort keys %{ $rows[0] });
}

sub shuttle
{
	my @rows = frame('library(mlbench); data(Shuttle); d <- Shuttle') or return;

	return (quarter(scalar @rows), (map { my $name = "V$_"; my @x = map { $_->{$name} } @rows; bins($name, min(@x), max(@x), @x) } 1 .. 9), label('y', map { $_->{Class} } @rows));
}

# a number that is not known counts as zero
sub flchain
{
	my @rows = frame('library(survival); d <- flchain') or return;

	return (quarter(scalar @rows), (map { my ($name, $upper) = @$_; bins($name, 0, $upper, map { $_->{$name} } @rows) } [ age => 120 ], [ kappa => 30 ], [ lambda => 30 ], [ creatinine => 20 ]),
		(map { my $name = $_; label($name, map { $_->{$name} } @rows) } qw(sex mgus flc.grp)), label('y', map { $_->{death} } @rows));
}

sub diamonds
{
	my @rows = frame('library(ggplot2); d <- as.data.frame(diamonds)') or return;

	return (quarter(scalar @rows), (map { my ($name, $upper) = @$_; bins($name, 0, $upper, map { $_->{$name} } @rows) } [ carat => 10 ], [ depth => 100 ], [ table => 100 ], [ x => 60 ], [ y => 60 ], [ z => 60 ]),
		(map { my $name = $_; label($name, map { $_->{$name} } @rows) } qw(cut color clarity)), number(log(300), log(20000), map { log $_->{price} } @rows));
}

# rows without wages are left out
sub slid
{
	my @rows = grep { $_->{wages} ne '' } frame('library(carData); d <- SLID') or return;

	return (quarter(scalar @rows), bins('education', 0, 25, map { $_->{education} } @rows), bins('age', 0, 120, map { $_->{age} } @rows),
		(map { my $name = $_; label($name, map { $_->{$name} } @rows) } qw(sex language)), number(0, 100, map { $_->{wages} } @rows));
}

# counts of which most are zero
sub visits
{
	my @rows = frame('library(AER); data(DoctorVisits); d <- DoctorVisits') or return;

	return (quarter(scalar @rows), (map { my ($name, $upper) = @$_; bins($name, 0, $upper, map { $_->{$name} } @rows) } [ age => 1 ], [ income => 2 ], [ illness => 5 ], [ reduced => 14 ], [ health => 12 ]),
		(map { my $name = $_; label($name, map { $_->{$name} } @rows) } qw(gender private freepoor freerepat nchronic lchronic)), number(0, 10, map { $_->{visits} } @rows));
}

# ---- made-up ones --------------------------------------------------------------

sub normal { return sqrt(-2 * log(1 - rand)) * cos(6.283185307179586 * rand) }

# rows of numbers (normal within -5 and 5, or heavy-tailed within -100 and 100) and labels of four categories, and an additive score
# of unit variance or so of each: lines, waves and steps in turns, the last third of the columns saying nothing
sub rows
{
	my ($n, $numbers, $labels, $heavy) = @_;
	my $columns = $numbers + $labels;
	my @effect = map { [ map { normal() } 1 .. 4 ] } 1 .. $columns;
	my @values = map { [] } 1 .. $columns;
	my @score;

	foreach my $row (1 .. $n)
	{
		my $common = normal();
		my $sum = 0;

		foreach my $j (0 .. $columns - 1)
		{
			my $z = 0.4 * $common + 0.9 * normal();
			my $k = $z < -0.8 ? 0 : $z < 0.2 ? 1 : $z < 1.2 ? 2 : 3;
			my $x = $heavy ? $z * exp(1.2 * abs $z) : $z;

			push @{ $values[$j] }, $j < $numbers ? $x : $k;
			next if 3 * $j >= 2 * $columns + 1;
			$sum += $j >= $numbers ? $effect[$j][$k] : $j % 3 == 0 ? $z : $j % 3 == 1 ? sin(2 * $z) : ($z > 0.5 ? 1 : -0.5);
		}
		push @score, $sum / sqrt($columns * 2 / 3);
	}
	my $reach = $heavy ? 100 : 5;
	my @table = ((map { bins("x$_", -$reach, $reach, @{ $values[$_] }) } 0 .. $numbers - 1), map { label("x$_", @{ $values[$_] }) } $numbers .. $columns - 1);
	return (\@score, part(map { rand() < 0.25 ? 1 : 0 } 1 .. $n), @table);
}

# the quantile of the numbers
sub quantile
{
	my ($share, @x) = @_;

	@x = sort { $a <=> $b } @x;
	return $x[ min($#x, floor($share * @x)) ];
}

# two classes, the second with such a share: the score and logistic noise beyond their quantile
sub two
{
	my ($share, @shape) = @_;
	my ($score, @columns) = rows(@shape);
	my @latent = map { my $u = 1e-9 + rand; 2 * $_ + log($u) - log(1 + 2e-9 - $u) } @$score;
	my $border = quantile(1 - $share, @latent);

	return (@columns, label('y', map { $_ > $border ? 1 : 0 } @latent));
}

# classes with such shares, by the score and noise
sub several
{
	my ($shares, @shape) = @_;
	my ($score, @columns) = rows(@shape);
	my @latent = map { 2 * $_ + 0.7 * normal() } @$score;
	my $below = 0;
	my @border = map { $below += $_; quantile($below, @latent) } @$shares[ 0 .. $#$shares - 1 ];

	return (@columns, label('y', map { my $x = $_; scalar grep { $x > $_ } @border } @latent));
}

sub value
{
	my @shape = @_;
	my ($score, @columns) = rows(@shape);

	return (@columns, number(-8, 8, map { 1.5 * $_ + 0.7 * normal() } @$score));
}

# a number of two values: which side of a border a score is on
sub sides
{
	my ($n) = @_;
	my @x = map { [ map { max(-5, min(5, normal())) } 1 .. $n ] } 1 .. 3;

	return (quarter($n), (map { bins("x$_", -10, 10, @{ $x[$_] }) } 0 .. 2), number(0, 1, map { $x[0][$_] + 2 * $x[1][$_] - $x[2][$_] > 1.5 ? 1 : 0 } 0 .. $n - 1));
}

# a number that is near one of two values, or has one of three
sub humps
{
	my ($n, $of) = @_;
	my @x = map { [ map { max(-5, min(5, normal())) } 1 .. $n ] } 1 .. 4;

	return (quarter($n), (map { bins("x$_", -5, 5, @{ $x[$_] }) } 0 .. 3), number(-1, 1, map { $of->($x[0][$_] - $x[1][$_] + 0.7 * normal()) } 0 .. $n - 1));
}

# counts of which most are zero, of those beyond zero most are small
sub zeros
{
	my ($n, $columns) = @_;
	my @x = map { [ map { rand() } 1 .. $n ] } 1 .. $columns;
	my @y = map { rand() < 1 / (1 + exp(2.85 - 2.5 * $x[0][$_] - 2.5 * $x[2][$_] ** 2)) ? min(10, floor(1 - 1.5 * log(1 - rand()))) : 0 } 0 .. $n - 1;

	return (quarter($n), (map { bins("x$_", 0, 1, @{ $x[$_] }) } 0 .. $columns - 1), number(0, 10, @y));
}

# amounts that are all near one end of their domain
sub near_end
{
	my ($n, $upper) = @_;
	my @x = map { [ map { max(-5, min(5, normal())) } 1 .. $n ] } 1 .. 2;

	return (quarter($n), (map { bins("x$_", -5, 5, @{ $x[$_] }) } 0 .. 1), number(0, $upper, map { exp(6.2 + 0.4 * $x[0][$_] + 0.2 * $x[1][$_] + 0.5 * normal()) } 0 .. $n - 1));
}

# amounts with a heavy tail, whose domain goes far beyond it
sub heavy
{
	my ($n, $upper) = @_;
	my @x = map { [ map { max(-5, min(5, normal())) } 1 .. $n ] } 1 .. 2;

	return (quarter($n), (map { bins("x$_", -5, 5, @{ $x[$_] }) } 0 .. 1), number(0, $upper, map { exp(3 + 0.8 * $x[0][$_] + 0.4 * $x[1][$_] + 0.4 * normal()) } 0 .. $n - 1));
}

# numbers that are 0 or, in few rows, 1, which tell much of these, and one that is normal
sub flags
{
	my ($n, @share) = @_;
	my @x = map { my $share = $_; [ map { rand() < $share ? 1 : 0 } 1 .. $n ] } @share;
	my @z = map { normal() } 1 .. $n;
	my @y = map { my $row = $_; rand() < 1 / (1 + exp(0.8 - 0.3 * $z[$row] - sum(map { ($_ % 2 ? -2 : 3) * $x[$_][$row] } 0 .. $#share))) ? 1 : 0 } 0 .. $n - 1;

	return (quarter($n), (map { { name => "x$_#2", codes => $x[$_] } } 0 .. $#share), bins('z', -5, 5, @z), label('y', @y));
}

# many numbers that are 1 in such a share of rows and 0 else, each of which tells a little of these
sub sparse
{
	my ($n, $columns, $share, $effect) = @_;
	my @x = map { [ map { rand() < $share ? 1 : 0 } 1 .. $n ] } 1 .. $columns;
	my @effect = map { $effect * normal() } 1 .. $columns;
	my @y = map { my $row = $_; rand() < 1 / (1 + exp(0.8 - sum(map { $effect[$_] * $x[$_][$row] } 0 .. $columns - 1))) ? 1 : 0 } 0 .. $n - 1;

	return (quarter($n), (map { { name => "x$_#2", codes => $x[$_] } } 0 .. $columns - 1), label('y', @y));
}

my %table = (
	adult => \&adult, a9a => \&a9a, lifesci => \&lifesci, nursery => \&nursery, adult_amounts => \&adult_amounts,
	spam => \&spam, diabetes => \&diabetes, shuttle => \&shuttle, flchain => \&flchain, diamonds => \&diamonds, slid => \&slid,
	rare_3 => sub { srand(11); return two(0.03, 27_000, 10, 0) },
	rare_1 => sub { srand(12); return two(0.01, 40_000, 6, 3) },
	few => sub { srand(13); return two(0.3, 3_000, 3, 3) },
	many => sub { srand(14); return two(0.1, 20_000, 6, 24) },
	tails => sub { srand(15); return two(0.2, 20_000, 8, 0, 1) },
	even => sub { srand(16); return two(0.5, 12_000, 5, 5) },
	four => sub { srand(17); return several([ 0.6, 0.3, 0.08, 0.02 ], 20_000, 4, 4) },
	flags => sub { srand(22); return flags(27_000, 0.04, 0.04, 0.02, 0.02, 0.08, 0.08) },
	sparse => sub { srand(34); return sparse(27_000, 60, 0.03, 1) },
	sparse_few => sub { srand(35); return sparse(6_700, 60, 0.03, 1.5) },
	sparse_weak => sub { srand(36); return sparse(40_000, 100, 0.01, 1.5) },
	sparse_more => sub { srand(37); return sparse(27_000, 40, 0.1, 0.5) },
	sparse_none => sub { srand(38); return sparse(27_000, 60, 0.03, 0.2) },
	number => sub { srand(18); return value(12_000, 5, 5, 0) },
	copies => sub { srand(34); my ($part, @of) = two(0.3, 12_000, 1, 1); my $label = pop @of; return ($part, (@of) x 12, $label) },
	number_two => sub { srand(23); return sides(6_000) },
	number_zeros => sub { srand(24); return zeros(5_200, 8) },
	number_wide => sub { srand(25); return near_end(20_000, 1e6) },
	number_wide_few => sub { srand(30); return near_end(1_300, 1e6) },
	number_wide_many => sub { srand(31); return near_end(130_000, 1e6) },
	number_wider => sub { srand(32); return near_end(20_000, 1e8) },
	number_tails => sub { srand(33); return heavy(20_000, 5e4) },
	number_amounts => sub { srand(26); return near_end(20_000, 2e4) },
	number_few => sub { srand(27); return value(3_000, 3, 3, 0) },
	number_humps => sub { srand(28); return humps(6_000, sub { ($_[0] > 0.3 ? 0.6 : -0.7) + 0.08 * normal() }) },
	number_three => sub { srand(29); return humps(6_000, sub { $_[0] > 0.8 ? 0.9 : $_[0] > -0.8 ? 0 : -0.9 }) },
	visits => \&visits,
	held_rare_2 => sub { srand(19); return two(0.02, 20_000, 4, 5) },
	held_tails => sub { srand(20); return two(0.05, 30_000, 5, 3, 1) },
	held_three => sub { srand(21); return several([ 0.9, 0.08, 0.02 ], 16_000, 5, 3) },
);

# ---- fits ----------------------------------------------------------------------

my @epsilons = (split(/,/, $ENV{EPSILONS} // '0.02,0.1,0.5,1,4'), 'inf');
my $wanted = $ENV{DPEM_DATASETS} // '.';

# median and, in brackets, the worst; the second number of a fit is a loss
sub summary
{
	my ($i, @fits) = @_;
	my @x = sort { $i ? $b <=> $a : $a <=> $b } map { $_->[$i] } @fits;

	return @x > 1 ? sprintf('%.3f (%.3f)', $x[ $#x / 2 ], $x[0]) : @x ? sprintf('%.3f', $x[0]) : '';
}

# measure and loss of the fits by epsilon; 0: shares alone
sub fits_of
{
	my ($file) = @_;
	my %fits;

	open(my $lines, '-|', $bench, $file, $ENV{SEEDS} // 9, @epsilons) or die "$bench: $!";
	while (<$lines>)
	{
		next if /^skipped/;
		my ($epsilon, $seed, @worth) = split;
		push @{ $fits{$epsilon} }, \@worth;
	}
	close($lines) or die "$bench failed";
	return %fits;
}

$| = 1;
print '| table | | shares alone | ', join(' | ', map { $_ eq 'inf' ? 'no noise' : "&epsilon; = $_" } @epsilons), " |\n|---|---|---|", '---|' x @epsilons, "\n";
foreach my $name (sort grep { /$wanted/ } keys %table)
{
	my $file = "$out/$name.csv";
	my @columns = $table{$name}->();

	print "| $name | skipped: its file is not there |\n" and next if !@columns;
	write_table($file, @columns);
	my %fits = fits_of($file);
	my ($classes) = $columns[-1]{name} =~ /=(\d+)/;
	my $measure = !$classes ? 'R&sup2;' : $classes == 2 ? 'AUC' : 'accuracy';

	print "| $name | $measure | ", join(' | ', map { summary(0, @{ $fits{$_} // [] }) } 0, @epsilons), " |\n";
	print "| | log loss | ", join(' | ', map { summary(1, @{ $fits{$_} // [] }) } 0, @epsilons), " |\n" if $classes;
}
