# The aggregate's state is the same integers whatever the order of rows, the
# number of workers or the splitting into blocks; null rows add nothing.
use strict;
use warnings;
no warnings 'portable';

use Dpem::Test;
use Test::More;

my ($k, $d) = (3, 2);
my $node = start_server('moments');

# A pass as the leader writes it: header words, then doubles (src/scan/pass.c).
sub make_pass
{
	my @words = (0x6470656d70617309, 2, $k, $d, 3, 13, 18, 0, 0, $d, 0, 0, @_ > 0, 0, $d, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	my @doubles = (
		sqrt($d),    # radius
		1, 1,        # coordinates of each argument
		-10, -10,    # lower
		10, 10,      # upper
		@_,          # scales
		(log(1 / 3)) x $k,
		-0.4, -0.4, 0.0, 0.1, 0.5, 0.3,                      # means
		(5.0, 0.5, 6.0), (4.0, 0.0, 4.0), (7.0, -1.0, 5.0)); # inverse Cholesky factors

	return unpack('H*', pack('Q<*', @words) . pack('d<*', @doubles));
}

my $pass = make_pass();
my $sum = "dpem_internal.moments('\\x$pass', a, b)";

$node->safe_psql('postgres', q{
	CREATE TABLE points AS
	SELECT i, 9 * sin(i * 0.7)::float8 AS a, (5 * cos(i * 1.3) + 2 * sin(i * 0.01))::float8 AS b
	FROM generate_series(1, 100003) i;
	ANALYZE points;
	SET max_parallel_workers_per_gather = 0});

sub state_of
{
	my ($from, $settings) = @_;

	return $node->safe_psql('postgres', ($settings // '') . "SELECT md5($sum) FROM $from");
}

my $serial = 'SET max_parallel_workers_per_gather = 0;';
my $parallel = 'SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;';
my $expected = state_of('points', $serial);

like($expected, qr/^[0-9a-f]{32}$/, 'a state');
is(state_of('(SELECT * FROM points ORDER BY a) s', $serial), $expected, 'rows in another order');
is(state_of('(SELECT * FROM points ORDER BY md5(i::text)) s', $serial), $expected, 'rows shuffled');
foreach my $workers (1, 2, 4, 8)
{
	my $settings = "$parallel SET max_parallel_workers_per_gather = $workers; ALTER TABLE points SET (parallel_workers = $workers);";

	like($node->safe_psql('postgres', "$settings EXPLAIN (COSTS OFF) SELECT $sum FROM points"),
		qr/Partial Aggregate/, "$workers workers: the plan is parallel");
	is(state_of('points', $settings), $expected, "$workers workers: the same state");
}
is(state_of(
		'(SELECT a, b FROM points UNION ALL SELECT * FROM (VALUES (NULL::float8, 1::float8), (1, NULL),'
		  . " ('NaN', 0), ('Infinity', 0), (0, '-Infinity')) v) s", $serial),
	$expected, 'null rows add nothing');
isnt(state_of('(SELECT a, b FROM points UNION ALL SELECT 1e308, -1e308) s', $serial),
	$expected, 'a row far outside the domain counts');
is(state_of('(SELECT a, b FROM points UNION ALL SELECT 1e308, -1e308) s', $serial),
	state_of('(SELECT a, b FROM points UNION ALL SELECT 10, -10) s', $serial),
	'... as its clipped self');
is($node->safe_psql('postgres', "SELECT $sum IS NULL FROM points WHERE false"), 't', 'no rows, no state');

# Columns on a logarithmic scale, 1, are their logarithms, on any number of workers, and values that have none are
# the lower bound; on a signed one, 2, as many bits in any order.
my ($log_scale, $signed_scale) = map { make_pass(@$_) } [ 1, 0 ], [ 0, 2 ];

$node->safe_psql('postgres', q{
	CREATE TABLE decades AS SELECT i, exp(a) AS a, b, sign(b) * (exp(abs(b)) - 1) AS c FROM points;
	INSERT INTO decades VALUES (0, 1e308, 1, 1e308), (0, 1e-9, 1, -1e308), (0, exp(10::float8), 1, 4.9e-324), (0, 1, 1, -4.9e-324);
	ANALYZE decades});

sub scaled_state
{
	my ($settings, $wire, $columns, $from) = @_;

	return $node->safe_psql('postgres', "$settings SELECT md5(dpem_internal.moments('\\x$wire', $columns)) FROM $from");
}

my $by_hand = scaled_state($serial, $pass, 'ln(a), b', 'decades');
my $signed = scaled_state($serial, $signed_scale, 'b, c', 'decades');

is(scaled_state($serial, $log_scale, 'a, b', 'decades'), $by_hand, 'a logarithmic scale');
isnt(scaled_state($serial, $pass, 'a, b', 'decades'), $by_hand, '... is not linear');
foreach my $workers (1, 3)
{
	my $settings = "$parallel SET max_parallel_workers_per_gather = $workers; ALTER TABLE decades SET (parallel_workers = $workers);";

	is(scaled_state($settings, $log_scale, 'a, b', 'decades'), $by_hand, "$workers workers: the same state");
	is(scaled_state($settings, $signed_scale, 'b, c', 'decades'), $signed, "$workers workers: the same state on a signed scale");
}
foreach my $wire ($log_scale, make_pass(2, 2))
{
	my $name = $wire eq $log_scale ? 'logarithmic' : 'signed';
	my $least = $wire eq $log_scale ? 'exp(-10::float8)' : '-exp(10::float8)';
	my $one = sub { scaled_state($serial, $wire, 'a, b', "(SELECT a, b FROM decades UNION ALL SELECT $_[0]::float8, 1) s") };

	is($one->($_), $one->($least), "$name: $_ is the lower bound")
	  foreach $wire eq $log_scale ? ("'0'", "'-0'", '-1', "'-1e308'", "'4.9e-324'", "'1e-310'") : ("'-1e308'", '-22026');
	is($one->($_), $one->('exp(11::float8)'), "$name: $_ is the upper bound") foreach ('1e300', "'1.7e308'", '22026.4657');
	is($one->($_), scaled_state($serial, $wire, 'a, b', 'decades'), "$name: $_ is the null row") foreach ("'NaN'", "'Infinity'", "'-Infinity'", 'NULL');
}

# The same of a grid of 2 x 2 cells, of which the third is cut into 3 x 3 (src/core/kernels/cells.h): counts of
# rows, in units of 2^-18, behind the state's header.
sub make_grid_pass
{
	my @words = (0x6470656d70617309, 5, 12, $d, 4, 13, 18, 0, 0, $d, 0, 0, 0, 0, $d, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	my @doubles = (sqrt($d), 1, 1, -10, -10, 10, 10,
		2, 0, 1, (-0.7, 0.7, 2) x 2,
		1, 0, 1, 1, 3, 2, 1, 11);

	return unpack('H*', pack('Q<*', @words) . pack('d<*', @doubles));
}

my $grid = make_grid_pass();
my $count = "dpem_internal.moments('\\x$grid', a, b)";
my $counts = $node->safe_psql('postgres', "$serial SELECT $count FROM points");

is($node->safe_psql('postgres', "$parallel SET max_parallel_workers_per_gather = 4; ALTER TABLE points SET (parallel_workers = 4); SELECT $count FROM points"),
	$counts, 'cells: 4 workers, the same state');
is($node->safe_psql('postgres', "$serial SELECT $count FROM (SELECT * FROM points ORDER BY md5(i::text)) s"), $counts,
	'cells: rows shuffled');
is($node->safe_psql('postgres', "$serial SELECT $count FROM (SELECT a, b FROM points UNION ALL SELECT NULL, 1 UNION ALL SELECT 'NaN', 1) s"),
	$counts, 'cells: null rows are in none');
my @cells = map { hex($_) / 2**18 } unpack('x24 (A32)*', substr($counts, 2));
is(scalar @cells, 12, 'twelve counts');
is(join(' ', @cells), $node->safe_psql('postgres', q{
	WITH f AS (SELECT (round(a / 10 * 8192 / sqrt(2)) / 8192 + 0.7) / 0.7 AS a,
		(round(b / 10 * 8192 / sqrt(2)) / 8192 + 0.7) / 0.7 AS b FROM points),
	p AS (SELECT (a >= 1)::int AS x, (b >= 1)::int AS y, least(greatest(floor(3 * (a - 1)), 0), 2) AS u,
		least(greatest(floor(3 * b), 0), 2) AS v FROM f),
	c AS (SELECT CASE WHEN x = 0 THEN y WHEN y = 1 THEN 11 ELSE 2 + 3 * u + v END AS cell FROM p)
	SELECT string_agg(coalesce(n, 0)::text, ' ' ORDER BY g)
	FROM generate_series(0, 11) g LEFT JOIN (SELECT cell, count(*) AS n FROM c GROUP BY cell) h ON g = cell}),
	'... as SQL counts them');
foreach my $damaged ([ 16, 11, 'more cells than there are' ], [ 32, 3, 'with other moments than counts' ])
{
	my ($at, $value, $what) = @$damaged;
	my $bad = substr($grid, 0, 2 * $at) . unpack('H*', pack('Q<', $value)) . substr($grid, 2 * $at + 16);
	my ($rc, $out, $err) = $node->psql('postgres', "SELECT dpem_internal.moments('\\x$bad', a, b) FROM points");

	like($err, qr/malformed pass/, "a grid $what is refused");
}

# a scorer of rows with a model of any bytes: coefficients of more features than it has would be of whatever is behind them
sub text { my $s = shift; return defined $s ? pack('l> a*', length($s), $s) : pack('l>', -1) }

sub scorer
{
	my ($features) = @_;
	my $bytes = pack('C l> d>5 d>2 C l> C l>', 4, 1, 1, -1, 1, 0, 1, 0, 1, 0, 0, 0, 0)
		. text('svm') . text('joint') . pack('l>4 d>5', 2, 1, 0, $features, -1, 1, 0, -1, 1) . text(undef) . text('a') . text(undef) . text(undef)
		. text('no') . text('yes') . pack('d>*', (0) x $features, (1) x $features) . text('word') . text('hinge') . pack('d>*', 0, 0, 0, 0, 1);
	my @packed = map { hex(unpack('H*', $_ . "\0" x (6 - length $_))) } unpack('(a6)*', $bytes);

	return unpack('H*', pack('Q<24 d<*', 0x6470656d70617309, 40, 2, 1, 4, 13, 18, (0) x 2, 1, (0) x 4, 1, (0) x 9,
		1, 1, -1, 1, 2, 0, length($bytes), @packed));
}

is($node->safe_psql('postgres', "SELECT dpem_internal.moments('\\x" . scorer(2) . "', 0.5::float8) IS NOT NULL"), 't', 'a scorer of one column and an intercept');
foreach my $features (0, 1, 3, 1000)
{
	my ($rc, $out, $err) = $node->psql('postgres', "SELECT dpem_internal.moments('\\x" . scorer($features) . "', 0.5::float8)");

	like($err, qr/corrupt model parameters/, "a scorer with coefficients of $features features is refused");
}

# ... and from dpem's own scans alone, of which the digest says what they run
$node->safe_psql('postgres', 'CREATE ROLE stranger; CREATE ROLE trusted; GRANT EXECUTE ON FUNCTION dpem_internal.brings_models TO trusted');
foreach my $before ('', "SET dpem.own_pass = '" . ('0' x 64) . "'; ", "SET dpem.own_pass = ''; ")
{
	my ($rc, $out, $err) = $node->psql('postgres', "SET ROLE stranger; $before SELECT dpem_internal.moments('\\x" . scorer(2) . "', 0.5::float8)", on_error_stop => 0);

	like($err, qr/permission denied to bring a model to dpem_internal.moments/, 'a scorer that somebody else has written is refused' . ($before && " after $before"));
}
is($node->safe_psql('postgres', "SET ROLE trusted; SELECT dpem_internal.moments('\\x" . scorer(2) . "', 0.5::float8) IS NOT NULL"), 't', '... unless another server is trusted with it');

# every shape of damage is refused, none crashes
foreach my $bad ('', '00', substr($pass, 0, 40), $pass . '00', 'ff' x (length($pass) / 2),
	substr($pass, 0, 16) . 'ff' x (length($pass) / 2 - 8))
{
	my ($rc, $out, $err) = $node->psql('postgres', "SELECT dpem_internal.moments('\\x$bad', a, b) FROM points");

	like($err, qr/malformed pass/, 'a malformed pass of ' . length($bad) / 2 . ' bytes is refused');
}
my ($rc, $out, $err) = $node->psql('postgres', "SELECT dpem_internal.moments('\\x$pass', a) FROM points");
like($err, qr/do not match/, 'too few columns are refused');
($rc, $out, $err) = $node->psql('postgres', "SELECT dpem_internal.moments('\\x$pass', a, b, a) FROM points");
like($err, qr/do not match/, 'too many columns are refused');
($rc, $out, $err) = $node->psql('postgres', "SELECT dpem_internal.moments('\\x$pass', a, b::text) FROM points");
like($err, qr/cannot read type text/, 'a type that is no number is refused');

$node->stop;
done_testing();
