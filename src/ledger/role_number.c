/*
 * role_number.c - the catalog's numbers of roles.
 */
#include "postgres.h"

#include "catalog/pg_type.h"

#include "ledger/charge.h"
#include "ledger/charge_errand.h"
#include "ledger/role_number.h"
#include "server/as_owner.h"

/* 0: there is none */
static int64
find_number(Oid role)
{
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(role)};

	return dpem_spi_query("SELECT id FROM dpem_internal.role_number WHERE role = $1", 1, types, values, NULL,
						  false, SPI_OK_SELECT) == 0 ? 0 : dpem_spi_int64(0, 1);
}

int64
dpem_role_number_make(Oid role)
{
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(role)};
	DpemIdentity saved;
	int64		number;

	dpem_owner_enter(&saved);
	number = find_number(role);
	if (number == 0)
	{
		dpem_spi_query("INSERT INTO dpem_internal.role_number (role) VALUES ($1::regrole)"
					   " ON CONFLICT (role) DO UPDATE SET role = EXCLUDED.role RETURNING id",
					   1, types, values, NULL, false, SPI_OK_INSERT_RETURNING);
		number = dpem_spi_int64(0, 1);
	}
	dpem_owner_leave(&saved);
	return number;
}

/* a request of no lines charges nothing */
static int64
send_for_number(Oid role)
{
	DpemChargeRequest request = {.role = role};
	DpemChargeMessage answer;

	dpem_charge_require_session("dp_register_dataset", true);
	dpem_errand_run(&request, &answer);
	if (pg_atomic_read_u32(&answer.state) != DPEM_CHARGE_COMMITTED)
		dpem_charge_raise_refusal(&answer);
	return answer.role_number;
}

int64
dpem_role_number(Oid role)
{
	DpemIdentity saved;
	int64		number;

	dpem_owner_enter(&saved);
	number = find_number(role);
	dpem_owner_leave(&saved);
	return number != 0 ? number : send_for_number(role);
}
