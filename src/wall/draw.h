/*
 * draw.h - exact noise and choices: where their samplers begin and end; included by this folder's .c files only.
 */
#ifndef DPEM_WALL_DRAW_H
#define DPEM_WALL_DRAW_H

#include "core/noise/noise.h"
#include "core/noise/sampler.h"

/* a sampler of cryptographic randomness; palloc */
extern DpemSampler *dpem_draw_begin(void);

/* erases and frees it; raises an internal error, `outside`, for arguments outside its domain, and one where randomness failed */
extern void dpem_draw_end(DpemSampler *sampler, DpemStatus status, const char *outside);

/* what dpem_draw_end says of noise */
#define DPEM_NOISE_OUTSIDE "dpem: noise outside the samplers' domain"

/*
 * The integer scale, at most `most`, of noise of that scale on numbers in parts of 2^-bits (dpem_noise_integer_scale);
 * raises 22023 if noise so large cannot be drawn.
 */
extern DpemUint128 dpem_noise_drawable_scale(DpemNoiseKind kind, double scale, int bits, DpemUint128 most);

#define DPEM_ANY_SCALE	(~(DpemUint128) 0)

#endif							/* DPEM_WALL_DRAW_H */
