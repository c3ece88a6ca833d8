# What a private fit costs beside the floors of the machine and beside
# programs that fit the same mixture to exported data: `make bench`.
#
# All in one run on one machine; what is compared is run in turn, RUNS times,
# and medians are printed, ratios first: to the screen and, as the tables of
# docs/performance.md, to build/bench/speed.md.  Programs that are not there are
# left out and named.  QUICK=1: a tenth of the rows, once.
use strict;
use warnings;

use File::Temp qw(tempdir);
use File::Basename qw(dirname);
use File::Path qw(make_path);
use Cwd qw(abs_path);
use FindBin;
use List::Util qw(max);
use POSIX ();
use Time::HiRes qw(time);

use lib $FindBin::Bin;
use Memory;
use Session;

my $quick = $ENV{QUICK} // 0;
my $runs = $ENV{RUNS} // ($quick ? 1 : 5);
my $scale = $quick ? 10 : 1;
my $here = abs_path(dirname($0));
my $built = $ENV{DPEM_BENCHES} // "$here/../../build/plain/test/bench";
my $iterations = 10;
chomp(my $cores = `nproc`);
my $workers = $cores > 1 ? $cores - 1 : 1;

# Rows, columns and components of full covariance; which of them other programs are run on.
my @shapes = map { { name => $_->[0], n => $_->[1] / $scale, d => $_->[2], k => $_->[3], compared => $_->[4], table => lc "rows_$_->[0]" } } (
	[ 'A', 1_000_000, 10, 10, 1 ], [ 'B', 200_000, 50, 10, 1 ], [ 'C', 1_000_000, 2, 5, 1 ], [ 'D', 4_000_000, 10, 10, 0 ]);

# Settings whose calls are timed besides the usual one, in which all rows fit into memory.
my $memory = '1GB';
my @memories = ([ 'default', 'dpem.resident_memory by default (64 MB)' ], [ '0', 'dpem.resident_memory = 0: a query for every pass' ]);

