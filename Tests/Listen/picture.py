"""A waveform and a spectrogram, as one PNG picture."""
import struct
import zlib

import numpy

WIDTH, WAVE, SPECTRUM = 900, 120, 300
LOWEST, HIGHEST, FLOOR = 30, 24000, -110
GRID = 90


def of(sound, rate):
    """Rows of RGB: the waveform of both channels, ±1 high; a line of time; the spectrogram of their mean."""
    sound = numpy.nan_to_num(sound)
    waves = [waveform(channel) for channel in sound.T]
    gap = numpy.full((2, WIDTH, 3), 255, numpy.uint8)
    rows = numpy.concatenate([waves[0], gap, waves[1], gap, spectrogram(sound.mean(axis=1), rate)])
    for second in range(1, int(len(sound) / rate) + 1):  # a tick each second
        column = int(second * rate / len(sound) * WIDTH)
        if column < WIDTH:
            rows[::4, column] = GRID
    return rows


def waveform(channel):
    """Each column from the least to the greatest of its samples."""
    image = numpy.full((WAVE // 2, WIDTH, 3), 20, numpy.uint8)
    middle = (WAVE // 2 - 1) / 2
    image[int(middle)] = GRID
    for column, part in enumerate(numpy.array_split(channel, WIDTH)):
        top, bottom = (int(round(middle - middle * min(1, max(-1, value)))) for value in (part.max(), part.min()))
        image[top:bottom + 1, column] = (120, 200, 255)
    return image


def spectrogram(mono, rate):
    """Pitch upwards, lines at 100 Hz, 1 kHz and 10 kHz; a full-scale sine is white, FLOOR dB below it black."""
    size = 4096
    window = numpy.blackman(size)
    padded = numpy.concatenate([numpy.zeros(size // 2), mono, numpy.zeros(size // 2)])
    starts = numpy.linspace(0, len(padded) - size, WIDTH).astype(int)
    frames = numpy.stack([padded[start:start + size] * window for start in starts])
    power = numpy.abs(numpy.fft.rfft(frames)) * 2 / window.sum()
    frequencies = HIGHEST * (LOWEST / HIGHEST)**(numpy.arange(SPECTRUM) / (SPECTRUM - 1))
    edges = frequencies * (HIGHEST / LOWEST)**(0.5 / SPECTRUM) * size / rate
    lower = frequencies * (HIGHEST / LOWEST)**(-0.5 / SPECTRUM) * size / rate
    levels = numpy.stack([
        power[:, int(low):max(int(low) + 1, int(high) + 1)].max(axis=1) for low, high in zip(lower, edges)])
    shade = numpy.clip(1 - 20 * numpy.log10(levels + 1e-12) / FLOOR, 0, 1)
    image = numpy.stack([numpy.clip(shade * 2 - part, 0, 1) for part in (0.45, 0.9, 0)], axis=2)
    image[..., 2] = numpy.clip(numpy.minimum(shade * 2.5, 1.6 - shade), 0, 1) + numpy.clip(shade * 5 - 4, 0, 1) * 0.4
    for line in (100, 1000, 10000):
        row = numpy.abs(frequencies - line).argmin()
        image[row, ::6] = 0.7
    return (numpy.clip(image, 0, 1) * 255).astype(numpy.uint8)


def write(path, rows):
    """The rows as a PNG file (ISO/IEC 15948)."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width, _ = rows.shape
    lines = b"".join(b"\0" + row.tobytes() for row in rows)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))
