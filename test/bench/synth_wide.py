# How near the rows that dp_synth_fit makes up are to the private ones, where numbers have domains that are ordinary, and
# where these are many times as wide as the rows (make bench-synth-wide).  Median (worst) of RUNS fits.
#
#   RUNS=5   EPSILONS=0.1,1,4   ROWS=1000,10000,100000   TABLES= only those whose names match this regular expression
#
# mean: of the columns' errors in standard deviations; quantile: of 5 .. 95 %, error in rank; correlation: of ranks, mean error
# over the pairs of numbers; pairs: mean total variation distance over all pairs, numbers in eighths of the true rows.  As
# many rows are drawn as there are.  Rows: the defaults, bins => 32, which are equal parts of the domains, and
# one-way tables alone in these.  delta 1e-6, replace_one.
import os
import re
import subprocess
import sys

import numpy as np

RUNS = int(os.environ.get("RUNS", "5"))
EPSILONS = [float(e) for e in os.environ.get("EPSILONS", "0.1,1,4").split(",")]
ROWS = [int(n) for n in os.environ.get("ROWS", "1000,10000,100000").split(",")]
TABLES = re.compile(os.environ.get("TABLES", "."))
LABEL = ["red", "green", "blue"]


def psql(sql, stdin=None):
    done = subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql], input=stdin, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(sql[:300] + "\n" + done.stderr)
    return done.stdout


# ---- tables: columns by name, each with its bounds, or with categories ------------------------


def normals(n, rng):
    z = rng.normal(size=(n, 5))
    for j in range(1, 5):
        z[:, j] = 0.7 * z[:, j - 1] + np.sqrt(1 - 0.49) * z[:, j]
    label = (rng.uniform(size=n) < 1 / (1 + np.exp(-2 * z[:, 0]))).astype(int) + (z[:, 3] > 1)
    return z, label


def bell(width, far=0.0):
    def make(n, rng):
        z, label = normals(n, rng)
        table = {"kind": (label, LABEL)}
        for j in range(5):
            half = 4.0 * width
            off = far + (j - 2) * 0.31 * (half - 4)
            table[f"x{j}"] = (z[:, j] + off, -half + far, half + far)
        return table

    return make


def incomes(top):
    def make(n, rng):
        z, label = normals(n, rng)
        return {
            "kind": (label, LABEL),
            "income": (np.round(30000 * np.exp(0.8 * z[:, 0]), 2), 0, 30000 * top),
            "gain": (np.where(z[:, 1] > 1, np.round(2000 * np.exp(z[:, 2])), 0), 0, 2000 * top),
            "visits": (rng.poisson(np.exp(1 + 0.7 * z[:, 1])), 0, 4 * top),
            "age": (np.clip(np.round(45 + 15 * z[:, 3]), 0, 120), 0, 120),
            "debt": (np.round(5000 * np.exp(1.5 * z[:, 4])), 0, 5000 * top),
        }

    return make


def uniforms(n, rng):
    u = rng.uniform(size=(n, 4))
    u[:, 1] = (u[:, 0] + 0.3 * u[:, 1]) % 1
    return {"kind": ((u[:, 2] * 3).astype(int), LABEL)} | {f"u{j}": (u[:, j], 0, 1) for j in range(4)}


def modes(n, rng):
    side = rng.integers(0, 2, size=n)
    return {"kind": (side, LABEL[:2]), "a": (side * 100 + rng.normal(size=n), -1000, 1000), "b": (np.where(side > 0, 7, 0.5) + 0.01 * rng.normal(size=n), 0, 1000),
            "c": (rng.normal(size=n), -5, 5)}


def many(n, rng):
    z = rng.normal(size=(n, 25))
    z[:, 1:] = 0.6 * z[:, :-1] + 0.8 * z[:, 1:]
    return {f"x{j}": (z[:, j], -400, 400) for j in range(25)}


ALL = {
    "bells, bounds of 4 sd": bell(1), "uniform": uniforms, "bells, 20 times as wide": bell(20), "bells, 1,000 times": bell(1000), "bells, 10,000 times": bell(10000),
    "bells far from 0": bell(100, 1e6), "amounts, 20 times": incomes(20), "amounts, 1,000 times": incomes(1000), "two modes": modes, "25 wide numbers": many,
}


