# What the families that explain a column are worth on real data: AUC of two classes, accuracy of several, R squared of
# a number, on rows that were held out; beside their other algorithms, which are published baselines, and beside
# scikit-learn without privacy (regression_sklearn.py).  Families and algorithms that this version does not have, or
# that a data set is not for, are left out; so the table below names what is to come.
# CSV, tables and pictures in build/bench/utility (docs/families has them).  Run by `make bench-regression`;
# Utility.pm has the settings.
#
#   DPEM_METHODS=regex   only methods whose labels match, and nothing of scikit-learn's
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Regression::Data qw(data_of prepare);
use Utility;

my $delta = 1e-6;
my $python = utility_python('sklearn');
my $wanted = $ENV{DPEM_METHODS} // '.';

# answer: what a model says of a row r, for AUC a number that is larger where the second class is likelier
my $posterior = { auc => '(dp_posterior(%s, r))[2]', accuracy => 'dp_predict_label(%s, r)' };
my $number = { r2 => 'dp_predict_value(%s, r)' };
my @methods = (
	{ role => 'default', family => 'linreg', answer => $number },
	{ role => 'default', family => 'gam', answer => { %$posterior, %$number } },
	{ role => 'default', family => 'bayes', answer => $posterior },
	{ role => 'default', family => 'logit', answer => $posterior },
	{ role => 'default', family => 'svm', answer => { auc => '(dp_transform(%s, r))[2]', accuracy => 'dp_predict_label(%s, r)' } },
	(map { { role => 'default', family => $_, answer => { accuracy => 'dp_predict_label(%s, r)' }, arguments => ", features => 'fourier'", label => "dp_${_}_fit, Fourier", only => 'letter' } } qw(logit svm)),
	(map { { role => 'baseline', family => 'linreg', answer => $number, arguments => ", algorithm => '$_'" . ($_ eq 'functional' ? ", composition => 'linear'" : ''), label => "linreg, $_" } } qw(adassp functional blocks)),
	(map { { role => 'baseline', family => 'logit', answer => $posterior, arguments => ", algorithm => '$_'", label => "logit, $_" } } qw(functional output objective)),
	(map { { role => 'baseline', family => 'svm', answer => { accuracy => 'dp_predict_label(%s, r)', auc => '(dp_transform(%s, r))[2]' }, arguments => ", algorithm => '$_'", label => "svm, $_" } } qw(output objective)));

$_->{label} //= "dp_$_->{family}_fit" foreach @methods;
$_->{possible} = \&is_possible foreach @methods;

# ---- scores -----------------------------------------------------------------------

sub area
{
	my ($table, $answer) = @_;

	return auc("SELECT label = 'yes' AS y, $answer AS p FROM (SELECT t.label, to_jsonb(t) AS r FROM $table AS t) AS u");
}

sub accuracy
{
	my ($table, $answer) = @_;

	return value("SELECT avg(($answer = label)::int) FROM (SELECT t.label, to_jsonb(t) AS r FROM $table AS t) AS u");
}

sub r_squared
{
	my ($table, $answer) = @_;

	return value("SELECT 1 - avg((y - $answer) ^ 2) / var_pop(y) FROM (SELECT t.y, to_jsonb(t) AS r FROM $table AS t) AS u");
}

my %measure = (auc => \&area, accuracy => \&accuracy, r2 => \&r_squared);

sub call_of
{
	my ($data, $method, $epsilon) = @_;

	return "('$data->{name}', '$data->{answer}', $epsilon, $delta" . ($method->{arguments} // '') . ($data->{arguments}{ $method->{family} } // '');
}

sub score
{
	my ($task) = @_;
	my ($data, $method) = @$task{qw(data method)};

	query("SELECT count(*) FROM dp_$method->{family}_fit" . call_of($data, $method, $task->{epsilon}) . ", model => 'm$$')");
	my $score = $measure{ $data->{kind} }->("$data->{name}_test", sprintf $method->{answer}{ $data->{kind} }, "'m$$'");
	query("SELECT dp_drop_model('m$$')");
	return $score;
}

# ---- what can be done with what -----------------------------------------------------

# does this version plan such a call?  Noise of the functional mechanism is too large to be drawn where epsilon is little.
sub is_possible
{
	my ($data, $method, $epsilon) = @_;

	return 0 unless $method->{answer}{ $data->{kind} } && $method->{label} =~ /$wanted/;
	return 0 if $method->{only} && $method->{only} ne $data->{name};
	my $call = "SELECT * FROM dp_$method->{family}_plan" . call_of($data, $method, $epsilon) . ')';

	$call =~ s/'/''/g;
	return value("SELECT possible('$call')") eq 't';
}

# a number for each model of scikit-learn: label => value
sub sklearn
{
	my ($data) = @_;
	my $file = "$out_dir/$data->{name}";
	my %value;

	return {} if !$python || $ENV{DPEM_METHODS};
	system('mkdir', '-p', $out_dir);
	foreach my $part (qw(train test))
	{
		open(my $out, '>', "$file.$part.csv") or die "$file: $!";
		print $out "$_\n" foreach query("\\copy $data->{name}_$part TO STDOUT CSV HEADER");
		close $out or die "$file: $!";
	}
	foreach my $line (`$python $FindBin::Bin/regression_sklearn.py $data->{kind} $file.train.csv $file.test.csv @{ $data->{range} }`)
	{
		chomp $line;
		my ($label, $score) = split /\t/, $line;
		$value{$label} = $score;
	}
	unlink "$file.train.csv", "$file.test.csv";
	return \%value;
}

sub prepare_all
{
	my ($data) = @_;

	prepare($data) or return 0;
	my $plain = sklearn($data);
	$data->{methods} = [ (grep { is_possible($data, $_, 8) } @methods),
		map { my $label = $_; { role => 'non-private', label => $label, values => sub { return { '' => [ $plain->{$label} ] } } } } sort keys %$plain ];
	return 1;
}

query('CREATE EXTENSION IF NOT EXISTS dpem; SET dpem.noise_warnings = off');
query(q{CREATE FUNCTION possible(call text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN EXECUTE call; RETURN true; EXCEPTION WHEN OTHERS THEN RETURN false; END $$});

my %title = (auc => [ 'Two classes', 'AUC of test rows' ], accuracy => [ 'Several classes', 'accuracy on test rows' ], r2 => [ 'A number', 'R² of test rows' ]);

foreach my $kind (qw(auc accuracy r2))
{
	run_family(name => "regression_$kind", title => $title{$kind}[0], value => $title{$kind}[1], larger => 1, note => 'δ = 10⁻⁶',
		epsilons => [ 0.1, 0.5, 1, 4 ], quick_epsilons => [ 0.1, 1 ], score => \&score, methods => [],
		data => [ map { { %$_, load => \&prepare_all } } grep { $_->{kind} eq $kind } data_of() ]);
}
