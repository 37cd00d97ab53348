"""A rehearsal that is recorded and rendered, each part on its own instrument: parts.py FOLDER, under `unshare --net`.

Ada plays `momu play piano`, Ben `momu play harp`, Cyd Examples/Orchestra on the reed, and Dot records. Each plays a note,
one after the other. In the rendered tape each note must have its pitch, and sound more like its instrument than like the
other two: its partials are compared with those of notes that `momu play` renders of one instrument alone.
"""
import math
import os
import re
import signal
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../ProgramTests/Outside"))
import children
import players
from players import Player, alone

folder = os.path.abspath(sys.argv[1])
momu, here = f"{folder}/momu", Player.homes.name
alone()
tape = f"{here}/evening.osc"


def run(*words):
    done = subprocess.run(
        [momu, "session", "replay", *words], capture_output=True, text=True, cwd=here,
        env=os.environ | {"XDG_STATE_HOME": here, "XDG_CONFIG_HOME": here, "HOME": here})
    return done.returncode, done.stdout, done.stderr


def record(name, path):
    said = children.Output()
    home = f"{here}/{name}"
    process = children.start(
        [momu, "session", "--room", "Lab", "--name", name, "--record", path], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=said, text=True,
        env=os.environ | {"XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home, "HOME": home})
    process.said = said
    return process


def until(what, fact):
    while not fact():
        time.sleep(0.02)


def on_tape(word):
    """How often something stands on the tape."""
    return run("evening.osc", "--list")[1].count(word)


dot = record("Dot", tape)
ada = Player("Ada", [momu, "play", "piano", "--room", "Lab"])
ben = Player("Ben", [momu, "play", "harp", "--room", "Lab"])
cyd = Player("Cyd", [f"{folder}/Orchestra", "--room", "Lab"], MOMU_INSTRUMENT="reed")
for player in (ada, ben, cyd):
    player.wait("4 members")
cyd.wait("who records", lambda screen: "records" in screen)
dot.stdin.write("say from the top\n")
dot.stdin.flush()
for player, key in ((ada, "a"), (ben, "d"), (cyd, "g")):
    before = on_tape(": note ")
    for other in (ada, ben, cyd):
        other.from_now()
    player.type(key)
    player.saw("a sound", lambda screen: " dB" in players.meter(screen))
    until("the note and its end", lambda: on_tape(": note ") >= before + 2)
    player.rests()
    quiet = [other.name for other in (ada, ben, cyd) if other is not player and not other.has_sounded()]
    print(player.name, "sounds here alone:", quiet)
# A note in the room's rhythm stands on the tape at its line.
cyd.type("\n")
cyd.wait("bar 2", lambda screen: "bar 2 " in screen)
before = on_tape(": note ")
cyd.type("k")
until("the note and its end", lambda: on_tape(": note ") >= before + 2)
cyd.type("\n")
cyd.wait("no rhythm")
for player in (ada, ben, cyd):
    player.end()
dot.send_signal(signal.SIGINT)
dot.wait()

status, told, _ = run("evening.osc")
print(*[line.strip() for line in told.splitlines() if "  part" in line], sep="\n")
beats = [float(beat) for beat in re.findall(r"Cyd: note \S+, force \S+ for beat (\S+)", run("evening.osc", "--list")[1])]
print("the note in the rhythm is on a sixteenth:", len(beats) >= 1 and abs(beats[0] * 4 - round(beats[0] * 4)) < 0.01)

status, _, said = run("evening.osc", "--offline", "--audio", "wav:evening.wav")
print(status, re.sub(r"[0-9]+:[0-9.]+ of tape, peak -[0-9]+ dB", "TIME, LEVEL", said.strip()))
PARTIALS, LONG = 12, 12_000


def partials(sound, first, pitch):
    """How strong each partial is, in dB against all together."""
    window = sound[first:first + LONG]
    levels = [players.strength(window, number * players.hertz(pitch)) for number in range(1, PARTIALS + 1)]
    whole = math.sqrt(sum(level * level for level in levels)) or 1
    return [max(-60, 20 * math.log10(level / whole + 1e-9)) for level in levels]


def reference(instrument, pitch):
    path = f"{here}/{instrument}.wav"
    names = "C C# D D# E F F# G G# A A# B".split()
    subprocess.run(
        [momu, "play", instrument, "--notes", f"{names[pitch % 12]}{pitch // 12 - 1}", "--offline", "--audio",
         f"wav:{path}", "--seed", "1"], capture_output=True, check=True)
    return partials(players.samples(path), players.onsets(path)[0], pitch)


def moments(path):
    """When each note begins, in seconds of the tape, and its pitch: read by the words of Docs/Tapes.md."""
    data, at, found = open(path, "rb").read(), 0, []
    while at + 4 <= len(data):
        size, = struct.unpack_from(">I", data, at)
        packet, at = data[at + 4:at + 4 + size], at + 4 + size
        address = packet[20:packet.index(b"\0", 20)].decode()
        if address == "/momu/session/heard/note":
            tags = 20 + (len(address) // 4 + 1) * 4
            types = packet[tags:packet.index(b"\0", tags)].decode()
            values = tags + (len(types) // 4 + 1) * 4
            _, _, moment, _, _, _, pitch, velocity, _ = struct.unpack_from(">dqqddffff", packet, values)
            found += [(moment * 1e-9, round(pitch))] if velocity > 0 else []
    return found


sound = players.samples(f"{here}/evening.wav")
for seconds, pitch in moments(tape):
    first = round(seconds * 48_000)
    window = sound[first:first + LONG]
    levels = [players.strength(window, players.hertz(pitch + step)) for step in (-1, 0, 1)]
    heard = partials(sound, first, pitch)
    apart = {name: sum(abs(a - b) for a, b in zip(heard, reference(name, pitch))) for name in ("piano", "harp", "reed")}
    print("pitch", pitch, "is there:", levels[1] > 4 * max(levels[0], levels[2]), "and sounds like the", min(apart, key=apart.get))

# Only one of them; and the same bytes once more.
run("evening.osc", "--offline", "--audio", "wav:again.wav")
print("the same again:", open(f"{here}/evening.wav", "rb").read() == open(f"{here}/again.wav", "rb").read())
status, _, said = run("evening.osc", "--offline", "--audio", "wav:ben.wav", "--player", "Ben")
print("Ben alone:", status, len(players.onsets(f"{here}/ben.wav", least=0.005, gap=24_000)))

# A tape with nothing that can be played says so.
quiet = record("Eve", f"{here}/quiet.osc")
other = record("Fay", f"{here}/other.osc")
until("Fay", lambda: "Fay is here" in quiet.said.read() and "Eve is here" in other.said.read())
other.stdin.write("say hello\n")
other.stdin.flush()
until("a line", lambda: "Fay: hello" in quiet.said.read())
for process in (quiet, other):
    process.send_signal(signal.SIGINT)
    process.wait()
status, _, said = run("quiet.osc", "--offline", "--audio", "wav:quiet.wav")
print(status, said.strip().split(":")[0], os.path.exists(f"{here}/quiet.wav"))
status, _, said = run("quiet.osc", "harp", "--offline", "--audio", "wav:quiet.wav")
print(status, said.strip().split(":")[0])
