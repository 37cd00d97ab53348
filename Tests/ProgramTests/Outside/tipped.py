"""Writes a tape of what a phone's app sends while the phone is tipped: tipped.py FILE LAYOUT right|left|up|down.

It lies flat for half a second, is tipped by 40 degrees within four, and is held so; 50 readings a second. Nothing of
this package is used: the axes are the phone's (x to the right of the screen, y to its top, z out of it), gravity is
worked out by geometry, and the apps' signs are their systems': Core Motion gives where gravity pulls, in g; Android's
SensorEvent gives what holds the phone up, in m/s^2.
"""
import math
import struct
import sys

path, layout, way = sys.argv[1:]
G = 9.80665


def text(word):
    data = word.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def message(address, types, *values):
    data = text(address) + text("," + types)
    for letter, value in zip(types, values):
        data += text(value) if letter == "s" else struct.pack(">" + letter, value)
    return data


def bundle(time, messages):
    ntp = int((3_970_000_000 + time) * 2**32)
    data = b"#bundle\0" + struct.pack(">Q", ntp)
    for one in messages:
        data += struct.pack(">i", len(one)) + one
    return struct.pack(">i", len(data)) + data


def sent(gravity):
    """What the app sends for a pull of gravity along x, y and z, in g."""
    held = [-part * G for part in gravity]
    if layout == "touchosc-ios":
        return [message("/accxyz", "fff", *gravity)]
    if layout == "touchosc-android":
        return [message("/accxyz", "fff", *held)]
    if layout == "zigsim-ios":
        return [
            message("/00KWh/deviceinfo", "ssssii", "iPhone X", "00KWh", "ios", "13.1", 1125, 2436),
            message("/ZIGSIM/00KWh/accel", "fff", 0, 0, 0), message("/ZIGSIM/00KWh/gravity", "fff", *gravity)]
    if layout == "zigsim-android":
        return [
            message("/beer/deviceinfo", "ssssii", "Pixel 6a", "beer", "android", "13", 1080, 2400),
            message("/beer/accel", "ddd", 0, 0, 0), message("/beer/gravity", "ddd", *held)]
    if layout == "sensors2osc":
        return [message("/accelerometer", "fff", *held)]
    if layout == "sensors2osc-old":
        return [message("/accelerometer/" + axis, "f", part) for axis, part in zip("XYZ", held)]
    sys.exit("unknown layout " + layout)


with open(path, "wb") as tape:
    tape.write(bundle(0, [message("/momu/tape", "is", 1, "tipped.py")]))
    for step in range(5 * 50):
        time = step / 50
        angle = math.radians(40 * min(1, max(0, time - 0.5) / 4))
        # The side that is tipped to comes down: gravity pulls that way.
        pull = {"right": (1, 0), "left": (-1, 0), "up": (0, -1), "down": (0, 1)}[way]
        gravity = [pull[0] * math.sin(angle), pull[1] * math.sin(angle), -math.cos(angle)]
        tape.write(bundle(time, sent(gravity)))
