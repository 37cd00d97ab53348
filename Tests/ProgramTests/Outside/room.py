"""A room on a network of its own: room.py MOMU. Prints what those in it say; to be run under `unshare --net`.

Anna conducts, Ben joins; the rooms are listed; Anna is killed without a word, Ben goes on and takes the baton; silence is
called for. Nothing is timed: each step waits for the one before, and a minute makes waiting a failure.
"""
import os
import re
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


def start(name, *words):
    said = children.Output()
    process = children.start(
        [momu, "session", "--room", "Lab", "--name", name, *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=said, text=True, env=environment)
    process.said = said
    return process


def wait(process, text, count=1):
    while True:
        if process.said.read().count(text) >= count:
            print(f"{process.args[5]}: {text}")
            return
        if process.poll() is not None:
            sys.exit(f"{process.args[5]} ended")
        time.sleep(0.01)


def run(*words):
    done = subprocess.run([momu, "session", *words], capture_output=True, text=True, env=environment)
    said = re.sub(r"for \d+ s", "for N s", done.stdout.strip())
    print(f"{words[0]}: {said!r} {done.returncode}")


anna = start("Anna", "--conduct", "--tempo", "100")
wait(anna, "Anna conducts")
ben = start("Ben")
wait(anna, "Ben is here")
wait(ben, "Anna conducts")
run("rooms", "lab")
ben.stdin.write("tempo 90\n")
ben.stdin.flush()
wait(ben, "only the conductor can do that: start a rhythm, or ask for the baton (b in Orchestra, or type :ask)")
anna.send_signal(signal.SIGKILL)
anna.wait()
# Ben hears no member, so it cannot tell a killed conductor from its own lost contact.
wait(ben, "Anna conducted last, and is not heard")
# Without a conductor, a change of the rhythm takes the baton.
ben.stdin.write("tempo 90\n")
ben.stdin.flush()
wait(ben, "Ben conducts")
run("panic", "--room", "Lab")
wait(ben, "a hidden member (")
wait(ben, ") silences the room")
clara = start("Clara")
wait(clara, "Ben conducts")
wait(clara, "the clock is Ben's")
ben.send_signal(signal.SIGTERM)
wait(clara, "Ben has left")
clara.terminate()
ben.wait()
clara.wait()
