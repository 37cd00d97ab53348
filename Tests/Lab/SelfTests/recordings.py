"""Recordings made up so that it is known when each click was heard."""
import json
import os
import struct

from arithmetic import BEGIN, SECOND, Made, near
from beats import Run
from hits import struck
from recording import np

RATE = 48_000
SECONDS = 24
SEEDS = 0.02  # full scale


class Orchestra:
    """Members whose cards run `ppm` fast and record a click every half second, higher on every fourth, with a drum
    in any phase that begins with it, and seeds that rattle all the time."""

    def __init__(self, ppms=(100, -100, 33, -33)):
        self.made, self.ppms = Made(scenario="sound"), ppms
        self.made.facts["cards"] = list(ppms)
        self.clicks = [[[beat / 2, "bar" if beat % 4 == 0 else "beat"] for beat in range(2 * SECONDS)] for _ in ppms]

    def result(self):
        for node, (ppm, clicks) in enumerate(zip(self.ppms, self.clicks), 1):
            self.made.event("join", 0, kind="made", node=node, life=0)
            rate, heard = RATE * (1 + ppm * 1e-6), -0.1 * node
            path = os.path.join(self.made.folder.name, f"made-{node}-0.wav")
            write(path, BEGIN + round(heard * SECOND), rate, played(clicks, heard, rate, node))
        self.made.event("begin", 1.75), self.made.event("end", 22.25)
        return self.made.result()["sound"]


def played(clicks, heard, rate, seed):
    chance = np.random.default_rng(seed)
    # Like real seeds, they are loudest above the click, at 3 kHz.
    t = np.arange(200) / RATE
    shell = np.exp(-t / 0.0005) * np.sin(2 * np.pi * 3000 * t)
    samples = SEEDS * np.convolve(chance.normal(size=round(SECONDS * RATE)), shell, "same")
    for second, name in clicks:
        first = round((second - heard) * rate)
        length = min(RATE // 3, len(samples) - first)
        if length <= 0:
            continue
        t = np.arange(1, length + 1) / RATE
        pitch = {"bar": 1760, "beat": 1320}[name]
        sound = 0.25 * np.exp(-t / 0.012) * np.sin(2 * np.pi * pitch * t)
        drum, phase = chance.choice([60, 190]), chance.uniform(0, 2 * np.pi)
        sound += 0.25 * np.exp(-t / 0.2) * np.sin(2 * np.pi * drum * t + phase)
        samples[first:first + length] += sound
    return samples


def write(path, heard, rate, samples):
    """Mono, 24 bits, as the RIFF specification has it, with a comment."""
    comment = f"frame 0 heard at CLOCK_MONOTONIC_RAW {heard} ns; {rate} frames a second".encode().ljust(128, b"\0")
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, RATE, RATE * 3, 3, 24)
    said = struct.pack("<4sI4s4sI", b"LIST", 12 + 128, b"INFO", b"ICMT", 128) + comment
    whole = (np.clip(samples, -1, 1) * 8_388_607).astype("<i4").view(np.uint8).reshape(-1, 4)[:, :3].tobytes()
    data = b"WAVE" + form + said + struct.pack("<4sI", b"data", len(whole)) + whole
    with open(path, "wb") as file:
        file.write(struct.pack("<4sI", b"RIFF", len(data)) + data)


def alike():
    """Clicks heard at one time are found within a few frames of each other, whatever the cards' rates and the drums."""
    result = Orchestra().result()
    assert result["max"] < 0.065, result
    assert [result[what] for what in ("beats", "missing", "extra", "unlike")] == [40, 0, 0, 0], result
    assert result["cards"] == [100, -100, 33, -33], result


def late():
    """A member 0.7 ms late is 0.7 ms off, though that is about a whole wave of the click."""
    orchestra = Orchestra()
    for click in orchestra.clicks[2]:
        click[0] += 0.7e-3
    result = orchestra.result()
    near(result["p50"], 0.7, 0.045), near(result["max"], 0.7, 0.045)
    near(result["off"][2], 0.7, 0.045), near(result["off"][0], 0, 0.045)


def lacking():
    """One click that lacks, one too many, one at another pitch, and a beat that nobody plays are told apart."""
    orchestra = Orchestra()
    for clicks in orchestra.clicks:
        del clicks[30]
    del orchestra.clicks[1][20]
    orchestra.clicks[2][17][1] = "bar"
    orchestra.clicks[3].append([11.57, "beat"])
    result = orchestra.result()
    assert [result[what] for what in ("beats", "missing", "extra", "unlike")] == [39, 1 + 4, 1, 1], result


