# What dp_mixture_fit's defaults are worth on unlike data, through SQL in a throw-away server: mean log-density of rows
# that were held out, medians and worst of several fits, beside one component at the same epsilon (independent columns) and
# the same fit without noise worth speaking of.  CSV and table in build/bench/utility_mixture (docs/families/mixture.md).
# Run by `make bench-utility`.
#
#   RUNS=10     fits of each kind
#   QUICK=1     a few minutes: 3 fits, two epsilons
#   DATA=regex  which data
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;

$| = 1;
$out_dir = 'build/bench/utility_mixture';

my $quick = $ENV{QUICK};
my $runs = $ENV{RUNS} // ($quick ? 3 : 10);
my @epsilons = $quick ? (0.1, 1) : (0.1, 0.5, 1, 4);
my $most = 500;	# epsilon of a fit without noise worth speaking of

my $normal = 'sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';

# Each makes a table of all rows; every tenth is held out.
my @data = (
	{ name => 'classes', title => 'four classes, two numbers in a fortieth of their domains and 30 % NULL, a count, two labels',
		k => 4, rows => 20000, numbers => { x => [-1000, 1000], y => [-1000, 1000], visits => [0, 100] }, poisson => 'visits', labels => ['l1', 'l2'],
		sql => "SELECT CASE WHEN random() < 0.3 THEN NULL ELSE (ARRAY[10,20,20,35])[c] + 3 * $normal END AS x,
			CASE WHEN random() < 0.3 THEN NULL ELSE (ARRAY[0,50,-50,0])[c] + 10 * $normal END AS y,
			(SELECT count(*) FROM generate_series(1, 40) WHERE random() + 0 * i < (ARRAY[0.02,0.1,0.3,0.05])[c])::int AS visits,
			CASE WHEN random() < 0.2 THEN NULL ELSE (ARRAY['a','b','c','d','e'])[CASE WHEN random() < 0.8 THEN c ELSE 1 + floor(random() * 5)::int END] END AS l1,
			(ARRAY['p','q'])[1 + (random() < (ARRAY[0.9,0.2,0.5,0.1])[c])::int] AS l2
			FROM (SELECT i, 1 + i % 4 AS c FROM generate_series(1, GENERATE) AS i) AS s" },
	{ name => 'few', like => 'classes', title => 'the same, a thousand rows', rows => 1000 },
	{ name => 'answers', title => 'ten questions of four answers each, three kinds of persons, 20 % unanswered', k => 3, rows => 30000,
		numbers => {}, labels => [map { "q$_" } 1 .. 10],
		sql => 'SELECT ' . join(', ', map { "CASE WHEN random() < 0.2 THEN NULL WHEN random() < 0.6 THEN chr(97 + ((c * $_ + $_) % 4)::int) ELSE chr(97 + floor(random() * 4)::int) END AS q$_" } 1 .. 10) .
			' FROM (SELECT i, i % 3 AS c FROM generate_series(1, GENERATE) AS i) AS s' },
	{ name => 'many', title => 'a label of 200 categories, one of two, one number', k => 5, rows => 30000, numbers => { x => [0, 100] }, labels => ['code', 'sex'],
		sql => "SELECT 20 * c + 5 * $normal AS x, 'c' || lpad((40 * c + floor(40 * random() * random()))::text, 3, '0') AS code, CASE WHEN random() < 0.2 * c THEN 'f' ELSE 'm' END AS sex
			FROM (SELECT i, i % 5 AS c FROM generate_series(1, GENERATE) AS i) AS s" },
	{ name => 'tails', title => 'log-normal, a spike at zero, Student, and a label', k => 4, rows => 30000,
		numbers => { a => [0, 100000], b => [0, 1000], t => [-500, 500] }, labels => ['l'],
		sql => "SELECT exp(c + 1.5 * $normal) AS a, CASE WHEN random() < 0.7 THEN 0 ELSE 30 * c * random() END AS b, 2 * c + $normal / sqrt(random()) AS t, chr(97 + (c + (random() < 0.2)::int) % 4) AS l
			FROM (SELECT i, i % 4 AS c FROM generate_series(1, GENERATE) AS i) AS s" },
	{ name => 'nothing', title => 'no groups at all: four numbers and two labels, independent', k => 4, rows => 10000,
		numbers => { map { $_ => [-20, 20] } qw(a b c d) }, labels => ['l', 'm'],
		sql => "SELECT 3 * $normal AS a, $normal AS b, 5 * $normal AS c, 2 * $normal AS d, chr(97 + floor(random() * 3)::int) AS l, chr(97 + floor(random() * 2)::int) AS m FROM generate_series(1, GENERATE)" },
	{ name => 'fifty', title => 'fifty numbers of three groups, all NOT NULL', k => 3, rows => 20000, numbers => { map { sprintf('n%02d', $_) => [-30, 30] } 1 .. 50 }, labels => [], full => 1,
		sql => 'SELECT ' . join(', ', map { sprintf("(c * %d) %% 5 + $normal AS n%02d", $_, $_) } 1 .. 50) . ' FROM (SELECT i, i % 3 AS c FROM generate_series(1, GENERATE) AS i) AS s' });

my %named = map { $_->{name} => $_ } @data;

sub make_table
{
	my ($d) = @_;
	my $name = $d->{name};

	$d = { %{ $named{ $d->{like} } }, %$d } if $d->{like};
	query('SELECT setseed(0.5)');
	query("CREATE TABLE ${name}_all AS SELECT *, row_number() OVER () % 10 = 0 AS held FROM (" . $d->{sql} =~ s/GENERATE/int($d->{rows} * 10 \/ 9)/er . ') AS t');
	my $columns = join(', ', sort(keys %{ $d->{numbers} }), @{ $d->{labels} });
	query("CREATE TABLE $name AS SELECT $columns FROM ${name}_all WHERE NOT held");
	query("CREATE TABLE ${name}_held AS SELECT $columns FROM ${name}_all WHERE held LIMIT 2000");
	query("ALTER TABLE $name " . join(', ', map { "ALTER $_ SET NOT NULL" } sort keys %{ $d->{numbers} })) if $d->{full};
	query("ANALYZE $name");
	query("SELECT dp_register_dataset('$name', '$name', 1000, 1e-3)");
	query("SELECT dp_register_column('$name', '$_', $d->{numbers}{$_}[0], $d->{numbers}{$_}[1])") for sort keys %{ $d->{numbers} };
	query("SELECT dp_register_column('$name', '$_', (SELECT array_agg(DISTINCT $_ ORDER BY $_) FROM ${name}_all WHERE $_ IS NOT NULL))") for @{ $d->{labels} };
	query("SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 1e-3)");
	return $d;
}

sub fit
{
	my ($d, $k, $epsilon) = @_;
	my $poisson = $d->{poisson} ? ", poisson => '{$d->{poisson}}'" : '';

	query("SELECT count(*) FROM dp_mixture_fit('$d->{name}', $k, $epsilon, 1e-6, model => 'bench'$poisson)");
	my $score = value("SELECT avg(dp_log_density('bench', to_jsonb(held_row))) FROM $d->{name}_held AS held_row");
	query("SELECT dp_drop_model('bench')");
	return $score;
}

sub median_and_worst
{
	my @sorted = sort { $a <=> $b } @_;

	return sprintf('%.2f / %.2f', $sorted[@sorted / 2], $sorted[0]);
}

my $csv = Paper::open_output('scores.csv');
my $table = Paper::open_output('table.md');
print $csv "data,k,epsilon,run,score\n";
print $table '| data | | ', join(' | ', map { "ε = $_" } @epsilons), " | without noise |\n|---|---|", '---|' x (@epsilons + 1), "\n";

query('CREATE EXTENSION dpem');
for my $spec (grep { $_->{name} =~ /$ENV{DATA}/ } map { $ENV{DATA} //= '.'; $_ } @data)
{
	my $d = make_table($spec);

	for my $k ($d->{k}, 1)
	{
		my @cells;

		for my $epsilon (@epsilons)
		{
			my @scores = map { fit($d, $k, $epsilon) } 1 .. $runs;

			print $csv "$d->{name},$k,$epsilon,$_,$scores[$_ - 1]\n" for 1 .. $runs;
			push @cells, median_and_worst(@scores);
		}
		push @cells, sprintf('%.2f', fit($d, $k, $most / 4));
		my $line = '| ' . ($k > 1 ? "$d->{title}; $d->{rows} rows" : '') . ' | ' . ($k > 1 ? "k = $k" : 'one component') . ' | ' . join(' | ', @cells) . " |\n";
		print $table $line;
		print $line;
	}
}
