"""Writes a tape with one note in a bundle for the future: notes.py FILE ARRIVES_AT FRAME (at 48,000 Hz)."""
import struct
import sys
from fractions import Fraction

START = 4_004_251_200  # 21 November 2026, 12:00 UTC, in seconds since 1900


def text(word):
    return word.encode() + b"\0" * (4 - len(word) % 4)


def bundle(seconds, *elements):
    steps = -(-seconds.numerator * 2**32 // seconds.denominator)
    return b"#bundle\0" + struct.pack(">Q", (START << 32) + steps) + b"".join(map(sized, elements))


def sized(packet):
    return struct.pack(">i", len(packet)) + packet


path, arrives, frame = sys.argv[1], Fraction(sys.argv[2]), int(sys.argv[3])
header = text("/momu/tape") + text(",is") + struct.pack(">i", 1) + text("by hand")
note = text("/note") + text(",ff") + struct.pack(">ff", 69, 0.8)
# The last moment that is still this frame's: a frame lasts 20,833 ns.
due = Fraction(frame, 48_000) - Fraction(10, 10**6) if frame % 2 else Fraction(frame, 48_000)
with open(path, "wb") as file:
    file.write(sized(bundle(Fraction(0), header)))
    file.write(sized(bundle(arrives, bundle(due, note))))
