# No argument brings the server down, hangs it, reaches an internal error or
# spends anything: every function of the extension, those for administrators
# and those of the aggregate included, is called with nonsense.
#
# DPEM_FUZZ_CALLS   number of calls (default 20000)
# DPEM_FUZZ_SEED    the same seed makes the same calls
use strict;
use warnings;
no warnings 'portable';

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Utils;
use Test::More;

my $calls = $ENV{DPEM_FUZZ_CALLS} // 20_000;
my $seed = $ENV{DPEM_FUZZ_SEED} // int(rand(2**31));
my $batch = 2_000;
my $node = new_people('fuzz', conf => "log_statement = none\nlog_min_messages = panic\nlog_min_error_statement = panic\n");

# What an argument may be answered with; anything else is a bug here or there.
my %answer = map { ($_ => 1) } (
	'OK000',	# it works
	'22023', '22004', '22P03', '22P02',	# bad values
	'42501', '42602', '42704', '42703', '42710', '42804', '42809', '42883', '42P01',	# rights, names, types
	'0A000', '39P01', '39P03', '3F000', '42P07', '54000', '55000', '55006', 'HV00D',	# not here, not so, too large
	'DP001', 'DP004');

# Calls that may have charged before they failed; plans refuse noise that cannot be drawn in the same words.
my %after_charge = map { ($_ => 1) } qw(OK000 22003 DP003);
my $charges = qr/^(?:public\.)?dp_(.*_fit|count|sum|avg|variance|stddev|covariance|histogram|quantiles?|describe|statistics|evaluate|count_distinct|bounds|robust|feature_ranking|top_k|register_person_column|choose_max_rows|refresh_model)$/;

$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION dpem;
	CREATE ROLE own LOGIN;
	CREATE ROLE ana LOGIN;
	GRANT CREATE ON SCHEMA public TO own;
	SET ROLE own;
	CREATE TABLE people AS SELECT i AS person, sin(i) AS x, cos(i) AS y, 'w' || i AS word FROM generate_series(1, 40) i;
	CREATE TABLE visits AS SELECT * FROM people;
	CREATE TABLE arrays AS SELECT ARRAY[x, y] AS a, x::numeric AS n, y::float4 AS y FROM people;
	CREATE TABLE posts AS SELECT ARRAY[1 + i % 3, 2, 3] AS doc FROM generate_series(1, 40) i;
	CREATE TABLE fresh AS SELECT * FROM people;
	CREATE INDEX fresh_i ON fresh (x);
	CREATE VIEW seen AS SELECT * FROM fresh;
	CREATE SEQUENCE counter;
	CREATE TABLE parted (x float8) PARTITION BY RANGE (x);
	ANALYZE;
	SELECT dp_register_dataset('people', 'people', 1000, 1e-2), dp_register_dataset('lists', 'arrays', 1000, 1e-2, adjacency => 'add_remove', accountant => 'rdp'),
		dp_register_dataset('posts', 'posts', 1000, 1e-2, accountant => 'ma'),
		dp_register_dataset('persons', 'visits', 1000, 1e-2, unit => 'person', max_rows_per_unit => 3, keys_share => 0.1);
	SELECT dp_register_column(name, 'x', -1, 1), dp_register_column(name, 'y', -1, 1) FROM unnest('{people,persons}'::text[]) name;
	SELECT dp_register_column('lists', 'a', -1, 1, 2), dp_register_column('lists', 'n', -1, 1), dp_register_column('people', 'word', '{w1,w2}'), dp_register_key('persons', 'word'), dp_register_text('posts', 'doc', '{w1,w2,w3}');
	SELECT dp_grant_budget(role, name, 1000, 1e-2) FROM unnest('{people,lists,persons,posts}'::text[]) name, unnest('{ana,own,postgres}'::regrole[]) role;
	SET ROLE ana;
	SELECT component FROM dp_gmm_fit('people', 2, 1, model => 'm');
	SELECT column_name FROM dp_logit_fit('people', 'word', 1, model => 'l');
	SELECT column_name FROM dp_linreg_fit('people', 'y', 1, columns => '{x,word}', model => 'r');
	SELECT class FROM dp_bayes_fit('people', 'word', 1, model => 'b');
	SELECT component FROM dp_mixture_fit('people', 2, 1, model => 'mx');
	SELECT topic FROM dp_lda_fit('posts', 2, 1, model => 't');
	SELECT dp_grant_model('m', 'own')});
