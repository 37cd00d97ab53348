"""Messages from one process to another on this machine, each pinned to a core of its own."""
import itertools
import subprocess
import sys

ports = itertools.count(19_000)


def through(receiver, sender, mode, count, rate):
    """Sends messages through: those received a millisecond, the receiver's µs a message and share of a core in %,
    and how many it received.

    A receiver that lost some has been waiting for the last one; its clock stopped with the last that came.
    """
    port = str(next(ports))
    with pinned(1, receiver, mode, port, str(count)) as process:
        wait(process)
        pinned(0, sender, "send", port, str(count), str(rate)).communicate()
        came, nanoseconds, used = map(int, process.communicate()[0].split())
    return came / nanoseconds * 1e6, used / came / 1e3, used / nanoseconds * 100, came


def round_trips(answering, asking):
    """The middle and the 99th of 100 round trips, in µs; one is begun every millisecond."""
    port = str(next(ports))
    with pinned(1, answering, "answer", port) as process:
        wait(process)
        trips = sorted(int(line) for line in pinned(0, asking, "ping", port, "4000").communicate()[0].split())
        process.communicate("\n")
    if len(trips) < 3990:
        sys.exit(f"{answering} answered {len(trips)} of 4000")
    return trips[len(trips) // 2] / 1e3, trips[len(trips) * 99 // 100] / 1e3


def pinned(core, *command):
    return subprocess.Popen(
        ["taskset", "-c", str(core), *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)


def wait(process):
    if process.stdout.readline() != "ready\n":
        sys.exit(f"{process.args} did not start")
