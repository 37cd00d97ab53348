"""Lets two programs follow a session on a network of its own: followers.py MOMU; to be run under `unshare --net`."""
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
conductor = subprocess.Popen(
    [sys.argv[1], "session", "--conduct", "--tempo", "240"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL, env=environment)
signal.signal(signal.SIGALRM, lambda *_: (conductor.kill(), sys.exit("nothing happens any more")))
signal.alarm(60)
for words in [[sys.executable, f"{here}/follow.py", "8"], ["chuck", "--silent", f"{here}/follow.ck:8"]]:
    said = subprocess.run(words, capture_output=True, text=True, env=environment).stdout.split("\n")[:-1]
    beats = [int(line.split()[1]) for line in said]
    # Each beat once and in order; a busy machine may let one pass.
    print(beats == sorted(set(beats)), beats[-1] >= 8, {line.split(" at ")[1] for line in said})
conductor.terminate()
conductor.wait()
