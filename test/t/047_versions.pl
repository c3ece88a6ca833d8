# What a server version renamed is used through src/server/version_shims.h only, and every place that says
# a version of the extension says the same one.
use strict;
use warnings;

use JSON::PP;
use Test::More;

# the tests run in the directory `test` of the tree
sub slurp
{
	my ($file) = @_;

	open(my $in, '<', $file) or die "$file: $!";
	local $/;
	return <$in>;
}

# name => the header that declares it, in some version not by way of another
my $shims = slurp('../src/server/version_shims.h');
my %header = map { $_ => 'server/version_shims.h' }
  ($shims =~ /^#define (\w+)[( ].*\S/mg), ($shims =~ /^(\w+)\((?:FunctionCallInfo|Query)/mg), qw(VARDATA VARDATA_ANY VARSIZE VARSIZE_ANY_EXHDR SET_VARSIZE);
$header{$_} = 'storage/shmem.h' foreach qw(add_size mul_size);
cmp_ok(scalar keys %header, '>=', 10, 'there are shims');

my @bare;

foreach my $file (glob '../src/*.[ch] ../src/*/*.[ch] ../src/*/*/*.[ch]')
{
	my $text = slurp($file);

	next if $file =~ m{/(core/|version_shims\.h$)};
	push @bare, map { "$file: $_ without $header{$_}" }
	  grep { $text =~ /\b$_\b/ && $text !~ /#include "\Q$header{$_}\E"/ } sort keys %header;
	push @bare, "$file: pg_attribute_noreturn in place of pg_noreturn" if $text =~ /pg_attribute_noreturn/;
}
is(join("\n", @bare), '', 'names that versions differ in come by the shims');

my ($version) = slurp('../dpem.control') =~ /^default_version = '([^']+)'/m;
my $meta = decode_json(slurp('../META.json'));

like($version, qr/^\d+\.\d+\.\d+$/, 'dpem.control has a version');
is($meta->{version}, $version, 'META.json: the distribution has it');
is($meta->{provides}{dpem}{version}, $version, 'META.json: the extension has it');
like(slurp('../CHANGELOG.md'), qr/^## \Q$version\E( |$)/m, 'CHANGELOG.md has a heading for it');
like((split /\n/, slurp('../debian/changelog'))[0], qr/ \(\Q$version\E-/, 'debian/changelog begins with it') if -e '../debian/changelog';

# https://pgxn.org/spec: what PGXN requires
ok(defined $meta->{$_}, "META.json: $_") foreach qw(name version abstract maintainer license provides meta-spec);
ok(-e "../$meta->{provides}{dpem}{$_}", "META.json: the $_ is there") foreach qw(file docfile);

# ... and refuses a distribution for: a version that is not of three numbers, wherever it stands
my %asked = map { %{ $_->{requires} // {} }, %{ $_->{recommends} // {} } } values %{ $meta->{prereqs} };
like($asked{$_}, qr/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/, "META.json: the version of $_ is semantic") foreach sort keys %asked;

done_testing();
