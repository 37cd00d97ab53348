"""Terminals that change their size, and what a playing screen costs: resize.py FOLDER. To be run under `unshare --net`.

After each change the picture has the new size: each label stands there once, nothing is left of the picture before, and no row
reaches the last column. Then the bytes of the stage view and of the list are counted while a rhythm plays and nothing is typed.
"""
import fcntl
import os
import re
import struct
import sys
import termios
import time

sys.dont_write_bytecode = True
from players import Player, alone

folder = os.path.abspath(sys.argv[1])
alone()
SIZES = ((40, 10), (120, 40), (60, 12), (200, 60), (80, 24))


def resize(player, columns, rows):
    """As a window does it: the terminal first, then the program is told."""
    player.screens.resize(columns, rows)
    fcntl.ioctl(player.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def check(kind, words, labels):
    player = Player("Ada", [*words, "--room", f"Room{kind}"])
    is_whole = lambda screen: all(screen.count(label) == 1 for label in labels)
    player.wait("a picture", is_whole)
    for columns, rows in SIZES:
        resize(player, columns, rows)

        def is_right(screen):
            lines = screen.split("\n")
            return is_whole(screen) and len(lines) == rows and all(len(line) < columns for line in lines) and lines[-1].strip()

        player.wait(f"a picture of {columns} x {rows}", is_right)
        # What is drawn next stands in the same rows.
        before = len(player.pictures)
        player.type({"Orchestra": "i", "drums": "."}.get(kind) or ("z" if columns in (40, 60) else "x"))
        player.until("the next picture", lambda: len(player.pictures) > before)
        player.wait("the next picture", is_right)
    print(kind, "follows", ", ".join(f"{columns} x {rows}" for columns, rows in SIZES))
    return player


check("Orchestra", [f"{folder}/Orchestra"], ["Ada", "Enter start/stop", "underruns"]).end()
check("piano", [f"{folder}/momu", "play", "piano"], ["a grand", "no rhythm"]).end()
check("drums", [f"{folder}/DrumMachine"], ["▸kick", "no rhythm"]).end()


def bar(screen):
    found = re.search(r"bar (\d+) ", screen)
    return int(found[1]) if found else 0


for view in ("room", "stage"):
    words = [f"{folder}/Orchestra", "--room", f"View{view}"] + (["--view", "stage"] if view == "stage" else [])
    player = Player("Ada", words)
    player.says("no other member")
    player.type("\n")
    for columns, rows in ((80, 24), (120, 40), (200, 60)):
        resize(player, columns, rows)
        player.wait("a bar", lambda screen: bar(screen) > 1 and all(len(line) < columns for line in screen.split("\n")))
        before, start, first = len(player.screens.bytes), time.monotonic(), bar(player.screen)
        player.wait("two bars", lambda screen: bar(screen) >= first + 2)
        rate = (len(player.screens.bytes) - before) / (time.monotonic() - start)
        if "--figures" in sys.argv:
            print(f"{view}, {columns} x {rows}: {rate:.0f} B/s")
        print(f"the {view} view of {columns} x {rows} costs less than 2,000 B/s while it plays:", rate < 2000)
    player.end()
