# Neighbouring tables side by side: everything that an analyst gets to see of a
# fit, in output, messages, plans, views and statistics, is the same for both,
# but for the numbers that carry noise; and whatever does not vary over fits
# of one table is the same for a table of altogether other rows.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_people('neighbours', conf => "autovacuum = off\n");

create_people($node);

# rows replaced, without a unit
sub has_all_fits { my ($name) = @_; return $name =~ /^nr(?:_|$)/ }

# A dataset of 99 ordinary rows and one more, or, for NULL, none.
sub neighbour
{
	my ($name, $adjacency, $unit, $row) = @_;
	my $person = $unit ? ", unit => 'person', max_rows_per_unit => 2" : '';
	# classes, where every family is fitted
	my $class = has_all_fits($name) ? ", c text GENERATED ALWAYS AS (CASE WHEN d > 0 THEN 'up' ELSE 'down' END) STORED" : '';
	my $label = $class ? ", dp_register_column('$name', 'c', '{up,down}'::text[])" : '';
	my $insert = defined $row ? "INSERT INTO $name SELECT 1000, $row" : 'SELECT';

	$node->safe_psql('postgres', qq{
		SET ROLE own;
		CREATE TABLE $name (person int, d float8, n numeric, a float8[]$class);
		INSERT INTO $name SELECT i, sin(i), sin(2 * i), ARRAY[cos(i), sin(3 * i)] FROM generate_series(1, 99) i;
		$insert;
		SELECT dp_register_dataset('$name', '$name', 100, 1e-2, adjacency => '$adjacency'$person),
			dp_register_column('$name', 'd', -1, 1), dp_register_column('$name', 'n', -1, 1),
			dp_register_column('$name', 'a', -1, 1, 2)$label, dp_grant_budget('ana', '$name', 50, 1e-3)});
	return;
}

# ---- the analyst's whole visible surface -------------------------------------

my @fits = (
	q{dp_gmm_fit('%s', 2, 1, 1e-6, model => '%s1')},
	q{dp_gmm_fit('%s', 2, 0.5, 1e-6, iterations => 2, precondition => 'none', mechanism => 'llg', columns => '{d}', model => '%s2')},
	q{dp_kmeans_fit('%s', 2, 1, 1e-6, model => '%s3')},
	q{dp_fa_fit('%s', 2, 1, 1e-6, iterations => 3, model => '%s4')},
	q{dp_pca_fit('%s', 2, 1, 1e-6, model => '%s5')},
	q{dp_bayes_fit('%s', 'c', 1, 1e-6, columns => '{d,n}', model => '%s7')});

# every family for rows replaced, the mixture and k-means where the rest of the code is the same
sub fits_of
{
	my ($name) = @_;

	return has_all_fits($name) ? @fits : @fits[0 .. 2];
}

