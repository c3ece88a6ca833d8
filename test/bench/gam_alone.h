/*
 * gam_alone.h - for bench_gam.c: the mean, or the shares of classes, alone, as gam_mean.c and gam_shares.c have them.
 */
#ifndef GAM_ALONE_H
#define GAM_ALONE_H

#include "core/columns/class_shares.h"
#include "gam_fit.h"

/* one cell of all rows is what gradients see from here on */
static void
see_one(Fit *fit)
{
	memcpy(fit->column, fit->data->column, sizeof fit->column);
	for (int c = 0; c < fit->data->shape.columns; c++)
		fit->column[c].joined = c == 0;
	fit->joined = fit->data->shape;
	fit->joined.column = fit->column;
	fit->joined.joined = zeros((size_t) dpem_gam_main_cells(&fit->data->shape));
	fit->rows.shape = dpem_gam_seen_shape(&fit->joined, fit->seen_column);
}

static void
run_mean(Fit *fit)
{
	DpemMarginGrid grid = fit->rows.shape.margins;
	size_t		length = dpem_gam_locate_work(&grid);
	double	   *work = zeros(length);
	bool		again = !dpem_target_is_nowhere(&grid, fit->margins_sd * fit->sd[0] / hypot(fit->margins_sd, fit->sd[0]), fit->rows.window.rows);
	DpemNoisyMoments m;
	DpemTargetMean mean;
	DpemTargetSums sums = {0};

	if (again)
	{
		m = release_with(fit, 2, fit->sd[0]);
		dpem_target_add_release(dpem_margin_bins(&grid), m.value, m.count_sd, fit->margins, &fit->margins_sd);
		free(m.value);
	}
	mean = dpem_gam_find_mean(fit->margins, fit->margins_sd, fit->sd[1] / sqrt(fit->passes - 1), &grid, fit->replace ? fit->data->part[0].rows : 0, DPEM_VALUES_TAIL, (DpemWorkspace) {work, work + length});
	see_one(fit);
	fit->rows.shape.middle = mean.middle;
	fit->rows.shape.reach = mean.reach;
	for (int pass = again ? 2 : 1; pass <= fit->passes; pass++)
	{
		m = release_with(fit, 1, pass > 1 ? fit->sd[1] : fit->sd[0] * sqrt(dpem_residual_sensitivity2(fit->replace) / dpem_document_sensitivity2(fit->replace)));
		dpem_target_add_sum(&sums, fit->rows.shape.middle, fit->rows.shape.reach * m.value[0], fit->rows.shape.reach * m.count_sd);
		fit->intercept = dpem_target_mean_of(&mean, &sums, &fit->intercept_noise);
		if (mean.rows_sd > 0)
		{
			fit->rows.shape.middle = fit->intercept;
			fit->rows.shape.reach = fmin(mean.reach + fabs(fit->intercept - mean.middle), 2);
		}
		free(m.value);
	}
	free(work);
}

static double
share_of_two(Fit *fit)
{
	double		rows = fit->rows.public ? fit->rows.rows : fmax(fit->rows.counted, fit->rows.counted_sd);
	DpemTargetMean mean = {.reach = 1,.rows = rows,.rows_sd = fit->rows.public ? 0 : fit->rows.counted_sd};
	DpemTargetSums sums = {0};

	for (int pass = 0; pass < fit->passes - 1; pass++)
	{
		double		middle = mean.rows_sd == 0 ? 2 * fit->rows.share[1] - 1 : pass % 2 > 0 ? 1 - 0x1p-30 : 0x1p-30 - 1;
		DpemNoisyMoments m;

		*fit->coefficient = log((1 + middle) / (1 - middle));
		m = release(fit, 1);
		dpem_target_add_sum(&sums, middle, 2 * *m.value, 2 * m.count_sd);
		free(m.value);
	}
	return (1 + dpem_target_mean_of(&mean, &sums, &fit->intercept_noise)) / 2;
}

/* of the passes that are left, of which each takes all rows to be of another class */
static void
shares_of_several(Fit *fit, double *share)
{
	DpemClassShares shares = {
		.classes = fit->scores,.rows = fit->rows.public ? fit->rows.rows : fmax(fit->rows.counted, fit->rows.counted_sd),
			.rows_sd = fit->rows.public ? 0 : fit->rows.counted_sd,.count = share,.precision = zeros((size_t) fit->scores)
	};

	for (int pass = 0; pass < fit->passes - 1; pass++)
	{
		int			certain = pass % fit->scores;
		DpemNoisyMoments m;

		memset(fit->coefficient, 0, (size_t) fit->scores * fit->rows.n * sizeof(double));
		fit->coefficient[(size_t) certain * fit->rows.n] = dpem_class_shares_certain;
		m = release(fit, 1);
		for (int t = 0; t < fit->scores; t++)
			m.value[t] *= M_SQRT2;
		dpem_class_shares_take(m.value, M_SQRT2 * m.count_sd, certain, &shares);
		free(m.value);
	}
	dpem_class_shares_find(&shares, share, shares.precision);
	free(shares.precision);
}

/* after counts: scores, of two classes the log-odds; to be freed */
static double *
run_shares(Fit *fit)
{
	double	   *score = zeros((size_t) fit->scores);

	see_one(fit);
	if (fit->scores == 1)
	{
		double		share = share_of_two(fit);

		*score = log(share / (1 - share));
		return score;
	}
	shares_of_several(fit, score);
	for (int t = 0; t < fit->scores; t++)
		score[t] = log(score[t]);
	fit->intercept = score[0];
	return score;
}

#endif							/* GAM_ALONE_H */
