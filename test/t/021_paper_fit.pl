# Mechanisms ggg, llg and lll end to end: the golden per-step noise, what is
# charged under every composition and accountant, and what a nominal epsilon may do.
use strict;
use warnings;

use Dpem::Test;
use FindBin;
use Test::More;

my $node = start_server('paper_fit');
my @compositions = qw(exact rdp zcdp ma advanced linear);

$node->safe_psql('postgres', q{
	CREATE TABLE points AS
	SELECT c + 0.5 * sin(i * 0.7)::float8 AS a, (c * c - 4) + 0.5 * cos(i * 1.3)::float8 AS b, 0.7 * sin(i * 2.9)::float8 AS e
	FROM generate_series(1, 20000) i, LATERAL (SELECT (i % 3 - 1) * 2.5 AS c) s;
	ANALYZE points});

sub make_dataset
{
	my ($name, $epsilon, $more) = @_;

	register_table($node, $name, 'points', [ map { [ $_, -6, 6 ] } qw(a b e) ], epsilon => $epsilon, more => $more);
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, '$name', $epsilon, 1e-4)");
	return;
}

make_dataset('rich', 50);

# ---- golden values ----------------------------------------------------------

my %composition_of = (lin => 'linear', adv => 'advanced', zcdp => 'zcdp', ma_int => 'ma', gdp_exact => 'exact');

$node->safe_psql('postgres', q{
	CREATE FUNCTION step(i jsonb, composition text) RETURNS jsonb LANGUAGE plpgsql AS $$
	DECLARE
		answer jsonb;
	BEGIN
		SELECT jsonb_object_agg(p.statistic, to_jsonb(p)) INTO answer
		FROM dp_gmm_plan('rich', (i->>'K')::int, (i->>'eps')::float8, (i->>'delta')::float8,
			iterations => (i->>'J')::int, mechanism => lower(i->>'scenario'), composition => step.composition,
			step_delta => (i->>'delta_i')::float8) p;
		RETURN answer;
	EXCEPTION WHEN invalid_parameter_value THEN
		RETURN jsonb_build_object('error', SQLERRM);
	END$$});

sub check_golden
{
	my ($entry, $composition, $got) = @_;
	my $want = $entry->{expect};
	my $epsilon = $entry->{inputs}{eps};
	my $llg = $entry->{inputs}{scenario} eq 'LLG';
	my $classical = $composition eq 'linear' || $composition eq 'advanced';

	return defined $got->{error}
	  if !$want->{feasible} || ($classical && !$want->{eps_i_below_1});
	return 0 if defined $got->{error};
	my %ratio = (
		weights => $got->{weights}{noise_multiplier} / $want->{ $llg ? 'laplace_b_over_sens' : 'sigma_over_sens_gauss' },
		means => $got->{means}{noise_multiplier} / $want->{ $llg ? 'laplace_b_over_sens' : 'sigma_over_sens_gauss' },
		covariances => $got->{covariances}{noise_multiplier} / $want->{sigma_over_sens_gauss});

	foreach my $r (values %ratio)
	{
		return 0 unless $r >= 1 - 1e-9 && $r <= 1 + 1.01e-7;    # the margin of src/core/accounting/budget_rule.h
	}
	return abs($got->{total}{"epsilon_$composition"} / $epsilon - 1) < 1e-6;
}

my %count;
my $golden = read_json("$FindBin::RealBin/../golden/accountant.json");
my @entries = grep { $_->{kind} eq 'eps_i' && $composition_of{ $_->{inputs}{method} } } @{ $golden->{entries} };
my $values = join ",\n", map {
	my $i = $entries[$_]{inputs};
	"($_, jsonb_build_object(" . join(', ', map { "'$_', '$i->{$_}'" } qw(J K eps delta delta_i scenario))
	  . "), '$composition_of{ $i->{method} }')"
} 0 .. $#entries;
my $got = query_json($node, "SELECT jsonb_object_agg(n, step(i, c)) FROM (VALUES $values) v(n, i, c)");

