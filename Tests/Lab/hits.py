"""What was struck in a room: each stroke as all members recorded it, in true time."""
import os
import re

import numpy as np

from measures import SECOND, percentiles
from recording import Recording
from sound import AFTER, BEFORE, LATEST, together

LEAST = 0.01  # full scale; less is what rings on
HOP = 24  # frames looked at at once: half a millisecond
QUIET = 40  # hops before a stroke in which nothing is as loud
LOUDER = 6  # times, than anything in those hops


def struck(folder, run):
    """How far apart each stroke sounded in ms, and which soundings lack, are too many, or were said to be late."""
    begin, end = run.at("begin"), run.at("end") - LATEST
    members, reported = [], 0
    for event in run.all("join"):
        if event["kind"] != "hits":
            continue
        path = os.path.join(folder, "hits-{node}-{life}".format(**event))
        members.append([time for time in strokes(Recording(path + ".wav")) if begin <= time < end])
        reported += late(path + ".txt")
    return compared(members, reported, run.facts["machine"].get("stalls", []))


def compared(members, reported, stalls=()):
    """`members` has for each the ns of its strokes; `reported` how many they said to be late."""
    beats = list(together(sorted((time, "stroke", member) for member, own in enumerate(members) for time in own)))
    told = [beat for beat in beats if not any(
        first - BEFORE < sound[0] < first + length + AFTER for first, length in stalls for sound in beat)]
    wanted = len(beats) * len(members)
    missing = wanted - sum(len({member for _, _, member in beat}) for beat in beats)
    return {
        "strokes": len(beats), "wanted": wanted, "missing": missing, "reported": reported,
        "unreported": max(0, missing - reported), "lost": missing / max(1, wanted),
        "extra": sum(len(beat) - len({member for _, _, member in beat}) for beat in beats),
    } | percentiles([(beat[-1][0] - beat[0][0]) / 1e6 for beat in told])


def late(path):
    """How many the program said, at its end, that it could not play."""
    with open(path) as said:
        return sum(int(count) for count in re.findall(r"(\d+) came too late", said.read()))


def strokes(recording):
    """The ns of true time at which something begins that is much louder than what rang before."""
    sound = np.abs(recording.first_channel(0, recording.frames))
    levels = sound[:len(sound) // HOP * HOP].reshape(-1, HOP).max(axis=1)
    before = np.full(len(levels), np.inf)
    for back in range(2, QUIET):
        if back == 2:
            before[back:] = levels[:-back]
        else:
            before[back:] = np.maximum(before[back:], levels[:-back])
    place = QUIET
    while place < len(levels):
        if levels[place] > max(LEAST, LOUDER * before[place]):
            frames = sound[(place - 1) * HOP:(place + 1) * HOP]
            first = (place - 1) * HOP + int(np.argmax(frames > LEAST))
            yield recording.heard + round(first * SECOND / recording.rate)
            place += QUIET
        else:
            place += 1
