"""One drum machine for a room: drums.py FOLDER. Prints what is on the boards; to be run under `unshare --net`.

Anna's pattern becomes the room's, Ben's goes; slots that both set come to the same, each takes back his own, Cleo comes
late and has it all; one stroke a bar is then heard on every machine, on Dora's `momu play drum-machine`, too.
"""
import sys
import tempfile

sys.dont_write_bytecode = True
from players import Player, alone, onsets

folder = sys.argv[1]
alone()
own = tempfile.NamedTemporaryFile("w", suffix=".txt")
own.write("kick XXXX XXXX XXXX XXXX\n")
own.flush()


def play(name, **variables):
    return Player(name, [f"{folder}/DrumMachine", "--room", "Lab"], **variables)


def board(screen):
    """The rows as they are drawn, without the cursor."""
    rows = [line for line in screen.split("\n") if line[1:].startswith(("kick", "snare", "hat"))]
    return [row.replace("[", " ").replace("]", " ").replace("▸", " ") for row in rows]


def kick(player):
    rows = board(player.screen)
    return "".join(rows[0][15:].split()) if rows else ""


def becomes(player, row):
    player.wait(row, lambda _: kick(player) == row)


all_struck = "◉" * 16
anna = play("Anna")
anna.wait("kick", lambda _: kick(anna) != "")
before = kick(anna)
# By then the room is founded, and has her pattern.
anna.says("no other member is in the room Lab yet")
ben = play("Ben", MOMU_PATTERN=own.name)
ben.wait("with Anna")
becomes(ben, before)
print("Ben has Anna's:", kick(ben) == before != all_struck)

# Anna sets one slot, Ben another, both a third; all have all.
anna.type("c")
becomes(ben, "·" * 16)
becomes(anna, "·" * 16)
anna.type("x")
ben.type("\x1b[C\x1b[Cx")
for player in (anna, ben):
    becomes(player, "●·●" + "·" * 13)
anna.type("\x1b[C9")
ben.type("\x1b[D3")
for player in (anna, ben):
    player.wait("one of both", lambda _: kick(player) in ("●●●" + "·" * 13, "●○●" + "·" * 13))
anna.wait("the same", lambda _: kick(anna) == kick(ben))
print("the same on both:", kick(anna) == kick(ben))

cleo = play("Cleo")
cleo.wait("with")
becomes(cleo, kick(anna))
print("Cleo has it:", kick(cleo) == kick(anna))

# One without a grid: it plays what stands on the others'.
dora = Player("Dora", [f"{folder}/momu", "play", "drum-machine", "--room", "Lab"])
dora.wait("with")

# Ben takes back his last two: the middle one if it is still his, and the third. Anna's first stays.
ben.type("u")
ben.wait("something is taken back", lambda _: kick(ben) in ("●·●" + "·" * 13, "●●·" + "·" * 13))
ben.type("u")
for player in (anna, ben, cleo):
    player.wait("Ben's gone", lambda _: kick(player)[0] == "●" and kick(player)[2] == "·")
print("Anna's first slot stays:", kick(cleo)[0])

# Whatever Anna's second is, it goes; one stroke a bar is left.
if kick(anna)[1] != "·":
    anna.type("x")
for player in (anna, ben, cleo):
    becomes(player, "●" + "·" * 15)
for player in (anna, ben, cleo, dora):
    player.from_now()
anna.type(" ")
for player in (anna, ben, cleo, dora):
    player.saw("bar 4")
ben.type(" ")
ben.says("only the conductor can do that")
anna.type(" ")
for player in (anna, ben, cleo):
    player.wait("stopped")
    player.end()
dora.wait("no rhythm")
dora.end()
for player in (anna, ben, cleo, dora):
    found = onsets(player.wav, gap=24_000)
    steps = [later - earlier for earlier, later in zip(found, found[1:])]
    # 4/4 at 120: two seconds; a millisecond is more than clocks can differ in a bar.
    print(f"{player.name}: strokes a bar apart:", len(found) >= 3 and all(abs(step - 96_000) < 48 for step in steps))
