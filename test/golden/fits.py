#!/usr/bin/env python3
"""Reference fits without noise, in numpy alone: nothing of src is used.

    python3 fits.py             writes gmm_*.json, kmeans.json, fa.json, pca.json, logit.json, linreg.json, bayes.json, gam.json and lda.json
                                for the data of ../data (made by ../data/make.py) beside this file
    python3 fits.py check DIR DATA
                                computes the files of DIR again from the data in DATA, and prints the largest
                                relative difference of each

Coordinates of the ball: every column to [-1, 1] by its bounds, rows clipped to clip_norm, divided by it.
"""
import gzip
import json
import os
import sys

import numpy as np
from scipy.special import digamma, expit, gammaln, logsumexp, softmax

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, '..', 'data')


# ---- data ---------------------------------------------------------------------

def open_text(directory, name):
    path = os.path.join(directory, name)
    return open(path) if os.path.exists(path) else gzip.open(path + '.gz', 'rt')


def columns_of(directory, dataset, names):
    with open_text(directory, dataset + '.csv') as lines:
        header = next(lines).strip().split(',')
        table = np.array([line.strip().split(',') for line in lines], dtype=float)
    return table[:, [header.index(name) for name in names]]


class Ball:
    """The map from a table's units to the unit ball, and back."""

    def __init__(self, lower, upper, clip_norm):
        self.middle = (np.asarray(upper) + np.asarray(lower)) / 2
        self.half = (np.asarray(upper) - np.asarray(lower)) / 2
        self.clip_norm = clip_norm

    def rows(self, x):
        box = (x - self.middle) / self.half
        norm = np.linalg.norm(box, axis=1, keepdims=True)
        return box * np.minimum(1, self.clip_norm / np.maximum(norm, 1e-300)) / self.clip_norm

    def point(self, x):
        return (np.asarray(x) - self.middle) / self.half / self.clip_norm

    def point_back(self, u):
        return u * self.clip_norm * self.half + self.middle

    def covariance_back(self, c):
        return c * np.outer(self.half, self.half) * self.clip_norm ** 2


# ---- Gaussian mixtures ----------------------------------------------------------

FLOOR = 1e-6    # of eigenvalues


def log_densities(u, weights, means, covariances):
    d = u.shape[1]
    out = np.empty((len(u), len(weights)))
    for k, (w, m, c) in enumerate(zip(weights, means, covariances)):
        lower = np.linalg.cholesky(c)
        z = np.linalg.solve(lower, (u - m).T)
        out[:, k] = np.log(w) - 0.5 * (z ** 2).sum(0) - np.log(np.diag(lower)).sum() - 0.5 * d * np.log(2 * np.pi)
    return out


def shaped(c, shape):
    if shape == 'diagonal':
        return np.diag(np.diag(c))
    if shape == 'spherical':
        return np.eye(len(c)) * np.trace(c) / len(c)
    return c


def floored(c):
    value, vector = np.linalg.eigh(c)
    return (vector * np.maximum(value, FLOOR)) @ vector.T


def mixture_step(u, r, shape, estimator):
    """M-step; MAP priors: Dirichlet 2; normal-inverse-Wishart m0 = 0, kappa0 = 1, nu0 = d + 2, S0 = 0.1 I."""
    n, d = u.shape
    count = r.sum(0)
    k = len(count)
    weights, means, covariances = [], [], []
    for j in range(k):
        mu = r[:, j] @ u / count[j]
        centered = u - mu
        c = (r[:, j, None] * centered).T @ centered / count[j]
        if estimator == 'map':
            weights.append((count[j] + 1) / (n + k))
            means.append(count[j] * mu / (1 + count[j]))
            c = (0.1 * np.eye(d) + count[j] * c + count[j] / (1 + count[j]) * np.outer(mu, mu)) / (d + 2 + count[j] + d + 2)
        else:
            weights.append(count[j] / n)
            means.append(mu)
        covariances.append(floored(shaped(c, shape)))
    return np.array(weights), np.array(means), np.array(covariances)


