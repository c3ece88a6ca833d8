/*
 * fuzz_wire.c - passes and states of the aggregate that were tampered with.
 *
 * What is read must be refused as malformed or be safe to use: a pass that is
 * accepted runs over rows, a state that is accepted is added to itself and
 * written again as it was.
 */
#include "fuzz.h"				/* first: the server's headers rename printf */

#include "postgres.h"

#include "core/numeric/column_scale.h"
#include "fit_parameters.h"
#include "scan/pass.h"
#include "scan/raw_moments.h"
#include "server_stub.h"

static bytea *
wrap(const void *bytes, size_t size)
{
	bytea	   *wire = palloc(VARHDRSZ + size);

	SET_VARSIZE(wire, VARHDRSZ + size);
	memcpy(VARDATA(wire), bytes, size);
	return wire;
}

/* some bits flipped, words replaced, the end cut off or added to */
static bytea *
tamper(FuzzInput *in, const bytea *wire)
{
	size_t		size = VARSIZE(wire) - VARHDRSZ;
	char	   *bytes = palloc(size + 16);
	int			changes = fuzz_below(in, 5);

	memcpy(bytes, VARDATA(wire), size);
	memset(bytes + size, 0, 16);
	for (; changes > 0 && size >= 8; changes--)
	{
		size_t		at = fuzz_bytes(in, 4) % size;
		double		number = fuzz_double(in);
		uint64_t	word = fuzz_bytes(in, 8) >> fuzz_below(in, 64);

		if (fuzz_one_in(in, 2))
			bytes[at] ^= 1 << fuzz_below(in, 8);
		else if (at - at % 8 + 8 <= size)
			memcpy(bytes + at - at % 8, fuzz_one_in(in, 2) ? (void *) &number : (void *) &word, 8);
	}
	if (fuzz_one_in(in, 20))
		size = fuzz_bytes(in, 4) % (size + 1);
	else if (fuzz_one_in(in, 20))
		size += fuzz_below(in, 17);
	return wrap(bytes, size);
}

/* groups of rows, which may have maps and parameters of their own */
static void
make_groups(FuzzInput *in, DpemPass *pass)
{
	size_t		d = (size_t) pass->map.d;
	DpemPassPart *part;

	if (pass->kernel->aggregate != NULL || !fuzz_one_in(in, 3))
		return;
	pass->groups = 1 + fuzz_below(in, 4);
	if (fuzz_one_in(in, 2))
		return;
	part = palloc0(pass->groups * sizeof(DpemPassPart));
	for (int g = 0; g < pass->groups; g++)
		part[g] = (DpemPassPart) {
		.radius = fuzz_positive(in, 1e-3, 10),.range = pass->map.range,.center = pass->map.center ? numbers(in, d) : NULL,
			.whitening = pass->map.whitening ? numbers(in, d * d) : NULL,.theta = pass->theta
	};
	pass->part = part;
}

