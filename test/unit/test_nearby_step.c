/*
 * test_nearby_step.c - the step and the spread that sums about released centers
 * give.
 */
#include "core/kmeans/nearby_step.h"
#include "core/numeric/public_random.h"
#include "unit.h"

typedef struct Step
{
	double		center[4];
	double		center_noise[4];
	double		weight[2];
	double		weight_noise[2];
	double		value[6];
	double		reach[2];
	DpemNoisyMoments m;
} Step;

/* of k centers in d columns */
static void
step(Step *s, int k, int d, const double *further)
{
	double		memory[4];
	DpemWorkspace work = {memory, memory + 2 * d};
	DpemKmeans	fit = {.k = k,.d = d,.center = s->center,.center_noise = s->center_noise,.weight = s->weight,.weight_noise = s->weight_noise};

	s->m.layout = (DpemMomentLayout) {k, d, DPEM_SECOND_NONE};
	s->m.value = s->value;
	dpem_nearby_step(&s->m, s->reach, further, &fit, work);
}

static void
test_step(void)
{
	Step		s = {
		.center = {0.1, 0.2, -0.3, 0},.center_noise = {0.05, 0.05, 0.05, 0.05},.weight = {0.5, 0.5},.weight_noise = {0.1, 0.1},
		.value = {100, 50, -25, 300, 0, 0},.reach = {0.2, 0.1}
	};

	step(&s, 2, 2, NULL);
	CHECK_CLOSE(s.center[0], 0.2, 1e-12, "the whole step without noise");
	CHECK_CLOSE(s.center[1], 0.15, 1e-12, "in both coordinates");
	CHECK(s.center[2] == -0.3 && s.center[3] == 0, "no step");
	CHECK_CLOSE(s.weight[0], 0.25, 1e-12, "exact counts replace noisy shares");
	CHECK(s.weight_noise[0] == 0 && s.center_noise[0] == 0, "and have no noise");
	s.m.count_sd = 40;			/* 100 is less than three of them */
	s.weight[0] = 0.9;			/* as the largest of many counts would have it */
	s.weight_noise[0] = 0.001;
	s.m.sum_sd = 1;
	step(&s, 2, 2, NULL);
	CHECK_CLOSE(s.center[0], 0.2, 1e-12, "a count that may be nothing moves nothing");
	CHECK_CLOSE(s.weight[0], 0.25, 1e-12, "the share is the count's about the center, not what the center was found by");
	CHECK_CLOSE(s.weight_noise[0], 40.0 / 400 * sqrt(0.75 * 0.75 + 0.25 * 0.25), 1e-12, "with the count's noise");
	s.m.count_sd = 1;
	s.m.sum_sd = 1000;
	s.value[1] = 90;
	step(&s, 2, 2, NULL);
	CHECK_CLOSE(s.center[0], 0.2, 1e-12, "a step that may be noise is not believed");
	s.m.sum_sd = 30;
	s.value[1] = 60;
	s.value[2] = 0;
	step(&s, 2, 2, NULL);
	CHECK(s.center[0] > 0.2 && s.center[0] < 0.2 + 0.2 * 0.6 && s.center_noise[0] > 0, "half of it: %g", s.center[0]);
}

/* what was unknown before a pass does not outlast a pass that saw the center better */
static void
test_noise(void)
{
	Step		s = {.center_noise = {0.5, 0.001},.weight = {1},.value = {1000, 5, 5},.reach = {1},.m = {.sum_sd = 10}};

	step(&s, 1, 2, NULL);
	CHECK(s.center[0] == 0 && s.center[1] == 0, "a step shorter than its noise of 0.01");
	CHECK_CLOSE(s.center_noise[0], hypot(0.005, 0.01), 1e-2, "is all that the center may be off by");
	CHECK_CLOSE(s.center_noise[1], 0.001, 1e-2, "less if it was known better");
	s.center_noise[0] = s.center_noise[1] = 0;
	step(&s, 1, 2, NULL);
	CHECK(s.center_noise[0] == 0, "a center that nothing is known of and nothing moves says nothing");
	s.value[1] = s.value[2] = 500;
	step(&s, 1, 2, NULL);
	CHECK_CLOSE(s.center_noise[0], 0.01, 1e-2, "nothing known before, all of it from the step: %g", s.center_noise[0]);
}

