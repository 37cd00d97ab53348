"""Writes a tape with struct alone: tape.py FILE shakes|noise|still SEED [SECONDS]; prints when the shakes are.

Shakes of 1.5 to 4 g and 60 to 150 ms, as half a sine or a damped to-and-fro, on any axis, at irregular times,
on top of gravity along any axis and the noise of a sensor, at 50 to 200 readings a second.
"""
import math
import random
import struct
import sys

path, kind, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
dice = random.Random(seed)
rate = dice.choice([50, 100, 200])
seconds = int(sys.argv[4]) if len(sys.argv) > 4 else 12


def text(word):
    data = word.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def packet(time, message):
    ntp = int((3_970_000_000 + time) * 2**32)
    bundle = b"#bundle\0" + struct.pack(">Q", ntp) + struct.pack(">i", len(message)) + message
    return struct.pack(">i", len(bundle)) + bundle


shakes = []
moment = 1.0
while kind == "shakes" and moment < seconds - 1:
    shakes.append((moment, dice.uniform(0.06, 0.15), dice.uniform(1.5, 4), dice.randrange(3), dice.choice([-1, 1]),
                   dice.random() < 0.5))
    moment += dice.uniform(0.4, 1.5)
down = dice.randrange(3)
with open(path, "wb") as tape:
    tape.write(packet(0, text("/momu/tape") + text(",is") + struct.pack(">i", 1) + text("tape.py")))
    for step in range(seconds * rate):
        time = step / rate
        noise = 0 if kind == "still" else 0.03
        axes = [dice.gauss(0, noise) for _ in range(3)]
        axes[down] += 1
        for start, length, size, axis, sign, damped in shakes:
            phase = (time - start) / length
            if 0 <= phase < 1:
                wave = math.sin(2 * math.pi * phase) * math.exp(-phase) if damped else math.sin(math.pi * phase)
                axes[axis] += sign * size * wave
        tape.write(packet(time, text("/momu/accel") + text(",fff") + struct.pack(">fff", *axes)))
print(*[round(shake[0], 4) for shake in shakes])