/* as a fit writes it */
static bytea *
make_pass(FuzzInput *in)
{
	static const DpemKernel *const kernels[] = {
		&dpem_kernel_sums, &dpem_kernel_gmm, &dpem_kernel_kmeans, &dpem_kernel_projection,
		&dpem_kernel_cells, &dpem_kernel_scores, &dpem_kernel_blocks, &dpem_kernel_block_cells, &dpem_kernel_nearby, &dpem_kernel_sbn,
		&dpem_kernel_margins, &dpem_kernel_evaluate, &dpem_kernel_class_evaluate, &dpem_kernel_summary,
		&dpem_kernel_class_cells, &dpem_kernel_class_pairs, &dpem_kernel_gam_target, &dpem_kernel_gam_moments, &dpem_kernel_gam_gradient,
		&dpem_kernel_tables, &dpem_kernel_logit, &dpem_kernel_logit_gradient, &dpem_kernel_class_margins,
		&dpem_kernel_class_gradient, &dpem_kernel_class_curvature, &dpem_kernel_slopes, &dpem_kernel_residual, &dpem_kernel_column_frames,
		&dpem_kernel_pairs_evaluate, &dpem_kernel_gmm_observed, &dpem_kernel_margins_observed, &dpem_kernel_class_margins_observed, &dpem_kernel_gmm_refine
	};
	DpemPass	pass = {.kernel = kernels[fuzz_below(in, lengthof(kernels))]};
	int			d = 1 + fuzz_below(in, 5);
	double	   *lower = palloc(4 * d * sizeof(double)), *upper = lower + d;
	double	   *lengths = upper + d, *scale = lengths + d;

	REQUIRE(dpem_kernel_from_code(pass.kernel->code) == pass.kernel);
	dpem_make_row_scorer = make_any_scorer;
	pass.layout = (DpemMomentLayout) {1 + fuzz_below(in, 4), d, DPEM_SECOND_NONE};
	for (int j = 0; j < d; j++)
	{
		lower[j] = fuzz_number(in, 100);
		upper[j] = lower[j] + 1;
		lengths[j] = 1;
		scale[j] = fuzz_below(in, DPEM_SCALES);
	}
	pass.map = (DpemFeatureMap) {
		.d = d,.bits = fuzz_one_in(in, 4) ? 0 : pass.kernel->fine && (pass.kernel->own || pass.kernel->accumulate) ? DPEM_FINE_BITS : DPEM_FEATURE_BITS,.radius = fuzz_positive(in, 1e-3, 10),
			.lower = lower,.upper = upper,.range = fuzz_one_in(in, 3) ? lower : NULL,
			.center = fuzz_one_in(in, 2) ? numbers(in, d) : NULL,.whitening = fuzz_one_in(in, 2) ? numbers(in, (size_t) d * d) : NULL
	};
	pass.responsibility_bits = pass.map.bits ? DPEM_RESPONSIBILITY_BITS : 0;
	pass.unknown = fuzz_below(in, d + 1);
	pass.map.imputed = pass.kernel->add_incomplete || fuzz_one_in(in, 2) ? 0 : pass.unknown;
	pass.map.kept = pass.kernel->add_incomplete ? 0 : fuzz_below(in, d + 1);
	if (pass.map.whitening != NULL && pass.kernel == &dpem_kernel_sums && pass.map.kept == 0 && fuzz_one_in(in, 2))
		pass.map.outputs = pass.layout.d = 1 + fuzz_below(in, d);
	pass.known = pass.kernel->aggregate == NULL ? fuzz_below(in, d / 2 + 1) : 0;
	pass.told = pass.known > 0 ? pass.known + fuzz_below(in, d - 2 * pass.known + 1) : 0;
	pass.nargs = d - pass.known;
	pass.arg_lengths = lengths;
	pass.scale = fuzz_one_in(in, 2) ? scale : NULL;
	pass.theta = make_theta(in, pass.kernel, &pass.layout);
	pass.classes = !pass.kernel->labelled ? 0 : pass.kernel->keeps_signs ? Min(Max(pass.layout.k, 2), 50) : 2;
	make_groups(in, &pass);
	return dpem_pass_write(&pass);
}

#define MOST_WORK 100000		/* doubles of a state that is worth running */

static void
check_row(const DpemPass *pass, const DpemBlock *block, int row)
{
	double		norm2 = 0;

	for (int j = 0; j < block->d; j++)
		norm2 += block->x[(size_t) j * DPEM_BLOCK_STRIDE + row] * block->x[(size_t) j * DPEM_BLOCK_STRIDE + row];
	REQUIRE(!pass->map.bits || norm2 <= ldexp(1, 2 * DPEM_FEATURE_BITS));
}

/* responsibilities of one row, whose sum and sum of squares are these */
static void
check_responsibilities(const DpemPass *pass, double sum, double squares, double keep)
{
	double		whole = ldexp(1, pass->responsibility_bits);

	if (pass->kernel->contribution == DPEM_PRODUCT)
		REQUIRE(squares <= whole * whole);
	else if (pass->kernel->contribution == DPEM_ON_SIMPLEX)
		REQUIRE(pass->kernel->labelled ? sum <= keep * whole : sum == keep * whole);
}

