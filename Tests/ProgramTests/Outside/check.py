"""`momu session check` on a network of its own: check.py MOMU [MEMBERS [PASSKEY]]; to be run under `unshare --net`.

More than eight members are on several machines, since a room takes 16 at one address. Waits until all members are ready, then lets one speak that is of another version. Prints what the check says.
"""
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children
import hosts

momu, *rest = sys.argv[1:]
count = int(rest[0]) if rest else 2
homes = [tempfile.TemporaryDirectory() for _ in range(count + 1)]
children.within()
AT_EACH = 8
if count > AT_EACH:
    hosts.switch()
    machines = [hosts.Host(number, "4") for number in range(1, 2 + (count - 1) // AT_EACH)]
else:
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    machines = []


def environment(index):
    places = {name: homes[index].name for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME")}
    locked = {"MOMU_PASSKEY": rest[1]} if len(rest) > 1 else {}
    return os.environ | places | locked | {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"}


def at(index, *words):
    """A command on a machine."""
    return machines[index // AT_EACH].inside(*words) if machines else words


for index in range(count):
    children.start(
        at(index, momu, "session", "--room", "Lab", "--name", f"M{index + 1:02}", *(["--conduct"] if index == 0 else [])),
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(index))


def check(*words):
    return subprocess.run(
        at(0, momu, "session", "check", "--room", "Lab", *words), capture_output=True, text=True, env=environment(count))


# Who has just come is not in time yet.
while (done := check("--json")).returncode != 0 or len(json.loads(done.stdout)["members"]) < count:
    print(done.stdout or done.stderr, file=sys.stderr)
found = json.loads(done.stdout)
print("ready:", found["ready"], len(found["members"]), found["flaws"])
print("names:", [member["name"] for member in found["members"]] == [f"M{index + 1:02}" for index in range(count)])
print("problems:", [flaw for member in found["members"] for flaw in member["flaws"] if flaw["problem"]])
if len(rest) < 2:
    def text(word):
        return word.encode() + b"\0" * (4 - len(word) % 4)

    hello = (text("/momu/hello") + text(",ishhsss") + struct.pack(">i", 1) + text("Lab") + struct.pack(">qq", 5, 6)
             + text("Old") + text("momu session") + text("0"))
    old = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    old.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
    other = subprocess.Popen(
        [momu, "session", "check", "--room", "Lab"], stdout=subprocess.PIPE, text=True, env=environment(count))
    while other.poll() is None:
        old.sendto(hello, ("239.255.64.50", 6450))
        time.sleep(0.1)
    said = other.stdout.read()
    print("status:", other.returncode)
    print("\n".join(line for line in said.split("\n") if "version" in line or line.startswith("Not ready")))
