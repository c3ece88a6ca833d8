# Without noise topics and bounds are those that an independent implementation
# of variational Bayes found, whatever form the documents have, serial and parallel.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $tolerance = 1e-6;
my $node = start_server('lda_golden');
my %settings = scan_settings();

# The first 300 documents, terms below the vocabulary's length, none without terms: lines to copy, in three forms.
sub documents
{
	my ($file, $terms) = @_;
	my @rows;

	open(my $in, '-|', 'gzip', '-dcf', $file) or die "$file: $!";
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
	return @rows;
}

sub check_fit
{
	my ($golden, $column, $mode) = @_;
	my ($name, $k, $terms) = @$golden{qw(corpus topics vocabulary)};
	my $start = pg_array([ map { my $t = $_; map { 1 + ((7 * $t + 3 * $_) % 11) / 10 } 0 .. $terms - 1 } 0 .. $k - 1 ]);
	my $fit = query_json($node, "$settings{$mode} SELECT json_agg(f ORDER BY topic) FROM dp_lda_fit('$name', $k, 'Infinity', document_column => '$column',"
		  . " iterations => $golden->{passes}, document_length => 0, alpha => $golden->{alpha}, eta => $golden->{eta}, init_topics => '$start') f");

	cmp_ok(difference([ map { $_->{lambda} } @$fit ], $golden->{lambda_after}), '<', $tolerance, "$name, $column, $mode: topics");
	cmp_ok(difference($fit->[0]{bounds}, $golden->{bounds}), '<', $tolerance, "$name, $column, $mode: bounds");
	return;
}

foreach my $golden (golden_values('lda.json'))
{
	my $name = $golden->{corpus};
	my $vocabulary = '{' . join(',', map { "w$_" } 1 .. $golden->{vocabulary}) . '}';
	my @rows = documents($golden->{data}, $golden->{vocabulary});

	is(scalar @rows, $golden->{kept}, "$name: documents");
	$node->safe_psql('postgres', "CREATE TABLE $name (counted int[], words text[], vector tsvector);\nCOPY $name FROM stdin;\n" . join("\n", @rows) . "\n\\.\nANALYZE $name");
	register_table($node, $name, $name, []);
	foreach my $column (qw(counted words vector))
	{
		$node->safe_psql('postgres', "SELECT dp_register_text('$name', '$column', '$vocabulary'::text[])");
		check_fit($golden, $column, $_) foreach sort keys %settings;
	}
}

$node->stop;
done_testing();
