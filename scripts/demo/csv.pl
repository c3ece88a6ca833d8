#!/usr/bin/perl
# Plans the demo on a CSV file: csv.pl FILE OUTDIR DOMAINS
#
# The header names the columns; a column is numeric if it has a value and all of them are numbers.
# Bounds come from the environment's BOUNDS (name=lower:upper,...; a name with a comma or an equals
# sign in double quotes) or else from DOMAINS/<file's base name>.bounds, never from the values: the
# smallest and largest value are private.  DEMO_COLUMNS (name,...) chooses among the columns.
#
# Writes into OUTDIR: create.sql, copy.sql, register.sql, and vars, lines `name=value`.
use strict;
use warnings;
use File::Basename qw(basename);

my $NUMBER = qr/^\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)\s*$/i;
my $FINITE = qr/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

my ($file, $outdir, $domains) = @ARGV;
(my $base = basename($file)) =~ s/(?:\.csv)?(?:\.gz)?$//i;

sub fail { print STDERR "dpem: @_\n"; exit 1; }
sub identifier { my ($s) = @_; $s =~ s/"/""/g; return qq("$s"); }

sub literal
{
	my ($s) = @_;
	$s =~ s/'/''/g;
	return $s =~ s/\\/\\\\/g ? "E'$s'" : "'$s'";
}

# For a shell's command line, within make's.
sub shell_word
{
	my ($s) = @_;
	$s =~ s/'/'\\''/g;
	return "'$s'";
}

sub spec_name { my ($s) = @_; return $s =~ /[,="]/ ? identifier($s) : $s; }

# Splits one record; double quotes as in RFC 4180.
sub split_record
{
	my ($line) = @_;
	return split(/,/, $line, -1) if index($line, '"') < 0;
	my @fields;
	while (1)
	{
		if ($line =~ /\G"((?:[^"]|"")*)"(?=,|\z)/gc) { (my $f = $1) =~ s/""/"/g; push @fields, $f; }
		elsif ($line =~ /\G([^,]*)/gc) { push @fields, $1; }
		last unless $line =~ /\G,/gc;
	}
	return @fields;
}

my ($handle, $utf8) = (undef, 1);

