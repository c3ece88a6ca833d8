#!/usr/bin/python3
"""Corpora that topics are judged on, unlike each other: utility_topics_data.py NAME FILE

Writes FILE: a document per line, as an array of two rows, of terms from 1 and of counts, for COPY,
and prints a line of JSON: the number of topics to fit, and of terms.  Prints nothing where the
data is absent.  Generated corpora depend on their name alone.
"""
import gzip
import json
import os
import sys
import zlib

import numpy as np

DATA = os.environ.get("DPEM_DATA", "../shared/data")


def reference(name, topics):
    path = os.path.join(DATA, name)
    if not os.path.exists(path + ".docs.gz"):
        return None
    with gzip.open(path + ".vocab.gz", "rt") as lines:
        terms = sum(1 for _ in lines)
    documents = []
    with gzip.open(path + ".docs.gz", "rt") as lines:
        for line in lines:
            pairs = [tuple(map(int, pair.split(":"))) for pair in line.split() if ":" in pair]
            if pairs:
                documents.append(([t + 1 for t, _ in pairs], [n for _, n in pairs]))
    return topics, terms, documents


def repeat(random, words, burst):
    """each word becomes with this probability one that the document has already: words come in bursts"""
    for j in range(1, len(words)):
        if random.random() < burst:
            words[j] = words[random.integers(j)]


def generated(random, lengths, terms, topics, diverse, mixed, burst=0.0, asked=None):
    """lengths of documents; terms by Zipf's law, in each topic as a Dirichlet draw of this sum;
    documents' mixtures as one of the sum `mixed` times the number of topics; `asked` topics are fitted"""
    base = 1 / (np.arange(terms) + 5)
    base /= base.sum()
    beta = random.dirichlet(base * diverse, topics) if topics > 1 else base[None, :]
    below = np.maximum(beta, 1e-300).cumsum(axis=1)
    weight = random.dirichlet(np.full(topics, 2.0))
    number = random.permutation(terms) + 1
    documents = []
    for length in lengths:
        mixture = random.dirichlet(weight * topics * mixed + 1e-9)
        topic = random.choice(topics, size=length, p=mixture / mixture.sum())
        place = random.random(length)
        words = np.array([np.searchsorted(below[k], u * below[k][-1]) for k, u in zip(topic, place)])
        repeat(random, words, burst)
        found, count = np.unique(number[np.minimum(words, terms - 1)], return_counts=True)
        documents.append((found.tolist(), count.tolist()))
    return asked or topics, terms, documents


def lognormal(random, mean, spread, n):
    return np.maximum(1, np.round(random.lognormal(np.log(mean) - spread ** 2 / 2, spread, n))).astype(int)


SETS = {
    "kos": lambda r: reference("kos", 20),
    "wiki_sections": lambda r: reference("wiki_sections", 20),
    "titles": lambda r: generated(r, 2 + r.binomial(8, 0.4, 49000), 5000, 20, 300, 0.1),
    "vague_titles": lambda r: generated(r, 2 + r.binomial(8, 0.4, 20000), 3000, 10, 3000, 0.5),
    "posts": lambda r: generated(r, lognormal(r, 100, 1.0, 18000), 8000, 20, 500, 0.15, burst=0.2),
    "few_documents": lambda r: generated(r, r.poisson(200, 500), 2000, 10, 300, 0.2),
    "uneven_lengths": lambda r: generated(r, np.minimum(3000, 5 * r.pareto(0.9, 5000) + 5).astype(int), 10000, 15, 500, 0.2, burst=0.2),
    "few_terms": lambda r: generated(r, r.poisson(60, 3000) + 1, 500, 8, 100, 0.2),
    "no_topics": lambda r: generated(r, lognormal(r, 60, 0.7, 6000), 4000, 1, 1, 1, asked=10),
    "abstracts": lambda r: generated(r, lognormal(r, 45, 0.5, 9000), 6000, 15, 700, 0.25, burst=0.15),
}


def main():
    name, path = sys.argv[1:3]
    corpus = SETS[name](np.random.default_rng(zlib.crc32(name.encode())))
    if corpus is None:
        return
    topics, terms, documents = corpus
    with open(path, "w") as out:
        for number, (term, count) in enumerate(documents):
            out.write("%d\t{{%s},{%s}}\n" % (number % 10, ",".join(map(str, term)), ",".join(map(str, count))))
    print(json.dumps({"k": topics, "terms": terms, "documents": len(documents),
                      "words": round(sum(sum(count) for _, count in documents) / len(documents), 1)}))


main()
