# What dp_linreg_fit and dp_gam_fit of a large table cost beside export and scikit-learn, each from the start of its
# first process to the end of its last: a psql that calls the function, or one that copies the table out, in
# binary, and a Python that reads the file and fits.  In turn, RUNS times; medians, and the load of the machine before
# and after.  To the screen and into build/bench/speed_regression.md.  Run by `make bench-regression-speed`.
#
#   ROWS=1000000  COLUMNS=20  RUNS=3    QUICK=1: a tenth of the rows, once
use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use POSIX ();
use Time::HiRes qw(time);

use lib $FindBin::Bin;
use Session;
use Utility;

my $quick = $ENV{QUICK};
my $rows = $ENV{ROWS} // ($quick ? 100_000 : 1_000_000);
my $columns = $ENV{COLUMNS} // 20;
my $runs = $ENV{RUNS} // ($quick ? 1 : 3);
my $python = utility_python('sklearn') or die "scikit-learn is not here: set PYTHON\n";
my $work = tempdir('dpem-bench-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my @models = (
	{ name => 'linreg', target => 'y', call => 'dp_linreg_fit', other => 'LinearRegression' },
	{ name => 'gam', target => 'label', copied => "(label = 'yes')::int::float8", call => 'dp_gam_fit', other => 'HistGradientBoostingClassifier' });

# sums of three uniform numbers; the label is whether a noisy sum of curves is positive
sub create_table
{
	my @x = map { "x$_" } 1 .. $columns;

	session('SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS dpem; CREATE TABLE numbers AS SELECT '
		  . join(', ', map { "random() + random() + random() - 1.5 AS $_" } @x) . " FROM generate_series(1, $rows);"
		  . 'CREATE TABLE large AS SELECT *, ' . join(' + ', map { "$x[$_] / " . ($_ + 1) } 0 .. $#x) . ' + random() - 0.5 AS y, '
		  . "CASE WHEN x1 * abs(x1) + sin(4 * x2) - x3 + 2 * random() > 1 THEN 'yes' ELSE 'no' END AS label FROM numbers; DROP TABLE numbers;"
		  . "VACUUM ANALYZE large; SELECT dp_register_dataset('large', 'large', 1000, 1e-2, adjacency => 'add_remove');"
		  . join('', map { "SELECT dp_register_column('large', '$_', -2, 2);" } @x)
		  . "SELECT dp_register_column('large', 'y', -10, 10), dp_register_column('large', 'label', '{no,yes}'::text[]), dp_grant_budget(current_user::regrole, 'large', 1000, 1e-2);");
	return;
}

sub seconds
{
	my (@commands) = @_;
	my $start = time;

	foreach my $command (@commands)
	{
		system($command) == 0 or die "failed: $command\n";
	}
	return time - $start;
}

sub measure
{
	my ($model) = @_;
	my $names = join ',', map { "x$_" } 1 .. $columns;
	my $answer = $model->{copied} // $model->{target};
	my $ours = "psql -XAtqc \"SELECT count(*) FROM $model->{call}('large', '$model->{target}', 1, 1e-6, columns => '{$names}')\" >/dev/null 2>&1";
	my @commands = ("psql -XAtqc \"COPY (SELECT $names, $answer FROM large) TO STDOUT (FORMAT binary)\" > $work/copy",
		"$python $FindBin::Bin/speed_regression.py $model->{name} $work/copy " . ($columns + 1));
	my (@ours, @theirs);

	seconds($ours);
	foreach (1 .. $runs)
	{
		push @ours, seconds($ours);
		push @theirs, seconds(@commands);
	}
	unlink "$work/copy";
	return (median(@ours), median(@theirs));
}

sub load_of_machine
{
	open(my $file, '<', '/proc/loadavg') or return '?';
	return (split ' ', <$file>)[0];
}

open_session();
create_table();
make_path('build/bench');
open(my $report, '>', 'build/bench/speed_regression.md') or die "build/bench/speed_regression.md: $!";
my @lines = ("| $rows rows x $columns numbers, ε = 1 | seconds | export and scikit-learn | seconds | ratio |", '|---|---|---|---|---|');
my $before = load_of_machine();
foreach my $model (@models)
{
	my ($ours, $theirs) = measure($model);

	push @lines, sprintf '| `%s` | %.2f | `%s` | %.2f | %.1f |', $model->{call}, $ours, $model->{other}, $theirs, $theirs / $ours;
}
chomp(my $processors = `getconf _NPROCESSORS_ONLN`);
push @lines, '', "Medians of $runs in turns on $processors processors; load of the machine $before before, " . load_of_machine() . ' after.';
foreach my $out (\*STDOUT, $report)
{
	print $out "$_\n" foreach @lines;
}
close($report);
close_session();
