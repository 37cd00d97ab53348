"""Prints what mido reads in a MIDI file: song.py FILE

A line for each note: its track's name, channel, key, beginning and end in seconds, and the bar and beat by the file's
time signatures; and a line for each marker and text.
"""
import os
import sys

sys.path.insert(0, os.path.abspath(f"{os.path.dirname(__file__)}/../../../../.build-python"))
import mido

song = mido.MidiFile(sys.argv[1])
quarter = song.ticks_per_beat
tempi, meters = [(0, 500_000)], [(0, 4, 4)]
for track in song.tracks:
    tick = 0
    for message in track:
        tick += message.time
        if message.type == "set_tempo":
            tempi.append((tick, message.tempo))
        if message.type == "time_signature":
            meters.append((tick, message.numerator, message.denominator))


def seconds(tick):
    passed, last, tempo = 0.0, 0, tempi[0][1]
    for start, new in sorted(tempi, key=lambda one: one[0]):
        if start > tick:
            break
        passed += mido.tick2second(start - last, quarter, tempo)
        last, tempo = start, new
    return passed + mido.tick2second(tick - last, quarter, tempo)


def position(tick):
    start, beats, unit, bars = 0, 4, 4, 0
    for at, new_beats, new_unit in sorted(meters, key=lambda one: one[0]):
        if at > tick:
            break
        length = beats * 4 * quarter // unit
        bars += -(-(at - start) // length)
        start, beats, unit = at, new_beats, new_unit
    beat = 4 * quarter // unit
    return f"{bars + (tick - start) // (beats * beat) + 1}:{(tick - start) % (beats * beat) / beat:.3f}"


for track in song.tracks:
    tick, held = 0, {}
    for message in track:
        tick += message.time
        if message.type == "note_on" and message.velocity:
            held[message.channel, message.note] = tick
        elif message.type in ("note_on", "note_off") and (message.channel, message.note) in held:
            start = held.pop((message.channel, message.note))
            print("note", track.name, message.channel + 1, message.note, f"{seconds(start):.4f}", f"{seconds(tick):.4f}",
                  position(start))
        elif message.type in ("marker", "text", "instrument_name"):
            print(message.type, track.name, f"{seconds(tick):.4f}", getattr(message, "text", None) or message.name)
