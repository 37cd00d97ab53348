"""What was heard: the clicks that all members recorded, laid over each other in true time."""
import os
import statistics

from measures import SECOND, percentiles
from recording import Recording

SAME = SECOND // 10  # ns; clicks further apart are not the same beat
LATEST = SECOND // 2  # ns before the end: what a card still held then is in no file
# ns before a stall of the machine and after it within which a beat says nothing of us: a card that ran dry has lost
# what was due, and its clock is found anew.
BEFORE, AFTER = SECOND // 50, SECOND // 5


def heard(folder, kind, run):
    """Of each beat the last member's click less the first's, in ms, and which clicks lack, or are too many."""
    begin, end = run.at("begin"), run.at("end") - LATEST
    members = [event for event in run.all("join") if event["kind"] == kind]
    clicks = []
    for event in members:
        recording = Recording(os.path.join(folder, "{kind}-{node}-{life}.wav".format(**event)))
        clicks.append([click for click in recording.clicks() if begin <= click[0] < end])
    cards = [run.facts["cards"][event["node"] - 1] for event in members]
    return compared(clicks, run.facts["machine"].get("stalls", [])) | {"cards": cards}


def compared(clicks, stalls=()):
    """`clicks` has for each member the (ns, pitch) of its clicks, `stalls` when the machine stood still, in ns."""
    beats = list(together(sorted((time, name, member) for member, own in enumerate(clicks) for time, name in own)))
    told = [beat for beat in beats if not any(
        begin - BEFORE < click[0] < begin + length + AFTER for begin, length in stalls for click in beat)]
    spreads = [(beat[-1][0] - beat[0][0]) / 1e6 for beat in told]
    middles = [statistics.median(time for time, _, _ in beat) for beat in beats]
    steps = [later - earlier for earlier, later in zip(middles, middles[1:])]
    usual = statistics.median(steps) if steps else 1
    # A beat that nobody played shows as a long step.
    silent = sum(round(step / usual) - 1 for step in steps)
    players = [[member for _, _, member in beat] for beat in beats]
    return {
        "beats": len(beats), "stalled": len(beats) - len(told), "missing": sum(len(clicks) - len(set(who)) for who in players) + silent * len(clicks),
        "extra": sum(len(who) - len(set(who)) for who in players),
        "unlike": sum(len({name for _, name, _ in beat}) > 1 for beat in beats),
        "off": [middle_off(member, beats) for member in range(len(clicks))]} | percentiles(spreads)


def together(clicks):
    """Those that are the same beat."""
    beat = []
    for click in clicks:
        if beat and click[0] - beat[-1][0] > SAME:
            yield beat
            beat = []
        beat.append(click)
    if beat:
        yield beat


def middle_off(member, beats):
    """How far a member usually is from the middle of all, in ms; None where it never played."""
    off = [(time - statistics.median(time for time, _, _ in beat)) / 1e6
           for beat in beats for time, _, who in beat if who == member]
    return statistics.median(off) if off else None
