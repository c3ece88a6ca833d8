/*
 * sbn_infer.c - mean-field inference in a sigmoid belief network, row by row;
 * see sbn_kernel.h.
 *
 * Each row's sums run over columns and units in ascending order, rows are the
 * inner loop (as in projection.c).
 */
#include <math.h>

#include "core/kernels/sbn_kernel.h"
#include "core/numeric/polya_gamma.h"
#include "core/numeric/workspace.h"

#define GROUP	DPEM_BLOCK_GROUP

#define FOR_ROWS for (int row = 0; row < rows; row++)

static DpemSbnRows
take_rows(const DpemSbn *sbn, int rows, DpemWorkspace *work)
{
	size_t		d = (size_t) sbn->d * GROUP;

	return (DpemSbnRows) {
		.rows = rows,.half = dpem_workspace_take(work, d),.score = dpem_workspace_take(work, d),
			.omega = dpem_workspace_take(work, d),.on = dpem_workspace_take(work, ((size_t) sbn->hidden + 1) * GROUP)
	};
}

size_t
dpem_sbn_rows_work(const DpemSbn *sbn)
{
	DpemWorkspace dry = {NULL, NULL};

	take_rows(sbn, GROUP, &dry);
	return dpem_workspace_taken(&dry);
}

void
dpem_sbn_rows_init(const DpemSbn *sbn, int rows, double *doubles, DpemSbnRows *state)
{
	DpemWorkspace work = {doubles, doubles + dpem_sbn_rows_work(sbn)};

	*state = take_rows(sbn, rows, &work);
}

/* score = sum_k w_k E[unit k], omega at c^2 = score^2 + sum_k w_k^2 on_k (1 - on_k) */
static void
update_scores(const DpemSbn *sbn, DpemSbnRows *state)
{
	int			rows = state->rows;
	int			d = sbn->d;

	for (int j = 0; j < d; j++)
	{
		double	   *score = state->score + (size_t) j * GROUP;
		double	   *omega = state->omega + (size_t) j * GROUP;

		FOR_ROWS
		{
			score[row] = sbn->weight[j];
			omega[row] = 0;
		}
		for (int k = 1; k <= sbn->hidden; k++)
		{
			const double *on = state->on + (size_t) k * GROUP;
			double		w = sbn->weight[(size_t) k * d + j];

			FOR_ROWS
			{
				score[row] += w * on[row];
				omega[row] += w * w * (on[row] * (1 - on[row]));
			}
		}
		FOR_ROWS
			omega[row] = dpem_polya_gamma_share(omega[row] + score[row] * score[row]) / 4;
	}
}

/*
 * Unit k at its best given the others: logit on_k = b_k + sum_j w_jk (v_j - 1/2
 * - omega_j (E[s_j] - w_jk on_k + w_jk / 2)).
 */
static void
update_unit(const DpemSbn *sbn, int k, DpemSbnRows *state)
{
	int			rows = state->rows;
	const double *weight = sbn->weight + (size_t) k * sbn->d;
	double	   *on = state->on + (size_t) k * GROUP;
	double		field[GROUP];

	FOR_ROWS
		field[row] = sbn->bias[k - 1];
	for (int j = 0; j < sbn->d; j++)
	{
		const double *half = state->half + (size_t) j * GROUP;
		const double *score = state->score + (size_t) j * GROUP;
		const double *omega = state->omega + (size_t) j * GROUP;
		double		w = weight[j];

		FOR_ROWS
			field[row] += w * (half[row] - omega[row] * (score[row] + w * (0.5 - on[row])));
	}
	FOR_ROWS
	{
		double		next = 1 / (1 + exp(-field[row]));

		field[row] = next - on[row];
		on[row] = next;
	}
	for (int j = 0; j < sbn->d; j++)
	{
		double	   *score = state->score + (size_t) j * GROUP;

		FOR_ROWS
			score[row] += weight[j] * field[row];
	}
}

void
dpem_sbn_infer(const DpemSbn *sbn, int sweeps, DpemSbnRows *state)
{
	int			rows = state->rows;

	for (int k = 0; k <= sbn->hidden; k++)
		FOR_ROWS
			state->on[(size_t) k * GROUP + row] = k > 0 ? 1 / (1 + exp(-sbn->bias[k - 1])) : 1;
	update_scores(sbn, state);
	for (int i = 0; i < sweeps; i++)
	{
		for (int k = 1; k <= sbn->hidden; k++)
			update_unit(sbn, k, state);
		update_scores(sbn, state);
	}
}

/* ln(1 + e^x) */
static double
log1p_exp(double x)
{
	return fmax(x, 0) + log1p(exp(-fabs(x)));
}

static double
entropy(double p)
{
	return (p > 0 ? -p * log(p) : 0) + (p < 1 ? -(1 - p) * log1p(-p) : 0);
}

double
dpem_sbn_bound(const DpemSbn *sbn, const DpemSbnRows *state, int row)
{
	double		sum = 0;

	for (int k = 1; k <= sbn->hidden; k++)
	{
		double		on = state->on[(size_t) k * GROUP + row];

		sum += on * sbn->bias[k - 1] - log1p_exp(sbn->bias[k - 1]) + entropy(on);
	}
	for (int j = 0; j < sbn->d; j++)
	{
		double		score = state->score[(size_t) j * GROUP + row];
		double		square = score * score;
		double		c;

		for (int k = 1; k <= sbn->hidden; k++)
		{
			double		on = state->on[(size_t) k * GROUP + row];
			double		w = sbn->weight[(size_t) k * sbn->d + j];

			square += w * w * on * (1 - on);
		}
		c = sqrt(square);
		sum += state->half[(size_t) j * GROUP + row] * score - c / 2 - log1p(exp(-c));
	}
	return sum;
}
