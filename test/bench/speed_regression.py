"""scikit-learn's regression and classifier on exported rows, for speed_regression.pl: speed_regression.py MODEL COPY COLUMNS

MODEL: linreg (LinearRegression) or gam (HistGradientBoostingClassifier).  COPY: a binary COPY of COLUMNS float8 columns, none of
them NULL, the last of which is explained.  Prints nothing; the process is timed.
"""
import sys

import numpy

HEADER = 19


def main():
    kind, path, columns = sys.argv[1], sys.argv[2], int(sys.argv[3])
    field = numpy.dtype([("length", ">i4"), ("value", ">f8")])
    row = numpy.dtype([("fields", ">i2"), ("field", field, (columns,))])
    with open(path, "rb") as copy:
        rows = numpy.frombuffer(copy.read()[HEADER:-2], row)["field"]["value"].astype("<f8")
    if kind == "linreg":
        from sklearn.linear_model import LinearRegression as Model
    else:
        from sklearn.ensemble import HistGradientBoostingClassifier as Model
    Model().fit(rows[:, :-1], rows[:, -1])


main()
