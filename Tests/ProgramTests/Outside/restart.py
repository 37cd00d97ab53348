"""A killed conductor's way back into its room: restart.py MOMU. Prints what happens; to be run under `unshare --net`.

Anna conducts, Ben plays along; Anna is killed and started again without a word. Nothing is timed: each step waits for
the one before.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children

momu = sys.argv[1]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
home = tempfile.TemporaryDirectory()
environment = os.environ | {"XDG_STATE_HOME": home.name, "XDG_CONFIG_HOME": home.name, "HOME": home.name}
children.within()


def start(label, *words):
    said = children.Output()
    log = f"{home.name}/{label}.beats"
    process = children.start(
        [momu, "session", "--log-beats", log, *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said,
        text=True, env=environment)
    process.label, process.said, process.log = label, said, log
    return process


def wait(process, text):
    while True:
        if text in process.said.read():
            print(f"{process.label}: {text}")
            return
        if process.poll() is not None:
            sys.exit(f"{process.label} ended")
        time.sleep(0.01)


def rooms():
    """Who was killed is in no room any more, which takes two seconds."""
    print(subprocess.run([momu, "session", "rooms"], capture_output=True, text=True, env=environment).stdout.split("\n"))


def beats(process):
    """Pairs of true time (s) and beat, for as long as there is a beat."""
    rows = []
    for line in pathlib.Path(process.log).read_text().splitlines():
        words = line.split()
        try:
            rows.append((int(words[0]) * 1e-9, float(words[1])))
        except (IndexError, ValueError):
            continue
    return [row for row in rows if row[1] == row[1]]


def logs(process):
    """Until a second of beats more is in its log: the first come once the clocks are compared."""
    wanted = len(beats(process)) + 100
    while len(beats(process)) < wanted:
        if process.poll() is not None:
            sys.exit(f"{process.label} ended")
        time.sleep(0.01)


anna = start("Anna", "--room", "Lab", "--name", "Anna", "--conduct", "--tempo", "100")
wait(anna, "Anna conducts")
ben = start("Ben", "--room", "Lab", "--name", "Ben")
wait(ben, "Anna conducts")
logs(ben)
anna.kill()
anna.wait()
again = start("again")
wait(again, "Back in room Lab as Anna: the program was killed there. For another room: --room NAME.")
# The line depends on whether Ben hears the new program before Anna counts as not heard.
while not any(text in ben.said.read() for text in ("Anna conducted last, and is not heard", "the baton is free")):
    time.sleep(0.01)
ben.stdin.write("baton\n")
ben.stdin.flush()
wait(again, "Ben conducts")
rooms()
logs(again)
again.send_signal(signal.SIGTERM)
again.wait()
elsewhere = start("elsewhere")
rooms()
elsewhere.terminate()
elsewhere.wait()
print("elsewhere:", "Back in" in elsewhere.said.read())
ben.terminate()
ben.wait()

print("again:", "Anna conducts" in again.said.read())
heard = beats(ben)
heard = [row for row in heard if row[1] > heard[0][1] + 0.1]
origin = heard[0][1] - heard[0][0] / 0.6
off = max(abs(beat - time / 0.6 - origin) for time, beat in heard) * 600
print("Ben's beat moved by", "less than 1 ms" if off < 1 else f"{off} ms")
back = beats(again)
off = max(abs(beat - time / 0.6 - origin) for time, beat in back[-100:]) * 600
print("Anna's beat is off by", "less than 1 ms" if off < 1 else f"{off} ms")
# Who is killed as it writes down whom it has met leaves a part of a file.
part = f"session.{anna.pid}"
print(
    "left behind:",
    sorted(
        path.name for path in pathlib.Path(home.name, "momu").rglob("*")
        if path.is_file() and not path.name.startswith(part)))
