"""What was struck in a room: each stroke as all members recorded it, in true time."""
import os
import re

import numpy as np

from measures import SECOND, percentiles
from recording import Recording
from sound import AFTER, BEFORE, LATEST, together

LEAST = 0.01  # full scale; less is what rings on
HOP = 24  # frames looked at at once: half a millisecond
LATE = SECOND // 100  # after the first sounding of its stroke, a sounding is late
LATEST_OF_ITS_STROKE = SECOND // 5  # a later sounding is another stroke
QUIET = 40  # hops before a stroke in which nothing is as loud
LOUDER = 6  # times, than anything in those hops


def struck(folder, run):
    """How far apart each stroke sounded in ms, and which soundings are missing, late, too many, or in a report."""
    members, nodes, texts, untold = [], [], [], 0
    ended = {(event["kind"], event["node"], event["life"]) for event in run.all("ended") if event["status"] == 0}
    for event in run.all("join"):
        if event["kind"] != "hits":
            continue
        path = os.path.join(folder, "hits-{node}-{life}".format(**event))
        members.append(list(strokes(Recording(path + ".wav"))))
        nodes.append(event["node"])
        with open(path + ".txt") as said:
            texts.append(said.read())
        # Who did not end in order could not say what came too late.
        untold += (event["kind"], event["node"], event["life"]) not in ended
    reported = [said_late(text) + sum(unreceived(other, node) for other in texts) for node, text in zip(nodes, texts)]
    span = run.at("begin"), run.at("end") - LATEST
    return compared(members, reported, span, run.facts["machine"].get("stalls", [])) | {"untold": untold}


def compared(members, reported, span, stalls=()):
    """`members` has for each the ns of its strokes; `reported` how many the reports count as late or lost there.

    A loss at one member is no excuse for another.
    """
    beats = joined(together(sorted((time, "stroke", member) for member, own in enumerate(members) for time in own)))
    # By the first of them, so that none is cut in two.
    beats = [beat for beat in beats if span[0] <= beat[0][0] < span[1]]
    told = [beat for beat in beats if not any(
        first - BEFORE < sound[0] < first + length + AFTER for first, length in stalls for sound in beat)]
    players = [{member for _, _, member in beat} for beat in beats]
    lacking = [sum(member not in who for who in players) for member in range(len(members))]
    delayed = [sum(is_late(beat, member) for beat in told) for member in range(len(members))]
    wanted, missing = len(beats) * len(members), sum(lacking)
    return {
        "strokes": len(beats), "wanted": wanted, "missing": missing, "late": sum(delayed), "reported": sum(reported),
        "unreported": sum(max(0, lack + late - said) for lack, late, said in zip(lacking, delayed, reported)),
        "lost": missing / max(1, wanted),
        # A card that runs dry cuts a stroke in two, as a real one would.
        "extra": sum(len(beat) - len({member for _, _, member in beat}) for beat in told),
    } | percentiles([(max(in_time(beat)) - beat[0][0]) / 1e6 for beat in told])


def joined(beats):
    """The strokes; members that sounded a stroke late, and at no other time, are part of it."""
    strokes = []
    for beat in beats:
        if strokes and beat[0][0] - strokes[-1][0][0] < LATEST_OF_ITS_STROKE and not (
                {member for _, _, member in beat} & {member for _, _, member in strokes[-1]}):
            strokes[-1] += beat
        else:
            strokes.append(beat)
    return strokes


def in_time(beat):
    """The times of the soundings that are not late."""
    return [time for time, _, _ in beat if time - beat[0][0] < LATE]


def is_late(beat, member):
    """Whether the first sounding of a member is late."""
    own = [time for time, _, who in beat if who == member]
    return bool(own) and own[0] - beat[0][0] >= LATE


def said_late(text):
    """How many the program said, at its end, that it played late or could not play."""
    return sum(int(count) for count in re.findall(r"(\d+) (?:of them late|came too late)", text))


def unreceived(text, node):
    """How many notes of its own a program said that a node did not receive; releases are among them."""
    return sum(int(count) for count in re.findall(rf"\bp{node}h did not receive [^:]*?(\d+) notes?\b", text))


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
