# What the cells of Utility.pm say: a markdown table, a picture, and where the default loses to a simple baseline.
#
# A cell is a data set at an epsilon.  The default's median loses where it is worse than a baseline's by more than
# two standard errors of their difference; its worst run, where that is worse than the baseline's worst by more than two.
# Standard error of a median: sqrt(pi/2) s/sqrt(n), that of normal values; of the worst of n: s pi/sqrt(12 ln n),
# the deviation of the Gumbel law to which the extreme of n normal values tends.  s: standard deviation of the runs.
package Utility::Report;

use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max min sum uniq);
use POSIX qw(floor);
use Utility::Picture qw(draw_family);

our @EXPORT_OK = qw(report_family median worst);

my $pi = 3.14159265358979;

sub median
{
	my @sorted = sort { $a <=> $b } @_;

	return ($sorted[ $#sorted / 2 ] + $sorted[ @sorted / 2 ]) / 2;
}

sub worst
{
	my ($larger, @values) = @_;

	return $larger ? min(@values) : max(@values);
}

sub deviation_of
{
	my (@values) = @_;
	my $mean = sum(@values) / @values;

	return @values > 1 ? sqrt(sum(map { ($_ - $mean)**2 } @values) / (@values - 1)) : 0;
}

sub median_error { return sqrt($pi / 2 / @_) * deviation_of(@_) }

sub worst_error { return @_ > 1 ? deviation_of(@_) * $pi / sqrt(12 * log(@_)) : 0 }

# By how many standard errors of the difference a is worse than b; 0 where it is not, or by rounding alone.
sub standard_errors
{
	my ($larger, $a, $b, $error) = @_;
	my $loss = $larger ? $b - $a : $a - $b;

	return 0 if $loss <= 1e-9 * (abs($a) + abs($b));
	return $error > 0 ? $loss / $error : 9**9**9;
}

# the median's and the worst run's losses to one baseline, in standard errors
sub compare
{
	my ($larger, $ours, $theirs) = @_;

	return (standard_errors($larger, median(@$ours), median(@$theirs), sqrt(median_error(@$ours)**2 + median_error(@$theirs)**2)),
		standard_errors($larger, worst($larger, @$ours), worst($larger, @$theirs), sqrt(worst_error(@$ours)**2 + worst_error(@$theirs)**2)));
}

# values[dataset][epsilon][label] and, in the order in which they came, their names
sub sort_cells
{
	my (@cells) = @_;
	my %of = (dataset => [ uniq map { $_->{dataset} } @cells ], larger => $cells[0]{larger_is_better},
		epsilon => [ sort { $a <=> $b } uniq map { $_->{epsilon} } grep { length $_->{epsilon} } @cells ]);

	foreach my $role ('default', 'baseline', 'non-private')
	{
		$of{$role} = [ uniq map { $_->{label} } grep { $_->{method} eq $role } @cells ];
	}
	push @{ $of{value}{ $_->{dataset} }{ $_->{epsilon} }{ $_->{label} } }, $_->{value} foreach @cells;
	$of{size}{ $_->{dataset} } = "$_->{rows} × $_->{columns}" foreach @cells;
	return \%of;
}

# decimals that show a hundredth of the range of a data set's medians
sub decimals
{
	my ($of, $dataset) = @_;
	my @values = map { map { median(@$_) } values %$_ } values %{ $of->{value}{$dataset} };
	my $span = max(@values) - min(@values) || abs($values[0]) || 1;

	return max(0, min(6, 2 - floor(log($span) / log(10))));
}

sub number
{
	my ($decimals, $value) = @_;

	return sprintf("%.${decimals}f", $value) =~ s/^-/−/r;
}

sub cell
{
	my ($of, $values, $decimals) = @_;

	return '' unless $values;
	return number($decimals, median(@$values)) . ' / ' . number($decimals, worst($of->{larger}, @$values));
}

# the default and the baselines, as far as a data set has them
sub table_rows
{
	my ($of, $dataset) = @_;
	my $decimals = decimals($of, $dataset);
	my $value = $of->{value}{$dataset};
	my @labels = grep { my $l = $_; grep { $value->{$_}{$l} } @{ $of->{epsilon} } } @{ $of->{default} }, @{ $of->{baseline} };

	return map {
		my $label = $_;
		my $first = $label eq $labels[0];
		my $bold = ($of->{default}[0] // '') eq $label ? '**' : '';

		[ $first ? ($dataset, $of->{size}{$dataset}) : ('', ''), "$bold$label$bold",
			(map { cell($of, $value->{$_}{$label}, $decimals) } @{ $of->{epsilon} }),
			(map { $first && $value->{''}{$_} ? number($decimals, median(@{ $value->{''}{$_} })) : '' } @{ $of->{'non-private'} }) ]
	} @labels;
}

sub table
{
	my ($of) = @_;
	my @head = ('data', 'rows × columns', '', (map { "ε = $_" } @{ $of->{epsilon} }), @{ $of->{'non-private'} });

	return join '', map { '| ' . join(' | ', @$_) . " |\n" } \@head, [ ('---') x @head ], map { table_rows($of, $_) } @{ $of->{dataset} };
}

# Runs of the default that a baseline is compared with: that of its own family, if the label begins with one ("logit, output"
# with dp_logit_fit), else the first that there is.
sub rival
{
	my ($of, $value, $label) = @_;
	my ($family) = $label =~ /^(\w+), / ? "dp_$1_fit" : '';
	my ($first) = grep { $value->{$_} } @{ $of->{default} };

	return $value->{$family} // ($first ? $value->{$first} : undef);
}

# [dataset, epsilon, baseline, losses of the median and of the worst in standard errors], where either exceeds two
sub lost_cells
{
	my ($of) = @_;
	my @lost;

	foreach my $dataset (@{ $of->{dataset} })
	{
		foreach my $epsilon (@{ $of->{epsilon} })
		{
			my $value = $of->{value}{$dataset}{$epsilon};

			foreach my $label (grep { $value->{$_} } @{ $of->{baseline} })
			{
				my $ours = rival($of, $value, $label) or next;
				my @losses = compare($of->{larger}, $ours, $value->{$label});

				push @lost, [ $dataset, $epsilon, $label, @losses ] if max(@losses) > 2;
			}
		}
	}
	return @lost;
}

sub lost_text
{
	my ($of, $number, @lost) = @_;

	return "In none of $number comparisons is the default worse than a baseline by more than two standard errors, in its median or its worst run.\n"
	  unless @lost;
	return "The default is worse than a baseline by more than two standard errors in " . @lost . " of $number comparisons"
	  . " (median, worst run; in standard errors):\n\n"
	  . join '', map { sprintf "- %s, ε = %s, %s: %.1f, %.1f\n", @$_ } @lost;
}

sub comparisons
{
	my ($of) = @_;

	return sum(0, map { my $d = $_; map { my $v = $of->{value}{$d}{$_}; scalar grep { $v->{$_} } @{ $of->{baseline} } } @{ $of->{epsilon} } } @{ $of->{dataset} });
}

# NAME.md and NAME.svg beside NAME.csv, and what was lost on the screen.
sub report_family
{
	my ($directory, $family, @cells) = @_;
	my $of = sort_cells(@cells);
	my @lost = lost_cells($of);
	my $runs = max(map { $_->{run} } grep { $_->{method} ne 'non-private' } @cells);
	my $better = $of->{larger} ? 'larger is better' : 'smaller is better';
	my $text = "$family->{title}: $family->{value} ($better), median / worst of $runs runs"
	  . ($family->{note} ? "; $family->{note}" : '') . "\n\n" . table($of) . "\n" . lost_text($of, comparisons($of), @lost);

	open(my $file, '>', "$directory/$family->{name}.md") or die "$directory/$family->{name}.md: $!";
	print $file $text;
	close($file);
	print "\n$text\n";
	# a picture is about the default
	if (@{ $of->{default} })
	{
		draw_family("$directory/$family->{name}.svg", $family, $of);
		print "$directory/$family->{name}.svg\n";
	}
	return scalar @lost;
}

1;
