# What a private mixture is worth beside one Gaussian and independent columns, both at the same price, and beside a
# fit without noise, on tables that are unlike each other (utility_gmm_data.py): mean log-density of rows that were
# held out.  A run is a fold of the rows.  Run by `make bench-utility`; Utility.pm has the settings.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $folds = 10;
my $delta = 1e-4;
my $most_test = 5000;
my $work = tempdir(CLEANUP => 1);
my $python = utility_python('sklearn.mixture') // '/usr/bin/python3';
my %quick = map { $_ => 1 } qw(s1 few_rows near_constant integers);

# How the k components of a method are fitted.
my %arguments = ('dp_gmm_fit' => '', 'one Gaussian' => '', 'independent columns' => ", covariance => 'diagonal'");

sub load_set
{
	my ($set) = @_;
	my $name = $set->{name};
	my $answer = `$python $FindBin::Bin/utility_gmm_data.py $name $work/$name.csv`;

	return 0 unless $answer;
	%$set = (%$set, %{ decode_json($answer) });
	$set->{columns} = @{ $set->{lower} };
	$set->{names} = [ map { "c$_" } 1 .. $set->{columns} ];
	query("CREATE TABLE $name (fold int, " . join(', ', map { "$_ float8" } @{ $set->{names} }) . ')');
	query("\\copy $name FROM '$work/$name.csv' CSV");
	unlink "$work/$name.csv";
	make_fold($set, $_) foreach 0 .. ($folds < utility_runs() ? $folds : utility_runs()) - 1;
	query("DROP TABLE $name");
	return 1;
}

sub make_fold
{
	my ($set, $fold) = @_;
	my $name = $set->{name};
	my $columns = join ', ', @{ $set->{names} };

	query("CREATE TABLE ${name}_$fold AS SELECT $columns FROM $name WHERE fold <> $fold;
		CREATE TABLE ${name}_${fold}_test AS SELECT $columns FROM $name WHERE fold = $fold LIMIT $most_test");
	prepare_dataset("${name}_$fold", map { [ $set->{names}[$_], $set->{lower}[$_], $set->{upper}[$_], $set->{scale}[$_] ] } 0 .. $set->{columns} - 1);
	return;
}

sub unload_set
{
	my ($set) = @_;

	foreach my $fold (0 .. $folds - 1)
	{
		query("SELECT dp_drop_dataset('$set->{name}_$fold') FROM pg_class WHERE relname = '$set->{name}_$fold';
			DROP TABLE IF EXISTS $set->{name}_$fold, $set->{name}_${fold}_test");
	}
	return;
}

sub score
{
	my ($task) = @_;
	my ($set, $method) = @{$task}{qw(data method)};
	my $table = "$set->{name}_" . ($task->{run} - 1) % $folds;
	my $k = $method->{role} eq 'default' ? $set->{k} : 1;

	return private_score("'$table', $k, $task->{epsilon}, $delta$arguments{ $method->{label} }", "${table}_test", @{ $set->{names} });
}

run_family(
	name => 'gmm', title => 'Gaussian mixtures', value => 'mean test log-likelihood per row', larger => 1,
	note => 'replace_one, δ = 10⁻⁴, a fold a run', epsilons => [ 0.1, 1, 4 ], quick_epsilons => [ 0.1, 1 ], score => \&score,
	methods => [ { role => 'default', label => 'dp_gmm_fit' }, { role => 'baseline', label => 'one Gaussian' },
		{ role => 'baseline', label => 'independent columns' },
		{ role => 'non-private', label => 'scikit-learn', values => sub { return { '' => $_[0]{sklearn} } } },
		{ role => 'non-private', label => 'one Gaussian, not private', values => sub { return { '' => $_[0]{one} } } } ],
	data => [ map { { name => $_, quick => $quick{$_}, load => \&load_set, unload => \&unload_set } }
		  qw(s1 gowalla rings hundred_clusters few_rows wide_domain lifesci adult diamonds letters zeros_and_tails bank_like
		  heavy_counts student_t integers near_constant sixty_columns lognormal pareto_counts lognormal_scaled pareto_counts_scaled
		  heavy_counts_scaled zeros_and_tails_scaled bank_like_scaled) ]);
