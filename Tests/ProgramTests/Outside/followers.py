"""Lets two programs follow a session on a network of its own: followers.py MOMU; to be run under `unshare --net`."""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import children

here = os.path.dirname(os.path.abspath(__file__))
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
home = tempfile.TemporaryDirectory()
environment = os.environ | {
    "XDG_STATE_HOME": home.name, "HOME": home.name, "PYTHONPATH": os.path.join(here, "../../../.build-python")}
children.within()
children.start(
    [sys.argv[1], "session", "--conduct", "--tempo", "240"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL, env=environment)
for words in [[sys.executable, f"{here}/follow.py", "8"], ["chuck", "--silent", f"{here}/follow.ck:8"]]:
    follower = children.start(words, stdout=subprocess.PIPE, text=True, env=environment)
    said = follower.communicate(timeout=120)[0].split("\n")[:-1]
    beats = [int(line.split()[1]) for line in said]
    # Each beat once and in order; a busy machine may let one pass.
    print(beats == sorted(set(beats)), beats[-1] >= 8, {line.split(" at ")[1] for line in said})
