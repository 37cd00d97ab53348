"""Learning a knob in momu play, at a terminal: learn.py FOLDER. The simulated keyboard moves controller 74.

To be run under `unshare --net`. Nothing is timed: each step waits for what is seen.
"""
import os
import sys

sys.dont_write_bytecode = True
from players import Player, alone

folder = sys.argv[1]
alone()
words = [f"{folder}/momu", "play", "tone", "--midi", "sim:scale", "--room", "Lab"]


def has_knob(screen):
    return any("▸" in line and "cc74" in line for line in screen.split("\n"))


first = Player("Ann", words)
first.wait("tone")
first.type("l")
first.wait("the knob on the screen", has_knob)
path = f"{first.home}/momu/controllers"
first.until("the file", lambda: os.path.exists(path) and "cc74" in open(path).read())
print(open(path).read().split("\n", 1)[1].strip().replace("\n", " | "))
first.end()

second = Player("Ann", words, XDG_CONFIG_HOME=first.home)
second.wait("the knob of the first run", has_knob)
print("restored")
second.end()
