"""Texts from the network that would steer a terminal: hostile.py SECONDS [--type LINES] COMMAND...

The command runs in a terminal. Datagrams go to it on loopback: addresses, patterns, types, texts and names with escape
sequences, line feeds, C1, bidirectional and invisible characters, well formed and not. They go to a free UDP port, which
stands in place of PORT in the command. If PORT is not there, they come from members of the room Lab, which speak as
Docs/OSC-ADDRESSES.md says; this is to be run as root under `unshare --net`. Each of LINES, with commas, is typed once a
second. It lasts SECONDS, and longer if nothing of it is shown by then. Printed is `well`, or each control byte
that came through; `silent` if the program showed none of it, since such a test shows nothing.
"""
import os
import pty
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from sealed import Forger, message as osc

seconds = float(sys.argv[1])
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
lines, words = (sys.argv[3].split(","), sys.argv[4:]) if sys.argv[2] == "--type" else ([], sys.argv[2:])
command = [word.replace("PORT", str(port)) for word in words]
is_room = not any("PORT" in word for word in words)
evils = ["\x1b[777m", "\x1b[2J", "\x1b]0;FORGED\x07", "\x1bP777q\x1b\\", "\x07", "\x08\x08", "\rFORGED", "\nFORGED\n", "\u009b777m", "\u0085",
         "\u202e", "\u2066", "\u200b", "\u200f", "\u2028", "\u2029", "\ufeff", "\U000e0041", "\x7f", "\v", "\x0e"]
MARKS = b"u{", b"EVIL", b"FORGED"  # some of which is shown of each hostile text
# What none of our own texts holds; a byte that is no UTF-8 stands for C1 on some terminals.
forbidden = re.compile(
    "[\udc80-\udcff]|\x1b\\[777|\x1b\\[2J|\x1b\\]|\x1bP|\x1b\\\\|\x07|\x08|\x0b|\x0e|\x7f|[\x80-\x9f]|[\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|"
    "[\U000e0000-\U000e007f]|(^|[\n\r])FORGED")
dice = random.Random(1)


def padded(data):
    return data + b"\0" * (4 - len(data) % 4)


def text():
    """A word with something hostile in it, as UTF-8 or with bytes that are none."""
    evil = dice.choice(evils)
    word = dice.choice(["note", "EVIL", "a", "brightness"])
    data = (word[:1] + evil + word[1:]).encode()
    return data if dice.random() < 0.8 else data + bytes([dice.choice([0x9b, 0x90, 0xff, 0xc2])])


def message():
    kind = dice.randrange(7)
    base = dice.choice([b"/momu/harp/", b"/momu/accel/", b"/momu/room/", b"/"])
    if kind == 0:
        return padded(base + text()) + padded(b",f") + struct.pack(">f", 1)
    if kind == 1:
        return padded(base + b"[n" + text() + b"]ote") + padded(b",")
    if kind == 2:
        return padded(base + b"{note," + text() + b"}") + padded(b",s") + padded(text())
    if kind == 3:
        return padded(base + b"note") + padded(b"," + text()) + padded(text())
    if kind == 4:
        return padded(base + b"note") + padded(b",s") + padded(text())
    if kind == 5:
        return padded(b"/momu/hello") + padded(b",isss") + struct.pack(">i", 2) + padded(text()) * 3
    return padded(base + b"not*") + padded(b",ss") + padded(text()) * 2


