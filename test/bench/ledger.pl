# What a call and the views of the ledger take after few and after many charges: medians in one
# session and, as a busy machine disturbs these, processors' time of the session and its workers,
# with the ratios of the latter.  Run by `make bench-ledger`; CHARGES the many (100,000), RUNS of each.
# The charges are copies of a call's, put in beside their running totals (Dpem::Ledger), of
# a ledger of plain noise and of one with Renyi curves.
use strict;
use warnings;

use FindBin;
use List::Util qw(max sum);

use lib $FindBin::RealBin, "$FindBin::RealBin/../perl";
use Dpem::Ledger;
use Session;

$| = 1;
my $few = 100;
my $many = $ENV{CHARGES} // 100_000;
my $runs = $ENV{RUNS} // 31;
my $backend;

sub register
{
	my ($dataset, $accountant) = @_;

	session("CREATE TABLE $dataset AS SELECT random() * 100 AS x FROM generate_series(1, 1000) AS i;
		VACUUM ANALYZE $dataset;
		SELECT dp_register_dataset('$dataset', '$dataset', 1000, 1e-3, accountant => '$accountant'), dp_register_column('$dataset', 'x', 0, 100),
			dp_grant_budget(current_user::regrole, '$dataset', 1000, 1e-3);
		CREATE TABLE idle_$dataset AS SELECT 1::float8 AS x;
		SELECT dp_register_dataset('idle_$dataset', 'idle_$dataset', 1000, 1e-3), dp_grant_budget(current_user::regrole, 'idle_$dataset', 1000, 1e-3);");
	return;
}

# label => statement; all of a view is read, and little of it sent
sub statements
{
	my ($dataset, $call) = @_;

	return (
		[ 'the call', $call, 'ratio' ],
		[ 'dp_budget_remaining', "SELECT dp_budget_remaining('$dataset')", 'ratio' ],
		[ 'a plan', "SELECT count(*) FROM dp_statistic_plan('count', '$dataset', 0.001)", 'ratio' ],
		[ 'dpem.budgets', "SELECT count(spent_percent + remaining_epsilon + more_like_last) FROM dpem.budgets WHERE dataset = '$dataset'", 'ratio' ],
		[ 'dpem.budgets, and one never charged', "SELECT count(epsilon + remaining_epsilon) FROM dpem.budgets", 'ratio' ],
		[ 'the rows of the ledger themselves', 'SELECT count(epsilon + delta) FROM dpem_internal.charge', 'rows' ],
		[ 'dpem.ledger', 'SELECT count(epsilon + delta) FROM dpem.ledger', 'beyond' ],
		[ 'dpem.calls', 'SELECT sum(spent_percent) FROM dpem.calls', 'beyond' ],
		[ 'dpem.spending', 'SELECT sum(spent_percent) FROM dpem.spending', 'beyond' ],
		[ 'dp_plot_budget', "SELECT length(dp_plot_budget('$dataset'))", 'beyond' ],
		[ 'dp_check_ledger', "SELECT bool_and(agrees) FROM dp_check_ledger('$dataset')", 'once' ]);
}

# label => [ median of milliseconds, milliseconds of processors' time ]
sub measure
{
	my (@statements) = @_;
	my %took;

	foreach my $statement (@statements)
	{
		my ($label, $sql) = @$statement;
		my $n = $statement->[2] eq 'once' ? 1 : $runs;

		milliseconds($sql);
		my @before = processor_time($backend);
		my @ms = map { milliseconds($sql) } 1 .. $n;
		my @after = processor_time($backend);
		$took{$label} = [ median(@ms), (sum(@after) - sum(@before)) / $n ];
	}
	return \%took;
}

sub report
{
	my ($title, $before, $after, @statements) = @_;
	my ($rows) = map { $after->{ $_->[0] }[1] } grep { $_->[2] eq 'rows' } @statements;

	print "$title: ms, and ms of processors' time, after $few and after $many charges\n";
	foreach my $statement (@statements)
	{
		my ($label, undef, $kind) = @$statement;
		my ($less, $more) = ($before->{$label}[1], $after->{$label}[1]);

		printf "  %-36s %8.1f %8.1f   used %8.1f %8.1f%s\n", $label, $before->{$label}[0], $after->{$label}[0], $less, $more,
		  $kind eq 'ratio' && $less > 0 ? sprintf('  ratio %.2f', $more / $less)
		  : $kind eq 'beyond' ? sprintf('  %.1f beyond the rows', max(0, $more - $rows)) : '';
	}
	return;
}

open_session();
session('CREATE EXTENSION IF NOT EXISTS dpem; SET max_parallel_workers_per_gather = 0;');
($backend) = session('SELECT pg_backend_pid();');
print "fsync ", session('SHOW fsync;'), ", $runs calls each\n";
foreach my $ledger ([ 'plain', 'gdp', '' ], [ 'curves', 'rdp', ", mechanism => 'laplace'" ])
{
	my ($dataset, $accountant, $more) = @$ledger;
	my $call = "SELECT value FROM dp_count('$dataset', 0.01$more)";
	my @statements = statements($dataset, $call);
	my @medians;

	register($dataset, $accountant);
	session("$call;");
	foreach my $charges ($few, $many)
	{
		my ($there) = session("SELECT count(*) FROM dpem.calls WHERE dataset = '$dataset';");

		session(repeat_last_call($dataset, $charges - $there) . ';') if $charges > $there;
		push @medians, measure(@statements);
	}
	report("$accountant, $call", @medians, @statements);
	session("SELECT dp_drop_dataset('$dataset'); ALTER TABLE dpem_internal.charge DISABLE TRIGGER ALL; ALTER TABLE dpem_internal.running_total DISABLE TRIGGER ALL;
		TRUNCATE dpem_internal.charge, dpem_internal.running_total; ALTER TABLE dpem_internal.charge ENABLE TRIGGER ALL; ALTER TABLE dpem_internal.running_total ENABLE TRIGGER ALL;");
}
close_session();
