"""Whether every note of a session's tape begins at its exact frame: notes_of_tape.py TAPE WAV.

The tape is read as Docs/Tapes.md says; the sound, 24 bits at 48000 frames a second, has a silence before each note. A
note begins at the frame nearest to its moment; its first sample may be 0, as that of a sine is.
"""
import struct
import sys
import wave


def notes(path):
    """When notes in time begin, in nanoseconds from the tape's start, and their pitches, by the message alone."""
    data, at, found = open(path, "rb").read(), 0, []
    while at + 4 <= len(data):
        size, = struct.unpack_from(">I", data, at)
        packet, at = data[at + 4:at + 4 + size], at + 4 + size
        address = packet[20:packet.index(b"\0", 20)].decode()
        if address != "/momu/session/heard/note":
            continue
        tags = 20 + (len(address) // 4 + 1) * 4
        types = packet[tags:packet.index(b"\0", tags)].decode()
        assert types.startswith(",dhhddffff"), types
        values = tags + (len(types) // 4 + 1) * 4
        _, _, moment, _, late, _, pitch, velocity, _ = struct.unpack_from(">dqqddffff", packet, values)
        if late == 0 and velocity > 0:
            found.append((moment, pitch))
    return found


def onsets(path):
    """First frames that are not silent after 20 ms that are."""
    found, silent, frame = [], 960, 0
    with wave.open(path) as file:
        size = file.getnchannels() * file.getsampwidth()
        zeros = bytes(size)
        while chunk := file.readframes(1 << 16):
            # Most of an evening is silence: whole stretches of it are passed over.
            place, end = 0, len(chunk)
            while place < end:
                if silent >= 960 and chunk[place:place + 64 * size].count(0) == min(64 * size, end - place):
                    step = min(64 * size, end - place)
                    silent += step // size
                    place, frame = place + step, frame + step // size
                    continue
                if chunk[place:place + size] != zeros:
                    if silent >= 960:
                        found.append(frame)
                    silent = 0
                else:
                    silent += 1
                place, frame = place + size, frame + 1
    return found


def main():
    wanted = [round(moment * 48000 / 1e9) for moment, _ in notes(sys.argv[1])]
    heard = onsets(sys.argv[2])
    if len(wanted) != len(heard):
        sys.exit(f"{len(wanted)} notes on the tape, {len(heard)} in the sound")
    wrong = [(frame, begin) for frame, begin in zip(wanted, heard) if begin - frame not in (0, 1)]
    print(f"{len(wanted)} notes, all at their frames" if not wrong else f"wrong: {wrong[:5]}")


if __name__ == "__main__":
    main()
