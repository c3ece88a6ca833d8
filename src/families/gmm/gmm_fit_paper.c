/*
 * gmm_fit_paper.c - see gmm_fit_paper.h.
 */
#include "postgres.h"

#include "core/gmm/gmm_paper.h"
#include "core/gmm/nominal_noise.h"
#include "families/gmm/gmm_fit_paper.h"
#include "server/entropy.h"
#include "server/fit_memory.h"

/*
 * A reader of the rows may add to what they can see anyway whatever noise
 * they like: this is no door through the wall.
 */
static void
add_nominal_noise(const DpemGmmPlan *plan, DpemNoisyMoments *moments)
{
	const DpemGmmPaperPlan *paper = &plan->paper;
	double	   *sd[DPEM_PAPER_STATISTICS] = {&moments->count_sd, &moments->sum_sd, &moments->second_sd};
	double		scale[DPEM_PAPER_STATISTICS];
	DpemSampler *sampler = palloc(sizeof(DpemSampler));
	size_t		d = (size_t) plan->fit.d;
	DpemStatus	status;

	for (int s = 0; s < DPEM_PAPER_STATISTICS; s++)
	{
		scale[s] = paper->noise_multiplier[s] *
			dpem_release_separate_sensitivity(&paper->spec, &moments->layout, s);
		*sd[s] = dpem_noise_deviation(paper->spec.noise[s], &moments->layout, 1, scale[s]);
	}
	dpem_sampler_init(sampler, &dpem_strong_entropy);
	status = dpem_nominal_noise(moments, paper->spec.noise, scale, sampler, dpem_fit_allocate(d * (d + 1)));
	dpem_sampler_wipe(sampler);
	pfree(sampler);
	dpem_entropy_check(status);
}

static DpemNoisyMoments *
release(DpemGmmPaperRun *run, DpemRawMoments *raw)
{
	const DpemGmmPlan *plan = run->plan;
	DpemNoisyMoments *moments;

	if (plan->fit.noisy)
		return dpem_fit_release_separate(run->fit, raw, &plan->paper.spec);
	moments = dpem_release_to_reader(run->fit->reader, raw);
	if (plan->request->fit.nominal)
		add_nominal_noise(plan, moments);
	return moments;
}

DpemStatus
dpem_gmm_paper_iterate(DpemGmmPaperRun *run, DpemGmm *gmm)
{
	const DpemGmmPlan *plan = run->plan;
	DpemMomentLayout layout = {gmm->k, gmm->d, gmm->shape};
	double	   *theta = dpem_fit_allocate(dpem_kernel_gmm.theta_length(&layout));
	DpemGmmRule rule = dpem_gmm_rule(plan);
	DpemNoisyMoments *moments;
	DpemStatus	status = dpem_gmm_theta(gmm, theta, dpem_fit_workspace(dpem_gmm_theta_work(gmm->d)));

	if (status != DPEM_OK)
		return status;
	moments = release(run, dpem_fit_scan(run->fit, &dpem_kernel_gmm, &layout, theta));
	run->released = *moments;
	run->released.value = NULL;
	run->rows = dpem_gmm_paper_rows(moments);
	return dpem_gmm_paper_maximize(moments, &rule, gmm, dpem_fit_workspace(dpem_gmm_paper_work(gmm->d)));
}
