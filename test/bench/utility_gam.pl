# What dp_gam_fit's defaults are worth on real data, through SQL in a throw-away server, beside dp_logit_fit on the
# same columns and the additive model without noise: AUC and log loss of adult's own test rows, accuracy on the rows
# of nursery that were held out, median and worst of many fits; and the time of one more pass of each over adult.
# CSV and tables in build/bench/utility_gam (docs/families/gam.md has them).  Run by `make bench-utility-gam`.
#
#   RUNS=7      fits of each kind
#   QUICK=1     a minute or two: 3 fits, two epsilons
#   DATA=regex  which data: adult, nursery
#   JOBS=       sessions side by side (default: processors)
#   EPSILONS=   others, separated by commas
#   PAIRS=5,10  of columns, additive models with so many chosen ones of adult, too
#   ARGUMENTS=  more arguments of dp_gam_fit, for trying
#   TIME=0      no times
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use List::Util qw(max min);
use Paper;
use Regression::Data qw(data_of prepare);
use Time::HiRes qw(time);

$| = 1;
$out_dir = 'build/bench/utility_gam';

my $quick = $ENV{QUICK};
my $runs = $ENV{RUNS} // ($quick ? 3 : 7);
my $jobs = $ENV{JOBS} // (`getconf _NPROCESSORS_ONLN 2>/dev/null` || 1) + 0;
my @epsilons = $ENV{EPSILONS} ? split(/,/, $ENV{EPSILONS}) : $quick ? (0.1, 1) : (0.1, 0.5, 1, 4);
my $delta = 1e-6;
my $more = $ENV{ARGUMENTS} ? ", $ENV{ARGUMENTS}" : '';
my $wanted = $ENV{DATA} // '.';
my @pairs = split /,/, $ENV{PAIRS} // '5,10';

# of each kind of data: what its scores are called, and which of several runs is the worst
my %measures = (auc => [ [ 'AUC', \&min ], [ 'log loss', \&max ] ], accuracy => [ [ 'accuracy', \&min ] ]);

# ---- scores -----------------------------------------------------------------------

