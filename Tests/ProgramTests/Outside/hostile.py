"""Texts from the network that would steer a terminal: hostile.py SECONDS COMMAND...

The command runs in a terminal, with a free UDP port in place of PORT. Datagrams go there on loopback: addresses, patterns, types, texts and room names with
escape sequences, line feeds, C1, bidirectional and invisible characters, well formed and not. Printed is `well`, or each
control byte that came through; `silent` where the program showed none of it, since such a test shows nothing.
"""
import os
import pty
import random
import re
import signal
import socket
import struct
import sys
import time

seconds = float(sys.argv[1])
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
command = [word.replace("PORT", str(port)) for word in sys.argv[2:]]
evils = ["\x1b[777m", "\x1b[2J", "\x1b]0;EVIL\x07", "\x1bP777q\x1b\\", "\x07", "\x08\x08", "\rEVIL", "\nEVIL\n", "\u009b777m", "\u0085",
         "\u202e", "\u2066", "\u200b", "\u200f", "\u2028", "\u2029", "\ufeff", "\U000e0041", "\x7f", "\v", "\x0e"]
# What none of our own texts holds; a byte that is no UTF-8 stands for C1 on some terminals.
forbidden = re.compile(
    "[\udc80-\udcff]|\x1b\\[777|\x1b\\[2J|\x1b\\]|\x1bP|\x1b\\\\|\x07|\x08|\x0b|\x0e|\x7f|[\x80-\x9f]|[\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|"
    "[\U000e0000-\U000e007f]|(^|[\n\r])EVIL")
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


program, terminal = pty.fork()
if program == 0:
    signal.alarm(300)  # Should it never end, it is ended.
    os.environ["TERM"] = "xterm"
    os.execv(command[0], command)
os.set_blocking(terminal, False)
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
said, begun, last = b"", time.monotonic(), 0
while time.monotonic() < begun + seconds + 30:
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
    if 1 < now < seconds and now > last + 0.01:
        last = now
        data = message()
        if dice.random() < 0.2:
            data = b"#bundle\0" + struct.pack(">Q", 1) + struct.pack(">i", len(data)) + data
        try:
            sender.sendto(data, ("127.0.0.1", port))
        except ConnectionError:
            pass  # It does not listen yet.
    if now > seconds:
        os.kill(program, signal.SIGINT)
        time.sleep(0.1)
status = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
shown = said.decode(errors="surrogateescape").replace("\r\n", "\n")
found = [shown[max(0, match.start() - 40):match.end() + 20] for match in forbidden.finditer(shown)]
print("\n".join(ascii(each) for each in found[:10]) or ("well" if "u{" in shown or "EVIL" in shown else f"silent {ascii(shown[-2000:])}"))
print(status)
