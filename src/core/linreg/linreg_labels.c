/*
 * linreg_labels.c - what is known of labels with many categories, in place of what noise says of them.
 *
 * The covariance of a label's categories is diag(q) - q q' for parts q of the rows, whatever the rows are: it has as many
 * unknown numbers as there are categories, which the means tell, and not their square.  So the noise of most of the matrix,
 * in which the other predictors would drown, is none.  Of a predictor x and a category the covariance is q_j times the distance of
 * x's mean in the category from that in all rows: distances have a prior of a variance that the predictor's whole row tells.
 */
#include <math.h>
#include <string.h>

#include "core/linreg/linreg_axes.h"
#include "core/linreg/linreg_rules.h"
#include "core/numeric/deconvolution.h"
#include "core/numeric/linalg.h"
#include "core/numeric/spectrum.h"

#define LEAST_CLIPPED	0.3		/* of a label's variance: less than this noise says, and not clipped rows */
#define SURE			2.0		/* deviations */
#define LEAST_PART		0.01	/* of the rows in a category, of what all have on average */
#define STEPS			50

static int
end_of_label(const DpemLinregMoments *m, int first)
{
	int			end = first + 1;

	while (end < m->p && m->label[first] >= 0 && m->label[end] == m->label[first])
		end++;
	return end;
}

int
dpem_linreg_find_wide(const DpemLinregMoments *m, bool *wide)
{
	int			count = 0;

	for (int j = 0, end = 0; j < m->p; j = end)
	{
		bool		is_wide = false;

		end = m->label ? end_of_label(m, j) : j + 1;
		is_wide = m->middle && end - j >= dpem_linreg_wide_label && m->second_sd > 0;
		for (int i = j; i < end; i++)
			wide[i] = is_wide;
		count += is_wide ? end - j : 0;
	}
	return count;
}

/*
 * Parts of the rows in a label's categories, over units, of which most are small if there are many: q (p).  Of all rows, as far as can be
 * seen.
 */
static DpemStatus
find_parts(const DpemLinregMoments *m, int first, int end, double *q, DpemWorkspace work)
{
	size_t		n = end - first;
	double	   *seen = dpem_workspace_take(&work, n);
	double	   *size = dpem_workspace_take(&work, n);
	DpemDeconvolution law;
	double		sum = 0;
	double		variance = 0;

	for (int j = first; j < end; j++)
	{
		size[j - first] = 1 / m->unit[j];
		seen[j - first] = m->middle[j] / m->unit[j] + m->mean[j];
		variance += dpem_linreg_square(m->unit[j] * m->mean_sd);
	}
	dpem_deconvolution_grid(&law, DPEM_DECONVOLUTION_POINTS, LEAST_PART / n, 1);
	if (dpem_deconvolve(&law, n, seen, size, m->mean_sd, STEPS, q + first, work.next) != DPEM_OK)
		return DPEM_BAD_ARGUMENT;
	for (int j = first; j < end; j++)
		sum += q[j];
	for (int j = first; j < end; j++)
		q[j] *= (sum > 1 - SURE * sqrt(variance) ? 1 / sum : 1) / m->unit[j];
	return DPEM_OK;
}

/* the block of a label in s; what clipping leaves of its variance the released diagonal tells */
static void
set_block(const DpemLinregMoments *m, int first, int end, const double *q, double *s)
{
	double		known = 0;
	double		released = 0;
	double		kept;

	for (int j = first; j < end; j++)
	{
		known += q[j] / m->unit[j] - q[j] * q[j];
		released += s[(size_t) j * m->p + j];
	}
	kept = known > 0 ? fmin(fmax(released / known, LEAST_CLIPPED), 1) : 1;
	for (int i = first; i < end; i++)
		for (int j = first; j < end; j++)
			s[(size_t) i * m->p + j] = kept * ((i == j ? q[i] / m->unit[i] : 0) - q[i] * q[j]);
}

/*
 * Entries of row i between first and end, which are scale q_j, scale 1 for a number, times distances of a variance that they
 * tell.  Returns the mean part of their noise that stays.
 */
