# The experiments of the DP-EM papers through SQL, in a throw-away server:
# CSV, SVG and markdown tables in build/bench (docs/paper.md says what came of
# them).  Run by `make bench-paper`.
#
#   FOLDS=10   folds of the ten that are run
#   RUNS=1     fits in each fold; the synthetic experiment draws 10 times as many tables, that of check-ins 8 times
#   QUICK=1    a minute: 2 folds, three epsilons, three floors
#   JOBS=      sessions side by side (default: processors)
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;
use Paper;

$| = 1;

my $quick = $ENV{QUICK};
my $folds = $ENV{FOLDS} // ($quick ? 2 : 10);
my $runs = $ENV{RUNS} // 1;
my $jobs = $ENV{JOBS} // (`getconf _NPROCESSORS_ONLN 2>/dev/null` || 1) + 0;
my @epsilons = $quick ? (0.1, 1, 4) : (0.1, 0.25, 0.5, 1, 2, 4);
my $delta = 1e-4;

my %colour = (
	linear => '#7f3b08', advanced => '#e08214', zcdp => '#1b7837', ma => '#762a83', rdp => '#2166ac',
	exact => '#000000', joint => '#d6006c', open => '#666666', one => '#aaaaaa');
my %name = (
	linear => 'linear', advanced => 'advanced', zcdp => 'zCDP', ma => 'MA', ma100 => 'MA, λ ≤ 100', rdp => 'RDP', exact => 'exact');
my @compositions = qw(linear advanced zcdp ma rdp exact);

# ---- tasks and their means ------------------------------------------------------

# Every fold of a method at an epsilon, in `fit` everything of the call but dataset and epsilon.
sub tasks
{
	my ($data, %task) = @_;

	return map {
		my $fold = $_;
		map { { %task, data => $data, fold => $fold, run => $_ } } 1 .. ($task{open} ? 1 : $runs)
	} 0 .. $folds - 1;
}

