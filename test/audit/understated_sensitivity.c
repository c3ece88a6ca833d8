/*
 * understated_sensitivity.c - sensitivities a tenth too small.
 */
#include "core/accounting/choice.h"
#include "core/accounting/paper_mechanism.h"
#include "core/accounting/sensitivity.h"
#include "saboteur.h"

SABOTEUR;

extern double __real_dpem_joint_sensitivity2(int k, double a, double b, double c, bool replace_one);
extern double __wrap_dpem_joint_sensitivity2(int k, double a, double b, double c, bool replace_one);
extern double __real_dpem_joint_sensitivity1(int k, int d, double a, double b, bool replace_one);
extern double __wrap_dpem_joint_sensitivity1(int k, int d, double a, double b, bool replace_one);
extern double __real_dpem_paper_sensitivity(DpemPaperStatistic statistic, DpemNoiseKind noise,
											const DpemMomentLayout *layout, bool replace_one);
extern double __wrap_dpem_paper_sensitivity(DpemPaperStatistic statistic, DpemNoiseKind noise,
											const DpemMomentLayout *layout, bool replace_one);

double
__wrap_dpem_joint_sensitivity2(int k, double a, double b, double c, bool replace_one)
{
	return 0.81 * __real_dpem_joint_sensitivity2(k, a, b, c, replace_one);
}

double
__wrap_dpem_joint_sensitivity1(int k, int d, double a, double b, bool replace_one)
{
	return 0.9 * __real_dpem_joint_sensitivity1(k, d, a, b, replace_one);
}

double
__wrap_dpem_paper_sensitivity(DpemPaperStatistic statistic, DpemNoiseKind noise,
							  const DpemMomentLayout *layout, bool replace_one)
{
	return 0.9 * __real_dpem_paper_sensitivity(statistic, noise, layout, replace_one);
}
