/*
 * fuzz_linalg.c - linear algebra on matrices of anything: a status, and where
 * it is DPEM_OK on finite matrices of moderate size, an answer that is one.
 */
#include "fuzz.h"

#include "core/gmm/affine.h"
#include "core/numeric/linalg.h"

#define MODERATE 1e6

static double
largest(const double *a, size_t n)
{
	double		most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(a[i]));
	return most;
}

/* a = v' diag(value) v */
static void
check_eigen(int n, const double *a, const double *vectors, const double *value)
{
	double	   *out = fuzz_allocate((size_t) n * n);
	double	   *scratch = fuzz_allocate((size_t) n * n);

	dpem_linalg_rebuild(n, vectors, value, out, scratch);
	for (int i = 0; i < n * n; i++)
		REQUIRE(fabs(out[i] - a[i]) <= 1e-9 * (1 + largest(a, (size_t) n * n)));
	for (int i = 1; i < n; i++)
		REQUIRE(value[i - 1] <= value[i]);
	free(out);
	free(scratch);
}

static void
run(int n, const double *a, bool moderate)
{
	size_t		size = (size_t) n * n;
	double	   *copy = fuzz_allocate(size);
	double	   *out = fuzz_allocate(size);
	double	   *value = fuzz_allocate(n);
	double	   *work = fuzz_allocate(dpem_linalg_eigen_work(n));
	double		log_det = 0;

	memcpy(copy, a, size * sizeof(double));
	if (dpem_linalg_eigen(n, copy, value, work) == DPEM_OK && moderate)
		check_eigen(n, a, copy, value);
	if (dpem_linalg_cholesky(n, a, out) == DPEM_OK && moderate)
		REQUIRE(fuzz_all_finite(out, size));
	if (dpem_linalg_inverse_cholesky(n, a, out, &log_det, copy) == DPEM_OK && moderate)
		REQUIRE(!isnan(log_det));
	memcpy(copy, a, size * sizeof(double));
	(void) dpem_linalg_solve(n, copy, value, work);
	free(copy);
	free(out);
	free(value);
	free(work);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	in = fuzz_input(data, size);
	int			n = 1 + fuzz_below(&in, fuzz_one_in(&in, 10) ? 40 : 6);
	bool		moderate = fuzz_one_in(&in, 2);
	double	   *a = fuzz_allocate((size_t) n * n);

	for (int i = 0; i < n; i++)
		for (int j = 0; j <= i; j++)
			a[i * n + j] = a[j * n + i] = moderate ? fuzz_number(&in, MODERATE) : fuzz_double(&in);
	run(n, a, moderate);
	free(a);
	return 0;
}
