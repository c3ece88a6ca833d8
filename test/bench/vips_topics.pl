# Topics of real documents under differential privacy: per-word perplexity of
# documents held out against epsilon, by what dp_lda_fit does by default, by
# what [VIPS] publishes, and by a distribution of words without topics, in a
# throw-away server.  CSV, SVG and markdown tables in build/bench/vips_topics
# (docs/vips.md says what came of them).  Run by `make bench-vips-topics`.
#
#   RUNS=2     fits of each kind
#   QUICK=1    a minute: one fit, two epsilons
#   METHODS=   only the fits whose names match this regular expression, the others from the CSV files that are there
#   REPLOT=1   no fits: tables and plots of those files
#   JOBS=      sessions side by side (default: processors)
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;

$| = 1;
$out_dir = 'build/bench/vips_topics';

my $quick = $ENV{QUICK};
my $runs = $ENV{RUNS} // ($quick ? 1 : 2);
my $jobs = $ENV{JOBS} // (`getconf _NPROCESSORS_ONLN 2>/dev/null` || 1) + 0;
my @epsilons = $quick ? (1, 4) : (0.5, 1, 2, 4, 8);
my $delta = 1e-4;
my $topics = 20;
my ($rate, $steps) = (0.05, 20);	# [VIPS], section 6: one epoch of twenty batches

my $names = $ENV{METHODS} // '';
my $wanted = $ENV{REPLOT} ? qr/(?!)/ : qr/$names/;

# The third has every document ten times: nothing changes but the noise.
my @corpora = (
	{ name => 'kos', title => 'kos', file => 'kos', times => 1, runs => $runs, epsilons => \@epsilons },
	{ name => 'wiki_sections', title => 'wiki_sections', file => 'wiki_sections', times => 1, runs => $runs, epsilons => \@epsilons },
	{ name => 'kos_10', title => 'kos, ten times', file => 'kos', times => 10, runs => 1, epsilons => [ 1, 4 ], methods => qr/^(default|vips|vips add_remove|vips unclipped|vips strong|unigram)$/ });
pop @corpora if $quick;

# Name, title, colour and dash of its line, arguments; `of`: which of the corpus's datasets;
# `strong`: with the noise that strong composition asks for.
my $vips = "estimator => 'truncation', sampling_rate => $rate, iterations => $steps";
my @methods = (
	[ 'default', '**default**', '#d6006c', 1, '' ],
	[ 'default sampled', "default, `sampling_rate => 0.2`, 25 passes", '#d6006c', 3, 'sampling_rate => 0.2, iterations => 25', of => 'sampled' ],
	[ 'truncation', 'truncation, every document, 5 passes, a = 0.1', '#e08214', 1, "estimator => 'truncation', iterations => 5" ],
	[ 'vips', 'VIPS, a = 0.1, moments accountant', '#2166ac', 1, $vips, of => 'sampled' ],
	[ 'vips add_remove', 'VIPS, a = 0.1, moments accountant, add_remove', '#762a83', 1, $vips, of => 'guests' ],
	[ 'vips unclipped', 'VIPS, not clipped, moments accountant', '#2166ac', 3, "$vips, clip_fraction => 1", of => 'sampled' ],
	[ 'vips strong', 'VIPS, a = 0.1, strong composition', '#1b7837', 1, $vips, of => 'sampled', strong => 1 ],
	[ 'vips strong unclipped', 'VIPS, not clipped, strong composition', '#1b7837', 3, "$vips, clip_fraction => 1", of => 'sampled', strong => 1 ],
	[ 'unigram', 'private unigram (`topics => 1`)', '#000000', 1, 'iterations => 1', topics => 1 ]);

# ---- data -----------------------------------------------------------------------

