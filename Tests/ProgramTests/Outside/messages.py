"""Messages, gates and activity between real programs: messages.py MOMU; to be run under `unshare --net`.

Ann conducts, Ben and Cat take part, each a `momu session` that says what it hears. Each step waits for the one before.
"""
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children

momu = sys.argv[1]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
home = tempfile.TemporaryDirectory()
children.within()


class Member:
    def __init__(self, name, *words):
        self.name, self.at = name, 0
        self.said = children.Output()
        own = os.path.join(home.name, name)  # An installation each: gates go by installations.
        environment = os.environ | {"XDG_STATE_HOME": own, "XDG_CONFIG_HOME": own, "HOME": own}
        self.process = children.start(
            [momu, "session", "--room", "Lab", "--name", name, "--listen", *words], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=self.said, text=True, env=environment)

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def words(self):
        return self.said.read()

    def hears(self, text):
        """Waits until a line begins so, after the last that was waited for; the line."""
        while True:
            for place, line in enumerate(lines := self.words().split("\n")[:-1]):
                if place >= self.at and line.startswith(text):
                    self.at = place + 1
                    return line
            if self.process.poll() is not None:
                sys.exit(f"{self.name} ended waiting for {text}: {lines}")
            time.sleep(0.01)

    def never(self, text):
        """Whether it has never said anything that begins so."""
        return not any(line.startswith(text) for line in self.words().split("\n"))


ann = Member("Ann", "--conduct", "--tempo", "120")
ann.hears("Ann conducts")
ben, cat = Member("Ben"), Member("Cat")
for member in (ben, cat):
    member.hears("Ann conducts")
for name in ("Ben", "Cat"):
    ann.hears(name + " is here") if ann.never(name + " is here") else None
while any(word not in ben.words() for word in ("Cat is here",)):
    time.sleep(0.01)

# To one, to all, with a beat that is the same for all.
ann.type("note C4 0.5 2 to Ben")
print("Ben:", ben.hears("Ann: C4"))
print("Cat heard it:", not cat.never("Ann: C4"))
heard = ["late"]
while any("late" in line for line in heard):  # As it may be on a busy machine.
    ben.type("hit 0.75 at 16 to all")
    heard = [member.hears("Ben: hit") for member in (ann, ben, cat)]
beats = {line.partition("at beat ")[2] for line in heard}
print("one beat for all:", len(beats) == 1, float(beats.pop()) * 4 % 1)
cat.type("melody C4 E4 G4 to Ann")
print("Ann:", ann.hears("Cat: a melody"))
cat.type("change brightness 0.9 to Ann")
print("Ann:", ann.hears("Cat: brightness"))
for number in range(1, 21):
    cat.type(f"note {40 + number} to Ben")
heard = [ben.hears("Cat: ") for _ in range(20)]
names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
print("in order:", [line.split()[1].rstrip(",") for line in heard] == [
    f"{names[pitch % 12]}{pitch // 12 - 1}" for pitch in range(41, 61)])
cat.type("note C4 to Dora")
print("Cat:", cat.hears("no member is called"))

# Gates: whoever conducts sets them, receivers keep them.
cat.type("gates monarchic Cat")
print("Cat:", cat.hears("Ann conducts"))
ann.type("gates monarchic Ann")
while True:
    cat.type("note D4 1 to Ben")
    line = ben.hears("Cat: D4")
    if line == "Cat: D4, force 0.500":
        break
print("Ben:", line)
ann.type("note E4 1 to Ben")
print("Ben:", ben.hears("Ann: E4"))
cat.type("change brightness 0.1 to Ben")
cat.type("note F4 1 to Ben")
print("Ben:", ben.hears("Cat: F4"))
print("a closed gate lets nothing through:", ben.never("Cat: brightness"))

# Activity: what all say is announced by who conducts, and is the same for all.
ann.type("gates democratic")
for member in (ann, ben, cat):
    member.type("activity 1")
print([member.hears("level 5") for member in (ann, ben, cat)])
for member in (ann, ben, cat):
    member.process.terminate()
    member.process.wait()