/* what a row adds is what its kernel's proofs suppose */
static void
run_respond(const DpemPass *pass, DpemBlock *block, double *scratch)
{
	size_t		length = dpem_moments_length(&pass->layout);
	double	   *r = palloc0((size_t) pass->layout.k * DPEM_BLOCK_STRIDE * sizeof(double));
	double	   *sums = palloc0(length * sizeof(double));
	double		whole = ldexp(1, pass->responsibility_bits);

	pass->kernel->respond(&pass->layout, pass->theta, block, pass->map.bits, pass->responsibility_bits, r, scratch);
	dpem_moments_block(&pass->layout, block, r, sums, scratch);
	REQUIRE(fuzz_all_finite(sums, length));
	for (int row = 0; row < block->rows && pass->map.bits; row++)
	{
		double		sum = 0;
		double		squares = 0;

		check_row(pass, block, row);
		for (int k = 0; k < pass->layout.k; k++)
		{
			double		one = r[(size_t) k * DPEM_BLOCK_STRIDE + row];

			REQUIRE(one == rint(one) && fabs(one) <= whole && (one >= 0 || pass->kernel->contribution == DPEM_PROJECTED || pass->kernel->contribution == DPEM_PRODUCT));
			sum += one;
			squares += one * one;
		}
		check_responsibilities(pass, sum, squares, block->keep[row]);
	}
}

static void
run_locate(const DpemPass *pass, DpemBlock *block, double *scratch)
{
	int32	   *component = palloc(DPEM_BLOCK_ROWS * sizeof(int32));
	size_t		length = dpem_moments_length(&pass->layout);

	pass->kernel->locate(&pass->layout, pass->kernel->prepare ? pass->kernel->prepare(&pass->layout, pass->theta) : pass->theta, block, pass->map.bits, component, scratch);
	for (int row = 0; row < block->rows; row++)
	{
		REQUIRE(component[row] < pass->layout.k && (component[row] >= 0) <= (block->keep[row] > 0));
		if (component[row] >= 0 && pass->layout.second != DPEM_COUNTS_ALONE)
			check_row(pass, block, row);
	}
	if (pass->map.bits)
		dpem_moments_add_located(&pass->layout, block, component, INT64CONST(1) << pass->responsibility_bits,
								 palloc0(length * sizeof(DpemInt128)));
	else
		dpem_moments_add_located_real(&pass->layout, block, component, palloc0(length * sizeof(double)));
}

/* one whole count in each table for each row that counts */
static void
run_tally(const DpemPass *pass, DpemBlock *block, double *scratch)
{
	size_t		length = dpem_moments_length(&pass->layout);
	DpemInt128 *exact = palloc0(length * sizeof(DpemInt128));
	DpemInt128	rows = 0;
	DpemInt128	sum = 0;

	pass->kernel->tally(&pass->layout, pass->theta, block, pass->map.bits, 1, exact, NULL, scratch);
	for (int row = 0; row < block->rows; row++)
		rows += (DpemInt128) block->keep[row];
	for (size_t i = 0; i < length; i++)
	{
		REQUIRE(exact[i] >= 0 && exact[i] <= rows);
		sum += exact[i];
	}
	REQUIRE(sum == rows * dpem_tables_number(pass->theta));
}

