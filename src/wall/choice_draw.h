/*
 * choice_draw.h - the exponential mechanism of all choices; for release_*.c only.
 */
#ifndef DPEM_WALL_CHOICE_DRAW_H
#define DPEM_WALL_CHOICE_DRAW_H

#include "core/noise/sampler.h"
#include "wall/tape.h"

/* the scale of dpem_choice_scale (core/accounting/choice.h); raises 22003 if a choice so noisy cannot be drawn */
extern DpemUint128 dpem_choice_drawable_scale(double noise_multiplier, DpemUint128 range);

/*
 * One of n candidates, from 0, with probabilities proportional to exp(score / scale).
 * rehearsed: what a choice from made-up rows declares, else NULL.
 */
extern size_t dpem_choice_draw(const DpemInt128 *score, size_t n, DpemUint128 scale, const DpemDeclared *rehearsed);

/* the same for many candidates (dpem_sample_fine_choice), in room for n, which the caller erases */
extern size_t dpem_choice_draw_fine(const DpemInt128 *score, size_t n, DpemUint128 scale, DpemFineRoom *room,
									const DpemDeclared *rehearsed);

#endif							/* DPEM_WALL_CHOICE_DRAW_H */
