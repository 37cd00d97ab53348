"""Programs at terminals of several sizes: flicker.py FOLDER. Prints what their screens show; to be run under `unshare --net`.

Each picture that a terminal shows between two updates must have every row that the program has; the bytes on the way must
erase nothing; a quiet screen must cost next to nothing.
"""
import re
import sys
import time

sys.dont_write_bytecode = True
from players import Player, alone

folder = sys.argv[1]
alone()


def check(kind, words, labels, keys, columns, rows):
    """All rows from the first whole picture on, whatever is typed."""
    player = Player("Ada", [*words, "--room", f"R{columns}"], size=(columns, rows))
    is_whole = lambda picture: all(label in picture for label in labels)
    player.wait("a whole picture", is_whole)
    first, erased = len(player.pictures) - 1, len(player.screens.bytes)
    for key in keys:
        player.from_now()
        player.type(key)
        player.saw("another picture", lambda picture: True)
    lacking = [picture for picture in player.pictures[first:] if not is_whole(picture)]
    wide = [row for picture in player.pictures for row in picture.split("\n") if len(row) >= columns]
    print(kind, f"{columns} x {rows}:", len(lacking), "pictures lack a row,", len(wide), "rows reach the last column,",
          len(re.findall(rb"\x1b\[[0-3]?J", player.screens.bytes[erased:])), "times erased")
    for picture in lacking[:1]:
        print(picture)
    player.end()
    return player


for columns, rows in ((40, 10), (80, 24), (120, 40), (200, 60)):
    check("Orchestra", [f"{folder}/Orchestra"], ["Ada", "Enter", "["], ["\n", "i", "a", "+"], columns, rows)
    check("piano", [f"{folder}/momu", "play", "piano"], ["piano", "brightness", "room R", "["], ["a", "\n"], columns, rows)

quiet = Player("Ada", [f"{folder}/Piano", "--room", "Quiet"])
quiet.wait("a picture", lambda picture: "no rhythm" in picture)
quiet.says("no other member")
quiet.says("no network address")
before = len(quiet.screens.bytes)
time.sleep(2)
print("a quiet screen costs less than 2 kB/s:", len(quiet.screens.bytes) - before < 4000)
quiet.end()