# AUC (ties halved) and log loss of a table `answers` of y and the probability p that it is true
sub two_class_scores
{
	return split /\t/, value("WITH k AS (SELECT y, p, rank() OVER (ORDER BY p) + (count(*) OVER (PARTITION BY p) - 1) / 2.0 AS rank FROM answers),
		n AS (SELECT count(*) FILTER (WHERE y)::numeric AS ones, count(*) FILTER (WHERE NOT y)::numeric AS others FROM answers)
		SELECT (sum(rank) FILTER (WHERE y) - max(ones) * (max(ones) + 1) / 2) / (max(ones) * max(others)),
			-avg(ln(greatest(CASE WHEN y THEN p ELSE 1 - p END, 1e-15))) FROM k, n");
}

sub fit_scores
{
	my ($task) = @_;
	my ($data, $kind) = @$task{qw(data kind)};
	my ($family, $pairs) = split /:/, $kind;
	my $arguments = $family ne 'gam' ? '' : $pairs ? "$more, pairs => '$pairs'" : $more;
	my $rows = "(SELECT t.label, to_jsonb(t) AS r FROM $data->{name}_test AS t) AS u";
	my @scores;

	query("SELECT count(*) FROM dp_${family}_fit('$data->{name}', 'label', $task->{epsilon}, $delta, model => 'm$$'$arguments)");
	if ($data->{kind} eq 'auc')
	{
		query("CREATE TEMPORARY TABLE answers AS SELECT label = 'yes' AS y, (dp_posterior('m$$', r))[2] AS p FROM $rows");
		@scores = two_class_scores();
		query('DROP TABLE answers');
	}
	else
	{
		@scores = value("SELECT avg((dp_predict_label('m$$', r) = label)::int) FROM $rows");
	}
	query("SELECT dp_drop_model('m$$')");
	return @scores;
}

# The scores of the model without noise, from its shape functions alone: it may not be stored.
sub exact_scores
{
	my ($data) = @_;
	my @scores;

	query("CREATE TEMPORARY TABLE shapes AS SELECT *, max(bin) OVER (PARTITION BY class, column_name) AS last FROM dp_gam_fit('$data->{name}', 'label', 'Infinity'$more)");
	query("CREATE TEMPORARY TABLE scored AS WITH v AS MATERIALIZED (SELECT i, label, key, value
			FROM (SELECT row_number() OVER () AS i, t.label, to_jsonb(t) - 'label' AS r FROM $data->{name}_test AS t) AS u, jsonb_each_text(r))
		SELECT v.i, v.label, s.class, sum(s.contribution) + max(c.contribution) AS score FROM v JOIN shapes AS s ON s.column_name = v.key AND
			CASE WHEN v.value IS NULL THEN s.bin = 0 WHEN s.category IS NOT NULL THEN s.category = v.value
				ELSE s.bin > 0 AND v.value::float8 >= s.lower AND (v.value::float8 < s.upper OR s.bin = s.last) END
			JOIN shapes AS c ON c.column_name = '(intercept)' AND c.class = s.class
		GROUP BY v.i, v.label, s.class");
	if ($data->{kind} eq 'auc')
	{
		query("CREATE TEMPORARY TABLE answers AS SELECT label = class AS y, 1 / (1 + exp(-score)) AS p FROM scored");
		@scores = two_class_scores();
		query('DROP TABLE answers');
	}
	else
	{
		@scores = value('SELECT avg((label = class)::int) FROM (SELECT DISTINCT ON (i) label, class FROM scored ORDER BY i, score DESC) AS best');
	}
	query('DROP TABLE shapes, scored');
	return @scores;
}

# ---- times ------------------------------------------------------------------------

sub median
{
	my @sorted = sort { $a <=> $b } @_;

	return ($sorted[ $#sorted / 2 ] + $sorted[ @sorted / 2 ]) / 2;
}

# Seconds of a fit by default and of one more pass (that of 17 passes less that of 5, over 12) of each family; medians of five, in turns.
sub pass_times
{
	my ($data) = @_;
	my %arguments = (default => '', few => ', iterations => 5', many => ', iterations => 17');
	my %times;

	foreach my $round (1 .. 6)
	{
		foreach my $family (qw(gam logit))
		{
			foreach my $kind (sort keys %arguments)
			{
				my $start = time;

				query("SELECT count(*) FROM dp_${family}_fit('$data->{name}', 'label', 1, $delta$arguments{$kind})");
				push @{ $times{$family}{$kind} }, time - $start if $round > 1;
			}
		}
	}
	return map { my $t = $times{$_}; ($_ => [ median(@{ $t->{default} }), (median(@{ $t->{many} }) - median(@{ $t->{few} })) / 12 ]) } keys %times;
}

sub report_times
{
	my ($data) = @_;
	my %seconds = pass_times($data);

	write_table("$data->{name}, $data->{rows} rows: seconds at ε = 1", [ '', 'fit by default', 'one more pass' ],
		(map { [ "`dp_${_}_fit`", map { sprintf '%.3f', $_ } @{ $seconds{$_} } ] } qw(gam logit)),
		[ 'ratio', map { sprintf '%.2f', $seconds{gam}[$_] / $seconds{logit}[$_] } 0, 1 ]);
	return;
}

# ---- tables -----------------------------------------------------------------------

sub measure
{
	my ($data) = @_;
	my @kinds = ('gam', (map { "gam:$_" } $data->{kind} eq 'auc' ? @pairs : ()), 'logit');
	my @tasks = map { my $kind = $_; map { my $e = $_; map { { data => $data, table => $data->{name}, kind => $kind, epsilon => $e, run => $_ } } 1 .. $runs } @epsilons } @kinds;
	my @exact = exact_scores($data);

	parallel($data->{name}, $jobs, \&fit_scores, @tasks);
	$_->{second} = $_->{scores}[1] foreach @tasks;
	foreach my $i (0 .. $#exact)
	{
		my ($title, $worst) = @{ $measures{ $data->{kind} }[$i] };
		my @lines;

		foreach my $kind (@kinds)
		{
			my ($family, $pairs) = split /:/, $kind;
			my @cells = map { my $e = $_; my @scores = map { $_->{scores}[$i] } grep { $_->{kind} eq $kind && $_->{epsilon} == $e } @tasks; sprintf '%.4f (%.4f)', median(@scores), $worst->(@scores) } @epsilons;

			push @lines, [ "`dp_${family}_fit`" . ($pairs ? ", `pairs => '$pairs'`" : ''), @cells, $kind eq 'gam' ? sprintf('%.4f', $exact[$i]) : '' ];
		}
		write_table("$data->{title}: $title of test rows, median (worst) of $runs", [ '', (map { "ε = $_" } @epsilons), "ε = 'Infinity'" ], @lines);
	}
	return @tasks;
}

my @all;

query('CREATE EXTENSION IF NOT EXISTS dpem; SET dpem.noise_warnings = off');
foreach my $data (grep { $_->{name} =~ /^(adult|nursery)$/ && $_->{name} =~ /$wanted/ } data_of())
{
	if (!prepare($data))
	{
		print "skipped: what $data->{name} is made of is not here\n";
		next;
	}
	report_times($data) if $data->{name} eq 'adult' && $ENV{TIME} // 1;
	push @all, measure($data);
}
write_csv('scores', [qw(table kind epsilon run score second)], @all) if @all;
