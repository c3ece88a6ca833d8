# The audit from outside: everything is asked in SQL, as an analyst would, of the installed library
# and of saboteurs (saboteur.h), which it must find out.  docs/audit.md says what is measured, and
# how often a correct library would be accused.
#
# QUICK=1   fewer families and fits
#
# Run by scripts/audit.sh, which starts the server.
use strict;
use warnings;

use FindBin;
use lib $FindBin::Bin;

use Chance;
use File::Temp;
use List::Util qw(sum max min);

my $quick = $ENV{QUICK};
my $saboteurs = $ENV{DPEM_SABOTEURS} or die "DPEM_SABOTEURS does not name the directory of the saboteurs\n";

# A correct library is accused by one comparison with probability ALPHA at most; there are fewer than
# 100 in an audit.  The bounds that must be reached are five standard deviations away.
my $ALPHA = 1e-8;
my $POWER = 1e-3;                    # a saboteur is accused at this level
my $DELTA = 0.01;
my $MU = 2;                          # of one fit: where few runs tell halved noise best
my $FITS = $quick ? 300 : 2000;      # of each neighbour; half to choose a test, half to try it
my $ROWS = 1000;
my $PER_LEDGER = 400;                # fits that a dataset's budget has room for

my ($checks, $failures) = (0, 0);

sub count_check
{
	my ($ok) = @_;

	$checks++;
	$failures++ unless $ok;
	return $ok;
}

sub check
{
	my ($ok, $what) = @_;

	printf "%s  %s\n", $ok ? 'ok    ' : 'FAILED', $what;
	return count_check($ok);
}

# ---- psql ------------------------------------------------------------------------

# Starts a script in a database; read_output waits for what it prints.
sub start_script
{
	my ($database, $sql, @options) = @_;
	my $script = File::Temp->new(TEMPLATE => 'dpem_audit_XXXXXX', TMPDIR => 1);

	print $script $sql;
	$script->flush;
	open(my $output, '-|', "psql -X -v ON_ERROR_STOP=1 @options -d $database 2>&1 <" . $script->filename) or die $!;
	return { output => $output, script => $script, what => $database };
}

sub read_output
{
	my ($run) = @_;
	my $output = $run->{output};
	my @lines = <$output>;

	close($output) or die "$run->{what}: psql failed:\n" . join('', @lines);
	chomp @lines;
	return @lines;
}

sub query
{
	my ($database, $sql) = @_;

	return read_output(start_script($database, $sql, '-Atq'));
}

sub value
{
	my ($first) = query(@_);

	return $first;
}

sub make_database
{
	my ($name) = @_;

	query('postgres', "CREATE DATABASE $name");
	query($name, 'CREATE EXTENSION dpem');
	return;
}

# From here on dpem is the saboteur, in a database of its name and in the charge worker; the honest
# databases are not to be used any more.
sub let_in
{
	my ($saboteur) = @_;
	my $path = "$saboteurs/$saboteur";

	die "there is no $path/dpem.so\n" unless -r "$path/dpem.so";
	query('postgres', "ALTER SYSTEM SET dynamic_library_path = '$path:\$libdir'");
	query('postgres', 'SELECT pg_reload_conf()');
	while (value('postgres', 'SHOW dynamic_library_path') !~ /\Q$path\E/) { select(undef, undef, undef, 0.1) }
	make_database($saboteur);
	query($saboteur, "UPDATE pg_proc SET probin = 'dpem' WHERE probin = '\$libdir/dpem'");
	return;
}

# ---- neighbours ----------------------------------------------------------------------

# Rows in two clusters of the box [-1, 1]^2; the last row stands where `special` says, or is missing.
sub make_table
{
	my ($name, $special) = @_;
	my $others = $ROWS - 1;
	my $sql = qq{CREATE TABLE $name AS
		SELECT (0.6 * s + 0.15 * sin(3 * i))::float8 AS a, (0.5 * s + 0.2 * cos(5 * i))::float8 AS b
		FROM generate_series(1, $others) i, LATERAL (SELECT CASE i % 2 WHEN 0 THEN 1 ELSE -1 END) AS side(s);};

	$sql .= "INSERT INTO $name VALUES ($special);" if defined $special;
	return "$sql\nANALYZE $name;";
}

sub register
{
	my ($name, $adjacency) = @_;

	return qq{SELECT dp_register_dataset('$name', '$name', 1000, 0.1, adjacency => '$adjacency');
		SELECT dp_register_column('$name', x, -1, 1) FROM unnest('{a,b}'::text[]) x;
		SELECT dp_grant_budget(current_user::regrole, '$name', 1000, 0.1);};
}

