# What a private fit costs beside the floors of the machine and beside
# programs that fit the same mixture to exported data: `make bench`.
#
# All in one run on one machine; what is compared is run in turn, RUNS times,
# and medians are printed, ratios first.  Programs that are not there are left
# out and named.  QUICK=1: a tenth of the rows, once.
use strict;
use warnings;

use File::Temp qw(tempdir);
use File::Basename qw(dirname);
use IPC::Open2;
use Cwd qw(abs_path);
use POSIX ();
use Time::HiRes qw(time);

my $quick = $ENV{QUICK} // 0;
my $runs = $ENV{RUNS} // ($quick ? 1 : 5);
my $scale = $quick ? 10 : 1;
my $here = abs_path(dirname($0));
my $built = $ENV{DPEM_BENCHES} // "$here/../../build/plain/test/bench";
my $iterations = 10;
my @shapes = ([ 'A', 1_000_000 / $scale, 10, 10 ], [ 'B', 200_000 / $scale, 50, 10 ], [ 'C', 1_000_000 / $scale, 2, 5 ]);
my @sizes = map { $_ / $scale } 100_000, 300_000, 1_000_000, 4_000_000;
my $work = tempdir('dpem-bench-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my %results;

sub median
{
	my @sorted = sort { $a <=> $b } @_;

	return $sorted[ @sorted / 2 ];
}

# ---- the server ---------------------------------------------------------------

my ($out, $in, $pid);

sub session
{
	my ($sql) = @_;
	my @lines;

	print $in "$sql\n\\echo done\n";
	while (my $line = <$out>)
	{
		chomp $line;
		return @lines if $line eq 'done';
		push @lines, $line;
	}
	die "psql ended during: $sql\n";
}

sub open_session
{
	$pid = open2($out, $in, 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1') or die $!;
	session('SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS dpem;'
		. 'SET max_parallel_workers_per_gather = 1; SET jit = off;');
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
	my ($table, $n, $d, $k) = @_;
	my $normal = 'sqrt(-2 * ln(1 - random())) * cos(6.283185307179586 * random())';
	my $columns = join ', ', map { "3 * sin(c * $_ * 1.7) + 2 * $normal AS x$_" } 1 .. $d;

	session("CREATE TABLE $table AS SELECT $columns FROM (SELECT trunc(random() * $k) AS c FROM generate_series(1, $n)) s;"
		  . "VACUUM ANALYZE $table; SELECT dp_register_dataset('$table', '$table', 1000, 1e-6);"
		  . join('', map { "SELECT dp_register_column('$table', 'x$_', -12, 12);" } 1 .. $d)
		  . "SELECT dp_grant_budget(current_user::regrole, '$table', 1000, 1e-6);");
	return;
}

sub fit
{
	my ($table, $k, $j) = @_;

	return "SELECT count(*) FROM dp_gmm_fit('$table', $k, 1, 1e-9, iterations => $j);";
}

# ---- memory -------------------------------------------------------------------

# kB that the processes of a session and of its workers have to themselves, and in shared segments besides the server's own
sub memory_of
{
	my ($backend) = @_;
	my $kb = 0;

	foreach my $status (glob '/proc/[0-9]*/status')
	{
		open(my $file, '<', $status) or next;
		my %value = map { /^(\w+):\s+(\d+)/ ? ($1, $2) : () } <$file>;
		my ($process) = $status =~ /(\d+)/;
		my $command = '';

		next unless ($value{PPid} // 0) == $backend->{parent};
		open(my $line, '<', "/proc/$process/cmdline") or next;
		$command = <$line> // '';
		$kb += $value{RssAnon} // 0 if $process == $backend->{pid} || $command =~ /parallel worker/;
	}
	$kb += (-s $_ // 0) / 1024 foreach glob '/dev/shm/PostgreSQL.*';
	return $kb;
}

# growth, in MB, of what a call holds at its peak
sub peak_memory
{
	my ($sql) = @_;
	my ($process) = session('SELECT pg_backend_pid();');
	open(my $status, '<', "/proc/$process/status") or return 'unknown';
	my ($parent) = map { /^PPid:\s+(\d+)/ ? $1 : () } <$status>;
	my $backend = { pid => $process, parent => $parent };
	my $before = memory_of($backend);

	pipe(my $read, my $write) or die $!;
	my $child = fork() // die $!;
	if ($child == 0)
	{
		my ($most, $stop) = (0, 0);

		local $SIG{TERM} = sub { $stop = 1 };
		while (!$stop)
		{
			my $now = memory_of($backend);

			$most = $now if $now > $most;
			select(undef, undef, undef, 0.02);
		}
		syswrite($write, "$most\n");
		POSIX::_exit(0);
	}
	session($sql);
	kill('TERM', $child);
	my $most = <$read>;
	waitpid($child, 0);
	return ($most - $before) / 1024;
}

# ---- phases, from when their messages arrive ------------------------------------

sub phases
{
	my ($table, $k, $j) = @_;
	my (@order, %sum, $last);
	my $at = time;
	my $phase = 'plan and charge';

	open(my $psql, '-|', qq{psql -XAtq -c "SET dpem.progress = on; SET max_parallel_workers_per_gather = 1; SET jit = off" -c "}
		  . fit($table, $k, $j) . '" 2>&1') or die $!;
	while (my $line = <$psql>)
	{
		my $now = time;

		push @order, $phase unless exists $sum{$phase};
		push @{ $sum{$phase} }, $now - $at;
		$at = $now;
		$phase = $line =~ /INFO:.*?: ([\w ]+?)(?:, pass \d+ of \d+)?$/ ? $1 : 'answer';
	}
	close($psql);
	return map { [ $_, scalar @{ $sum{$_} }, median(@{ $sum{$_} }) ] } @order;
}

# ---- other programs ------------------------------------------------------------

my @programs = (
	[ 'scikit-learn', sub { return ('/usr/bin/python3', "$here/speed_sklearn.py") },
		sub { return system('/usr/bin/python3 -c "import sklearn" 2>/dev/null') == 0 } ],
	[ 'Armadillo', sub { return ("$built/speed_armadillo") }, sub { return -x "$built/speed_armadillo" } ],
	[ 'mlpack', sub { return ('Rscript', "$here/speed_mlpack.R") },
		sub { return system('Rscript -e "library(RcppMLPACK)" >/dev/null 2>&1') == 0 } ]);
my @present = grep { $_->[2]->() } @programs;

# the table as a file of doubles, and the start that all programs are given; seconds of COPY and of the conversion
sub export
{
	my ($table, $d, $k) = @_;
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
	my ($program, $n, $d, $k) = @_;
	my @command = ($program->[1]->(), "$work/data", $n, $d, $k, $iterations);

	open(my $answer, '-|', @command) or die "@command: $!";
	my ($last) = reverse grep { /^[\d. ]+$/ } <$answer>;
	close($answer);
	die "$program->[0] gave no answer" unless $last;
	return split ' ', $last;
}

# ---- tables ---------------------------------------------------------------------

sub measure_shape
{
	my ($name, $n, $d, $k) = @_;
	my $table = lc "rows_$name";
	my (%time, @steps);

	create_table($table, $n, $d, $k);
	session("SELECT count(x$d) FROM $table;" . fit($table, $k, 2));
	foreach (1 .. $runs)
	{
		push @{ $time{scan} }, seconds("SELECT count(x$d) FROM $table;");
		push @{ $time{$_} }, seconds(fit($table, $k, $_)) foreach (10, 20);
	}
	@steps = split ' ', `$built/bench_steps $d $k $n`;
	my %step = @steps;
	my %median = map { ($_ => median(@{ $time{$_} })) } keys %time;
	my $floor = $median{scan} + 10 * $step{kernel2};

	printf "\n## %s: %d x %d, K = %d, full covariance\n\n", $name, $n, $d, $k;
	printf "| whole call, J = 10, beside one scan and ten times the kernel | %.2f |\n|---|---|\n", $median{10} / $floor;
	printf "| whole call, J = 20, beside J = 10 | %.2f |\n", $median{20} / $median{10};
	printf "| an iteration more, beside the kernel on both cores | %.2f |\n", ($median{20} - $median{10}) / 10 / $step{kernel2};
	printf "| an iteration more, beside dgemm's rate | %.2f |\n", ($median{20} - $median{10}) / 10 / $step{dgemm2};
	printf "| seconds: scan that touches the last column | %.3f |\n", $median{scan};
	printf "| call, J = 10; J = 20 | %.3f; %.3f |\n", $median{10}, $median{20};
	printf "| kernel alone, one core; both | %.4f; %.4f |\n", $step{kernel1}, $step{kernel2};
	printf "| noise of a pass; M-step | %.5f; %.5f |\n", $step{noise}, $step{mstep};
	printf "| reading the rows from memory, both cores; a pass at dgemm's rate | %.4f; %.4f |\n", $step{read2}, $step{dgemm2};
	printf "| memory of a call, MB (rows in memory: %.0f) | %.0f |\n", $n * $d * 8 / 2**20, peak_memory(fit($table, $k, 10));
	foreach my $phase (phases($table, $k, 10))
	{
		printf "| phase: %s (%d times) | %.4f |\n", @$phase;
	}
	compare_programs($name, $n, $d, $k, $table, $median{10});
	session("SELECT dp_drop_dataset('$table'); DROP TABLE $table;");
	return;
}

sub compare_programs
{
	my ($name, $n, $d, $k, $table, $ours) = @_;
	my ($copied, $converted) = export($table, $d, $k);

	print "\n| program | fit beside ours | with export and reading | seconds: fit | reading | COPY, conversion | memory, MB |\n|---|---|---|---|---|---|---|\n";
	foreach my $program (@present)
	{
		my @answers = map { [ run_program($program, $n, $d, $k) ] } 1 .. $runs;
		my ($read, $fit, $memory) = map { my $i = $_; median(map { $_->[$i] } @answers) } 0 .. 2;

		printf "| %s | %.1f | %.1f | %.2f | %.2f | %.2f, %.2f | %.0f |\n", $program->[0], $fit / $ours,
		  ($fit + $read + $copied + $converted) / $ours, $fit, $read, $copied, $converted, $memory;
	}
	unlink "$work/data";
	return;
}

# seconds per iteration against the number of rows
sub measure_sizes
{
	my ($reference, %time);

	print "\n## Iterations against rows: d = 10, K = 10\n\n| rows | ns a row and iteration | beside ", $sizes[2], " rows | call, J = 10 | J = 20 |\n|---|---|---|---|---|\n";
	foreach my $n (@sizes)
	{
		create_table("rows_$n", $n, 10, 10);
		session(fit("rows_$n", 10, 2));
		foreach (1 .. $runs)
		{
			push @{ $time{$n}{$_} }, seconds(fit("rows_$n", 10, $_)) foreach (10, 20);
		}
		session("SELECT dp_drop_dataset('rows_$n'); DROP TABLE rows_$n;");
	}
	my %slope = map { my $n = $_; ($n => (median(@{ $time{$n}{20} }) - median(@{ $time{$n}{10} })) / 10 / $n * 1e9) } @sizes;
	printf "| %d | %.1f | %.2f | %.3f | %.3f |\n", $_, $slope{$_}, $slope{$_} / $slope{ $sizes[2] },
	  median(@{ $time{$_}{10} }), median(@{ $time{$_}{20} }) foreach @sizes;
	return;
}

open_session();
open(my $cpu, '<', '/proc/cpuinfo') or die $!;
my ($model) = map { /^model name\s*:\s*(.*)/ ? $1 : () } <$cpu>;
chomp(my $cores = `nproc`);
printf "%s, %d cores; %s\n%d runs of each; not here: %s\n", $model, $cores, session('SHOW server_version;'), $runs,
  join(', ', map { my $p = $_->[0]; (grep { $_->[0] eq $p } @present) ? () : $p } @programs) || 'none';
measure_shape(@$_) foreach @shapes;
measure_sizes();
print $in "\\q\n";
close($in);
waitpid($pid, 0);
