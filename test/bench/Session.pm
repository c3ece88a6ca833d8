# One psql session in each process that is asked and timed, for benchmarks.
package Session;

use strict;
use warnings;

use Exporter 'import';
use IPC::Open2;
use POSIX ();

our @EXPORT = qw(open_session close_session session milliseconds median processor_time);

my ($out, $in, $pid) = (undef, undef, 0);

# with more options for psql, if any
sub open_session
{
	$pid = open2($out, $in, 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', @_) or die $!;
	return;
}

sub session_is_open
{
	return $pid != 0;
}

sub close_session
{
	return unless $pid;
	print $in "\\q\n";
	close($in);
	waitpid($pid, 0);
	$pid = 0;
	return;
}

# lines of what the statements answer
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

sub milliseconds
{
	my ($query) = @_;
	my ($time) = map { /^Time: ([0-9.]+) ms/ ? $1 : () } session("\\timing on\n$query;\n\\timing off");

	return $time;
}

# milliseconds of processors' time of the session, and of its postmaster's children that have ended
sub processor_time
{
	my ($backend) = @_;
	my @session = process($backend);
	my @postmaster = process($session[1]);

	return map { $_ * 1000 / POSIX::sysconf(&POSIX::_SC_CLK_TCK) } $session[11] + $session[12], $postmaster[13] + $postmaster[14];
}

# fields of /proc/.../stat from the state on
sub process
{
	my ($pid) = @_;

	open(my $stat, '<', "/proc/$pid/stat") or die "/proc/$pid/stat: $!\n";
	my ($fields) = <$stat> =~ /\) (.*)/;
	return split / /, $fields;
}

sub median
{
	my @sorted = sort { $a <=> $b } @_;

	return $sorted[ @sorted / 2 ];
}

1;
