"""Golden values of linear classifiers, by scikit-learn's penalised fits.

    python3 classifiers.py          writes classifiers.json for the data of ../data
    python3 classifiers.py check    prints the largest difference from the file that is there

Rows are in the ball: every column to [-1, 1] by its bounds, one more that is 1, all divided by the square
root of their number.  The penalty is on all coefficients, 1 / (2 prior_variance) times their squared norm.

The Huberised hinge with h so wide that no margin is below 1 - h is the squared hinge of margins over 1 + h:
l(z) = (1 + h)^2 / 4h max(0, 1 - z / (1 + h))^2, hence LinearSVC with C = prior_variance / 4h.  A narrow
one is minimised by scipy, as scikit-learn has none.
"""
import csv
import gzip
import json
import os
import sys

import numpy as np
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = [f'x{j}' for j in range(1, 7)]
BOUND = 10.0
FITS = [
    dict(loss='hinge', smoothing=100.0, prior_variance=4000.0, classes=2),
    dict(loss='hinge', smoothing=100.0, prior_variance=4.0, classes=3),
    dict(loss='hinge', smoothing=0.5, prior_variance=50.0, classes=2),
    dict(loss='multinomial', smoothing=1.0, prior_variance=20.0, classes=3),
]


def rows():
    path = os.path.join(HERE, '..', 'data', 'blobs.csv')
    with gzip.open(path + '.gz', 'rt') if os.path.exists(path + '.gz') else open(path) as file:
        table = list(csv.DictReader(file))
    own = np.array([[float(row[c]) for c in COLUMNS] for row in table])
    ball = np.hstack([np.clip(own, -BOUND, BOUND) / BOUND, np.ones((len(own), 1))]) / np.sqrt(len(COLUMNS) + 1)
    return own, ball


def classes_of(own, classes):
    """The same rule as in test/t/062_svm_golden.pl: by the first two columns."""
    two = (own[:, 0] - own[:, 1] > 0.5).astype(int)
    return two if classes == 2 else two + (own[:, 2] > 1.0)


def polish(ball, sign, gradient_of, curvature_of, m, variance):
    """Newton's steps from a minimum that is known to a few digits only."""
    for _ in range(10):
        z = sign * (ball @ m)
        gradient = ball.T @ (sign * gradient_of(z)) - m / variance
        hessian = (ball * curvature_of(z)[:, None]).T @ ball + np.eye(len(m)) / variance
        m = m + np.linalg.solve(hessian, gradient)
    return m


def hinge(ball, sign, h, variance):
    def loss(m):
        over = 1 + h - sign * (ball @ m)
        value = np.where(over <= 0, 0, np.where(over >= 2 * h, over - h, over * over / (4 * h)))
        return value.sum() + m @ m / (2 * variance)

    def slope(z):
        return np.clip((1 + h - z) / (2 * h), 0, 1)

    if h > 10:
        fit = LinearSVC(loss='squared_hinge', C=variance / (4 * h), fit_intercept=False, dual=False, tol=1e-8, max_iter=5000)
        m = fit.fit(ball, sign).coef_[0] * (1 + h)
        assert (sign * (ball @ m)).min() > 1 - h
    else:
        gradient = lambda m: m / variance - ball.T @ (sign * slope(sign * (ball @ m)))
        m = minimize(loss, np.zeros(ball.shape[1]), jac=gradient, method='BFGS', options=dict(gtol=1e-9, maxiter=10000)).x
    return polish(ball, sign, slope, lambda z: (np.abs(1 - z) <= h) / (2 * h), m, variance), m


def multinomial(ball, label, classes, variance):
    """All classes' coefficients: scikit-learn's, and Newton's steps of all of them together from there."""
    d = ball.shape[1]
    fit = LogisticRegression(multi_class='multinomial', C=variance, fit_intercept=False, tol=1e-8, max_iter=10000)
    first = fit.fit(ball, label).coef_
    m = first.copy()
    for _ in range(10):
        score = ball @ m.T
        p = np.exp(score - score.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        gradient = (np.eye(classes)[label] - p).T @ ball - m / variance
        hessian = np.eye(classes * d) / variance
        for k in range(classes):
            for l in range(classes):
                weight = p[:, k] * ((k == l) - p[:, l])
                hessian[k * d:(k + 1) * d, l * d:(l + 1) * d] += (ball * weight[:, None]).T @ ball
        m = m + np.linalg.solve(hessian, gradient.ravel()).reshape(classes, d)
    return m, first


def in_own_units(m):
    unit = np.sqrt(len(COLUMNS) + 1)
    return list(m[:-1] / (BOUND * unit)) + [m[-1] / unit]


def fits(request, ball, label):
    """Of each class, or of two the second: coefficients, and what they were before polishing."""
    classes, variance = request['classes'], request['prior_variance']
    if request['loss'] == 'multinomial':
        return list(zip(*multinomial(ball, label, classes, variance)))
    return [hinge(ball, np.where(label == k, 1.0, -1.0), request['smoothing'], variance) for k in ([1] if classes == 2 else range(classes))]


def fit(request):
    own, ball = rows()
    result = []
    for m, first in fits(request, ball, classes_of(own, request['classes'])):
        print(request, 'polishing moved', np.abs(m - first).max() / np.abs(m).max())
        result.append(in_own_units(m))
    return dict(request, dataset='blobs', columns=COLUMNS, bound=BOUND, coefficients=result)


def main():
    path = os.path.join(HERE, 'classifiers.json')
    values = [fit(request) for request in FITS]
    if sys.argv[1:] == ['check']:
        for new, old in zip(values, json.load(open(path))):
            print(np.abs(np.array(new['coefficients']) / np.array(old['coefficients']) - 1).max())
        return
    with open(path, 'w') as out:
        json.dump(values, out, separators=(',', ':'))
        out.write('\n')


if __name__ == '__main__':
    main()
