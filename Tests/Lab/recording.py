"""The WAV file of a simulated card, and the clicks in it, in true time."""
import mmap
import os
import re
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(here, "../../.build-python"))
try:
    import numpy as np
except ImportError:
    sys.exit("reading recordings takes numpy: Tests/Setup/python-packages lab")

# The click of Examples/Orchestra: a tone from phase 0 that decays, 1760 Hz on the first beat of a bar.
PITCHES = {"bar": 1760, "beat": 1320}  # Hz
LEVEL, DECAY, LENGTH = 0.25, 0.012, 0.04  # full scale; s; s of it that are looked for
LEAST = 0.6  # of the click's level: drums and seeds sound at the same time
APART = 0.05  # s; nearer to each other two clicks are one
CYCLES = 3  # by which the likeness may be wrong
BAND = 900, 2300  # Hz; in it is nearly all of a click's power
WINDOW = 4096  # frames in which a click's start is looked for
CHUNK = 1 << 17  # frames; a power of two, for the transform
SAMPLE = 3  # bytes


class Recording:
    """Frame n of the file was heard at `heard + n * 1e9 / rate`, in ns of true time."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        chunks = dict(self._chunks())
        where, _ = chunks[b"fmt "]
        self.channels = int.from_bytes(self.bytes[where + 2:where + 4], "little")
        self.nominal = int.from_bytes(self.bytes[where + 4:where + 8], "little")
        where, size = chunks[b"LIST"]
        comment = self.bytes[where:where + size].split(b"ICMT")[1][4:].split(b"\0")[0].decode()
        said = re.fullmatch(r"frame 0 heard at CLOCK_MONOTONIC_RAW (\d+) ns; ([\d.]+) frames a second", comment)
        self.heard, self.rate = int(said[1]), float(said[2])
        self.data, _ = chunks[b"data"]
        # Whoever was killed has not brought the header up to date.
        self.frames = (len(self.bytes) - self.data) // (SAMPLE * self.channels)

    def _chunks(self):
        """Each chunk's name, place and size, up to the data."""
        place, name = 12, None
        while name != b"data":
            name, size = self.bytes[place:place + 4], int.from_bytes(self.bytes[place + 4:place + 8], "little")
            yield name, (place + 8, size)
            place += 8 + size + size % 2

    def first_channel(self, begin, end):
        """Samples within ±1; silence beyond the end."""
        stride = SAMPLE * self.channels
        have = max(0, min(end, self.frames) - begin)
        rows = np.frombuffer(self.bytes, np.uint8, have * stride, self.data + begin * stride).reshape(-1, stride)
        low, middle, high = (rows[:, i].astype(np.int32) for i in range(SAMPLE))
        result = np.zeros(end - begin, np.float32)
        result[:have] = (low << 8 | middle << 16 | high << 24) * 2.0**-31
        return result

    def clicks(self):
        """(ns of true time, "bar" or "beat") for each click."""
        likeness, noise = self._likenesses(), self._noise()
        best = np.maximum(*likeness.values())
        loud = np.flatnonzero(best > LEAST)
        for group in np.split(loud, np.flatnonzero(np.diff(loud) > APART * self.nominal) + 1):
            if len(group):
                frame = int(group[np.argmax(best[group])])
                name = max(likeness, key=lambda name: likeness[name][frame])
                yield self.heard + round(self._start(frame, name, noise) * 1e9 / self.rate), name

    def _start(self, frame, name, noise):
        """Where a click that is most alike at `frame` begins: there, or up to some cycles of its tone away.

        Loud drums and seeds can make a neighbouring cycle look more alike. So each frequency counts less the louder they are
        there: a matched filter for noise that is not white (G. L. Turin, An introduction to matched filters, 1960).
        """
        shape = np.conj(np.fft.rfft(click(PITCHES[name], self.nominal), WINDOW)) / noise
        begin, reach = frame - WINDOW // 2, round(CYCLES * self.nominal / PITCHES[name])
        if begin < 0:
            return frame
        heard = np.fft.rfft(self.first_channel(begin, begin + WINDOW) * np.hanning(WINDOW) ** 0.25)
        likeness = np.fft.irfft(heard * shape)[WINDOW // 2 - reach:WINDOW // 2 + reach + 1]
        return frame - reach + int(np.argmax(likeness))

    def _noise(self):
        """The power at each frequency of all that sounds but the clicks, whose own band is bridged."""
        frequencies = np.fft.rfftfreq(WINDOW, 1 / self.nominal)
        last = max(1, self.frames - WINDOW)
        power = sum(np.abs(np.fft.rfft(self.first_channel(begin, begin + WINDOW) * np.hanning(WINDOW)))**2
                    for begin in np.linspace(0, last, 4000, dtype=int))
        power += 1e-6 * power.mean()
        band = (frequencies >= BAND[0]) & (frequencies < BAND[1])
        sides = [np.log(power[(frequencies >= low) & (frequencies < high)].mean())
                 for low, high in ((BAND[0] - 100, BAND[0]), (BAND[1], BAND[1] + 200))]
        power[band] = np.exp(np.interp(frequencies[band], BAND, sides))
        return power

    def _likenesses(self):
        """For each pitch and frame how loud its click is from there on, by least squares: 1 is its own level."""
        clicks = {name: click(pitch, self.nominal) for name, pitch in PITCHES.items()}
        spectra = {name: np.conj(np.fft.rfft(shape, CHUNK)) / np.dot(shape, shape) for name, shape in clicks.items()}
        result = {name: np.zeros(self.frames, np.float32) for name in clicks}
        step = CHUNK - max(map(len, clicks.values()))
        for begin in range(0, self.frames, step):
            heard = np.fft.rfft(self.first_channel(begin, begin + CHUNK))
            for name, spectrum in spectra.items():
                result[name][begin:begin + step] = np.fft.irfft(heard * spectrum)[:min(step, self.frames - begin)]
        return result


def click(pitch, rate):
    k = np.arange(1, round(LENGTH * rate) + 1)
    return LEVEL * np.exp(-k / (DECAY * rate)) * np.sin(2 * np.pi * pitch / rate * k)
