"""What beats on one grid of true time say: all of it in ms at the tempo of the moment."""
import statistics

from beats import STEP, grid, tempo, wrapped

HOLDS = 5  # seconds for which a peer must stay close to count as close
SECOND = 10**9


class Beats:
    """One kind's lives over a span of true time."""

    def __init__(self, lives, modulo, begin, end):
        self.lives, self.modulo = lives, modulo
        self.times = grid(begin, end)
        self.columns = [life.on(self.times) for life in lives]

    def differences(self, index):
        """Each life's beat against the first known one's, in ms; None where it is not known."""
        row = [column[index] for column in self.columns]
        first = next((beat for beat in row if beat is not None), None)
        rate = tempo(self.columns, index)
        if first is None or rate is None:
            return [None] * len(row)
        return [None if beat is None else wrapped(beat - first, self.modulo) / rate for beat in row]

    def spread(self):
        """Over time: the largest minus the smallest; moments at which fewer than two are known are left out."""
        for index in range(len(self.times)):
            known = [value for value in self.differences(index) if value is not None]
            if len(known) > 1:
                yield max(known) - min(known)

    def from_others(self, which):
        """Over time: how far one life is from the median of those which joined before it; None unknown."""
        elders = [i for i, life in enumerate(self.lives) if i != which and life.joined <= self.lives[which].joined]
        return self._from(which, elders)

    def from_everybody(self, which):
        """Over time: how far one life is from the median of all others; None where unknown."""
        return self._from(which, [i for i in range(len(self.lives)) if i != which])

    def _from(self, which, others):
        for index in range(len(self.times)):
            row = self.differences(index)
            known = [row[i] for i in others if row[i] is not None]
            yield row[which] - statistics.median(known) if known and row[which] is not None else None


def percentiles(values):
    ordered = sorted(values)
    if not ordered:
        return {}
    names = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    return {name: ordered[min(len(ordered) - 1, int(len(ordered) * part))] for name, part in names.items()} | {
        "max": ordered[-1]}


def seconds_until_close(deviations, limit):
    """From the first value on, until all are known and within the limit for 5 s, or to the end where that is less;
    None where that never happens."""
    needed, run = HOLDS * SECOND // STEP, 0
    deviations = list(deviations)
    for index, deviation in enumerate(deviations):
        run = run + 1 if deviation is not None and abs(deviation) <= limit else 0
        if run == needed or run and index == len(deviations) - 1:
            return (index + 1 - run) * STEP / SECOND
    return None


def line(values):
    """Least squares through (index, value): its value at 0 and its slope."""
    count = len(values)
    middle, mean = (count - 1) / 2, sum(values) / count
    slope = sum((i - middle) * (value - mean) for i, value in enumerate(values)) / sum(
        (i - middle) ** 2 for i in range(count))
    return mean - slope * middle, slope


def moved(life, moment, before=2, after=5):
    """A listener's beat after a moment against its own course in the seconds before: the largest step from one
    10 ms to the next, and the farthest it got, in ms. None where the log does not say."""
    column = life.on(grid(moment - before * SECOND, moment + after * SECOND))
    count = before * SECOND // STEP
    if None in column:
        return None
    start, slope = line(column[:count])
    off = [(beat - start - slope * i) / slope * STEP * 1e-6 for i, beat in enumerate(column)]
    steps = [abs(b - a) for a, b in zip(off[count - 1:], off[count:])]
    return max(steps), max(abs(value) for value in off[count:])
