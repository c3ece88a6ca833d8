# Attempts of new users, and what is asked of the answers.  A file of them has lines
#
#   as ROLE             who makes the attempts below
#   try STATEMENT       an attempt, which the next line judges:
#   result              it returns rows or says what was done, and is no error
#   result TEXT         ... and TEXT, a regular expression, is in it
#   notice TEXT         it is done, with a NOTICE or WARNING in which TEXT is
#   error CODE          it fails with that SQLSTATE; what then follows does what message and hint say:
#   then STATEMENT      must succeed; what stands in «» stood so in the message or its hint
#   then ROLE: STATEMENT    the same by another role, where only that can help
#   done STATEMENT      puts right what the lines before have changed
#
# and comments.  An error without `then` is one where nothing is to be done: `error CODE TEXT` says
# why in its words.
package Dpem::Attempts;

use strict;
use warnings;

use Exporter qw(import);

our @EXPORT = qw(attempts_scenes attempts_script attempts_answers attempt_fault);

my $mark = '@@ next @@';

# Scenes of a file: runs of steps of one role; a step has statement, kind, code, text, quoted and line.
sub attempts_scenes
{
	my ($text) = @_;
	my ($role, $number, @scenes) = ('', 0);

	foreach my $line (split /\n/, $text)
	{
		$number++;
		next if $line =~ /^\s*(#|$)/;
		my ($word, $rest) = $line =~ /^(as|try|result|notice|error|then|done)\b ?(.*)$/ or die "line $number: $line";

		if ($word eq 'as') { $role = $rest; }
		elsif ($word =~ /^(try|then|done)$/) { add_step(\@scenes, $role, { kind => $word, line => $number }, $rest); }
		else { judge_step($scenes[-1]{steps}[-1], $word, $rest); }
	}
	check_errors(map { @{ $_->{steps} } } @scenes);
	return @scenes;
}

# An error that neither leads anywhere nor says why is no answer.
sub check_errors
{
	my @steps = @_;

	foreach my $i (grep { $steps[$_]{kind} eq 'error' && !defined $steps[$_]{text} } 0 .. $#steps)
	{
		die "line $steps[$i]{line}: nothing follows the error" if ($steps[ $i + 1 ]{kind} // '') ne 'then';
	}
	return;
}

sub add_step
{
	my ($scenes, $role, $step, $statement) = @_;

	$role = $1 if $statement =~ s/^(\w+): //;
	$step->{quoted} = [ $statement =~ /«(.*?)»/g ];
	$step->{statement} = $statement =~ s/[«»]//gr;
	push @$scenes, { role => $role, steps => [] } if !@$scenes || $scenes->[-1]{role} ne $role;
	push @{ $scenes->[-1]{steps} }, $step;
	return;
}

sub judge_step
{
	my ($step, $kind, $rest) = @_;

	$step->{kind} = $kind;
	$step->{code} = $1 if $kind eq 'error' && $rest =~ s/^(\w{5})\s*//;
	$step->{text} = $rest if $rest ne '';
	return;
}

# One script for psql; each statement has the session's settings of the beginning.
sub attempts_script
{
	return join '', map { "$_\n;\n\\echo $mark\n\\warn $mark\nROLLBACK;\nRESET ALL;\n\\warn $mark\n" } @_;
}

sub attempts_answers
{
	my ($out, $err, $count) = @_;
	my @out = split /^\Q$mark\E\n/m, $out, -1;
	my @err = split /^\Q$mark\E\n/m, $err, -1;

	return map { { out => $out[$_] // '', err => $err[ 2 * $_ ] // '' } } 0 .. $count - 1;
}

# What is wrong with the answer to a step, or ''; $attempt: the answer to the attempt that it follows.
sub attempt_fault
{
	my ($step, $answer, $attempt) = @_;
	my $kind = $step->{kind};
	my ($code) = $answer->{err} =~ /^(?:psql:\S+ )?ERROR:  (\w{5}):/m;
	my $all = $answer->{out} . $answer->{err};

	return "SQLSTATE " . ($code // 'none') . ", not $step->{code}" if $kind eq 'error' && ($code // '') ne $step->{code};
	return 'fails' if $kind ne 'error' && $code;
	return 'no NOTICE' if $kind eq 'notice' && $answer->{err} !~ /^(NOTICE|WARNING):/m;
	return 'says nothing' if $kind eq 'result' && $all !~ /\S/;
	return "does not say $step->{text}" if defined $step->{text} && $all !~ /$step->{text}/;
	foreach my $quoted (@{ $step->{quoted} })
	{
		return "the hint does not say $quoted" if index($attempt->{err}, $quoted) < 0;
	}
	return '';
}

1;
