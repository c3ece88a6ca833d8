#!/usr/bin/python3
"""AdaSSP as published (Wang 2018, "Revisiting differentially private linear regression", UAI, algorithm 2), the
baseline of utility_linreg.pl: utility_adassp.py FILE SQUARE DELTA RUNS EPSILON...

FILE: the target and the predictors of each row as CSV, all scaled by public domains to [-1, 1]; SQUARE: the
largest squared norm of a row of predictors with a constant of 1.  Prints, for each epsilon, median and worst
R squared of the rows.
"""
import sys

import numpy as np


def adassp(xx, xy, epsilon, delta, bound_x, bound_y, rng):
    d = len(xy)
    part, log = epsilon / 3, np.log(6 / delta)
    least = np.linalg.eigvalsh(xx)[0]
    least = max(least + np.sqrt(log) / part * bound_x ** 2 * rng.standard_normal() - log / part * bound_x ** 2, 0)
    ridge = max(0, np.sqrt(d * log * np.log(2 * d ** 2 / 0.05)) * bound_x ** 2 / part - least)
    noise = np.triu(rng.standard_normal((d, d)))
    noise = noise + np.triu(noise, 1).T
    noisy = xx + np.sqrt(log) * bound_x ** 2 / part * noise
    return np.linalg.solve(noisy + ridge * np.eye(d), xy + np.sqrt(log) * bound_x * bound_y / part * rng.standard_normal(d))


def main():
    table = np.loadtxt(sys.argv[1], delimiter=",")
    y, x = np.clip(table[:, 0], -1, 1), np.clip(table[:, 1:], -1, 1)
    x = np.hstack([x, np.ones((len(x), 1))])
    square, delta, runs = float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    xx, xy, yy, n = x.T @ x, x.T @ y, y @ y, len(y)
    total = yy - n * y.mean() ** 2
    for epsilon in sys.argv[5:]:
        rng = np.random.default_rng(1)
        scores = []
        for _ in range(runs):
            b = adassp(xx, xy, float(epsilon), delta, np.sqrt(square), 1, rng)
            scores.append(1 - (yy - 2 * b @ xy + b @ xx @ b) / total)
        print(epsilon, np.median(scores), min(scores))


main()
