"""Members whose words nobody reads: stuck.py PROGRAMS. Prints what the others see of them; to be run under
`unshare --net`.

Anna conducts at a terminal that is stopped with Ctrl-S, Ole plays at another, Pia writes to a pipe that is full from the
start. Ben and Cleo come, of whom each of them tells; then silence is called for, which who hangs does not answer. Last
they are released, and tell what was left out. Nothing is timed: each step waits for the one before, and a minute makes
waiting a failure.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

sys.dont_write_bytecode = True
import children

programs = sys.argv[1]
momu = [f"{programs}/momu", "session"]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
homes = tempfile.TemporaryDirectory()
children.within()


def surroundings():
    home = tempfile.mkdtemp(dir=homes.name)
    return os.environ | {"XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home, "HOME": home, "TERM": "xterm"}


class AtTerminal:
    def __init__(self, name, words):
        self.name, self.shown = name, ""
        self.terminal, self.inside = pty.openpty()
        fcntl.ioctl(self.inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

        def at_terminal():
            children.dies_with_us()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [*words, "--name", name], stdin=self.inside, stdout=self.inside, stderr=self.inside,
            start_new_session=True, preexec_fn=at_terminal, env=surroundings())
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            try:
                self.shown += os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:
                return

    def type(self, keys):
        os.write(self.terminal, keys)

    def stop(self):
        """As Ctrl-S does, until nothing can be written any more."""
        self.type(b"\x13")
        room = select.poll()
        room.register(self.inside, select.POLLOUT)
        until(self, lambda: not room.poll(0))

    def release(self, text):
        since = len(self.shown)
        self.type(b"\x11")
        until(self, lambda: text in self.shown[since:])
        print(f"{self.name} again: {text}")


class Silent:
    """One whose messages go to a pipe that is full."""

    def __init__(self, name, words):
        self.name, self.shown = name, ""
        self.pipe, inside = os.pipe()
        os.set_blocking(inside, False)
        try:
            while True:
                os.write(inside, b"x" * 4096)
        except BlockingIOError:
            os.set_blocking(inside, True)
        self.process = subprocess.Popen(
            [*words, "--name", name], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=inside,
            preexec_fn=children.dies_with_us, env=surroundings())
        os.close(inside)

    def release(self):
        threading.Thread(target=self.read, daemon=True).start()
        # A word that is not known is complained of: that makes the next line.
        while "missing here" not in self.shown:
            self.process.stdin.write(b"nonsense\n")
            self.process.stdin.flush()
            moment(self)
        print(f"{self.name} again: missing here")

    def read(self):
        while text := os.read(self.pipe, 65536):
            self.shown += text.decode(errors="replace")


class ListenSession:
    """One whose messages are read."""

    def __init__(self, name):
        self.name, self.said = name, children.Output()
        self.process = children.start(
            [*momu, "--room", "Stage", "--name", name], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=self.said, text=True, env=surroundings())

    @property
    def shown(self):
        return self.said.read()


def moment(who):
    if who.process.poll() is not None:
        sys.exit(f"{who.name} ended: {who.shown[-2000:]}")
    time.sleep(0.01)


def until(who, fact):
    while not fact():
        moment(who)


def wait(who, text):
    until(who, lambda: text in who.shown)
    print(f"{who.name}: {text}")


def panic():
    done = subprocess.run(
        [*momu, "panic", "--room", "Stage"], capture_output=True, text=True, env=surroundings())
    print("panic:", sorted(done.stdout.split("\n"))[1:], done.returncode)


anna = AtTerminal("Anna", [*momu, "--room", "Stage", "--conduct", "--tempo", "100"])
wait(anna, "Anna conducts")
ole = AtTerminal("Ole", [f"{programs}/Orchestra", "--room", "Stage", "--audio", "virtual", "--net", "none"])
wait(ole, "Anna")
anna.stop()
ole.stop()
pia = Silent("Pia", [*momu, "--room", "Stage"])
ben = ListenSession("Ben")
for name in ["Pia", "Ole"]:
    wait(ben, f"{name} is here")
wait(ben, "Anna conducts")
cleo = ListenSession("Cleo")
wait(cleo, "Anna conducts")
wait(ben, "Cleo is here")
panic()
# What is typed is obeyed, though nothing can be shown.
anna.type(b"give Ben\n")
wait(ben, "Ben conducts")
anna.release("missing here")
ole.release("Cleo")
pia.release()
for who in [anna, ole, pia, ben, cleo]:
    who.process.send_signal(signal.SIGINT)
    print(f"{who.name}:", who.process.wait())
