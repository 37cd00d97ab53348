"""A rehearsal whose levels, mutes and silences are recorded and rendered: levels.py FOLDER, under `unshare --net`.

Ada plays DrumMachine's pattern in the section drums. Ben conducts and records with `momu session`. The rendered sound must
follow what Ben typed: half the level is a quarter of the amplitude, and a muted or silenced room is silent.
"""
import os
import re
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../ProgramTests/Outside"))
import players
from players import Player, alone

folder = os.path.abspath(sys.argv[1])
momu, here = f"{folder}/momu", Player.homes.name
alone()
tape = f"{here}/evening.osc"


def replay(*words):
    return subprocess.run(
        [momu, "session", "replay", tape, *words], capture_output=True, text=True, cwd=here,
        env=os.environ | {"XDG_STATE_HOME": here, "XDG_CONFIG_HOME": here, "HOME": here})


ben = Player("Ben", [momu, "session", "--room", "Lab", "--record", tape, "--conduct"], hasSound=False)
ada = Player("Ada", [f"{folder}/DrumMachine", "--room", "Lab"])
ada.wait("2 members")
ben.says("Ada is here")


def two_bars():
    def bar(screen):
        found = re.search(r"bar (\d+)", screen)
        return int(found[1]) if found else 0
    first = bar(ada.screen)
    ada.wait("two bars", lambda screen: bar(screen) >= first + 2)


ben.type("section drums Ada\rstart\r")
ada.wait("bar 2")
for line, fact in (
        ("level drums 0.5", "plays drums, level 0.500"), ("mute drums", "plays drums, level 0\n"), ("unmute drums", "level 0.500"),
        ("level drums 1", "plays drums\n"), ("panic", "Ben silences the room"), ("unpanic", "the silence is over")):
    two_bars()
    seen = replay("--list").stdout.count(fact)
    ben.type(line + "\r")
    while replay("--list").stdout.count(fact) <= seen:
        ben.goes_on(fact)
two_bars()
ada.end()
two_entries = replay("--list").stdout.count("\n") + 3
while replay("--list").stdout.count("\n") < two_entries:
    ben.goes_on("the tape after Ada")
ben.type("stop\r")
ben.end()

moments = [0.0]
for line in replay("--list").stdout.splitlines():
    if re.search(r"Ada is here.*plays drums|silences the room|silence is over|Ada is here no more", line):
        minutes, seconds = line.split()[0].split(":")
        moments.append(60 * int(minutes) + float(seconds))
done = replay("--offline", "--audio", f"wav:{here}/evening.wav")
print(done.returncode, "drum-machine by its pattern" in done.stderr)
sound = players.samples(f"{here}/evening.wav")
# The tape's list gives tenths of a second; a loud stroke before a change rings a moment longer.
moments = moments[-7:] + [len(sound) / 48_000]
levels = [
    max([abs(value) for value in sound[round((begin + 0.5) * 48_000):round((end - 0.15) * 48_000)]], default=0)
    for begin, end in zip(moments, moments[1:])]
before = max(abs(value) for value in sound[:round((moments[0] - 0.15) * 48_000)])
AMPLITUDES = {"silent": 0, "a quarter": 0.25, "full": 1}
for level in levels:
    near = [word for word, value in AMPLITUDES.items() if abs(level / before - value) <= 0.15 * value + 0.001]
    print(*near or [f"{level / before:.3f}"])
