# Without noise topics and bounds are those that an independent implementation
# of variational Bayes found, whatever form the documents have, serial and parallel.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $tolerance = 1e-6;
my $file = shared_file('golden', 'lda.json');
my $data = shared_file('data', 'kos.docs.gz');

plan skip_all => 'the reference fit or its data are not here' unless $file && $data;

my $golden = read_json($file);
my ($k, $terms) = @$golden{qw(topics vocabulary)};
my $node = start_server('lda_golden');
my %settings = scan_settings();

# the first 300 documents, terms below the vocabulary's length, none without terms
my @rows;

open(my $in, '-|', 'gzip', '-dc', $data) or die "$data: $!";
while (<$in>)
{
	last if $. > 300;
	my @pairs = grep { $_->[0] < $terms } map { [ split /:/ ] } split;

	next unless @pairs;
	push @rows, join "\t", sprintf('{{%s},{%s}}', join(',', map { $_->[0] + 1 } @pairs), join(',', map { $_->[1] } @pairs)),
	  '{' . join(',', map { ('w' . ($_->[0] + 1)) x $_->[1] } @pairs) . '}',
	  join(' ', map { my $n = $_->[1]; "w" . ($_->[0] + 1) . ':' . join(',', 1 .. $n) } @pairs);
}
close($in);
is(scalar @rows, $golden->{kept}, 'documents');

$node->safe_psql('postgres', "CREATE TABLE posts (counted int[], words text[], vector tsvector);\nCOPY posts FROM stdin;\n" . join("\n", @rows) . "\n\\.\nANALYZE posts");
register_table($node, 'posts', 'posts', []);
my $vocabulary = '{' . join(',', map { "w$_" } 1 .. $terms) . '}';
my $start = pg_array([ map { my $t = $_; map { 1 + ((7 * $t + 3 * $_) % 11) / 10 } 0 .. $terms - 1 } 0 .. $k - 1 ]);

foreach my $column (qw(counted words vector))
{
	$node->safe_psql('postgres', "SELECT dp_register_text('posts', '$column', '$vocabulary'::text[])");
	foreach my $mode (sort keys %settings)
	{
		my $fit = query_json($node, "$settings{$mode} SELECT json_agg(f ORDER BY topic) FROM dp_lda_fit('posts', $k, 'Infinity', document_column => '$column',"
			  . " iterations => $golden->{passes}, document_length => 0, alpha => $golden->{alpha}, eta => $golden->{eta}, init_topics => '$start') f");

		cmp_ok(difference([ map { $_->{lambda} } @$fit ], $golden->{lambda_after}), '<', $tolerance, "$column, $mode: topics");
		cmp_ok(difference($fit->[0]{bounds}, $golden->{bounds}), '<', $tolerance, "$column, $mode: bounds");
	}
}

$node->stop;
done_testing();
