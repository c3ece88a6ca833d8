# What averages, standard deviations and medians over wide domains are worth: errors in per cent of the true number
# (of a median, of the distance between the quartiles).  dp_avg and dp_stddev with clamp => 'auto' are beside the same
# without, clamped at the domain; dp_quantile beside the median of a dp_histogram of a hundred bins, all at the same total
# epsilon.  Run by `make bench-utility`; Utility.pm has the settings.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $normal = 'sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';

# name, expression of a value, rows, domain; quick?
my @tables = (
	[ 'balance', "round(500 * exp(1.35 * $normal) - 200 * (random() < 0.2)::int + 150)", 4521, -8000, 122000, 1 ],
	[ 'wages', "30000 + 8000 * $normal", 10000, 0, 1000000, 1 ],
	[ 'gain', "CASE WHEN random() < 0.92 THEN 0 ELSE least(99999, round(5000 * exp(0.9 * $normal))) END", 48842, 0, 99999 ],
	[ 'age', '17 + 73 * (random() + random()) / 2', 30000, 17, 90, 1 ],
	[ 'millions', "100 + 3 * $normal", 1000000, 0, 100000 ],
	[ 'few', "60 + 20 * $normal", 500, 0, 5000, 1 ],
	[ 'delays', "-ln(1 - random()) * 12", 20000, 0, 86400 ],
	[ 'two_heaps', "CASE WHEN random() < 0.7 THEN 20 + 4 * $normal ELSE 900 + 30 * $normal END", 20000, 0, 20000 ],
	[ 'signed', "0.02 + 0.05 * $normal", 20000, -10, 10 ],
	[ 'integers', 'floor(-3 * ln(1 - random()))', 15000, 0, 1000 ],
	[ 'cauchy', 'least(1e6, 50 + abs(tan(pi() * (random() - 0.5))))', 30000, 0, 1000000 ],
	[ 'constant', '42::float8', 5000, 0, 100000 ]);

my %truth = (
	avg => 'avg(v)', stddev => 'stddev(v)', median => 'percentile_cont(0.5) WITHIN GROUP (ORDER BY v)');

# what errors are relative to
my %unit = (
	avg => 'abs(avg(v))', stddev => 'stddev(v)', median => 'percentile_cont(0.75) WITHIN GROUP (ORDER BY v) - percentile_cont(0.25) WITHIN GROUP (ORDER BY v)');

sub load
{
	my ($data) = @_;
	my ($name, $value, $n, $lower, $upper) = @{ $data->{table} };
	my $domain = "(SELECT greatest($lower, least($upper, x)) AS v FROM $name) AS s";

	if (value("SELECT to_regclass('$name') IS NULL") eq 't')
	{
		query('SELECT setseed(0.75)');
		query("CREATE TABLE $name AS SELECT ($value)::float8 AS x FROM generate_series(1, $n); ANALYZE $name;
			SELECT dp_register_dataset('$name', '$name', 1000, 1e-2), dp_register_column('$name', 'x', $lower, $upper), dp_grant_budget(current_user::regrole, '$name', 1000, 1e-2)");
	}
	@{$data}{qw(rows columns)} = ($n, 1);
	@{$data}{qw(truth unit)} = split /\t/, value("SELECT $truth{ $data->{statistic} }, $unit{ $data->{statistic} } FROM $domain");
	return $data->{unit} > 0;
}

# the median of a histogram of a hundred bins, straight within a bin
sub histogram_median
{
	my ($name, $epsilon) = @_;

	return "WITH h AS (SELECT lower, upper, greatest(value, 0) AS n FROM dp_histogram('$name', 'x', $epsilon, 1e-6, bins => 100)),
		c AS (SELECT *, sum(n) OVER (ORDER BY lower) AS up, sum(n) OVER () AS total FROM h)
		SELECT lower + (upper - lower) * (total / 2 - up + n) / n FROM c WHERE up >= total / 2 AND n > 0 ORDER BY lower LIMIT 1";
}

sub score
{
	my ($task) = @_;
	my ($data, $epsilon) = @{$task}{qw(data epsilon)};
	my ($name, $statistic) = ($data->{table}[0], $data->{statistic});
	my $default = $task->{method}{role} eq 'default';
	my $sql = $statistic eq 'median' ? ($default ? "SELECT value FROM dp_quantile('$name', 'x', 0.5, $epsilon, 1e-6)" : histogram_median($name, $epsilon))
	  : "SELECT value FROM dp_$statistic('$name', 'x', $epsilon, 1e-6" . ($default ? ", clamp => 'auto')" : ')');

	query('SET client_min_messages = warning');
	return 100 * abs(value($sql) - $data->{truth}) / $data->{unit};
}

run_family(
	name => 'statistics', title => 'Averages, standard deviations, medians', value => 'error in per cent', larger => 0,
	note => 'replace_one, δ = 10⁻⁶', epsilons => [ 0.1, 0.5, 1, 4 ], quick_epsilons => [ 0.1, 1 ], score => \&score,
	methods => [ { role => 'default', label => 'dpem' }, { role => 'baseline', label => 'at the domain' } ],
	data => [ map { my $statistic = $_; map { { name => "$_->[0]: $statistic", statistic => $statistic, table => $_, quick => $_->[5], load => \&load } } @tables } qw(avg stddev median) ]);
