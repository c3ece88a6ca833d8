# Without noise linear classifiers are scikit-learn's penalised fits, polished by Newton's method
# (test/golden/classifiers.py): two classes and several, serial and parallel, and in whatever order rows come.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $tolerance = 1e-8;
my $node = start_server('svm_golden', 'fsync = off');
my %settings = scan_settings();
my @goldens = golden_values('classifiers*.json');

load_csv($node, 'blobs', $goldens[0]{data});
$node->safe_psql('postgres', q{
	CREATE TABLE classes AS SELECT b.*, CASE WHEN x1 - x2 > 0.5 THEN 1 ELSE 0 END AS two,
	       CASE WHEN x1 - x2 > 0.5 THEN 1 ELSE 0 END + CASE WHEN x3 > 1.0 THEN 1 ELSE 0 END AS three FROM blobs AS b;
	ANALYZE classes});
register_table($node, 'classes', 'classes', [ map { [ "x$_", -$goldens[0]{bound}, $goldens[0]{bound} ] } 1 .. 6 ]);
$node->safe_psql('postgres', "SELECT dp_register_column('classes', 'two', '{0,1}'::text[]), dp_register_column('classes', 'three', '{0,1,2}'::text[])");

foreach my $golden (@goldens)
{
	my $several = $golden->{classes} > 2;
	my $columns = join ',', @{ $golden->{columns} };
	my $call = $golden->{loss} eq 'hinge'
	  ? sprintf("dp_svm_fit('classes', '%s', 'Infinity', smoothing => %s", $several ? 'three' : 'two', $golden->{smoothing})
	  : sprintf("dp_logit_fit('classes', '%s', 'Infinity'", $several ? 'three' : 'two');
	my $coefficient = $golden->{loss} eq 'hinge' ? 'coefficient' : 'mean';

	foreach my $mode (qw(serial parallel))
	{
		my $rows = query_json($node, "$settings{$mode} SELECT json_agg(f) FROM $call, columns => '{$columns}', prior_variance => $golden->{prior_variance}) f");
		my $name = "$golden->{loss}, $golden->{classes} classes, h $golden->{smoothing}, $mode";
		my @expected = map { @$_ } @{ $golden->{coefficients} };
		my $most = 0;

		is(scalar @$rows, scalar @expected, "$name: a row per class and coefficient");
		foreach my $i (0 .. $#expected)
		{
			my $off = abs($rows->[$i]{$coefficient} / $expected[$i] - 1);

			$most = $off if $off > $most;
			is($rows->[$i]{class}, $several ? int($i / 7) : 1, "$name: the class of row $i") if $i % 7 == 0;
		}
		cmp_ok($most, '<', $tolerance, "$name: coefficients");
		is($rows->[6]{column_name}, '(intercept)', "$name: the intercept comes last");
		is(scalar(grep { $_->{noise_stddev} != 0 } @$rows), 0, "$name: no noise");
	}
}

$node->stop;
done_testing();
