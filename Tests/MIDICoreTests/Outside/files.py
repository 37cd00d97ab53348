"""Prints every event and time of MIDI files as another program reads them: files.py mido|midicsv FILE...

Prints for each file its name, then lines `TRACK TICK BYTES`; mido also prints the time in seconds.
"""
import bisect
import csv
import subprocess
import sys

TEXTS = {"Text_t": 1, "Copyright_t": 2, "Title_t": 3, "Instrument_name_t": 4, "Lyric_t": 5, "Marker_t": 6,
         "Cue_point_t": 7}
CHANNEL = {"Note_off_c": 0x80, "Note_on_c": 0x90, "Poly_aftertouch_c": 0xA0, "Control_c": 0xB0,
           "Program_c": 0xC0, "Channel_aftertouch_c": 0xD0}


def line(track, tick, data, *more):
    print(track, tick, bytes(data).hex(), *more)


def mido_file(path):
    import mido
    file = mido.MidiFile(path, clip=False)
    tempi, tick = [], 0
    for track in file.tracks:
        tick = 0
        for message in track:
            tick += message.time
            if message.type == "set_tempo":
                tempi.append((tick, message.tempo))
    tempi.sort(key=lambda one: one[0])

    starts = [(0, 500_000, 0.0)]  # tick, tempo, seconds
    for at, tempo in tempi:
        then, before, passed = starts[-1]
        starts.append((at, tempo, passed + mido.tick2second(at - then, file.ticks_per_beat, before)))
    ticks = [at for at, _, _ in starts]

    def seconds(tick):
        then, tempo, passed = starts[bisect.bisect_right(ticks, tick) - 1]
        return passed + mido.tick2second(tick - then, file.ticks_per_beat, tempo)

    for number, track in enumerate(file.tracks, 1):
        tick = 0
        for message in track:
            tick += message.time
            data = message.bytes()
            if message.is_meta:  # without the length, of which there may be several bytes
                place = 2
                while data[place] & 0x80:
                    place += 1
                data = data[:2] + data[place + 1:]
            line(number, tick, data, seconds(tick))


def midicsv_file(path):
    rows = subprocess.run(["midicsv", path], check=True, stdout=subprocess.PIPE).stdout.decode("latin-1")
    for row in csv.reader(rows.splitlines(), skipinitialspace=True):
        track, tick, kind, values = int(row[0]), int(row[1]), row[2], row[3:]
        if kind in ("Header", "End_of_file", "Start_track"):
            continue
        if kind in CHANNEL:
            data = [CHANNEL[kind] | int(values[0]), *map(int, values[1:])]
        elif kind == "Pitch_bend_c":
            data = [0xE0 | int(values[0]), int(values[1]) & 0x7F, int(values[1]) >> 7]
        elif kind in TEXTS:
            data = [0xFF, TEXTS[kind], *unescaped(values[0])]
        elif kind == "Tempo":
            data = [0xFF, 0x51, *int(values[0]).to_bytes(3, "big")]
        elif kind == "Time_signature":
            data = [0xFF, 0x58, *map(int, values)]
        elif kind == "Key_signature":
            data = [0xFF, 0x59, int(values[0]) & 0xFF, int(values[1] == "minor")]
        elif kind == "SMPTE_offset":
            data = [0xFF, 0x54, *map(int, values)]
        elif kind == "Channel_prefix":
            data = [0xFF, 0x20, *map(int, values)]
        elif kind == "MIDI_port":
            data = [0xFF, 0x21, *map(int, values)]
        elif kind == "Sequence_number":
            data = [0xFF, 0x00, *int(values[0]).to_bytes(2, "big")]
        elif kind == "Sequencer_specific":
            data = [0xFF, 0x7F, *map(int, values[1:])]
        elif kind == "Unknown_meta_event":
            data = [0xFF, int(values[0]), *map(int, values[2:])]
        elif kind == "System_exclusive":
            data = [0xF0, *map(int, values[1:])]
        elif kind == "System_exclusive_packet":
            data = [0xF7, *map(int, values[1:])]
        elif kind == "End_track":
            data = [0xFF, 0x2F]
        else:
            sys.exit(f"midicsv says {row}")
        line(track, tick, data)


def unescaped(text):
    """Returns the bytes of a text; midicsv writes unprintable ones as backslash and three octal digits."""
    data, place = [], 0
    while place < len(text):
        if text[place] == "\\" and text[place + 1:place + 4].isdigit():
            data.append(int(text[place + 1:place + 4], 8))
            place += 4
        elif text[place] == "\\":
            data.append(ord(text[place + 1]))
            place += 2
        else:
            data.append(ord(text[place]))
            place += 1
    return data


for name in sys.argv[2:]:
    print("file", name)
    {"mido": mido_file, "midicsv": midicsv_file}[sys.argv[1]](name)