def mixture_fit(x, golden, shape, estimator):
    """Expectation maximisation: uniform weights, init_means, covariance init_variance * I in the ball."""
    ball = Ball(golden['lower'], golden['upper'], golden['clip_norm'])
    u = ball.rows(x)
    k, d = golden['k'], u.shape[1]
    weights = np.full(k, 1 / k)
    means = np.array([ball.point(m) for m in golden['init_means']])
    covariances = np.array([golden['init_variance'] * np.eye(d)] * k)
    for _ in range(golden['iterations']):
        log_r = log_densities(u, weights, means, covariances)
        r = np.exp(log_r - logsumexp(log_r, axis=1, keepdims=True))
        weights, means, covariances = mixture_step(u, r, shape, estimator)
    density = logsumexp(log_densities(u, weights, means, covariances), axis=1).mean()
    return {'covariance': shape, 'estimator': estimator, 'weights': weights.tolist(),
            'means': [ball.point_back(m).tolist() for m in means],
            'covariances': [ball.covariance_back(c).tolist() for c in covariances],
            'mean_log_density': density - np.log(ball.half * ball.clip_norm).sum()}


def mixtures(golden, directory):
    x = columns_of(directory, golden['dataset'], golden['columns'])
    fits = [mixture_fit(x, golden, shape, estimator) for shape in ('full', 'diagonal', 'spherical') for estimator in ('map', 'mle')]
    return dict(golden, fits=fits)


# ---- k-means ------------------------------------------------------------------

def lloyd(golden, directory):
    """Lloyd's steps from init_means, distances in box scale; an empty cluster keeps its mean."""
    x = columns_of(directory, golden['dataset'], golden['columns'])
    half = (np.array(golden['upper']) - np.array(golden['lower'])) / 2
    means = np.array(golden['init_means'], dtype=float)

    def distances():
        return ((x[:, None, :] - means[None]) ** 2 / half ** 2).sum(2)

    for _ in range(golden['iterations']):
        nearest = distances().argmin(1)
        for k in set(nearest):
            means[k] = x[nearest == k].mean(0)
    final = distances()
    return dict(golden, means=means.tolist(), counts=np.bincount(final.argmin(1), minlength=len(means)).tolist(),
                wcss_box_scale=final.min(1).sum())


# ---- principal components and factors -----------------------------------------

def ball_rows(golden, directory):
    names = golden.get('columns') or [f'x{i}' for i in range(1, 11)]
    d = len(names)
    ball = Ball([golden['lower']] * d, [golden['upper']] * d, golden['clip_norm'])
    return ball.rows(columns_of(directory, golden['dataset'], names))


def spectrum(second):
    value, vector = np.linalg.eigh(second)
    return {'eigenvalues': value[::-1].tolist(), 'components': vector[:, ::-1].T.tolist()}


def components(golden, directory):
    u = ball_rows(golden, directory)
    mean = u.mean(0)
    return dict(golden, uncentred=spectrum(u.T @ u / len(u)),
                centred=dict(mean=mean.tolist(), **spectrum((u - mean).T @ (u - mean) / len(u))))


def factors_of(second, k, iterations):
    """EM of factor analysis on a second moment (Rubin and Thayer 1982)."""
    value, vector = np.linalg.eigh(second)
    w = vector[:, ::-1][:, :k] * np.sqrt(value[::-1][:k])
    psi = np.diag(second).copy()
    for _ in range(iterations):
        beta = np.linalg.solve(np.eye(k) + (w.T / psi) @ w, w.T / psi)
        cross = second @ beta.T
        w = cross @ np.linalg.inv(np.eye(k) - beta @ w + beta @ cross)
        psi = np.maximum(np.diag(second) - (w * cross).sum(1), 1e-9)
    covariance = w @ w.T + np.diag(psi)
    density = -0.5 * (len(second) * np.log(2 * np.pi) + np.linalg.slogdet(covariance)[1] + np.trace(np.linalg.solve(covariance, second)))
    return {'factors': k, 'mean_log_density': density, 'noise_variances': psi.tolist(), 'common_covariance': (w @ w.T).tolist()}


