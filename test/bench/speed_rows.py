"""From a binary COPY to what the programs of `make bench` read: speed_rows.py COPY DATA D

COPY holds D float8 columns, none of them NULL; DATA is written as plain doubles, a row after the other.
Prints the seconds that it took.
"""
import sys
import time

import numpy

HEADER = 19


def main():
    source, target, d = sys.argv[1], sys.argv[2], int(sys.argv[3])
    started = time.perf_counter()
    field = numpy.dtype([("length", ">i4"), ("value", ">f8")])
    row = numpy.dtype([("fields", ">i2"), ("field", field, (d,))])
    with open(source, "rb") as copy:
        rows = numpy.frombuffer(copy.read()[HEADER:-2], row)
    rows["field"]["value"].astype("<f8").tofile(target)
    print("%.3f" % (time.perf_counter() - started))


main()
