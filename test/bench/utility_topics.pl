# What private topics are worth beside a distribution of words without topics, on corpora that are
# unlike each other (utility_topics_data.py), through SQL in a throw-away server: per-word
# perplexity of documents held out, of which halves are predicted from their other halves;
# median and worst of the runs, as a markdown table and CSV in build/bench.  Run by
# `make bench-utility-topics`.
#
#   RUNS=5     fits of each kind
#   QUICK=1    two runs, the smaller corpora
#   SETS=      names of corpora, by default all
#   EPSILONS=  by default 0.1 1 4
#   JOBS=      sessions side by side (default: processors)
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use List::Util qw(max);
use lib $FindBin::Bin;
use Paper;

$| = 1;

my $quick = $ENV{QUICK};
my $runs = $ENV{RUNS} // ($quick ? 2 : 5);
my $jobs = $ENV{JOBS} // (`getconf _NPROCESSORS_ONLN 2>/dev/null` || 1) + 0;
my @epsilons = split ' ', $ENV{EPSILONS} // '0.1 1 4';
my $most_test = 1000;
my $open_passes = 30;
my @sets = split ' ', $ENV{SETS} // 'kos wiki_sections few_documents few_terms no_topics' . ($quick ? '' : ' uneven_lengths abstracts vague_titles titles posts');

# Tables NAME, to fit, and NAME_test: a tenth of the documents.
sub load_set
{
	my ($name, $work) = @_;
	my $answer = `/usr/bin/python3 $FindBin::Bin/utility_topics_data.py $name $work/documents`;

	return undef unless $answer;
	my $set = decode_json($answer);
	$set->{name} = $name;
	query("CREATE TABLE ${name}_all (fold int, doc int[])");
	query("\\copy ${name}_all FROM '$work/documents'");
	query("CREATE TABLE $name AS SELECT doc FROM ${name}_all WHERE fold > 0;
		CREATE TABLE ${name}_test AS SELECT doc FROM ${name}_all WHERE fold = 0 LIMIT $most_test; DROP TABLE ${name}_all");
	prepare_dataset($name);
	query("SELECT dp_register_text('$name', 'doc', array_agg('w' || i ORDER BY i)) FROM generate_series(1, $set->{terms}) i");
	return $set;
}

sub perplexity
{
	my ($model, $name) = @_;

	return value("SELECT dp_lda_perplexity('$model', doc) FROM ${name}_test");
}

sub score
{
	my ($task) = @_;
	my $model = "m$$";

	query("SELECT count(*) FROM dp_lda_fit('$task->{name}', $task->{arguments}, model => '$model')");
	my $score = perplexity($model, $task->{name});
	query("SELECT dp_drop_model('$model')");
	return $score;
}

# A fit without noise is not stored: its topics take the place of a private model's.
sub score_without_noise
{
	my ($set, $k, $passes) = @_;
	my $name = $set->{name};

	query("SELECT count(*) FROM dp_lda_fit('$name', $k, 1, 1e-6, iterations => 1, alpha => 1.0 / $k, model => 'open');
		UPDATE dpem.lda_parameter p SET lambda = f.lambda, weight = f.weight
		  FROM dp_lda_fit('$name', $k, 'Infinity', document_length => 0, iterations => $passes) f
		 WHERE p.topic = f.topic AND p.model = (SELECT id FROM dpem.model WHERE name = 'open')");
	my $score = perplexity('open', $name);
	query("SELECT dp_drop_model('open')");
	return $score;
}

sub median
{
	my @sorted = sort { $a <=> $b } @_;

	return ($sorted[ $#sorted / 2 ] + $sorted[ @sorted / 2 ]) / 2;
}

query('CREATE EXTENSION IF NOT EXISTS dpem');
my $work = tempdir(CLEANUP => 1);
my (@rows, @csv);
foreach my $name (@sets)
{
	my $set = load_set($name, $work);
	if (!$set)
	{
		print "$name: skipped, the data is not here\n";
		next;
	}
	my %fit = (topics => $set->{k}, unigram => 1);
	my @tasks = map {
		my $epsilon = $_;
		map { my $kind = $_; map { { name => $name, kind => $kind, epsilon => $epsilon, arguments => "$fit{$kind}, $epsilon, 1e-6" . ($kind eq 'unigram' ? ', iterations => 1' : '') } } 1 .. $runs } sort keys %fit
	} @epsilons;
	parallel($name, $jobs, \&score, @tasks);
	my @cells;
	foreach my $epsilon (@epsilons)
	{
		my %of = map { my $kind = $_; ($kind => [ map { $_->{score} } grep { $_->{epsilon} == $epsilon && $_->{kind} eq $kind } @tasks ]) } keys %fit;

		push @cells, map { sprintf '%.0f / %.0f', median(@{ $of{$_} }), max(@{ $of{$_} }) } qw(topics unigram);
		push @csv, map { my $kind = $_; map { { corpus => $name, kind => $kind, epsilon => $epsilon, perplexity => $_ } } @{ $of{$kind} } } sort keys %of;
	}
	my @open = (score_without_noise($set, $set->{k}, $open_passes), score_without_noise($set, 1, 1));
	push @csv, map { { corpus => $name, kind => ('topics', 'unigram')[$_], epsilon => 'Infinity', perplexity => $open[$_] } } 0, 1;
	push @rows, [ $name, "$set->{documents}, $set->{words} words, $set->{terms} terms", $set->{k}, @cells, map { sprintf '%.0f', $_ } @open ];
	print join(' | ', @{ $rows[-1] }), "\n";
	query("SELECT dp_drop_dataset('$name'); DROP TABLE $name, ${name}_test");
}
write_csv('utility_topics', [qw(corpus kind epsilon perplexity)], @csv);
write_table("**topics: perplexity of documents held out, median / worst of $runs runs**",
	[ 'corpus', 'documents', 'K', (map { ("ε = $_: topics", 'unigram') } @epsilons), 'without noise: topics', 'unigram' ],
	@rows);
