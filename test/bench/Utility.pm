# The frame of `make bench-utility`: what a family's defaults are worth on unlike data, beside a simple baseline
# that is private at the same epsilon and delta, and beside what no privacy would give.
#
# A family is a program test/bench/utility_NAME.pl that calls run_family, or writes rows of the fields below by
# write_cells.  Both put build/bench/utility/NAME.csv, a line for each run:
#
#   family, dataset, rows, columns   what was fitted; columns counts coordinates
#   epsilon                          empty for the non-private figure
#   method                           default, baseline or non-private
#   label                            which one, as it is called in tables
#   run, value, larger_is_better     1 or 0
#
# utility_report (below; Utility::Report) makes tables, a picture and the list of lost cells of them.
#
#   DPEM_RUNS=10   runs of each cell (QUICK: 3)
#   QUICK=1        the data that a family marks as quick, and its quick epsilons
#   DPEM_DATASETS= only data whose names match this regular expression
#   DPEM_EARLIER=  files NAME.csv of earlier runs, separated by commas, whose data sets and epsilons that are not
#                  measured again go into the report
#   EPSILONS=      instead of the family's, separated by commas
#   DPEM_JOBS=     sessions side by side (default: processors)
package Utility;

use strict;
use warnings;

use Exporter qw(import);
use FindBin;
use Paper;
use Text::ParseWords qw(parse_line);
use Utility::Report qw(report_family);

our @EXPORT = qw(run_family write_cells utility_python utility_jobs utility_runs utility_quick utility_wanted utility_epsilons);

our @fields = qw(family dataset rows columns epsilon method label run value larger_is_better);

$out_dir = 'build/bench/utility';
$| = 1;

# ---- what was asked for -----------------------------------------------------------

sub utility_quick { return $ENV{QUICK} ? 1 : 0 }

