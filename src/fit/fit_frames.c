/*
 * fit_frames.c - frames and whitened axes of the groups' rows, and atoms of their columns; see fit_margins.h.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "core/density/atom_rest.h"
#include "core/density/gmm_atoms.h"
#include "core/gmm/gmm_rules.h"
#include "core/gmm/gmm_whiten.h"
#include "fit/fit_margins.h"
#include "server/fit_memory.h"

/* the feature map of a frame */
static void
set_frame(DpemFitRun *run, int group, const DpemGmmFrame *frame)
{
	size_t		d = (size_t) frame->d;
	double	   *center = dpem_fit_allocate(d);
	double	   *scale = dpem_fit_allocate(d);

	for (size_t j = 0; j < d; j++)
	{
		center[j] = frame->center[j];
		scale[j] = 1 / frame->scale[j];
	}
	dpem_fit_set_frame(run, group, center, scale, frame->radius);
	pfree(scale);
}

DpemGmmFrame *
dpem_fit_begin_frames(DpemFitRun *run)
{
	int			d = run->plan->d;
	DpemGmmFrame *frame = palloc0(run->plan->groups * sizeof(DpemGmmFrame));

	for (int g = 0; g < run->plan->groups; g++)
	{
		frame[g] = (DpemGmmFrame) {
			.d = d,.center = dpem_fit_allocate(d),.scale = dpem_fit_allocate(d),
				.spread2 = dpem_fit_allocate(d),.spread2_sd = dpem_fit_allocate(d)
		};
		dpem_gmm_frame_begin(&frame[g], run->part[g].radius);
	}
	return frame;
}

DpemMargins *
dpem_fit_locate_frames(DpemFitRun *run, const DpemFitStage *stage, const DpemMarginGrid *grid, double radius,
					   DpemGmmFrame *frame)
{
	DpemMargins *margins = dpem_fit_release_margins(run, stage, grid);
	const DpemColumnValues *values = dpem_fit_density_values(grid->columns);

	for (int g = 0; g < run->plan->groups; g++)
	{
		margins[g].values = values;
		dpem_fit_density_spread(run, g, &margins[g], true, frame[g].center, frame[g].scale);
		dpem_gmm_frame_located(&frame[g], radius);
		set_frame(run, g, &frame[g]);
	}
	return margins;
}

void
dpem_fit_zoom_frames(DpemFitRun *run, int line, const DpemReleaseSpec *spec, DpemSecondMoment second,
					 DpemGmmFrame *frame)
{
	MemoryContext fit = MemoryContextSwitchTo(run->per_pass);
	DpemNoisyMoments *m;

	dpem_fit_report(run, "center", 0);
	m = dpem_fit_release_total(run, line, spec, second, run->part[0].whitening ? 1 : DPEM_FIT_ANYWHERE, NULL);
	for (int g = 0; g < run->plan->groups; g++)
		dpem_gmm_frame_zoom(&m[g], run->plan->public_rows, &frame[g], dpem_fit_allocate(frame[g].d));
	MemoryContextSwitchTo(fit);
	MemoryContextReset(run->per_pass);
	for (int g = 0; g < run->plan->groups; g++)
		set_frame(run, g, &frame[g]);
}

/* matrices that are kept, before the pass that fills them */
static double **
create_matrices(int groups, size_t length)
{
	double	  **matrix = palloc(groups * sizeof(double *));

	for (int g = 0; g < groups; g++)
		matrix[g] = dpem_fit_allocate(length);
	return matrix;
}

static DpemGmmSeen *
create_seen(int groups, size_t d)
{
	DpemGmmSeen *seen = palloc(groups * sizeof(DpemGmmSeen));

	for (int g = 0; g < groups; g++)
		seen[g] = (DpemGmmSeen) {dpem_fit_allocate(d * d), dpem_fit_allocate(d * d), dpem_fit_allocate(d)};
	return seen;
}

int
dpem_fit_whiten_looks(const DpemFitPlan *plan, DpemSecondMoment shape)
{
	return plan->noisy && shape != DPEM_SECOND_NORM && !plan->request->bind.marginal ? DPEM_GMM_WHITEN_LOOKS : 1;
}

typedef struct Looks
{
	int			n;
	int			done;
	bool	   *again;			/* of each group: whether later looks are at the axes that those before have found */
	double	  **mean;			/* else the mean of all looks at rows in the frame, which is as good as one with all their budget */
	double	  **whitening;
	DpemFitAxes axes;
} Looks;

/* may the looks after the first be at its axes? */
static bool
sees_axes(const DpemNoisyMoments *m, double rows, int looks)
{
	DpemGmmPrediction p = {
		.k = 1,.d = m->layout.d,.rows = rows,.shape = m->layout.second,.sum_sd = m->sum_sd / sqrt(looks),.second_sd = m->second_sd / sqrt(looks)
	};

	return looks > 1 && dpem_gmm_whitens_again(&p);
}

/* the axes of group g, from the release of rows in its frame */
static void
find_axes(Looks *looks, int g, const DpemNoisyMoments *m, double public_rows, DpemGmmFrame *frame, DpemWorkspace work)
{
	DpemFitAxes *axes = &looks->axes;

	dpem_fit_require_ok(dpem_gmm_whitening(m, public_rows, frame, looks->whitening[g], axes->inverse[g], work));
	dpem_gmm_whitened_moments(m, public_rows, frame, looks->whitening[g], &axes->seen[g], work);
}

