#!/usr/bin/env python3
"""Writes the tables of this directory: made-up rows by public formulas, nobody's data.

blobs.csv    1,500 rows x1..x6 in [-10, 10], three Gaussians of different shapes, a few rows far out, and a label of two
             classes with log-odds 2 x1 - x2 + 0.5
places.csv   1,500 places lat, lon around five cities that do not exist
words.docs   120 documents `term:count ...`, terms from 0: four topics of 15 terms each, and terms beyond the 60 that are read
"""
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))


class Numbers:
    """Uniform numbers: the high half of a 64-bit linear congruential generator (Knuth's MMIX)."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (6364136223846793005 * self.state + 1442695040888963407) % 2 ** 64
        return ((self.state >> 32) + 0.5) / 2 ** 32

    def normal(self):
        return math.sqrt(-2 * math.log(self.uniform())) * math.cos(2 * math.pi * self.uniform())


def write(name, lines):
    with open(os.path.join(HERE, name), 'w') as out:
        out.write('\n'.join(lines) + '\n')


def row(values):
    return ','.join(f'{value:.3f}' for value in values)


def blobs():
    numbers = Numbers(1)
    means = [(3, 1, 0, 2, -1, 0.5), (-4, 2, 1, 0, 0.5, 0), (0, -3, -1, -2, 0, 1)]
    spreads = [(1.5, 0.7, 1, 0.5, 0.4, 0.3), (0.8, 1.2, 0.6, 0.9, 0.5, 0.35), (1.1, 0.6, 0.8, 0.7, 0.3, 0.6)]
    yield 'x1,x2,x3,x4,x5,x6,label'
    for i in range(1500):
        group = (i % 10 > 3) + (i % 10 > 6)
        z = [numbers.normal() for _ in range(6)]
        z = [z[j] if j == 0 else 0.8 * z[j] + 0.6 * z[j - 1] for j in range(6)]
        far = 4 if i % 100 == 99 else 1
        x = [min(max(m + far * s * v, -10), 10) for m, s, v in zip(means[group], spreads[group], z)]
        one = numbers.uniform() < 1 / (1 + math.exp(-(2 * x[0] - x[1] + 0.5) / 3))
        yield row(x) + f',{int(one)}'


def places():
    numbers = Numbers(2)
    cities = [(52, 5, 6), (40, -95, 9), (-28, 135, 7), (12, 78, 8), (-15, -55, 10)]
    yield 'lat,lon'
    for i in range(1500):
        lat, lon, spread = cities[i * i % 7 % 5]
        yield row((lat + 0.6 * spread * numbers.normal(), lon + 1.5 * spread * numbers.normal()))


def words():
    numbers = Numbers(3)
    for i in range(120):
        counts = {}
        for _ in range(20 + i % 13):
            topic = i % 4 if numbers.uniform() < 0.8 else int(4 * numbers.uniform())
            term = 15 * topic + int(15 * numbers.uniform() ** 2)
            term = 60 + i % 5 if numbers.uniform() < 0.03 else term
            counts[term] = counts.get(term, 0) + 1
        yield ' '.join(f'{term}:{count}' for term, count in sorted(counts.items()))


if __name__ == '__main__':
    write('blobs.csv', blobs())
    write('places.csv', places())
    write('words.docs', words())
