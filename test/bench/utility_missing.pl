# What missing => 'marginal' is worth beside complete rows alone: mean log-density of complete rows that were held out, of
# mixtures (dp_gmm_fit, K = 3) and of factor models (dp_fa_fit, two factors), by how many values are NULL and whether
# that depends on the value (docs/families/gmm.md, "Missing values").  Run by `make bench-utility`; Utility.pm has the settings.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $normal = 'sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';
my @columns = qw(a b c d e);

# Three groups that one factor runs through, and a column of its own.
my $rows = "SELECT i, (ARRAY[0,4,-3])[g] + f + 0.5 * $normal AS a, (ARRAY[0,3,4])[g] + f + 0.6 * $normal AS b,
	(ARRAY[2,-2,0])[g] - f + 0.5 * $normal AS c, (ARRAY[-1,0,3])[g] + 0.8 * f + 0.4 * $normal AS d,
	(ARRAY[1,-1,-1])[g] + 1.5 * $normal AS e
	FROM (SELECT i, 1 + i % 3 AS g, $normal AS f FROM generate_series(1, 10000) AS i) AS s";

my @data = map { my ($fit, $share, $why) = @$_;
	{ name => join('_', $fit, $share, $why), quick => $share == 20, fit => $fit, share => $share, why => $why, columns => 5, rows => 8000,
		title => ($fit eq 'gmm' ? 'mixture' : 'factor model') . ", $share % of the values NULL" . ($why eq 'value' ? ', large ones more often' : '') } }
	map { my $fit = $_; map { my $share = $_; map { [ $fit, $share, $_ ] } qw(random value) } (5, 20, 50) } qw(gmm fa);

# The chance that a value is NULL: the same for all, or rising with it from 0 to twice that.
sub chance
{
	my ($d, $column) = @_;
	my $share = $d->{share} / 100;

	return $share if $d->{why} eq 'random';
	return "least(1, $share * 2 / (1 + exp(-2 * ($column - (SELECT avg($column) FROM $d->{name}_all)) / (SELECT stddev($column) FROM $d->{name}_all))))";
}

sub load
{
	my ($d) = @_;
	my $name = $d->{name};

	query("CREATE TABLE ${name}_all AS $rows");
	query("CREATE TABLE ${name}_held AS SELECT * FROM ${name}_all WHERE i % 5 = 0");
	query("CREATE TABLE $name AS SELECT " . join(', ', map { 'CASE WHEN random() >= ' . chance($d, $_) . " THEN $_ END AS $_" } @columns) . " FROM ${name}_all WHERE i % 5 <> 0");
	prepare_dataset($name, map { [ $_, -20, 20 ] } @columns);
	return 1;
}

sub fit
{
	my ($task) = @_;
	my $d = $task->{data};
	my $missing = $task->{method}{role} eq 'default' ? 'marginal' : 'complete';
	my $size = $d->{fit} eq 'gmm' ? 3 : 2;

	query("SELECT count(*) FROM dp_$d->{fit}_fit('$d->{name}', $size, $task->{epsilon}, 1e-5, missing => '$missing', model => 'm$$')");
	my $score = value("SELECT avg(dp_log_density('m$$', ARRAY[a, b, c, d, e])) FROM $d->{name}_held");
	query("SELECT dp_drop_model('m$$')");
	return $score;
}

run_family(
	name => 'missing', title => 'Missing values', value => 'mean log-density of a complete row held out', larger => 1,
	note => 'replace_one, δ = 10⁻⁵', epsilons => [ 1, 4 ], quick_epsilons => [ 1 ], score => \&fit,
	methods => [ { role => 'default', label => "missing => 'marginal'" }, { role => 'baseline', label => 'complete rows' } ],
	data => [ map { { %$_, load => \&load, unload => \&unload_held } } @data ]);
