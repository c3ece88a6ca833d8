# A listener between two servers that counts what passes: bytes each way.
package Dpem::Wire;

use strict;
use warnings;

use IO::Select;
use IO::Socket::UNIX;
use PostgreSQL::Test::Utils;
use Socket qw(SOCK_STREAM);

# Stands in front of the server of a node: connect to host() and port() instead of the node's.
sub new
{
	my ($class, $node) = @_;
	my $dir = PostgreSQL::Test::Utils::tempdir_short();
	my $self = bless { dir => $dir, port => $node->port, log => "$dir/log" }, $class;
	my $listener = IO::Socket::UNIX->new(Type => SOCK_STREAM, Local => "$dir/.s.PGSQL." . $node->port, Listen => 16)
	  or die "$dir: $!";

	$self->{pid} = fork() // die "fork: $!";
	if ($self->{pid} == 0)
	{
		eval { forward($listener, $node->host . '/.s.PGSQL.' . $node->port, $self->{log}); };
		require POSIX;
		POSIX::_exit(0);
	}
	close($listener);
	return $self;
}

sub host { return $_[0]->{dir}; }
sub port { return $_[0]->{port}; }

# Until it is killed or the test ends: each connection has a process of its own, so that one whose other
# side does not read holds up no other, least of all a request to cancel it.
sub forward
{
	my ($listener, $server, $file) = @_;
	my $waiting = IO::Select->new($listener);
	my $test = getppid();

	local $SIG{CHLD} = 'IGNORE';
	while (getppid() == $test)
	{
		next if !$waiting->can_read(1);
		my $client = $listener->accept or next;
		my $behind = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $server) or next;

		next if fork() // die "fork: $!";
		close($listener);
		pass_on($client, $behind, $file);
		require POSIX;
		POSIX::_exit(0);
	}
	return;
}

# Until either side ends: passes bytes on, and appends their number to the log, negative for those sent to the server.
sub pass_on
{
	my ($client, $behind, $file) = @_;
	my $select = IO::Select->new($client, $behind);
	my $listener = getppid();

	open(my $log, '>>', $file) or die "$file: $!";
	$log->autoflush(1);
	while (getppid() == $listener)
	{
		foreach my $socket ($select->can_read(1))
		{
			my $n = sysread($socket, my $bytes, 65536) or return;

			print $log $socket == $client ? -$n : $n, "\n";
			write_all($socket == $client ? $behind : $client, $bytes) or return;
		}
	}
	return;
}

sub write_all
{
	my ($socket, $bytes) = @_;
	local $SIG{PIPE} = 'IGNORE';

	for (my $at = 0; $at < length $bytes;)
	{
		my $n = syswrite($socket, $bytes, length($bytes) - $at, $at) or return 0;
		$at += $n;
	}
	return 1;
}

# Bytes that came from the server until now.
sub received
{
	my ($self) = @_;
	my $sum = 0;

	open(my $in, '<', $self->{log}) or return 0;
	while (my $n = <$in>) { $sum += $n if $n > 0; }
	return $sum;
}

sub stop
{
	my ($self) = @_;

	return if !$self->{pid};
	kill('TERM', $self->{pid});
	waitpid($self->{pid}, 0);
	delete $self->{pid};
	return;
}

1;
