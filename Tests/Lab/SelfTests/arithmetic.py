"""The measures on logs made up so that the answer is known."""
import json
import os
import tempfile

from beats import Run
from spread import summary

BEGIN = 5_000_000_000_000
SECOND = 10**9


class Made:
    """A folder like lab.py's: peers at 120 bpm, each with an error in ms that depends on the second."""

    def __init__(self, modulo=None, scenario="steady"):
        self.folder = tempfile.TemporaryDirectory()
        self.facts = {
            "scenario": scenario, "profile": "none", "nodes": 3, "ppm": 0, "seed": 0, "traffic": [],
            "machine": {"cores": 1, "busy": 0, "stolen": 0, "load": 0},
            "late": {"frames": 0, "mean_ns": 0, "worst_ns": 0, "over_100_us": 0}, "kinds": ["made"],
            "modulo": {"made": modulo}, "events": []}

    def event(self, what, second, **more):
        self.facts["events"].append({"at": BEGIN + int(second * SECOND), "what": what} | more)

    def peer(self, error=lambda second: 0, joins=0, ends=30, beat=lambda second: second * 2, life=0, shift=0):
        """Its lines lie 10 ms apart, beginning somewhere in the first 10."""
        node = 1 + len([event for event in self.facts["events"] if event["what"] == "join"])
        self.event("join", joins, kind="made", node=node, life=life)
        with open(os.path.join(self.folder.name, f"made-{node}-{life}.log"), "w") as log:
            for i in range(int((ends - joins) * 100)):
                second = joins + i / 100 + node / 1000
                rate = (beat(second) - beat(second - 0.001)) / 0.001
                value = beat(second) + error(second) / 1000 * rate + shift
                log.write(f"{BEGIN + round(second * SECOND)} {value:.9f} 0\n")
        return node

    def result(self):
        with open(os.path.join(self.folder.name, "events.json"), "w") as file:
            json.dump(self.facts, file)
        return summary(self.folder.name)["kinds"]["made"]


def near(value, wanted, tolerance=0.002):
    assert value is not None and abs(value - wanted) <= tolerance, f"{value} where {wanted} is right"


def spread():
    """The spread is the largest error minus the smallest, in ms."""
    made = Made()
    for error in (0.25, -0.5, 0.1):
        made.peer(lambda second, error=error: error)
    made.event("begin", 10), made.event("end", 29)
    result = made.result()["spread"]
    near(result["p50"], 0.75), near(result["max"], 0.75)


def percentiles():
    """A spread that grows evenly from 0 to 20 ms has its percentiles there."""
    made = Made()
    made.peer()
    made.peer(lambda second: second - 5)
    made.event("begin", 5), made.event("end", 25)
    result = made.result()["spread"]
    near(result["p50"], 10, 0.05), near(result["p95"], 19, 0.05), near(result["max"], 20, 0.05)


def modulo():
    """Where beats count modulo 4 only, neither whole fours matter nor a leap by four."""
    made = Made(modulo=4)
    leaping = lambda second: 2 * second - (4 if second > 15 else 0)
    made.peer(shift=400, beat=leaping), made.peer(lambda second: 0.5, shift=-4), made.peer(lambda second: -0.5)
    made.event("begin", 5), made.event("end", 25)
    near(made.result()["spread"]["max"], 1)


def tempos():
    """Beats become ms at the tempo of the moment."""
    made = Made(scenario="tempo")
    course = lambda second: 2 * second if second < 15 else 30 + 3 * (second - 15)
    made.peer(beat=course), made.peer(lambda second: 1 if second > 15.2 else 0, beat=course)
    made.event("begin", 5), made.event("tempo", 15, bpm=180), made.event("end", 25)
    change = made.result()["changes"][0]
    near(change["p50"], 1), near(change["max"], 1, 0.02)


def together():
    """Peers that change the tempo at the same moment stay together in it, wherever their lines fall."""
    made = Made(scenario="tempo")
    for _ in range(3):
        made.peer(beat=lambda second: 2 * second if second < 15.0042 else 30.0084 + 3.5 * (second - 15.0042))
    made.event("begin", 5), made.event("tempo", 15, bpm=210), made.event("end", 25)
    near(made.result()["changes"][0]["max"], 0)


