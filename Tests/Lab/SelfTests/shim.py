"""The bent clocks, held against the true ones in the same process."""
import json
import os
import subprocess
import sys

from nodes import BUILT
from Peers.beat_log import true_ns

here = os.path.dirname(os.path.abspath(__file__))


def believer(part, ppm, offset, base):
    """What believer.py reports of a part under such a clock."""
    bent = {"LD_PRELOAD": os.path.abspath(f"{BUILT}/skew.so"), "SKEW_PPM": str(ppm), "SKEW_OFFSET_NS": str(offset),
            "SKEW_BASE_NS": str(base), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": f"{here}/..",
            "PATH": os.environ["PATH"]}
    done = subprocess.run(["env", "-i", *[f"{name}={value}" for name, value in bent.items()], sys.executable,
                           f"{here}/believer.py", part], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def apart():
    """Clocks 100 ppm apart diverge by 100 µs a second from the base on, in every clock there is."""
    ahead = 10**9
    base = true_ns() - 20 * 10**9  # so that the lab is 20 s old: 1 ms each way
    for ppm, offset in ((50, 0), (-50, ahead)):
        for name, (before, bent, after, raw) in believer("clocks", ppm, offset, base).items():
            wanted = (before + after) / 2 + offset + (raw - base) * ppm * 1e-6
            coarse = 12_000_000 if "COARSE" in name or name == "time" else 0
            whole = 10**9 if name == "time" else 0
            tolerance = 30_000 + (after - before) + coarse + whole
            assert abs(bent - wanted) <= tolerance, f"{name} is {bent - wanted:.0f} ns off at {ppm} ppm"


def exact():
    """CLOCK_MONOTONIC_RAW follows the law to the microsecond, in programs started at different times."""
    base = true_ns() - 3600 * 10**9
    for _ in range(2):
        believed = believer("raw", 50, 123_456_789, base)
        off = min((bent - ((before + after) / 2 + 123_456_789 + ((before + after) / 2 - base) * 50e-6)
                   for before, bent, after in believed), key=abs)
        assert abs(off) < 1000, f"{off:.0f} ns off"


def stamps():
    """The kernel's receive stamps are bent like the clock they are compared with."""
    for ppm, offset in ((50, 3600 * 10**9), (-50, 0)):
        for name, (before, stamp, after) in believer("stamps", ppm, offset, true_ns() - 100 * 10**9).items():
            assert before - 2000 <= stamp <= after + 2000, f"{name}: {stamp - before} of {after - before} ns"


def waits():
    """A sleep until a believed moment ends at that moment, whatever hour the program believes it is."""
    for name, (believed, true) in believer("waits", 50, 3600 * 10**9, true_ns()).items():
        assert 0.1e9 <= true < 5e9, f"{name}: 0.1 s took {true * 1e-9:.3f} s"


def unset():
    """Without a skew the clocks are as they were."""
    for before, bent, after in believer("raw", 0, 0, 0):
        assert before <= bent <= after


laws = [apart, exact, stamps, waits, unset]
