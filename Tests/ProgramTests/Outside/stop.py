"""Starts a program, sends it signals once a file of its has grown, and prints its exit status.

stop.py FILE SIGNAL[,SIGNAL...] PROGRAM [ARGUMENT...]; several signals are sent again and again until it ends.
"""
import os
import signal
import subprocess
import sys

path, names, command = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]


def as_in_a_terminal():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


program = subprocess.Popen(command, preexec_fn=as_in_a_terminal)
signal.alarm(120)  # Should it never end, this script does.
while program.poll() is None and not (os.path.exists(path) and os.path.getsize(path) > 100_000):
    pass
for name in names:
    program.send_signal(getattr(signal, "SIG" + name))
while len(names) > 1 and program.poll() is None:
    program.send_signal(getattr(signal, "SIG" + names[-1]))
print("status", program.wait())
