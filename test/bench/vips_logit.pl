# Bayesian logistic regression against epsilon through SQL, in a throw-away
# server: dp_logit_fit as it comes, and with mini-batches as variational Bayes
# in private settings has them, accounted by moments and by strong composition.
# CSV, SVG and markdown tables in build/bench/vips_logit (docs/vips.md says what came
# of them).  Run by `make bench-vips-logit`.
#
#   RUNS=8     fits of each kind
#   QUICK=1    three minutes: 2 fits, three epsilons
#   JOBS=      sessions side by side (default: processors)
#
# Scores are those of the files' test rows: the area under the receiver
# operating characteristic (AUC), and the log loss of the posterior's
# probabilities.  Domains and categories stand for those that the census
# publishes; rows of adult have five numbers in [-1, 1] and seven ones, those
# of a9a fourteen ones.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;

$| = 1;
$out_dir = 'build/bench/vips_logit';

my $quick = $ENV{QUICK};
my $runs = $ENV{RUNS} // ($quick ? 2 : 8);
my $jobs = $ENV{JOBS} // (`getconf _NPROCESSORS_ONLN 2>/dev/null` || 1) + 0;
my @epsilons = $quick ? (0.1, 1, 4) : (0.1, 0.25, 0.5, 1, 2, 4);
my $delta = 1e-6;
my $ticks = join ', ', map { "'$_' $_" } @epsilons;

# One epoch of mini-batches, after a first pass over all rows.
my $rate = 0.05;
my $passes = 1 + 1 / $rate;
my $batches = "iterations => $passes, sampling_rate => $rate";

# Name, title, colour, dash and point of its line, dataset's suffix, arguments.
my @methods = (
	[ 'default', 'dp_logit_fit', '#d6006c', 1, 7, '', '' ],
	[ 'replace_one', 'dp_logit_fit, replace_one', '#d6006c', 3, 6, '_fixed', '' ],
	[ 'passes', "$passes passes, exact", '#000000', 1, 5, '', "iterations => $passes" ],
	[ 'ma', 'mini-batches, MA', '#762a83', 1, 9, '_batches', $batches ],
	[ 'strong', 'mini-batches, strong', '#e08214', 1, 11, '_batches', $batches ]);

my @data = (
	{ name => 'adult', file => 'adult.csv.gz', load => \&load_adult, clip => 'sqrt(12)' },
	{ name => 'a9a', file => 'a9a_sparse.csv.gz', load => \&load_a9a, clip => 'sqrt(14)' });

# ---- data -----------------------------------------------------------------------

sub load_adult
{
	my @numbers = ('2 * (age::float8 - 17) / 73 - 1', '2 * (education_num::float8 - 1) / 15 - 1', '2 * (hours_per_week::float8 - 1) / 98 - 1',
		'capital_gain::float8 / 99999', 'capital_loss::float8 / 4356');
	my @ones = ("native_country IS NOT DISTINCT FROM 'United-States'");

	foreach my $column (qw(workclass marital_status occupation relationship race sex))
	{
		push @ones, map { "$column IS NOT DISTINCT FROM '$_'" } query("SELECT DISTINCT $column FROM file WHERE $column IS NOT NULL ORDER BY 1");
	}
	my $x = join ', ', @numbers, map { "($_)::int" } @ones;
	query("CREATE TABLE adult_all AS SELECT split, starts_with(income, '>') AS y, ARRAY[$x]::float8[] AS x FROM file");
	return @numbers + @ones;
}

