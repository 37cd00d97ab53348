"""Network namespaces on a switch with weather, which nobody outside sees and which cannot outlive this process.

/run, where namespaces have their names and daemons their sockets, is here a folder of this process's own mount
namespace. However the process ends, the kernel takes back all of it; and no host of the lab talks to a daemon of
this machine.
"""
import ctypes
import os
import signal
import socket
import subprocess
import sys

BUILT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.build-lab")
# What a frame needs from one program to the other under the profile "none": half its round trip, in ns.
OWN_NS = 25_000

CLONE_NEWNS, CLONE_NEWNET = 0x20000, 0x40000000
MS_REC, MS_PRIVATE, PR_SET_PDEATHSIG = 0x4000, 0x40000, 1
libc = ctypes.CDLL(None, use_errno=True)


def needs():
    """Why there can be no lab here, or None."""
    if os.geteuid() != 0:
        return "the lab makes network namespaces, which takes root: sudo make bench-sync"
    if not os.path.exists("/dev/net/tun"):
        return "no /dev/net/tun: modprobe tun, or mknod /dev/net/tun c 10 200"
    return None


def seclude():
    """Gives this process a mount namespace of its own, in which /run is empty."""
    for call in [lambda: libc.unshare(CLONE_NEWNS),
                 lambda: libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None),
                 lambda: libc.mount(b"none", b"/run", b"tmpfs", 0, None)]:
        if call() != 0:
            sys.exit(f"cannot make a private /run: {os.strerror(ctypes.get_errno())}")


def inside(name, action):
    """The result of an action in a namespace: a socket made there stays there."""
    home = os.open("/proc/self/ns/net", os.O_RDONLY)
    node = os.open(f"/run/netns/{name}", os.O_RDONLY)
    try:
        if libc.setns(node, CLONE_NEWNET) != 0:
            sys.exit(f"cannot enter {name}: {os.strerror(ctypes.get_errno())}")
        return action()
    finally:
        libc.setns(home, CLONE_NEWNET)
        os.close(home)
        os.close(node)


def dies_with_us():
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Nodes:
    """`count` hosts 10.77.0.1… in one Ethernet; a context manager.

    With `ipv6` they have no address of IPv4, and of IPv6 the link-local one alone.
    """

    def __init__(self, count, profile, seed=1, own_ns=OWN_NS, ipv6=False):
        self.names = [f"momu-lab-{os.getpid()}-{node}" for node in range(1, count + 1)]
        self.profile, self.seed, self.own_ns = profile, seed, own_ns
        self.processes, self.ipv6 = [], ipv6

    def __enter__(self):
        seclude()
        for ending in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(ending, lambda number, _: sys.exit(128 + number))
        self.folder = "/run/lab"
        os.mkdir(self.folder)
        try:
            self._connect()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _connect(self):
        for name in self.names:
            ip("netns", "add", name)
        path = os.path.join(self.folder, "switch")
        self.switch = subprocess.Popen(
            [f"{BUILT}/switch", self.profile, str(self.seed), str(self.own_ns), path,
             *[f"/run/netns/{name}" for name in self.names]],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.switch.stdout.readline() != "ready\n":
            sys.exit("the switch did not start")
        self.control = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.control.bind(path + ".asker")
        self.control.connect(path)
        self.control.settimeout(5)
        for node, name in enumerate(self.names, 1):
            before, after = [
                "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6", f"""
                ip address add 10.77.0.{node}/24 broadcast + dev eth0
                ip link set eth0 up
                ip route add 224.0.0.0/4 dev eth0"""
            ] if not self.ipv6 else [
                "echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_dad", "ip link set eth0 up"]
            ip("netns", "exec", name, "sh", "-ec", f"""
                {before}
                ip link set lo up
                ip link set eth0 address {ethernet(node)}
                {after}""")
        if len(self.names) ** 2 > neighbours_kept():
            self._introduce()

    def _introduce(self):
        """Tells every host all addresses for good: such entries do not count against what the kernel keeps."""
        hosts = range(1, len(self.names) + 1)
        for node, name in enumerate(self.names, 1):
            entries = "".join(
                f"neigh replace {self.address(other)} lladdr {ethernet(other)} nud permanent dev eth0\n"
                for other in hosts if other != node)
            ip("-n", name, "-batch", "-", input=entries)

    def address(self, node):
        """Where a host is; of IPv6 as RFC 4291, appendix A, makes it of the Ethernet address."""
        return f"fe80::ff:fe4d:55{node:02x}" if self.ipv6 else f"10.77.0.{node}"

    def __exit__(self, *_):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
        if hasattr(self, "switch"):
            self.switch.stdin.close()
            self.switch.wait()
        for name in self.names:
            subprocess.run(["ip", "netns", "delete", name], stderr=subprocess.DEVNULL)

    def ask(self, command):
        """The switch's answer; Switch/control.h lists the commands."""
        self.control.send(command.encode())
        answer = self.control.recv(1 << 16).decode()
        if answer.startswith("cannot"):
            sys.exit(f"the switch {answer}")
        return answer

    def counts(self):
        """For each node what the switch has carried so far."""
        keys = ["sent", "sent_bytes", "sent_multicast", "received", "received_bytes", "received_multicast", "lost"]
        return [dict(zip(keys, map(int, line.split()[1:]))) for line in self.ask("counts").splitlines()]

    def start(self, node, command, **options):
        """A process on a node (from 1), ended with the lab; `options` as for subprocess.Popen."""
        options = {"stdin": subprocess.DEVNULL, "preexec_fn": dies_with_us} | options
        process = subprocess.Popen(["ip", "netns", "exec", self.names[node - 1], *command], **options)
        self.processes.append(process)
        return process


def ethernet(node):
    return f"02:00:00:4d:55:{node:02x}"


def neighbours_kept():
    """How many neighbours the kernel resolves for all namespaces together; what does not fit is not sent."""
    try:
        with open("/proc/sys/net/ipv4/neigh/default/gc_thresh3") as limit:
            return int(limit.read())
    except FileNotFoundError:
        return 1024  # It is shown in the machine's own network namespace alone; this is the kernel's usual value.


def ip(*arguments, input=""):
    done = subprocess.run(["ip", *arguments], input=input, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"ip {' '.join(arguments[:3])}: {done.stderr.strip()}")
