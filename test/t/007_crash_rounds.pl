# Whoever received a model has paid for it, and the ledger never forgets: an
# analyst fits in a loop, and at a random moment something is killed, stopped
# or cancelled, round after round.
#
# DPEM_CRASH_ROUNDS   number of rounds (default 15, of which the first take each kind once)
# DPEM_CRASH_SEED     seed of the choices; the moments are what they are
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::Crash;
use Dpem::People;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time usleep);

my $rounds = $ENV{DPEM_CRASH_ROUNDS} // 15;
my $seed = srand($ENV{DPEM_CRASH_SEED} // time());
my $node = new_people('crash_rounds', conf => crash_conf() . "dpem.scan_memory = '64kB'\n");
my $fits = 3;		# of a session
my $segments;		# of shared memory that the server itself needs

# `visits` needs a window over persons, which with this little memory spills
# to disk; `people` is read in parallel.
$node->start;
$node->safe_psql('postgres', q{
	CREATE EXTENSION dpem;
	CREATE ROLE own LOGIN;
	CREATE ROLE ana LOGIN;
	GRANT CREATE ON SCHEMA public TO own;
	SET ROLE own;
	CREATE TABLE people AS SELECT i AS person, 5 * sin(i) AS x, 5 * cos(i * i) AS y FROM generate_series(1, 1500) i;
	CREATE TABLE visits AS SELECT person % 500 AS person, x, y FROM people;
	ALTER TABLE people SET (parallel_workers = 1);
	ANALYZE people, visits;
	SELECT dp_register_dataset('people', 'people', 100, 1e-2),
		dp_register_dataset('visits', 'visits', 100, 1e-2, unit => 'person', max_rows_per_unit => 2);
	SELECT dp_register_column(name, 'x', -10, 10), dp_register_column(name, 'y', -10, 10),
		dp_grant_budget('ana', name, 100, 1e-2)
	FROM unnest(ARRAY['people', 'visits']) name});

# ---- what the client received ------------------------------------------------

# Every fit has an epsilon of its own, by which the ledger is searched.
my $number = 0;
my %received;		# epsilon => rows

sub next_fit
{
	my $epsilon = sprintf('%.9f', 0.01 + 1e-9 * ++$number);
	my $dataset = rand() < 0.5 ? 'people' : 'visits';
	my $fit = "SELECT '$epsilon', component, weight FROM dp_gmm_fit('$dataset', 2, $epsilon, 1e-6, iterations => 2)";
	my $how = int(rand(4));

	return "\\warn fit $epsilon\n"
	  . ($how == 0 ? "BEGIN; $fit; ROLLBACK;\n"
		: $how == 1 ? "BEGIN; DECLARE c CURSOR FOR $fit; FETCH 1 FROM c; ROLLBACK;\n"
		: $how == 2 ? "BEGIN; $fit; COMMIT;\n" : "$fit;\n");
}

sub session
{
	return start_fits($node, 'ana', "SET dpem.progress = on;\n" . join('', map { next_fit() } 1 .. $fits));
}

# Takes down what came; returns the first fit that was not answered (else the
# last) and how far it had got by what the client saw.
sub journal
{
	my ($session) = @_;
	my %seen = my @fits = $session->{err} =~ /^fit ([\d.]+)$((?:(?!^fit ).)*)/msg;
	my @order = grep { exists $seen{$_} } @fits;

	$received{$1}++ while $session->{out} =~ /^(0\.01\d+)\|\d+\|[\d.]+(?:e-\d+)?$/mg;
	my ($epsilon) = ((grep { !$received{$_} } @order), reverse @order);
	return { epsilon => $epsilon, stages => defined $epsilon ? scalar(() = $seen{$epsilon} =~ /INFO:/g) : 0 };
}

# ---- what the ledger shows ---------------------------------------------------

my %ledger = (charge => 0, digest => '', lines => 0);

sub read_ledger
{
	my ($lines, $charge, $same, $all, $new, $orphans, $wrong) = split /\|/, $node->safe_psql('postgres', qq{
		SELECT count(*), coalesce(max(charge), 0),
			coalesce(md5(string_agg(c::text, ' ' ORDER BY charge, line) FILTER (WHERE charge <= $ledger{charge})), ''),
			coalesce(md5(string_agg(c::text, ' ' ORDER BY charge, line)), ''),
			string_agg(DISTINCT epsilon::text, ' ') FILTER (WHERE charge > $ledger{charge}),
			(SELECT count(*) FROM dpem_internal.model m WHERE m.charge NOT IN (SELECT charge FROM dpem_internal.charge)),
			(SELECT count(*) FROM dp_check_ledger() WHERE NOT agrees)
				+ (SELECT count(*) FROM (SELECT charge FROM dpem_internal.charge EXCEPT SELECT charge FROM dpem_internal.running_total WHERE role = 0) AS without)
		FROM dpem_internal.charge c});

	return { lines => $lines, charge => $charge, same => $same, digest => $all, orphans => $orphans, wrong => $wrong,
		new => { map { (sprintf('%.9f', $_) => 1) } split / /, $new } };
}

# ---- rounds ------------------------------------------------------------------

my %charged;		# epsilons in the ledger
my %phases;			# kind => phase => number

sub phase
{
	my ($last) = @_;

	return 'before a fit' unless defined $last->{epsilon};
	return 'answer received' if $received{ $last->{epsilon} };
	return 'not charged' unless $charged{ $last->{epsilon} };
	return $last->{stages} == 0 ? 'charged, not read'
	  : $last->{stages} == 1 ? 'first pass' : 'later pass';
}

sub round
{
	my ($kind, $window) = @_;
	my $session = session();

	usleep(rand($window * 1e6));
	my $state = crash($node, $kind, $session);
	finish_fits($session);
	my $left = settle($node, $state);
	my $last = journal($session);
	my $now = read_ledger();

	$charged{$_} = 1 foreach keys %{ $now->{new} };
	$phases{$kind}{ phase($last) }++;
	my @unpaid = grep { !$charged{$_} } keys %received;
	my @wrong = (
		(map { "model of epsilon $_ received and not in the ledger" } @unpaid),
		$now->{same} eq $ledger{digest} ? () : 'earlier lines of the ledger are not what they were',
		$now->{lines} >= $ledger{lines} ? () : 'the ledger has become shorter',
		$now->{orphans} == 0 ? () : 'stored models without a charge',
		$now->{wrong} == 0 ? () : 'running totals that are not what the ledger comes to',
		$left->{'temporary files'} == 0 ? () : 'temporary files left',
		$left->{'shared memory segments'} <= $segments ? () : "$left->{'shared memory segments'} shared memory segments");

	%ledger = %$now;
	return @wrong;
}

# How long a session of fits takes, in seconds: crashes are spread over it.
sub measure
{
	my $session = session();
	my $start = time();

	finish_fits($session);
	journal($session);
	is($session->{err} =~ /ERROR/ ? $session->{err} : '', '', 'fits work');
	is(scalar(keys %received), $number, 'every fit was answered');
	return time() - $start;
}

note("seed $seed");
$segments = settle($node, 'same')->{'shared memory segments'};
measure();
my $window = measure();

$ledger{charge} = 0;
$charged{$_} = 1 foreach keys %{ read_ledger()->{new} };
is(join(' ', sort keys %received), join(' ', sort keys %charged), 'and is in the ledger by its epsilon');
cmp_ok($node->safe_psql('postgres', 'SELECT pg_stat_force_next_flush(), sum(temp_files) FROM pg_stat_database') =~ s/.*\|//r,
	'>', 0, 'scans write temporary files');
%ledger = %{ read_ledger() };

foreach my $i (1 .. $rounds)
{
	my $kind = $i <= @crash_kinds ? $crash_kinds[ $i - 1 ] : $crash_kinds[ rand @crash_kinds ];
	my @wrong = round($kind, $window);

	is("@wrong", '', "round $i: $kind");
}

# ---- the sum -----------------------------------------------------------------

my $sum = 0;

$sum += $_ foreach keys %received;
is($node->safe_psql('postgres', "SELECT $sum <= sum(epsilon) FROM (SELECT DISTINCT charge, epsilon FROM dpem.ledger) l"),
	't', 'the ledger shows at least the sum of what was received');
is($node->safe_psql('postgres', q{SELECT bool_and(charges = (SELECT count(DISTINCT charge) FROM dpem.ledger l WHERE l.dataset = b.dataset))
	FROM dpem.budgets b}), 't', 'and the budgets count every charge of it');
my @signals = slurp_file($node->logfile) =~ /was terminated by signal (\d+)/g;
is(join(' ', grep { $_ != 9 } @signals), '', 'nothing died of a signal but those that were killed');
unlike(slurp_file($node->logfile), qr/PANIC|TRAP:/, 'no panic, no failed assertion');

note(sprintf('%d rounds, %d fits, %d charged, %d received', $rounds, $number, scalar(keys %charged), scalar(keys %received)));
foreach my $kind (sort keys %phases)
{
	note("$kind: " . join(', ', map { "$_ $phases{$kind}{$_}" } sort keys %{ $phases{$kind} }));
}
$node->stop;
done_testing();