class Guest(Forger):
    """A member of the room whose texts are hostile, and others each time."""

    def __init__(self):
        super().__init__("Lab", None, text(), os.urandom(32))
        self.number = 0
        self.room_name = self.home = text() if command[-1] == "rooms" else "Lab"

    def hello(self, token=0, echo=0):
        self.name, self.program, self.release, self.plays = (text() for _ in range(4))
        return super().hello(token, echo)

    def call(self, data):
        self.socket.sendto(data, ("239.255.64.50", 6450))

    def envelope(self, stream):
        self.number += 1
        return "ihhiiihid", (2, self.me, self.host, stream, self.number, self.number, 0, 0, 0.0)

    def play(self, address, stream, types, *values):
        before, envelope = self.envelope(stream)
        return osc(f"/momu/play/{address}", before + types, *envelope, *values)

    def speak(self):
        """Says something to all, or to the program once that is known."""
        kind = dice.randrange(11)
        if kind == 6:
            self.room_name = text()
            self.call(self.hello())
            self.room_name = self.home
            return
        if kind == 7:
            # Of another version: its name is said.
            self.call(osc("/momu/hello", "ishhsss", 1, "Lab", dice.getrandbits(62) | 1, 6, text(), text(), text()))
            return
        others = {guest.me for guest in guests}
        hosts = [member for member, (_, values) in list(self.knows.items())
                 if values[:2] == [2, "Lab"] and member not in others]
        if not hosts:
            return
        self.host = hosts[-1]
        if kind == 0:
            data = self.play("hit", 4, "fis", 0.5, 1, text())
        elif kind == 1:
            data = self.play("note", 4, "fffs", 60.0, 0.5, 1.0, text())
        elif kind == 2:
            data = self.play("parameter", 0, "sf", text(), 0.5)
        elif kind == 3:
            data = self.play("cells", 6, "shh", b"section/" + text(), 1, 1 << 32 | 1)
        elif kind == 4:
            data = self.play("cue", 4, "is", dice.randrange(3), text())
        elif kind == 5:
            data = osc("/momu/health", "ihhsiifffi", 2, self.me, self.host, text(), 1, 3, 0.0, 0.1, 0.1, 0)
        elif kind == 8:
            data = self.play("gesture", 0, "fff", 0.5, 10.0, 20.0)
        elif kind == 9:
            data = osc("/momu/panic", "ihi", 2, self.me, self.number) if dice.random() < 0.002 else self.hello(token=5)
        else:
            data = osc("/momu/bye", "ish", 2, "Lab", self.me) if dice.random() < 0.2 else self.hello(token=5)
        self.tell(data, self.host)


if is_room:
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["ip", "route", "add", "224.0.0.0/4", "dev", "lo"], check=True)
program, terminal = pty.fork()
if program == 0:
    signal.alarm(300)  # Should it never end, it is ended.
    os.environ["TERM"] = "xterm"
    os.execv(command[0], command)
os.set_blocking(terminal, False)
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
guests = [Guest() for _ in range(4)] if is_room else []
said, begun, last, typed, ended = b"", time.monotonic(), 0, 0, False
while time.monotonic() < begun + seconds + 100:
    try:
        piece = os.read(terminal, 65536)
        if not piece:
            break
        said += piece
    except BlockingIOError:
        time.sleep(0.01)
    except OSError:
        break  # The terminal closes with the program.
    now = time.monotonic() - begun
    # A busy machine may take long until the program shows something.
    is_over = now > seconds and (now > seconds + 60 or any(mark in said for mark in MARKS))
    if (is_room or 1 < now) and not is_over and now > last + 0.01:
        last = now
        if lines and now > typed + 1:
            typed = now
            for line in lines:
                os.write(terminal, line.encode().decode("unicode_escape").encode())
        if is_room:
            dice.choice(guests).speak()
            continue
        data = message()
        if dice.random() < 0.2:
            data = b"#bundle\0" + struct.pack(">Q", 1) + struct.pack(">i", len(data)) + data
        try:
            sender.sendto(data, ("127.0.0.1", port))
        except ConnectionError:
            pass  # It does not listen yet.
    # A second Ctrl-C would end a program without its clean end, which takes long on a busy machine.
    if is_over and not ended:
        ended = True
        os.kill(program, signal.SIGINT)
status = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
shown = said.decode(errors="surrogateescape").replace("\r\n", "\n")
found = [shown[max(0, match.start() - 40):match.end() + 20] for match in forbidden.finditer(shown)]
print("\n".join(ascii(each) for each in found[:10]) or ("well" if any(mark in said for mark in MARKS) else f"silent {ascii(shown[-2000:])}"))
print(status)