sub next_record
{
	my $record = '';
	while (defined(my $line = <$handle>))
	{
		$record .= $line;
		next if ($record =~ tr/"//) % 2;
		$record =~ s/\r?\n\z//;
		$utf8 &&= utf8::decode(my $copy = $record);
		return $record;
	}
	fail("$file ends inside a quoted field") if $record ne '';
	return undef;
}

sub read_header
{
	my $record = next_record();
	fail("$file is empty: its first line must name the columns") unless defined $record && $record ne '';
	$record =~ s/^\xEF\xBB\xBF//;
	my @names = split_record($record);
	my %seen;
	fail("$file: fields must be separated by commas, not semicolons, tabs or bars, and numbers have a decimal point")
		if @names == 1 && $record =~ /[;\t|]/;
	fail("$file: the first line must name the columns, not be a row") unless grep { !/$NUMBER/ } @names;
	foreach my $i (0 .. $#names)
	{
		my $name = $names[$i];
		fail("$file: column " . ($i + 1) . ' has no name in the header') if $name eq '';
		fail("$file: the header names column $name twice") if $seen{$name}++;
		fail("$file: the column name $name is longer than 63 bytes") if length($name) > 63;
		fail("$file: a column name holds a zero byte") if $name =~ /\0/;
	}
	return @names;
}

# For each column 0 if it is numeric, else the first record that is no number of it (of none, if all
# are empty, the header's).
sub columns_not_numeric
{
	my ($width) = @_;
	my @numbers = (0) x $width;
	my @not_numeric = (0) x $width;
	my $row = 1;
	while (defined(my $record = next_record()))
	{
		$row++;
		my @fields = split_record($record);
		fail("$file: record $row has " . scalar(@fields) . " fields, the header $width")
			if @fields != $width && !($width == 1 && @fields == 0);
		foreach my $i (0 .. $#fields)
		{
			next if $fields[$i] eq '';
			if ($fields[$i] =~ $NUMBER) { $numbers[$i] = 1; }
			else { $not_numeric[$i] ||= $row; }
		}
	}
	fail("$file has no rows") if $row == 1;
	return map { $not_numeric[$_] || ($numbers[$_] ? 0 : 1) } 0 .. $width - 1;
}

sub add_bound
{
	my ($bounds, $where, $name, $lower, $upper) = @_;
	fail("$where: the bounds of $name must be two numbers, lower < upper, not $lower and $upper")
		unless $lower =~ $FINITE && $upper =~ $FINITE && $lower < $upper;
	$bounds->{$name} = [ $lower, $upper ];
}

sub bounds_from_spec
{
	my ($spec) = @_;
	my %bounds;
	foreach my $item (grep { /\S/ } split_list($spec))
	{
		my ($name, $lower, $upper) = $item =~ /^\s*(.*?)\s*=\s*([^=:]*?)\s*:\s*([^=:]*?)\s*$/s
			or fail("BOUNDS: '$item' is not name=lower:upper");
		$name = unquote($name);
		add_bound(\%bounds, 'BOUNDS', $name, $lower, $upper);
	}
	return \%bounds;
}

sub bounds_from_file
{
	my ($path) = @_;
	my %bounds;
	open my $in, '<', $path or return {};
	while (my $line = <$in>)
	{
		next if $line =~ /^\s*(?:#|$)/;
		my ($name, $lower, $upper) = $line =~ /^\s*(\S.*?)\s+(\S+)\s+(\S+)\s*$/
			or fail("$path: line $. is not `column lower upper`");
		add_bound(\%bounds, $path, $name, $lower, $upper);
	}
	return \%bounds;
}

# Splits at commas outside double quotes, which stay.
sub split_list
{
	my ($list) = @_;
	my @items = $list =~ /((?:"(?:[^"]|"")*"|[^,"]|")+)/g;
	return @items;
}

sub unquote
{
	my ($s) = @_;
	$s =~ s/^\s+|\s+$//g;
	$s =~ s/""/"/g if $s =~ s/^"(.*)"$/$1/s;
	return $s;
}

# The columns to use, given what was asked for; names what cannot be used.
sub chosen_columns
{
	my ($names, $not_numeric, $bounds) = @_;
	my %not_numeric = map { $names->[$_] => $not_numeric->[$_] } 0 .. $#$names;
	my $help = 'a missing value is an empty field, a number has a decimal point';
	my @wanted = map { unquote($_) } grep { /\S/ } split_list($ENV{DEMO_COLUMNS} // '');
	foreach my $name (@wanted, sort keys %$bounds)
	{
		fail("$file has no column $name; its columns: " . join(', ', @$names)) unless exists $not_numeric{$name};
		fail("column $name of $file is not numeric, see record $not_numeric{$name} ($help)") if $not_numeric{$name};
	}
	my @chosen = @wanted ? @wanted : grep { !$not_numeric{$_} && (!%$bounds || $bounds->{$_}) } @$names;
	fail("$file has no numeric column ($help): " . join(', ', map { "$_ is not, see record $not_numeric{$_}" } @$names)) unless @chosen;
	return @chosen;
}

sub ask_for_bounds
{
	my ($bounds, @chosen) = @_;
	my $spec = join ',', map {
		my $b = $bounds->{$_};
		spec_name($_) . '=' . ($b ? "$b->[0]:$b->[1]" : 'LOWER:UPPER')
	} @chosen;
	my @command = ('make demo', 'CSV=' . shell_word($ENV{CSV} // $file));
	push @command, 'COLUMNS=' . shell_word($ENV{DEMO_COLUMNS}) if $ENV{DEMO_COLUMNS};
	push @command, "K=$ENV{K}" if $ENV{K};
	fail("what range can each column have?  Write what is publicly known in place of LOWER and UPPER "
		  . "(the smallest and largest value of the data would not be private, so they are not offered):\n\n"
		  . "  @command BOUNDS=" . shell_word($spec) . "\n");
}

sub write_file
{
	my ($name, $text) = @_;
	open my $out, '>', "$outdir/$name" or fail("cannot write $outdir/$name: $!");
	print $out $text;
	close $out or fail("cannot write $outdir/$name: $!");
}

sub main
{
	my $open = open $handle, '-|', 'gzip', '-dcf', '--', $file;
	fail("cannot read $file") unless $open;
	my @names = read_header();
	my @not_numeric = columns_not_numeric(scalar @names);
	close $handle or fail("$file is damaged");

	my $bounds = ($ENV{BOUNDS} // '') ne '' ? bounds_from_spec($ENV{BOUNDS}) : bounds_from_file("$domains/$base.bounds");
	my @chosen = chosen_columns(\@names, \@not_numeric, $bounds);
	ask_for_bounds($bounds, @chosen) if grep { !$bounds->{$_} } @chosen;

	(my $dataset = lc $base) =~ s/[^a-z0-9_]+/_/g;
	$dataset = "t_$dataset" if $dataset !~ /^[a-z]/;
	$dataset = substr($dataset, 0, 60);
	my %chosen = map { $_ => 1 } @chosen;
	my @ignored = grep { !$chosen{$_} } @names;
	my $list = join ', ', map { identifier($_) } @names;

	write_file('create.sql', "CREATE TABLE \"$dataset\" (\n    "
		  . join(",\n    ", map { identifier($names[$_]) . ($not_numeric[$_] ? ' text' : ' float8') } 0 .. $#names)
		  . "\n);\n");
	write_file('copy.sql', "COPY \"$dataset\" ($list) FROM STDIN WITH (FORMAT csv, HEADER true, FORCE_NULL ($list));\n");
	write_file('register.sql', join '', map {
		"SELECT dp_register_column('$dataset', " . literal($_) . ", $bounds->{$_}[0], $bounds->{$_}[1]);\n"
	} @chosen);
	write_file('vars', join "\n",
		"dataset=$dataset", 'encoding=' . ($utf8 ? 'UTF8' : 'LATIN1'),
		'point={' . join(',', map { ($bounds->{$_}[0] + $bounds->{$_}[1]) / 2 } @chosen) . '}',
		'ignored=' . join(', ', map { s/\s+/ /gr } @ignored), '');
}

main();
