"""The notes in recordings of one tape, played again: replayed.py TAPE WAV…

The tape is read as Docs/Tapes.md says; of each file is said whether the same notes begin in it, in that order.
"""
import os
import sys

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "../../../ProgramTests/Outside")]
import players
from notes_of_tape import notes

LONG = 9600  # frames of a note that are looked at: enough to tell semitones apart
wanted = [pitch for _, pitch in notes(sys.argv[1])]
for path in sys.argv[2:]:
    sound = players.samples(path)
    heard = [max(sorted(set(wanted)), key=lambda pitch: players.strength(sound[first:first + LONG], players.hertz(pitch)))
             for first in players.onsets(path, gap=24_000)]
    name = os.path.basename(path)
    print(f"{name}: {len(heard)} notes, those of the tape" if heard == wanted else f"{name}: {heard}, not {wanted}")