$node->safe_psql('postgres', slurp_file("$FindBin::RealBin/../fuzz/fuzz.sql"));

# Passes as src/scan/pass.c writes them: header words, then doubles in the
# machine's byte order; and words to break them with.
sub wire
{
	my ($family, $k, $d, $second, $exact, $center, $whitening, $lengths, @parameters) = @_;

	return unpack('H*', pack('Q24', 0x6470656d70617309, $family, $k, $d, $second, $exact ? (13, 18) : (0, 0), $center, $whitening, scalar @$lengths, 0, 0, 0,
			$family == 9 ? 2 : 0, $d, 0, 0, 0, 0, 0, 0, 0, 0, 0)
		  . pack('d*', sqrt($d), @$lengths, (-1) x $d, (1) x $d, @parameters));
}

# the same with scales of the columns, after their bounds
sub scaled_wire
{
	my ($d, @scale) = @_;
	my $wire = wire(1, 1, $d, 3, 1, 0, 0, [ (1) x $d ]);

	substr($wire, 12 * 16, 16) = unpack('H*', pack('Q', 1));
	return $wire . unpack('H*', pack('d*', @scale));
}

# the same with numbers that may be unknown: how many are read as NaN, and how many of these stand at the center then
sub unknown_wire
{
	my ($unknown, $imputed, @pass) = @_;
	my $wire = wire(@pass);

	substr($wire, 17 * 16, 32) = unpack('H*', pack('Q2', $unknown, $imputed));
	return $wire;
}

# the same with coordinates, from a given one on, that tell which of the first numbers are known
sub known_wire
{
	my ($known, $told, @pass) = @_;
	my $wire = wire(@pass);

	substr($wire, 20 * 16, 32) = unpack('H*', pack('Q2', $known, $told));
	return $wire;
}

# the same of rows that are clamped to a range, which stands before all that is a group's own
sub ranged_wire
{
	my ($d, $range, @pass) = @_;
	my $wire = wire(@pass);

	substr($wire, 19 * 16, 16) = unpack('H*', pack('Q', 1));
	substr($wire, (23 + 3 * $d) * 16, 0) = unpack('H*', pack('d*', @$range));
	return $wire;
}

my @passes = (
	ranged_wire(2, [ -0.5, 0, 0.5, 2 ], 1, 1, 2, 3, 1, 0, 0, [ 1, 1 ]),
	ranged_wire(2, [ 0.5, 0, -0.5, 2 ], 1, 1, 2, 3, 1, 0, 0, [ 1, 1 ]),
	(map { wire(1, 1, 2, $_, 1, 0, 0, [ 1, 1 ]) } 0 .. 3),
	wire(1, 1, 2, 3, 0, 0, 0, [ 1, 1 ]),
	wire(1, 1, 2, 3, 1, 1, 1, [ 1, 1 ], 0.1, 0.1, 1, 0.5, 0, 1),
	wire(1, 1, 3, 2, 1, 0, 0, [ 2, 1 ]),
	wire(1, 1, 1, 1, 1, 0, 0, [1]),
	wire(2, 2, 2, 3, 1, 0, 0, [ 1, 1 ], -0.7, -0.7, -0.4, -0.3, 0.4, 0.2, 2, 0.5, 3, 4, 0, 2.5),
	wire(2, 2, 2, 2, 1, 0, 0, [2], -0.7, -0.7, -0.4, -0.3, 0.4, 0.2, 2, 3, 4, 2.5),
	wire(2, 3, 2, 1, 0, 1, 0, [ 1, 1 ], 0.1, 0.2, (-1) x 3, -0.4, -0.3, 0.4, 0.2, 0, 0, 2, 3, 4),
	wire(3, 3, 2, 0, 1, 0, 0, [ 1, 1 ], -0.4, -0.3, 0.4, 0.2, 0, 0),
	wire(3, 2, 2, 3, 0, 0, 0, [2], -0.4, -0.3, 0.4, 0.2),
	wire(9, 1, 2, 3, 1, 0, 0, [ 1, 1 ], 0.5, -0.2, 0.3),
	wire(9, 1, 2, 3, 0, 0, 0, [2], 5, 2, 3),
	wire(10, 2, 2, 0, 1, 0, 0, [2], 0.5, 500, 0, 20, 0.1, 0.2, 0.3, 0.4),
	wire(10, 1, 3, 0, 0, 0, 0, [3], 0.5, 10, 1, 0, 0.1, 0.2, 0.3),
	scaled_wire(2, 1, 2), scaled_wire(1, 2), scaled_wire(3, 0, 1, 2),
	unknown_wire(2, 2, 1, 1, 2, 3, 1, 1, 0, [ 1, 1 ], 0.1, 0.1),
	unknown_wire(1, 1, 1, 1, 3, 1, 0, 0, 0, [ 2, 1 ]),
	unknown_wire(2, 0, 51, 6, 2, 0, 1, 0, 0, [ 1, 1 ], 1.5, 2, 2, 2, 0),
	unknown_wire(3, 0, 51, 2, 3, 0, 0, 0, 0, [ 1, 2 ], 1.8, 3, 2, 1, 0),
	known_wire(1, 2, 1, 1, 3, 3, 1, 0, 0, [ 1, 1 ]),
	known_wire(1, 1, 1, 1, 3, 3, 0, 0, 0, [ 1, 1 ]),
	known_wire(2, 2, 1, 1, 5, 1, 1, 0, 0, [ 2, 1 ]));
