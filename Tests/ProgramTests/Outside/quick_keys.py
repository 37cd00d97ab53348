"""Keys in quick succession, and a crash: quick_keys.py FOLDER. To be run under `unshare --net`.

Ann plays Examples/Orchestra, Ben watches. Nothing is timed: each step waits for what is seen.
"""
import signal
import sys

sys.dont_write_bytecode = True
from players import Player, alone

folder = sys.argv[1]
alone()

ann = Player("Ann", [f"{folder}/Orchestra", "--room", "Lab"])
ann.wait("1 member")
ben = Player("Ben", [f"{folder}/Orchestra", "--room", "Lab"])
for player in (ann, ben):
    player.wait("2 members")
ann.type("\n")
ann.wait("bar 1", lambda screen: "bar 1 " in screen and "4/4" in screen)
ann.type("++++++")
ben.wait("150", lambda screen: "150 bpm" in screen)
print("six steps: 150")
ann.type("mm")
ben.wait("7/8", lambda screen: "7/8" in screen)
print("two steps: 7/8")
ann.type("\n")
ann.type("\n")
ben.wait("bar 4", lambda screen: "bar 4 " in screen or "bar 5 " in screen)
print("stopped and started:", "150 bpm" in ben.screen, "refused" if "only the conductor" in ann.shown else "not refused")
ann.type("iixx")
ben.wait("the instrument", lambda screen: "reed" in screen or "shaker" in screen or "harp" in screen)


def line(screen, name):
    """What the list says of somebody."""
    return next((line for line in screen.split("\n") if line[4:].startswith(name + " ")), "")


def instrument():
    return line(ben.screen, "Ann").split()[1] if line(ben.screen, "Ann") else ""


ann.wait("the octave", lambda screen: "octave 6" in screen)
before = next(words for words in ann.screen.split("\n") if "you play" in words).split("octave 6")[0]
ann.process.send_signal(signal.SIGKILL)
ann.process.wait()
ben.from_now()
again = Player("Ann", [f"{folder}/Orchestra", "--room", "Lab"], XDG_STATE_HOME=ann.home)
again.wait("Ann's instrument", lambda screen: before in screen)
print("after the crash the same instrument, and the octave:", "octave 6" in again.screen)
ben.wait("Ann", lambda screen: "2 members" in screen and line(screen, "Ann"))
print("a second Ann was seen:", ben.has_shown(lambda screen: "Ann 2" in screen))
for player in (again, ben):
    player.end()
