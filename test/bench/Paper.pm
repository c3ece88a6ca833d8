# What the experiments of paper.pl and clusters.pl share: psql sessions side by side, folds of
# the reference data, densities of models that may not be stored, and CSV,
# markdown and SVG to look at afterwards.
package Paper;

use strict;
use warnings;

use Exporter qw(import);
use File::Path qw(make_path);
use JSON::PP;
use POSIX ();
use Session ();

our @EXPORT = qw(query value load_text load_folds prepare_dataset unload_held parallel auc private_score open_score mean deviation
  write_csv write_table plot ensure_gnuplot $out_dir);

our $out_dir = 'build/bench';

# ---- one psql session in each process -----------------------------------------

# The lines that commands print.
sub query
{
	my ($sql) = @_;

	if (!Session::session_is_open())
	{
		Session::open_session('-F', "\t");
		Session::session('SET client_min_messages = error;');
	}
	return Session::session($sql =~ /^\\/ ? $sql : "$sql;");
}

sub value
{
	my ($sql) = @_;
	my ($first) = query($sql);

	return $first;
}

END { Session::close_session(); }

# ---- data -----------------------------------------------------------------------

# A gzipped CSV file with a header as the table `file` of texts, temporary; false where it is absent.
sub load_text
{
	my ($file) = @_;
	my $path = ($ENV{DPEM_DATA} // '../shared/data') . "/$file";

	return 0 unless -r $path;
	open(my $csv, '-|', 'gzip', '-dc', $path) or die "$path: $!";
	my $header = <$csv>;
	close($csv);
	chomp $header;
	my $text = join ', ', map { "\"$_\" text" } split(/,/, $header);
	my $quoted = $path =~ s/'/''/gr;
	query("DROP TABLE IF EXISTS pg_temp.file; CREATE TEMPORARY TABLE file ($text)");
	query("\\copy file FROM PROGRAM 'gzip -dc \"$quoted\"' CSV HEADER");
	return 1;
}

# Columns of a gzipped CSV file as a table, numbered 0 to 9 by a column `fold`; false where it is absent.
sub load_folds
{
	my ($table, $file, @columns) = @_;
	my $numbers = join ', ', map { "\"$_\"::float8" } @columns;

	load_text($file) or return 0;
	query("CREATE TABLE $table AS SELECT row_number() OVER () % 10 AS fold, $numbers FROM file;
		DROP TABLE file");
	return 1;
}

# A table as a dataset with a budget for a few hundred fits; columns: [name, lower, upper, scale (or none)].
sub prepare_dataset
{
	my ($table, @columns) = @_;

	query("ANALYZE $table; SELECT dp_register_dataset('$table', '$table', 1000, 1e-4)");
	query("SELECT dp_register_column('$table', '$_->[0]', $_->[1], $_->[2], scale => '@{[ $_->[3] // 'linear' ]}')") foreach @columns;
	query("SELECT dp_grant_budget(current_user::regrole, '$table', 1000, 1e-4)");
	return;
}

# The end of a dataset of run_family whose rows were made in NAME_all, and of which some are held out in NAME_held.
sub unload_held
{
	my ($d) = @_;

	query("SELECT dp_drop_dataset('$d->{name}'); DROP TABLE $d->{name}, $d->{name}_all, $d->{name}_held");
	return;
}

# ---- scores ---------------------------------------------------------------------

# AUC of the rows (y, p), whether in the class and its score, that a query gives, ties halved.
sub auc
{
	my ($rows) = @_;

	return value("WITH s AS MATERIALIZED ($rows),
		r AS (SELECT y, rank() OVER (ORDER BY p) + (count(*) OVER (PARTITION BY p) - 1) / 2.0 AS rank FROM s),
		n AS (SELECT count(*) FILTER (WHERE y)::numeric AS ones, count(*) FILTER (WHERE NOT y)::numeric AS others FROM s)
		SELECT (sum(rank) FILTER (WHERE y) - max(ones) * (max(ones) + 1) / 2) / (max(ones) * max(others)) FROM r, n");
}

# Mean log-density of a private fit on the rows of a table.
sub private_score
{
	my ($fit, $test, @columns) = @_;
	my $array = 'ARRAY[' . join(', ', @columns) . ']';

	query("SELECT count(*) FROM dp_gmm_fit($fit, model => 'm$$')");
	my $score = value("SELECT avg(dp_log_density('m$$', $array)) FROM $test");
	query("SELECT dp_drop_model('m$$')");
	return $score;
}

# The inverse of the lower Cholesky factor, and minus the sum of the logarithms of that one's diagonal.
sub inverse_factor
{
	my ($a) = @_;
	my $d = @$a;
	my (@l, @inverse);
	my $log = 0;

	foreach my $i (0 .. $d - 1)
	{
		foreach my $j (0 .. $i)
		{
			my $s = $a->[$i][$j];
			$s -= $l[$i][$_] * $l[$j][$_] foreach 0 .. $j - 1;
			$l[$i][$j] = $i == $j ? sqrt($s) : $s / $l[$j][$j];
		}
		$log -= log($l[$i][$i]);
		foreach my $j (0 .. $i)
		{
			my $s = $i == $j ? 1 : 0;
			$s -= $l[$i][$_] * $inverse[$_][$j] foreach $j .. $i - 1;
			$inverse[$i][$j] = $s / $l[$i][$i];
		}
	}
	return (\@inverse, $log);
}

sub log_density
{
	my ($components, $x) = @_;
	my @terms;

	foreach my $c (@$components)
	{
		my $square = 0;
		my @y = map { $x->[$_] - $c->{mean}[$_] } 0 .. $#$x;
		foreach my $row (@{ $c->{inverse} })
		{
			my $z = 0;
			$z += $row->[$_] * $y[$_] foreach 0 .. $#$row;
			$square += $z * $z;
		}
		push @terms, $c->{constant} - $square / 2;
	}
	my $most = (sort { $b <=> $a } @terms)[0];
	my $sum = 0;
	$sum += exp($_ - $most) foreach @terms;
	return $most + log($sum);
}

my %rows_of;

# The same of a fit without noise, which is not stored but only returned.
sub open_score
{
	my ($fit, $test, @columns) = @_;
	my $components = decode_json(join '', query("SELECT json_agg(f) FROM dp_gmm_fit($fit) f"));
	my $sum = 0;

	foreach my $c (@$components)
	{
		($c->{inverse}, my $log) = inverse_factor($c->{covariance});
		$c->{constant} = log($c->{weight}) + $log - @columns / 2 * log(2 * 3.14159265358979);
	}
	$rows_of{$test} //= [ map { [ split /\t/ ] } query('SELECT ' . join(', ', @columns) . " FROM $test") ];
	$sum += log_density($components, $_) foreach @{ $rows_of{$test} };
	return $sum / @{ $rows_of{$test} };
}

sub mean
{
	my $sum = 0;

	$sum += $_ foreach @_;
	return $sum / @_;
}

# of the mean of some numbers
sub deviation
{
	my $mean = mean(@_);

	return @_ > 1 ? sqrt(mean(map { ($_ - $mean)**2 } @_) / (@_ - 1)) : 0;
}

# ---- several sessions side by side ------------------------------------------------

# Sets `score` of every task (a hash) to what work says, in some processes with a session each; `scores` to all of it, if it says
# several numbers.
sub parallel
{
	my ($label, $jobs, $work, @tasks) = @_;
	my @readers;
	my $done = 0;

	Session::close_session();
	$| = 1;
	foreach my $job (0 .. $jobs - 1)
	{
		my $child = open(my $reader, '-|') // die $!;

		if ($child == 0)
		{
			foreach my $i (grep { $_ % $jobs == $job } 0 .. $#tasks)
			{
				print join(' ', $i, map { sprintf '%.17g', $_ } $work->($tasks[$i])), "\n";
			}
			exit 0;
		}
		push @readers, $reader;
	}
	foreach my $reader (@readers)
	{
		while (my $line = <$reader>)
		{
			my ($i, @scores) = split ' ', $line;

			$tasks[$i]{score} = $scores[0];
			$tasks[$i]{scores} = \@scores;
			$done++;
		}
		close($reader);
	}
	die "$label: only $done of " . @tasks . " fits came back\n" if $done < @tasks;
	return;
}

# ---- what is written ----------------------------------------------------------------

sub open_output
{
	my ($name, $mode) = @_;

	make_path($out_dir);
	open(my $file, $mode // '>', "$out_dir/$name") or die "$out_dir/$name: $!";
	return $file;
}

sub write_csv
{
	my ($name, $fields, @rows) = @_;
	my $file = open_output("$name.csv");

	print $file join(',', @$fields), "\n";
	foreach my $row (@rows)
	{
		print $file join(',', map { my $v = $row->{$_} // ''; $v =~ /,/ ? "\"$v\"" : $v } @$fields), "\n";
	}
	close($file);
	print "$out_dir/$name.csv\n";
	return;
}

# A markdown table on the screen and at the end of tables.md.
my $tables_begun = 0;

sub write_table
{
	my ($title, $head, @rows) = @_;
	my $file = open_output('tables.md', $tables_begun++ ? '>>' : '>');
	my $text = "$title\n\n" . join('', map { '| ' . join(' | ', @$_) . " |\n" } $head, [ ('---') x @$head ], @rows) . "\n";

	print $file $text;
	close($file);
	print "\n$text";
	return;
}

# ---- plots ----------------------------------------------------------------------------

# Is there a gnuplot?  Installs it where that is possible.
sub ensure_gnuplot
{
	return 1 if !system('command -v gnuplot >/dev/null');
	if ($> == 0 && !system('command -v apt-get >/dev/null'))
	{
		print "installing gnuplot-nox\n";
		return 1 if !system('DEBIAN_FRONTEND=noninteractive apt-get install -y gnuplot-nox >/dev/null 2>&1');
	}
	print "no plots: gnuplot is not here (Debian: apt-get install gnuplot-nox)\n";
	return 0;
}

sub draw_panel
{
	my ($panel) = @_;
	my @styles;
	my $data = '';

	foreach my $line (@{ $panel->{lines} })
	{
		my $block = '$line' . @styles . "_$panel->{number}";
		my $points = $line->{flat} ? '' : " pt $line->{point} ps 0.7";

		$data .= "$block << EOD\n" . join('', map { join(' ', @$_) . "\n" } @{ $line->{points} }) . "EOD\n";
		push @styles, "$block using 1:2 with " . ($line->{flat} ? 'lines' : 'linespoints')
		  . " lc rgb '$line->{colour}' lw $line->{width} dt $line->{dash}$points title \"$line->{title}\"";
	}
	my ($top, $unit) = @{ $panel->{squeezed} // [] };
	my $axis = defined $top ? "set nonlinear y via -asinh(($top - y) / $unit) inverse $top + $unit * sinh(y)\n" : '';
	$axis .= "set logscale y\n" if $panel->{logarithmic};
	return $data . $axis . <<"END" . 'plot ' . join(", \\\n  ", @styles) . "\nunset nonlinear y\nunset logscale y\n";
set title "$panel->{title}"
set xrange [$panel->{domain}]
set xtics ($panel->{ticks})
set yrange [$panel->{range}]
set ytics $panel->{yticks}
END
}

# One SVG of panels side by side, and the last one's lines named at the right of it.  In a panel
# `squeezed` towards a top, distances from there grow like a logarithm.
sub plot
{
	my ($name, $size, $xlabel, $ylabel, @panels) = @_;
	my $file = open_output("$name.gnuplot");
	my ($pixels) = split /,/, $size;
	my $step = ($pixels - 230) / $pixels / @panels;

	print $file <<"END";
set terminal svg size $size font 'Helvetica,13' background rgb 'white'
set output '$out_dir/$name.svg'
set logscale x
set xlabel "$xlabel"
set ylabel "$ylabel" offset 1
set grid lc rgb '#dddddd' lw 0.5
set border 3 lc rgb '#555555'
set tics nomirror
set multiplot
set tmargin at screen 0.91
set bmargin at screen 0.13
unset key
END
	foreach my $i (0 .. $#panels)
	{
		$panels[$i]{number} = $i;
		printf $file "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", $i * $step + 75 / $pixels,
		  ($i + 1) * $step - 5 / $pixels;
		print $file "set key at screen 0.995, screen 0.93 right top Right samplen 3 spacing 1.2\n" if $i == $#panels;
		print $file "set ylabel ''\n" if $i == 1;
		print $file draw_panel($panels[$i]);
	}
	print $file "unset multiplot\n";
	close($file);
	system('gnuplot', "$out_dir/$name.gnuplot") == 0 or die "gnuplot failed on $out_dir/$name.gnuplot\n";
	print "$out_dir/$name.svg\n";
	return;
}

1;