my @words = map { unpack('H*', $_) } (
	(map { pack('d', $_) } (0, -0.0, 1, -1, 0.5, 2, 1e-300, 1e300, 5e-324, 1.7e308, -1.7e308, 9**9**9, -9**9**9, -sin(9**9**9))),
	(map { pack('q', $_) } (0, 1, 2, 3, 4, 13, 18, 26, 255, 256, 500, 501, 100000, 100001, 2**31, 2**32, 2**62, -1)));

sub bytea_array
{
	return 'ARRAY[' . join(', ', map { "'\\x$_'::bytea" } @_) . ']';
}

$node->safe_psql('postgres', 'INSERT INTO fuzz.wire VALUES (' . bytea_array(@passes) . ', ' . bytea_array(@words) . ')');

# ---- run ---------------------------------------------------------------------

my %count;
my $may_have_charged = 0;
my @bugs;

sub run_batch
{
	my ($role, $from, $n, $all) = @_;
	my ($rc, $out, $err) = $node->psql('postgres', qq{
		SET client_min_messages = error;
		SET statement_timeout = '60s';
		SET ROLE $role;
		CREATE TEMP TABLE o AS SELECT * FROM fuzz.run($from, $n, $all);
		SELECT target, state, count(*), min(call), min(message) FROM o GROUP BY 1, 2},
		extra_params => [ '-F', "\x1f", '-R', "\x1e" ]);

	is("$rc$err", '0', "seed $from, $n calls as $role: the server answers") or return;
	foreach my $row (split /\x1e/, $out)
	{
		my ($target, $state, $number, $call, $message) = split /\x1f/, $row;

		$count{$target}{$state} += $number;
		$may_have_charged += $number if $target =~ $charges && $after_charge{$state};
		next if $answer{$state} || ($target =~ $charges && $after_charge{$state}) || ($target =~ /_plan$/ && $state eq '22003');
		push @bugs, "$state $message: " . substr($call, 0, 2000);
	}
	return;
}

sub ledger
{
	return $node->safe_psql('postgres', 'SELECT count(DISTINCT charge) FROM dpem_internal.charge');
}

my $charged = ledger();

note("seed $seed");
for (my $done = 0; $done < $calls; $done += $batch)
{
	my $role = (qw(postgres own ana))[ $done / $batch % 3 ];

	run_batch($role, ($seed + $done / $batch) % 2**31, $batch, $done == 0 ? 'true' : 'false');
}

is(join("\n", @bugs), '', 'every answer is one that arguments may get');
cmp_ok(ledger() - $charged, '<=', $may_have_charged, 'nothing but fits and statistics that went as far spent anything');
is($node->safe_psql('postgres', 'SELECT count(*) FROM dpem.datasets') , 4, 'every call was undone');
my @missed = $node->safe_psql('postgres', 'SELECT DISTINCT name FROM fuzz.target');
is(join(' ', grep { !$count{$_} } split /\n/, "@missed"), '', 'every function was called');
foreach my $target (sort keys %count)
{
	note("$target: " . join(', ', map { "$_ $count{$target}{$_}" } sort keys %{ $count{$target} }));
}
$node->stop;
done_testing();
