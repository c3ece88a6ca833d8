# What learning online costs: regret of algorithm => 'online' against the best fixed coefficients in hindsight, and what
# the coefficients after the last batch are worth on rows that were held out.
#
#   scripts/cluster.sh run perl test/bench/online.pl
#
# adult in the order of age and in a random order, and a stream whose coefficients change at its middle; add_remove, delta
# 1e-6.  Regret: each row's loss at the coefficients that its batch was met with, less that at the exact fit's of all rows, in
# the mean over rows; of regressions (of hours a week, and of the stream's score with noise) squared residuals in parts of the
# target's variance, and R squared in place of the AUC.  Medians and worst of RUNS (10) fits at EPSILONS (0.5,1,4) of FITS
# (logit,svm,linreg), of data that match DPEM_DATASETS, with more ARGUMENTS.  build/bench/online.csv has a line for each fit.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;

my $runs = $ENV{RUNS} // 10;
my @epsilons = split /,/, $ENV{EPSILONS} // '0.5,1,4';
my @fits = split /,/, $ENV{FITS} // 'logit,svm,linreg';
my $wanted = $ENV{DPEM_DATASETS} // '.';
my $more = $ENV{ARGUMENTS} ? ", $ENV{ARGUMENTS}" : '';
$| = 1;
my @labels = qw(workclass marital_status occupation relationship race sex);

# of a margin; the hinge's half width is dp_svm_fit's default
my %loss = (
	logit => 'CASE WHEN %1$s > 0 THEN ln(1 + exp(-%1$s)) ELSE ln(1 + exp(%1$s)) - %1$s END',
	svm => 'CASE WHEN %1$s >= 1.5 THEN 0 WHEN %1$s <= 0.5 THEN 1 - %1$s ELSE (1.5 - %1$s) ^ 2 / 2 END',
	linreg => '(%1$s) ^ 2 / (SELECT var_pop(v) FROM fitted)');

# what a fit predicts, the column of coefficients in its rows, and the names of these
my %target = (logit => 'y', svm => 'y', linreg => 'v');
my %value = (logit => 'mean', svm => 'coefficient', linreg => 'coefficient');
my $linreg_name = "column_name || coalesce('=' || category, '')";
my %coefficient_name = (logit => 'column_name', svm => 'column_name', linreg => $linreg_name);
my %trajectories = (logit => 'dpem.class_trajectories', svm => 'dpem.class_trajectories', linreg => 'dpem.linreg_trajectories');
my %ends = (logit => "dpem.class_coefficients WHERE class = 2 AND", svm => "dpem.class_coefficients WHERE class = 2 AND", linreg => 'dpem.linreg_coefficients WHERE');

# ---- data -----------------------------------------------------------------------

# tables with columns part (train, test), t in [0, 1], y (text) and those of the list
sub load_adult
{
	my ($order, $drop) = @_;
	my @numbers = grep { $_ ne $drop } qw(age education_num hours_per_week capital_gain capital_loss);

	load_text('adult.csv.gz') or return ();
	query('SELECT setseed(0.5)');
	query('CREATE TABLE rows AS SELECT split AS part, ' . $order . ' AS t, CASE WHEN starts_with(income, \'>\') THEN \'yes\' ELSE \'no\' END AS y, hours_per_week::float8 AS v, '
		  . join(', ', (map { "$_\::float8" } @numbers), @labels) . ' FROM file');
	return (\@numbers, \@labels, '1, 99');
}

my %domain = (age => '17, 90', education_num => '1, 16', hours_per_week => '1, 99', capital_gain => '0, 99999', capital_loss => '0, 4356', map { $_ => '-1, 1' } 'a' .. 'e');

