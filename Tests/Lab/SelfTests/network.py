"""The network itself: what really arrives, and when."""
import os
import socket
import subprocess
import time

from nodes import BUILT, Nodes, inside
from weather import STATED, quantiles

NODES = 8
GRID = 102_000_000  # ns


def round_trips(profile, seconds, pause_ms):
    """Of every pair of nodes at once, in ns, and how many were asked for."""
    with Nodes(NODES, profile) as nodes:
        others = [[f"10.77.0.{other}" for other in range(node + 1, NODES + 1)] for node in range(1, NODES + 1)]
        pings = [nodes.start(node, [f"{BUILT}/ping", str(seconds), str(pause_ms), *addresses],
                             stdout=subprocess.PIPE, text=True) for node, addresses in enumerate(others, 1)]
        words = [ping.communicate()[0].split() for ping in pings]
        late = nodes.ask("late").split()[3]
    return [int(word) for line in words for word in line[:-2]], sum(int(line[-1]) for line in words), late


def trips(profile, seconds, pause_ms, tolerances):
    values, asked, late = round_trips(profile, seconds, pause_ms)
    found, wanted = quantiles(values), STATED[profile]
    said = f"{' / '.join(f'{value:.2f}' for value in found)} ms, {1 - len(values) / asked:.2%} of {asked} lost"
    said += f", the switch late {late} times"
    for value, right, tolerance in zip(found, wanted, tolerances):
        assert abs(value / right - 1) < tolerance, said
    both_ways = 1 - (1 - wanted[3]) ** 2
    assert abs(1 - len(values) / asked - both_ways) < max(0.2 * both_ways, 0.003), said
    return said


def wire():
    """A ping over the wire takes 0.3 ms, within a fifth: this machine's own part differs."""
    return trips("wire", 5, 50, (0.2, 0.25, 0.3))


def good():
    """Pings in good Wi-Fi have its percentiles within 5 %, and its loss."""
    return trips("good", 15, 25, (0.05, 0.05, 0.05))


def bad():
    """Pings in bad Wi-Fi have its percentiles within 5 %, where so few tell them, and its loss."""
    # Of 22,000 the 99th percentile is known to 3 %: the third tolerance is more than twice that.
    return trips("bad", 40, 50, (0.05, 0.05, 0.08))