def load(table):
    names = list(table)
    n = len(table[names[0]][0])
    text = lambda c: [c[1][k] for k in c[0]] if isinstance(c[1], list) else [repr(float(v)) for v in c[0]]
    is_whole = lambda c: not isinstance(c[1], list) and np.all(c[0] == np.round(c[0])) and c[1] >= 0
    kind = lambda c: "text" if isinstance(c[1], list) else "int8" if is_whole(c) else "float8"
    columns = [[str(int(v)) for v in table[x][0]] if is_whole(table[x]) else text(table[x]) for x in names]
    psql("DROP TABLE IF EXISTS t; CREATE TABLE t (" + ", ".join(f"{x} {kind(table[x])} NOT NULL" for x in names) + ")")
    psql("COPY t FROM STDIN", "\n".join("\t".join(row) for row in zip(*columns)) + "\n")
    psql("ANALYZE t; SELECT dp_register_dataset('t', 't', 1000, 0.01)")
    for x in names:
        domain = f"'{{{','.join(table[x][1])}}}'::text[]" if isinstance(table[x][1], list) else f"{table[x][1]}, {table[x][2]}"
        psql(f"SELECT dp_register_column('t', '{x}', {domain})")
    psql("SELECT dp_grant_budget(current_user::regrole, 't', 1000, 0.01)")
    return [kind(table[x]) for x in names]


# ---- what a table of made up rows is worth ------------------------------------------------------


def ranks(x):
    order = np.argsort(x, kind="stable")
    sorted_x = x[order]
    first = np.searchsorted(sorted_x, x, "left")
    last = np.searchsorted(sorted_x, x, "right")
    return (first + last) / 2 / len(x)


def rank_in(truth, x):
    s = np.sort(truth)
    return (np.searchsorted(s, x, "left") / len(s), np.searchsorted(s, x, "right") / len(s))


def correlations(columns):
    return np.nan_to_num(np.corrcoef(np.array([ranks(x) for x in columns])))


def eighths(truth, x):
    return np.searchsorted(np.unique(np.quantile(truth, np.arange(1, 8) / 8)), x, "right")


def distance(a, b, n):
    p = np.bincount(a, minlength=n) / len(a)
    q = np.bincount(b, minlength=n) / len(b)
    return np.abs(p - q).sum() / 2


def worth(truth, made):
    numbers = [x for x in truth if not isinstance(truth[x][1], list)]
    levels = np.arange(1, 20) / 20
    mean = np.mean([abs(made[x].mean() - truth[x][0].mean()) / truth[x][0].std() for x in numbers])
    quantile = []
    for x in numbers:
        low, high = rank_in(truth[x][0], np.quantile(made[x], levels))
        quantile.append(np.mean(np.maximum(np.maximum(low - levels, levels - high), 0)))
    a = correlations([truth[x][0] for x in numbers])
    b = correlations([made[x] for x in numbers])
    upper = np.triu_indices(len(numbers), 1)
    codes = {x: (truth[x][0], made[x]) if x not in numbers else (eighths(truth[x][0], truth[x][0]), eighths(truth[x][0], made[x])) for x in truth}
    names = list(truth)
    pairs = [distance(codes[x][0] * 9 + codes[y][0], codes[x][1] * 9 + codes[y][1], 81) for i, x in enumerate(names) for y in names[i + 1:]]
    return mean, np.mean(quantile), np.mean(np.abs(a - b)[upper]), np.mean(pairs)


def fit(truth, types, epsilon, options, n):
    names = list(truth)
    psql(f"SET dpem.noise_warnings = off; SELECT count(*) FROM dp_synth_fit('t', {epsilon}, 1e-6, model => 'm', replace => true{options})")
    rows = psql("COPY (SELECT * FROM dp_sample_rows('m', %d) AS r (%s)) TO STDOUT" % (n, ", ".join(f"{x} {t}" for x, t in zip(names, types))))
    cells = list(zip(*[line.split("\t") for line in rows.splitlines()]))
    made = {}
    for x, column in zip(names, cells):
        if isinstance(truth[x][1], list):
            made[x] = np.array([truth[x][1].index(v) if v in truth[x][1] else 8 for v in column])
        else:
            made[x] = np.array([truth[x][0].mean() if v == "\\N" else float(v) for v in column])
    return worth(truth, made)


psql("CREATE EXTENSION IF NOT EXISTS dpem")
print("| table | rows | epsilon | bins | mean | quantile | correlation | pairs |")
print("|---|---|---|---|---|---|---|---|")
for name, make in ALL.items():
    if not TABLES.search(name):
        continue
    for n in ROWS:
        truth = make(n, np.random.default_rng(7))
        types = load(truth)
        alone = ", bins => 32, workload => '{" + ",".join(truth) + "}'"
        for epsilon in EPSILONS:
            for way, options in (("placed", ""), ("equal", ", bins => 32"), ("alone", alone)):
                if way in os.environ.get("WITHOUT", "").split(","):
                    continue
                runs = np.array([fit(truth, types, epsilon, options, n) for _ in range(RUNS)])
                told = [f"{np.median(runs[:, m]):.3g} ({runs[:, m].max():.3g})" for m in range(4)]
                print(f"| {name} | {n:,} | {epsilon:g} | {way} | " + " | ".join(told) + " |", flush=True)
        psql("SELECT dp_drop_model('m'); SELECT dp_drop_dataset('t')")
