"""Documents for `make bench-lda`: lda_corpus.py ARCHIVE DOCUMENTS WORDS TOPICS TERMS

Drawn from a topic model of that many topics, words of a document independently: writes them as compressed sparse rows to
ARCHIVE (.npz, not compressed), and to the standard output as arrays of two rows, of terms from 1 and of counts, for COPY.
"""
import sys

import numpy

BATCH = 1000


def draw(random, n, words, cumulative):
    """n documents: row pointers, terms and counts"""
    topics, terms = cumulative.shape
    mixture = random.dirichlet(numpy.full(topics, 0.1), n).cumsum(axis=1)
    topic = (random.random((n, words, 1)) > mixture[:, None, :-1]).sum(axis=2)
    # one search for all topics: their distributions one after the other
    term = numpy.searchsorted((cumulative + numpy.arange(topics)[:, None]).ravel(), topic + random.random((n, words)))
    term = numpy.minimum(term - topic * terms, terms - 1)
    key, count = numpy.unique(numpy.arange(n)[:, None] * terms + term, return_counts=True)
    return numpy.bincount(key // terms, minlength=n), key % terms, count


def main():
    archive = sys.argv[1]
    n, words, topics, terms = (int(x) for x in sys.argv[2:6])
    random = numpy.random.default_rng(1)
    # words of a language: some occur everywhere, most in few topics
    base = 1 / numpy.arange(1, terms + 1)
    cumulative = random.dirichlet(base / base.sum() * 200, topics).cumsum(axis=1)
    lengths, columns, counts = [], [], []
    for first in range(0, n, BATCH):
        some = draw(random, min(BATCH, n - first), words, cumulative)
        at = numpy.concatenate([[0], some[0].cumsum()])
        for i in range(len(some[0])):
            part = slice(at[i], at[i + 1])
            sys.stdout.write("{{%s},{%s}}\n" % (",".join(map(str, some[1][part] + 1)), ",".join(map(str, some[2][part]))))
        lengths.append(some[0])
        columns.append(some[1].astype(numpy.int32))
        counts.append(some[2].astype(float))
    numpy.savez(archive, pointers=numpy.concatenate([[0], numpy.concatenate(lengths).cumsum()]),
                columns=numpy.concatenate(columns), counts=numpy.concatenate(counts))


main()
