"""The lab's own noise: a peer that needs no network: dummy.py SECONDS LOG

It reads its bent clock like any program, takes the known bend out again, and logs the beat of the rest.
"""
import os
import sys

from beat_log import host_ns, record

ppm, offset, base = [float(os.environ.get(name, 0)) for name in ("SKEW_PPM", "SKEW_OFFSET_NS", "SKEW_BASE_NS")]
seconds, path = sys.argv[1:]
NS_A_BEAT = 500_000_000

record(path, float(seconds), lambda: (host_ns() - offset - base) / (1 + ppm * 1e-6) / NS_A_BEAT)
