"""A session that is recorded, by a program that is killed: record.py MOMU, under `unshare --net`.

Anna leads and Ben records. What Anna does to Ben's section is said by Ben and stands on the tape, which is read with
nothing but the words of Docs/Tapes.md. Nothing is timed: each step waits for what programs say, or for the file.
"""
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../../ProgramTests/Outside"))
import children

momu = sys.argv[1]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
folder = tempfile.TemporaryDirectory()
children.within()


def home(name):
    place = os.path.join(folder.name, name)
    os.makedirs(place, exist_ok=True)
    return os.environ | {"XDG_STATE_HOME": place, "XDG_CONFIG_HOME": place, "HOME": place}


def start(name, *words):
    said = children.Output()
    process = children.start(
        [momu, "session", "--room", "Lab", "--name", name, *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=said, text=True, env=home(name))
    process.said = said
    return process


def wait(process, text):
    while True:
        if text in process.said.read():
            print(f"{process.args[5]}: {text}")
            return
        if process.poll() is not None:
            sys.exit(f"{process.args[5]} ended")
        time.sleep(0.01)


def tell(process, line):
    process.stdin.write(line + "\n")
    process.stdin.flush()


def messages(path):
    """Address and time of all whole packets."""
    data, at, start_tag, found = open(path, "rb").read(), 0, None, []
    while at + 4 <= len(data):
        size, = struct.unpack_from(">I", data, at)
        packet, at = data[at + 4:at + 4 + size], at + 4 + size
        if len(packet) < size:
            break
        tag, = struct.unpack_from(">Q", packet, 8)
        start_tag = tag if start_tag is None else start_tag
        found.append((packet[20:packet.index(b"\0", 20)].decode(), (tag - start_tag) / 2**32))
    return found


tape = os.path.join(folder.name, "ben.osc")
anna = start("Anna", "--conduct", "--tempo", "100")
wait(anna, "Anna conducts")
ben = start("Ben", "--record", tape)
wait(anna, "Ben is here")
wait(ben, "Anna conducts")
tell(anna, "section drums Ben")
tell(anna, "mute drumz")
wait(anna, 'there is no section "drumz": did you mean "drums"? The sections are drums')
tell(anna, "level drums 0.5")
wait(ben, "your section drums is at 50 %")
tell(anna, "cue drums in")
wait(ben, "Anna cues")
tell(ben, "mute drums")
wait(ben, "Anna conducts: ask for the baton")
tell(anna, "sections")
wait(anna, "  1 drums   50 %  Ben")
while "/momu/session/heard/cue" not in [address for address, _ in messages(tape)]:
    time.sleep(0.05)
ben.send_signal(signal.SIGKILL)
ben.wait()
found = messages(tape)
times = [moment for _, moment in found]
print("in order:", times == sorted(times), "from 0:", times[0] == 0)
print(*sorted({address.removeprefix("/momu/session/") for address, _ in found} - {"/momu/tape"}))
anna.terminate()
anna.wait()
done = subprocess.run([momu, "session", "replay", tape], capture_output=True, text=True)
lines = done.stdout.splitlines()
print(done.returncode, *[line for line in lines[1:] if "shared" in line or "room" in line], sep="\n")
print(*{" ".join(line.split()[2:]) for line in lines[1:] if "rhythm" in line}, sep="\n")
