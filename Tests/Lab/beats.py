"""Beat logs of a run, laid on one grid of true time."""
import bisect
import json
import math
import os
import statistics

STEP = 10_000_000  # ns of the grid
NEW_TEMPO = 0.02  # parts by which a tempo differs from one that was corrected, or read badly
GAP = 100_000_000  # ns; what lies between two lines further apart is not known


class Life:
    """One process's log: when it joined, and its beat at times that rise."""

    def __init__(self, kind, node, number, joined, times, beats):
        self.kind, self.node, self.number, self.joined = kind, node, number, joined
        self.times, self.beats = times, beats

    def on(self, grid, modulo=None):
        """Its beat at each time of the grid, None where the log does not say.

        A peer that counts modulo something may leap by it between two lines.
        """
        times, beats, result, i = self.times, self.beats, [], 0
        for time in grid:
            while i < len(times) and times[i] <= time:
                i += 1
            if i == 0 or i == len(times) or times[i] - times[i - 1] > GAP:
                result.append(None)
                continue
            result.append(beats[i - 1] + self._progress(i, time - times[i - 1], modulo))
        return result

    def _progress(self, i, since, modulo):
        """The beats from line i - 1 on, `since` ns after it. Where the tempo changes between two lines the beat runs
        on at the old one until it meets the new: a straight line would be up to 2 ms off. Lines very close to each
        other, as after a pause of the whole machine, tell no tempo."""
        near = [j for j in (i - 1, i, i + 1)
                if 0 < j < len(self.times) and self.times[j] - self.times[j - 1] > STEP / 2]
        slopes = [self._slope(j, modulo) for j in near]
        if len(slopes) < 3 or abs(slopes[0] - slopes[2]) <= NEW_TEMPO * abs(slopes[2]):
            return self._slope(i, modulo) * since
        old, mean, new = slopes
        length = self.times[i] - self.times[i - 1]
        turn = (mean - new) / (old - new) * length
        if not 0 <= turn <= length:
            return mean * since
        return old * since if since <= turn else mean * length - new * (length - since)

    def _slope(self, i, modulo):
        return wrapped(self.beats[i] - self.beats[i - 1], modulo) / (self.times[i] - self.times[i - 1])

    def between(self, begin, end):
        """Its lines as they are."""
        first, last = bisect.bisect_left(self.times, begin), bisect.bisect_right(self.times, end)
        return list(zip(self.times[first:last], self.beats[first:last]))


class Run:
    """A folder that lab.py left."""

    def __init__(self, folder):
        with open(os.path.join(folder, "events.json")) as file:
            self.facts = json.load(file)
        self.events = self.facts["events"]
        self.lives = {kind: [] for kind in self.facts["kinds"]}
        for event in self.all("join"):
            path = os.path.join(folder, "{kind}-{node}-{life}.log".format(**event))
            if os.path.exists(path):
                self.lives[event["kind"]].append(read(path, event))

    def all(self, what):
        return [event for event in self.events if event["what"] == what]

    def at(self, what):
        return self.all(what)[0]["at"]


def read(path, event):
    """A line that ends too early, of a process that was killed, or holds no number is left out."""
    joined, times, beats = event["at"], [], []
    with open(path) as file:
        for line in file:
            words = line.split()
            if line.startswith("# joined"):
                joined = int(words[2])
            elif line.endswith("\n") and len(words) == 3 and words[0] != "#" and math.isfinite(float(words[1])):
                times.append(int(words[0]))
                beats.append(float(words[1]))
    return Life(event["kind"], event["node"], event["life"], joined, times, beats)


def grid(begin, end):
    return range(begin - begin % STEP + STEP, end, STEP)


def wrapped(beats, modulo):
    """The shortest way round, where beats count modulo something only."""
    return beats if modulo is None else (beats + modulo / 2) % modulo - modulo / 2


def tempo(columns, index, modulo=None, reach=10):
    """The peers' middle tempo about a moment of the grid, in beats a ms; None where nobody knows."""
    slopes = []
    for column in columns:
        first, last = max(0, index - reach), min(len(column) - 1, index + reach)
        if column[first] is not None and column[last] is not None and last > first:
            slopes.append(wrapped(column[last] - column[first], modulo) / ((last - first) * STEP * 1e-6))
    middle = statistics.median(slopes) if slopes else 0
    return middle if middle > 0 else None


