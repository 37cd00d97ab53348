"""A rehearsal with a cut link, a stopped program and a muted section: conducting.py MOMU. To be run under `unshare --net`.

Ada Lovelace conducts, Ben listens, Cyd is on a network of its own at the end of a cable. Prints what they say. Nothing is
timed: each step waits for the one before.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children

momu = sys.argv[1]
home = tempfile.TemporaryDirectory()
environment = os.environ | {"XDG_CONFIG_HOME": home.name, "HOME": home.name}
children.within()


def ip(*words, inside=None):
    subprocess.run([*(["nsenter", "-t", str(inside), "-n"] if inside else []), "ip", *words], check=True)


class Member:
    def __init__(self, name, *words, before=()):
        self.name, self.said, self.log = name, children.Output(), f"{home.name}/{name}.beats"
        self.process = children.start(
            [*before, momu, "session", "--room", "Lab", "--name", name, "--log-beats", self.log, *words],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self.said, text=True,
            env=environment | {"XDG_STATE_HOME": f"{home.name}/{name}"})

    def type(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def words(self):
        return self.said.read()

    def until(self, what, fact):
        while not fact():
            if self.process.poll() is not None:
                sys.exit(f"{self.name} ended waiting for {what}: {self.words()}")
            time.sleep(0.01)

    def wait(self, text, count=1):
        self.until(text, lambda: self.words().count(text) >= count)
        print(f"{self.name}: {text}")

    def beat(self):
        """The last beat of its log; nan before there is one."""
        lines = pathlib.Path(self.log).read_text().splitlines()[-2:-1]
        words = lines[0].split() if lines else []
        return float(words[1]) if len(words) == 3 and words[0] != "#" else float("nan")


ip("link", "set", "lo", "up")
ada = Member("Ada Lovelace", "--conduct", "--tempo", "40")
ada.wait("Ada Lovelace conducts")
ben = Member("Ben", "--listen")
ben.wait("Ada Lovelace conducts")
cable = "until ip link set v1 up 2>&-; do sleep 0.05; done; ip link set lo up; ip addr add 10.9.0.2/24 dev v1; " \
    "ip route add 224.0.0.0/4 dev v1; exec \"$@\""
cyd = Member("Cyd", before=("unshare", "--net", "sh", "-c", cable, "sh"))
while os.readlink(f"/proc/{cyd.process.pid}/ns/net") == os.readlink("/proc/self/ns/net"):
    time.sleep(0.01)
ip("link", "add", "v0", "type", "veth", "peer", "name", "v1", "netns", str(cyd.process.pid))
ip("addr", "add", "10.9.0.1/24", "dev", "v0")
ip("link", "set", "v0", "up")
cyd.wait("Ada Lovelace conducts")
ben.wait("Cyd is here")
ada.wait("Cyd is here")

# A link that is down for a moment.
ip("link", "set", "v1", "down", inside=cyd.process.pid)
panic = subprocess.run(
    [momu, "session", "panic", "--room", "Lab"], capture_output=True, text=True,
    env=environment | {"XDG_STATE_HOME": f"{home.name}/panic"})
lines = [line.split(",")[0].split(":")[0] + ":" + line.rsplit(":", 1)[1] for line in panic.stdout.splitlines()]
print("panic:", sorted(lines), panic.returncode)
ip("link", "set", "v1", "up", inside=cyd.process.pid)
ip("addr", "replace", "10.9.0.2/24", "dev", "v1", inside=cyd.process.pid)
ip("route", "replace", "224.0.0.0/4", "dev", "v1", inside=cyd.process.pid)
cyd.wait("silences the room")

# The way out, as quickly as lines are typed.
ada.type("stop", "start")
for member in (ada, ben, cyd):
    member.wait("the silence is over")
print("refused:", "only the conductor" in ada.words())

# A program that stands still.
cyd.process.send_signal(signal.SIGSTOP)
ben.wait("Cyd has disappeared")
ben.type("panic")
ben.wait("no answer to the call for silence from Cyd")
cyd.process.send_signal(signal.SIGCONT)
cyd.wait("Ben silences the room")
ada.type("stop", "start")
for member in (ada, ben, cyd):
    member.wait("the silence is over", 2)
ben.wait("Cyd is here", 2)

# A muted section.
ada.type("section keys Cyd")
ada.until("the section", lambda: (ada.type("sections"), time.sleep(0.1), "keys" in ada.words())[2])
ada.type("mute keys")
cyd.wait("your section keys is muted")
# The list that is typed after the stroke shows that the stroke was tried.
before = cyd.words().count("keys")
cyd.type("hit 0.5", "sections")
cyd.until("its sections", lambda: cyd.words().count("keys") > before)
ada.type("unmute keys")
cyd.wait("your section keys is no longer muted")
cyd.type("hit 0.7")
ben.wait("hit 0.700")
print("Ben heard the muted section:", "hit 0.500" in ben.words())

# A cue for the next bar line, sent at the beginning of a bar. A busy machine may read it late, but not each time.
for number in range(20):
    ben.until("the end of a bar", lambda: ben.beat() % 4 > 3)
    ben.until("a bar", lambda: ben.beat() % 4 < 1)
    cue = f"softer please {number}:"
    ada.type(f"cue all {cue}")
    ben.until("the cue", lambda: cue in ben.words())
    said = next(line for line in ben.words().splitlines() if cue in line)
    bar = int(said.split("(bar ")[1].split(")")[0])
    is_ahead = ben.beat() < 4 * (bar - 1) - 1
    if is_ahead:
        break
print("Ben had it a beat and more ahead:", is_ahead)

# Names with spaces, the gates, and the baton.
ada.type('gates stairs "Ada Lovelace" Ben', "gates")
ada.wait("gate from Ada Lovelace to Ben: notes 1")
ben.until("the gates", lambda: (ben.type("gates"), time.sleep(0.1), "gate from Ada" in ben.words())[2])
ben.type("ask")
ben.wait("your rhythm gate is closed, so you cannot conduct, assign sections or set gates: ask Ada Lovelace to open it")
ada.type("gates democratic")
ben.until("the gates", lambda: (ben.type("ask"), time.sleep(0.1), "Ben asks for the baton" in ada.words())[2])
ada.type("give Ben")
for member in (ada, ben, cyd):
    member.wait("Ada Lovelace hands the baton to Ben")
for member in (ada, ben, cyd):
    member.process.terminate()
    member.process.wait()