def factors(golden, directory):
    u = ball_rows(golden, directory)
    centered = u - u.mean(0)
    second = centered.T @ centered / len(u)
    return dict(golden, fits=[factors_of(second, fit['factors'], golden['iterations']) for fit in golden['fits']])


# ---- logistic regression --------------------------------------------------------

def logistic(golden, directory):
    """Fixed point of Polya-Gamma variational Bayes, prior N(0, I / alpha), alpha ~ Gamma(1, 1), no intercept."""
    u = ball_rows(golden, directory)
    y = columns_of(directory, golden['dataset'], [golden['label']])[:, 0]
    n, d = u.shape
    xi, alpha = np.ones(n), 1.0
    before = np.zeros(d)
    for _ in range(200000):
        covariance = np.linalg.inv((u.T * (np.tanh(xi / 2) / (2 * xi))) @ u + alpha * np.eye(d))
        mean = covariance @ (u.T @ (y - 0.5))
        alpha = (1 + d / 2) / (1 + (mean @ mean + np.trace(covariance)) / 2)
        xi = np.sqrt(((u @ (covariance + np.outer(mean, mean))) * u).sum(1))
        if np.abs(mean - before).max() < 1e-13 * np.abs(mean).max():
            break
        before = mean
    return dict(golden, mean=mean.tolist(), covariance=covariance.tolist(), expected_alpha=alpha)


# ---- linear regression ----------------------------------------------------------

def public_uniforms(seed, n):
    """SplitMix64 (Steele, Lea, Flood 2014), the upper 52 bits of each word, in (0, 1)."""
    mask, out = 2 ** 64 - 1, []
    for _ in range(n):
        seed = (seed + 0x9e3779b97f4a7c15) & mask
        z = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9 & mask
        z = (z ^ z >> 27) * 0x94d049bb133111eb & mask
        out.append((((z ^ z >> 31) >> 12) + 0.5) * 2.0 ** -52)
    return np.array(out)


def fourier_features(x, dimension, width, seed):
    """Random Fourier features (Rahimi, Recht 2007) of standardised columns: cosines, then sines."""
    pairs, d = dimension // 2, x.shape[1]
    u = public_uniforms(seed, 2 * pairs * d).reshape(-1, 2)
    waves = (np.sqrt(-2 * np.log(u[:, 0])) * np.cos(2 * np.pi * u[:, 1]) / width).reshape(pairs, d)
    angle = (x - x.mean(0)) / x.std(0) @ waves.T
    return np.hstack([np.cos(angle), np.sin(angle)]) / np.sqrt(pairs)


def linear(golden, directory):
    """Least squares with an intercept, of the columns or their Fourier features; classical standard deviations of the coefficients."""
    x = columns_of(directory, golden['dataset'], golden['columns'])
    if 'fourier' in golden:
        x = fourier_features(x, **golden['fourier'])
    y = columns_of(directory, golden['dataset'], [golden['target']])[:, 0]
    a = np.hstack([x, np.ones((len(x), 1))])
    coefficients = np.linalg.lstsq(a, y, rcond=None)[0]
    residual = y - a @ coefficients
    variance = residual @ residual / (len(a) - a.shape[1])
    return dict(golden, coefficients=coefficients.tolist(), stddevs=np.sqrt(np.diag(np.linalg.inv(a.T @ a)) * variance).tolist(),
                r_squared=1 - residual @ residual / ((y - y.mean()) ** 2).sum())


# ---- naive Bayes ----------------------------------------------------------------

