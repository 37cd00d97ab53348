"""The peers of one run: who runs where, under which clock, and what happened to them when."""
import os
import random
import signal
import subprocess

import avahi
import peers
from nodes import BUILT
from Peers.beat_log import true_ns

OFFSET = 3600 * 10**9  # ns; clocks are ahead by up to this


class Session:
    """Every node runs one peer of each kind; node 1 conducts."""

    def __init__(self, nodes, folder, templates, ppm, cards, seed, seconds, settling):
        self.nodes, self.folder, self.templates, self.seed = nodes, folder, templates, seed
        self.count, self.has_avahi = len(nodes.names), False
        self.takes_lines = False  # whether every peer is told lines, or the conductor alone
        self.events, self.running, self.lives = [], {}, {}
        begun, chance = true_ns(), random.Random(seed)
        self.begins, self.ends = begun + int(settling * 1e9), begun + int(seconds * 1e9)
        rates = within(ppm, self.count)
        chance.shuffle(rates)
        self.clocks = [clock(begun, rate, chance.randrange(OFFSET)) for rate in rates]
        self.cards = [round(rate) for rate in within(cards, self.count)]
        chance.shuffle(self.cards)

    def note(self, what, **more):
        self.events.append({"at": true_ns(), "what": what} | more)

    def start(self, node):
        """A new life of the node's peers, to the end of the run."""
        for kind, template in self.templates.items():
            life = self.lives[kind, node] = self.lives.get((kind, node), -1) + 1
            log = os.path.join(self.folder, f"{kind}-{node}-{life}")
            seconds = max(1, round((self.ends - true_ns()) / 1e9))
            rest = max(0, (self.begins - true_ns()) / 1e9)
            command = peers.command(template, node, seconds, log, self.cards[node - 1], rest)
            environment = peers.environment(kind, node, self.nodes.folder) | self.clocks[node - 1]
            if self.has_avahi:
                environment["DBUS_SYSTEM_BUS_ADDRESS"] = avahi.address(self.nodes, node)
            self.note("join", kind=kind, node=node, life=life)
            with open(log + ".txt", "w") as said:
                self.running[kind, node] = self.nodes.start(
                    node, ["env", "-i", *[f"{name}={value}" for name, value in environment.items()], *command],
                    stdin=subprocess.PIPE if node == 1 or self.takes_lines else subprocess.DEVNULL, stdout=said, stderr=said)

    def kill(self, node):
        for kind in self.templates:
            process = self.running[kind, node]
            process.send_signal(signal.SIGKILL)
            process.wait()

    def end(self):
        """Ends all as Ctrl-C does, so that they say what they have to say at their end, and notes how each ended."""
        for process in self.running.values():
            if process.poll() is None:
                process.terminate()
        for (kind, node), process in self.running.items():
            try:
                status = process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                status = process.wait()
            self.note("ended", kind=kind, node=node, life=self.lives[kind, node], status=status)

    def tell_conductor(self, line):
        self.tell(1, line)

    def tell(self, node, line):
        for kind in self.templates:
            peer = self.running[kind, node].stdin
            peer.write(line.encode())
            peer.flush()

    def failures(self):
        """Peers that ended before their time, with the last thing they said."""
        for (kind, node), process in self.running.items():
            if process.poll() is not None:
                with open(os.path.join(self.folder, f"{kind}-{node}-{self.lives[kind, node]}.txt")) as said:
                    last = said.read().strip().splitlines()[-1:] or ["nothing"]
                yield f"{kind} on node {node} ended with {process.poll()} and said: {last[0]}"


def within(limit, count):
    """So many numbers evenly from -limit to limit."""
    return [limit * (2 * i / max(1, count - 1) - 1) for i in range(count)]


def clock(base, ppm, offset):
    return {"LD_PRELOAD": os.path.abspath(f"{BUILT}/skew.so"), "SKEW_PPM": f"{ppm:.3f}",
            "SKEW_OFFSET_NS": str(offset), "SKEW_BASE_NS": str(base)}
