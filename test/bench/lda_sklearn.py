"""scikit-learn's online LDA for `make bench-lda`: lda_sklearn.py ARCHIVE TERMS TOPICS BATCH STEPS PROCESSES

One epoch over the documents of lda_corpus.py in batches, with as many E-steps for every document, no early stop.
Prints the seconds that reading and fitting take, and the greatest resident memory in MB of this process and, beside
it, of its largest child.
"""
import resource
import sys
import time

import numpy
from scipy.sparse import csr_matrix
from sklearn.decomposition import LatentDirichletAllocation


def main():
    archive = sys.argv[1]
    terms, topics, batch, steps, processes = (int(x) for x in sys.argv[2:7])
    started = time.perf_counter()
    data = numpy.load(archive)
    rows = csr_matrix((data["counts"], data["columns"], data["pointers"]), shape=(len(data["pointers"]) - 1, terms))
    loaded = time.perf_counter()
    model = LatentDirichletAllocation(
        topics, learning_method="online", batch_size=batch, max_iter=1, learning_decay=0.7, learning_offset=1024,
        max_doc_update_iter=steps, mean_change_tol=0, n_jobs=processes, random_state=1)
    model.fit(rows)
    fitted = time.perf_counter()
    peak = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print("%.3f %.3f %.0f %.0f" % (loaded - started, fitted - loaded, *peak))


main()
