"""A locked room with instruments: locked_band.py FOLDER. Prints what each heard; to be run under `unshare --net`.

Anna and Ben play the piano in a room with one passkey, Eve in a room of that name with another. Keys of Anna's and Ben's
sound on both and not on Eve's machine, hers on her own alone; she, too, is told why.
"""
import sys

sys.dont_write_bytecode = True
from players import Player, alone, notes, strike

folder = sys.argv[1]
alone()
WHY = "another member has a different passkey for room Lab, so you do not hear each other: compare the passkeys"


def play(name, passkey):
    return Player(name, [f"{folder}/momu", "play", "piano", "--room", "Lab"], MOMU_PASSKEY=passkey)


anna, ben = play("Anna", "tolu-rake-bimo-sefa"), play("Ben", "tolu-rake-bimo-sefa")
for player, other in ((anna, "Ben"), (ben, "Anna")):
    player.wait(other, lambda screen: other in screen)
eve = play("Eve", "sefa-bimo-rake-tolu")
eve.says(WHY)
anna.says(WHY)
print("Eve is told why, and so is Anna")

# With no rhythm: at once on all who hear it.
strike(anna, "a", ben, anna)
strike(ben, "t", anna, ben)
# Once Eve's own is over, all that could have come to her or from her has come.
strike(eve, "u", eve)
print("Eve sees the others:", any(name in eve.shown for name in ("Anna", "Ben")))
print("the others see Eve:", "Eve" in anna.shown + ben.shown)

for player in (anna, ben, eve):
    player.end()
for player in (anna, ben, eve):
    print(f"{player.name} heard", notes(player.wav, [60, 66, 70]))
