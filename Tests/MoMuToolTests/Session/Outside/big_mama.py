"""Four that move and one machine that sounds, on a network of their own: big_mama.py MOMU, under `unshare --net`.

Each sender holds its machine at another angle and shakes it, so that its tone has a pitch of its own; all four pitches lie
within an octave, so that none is another's harmonic. What is heard is read from the file that Big Mama writes. Nothing is
timed: each step waits for what programs say and for so much more sound in the file.
"""
import atexit
import fcntl
import os
import pty
import signal
import subprocess
import sys
import tempfile
import termios
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../ProgramTests/Outside"))
import children
from movers import RATE, ROLLS, frames, heard, level, pitches, tape

momu = sys.argv[1]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
folder = tempfile.TemporaryDirectory()
children.within()


def home(name):
    """Each is an installation of its own."""
    place = os.path.join(folder.name, name)
    os.makedirs(place, exist_ok=True)
    return os.environ | {"XDG_STATE_HOME": place, "XDG_CONFIG_HOME": place, "HOME": place}


def start(name, *words, **more):
    said = children.Output()
    process = children.start([momu, "session", *words], stderr=said, env=home(name), **more)
    process.said = said
    process.name = name
    return process


def wait(process, text):
    while True:
        if text in process.said.read():
            return
        if process.poll() is not None:
            sys.exit(f"{process.name} ended: {process.said.read()}")
        time.sleep(0.01)


sound = os.path.join(folder.name, "mama.wav")


def listen(seconds):
    """The next so many seconds of sound, one channel, once they are in the file."""
    first = frames(sound) + RATE // 4
    while frames(sound) < first + seconds * RATE:
        if mama.poll() is not None:
            sys.exit("Big Mama ended")
        time.sleep(0.02)
    return heard(sound, first, seconds * RATE)


def hears(wanted):
    """What is heard, looked for again where a busy machine let somebody pause; a failure ends, too."""
    for _ in range(30):
        found = pitches(listen(2))
        if found == wanted:
            break
    print("heard:", found)


terminal, keys = pty.openpty()


def at_the_terminal():
    """In a new child: the terminal is its own, so that it may read keys."""
    children.dies_with_us()
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


mama_said = children.Output()
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
hears("A3 C4 D4 E4")
senders["Ada"].send_signal(signal.SIGTERM)
wait(mama, "Ada has left")
print("Ada has left")
hears("C4 D4 E4")

# The gates hold: who conducts is Big Mama alone.
other = start("Eve", "--room", "Lab", "--name", "Eve", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
wait(other, "Mama is here")
while True:
    other.stdin.write(b"start\n")
    other.stdin.flush()
    said = other.said.read()
    if "gate is closed" in said:
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
