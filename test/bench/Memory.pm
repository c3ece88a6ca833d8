# The memory that a session and its parallel workers hold while a query runs.
package Memory;

use strict;
use warnings;

use Exporter qw(import);
use POSIX ();

our @EXPORT = qw(peak_memory);

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

# growth, in MB, of what the backend of that process number holds at its peak while work runs
sub peak_memory
{
	my ($process, $work) = @_;
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
	$work->();
	kill('TERM', $child);
	my $most = <$read>;
	waitpid($child, 0);
	return ($most - $before) / 1024;
}

1;
