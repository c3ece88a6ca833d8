# The simple thing beside dp_logit_fit: noisy gradient descent over all rows, exactly accounted for, with the best
# number of passes, step and clip norm in hindsight (on the test rows, which nobody has: it flatters the baseline).
#
#   utility_gd.py TRAIN.csv TEST.csv RUNS replace_one|add_remove EPSILON...
#
# Files have a column of 0 and 1 and then coordinates in [-1, 1].  Prints a line for each epsilon:
# epsilon and the AUC of each run of the best setting; and the AUC of a non-private fit, epsilon "inf".
import sys
from math import erfc, exp, sqrt

import numpy as np

DELTA = 1e-6


def normal(x):
    return erfc(-x / sqrt(2)) / 2


def gdp_mu(epsilon):
    low, high = 1e-6, 100.0
    for _ in range(100):
        mu = (low + high) / 2
        if normal(-epsilon / mu + mu / 2) - exp(epsilon) * normal(-epsilon / mu - mu / 2) < DELTA:
            low = mu
        else:
            high = mu
    return low


def auc(score, y):
    _, inverse, count = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[inverse]
    ones = y.sum()
    return (rank[y == 1].sum() - ones * (ones + 1) / 2) / (ones * (len(y) - ones))


def residual(score):
    return 1 / (1 + np.exp(np.clip(score, -500, 500)))


def descend(z, test, y, noise, passes, step, radius, rng):
    beta = np.zeros(z.shape[1])
    for _ in range(passes):
        gradient = residual(z @ beta) @ z + rng.normal(0, noise * radius * sqrt(passes), len(beta))
        beta += step * gradient / len(z)
    return auc(test @ beta, y)


def clipped(x, sign, radius):
    norm = np.linalg.norm(x, axis=1)
    return x * np.minimum(1, radius / norm)[:, None] * sign[:, None]


def best(x, sign, test, y, noise, runs, rng):
    full = sqrt(x.shape[1])
    found = []
    for radius in (full, full / 2):
        z = clipped(x, sign, radius)
        for passes in (5, 20, 60):
            for step in (0.3, 1, 3, 10, 30):
                found.append((np.median([descend(z, test, y, noise, passes, step, radius, rng) for _ in range(3)]),
                              passes, step, radius))
    _, passes, step, radius = max(found)
    z = clipped(x, sign, radius)
    return [descend(z, test, y, noise, passes, step, radius, rng) for _ in range(runs)]


def newton(x, sign, test, y):
    beta = np.zeros(x.shape[1])
    z = x * sign[:, None]
    for _ in range(25):
        r = residual(z @ beta)
        beta += np.linalg.solve((z * (r * (1 - r))[:, None]).T @ z + 1e-3 * np.eye(len(beta)), r @ z - 1e-3 * beta)
    return auc(test @ beta, y)


def read(path):
    rows = np.loadtxt(path, delimiter=',')
    return np.c_[rows[:, 1:], np.ones(len(rows))], rows[:, 0]


def main():
    x, label = read(sys.argv[1])
    test, y = read(sys.argv[2])
    sign = 2 * label - 1
    rng = np.random.default_rng(1)
    print('inf %.6f' % newton(x, sign, test, y))
    for epsilon in sys.argv[5:]:
        noise = (2 if sys.argv[4] == 'replace_one' else 1) / gdp_mu(float(epsilon))
        found = best(x, sign, test, y, noise, int(sys.argv[3]), rng)
        print(epsilon, *('%.6f' % auc for auc in found), flush=True)


main()
