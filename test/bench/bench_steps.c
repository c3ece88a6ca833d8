/*
 * bench_steps.c - the steps of a fit by themselves, on data in memory, and
 * what the machine could do: the floors of `make bench`.
 *
 *   bench_steps d k rows     one line: name seconds ... for a pass of a mixture
 *
 * kernel1, kernel2   features, E-step and moments of all rows, which lie in
 *                    blocks as the kernels take them, by one and two processes
 * features, estep, moments, adding   what kernel1 consists of
 * noise              exact noise of one pass's release
 * mstep              from released moments to the next pass's parameters
 * read1, read2       reading the rows once, by one and two processes
 * dgemm2             a pass's multiplications and additions at the rate of
 *                    dgemm on large matrices, two processes
 */
#define _DEFAULT_SOURCE
#include <cblas.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../unit/em_fixture.h"
#include "core/noise/sampler.h"
#include "core/numeric/vector.h"

#define REPEATS 5

enum
{
	FEATURES, ESTEP, MOMENTS, ADDING, PHASES
};

extern void openblas_set_num_threads(int threads);

typedef struct Steps
{
	int			blocks;
	double	   *x;				/* blocks * d * DPEM_BLOCK_STRIDE */
	DpemFeatureMap map;
	DpemMomentLayout layout;
	DpemGmm		gmm;
	double	   *theta;
} Steps;

static volatile double sink;
static double *phase_seconds;	/* of every block: PHASES rows of `blocks`; or NULL */

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double
median_of(double *x, int n)
{
	qsort(x, n, sizeof(double), dpem_ascending);
	return x[n / 2];
}

static double
median(double x[REPEATS])
{
	return median_of(x, REPEATS);
}

static size_t
block_length(const Steps *steps)
{
	return (size_t) steps->layout.d * DPEM_BLOCK_STRIDE;
}

/* a phase of a block has taken the time since *from; the next one begins */
static void
end_phase(const Steps *steps, int phase, int block, double *from)
{
	double		to;

	if (phase_seconds == NULL)
		return;
	to = now();
	phase_seconds[phase * steps->blocks + block] = to - *from;
	*from = to;
}

/* moments of some of the blocks, added to total as integers */
static void
pass(const Steps *steps, int from, int to, DpemInt128 *total)
{
	const DpemMomentLayout *layout = &steps->layout;
	size_t		length = dpem_moments_length(layout);
	DpemBlock	block = {.rows = DPEM_BLOCK_ROWS,.d = layout->d,.x = zeros(block_length(steps)),.keep = zeros(DPEM_BLOCK_STRIDE)};
	double	   *r = zeros((size_t) layout->k * DPEM_BLOCK_STRIDE);
	double	   *sums = zeros(length);
	double	   *scratch = zeros(dpem_kernel_gmm.scratch_length(layout) + dpem_moments_scratch(layout));

	for (int i = from; i < to; i++)
	{
		double		at = now();

		memcpy(block.x, steps->x + i * block_length(steps), block_length(steps) * sizeof(double));
		for (int row = 0; row < DPEM_BLOCK_ROWS; row++)
			block.keep[row] = 1;
		dpem_features_apply(&steps->map, &block, scratch);
		end_phase(steps, FEATURES, i, &at);
		dpem_kernel_gmm.respond(layout, steps->theta, &block, DPEM_FEATURE_BITS, DPEM_RESPONSIBILITY_BITS, r, scratch);
		end_phase(steps, ESTEP, i, &at);
		dpem_moments_block(layout, &block, r, sums, scratch);
		end_phase(steps, MOMENTS, i, &at);
		dpem_moments_add_exact(total, sums, length);
		end_phase(steps, ADDING, i, &at);
	}
	free(scratch);
	free(sums);
	free(r);
	free(block.keep);
	free(block.x);
}

static void
do_kernel(const Steps *steps, int from, int to)
{
	DpemInt128 *total = calloc(dpem_moments_length(&steps->layout), sizeof(DpemInt128));

	pass(steps, from, to, total);
	sink = (double) total[0];
	free(total);
}

static void
do_read(const Steps *steps, int from, int to)
{
	double		sum[8] = {0};

	for (size_t i = from * block_length(steps); i + 8 <= to * block_length(steps); i += 8)
		for (int j = 0; j < 8; j++)
			sum[j] += steps->x[i + j];
	for (int j = 0; j < 8; j++)
		sink = sum[j];
}

#define SQUARE 1024

static void
do_dgemm(const Steps *steps, int from, int to)
{
	double	   *a = zeros(SQUARE * SQUARE);
	double	   *b = zeros(SQUARE * SQUARE);
	double	   *c = zeros(SQUARE * SQUARE);

	for (int i = 0; i < 4; i++)
		cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, SQUARE, SQUARE, SQUARE, 1, a, SQUARE, b, SQUARE, 0, c, SQUARE);
	sink = c[0];
	free(a);
	free(b);
	free(c);
}

/* median seconds until all processes are done with their parts, started at once */
static double
timed(const Steps *steps, void (*work) (const Steps *, int, int), int processes)
{
	double		seconds[REPEATS];

	for (int repeat = 0; repeat < REPEATS; repeat++)
	{
		double		start = now();

		for (int process = 0; process < processes; process++)
		{
			if (fork() == 0)
			{
				work(steps, steps->blocks * process / processes, steps->blocks * (process + 1) / processes);
				_exit(0);
			}
		}
		while (wait(NULL) > 0)
			;
		seconds[repeat] = now() - start;
	}
	return median(seconds);
}