def stalled():
    """A click that is late where the machine stood still is counted, but its lateness is not; any other's is."""
    orchestra = Orchestra()
    for beat, late in ((12, 0.025), (13, 0.0004)):
        orchestra.clicks[1][beat][0] += late
    orchestra.made.facts["machine"]["stalls"] = [[BEGIN + round(5.99 * SECOND), SECOND // 40]]
    result = orchestra.result()
    near(result["max"], 0.4, 0.045)
    assert [result[what] for what in ("beats", "stalled", "missing", "extra")] == [40, 1, 0, 0], result


class Strikers:
    """Members whose cards run `ppm` fast and record a short stroke every half second."""

    def __init__(self, ppms=(100, -100, 33)):
        self.made, self.ppms, self.said = Made(scenario="hits"), ppms, [0] * len(ppms)
        self.statuses, self.lost, self.delayed = [0] * len(ppms), [""] * len(ppms), [0] * len(ppms)
        self.strokes = [[beat / 2 for beat in range(2 * SECONDS)] for _ in ppms]

    def result(self):
        for node, (ppm, strokes, said, delayed) in enumerate(zip(self.ppms, self.strokes, self.said, self.delayed), 1):
            self.made.event("join", 0, kind="hits", node=node, life=0)
            self.made.event("ended", 23, kind="hits", node=node, life=0, status=self.statuses[node - 1])
            rate, heard = RATE * (1 + ppm * 1e-6), -0.1 * node
            path = os.path.join(self.made.folder.name, f"hits-{node}-0")
            samples = np.zeros(round(SECONDS * RATE))
            for second in strokes:
                first = round((second - heard) * rate)
                length = min(RATE // 5, len(samples) - first)
                t = np.arange(1, max(0, length) + 1) / RATE
                samples[first:first + len(t)] += 0.2 * np.exp(-t / 0.03) * np.sin(2 * np.pi * 500 * t)
            write(path + ".wav", BEGIN + round(heard * SECOND), rate, samples)
            with open(path + ".txt", "w") as file:
                file.write(
                    f"bars: 90 strikes and notes of the room were played, {delayed} of them late, by 8 ms at most, "
                    f"{said} came too late, by 9 ms at most\n")
                file.write(self.lost[node - 1])
        self.made.event("begin", 1.75), self.made.event("end", 22.25)
        with open(os.path.join(self.made.folder.name, "events.json"), "w") as file:
            json.dump(self.made.facts, file)
        return struck(self.made.folder.name, Run(self.made.folder.name))


def strokes_alike():
    """Strokes heard at one time are found within two frames of each other; one 2 ms early is 2 ms off."""
    strikers = Strikers()
    strikers.strokes[1][20] -= 0.002
    result = strikers.result()
    near(result["max"], 2, 0.045), near(result["p95"], 0, 0.045)
    assert [result[what] for what in ("strokes", "missing", "unreported", "extra")] == [40, 0, 0, 0], result


def strokes_lacking():
    """A stroke that lacks is forgiven only where the member said that it came too late; one too many never is."""
    strikers = Strikers()
    del strikers.strokes[0][20], strikers.strokes[2][30]
    strikers.strokes[1].append(11.75)
    strikers.said[0] = 1
    result = strikers.result()
    assert [result[what] for what in ("missing", "reported", "unreported")] == [4, 1, 3], result
    assert result["strokes"] == 41, result
    # Another member's word is no excuse.
    strikers = Strikers()
    del strikers.strokes[0][20], strikers.strokes[0][22]
    strikers.said[:2] = [1, 9]
    result = strikers.result()
    assert [result[what] for what in ("missing", "reported", "unreported", "untold")] == [2, 10, 1, 0], result
    # The word of the member that struck counts for the member that did not receive.
    strikers = Strikers()
    del strikers.strokes[0][20], strikers.strokes[2][22], strikers.strokes[2][24]
    strikers.lost[1] = "p1h did not receive 2 hits and 1 note: check its program\np3 did not receive 1 note: check\n"
    strikers.lost[0] = "p3h did not receive 2 notes: check its program\n"
    result = strikers.result()
    assert [result[what] for what in ("missing", "reported", "unreported")] == [3, 3, 0], result


def strokes_late():
    """A sounding that is late must be in the member's report; it is no stroke of its own."""
    for late in (0.05, 0.115):
        for said, unreported in ((0, 1), (1, 0)):
            strikers = Strikers()
            strikers.strokes[0][20] += late
            strikers.delayed[0] = said
            result = strikers.result()
            assert [result[what] for what in ("strokes", "missing", "late", "unreported", "extra")] == [
                40, 0, 1, unreported, 0], result
            near(result["max"], 0, 0.045)


def strokes_untold():
    """A member that was killed could not say what came too late, which is told."""
    strikers = Strikers()
    strikers.statuses = [0, -9, 0]
    assert strikers.result()["untold"] == 1


def strokes_stalled():
    """A stroke that a card which ran dry cut in two is no second one where the machine stood still; any other's is."""
    strikers = Strikers()
    for beat, length in ((20, SECOND // 25), (30, 0)):
        strikers.strokes[1].append(beat / 2 + 0.08)
        if length:
            strikers.made.facts["machine"]["stalls"] = [[BEGIN + round(beat / 2 * SECOND) + SECOND // 100, length]]
    result = strikers.result()
    assert [result[what] for what in ("strokes", "missing", "extra")] == [40, 0, 1], result


def strokes_near():
    """Strokes of several a sixteenth apart are told apart where they die away as fast as those of the lab; one at the edge
    is not cut in two."""
    strikers = Strikers()
    for strokes, card in zip(strikers.strokes, (0, 0.0002, 0.0001)):
        strokes[:] = [second + card for beat in range(44) for second in (beat / 2, beat / 2 + 0.125)]
    result = strikers.result()
    assert [result[what] for what in ("missing", "unreported", "extra")] == [0, 0, 0], result
    near(result["max"], 0.2, 0.045)


laws = [alike, late, lacking, stalled, strokes_alike, strokes_lacking, strokes_late, strokes_untold,
        strokes_stalled, strokes_near]
