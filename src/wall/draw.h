/*
 * draw.h - exact noise and choices: where their samplers begin and end; included by this folder's .c files only.
 */
#ifndef DPEM_WALL_DRAW_H
#define DPEM_WALL_DRAW_H

#include "core/noise/sampler.h"

/* a sampler of cryptographic randomness; palloc */
extern DpemSampler *dpem_draw_begin(void);

/* erases and frees it; raises an internal error, `outside`, for arguments outside its domain, and one where randomness failed */
extern void dpem_draw_end(DpemSampler *sampler, DpemStatus status, const char *outside);

/* what dpem_draw_end says of noise */
#define DPEM_NOISE_OUTSIDE "dpem: noise outside the samplers' domain"

#endif							/* DPEM_WALL_DRAW_H */
