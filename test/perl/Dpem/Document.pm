# A Markdown document as a script for psql, line by line the same, so that psql's messages give the
# document's line numbers.
#
# Every block ```sql is run, in a database of the document's own that has the extension, from top to
# bottom, as a superuser.  Lines of their own, which readers do not see, say otherwise:
#
#   <!-- as ana -->            the blocks below run as that role (superuser: as at first)
#   <!-- error DP001 -->       the next block ends with that SQLSTATE, and no other has an error
#   <!-- last as ana -->       the next block runs after all others, as that role
#   <!-- not run: reason -->   the next block is not run
#   <!-- with patients -->     runs test/documents/patients.sql, what readers take for granted
#   <!-- sql                   runs like a block, up to the line -->
package Dpem::Document;

use strict;
use warnings;

use Cwd qw(getcwd);
use Exporter qw(import);

our @EXPORT = qw(document_script);

my $folder = getcwd . '/documents';

# Returns the script and the numbers of blocks run and not run.  $superuser: what "superuser" stands for.
sub document_script
{
	my ($text, $superuser) = @_;
	my (@script, @last, $fence, $hidden, $error, $check, $later, $left_out);
	my $user = 'superuser';
	my ($run, $not_run) = (0, 0);

	foreach my $line (split(/\n/, $text), '')
	{
		my $out = '';

		if (defined $fence)
		{
			if ($line =~ /^\s*```\s*$/)
			{
				($out, $check) = ('\set ON_ERROR_STOP on', $error) if $error;
				undef $fence;
				($error, $later, $left_out) = ();
			}
			elsif ($fence eq 'sql') { $later ? push(@last, $line) : ($out = $line); }
		}
		elsif ($hidden) { $line =~ /^-->/ ? undef $hidden : ($out = $line); }
		elsif ($line =~ /^\s*```(\w*)/)
		{
			my $sql = $1 eq 'sql';

			$fence = $sql && !$left_out ? 'sql' : 'other';
			$run++ if $fence eq 'sql';
			$not_run++ if $sql && $left_out;
			$out = '\set ON_ERROR_STOP off' if $error && $fence eq 'sql';
			push @last, '\c - ' . ($later eq 'superuser' ? $superuser : $later) if $later;
		}
		elsif ($line =~ /^<!-- sql$/) { $hidden = 1; }
		elsif ($line =~ /^<!-- with (\w+) -->$/) { $out = "\\i $folder/$1.sql"; }
		elsif ($line =~ /^<!-- as (\w+) -->$/)
		{
			$user = $1;
			$out = '\c - ' . ($user eq 'superuser' ? $superuser : $user);
		}
		elsif ($line =~ /^<!-- error (\w{5}) -->$/) { $error = $1; }
		elsif ($line =~ /^<!-- last as (\w+) -->$/) { $later = $1; }
		elsif ($line =~ /^<!-- not run: .+ -->$/) { $left_out = 1; }
		elsif ($check)
		{
			$out = "SELECT 1 / (:'LAST_ERROR_SQLSTATE' = '$check')::int AS fails_as_said;";
			undef $check;
		}
		push @script, $out;
	}
	return (join("\n", @script, @last) . "\n", $run, $not_run);
}

1;
