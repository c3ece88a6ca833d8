"""scikit-learn's Gaussian mixture for `make bench`: speed_sklearn.py DATA N D K ITERATIONS

Prints the seconds that reading and fitting take, and the greatest resident memory in MB.
"""
import resource
import sys
import time
import warnings

import numpy
from sklearn.mixture import GaussianMixture


def main():
    path = sys.argv[1]
    n, d, k, iterations = (int(x) for x in sys.argv[2:6])
    warnings.simplefilter("ignore")
    started = time.perf_counter()
    rows = numpy.fromfile(path).reshape(n, d)
    loaded = time.perf_counter()
    # a given start: neither k-means nor responsibilities of a first guess are timed
    model = GaussianMixture(
        k, tol=0, max_iter=iterations, weights_init=numpy.full(k, 1 / k),
        means_init=numpy.fromfile(path + ".means").reshape(k, d),
        precisions_init=numpy.tile(numpy.eye(d), (k, 1, 1)), init_params="random", random_state=1)
    model.fit(rows)
    fitted = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print("%.3f %.3f %.0f" % (loaded - started, fitted - loaded, peak))


main()
