# One epoch of topics over a large corpus beside scikit-learn's online LDA, in
# one run on one machine: time, and memory at its peak.  Run by `make bench-lda`.
#
#   DOCUMENTS= how many
#   QUICK=1    a twentieth of them
#
# Both go through the documents in twenty batches, with as many E-steps for each of
# them.  Here a batch is a sample drawn inside the scan and costs a scan; a pass
# over every document is the same work in one scan.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Time::HiRes qw(time);
use lib $FindBin::Bin;
use Memory;
use Paper;
use Session ();

$| = 1;
$out_dir = 'build/bench/lda';

my ($words, $topics, $terms, $batches, $steps) = (500, 50, 8000, 20, 20);
my $documents = $ENV{DOCUMENTS} // ($ENV{QUICK} ? 5_000 : 100_000);
my $work = tempdir('dpem-bench-XXXXXX', TMPDIR => 1, CLEANUP => 1);

sub report
{
	my ($result) = @_;

	printf "%s, processes: %d: %.1f s, %.0f MB\n", @$result{qw(title processes seconds memory)};
	return $result;
}

# ---- here ------------------------------------------------------------------------

sub load_documents
{
	my $began = time;

	query('CREATE TABLE documents (doc int[]); ALTER TABLE documents ALTER doc SET STORAGE EXTERNAL');
	query("\\copy documents FROM PROGRAM '/usr/bin/python3 $FindBin::Bin/lda_corpus.py $work/corpus.npz $documents $words $topics $terms'");
	query("VACUUM ANALYZE documents; SELECT dp_register_dataset('documents', 'documents', 100, 1e-2, accountant => 'ma');
		SELECT dp_register_text('documents', 'doc', array_agg('w' || i ORDER BY i)) FROM generate_series(1, $terms) i;
		SELECT dp_grant_budget(current_user::regrole, 'documents', 100, 1e-2)");
	printf "%d documents of %d words and %s distinct terms in %d s\n", $documents, $words,
	  value('SELECT round(avg(array_length(doc, 2))) FROM (SELECT doc FROM documents LIMIT 1000) d'), time - $began;
	return;
}

sub measure_fit
{
	my ($title, $arguments, $workers) = @_;
	my $seconds;

	# a session of its own: what an earlier fit freed is still the process's
	Session::close_session();
	query("SET jit = off; SET max_parallel_workers_per_gather = $workers");
	my $memory = peak_memory(value('SELECT pg_backend_pid()'), sub {
			my $began = time;

			query("SELECT count(*) FROM dp_lda_fit('documents', $topics, 1, 1e-6, $arguments)");
			$seconds = time - $began;
		});
	return report({ title => $title, processes => $workers + 1, seconds => $seconds, memory => $memory });
}

# ---- scikit-learn ------------------------------------------------------------------

sub measure_sklearn
{
	my ($processes) = @_;
	my $answer = `/usr/bin/python3 $FindBin::Bin/lda_sklearn.py $work/corpus.npz $terms $topics @{[ $documents / $batches ]} $steps $processes`;
	my ($read, $seconds, $memory, $child) = split ' ', $answer or die 'scikit-learn gave no answer';

	return report({ title => 'scikit-learn, 20 batches', processes => $processes, seconds => $seconds, memory => $memory + ($processes > 1 ? $processes * $child : 0) });
}

# ---- all -----------------------------------------------------------------------------

query('CREATE EXTENSION IF NOT EXISTS dpem');
load_documents();
my $sampled = "estimator => 'truncation', sampling_rate => " . 1 / $batches . ", iterations => $batches";
my @results = map {
	my $workers = $_;
	(measure_fit('`dp_lda_fit`, one pass over every document', "estimator => 'truncation', resample => false, iterations => 1", $workers),
		measure_fit('`dp_lda_fit`, one pass, documents drawn to 500 words', "estimator => 'truncation', iterations => 1", $workers),
		measure_fit('`dp_lda_fit`, 20 samples, documents drawn to 500 words', $sampled, $workers))
} 0, 1;

if (system('/usr/bin/python3 -c "import sklearn, scipy" 2>/dev/null') == 0)
{
	push @results, map { measure_sklearn($_) } 1, 2;
}
else
{
	print "scikit-learn is not here\n";
}
write_csv('lda', [qw(title processes seconds memory)], @results);
write_table("One epoch over $documents documents of $words words, K = $topics, V = $terms",
	[ '', 'processes', 'seconds', 'documents a second', 'memory, MB' ],
	map { [ $_->{title}, $_->{processes}, sprintf('%.1f', $_->{seconds}), sprintf('%d', $documents / $_->{seconds}), sprintf('%.0f', $_->{memory}) ] } @results);
