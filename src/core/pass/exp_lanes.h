/*
 * exp_lanes.h - exponentials for the bodies of kernels: include it in one, after kernel_lanes.h (no
 * include guard, on purpose: once for every clone).
 */

/* g = g r + c for every vector of the group: their chains of operations run side by side */
#define HORNER(c) \
	UNROLL \
	for (int v = 0; v < GROUP_VECS; v++) \
		g[v] = g[v] * r[v] + (c)

/*
 * x = exp(x) for x <= 0, at least +0.0 and at most 1.  x = n ln 2 + r with
 * |r| <= ln(2)/2 (ln 2 in two parts, the first of 33 bits, as in fdlibm's
 * e_exp.c), exp(x) = 2^n (1 + r + r^2 g(r)), g the Chebyshev interpolant of
 * degree 9: 1.7e-17 relative.  Zero below -708, short of the subnormals.
 * With x = 0 every step is exact: exp(0) = 1.
 */
INLINE void
CLONE(exp_nonpositive)(Vec x[GROUP_VECS])
{
	Vec			r[GROUP_VECS];
	Vec			g[GROUP_VECS];
	Vec			shifted[GROUP_VECS];

	UNROLL
	for (int v = 0; v < GROUP_VECS; v++)
	{
		Vec			argument = VEC_MAX(x[v], CLONE(splat) (-708.0));
		Vec			n;

		shifted[v] = argument * 0x1.71547652b82fep+0 + ROUNDER; /* 1 / ln 2 */
		n = shifted[v] - ROUNDER;
		r[v] = argument - n * 0x1.62e42feep-1 - n * 0x1.a39ef35793c76p-33;
		g[v] = CLONE(splat) (0x1.af4e1a27a1120p-26);
	}
	HORNER(0x1.2891a97cdf012p-22);
	HORNER(0x1.71de021a24955p-19);
	HORNER(0x1.a019b8eeb3e27p-16);
	HORNER(0x1.a01a01abef684p-13);
	HORNER(0x1.6c16c17893b94p-10);
	HORNER(0x1.11111111100cep-7);
	HORNER(0x1.5555555553d4fp-5);
	HORNER(0x1.5555555555557p-3);
	HORNER(0x1.0000000000001p-1);
	UNROLL
	for (int v = 0; v < GROUP_VECS; v++)
	{
		Mask		alive = (Mask) (x[v] >= CLONE(splat) (-708.0));
		Vec			power = (r[v] + (r[v] * r[v]) * g[v]) + 1.0;

		/* the low bits of `shifted` are n; they are added to the exponent */
		power = (Vec) ((Mask) power + ((Mask) shifted[v] << 52));
		x[v] = CLONE(keep_where) (alive, power);
	}
}

/* r_k = exp(r_k - top) for k numbers of each row, DPEM_BLOCK_STRIDE apart, none of them above top; sum = sum_k r_k, k ascending */
static CLONE_TARGET NOINLINE void
CLONE(exponentiate)(int k, double *r, const Vec top[GROUP_VECS], Vec sum[GROUP_VECS])
{
	for (int v = 0; v < GROUP_VECS; v++)
		sum[v] = CLONE(splat) (0.0);
	for (int i = 0; i < k; i++)
	{
		double	   *at = r + (size_t) i * DPEM_BLOCK_STRIDE;
		Vec			e[GROUP_VECS];

		UNROLL
		for (int v = 0; v < GROUP_VECS; v++)
			e[v] = LOAD(at + v * LANES) - top[v];
		CLONE(exp_nonpositive) (e);
		UNROLL
		for (int v = 0; v < GROUP_VECS; v++)
		{
			STORE(at + v * LANES, e[v]);
			sum[v] += e[v];
		}
	}
}

#undef HORNER
