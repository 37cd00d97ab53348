"""Players who talk and set rehearsal marks: talk.py FOLDER. Prints what they see; to be run under `unshare --net`.

Ann plays Examples/Orchestra, Ben the piano, Cyd the drum machine, all at terminals; Dot is at `momu session --plain`, and
Eve at `momu session gestures` with an accelerometer that is played on the keys. Fay and Gus are in a room of their own.
Nothing is timed.
"""
import os
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import children
from players import Player, alone

folder = sys.argv[1]
momu = f"{folder}/momu"
alone()
TALK = "\x14"


class Lines:
    """`momu session`, typed at by a pipe."""

    def __init__(self, name, *words):
        self.name, self.said = name, children.Output()
        home = f"{Player.homes.name}/{name}"
        self.process = children.start(
            [momu, "session", "--plain", "--room", "Lab", "--name", name, *words], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=self.said, text=True,
            env=os.environ | {"XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home, "HOME": home})

    def type(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def wait(self, text):
        while text not in self.said.read():
            if self.process.poll() is not None:
                sys.exit(f"{self.name} ended waiting for {text}: {self.said.read()}")
            time.sleep(0.01)


songs = f"{Player.homes.name}/songs"
with open(songs, "w") as file:
    file.write("Take Five 170 5/4\n")
ann = Player("Ann", [f"{folder}/Orchestra", "--room", "Lab"], MOMU_SONGS=songs, MOMU_INSTRUMENT="harp")
ann.wait("1 member")
ben = Player("Ben", [momu, "play", "piano", "--room", "Lab"])
cyd = Player("Cyd", [f"{folder}/DrumMachine", "--room", "Lab"])
dot = Lines("Dot", "--record", f"{Player.homes.name}/talk.osc")
ann.wait("4 members")
for player in (ben, cyd):
    player.wait("4 members")
for name in ("Ann", "Ben", "Cyd"):
    dot.wait(f"{name} is here")

# To all, with keys that are notes elsewhere, and spaces and quotes as they were typed.
ann.type(f"{TALK}softer, don't  rush\n")
for player in (ben, cyd):
    player.says("Ann: softer, don't rush")
dot.wait("Ann: softer, don't  rush")
ann.says("you to all: softer, don't rush")
print("Ann talks to all: Orchestra, piano, drum machine, plain lines")

# While a line is typed its keys play nothing.
ben.rests()
ben.from_now()
ben.type(f"{TALK}at ease")
ben.wait("the line that is typed", lambda screen: ": say at ease" in screen)
ben.type("\n")
dot.wait("Ben: at ease")
print("Ben's piano has sounded:", ben.has_sounded())

# To one, from a terminal and from a pipe.
ben.type(f"{TALK}\x15tell C\t2 bars\n")
cyd.says("Ben to you: 2 bars")
dot.type("tell Ann it is me", "tell Zoe hello", "say " + "x" * 201, "say")
ann.says("Dot to you: it is me")
dot.wait('no member is called "Zoe": the members are Ann, Ben, Cyd, Dot')
dot.wait("a line of 201 characters is too long: the limit is 200")
dot.wait("the line is empty")
print("Ben talks to Cyd, Dot to Ann; Ann saw what Ben said to Cyd:", "2 bars" in ann.shown)

# What steers a terminal comes as text, or not at all.
dot.type("say \x1b[2J\x07beep \u202eevil")
cyd.says("Dot: [2Jbeep evil")
print("a control character of Dot's came to Cyd:", b"\x1b[2J\x07" in cyd.screens.bytes or "\u202e" in cyd.shown)

# Ignored, and kept out by a gate.
dot.type("ignore Ben", "say I ignore Ben now")
# Lines are executed in order: when the second one is there, the first one is in force.
ann.says("Dot: I ignore Ben now")
ben.type(f"{TALK}Dot, do you read?\n")
ann.says("Ben: Dot, do you read?")
cyd.says("Ben: Dot, do you read?")
time.sleep(0.5)
dot.type("unignore Ben", "gate 0 notes Cyd all")
cyd.until("the gate", lambda: (cyd.type(f"{TALK}hello?\n"), time.sleep(0.3), "the gates keep your lines from" in cyd.shown)[2])
dot.type("gate 1 notes Cyd all")
ann.until("the gate", lambda: (cyd.type(f"{TALK}and now?\n"), time.sleep(0.3), "Cyd: and now?" in ann.shown)[2])
print("Dot read Ben while he was ignored:", "do you read" in dot.said.read())

# Marks: of the bar that is played, by a key; of a song; for a member that comes later.
ann.type("\n")
ann.wait("bar 2", lambda screen: "bar 2 " in screen)
ann.type("M")
for player in (ben, cyd):
    player.says("Ann marks bar")
dot.wait("Ann marks bar")
dot.type("mark 40 Take Five", "mark 7")
ann.wait("the marks", lambda screen: "marks  bar 7" in screen and "Take Five: bars " in screen and ", 40" in screen)
eve = Player("Eve", [f"{folder}/Orchestra", "--room", "Lab"])
eve.wait("the song of Ann's list", lambda screen: "song: Take Five" in screen)
eve.wait("the marks", lambda screen: "marks  bar 7" in screen and "Take Five: bars " in screen and ", 40" in screen)
dot.type("unmark 7", "unmark 8", "marks")
dot.wait("bar 8 has no mark: type marks for a list")
eve.wait("one mark less", lambda screen: "marks  Take Five: bars " in screen)
print("marks: Ann, Dot and Eve, who came later, have the same")

# A list of songs follows the room in the stage view, which does not show the song.
with open(songs, "w") as file:
    file.write("Take Five 170 5/4\nNaima 60 4/4\n")
fay = Player("Fay", [f"{folder}/Orchestra", "--room", "Set", "--view", "stage"], MOMU_SONGS=songs)
gus = Player("Gus", [f"{folder}/Orchestra", "--room", "Set"], MOMU_SONGS=songs)
gus.wait("2 members")
gus.type(":song Naima\n")
fay.says("Gus selects the song Naima")
fay.type("\n")
gus.wait("a rhythm", lambda screen: re.search(r"bar \d.* bpm", screen))
print("Fay's Enter starts", re.search(r"bar \d.*?(\d+ bpm)", gus.screen)[1])
fay.end()
gus.end()

# A check waits for a member that does not answer; the next line does not wait. A check replaces the check before it.
def results(count):
    while len(found := list(re.finditer("Not ready: |All are ready", dot.said.read()))) < count:
        time.sleep(0.01)
    return found


eve.process.send_signal(signal.SIGSTOP)
dot.type("check", "check", "panic")
dot.wait("silences the room")
first = results(1)[0]
eve.process.send_signal(signal.SIGCONT)
print("the silence came before the check was done:", "silences the room" in dot.said.read()[:first.start()])
dot.type("check")
results(2)

for player in (eve, cyd, ben, ann):
    player.end()
dot.process.terminate()
dot.process.wait()
print("results of three checks:", len(results(2)))
told = subprocess.run([momu, "session", "replay", f"{Player.homes.name}/talk.osc"], capture_output=True, text=True).stdout
print("on the tape:", *[" ".join(line.split()[:2]) for line in told.splitlines() if "  mark" in line])
print("lines of", *re.findall(r"played  (\w+): .*?\d+ lines?", told))
