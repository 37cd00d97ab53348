"""Ways of playing together: ways.py FOLDER duet|echo|neighbour. Prints what is heard; to be run under `unshare --net`."""
import sys

sys.dont_write_bytecode = True
from players import Player, alone, hertz, notes, onsets, samples, strength, strike

folder, way = sys.argv[1:]
alone()


def play(name):
    return Player(name, [f"{folder}/{way.capitalize()}", "--room", "Lab"])


ann = play("Ann")
ann.wait("1 member")
ben = play("Ben")
for player in (ann, ben):
    player.wait("2 members")

if way == "duet":
    # Ann sets the pitch, Ben strikes.
    for key, name in (("a", "C4"), ("t", "F#4")):
        ann.type(key)
        for player in (ann, ben):
            player.wait(f"pitch {name}")
        strike(ben, " ", ann, ben)
elif way == "echo":
    strike(ann, "a", ann)
    ann.type("d")
    ann.wait("played: C4 E4")
    strike(ann, " ", ben)
    ann.rests()
else:
    strike(ann, "a", ann)
    ben.type("....")
    ann.wait("yours: brightness 100 %")
    strike(ann, "a", ann)

for player in (ann, ben):
    player.end()
if way == "duet":
    for player in (ann, ben):
        print(player.name, "heard", notes(player.wav, [60, 66]))
elif way == "echo":
    for player in (ann, ben):
        print(player.name, "heard", notes(player.wav, [60, 64, 67, 71]))
else:
    sound = samples(ann.wav)
    windows = [sound[start + 4800:start + 8896] for start in onsets(ann.wav)]
    hollow = [strength(window, 3 * hertz(60)) / strength(window, hertz(60)) for window in windows]
    print("Ann played", len(hollow), "tones, the second at least three times as hollow:", hollow[1] > 3 * hollow[0])
    print("Ben heard", len(onsets(ben.wav)))
