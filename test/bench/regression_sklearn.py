#!/usr/bin/python3
"""Models of scikit-learn without privacy, for regression.pl: regression_sklearn.py KIND TRAIN TEST LOWER UPPER

KIND: auc (two classes, `yes` is looked for), accuracy or r2.  TRAIN, TEST: CSV with a header; the answer is the
column label, or y; other columns are numbers or texts, empty where they are missing.  Prints a line for each
model: its name, a tab, its score on the rows of TEST.  Numbers are predicted between LOWER and UPPER.
"""
import csv
import sys

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score, r2_score, roc_auc_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

PARTS = 32


def read(file):
    with open(file, newline='') as lines:
        rows = list(csv.reader(lines))
    return rows[0], rows[1:]


def is_number(values):
    try:
        [float(v) for v in values if v]
    except ValueError:
        return False
    return True


def columns(train, test, answer):
    """numbers with missing ones as the mean, and one-hot columns; cells for naive Bayes"""
    header, rows = train
    wide, cells = [[], []], [[], []]
    for j, name in enumerate(header):
        if name == answer:
            continue
        both = [[row[j] for row in part] for part in (rows, test[1])]
        if is_number(both[0]):
            mean = np.mean([float(v) for v in both[0] if v])
            parts = [np.array([float(v) if v else mean for v in part]) for part in both]
            low, high = parts[0].min(), parts[0].max()
            for i in range(2):
                wide[i].append(parts[i][:, None])
                cells[i].append(np.clip(((parts[i] - low) / (high - low) * PARTS).astype(int), 0, PARTS - 1))
        else:
            place = {v: i for i, v in enumerate(sorted(set(both[0]) | set(both[1])))}
            for i in range(2):
                code = np.array([place[v] for v in both[i]])
                wide[i].append(np.eye(len(place))[code])
                cells[i].append(code)
    return [np.hstack(w) for w in wide], [np.column_stack(c) for c in cells]


def scores(kind, x, cells, y, truth, domain):
    scale = StandardScaler().fit(x[0])
    z = [scale.transform(part) for part in x]
    if kind == 'r2':
        models = {'constant': (DummyRegressor(), x), 'LinearRegression': (LinearRegression(), z),
                  'HistGradientBoosting': (HistGradientBoostingRegressor(), x)}
        return {name: r2_score(truth, np.clip(m.fit(d[0], y).predict(d[1]), *domain)) for name, (m, d) in models.items()}
    most = np.maximum(cells[0].max(0), cells[1].max(0)) + 1
    models = {'constant': (DummyClassifier(), x), 'LogisticRegression': (LogisticRegression(max_iter=300), z), 'LinearSVC': (LinearSVC(dual=False), z),
              'CategoricalNB': (CategoricalNB(min_categories=most), cells), 'HistGradientBoosting': (HistGradientBoostingClassifier(l2_regularization=1), x)}
    if kind == 'accuracy':
        models['SVC, Gaussian kernel'] = (SVC(C=10), z)
    found = {}
    for name, (model, data) in models.items():
        model.fit(data[0], y)
        if kind == 'accuracy':
            found[name] = accuracy_score(truth, model.predict(data[1]))
        else:
            score = model.decision_function(data[1]) if hasattr(model, 'decision_function') else model.predict_proba(data[1])[:, 1]
            found[name] = roc_auc_score(truth == 'yes', score)
    return found


def main():
    kind = sys.argv[1]
    answer = 'y' if kind == 'r2' else 'label'
    train, test = read(sys.argv[2]), read(sys.argv[3])
    y, truth = (np.array([row[part[0].index(answer)] for row in part[1]]) for part in (train, test))
    if kind == 'r2':
        y, truth = y.astype(float), truth.astype(float)
    x, cells = columns(train, test, answer)
    for name, score in scores(kind, x, cells, y, truth, [float(v) for v in sys.argv[4:6]]).items():
        print(f'{name}\t{score}')


main()
