"""A member of a room that gear conducts: behind_gear.py ORCHESTRA SECONDS TAPE MOMU WORDS... [--gear]

Runs MOMU with its words. With --gear at the end, ORCHESTRA runs beside it, follows the MIDI clock on the tape, and
conducts. Ends with both, or with the first that fails.
"""
import signal
import subprocess
import sys

import gear

orchestra, seconds, tape, *words = sys.argv[1:]
programs = []
if words[-1] == "--gear":
    words.pop()
    gear.write(tape, float(seconds))
    programs.append(subprocess.Popen(
        [orchestra, "--room", "Lab", "--name", "gear", "--midi", f"tape:{tape}", "--midi-clock", "follow",
         "--audio", "virtual", "--seconds", seconds, "--plain"], stdin=subprocess.DEVNULL))
programs.append(subprocess.Popen(words))


def end(*_):
    for program in programs:
        program.terminate()


signal.signal(signal.SIGTERM, end)
statuses = [program.wait() for program in reversed(programs)]
sys.exit(next((status for status in statuses if status), 0))