def bayes(golden, directory):
    """Categorical naive Bayes with a pseudo-count of 1, as scikit-learn's CategoricalNB(alpha=1), over 32 equal parts of
    each number, a number on a border in the part above it; posterior: of each row of `points`."""
    x = columns_of(directory, golden['dataset'], golden['columns'])
    label = columns_of(directory, golden['dataset'], [golden['label']])[:, 0]
    parts, width = 32, golden['upper'] - golden['lower']

    def cells(points):
        return np.clip(np.floor((points - golden['lower']) / width * parts), 0, parts - 1).astype(int)

    classes = sorted(set(label))
    weight = np.array([(label == c).mean() for c in classes])
    probability = np.array([[(np.bincount(column, minlength=parts) + 1) / ((label == c).sum() + parts) for column in cells(x[label == c]).T] for c in classes])
    points = x[:golden['points']]
    score = np.log(weight) + np.array([[np.log(p[np.arange(x.shape[1]), row]).sum() for p in probability] for row in cells(points)])
    posterior = np.exp(score - score.max(1, keepdims=True))
    return dict(golden, weight=weight.tolist(), probability=probability.reshape(len(classes), -1).tolist(),
                posterior=(posterior / posterior.sum(1, keepdims=True)).tolist())
# ---- additive models --------------------------------------------------------------

LEVEL, INTERCEPT, NUMBER_SCALE, TARGET_BINS, PAIR_PARTS = 0.1, 15.0, 4.0, 64, 6


def bins_of(x, lower, upper, bins):
    return np.clip(np.floor((x - lower) / (upper - lower) * bins + 1e-12), 0, bins - 1).astype(int)


def parts_of(place, bins):
    """Bins to parts of about as many rows each: that which the middle of a bin's rows is in."""
    count = np.bincount(place, minlength=bins)
    part = np.minimum(np.floor(PAIR_PARTS * (np.cumsum(count) - count / 2) / count.sum()), PAIR_PARTS - 1)
    return part.astype(int)


def effects_of(f, count):
    """The nearest sum of a function of lines and one of columns, rows weighted by their counts."""
    lines, columns = f.shape
    design = np.hstack([np.kron(np.eye(lines), np.ones((columns, 1))), np.kron(np.ones((lines, 1)), np.eye(columns))])
    root = np.sqrt(count.reshape(-1))
    both = np.linalg.lstsq(root[:, None] * design, root * f.reshape(-1), rcond=None)[0]
    return both[:lines], both[lines:]


def classes_of(x):
    """The same rule as in test/t/062_gam.pl: of three classes, by the first three columns."""
    return (x[:, 0] - x[:, 1] > 0.5).astype(int) + (x[:, 2] > 1.0)


def softmax_additive(design, penalty, y, bins):
    """Newton's method for the coefficients of all classes at once, halved where the penalised likelihood falls."""
    classes, n = y.max() + 1, design.shape[1]
    target = np.eye(classes)[y]

    def value(b):
        score = design @ b.T
        return (score * target).sum() - logsumexp(score, axis=1).sum() - 0.5 * np.einsum('ki,ij,kj', b, penalty, b)

    b = np.zeros((classes, n))
    for _ in range(100):
        mean = softmax(design @ b.T, axis=1)
        gradient = (target - mean).T @ design - b @ penalty
        hessian = np.kron(np.eye(classes), penalty)
        for k in range(classes):
            for m in range(classes):
                weight = mean[:, k] * ((k == m) - mean[:, m])
                hessian[k * n:(k + 1) * n, m * n:(m + 1) * n] += (design.T * weight) @ design
        step, part = np.linalg.solve(hessian, gradient.reshape(-1)).reshape(b.shape), 1.0
        while part > 1e-3 and value(b + part * step) < value(b):
            part /= 2
        b = b + part * step
        if np.abs(step).max() < 1e-13 * np.abs(b).max():
            break
    shape = b.reshape(classes, -1, bins)
    level = (design.sum(0).reshape(-1, bins) * shape).sum(2) / len(y)
    return {'contributions': (shape - level[:, :, None]).tolist(), 'intercept': level.sum(1).tolist()}


