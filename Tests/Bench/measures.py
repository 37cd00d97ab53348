"""Whole processes, timed and weighed from outside."""
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time


def surroundings(folder):
    """The environment without anybody's settings, so that all runs are alike."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MOMU_")}
    return kept | {"XDG_CONFIG_HOME": folder, "TERM": "dumb"}


def output(*command, env=None):
    """What a command prints; ends the benchmark with the command's own words where it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}{done.stdout}")
    return done.stdout


def seconds(*command, env=None, directory=None):
    """How long a command takes."""
    begun = time.monotonic()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env, cwd=directory)
    taken = time.monotonic() - begun
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}{done.stdout}")
    return taken


def milliseconds_to_stamp(*command, env=None):
    """From just before the process is made to the host time it prints."""
    begun = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    return (int(output(*command, env=env)) - begun) * 1e-6


def milliseconds_to_line(*command):
    """From just before the process is made to its first line on standard error."""
    begun = time.monotonic_ns()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        process.stderr.readline()
        taken = time.monotonic_ns() - begun
        process.kill()
    return taken * 1e-6


def peak_megabytes(*command, env=None):
    """The most memory a process ever had resident.

    Asked of the process while it runs: what wait4 says of a child includes what its parent held.
    """
    peak = 0
    with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env) as process:
        while process.poll() is None:
            with open(f"/proc/{process.pid}/status") as status:
                lines = [line for line in status if line.startswith("VmHWM:")]
            if lines:
                peak = int(lines[0].split()[1]) / 1024
            time.sleep(0.01)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} failed")
    return peak


def clean_build(directory, scratch, product):
    """Seconds to build one product into an empty folder: by the clock, and on all processors together."""
    shutil.rmtree(scratch, ignore_errors=True)
    before = processor_seconds()
    taken = seconds("swift", "build", "--product", product, "--scratch-path", scratch, directory=directory)
    return taken, processor_seconds() - before


def processor_seconds():
    """What all finished children have used."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def processor_time(*command):
    """Seconds that a command keeps a processor busy."""
    before = processor_seconds()
    output(*command)
    return processor_seconds() - before


def turns(*measurements, times=7):
    """Lets measurements take turns, A B A B …: a list of each one's results."""
    rounds = [[measure() for measure in measurements] for _ in range(times)]
    return [list(results) for results in zip(*rounds)]


median = statistics.median
