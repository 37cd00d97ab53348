"""How many bytes a machine gets for each byte that was sent in its name: amplify.py PROGRAMS; to be run under `unshare --net`.

Programs of the package run at 10.9.0.1. Questions come from 10.9.0.2, which returns no key and no number, as a machine does
whose address was forged. Printed are, for each address, bytes sent, bytes that came back, and their ratio; then
`well` where none is above 2.
"""
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children

programs = sys.argv[1]
for words in ["link set lo up", "addr add 10.9.0.1/24 dev lo", "addr add 10.9.0.2/24 dev lo", "route add 224.0.0.0/4 dev lo"]:
    subprocess.run(["ip", *words.split()], check=True)
home = tempfile.TemporaryDirectory()
environment = os.environ | {"XDG_STATE_HOME": home.name, "XDG_CONFIG_HOME": home.name, "HOME": home.name}
children.within()


def start(*words):
    return children.start(
        [f"{programs}/{words[0]}", *words[1:]], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env=environment)


def text(word):
    data = word.encode()
    return data + b"\0" * (4 - len(data) % 4)


def message(address, types="", *values):
    data = text(address) + text("," + types)
    for kind, value in zip(types, values):
        data += text(value) if kind == "s" else struct.pack({"i": ">i", "f": ">f", "h": ">q", "d": ">d"}[kind], value)
    return data


def bundle(*messages):
    return b"#bundle\0" + struct.pack(">Q", 1) + b"".join(struct.pack(">i", len(each)) + each for each in messages)


harp, session = 6449, 6450
melody = message("/momu/harp/melody", "f" * 257, 4.0, *([0.0, 0.1, 60.0, 0.5] * 64))
me, other = 0x1234, 0x77
hello = ("/momu/hello", "isshhsssiihhh")
questions = [
    ("all parameters", harp, message("/momu/harp"), 60),
    ("a parameter", harp, message("/momu/harp/loudness"), 60),
    ("all by a pattern", harp, message("/momu/harp/*"), 60),
    ("60 patterns at once", harp, bundle(*[message("/momu/harp/*")] * 60), 20),
    ("60 questions at once", harp, bundle(*[message("/momu/harp")] * 60), 20),
    ("the melody", harp, message("/momu/harp/melody"), 60),
    ("a wrong key", harp, message("/momu/harp", "i", 5), 60),
    ("follow the harp", harp, message("/momu/harp/follow", "i", 41000), 60),
    ("follow at 16 ports", harp, None, 16),
    ("ping", harp, message("/momu/ping", "ii", 1, 2), 60),
    ("60 pings at once", harp, bundle(*[message("/momu/ping", "i", 1)] * 60), 20),
    ("follow the beat", session, message("/momu/follow", "i", 41000), 60),
    ("follow the beat with a wrong key", session, message("/momu/follow", "ii", 41000, 7), 60),
    ("who is there", session, message("/momu/who", "is", 2, "Lab"), 60),
    ("who is in any room", session, message("/momu/who", "is", 2, "*"), 60),
    ("cells", session, message("/momu/cells/ask", "ihh", 2, me, other), 60),
    ("prove", session, message("/momu/prove", "ihhhi", 2, me, 5, 6, 0), 60),
    ("ping of a stranger", session, message("/momu/ping", "ihhih", 2, me, other, 1, 5), 60),
    ("bye", session, message("/momu/bye", "ish", 2, "Lab", me), 60),
]
start("momu", "play", "harp", "--audio", "virtual", "--net", f"udp:{harp}")
start("momu", "session", "--room", "Lab", "--conduct", "--tempo", "240", "--name", "A" * 40)
sockets = []
for port in [40999, *range(41000, 41016)]:
    each = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
    each.bind(("10.9.0.2", port))
    each.setblocking(False)
    sockets.append(each)


def drained():
    """Bytes that have come."""
    count = 0
    for each in sockets:
        while True:
            try:
                count += len(each.recv(65536))
            except BlockingIOError:
                break
    return count


def answers(port):
    """Whether a program listens by now."""
    with open("/proc/net/udp", encoding="ascii") as file:
        return f":{port:04X} " in file.read()


begun = time.monotonic()
while not (answers(harp) and answers(session)):
    if time.monotonic() > begun + 60:
        sys.exit("the programs do not listen")
    time.sleep(0.1)
time.sleep(2)
sockets[0].sendto(melody, ("10.9.0.1", harp))
time.sleep(0.5)
drained()
worst = 0
for name, port, question, count in questions:
    sent = 0
    for index in range(count):
        data = question or message("/momu/harp/follow", "i", 41000 + index)
        sockets[0].sendto(data, ("10.9.0.1", port))
        sent += len(data)
        time.sleep(0.005)
    # What is told again and again comes twice a second at least.
    time.sleep(1.2 if "follow" in name else 0.4)
    got = drained()
    worst = max(worst, got / sent)
    print(f"{name}: {sent} bytes sent, {got} came back, ratio {got / sent:.2f}")
print("well" if worst <= 2 else f"ratio {worst:.1f}")
