# A fit that was paid for is never lost to a name: whoever makes models of the
# names that others will get, committed or not, has them under other names; a
# name that is asked for and taken costs nothing; nobody waits; and a model that
# cannot be stored at all is returned all the same.
use strict;
use warnings;

use FindBin;
use lib $FindBin::RealBin;
use Dpem::People;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_people('model_names', conf => "max_prepared_transactions = 5\nmax_worker_processes = 16\n");

create_people($node);
$node->safe_psql('postgres', q{
	CREATE ROLE bob LOGIN;
	GRANT CREATE ON SCHEMA public TO bob;
	SET ROLE bob;
	CREATE TABLE bobs (x float8);
	INSERT INTO bobs SELECT sin(i) FROM generate_series(1, 50) i;
	SELECT dp_register_dataset('bobs', 'bobs', 1000, 0.1), dp_register_column('bobs', 'x', -1, 1);
	SELECT dp_grant_budget('bob', 'bobs', 1000, 0.1);
	RESET ROLE;
	SET ROLE own;
	CREATE TABLE shops (x float8, y float8, region text, words int[], late boolean);
	INSERT INTO shops SELECT sin(i), cos(i), (ARRAY['north', 'south'])[1 + i % 2], ARRAY[1 + i % 3], i % 5 = 0 FROM generate_series(1, 200) i;
	SELECT dp_register_dataset('shops', 'shops', 1000, 0.1), dp_register_column('shops', 'x', -1, 1), dp_register_column('shops', 'y', -1, 1),
		dp_register_column('shops', 'region', '{north,south}'::text[]), dp_register_column('shops', 'late', '{false,true}'::text[]),
		dp_register_text('shops', 'words', '{1,2,3}');
	SELECT dp_grant_budget('ana', 'shops', 500, 0.01)});

# a name with a slash, before which another has a name of its own
$node->safe_psql('postgres', q{
	SET ROLE own;
	SELECT dp_register_dataset('clinic/people', 'shops', 1000, 0.1), dp_register_column('clinic/people', 'x', -1, 1), dp_grant_budget('ana', 'clinic/people', 500, 0.01);
	SET ROLE bob;
	ALTER TABLE bobs ADD r text DEFAULT 'a';
	SELECT dp_register_column('bobs', 'r', '{a,b}'::text[])});

# A session that waited for another transaction would be stopped, with what it paid for.
sub ana
{
	my ($sql) = @_;

	return run_as($node, 'ana', "SET statement_timeout = '120s'; $sql");
}

# The next charge's number, if nobody else charges.
sub next_charge
{
	return 1 + $node->safe_psql('postgres', 'SELECT coalesce(max(charge), 0) FROM dpem.ledger');
}

sub bobs_fit
{
	my ($model) = @_;

	return "SELECT count(*) FROM dp_gmm_fit('bobs', 1, 0.01, iterations => 1, model => '$model');";
}

my $anas_fit = 'SELECT DISTINCT model FROM ' . fit('people');

{
	ok_as($node, 'bob', "BEGIN; SELECT count(*) FROM dp_gmm_fit('bobs', 1, 0.1, iterations => 1, by => 'r', model => 'clinic'); PREPARE TRANSACTION 'stem'", 'bob has the categories of a name');
	my $result = ana("SELECT DISTINCT model FROM dp_gmm_fit('clinic/people', 1, 0.5, iterations => 1)");

	like($result->{out}, qr/^clinic_people_gmm_\d+$/, 'a slash in the name of a dataset: the paid result has a name') or diag($result->{err});
	$node->safe_psql('postgres', "ROLLBACK PREPARED 'stem'");
}

# ---- names that others will get --------------------------------------------------