# five columns; what matters changes at the middle, in parts of the score
sub load_stream
{
	query('SELECT setseed(0.5)');
	query('CREATE TABLE rows AS SELECT CASE WHEN i % 10 = 0 THEN \'test\' ELSE \'train\' END AS part, t, CASE WHEN random() < 1 / (1 + exp(-(4 * a - 3 * b + CASE WHEN t < 0.5 THEN 2 * c ELSE 2 * d END))) THEN \'yes\' ELSE \'no\' END AS y, 4 * a - 3 * b + CASE WHEN t < 0.5 THEN 2 * c ELSE 2 * d END + 4 * random() - 2 AS v, a, b, c, d, e'
		  . ' FROM (SELECT i, random() AS t, 2 * random() - 1 AS a, 2 * random() - 1 AS b, 2 * random() - 1 AS c, 2 * random() - 1 AS d, 2 * random() - 1 AS e FROM generate_series(1, 44444) AS i) AS s');
	return ([ 'a' .. 'e' ], [], '-15, 15');
}

my @data = (
	[ 'adult by age', sub { load_adult('(age::float8 - 17) / 73', 'age') } ],
	[ 'adult in a random order', sub { load_adult('random()', '') } ],
	[ 'stream that changes', \&load_stream ]);

sub register
{
	my ($numbers, $labels, $target) = @_;

	query('CREATE TABLE fitted AS SELECT * FROM rows WHERE part = \'train\'');
	query('ANALYZE fitted');
	query('SELECT dp_register_dataset(\'online\', \'fitted\', 1000, 1e-3, adjacency => \'add_remove\'), dp_grant_budget(current_user::regrole, \'online\', 1000, 1e-3)');
	query("SELECT dp_register_column('online', '$_', $domain{$_})") foreach @$numbers;
	query("SELECT dp_register_column('online', '$_', (SELECT array_agg(DISTINCT $_ ORDER BY $_) FROM rows WHERE $_ IS NOT NULL))") foreach @$labels;
	query("SELECT dp_register_column('online', 'v', $target)");
	query('SELECT dp_register_column(\'online\', \'t\', 0, 1), dp_register_column(\'online\', \'y\', \'{no,yes}\'::text[])');
	return;
}

# ---- losses ---------------------------------------------------------------------