static double
shrink_entries(const DpemLinregMoments *m, int i, double scale, int first, int end, const double *q, double *s)
{
	double		noise = m->second_sd * m->second_sd / 2;
	double		above = 0;
	double		weight = 0;
	double		stays = 0;

	for (int j = first; j < end; j++)
	{
		double		square = dpem_linreg_square(scale * q[j]);

		above += square * (dpem_linreg_square(s[(size_t) i * m->p + j]) - noise);
		weight += square * square;
	}
	for (int j = first; j < end; j++)
	{
		double		signal = above > 0 ? dpem_linreg_square(scale * q[j]) * above / weight : 0;
		double		kept = signal / (signal + noise);

		s[(size_t) i * m->p + j] *= kept;
		s[(size_t) j * m->p + i] = s[(size_t) i * m->p + j];
		stays += kept * kept;
	}
	return stays / (end - first);
}

/* block (n x n): the entries of s of the predictors at these places */
static void
take_block(int p, const double *s, int n, const int *at, double *block)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			block[(size_t) i * n + j] = s[(size_t) at[i] * p + at[j]];
}

/* back to s, from eigenvalues and eigenvectors in rows */
static void
put_block(int p, double *s, int n, const int *at, const double *value, const double *vectors)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
		{
			double		sum = 0;

			for (int k = 0; k < n; k++)
				sum += value[k] * vectors[(size_t) k * n + i] * vectors[(size_t) k * n + j];
			s[(size_t) at[i] * p + at[j]] = sum;
		}
}

/* noise of the block of the predictors that are not wide, taken off its eigenvalues */
static DpemStatus
clean_rest(const DpemLinregMoments *m, const bool *wide, double *s, DpemWorkspace work)
{
	size_t		p = (size_t) m->p;
	int		   *at = (int *) dpem_workspace_take(&work, p);
	double	   *block = dpem_workspace_take(&work, p * p);
	double	   *value = dpem_workspace_take(&work, p);
	int			n = 0;

	for (int j = 0; j < m->p; j++)
		if (!wide[j])
			at[n++] = j;
	if (n == 0)
		return DPEM_OK;
	take_block(m->p, s, n, at, block);
	if (dpem_linalg_eigen(n, block, value, work.next) != DPEM_OK)
		return DPEM_LAPACK_FAILED;
	dpem_linreg_reverse(n, value, block, work.next);
	dpem_linreg_clean(n, m->second_sd, value, work.next);
	put_block(m->p, s, n, at, value, block);
	return DPEM_OK;
}

/* parts of the rows in all wide labels' categories, over units: q (p) */
static DpemStatus
find_all_parts(const DpemLinregMoments *m, const bool *wide, double *q, DpemWorkspace work)
{
	for (int j = 0, end; j < m->p; j = end)
	{
		end = end_of_label(m, j);
		if (wide[j] && find_parts(m, j, end, q, work) != DPEM_OK)
			return DPEM_BAD_ARGUMENT;
	}
	return DPEM_OK;
}

DpemStatus
dpem_linreg_know_labels(const DpemLinregMoments *m, const bool *wide, double *s, double *stays, DpemWorkspace work)
{
	double	   *q = dpem_workspace_take(&work, m->p);
	double		sum = 0;
	int			pairs = 0;
	DpemStatus	status = clean_rest(m, wide, s, work);

	if (status == DPEM_OK)
		status = find_all_parts(m, wide, q, work);
	for (int j = 0, end; j < m->p && status == DPEM_OK; j = end)
	{
		end = end_of_label(m, j);
		if (!wide[j])
			continue;
		set_block(m, j, end, q, s);
		/* of two wide labels the first one's turn is enough */
		for (int i = 0; i < m->p; i++)
		{
			if ((i >= j && i < end) || (wide[i] && i < j))
				continue;
			sum += shrink_entries(m, i, wide[i] ? q[i] : 1, j, end, q, s);
			pairs++;
		}
	}
	*stays = pairs > 0 ? sum / pairs : 0;
	return status;
}
