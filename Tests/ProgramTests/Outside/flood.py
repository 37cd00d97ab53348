"""Hellos from forged addresses, to the real program: flood.py MOMU COUNT PER_SECOND [SECONDS]; run it under `unshare --net`.

Three machines are members of a room that plays. A fourth sends COUNT hellos to all, each from an address and a port of its
own: three of four in the members' network, the others far away. Meanwhile newcomers join, one after another, and leave.
With MOMU_PASSKEY the room is locked; the fourth machine, which has no passkey, repeats what it hears of the members, whole
or with other numbers and a changed text.
Printed is `well`, or what fails: a newcomer that is not in (after SECONDS, if they are given), a member whose memory grows, who
lost another, or who could not send since answers to machines that are not there wait. The figures go to standard error: seconds until a newcomer is in, memory, processor time and how far the
beats lay apart.
"""
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children
import hosts
from sealed import hello

GROUP, PORT, TEMPO = "239.255.64.50", 6450, 120
# So much more (bytes) may a member take for the calls that wait in its sockets and for its table of addresses.
MOST_GROWTH = 16 << 20


def checksum(data):
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def frame(number, data):
    """A hello to all in a frame of its own, from the address of that number."""
    near = number % 4 != 0
    # All machines here share the kernel's table of neighbours, which takes 1,024.
    source = bytes([10, 66, 0, 20 + number % 100]) if near else struct.pack(">I", 0x0B000000 + number)
    # A UDP checksum of 0 says that there is none (RFC 768).
    body = struct.pack(">HHHH", 1024 + number % 60_000, PORT, 8 + len(data), 0) + data
    header = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(body), number & 0xFFFF, 0, 1, 17, 0) + source + socket.inet_aton(GROUP)
    header = header[:10] + struct.pack(">H", checksum(header)) + header[12:]
    ethernet = bytes.fromhex("01005e7f4032") + b"\2\0\0" + struct.pack(">I", number)[1:] + b"\x08\0"
    return ethernet + header + body


def recorded(seconds=3):
    """What the members of a locked room say to all, and the same of senders that nobody knows."""
    group = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    group.bind((GROUP, PORT))
    group.setsockopt(
        socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + struct.pack("=Ii", 0, socket.if_nametoindex("eth0")))
    group.settimeout(0.1)
    heard, end = [], time.monotonic() + seconds
    while time.monotonic() < end or not heard:
        try:
            heard.append(group.recv(65536))
        except TimeoutError:
            pass
    strange = [data[:12] + os.urandom(16) + data[28:-1] + bytes([data[-1] ^ 1]) for data in heard for _ in range(4)]
    return heard + strange


def flood(count, rate):
    """In a process of its own: sends at a rate as long as the machine can."""
    out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    out.bind(("eth0", 0))
    hellos = recorded() if "MOMU_PASSKEY" in os.environ else [
        hello("Lab", number << 20 | 1, number << 20 | 3, f"F{number}", token=number << 8 | 7, rung=1)
        for number in range(1, 257)]
    begun = time.monotonic()
    for number in range(1, count + 1):
        ahead = number / rate - (time.monotonic() - begun)
        if ahead > 0.002:
            time.sleep(ahead)
        try:
            out.send(frame(number, hellos[number % len(hellos)]))
        except OSError:
            pass  # The queue is full: a frame that is lost, as on a real network.
    print(f"{count} hellos in {time.monotonic() - begun:.1f} s", flush=True)


