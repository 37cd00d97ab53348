"""Writes a tape with struct alone: readings.py TAPE, and on standard input a line for each reading.

A line is the moment in seconds, an address, types, and values: "0.5 /momu/compass fff 90 nan 2".
"""
import struct
import sys


def text(word):
    data = word.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def packet(time, message):
    # Rounded to the nearest step of 2**-32 s, so that moments come back exact to a nanosecond.
    ntp = round((4_000_000_000 + time) * 2**32)
    bundle = b"#bundle\0" + struct.pack(">Q", ntp) + struct.pack(">i", len(message)) + message
    return struct.pack(">i", len(bundle)) + bundle


def value(kind, word):
    if kind == "s":
        return text(word)
    return struct.pack(">i", int(word)) if kind == "i" else struct.pack(">f", float(word))


with open(sys.argv[1], "wb") as tape:
    tape.write(packet(0, text("/momu/tape") + text(",is") + struct.pack(">i", 1) + text("readings.py")))
    for line in sys.stdin:
        moment, address, types, *words = line.split()
        assert len(types) == len(words), line
        values = b"".join(value(kind, word) for kind, word in zip(types, words))
        tape.write(packet(float(moment), text(address) + text("," + types) + values))