# ---- many fits, and what tells them apart -------------------------------------------------

my $start = "init_means => '{{0.6,0.5},{-0.6,-0.5}}'";
my $gmm = "iterations => 1, estimator => 'mle', $start, init_variance => 0.02";
my $one = "iterations => 1, estimator => 'mle', precondition => 'none', clip_norm => 1";

# rows that move moments most: of two components, and of one (the angle of docs/proofs.md, 4)
my @two = ('1, 1', '-1, -1');
my @angle = ('1, 1', '0.5683, -0.8229');

# tight: the fit's numbers hold all that was released, so that the bound has to come close, and must
# find out halved noise
my @families = (
	{ name => 'gmm, one component', fit => 'dp_gmm', k => 1, more => $one, rows => \@angle, tight => 1, quick => 1 },
	{ name => 'gmm', fit => 'dp_gmm', k => 2, more => "$gmm, precondition => 'none'", rows => \@two },
	{ name => 'gmm diagonal', fit => 'dp_gmm', k => 2, more => "$gmm, precondition => 'none', covariance => 'diagonal'", rows => \@two },
	{ name => 'gmm whitened', fit => 'dp_gmm', k => 2, more => $gmm, rows => \@two },
	{ name => 'gmm ggg', fit => 'dp_gmm', k => 2, more => "$gmm, mechanism => 'ggg'", rows => \@two },
	{ name => 'gmm llg', fit => 'dp_gmm', k => 2, more => "$gmm, mechanism => 'llg'", rows => \@two },
	{ name => 'kmeans joint', fit => 'dp_kmeans', k => 2, more => "iterations => 1, algorithm => 'joint', $start", rows => \@two, quick => 1 },
	{ name => 'kmeans dplloyd', fit => 'dp_kmeans', k => 2, more => "iterations => 1, algorithm => 'dplloyd', $start", rows => \@two });

# Every number of a model, blanks between.
sub numbers_of
{
	my ($fit) = @_;
	my $numbers = $fit eq 'dp_gmm' ? 'weight || mean || ARRAY(SELECT unnest(covariance))' : 'weight || mean';

	return "SELECT string_agg(v::text, ' ' ORDER BY component, j) FROM %s AS f, LATERAL unnest($numbers) WITH ORDINALITY AS u(v, j)";
}

sub arguments
{
	my ($family, $epsilon) = @_;

	return "$family->{k}, $epsilon, $DELTA, $family->{more}";
}

sub start_fits
{
	my ($database, $name, $special, $adjacency, $family, $epsilon) = @_;
	my $sql = "SET client_min_messages = error;\nSET synchronous_commit = off;\nCREATE TABLE ${name}_out (numbers text);\n\\o /dev/null\n";

	for (my $done = 0; $done < $FITS; $done += $PER_LEDGER)
	{
		my $table = "${name}_$done";
		my $now = min($PER_LEDGER, $FITS - $done);
		my $select = sprintf numbers_of($family->{fit}), "$family->{fit}_fit('$table', " . arguments($family, $epsilon) . ')';

		$sql .= make_table($table, $special) . register($table, $adjacency);
		$sql .= qq{DO \$do\$BEGIN FOR i IN 1..$now LOOP INSERT INTO ${name}_out $select; END LOOP; END\$do\$;\n};
	}
	return start_script($database, "$sql\\o\nSELECT numbers FROM ${name}_out;\n", '-Atq');
}

sub samples
{
	my ($database, $family, $adjacency, $epsilon) = @_;
	my $name = "$family->{fit}_" . int(rand(1e9));
	my ($near, $far) = @{ $family->{rows} };

	$far = undef if $adjacency eq 'add_remove';
	my @runs = (
		start_fits($database, "${name}_near", $near, $adjacency, $family, $epsilon),
		start_fits($database, "${name}_far", $far, $adjacency, $family, $epsilon));
	my @samples = map { [ map { [ split ' ' ] } read_output($_) ] } @runs;

	die "$family->{name}: only " . @$_ . " fits\n" foreach grep { @$_ != $FITS } @samples;
	return @samples;
}

# mu that a fit is charged for
sub claimed_mu
{
	my ($database, $family, $adjacency, $epsilon) = @_;
	my $table = "plan_" . int(rand(1e9));

	query($database, make_table($table, '1, 1') . register($table, $adjacency));
	return value($database, "SELECT sqrt(mu_squared) FROM $family->{fit}_plan('$table', " . arguments($family, $epsilon) . ") WHERE statistic = 'total'");
}

