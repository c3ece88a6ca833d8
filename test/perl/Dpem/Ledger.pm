# Long ledgers for tests and benchmarks, without the calls that make them.
package Dpem::Ledger;

use strict;
use warnings;

use Exporter qw(import);

our @EXPORT = qw(repeat_last_call);

# SQL, for a superuser, that repeats the last call of a dataset so many times: its lines, and what
# they make of every running total that its account has, as the charge worker would have left them.
sub repeat_last_call
{
	my ($dataset, $times) = @_;

	return qq{
	DO \$do\$
	DECLARE
		columns text := (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute WHERE attrelid = 'dpem_internal.charge'::regclass
			AND attnum > 0 AND NOT attisdropped AND attname NOT IN ('charge', 'charged_at'));
		last bigint := (SELECT max(charge) FROM dpem_internal.charge WHERE dataset = '$dataset');
		ledger bigint := (SELECT account FROM dpem_internal.charge WHERE charge = last LIMIT 1);
	BEGIN
		EXECUTE format('INSERT INTO dpem_internal.charge (charge, charged_at, %1\$s)
			SELECT n.number, l.charged_at + n.i / (1.0 + $times) * (clock_timestamp() - l.charged_at), %1\$s
			FROM (SELECT i, nextval(''dpem_internal.charge_id_seq'') AS number FROM generate_series(1, $times) AS i OFFSET 0) AS n,
				(SELECT * FROM dpem_internal.charge WHERE charge = %2\$s) AS l', columns, last);
		INSERT INTO dpem_internal.running_total
		SELECT ledger, s.role, s.since, l.charge, l.total
		FROM (SELECT DISTINCT role, since FROM dpem_internal.running_total WHERE account = ledger) AS s, LATERAL (
			SELECT c.charge, c.line, dpem_internal.sum_lines(c.line, c.mu2_units, c.rho_units, c.rdp_units, c.epsilon, c.delta, c.failure)
				OVER (ORDER BY c.charge) AS total
			FROM dpem_internal.charge AS c WHERE c.account = ledger AND (s.role = 0 OR c.role = s.role) AND c.charged_at >= s.since) AS l
		WHERE l.line = 1 AND l.charge > last;
	END\$do\$;
	VACUUM ANALYZE dpem_internal.charge;
	VACUUM ANALYZE dpem_internal.running_total;
	};
}

1;