/* what a release of group g says of its axes; returns whether later passes are to see rows in them */
static bool
look_at_group(Looks *looks, int g, DpemNoisyMoments *m, double public_rows, DpemGmmFrame *frame, DpemWorkspace work)
{
	DpemFitAxes *axes = &looks->axes;

	if (looks->again[g])
	{
		axes->rows[g] = dpem_known_rows(m->value[0], m->count_sd, public_rows);
		dpem_fit_require_ok(dpem_gmm_whiten_again(m, public_rows, frame, &axes->seen[g], looks->whitening[g], axes->inverse[g], work));
		return true;
	}
	dpem_noisy_moments_average(looks->mean[g], looks->done, m);
	axes->rows[g] = dpem_known_rows(m->value[0], m->count_sd, public_rows);
	looks->again[g] = looks->done == 1 && sees_axes(m, axes->rows[g], looks->n);
	if (!looks->again[g] && looks->done < looks->n)
		return false;
	find_axes(looks, g, m, public_rows, frame, work);
	return true;
}

DpemFitAxes
dpem_fit_whiten_frames(DpemFitRun *run, int line, const DpemReleaseSpec *spec, DpemSecondMoment shape, DpemGmmFrame *frame)
{
	int			groups = run->plan->groups;
	size_t		d = (size_t) run->plan->d;
	DpemMomentLayout layout = {1, run->plan->d, shape};
	Looks		looks = {
		.n = dpem_fit_whiten_looks(run->plan, shape),.again = palloc0(groups * sizeof(bool)),
		.mean = create_matrices(groups, dpem_moments_record(&layout)),.whitening = create_matrices(groups, d * d),
		.axes = {create_matrices(groups, d * d), create_seen(groups, d), palloc(groups * sizeof(double))}
	};

	for (looks.done = 1; looks.done <= looks.n; looks.done++)
	{
		MemoryContext fit = MemoryContextSwitchTo(run->per_pass);
		DpemWorkspace work = dpem_fit_workspace(dpem_gmm_whitening_work(run->plan->d));
		bool	   *seen = palloc(groups * sizeof(bool));
		DpemNoisyMoments *m;

		if (looks.done == 1)
			dpem_fit_report(run, "second moment", 0);
		m = dpem_fit_release_total(run, line, spec, shape, 1, NULL);
		for (int g = 0; g < groups; g++)
			seen[g] = look_at_group(&looks, g, &m[g], run->plan->public_rows, &frame[g], work);
		MemoryContextSwitchTo(fit);
		for (int g = 0; g < groups; g++)
		{
			if (!seen[g])
				continue;
			set_frame(run, g, &frame[g]);
			run->part[g].whitening = looks.whitening[g];
		}
		MemoryContextReset(run->per_pass);
	}
	return looks.axes;
}

/* ---- atoms ------------------------------------------------------------------------ */

DpemColumnAtom *
dpem_fit_column_atoms(const DpemFitRun *run, const DpemMargins *margins)
{
	DpemColumnAtom *atom = palloc(margins->grid.columns * sizeof(DpemColumnAtom));
	DpemWorkspace work = dpem_fit_workspace(dpem_column_atoms_work(&margins->grid));

	dpem_column_atoms(margins, run->pass.map.lower, run->pass.map.upper, atom, work);
	pfree(work.next);
	return atom;
}

/* factors of deviations of rows that are not at atoms */
static void
find_scales(const DpemMargins *margins, const DpemColumnAtom *atom, const DpemFeatureMap *map, const DpemGmm *gmm, const double *share,
			double *scale)
{
	DpemWorkspace work = dpem_fit_workspace(dpem_gmm_rest_scale_work(&margins->grid, gmm->k));

	for (int j = 0; j < gmm->d; j++)
	{
		DpemAtomLaw law = dpem_atom_law(atom[j].lower, atom[j].upper, map->lower[j], map->upper[j]);

		CHECK_FOR_INTERRUPTS();
		scale[j] = dpem_gmm_rest_scale(margins, gmm, j, &law, map->lower[j], map->upper[j], share, work);
	}
	pfree(work.next);
}

void
dpem_fit_store_atoms(const DpemFitRun *run, const DpemMargins *margins, const DpemColumnAtom *atom, const DpemGmm *gmm, const void **stored)
{
	const DpemFeatureMap *map = &run->pass.map;
	double	   *share = dpem_fit_allocate((size_t) gmm->k * gmm->d);
	double	   *lower = dpem_fit_allocate(gmm->d);
	double	   *upper = dpem_fit_allocate(gmm->d);
	double	   *scale = dpem_fit_allocate(gmm->d);

	for (int j = 0; j < gmm->d; j++)
	{
		lower[j] = atom ? atom[j].lower : 0;
		upper[j] = atom ? atom[j].upper : 0;
		scale[j] = 1;
	}
	if (atom != NULL)
	{
		dpem_fit_require_ok(dpem_gmm_atom_shares(gmm, atom, map->lower, map->upper, share,
												 dpem_fit_workspace(dpem_gmm_atom_shares_work(gmm->k, gmm->d))));
		find_scales(margins, atom, map, gmm, share, scale);
	}
	stored[0] = share;
	stored[1] = lower;
	stored[2] = upper;
	stored[3] = scale;
}
