# ALTER EXTENSION UPDATE along every path of installed scripts ends with what a fresh installation
# has.  The comparison itself is tried on a made-up older version, of which one upgrade is right and
# others forget something; and a ledger that is upgraded goes on as it was.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $staged = $ENV{DPEM_ROOT} or die 'DPEM_ROOT does not name the private PostgreSQL';

sub slurp
{
	my ($file) = @_;

	open(my $in, '<', $file) or die "$file: $!";
	local $/;
	return <$in>;
}

sub spill
{
	my ($file, $text) = @_;

	open(my $out, '>', $file) or die "$file: $!";
	print $out $text;
	close($out) or die "$file: $!";
	return;
}

# ---- a server of our own, whose folder of extensions can be written to ----------

my $root = PostgreSQL::Test::Utils::tempdir . '/root';
system('cp', '-R', '-P', $staged, $root) == 0 or die 'no copy of the private PostgreSQL';
system('chmod', '-R', 'u+w', $root);
chomp(my $bin = `pg_config --bindir`);
chomp(my $share = `pg_config --sharedir`);
s/^\Q$staged\E/$root/ or die "$_ is not in $staged" foreach $bin, $share;
$ENV{PATH} = "$bin:$ENV{PATH}";
my ($extension) = "$share/extension";
my ($version) = slurp("$extension/dpem.control") =~ /^default_version = '([^']+)'/m;

# In the made-up version the functions of this fragment are still missing.
my $new = '82_plots.sql';
my %made_up = (
	right => sub { return $_[0] },
	'without a comment' => sub { return $_[0] =~ s/^COMMENT ON .*?;\n//msr },
	'without a function' => sub { return $_[0] =~ s/^CREATE FUNCTION .*?;\n(?:COMMENT ON .*?;\n)//msr },
	'without a right' => sub { return "$_[0]\nREVOKE SELECT ON dpem.models FROM PUBLIC;\n" },
	'without a dump' => sub { return "$_[0]\nUPDATE pg_catalog.pg_extension SET extcondition[1] = 'WHERE false' WHERE extname = 'dpem';\n" },
	'without a check' => sub { return "$_[0]\nDROP TRIGGER charge_append_only ON dpem_internal.charge;\n" });
my %made_up_version;
my $number = 0;

# installation scripts as they were released, which are not installed any more
foreach my $file (glob 'upgrade/dpem--*.sql')
{
	my ($name) = $file =~ m{([^/]*)$};

	spill("$extension/$name", slurp($file)) if $name ne "dpem--$version.sql";
}

foreach my $kind (sort keys %made_up)
{
	my $old = '0.0.' . ++$number;
	my $new_part = slurp("../src/sql/$new");
	my $upgrade = $made_up{$kind}->($new_part);

	spill("$extension/dpem--$old.sql", join('', map { slurp($_) } grep { !/\Q$new\E$/ } glob('../src/sql/[0-6]*.sql ../src/families/*/*.sql ../src/sql/[7-9]*.sql')));
	spill("$extension/dpem--$old--$version.sql", $upgrade);
	$made_up_version{$old} = $kind;
}

my $node = PostgreSQL::Test::Cluster->new('upgrade', install_path => $bin =~ s{/bin$}{}r);
$node->init;
$node->append_conf('postgresql.conf', 'max_worker_processes = 16');
$node->start;

sub catalog
{
	my ($database) = @_;

	return $node->safe_psql($database, slurp('upgrade/catalog.sql'));
}

# Lines that only one of two catalogs has.
sub differences
{
	my ($got, $wanted) = @_;
	my %got = map { $_ => 1 } split /\n/, $got;
	my %wanted = map { $_ => 1 } split /\n/, $wanted;

	return join("\n", (map { "+ $_" } grep { !$wanted{$_} } sort keys %got), (map { "- $_" } grep { !$got{$_} } sort keys %wanted));
}

sub after_update
{
	my ($database, $from) = @_;

	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, "CREATE EXTENSION dpem VERSION '$from'; ALTER EXTENSION dpem UPDATE TO '$version'");
	return catalog($database);
}

$node->safe_psql('postgres', 'CREATE EXTENSION dpem');
my $fresh = catalog('postgres');
cmp_ok(scalar(split /\n/, $fresh), '>', 500, 'there is a catalog to compare');

# ---- every path ------------------------------------------------------------------

my @from = split /\n/, $node->safe_psql('postgres', "SELECT source FROM pg_extension_update_paths('dpem') AS p
	JOIN pg_available_extension_versions AS v ON v.name = 'dpem' AND v.version = p.source WHERE target = '$version' AND path IS NOT NULL ORDER BY 1");
my $database = 0;

foreach my $from (@from)
{
	my $kind = $made_up_version{$from} // 'right';
	my $differences = differences(after_update('updated' . ++$database, $from), $fresh);

	$kind eq 'right' ? is($differences, '', "$from to $version: as if it were fresh") : isnt($differences, '', "an upgrade $kind is noticed");
}
my @real = grep { !$made_up_version{$_} } @from;
note(scalar(@real), ' real paths: ', join(', ', @real));
is(scalar(@from) - @real, scalar keys %made_up, 'every made-up path was walked');

# every script of the folder is part of a path that was walked
foreach my $file (glob '../src/sql/upgrade/dpem--*--*.sql')
{
	my ($from, $to) = $file =~ /dpem--([^-]+)--([^-]+)\.sql$/;

	ok(-e "$extension/dpem--$from--$to.sql", "$from to $to is installed");
	ok(-e "upgrade/dpem--$from.sql", "test/upgrade has $from as it was released");
	is($node->safe_psql('postgres', "SELECT path IS NOT NULL FROM pg_extension_update_paths('dpem') WHERE source = '$from' AND target = '$version'"),
		't', "$from leads to $version");
}

# ---- a ledger goes on -------------------------------------------------------------

my ($old) = grep { $made_up_version{$_} eq 'right' } keys %made_up_version;
$node->safe_psql('postgres', 'CREATE DATABASE ledger');
$node->safe_psql('ledger', "CREATE EXTENSION dpem VERSION '$old'; CREATE TABLE people AS SELECT random() AS x FROM generate_series(1, 200);
	SELECT dp_register_dataset('people', 'people', 2, 1e-5), dp_register_column('people', 'x', 0, 1);
	SELECT dp_grant_budget(current_user::regrole, 'people', 2, 1e-5); SELECT count(*) FROM dp_gmm_fit('people', 1, 0.5, model => 'before')");
my $budget = 'SELECT role, epsilon, spent_epsilon, charges, restored_from FROM dpem.budgets ORDER BY 1';
my $before = $node->safe_psql('ledger', $budget);
my $lines = $node->safe_psql('ledger', 'SELECT * FROM dpem.ledger ORDER BY 1');
$node->safe_psql('ledger', 'ALTER EXTENSION dpem UPDATE');
is($node->safe_psql('ledger', $budget), $before, 'what was spent is what it was');
is($node->safe_psql('ledger', 'SELECT * FROM dpem.ledger ORDER BY 1'), $lines, 'so is every line of the ledger');
is($node->safe_psql('ledger', "SELECT count(*) FROM dp_gmm_fit('people', 1, 0.5, model => 'after')"), '1', 'and it is charged on');

$node->stop;
done_testing();
