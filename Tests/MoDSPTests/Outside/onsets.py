#!/usr/bin/env python3
"""Prints Analysis/OnsetValues.swift: an invented tune, and the onsets of its notes by aubioonset.

    python3 Tests/MoDSPTests/Outside/onsets.py > Tests/MoDSPTests/Analysis/OnsetValues.swift

Needs NumPy and aubio-tools. A note is a sum of five sines that is there within 3 ms and dies away exponentially; the
Swift tests make the same sound from the same table.
"""
import subprocess
import tempfile
import wave
import numpy as np

RATE = 48_000
rng = np.random.default_rng(7)
notes, time = [], 0.2
while len(notes) < 40:
    notes.append((time, rng.uniform(60, 1200), rng.uniform(0.04, 0.25), rng.uniform(0.1, 0.4)))
    time += rng.uniform(0.14, 0.5)

seconds = time + 0.5
sound = np.zeros(int(seconds * RATE))
for start, frequency, decay, level in notes:
    t = np.arange(len(sound) - int(start * RATE)) / RATE
    envelope = level * np.minimum(t / 0.003, 1) * np.exp(-t / decay)
    sound[int(start * RATE):] += envelope * sum(np.sin(2 * np.pi * frequency * k * t) / k / 2 for k in range(1, 6))

with tempfile.NamedTemporaryFile(suffix=".wav") as file:
    with wave.open(file.name, "wb") as out:
        out.setparams((1, 2, RATE, 0, "NONE", ""))
        out.writeframes(np.round(np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())
    heard = subprocess.run(["aubioonset", "-i", file.name], check=True, capture_output=True, text=True).stdout.split()

print("// Made by Outside/onsets.py; do not edit.\n\n/// A tune, and the onsets that aubio detects in it.\nenum OnsetValues {")
print(f"  static let seconds = {seconds:.6f}\n")
print("  /// Start in seconds, frequency in Hz, decay in seconds, level.\n  static let notes: [[Double]] = [")
for note in notes:
    print("    [" + ", ".join(f"{v:.6f}" for v in note) + "],")
print("  ]\n\n  /// Onsets of notes by aubioonset with its default settings, in seconds.\n  static let aubio: [Double] = [")
for value in heard:
    print(f"    {float(value):.6f},")
print("  ]\n}")