def used(member):
    """The bytes in memory and the seconds of processor time of a member's program."""
    pid = member.process.pid
    with open(f"/proc/{pid}/status") as file:
        memory = int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) << 10
    with open(f"/proc/{pid}/stat") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return memory, (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def unsent(machine):
    """How many datagrams of a machine found its socket's send buffer full."""
    shown = subprocess.run(machine.inside("cat", "/proc/net/snmp"), capture_output=True, text=True, check=True).stdout
    names, values = [line.split() for line in shown.split("\n") if line.startswith("Udp:")]
    return int(values[names.index("SndbufErrors")])


def apart(members, since):
    """The ms that the beats lay apart at each moment since a true time that all have logged, in order."""
    logs = []
    for member in members:
        with open(member.log) as file:
            lines = [line.split() for line in file.read().split("\n")[:-1] if not line.startswith("#")]
        # The beat stays at 0 until the tempo begins.
        logs.append({int(words[0]) // 10_000_000: (int(words[0]), float(words[1])) for words in lines if float(words[1]) > 0})
    spreads = []
    for moment in set(logs[0]).intersection(*logs[1:]):
        if moment * 10_000_000 >= since:
            values = [beat - (true - moment * 10_000_000) * 1e-9 * TEMPO / 60 for true, beat in (log[moment] for log in logs)]
            spreads.append((max(values) - min(values)) / TEMPO * 60_000)
    return sorted(spreads)


def main():
    momu, count, rate, *limit = sys.argv[1], int(sys.argv[2]), *map(float, sys.argv[3:])
    children.within(300 + int(count / rate * 20))
    hosts.switch()
    machines = [hosts.Host(number, "4") for number in range(1, 6)]
    members = [
        hosts.Member(machine, momu, f"M{machine.number}", *(["--conduct", "--tempo", str(TEMPO)] if machine.number == 1 else []))
        for machine in machines[:3]]
    for member in members:
        member.wait(*[f"{other.name} is here" for other in members if other is not member])
    while (first := hosts.spread(members, TEMPO)) is None or first > 0.005:
        time.sleep(0.1)
    before = [used(member) for member in members]
    flaws, begun = [], time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    sender = children.start(
        machines[3].inside(sys.executable, __file__, "--flood", str(count), str(rate)), stdout=sys.stderr)
    seconds, lives = [], 0
    # One newcomer at least sees the flood, however short that is.
    while sender.poll() is None or lives == 0:
        lives += 1
        name = f"N{lives}"
        newcomer = hosts.Member(machines[4], momu, name)
        # Its start takes a busy machine seconds of its own.
        newcomer.wait("this installation is")
        started = time.monotonic()
        newcomer.wait(*[f"{member.name} is here" for member in members])
        for member in members:
            member.wait(f"{name} is here")
        seconds.append(time.monotonic() - started)
        newcomer.process.terminate()
        newcomer.process.wait()
        for member in members:
            # On a busy machine it may have been given up before.
            while not any(f"{name} has {word}" in member.text() for word in ("left", "gone")):
                time.sleep(0.01)
    if limit:
        flaws += [f"the newcomer {number} is in after {each:.2f} s" for number, each in enumerate(seconds, 1) if each > limit[0]]
    after = [used(member) for member in members]
    spreads = apart(members, begun)
    for machine in machines[:3]:
        if lost := unsent(machine):
            flaws.append(f"M{machine.number} could not send {lost} datagrams")
    for member, (memory, _), (grown, _) in zip(members, before, after):
        if grown > memory + MOST_GROWTH:
            flaws.append(f"{member.name} took {memory >> 20} MB, and {grown >> 20} after the flood")
        gone = [line for line in member.text().split("\n") if line.startswith("M") and "has disappeared" in line]
        flaws += [f"{member.name}: {line}" for line in gone]
    ordered = sorted(seconds)
    print(
        f"{len(seconds)} newcomers in after {ordered[len(seconds) // 2]:.2f} s, half of them, and {ordered[-1]:.2f} s, the last; MB before and after "
        f"{', '.join(f'{one[0] / 1e6:.1f} {two[0] / 1e6:.1f}' for one, two in zip(before, after))}; processor s "
        f"{', '.join(f'{two[1] - one[1]:.1f}' for one, two in zip(before, after))}; beats apart, ms: half "
        f"{spreads[len(spreads) // 2]:.3f}, 95 of 100 {spreads[len(spreads) * 95 // 100]:.3f}, most {spreads[-1]:.3f} of "
        f"{len(spreads)} moments", file=sys.stderr)
    print("\n".join(flaws) or "well")
    for member in members:
        member.process.terminate()
        member.process.wait()


if sys.argv[1] == "--flood":
    flood(int(sys.argv[2]), float(sys.argv[3]))
else:
    main()