/* sums of what is in the ball */
static void
run_accumulate(const DpemPass *pass, DpemBlock *block, double *scratch)
{
	size_t		record = dpem_moments_record(&pass->layout);
	double	   *sums = palloc0(dpem_moments_length(&pass->layout) * sizeof(double));
	double		unit = pass->map.bits ? ldexp(1, pass->responsibility_bits + DPEM_FEATURE_BITS) : 1 + 1e-9;

	if (pass->kernel->encode)
	{
		int16	   *code = palloc0(pass->kernel->codes(pass->theta) * DPEM_BLOCK_ROWS * sizeof(int16));

		pass->kernel->encode(pass->theta, block, pass->map.bits, code);
		block->code = code;
	}
	memset(scratch, 0, pass->kernel->scratch_length(&pass->layout) * sizeof(double));
	pass->kernel->accumulate(&pass->layout, pass->theta, block, pass->map.bits, pass->responsibility_bits, sums, scratch);
	if (pass->kernel->complete)
		pass->kernel->complete(&pass->layout, pass->theta, pass->map.bits, pass->responsibility_bits, sums, scratch);
	for (size_t i = 0; i < dpem_moments_length(&pass->layout); i++)
	{
		bool		product = i % record > (size_t) pass->layout.d;

		REQUIRE(fabs(sums[i]) <= block->rows * (product && pass->map.bits ? ldexp(unit, DPEM_FEATURE_BITS) : unit));
		REQUIRE(!pass->map.bits || sums[i] == rint(sums[i]));
	}
}

/* classes of rows, some of which are none; signs, where the kernel does not keep them, turn the features */
static void
give_classes(FuzzInput *in, const DpemPass *pass, DpemBlock *block)
{
	double	   *label = palloc0(DPEM_BLOCK_STRIDE * sizeof(double));

	for (int row = 0; row < block->rows; row++)
		label[row] = pass->classes > 2 ? fuzz_below(in, pass->classes + 2) : fuzz_one_in(in, 2) ? 1 : -1;
	if (pass->kernel->keeps_signs)
		block->label = label;
	else
		dpem_block_apply_signs(label, block);
}

/* raw rows in which some number is unknown, as block_pass.c sets them apart: what they add to the sums is in the ball, too */
static void
add_incomplete(const DpemPass *pass, const DpemBlock *rows, double *scratch)
{
	DpemBlock	some = {.d = rows->d,.x = palloc0((size_t) rows->d * DPEM_BLOCK_STRIDE * sizeof(double))};
	size_t		record = dpem_moments_record(&pass->layout);
	double	   *sums = palloc0(dpem_moments_length(&pass->layout) * sizeof(double));
	double		unit = pass->map.bits ? ldexp(1, pass->responsibility_bits + DPEM_FEATURE_BITS) : 1 + 1e-9;

	for (int row = 0; row < rows->rows; row++)
	{
		bool		complete = true;

		for (int j = 0; j < rows->d; j++)
		{
			some.x[(size_t) j * DPEM_BLOCK_STRIDE + some.rows] = rows->x[(size_t) j * DPEM_BLOCK_STRIDE + row];
			complete = complete && isfinite(rows->x[(size_t) j * DPEM_BLOCK_STRIDE + row]);
		}
		some.rows += complete ? 0 : 1;
	}
	pass->kernel->add_incomplete(&pass->layout, pass->theta, &pass->map, &some, pass->responsibility_bits, sums, scratch);
	for (size_t i = 0; i < dpem_moments_length(&pass->layout); i++)
	{
		bool		product = i % record > (size_t) pass->layout.d;

		REQUIRE(fabs(sums[i]) <= some.rows * (product && pass->map.bits ? ldexp(unit, DPEM_FEATURE_BITS) : unit));
		REQUIRE(!pass->map.bits || sums[i] == rint(sums[i]));
	}
}

