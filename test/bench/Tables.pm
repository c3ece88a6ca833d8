# Real tables, of files and of R, and tables as benches without a server read them.
package Tables;

use strict;
use warnings;

use Exporter qw(import);
use File::Basename qw(dirname);

our @EXPORT = qw(read_frame read_table write_table);

my ($data) = grep { -d } $ENV{DPEM_DATA} // (), map { dirname(__FILE__) . "/../../../$_" } 'shared/data', 'data';

# names and rows of $DPEM_DATA/NAME.csv.gz; nothing if it is not there
sub read_table
{
	my ($name) = @_;
	my $file = ($data // '') . "/$name.csv.gz";

	return if !-r $file;
	open(my $in, '-|', 'zcat', $file) or die "zcat: $!";
	chomp(my @lines = <$in>);
	close($in) or die "zcat $file failed";
	my @names = split /,/, shift @lines;
	return (\@names, map { [ split /,/, $_, scalar @names ] } @lines);
}

# names and rows of the data frame d that R's code makes, NA for what is not known; nothing if R or a package is not there
sub read_frame
{
	my ($code) = @_;

	$code =~ s{\s+}{ }g;
	system('command -v Rscript >/dev/null') == 0 or return;
	open(my $r, '-|', 'Rscript', '-e', "suppressMessages({$code}); write.table(d, row.names = FALSE, quote = FALSE, sep = '\\t')") or return;
	chomp(my @lines = <$r>);
	close($r) or return;
	return map { [ split /\t/, $_, -1 ] } @lines;
}

# columns { name, codes } as CSV
sub write_table
{
	my ($file, @columns) = @_;

	open(my $to, '>', $file) or die "$file: $!";
	print $to join(',', map { $_->{name} } @columns), "\n";
	foreach my $row (0 .. $#{ $columns[0]{codes} })
	{
		print $to join(',', map { $_->{codes}[$row] } @columns), "\n";
	}
	close($to) or die "$file: $!";
	return;
}

1;
