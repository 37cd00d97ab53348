"""Players who move while one machine sounds: tapes of movement for them, and what is heard in a recording that grows."""
import math
import os
import struct

RATE, SIZE = 48000, 6  # two channels of 24 bits
NOTES = {"A3": 220.0, "C4": 261.626, "D4": 293.665, "E4": 329.628}
# The tone's mapping has five degrees for a semitone: A3 at -60.
ROLLS = {"Ada": -59, "Bo": -45, "Cleo": -35, "Dan": -25}


def tape(path, roll):
    """A second of shaking to the top and back, five times a second, tipped to the right by an angle; it is played again and again."""
    def text(word):
        return word.encode() + bytes(4 - len(word.encode()) % 4)

    def packet(seconds, message):
        bundle = b"#bundle\0" + struct.pack(">Q", (4_004_251_200 << 32) + round(seconds * 2**32))
        bundle += struct.pack(">I", len(message)) + message
        return struct.pack(">I", len(bundle)) + bundle

    angle = math.radians(roll)
    with open(path, "wb") as file:
        file.write(packet(0, text("/momu/tape") + text(",is") + struct.pack(">i", 1) + text("movers.py")))
        for n in range(101):
            # A raised side reads positive: with the right edge down x is negative.
            y = 1.5 * math.sin(2 * math.pi * 5 * n / 100)
            values = struct.pack(">fff", -math.sin(angle), y, math.cos(angle))
            file.write(packet(n / 100, text("/momu/accel") + text(",fff") + values))


def begin(path):
    """Where the sound begins in a file that is still being written: a comment may stand before it."""
    with open(path, "rb") as file:
        head = file.read(4096)
    return head.index(b"data") + 8 if b"data" in head else len(head)


def frames(path):
    return max(0, (os.path.getsize(path) - begin(path)) // SIZE) if os.path.exists(path) else 0


def heard(path, first, count):
    """One channel of so many frames."""
    with open(path, "rb") as file:
        file.seek(begin(path) + first * SIZE)
        data = file.read(count * SIZE)
    return [int.from_bytes(data[i:i + 3], "little", signed=True) / 2**23 for i in range(0, len(data), SIZE)]


def part(samples, hertz):
    """How strong a frequency is, through a window of raised cosine (Goertzel)."""
    count, turn = len(samples), 2 * math.pi * hertz / RATE
    factor, one, two = 2 * math.cos(turn), 0.0, 0.0
    for n, sample in enumerate(samples):
        one, two = sample * (0.5 - 0.5 * math.cos(2 * math.pi * n / count)) + factor * one - two, one
    return math.sqrt(max(0, one * one + two * two - factor * one * two)) * 4 / count


def pitches(samples):
    return " ".join(name for name, hertz in NOTES.items() if part(samples, hertz) > 0.003)


def level(samples):
    return math.sqrt(sum(sample * sample for sample in samples) / len(samples))