my $work = tempdir('dpem-bench-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $started = time;

make_path('build/bench');
open(my $report, '>', 'build/bench/speed.md') or die "build/bench/speed.md: $!";
$| = 1;

sub emit
{
	print @_;
	print $report @_;
	return;
}

# ---- the server ---------------------------------------------------------------

sub settings
{
	return "SET max_parallel_workers_per_gather = $workers; SET jit = off; SET dpem.resident_memory = '$memory';";
}

sub start_session
{
	open_session();
	session('SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS dpem;' . settings());
	return;
}

sub seconds
{
	my ($sql) = @_;
	my $start = time;

	session($sql);
	return time - $start;
}

# a table of a mixture that overlaps enough to keep EM busy, and its dataset
sub create_table
{
	my ($table, $n, $d, $k) = @{ $_[0] }{qw(table n d k)};
	my $normal = 'sqrt(-2 * ln(1 - random())) * cos(6.283185307179586 * random())';
	my $columns = join ', ', map { "3 * sin(c * $_ * 1.7) + 2 * $normal AS x$_" } 1 .. $d;

	session("CREATE TABLE $table AS SELECT $columns FROM (SELECT trunc(random() * $k) AS c FROM generate_series(1, $n)) s;"
		  . "VACUUM ANALYZE $table; SELECT dp_register_dataset('$table', '$table', 1000, 1e-6);"
		  . join('', map { "SELECT dp_register_column('$table', 'x$_', -12, 12);" } 1 .. $d)
		  . "SELECT dp_grant_budget(current_user::regrole, '$table', 1000, 1e-6);");
	return;
}

sub drop_table
{
	my ($shape) = @_;

	session("SELECT dp_drop_dataset('$shape->{table}'); DROP TABLE $shape->{table};");
	return;
}

sub fit
{
	my ($shape, $j) = @_;

	return "SELECT count(*) FROM dp_gmm_fit('$shape->{table}', $shape->{k}, 1, 1e-9, iterations => $j);";
}

# ---- phases, from when their messages arrive ------------------------------------

# Adds the seconds of each phase of a call to $sum->{phase}; of several passes of one kind the median.
sub add_phases
{
	my ($shape, $sum) = @_;
	my %seconds;
	my $phase = 'settings';
	my $at = time;

	open(my $psql, '-|', 'psql -XAtq -c "SET client_min_messages = info; SET dpem.progress = on;' . settings() . ' SELECT 0" -c "'
		  . fit($shape, $iterations) . '" 2>&1') or die $!;
	while (my $line = <$psql>)
	{
		my $now = time;

		push @{ $seconds{$phase} }, $now - $at;
		$at = $now;
		$phase = $line =~ /INFO:.*?: ([\w ]+?)(?:, pass \d+ of \d+)?$/ ? $1 : $phase eq 'settings' ? 'plan' : 'answer';
	}
	close($psql);
	push @{ $sum->{$_} }, median(@{ $seconds{$_} }) foreach keys %seconds;
	return;
}

# ---- other programs ------------------------------------------------------------

# name, command, is it here, at most how many runs
my @programs = (
	[ 'scikit-learn', sub { return ('/usr/bin/python3', "$here/speed_sklearn.py") },
		sub { return system('/usr/bin/python3 -c "import sklearn" 2>/dev/null') == 0 }, $runs ],
	[ 'Armadillo', sub { return ("$built/speed_armadillo") }, sub { return -x "$built/speed_armadillo" }, $runs ],
	[ 'mlpack', sub { return ('Rscript', "$here/speed_mlpack.R") },
		sub { return system('Rscript -e "library(RcppMLPACK)" >/dev/null 2>&1') == 0 }, 1 ]);
my @present = grep { $_->[2]->() } @programs;

# the table as a file of doubles, and the start that all programs are given; seconds of COPY and of the conversion
sub export
{
	my ($table, $d, $k) = @{ $_[0] }{qw(table d k)};
	my $start = time;

	system("psql -XAtq -c 'COPY $table TO STDOUT (FORMAT binary)' > $work/copy") == 0 or die 'COPY';
	my $copied = time - $start;
	my $converted = `/usr/bin/python3 $here/speed_rows.py $work/copy $work/data $d`;
	unlink "$work/copy";
	srand(1);
	open(my $means, '>:raw', "$work/data.means") or die $!;
	print $means pack('d<*', map { rand(6) - 3 } 1 .. $k * $d);
	close($means);
	return ($copied, $converted + 0);
}

# seconds of reading, of the fit, and memory in MB
sub run_program
{
	my ($program, $n, $d, $k) = ($_[0], @{ $_[1] }{qw(n d k)});
	my @command = ($program->[1]->(), "$work/data", $n, $d, $k, $iterations);

	open(my $answer, '-|', @command) or die "@command: $!";
	my ($last) = reverse grep { /^[\d. ]+$/ } <$answer>;
	close($answer);
	die "$program->[0] gave no answer" unless $last;
	return split ' ', $last;
}

# ---- measuring ------------------------------------------------------------------

# Everything of a shape but the other programs, into the shape itself: medians in seconds, or MB.
sub measure_shape
{
	my ($shape) = @_;
	my $scan = "SELECT count(x$shape->{d}) FROM $shape->{table};";
	my (%time, %phase);

	session($scan . fit($shape, 2));
	foreach (1 .. $runs)
	{
		push @{ $time{scan} }, seconds($scan);
		push @{ $time{"call$_"} }, seconds(fit($shape, $_)) foreach (10, 20);
		foreach my $other (map { $_->[0] } @memories)
		{
			session($other eq 'default' ? 'RESET dpem.resident_memory;' : "SET dpem.resident_memory = '$other';");
			push @{ $time{"memory $other"} }, seconds(fit($shape, 10));
			session(settings());
		}
		add_phases($shape, \%phase);
	}
	$shape->{$_} = median(@{ $time{$_} }) foreach keys %time;
	$shape->{"phase $_"} = median(@{ $phase{$_} }) foreach keys %phase;
	%$shape = (%$shape, split ' ', `$built/bench_steps $shape->{d} $shape->{k} $shape->{n}`);
	$shape->{more} = ($shape->{call20} - $shape->{call10}) / 10;
	$shape->{rows} = $shape->{n} * $shape->{d} * 8 / 2**20;
	$shape->{peak} = peak_memory((session('SELECT pg_backend_pid();'))[0], sub { session(fit($shape, 10)) });
	return;
}

# The other programs, and the call of ten iterations in turn with them.
sub compare_programs
{
	my ($shape) = @_;
	my (@ours, %answers);

	($shape->{copy}, $shape->{conversion}) = export($shape);
	foreach my $run (1 .. $runs)
	{
		push @ours, seconds(fit($shape, $iterations));
		push @{ $answers{ $_->[0] } }, [ run_program($_, $shape) ] foreach grep { $run <= $_->[3] } @present;
	}
	unlink "$work/data";
	foreach my $name (keys %answers)
	{
		my ($read, $fit, $peak) = map { my $i = $_; median(map { $_->[$i] } @{ $answers{$name} }) } 0 .. 2;
		my $export = $shape->{copy} + $shape->{conversion} + $read;

		$shape->{"$name fit"} = $fit;
		$shape->{"$name read"} = $read;
		$shape->{"$name peak"} = $peak;
		$shape->{"$name beside"} = $fit / median(@ours);
		$shape->{"$name beside, export"} = ($fit + $export) / median(@ours);
	}
	return;
}

# Seconds of an iteration against the number of rows: what ten iterations more cost, and so many more of small tables
# that there are ten million rows in them.
sub measure_sizes
{
	my @sizes = map { { n => $_ / $scale, d => 10, k => 10, table => "rows_$_", more => 10 * max(1, 1_000_000 / $_) } } 100_000, 300_000, 1_000_000, 4_000_000;
	my %time;

	create_table($_) foreach @sizes;
	session(fit($_, 2)) foreach @sizes;
	foreach my $round (1 .. 3 * $runs)
	{
		foreach my $size (grep { $round <= $runs || $_->{n} * $scale < 1_000_000 } @sizes)
		{
			push @{ $time{ $size->{table} }{few} }, seconds(fit($size, 10));
			push @{ $time{ $size->{table} }{many} }, seconds(fit($size, 10 + int $size->{more}));
		}
	}
	foreach my $size (@sizes)
	{
		$size->{$_} = median(@{ $time{ $size->{table} }{$_} }) foreach qw(few many);
		$size->{slope} = ($size->{many} - $size->{few}) / int($size->{more}) / $size->{n} * 1e9;
	}
	drop_table($_) foreach @sizes;
	return @sizes;
}

# ---- tables ---------------------------------------------------------------------

# One row: what it is, a format, and how a shape gives the number, or nothing.
sub table_row
{
	my ($title, $format, $value) = @_;

	emit("| $title | ", join(' | ', map { my $x = $value->($_); defined $x ? sprintf($format, $x) : '' } @shapes), " |\n");
	return;
}

sub table_head
{
	my ($title) = @_;

	emit("\n### $title\n\n| | ", join(' | ', map { "$_->{name}: $_->{n} x $_->{d}, K = $_->{k}" } @shapes), " |\n|---|", '---|' x @shapes, "\n");
	return;
}

# a number that is already there
sub field
{
	my ($name) = @_;

	return sub { return $_[0]{$name} };
}

sub over
{
	my ($above, $below) = @_;

	return sub { return $_[0]{$above} / $_[0]{$below} };
}

sub print_ratios
{
	table_head('Ratios');
	table_row('call of ten iterations / (one scan + ten times the kernel on data in memory, both cores)', '%.2f',
		sub { return $_[0]{call10} / ($_[0]{scan} + 10 * $_[0]{kernel2}) });
	table_row('call of twenty iterations / call of ten', '%.2f', over('call20', 'call10'));
	table_row('one more iteration / the kernel on data in memory, both cores', '%.2f', over('more', 'kernel2'));
	table_row('... / its multiplications and additions at the rate of dgemm, both cores', '%.2f', over('more', 'dgemm2'));
	table_row('... / reading the rows as float8 from memory, both cores', '%.1f', over('more', 'read2'));
	foreach my $name (map { $_->[0] } @present)
	{
		table_row("ten iterations of $name on data in its memory / the whole call", '%.1f', field("$name beside"));
		table_row('... with export and reading', '%.1f', field("$name beside, export"));
	}
	return;
}

sub print_seconds
{
	table_head('Seconds and megabytes');
	table_row('scan that touches the last column', '%.3f', field('scan'));
	table_row('call of ten iterations', '%.3f', field('call10'));
	table_row('call of twenty', '%.3f', field('call20'));
	table_row('one more iteration', '%.4f', field('more'));
	table_row("ten iterations, $_->[1]", '%.3f', field("memory $_->[0]")) foreach @memories;
	table_row('kernel on data in memory, one core', '%.4f', field('kernel1'));
	table_row('... both', '%.4f', field('kernel2'));
	table_row('floor of a pass: reading the rows, both cores', '%.4f', field('read2'));
	table_row('floor of a pass: dgemm, both cores', '%.4f', field('dgemm2'));
	table_row('rows as float8, MB', '%.0f', field('rows'));
	table_row('peak memory of a call, all processes and what they share, MB', '%.0f', field('peak'));
	foreach my $name (map { $_->[0] } @present)
	{
		table_row("$name: ten iterations", '%.2f', field("$name fit"));
		table_row('... reading the file', '%.2f', field("$name read"));
		table_row('... memory, MB', '%.0f', field("$name peak"));
	}
	table_row('export: COPY in binary', '%.2f', field('copy'));
	table_row('export: as plain doubles', '%.2f', field('conversion'));
	return;
}

sub print_phases
{
	my %of_kernel = (features => 'features, which are kept for later passes with the same map', estep => 'E-step', moments => 'moments (sums of the M-step)', adding => '128-bit addition');

	table_head('Phases of a call of ten iterations, seconds');
	table_row('plan, charge, memory for the rows', '%.4f', field('phase plan'));
	table_row('first pass: scan, pack, plain sums, noise', '%.4f', field('phase center'));
	table_row('... of this, what a scan alone takes', '%.4f', field('scan'));
	table_row('second pass: features, plain sums, noise', '%.4f', field('phase second moment'));
	table_row('an iteration: E-step, moments, noise, M-step', '%.4f', field('phase mixture'));
	table_row("... by itself on one core: $of_kernel{$_}", '%.4f', field($_)) foreach qw(features estep moments adding);
	table_row('... by itself: noise', '%.5f', field('noise'));
	table_row('... by itself: M-step', '%.5f', field('mstep'));
	return;
}

sub print_sizes
{
	my (@sizes) = @_;
	my ($reference) = grep { $_->{n} * $scale == 1_000_000 } @sizes;

	emit("\n### Iterations against rows: d = 10, K = 10\n\n| rows | ns per row and additional iteration | relative to $reference->{n} rows | call of 10, s | additional iterations | call of these, s |\n|---|---|---|---|---|---|\n");
	emit(sprintf "| %d | %.1f | %.2f | %.3f | %d | %.3f |\n", @$_{qw(n slope)}, $_->{slope} / $reference->{slope}, @$_{qw(few more many)}) foreach @sizes;
	return;
}

sub describe_machine
{
	open(my $cpu, '<', '/proc/cpuinfo') or die $!;
	my ($model) = map { /^model name\s*:\s*(.*)/ ? $1 : () } <$cpu>;
	open(my $mem, '<', '/proc/meminfo') or die $!;
	my ($kb) = map { /^MemTotal:\s+(\d+)/ ? $1 : () } <$mem>;
	my $absent = join(', ', map { my $p = $_->[0]; (grep { $_->[0] eq $p } @present) ? () : $p } @programs);

	emit(sprintf "%s, %d cores, %.0f GB; PostgreSQL %s, %d worker%s besides the leader, dpem.resident_memory = %s. Medians of %d%s.%s\n",
		$model, $cores, $kb / 2**20, session('SHOW server_version;'), $workers, $workers == 1 ? '' : 's', $memory, $runs,
		join('', map { $_->[3] < $runs ? "; $_->[0]: one run" : () } @present), $absent ? " Not here: $absent." : '');
	return;
}

start_session();
describe_machine();
foreach my $shape (@shapes)
{
	print "measuring $shape->{name}\n";
	create_table($shape);
	measure_shape($shape);
	compare_programs($shape) if $shape->{compared};
	drop_table($shape);
}
print "measuring sizes\n";
my @sizes = measure_sizes();
print_ratios();
print_seconds();
print_phases();
print_sizes(@sizes);
close_session();
close($report);
printf "\n%.0f s; tables: build/bench/speed.md\n", time - $started;
