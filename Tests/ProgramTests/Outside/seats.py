"""Programs at terminals, and at cables that can be cut, whose screens are read as they stand.

What is looked for has a limit, MOMU_PATIENCE seconds (60 without it), after which the answer is no: a script goes on and
tells what it saw instead.
"""
import os
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import children
import players
from players import Player

PATIENCE = float(os.environ.get("MOMU_PATIENCE", "60"))
CABLE = ("until ip link set far up 2>&-; do sleep 0.05; done; ip link set lo up; ip addr add 10.9.0.2/24 dev far; "
         'ip route add 224.0.0.0/4 dev far; exec "$@"')


claims = {}


def claim(text):
    """Names a function that returns whether the claim holds, and what it saw."""
    def add(function):
        claims[text] = function
        return function
    return add


def judge(prepare):
    """Lists the claims, or tests the one that the command line names."""
    if sys.argv[2] == "--list":
        print(*claims, sep="\n")
        sys.exit()
    prepare()
    isTrue, seen = claims[sys.argv[2]]()
    print("yes" if isTrue else f"no: {seen}", flush=True)


def holds(fact, seconds=None):
    """Whether something becomes true in time."""
    end = time.monotonic() + (PATIENCE if seconds is None else seconds)
    while not (found := fact()):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return found


def ip(*words, inside=None):
    subprocess.run([*(["nsenter", "-t", str(inside), "-n"] if inside else []), "ip", *words], check=True)


class Seat(Player):
    """A program at a terminal."""

    def __init__(self, name, words, room="Lab", isApart=False, **more):
        super().__init__(name, [*(["unshare", "--net", "sh", "-c", CABLE, "sh"] if isApart else []), *words, "--room", room],
                         **more)
        if isApart:
            plug(self.process.pid)

    @property
    def now(self):
        return "\n".join(row.rstrip() for row in list(self.screens.screen.display)).strip("\n")

    @property
    def meter(self):
        return players.meter(self.now)

    def sees(self, pattern, seconds=None):
        """Whether something comes to stand on the screen."""
        return holds(lambda: re.search(pattern, self.now), seconds)

    def row(self, pattern):
        """The first row with something, for the report."""
        return next((row.strip() for row in self.now.split("\n") if re.search(pattern, row)), "no such row")

    def sounds(self, seconds=None):
        return holds(lambda: " dB" in self.meter, seconds)

    def is_silent(self, seconds=None):
        """Whether it is silent for two seconds in a row."""
        def rests():
            end = time.monotonic() + 2
            while " silent" in self.meter:
                if time.monotonic() > end:
                    return True
                time.sleep(0.02)
            return False
        return holds(rests, seconds)


def plug(pid):
    """Connects a program that has a network of its own."""
    while os.readlink(f"/proc/{pid}/ns/net") == os.readlink("/proc/self/ns/net"):
        time.sleep(0.01)
    ip("link", "add", "near", "type", "veth", "peer", "name", "far", "netns", str(pid))
    ip("addr", "add", "10.9.0.1/24", "dev", "near")
    ip("link", "set", "near", "up")


def cut(pid):
    ip("link", "set", "far", "down", inside=pid)


def mend(pid):
    ip("link", "set", "far", "up", inside=pid)
    ip("addr", "replace", "10.9.0.2/24", "dev", "far", inside=pid)
    ip("route", "replace", "224.0.0.0/4", "dev", "far", inside=pid)


class Lines:
    """`momu session` without a terminal, typed at by a pipe."""

    def __init__(self, momu, name, *words, room="Lab"):
        self.name, self.said = name, children.Output()
        home = f"{Player.homes.name}/{name}"
        os.makedirs(home, exist_ok=True)
        self.process = children.start(
            [momu, "session", "--room", room, "--name", name, *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=self.said, text=True,
            env=os.environ | {"XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home, "HOME": home})

    def type(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    @property
    def words(self):
        return self.said.read()

    def told(self, pattern, seconds=None):
        return holds(lambda: re.search(pattern, self.words), seconds)
