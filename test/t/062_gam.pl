# Without noise an additive model is the penalised fit that an independent program found, serial and
# parallel, of classes and of numbers, with pairs of columns and without; and contributions vary by the noise that they are said to have.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $tolerance = 1e-8;
my $node = start_server('gam', 'fsync = off');
my %settings = scan_settings();

# a copy with a word in place of a label of numbers
sub register
{
	my ($golden, $number) = @_;
	my $name = $golden->{dataset};
	my $target = $golden->{target};
	my $table = "${name}_${target}_$number";
	my @bounds = map { [ $golden->{columns}[$_], $golden->{lower}[$_], $golden->{upper}[$_] ] } 0 .. $#{ $golden->{columns} };
	my $label = $golden->{link} ne 'identity';
	my $word = $golden->{link} eq 'softmax' ? "chr(97 + (x1 - x2 > 0.5)::int + (x3 > 1)::int)" : "CASE WHEN $target > 0.5 THEN 'yes' ELSE 'no' END";

	load_csv($node, $name, $golden->{data}) if $node->safe_psql('postgres', "SELECT to_regclass('$name') IS NULL") eq 't';
	$node->safe_psql('postgres', "CREATE TABLE $table AS SELECT *, $word AS word FROM $name; ANALYZE $table");
	register_table($node, $table, $table, [ @bounds, $label ? () : [ $target, $golden->{lower}[-1], $golden->{upper}[-1] ] ]);
	$node->safe_psql('postgres', "SELECT dp_register_column('$table', 'word', (SELECT array_agg(DISTINCT word ORDER BY word) FROM $table))");
	return ($table, $label ? 'word' : $target);
}

sub check_fit
{
	my ($golden, $table, $target, $mode) = @_;
	my $columns = join ',', @{ $golden->{columns} };
	my $pairs = $golden->{pairs} ? ", pairs => '{" . join(',', @{ $golden->{pairs} }) . "}'" : '';
	my $fit = query_json($node, "$settings{$mode} SELECT json_agg(f) FROM dp_gam_fit('$table', '$target', 'Infinity', columns => '{$columns}',"
		  . " bins => $golden->{bins}, prior_variance => $golden->{prior_variance}$pairs) f");
	my %found;
	my $several = $golden->{link} eq 'softmax';

	push @{ $found{ $several ? $_->{class} : '' }{ $_->{column_name} } }, $_->{contribution} foreach grep { ($_->{bin} // 1) != 0 && ($_->{second_bin} // 1) != 0 } @$fit;
	my @classes = map { $found{$_} } sort keys %found;
	my @shapes = map { my $own = $_; [ map { $own->{$_} } @{ $golden->{columns} } ] } @classes;
	cmp_ok(difference(\@shapes, $golden->{contributions}), '<', $tolerance, "$table, $mode: contributions");
	cmp_ok(difference([ map { $found{''}{$_} } @{ $golden->{pairs} } ], $golden->{shapes}), '<', $tolerance, "$table, $mode: pairs") if $pairs;
	cmp_ok(difference([ map { $_->{'(intercept)'}[0] } @classes ], [ $golden->{intercept} ]), '<', $tolerance, "$table, $mode: intercept");
	is(scalar(grep { $_->{noise_stddev} != 0 } @$fit), 0, "$table, $mode: no noise");
	return;
}

my $number = 0;

foreach my $golden (golden_values('gam*.json'))
{
	my ($table, $target) = register($golden, ++$number);

	check_fit($golden, $table, $target, $_) foreach qw(serial parallel);
}

# of several classes with pairs, named and chosen: nothing changes any more long before passes end
foreach my $pairs ("'{x1:x2,x3:x6}'", 2)
{
	my ($softmax) = grep { $_->{link} eq 'softmax' } golden_values('gam*.json');
	my ($table) = register($softmax, ++$number);
	my $fit = "dp_gam_fit('$table', 'word', 'Infinity', columns => '{x1,x2,x3,x6}', bins => 6, prior_variance => 0.5, pairs => $pairs, iterations";
	my $change = $node->safe_psql('postgres', "SELECT coalesce(max(abs(a.contribution - b.contribution)), 'Infinity') FROM $fit => 150) a JOIN $fit => 300) b USING (class, column_name, bin, second_bin)"
		  . " WHERE a.second_bin IS NOT NULL");

	cmp_ok($change, '<', $tolerance, "pairs => $pairs: nothing changes after 150 passes");
}

# A label that the column says nothing about.  The root mean square of 300 deviations is less than 1.3 times the
# truth, and more than the truth over 1.3, but with a probability below 1e-7; of 1,200 fits it was 1.003 times, give or take 0.02.
$node->safe_psql('postgres', q{
	CREATE TABLE flat AS SELECT (i % 4)::float8 AS x, CASE WHEN i / 4 % 2 = 0 THEN 'a' ELSE 'b' END AS word FROM generate_series(1, 4000) AS i;
	ALTER TABLE flat ALTER x SET NOT NULL;
	ANALYZE flat;
	SELECT dp_register_dataset('flat', 'flat', 1000, 1e-2), dp_register_column('flat', 'x', -0.5, 3.5), dp_register_column('flat', 'word', '{a,b}'::text[]),
		dp_grant_budget(current_user::regrole, 'flat', 900, 1e-2)});
my $ratio = $node->safe_psql('postgres', q{
	SET client_min_messages = error;
	CREATE TEMP TABLE found (contribution float8, noise float8);
	DO $$ BEGIN FOR i IN 1 .. 300 LOOP
		INSERT INTO found SELECT contribution, noise_stddev FROM dp_gam_fit('flat', 'word', 0.2, bins => 4, prior_variance => 1) WHERE bin = 2;
	END LOOP; END $$;
	SELECT sqrt(avg(contribution ^ 2) / avg(noise ^ 2)) FROM found});
cmp_ok(abs(log($ratio)), '<', log(1.3), "contributions vary $ratio times as much as their noise says");

done_testing();
