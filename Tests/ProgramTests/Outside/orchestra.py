"""Two at Examples/Orchestra: orchestra.py FOLDER. Prints what each sees of the other; to be run under `unshare --net`."""
import sys
import time

sys.dont_write_bytecode = True
from players import Player, alone, onsets

folder = sys.argv[1]
alone()


def line(screen, name):
    """What the list says of somebody."""
    return next((line for line in screen.split("\n") if line[4:].startswith(name + " ")), "")


ann = Player("Ann", [f"{folder}/Orchestra", "--room", "Lab"])
ann.wait("1 member")
ben = Player("Ben", [f"{folder}/Orchestra", "--room", "Lab"], MOMU_INSTRUMENT="harp")
for player in (ann, ben):
    player.wait("2 members")
ann.wait("harp", lambda screen: "harp" in line(screen, "Ben"))
print("Ann sees that Ben plays the harp")
ann.type("i")
ben.wait("shaker", lambda screen: "shaker" in line(screen, "Ann"))
ann.type("ii")
ben.wait("reed", lambda screen: "reed" in line(screen, "Ann"))
ann.type("I")
ben.wait("harp", lambda screen: "harp" in line(screen, "Ann"))
print("Ben sees that Ann plays the shaker, then the reed, then the harp")
ben.from_now()
ann.type("adg")
ben.saw("how lively", lambda screen: "▮" in line(screen, "Ann"))
ben.wait("that it ends", lambda screen: "▮" not in line(screen, "Ann"))
print("Ben sees how lively Ann is, and not of himself:", not any("▮" in line(screen, "Ben") for screen in ben.pictures))
for player in (ann, ben):
    print("80 columns and 24 lines are enough:", "more" not in player.screen, "harp" in player.screen)
for player in (ann, ben):
    player.end()
print("Ann is heard:", bool(onsets(ann.wav)), "and not on Ben's machine:", not onsets(ben.wav))

wrong = Player("Cat", [f"{folder}/Orchestra", "--room", "Lab"], MOMU_INSTRUMENT="harpe")
wrong.process.wait()
while 'there is no instrument "harpe": did you mean "harp"?' not in wrong.shown:
    time.sleep(0.01)
print("a misspelt instrument is said to be, with status", wrong.process.returncode)