sub utility_runs { return $ENV{DPEM_RUNS} // $ENV{RUNS} // ($ENV{QUICK} ? 3 : 10) }

sub utility_jobs { return $ENV{DPEM_JOBS} // $ENV{JOBS} // (`getconf _NPROCESSORS_ONLN 2>/dev/null` || 1) + 0 }

sub utility_wanted
{
	my ($name) = @_;
	my $wanted = $ENV{DPEM_DATASETS} // '.';

	return $name =~ /$wanted/;
}

sub utility_epsilons
{
	my ($family) = @_;

	return split /,/, $ENV{EPSILONS} if $ENV{EPSILONS};
	return @{ $ENV{QUICK} && $family->{quick_epsilons} || $family->{epsilons} };
}

# A Python that has these modules, or undef: the system's before the one in PATH, which may be a bare one.
sub utility_python
{
	my (@modules) = @_;
	my $import = join '; ', map { "import $_" } @modules;

	foreach my $python ($ENV{PYTHON} // (), '/usr/bin/python3', 'python3')
	{
		return $python if system("$python -c '$import' 2>/dev/null") == 0;
	}
	return undef;
}

# ---- a family -----------------------------------------------------------------------

# rows of the common fields for one method; %$values: epsilon (or '') => [values of its runs]
sub cells_of
{
	my ($family, $data, $method, $values) = @_;

	return map {
		my $epsilon = $_;
		my $run = 0;
		map {
			{ family => $family->{name}, dataset => $data->{name}, rows => $data->{rows}, columns => $data->{columns},
				epsilon => $epsilon, method => $method->{role}, label => $method->{label}, run => ++$run, value => $_,
				larger_is_better => $family->{larger} }
		} grep { defined } @{ $values->{$epsilon} }
	} sort keys %$values;
}

# every fit of the methods that are fitted through SQL, side by side
sub fitted
{
	my ($family, $data, @methods) = @_;
	my @epsilons = utility_epsilons($family);
	my %value;
	my @tasks = map {
		my $m = $_;
		my $possible = $methods[$m]{possible} // sub { return 1 };
		map { my $e = $_; map { { data => $data, method => $methods[$m], at => $m, epsilon => $e, run => $_ } } 1 .. utility_runs() } grep { $possible->($data, $methods[$m], $_) } @epsilons
	} 0 .. $#methods;

	parallel("$family->{name}: $data->{name}", utility_jobs(), $family->{score}, @tasks) if @tasks;
	push @{ $value{ $_->{at} }{ $_->{epsilon} } }, $_->{score} foreach @tasks;
	return map { cells_of($family, $data, $methods[$_], $value{$_}) } 0 .. $#methods;
}

sub measure
{
	my ($family, $data) = @_;
	my @methods = (@{ $family->{methods} }, @{ $data->{methods} // [] });
	my @cells = fitted($family, $data, grep { !$_->{values} } @methods);

	foreach my $method (grep { $_->{values} } @methods)
	{
		my @epsilons = $method->{role} eq 'non-private' ? '' : utility_epsilons($family);

		push @cells, cells_of($family, $data, $method, $method->{values}->($data, \@epsilons, utility_runs()));
	}
	return @cells;
}

# Measures a family's data and reports.  %family:
#   name, title, value    what a value is, in words; `larger`: 1 if larger ones are better
#   epsilons, quick_epsilons, note
#   score       sub ($task) with data, method, epsilon and run: the value of one fit
#   methods     list of { role, label } for score, with `possible`: sub ($data, $method, $epsilon), or with `values`: sub ($data, $epsilons, $runs) that gives all
#               values of a method, by epsilon ('' where it is non-private)
#   data        list of { name, quick, load, unload, methods }; load: sub ($data) that sets rows and columns and
#               returns false where the data is not here; methods: further ones of this data alone
sub run_family
{
	my (%family) = @_;
	my @cells;

	query('CREATE EXTENSION IF NOT EXISTS dpem; SET dpem.noise_warnings = off');
	foreach my $data (grep { utility_wanted($_->{name}) && (!utility_quick() || $_->{quick}) } @{ $family{data} })
	{
		if (!$data->{load}->($data))
		{
			print "skipped: what $data->{name} is made of is not here\n";
			next;
		}
		push @cells, measure(\%family, $data);
		# a long run that is ended has measured something
		write_csv($family{name}, \@fields, @cells);
		$data->{unload}->($data) if $data->{unload};
	}
	write_cells(\%family, @cells);
	return;
}

# ---- reports ------------------------------------------------------------------------

sub read_cells
{
	my ($path) = @_;

	open(my $file, '<', $path) or die "$path: $!";
	my @names = parse_line(',', 0, scalar(<$file>) =~ s/\n//r);
	return map { chomp; my %cell; @cell{@names} = parse_line(',', 0, $_); \%cell } <$file>;
}

# cells of DPEM_EARLIER that are not among these
sub earlier_cells
{
	my ($family, @cells) = @_;
	my %measured = map { ("$_->{dataset} $_->{epsilon} $_->{label}" => 1) } @cells;

	return grep { $_->{family} eq $family->{name} && !$measured{"$_->{dataset} $_->{epsilon} $_->{label}"} }
	  map { read_cells($_) } split /,/, $ENV{DPEM_EARLIER} // '';
}

# in the order of the family's data, where it names them
sub in_order
{
	my ($family, @cells) = @_;
	my $i = 0;
	my %place = map { $_->{name} => ++$i } @{ $family->{data} };

	return sort { ($place{ $a->{dataset} } // 0) <=> ($place{ $b->{dataset} } // 0) } @cells;
}

# Cells (hashes of the fields above) of a family, whose name, title, value and note head its report.
sub write_cells
{
	my ($family, @cells) = @_;

	@cells = in_order($family, earlier_cells($family, @cells), @cells);
	return unless @cells;
	write_csv($family->{name}, \@fields, @cells);
	report_family($out_dir, $family, @cells);
	return;
}

1;
