"""A member where a program takes its time to start: slow_program.py MOMU; to be run as root under `unshare --net`.

The kernel asks this script (fanotify) whether a `systemd-inhibit` of its own may be started, and is kept waiting, with
whoever wants to start it. Meanwhile silence is called for, which who hangs does not answer. `--can` says by its status
whether the kernel does that.
"""
import ctypes
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children

FAN_CLASS_CONTENT, FAN_MARK_ADD, FAN_OPEN_EXEC_PERM, AT_FDCWD, FAN_ALLOW = 4, 1, 0x40000, -100, 1
libc = ctypes.CDLL(None)
libc.fanotify_mark.argtypes = [ctypes.c_int, ctypes.c_uint, ctypes.c_uint64, ctypes.c_int, ctypes.c_char_p]

homes = tempfile.TemporaryDirectory()
program = f"{homes.name}/systemd-inhibit"
with open(program, "w") as file:
    file.write('#!/bin/sh\nshift 3\nexec "$@"\n')
os.chmod(program, 0o755)
questions = libc.fanotify_init(FAN_CLASS_CONTENT, os.O_RDONLY)
isHeld = questions >= 0 and libc.fanotify_mark(
    questions, FAN_MARK_ADD, FAN_OPEN_EXEC_PERM, AT_FDCWD, program.encode()) == 0
if sys.argv[1] == "--can":
    sys.exit(0 if isHeld else 1)

momu = sys.argv[1]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
children.within()
environment = os.environ | {
    "XDG_STATE_HOME": homes.name, "XDG_CONFIG_HOME": homes.name, "HOME": homes.name,
    "PATH": f"{homes.name}:{os.environ['PATH']}"}
said = children.Output()
anna = children.start(
    [momu, "session", "--room", "Lab", "--name", "Anna", "--conduct"], stdin=subprocess.PIPE,
    stdout=subprocess.DEVNULL, stderr=said, env=environment, text=True)


def text(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def started(process):
    """The numbers of what it has started."""
    return [child for task in os.listdir(f"/proc/{process}/task")
            for child in text(f"/proc/{process}/task/{task}/children").split()]


def wait(label, wanted):
    while [text(f"/proc/{child}/comm").strip() for child in started(anna.pid)] != wanted:
        time.sleep(0.01)
    print(f"{label}: {', '.join(wanted) or 'nothing'}")


def say(line):
    anna.stdin.write(line + "\n")
    anna.stdin.flush()


def question():
    """Waits until it is asked for a program; answers go with what it returns."""
    return struct.unpack("IBBHQii", os.read(questions, 24))[5]


def allow(file):
    os.write(questions, struct.pack("iI", file, FAN_ALLOW))
    os.close(file)


def wait_for(text):
    while True:
        if text in said.read():
            return print(f"Anna: {text}")
        if anna.poll() is not None:
            sys.exit("Anna ended")
        time.sleep(0.01)


asked = question()
print("systemd-inhibit is to start")
done = subprocess.run(
    [momu, "session", "panic", "--room", "Lab"], capture_output=True, text=True,
    # It keeps its machine awake as well, but not by way of here.
    env=environment | {"XDG_STATE_HOME": f"{homes.name}/panic", "PATH": os.environ["PATH"]})
print("panic:", ", ".join(sorted(done.stdout.strip().split("\n"))))
wait_for("Anna conducts")
allow(asked)
wait("it has started", ["cat"])
say("stop")
wait("stopped", [])
say("start")
allow(question())
wait("again", ["cat"])
left = started(anna.pid)
anna.send_signal(signal.SIGINT)
print("Anna:", anna.wait())
# Who has ended and was not asked for it yet is a zombie: its command is gone.
while any(text(f"/proc/{child}/cmdline") for child in left):
    time.sleep(0.01)
print("nothing is left")
