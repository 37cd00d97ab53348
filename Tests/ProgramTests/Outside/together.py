"""One instrument for a room: together.py FOLDER. Prints what each heard; to be run under `unshare --net`.

Anna and Ben play the piano, Cleo a harp: a key on one piano sounds on the other, at once where no rhythm runs and on the
next sixteenth where one does, and on no harp.
"""
import sys

sys.dont_write_bytecode = True
from players import Player, alone, notes, strike

folder = sys.argv[1]
alone()


def play(name, instrument):
    return Player(name, [f"{folder}/momu", "play", instrument, "--room", "Lab"])


anna, ben, cleo = play("Anna", "piano"), play("Ben", "piano"), play("Cleo", "harp")
for player, others in ((anna, "Ben"), (anna, "Cleo"), (ben, "Anna"), (ben, "Cleo"), (cleo, "Anna"), (cleo, "Ben")):
    player.wait(others, lambda screen: others in screen)

# No rhythm: at once.
strike(anna, "a", ben, anna)
strike(ben, "t", anna, ben)

# Enter starts the room's rhythm: on its sixteenths.
for player in (anna, ben, cleo):
    player.from_now()
ben.type("\n")
for player in (anna, ben, cleo):
    player.saw("bar 1")
strike(anna, "u", ben, anna)

for player in (anna, ben, cleo):
    player.end()
for player in (anna, ben):
    print(f"{player.name} heard", notes(player.wav, [60, 66, 70]))
print("Cleo heard", notes(cleo.wav, [60, 66, 70]))