# bob's own fits take numbers, too: so many names ahead that three are still to come
{
	my $first = next_charge();
	my $ahead = $first + 5;

	ok_as($node, 'bob', join(' ', map { bobs_fit("people_gmm_$_") } $ahead - 2 .. $ahead + 2), 'bob makes models of names to come');
	my $charge = next_charge();
	is($charge, $ahead, 'names to come are still to come');
	my $result = ana("$anas_fit; $anas_fit");

	is($result->{out}, "people_gmm_${charge}_2\npeople_gmm_" . ($charge + 1) . '_2', "a name to come is somebody's: the paid result has another") or diag($result->{err});
	is(run_as($node, 'ana', q{SELECT string_agg(DISTINCT model, ',') FROM dpem.gmm_components WHERE starts_with(model, 'people')})->{out},
		"people_gmm_${charge}_2,people_gmm_" . ($charge + 1) . '_2', '... and its models are stored');
}
{
	my $number = next_charge() + 2;

	ok_as($node, 'bob', 'BEGIN; ' . bobs_fit("people_gmm_$number") . bobs_fit("people_gmm_${number}_2")
		  . " PREPARE TRANSACTION 'names'", 'bob makes models of names to come, and does not commit');
	my $result = ana($anas_fit);

	is($result->{out}, "people_gmm_${number}_3", "a name to come is in somebody's open transaction: nobody waits") or diag($result->{err});
}
{
	my $number = next_charge() + 1;

	ok_as($node, 'bob', 'BEGIN; ' . bobs_fit("shops_gmm_$number") . " PREPARE TRANSACTION 'stem'", 'bob holds a name that has categories');
	my $result = ana(q{SELECT DISTINCT model FROM dp_gmm_fit('shops', 1, 1, by => 'region') ORDER BY 1});

	is($result->{out}, "shops_gmm_${number}_2/north\nshops_gmm_${number}_2/south", 'the models of all categories have another name') or diag($result->{err});
}

# ---- names that are asked for ------------------------------------------------------

