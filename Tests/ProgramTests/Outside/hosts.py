"""Machines in one Ethernet: network namespaces on a bridge, which end with the script that made them.

Each has the protocols that it is given: "4", "6" or "46"; an address of IPv4 is 10.66.0.N, one of IPv6 the link-local one
alone, fe80::N. To be run as root under `unshare --net`.
"""
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children


def ip(words):
    subprocess.run(["ip", *words.split()], check=True)


class Host:
    """A machine, and the members that run on it."""

    def __init__(self, number, protocols, is_plugged=True):
        self.number, self.protocols = number, protocols
        self.holder = children.start(["unshare", "--net", "sh", "-c", "echo; exec sleep infinity"], stdout=subprocess.PIPE)
        self.holder.stdout.readline()
        ip(f"link add port{number} type veth peer name eth0 netns {self.holder.pid}")
        ip(f"link set port{number} master switch up")
        self.do("ip link set lo up")
        # An address is taken at once: nobody else has it here.
        self.do("echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_dad; echo 1 > /proc/sys/net/ipv6/conf/eth0/addr_gen_mode")
        self.do(f"echo {0 if '6' in protocols else 1} > /proc/sys/net/ipv6/conf/eth0/disable_ipv6")
        if is_plugged:
            self.plug()

    def plug(self):
        self.do("ip link set eth0 up")
        if "4" in self.protocols:
            self.give(4)
        if "6" in self.protocols:
            self.give(6)

    def give(self, protocol):
        address = f"10.66.0.{self.number}/24 broadcast +" if protocol == 4 else f"fe80::{self.number}/64 nodad"
        self.do(f"ip address add {address} dev eth0")

    def take(self, protocol):
        self.do(f"ip -{protocol} address flush dev eth0")

    def inside(self, *words):
        return ["nsenter", f"--net=/proc/{self.holder.pid}/ns/net", *words]

    def do(self, line):
        subprocess.run(self.inside("sh", "-ec", line), check=True)


class Member:
    """`momu session` on a host."""

    def __init__(self, host, momu, name, *words, room="Lab", **environment):
        self.home = tempfile.TemporaryDirectory()
        self.said = children.Output()
        self.name, self.log = name, f"{self.home.name}/beats"
        places = {"XDG_STATE_HOME": self.home.name, "XDG_CONFIG_HOME": self.home.name, "HOME": self.home.name,
                  "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"}
        self.process = children.start(
            host.inside(momu, "session", "--room", room, "--name", name, "--log-beats", self.log, "--listen", *words),
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self.said, text=True,
            env=os.environ | places | environment)

    def text(self):
        return self.said.read()

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, *texts):
        """Waits until it has said all this."""
        while any(text not in self.text() for text in texts):
            if self.process.poll() is not None:
                sys.exit(f"{self.name} ended:\n{self.text()}")
            time.sleep(0.01)

    def beats(self):
        """Its beats of late, by true time in ns."""
        with open(self.log) as file:
            lines = [line.split() for line in file.read().split("\n")[:-1] if not line.startswith("#")]
        return {int(words[0]) // 10_000_000: (int(words[0]), float(words[1])) for words in lines[-300:]}


def switch():
    ip("link set lo up")
    ip("link add switch type bridge")
    ip("link set switch type bridge mcast_snooping 0 ageing_time 30000")
    with open("/proc/sys/net/ipv6/conf/switch/disable_ipv6", "w") as file:
        file.write("1")
    ip("link set switch up")


def spread(members, tempo):
    """Seconds between the first and the last at the same moment, the most of the last moments that all have logged."""
    logs = [member.beats() for member in members]
    shared = set(logs[0]).intersection(*logs)
    per_second, spreads = tempo / 60, []
    for moment in shared:
        at = moment * 10_000_000
        values = [beat - (true - at) * 1e-9 * per_second for true, beat in (log[moment] for log in logs)]
        spreads.append((max(values) - min(values)) / per_second)
    return max(spreads) if len(spreads) > 20 else None