sub halves
{
	my ($sample) = @_;
	my $middle = @$sample / 2;

	return ([ @$sample[ 0 .. $middle - 1 ] ], [ @$sample[ $middle .. $#$sample ] ]);
}

sub audit_family
{
	my ($database, $family, $adjacency, $epsilon, $halved) = @_;
	my $claim = claimed_mu($database, $family, $adjacency, $epsilon);
	my ($near, $far) = samples($database, $family, $adjacency, $epsilon);
	my @near = halves($near);
	my @far = halves($far);
	my $direction = best_direction($near[0], $far[0]);
	my $threshold = choose_threshold(project($direction, $near[0]), project($direction, $far[0]));
	my @try = (project($direction, $near[1]), project($direction, $far[1]), $threshold, $DELTA);
	my ($mu, $bound_epsilon) = lower_bounds(@try, $halved ? $POWER : $ALPHA);
	my ($mu95, undef) = lower_bounds(@try, 0.05);
	my $exceeds = $mu > $claim || $bound_epsilon > $epsilon;
	my $ok = $halved ? $exceeds : !$exceeds && (!$family->{tight} || $mu95 > $claim / 4);

	printf "| %-20s | %-11s | %-8s | %5.3f | %6.3f | %6.3f | %7.3f | %7.3f | %-10s |\n", $family->{name}, $adjacency,
		$halved ? 'halved' : 'as paid', $claim, $mu95, $mu, $epsilon, $bound_epsilon,
		$ok ? $halved ? 'found out' : 'ok' : 'FAILED';
	count_check($ok);
	return;
}

sub table_head
{
	my ($title, $level) = @_;

	print "\n$title: lower bounds from $FITS fits of each neighbour\n\n";
	printf "| %-20s | %-11s | %-8s | %5s | %6s | %6s | %7s | %7s | %-10s |\n", 'family', 'adjacency', 'noise', 'mu',
		'0.05', $level, 'epsilon', $level, '';
	print '|', join('|', map { '-' x ($_ + 2) } 20, 11, 8, 5, 6, 6, 7, 7, 10), "|\n";
	return;
}

sub audit_bounds
{
	my ($database, $halved) = @_;
	my $epsilon = value('postgres', "SELECT round(dp_gdp_epsilon($MU, $DELTA)::numeric, 4)");

	table_head($halved ? 'half of the noise' : 'the extension', $halved ? $POWER : $ALPHA);
	foreach my $family (grep { $halved ? $_->{tight} : !$quick || $_->{quick} } @families)
	{
		audit_family($database, $family, $_, $epsilon, $halved) foreach $quick || $halved ? 'replace_one' : qw(replace_one add_remove);
	}
	print "\n";
	return;
}

# ---- the law of the noise --------------------------------------------------------------

# Deviations of the means of one-component fits, in the noise's declared standard deviations: [[a, b], ...].
sub deviations
{
	my ($database) = @_;
	my $fits = $quick ? 200 : 2400;
	my $batch = min($fits, $PER_LEDGER);
	my @rows;

	for (my $done = 0; $done < $fits; $done += $batch)
	{
		my $table = "law_$done";
		my $fit = "dp_gmm_fit('$table', 1, 4, $DELTA, iterations => 1, estimator => 'mle', precondition => 'none', covariance => 'spherical'";

		push @rows, query($database, "SET client_min_messages = error;\n\\o /dev/null\n" . make_table($table, '1, 1') . register($table, 'replace_one') . qq{
			DO \$do\$BEGIN FOR i IN 1..$batch LOOP PERFORM * FROM $fit, model => '${table}_' || i); END LOOP; END\$do\$;
			\\o
			SELECT string_agg(((m.mean - truth.mean[CASE column_name WHEN 'a' THEN 1 ELSE 2 END]) / noise_stddev)::text, ' ' ORDER BY column_name)
			FROM dpem.gmm_means m, (SELECT mean FROM dp_gmm_fit('$table', 1, 'Infinity', iterations => 1, estimator => 'mle',
				precondition => 'none', covariance => 'spherical')) AS truth WHERE m.model LIKE '${table}_%' GROUP BY m.model});
	}
	return [ map { [ split ' ' ] } @rows ];
}

sub bins_chi_square
{
	my ($values, $bins) = @_;
	my @count = (0) x $bins;

	$count[ min($bins - 1, int($bins * (1 - normal_tail($_)))) ]++ foreach @$values;
	my $expected = @$values / $bins;
	return chi_square_tail(sum(map { ($_ - $expected)**2 / $expected } @count), $bins - 1);
}

sub two_sided
{
	my ($x, $degrees) = @_;
	my $tail = chi_square_tail($x, $degrees);

	return 2 * min($tail, 1 - $tail);
}

# p-values of what the law of the noise says
sub law_of
{
	my ($rows) = @_;
	my @all = map { @$_ } @$rows;
	my $n = @$rows;
	my $product = sum(map { $_->[0] * $_->[1] } @$rows);
	my $lagged = sum(map { $rows->[$_][0] * $rows->[ $_ - 1 ][0] } 1 .. $n - 1);

	return (
		variance => two_sided(sum(map { $_ * $_ } @all), scalar @all),
		bins => bins_chi_square(\@all, $quick ? 32 : 64),
		mean => 2 * normal_tail(abs(sum(@all)) / sqrt(@all)),
		'one column and the other' => 2 * normal_tail(abs($product) / sqrt($n)),
		'one fit and the next' => 2 * normal_tail(abs($lagged) / sqrt($n)));
}

sub audit_law
{
	my ($database, $halved) = @_;
	my %p = law_of(deviations($database));

	if ($halved)
	{
		check($p{$_} < $ALPHA, "the law of halved noise is found out by: $_") foreach 'variance', 'bins';
		return;
	}
	check($p{$_} > $ALPHA, sprintf 'the law of the noise: %s, p = %.3g', $_, $p{$_}) foreach sort keys %p;
	return;
}

# ---- everything released varies ------------------------------------------------------------

# Columns of the long views that 50 models of the same data share a number in.
sub constant_columns
{
	my ($database) = @_;
	my $table = 'same_data';

	query($database, "SET client_min_messages = error;\n\\o /dev/null\n" . make_table($table, '1, 1') . register($table, 'add_remove') . qq{
		DO \$do\$BEGIN FOR i IN 1..50 LOOP
			PERFORM * FROM dp_gmm_fit('$table', 2, 1, $DELTA, iterations => 2, model => 'same_gmm_' || i);
			PERFORM * FROM dp_kmeans_fit('$table', 2, 1, $DELTA, iterations => 2, algorithm => 'joint', model => 'same_kmeans_' || i);
		END LOOP; END\$do\$});
	my @columns = query($database, q{
		SELECT c.table_name, c.column_name, (SELECT string_agg(quote_ident(k.column_name), ', ') FROM information_schema.columns k
			WHERE k.table_schema = 'dpem' AND k.table_name = c.table_name AND k.column_name IN ('component', 'column_name', 'other_column'))
		FROM information_schema.columns c WHERE c.table_schema = 'dpem' AND c.table_name ~ '^(gmm|kmeans)_(components|clusters|means|covariances|centers)$'
			AND c.data_type = 'double precision' ORDER BY 1, 2});
	my @constant;

	foreach my $line (@columns)
	{
		my ($view, $column, $keys) = split /\|/, $line;
		my $worst = value($database, "SELECT min(n) FROM (SELECT count(DISTINCT $column) AS n FROM dpem.$view WHERE model ~ '^same_' GROUP BY $keys) AS s");

		push @constant, "$view.$column" if $worst < 50;
	}
	return (scalar(@columns), @constant);
}

sub audit_variety
{
	my ($database, $absent) = @_;
	# 1 on the diagonal; noise levels that follow from the plan alone
	my $public = qr/^(gmm_covariances\.correlation|(kmeans_clusters|gmm_components|kmeans_centers)\.noise_stddev)$/;
	my ($n, @constant) = constant_columns($database);
	my @fixed = grep { $_ !~ $public } @constant;

	if ($absent)
	{
		check(scalar(grep { /\.(weight|mean|center)$/ } @constant) >= 3, '50 fits without noise are found out');
		return;
	}
	check($n >= 8 && !@fixed, "50 fits of the same rows: every number of $n columns varies" . (@fixed ? ", but @fixed" : ''));
	return;
}

# ---- what else an analyst can see -----------------------------------------------------------

my %neighbours = (
	corner => '1, 1', opposite => '-1, -1', null => 'NULL, 1', nan => "'NaN', 1", infinity => "1, '-Infinity'", huge => '1e308, -1e308');

# Everything that psql prints for a session of fits and refusals, numbers of models left out.
sub session_of_analyst
{
	my ($database) = @_;

	return join "\n", read_output(start_script($database, q{
		SET ROLE audit_analyst;
		\set VERBOSITY verbose
		\set ON_ERROR_STOP 0
		SET client_min_messages = debug1;
		SET dpem.progress = on; SET dpem.noise_warnings = off;
		SELECT count(*) FROM dp_gmm_fit('people', 2, 1, 0.001, model => 'first');
		SELECT count(*) FROM dp_gmm_fit('people', 3, 0.5, 0.001, mechanism => 'llg', iterations => 2, model => 'second');
		SELECT count(*) FROM dp_kmeans_fit('people', 3, 0.5, 0.001, algorithm => 'joint', model => 'third');
		SELECT count(*) FROM dp_gmm_fit('people', 2, 900, 0.001);
		SELECT count(*) FROM dp_gmm_fit('people', 0, 1, 0.001);
		SELECT count(*) FROM dp_gmm_fit('people', 1, 'Infinity');
		SELECT statistic, noise_stddev, remaining_epsilon, allowed FROM dp_gmm_plan('people', 2, 1, 0.001);
		SELECT dp_budget_remaining('people');
		SELECT charge, line, statistic, mechanism, noise_multiplier, releases, mu_squared FROM dpem.ledger ORDER BY 1, 2;
		SELECT model, family, k, iterations FROM dpem.models ORDER BY 1;
		RESET ROLE;
		SELECT pg_stat_force_next_flush();
	}, '-A'));
}

sub counters_of
{
	my ($database) = @_;

	return join "\n", read_output(start_script($database, q{
		SET ROLE audit_analyst;
		SELECT seq_scan, seq_tup_read, idx_scan, idx_tup_fetch, n_tup_ins, n_tup_upd, n_tup_del, n_live_tup, n_dead_tup,
			n_mod_since_analyze, vacuum_count, analyze_count FROM pg_stat_all_tables WHERE relname = 'people';
		SELECT heap_blks_read, idx_blks_read, idx_blks_hit, toast_blks_read FROM pg_statio_all_tables WHERE relname = 'people';
		SELECT relpages, reltuples FROM pg_class WHERE relname = 'people';
		SELECT pg_relation_size('people') AS bytes;
		SELECT count(*) AS statistics FROM pg_stats WHERE tablename = 'people';
	}, '-A'));
}

sub audit_metadata
{
	my (%session, %counters);

	query('postgres', 'CREATE ROLE audit_analyst');
	foreach my $name (sort keys %neighbours)
	{
		make_database("people_$name");
		query("people_$name", make_table('people', $neighbours{$name}) . register('people', 'replace_one')
			. "SELECT dp_grant_budget('audit_analyst', 'people', 10, 0.01); REVOKE ALL ON people FROM PUBLIC; SELECT pg_stat_force_next_flush();");
		$session{$name} = session_of_analyst("people_$name");
		$counters{$name} = counters_of("people_$name");
	}
	my $first = $session{corner};
	check($first =~ /ERROR:  DP001/ && $first =~ /ERROR:  22023/ && $first =~ /ERROR:  42501/ && $first =~ /pass 1 of/, 'a session shows answers, refusals and progress');
	foreach my $name (grep { $_ ne 'corner' } sort keys %neighbours)
	{
		check($session{$name} eq $first, "neighbour '$name': the same messages, SQLSTATEs, plans and ledger")
			|| show_difference($first, $session{$name});
		check($counters{$name} eq $counters{corner}, "neighbour '$name': the same statistics views")
			|| show_difference($counters{corner}, $counters{$name});
	}
	return;
}

sub show_difference
{
	my @lines = map { [ split /\n/ ] } @_;

	foreach my $i (0 .. max(map { $#$_ } @lines))
	{
		my ($a, $b) = map { $_->[$i] // '' } @lines;
		print "        $a\n        $b\n" if $a ne $b;
	}
	return;
}

# ---- main -------------------------------------------------------------------------------------

query('postgres', 'CREATE EXTENSION dpem');
make_database('honest');
audit_metadata();
audit_variety('honest', 0);
audit_law('honest', 0);
audit_bounds('honest', 0);
let_in('absent_noise');
audit_variety('absent_noise', 1);
let_in('halved_noise');
audit_law('halved_noise', 1);
audit_bounds('halved_noise', 1);
printf "\n%d passed, %d failed\n", $checks - $failures, $failures;
exit($failures > 0);
