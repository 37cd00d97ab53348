"""What beats on one grid of true time say: all of it in ms at the tempo of the moment."""
import statistics

from beats import GAP, STEP, grid, tempo, wrapped

HOLDS = 5  # seconds for which a peer must stay close to count as close
SECOND = 10**9


class Beats:
    """One kind's lives over a span of true time."""

    def __init__(self, lives, modulo, begin, end):
        self.lives, self.modulo = lives, modulo
        self.times = grid(begin, end)
        self.columns = [life.on(self.times, modulo) for life in lives]

    def differences(self, index):
        """Each life's beat against the first known one's, in ms; None where it is not known."""
        row = [column[index] for column in self.columns]
        first = next((beat for beat in row if beat is not None), None)
        rate = tempo(self.columns, index, self.modulo)
        if first is None or rate is None:
            return [None] * len(row)
        return [None if beat is None else wrapped(beat - first, self.modulo) / rate for beat in row]

    def spread(self, expected):
        """Percentiles over time of the largest minus the smallest, and at how much of the time all expected peers
        were known; moments at which fewer than two were are left out."""
        spreads, complete = [], 0
        for index in range(len(self.times)):
            known = [value for value in self.differences(index) if value is not None]
            complete += len(known) >= expected
            if len(known) > 1:
                spreads.append(max(known) - min(known))
        return percentiles(spreads) | {"complete": complete / max(1, len(self.times))}

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


def line(points):
    """Least squares through (x, y): the mean x, the y there, and the slope."""
    x, y = (statistics.fmean(values) for values in zip(*points))
    return x, y, sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def moved(life, moment, before=2, after=5):
    """A listener's beat after a moment against its own course in the seconds before: the largest step from one
    line of its log to the next, and the farthest it got, in ms. None where the log does not say."""
    points = [((time - moment) * 1e-6, beat) for time, beat in life.between(
        moment - before * SECOND, moment + after * SECOND)]
    if len(points) < 2 or any(later - time > GAP * 1e-6 for (time, _), (later, _) in zip(points, points[1:])):
        return None
    course = [point for point in points if point[0] < 0]
    if len(course) < 2 or len(course) == len(points):
        return None
    x, y, slope = line(course)
    off = [(beat - y) / slope - (time - x) for time, beat in points]
    steps = [abs(b - a) for a, b in zip(off[len(course) - 1:], off[len(course):])]
    return max(steps), max(abs(value) for value in off[len(course):])
