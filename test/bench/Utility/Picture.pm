# Small multiples of a family's cells as SVG: a panel a data set, epsilon to the right, a dot a run and a line
# through the medians, the non-private figure dashed.  Light or dark as its reader prefers, like the pictures of
# src/core/svg.  What is so much worse that it would flatten the rest ends in an arrow at the panel's edge.
package Utility::Picture;

use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max min);
use POSIX ();

our @EXPORT_OK = qw(draw_family);

# of src/core/svg/svg.c
my @colours = ('#0072b2', '#d55e00', '#009e73', '#c2629a', '#3f9bd8');

my ($across, $width, $height, $left, $top) = (4, 240, 150, 52, 84);
my ($plot_width, $plot_height) = ($width - 70, $height - 56);
my $most_flattened = 3;			# how many times the default's and the non-private range a panel may have

sub escape
{
	my ($text) = @_;

	$text =~ s/&/&amp;/g;
	$text =~ s/</&lt;/g;
	$text =~ s/>/&gt;/g;
	return $text;
}

sub middle
{
	my @sorted = sort { $a <=> $b } @_;

	return ($sorted[ $#sorted / 2 ] + $sorted[ @sorted / 2 ]) / 2;
}

# least and largest value that a panel shows
sub range
{
	my ($of, $value) = @_;
	my %important = map { $_ => 1 } @{ $of->{default} }, @{ $of->{'non-private'} };
	my (@own, @all);

	foreach my $cell (values %$value)
	{
		foreach my $label (keys %$cell)
		{
			push @all, middle(@{ $cell->{$label} });
			push @own, $important{$label} ? @{ $cell->{$label} } : ();
		}
	}
	my ($low, $high) = (min(@own), max(@own));
	my $span = $high - $low || abs($high) || 1;
	my $most = $most_flattened * $span;

	# room for baselines as far as that goes
	$low = max(min($low, @all), $high - $most);
	$high = min(max($high, @all), $low + $most);
	my $pad = ($high - $low || $span) * 0.06;
	return ($low - $pad, $high + $pad);
}

# two to four round numbers in a range
sub ticks
{
	my ($low, $high) = @_;
	my $step = 10**(POSIX::floor(log(($high - $low) / 2) / log(10)) - 1);

	foreach my $factor (1, 2, 5, 10, 20, 50)
	{
		my $s = $step * $factor;
		my $first = POSIX::ceil($low / $s);
		my $last = POSIX::floor($high / $s);

		return map { 0 + sprintf '%.10g', $_ * $s } $first .. $last if $last - $first < 4;
	}
	return ();
}

# an arrow at the edge stands for what is beyond it
sub mark
{
	my ($x, $y, $radius, $colour, $opacity) = @_;

	return sprintf qq(<path d="M%.1f %.1fl-3 -5h6z" fill="%s"/>\n), $x, $plot_height, $colour if $y > $plot_height;
	return sprintf qq(<path d="M%.1f 0l-3 5h6z" fill="%s"/>\n), $x, $colour if $y < 0;
	return sprintf qq(<circle cx="%.1f" cy="%.1f" r="%s" fill="%s" fill-opacity="%s"/>\n), $x, $y, $radius, $colour, $opacity;
}

sub draw_method
{
	my ($of, $value, $label, $colour, $shift, $x, $y) = @_;
	my ($text, @line) = ('');

	foreach my $i (0 .. $#{ $of->{epsilon} })
	{
		my $values = $value->{ $of->{epsilon}[$i] }{$label} or next;
		my $at = $x->($i) + $shift;
		my $median = $y->(middle(@$values));

		$text .= mark($at, $_, 1.6, $colour, 0.45) foreach grep { $_ >= 0 && $_ <= $plot_height } map { $y->($_) } @$values;
		$text .= mark($at, $median, 3.2, $colour, 1);
		push @line, sprintf '%.1f,%.1f', $at, min(max($median, 0), $plot_height);
	}
	$text = qq(<polyline points="@line" fill="none" stroke="$colour" stroke-width="1.5"/>\n) . $text if @line > 1;
	return $text;
}

sub draw_panel
{
	my ($of, $dataset, $colour) = @_;
	my $value = $of->{value}{$dataset};
	my ($low, $high) = range($of, $value);
	my $epsilons = @{ $of->{epsilon} };
	my $x = sub { return $plot_width * ($_[0] + 0.5) / $epsilons };
	my $y = sub { return $plot_height * ($high - $_[0]) / ($high - $low) };
	my $text = sprintf qq(<text y="-10" font-weight="600">%s<tspan font-weight="400" opacity="0.7"> %s</tspan></text>\n), escape($dataset), $of->{size}{$dataset};

	foreach my $tick (ticks($low, $high))
	{
		$text .= sprintf qq(<path d="M0 %.1fh%d" stroke="currentColor" stroke-opacity="0.15"/><text x="-5" y="%.1f" text-anchor="end" font-size="10">%s</text>\n),
		  $y->($tick), $plot_width, $y->($tick) + 3.5, $tick;
	}
	foreach my $i (0 .. $epsilons - 1)
	{
		$text .= sprintf qq(<text x="%.1f" y="%d" text-anchor="middle" font-size="10">%s</text>\n), $x->($i), $plot_height + 14, $of->{epsilon}[$i];
	}
	foreach my $label (grep { $value->{''}{$_} } @{ $of->{'non-private'} })
	{
		my $at = $y->(middle(@{ $value->{''}{$label} }));

		$text .= sprintf qq(<path d="M0 %.1fh%d" stroke="currentColor" stroke-dasharray="4 3" stroke-opacity="0.8"/>\n), $at, $plot_width if $at >= 0 && $at <= $plot_height;
	}
	my @labels = (@{ $of->{default} }, @{ $of->{baseline} });
	foreach my $i (reverse 0 .. $#labels)
	{
		$text .= draw_method($of, $value, $labels[$i], $colour->{ $labels[$i] }, 5 * ($i - $#labels / 2), $x, $y);
	}
	return $text;
}

sub legend
{
	my ($of, $colour) = @_;
	my ($text, $x) = ('', 20);

	foreach my $label (@{ $of->{default} }, @{ $of->{baseline} })
	{
		$text .= sprintf qq(<circle cx="%d" cy="58" r="4" fill="%s"/><text x="%d" y="62">%s</text>\n), $x + 4, $colour->{$label}, $x + 13, escape($label);
		$x += 30 + 7 * length $label;
	}
	foreach my $label (@{ $of->{'non-private'} })
	{
		$text .= sprintf qq(<path d="M%d 58h18" stroke="currentColor" stroke-dasharray="4 3"/><text x="%d" y="62">%s</text>\n), $x, $x + 23, escape($label);
		$x += 40 + 7 * length $label;
	}
	return $text;
}

sub draw_family
{
	my ($path, $family, $of) = @_;
	my $n = @{ $of->{dataset} };
	my $lines = int(($n + $across - 1) / $across);
	my ($w, $h) = ($across * $width + 20, $top + $lines * $height + 20);
	my %colour;
	my $i = 0;

	$colour{$_} = $colours[ $i++ % @colours ] foreach @{ $of->{default} }, @{ $of->{baseline} };
	open(my $file, '>:raw', $path) or die "$path: $!";
	printf $file qq(<svg xmlns="http://www.w3.org/2000/svg" class="dpem" role="img" width="%d" height="%d" viewBox="0 0 %d %d" fill="currentColor" font-family="system-ui, sans-serif" font-size="12">\n), $w, $h, $w, $h;
	printf $file "<title>%s</title>\n<desc>%s against epsilon: a panel a data set, a dot a run, lines through medians.</desc>\n", escape($family->{title}), escape($family->{value});
	print $file '<style>.dpem{max-width:100%;height:auto}.dpem:root{color:#1f2328;background:#fff}'
	  . "\@media (prefers-color-scheme:dark){.dpem:root{color:#e6edf3;background:#0d1117}}</style>\n";
	printf $file qq(<text x="20" y="26" font-size="16" font-weight="600">%s</text>\n<text x="20" y="45" opacity="0.7">%s against ε</text>\n%s),
	  escape($family->{title}), escape($family->{value}), legend($of, \%colour);
	foreach my $p (0 .. $n - 1)
	{
		printf $file qq(<g transform="translate(%d %d)">\n%s</g>\n), $left + $width * ($p % $across), $top + 22 + $height * int($p / $across),
		  draw_panel($of, $of->{dataset}[$p], \%colour);
	}
	print $file "</svg>\n";
	close($file) or die "$path: $!";
	return;
}

1;
