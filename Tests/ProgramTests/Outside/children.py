"""Programs that end with the script that started them, whatever ends it: a failure, a signal, SIGKILL too."""
import atexit
import ctypes
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None)


def dies_with_us():
    """In a new child, before it becomes its program."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def start(words, **more):
    process = subprocess.Popen(words, preexec_fn=dies_with_us, **more)
    atexit.register(process.kill)
    return process


def within(seconds=300):
    """Ends the script where nothing happens any more, and in order where it is told to end.

    The limit is for programs that hang: a busy machine may need minutes for what takes seconds.
    """
    for ending in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(ending, lambda number, _: sys.exit(128 + number))
    signal.signal(signal.SIGALRM, lambda *_: sys.exit("nothing happens any more"))
    signal.alarm(seconds)
