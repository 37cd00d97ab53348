"""Lets two programs follow a session on a network of its own: followers.py MOMU; to be run under `unshare --net`."""
import ctypes
import os
import signal
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
home = tempfile.TemporaryDirectory()
environment = os.environ | {
    "XDG_STATE_HOME": home.name, "HOME": home.name, "PYTHONPATH": os.path.join(here, "../../../.build-python")}

PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None)


def dies_with_us():
    """In a new child: whatever ends this script, SIGKILL too, ends the child."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


for ending in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(ending, lambda number, _: sys.exit(128 + number))
signal.signal(signal.SIGALRM, lambda *_: sys.exit("nothing happens any more"))
signal.alarm(60)
conductor = subprocess.Popen(
    [sys.argv[1], "session", "--conduct", "--tempo", "240"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL, env=environment, preexec_fn=dies_with_us)
try:
    for words in [[sys.executable, f"{here}/follow.py", "8"], ["chuck", "--silent", f"{here}/follow.ck:8"]]:
        said = subprocess.run(
            words, capture_output=True, text=True, env=environment, preexec_fn=dies_with_us).stdout.split("\n")[:-1]
        beats = [int(line.split()[1]) for line in said]
        # Each beat once and in order; a busy machine may let one pass.
        print(beats == sorted(set(beats)), beats[-1] >= 8, {line.split(" at ")[1] for line in said})
finally:
    conductor.kill()
    conductor.wait()