/* as the transition function of dpem_internal.moments does */
static void
run_pass(FuzzInput *in, const DpemPass *pass)
{
	size_t		n = (size_t) Max(pass->map.d, pass->layout.d) * DPEM_BLOCK_STRIDE;
	DpemBlock	block = {.rows = 1 + fuzz_below(in, 20),.d = pass->map.d};
	size_t		scratch = Max(pass->kernel->scratch_length(&pass->layout), Max(dpem_moments_scratch(&pass->layout), dpem_features_scratch(&pass->map)));
	double	   *work;

	if (dpem_moments_length(&pass->layout) > MOST_WORK || n > MOST_WORK * 10 || pass->kernel->aggregate)
		return;
	block.x = palloc0(n * sizeof(double));
	block.keep = palloc0(DPEM_BLOCK_STRIDE * sizeof(double));
	work = palloc0(scratch * sizeof(double));
	for (int row = 0; row < block.rows; row++)
	{
		block.keep[row] = 1;
		for (int j = 0; j < block.d; j++)
			block.x[(size_t) j * DPEM_BLOCK_STRIDE + row] = fuzz_double(in);
	}
	dpem_block_tell_known(pass->known, pass->told, &block);
	dpem_block_apply_scales(pass->scale, &block);
	dpem_block_fill_unknown(pass->known, pass->told, pass->map.lower, pass->map.upper, &block);
	if (pass->kernel->add_incomplete)
		add_incomplete(pass, &block, work);
	dpem_features_apply(&pass->map, &block, work);
	if (pass->classes > 0)
		give_classes(in, pass, &block);
	if (pass->kernel->locate)
		run_locate(pass, &block, work);
	else if (pass->kernel->tally)
		run_tally(pass, &block, work);
	else if (pass->kernel->accumulate)
		run_accumulate(pass, &block, work);
	else
		run_respond(pass, &block, work);
}

static void
read_pass(FuzzInput *in, bytea *wire)
{
	DpemPass	pass;

	if (STUB_TRY())
	{
		int			group;

		dpem_pass_read(wire, &pass);
		group = fuzz_below(in, Max(pass.groups, 1));
		pass.map = dpem_pass_map(&pass, group);
		pass.theta = dpem_pass_part(&pass, group).theta;
		run_pass(in, &pass);
	}
	else
		REQUIRE(stub_sqlstate == ERRCODE_INVALID_BINARY_REPRESENTATION);
}

#define STATE_HEADER 12

static bytea *
make_state(FuzzInput *in, const DpemMomentLayout *layout)
{
	bytea	   *wire = dpem_raw_moments_write(dpem_raw_moments_create(&dpem_kernel_gmm, layout, fuzz_one_in(in, 2)));

	for (size_t i = VARHDRSZ + STATE_HEADER; i < VARSIZE(wire); i++)
		((char *) wire)[i] = (char) fuzz_bytes(in, 1);
	return wire;
}

static void
read_state(const DpemMomentLayout *layout, bytea *wire)
{
	if (STUB_TRY())
	{
		DpemRawMoments *read = dpem_raw_moments_parse(wire);
		bytea	   *again = dpem_raw_moments_write(read);

		REQUIRE(VARSIZE(again) == VARSIZE(wire));
		/* a signalling NaN may come back quiet, nothing else may change */
		REQUIRE(!read->exact || memcmp(VARDATA(again), VARDATA(wire), VARSIZE(wire) - VARHDRSZ) == 0);
		dpem_raw_moments_add(read, dpem_raw_moments_parse(wire));
	}
	else
		REQUIRE(stub_sqlstate == ERRCODE_INVALID_BINARY_REPRESENTATION);
	if (STUB_TRY())
		(void) dpem_raw_moments_read(wire, &dpem_kernel_gmm, layout, true);
	else
		/* another shape than the pass asked for is a bug in the server, not an argument */
		REQUIRE(stub_sqlstate == ERRCODE_INVALID_BINARY_REPRESENTATION || stub_sqlstate == ERRCODE_INTERNAL_ERROR);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	in = fuzz_input(data, size);
	bool		anything = fuzz_one_in(&in, 8);

	if (fuzz_one_in(&in, 2))
		read_pass(&in, anything ? wrap(data, size) : tamper(&in, make_pass(&in)));
	else
	{
		DpemMomentLayout layout = {1 + fuzz_below(&in, 4), 1 + fuzz_below(&in, 6), fuzz_below(&in, 1 + DPEM_SECOND_LAST)};

		read_state(&layout, anything ? wrap(data, size) : tamper(&in, make_state(&in, &layout)));
	}
	stub_free_all();
	return 0;
}
