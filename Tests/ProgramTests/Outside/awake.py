"""What logind is told while a rhythm plays: awake.py MOMU. To be run under `unshare --net --mount --pid --fork`.

A bus and systemd's own logind of this namespace alone; nothing is timed: each step waits for the one before.
"""
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children

LOGIND = "/lib/systemd/systemd-logind"


def start(words, **more):
    return children.start(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, **more)


def inhibitors():
    """Who keeps the machine from what, and why; None while logind does not answer."""
    asked = subprocess.run(["systemd-inhibit", "--list", "--no-legend"], capture_output=True, text=True, env=environment)
    if asked.returncode != 0:
        return None
    # Who, user, its name, process, program, what, why, how.
    rows = [line.split() for line in asked.stdout.splitlines()]
    return [" ".join([row[0], *row[5:]]) for row in rows if row[0] == "MoMu"]


def wait(wanted, label):
    while inhibitors() != wanted:
        time.sleep(0.05)
    print(f"{label}: {', '.join(wanted) or 'may sleep'}")


for words in (["ip", "link", "set", "lo", "up"], ["mount", "--make-rprivate", "/"],
              ["mount", "-t", "tmpfs", "none", "/run"], ["mount", "-t", "proc", "none", "/proc"]):
    subprocess.run(words, check=True)
# By the first logind knows that it is systemd that has started the system.
for folder in ("/run/systemd/system", "/run/dbus"):
    os.makedirs(folder)
home = tempfile.TemporaryDirectory()
environment = {key: value for key, value in os.environ.items() if not key.startswith("DBUS_")} | {
    "XDG_STATE_HOME": home.name, "XDG_CONFIG_HOME": home.name, "HOME": home.name}
children.within()

start(["dbus-daemon", "--system", "--nofork", "--nopidfile"])
while not os.path.exists("/run/dbus/system_bus_socket"):
    time.sleep(0.01)
start([LOGIND])
wait([], "nothing plays")
held = ["MoMu sleep:idle a rhythm is playing block"]
momu = start([sys.argv[1], "session", "--conduct"], stdin=subprocess.PIPE, text=True)


def say(line):
    momu.stdin.write(line + "\n")
    momu.stdin.flush()


wait(held, "playing")
say("tempo 90")
say("stop")
wait([], "stopped")
say("start")
wait(held, "started again")
momu.kill()
momu.wait()
wait([], "killed")
