# Runs the utility bench of every family, or of those in DPEM_FAMILY, each in a throw-away server of its own, and says
# at the end where a default lost to a simple baseline.  Run by `make bench-utility`; Utility.pm has the settings.
#
#   DPEM_FAMILY=gmm,logit   families: the NAME of test/bench/utility_NAME.pl
use strict;
use warnings;

use File::Basename qw(dirname);
use FindBin;

my $cluster = dirname(dirname($FindBin::Bin)) . '/scripts/cluster.sh';
my @all = map { m{/utility_(\w+)\.pl$} ? $1 : () } sort glob "$FindBin::Bin/utility_*.pl";
my @wanted = split /[,\s]+/, $ENV{DPEM_FAMILY} || join(',', @all);

foreach my $family (@wanted)
{
	die "no family $family: " . join(', ', @all) . "\n" unless grep { $_ eq $family } @all;
}
foreach my $family (@wanted)
{
	system($cluster, 'run', 'perl', "$FindBin::Bin/utility_$family.pl") == 0 or die "utility_$family.pl failed\n";
}

print "\n";
foreach my $family (@wanted)
{
	my $report = "build/bench/utility/$family.md";

	next unless -e $report;
	open(my $file, '<', $report) or die "$report: $!";
	print map { "$family: $_" } grep { /^In none of|^The default is worse|^- / } <$file>;
	close($file);
}