/* a step beyond the mean overshoots it by as much, and says so; the next plain one comes back */
static void
test_further(void)
{
	Step		s = {.center_noise = {0.3},.weight = {1},.value = {1000, 500},.reach = {1},.m = {.sum_sd = 1}};
	const double further[1] = {0.8};

	step(&s, 1, 1, further);
	CHECK_CLOSE(s.center[0], 0.9, 1e-4, "0.8 times further than 0.5");
	CHECK_CLOSE(s.center_noise[0], 0.4, 1e-3, "and off by what it went too far");
	s.value[1] = -400;
	step(&s, 1, 1, NULL);
	CHECK_CLOSE(s.center[0], 0.5, 1e-4, "back at the mean");
	CHECK_CLOSE(s.center_noise[0], 0.001, 1e-2, "known as well as the sums");
}

/* exact moments give exact spreads; a count that is noise changes nothing; noise alone is no spread of zero */
static void
test_spread(void)
{
	double		value[8] = {100, 30, 40, 50, 2, 0, 0, 1};
	double		reach[2] = {0.2, 0.1};
	double		spread[2] = {7, 7};
	DpemNoisyMoments m = {{2, 2, DPEM_SECOND_NORM}, 0, 0, 0, value};

	dpem_nearby_spread(&m, reach, spread);
	CHECK_CLOSE(spread[0], 0.2 * sqrt(0.5 - 0.25), 1e-12, "about the mean, not the center");
	CHECK_CLOSE(spread[1], 0.1 * sqrt(0.5), 1e-12, "a mean at the center");
	m.count_sd = 1;
	m.second_sd = 4;
	spread[1] = 7;
	value[3] = -10;
	dpem_nearby_spread(&m, reach, spread);
	CHECK_CLOSE(spread[0], 0.2 * sqrt(0.04), 1e-12, "no less than the noise");
	CHECK(spread[1] == 7, "a count that may be nothing");
	value[3] = 1000;
	dpem_nearby_spread(&m, reach, spread);
	CHECK_CLOSE(spread[0], 0.2, 1e-12, "no more than the reach");
}

/* rows clipped on one side say in which direction they are, not how far or how near each other; noise alone says nothing */
static void
test_beyond(void)
{
	double		value[4] = {1000, 950, 0, 1000};
	double		reach[1] = {0.2};
	double		spread[1] = {7};
	DpemNoisyMoments m = {{1, 2, DPEM_SECOND_NORM}, 1, 1, 4, value};
	Step		s = {.center_noise = {0.01, 0.01},.weight = {1},.value = {1000, 950, 0},.reach = {0.2},.m = {.sum_sd = 1}};

	dpem_nearby_spread(&m, reach, spread);
	CHECK_CLOSE(spread[0], 0.2, 1e-12, "the reach does not shrink: %g", spread[0]);
	step(&s, 1, 2, NULL);
	CHECK_CLOSE(s.center[0], 0.19, 1e-4, "a step of nearly the reach");
	CHECK(s.center_noise[0] > 0.1, "and as much may be left: %g", s.center_noise[0]);
	m.sum_sd = 150;
	dpem_nearby_spread(&m, reach, spread);
	CHECK(spread[0] < 0.1, "unless that may be noise: %g", spread[0]);
	m.sum_sd = 1;
	value[1] = 600;
	dpem_nearby_spread(&m, reach, spread);
	CHECK_CLOSE(spread[0], 0.2 * sqrt(1 - 0.36), 1e-3, "rows on all sides");
}

/* what a spread is known to be outlasts passes that see nothing but noise, and not one that sees rows */
static void
test_believed_spread(void)
{
	double		value[4] = {1000, 0, 0, 2000};
	double		reach[1] = {0.15};
	double		spread[1] = {0.1};
	DpemNoisyMoments m = {{1, 2, DPEM_SECOND_NORM}, 10, 10, 4000, value};

	for (int pass = 0; pass < 10; pass++)
	{
		reach[0] = 1.5 * spread[0];
		value[3] = pass % 2 ? -2000 : 4000;
		dpem_nearby_spread(&m, reach, spread);
	}
	CHECK(spread[0] > 0.07 && spread[0] < 0.14, "by noise of four reaches: %g", spread[0]);
	reach[0] = 0.15;
	value[3] = 40;
	m.second_sd = 10;
	dpem_nearby_spread(&m, reach, spread);
	CHECK_CLOSE(spread[0], 0.15 * sqrt(0.04), 0.02, "once it is seen: %g", spread[0]);
}

