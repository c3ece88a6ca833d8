#!/usr/bin/python3
"""Tables that mixtures are judged on, unlike each other: utility_gmm_data.py NAME FILE

Writes FILE: a fold (0 to 9) and the columns of each row as CSV, and prints a
line of JSON: k, the columns' public bounds, and, of each of three folds, the mean log-density of test rows
under one Gaussian and under scikit-learn's mixture, neither of them private.
Prints nothing where the data is absent.  Generated tables depend on their name alone.
NAME_scaled is NAME, of which an owner registers the columns that span decades with a scale.
"""
import gzip
import json
import os
import subprocess
import sys
import warnings
import zlib

import numpy as np
from sklearn.mixture import GaussianMixture

warnings.filterwarnings("ignore")
DATA = os.environ.get("DPEM_DATA", "../shared/data")
MOST_TRAIN, MOST_TEST = 50000, 5000


def reference(name, columns):
    path = os.path.join(DATA, name)
    if not os.path.exists(path):
        return None
    with gzip.open(path, "rt") as lines:
        header = lines.readline().strip().split(",")
        return np.genfromtxt(lines, delimiter=",", usecols=[header.index(c) for c in columns])


def from_r(code):
    """A data set of a Debian package of R, as CSV."""
    try:
        out = subprocess.run(["Rscript", "-e", "suppressMessages({%s}); write.csv(x, stdout(), row.names = FALSE)" % code],
                             capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return np.genfromtxt(out.splitlines()[1:], delimiter=",")


def box(x, low, high):
    return x, [low] * x.shape[1], [high] * x.shape[1]


def clusters(rng, n, d, k, spread, sd):
    mean = rng.normal(0, spread, (k, d))
    return mean[rng.integers(0, k, n)] + sd * rng.standard_normal((n, d))


def lifesci(rng):
    x = reference("lifesci.csv.gz", ["x%d" % i for i in range(1, 11)])
    return 3, None if x is None else box(x, -16.24, 16.24)


def gowalla(rng):
    x = reference("gowalla_locations.csv.gz", ["lat", "lon"])
    return 5, None if x is None else (x, [-90, -180], [90, 180])


def s1(rng):
    x = reference("s1_su_processed.csv.gz", ["x", "y"])
    return 15, None if x is None else box(x, -1, 1)


def adult(rng):
    x = reference("adult.csv.gz", ["age", "education_num", "hours_per_week", "fnlwgt"])
    return 3, None if x is None else (x, [17, 1, 1, 0], [90, 16, 99, 1500000])


def diamonds(rng):
    x = from_r("library(ggplot2); x <- as.data.frame(diamonds)[c('carat','depth','table','price','x','y','z')]")
    return 5, None if x is None else (x, [0, 40, 40, 0, 0, 0, 0], [6, 80, 100, 20000, 12, 60, 35])


def letters(rng):
    x = from_r("library(mlbench); data(LetterRecognition); x <- LetterRecognition[-1]")
    return 10, None if x is None else box(x, 0, 15)


def hundred_clusters(rng):
    mean = rng.uniform(-0.95, 0.95, (100, 2))
    return 30, box(mean[rng.integers(0, 100, 100000)] + 0.02 * rng.standard_normal((100000, 2)), -1, 1)


def rings(rng):
    angle = rng.uniform(0, 2 * np.pi, 20000)
    radius = np.where(rng.random(20000) < 0.5, 0.3, 0.8) + 0.03 * rng.standard_normal(20000)
    return 10, box(np.c_[radius * np.cos(angle), radius * np.sin(angle)], -1, 1)


def heavy_counts(rng):
    n = 200000
    high = np.array([1e4, 1e5, 1e4, 1e5, 1e4, 1e6])
    weight = rng.uniform(0.2, 1, (2, 6)) * rng.choice([-1, 1], (2, 6))
    return 5, (np.floor(np.exp(2 + 1.3 * rng.standard_normal((n, 2)) @ weight + 0.6 * rng.standard_normal((n, 6)))),
               [0] * 6, list(high))


def bank_like(rng):
    n = 45000
    balance = np.where(rng.random(n) < 0.1, -np.exp(5 * rng.random(n) + 1), np.exp(rng.normal(6, 1.7, n)))
    never = rng.random(n) < 0.82
    x = np.c_[np.round(rng.gamma(14, 2.9, n)), np.round(balance), rng.integers(1, 32, n),
              np.round(np.exp(rng.normal(5.2, 0.9, n))), rng.geometric(0.36, n),
              np.where(never, -1, np.round(rng.normal(220, 110, n))), np.where(never, 0, rng.geometric(0.3, n))]
    return 4, (x, [18, -8000, 1, 0, 1, -1, 0], [95, 102000, 31, 5000, 63, 871, 275])


def near_constant(rng):
    x = clusters(rng, 20000, 20, 3, 0.3, 0.15)
    x[:, 10:] = 0.2 + 0.004 * rng.standard_normal((20000, 10))
    return 3, box(x, -1, 1)


def zeros_and_tails(rng):
    x = np.where(rng.random((30000, 4)) < 0.7, 0, np.exp(rng.normal(2, 1, (30000, 4))))
    return 4, box(x, 0, 200)


def wide_domain(rng):
    return 4, box(100 + clusters(rng, 20000, 5, 4, 3, 1), -1000, 1000)


def few_rows(rng):
    return 3, box(clusters(rng, 1653, 4, 3, 0.35, 0.12), -1, 1)


def sixty_columns(rng):
    x = clusters(rng, 20000, 60, 4, 0.25, 0.1) + rng.standard_normal((20000, 8)) @ rng.normal(0, 0.06, (8, 60))
    return 4, box(x, -1, 1)


def integers(rng):
    rate = rng.uniform(1, 15, (3, 8))
    return 3, box(rng.poisson(rate[rng.integers(0, 3, 40000)]).astype(float), 0, 40)


def student_t(rng):
    x = rng.standard_normal((30000, 5)) @ rng.normal(0, 1, (5, 5)) / np.sqrt(rng.chisquare(3, 30000) / 3)[:, None]
    return 3, box(x, -60, 60)


def lognormal(rng):
    mean = rng.normal(4, 1.5, (3, 3))
    return 3, box(np.exp(mean[rng.integers(0, 3, 20000)] + rng.standard_normal((20000, 3)) @ rng.normal(0, 0.5, (3, 3))), 0.01, 1e6)


def pareto_counts(rng):
    rate = np.exp(rng.normal(3, 1.5, (3, 5)))
    return 3, box(np.floor(rate[rng.integers(0, 3, 40000)] * (rng.pareto(1.2, (40000, 5)) + rng.random((40000, 1)))), 0, 1e6)


SCALES = {"lognormal": ["log"] * 3, "pareto_counts": ["signed_log"] * 5, "heavy_counts": ["signed_log"] * 6, "zeros_and_tails": ["signed_log"] * 4,
          "bank_like": ["linear", "signed_log", "linear", "signed_log", "log", "signed_log", "signed_log"]}


def non_private(x, fold, k):
    one, many = [], []
    for f in range(3):
        train, test = x[fold != f][:MOST_TRAIN], x[fold == f][:MOST_TEST]
        unit = train.std(axis=0) + 1e-9
        jacobian = np.log(unit).sum()
        for scores, components in ((one, 1), (many, k)):
            fitted = GaussianMixture(components, random_state=f, reg_covar=1e-5).fit(train / unit)
            scores.append(fitted.score(test / unit) - jacobian)
    return one, many


def main(name, path):
    base, _, scaled = name.partition("_scaled") if name.endswith("_scaled") else (name, "", None)
    rng = np.random.default_rng(zlib.crc32(base.encode()))
    k, table = globals()[base](rng)
    if table is None:
        return
    x, low, high = table
    x = np.clip(x[rng.permutation(len(x))], low, high)
    fold = np.arange(len(x)) % 10
    np.savetxt(path, np.c_[fold, x], delimiter=",", fmt=["%d"] + ["%.17g"] * x.shape[1])
    one, many = non_private(x, fold, k)
    print(json.dumps({"k": k, "rows": len(x), "lower": [float(v) for v in low], "upper": [float(v) for v in high],
                      "one": one, "sklearn": many, "scale": ["linear"] * len(low) if scaled is None else SCALES[base]}))


main(*sys.argv[1:])
