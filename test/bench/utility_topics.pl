# What private topics are worth beside a distribution of words without topics, on corpora that are
# unlike each other (utility_topics_data.py), through SQL in a throw-away server: per-word
# perplexity of documents held out, of which halves are predicted from their other halves.
# `make bench-utility` runs it; Utility.pm has the settings.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $most_test = 1000;
my $open_passes = 30;
my %quick = map { $_ => 1 } qw(kos few_documents few_terms no_topics);
my $work = tempdir(CLEANUP => 1);

# Tables NAME, to fit, and NAME_test: a tenth of the documents.
sub load_set
{
	my ($set) = @_;
	my $name = $set->{name};
	my $answer = `/usr/bin/python3 $FindBin::Bin/utility_topics_data.py $name $work/documents`;

	return 0 unless $answer;
	%$set = (%$set, %{ decode_json($answer) });
	@{$set}{qw(rows columns)} = @{$set}{qw(documents terms)};
	query("CREATE TABLE ${name}_all (fold int, doc int[])");
	query("\\copy ${name}_all FROM '$work/documents'");
	query("CREATE TABLE $name AS SELECT doc FROM ${name}_all WHERE fold > 0;
		CREATE TABLE ${name}_test AS SELECT doc FROM ${name}_all WHERE fold = 0 LIMIT $most_test; DROP TABLE ${name}_all");
	prepare_dataset($name);
	query("SELECT dp_register_text('$name', 'doc', array_agg('w' || i ORDER BY i)) FROM generate_series(1, $set->{terms}) i");
	return 1;
}

sub perplexity
{
	my ($model, $name) = @_;

	return value("SELECT dp_lda_perplexity('$model', doc) FROM ${name}_test");
}

sub unload_set
{
	my ($set) = @_;

	query("SELECT dp_drop_dataset('$set->{name}'); DROP TABLE $set->{name}, $set->{name}_test");
	return;
}

sub score
{
	my ($task) = @_;
	my ($set, $epsilon) = @{$task}{qw(data epsilon)};
	my $arguments = $task->{method}{role} eq 'default' ? "$set->{k}, $epsilon, 1e-6" : "1, $epsilon, 1e-6, iterations => 1";

	query("SELECT count(*) FROM dp_lda_fit('$set->{name}', $arguments, model => 'm$$')");
	my $score = perplexity("m$$", $set->{name});
	query("SELECT dp_drop_model('m$$')");
	return $score;
}

# A fit without noise is not stored: its topics take the place of a private model's.
sub score_without_noise
{
	my ($set, $k, $passes) = @_;
	my $name = $set->{name};

	query("SELECT count(*) FROM dp_lda_fit('$name', $k, 1, 1e-6, iterations => 1, alpha => 1.0 / $k, model => 'open');
		UPDATE dpem_internal.lda_parameter p SET lambda = f.lambda, weight = f.weight
		  FROM dp_lda_fit('$name', $k, 'Infinity', document_length => 0, iterations => $passes) f
		 WHERE p.topic = f.topic AND p.model = (SELECT id FROM dpem_internal.model WHERE name = 'open')");
	my $score = perplexity('open', $name);
	query("SELECT dp_drop_model('open')");
	return $score;
}

run_family(
	name => 'topics', title => 'Topics', value => 'perplexity of a word of documents held out', larger => 0,
	note => 'columns: terms; δ = 10⁻⁶', epsilons => [ 0.1, 1, 4 ], quick_epsilons => [ 1 ], score => \&score,
	methods => [ { role => 'default', label => 'dp_lda_fit' }, { role => 'baseline', label => 'unigram' },
		{ role => 'non-private', label => 'dp_lda_fit, not private', values => sub { return { '' => [ score_without_noise($_[0], $_[0]{k}, $open_passes) ] } } },
		{ role => 'non-private', label => 'unigram, not private', values => sub { return { '' => [ score_without_noise($_[0], 1, 1) ] } } } ],
	data => [ map { { name => $_, quick => $quick{$_}, load => \&load_set, unload => \&unload_set } }
		  qw(kos wiki_sections few_documents few_terms no_topics uneven_lengths abstracts vague_titles titles posts) ]);
