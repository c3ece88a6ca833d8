# The noise that dp_lda_fit really adds to the words of a topic and term is the
# noise that dp_lda_plan announces; documents that are drawn to a length are drawn
# anew each time.
#
# With one pass from topics that are all the same, every topic has the same part
# of a document's words, so that the sums without noise are known: 40 entries of 12.5
# words, of norm 79, which a clip at 0.2 * 500 leaves as they are.  The sums are far above
# the noise, so that none is cut off at zero.
#
# The mean of 4000 squares of normal deviates over their variance is within
# 0.88 and 1.13 but for one time in 10^7; halved noise gives 0.25.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my ($fits, $documents, $terms, $topics) = (10, 4000, 200, 2);
my $node = start_server('lda_noise', 'fsync = off');
my %option = (
	replace_one => '',
	add_remove => ", adjacency => 'add_remove'",
	persons => ", unit => 'person', max_rows_per_unit => 2");
my $start = pg_array([ (1) x ($terms * $topics) ]);
my $vocabulary = '{' . join(',', map { "w$_" } 1 .. $terms) . '}';

foreach my $case (sort keys %option)
{
	# document i has 20 terms in a row, from any one on; the four of a person are the same
	my $rows = $case eq 'persons' ? 'generate_series(0, 3999) i, LATERAL (SELECT i / 4 AS p) q' : 'generate_series(0, 3999) i, LATERAL (SELECT i AS p) q';
	my $arguments = "'$case', $topics, 4, 1e-4, iterations => 1, estimator => 'truncation', resample => false, clip_fraction => 0.2, eta => 1, init_topics => '$start'";
	my ($sd, $square, $off);

	$node->safe_psql('postgres', "CREATE TABLE $case AS SELECT p AS person, (SELECT array_agg(1 + (p + j) % $terms) FROM generate_series(1, 20) j) AS doc FROM $rows; ANALYZE $case");
	register_table($node, $case, $case, [], epsilon => 1000, more => $option{$case});
	$node->safe_psql('postgres', "SELECT dp_register_text('$case', 'doc', '$vocabulary'::text[]), dp_grant_budget(current_user::regrole, '$case', 1000, 1e-4)");
	$sd = $node->safe_psql('postgres', "SELECT noise_stddev FROM dp_lda_plan($arguments) WHERE statistic ~ 'sums'");
	call_times($node, $fits, "dp_lda_fit($arguments)");
	# every term is in 20 documents of 200, each of 500 words; of a person's four documents two count
	my $mean = $documents / ($case eq 'persons' ? 2 : 1) * 500 / $terms / $topics;

	cmp_ok($mean, '>', 6 * $sd, "$case: counts are above the noise");
	($square, $off) = split /\|/, $node->safe_psql('postgres', qq{SELECT avg((l - 1 - $mean) ^ 2), abs(avg(l - 1 - $mean))
		FROM dpem_internal.lda_parameter p JOIN dpem_internal.model m ON m.id = p.model, unnest(lambda) AS l WHERE m.dataset = '$case'});
	my $ratio = $square / $sd**2;

	ok($ratio > 0.88 && $ratio < 1.13, "$case: noise as planned: " . sprintf('%.3f', $ratio));
	# the mean of 4000: above 5.5 of its deviations once in 10^7
	cmp_ok($off, '<', 5.5 * $sd / sqrt($fits * $terms * $topics), "$case: around the sums");
}

# Drawn to 500 words: as many words in all, in other places each time.  The words of a term are a
# sum of 400 binomials of 500 words and 1/20: deviation 97.5, of which six are exceeded once in 10^9.
my @runs = map { query_json($node, q{SELECT json_agg(f) FROM dp_lda_fit('replace_one', 1, 'Infinity', iterations => 1, resample => true, eta => 1) f})->[0]{lambda} } 1 .. 2;

foreach my $run (@runs)
{
	my $sum = 0;

	$sum += $_ - 1 foreach @$run;
	cmp_ok(abs($sum - 500 * $documents), '<', 1e-3, 'every document has the length asked for');
	cmp_ok(scalar(grep { abs($_ - 1 - 500 * $documents / $terms) > 6 * 97.5 } @$run), '==', 0, 'in proportion to its own words');
}
isnt(join(',', @{ $runs[0] }), join(',', @{ $runs[1] }), 'and is drawn anew');

$node->stop;
done_testing();