sub lines_of
{
	my ($file) = @_;
	my $path = ($ENV{DPEM_DATA} // '../shared/data') . "/$file";

	return unless -r $path;
	open(my $in, '-|', 'gzip', '-dc', $path) or die "$path: $!";
	chomp(my @lines = <$in>);
	close($in);
	return @lines;
}

# A document of `term:count` pairs as two rows, of terms from 1 and of counts.
sub document
{
	my @pairs = map { [ split /:/ ] } split ' ', $_[0];

	return sprintf '{{%s},{%s}}', join(',', map { $_->[0] + 1 } @pairs), join(',', map { $_->[1] } @pairs);
}

# Tables CORPUS (to fit), the same with another ledger as CORPUS_sampled and CORPUS_guests, and CORPUS_test (every tenth
# document); false where the data is absent.
sub load_corpus
{
	my ($data) = @_;
	my $corpus = $data->{name};
	my @terms = lines_of("$data->{file}.vocab.gz");
	my @documents = grep { /:/ } lines_of("$data->{file}.docs.gz");

	return 0 unless @terms && @documents;
	query("CREATE TABLE ${corpus}_all (number serial, doc int[])");
	while (my @some = splice @documents, 0, 100)
	{
		query("INSERT INTO ${corpus}_all (doc) VALUES " . join(', ', map { "('" . document($_) . "')" } @some));
	}
	my $vocabulary = join ',', map { "'" . s/'/''/gr . "'" } @terms;
	query("CREATE TABLE ${corpus}_test AS SELECT doc FROM ${corpus}_all WHERE number % 10 = 0");
	foreach my $dataset ([ $corpus, 'gdp', 'replace_one' ], [ "${corpus}_sampled", 'ma', 'replace_one' ], [ "${corpus}_guests", 'ma', 'add_remove' ])
	{
		my ($table, $accountant, $adjacency) = @$dataset;

		query("CREATE TABLE $table AS SELECT doc FROM ${corpus}_all, generate_series(1, $data->{times}) WHERE number % 10 > 0; ANALYZE $table;"
			  . "SELECT dp_register_dataset('$table', '$table', 1000, 1e-2, accountant => '$accountant', adjacency => '$adjacency');"
			  . "SELECT dp_register_text('$table', 'doc', ARRAY[$vocabulary]);"
			  . "SELECT dp_grant_budget(current_user::regrole, '$table', 1000, 1e-2)");
	}
	return 1;
}

# ---- strong composition -----------------------------------------------------------

# The root of a rising function between two positive numbers.
sub root
{
	my ($f, $low, $high) = @_;

	foreach (1 .. 40)
	{
		my $middle = sqrt($low * $high);

		if ($f->($middle) < 0) { $low = $middle } else { $high = $middle }
	}
	return $low;
}

# The noise multiplier at which so many samples cost epsilon, delta by strong composition (Dwork and Roth 2014, theorem 3.20)
# of steps that sampling amplifies (Balle, Barthe, Gaboardi 2018, theorem 9): half of delta is
# its slack, the other half the steps'.  A step's own noise is the least there is (Balle and Wang 2018).
sub strong_multiplier
{
	my ($epsilon) = @_;
	my $step_delta = $delta / 2 / $steps / $rate;
	my $sampled = root(sub { my $e = shift; sqrt(2 * $steps * log(2 / $delta)) * $e + $steps * $e * (exp($e) - 1) - $epsilon }, 1e-6, 10);
	my $step = log(1 + (exp($sampled) - 1) / $rate);

	return 1 / value("SELECT dp_gdp_mu($step, $step_delta)");
}

# The epsilon at which the moments accountant buys the same noise.
sub same_noise
{
	my ($table, $arguments, $epsilon) = @_;
	my $multiplier = strong_multiplier($epsilon);

	return root(sub {
			$multiplier - value("SELECT noise_multiplier FROM dp_lda_plan('$table', $topics, $_[0], $delta, $arguments) WHERE statistic = 'topics: sums'")
		}, $epsilon / 100, $epsilon);
}

# ---- fits ---------------------------------------------------------------------------

sub methods_of { my ($data) = @_; return grep { !$data->{methods} || $_->[0] =~ $data->{methods} } @methods }

sub make_tasks
{
	my ($data) = @_;
	my $corpus = $data->{name};
	my @tasks;

	foreach my $m (grep { $_->[0] =~ $wanted } methods_of($data))
	{
		my ($method, undef, undef, undef, $more, %is) = @$m;
		my $table = $is{of} ? "${corpus}_$is{of}" : $corpus;
		my $k = $is{topics} // $topics;

		foreach my $epsilon (@{ $data->{epsilons} })
		{
			my $spent = $is{strong} ? same_noise($table, $more, $epsilon) : $epsilon;
			my $fit = join ', ', "'$table'", $k, $spent, $delta, $more || ();

			push @tasks, map { { corpus => $corpus, method => $method, epsilon => $epsilon, run => $_, fit => $fit } } 1 .. $data->{runs};
		}
	}
	return @tasks;
}

sub perplexity
{
	my ($model, $corpus) = @_;

	return value("SELECT dp_lda_perplexity('$model', doc) FROM ${corpus}_test");
}

sub private_perplexity
{
	my ($task) = @_;
	my $model = "m$$";

	query("SELECT count(*) FROM dp_lda_fit($task->{fit}, model => '$model')");
	my $score = perplexity($model, $task->{corpus});
	query("SELECT dp_drop_model('$model')");
	return $score;
}

# A fit without noise is not stored: its topics take the place of a private model's.
sub open_model
{
	my ($corpus, $k, $iterations) = @_;
	my $model = "${corpus}_open_$k";

	query("SELECT count(*) FROM dp_lda_fit('$corpus', $k, 1, $delta, iterations => 1, alpha => 1.0 / $k, model => '$model');
		UPDATE dpem_internal.lda_parameter p SET lambda = f.lambda, weight = f.weight
		  FROM dp_lda_fit('$corpus', $k, 'Infinity', document_length => 0, iterations => $iterations) f
		 WHERE p.topic = f.topic AND p.model = (SELECT id FROM dpem_internal.model WHERE name = '$model')");
	return $model;
}

# ---- what is written ----------------------------------------------------------------

sub cells
{
	my ($of, @at) = @_;

	return map { sprintf '%.0f', mean(@{ $of->{$_} }) } @at;
}

# The most probable terms of the topics with most words.
sub top_words
{
	my ($title, $model) = @_;
	my @rows = map { [ split /\t/ ] } query("SELECT round((w.weight * 100)::numeric, 1) || ' %', string_agg(t.term, ' ' ORDER BY rank)
		FROM dpem.lda_topic_weights w JOIN dpem.lda_topics t USING (model, topic) WHERE model = '$model' AND rank <= 10
		GROUP BY topic, w.weight ORDER BY w.weight DESC LIMIT 6");

	write_table($title, [ 'of all words', 'most probable terms' ], @rows);
	return;
}

sub show_words
{
	my ($corpus, $open) = @_;

	top_words("$corpus, without noise", $open);
	foreach my $epsilon ($quick ? 4 : (2, 8))
	{
		query("SELECT count(*) FROM dp_lda_fit('$corpus', $topics, $epsilon, $delta, model => 'words')");
		top_words("$corpus, default, ε = $epsilon", 'words');
		query("SELECT dp_drop_model('words')");
	}
	query("SELECT count(*) FROM dp_lda_fit('${corpus}_sampled', $topics, 8, $delta, $vips, model => 'words')");
	top_words("$corpus, VIPS, moments accountant, ε = 8", 'words');
	query("SELECT dp_drop_model('words')");
	return;
}

sub panel
{
	my ($data, $scores, $open, $unigram) = @_;
	my @at = @{ $data->{epsilons} };
	my %point = map { ($methods[$_][0] => 4 + $_) } 0 .. $#methods;
	my @lines = map {
		my $of = $scores->{ $_->[0] };
		{ title => $_->[0] =~ tr/_/ /r, colour => $_->[2], dash => $_->[3], point => $point{ $_->[0] }, width => 1.8, points => [ map { [ $_, mean(@{ $of->{$_} }) ] } @at ] }
	} methods_of($data);

	push @lines, map { { title => $_->[0], colour => $_->[1], dash => 2, flat => 1, width => 1.5, points => [ [ $at[0], $_->[2] ], [ $at[-1], $_->[2] ] ] } }
	  ([ 'unigram, no noise', '#aaaaaa', $unigram ], [ 'no noise', '#555555', $open ]);
	return { title => "$data->{title}, K = $topics" =~ tr/_/ /r, domain => '0.4:10', ticks => join(', ', map { "'$_' $_" } @at), range => '1500:8500',
		yticks => '(2000, 3000, 4000, 5000, 6000, 8000)', logarithmic => 1, lines => \@lines };
}

sub read_tasks
{
	my ($corpus) = @_;
	my @rows;

	open(my $csv, '<', "$out_dir/perplexity_$corpus.csv") or die "$corpus: $!";
	my @fields = split /,/, <$csv> =~ s/\n//r;
	while (my $line = <$csv>)
	{
		chomp $line;
		my %row;
		@row{@fields} = split /,/, $line;
		push @rows, \%row;
	}
	close($csv);
	return @rows;
}

# What is known without noise, of all topics and of one; the same however often each document is there.
my %reference;

sub references
{
	my ($data) = @_;
	my %fit = (open => [ $topics, $quick ? 10 : 50 ], 'open unigram' => [ 1, 1 ]);
	my $known = $reference{ $data->{file} } //= { map { ($_ => perplexity(open_model($data->{name}, @{ $fit{$_} }), $data->{name})) } sort keys %fit };

	return map { { corpus => $data->{name}, method => $_, epsilon => 'Infinity', run => 1, score => $known->{$_} } } sort keys %fit;
}

sub measure
{
	my ($data) = @_;
	my $began = time;
	my $all = !$ENV{REPLOT} && !$ENV{METHODS};
	my @tasks = make_tasks($data);
	my %scores;

	parallel($data->{name}, $jobs, \&private_perplexity, @tasks) if @tasks;
	printf "%s: %d fits in %d s\n", $data->{name}, scalar @tasks, time - $began;
	push @tasks, $all ? references($data) : grep { $_->{method} =~ /^open/ || $_->{method} !~ $wanted } read_tasks($data->{name});
	push @{ $scores{ $_->{method} }{ $_->{epsilon} } }, $_->{score} foreach @tasks;
	write_csv("perplexity_$data->{name}", [qw(corpus method epsilon run score)], @tasks);
	show_words($data->{name}, "$data->{name}_open_$topics") if $all && $data->{times} == 1;
	return \%scores;
}

query('CREATE EXTENSION IF NOT EXISTS dpem');
my $plots = ensure_gnuplot();
my @panels;

foreach my $data (@corpora)
{
	my $name = $data->{name};

	if (!load_corpus($data))
	{
		print "$name: the data is not here\n";
		next;
	}
	my $scores = measure($data);
	my ($open, $unigram) = map { $scores->{$_}{Infinity}[0] } 'open', 'open unigram';

	write_table(sprintf('%s: per-word perplexity of %d documents held out, fits to %d, K = %d, δ = %g, mean of %d fits; without noise %.0f, one distribution of words without noise %.0f',
			$data->{title}, value("SELECT count(*) FROM ${name}_test"), value("SELECT count(*) FROM $name"), $topics, $delta, $data->{runs}, $open, $unigram),
		[ 'ε', @{ $data->{epsilons} } ], map { [ $_->[1], cells($scores->{ $_->[0] }, @{ $data->{epsilons} }) ] } methods_of($data));
	push @panels, panel($data, $scores, $open, $unigram);
}
# the lines of the last panel are named: one that has all methods
push @panels, splice(@panels, 1, 1) if @panels > 2;
plot('perplexity', '1400,560', 'ε (δ = 10⁻⁴)', 'perplexity', @panels) if $plots && @panels;
