"""A locked room on a network of its own: locked_room.py MOMU; to be run as root under `unshare --net`.

Anna and Ben have the passkey, Cat another, Dora none. All that goes over the network is recorded, and played again, as
it was and changed; then it is looked through for names. Nothing is timed: each step waits for the one before.
"""
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import children

momu = sys.argv[1]
passkey = "tolu-rake-bimo-sefa"
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
home = tempfile.TemporaryDirectory()
environment = os.environ | {"XDG_STATE_HOME": home.name, "XDG_CONFIG_HOME": home.name, "HOME": home.name}
children.within()

recorded = []
tap = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))
tap.bind(("lo", 0))
replaying = threading.Event()


def record():
    while True:
        packet, (_, _, kind, *_) = tap.recvfrom(65536)
        # IPv4 over UDP, as it arrives.
        if packet[9] != 17 or kind == socket.PACKET_OUTGOING or replaying.is_set():
            continue
        header = (packet[0] & 15) * 4
        target = (socket.inet_ntoa(packet[16:20]), int.from_bytes(packet[header + 2:header + 4], "big"))
        recorded.append((target, packet[header + 8:]))


threading.Thread(target=record, daemon=True).start()


def start(name, key=None, *words, alone=False):
    said = children.Output()
    process = children.start(
        [momu, "session", *([] if alone else ["--room", "Lab", "--name", name]), *words], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=said, text=True, env=environment | ({"MOMU_PASSKEY": key} if key else {}))
    process.said, process.name = said, name
    return process


def words(process):
    return process.said.read()


def wait(process, text, count=1):
    while words(process).count(text) < count:
        if process.poll() is not None:
            sys.exit(f"{process.name} ended")
        time.sleep(0.01)
    print(f"{process.name}: {text}")


anna = start("Anna", passkey, "--conduct", "--tempo", "100")
wait(anna, "Anna conducts")
ben = start("Ben", passkey)
wait(ben, "Anna conducts")
cat = start("Cat", "another-passkey-2")
wait(cat, "another member has a different passkey for room Lab, so you do not hear each other: compare the passkeys")
dora = start("Dora")
wait(dora, "room Lab is locked here: join it with --passkey KEY")
listed = subprocess.run([momu, "session", "rooms"], capture_output=True, text=True, env=environment).stdout
print("rooms:", listed.split("\n"))

# Everything again, many times over, and as much of it changed.
replaying.set()
chance = random.Random(1)
stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
stranger.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
played = 0
told = [each for each in recorded if not each[0][0].endswith(".255")]
for target, datagram in told * (1 + 5000 // len(told)):
    changed = bytearray(datagram)
    changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    for bytes_ in datagram, changed:
        try:
            stranger.sendto(bytes_, target)
            played += 1
        except OSError:
            pass  # Who was asked for its rooms is gone.
replaying.clear()
print("played again:", played > 5000)

anna.stdin.write("stop\n")
anna.stdin.flush()
wait(ben, "no member conducts: the baton is free")
ben.stdin.write("baton\n")
ben.stdin.write("start\n")
ben.stdin.flush()
wait(anna, "Ben conducts")
# Killed, and started again without a word: the room is as it was, and locked.
ben.kill()
ben.wait()
wait(anna, "Ben conducted last, and is not heard")
again = start("Ben", None, alone=True)
wait(again, "Back in room Lab, locked as it was, as Ben: the program was killed there. For another room: --room NAME.")
anna.stdin.write("baton\n")
anna.stdin.flush()
wait(again, "Anna conducts")
for process in anna, ben:
    print(f"{process.name} hears strangers:", any(name in words(process) for name in ("Cat", "Dora", "clock is Cat")))
panic = subprocess.run(
    [momu, "session", "panic", "--room", "Lab", "--passkey", passkey], capture_output=True, text=True, env=environment)
print("panic:", sorted(panic.stdout.split("\n")), panic.returncode)
for process in anna, again, cat, dora:
    process.terminate()
    process.wait()

sealed = [datagram for _, datagram in recorded if datagram[:2] == b"M\x01"]
plain = [datagram for _, datagram in recorded if datagram[:2] != b"M\x01"]
names = [b"Anna", b"Ben", b"Cat", b"tolu", b"sefa", b"/momu"]
print("sealed:", len(sealed) > 100, "shown:", [name for name in names + [b"Lab"] if any(name in each for each in sealed)])
print("open:", len(plain) > 0, "shown:", [name for name in names[:-1] if any(name in each for each in plain)])