def udp(nodes, node, port=7000, group=None):
    """A socket on a node, held by this process."""
    here = inside(nodes.names[node - 1], lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    here.bind(("", port))
    here.settimeout(2)
    if group:
        membership = socket.inet_aton(group) + socket.inet_aton(f"10.77.0.{node}")
        here.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
    return here


def arrives(here):
    try:
        here.recv(100)
        return True
    except TimeoutError:
        return False


def multicast():
    """Multicast reaches all others, in bad Wi-Fi on the grid of 102 ms, and unicast does not wait for it."""
    group = "224.76.77.77"
    with Nodes(3, "bad") as nodes:
        sender, *listeners = [udp(nodes, node, group=group) for node in (1, 2, 3)]
        phases, unicast = [], []
        for i in range(40):
            sender.sendto(b"all", (group, 7000))
            sender.sendto(b"one", ("10.77.0.2", 7000))
            end = time.monotonic() + 0.25 + 0.007 * (i % 15)
            while (left := end - time.monotonic()) > 0:
                for listener in listeners:
                    listener.settimeout(min(left, 0.0005))
                    try:
                        text = listener.recv(100)
                        (phases if text == b"all" else unicast).append(time.monotonic_ns() % GRID * 1e-6)
                    except TimeoutError:
                        pass
    on_grid = sum(phase < 5 for phase in phases)
    assert len(phases) > 60, f"{len(phases)} of 80 came"
    assert on_grid >= 0.9 * len(phases), f"{on_grid} of {len(phases)} on the grid"
    assert sum(phase > 5 for phase in unicast) > 0.8 * len(unicast) > 20, f"{len(unicast)} unicast"
    return f"{on_grid} of {len(phases)} within 5 ms of it"


def links():
    """A node cut off hears and says nothing until it joins again; counts are those of the packets sent."""
    with Nodes(3, "wire") as nodes:
        sockets = [udp(nodes, node) for node in (1, 2, 3)]

        def goes(sender, receiver):
            sockets[sender - 1].sendto(b"x", (f"10.77.0.{receiver}", 7000))
            return arrives(sockets[receiver - 1])

        pairs = [(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if a != b]
        assert all(goes(*pair) for pair in pairs)
        nodes.ask("cut 2")
        assert [goes(*pair) for pair in pairs] == [2 not in pair for pair in pairs]
        nodes.ask("join 2")
        assert all(goes(*pair) for pair in pairs)
        before = nodes.counts()
        for _ in range(50):
            assert goes(1, 3)
        after = nodes.counts()
        change = [{key: new[key] - old[key] for key in new} for old, new in zip(before, after)]
        frame = 14 + 20 + 8 + 1
        assert 50 <= change[0]["sent"] <= 54 and 50 * frame <= change[0]["sent_bytes"] <= 54 * 64, change[0]
        assert 50 <= change[2]["received"] <= 54, change[2]


def plugs():
    """A node unplugged sees its carrier go, and come again."""
    with Nodes(2, "none") as nodes:
        def state():
            shown = subprocess.run(["ip", "-n", nodes.names[1], "link", "show", "eth0"], capture_output=True, text=True)
            return shown.stdout

        assert "NO-CARRIER" not in state()
        nodes.ask("unplug 2")
        assert "NO-CARRIER" in state()
        nodes.ask("plug 2")
        assert "NO-CARRIER" not in state()
        here, there = udp(nodes, 1), udp(nodes, 2)
        here.sendto(b"x", ("10.77.0.2", 7000))
        assert arrives(there)


def order():
    """Between two nodes packets keep their order, whatever their delays."""
    with Nodes(2, "bad") as nodes:
        sender, receiver = udp(nodes, 1), udp(nodes, 2)
        sender.sendto(b"0", ("10.77.0.2", 7000))
        time.sleep(0.5)  # the neighbours know each other
        for number in range(1, 200):
            sender.sendto(str(number).encode(), ("10.77.0.2", 7000))
            time.sleep(0.001)
        receiver.settimeout(1)
        numbers = []
        try:
            while True:
                numbers.append(int(receiver.recv(100)))
        except TimeoutError:
            pass
    assert numbers == sorted(numbers) and len(numbers) > 150, f"{len(numbers)} came"


def air():
    """Shared air of 500 frames a second carries 250 datagrams to one host a second, and drops those that find 500 frames waiting."""
    with Nodes(3, "none") as nodes:
        sender, receiver, listener = [udp(nodes, node, group="224.76.77.77") for node in (1, 2, 3)]
        sender.sendto(b"0", ("10.77.0.2", 7000))
        assert arrives(receiver)  # the neighbours know each other
        nodes.ask("air 500")
        times = []
        for number in range(400):
            sender.sendto(str(number).encode(), ("10.77.0.2", 7000))
        while arrives(receiver):
            times.append(time.monotonic())
        rate = (len(times) - 1) / (times[-1] - times[0])
        taken, dropped = map(int, nodes.ask("used").split())
        # To all: one frame to the access point, one from it, and 1,042 bytes at 6 Mbit/s.
        sender.sendto(b"x" * 1000, ("224.76.77.77", 7000))
        assert arrives(listener)
        called = int(nodes.ask("used").split()[0]) - taken
    said = f"{len(times)} came, {rate:.1f} a second; {dropped} dropped; a call took {called / 1e6:.2f} ms"
    # 251 fit: the line is full once more than 500 frames wait. A frame of ARP may be among those dropped.
    assert 245 <= len(times) <= 260 and 400 <= len(times) + dropped <= 410, said
    assert abs(rate / 250 - 1) < 0.05 and abs(called / (2 * 2e6 + 1042 * 8 / 6e6 * 1e9) - 1) < 0.02, said
    return said


def nothing_stays():
    """Namespaces are seen by the lab alone, and gone after it."""
    with Nodes(2, "none") as nodes:
        held = [os.stat(f"/run/netns/{name}").st_ino for name in nodes.names]
        outside = subprocess.run(
            ["nsenter", "--mount=/proc/1/ns/mnt", "ls", "/run/netns"], capture_output=True, text=True)
        assert len(set(held)) == 2 and nodes.names[0] not in outside.stdout
    assert not os.listdir("/run/netns")


laws = [nothing_stays, links, plugs, order, multicast, air, wire, good, bad]