foreach my $n (0 .. $#entries)
{
	my $inputs = $entries[$n]{inputs};
	my $name = "$inputs->{scenario} $composition_of{ $inputs->{method} }";
	my $good = check_golden($entries[$n], $composition_of{ $inputs->{method} }, $got->{$n});

	$count{$name}{ $good ? 'good' : 'bad' }++;
	diag(join ' ', map { "$_=$inputs->{$_}" } sort keys %$inputs) unless $good;
}
foreach my $name (sort keys %count)
{
	ok(!$count{$name}{bad}, "golden noise of $name: " . ($count{$name}{good} // 0) . ' plans');
}
is(scalar(keys %count), 9, 'every scenario and composition that has golden values');

# ---- what is charged is what was planned ------------------------------------

sub ledger_of
{
	my ($charge) = @_;

	return $node->safe_psql('postgres', "SELECT line, statistic, mechanism, releases, noise_multiplier, round(mu_squared::numeric, 12)"
		  . " FROM dpem.ledger WHERE charge = $charge ORDER BY line");
}

foreach my $mechanism (qw(ggg llg))
{
	foreach my $composition (@compositions)
	{
		my $label = "$mechanism, $composition";
		my $arguments = "'rich', 3, 1, 1e-4, mechanism => '$mechanism', composition => '$composition'";
		my $plan = query_json($node, "SELECT json_agg(p) FROM dp_gmm_plan($arguments) p");
		my $lines = $node->safe_psql('postgres', "SELECT line, statistic, mechanism, releases, noise_multiplier,"
			  . " round(mu_squared::numeric, 12) FROM dp_gmm_plan($arguments) WHERE line IS NOT NULL ORDER BY line");
		my $model = "m_${mechanism}_$composition";

		$node->safe_psql('postgres', "SELECT * FROM dp_gmm_fit($arguments, model => '$model')");
		is(ledger_of("(SELECT charge FROM dpem.models WHERE model = '$model')"), $lines, "$label: the ledger has the plan's lines");
		is($node->safe_psql('postgres', "SELECT mechanism, composition, precondition, iterations FROM dpem.models WHERE model = '$model'"),
			"$mechanism|$composition|none|10", "$label: the model says how it was made");
		is($node->safe_psql('postgres', "SELECT abs(sum(weight) - 1) < 1e-12 AND min(weight) > 0 FROM dpem.gmm_components WHERE model = '$model'"),
			't', "$label: weights");
		cmp_ok(abs($node->safe_psql('postgres', "SELECT dp_budget_remaining('rich', 1e-4)") - $plan->[0]{remaining_epsilon}),
			'<', 1e-9, "$label: what the plan said would remain remains");
		cmp_ok(abs($plan->[-1]{"epsilon_$composition"} - 1), '<', 1e-6, "$label: costs what was asked for under its own composition");
		# a Laplace release as mu-GDP is an upper bound only
		cmp_ok($plan->[-1]{epsilon_exact}, '<=', 1, "$label: and no more than that exactly") if $mechanism eq 'ggg';
	}
}

# a budget of exactly one fit, under every accountant: planned as allowed, fitted, then refused;
# advanced keeps half of delta for its slack
foreach my $accountant (qw(gdp rdp zcdp ma advanced linear))
{
	$node->safe_psql('postgres', "CREATE TABLE points_$accountant AS TABLE points; ANALYZE points_$accountant");
	register_table($node, "one_$accountant", "points_$accountant", [ map { [ $_, -6, 6 ] } qw(a b e) ], epsilon => 1,
		more => ", accountant => '$accountant'");
	$node->safe_psql('postgres', "SELECT dp_grant_budget(current_user::regrole, 'one_$accountant', 1, 1e-4)");
	my $delta = $accountant eq 'advanced' ? '0.5e-4' : '1e-4';
	my $arguments = "'one_$accountant', 3, 1, $delta, mechanism => 'ggg'";
	is($node->safe_psql('postgres', "SELECT allowed, remaining_epsilon < 1e-3 FROM dp_gmm_plan($arguments) LIMIT 1"), 't|t',
		"$accountant: the plan fits, and leaves nothing");
	is($node->safe_psql('postgres', "SELECT count(*) FROM dp_gmm_fit($arguments)"), '3', "$accountant: so does the fit");
	is($node->safe_psql('postgres', "SELECT allowed, remaining_epsilon FROM dp_gmm_plan($arguments) LIMIT 1"), 'f|0',
		"$accountant: the next plan does not");
	my ($rc, $out, $err) = $node->psql('postgres', "\\set VERBOSITY verbose\nSELECT * FROM dp_gmm_fit($arguments)");
	like($err, qr/DP001/, "$accountant: nor does the next fit");
}

# ---- without noise -----------------------------------------------------------

foreach my $estimator (qw(map mle))
{
	my @fits = map {
		"(SELECT json_agg(f) FROM dp_gmm_fit('rich', 3, 'Infinity', iterations => 10, precondition => 'none',"
		  . " init_variance => 0.1, estimator => '$estimator', mechanism => '$_') f)"
	} qw(joint ggg llg lll);
	my $got = query_json($node, 'SELECT json_build_array(' . join(', ', @fits) . ')');

	foreach my $other (1 .. 3)
	{
		my $worst = 0;

		foreach my $c (0 .. 2)
		{
			my @pairs = map { [ $got->[0][$c]{mean}[$_], $got->[$other][$c]{mean}[$_] ] } 0 .. 2;
			push @pairs, [ $got->[0][$c]{weight}, $got->[$other][$c]{weight} ];
			push @pairs, [ $got->[0][$c]{covariance}[$_][$_], $got->[$other][$c]{covariance}[$_][$_] ] foreach 0 .. 2;
			foreach my $pair (@pairs)
			{
				my $difference = abs($pair->[0] - $pair->[1]);
				$worst = $difference if $difference > $worst;
			}
		}
		cmp_ok($worst, '<', 1e-9, "without noise every mechanism is EM ($estimator, $other)");
	}
}

# ---- a nominal epsilon -------------------------------------------------------

$node->safe_psql('postgres', 'CREATE ROLE ana; CREATE ROLE reader; GRANT SELECT ON points TO reader;'
	  . "SELECT dp_grant_budget('ana', 'rich', 10, 1e-5)");
my $before = $node->safe_psql('postgres', 'SELECT (SELECT count(*) FROM dpem_internal.charge), (SELECT count(*) FROM dpem_internal.model)');
my $nominal = "dp_gmm_fit('rich', 3, 1, 1e-4, mechanism => 'lll', epsilon_is_nominal => true)";
my ($rc, $out, $err) = $node->psql('postgres', "SET ROLE reader; SELECT model IS NULL, component FROM $nominal");
is($out, "t|1\nt|2\nt|3", 'a reader of the rows may reproduce lll');
like($err, qr/not private/, '... and is told what it is');
($rc, $out, $err) = $node->psql('postgres', "\\set VERBOSITY verbose\nSET ROLE ana; SELECT * FROM $nominal");
like($err, qr/42501/, 'a role with a budget only may not');
($rc, $out, $err) = $node->psql('postgres',
	"SET ROLE reader; SELECT count(*) FROM dp_gmm_fit('rich', 3, 100, 1e-4, iterations => 2, mechanism => 'ggg', composition => 'linear', epsilon_is_nominal => true)");
is($out, '3', 'nor does the classical theorem matter to a reader');
is($node->safe_psql('postgres', 'SELECT (SELECT count(*) FROM dpem_internal.charge), (SELECT count(*) FROM dpem_internal.model)'), $before,
	'nothing of it was charged or stored');
foreach my $shape (qw(diagonal spherical))
{
	is($node->safe_psql('postgres', "SELECT mechanism FROM dp_gmm_plan('rich', 3, 1, 1e-4, mechanism => 'lll', covariance => '$shape',"
			  . " epsilon_is_nominal => true) WHERE statistic = 'covariances'"), 'gamma', "$shape: Gamma noise");
	is($node->safe_psql('postgres', "SELECT count(*) FROM dp_gmm_fit('rich', 3, 1, 1e-4, mechanism => 'lll', covariance => '$shape',"
			  . ' epsilon_is_nominal => true)'), '3', "$shape: runs");
}

$node->stop;
done_testing();
