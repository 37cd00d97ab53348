"""What was struck in a room by members that say what they hear: how much came in time, late or not at all, and was told."""
import os
import re

HEARD = re.compile(r"^(?:\w+: )?p(\d+): hit .*?(, late by .* ms|, for a beat that never comes)?$", re.M)
TOLD = re.compile(r"p\d+ did not receive [^:]*?(\d+) hits?\b")


def counted(folder, run):
    """Of all strokes, each for all other members."""
    nodes, times = run.facts["nodes"], run.all("struck")[0]["times"]
    due, heard, late, told, again = nodes * (nodes - 1) * times, 0, 0, 0, 0
    for event in run.all("join"):
        with open(os.path.join(folder, "{kind}-{node}-{life}.txt".format(**event))) as said:
            text = said.read()
        others = {}
        for player, lateness in HEARD.findall(text):
            if int(player) != event["node"]:
                others[player] = others.get(player, 0) + 1
                late += lateness != ""
        heard += sum(others.values())
        again += sum(max(0, count - times) for count in others.values())
        told += sum(int(count) for count in TOLD.findall(text))
    lost = due - heard
    return {"due": due, "late": late, "lost": lost, "told": told, "untold": max(0, lost - told), "again": again,
            "part": (late + lost) / max(1, due)}
