# What src/README.md says of the folders, read off every #include: arrows run
# downwards only, core knows no server, raw state stays between the scan and the
# wall, families do not know each other, entropy and BLAS have one home each.
use strict;
use warnings;

use File::Find;
use Test::More;

# each may include what stands before it, and itself
my @rooms = qw(
  core/numeric core/noise core/pass core/accounting core/kernels core/online core/columns
  core/gmm core/density core/mixture core/refine core/kmeans core/factors core/linreg core/logit core/replay core/gam core/gam_search core/bayes core/lda core/sbn
  core/statistics core/robust core/evaluation core/svg core/synth
  blas server registry ledger scan scan/query wall answers fit export families fdw api api/datasets api/selftest .);
my %place = map { $rooms[$_] => $_ } 0 .. $#rooms;

# Random bytes: noise (wall), samples and draws inside an aggregate (scan; of kernels, dpem.c hands them), and what is drawn from
# released models (api, families).
my $entropy_readers = qr{^(server/entropy\.c|dpem\.c|wall/|scan/|api/model_sample\.c|families/\w+/\w+_(use|paper)\.c)};

my %limit = (files => 30, lines => 400);

sub room
{
	my ($file) = @_;
	my $folder = $file =~ m{^(.*)/[^/]+$} ? $1 : '.';

	return $folder =~ m{^families/} ? 'families' : $folder;
}

sub family { return $_[0] =~ m{^families/(\w+)/} ? $1 : '' }

# what is wrong with one file's includes: a list of sentences
sub violations
{
	my ($file, @included) = @_;
	my @found;

	push @found, "$file stands in no room" unless defined $place{ room($file) };
	foreach my $header (@included)
	{
		my $ours = defined $place{ room($header) } && $header =~ m{/};

		push @found, "$file: core includes the server's $header"
		  if $file =~ m{^core/} && !$ours && $header !~ /^<[a-z]+\.h>$/;
		push @found, "$file includes $header, upwards"
		  if $ours && ($place{ room($header) } > ($place{ room($file) } // -1));
		push @found, "$file includes raw state: $header"
		  if $header =~ m{(^|/)(raw_\w+|moment_state)\.h$} && $file !~ m{^(scan|wall)/};
		push @found, "$file includes another family's $header"
		  if family($header) && family($file) && family($file) ne family($header);
		push @found, "$file includes $header: entropy has one home"
		  if $header eq 'server/entropy.h' && $file !~ $entropy_readers;
		push @found, "$file includes $header: BLAS is behind its table"
		  if ($header =~ /^<(cblas|lapacke?)\.h>$/ && $file !~ m{^blas/})
		  || ($header eq 'core/numeric/blas.h' && $file !~ m{^(blas/|core/numeric/linalg\.c|server/blas_library\.c)});
	}
	return @found;
}

sub slurp
{
	my ($file) = @_;

	open(my $in, '<', $file) or die "$file: $!";
	local $/;
	return <$in>;
}

# the tests run in the directory `test` of the tree
my $top = '../src';
my (%includes, %files_in, %lines);

find(
	sub {
		return unless /\.[ch]$/;
		my $file = $File::Find::name =~ s{^\Q$top\E/}{}r;
		my $text = slurp($_);

		$lines{$file} = ($text =~ tr/\n//);
		$files_in{ $File::Find::dir }++;
		$includes{$file} = [ map { s/"//gr } $text =~ /^\s*#\s*(?:include|define KERNEL_BODY)\s+(<[^>]+>|"[^"]+")/mg ];
	},
	$top);

cmp_ok(scalar keys %includes, '>=', 300, 'the sources are there');

my @found = map { violations($_, @{ $includes{$_} }) } sort keys %includes;
is(join("\n", @found), '', 'no include against the rules');

my @callers = grep { /\.c$/ && $_ ne 'server/entropy.c' && slurp("$top/$_") =~ /pg_strong_random\s*\(/ } sort keys %includes;
is("@callers", '', 'nobody else asks the operating system for random bytes');

is(join(' ', map { "$_: $files_in{$_}" } grep { $files_in{$_} >= $limit{files} } sort keys %files_in), '', 'no crowded room');
is(join(' ', map { "$_: $lines{$_}" } grep { $lines{$_} > $limit{lines} } sort keys %lines), '', 'no file of more than one topic');

my %test_lines;
find(sub { $test_lines{$File::Find::name} = (slurp($_) =~ tr/\n//) if /\.[ch]$/ }, qw(audit bench fuzz unit));
cmp_ok(scalar keys %test_lines, '>=', 150, 'the programs of tests and benches are there');
is(join(' ', map { "$_: $test_lines{$_}" } grep { $test_lines{$_} > $limit{lines} } sort keys %test_lines), '', '... nor a test of more than one topic');

# a test of the test: each rule finds the one that breaks it
my @planted = (
	[ 'core/pass/features.c', '"postgres.h"', 'core includes the server' ],
	[ 'core/noise/noise.c', 'core/pass/moments.h', 'upwards' ],
	[ 'ledger/charge.c', 'scan/query/source.h', 'upwards' ],
	[ 'fit/fit_run.c', 'scan/raw_moments.h', 'raw state' ],
	[ 'families/gmm/gmm_fit.c', 'scan/query/raw_keys.h', 'raw state' ],
	[ 'families/gmm/gmm_fit.c', 'families/lda/lda_store.h', 'another family' ],
	[ 'fit/fit_run.c', 'server/entropy.h', 'entropy has one home' ],
	[ 'core/factors/pca.c', 'core/numeric/blas.h', 'BLAS is behind its table' ],
	[ 'families/gmm/gmm_fit.c', '<cblas.h>', 'BLAS is behind its table' ]);

foreach my $plant (@planted)
{
	my ($file, $header, $complaint) = @$plant;

	ok(exists $includes{$file}, "$file is there");
	like(join("\n", violations($file, $header =~ s/"//gr)), qr/\Q$complaint\E/, "planted in $file: $header");
	is(join("\n", violations($file, @{ $includes{$file} })), '', "... and $file as it is passes");
}

done_testing();