sub score
{
	my ($task) = @_;
	my $data = $task->{data};
	my @columns = map { $_->[0] } @{ $data->{columns} };
	my $table = "$data->{name}_$task->{fold}";
	my $budget = $task->{open} ? "'Infinity'" : $task->{at} // $task->{epsilon};
	my $fit = "'$table', " . ($task->{k} // $data->{k}) . ", $budget, $delta, "
	  . (ref $task->{fit} ? $task->{fit}->($task->{fold}) : $task->{fit});
	my $fitted = $task->{open} || $task->{nominal} ? \&open_score : \&private_score;

	return $fitted->($fit, "${table}_test", @columns) + $data->{offset};
}

# Means over folds and runs by method, floor and epsilon.
sub summarize
{
	my (@tasks) = @_;
	my %scores;

	push @{ $scores{ $_->{method} }{ $_->{floor} // '' }{ $_->{epsilon} } }, $_->{score} foreach @tasks;
	return \%scores;
}

# The floor with the best mean at an epsilon.
sub best_floor
{
	my ($of_method, $epsilon) = @_;
	my %mean = map { $_ => mean(@{ $of_method->{$_}{$epsilon} }) } grep { $of_method->{$_}{$epsilon} } keys %$of_method;
	my ($best) = sort { $mean{$b} <=> $mean{$a} } keys %mean;

	return ($best, $mean{$best}, deviation(@{ $of_method->{$best}{$epsilon} }));
}

sub digits
{
	my ($value, $decimals) = @_;

	return abs($value) < 1000 ? sprintf('%.*f', $decimals // 2, $value) =~ s/^-/−/r : sprintf('%.0f', $value) =~ s/^-/−/r;
}

sub cell
{
	my ($value, $error) = @_;

	return digits($value) . ' ± ' . digits($error);
}

# A row of a table: a method at every epsilon.
sub row
{
	my ($label, $of_floor) = @_;

	return [ $label, map { $of_floor->{$_} ? cell(mean(@{ $of_floor->{$_} }), deviation(@{ $of_floor->{$_} })) : '' } @epsilons ];
}

sub best_row
{
	my ($label, $of_method) = @_;

	return [ $label, map {
		my ($floor, $mean, $error) = best_floor($of_method, $_);
		cell($mean, $error) . " ($floor)"
	} @epsilons ];
}

# The same number at every epsilon.
sub flat_row
{
	my ($label, $of_floor) = @_;
	my $text = cell(mean(@{ $of_floor->{''}{0} }), deviation(@{ $of_floor->{''}{0} }));

	return [ $label, ($text) x @epsilons ];
}

sub line
{
	my ($title, $colour, $dash, $point, $points, %more) = @_;

	return { title => $title, colour => $colour, dash => $dash, point => $point, points => $points, width => 1.8, %more };
}

sub flat_line
{
	my ($title, $colour, $scores, @at) = @_;
	my $mean = mean(@{ $scores->{''}{0} });

	return line($title, $colour, 2, 0, [ map { [ $_, $mean ] } @at ], flat => 1, width => 1.5);
}

sub points
{
	my ($of_floor) = @_;

	return [ map { [ $_, mean(@{ $of_floor->{$_} }) ] } grep { $of_floor->{$_} } @epsilons ];
}

sub best_points
{
	my ($of_method) = @_;

	return [ map { [ $_, (best_floor($of_method, $_))[1] ] } @epsilons ];
}

my $ticks = join ', ', map { "'$_' $_" } @epsilons;
my @raw_fields = qw(data method floor epsilon fold run score);

sub measure
{
	my ($name, @tasks) = @_;
	my $began = time;

	parallel($name, $jobs, \&score, @tasks);
	printf "%s: %d fits in %d s\n", $name, scalar @tasks, time - $began;
	write_csv($name, \@raw_fields, map { { %$_, data => $_->{data}{name} } } @tasks);
	return summarize(@tasks);
}

# Loads a file and makes a private dataset and a test table of every fold.
sub prepare
{
	my ($data) = @_;
	my @columns = map { $_->[0] } @{ $data->{columns} };
	my $list = join ', ', @columns;

	if (!load_folds($data->{name}, $data->{file}, @columns))
	{
		print "SKIPPED: $data->{file} is not here\n";
		return 0;
	}
	foreach my $fold (0 .. $folds - 1)
	{
		query("CREATE TABLE $data->{name}_$fold AS SELECT $list FROM $data->{name} WHERE fold <> $fold;
			CREATE TABLE $data->{name}_${fold}_test AS SELECT $list FROM $data->{name} WHERE fold = $fold");
		prepare_dataset("$data->{name}_$fold", @{ $data->{columns} });
	}
	return 1;
}

# ---- (a) lifesci, Figure 3 --------------------------------------------------------

my $norm = 16.24094504854936;
my $lifesci = {
	name => 'lifesci', file => 'lifesci.csv.gz', k => 3, offset => 10 * log($norm),
	columns => [ map { [ "x$_", -$norm, $norm ] } 1 .. 10 ]
};
my @lifesci_floors = $quick ? (0.001, 0.005, 0.02) : (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1);

sub shuffled
{
	my @list = @_;

	foreach my $i (reverse 1 .. $#list)
	{
		my $j = int(rand($i + 1));
		@list[ $i, $j ] = @list[ $j, $i ];
	}
	return @list;
}

# The published start: a latin hypercube in [-1/2, 1/2]^10 and a little noise, covariance I in the
# unit ball; the published priors.
sub published
{
	my ($fold) = @_;

	srand(1 + $fold);
	my @strata = map { [ shuffled(0 .. 2) ] } 1 .. 10;
	my @means = map {
		my $k = $_;
		[ map { ($strata[$_][$k] + rand) / 3 - 0.5
			  + 0.01 * sqrt(-2 * log(1 - rand)) * cos(6.283185307 * rand) } 0 .. 9 ]
	} 0 .. 2;
	my $array = join ', ', map { 'ARRAY[' . join(', ', map { sprintf '%.6f', $_ } @$_) . ']' } @means;
	return "init_means => ARRAY[$array]::float8[], init_variance => 1, clip_norm => 1, precondition => 'none',"
	  . ' dirichlet => 2, kappa0 => 1.01, nu0 => 11, scale0 => 0.1';
}

sub papers_fit
{
	my ($mechanism, $composition, $floor) = @_;

	return sub {
		published($_[0]) . ", iterations => 10, mechanism => '$mechanism', composition => '$composition', eigenvalue_floor => $floor";
	};
}

# The epsilon at which zCDP adds the noise that the moments accountant with at most 100 orders adds.
sub capped_epsilon
{
	my ($epsilon) = @_;

	return value("SELECT dp_zcdp_epsilon(35 * s * s / (2 * ln(1.25e8::float8)), $delta)
		FROM dp_em_step_epsilon('ggg', 'ma', $epsilon, $delta, 1e-8, 10, 3, 100) s");
}

sub lifesci_tasks
{
	my $tasks = sub { tasks($lifesci, @_) };
	my @all = (
		$tasks->(method => 'one', open => 1, epsilon => 0, k => 1, fit => "estimator => 'mle', precondition => 'none', iterations => 2"),
		$tasks->(method => 'open', open => 1, epsilon => 0, fit => "estimator => 'map'"),
		$tasks->(method => 'open10', open => 1, epsilon => 0, fit => sub { published($_[0]) . ', iterations => 10' }),
		$tasks->(method => 'open100', open => 1, epsilon => 0, fit => sub { published($_[0]) . ', iterations => 100' }));

	foreach my $epsilon (@epsilons)
	{
		push @all, $tasks->(method => 'joint', epsilon => $epsilon, fit => "mechanism => 'joint'");
		push @all, $tasks->(method => 'ggg ma100', epsilon => $epsilon, at => capped_epsilon($epsilon), floor => 0.001,
			fit => papers_fit('ggg', 'zcdp', 0.001)) if $epsilon == 0.1;
		foreach my $mechanism (qw(ggg llg))
		{
			foreach my $composition (@compositions)
			{
				push @all, $tasks->(method => "$mechanism $composition", epsilon => $epsilon, floor => $_,
					fit => papers_fit($mechanism, $composition, $_)) foreach @lifesci_floors;
			}
		}
	}
	return @all;
}

sub lifesci_tables
{
	my ($s) = @_;
	my @methods = map { my $m = $_; map { [ "$m $_", uc($m) . ", $name{$_}" ] } @compositions } qw(ggg llg);
	my @head = ('', map { "ε = $_" } @epsilons);
	my @always = (
		flat_row('one Gaussian', $s->{one}), flat_row('non-private, published start, 10 iterations', $s->{open10}),
		flat_row('non-private, published start, 100 iterations', $s->{open100}),
		flat_row('non-private, default fit', $s->{open}), row('**joint, default fit**', $s->{joint}{''}));

	write_table('lifesci: mean test log-likelihood per point, eigenvalue floor 0.001 as published', \@head, @always,
		row('GGG, MA, λ ≤ 100', $s->{'ggg ma100'}{'0.001'}),
		map { row($_->[1], $s->{ $_->[0] }{'0.001'}) } @methods);
	write_table('lifesci: the same with the floor that has the best mean on the test data (in brackets)', \@head,
		map { best_row($_->[1], $s->{ $_->[0] }) } @methods);
	return;
}

sub lifesci_plot
{
	my ($s) = @_;
	my @marks = (
		flat_line('non-private, default', $colour{open}, $s->{open}, @epsilons[ 0, -1 ]),
		flat_line('one Gaussian', $colour{one}, $s->{one}, @epsilons[ 0, -1 ]),
		line('joint, default', $colour{joint}, 1, 7, points($s->{joint}{''}), width => 3));
	my (@published, @best);

	foreach my $mechanism (qw(ggg llg))
	{
		foreach my $composition (reverse @compositions)
		{
			my $of = $s->{"$mechanism $composition"};
			my @look = (uc($mechanism) . ", $name{$composition}", $colour{$composition},
				$mechanism eq 'ggg' ? (1, 5) : (3, 9));

			push @published, line(@look, points($of->{'0.001'}));
			push @best, line(@look, best_points($of));
		}
	}
	my %axis = (
		ticks => $ticks, domain => '0.09:4.4', squeezed => [ 10.5, 0.5 ], range => '*:10.4',
		yticks => '(10.2, 10, 9.5, 9, 8, 6, 0, -10, -30, -100, -300, -1000, -3000)');
	plot('lifesci', '1200,600', 'ε (δ = 10⁻⁴)', 'mean test log-likelihood per point',
		{ title => 'lifesci, K = 3: eigenvalue floor 0.001 as published', lines => [ @marks, @published ], %axis },
		{ title => 'lifesci, K = 3: each method with its best floor', lines => [ @marks, @best ], %axis });
	return;
}

# joint > GGG zCDP ~ GGG MA > GGG advanced > GGG linear, in the mean of the folds
sub lifesci_order
{
	my ($s) = @_;

	foreach my $epsilon (@epsilons)
	{
		my ($joint, $zcdp, $ma, $advanced, $linear) = map { mean(@{ $_->{$epsilon} }) } $s->{joint}{''},
		  map { $s->{"ggg $_"}{'0.001'} } qw(zcdp ma advanced linear);
		my $holds = $joint > $zcdp && $joint > $ma && $zcdp > $advanced && $ma > $advanced && $advanced > $linear;

		printf "order at epsilon %-4s: joint %.2f, zCDP %.2f, MA %.2f, advanced %.2f, linear %.2f: %s\n", $epsilon,
		  $joint, $zcdp, $ma, $advanced, $linear, $holds ? 'holds' : 'DOES NOT HOLD';
	}
	return;
}

# What the noise of a composition at an epsilon really costs: from plans, which read no row.
sub cost_table
{
	my @rows;

	foreach my $mechanism (qw(ggg llg))
	{
		foreach my $composition (@compositions)
		{
			push @rows, [ uc($mechanism) . ", $name{$composition}", map {
				my ($noise, $cost) = split /\t/, value("SELECT max(noise_stddev) FILTER (WHERE statistic = 'weights'),
					max(epsilon_exact) FILTER (WHERE statistic = 'total')
					FROM dp_gmm_plan('lifesci_0', 3, $_, $delta, iterations => 10, clip_norm => 1,
						mechanism => '$mechanism', composition => '$composition')");
				digits($noise, 1) . ' / ' . digits($cost, 3)
			} @epsilons ];
		}
	}
	write_table('Noise of each count / exact ε of all the noise (for LLG an upper bound), J = 10, K = 3',
		[ '', map { "ε = $_" } @epsilons ], @rows);
	return;
}

sub lifesci
{
	my ($plots) = @_;

	return unless prepare($lifesci);
	cost_table();
	my $s = measure('lifesci', lifesci_tasks());
	lifesci_tables($s);
	lifesci_order($s);
	lifesci_plot($s) if $plots;
	return;
}

# ---- (b) three Gaussians, log-likelihood against N ----------------------------------

my @sizes = $quick ? (1000, 10000) : (1000, 3000, 10000, 30000, 100000);
my $draws = $quick ? 2 : 10 * $runs;
my $three_epsilon = 0.9;

# N points of three Gaussians in the plane.
sub draw_three
{
	my ($table, $n, $seed) = @_;

	query("SELECT setseed($seed);
		CREATE TABLE $table AS
		SELECT CASE WHEN u < 0.3 THEN -2.5 + a WHEN u < 0.6 THEN 2.5 + 0.6 * a ELSE 0.7 * a + 0.5 * b END AS x,
			CASE WHEN u < 0.3 THEN -2 + 0.5 * b WHEN u < 0.6 THEN -1.5 + 1.2 * b ELSE 2.5 + 0.8 * b END AS y
		FROM (SELECT u, r * cos(t) AS a, r * sin(t) AS b
			FROM (SELECT random() AS u, sqrt(-2 * ln(1 - random())) AS r, 2 * pi() * random() AS t
				FROM generate_series(1, $n)) s OFFSET 0) s");
	return;
}

sub three_methods
{
	my $papers = "iterations => 10, eigenvalue_floor => 0.001, precondition => 'none'";

	return (
		[ 'open', 'non-private, default', $colour{open}, 2, 0, '', open => 1 ],
		[ 'joint', 'joint, default', $colour{joint}, 1, 7, "mechanism => 'joint'" ],
		(map { [ "ggg $_", "GGG, $name{$_}", $colour{$_}, 1, 5, "$papers, mechanism => 'ggg', composition => '$_'" ] }
			  qw(exact zcdp advanced linear)),
		(map { [ "llg $_", "LLG, $name{$_}", $colour{$_}, 3, 9, "$papers, mechanism => 'llg', composition => '$_'" ] }
			  qw(zcdp)),
		[ 'lll linear', 'LLL, linear (not private)', '#c51b7d', 4, 2,
			"$papers, mechanism => 'lll', composition => 'linear', epsilon_is_nominal => true", nominal => 1 ]);
}

sub score_three
{
	my ($task) = @_;
	my $budget = $task->{open} ? "'Infinity'" : $three_epsilon;
	my $fit = "'three_$task->{n}_$task->{run}', 3, $budget, $delta" . ($task->{fit} ? ", $task->{fit}" : '');

	return ($task->{open} || $task->{nominal} ? \&open_score : \&private_score)->($fit, 'three_test', 'x', 'y');
}

sub three
{
	my ($plots) = @_;
	my $began = time;
	my @methods = three_methods();
	my (@tasks, %scores);

	draw_three('three_test', 20000, 0.999);
	foreach my $n (@sizes)
	{
		foreach my $run (1 .. $draws)
		{
			draw_three("three_${n}_$run", $n, ($run + 1) / ($draws + 2) * $n / 100001);
			prepare_dataset("three_${n}_$run", [ 'x', -8, 8 ], [ 'y', -8, 8 ]);
			foreach my $m (@methods)
			{
				my ($method, $fit, %more) = @$m[ 0, 5 .. $#$m ];

				push @tasks, { method => $method, n => $n, run => $run, fit => $fit, %more };
			}
		}
	}
	parallel('three', $jobs, \&score_three, @tasks);
	printf "three: %d fits in %d s\n", scalar @tasks, time - $began;
	write_csv('three', [qw(method n run score)], @tasks);
	push @{ $scores{ $_->{method} }{ $_->{n} } }, $_->{score} foreach @tasks;
	write_table("three Gaussians, ε = $three_epsilon: mean test log-likelihood per point against N, $draws tables each",
		[ '', map { "N = $_" } @sizes ],
		map { my $of = $scores{ $_->[0] }; [ $_->[1], map { cell(mean(@{ $of->{$_} }), deviation(@{ $of->{$_} })) } @sizes ] } @methods);
	return unless $plots;
	my @lines = map {
		my $of = $scores{ $_->[0] };
		line($_->[1], $_->[2], $_->[3], $_->[4], [ map { [ $_, mean(@{ $of->{$_} }) ] } @sizes ], flat => $_->[0] eq 'open')
	} @methods;
	plot('three', '820,560', 'N', 'mean test log-likelihood per point', {
		title => "three Gaussians, ε = $three_epsilon", lines => \@lines, ticks => join(', ', map { "'$_' $_" } @sizes),
		domain => '800:130000', range => '*:-3.36', squeezed => [ -3.35, 0.05 ],
		yticks => '(-3.4, -3.5, -3.6, -3.8, -4, -5, -7, -10, -20, -50, -100, -300, -1000, -3000)'
	});
	return;
}

# ---- (c) other data ---------------------------------------------------------------

my @others = (
	{ name => 'gowalla', title => 'gowalla, K = 5', file => 'gowalla_locations.csv.gz', k => 5, offset => 0,
		columns => [ [ 'lat', -90, 90 ], [ 'lon', -180, 180 ] ] },
	{ name => 'adult', title => 'adult, K = 3', file => 'adult.csv.gz', k => 3, offset => 0,
		columns => [ [ 'age', 17, 90 ], [ 'education_num', 1, 16 ], [ 'hours_per_week', 1, 99 ], [ 'fnlwgt', 0, 1500000 ] ] },
	{ name => 's1', title => 'S1, K = 15', file => 's1_su_processed.csv.gz', k => 15, offset => 0,
		columns => [ [ 'x', -1, 1 ], [ 'y', -1, 1 ] ] });
my @other_floors = $quick ? (0.001, 0.01, 0.05) : (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1);

sub other_tasks
{
	my ($data) = @_;
	my @all = (
		tasks($data, method => 'one', open => 1, epsilon => 0, k => 1, fit => "estimator => 'mle', precondition => 'none', iterations => 2"),
		tasks($data, method => 'open', open => 1, epsilon => 0, fit => "mechanism => 'joint'"));

	foreach my $epsilon (@epsilons)
	{
		push @all, tasks($data, method => 'joint', epsilon => $epsilon, fit => "mechanism => 'joint'");
		foreach my $composition (qw(zcdp exact))
		{
			push @all, tasks($data, method => "ggg $composition", epsilon => $epsilon, floor => $_,
				fit => "mechanism => 'ggg', composition => '$composition', iterations => 10, eigenvalue_floor => $_")
			  foreach @other_floors;
		}
	}
	return @all;
}

sub others
{
	my ($plots) = @_;
	my @panels;

	foreach my $data (@others)
	{
		next unless prepare($data);
		my $s = measure($data->{name}, other_tasks($data));
		write_table("$data->{title}: mean test log-likelihood per point, in the columns' own units",
			[ '', map { "ε = $_" } @epsilons ], flat_row('one Gaussian', $s->{one}), flat_row('non-private, default fit', $s->{open}),
			row('**joint, default fit**', $s->{joint}{''}),
			map { best_row("GGG, $name{$_}, best floor", $s->{"ggg $_"}) } qw(zcdp exact));
		push @panels, {
			title => $data->{title}, range => '*:*', yticks => 'auto', ticks => $ticks, domain => '0.09:4.4',
			lines => [
				flat_line('non-private, default', $colour{open}, $s->{open}, @epsilons[ 0, -1 ]),
				flat_line('one Gaussian', $colour{one}, $s->{one}, @epsilons[ 0, -1 ]),
				line('joint, default', $colour{joint}, 1, 7, points($s->{joint}{''}), width => 3),
				map { line("GGG, $name{$_}, best floor", $colour{$_}, 1, 5, best_points($s->{"ggg $_"})) } qw(exact zcdp)
			]
		};
	}
	plot('others', '1500,480', 'ε (δ = 10⁻⁴)', 'mean test log-likelihood per point', @panels) if $plots && @panels;
	return;
}

# ---- (d) gowalla, Figure 4 ----------------------------------------------------------

# Check-ins drawn at random from the cells of a grid over the world, one in a hundred; centers are
# judged by all check-ins: mean squared distance to the nearest, columns scaled to [-1, 1].
my $samples = $quick ? 3 : 8 * $runs;
my @checkin_epsilons = $quick ? (0.01, 1) : (0.01, 0.1, 1);
my @checkin_methods = (
	[ 'open', 'non-private, Lloyd from the usual start', '', open => 1 ],
	[ 'grid', 'non-private, grid', ", algorithm => 'grid'", open => 1 ],
	[ 'default', '**default fit**', '' ],
	[ 'dpem', 'DP-EM k-means, 10 iterations, zCDP', ", algorithm => 'dpem', noise => 'gaussian', iterations => 10, composition => 'zcdp'" ],
	[ 'dplloyd', 'DPLloyd', ", algorithm => 'dplloyd'" ]);

sub load_checkins
{
	load_text('gowalla_grid256.csv.gz') or return 0;
	query("CREATE TABLE cells AS SELECT -1 + (i::int + 0.5) / 128 AS lat, -1 + (j::int + 0.5) / 128 AS lon, count::int AS n,
			sum(count::int) OVER (ORDER BY i::int, j::int) AS last FROM file;
		CREATE INDEX ON cells (last); ANALYZE cells");
	foreach my $i (1 .. $samples)
	{
		query("SELECT setseed($i / 1000.0); CREATE TABLE checkins_$i AS
			SELECT c.lat, c.lon FROM (SELECT floor(random() * t.n)::bigint AS at FROM (SELECT sum(n) AS n FROM cells) AS t,
					generate_series(1, (t.n / 100)::int) OFFSET 0) AS s,
				LATERAL (SELECT lat, lon FROM cells WHERE last > s.at ORDER BY last LIMIT 1) AS c");
		prepare_dataset("checkins_$i", [ 'lat', -1, 1 ], [ 'lon', -1, 1 ]);
	}
	return 1;
}

sub checkins_distance
{
	my ($centers) = @_;

	return value("SELECT sum(c.n * d.square) / sum(c.n) FROM cells AS c, LATERAL (SELECT min((c.lat - k.lat) ^ 2 + (c.lon - k.lon) ^ 2) AS square
		FROM ($centers) AS k (lat, lon)) AS d");
}

sub score_checkins
{
	my ($task) = @_;
	my $budget = $task->{open} ? "'Infinity'" : $task->{epsilon};
	my ($list) = query("SELECT string_agg(format('(%s, %s)', mean[1], mean[2]), ', ')
		FROM dp_kmeans_fit('checkins_$task->{sample}', $task->{k}, $budget, $delta$task->{fit})");

	return checkins_distance("VALUES $list");
}

sub checkin_cell
{
	my @sorted = sort { $a <=> $b } @_;

	return sprintf '%.4f / %.4f', ($sorted[ int($#sorted / 2) ] + $sorted[ int(@sorted / 2) ]) / 2, $sorted[-1];
}

sub checkins
{
	my $began = time;
	my (@tasks, %scores);

	if (!load_checkins())
	{
		print "SKIPPED: gowalla_grid256.csv.gz is not here\n";
		return;
	}
	foreach my $m (@checkin_methods)
	{
		my ($method, $title, $fit, %more) = @$m;

		foreach my $k (3, 5)
		{
			foreach my $epsilon ($more{open} ? 0 : @checkin_epsilons)
			{
				push @tasks, map { { method => $method, k => $k, epsilon => $epsilon, sample => $_, fit => $fit, %more } } 1 .. $samples;
			}
		}
	}
	parallel('checkins', $jobs, \&score_checkins, @tasks);
	printf "checkins: %d fits in %d s\n", scalar @tasks, time - $began;
	write_csv('checkins', [qw(method k epsilon sample score)], @tasks);
	push @{ $scores{ $_->{method} }{ $_->{k} }{ $_->{epsilon} } }, $_->{score} foreach @tasks;
	my $one = sprintf '%.4f', checkins_distance('SELECT sum(n * lat) / sum(n), sum(n * lon) / sum(n) FROM cells');

	foreach my $k (3, 5)
	{
		write_table("gowalla, 1 % of the check-ins, K = $k: mean squared distance, median / worst of $samples samples",
			[ '', map { "ε = $_" } @checkin_epsilons ], [ 'one center: the mean of all', ($one) x @checkin_epsilons ],
			map { my $of = $scores{ $_->[0] }{$k}; [ $_->[1], map { checkin_cell(@{ $of->{0} // $of->{$_} }) } @checkin_epsilons ] } @checkin_methods);
	}
	return;
}

my %experiments = (lifesci => \&lifesci, three => \&three, others => \&others, checkins => \&checkins);
my @wanted = @ARGV ? @ARGV : qw(lifesci three others checkins);
my $plots = (grep { $_ ne 'checkins' } @wanted) && ensure_gnuplot();

query('CREATE EXTENSION IF NOT EXISTS dpem');
$experiments{$_}->($plots) foreach @wanted;