def additive(golden, directory):
    """Penalised fit: differences of neighbouring bins ~ N(0, v), levels and the intercept nearly free (core/gam/gam_rules.c)."""
    columns, bins = golden['columns'], golden['bins']
    x = columns_of(directory, golden['dataset'], columns)
    y = columns_of(directory, golden['dataset'], [golden['target']])[:, 0]
    p, n = len(columns), len(columns) * bins
    pairs = [[columns.index(name) for name in pair.split(':')] for pair in golden.get('pairs', [])]
    place = [bins_of(x[:, j], golden['lower'][j], golden['upper'][j], bins) for j in range(p)]
    part = [parts_of(at, bins) for at in place]
    cells = PAIR_PARTS ** 2
    design = np.zeros((len(x), n + len(pairs) * cells))
    for j in range(p):
        design[np.arange(len(x)), j * bins + place[j]] = 1
    for q, (i, j) in enumerate(pairs):
        design[np.arange(len(x)), n + q * cells + part[i][place[i]] * PAIR_PARTS + part[j][place[j]]] = 1
    number = golden['link'] == 'identity'
    scale, half = (NUMBER_SCALE, (golden['upper'][p] - golden['lower'][p]) / 2) if number else (1.0, 1.0)
    steps = np.diff(np.eye(bins), axis=0)
    prior = np.eye(n + len(pairs) * cells) / (1 / golden['prior_variance'] + LEVEL / scale)
    prior[:n, :n] = np.kron(np.eye(p), np.linalg.inv(steps.T @ steps / golden['prior_variance'] + LEVEL / scale * np.eye(bins)))
    penalty = np.linalg.inv(prior + (INTERCEPT / (p + len(pairs))) ** 2 * scale)
    middle = 0.0
    if number:
        place = bins_of(y, golden['lower'][p], golden['upper'][p], TARGET_BINS)
        middle = np.mean(-1 + (place + 0.5) * 2 / TARGET_BINS)
        y = (y - golden['lower'][p]) / half - 1 - middle
    if golden['link'] == 'softmax':
        return dict(golden, **softmax_additive(design, penalty, classes_of(x), bins))
    b = np.zeros(design.shape[1])
    for _ in range(100):
        mean = design @ b if number else expit(design @ b)
        weight = np.ones(len(x)) if number else mean * (1 - mean)
        step = np.linalg.solve((design.T * weight) @ design + penalty, design.T @ (y - mean) - penalty @ b)
        b = b + step
        if np.abs(step).max() < 1e-13 * np.abs(b).max():
            break
    count = design.sum(0)
    shapes = []
    for q, (i, j) in enumerate(pairs):
        rows = count[n + q * cells:n + (q + 1) * cells].reshape(PAIR_PARTS, PAIR_PARTS)
        f = b[n + q * cells:n + (q + 1) * cells].reshape(PAIR_PARTS, PAIR_PARTS)
        first, second = effects_of(f, rows)
        b[i * bins:(i + 1) * bins] += first[part[i]]
        b[j * bins:(j + 1) * bins] += second[part[j]]
        shapes.append((half * (f - first[:, None] - second[None]))[np.ix_(np.unique(part[i]), np.unique(part[j]))].reshape(-1).tolist())
    b = b[:n].reshape(p, bins)
    level = (count[:n].reshape(p, bins) * b).sum(1) / len(x)
    start = golden['lower'][p] + half * (1 + middle) if number else 0.0
    fit = dict(golden, contributions=(half * (b - level[:, None])).tolist(), intercept=start + half * level.sum())
    return dict(fit, shapes=shapes) if pairs else fit


