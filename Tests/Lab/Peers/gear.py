"""A drum machine on a tape: gear.py TAPE SECONDS [SEED]

MIDI clock at 123 beats/min, 100 ppm fast, with 3 ms of jitter; 1 % of the clocks are lost. It starts after 2 s.
"""
import random
import struct
import sys

BPM, START, JITTER, LOST = 123 * (1 + 1e-4), 2.0, 3e-3, 0.01
CLOCK, BEGIN = 0xF8, 0xFA
MADE = 3_970_000_000  # seconds since 1900


def text(word):
    data = word.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def packet(time, message):
    ntp = int((MADE + time) * 2**32)
    bundle = b"#bundle\0" + struct.pack(">Q", ntp) + struct.pack(">i", len(message)) + message
    return struct.pack(">i", len(bundle)) + bundle


def messages(seconds, chance):
    """The times and bytes of start and of each clock that arrives; a cable keeps their order."""
    yield START - 5 * JITTER, BEGIN
    latest, tick = START, 0
    while (due := START + tick * 60 / BPM / 24) < seconds:
        latest = max(latest, due + JITTER * chance.gauss(0, 1))
        if tick == 0 or chance.random() >= LOST:
            yield latest, CLOCK
        tick += 1


def write(path, seconds, seed=1):
    with open(path, "wb") as tape:
        tape.write(packet(0, text("/momu/tape") + text(",is") + struct.pack(">i", 1) + text("gear.py")))
        for time, byte in messages(seconds, random.Random(seed)):
            tape.write(packet(time, text("/momu/midi") + text(",is") + struct.pack(">i", byte) + text("drum machine")))


if __name__ == "__main__":
    write(sys.argv[1], float(sys.argv[2]), *map(int, sys.argv[3:]))
