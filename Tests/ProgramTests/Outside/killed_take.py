"""Kills a program that records MIDI, and reads the file with mido: killed_take.py FOLDER FILE SIGNAL

Nothing is timed: the signal comes once the file, which is read while it grows, has eight notes.
"""
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.abspath(f"{os.path.dirname(__file__)}/../../../.build-python"))
import children
import mido

folder, path, name = sys.argv[1:]


def notes():
    """Returns the numbers of beginnings and of notes that are held at the end."""
    begun, held = 0, set()
    for message in mido.merge_tracks(mido.MidiFile(path).tracks):
        if message.type == "note_on" and message.velocity:
            begun += 1
            held.add((message.channel, message.note))
        elif message.type in ("note_on", "note_off"):
            held.discard((message.channel, message.note))
    return begun, len(held)


def found():
    return notes()[0] if os.path.exists(path) and os.path.getsize(path) else 0


process = subprocess.Popen(
    [f"{folder}/TiltToMIDI", "--accel", "sim:shake", "--midi-out", f"file:{path}", "--quiet"],
    preexec_fn=children.dies_with_us)
while found() < 8:
    if process.poll() is not None:
        sys.exit("it ended by itself")
    time.sleep(0.02)
before = found()
process.send_signal(getattr(signal, name))
process.wait()
begun, held = notes()
words = ["kept" if begun >= before else "lost", f"type {mido.MidiFile(path).type}"]
print(*words, *([f"held {held}"] if name != "SIGKILL" else []))
