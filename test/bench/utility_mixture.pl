# What dp_mixture_fit's defaults are worth on unlike data, through SQL in a throw-away server: mean log-density of rows
# that were held out, beside one component at the same epsilon (independent columns) and the same fit without noise worth
# speaking of (docs/families/mixture.md).  Run by `make bench-utility`; Utility.pm has the settings.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;
use Utility;

my $without_noise = 125;		# an epsilon that stands for none, as fits without noise are not stored

my $normal = 'sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())';

# Each makes a table of all rows; every tenth is held out.  quick: for QUICK=1, too.
my @data = (
	{ name => 'classes', title => 'four classes, two numbers in a fortieth of their domains and 30 % NULL, a count, two labels',
		k => 4, rows => 20000, numbers => { x => [-1000, 1000], y => [-1000, 1000], visits => [0, 100] }, poisson => 'visits', labels => ['l1', 'l2'],
		sql => "SELECT CASE WHEN random() < 0.3 THEN NULL ELSE (ARRAY[10,20,20,35])[c] + 3 * $normal END AS x,
			CASE WHEN random() < 0.3 THEN NULL ELSE (ARRAY[0,50,-50,0])[c] + 10 * $normal END AS y,
			(SELECT count(*) FROM generate_series(1, 40) WHERE random() + 0 * i < (ARRAY[0.02,0.1,0.3,0.05])[c])::int AS visits,
			CASE WHEN random() < 0.2 THEN NULL ELSE (ARRAY['a','b','c','d','e'])[CASE WHEN random() < 0.8 THEN c ELSE 1 + floor(random() * 5)::int END] END AS l1,
			(ARRAY['p','q'])[1 + (random() < (ARRAY[0.9,0.2,0.5,0.1])[c])::int] AS l2
			FROM (SELECT i, 1 + i % 4 AS c FROM generate_series(1, GENERATE) AS i) AS s" },
	{ name => 'few', quick => 1, like => 'classes', title => 'the same, a thousand rows', rows => 1000 },
	{ name => 'answers', title => 'ten questions of four answers each, three kinds of persons, 20 % unanswered', k => 3, rows => 30000,
		numbers => {}, labels => [map { "q$_" } 1 .. 10],
		sql => 'SELECT ' . join(', ', map { "CASE WHEN random() < 0.2 THEN NULL WHEN random() < 0.6 THEN chr(97 + ((c * $_ + $_) % 4)::int) ELSE chr(97 + floor(random() * 4)::int) END AS q$_" } 1 .. 10) .
			' FROM (SELECT i, i % 3 AS c FROM generate_series(1, GENERATE) AS i) AS s' },
	{ name => 'many', title => 'a label of 200 categories, one of two, one number', k => 5, rows => 30000, numbers => { x => [0, 100] }, labels => ['code', 'sex'],
		sql => "SELECT 20 * c + 5 * $normal AS x, 'c' || lpad((40 * c + floor(40 * random() * random()))::text, 3, '0') AS code, CASE WHEN random() < 0.2 * c THEN 'f' ELSE 'm' END AS sex
			FROM (SELECT i, i % 5 AS c FROM generate_series(1, GENERATE) AS i) AS s" },
	{ name => 'tails', quick => 1, title => 'log-normal, a spike at zero, Student, and a label', k => 4, rows => 30000,
		numbers => { a => [0, 100000], b => [0, 1000], t => [-500, 500] }, labels => ['l'],
		sql => "SELECT exp(c + 1.5 * $normal) AS a, CASE WHEN random() < 0.7 THEN 0 ELSE 30 * c * random() END AS b, 2 * c + $normal / sqrt(random()) AS t, chr(97 + (c + (random() < 0.2)::int) % 4) AS l
			FROM (SELECT i, i % 4 AS c FROM generate_series(1, GENERATE) AS i) AS s" },
	{ name => 'nothing', quick => 1, title => 'no groups at all: four numbers and two labels, independent', k => 4, rows => 10000,
		numbers => { map { $_ => [-20, 20] } qw(a b c d) }, labels => ['l', 'm'],
		sql => "SELECT 3 * $normal AS a, $normal AS b, 5 * $normal AS c, 2 * $normal AS d, chr(97 + floor(random() * 3)::int) AS l, chr(97 + floor(random() * 2)::int) AS m FROM generate_series(1, GENERATE)" },
	{ name => 'fifty', title => 'fifty numbers of three groups, all NOT NULL', k => 3, rows => 20000, numbers => { map { sprintf('n%02d', $_) => [-30, 30] } 1 .. 50 }, labels => [], full => 1,
		sql => 'SELECT ' . join(', ', map { sprintf("(c * %d) %% 5 + $normal AS n%02d", $_, $_) } 1 .. 50) . ' FROM (SELECT i, i % 3 AS c FROM generate_series(1, GENERATE) AS i) AS s' });

my %named = map { $_->{name} => $_ } @data;

sub load
{
	my ($d) = @_;
	my $name = $d->{name};

	%$d = (%{ $named{ $d->{like} } }, %$d) if $d->{like};
	query('SELECT setseed(0.5)');
	query("CREATE TABLE ${name}_all AS SELECT *, row_number() OVER (ORDER BY random()) % 10 = 0 AS held FROM (" . $d->{sql} =~ s/GENERATE/int($d->{rows} * 10 \/ 9)/er . ') AS t');
	my @columns = (sort(keys %{ $d->{numbers} }), @{ $d->{labels} });
	my $columns = join(', ', @columns);
	query("CREATE TABLE $name AS SELECT $columns FROM ${name}_all WHERE NOT held");
	query("CREATE TABLE ${name}_held AS SELECT $columns FROM ${name}_all WHERE held LIMIT 2000");
	query("ALTER TABLE $name " . join(', ', map { "ALTER $_ SET NOT NULL" } sort keys %{ $d->{numbers} })) if $d->{full};
	query("ANALYZE $name");
	query("SELECT dp_register_dataset('$name', '$name', 1000, 1e-3)");
	query("SELECT dp_register_column('$name', '$_', $d->{numbers}{$_}[0], $d->{numbers}{$_}[1])") for sort keys %{ $d->{numbers} };
	query("SELECT dp_register_column('$name', '$_', (SELECT array_agg(DISTINCT $_ ORDER BY $_) FROM ${name}_all WHERE $_ IS NOT NULL))") for @{ $d->{labels} };
	query("SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 1e-3)");
	$d->{columns} = @columns;
	return 1;
}

sub fit
{
	my ($d, $k, $epsilon) = @_;
	my $poisson = $d->{poisson} ? ", poisson => '{$d->{poisson}}'" : '';

	query("SELECT count(*) FROM dp_mixture_fit('$d->{name}', $k, $epsilon, 1e-6, model => 'm$$'$poisson)");
	my $score = value("SELECT avg(dp_log_density('m$$', to_jsonb(held_row))) FROM $d->{name}_held AS held_row");
	query("SELECT dp_drop_model('m$$')");
	return $score;
}

run_family(
	name => 'mixture', title => 'Mixtures of numbers and categories', value => 'mean log-density of a row held out', larger => 1,
	note => 'replace_one, δ = 10⁻⁶', epsilons => [ 0.1, 0.5, 1, 4 ], quick_epsilons => [ 0.1, 1 ],
	score => sub { my ($task) = @_; return fit($task->{data}, $task->{method}{role} eq 'default' ? $task->{data}{k} : 1, $task->{epsilon}) },
	methods => [ { role => 'default', label => 'dp_mixture_fit' }, { role => 'baseline', label => 'one component' },
		{ role => 'non-private', label => "dp_mixture_fit, ε = $without_noise", values => sub { return { '' => [ fit($_[0], $_[0]{k}, $without_noise) ] } } },
		{ role => 'non-private', label => "one component, ε = $without_noise", values => sub { return { '' => [ fit($_[0], 1, $without_noise) ] } } } ],
	data => [ map { { %$_, load => \&load, unload => \&unload_held } } @data ]);
