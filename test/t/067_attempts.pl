# What new users get wrong: each attempt in test/attempts ends with a result, with a NOTICE that helps,
# or with an error whose hint, followed to the letter, works.
use strict;
use warnings;

use Dpem::Attempts;
use Dpem::Test;
use IPC::Run;
use Test::More;

# the tests run in the directory `test` of the tree
my @files = glob('attempts/*.txt');
my $node = start_bare_server('attempts', 'dpem.fresh = off');

# What psql says of statements of a role, each by itself: [{ out, err }, ...].
sub answers
{
	my ($role, @statements) = @_;
	my ($out, $err);

	my @command = ($node->installed_command('psql'), '-X', '-q', '-A', '-t', '-v', 'VERBOSITY=verbose', '-d', $node->connstr('postgres') . ($role ? " user=$role" : ''));
	IPC::Run::run(\@command, '<', \attempts_script(@statements), '>', \$out, '2>', \$err);
	return attempts_answers($out, $err, scalar @statements);
}

my ($setup) = answers('', Dpem::Test::slurp_binary('attempts/setup.sql'));
is(join(' ', $setup->{err} =~ /ERROR.*/g), '', 'what attempts take for granted is there');

# Attempts run in the order of the files; those that follow one another with one role share a session.
my $attempts = 0;
my $attempt;

foreach my $file (@files)
{
	foreach my $scene (attempts_scenes(Dpem::Test::slurp_binary($file)))
	{
		my @answers = answers($scene->{role}, map { $_->{statement} } @{ $scene->{steps} });

		foreach my $i (0 .. $#answers)
		{
			my $step = $scene->{steps}[$i];

			$attempt = $answers[$i] if $step->{kind} !~ /^(then|done)$/;
			my $wrong = attempt_fault($step, $answers[$i], $attempt);

			is($wrong, '', "$scene->{role}: $step->{statement}") or diag("$file, line $step->{line}: $answers[$i]{out}$answers[$i]{err}");
			$attempts++ if $step->{kind} !~ /^(then|done)$/;
		}
	}
}
cmp_ok($attempts, '>=', 260, "$attempts attempts");

$node->stop;
done_testing();
