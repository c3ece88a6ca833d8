# The documents say what is so: every block of SQL in README.md and docs runs (Dpem::Document says
# how), links and make targets that they name are there, and docs/reference.md is what the catalog
# says now.
use strict;
use warnings;

use Dpem::Document;
use Dpem::Test;
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

# the tests run in the directory `test` of the tree
my $top = '..';
my @documents = grep { -f } ("$top/README.md", glob("$top/docs/*.md"), glob("$top/docs/*/*.md"), glob("$top/examples/*/*.md"));

sub slurp
{
	my ($file) = @_;

	open(my $in, '<:encoding(UTF-8)', $file) or die "$file: $!";
	local $/;
	return <$in>;
}

sub name_of { return $_[0] =~ s{^\Q$top\E/}{}r; }

# ---- the reader of documents itself --------------------------------------------

my ($script, $run, $not_run) = document_script(<<'MD', 'root');
text
<!-- as ana -->
```sql
SELECT 1;
```
<!-- error 22012 -->
```sql
SELECT 1 / 0;
```

<!-- not run: no -->
```sql
SELECT 2;
```
```sh
make all
```
MD
is($script =~ s/\n+\z//r, <<'SQL' =~ s/\n+\z//r, 'a document becomes a script');

\c - ana

SELECT 1;


\set ON_ERROR_STOP off
SELECT 1 / 0;
\set ON_ERROR_STOP on
SELECT 1 / (:'LAST_ERROR_SQLSTATE' = '22012')::int AS fails_as_said;
SQL
is(($script =~ tr/\n//), 18, 'of as many lines');
is("$run $not_run", '2 1', 'its blocks are counted');

# ---- SQL -----------------------------------------------------------------------

my $node = start_server('documents', 'dpem.fresh = off');
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');
my $dir = PostgreSQL::Test::Utils::tempdir;

# psql's exit status and messages
sub run_script
{
	my ($database, $script) = @_;
	my $file = "$dir/$database.sql";

	open(my $out, '>:encoding(UTF-8)', $file) or die "$file: $!";
	print $out $script;
	close($out);
	my ($stdout, $stderr);
	my $ok = IPC::Run::run([ $node->installed_command('psql'), '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($database), '-c', "\\cd $dir", '-f', $file ],
		'>', \$stdout, '2>', \$stderr);

	return ($ok, join("\n", grep { /ERROR|FATAL|HINT|DETAIL/ } split /\n/, $stderr));
}

# A database of its own with the extension, and afterwards no trace of it or of roles made there.
sub in_fresh_database
{
	my ($database, $script) = @_;

	create_database($node, $database);
	my ($ok, $messages) = run_script($database, $script);
	$node->safe_psql('postgres', "DROP DATABASE $database WITH (FORCE)");
	my $roles = $node->safe_psql('postgres',
		"SELECT string_agg(format('%I', rolname), ', ') FROM pg_roles WHERE rolname !~ '^pg_' AND rolname <> current_user");
	$node->safe_psql('postgres', "DROP ROLE $roles") if $roles ne '';
	return ($ok, $messages);
}

sub fails
{
	my ($script) = @_;
	my ($ok) = in_fresh_database('wrong', $script);

	return !$ok;
}

ok(fails("SELECT 1 / 0;\n"), 'a block with an error is noticed');
ok(fails((document_script("<!-- error DP001 -->\n```sql\nSELECT 1 / 0;\n```\n", $superuser))[0]), 'an error other than the one that was said is noticed');
ok(fails((document_script("<!-- error DP001 -->\n```sql\nSELECT 1;\n```\n", $superuser))[0]), 'a missing error is noticed');

my $number = 0;

foreach my $file (@documents)
{
	my ($script, $run, $not_run) = document_script(slurp($file), $superuser);

	next if !$run && !$not_run;
	my ($ok, $messages) = in_fresh_database('document' . ++$number, $script);
	ok($ok, name_of($file) . ": $run blocks run") or diag("$messages\ndocs/testing.md, Documents, says which comments tell as whom and on what a block runs");
	note(name_of($file) . ": $not_run blocks are not run") if $not_run;
}
cmp_ok($number, '>=', 4, 'there are documents with SQL');

# ---- a stranger's way ------------------------------------------------------------

# Commands of the blocks of a section: lines of a shell, and statements and backslash commands of psql.
sub commands_of
{
	my ($text, $heading) = @_;
	my ($section) = $text =~ /^## \Q$heading\E.*?\n(.*?)^## /ms or die "no section $heading";

	$section =~ s/<!-- sql\n.*?^-->//msg;
	my $shell = join '', $section =~ /^```sh\n(.*?)^```/msg;
	my $sql = join '', $section =~ /^```sql\n(.*?)^```/msg;
	return ((grep { /\S/ } split /\n/, $shell), $sql =~ /(?:;$|^\\\w+)/mg);
}

my $commands = () = commands_of(slurp("$top/docs/tutorial.md"), 'Your own CSV');
cmp_ok($commands, '>', 10, "the tutorial's way from a clone to a dashboard is found");
cmp_ok($commands, '<=', 15, "... and takes $commands commands");

# ---- links and commands --------------------------------------------------------

my %target = map { $_ => 1 } slurp("$top/Makefile") =~ /^#: make ([\w-]+)/mg;

foreach my $file (@documents)
{
	my $text = slurp($file);
	(my $folder = $file) =~ s{[^/]*$}{};
	my @missing = grep { !-e "$folder$_" } map { s/#.*//r } grep { !/^\w+:|^#/ } $text =~ /\]\(([^)\s]+)\)/g;
	my @unknown = grep { !$target{$_} } map { /\bmake ([a-z][a-z-]*)/g } $text =~ /^```sh\n(.*?)^```/msg;
	my @gone = grep { !-x "$top/$_" } map { m{\b(scripts/[\w.-]+\.sh)}g } $text =~ /^```sh\n(.*?)^```/msg;

	is("@missing", '', name_of($file) . ': what it links to is there');
	is("@unknown @gone", ' ', name_of($file) . ': the commands that it names are there');
}

# ---- the reference -------------------------------------------------------------

# loading the library makes its settings known
my @now = split /\n/, $node->safe_psql('postgres', "LOAD 'dpem';\n" . slurp_binary("$top/scripts/reference.sql"));
my @written = split /\n/, slurp_binary("$top/docs/reference.md");
my %now = map { $_ => 1 } @now;
my %written = map { $_ => 1 } @written;

ok("@now" eq "@written", 'docs/reference.md is what make reference writes now')
  or diag(join("\n", 'run make reference', (map { "- $_" } grep { !$now{$_} } @written), (map { "+ $_" } grep { !$written{$_} } @now)));

$node->stop;
done_testing();