static void
test_total_within(void)
{
	double		seen[2] = {0.6, -0.3};
	double		mean[2];
	DpemKmeansTotal t = {.rows = 100,.seen = seen,.mean = mean,.seen_sd = 0.5,.spread = 3};

	dpem_nearby_total_within(2, sqrt(0.75), &t);
	CHECK_CLOSE(mean[0] / seen[0], 1 - 4 * 0.25 / (0.45 + 2 * 0.5), 1e-12, "as far from the middle as was seen, and is usual");
	CHECK_CLOSE(mean[1] / seen[1], mean[0] / seen[0], 1e-12, "straight to the middle");
	CHECK(t.mean_sd < 0.5 && t.mean_sd > 0.2, "which is known better then: %g", t.mean_sd);
	CHECK_CLOSE(t.spread, sqrt(0.5), 1e-12, "no spread wider than the box");
	seen[0] = seen[1] = 0;
	dpem_nearby_total_within(2, sqrt(0.75), &t);
	CHECK(t.mean_sd > 0.1, "but never quite: %g", t.mean_sd);
	seen[0] = 0.6;
	t.seen_sd = 1e-6;
	dpem_nearby_total_within(2, sqrt(0.75), &t);
	CHECK_CLOSE(mean[0], 0.6, 1e-9, "what is known stays");
}

static void
test_total_ball(void)
{
	double		seen[2] = {0.6, -0.3};
	double		mean[2] = {0.6, -0.3};
	double		center[2];
	DpemKmeansTotal t = {.rows = 100,.seen = seen,.mean = mean,.mean_sd = 0.01,.spread = 0.1};
	double		reach = dpem_nearby_total_ball(2, 50, &t, center);

	CHECK(reach > t.spread && reach < 0.3 && center[0] == mean[0], "a ball about the mean: %g", reach);
	CHECK_CLOSE(dpem_nearby_total_ball(2, 0.01, &t, center), 1, 1e-12, "without noise nothing is clipped");
	t.mean_sd = 100;
	CHECK_CLOSE(dpem_nearby_total_ball(2, 50, &t, center), 1, 1e-12, "no ball is wider than the domain's");
	CHECK(center[0] == 0 && center[1] == 0, "which it then is");
}

/* a spread that noise may have made does not say how well the mean is known for it */
static void
test_total_hides(void)
{
	DpemKmeansTotal t = {.mean_sd = 0.1,.spread = 1,.square_sd = 0.1};

	CHECK(!dpem_nearby_total_hides(2, &t), "a spread of ten deviations, seven times as far as the mean is off");
	CHECK(dpem_nearby_total_hides(36, &t), "a mean that is known worse");
	t.square_sd = 0.4;
	CHECK(dpem_nearby_total_hides(2, &t), "a squared spread of two and a half deviations");
	t.mean_sd = t.spread = t.square_sd = 0;
	CHECK(!dpem_nearby_total_hides(2, &t), "rows in one point, without noise");
}