sub surface
{
	my ($name) = @_;
	my @script = (
		'\set VERBOSITY verbose', '\set QUIET off', 'SET client_min_messages = debug1;', 'SET dpem.progress = on;',
		# those are made of released numbers, which differ
		'SET dpem.noise_warnings = off;',
		'SET trace_sort = on;');

	foreach my $fit (map { sprintf($_, $name, $name) } fits_of($name))
	{
		# columns and types, command tag, shape and range of the values, and the plan
		push @script, "SELECT * FROM $fit \\gdesc",
		  "CREATE TABLE kept AS SELECT * FROM $fit;", '\echo tag :ROW_COUNT :SQLSTATE',
		  # the noise in a center is known if a released number moved it
		  q{SELECT j.key, CASE WHEN j.key = 'mean_noise_stddev' THEN 'array or null' ELSE jsonb_typeof(j.value) END, count(*) FROM kept k, jsonb_each(to_jsonb(k)) AS j GROUP BY 1, 2 ORDER BY 1, 2;},
		  'DROP TABLE kept;',
		  # the same again: the model's name is taken
		  "SELECT * FROM $fit;", '\echo again :SQLSTATE',
		  "SELECT * FROM " . ($fit =~ s/\d'\)$/6')/r =~ s/, (?:0\.5|1), 1e-6/, 60, 1e-3/r) . ';', '\echo too much :SQLSTATE',
		  'EXPLAIN (ANALYZE, VERBOSE, SETTINGS, TIMING OFF, SUMMARY OFF) SELECT count(*) FROM ' . ($fit =~ s/, model => '[^']*'//r) . ';',
		  'SELECT * FROM ' . ($fit =~ s/_fit\(/_plan(/r) . ';';
	}
	# the views' own sorts are of the whole ledger
	push @script, 'RESET trace_sort;',
	  "SELECT line, function, statistic, mechanism, noise_multiplier, releases, sampling_rate, adjacency, unit, rows_per_unit,"
	  . " composition, epsilon, delta, mu_squared, rho FROM dpem.ledger WHERE dataset = '$name' ORDER BY charge, line;",
	  "SELECT model, family, dataset, components, dimensions, columns, covariance, estimator, mechanism, composition, precondition,"
	  . " iterations, epsilon, delta FROM dpem.models WHERE dataset = '$name' AND model ~ '^$name\\d' ORDER BY model;",
	  "SELECT role, epsilon, delta, spent_epsilon, remaining_epsilon, charges FROM dpem.budgets WHERE dataset = '$name';",
	  "SELECT dp_budget_remaining('$name');",
	  map { my $view = $_; map { "SELECT count(*) FROM dpem.$view WHERE model = '$name$_';" } 1 .. 5 }
	  qw(gmm_components gmm_means gmm_covariances kmeans_clusters kmeans_centers fa_loadings fa_noise pca_components pca_directions pca_means);
	my $result = run_as($node, 'ana', join "\n", @script);
	my $all = "$result->{out}\n$result->{err}";

	# names and numbers of charges and toast tables are no rows, and time is not compared
	$all =~ s/$name/DATASET/g;
	$all =~ s/DATASET_(gmm|kmeans|fa|pca)_\d+/DATASET_$1_N/g;
	$all =~ s/pg_toast_\d+/pg_toast_N/g;
	$all =~ s/: CPU: .*//g;
	# when the session's cache of the catalog is full depends on whether there are statistics, as ANALYZE has told everybody
	$all =~ s/^.*rehashing catalog cache.*\nLOCATION:  RehashCatCache.*\n//mg;
	return $all;
}

# names of one length: messages quote as much of a statement as fits
sub table_name
{
	my ($kind, $which) = @_;

	return "n${kind}_$which" . 'x' x (8 - length($which));
}

# The same lines, and if not, which.
sub same_ok
{
	my ($got, $expected, $name) = @_;
	my @got = split /\n/, $got;
	my @expected = split /\n/, $expected;
	my @different = grep { ($got[$_] // '') ne ($expected[$_] // '') } 0 .. ($#got > $#expected ? $#got : $#expected);

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	ok(@different == 0, $name)
	  or diag(map { ($got[$_] // '') . "\n    but ordinarily\n" . ($expected[$_] // '') . "\n" } @different[0 .. ($#different < 4 ? $#different : 4)]);
	return;
}

my %row = (
	ordinary => '0.5, 0.5, ARRAY[0.5, 0.5]',
	null => 'NULL, NULL, NULL',
	infinite => q{'Infinity', 'NaN', '{NaN,-Infinity}'},
	huge => q{1e308, 1e-300, '{5e-324,-1e308}'},
	digits => q{1, repeat('123456789', 10000)::numeric, '{1,1}'},
	wrong => q{1, 1, (SELECT array_agg(random()) FROM generate_series(1, 20000))},
	zeros => q{1, 1, array_fill(0::float8, '{1000000}')},
	deep => q{1, 1, '{{1,2},{3,4}}'});
my %expected;

foreach my $adjacency (qw(replace_one add_remove))
{
	foreach my $unit (0, 1)
	{
		my $kind = ($adjacency eq 'replace_one' ? 'r' : 'a') . ($unit ? 'u' : '');

		foreach my $which ('ordinary', grep { $_ ne 'ordinary' } sort keys %row)
		{
			my $name = table_name($kind, $which);

			# a few will do where the others were compared
			next if $kind ne 'r' && $which !~ /^(?:ordinary|null|zeros)$/;
			neighbour($name, $adjacency, $unit, $row{$which});
			my $surface = surface($name);

			$expected{$kind} //= $surface;
			same_ok($surface, $expected{$kind}, "neighbours, $adjacency" . ($unit ? ' with a unit' : '') . ": a row of $which");
		}
	}
	next if $adjacency eq 'replace_one';
	my ($gone, $eager) = (table_name('a', 'gone'), table_name('au', 'eager'));

	neighbour($gone, 'add_remove', 0, undef);
	$node->safe_psql('postgres', "ANALYZE $gone");
	same_ok(surface($gone), $expected{a}, 'neighbours, add_remove: a row that is not there, and statistics');
	neighbour($eager, 'add_remove', 1, q{sin(i), cos(i), ARRAY[sin(i), cos(i)] FROM generate_series(1, 5000) i});
	$node->safe_psql('postgres', "ANALYZE $eager");
	same_ok(surface($eager), $expected{au}, 'neighbours, add_remove: one person in thousands of rows');
}
foreach my $kind (sort keys %expected)
{
	like($expected{$kind}, qr/tag 2 00000\n.*again 42710\n.*too much DP001\n/s, "$kind: fits, a name that is taken, a refusal");
	like($expected{$kind}, qr/INFO:  00000: dp_gmm_fit: mixture, pass 2/, "$kind: progress");
	my @made = fits_of("n$kind");

	is(() = $expected{$kind} =~ /ERROR:/g, 2 * @made, "$kind: no other error") or diag($expected{$kind});
}

# ---- fields that carry no noise ----------------------------------------------

# What is the same, known or not, in six fits of one table must be the same for a table of
# other rows, and under add_remove of another number of rows.
my $fields = q{
	CREATE TEMP VIEW field AS
	SELECT model, 'components' AS view, format('%s', component) AS at, n, v FROM dpem.gmm_components,
		LATERAL (VALUES ('weight', weight), ('noise_stddev', noise_stddev)) u (n, v)
	UNION ALL SELECT model, 'means', format('%s %s', component, column_name), n, v FROM dpem.gmm_means,
		LATERAL (VALUES ('mean', mean), ('stddev', stddev), ('noise_stddev', noise_stddev)) u (n, v)
	UNION ALL SELECT model, 'covariances', format('%s %s %s', component, column_name, other_column), n, v FROM dpem.gmm_covariances,
		LATERAL (VALUES ('covariance', covariance), ('correlation', correlation), ('noise_stddev', noise_stddev)) u (n, v)
	UNION ALL SELECT model, 'clusters', format('%s', component), n, v FROM dpem.kmeans_clusters,
		LATERAL (VALUES ('weight', weight), ('noise_stddev', noise_stddev)) u (n, v)
	UNION ALL SELECT model, 'centers', format('%s %s', component, column_name), n, v FROM dpem.kmeans_centers,
		LATERAL (VALUES ('center', center), ('noise_stddev', noise_stddev)) u (n, v)
	UNION ALL SELECT model, 'likelihood', '', 'log_likelihood', log_likelihood FROM dpem.fa_models
	UNION ALL SELECT model, 'loadings', format('%s %s', factor, column_name), n, v FROM dpem.fa_loadings,
		LATERAL (VALUES ('loading', loading), ('noise_stddev', noise_stddev)) u (n, v)
	UNION ALL SELECT model, 'noise', column_name, n, v FROM dpem.fa_noise,
		LATERAL (VALUES ('mean', mean), ('mean_noise_stddev', mean_noise_stddev), ('variance', noise_variance), ('noise_stddev', noise_stddev)) u (n, v)
	UNION ALL SELECT model, 'principal components', format('%s', component), n, v FROM dpem.pca_components,
		LATERAL (VALUES ('variance', variance), ('noise_stddev', noise_stddev), ('ratio', explained_ratio), ('total', total_variance),
			('total_noise_stddev', total_noise_stddev), ('alignment', alignment)) u (n, v)
	UNION ALL SELECT model, 'directions', format('%s %s', component, column_name), n, v FROM dpem.pca_directions,
		LATERAL (VALUES ('direction', direction), ('noise_stddev', noise_stddev), ('loading', loading)) u (n, v)
	UNION ALL SELECT model, 'principal means', column_name, n, v FROM dpem.pca_means,
		LATERAL (VALUES ('mean', mean), ('noise_stddev', noise_stddev), ('unit', unit)) u (n, v);
	};

sub constants
{
	my ($name, $number, $function, $arguments) = @_;
	my $k = $function eq 'dp_fa_fit' ? 1 : 2;
	my $fits = join ' ', map { "SELECT count(*) FROM $function('$name', $k, 1, 1e-6, model => '${name}_$_', $arguments);" } 1 .. $number;
	my $result = run_as($node, 'ana', qq{$fits $fields
		\\echo constants
		SELECT view, at, n, min(v) FROM field WHERE model LIKE '${name}\\_%' GROUP BY 1, 2, 3
		HAVING count(DISTINCT coalesce(v::text, 'unknown')) = 1 ORDER BY 1, 2, 3;
		\\echo varying
		SELECT count(*) FROM (SELECT FROM field WHERE model LIKE '${name}\\_%' GROUP BY view, at, n HAVING count(DISTINCT v) > 1) s;
		SELECT dp_drop_model('${name}_' || i) FROM generate_series(1, $number) i});
	my ($constant, $varying) = $result->{out} =~ /constants\n(.*)varying\n(\d+)/s;

	is($result->{err}, '', "$name, $function, $arguments: fits");
	return ($constant, $varying // 0);
}

foreach my $adjacency (qw(replace_one add_remove))
{
	my ($one, $two) = map { "${_}_$adjacency" } qw(sums ones);
	my $size = $adjacency eq 'replace_one' ? 300 : 5000;

	$node->safe_psql('postgres', qq{
		SET ROLE own;
		CREATE TABLE $one AS SELECT sin(i)::float8 AS x, cos(2 * i)::float8 AS y FROM generate_series(1, 300) i;
		CREATE TABLE $two AS SELECT 0.9::float8 AS x, CASE WHEN i % 2 = 0 THEN 'NaN' ELSE -0.5 END::float8 AS y FROM generate_series(1, $size) i;
		ANALYZE $one, $two;
		SELECT dp_register_dataset(name, name, 100, 1e-2, adjacency => '$adjacency'), dp_register_column(name, 'x', -1, 1),
			dp_register_column(name, 'y', -1, 1), dp_grant_budget('ana', name, 90, 1e-2) FROM unnest(ARRAY['$one', '$two']) name});
	foreach my $call (
		[ 'dp_gmm_fit', 'iterations => 2' ],
		[ 'dp_gmm_fit', q{iterations => 2, precondition => 'none', covariance => 'diagonal', estimator => 'mle'} ],
		[ 'dp_gmm_fit', q{iterations => 2, precondition => 'none', mechanism => 'ggg'} ],
		[ 'dp_kmeans_fit', 'iterations => 2' ],
		[ 'dp_kmeans_fit', q{algorithm => 'joint', iterations => 2} ],
		[ 'dp_fa_fit', 'iterations => 3' ],
		[ 'dp_pca_fit', q{precondition => 'none'} ],
		[ 'dp_pca_fit', q{precondition => 'radius'} ],
		[ 'dp_pca_fit', q{precondition => 'margins'} ],
		[ 'dp_pca_fit', q{algorithm => 'power', iterations => 2} ],
		[ 'dp_pca_fit', q{algorithm => 'exponential'} ])
	{
		my ($constant, $varying) = constants($one, 6, @$call);
		my ($other) = constants($two, 3, @$call);

		# what happens to be constant by being clamped in one of them says nothing
		my %other = map { $_ => 1 } split /\n/, $other;
		my %at = map { s/\|[^|]*$//r => 1 } keys %other;
		my @leaks = grep { !$other{$_} && $at{ s/\|[^|]*$//r } } split /\n/, $constant;

		is("@leaks", '', "columns of the result that are neither noise nor public, $adjacency, @$call");
		cmp_ok($varying, '>=', 6, "... $varying fields vary");
	}
}

# ---- sources whose number of rows depends on values --------------------------

# One of 1,000 rows leaves a view by its values.  At this rate a sample of a fixed size would be one document there and none
# here, in each of 100 passes; what is claimed of a call is epsilon 0.5.  A call is taken for what it was made over by the
# weight of a term that only documents have.  Whoever tells two such laws apart is right in at most e^0.5 / (1 + e^0.5) = 0.622
# of calls over either, up to delta: in 42 of 44 with a probability below 4e-7.
$node->safe_psql('postgres', q{
	SET ROLE own;
	CREATE TABLE consent_here (words int[], consent bool);
	INSERT INTO consent_here SELECT '{1}', true FROM generate_series(1, 1000);
	CREATE TABLE consent_there AS SELECT words, row_number() OVER () > 1 AS consent FROM consent_here;
	CREATE VIEW seen_here AS SELECT words FROM consent_here WHERE consent;
	CREATE VIEW seen_there AS SELECT words FROM consent_there WHERE consent;
	SELECT dp_register_dataset(name, name, 100, 1e-2, accountant => 'rdp'), dp_register_text(name, 'words', '{a,b}'),
		dp_grant_budget('ana', name, 50, 1e-3) FROM unnest('{seen_here,seen_there}'::text[]) AS name});
my $samples = run_as($node, 'ana', q{
	CREATE TEMP TABLE calls AS SELECT name, (SELECT model FROM dp_lda_fit(name, 1, 0.5, 1e-6, iterations => 100, sampling_rate => 0.001 + 0 * i,
		document_length => 1, clip_fraction => 1, estimator => 'truncation', tau0 => 0, kappa => 1, resample => false)) AS model
	FROM unnest('{seen_here,seen_there}'::text[]) AS name, generate_series(1, 22) AS i;
	SELECT count(*), count(*) FILTER (WHERE (weight > 0.57) = (name = 'seen_here')) FROM calls JOIN dpem.lda_topics USING (model) WHERE term = 'a'});
my ($calls, $right) = split /\|/, $samples->{out};

is($calls, 44, 'samples of a view') or diag($samples->{err});
cmp_ok($right, '<', 42, "samples of a view that a row leaves: $right of $calls calls were told apart");

$node->stop;
done_testing();