# the score of a row of `rows` by coefficients, an array in the order of `names`
sub score
{
	my ($array, @names) = @_;
	my @terms;

	foreach my $i (0 .. $#names)
	{
		my ($column, $category) = split /=/, $names[$i], 2;
		my $term = $column eq '(intercept)' ? '1' : defined $category ? "(coalesce($column = '$category', false))::int" : $column;

		push @terms, sprintf('%s[%d] * %s', $array, $i + 1, $term);
	}
	return join ' + ', @terms;
}

# or a regression's residual
sub margin
{
	my ($fit, @what) = @_;

	return $fit eq 'linreg' ? '(v - (' . score(@what) . '))' : '(CASE WHEN y = \'yes\' THEN 1 ELSE -1 END * (' . score(@what) . '))';
}

my $auc = '(sum(rank) FILTER (WHERE y = \'yes\') - count(*) FILTER (WHERE y = \'yes\') * (count(*) FILTER (WHERE y = \'yes\') + 1) / 2) / (count(*) FILTER (WHERE y = \'yes\')::float8 * count(*) FILTER (WHERE y = \'no\'))';

# what scores in a query `FROM rows` that begins with them are worth: AUC, or R squared
sub worth
{
	my ($fit, $with, $from, @names) = @_;
	my $score = score('w', @names);

	return value("$with SELECT 1 - avg((v - ($score)) ^ 2) / var_pop(v) FROM rows, $from WHERE part <> 'train'") if $fit eq 'linreg';
	return value("$with SELECT $auc FROM (SELECT y, rank() OVER (ORDER BY $score) AS rank FROM rows, $from WHERE part <> 'train') AS s");
}

# mean loss at the exact fit, names of the coefficients
sub hindsight
{
	my ($fit, $columns) = @_;
	my $prior = $fit eq 'linreg' ? '' : ', prior_variance => 1e6';
	my ($names, $array) = split /\t/, value("SELECT string_agg($coefficient_name{$fit}, '|'), array_agg($value{$fit}) FROM dp_${fit}_fit('online', '$target{$fit}', 'Infinity', columns => '{$columns}'$prior)");
	my @names = split /\|/, $names;
	my $loss = sprintf $loss{$fit}, 'z';
	my $best = value("SELECT avg($loss) FROM (SELECT " . margin($fit, 'w', @names) . " AS z FROM fitted, (SELECT '$array'::float8[] AS w) AS f) AS s");
	my $test = worth($fit, '', "(SELECT '$array'::float8[] AS w) AS f", @names);

	return ($best, $test, @names);
}

# mean loss at the coefficients that batches were met with, AUC of the model's, of those after the last batch, and of the average after all batches
sub run
{
	my ($fit, $epsilon, $columns, @names) = @_;
	my $order = join ', ', map { "'" . s/'/''/gr . "'" } @names;
	my $loss = sprintf $loss{$fit}, 'z';
	my ($model) = split /\t/, value("SELECT model FROM dp_${fit}_fit('online', '$target{$fit}', $epsilon, 1e-6, columns => '{$columns}', algorithm => 'online', order_column => 't'$more) LIMIT 1");
	my $met = value("WITH met AS (SELECT batch, lower, upper, array_agg(coefficient ORDER BY array_position(ARRAY[$order], $coefficient_name{$fit})) AS w FROM $trajectories{$fit} WHERE model = '$model' AND lower IS NOT NULL GROUP BY 1, 2, 3)"
		  . " SELECT avg($loss) FROM (SELECT " . margin($fit, 'w', @names) . " AS z FROM fitted JOIN met ON width_bucket(least(t, 0.9999999), (SELECT array_agg(lower ORDER BY batch) FROM met)) = batch) AS s");
	my $of = sub { my ($from) = @_; return worth($fit, "WITH ends AS (SELECT array_agg(coefficient ORDER BY array_position(ARRAY[$order], name)) AS w FROM ($from) AS c)", 'ends', @names) };
	my $path = "SELECT $coefficient_name{$fit} AS name, avg(coefficient) AS coefficient FROM $trajectories{$fit} WHERE model = '$model' AND";
	my @test = (
		$of->("SELECT $coefficient_name{$fit} AS name, coefficient FROM $ends{$fit} model = '$model'"),
		$of->("$path lower IS NULL GROUP BY 1"), $of->("$path batch > 1 GROUP BY 1"));

	query("SELECT dp_drop_model('$model')");
	return ($met, @test);
}

sub middle { my @x = sort { $a <=> $b } @_; return ($x[ int($#x / 2) ] + $x[ int(($#x + 1) / 2) ]) / 2 }

my @lines;
query('CREATE EXTENSION IF NOT EXISTS dpem');
foreach my $data (@data)
{
	my ($name, $load) = @$data;

	next unless $name =~ /$wanted/;
	my ($numbers, $labels, $target) = $load->();

	next unless $numbers;
	register($numbers, $labels, $target);
	foreach my $fit (@fits)
	{
		my $columns = join ',', grep { $fit ne 'linreg' || $_ ne 'hours_per_week' } @$numbers, @$labels;
		my ($best, $exact, @names) = hindsight($fit, $columns);

		printf "%s, %s: best loss %.4f, AUC or R2 %.4f\n", $name, $fit, $best, $exact;
		foreach my $epsilon (@epsilons)
		{
			my @found = map { [ run($fit, $epsilon, $columns, @names) ] } 1 .. $runs;
			my @regret = map { $_->[0] - $best } @found;
			my @worth = map { my $which = $_; sprintf '%.4f / %.4f', middle(map { $_->[$which] } @found), (sort { $a <=> $b } map { $_->[$which] } @found)[0] } 1 .. 3;

			printf "  epsilon %s: regret a row %.4f / %.4f, AUC or R2 %s, after the last batch %s, average of all batches %s\n", $epsilon, middle(@regret), (sort { $b <=> $a } @regret)[0], @worth;
			push @lines, map { { data => $name, fit => $fit, epsilon => $epsilon, best_loss => $best, met_loss => $_->[0], best_worth => $exact, worth => $_->[1], last_worth => $_->[2], average_worth => $_->[3] } } @found;
		}
	}
	query('SELECT dp_drop_dataset(\'online\')');
	query('DROP TABLE fitted, rows');
}
write_csv('online', [qw(data fit epsilon best_loss met_loss best_worth worth last_worth average_worth)], @lines);