/* seconds of each phase of a pass, one process: the median block's, times the number of blocks */
static void
time_phases(const Steps *steps, double seconds[PHASES])
{
	phase_seconds = zeros((size_t) PHASES * steps->blocks);
	do_kernel(steps, 0, steps->blocks);
	for (int phase = 0; phase < PHASES; phase++)
		seconds[phase] = steps->blocks * median_of(phase_seconds + phase * steps->blocks, steps->blocks);
	free(phase_seconds);
	phase_seconds = NULL;
}

static bool
kernel_fill(void *context, void *bytes, size_t n)
{
	return getentropy(bytes, n < 256 ? n : 256) == 0 && (n <= 256 || kernel_fill(context, (char *) bytes + 256, n - 256));
}

static double
time_noise(const Steps *steps)
{
	DpemByteSource source = {kernel_fill, NULL};
	DpemSampler sampler;
	DpemInt128	x;
	double		seconds[REPEATS];

	dpem_sampler_init(&sampler, &source);
	for (int repeat = 0; repeat < REPEATS; repeat++)
	{
		double		start = now();

		for (size_t i = 0; i < dpem_moments_length(&steps->layout); i++)
			(void) dpem_sample_rounded_normal(&sampler, (DpemUint128) 1 << 50, &x);
		seconds[repeat] = now() - start;
	}
	return median(seconds);
}

/* moments in units of rows and of the unit ball */
static void
release(const Steps *steps, double *value)
{
	size_t		length = dpem_moments_length(&steps->layout);
	size_t		record = dpem_moments_record(&steps->layout);
	DpemInt128 *total = calloc(length, sizeof(DpemInt128));

	pass(steps, 0, steps->blocks, total);
	for (size_t i = 0; i < length; i++)
	{
		int			products = i % record == 0 ? 0 : i % record <= (size_t) steps->layout.d ? 1 : 2;

		value[i] = ldexp((double) total[i], -(DPEM_RESPONSIBILITY_BITS + products * DPEM_FEATURE_BITS));
	}
	free(total);
}

static double
time_mstep(const Steps *steps)
{
	int			k = steps->layout.k;
	int			d = steps->layout.d;
	DpemGmmRule rule = dpem_gmm_default_rule(d, true);
	DpemGmmHistory history = em_history(&steps->layout);
	DpemNoisyMoments released = {.layout = steps->layout,.count_sd = 10,.sum_sd = 10,.second_sd = 10,
	.value = zeros(dpem_moments_length(&steps->layout))};
	double		seconds[REPEATS];

	release(steps, released.value);
	for (int repeat = 0; repeat < REPEATS; repeat++)
	{
		DpemGmm		gmm = em_create(k, d, DPEM_SECOND_FULL);
		DpemWorkspace work = em_workspace(dpem_gmm_maximize_work(k, d) + dpem_gmm_theta_work(d));
		DpemWorkspace again = work;
		double		start = now();

		dpem_gmm_history_add(&history, &released);
		if (dpem_gmm_maximize(&history, &rule, &gmm, work) != DPEM_OK ||
			dpem_gmm_theta(&gmm, steps->theta, again) != DPEM_OK)
			abort();
		seconds[repeat] = now() - start;
		free(work.next);
		em_free(&gmm);
	}
	return median(seconds);
}

int
main(int argc, char **argv)
{
	int			d = argc == 4 ? atoi(argv[1]) : 10;
	int			k = argc == 4 ? atoi(argv[2]) : 10;
	int			n = argc == 4 ? atoi(argv[3]) : 1000000;
	size_t		bytes;
	double	   *lower = zeros(d);
	double	   *upper = zeros(d);
	Steps		steps = {.layout = {k, d, DPEM_SECOND_FULL},.blocks = (n + DPEM_BLOCK_ROWS - 1) / DPEM_BLOCK_ROWS};
	int			features = 1 + d + d * (d + 1) / 2;
	double		flops = (double) k * (d * (d + 1) + 2 * features) * n;
	double		phase[PHASES];

	bytes = steps.blocks * block_length(&steps) * sizeof(double);
	steps.x = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (steps.x == MAP_FAILED)
		return 1;
	openblas_set_num_threads(1);
	srand(1);
	for (size_t i = 0; i < bytes / sizeof(double); i++)
		steps.x[i] = rand() / (RAND_MAX + 1.0) * 2 - 1;
	for (int j = 0; j < d; j++)
		lower[j] = -(upper[j] = 1);
	steps.map = (DpemFeatureMap) {.d = d,.bits = DPEM_FEATURE_BITS,.radius = sqrt(d),.lower = lower,.upper = upper};
	steps.gmm = em_create(k, d, DPEM_SECOND_FULL);
	steps.theta = zeros(dpem_kernel_theta_length(&dpem_kernel_gmm, &steps.layout, NULL, 0));
	dpem_gmm_start(&steps.gmm, 0.5, 0.1);
	if (dpem_gmm_theta(&steps.gmm, steps.theta, em_workspace(dpem_gmm_theta_work(d))) != DPEM_OK)
		return 1;
	printf("kernel1 %.4f kernel2 %.4f ", timed(&steps, do_kernel, 1), timed(&steps, do_kernel, 2));
	time_phases(&steps, phase);
	printf("features %.4f estep %.4f moments %.4f adding %.4f ", phase[FEATURES], phase[ESTEP], phase[MOMENTS], phase[ADDING]);
	printf("noise %.5f mstep %.5f ", time_noise(&steps), time_mstep(&steps));
	printf("read1 %.4f read2 %.4f ", timed(&steps, do_read, 1), timed(&steps, do_read, 2));
	printf("dgemm2 %.4f\n", flops / (2 * 4 * 2.0 * SQUARE * SQUARE * SQUARE / timed(&steps, do_dgemm, 2)));
	munmap(steps.x, bytes);
	free(lower);
	free(upper);
	em_free(&steps.gmm);
	free(steps.theta);
	return 0;
}
