/*
 * tail_rules.h - what columns are like, for the windows of a tail (column_tails.c).
 *
 * The probabilities are near those of windows of exact rows in 383 numeric columns of 120 public tables: where a window has fewer rows
 * than one before it, half such windows are the last that have any, and one in eight is followed by one with as many.  Those of
 * rows that come back or grow in a tail are less, as every such row that noise hides, anywhere in a wide domain, makes clamps
 * wider.  They were chosen by errors of averages and variances of 60 such columns in domains of 1.5 to 1,000 times where rows
 * are (test/bench/bench_clamp.c does the same with columns that are made up).
 */
#ifndef DPEM_CORE_TAIL_RULES_H
#define DPEM_CORE_TAIL_RULES_H

/* standard deviations of its noise that the median's bin holds: others are not looked into */
#define DPEM_TAIL_SEEN			3.0

/* in the tail: no row from here on; as many as before; half as many, a quarter, ..; twice as many, four times, .. */
#define DPEM_TAIL_ENDS			0.5
#define DPEM_TAIL_SAME			0.12
#define DPEM_TAIL_FALLS			0.1
#define DPEM_TAIL_FALLS_MORE	0.8
#define DPEM_TAIL_GROWS			0.003
#define DPEM_TAIL_GROWS_MORE	0.12

/* before it: nothing follows; the tail begins, times the above; half as many, as many, twice, four, eight, and more times as many */
#define DPEM_TAIL_NONE			0.12
#define DPEM_TAIL_BEGINS		0.3
#define DPEM_TAIL_RISES			{0.05, 0.25, 0.4, 0.1, 0.02, 0.005}

/* after a window without rows there are some again; and where bins become coarser, which show what finer ones hide */
#define DPEM_TAIL_BACK			1e-6
#define DPEM_TAIL_BACK_COARSER	0.001

#endif							/* DPEM_CORE_TAIL_RULES_H */
