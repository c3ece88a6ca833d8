# What a private mixture is worth beside one Gaussian and a fit without noise, on tables that are
# unlike each other (utility_gmm_data.py), through SQL in a throw-away server:
# medians and worst of ten runs, a fold of the rows each, as a markdown table and CSV in
# build/bench.  Run by `make bench-utility-gmm`.
#
#   FOLDS=10   folds of the ten that are run
#   SETS=      names of tables, by default all
#   JOBS=      sessions side by side (default: processors)
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use List::Util qw(min);
use lib $FindBin::Bin;
use Paper;

$| = 1;

my $folds = $ENV{FOLDS} // 10;
my $jobs = $ENV{JOBS} // (`getconf _NPROCESSORS_ONLN 2>/dev/null` || 1) + 0;
my @epsilons = (0.1, 1, 4);
my $delta = 1e-4;
my $most_test = 5000;
my @sets = split ' ', $ENV{SETS} // 'lifesci gowalla s1 adult diamonds letters hundred_clusters rings heavy_counts bank_like'
  . ' near_constant zeros_and_tails wide_domain few_rows sixty_columns integers student_t lognormal pareto_counts'
  . ' lognormal_scaled pareto_counts_scaled heavy_counts_scaled zeros_and_tails_scaled bank_like_scaled';

sub load_set
{
	my ($name, $work) = @_;
	my $answer = `/usr/bin/python3 $FindBin::Bin/utility_gmm_data.py $name $work/$name.csv`;

	return undef unless $answer;
	my $set = decode_json($answer);
	$set->{name} = $name;
	$set->{columns} = [ map { "c$_" } 1 .. @{ $set->{lower} } ];
	query("CREATE TABLE $name (fold int, " . join(', ', map { "$_ float8" } @{ $set->{columns} }) . ')');
	query("\\copy $name FROM '$work/$name.csv' CSV");
	foreach my $fold (0 .. $folds - 1)
	{
		my $columns = join ', ', @{ $set->{columns} };
		query("CREATE TABLE ${name}_$fold AS SELECT $columns FROM $name WHERE fold <> $fold;
			CREATE TABLE ${name}_${fold}_test AS SELECT $columns FROM $name WHERE fold = $fold LIMIT $most_test");
		prepare_dataset("${name}_$fold",
			map { [ $set->{columns}[$_], $set->{lower}[$_], $set->{upper}[$_], $set->{scale}[$_] ] } 0 .. $#{ $set->{columns} });
	}
	query("DROP TABLE $name");
	return $set;
}

sub score
{
	my ($task) = @_;
	my $set = $task->{set};
	my $table = "$set->{name}_$task->{fold}";

	return private_score("'$table', $set->{k}, $task->{epsilon}, $delta", "${table}_test", @{ $set->{columns} });
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
	my @tasks = map { my $epsilon = $_; map { { set => $set, epsilon => $epsilon, fold => $_ } } 0 .. $folds - 1 } @epsilons;
	parallel($name, $jobs, \&score, @tasks);
	my @cells;
	foreach my $epsilon (@epsilons)
	{
		my @scores = map { $_->{score} } grep { $_->{epsilon} == $epsilon } @tasks;
		push @cells, sprintf('%.2f / %.2f', median(@scores), min(@scores));
		push @csv, map { { table => $name, epsilon => $epsilon, score => $_ } } @scores;
	}
	push @rows, [ $name, "$set->{rows} × " . @{ $set->{columns} }, $set->{k}, sprintf('%.2f', $set->{one}), @cells,
		sprintf('%.2f', $set->{sklearn}) ];
	print join(' | ', @{ $rows[-1] }), "\n";
	query("DROP TABLE ${name}_${_}_test") foreach 0 .. $folds - 1;
}
write_csv('utility_gmm', [qw(table epsilon score)], @csv);
write_table('**mixtures: mean test log-likelihood per row, median / worst of ' . $folds . ' runs**',
	[ 'table', 'rows × columns', 'K', 'one Gaussian, not private', (map { "ε = $_" } @epsilons), 'scikit-learn, not private' ],
	@rows);
