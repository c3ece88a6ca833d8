# Naive Bayes: without noise the probabilities that an independent program found, serial and parallel; with it
# classes' shares with the noise that their models tell of.
use strict;
use warnings;

use Dpem::Test;
use Test::More;

my $tolerance = 1e-8;
my $node = start_server('bayes');
my %settings = scan_settings();
my ($golden) = golden_values('bayes*.json');
my $columns = join ',', map { "x$_" } 1 .. @{ $golden->{columns} };

load_csv($node, 'blobs', $golden->{data});
$node->safe_psql('postgres', q{ALTER TABLE blobs ADD kind text; UPDATE blobs SET kind = CASE label WHEN 1 THEN 'one' ELSE 'other' END; ANALYZE blobs});
register_table($node, 'blobs', 'blobs', [ map { [ "x$_", $golden->{lower}, $golden->{upper} ] } 1 .. @{ $golden->{columns} } ], epsilon => 1000, delta => 1e-2);
$node->safe_psql('postgres', q{SELECT dp_register_column('blobs', 'kind', '{other,one}'::text[]), dp_grant_budget(current_user::regrole, 'blobs', 900, 1e-2)});

foreach my $mode (qw(serial parallel))
{
	my $fit = query_json($node, "$settings{$mode} SELECT json_agg(f) FROM dp_bayes_fit('blobs', 'kind', 'Infinity', columns => '{$columns}') f");

	foreach my $class (0, 1)
	{
		my @rows = grep { $_->{class} eq ('other', 'one')[$class] } @$fit;

		cmp_ok(difference([ map { $_->{probability} } @rows ], $golden->{probability}[$class]), '<', $tolerance, "$mode, class $class: probabilities");
		cmp_ok(abs($rows[0]{weight} - $golden->{weight}[$class]), '<', $tolerance, "$mode, class $class: its share");
	}
}

# With so little noise that it does not matter: the same probabilities of classes, as far as the pseudo-count goes.
$node->safe_psql('postgres', "SELECT count(*) FROM dp_bayes_fit('blobs', 'kind', 200, columns => '{$columns}', model => 'nearly')");
my $near = query_json($node, "SELECT json_agg((dp_posterior('nearly', ARRAY[$columns]))[2] ORDER BY n) FROM (SELECT row_number() OVER () AS n, * FROM (SELECT * FROM blobs LIMIT $golden->{points}) s) r");
my $wrong = grep { ($near->[$_] > 0.5) != ($golden->{posterior}[$_][1] > 0.5) } 0 .. $#$near;
cmp_ok($wrong, '<=', 2, "$wrong of $golden->{points} points in another class than without noise");

# Variance of 400 shares beside the stated one: six standard deviations of such a variance, sqrt(2/400), a false alarm
# in fewer than a million runs.  The epsilon is that at which noise is a fortieth of the share.
$node->safe_psql('postgres', q{DO $$ BEGIN FOR i IN 1 .. 400 LOOP PERFORM dp_bayes_fit('blobs', 'kind', 0.5, columns => '{x1}', model => 'share' || i); END LOOP; END $$});
my $ratio = $node->safe_psql('postgres', q{SELECT var_samp(weight) / avg(noise_stddev ^ 2) FROM dpem.bayes_classes WHERE model ~ '^share' AND category = 'one'});

cmp_ok($ratio, '>', 1 - 6 * sqrt(2 / 400), "noise in shares: variance $ratio of what is stated");
cmp_ok($ratio, '<', 1 + 6 * sqrt(2 / 400), "noise in shares: variance $ratio of what is stated");

$node->stop;
done_testing();
