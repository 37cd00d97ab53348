"""Four that move and one machine that sounds, on a network of their own: big_mama.py MOMU, under `unshare --net`.

Each sender holds its machine at another angle and shakes it, so that its tone has a pitch of its own; all four pitches lie
within an octave, so that none is another's harmonic. What is heard is read from the file that Big Mama writes. Nothing is
timed: each step waits for what programs say and for so much more sound in the file.
"""
import atexit
import fcntl
import math
import os
import pty
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../ProgramTests/Outside"))
import children

momu = sys.argv[1]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
folder = tempfile.TemporaryDirectory()
children.within()
RATE, SIZE = 48000, 6  # two channels of 24 bits
NOTES = {"A3": 220.0, "C4": 261.626, "D4": 293.665, "E4": 329.628}
# The tone's mapping has five degrees for a semitone: A3 at -60.
ROLLS = {"Ada": -59, "Bo": -45, "Cleo": -35, "Dan": -25}


def home(name):
    """Each is an installation of its own."""
    place = os.path.join(folder.name, name)
    os.makedirs(place, exist_ok=True)
    return os.environ | {"XDG_STATE_HOME": place, "XDG_CONFIG_HOME": place, "HOME": place}


def tape(path, roll):
    """A second of shaking along x, five times a second, held at an angle; it is played again and again."""
    def text(word):
        return word.encode() + bytes(4 - len(word.encode()) % 4)

    def packet(seconds, message):
        bundle = b"#bundle\0" + struct.pack(">Q", (4_004_251_200 << 32) + round(seconds * 2**32))
        bundle += struct.pack(">I", len(message)) + message
        return struct.pack(">I", len(bundle)) + bundle

    angle = math.radians(roll)
    with open(path, "wb") as file:
        file.write(packet(0, text("/momu/tape") + text(",is") + struct.pack(">i", 1) + text("big_mama.py")))
        for n in range(101):
            x = 1.5 * math.sin(2 * math.pi * 5 * n / 100)
            values = struct.pack(">fff", x, math.sin(angle), math.cos(angle))
            file.write(packet(n / 100, text("/momu/accel") + text(",fff") + values))


def start(name, *words, **more):
    said = tempfile.TemporaryFile("w+")
    process = children.start([momu, "session", *words], stderr=said, env=home(name), **more)
    process.said = said
    process.name = name
    return process


def wait(process, text):
    while True:
        process.said.seek(0)
        if text in process.said.read():
            return
        if process.poll() is not None:
            process.said.seek(0)
            sys.exit(f"{process.name} ended: {process.said.read()}")
        time.sleep(0.01)


sound = os.path.join(folder.name, "mama.wav")


def frames():
    return max(0, (os.path.getsize(sound) - 44) // SIZE)


def listen(seconds):
    """The next so many seconds of sound, one channel, once they are in the file."""
    first = frames() + RATE // 4
    while frames() < first + seconds * RATE:
        if mama.poll() is not None:
            sys.exit("Big Mama ended")
        time.sleep(0.02)
    with open(sound, "rb") as file:
        file.seek(44 + first * SIZE)
        data = file.read(seconds * RATE * SIZE)
    return [int.from_bytes(data[i:i + 3], "little", signed=True) / 2**23 for i in range(0, len(data), SIZE)]


def part(samples, hertz):
    """How strong a frequency is, through a window of raised cosine (Goertzel)."""
    count, turn = len(samples), 2 * math.pi * hertz / RATE
    factor, one, two = 2 * math.cos(turn), 0.0, 0.0
    for n, sample in enumerate(samples):
        one, two = sample * (0.5 - 0.5 * math.cos(2 * math.pi * n / count)) + factor * one - two, one
    return math.sqrt(max(0, one * one + two * two - factor * one * two)) * 4 / count


def pitches(samples):
    return " ".join(name for name, hertz in NOTES.items() if part(samples, hertz) > 0.003)


def level(samples):
    return math.sqrt(sum(sample * sample for sample in samples) / len(samples))


terminal, keys = pty.openpty()


def at_the_terminal():
    """In a new child: the terminal is its own, so that it may read keys."""
    children.dies_with_us()
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


mama_said = tempfile.TemporaryFile("w+")
mama = subprocess.Popen(
    [momu, "session", "big-mama", "--room", "Lab", "--name", "Mama", "--instrument", "tone", "--audio", f"wav:{sound}"],
    stdin=keys, stdout=subprocess.DEVNULL, stderr=mama_said, env=home("Mama"), preexec_fn=at_the_terminal)
atexit.register(mama.kill)
mama.said, mama.name = mama_said, "Mama"
wait(mama, "all play to this machine")
senders = {}
for name, roll in ROLLS.items():
    path = os.path.join(folder.name, f"{name}.osc")
    tape(path, roll)
    senders[name] = start(
        name, "gestures", "--room", "Lab", "--name", name, "--accel", f"tape:{path}?loop", stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL)
    wait(mama, f"{name} plays tone")
    print(f"{name} plays tone")
print("heard:", pitches(listen(2)))
senders["Ada"].send_signal(signal.SIGTERM)
wait(mama, "Ada has left")
print("Ada has left")
print("heard:", pitches(listen(2)))

# The gates hold: who conducts is Big Mama alone.
other = start("Eve", "--room", "Lab", "--name", "Eve", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
wait(other, "Mama is here")
while True:
    other.stdin.write(b"start\n")
    other.stdin.flush()
    other.said.seek(0)
    said = other.said.read()
    if "the gate is closed" in said:
        break
    time.sleep(0.05)
print("nobody else can play them:", "Eve conducts" not in said)
other.terminate()
other.wait()

for name in ("Bo", "Cleo", "Dan"):
    senders[name].terminate()
    wait(mama, f"{name} has left")
silent = level(listen(1))
os.write(terminal, b" ")
wait_level = level(listen(1))
while wait_level < 0.005:
    wait_level = level(listen(1))
print("band:", "silent," if silent < 1e-4 else f"not silent ({silent}),", "then heard")
whole = max(level(listen(2)), level(listen(2)))
os.write(terminal, b"d")
# What sounds already dies away first.
rest = min(level(listen(2)) for _ in range(3))
print("without drums:", "quieter" if 1e-4 < rest < 0.8 * whole else f"{rest} of {whole}")
os.write(terminal, b"bgk")
while level(listen(1)) > 1e-4:
    pass
back = start(
    "Bo", "gestures", "--room", "Lab", "--name", "Bo", "--accel", f"tape:{folder.name}/Bo.osc?loop",
    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
while pitches(listen(1)) != "C4":
    pass
os.write(terminal, b"," + b"<" * 20)
while pitches(listen(1)):
    pass
print("players muted: nothing of them")
back.terminate()
mama.terminate()
back.wait()
mama.wait()