# ---- topics -------------------------------------------------------------------

def documents(golden, directory):
    kept = []
    with open_text(directory, golden['corpus'] + '.docs') as lines:
        for line, _ in zip(lines, range(300)):
            pairs = [tuple(map(int, pair.split(':'))) for pair in line.split()]
            pairs = [(term, count) for term, count in pairs if term < golden['vocabulary']]
            if pairs:
                kept.append((np.array([p[0] for p in pairs]), np.array([float(p[1]) for p in pairs])))
    return kept


def expected_log(a):
    return digamma(a) - digamma(a.sum(-1, keepdims=True))


def topics(golden, directory):
    """Full-batch variational Bayes (Hoffman, Blei and Bach 2010, algorithm 1), E-steps to convergence from gamma = 1."""
    k, v = golden['topics'], golden['vocabulary']
    alpha, eta = golden['alpha'], golden['eta']
    kept = documents(golden, directory)
    lam = np.array([[1 + ((7 * t + 3 * w) % 11) / 10 for w in range(v)] for t in range(k)])
    bounds = []
    for _ in range(golden['passes']):
        log_beta = expected_log(lam)
        total = np.zeros((k, v))
        bound = (gammaln(v * eta) - gammaln(lam.sum(1)) + (gammaln(lam) - gammaln(eta)).sum(1)
                 + ((eta - lam) * log_beta).sum(1)).sum()
        for term, count in kept:
            share, of_document = document_step(k, alpha, log_beta[:, term], count)
            total[:, term] += share
            bound += of_document
        bounds.append(bound)
        lam = eta + total
    return dict(golden, kept=len(kept), bounds=bounds, lambda_after=lam.tolist())


def document_step(k, alpha, log_beta, count):
    gamma = np.ones(k)
    for _ in range(100000):
        log_phi = expected_log(gamma)[:, None] + log_beta
        phi = np.exp(log_phi - logsumexp(log_phi, axis=0))
        new = alpha + phi @ count
        change = np.abs(new - gamma).max()
        gamma = new
        if change < 1e-13:
            break
    log_theta = expected_log(gamma)
    words = (count * logsumexp(log_theta[:, None] + log_beta, axis=0)).sum()
    prior = gammaln(k * alpha) - k * gammaln(alpha) - gammaln(gamma.sum()) + gammaln(gamma).sum() + ((alpha - gamma) * log_theta).sum()
    return phi * count, words + prior


# ---- the files ----------------------------------------------------------------

BLOBS = {'dataset': 'blobs', 'columns': [f'x{i}' for i in range(1, 7)], 'clip_norm': 1.0}
SIX = dict(BLOBS, lower=-10.0, upper=10.0)
PLACES = {'dataset': 'places', 'columns': ['lat', 'lon'], 'lower': [-90.0, -180.0], 'upper': [90.0, 180.0], 'k': 5, 'iterations': 10,
          'init_means': [[-30.0, 20.0], [10.0, 100.0], [50.0, -40.0], [20.0, 30.0], [-10.0, -120.0]]}
BLOBS_START = [[1.0, 0.0, 0.5, 0.0, 0.0, 0.3], [-1.0, 0.5, 0.0, 0.2, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0, 0.4, 0.0]]


