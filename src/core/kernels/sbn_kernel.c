/*
 * sbn_kernel.c - see sbn_kernel.h.
 *
 * Each row's sums run over columns and units in ascending order, rows are the
 * inner loop (as in projection.c).
 */
#include <math.h>
#include <string.h>

#include "core/kernels/kernel.h"
#include "core/kernels/sbn_kernel.h"
#include "core/numeric/fpenv.h"

#define GROUP	DPEM_BLOCK_GROUP
#define GRADIENT_BITS	20		/* of a row's gradient: squares of its integers add up exactly in a double */

#define FOR_ROWS for (int row = 0; row < rows; row++)

size_t
dpem_sbn_theta_length(int units, int d)
{
	return (size_t) units + (size_t) units * (size_t) d;
}

bool
dpem_sbn_valid(const DpemMomentLayout *layout, const double *theta)
{
	return layout->second == DPEM_SECOND_COMPONENTS && theta[0] > 0;
}

static DpemSbn
network_of(const DpemMomentLayout *layout, const double *theta)
{
	return (DpemSbn) {layout->d, layout->k - 1, theta + 1, theta + layout->k};
}

size_t
dpem_sbn_scratch(int units, int d)
{
	DpemSbn		sbn = {.d = d,.hidden = units - 1};

	return dpem_sbn_rows_work(&sbn);
}

/* what is added up of a group of rows */
typedef struct GroupSums
{
	const DpemSbn *sbn;
	const DpemSbnRows *state;
	bool		exact;			/* integers */
	double		factor[GROUP];	/* that a row's gradient is multiplied by; 0: the null row */
} GroupSums;

/*
 * The gradient's entry for unit k and column j, times the rows' factors: on_k
 * (v_j - 1/2 - omega_j E[s_j]) - omega_j w_jk on_k (1 - on_k), the last but for the
 * constant unit, as E[s_j h_k] = on_k (E[s_j] + w_jk (1 - on_k)).
 */
static inline void
gradient_entry(const GroupSums *g, int k, int j, double out[GROUP])
{
	const DpemSbnRows *state = g->state;
	const double *half = state->half + (size_t) j * GROUP;
	const double *score = state->score + (size_t) j * GROUP;
	const double *omega = state->omega + (size_t) j * GROUP;
	const double *on = state->on + (size_t) k * GROUP;
	double		w = k > 0 ? g->sbn->weight[(size_t) k * g->sbn->d + j] : 0;
	int			rows = state->rows;

	/* the null row's numbers may be none, which nothing times is 0 */
	FOR_ROWS
	{
		double		slope = on[row] * (half[row] - omega[row] * (score[row] + w * (1 - on[row])));

		out[row] = g->factor[row] != 0 ? g->factor[row] * slope : 0;
	}
}

/* as above, rounded if integers are wanted */
static inline void
rounded_entry(const GroupSums *g, int k, int j, double out[GROUP])
{
	int			rows = g->state->rows;

	gradient_entry(g, k, j, out);
	if (g->exact)
		FOR_ROWS
			out[row] = rint(out[row]);
}

static void
squared_norms(const GroupSums *g, bool rounded, double norm2[GROUP])
{
	int			rows = g->state->rows;

	memset(norm2, 0, GROUP * sizeof(double));
	for (int k = 0; k <= g->sbn->hidden; k++)
		for (int j = 0; j < g->sbn->d; j++)
		{
			double		x[GROUP];

			if (rounded)
				rounded_entry(g, k, j, x);
			else
				gradient_entry(g, k, j, x);
			FOR_ROWS
				norm2[row] += x[row] * x[row];
		}
}

/*
 * The factor that divides each row's gradient by B and clips it to the ball of
 * radius 2^GRADIENT_BITS minus what rounding may add.  Sums of squares that are
 * integers below 2^53 are exact, so what is rounded is in the ball for certain.
 */
static void
choose_factors(GroupSums *g, double clip, const double *keep)
{
	double		n = (double) (g->sbn->hidden + 1) * g->sbn->d;
	double		unit = g->exact ? ldexp(1, GRADIENT_BITS) : 1;
	double		limit = (g->exact ? fmax(unit - sqrt(n) / 2, 0) : 1) * (1 - (n + 16) * 0x1p-51);
	double		norm2[GROUP];
	int			rows = g->state->rows;

	FOR_ROWS
		g->factor[row] = 1;
	squared_norms(g, false, norm2);
	FOR_ROWS
	{
		double		norm = sqrt(norm2[row]) / clip;

		g->factor[row] = keep[row] != 0 && norm < INFINITY ? fmin(unit, limit / norm) / clip : 0;
	}
	squared_norms(g, true, norm2);
	FOR_ROWS
		if (!(norm2[row] <= unit * unit * (g->exact ? 1 : 1 + 1e-12)))
			g->factor[row] = 0;
}

