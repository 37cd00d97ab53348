"""Programs that end with the script that started them, whatever ends it: a failure, a signal, SIGKILL too."""
import atexit
import ctypes
import os
import signal
import subprocess
import sys
import tempfile

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


class Output:
    """A file that a program writes and the script reads at any time; give it as stdout or stderr.

    The program and the script share one file offset: if the script seeks, the program overwrites its own lines.
    """

    def __init__(self):
        self.file = tempfile.TemporaryFile()

    def fileno(self):
        return self.file.fileno()

    def read(self):
        """All that is written so far."""
        return os.pread(self.fileno(), os.fstat(self.fileno()).st_size, 0).decode(errors="replace")


def within(seconds=300):
    """Ends the script where nothing happens any more, and in order where it is told to end.

    The limit is for programs that hang: a busy machine may need minutes for what takes seconds.
    """
    for ending in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(ending, lambda number, _: sys.exit(128 + number))
    signal.signal(signal.SIGALRM, lambda *_: sys.exit("nothing happens any more"))
    signal.alarm(seconds)
