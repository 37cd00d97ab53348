"""Tilts, and what a synthesizer makes of them.

tilt.py tape FILE          writes a tape with struct alone: 8 s of rolling from left to right, then 8 s of nodding
tilt.py follow WAV PITCHES prints how far a render is from the tilts: decibels of loudness, semitones of pitch
                           (PITCHES: the output of aubiopitch -u midi)
"""
import array
import math
import struct
import sys
import wave


def tilts(time):
    """Returns the roll and the gravity along the axes, as the tape has them."""
    roll = math.radians(45 * max(-1, min(1, time / 4 - 1)))
    nod = math.radians(45 * math.sin(math.pi * (time - 8) / 4)) if 8 < time < 16 else 0
    return math.degrees(roll), (-math.sin(roll), math.sin(nod) * math.cos(roll), math.cos(nod) * math.cos(roll))


def text(word):
    data = word.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def packet(time, message):
    ntp = int((3_970_000_000 + time) * 2**32)
    bundle = b"#bundle\0" + struct.pack(">Q", ntp) + struct.pack(">i", len(message)) + message
    return struct.pack(">i", len(bundle)) + bundle


def write(path):
    with open(path, "wb") as tape:
        tape.write(packet(0, text("/momu/tape") + text(",is") + struct.pack(">i", 1) + text("tilt.py")))
        for step in range(1700):
            axes = tilts(step / 100)[1]
            tape.write(packet(step / 100, text("/momu/accel") + text(",fff") + struct.pack(">fff", *axes)))


def follow(path, pitches):
    with wave.open(path) as render:
        rate, channels = render.getframerate(), render.getnchannels()
        samples = array.array("h", render.readframes(render.getnframes()))[::channels]

    def level(time):
        part = samples[int((time - 0.1) * rate):int((time + 0.1) * rate)]
        return 10 * math.log10(max(1e-9, sum(sample * sample for sample in part) / len(part)))

    # A SoundFont's default modulator: controller 11 attenuates by 40 dB a decade.
    full = level(8)
    loudness = 0.0
    for step in range(12):
        time = 2 + step / 2
        expected = 40 * math.log10((tilts(time)[0] + 45) / 90)
        loudness = max(loudness, abs(level(time) - full - expected))

    pitch, count = 0.0, 0
    with open(pitches) as lines:
        for line in lines:
            time, heard = map(float, line.split())
            if not 5 < time < 16.5:
                continue
            count += 1
            # aubiopitch reports a window of 2,048 samples at its end.
            nod = math.degrees(math.asin(tilts(time - 1024 / rate)[1][1]))
            pitch = max(pitch, abs(heard - 69 - 2 * nod / 45))
    print(f"loudness {loudness:.2f} pitch {pitch:.2f} of {count}")


if sys.argv[1] == "tape":
    write(sys.argv[2])
else:
    follow(sys.argv[2], sys.argv[3])