/* the mean is as wrong as is said, the number of rows gets better known, and so does the spread */
static void
test_total(void)
{
	DpemPublicRandom random = {7};
	double		square = 0;
	double		rows = 0;

	for (int test = 0; test < 2000; test++)
	{
		double		seen[3] = {0.3 * dpem_public_normal(&random), 0.3 * dpem_public_normal(&random), 0.3 * dpem_public_normal(&random)};
		double		value[5] = {400 + 30 * dpem_public_normal(&random)};
		double		center[3] = {0.1, 0, -0.2};
		DpemKmeansTotal t = {.rows = 400 + 60 * dpem_public_normal(&random),.rows_sd = 60,.seen = seen,.seen_sd = 0.3,.spread = 0.4};
		DpemNoisyMoments m = {{1, 3, DPEM_SECOND_NORM}, 30, 20, 20, value};
		double		reach = 2;
		double		norm = 0;

		/* the rows are at 0, 0.2 about */
		for (int j = 0; j < 3; j++)
		{
			norm += center[j] / reach * (center[j] / reach);
			value[1 + j] = -400 * center[j] / reach + 20 * dpem_public_normal(&random);
		}
		value[4] = 400 * (0.01 + norm) + 20 * dpem_public_normal(&random);
		dpem_nearby_total(&m, center, reach, &t);
		for (int j = 0; j < 3; j++)
			square += seen[j] * seen[j] / (t.seen_sd * t.seen_sd) / 3 / 2000;
		rows += pow((t.rows - 400) / t.rows_sd, 2) / 2000;
		CHECK(t.spread > 0 && t.spread < 0.8, "a spread of %g", t.spread);
	}
	CHECK(square > 0.8 && square < 1.3, "the mean is off by its deviation: %g", square);
	CHECK(rows > 0.9 && rows < 1.1, "the number of rows, too: %g", rows);
}

/* sums alone say nothing of how far rows spread */
static void
test_total_of_sums(void)
{
	double		seen[2] = {0, 0};
	double		value[3] = {400, 40, -40};
	double		center[2] = {0, 0};
	DpemKmeansTotal t = {.rows = 400,.rows_sd = 0,.seen = seen,.seen_sd = INFINITY,.spread = 0.4};
	DpemNoisyMoments m = {{1, 2, DPEM_SECOND_NONE}, 30, 20, 20, value};

	dpem_nearby_total(&m, center, 0.5, &t);
	CHECK(t.spread == 0.4, "a spread of %g", t.spread);
	CHECK_CLOSE(seen[0], 0.05, 1e-12, "the mean of the rows");
	CHECK_CLOSE(t.seen_sd, 0.025, 1e-12, "and its noise");
}

/* of 2,000 rows, so far about their middle, anywhere in a box that nothing is known of at first; noise: times 40 in a sum */
static void
test_looks(double spread, double noise)
{
	DpemPublicRandom random = {11};
	double		off = 0;

	for (int test = 0; test < 200; test++)
	{
		double		seen[2];
		double		mean[2];
		double		center[2];
		DpemKmeansTotal t = {.seen = seen,.mean = mean};

		dpem_nearby_total_anywhere(2, sqrt(0.5), &t);
		for (int look = 0; look < dpem_total_rule.looks; look++)
		{
			double		reach = dpem_nearby_total_ball(2, noise * 40, &t, center);
			double		x[2] = {(0.3 - center[0]) / reach, (-0.4 - center[1]) / reach};
			double		clip = fmax(hypot(x[0], x[1]), 1);
			double		value[4] = {
				2000 + noise * 60 * dpem_public_normal(&random), 2000 * x[0] / clip + noise * 40 * dpem_public_normal(&random),
				2000 * x[1] / clip + noise * 40 * dpem_public_normal(&random),
				2000 * fmin(x[0] * x[0] + x[1] * x[1] + pow(spread / reach, 2), 1) + noise * 50 * dpem_public_normal(&random)
			};
			DpemNoisyMoments m = {{1, 2, DPEM_SECOND_NORM}, noise * 60, noise * 40, noise * 50, value};

			dpem_nearby_total(&m, center, reach, &t);
			dpem_nearby_total_within(2, sqrt(0.5), &t);
		}
		off += hypot(mean[0] - 0.3, mean[1] + 0.4) / 200;
	}
	CHECK(off < 0.2 * spread, "found to a fifth of their spread: %g of %g", off, spread);
}

int
main(void)
{
	test_step();
	test_noise();
	test_further();
	test_spread();
	test_beyond();
	test_believed_spread();
	test_total_within();
	test_total_ball();
	test_total_hides();
	test_total();
	test_total_of_sums();
	test_looks(0.01, 1);
	/* noise that is little leaves no wide ball where a wide one was begun with */
	test_looks(0.001, 0.04);
	test_looks(1e-4, 0.02);
	return unit_report();
}
