# Without noise a logistic regression is the fixed point that an independent
# implementation of Polya-Gamma variational Bayes found, serial and parallel,
# whichever way the label is registered; class 1 and class 2 change places with
# `positive`.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $tolerance = 1e-6;
my $node = start_server('logit_golden');
my %settings = scan_settings();

# in units of the ball, as the golden values are; the constant that is no coordinate left out
sub check_fit
{
	my ($golden, $call, $sign, $label) = @_;
	my $d = @{ $golden->{mean} };
	my $unit = $golden->{upper} * $golden->{clip_norm};
	my $fit = query_json($node, "$call");
	my @rows = @{$fit}[ 0 .. $d - 1 ];
	my $mean = difference([ map { $_->{mean} * $unit * $sign } @rows ], $golden->{mean});
	my $covariance = difference([ map { my $c = $_->{covariance}; [ map { $_ * $unit**2 } @{$c}[ 0 .. $d - 1 ] ] } @rows ],
		$golden->{covariance});

	$label = "$golden->{dataset}, $label";
	cmp_ok($mean, '<', $tolerance, "$label: posterior mean");
	cmp_ok($covariance, '<', $tolerance, "$label: posterior covariance");
	is(scalar @$fit, $d + 1, "$label: a row per coefficient");
	is($fit->[$d]{column_name}, '(intercept)', "$label: and one for the intercept");
	cmp_ok(abs($fit->[$d]{mean}), '<', 1e-9, "$label: which is zero");
	cmp_ok($fit->[$_]{noise_stddev}, '==', 0, "$label: no noise in row $_") foreach 0 .. $d;
	return;
}

sub fit_sql
{
	my ($golden, $mode, $label, $more) = @_;
	my $columns = join ',', map { "x$_" } 1 .. @{ $golden->{mean} };
	my $table = $label eq 'word' ? "$golden->{dataset}_words" : $golden->{dataset};

	return "$settings{$mode} SELECT json_agg(f) FROM dp_logit_fit('$table', '$label', 'Infinity',"
	  . " clip_norm => $golden->{clip_norm}, intercept => false, iterations => 1000, columns => '{$columns}'$more) f";
}

foreach my $golden (golden_values('logit.json'))
{
	my $name = $golden->{dataset};

	load_csv($node, $name, $golden->{data});
	$node->safe_psql('postgres', "CREATE TABLE ${name}_words AS SELECT *, CASE WHEN label = 1 THEN 'active' ELSE 'not' END AS word FROM $name; ANALYZE ${name}_words");
	foreach my $table ($name, "${name}_words")
	{
		register_table($node, $table, $table, [ (map { [ "x$_", $golden->{lower}, $golden->{upper} ] } 1 .. @{ $golden->{mean} }), [ 'label', 0, 1 ] ]);
	}
	$node->safe_psql('postgres', "SELECT dp_register_column('${name}_words', 'word', '{active,not}'::text[])");
	check_fit($golden, fit_sql($golden, 'serial', 'label', ''), 1, 'a number, serial');
	check_fit($golden, fit_sql($golden, 'parallel', 'label', ''), 1, 'a number, parallel');
	check_fit($golden, fit_sql($golden, 'parallel', 'word', ''), -1, 'a word');
	check_fit($golden, fit_sql($golden, 'serial', 'word', ", positive => 'active'"), 1, 'a word, the first is positive');
	check_fit($golden, fit_sql($golden, 'serial', 'label', ", positive => '0'"), -1, 'a number, zero is positive');
}

$node->stop;
done_testing();
