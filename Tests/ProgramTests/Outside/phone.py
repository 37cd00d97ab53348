"""Hears a program as an app's own receiver would, with nothing of this package's: Python's sockets and struct.

phone.py COUNT PROGRAM [ARGUMENT...] starts the program with MOMU_TO set to a port of its own, prints the first
COUNT messages as "address types values", a bundle's in brackets, and interrupts the program.
"""
import os
import signal
import socket
import struct
import subprocess
import sys


def text(data, at):
    end = data.index(0, at)
    return data[at:end].decode(), (end + 4) // 4 * 4


def messages(data):
    if data.startswith(b"#bundle\0"):
        at, found = 16, []
        while at < len(data):
            size, = struct.unpack_from(">i", data, at)
            found += [f"[{line}]" for line in messages(data[at + 4:at + 4 + size])]
            at += 4 + size
        return found
    address, at = text(data, 0)
    types, at = text(data, at)
    values = []
    for letter in types[1:]:
        if letter == "s":
            value, at = text(data, at)
            values.append(repr(value))
        else:
            value, = struct.unpack_from(">" + letter, data, at)
            values.append(f"{value:.4f}" if letter == "f" else str(value))
            at += 4
    return [" ".join([address, types] + values)]


signal.alarm(60)  # Should nothing come, this script ends.
ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
ear.bind(("127.0.0.1", 0))
program = subprocess.Popen(sys.argv[2:], env=os.environ | {"MOMU_TO": "127.0.0.1:%d" % ear.getsockname()[1]})
heard = []
while len(heard) < int(sys.argv[1]):
    heard += messages(ear.recv(65536))
program.send_signal(signal.SIGINT)
program.wait()
print("\n".join(heard))