static double
sum_of(const double *x, int rows)
{
	double		sum = 0;

	FOR_ROWS
		sum += x[row];
	return sum;
}

static void
add_gradients(const GroupSums *g, double unit, size_t record, double *sums)
{
	for (int k = 0; k <= g->sbn->hidden; k++)
		for (int j = 0; j < g->sbn->d; j++)
		{
			double		x[GROUP];

			rounded_entry(g, k, j, x);
			sums[(size_t) k * record + 1 + j] += unit * sum_of(x, g->state->rows);
		}
}

/* E[h~ h~'] / units; in integers scaled down by two of them, which is more than rounding adds */
static void
add_products(const GroupSums *g, double unit, size_t record, double *sums)
{
	int			units = g->sbn->hidden + 1;
	int			rows = g->state->rows;
	double		scale = g->exact ? unit / units - 2 : 1.0 / units;

	for (int k = 0; k < units; k++)
		for (int l = 0; l <= k; l++)
		{
			const double *a = g->state->on + (size_t) k * GROUP;
			const double *b = g->state->on + (size_t) l * GROUP;
			double		x[GROUP];
			double		sum;

			FOR_ROWS
			{
				x[row] = scale * (k == l ? a[row] : a[row] * b[row]);
				x[row] = g->factor[row] == 0 ? 0 : g->exact ? rint(x[row]) : x[row];
			}
			sum = sum_of(x, rows);
			sums[(size_t) k * record + 1 + g->sbn->d + l] += sum;
			if (l < k)
				sums[(size_t) l * record + 1 + g->sbn->d + k] += sum;
		}
}

static void
read_values(const DpemBlock *block, int first, DpemSbnRows *state)
{
	int			rows = state->rows;

	for (int j = 0; j < block->d; j++)
	{
		const double *x = block->x + (size_t) j * DPEM_BLOCK_STRIDE + first;

		FOR_ROWS
			state->half[(size_t) j * GROUP + row] = x[row] >= 0 ? 0.5 : -0.5;
	}
}

void
dpem_sbn_accumulate(const DpemMomentLayout *layout, const double *theta, const DpemBlock *block,
					int feature_bits, int responsibility_bits, double *sums, double *scratch)
{
	DpemSbn		sbn = network_of(layout, theta);
	size_t		record = dpem_moments_record(layout);
	bool		exact = feature_bits > 0;
	int			sum_bits = responsibility_bits + feature_bits;
	DpemFpenv	fpenv;

	dpem_fpenv_enter(&fpenv);
	memset(sums, 0, dpem_moments_length(layout) * sizeof(double));
	for (int first = 0; first < block->rows; first += GROUP)
	{
		DpemSbnRows state;
		GroupSums	g = {.sbn = &sbn,.state = &state,.exact = exact};

		dpem_sbn_rows_init(&sbn, GROUP, scratch, &state);
		read_values(block, first, &state);
		dpem_sbn_infer(&sbn, DPEM_SBN_SWEEPS, &state);
		choose_factors(&g, theta[0], block->keep + first);
		add_gradients(&g, exact ? ldexp(1, sum_bits - GRADIENT_BITS) : 1, record, sums);
		add_products(&g, ldexp(1, sum_bits + feature_bits), record, sums);
	}
	dpem_fpenv_leave(&fpenv);
}

/* ---- the kernel of a pass -------------------------------------------------- */

static size_t
sbn_theta_length(const DpemMomentLayout *layout)
{
	return dpem_sbn_theta_length(layout->k, layout->d);
}

static size_t
sbn_scratch_length(const DpemMomentLayout *layout)
{
	return dpem_sbn_scratch(layout->k, layout->d);
}

const DpemKernel dpem_kernel_sbn = {
	.name = "sbn",.code = 11,.contribution = DPEM_GRADIENT,.max_components = 1 + DPEM_SBN_MAX_HIDDEN,
	.theta_length = sbn_theta_length,.theta_valid = dpem_sbn_valid,.scratch_length = sbn_scratch_length,
	.accumulate = dpem_sbn_accumulate
};