sub load_a9a
{
	query("CREATE TABLE a9a_all AS SELECT split, label::int > 0 AS y,
		ARRAY(SELECT (j = ANY (idx::int[]))::int FROM generate_series(1, 123) AS j)::float8[] AS x FROM file");
	return 123;
}

sub register
{
	my ($dataset, $train, $d, $more) = @_;

	query("CREATE TABLE $dataset AS TABLE $train; ANALYZE $dataset;
		SELECT dp_register_dataset('$dataset', '$dataset', 1000, 1e-2, $more);
		SELECT dp_register_column('$dataset', 'x', -1, 1, $d), dp_register_column('$dataset', 'label', '{no,yes}'::text[]);
		SELECT dp_grant_budget(current_user::regrole, '$dataset', 1000, 1e-2)");
	return;
}

# The training rows in three ledgers, and the test rows.
sub prepare
{
	my ($data) = @_;
	my $name = $data->{name};

	load_text($data->{file}) or return 0;
	my $d = $data->{load}->();
	query("CREATE TABLE ${name}_test AS SELECT y, x FROM ${name}_all WHERE split = 'test';
		CREATE TABLE ${name}_train AS SELECT CASE WHEN y THEN 'yes' ELSE 'no' END AS label, x FROM ${name}_all WHERE split = 'train'");
	register($name, "${name}_train", $d, "adjacency => 'add_remove'");
	register("${name}_fixed", "${name}_train", $d, "adjacency => 'replace_one'");
	register("${name}_batches", "${name}_train", $d, "adjacency => 'add_remove', accountant => 'ma'");
	return 1;
}

# ---- scores ---------------------------------------------------------------------

# AUC, ties halved, and log loss of a probability, or any score for that matter, of the test rows.
sub scores
{
	my ($data, $probability) = @_;

	return split /\t/, value("WITH s AS MATERIALIZED (SELECT y, $probability AS p FROM $data->{name}_test),
		r AS (SELECT y, p, rank() OVER (ORDER BY p) + (count(*) OVER (PARTITION BY p) - 1) / 2.0 AS rank FROM s),
		n AS (SELECT count(*) FILTER (WHERE y)::numeric AS ones, count(*) FILTER (WHERE NOT y)::numeric AS others FROM s)
		SELECT (SELECT (sum(rank) FILTER (WHERE y) - max(ones) * (max(ones) + 1) / 2) / (max(ones) * max(others)) FROM r, n),
			(SELECT avg(-ln(greatest(CASE WHEN y THEN p ELSE 1 - p END, 1e-300))) FROM s)");
}

# Of a fit that is stored; `at` is the epsilon that has the noise of the method's.
sub private_scores
{
	my ($task) = @_;
	my $arguments = join ', ', "'label'", $task->{at}, $delta, "clip_norm => $task->{data}{clip}", grep { $_ } $task->{more};

	query("SELECT count(*) FROM dp_logit_fit('$task->{dataset}', $arguments, model => 'm$$')");
	my @scores = scores($task->{data}, "(dp_posterior('m$$', x))[2]");
	query("SELECT dp_drop_model('m$$')");
	return @scores;
}

# Of a fit without noise, which is not stored: by its coefficients alone, about which nothing is unsure.
sub open_scores
{
	my ($data) = @_;
	my $fit = "SELECT mean FROM dp_logit_fit('$data->{name}', 'label', 'Infinity', clip_norm => $data->{clip}, iterations => 60) WITH ORDINALITY AS f (model, name, mean, deviation, noise, covariance, n) ORDER BY n";
	my $coefficients = join ',', query($fit);

	return scores($data, "1 / (1 + exp(-(SELECT sum(v * w) FROM unnest(x || 1::float8, '{$coefficients}'::float8[]) AS z (v, w))))");
}

# The base rate of the training rows, for every row the same.
sub prior_scores
{
	my ($data) = @_;

	return scores($data, "(SELECT avg((label = 'yes')::int) FROM $data->{name}_train)::float8");
}

# ---- strong composition -----------------------------------------------------------

# The epsilon whose moments accountant allows the noise that strong composition
# asks for, for epsilon; with less noise that has no bound (its Gaussian
# mechanism is proved below epsilon 1 alone).
sub strong_at
{
	my ($data, $epsilon) = @_;
	my ($low, $high) = (log($epsilon / 1000), log($epsilon));

	foreach (1 .. 14)
	{
		my $middle = ($low + $high) / 2;
		my $strong = value("SELECT coalesce(epsilon_advanced, 'Infinity') <= $epsilon FROM dp_logit_plan('$data->{name}_batches', 'label', exp($middle), $delta,
			clip_norm => $data->{clip}, $batches) WHERE line IS NULL");

		($low, $high) = $strong eq 't' ? ($middle, $high) : ($low, $middle);
	}
	return exp($low);
}

# ---- tables and plots ---------------------------------------------------------------

my @measures = ([ 'auc', 'AUC', 'AUC' ], [ 'loss', 'log loss', 'log loss' ]);

sub cell
{
	my ($measure, @tasks) = @_;
	my @values = map { $_->{$measure} } @tasks;

	return sprintf('%.4f', mean(@values)) . (@values > 1 ? sprintf(' ± %.4f', deviation(@values)) : '');
}

sub row_of
{
	my ($measure, $method, @tasks) = @_;

	return [ $method->[1], map { my $e = $_; cell($measure, grep { $_->{method} eq $method->[0] && $_->{epsilon} == $e } @tasks) } @epsilons ];
}

sub flat_row
{
	my ($title, $value) = @_;

	return [ $title, (sprintf '%.4f', $value) x @epsilons ];
}

sub flat_line
{
	my ($title, $colour, $value) = @_;

	return { flat => 1, title => $title, colour => $colour, width => 2, dash => 2, points => [ map { [ $_, $value ] } @epsilons[ 0, -1 ] ] };
}

sub panel_of
{
	my ($data, $i, $reference, @tasks) = @_;
	my $measure = $measures[$i][0];
	my @lines = flat_line('non-private', '#666666', $reference->{open}[$i]);

	push @lines, flat_line('base rate', '#aaaaaa', $reference->{prior}[$i]) if $measure eq 'loss';
	foreach my $m (@methods)
	{
		my @points = map {
			my $e = $_;
			[ $e, mean(map { $_->{$measure} } grep { $_->{method} eq $m->[0] && $_->{epsilon} == $e } @tasks) ]
		} @epsilons;
		push @lines, { title => $m->[1] =~ tr/_/ /r, colour => $m->[2], dash => $m->[3], point => $m->[4], width => $m->[0] eq 'default' ? 3 : 1.5, points => \@points };
	}
	return { title => $data->{name}, range => '*:*', yticks => 'auto', ticks => $ticks, domain => '0.09:4.4', lines => \@lines };
}

# ---- all ---------------------------------------------------------------------------------

sub tasks_of
{
	my ($data) = @_;
	my %at = map { $_ => strong_at($data, $_) } @epsilons;

	printf "%s: noise of strong composition is that of MA with epsilon %s\n", $data->{name}, join ', ', map { sprintf '%.4g', $at{$_} } @epsilons;
	return map {
		my $method = $_;
		map {
			my $epsilon = $_;
			map {
				{ data => $data, table => $data->{name}, dataset => $data->{name} . $method->[5], method => $method->[0], epsilon => $epsilon,
					at => $method->[0] eq 'strong' ? $at{$epsilon} : $epsilon, more => $method->[6], run => $_ }
			} 1 .. $runs
		} @epsilons
	} @methods;
}

sub measure
{
	my ($data) = @_;
	my $began = time;
	my %reference = (open => [ open_scores($data) ], prior => [ prior_scores($data) ]);
	my @tasks = tasks_of($data);

	parallel($data->{name}, $jobs, \&private_scores, @tasks);
	@{$_}{qw(auc loss)} = @{ $_->{scores} } foreach @tasks;
	printf "%s: %d fits in %d s\n", $data->{name}, scalar @tasks, time - $began;
	foreach my $i (0 .. $#measures)
	{
		write_table("$data->{name}: $measures[$i][1], mean of $runs fits, δ = $delta", [ '', map { "ε = $_" } @epsilons ],
			flat_row('non-private', $reference{open}[$i]), flat_row('base rate', $reference{prior}[$i]),
			map { row_of($measures[$i][0], $_, @tasks) } @methods);
	}
	return (\%reference, @tasks);
}

my $plots = ensure_gnuplot();
my (%panels, @all);

query('CREATE EXTENSION IF NOT EXISTS dpem');
foreach my $data (@data)
{
	if (!prepare($data))
	{
		print "skipped: $data->{file} is not here\n";
		next;
	}
	my ($reference, @tasks) = measure($data);

	push @all, @tasks;
	push @{ $panels{ $measures[$_][0] } }, panel_of($data, $_, $reference, @tasks) foreach 0 .. $#measures;
}
write_csv('scores', [qw(table method epsilon run auc loss)], @all) if @all;
if ($plots && @all)
{
	plot("logit_$_->[0]", '1100,460', 'ε (δ = 10⁻⁶)', $_->[2], @{ $panels{ $_->[0] } }) foreach @measures;
}
