# The dashboard of examples/private in a browser without a screen: plain SQL of a private table by a role
# that may read nothing else, whose second load spends nothing.
use strict;
use warnings;

use Dpem::Test;
use IPC::Run;
use Test::More;

# what it needs, and how to see whether that is there
my @needed = (
	[ 'Chromium', 'command -v chromium' ],
	[ 'chromedriver', 'command -v chromedriver' ],
	[ 'Selenium for Python', q{/usr/bin/python3 -c 'import selenium'} ],
	[ 'Shiny and RPostgreSQL', q{Rscript -e 'library(shiny); library(RPostgreSQL)'} ]);

foreach my $need (@needed)
{
	plan skip_all => "$need->[0] is not installed" if system("$need->[1] >/dev/null 2>&1") != 0;
}

my $node = start_bare_server('dashboard');
my $out = PostgreSQL::Test::Utils::tempdir;

# the tests run in the directory `test` of the tree
local %ENV = (%ENV, PATH => $node->config_data('--bindir') . ":$ENV{PATH}", PGHOST => $node->host, PGPORT => $node->port, PGUSER => 'postgres', PGDATABASE => 'postgres', HOME => $out);
my $said;
IPC::Run::run([ '/usr/bin/python3', 'browser/run.py', $out, 'private' ], '>&', \$said, IPC::Run::timeout(600));

ok($_ =~ /^ok: /, $_) foreach $said =~ /^(?:not )?ok: .*/mg;
like($said, qr/^\d+ ok; screenshots in /m, 'the dashboard was looked at to its end') or diag($said);

$node->stop;
done_testing();
