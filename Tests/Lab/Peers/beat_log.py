"""A beat log as `momu session --log-beats` writes it: every 10 ms a line `true_raw_ns beat host_ns`."""
import ctypes
import gc
import os
import platform
import time

CLOCK_MONOTONIC_RAW = 4
CLOCK_GETTIME = {"x86_64": 228, "aarch64": 113}[platform.machine()]
LONGEST_BRACKET = 50_000  # ns
PERIOD = 10_000_000  # ns

syscall = ctypes.CDLL(None).syscall
_time = (ctypes.c_int64 * 2)()
_arguments = (ctypes.c_long(CLOCK_GETTIME), ctypes.c_long(CLOCK_MONOTONIC_RAW), ctypes.byref(_time))


def true_ns():
    """CLOCK_MONOTONIC_RAW past every preloaded library."""
    syscall(*_arguments)
    return _time[0] * 1_000_000_000 + _time[1]


def host_ns():
    """The same clock as the program believes it."""
    return time.clock_gettime_ns(CLOCK_MONOTONIC_RAW)


def record(path, seconds, beat, command=lambda line: None):
    """Writes `beat()` for so many seconds; lines on standard input go to `command`."""
    gc.disable()
    os.set_blocking(0, False)
    begun = due = true_ns()
    with open(path, "w") as log:
        log.write(f"# joined {begun}\n")
        while (before := true_ns()) < begun + seconds * 1e9:
            value, host, after = beat(), host_ns(), true_ns()
            if after - before > LONGEST_BRACKET:
                continue
            log.write(f"{(before + after) // 2} {value:.9f} {host}\n")
            log.flush()
            for line in _input():
                command(line)
            due = due + PERIOD if due + PERIOD > after else after + PERIOD
            time.sleep(max(0, due - true_ns()) * 1e-9)


def _input():
    try:
        return os.read(0, 4096).decode().splitlines()
    except BlockingIOError:
        return []
