#!/usr/bin/perl
#
# The golden values of the accountant as lines of whitespace-separated words:
#
#     kind rel_tol in.NAME=VALUE ... out.NAME=VALUE ...
#
# Booleans are 1 and 0, null is "null".
use strict;
use warnings;

use File::Basename qw(dirname);
use JSON::PP;

my $name = dirname(__FILE__) . '/../golden/accountant.json';

open(my $file, '<', $name) or die "$name: $!";
my $golden = decode_json(do { local $/; <$file> });
close($file);

sub words
{
	my ($prefix, $values) = @_;

	return map {
		my $value = $values->{$_};
		$value = 'null' if !defined $value;
		$value = $value ? 1 : 0 if JSON::PP::is_bool($value);
		"$prefix.$_=$value";
	} sort keys %$values;
}

foreach my $entry (@{ $golden->{entries} })
{
	print join(' ', $entry->{kind}, $entry->{rel_tol},
		words('in', $entry->{inputs}), words('out', $entry->{expect})), "\n";
}