my $named = sub { my ($name, $more) = @_; return 'SELECT DISTINCT model FROM ' . fit('counted', "model => '$name'") . ($more // '') };

ok_as($node, 'bob', bobs_fit('hers'), 'bob makes a model');
ok_as($node, 'bob', 'BEGIN; ' . bobs_fit('held') . bobs_fit('held/north') . " PREPARE TRANSACTION 'held'", 'bob makes models, and does not commit');
refused_ok($node, 'ana', "SET statement_timeout = '60s'; " . $named->('hers'), '42710', 'a name that is taken costs nothing');
my $held = refused_ok($node, 'ana', "SET statement_timeout = '60s'; " . $named->('held'), '42710', "a name in somebody's open transaction costs nothing");
like($held->{err}, qr/ERROR:  42710: model "held" is being made by another transaction\nHINT:  Choose another name\./, '... and is told from one that exists');
refused_ok($node, 'ana', q{SET statement_timeout = '60s'; SELECT count(*) FROM dp_gmm_fit('shops', 1, 1, by => 'region', model => 'held')}, '42710', 'a category of it costs nothing');
refused_ok($node, 'ana', $named->('x' x 257), '22023', 'a name that is too long for an index costs nothing');
ok_as($node, 'ana', $named->('held/east') . '; ' . $named->('x' x 256), 'another name before the same slash, and a long one');
$node->safe_psql('postgres', "ROLLBACK PREPARED 'held'; COMMIT PREPARED 'stem'; COMMIT PREPARED 'names'");
ok_as($node, 'ana', $named->('held'), 'what was rolled back is free');

# An old snapshot does not see what others have stored since.
{
	my $charges = charges($node);
	my $old = run_as($node, 'ana', "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM dpem.models WHERE model = 'later';\n"
		  . '\! psql -XAtq -U bob -d "' . $node->connstr('postgres') . '" -c "' . bobs_fit('later') . "\"\n" . $named->('later'));

	is(sqlstate($old), '42710', 'a name that is taken since an old snapshot is refused') or diag($old->{out}, $old->{err});
	is(charges($node), $charges + 1, '... before anything is spent');
}

# One's own: dropped or rolled back in the same transaction, or again in the same statement.
is(ana('BEGIN; ' . $named->('again') . "; SELECT dp_drop_model('again'); " . $named->('again') . '; SAVEPOINT s; '
		  . $named->('savepoint') . '; ROLLBACK TO s; ' . $named->('savepoint') . '; COMMIT; SELECT count(*) FROM dpem.models WHERE model IN (\'again\', \'savepoint\')')->{out},
	"again\n\nagain\nsavepoint\nsavepoint\n2", 'a name is free again where its model is gone');
refused_ok($node, 'ana', $named->('again'), '42710', 'a name of one\'s own');
refused_ok($node, 'ana', q{BEGIN; SELECT dp_drop_model('savepoint'); ROLLBACK; } . $named->('savepoint'), '42710', 'a drop that was rolled back');

# ---- whatever happens after the payment --------------------------------------------

# The administrator puts a model of that name in the way as soon as the fit is paid.
$node->safe_psql('postgres', q{
	CREATE FUNCTION stand_in() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		INSERT INTO dpem_internal.model (id, name, family, dataset, source, maker, charge, k, d, covariance, estimator, mechanism, composition, precondition,
			iterations, epsilon, delta, columns, lower, upper, by, category, created_at) SELECT nextval('dpem_internal.model_id_seq'), n, m.family, m.dataset, m.source, m.maker, m.charge, m.k, m.d, m.covariance, m.estimator,
			m.mechanism, m.composition, m.precondition, m.iterations, m.epsilon, m.delta, m.columns, m.lower, m.upper, m.by, m.category, m.created_at
			FROM dpem_internal.model m, unnest(ARRAY['wanted', 'restored/north', 'restored/south']) n WHERE m.name = 'hers' AND NEW.line = 1 AND NEW.function = 'dp_gmm_fit';
		RETURN NULL;
	END$$;
	CREATE TRIGGER stand_in AFTER INSERT ON dpem_internal.charge FOR EACH ROW EXECUTE FUNCTION stand_in()});
my $moved = ana('SELECT model, count(*) FROM ' . fit('people', q{model => 'wanted'}) . ' GROUP BY 1');
is($moved->{out}, 'wanted_2|2', 'a conflict after the payment takes another name') or diag($moved->{err});
like($moved->{err}, qr/WARNING:  01000: model "wanted" could not be stored under this name: it is "wanted_2"\n/, '... and says so');
$node->safe_psql('postgres', q{DELETE FROM dpem_internal.model WHERE name IN ('wanted', 'restored/north', 'restored/south')});
is(ana(q{SELECT DISTINCT model FROM dp_gmm_fit('shops', 1, 1, by => 'region', model => 'restored') ORDER BY 1})->{out},
	"restored_2/north\nrestored_2/south", '... so do those of all categories');
$node->safe_psql('postgres', 'DROP TRIGGER stand_in ON dpem_internal.charge');

# Nothing can be stored: the rows are all that is left, and there they are.
my @parameters = qw(gmm_parameter kmeans_parameter fa_factor pca_component logit_parameter linreg_parameter bayes_class gam_parameter gam_cell mixture_parameter
	lda_parameter sbn_parameter synth_model);
$node->safe_psql('postgres', join ' ', map { "ALTER TABLE dpem_internal.$_ ADD CONSTRAINT full_disk CHECK (false) NOT VALID;" } @parameters);
my $models = $node->safe_psql('postgres', 'SELECT count(*) FROM dpem.models');
foreach my $case (
	[ q{dp_gmm_fit('shops', 2, 1)}, 2 ], [ q{dp_gmm_fit('shops', 2, 1, by => 'region')}, 4 ], [ q{dp_kmeans_fit('shops', 2, 1, model => 'lost')}, 2 ],
	[ q{dp_fa_fit('shops', 1, 1)}, 2 ], [ q{dp_pca_fit('shops', 2, 1)}, 2 ], [ q{dp_logit_fit('shops', 'late', 1)}, 5 ], [ q{dp_mixture_fit('shops', 1, 1, columns => '{x}')}, 1 ], [ q{dp_linreg_fit('shops', 'y', 1, columns => '{x}')}, 2 ],
	[ q{dp_bayes_fit('shops', 'late', 1, columns => '{x}')}, 64 ],
	[ q{dp_lda_fit('shops', 2, 1)}, 2 ], [ q{dp_sbn_fit('shops', 2, 1)}, 3 ], [ q{dp_synth_fit('shops', 1, columns => '{x,y}', rounds => 1)}, 3 ])
{
	my ($call, $rows) = @$case;
	my $charges = charges($node);
	my $result = ana("SELECT count(*), count(model) FROM $call");

	is($result->{out}, "$rows|0", "a model that cannot be stored is returned: $call") or diag($result->{err});
	like($result->{err}, qr/WARNING:  01000: the model could not be stored\nDETAIL:  It was paid for: its rows are returned, and nothing else has them\.\nHINT:  Keep the rows; the server log has the reason\./, '... and it is said');
	unlike($result->{err}, qr/full_disk|CONTEXT|ERROR/, '... without more');
	is(charges($node), $charges + 1, '... the charge stands');
}
is($node->safe_psql('postgres', 'SELECT count(*) FROM dpem.models'), $models, 'nothing is left of them');
like(slurp_file($node->logfile), qr/LOG:  dpem: a model was not stored: new row for relation "gmm_parameter" violates check constraint "full_disk"/, 'the server log has the reason');

# Whoever stands in the way of storing stands there for ten seconds.
$node->safe_psql('postgres', join ' ', map { "ALTER TABLE dpem_internal.$_ DROP CONSTRAINT full_disk;" } @parameters);
ok_as($node, $node->safe_psql('postgres', 'SELECT current_user'), q{BEGIN; LOCK TABLE dpem_internal.kmeans_parameter IN EXCLUSIVE MODE; PREPARE TRANSACTION 'lock'}, 'the administrator locks a table');
is(ana(q{SELECT count(*), count(model) FROM dp_kmeans_fit('shops', 2, 1)})->{out}, '2|0', 'a lock on the catalog ends no paid fit');
$node->safe_psql('postgres', q{ROLLBACK PREPARED 'lock'});
is(ana(q{SELECT count(*), count(model) FROM dp_kmeans_fit('shops', 2, 1)})->{out}, '2|2', 'storing goes on as before');

# ---- what was refreshed -----------------------------------------------------------

# It is where the fit has stored it, and the caller is told what a fit tells.
{
	my $refresh = q{SELECT coalesce(dp_refresh_model('again'), 'nowhere')};
	my $old = run_as($node, 'ana', "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM dpem.models WHERE model = 'again';\n"
		  . '\! psql -XAtq -U ana -d "' . $node->connstr('postgres') . "\" -c \"$refresh\"\n$refresh; COMMIT");

	is($old->{out}, "1\nagain\nagain_2", 'a model that was replaced since an old snapshot is refreshed under another name, which is returned') or diag($old->{err});
	like($old->{err}, qr/WARNING:  01000: model "again" could not be stored under this name: it is "again_2"\n/, '... and it is said');
}
{
	my $parts = q{SELECT coalesce(dp_refresh_model('parts/north'), 'nowhere')};

	ok_as($node, 'ana', q{SELECT count(*) FROM dp_gmm_fit('shops', 1, 1, iterations => 1, by => 'region', model => 'parts')});
	$node->safe_psql('postgres', q{ALTER TABLE dpem_internal.model ADD CONSTRAINT taken CHECK (name <> 'parts/north') NOT VALID});
	my $one = ana($parts);
	is($one->{out}, 'parts', 'one category has another name: most have the name that they had') or diag($one->{err});
	like($one->{err}, qr/WARNING:  01000: model "parts\/north" could not be stored under this name: it is "parts_2\/north"\n/, '... and it is said which has not');
	$node->safe_psql('postgres', q{ALTER TABLE dpem_internal.model ADD CONSTRAINT all_taken CHECK (name !~ '^parts/') NOT VALID});
	is(ana($parts)->{out}, 'parts_3', 'all categories have another name, which is returned');
	$node->safe_psql('postgres', q{ALTER TABLE dpem_internal.model DROP CONSTRAINT taken, DROP CONSTRAINT all_taken});
}
{
	$node->safe_psql('postgres', 'ALTER TABLE dpem_internal.gmm_parameter ADD CONSTRAINT full_disk CHECK (false) NOT VALID');
	my $charges = charges($node);
	my $result = ana(q{SELECT coalesce(dp_refresh_model('again'), 'nowhere')});

	is($result->{out}, 'nowhere', 'a model that cannot be stored has no name') or diag($result->{err});
	like($result->{err}, qr/WARNING:  01000: the model could not be stored\n/, '... a fit says so');
	like($result->{err}, qr/WARNING:  01000: model "again" could not be refreshed: these are the rows of the fit that was paid for\nDETAIL:  \{"model":null,"component":1,.*"mean":\[.*\n\{.*"component":2,/, '... and what was paid for is not lost');
	is(charges($node), $charges + 1, '... the charge stands');
	$node->safe_psql('postgres', 'ALTER TABLE dpem_internal.gmm_parameter DROP CONSTRAINT full_disk');
}

$node->stop;
done_testing();