def crowded():
    """Lines crowded after a pause, each a little wrong, make no tempo of their own."""
    made = Made()
    made.peer(), made.peer()
    path = os.path.join(made.folder.name, "made-2-0.log")
    with open(path) as file:
        kept = [line for line in file if not 10 < (int(line.split()[0]) - BEGIN) / SECOND < 10.06]
    for second, wrong in ((10.02, -0.02), (10.0201, 0.02), (10.04, 0.02), (10.0401, -0.02)):  # s, ms
        kept.append(f"{BEGIN + round(second * SECOND)} {2 * second + wrong / 500:.9f} 0\n")
    with open(path, "w") as file:
        file.writelines(sorted(kept))
    made.event("begin", 5), made.event("end", 25)
    near(made.result()["spread"]["max"], 0, 0.05)


def joins():
    """A joiner is close from when it stays so: not while it passes through."""
    made = Made()
    made.peer(ends=40), made.peer(joins=2, ends=40)

    def error(second):  # passes 0 at 6 s, is within 3 ms for good from 7.5 s, within 1 ms from 8 s
        since = second - 5
        return 50 * (1 - since) if since < 2 else -50 + 94 * (since - 2) if since < 2.5 else (
            -2 if since < 3 else 0.5)

    made.peer(error, joins=5, ends=40)
    made.event("begin", 20), made.event("end", 39)
    times = made.result()["joins"]
    near(times[0]["1 ms"], 0, 0.02), near(times[1]["3 ms"], 2.5, 0.03), near(times[1]["1 ms"], 3, 0.03)


def never():
    """A joiner that stays 2 ms away is within 3 ms at once, and never within 1 ms."""
    made = Made()
    made.peer(), made.peer(lambda second: 2, joins=1)
    made.event("begin", 11), made.event("end", 29)
    join = made.result()["joins"][0]
    near(join["3 ms"], 0, 0.02)
    assert join["1 ms"] is None


def cut_off():
    """A member cut off is measured against the others, until it is back."""
    made = Made(scenario="cutoff")
    made.peer(), made.peer(lambda second: 0.2)

    def error(second):  # drifts to 4.5 ms away, and comes back half a second after its link
        return 0.1 if second < 10 else 0.5 * (second - 10) if second < 19.5 else 0.1

    node = made.peer(error)
    made.event("begin", 5), made.event("cut", 10, node=node), made.event("back", 19, node=node), made.event("end", 28)
    result = made.result()["cutoff"]
    near(result["farthest"], 4.4, 0.02), near(result["back"], 0.5, 0.03)


def crashed():
    """A listener's beat is held against its own course before the conductor's death."""
    made = Made(scenario="crash")
    dead = made.peer(ends=12)
    made.peer(lambda second: 0.3 * second), made.peer(lambda second: 1.5 if second > 13 else 0)
    made.event("begin", 5), made.event("kill", 12, node=dead), made.event("end", 25)
    result = made.result()["crash"]
    near(result["step"], 1.5, 0.02), near(result["farthest"], 1.5, 0.02)
    assert (result["times"], result["unknown"]) == (1, 0), result


def stopped():
    """While no beat moves there is no spread, and no error either."""
    made = Made()
    for _ in range(3):
        made.peer(beat=lambda second: min(2 * second, 20))
    made.event("begin", 5), made.event("end", 25)
    near(made.result()["spread"]["max"], 0, 0.01)


def gaps():
    """What lies in a gap of a log is not known, rather than guessed."""
    made = Made()
    made.peer(), made.peer(), made.peer(ends=14)
    made.event("begin", 5), made.event("end", 25)
    with open(os.path.join(made.folder.name, "made-2-0.log")) as file:
        lines = [line for i, line in enumerate(file) if not 1000 <= i < 1050]
    with open(os.path.join(made.folder.name, "made-2-0.log"), "w") as file:
        file.writelines(lines)
    near(made.result()["spread"]["complete"], (9 - 0.5) / 20, 0.002)
    life = Run(made.folder.name).lives["made"][1]
    beats = life.on([BEGIN + int(second * SECOND) for second in (9.9, 10.2, 10.6)])
    assert beats[1] is None and None not in (beats[0], beats[2]), beats


laws = [spread, percentiles, modulo, tempos, together, crowded, joins, never, cut_off, crashed, stopped, gaps]