def requests():
    blobs = dict(BLOBS, lower=[-10.0] * 6, upper=[10.0] * 6, k=3, iterations=10, init_means=BLOBS_START)
    return {
        'gmm_blobs.json': (mixtures, dict(blobs, init_variance=0.02)),
        'gmm_places.json': (mixtures, dict(PLACES, clip_norm=2 ** 0.5, init_variance=0.05)),
        'kmeans.json': (lloyd, [blobs, PLACES]),
        'fa.json': (factors, dict(SIX, iterations=20, fits=[{'factors': k} for k in (1, 2, 3)])),
        'pca.json': (components, SIX),
        'logit.json': (logistic, dict(SIX, label='label')),
        'linreg.json': (linear, [dict(dataset='blobs', columns=['x1', 'x2', 'x3', 'x4', 'x5'], target='x6', lower=[-10.0] * 6, upper=[10.0] * 6),
                                 dict(dataset='blobs', columns=['x3'], target='x1', lower=[-1e6, -10.0], upper=[1e6, 1e3]),
                                 dict(dataset='places', columns=['lon'], target='lat', lower=[-180.0, -90.0], upper=[180.0, 90.0]),
                                 dict(dataset='blobs', columns=['x1', 'x2', 'x3'], target='x6', lower=[-10.0] * 4, upper=[10.0] * 4,
                                      fourier=dict(dimension=12, width=1.5, seed=5))]),
        'bayes.json': (bayes, dict(SIX, label='label', points=40)),
        'gam.json': (additive, [dict(SIX, link='logistic', target='label', bins=8, prior_variance=0.5, lower=[-10.0] * 6, upper=[10.0] * 6),
                                dict(dataset='blobs', link='identity', columns=['x1', 'x2', 'x3', 'x4', 'x5'], target='x6', bins=16, prior_variance=0.1,
                                     lower=[-10.0] * 6, upper=[10.0] * 6),
                                dict(dataset='places', link='identity', columns=['lon'], target='lat', bins=32, prior_variance=5.0,
                                     lower=[-180.0, -90.0], upper=[180.0, 90.0]),
                                dict(SIX, link='logistic', target='label', bins=8, prior_variance=0.5, pairs=['x1:x2', 'x3:x6'], lower=[-10.0] * 6,
                                     upper=[10.0] * 6),
                                dict(dataset='blobs', link='identity', columns=['x1', 'x2', 'x3'], target='x6', bins=16, prior_variance=0.1,
                                     pairs=['x1:x3'], lower=[-10.0] * 4, upper=[10.0] * 4),
                                dict(SIX, link='softmax', target='label', bins=8, prior_variance=0.5, lower=[-10.0] * 6, upper=[10.0] * 6)]),
        'lda.json': (topics, {'corpus': 'words', 'topics': 4, 'vocabulary': 60, 'alpha': 0.2, 'eta': 0.2, 'passes': 5}),
    }


def compute(function, request, directory):
    return [function(r, directory) for r in request] if isinstance(request, list) else function(request, directory)


def difference(got, expected, signless=False):
    """Largest difference relative to the largest value, of every array by itself; a component's sign is free."""
    if isinstance(expected, dict):
        return max([difference(got[key], value, key == 'components') for key, value in expected.items()])
    if isinstance(expected, str):
        return float(got != expected)
    if isinstance(expected, list) and isinstance(expected[0], (dict, str)):
        return max(difference(g, e) for g, e in zip(got, expected))
    got, expected = np.asarray(got, dtype=float), np.asarray(expected, dtype=float)
    if signless:
        got, expected = np.abs(got), np.abs(expected)
    return float(np.abs(got - expected).max() / max(np.abs(expected).max(), 1e-300))


def check(directory, data):
    for name in sorted(os.listdir(directory)):
        for start, function in (('gmm_', mixtures), ('kmeans', lloyd), ('fa', factors), ('pca', components), ('logit', logistic), ('linreg', linear), ('bayes', bayes), ('gam', additive), ('lda', topics)):
            if name.startswith(start) and name.endswith('.json'):
                golden = json.load(open(os.path.join(directory, name)))
                print(f'{name}: {difference(compute(function, golden, data), golden):.1e}')


def main():
    if sys.argv[1:2] == ['check']:
        check(*sys.argv[2:])
        return
    for name, (function, request) in requests().items():
        with open(os.path.join(HERE, name), 'w') as out:
            json.dump(compute(function, request, DATA), out, separators=(',', ':'))
            out.write('\n')


if __name__ == '__main__':
    main()
