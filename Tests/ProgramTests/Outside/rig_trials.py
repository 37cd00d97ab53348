"""Claims about a rig that failed in a trial: rig_trials.py MOMU CLAIM, as root under `unshare --net`; or --list.

Prints "yes", or "no" and what was seen instead. The boards are pseudo-terminals, and the receivers use no MoMu code.
"""
import math
import os
import pwd
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tty

sys.dont_write_bytecode = True
import children
from seats import claim, holds, ip, judge

momu = os.path.abspath(sys.argv[1])
home = tempfile.TemporaryDirectory()
environment = os.environ | {"XDG_STATE_HOME": home.name, "XDG_CONFIG_HOME": home.name, "HOME": home.name}


def written(text):
    path = f"{tempfile.mkdtemp(dir=home.name)}/rig.conf"
    with open(path, "w") as file:
        file.write(text)
    return path


class Rig:
    """`momu rig` with a configuration."""

    def __init__(self, text, *more):
        self.said = children.Output()
        self.process = children.start(
            [momu, "rig", written(text), *more], stdin=subprocess.DEVNULL, stdout=self.said, stderr=self.said, env=environment)

    @property
    def lines(self):
        return [line for line in self.said.read().split("\n") if line]

    def about(self, text):
        """The lines with something, but for what is told of each sensor at the start."""
        return [line for line in self.lines if text in line and not line.startswith("[")]

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def check(text, *more):
    done = subprocess.run([momu, "rig", "--check", *more, written(text)], capture_output=True, text=True, env=environment)
    return done.returncode, (done.stdout + done.stderr).strip()


class Board:
    """A board on a pseudo-terminal that writes what a function gives, a hundred times a second."""

    def __init__(self, line):
        self.board, self.port = os.openpty()
        tty.setraw(self.port)
        os.set_blocking(self.board, False)
        self.path = os.ttyname(self.port)

        def write():
            count = 0
            while True:
                try:
                    os.write(self.board, line(count))
                except OSError:
                    pass
                count += 1
                time.sleep(0.01)
        threading.Thread(target=write, daemon=True).start()


def message(data):
    """Address and arguments of a message."""
    def text(at):
        end = data.index(b"\0", at)
        return data[at:end].decode(), (end // 4 + 1) * 4
    address, at = text(0)
    types, at = text(at)
    values = []
    for kind in types[1:]:
        if kind == "s":
            value, at = text(at)
        else:
            size = struct.calcsize(kind := {"i": ">i", "f": ">f", "h": ">q", "d": ">d"}[kind])
            value, at = struct.unpack_from(kind, data, at)[0], at + size
        values.append(value)
    return address, values


class Ear:
    """A receiver on this machine, or with the network of a process."""

    def __init__(self, port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, 33, 1 << 24)  # SO_RCVBUFFORCE
        self.socket.bind(("0.0.0.0", port))
        self.heard = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            try:
                if not select.select([self.socket], [], [], 0.2)[0]:
                    continue
                self.heard.append(message(self.socket.recv(65536)))
            except (OSError, ValueError):
                return

    def count(self, address):
        return sum(one[0] == address for one in self.heard)

    def close(self):
        self.socket.close()


# MARK: several sensors of one board

@claim("two sensors of one serial board each send their channel, and the device is opened once")
def shared():
    board, ear = Board(lambda count: b"knob %d\nlight: %d\nacc 1 2 3\n" % (count, count)), Ear(9000)
    rig = Rig(f"[rig]\nto = 127.0.0.1:9000\nstatistics = 0\n[sensor light]\nsource = serial:{board.path}\nchannel = light\n"
              f"address = /foyer/light\n[sensor knob]\nsource = serial:{board.path}\nchannel = knob\naddress = /foyer/knob\n")
    both = holds(lambda: ear.count("/foyer/light") > 100 and ear.count("/foyer/knob") > 100)
    links = [os.readlink(f"/proc/{rig.process.pid}/fd/{each}") for each in os.listdir(f"/proc/{rig.process.pid}/fd")]
    seen = f"light {ear.count('/foyer/light')}, knob {ear.count('/foyer/knob')}, opened {links.count(board.path)} times; {rig.lines}"
    return both and links.count(board.path) == 1, seen


# MARK: a receiver that is off

class Far:
    """A machine at the other end of a cable, with a receiver on port 9060 that counts."""

    PROGRAM = """
import os, socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.setsockopt(1, 33, 1 << 24); s.bind(("0.0.0.0", 9060))
s.settimeout(0.2); count = 0
def tell():
    # Its reader never finds half a number.
    with open(sys.argv[1] + ".new", "w") as file: file.write(str(count))
    os.replace(sys.argv[1] + ".new", sys.argv[1])
tell()
while True:
    try: count += s.recv(65536).startswith(b"/momu/accel")
    except TimeoutError: tell()
    if count % 50 == 0: tell()
"""

    def __init__(self):
        self.path = f"{home.name}/count"
        self.process = children.start(["unshare", "--net", "sh", "-c",
            'until ip link set far up 2>&-; do sleep 0.05; done; ip addr add 10.78.0.2/24 dev far; exec "$@"', "sh", sys.executable,
            "-c", self.PROGRAM, self.path])
        while os.readlink(f"/proc/{self.process.pid}/ns/net") == os.readlink("/proc/self/ns/net"):
            time.sleep(0.01)
        ip("link", "add", "near", "type", "veth", "peer", "name", "far", "netns", str(self.process.pid))
        ip("addr", "add", "10.78.0.1/24", "dev", "near")
        ip("link", "set", "near", "up")
        # A port that is not open yet would be told of.
        holds(lambda: os.path.exists(self.path))

    def off(self):
        """The machine answers nothing any more; its cable stays."""
        ip("addr", "del", "10.78.0.2/24", "dev", "far", inside=self.process.pid)

    def on(self):
        ip("addr", "add", "10.78.0.2/24", "dev", "far", inside=self.process.pid)

    @property
    def count(self):
        try:
            return int(open(self.path).read() or 0)
        except (OSError, ValueError):
            return 0


@claim("a receiver that is switched off gets a line with the true cause, one when it is back, and its losses are counted")
def off():
    far, ear = Far(), Ear(9000)
    rig = Rig("[rig]\nto = 127.0.0.1:9000\nstatistics = 1\n[accel]\nsource = sim:tilt\nrate = 100\nto = 10.78.0.2:9060\n")
    if not holds(lambda: far.count > 100):
        sys.exit(f"nothing arrives: {rig.lines}")
    far.off()
    # The kernel may trust its neighbour for 53 s.
    time.sleep(80)
    said = rig.about("10.78.0.2:9060")
    wrong = [line for line in said if "again" in line or "less often" in line or "congested" in line]
    far.on()
    time.sleep(12)
    back = [line for line in rig.about("10.78.0.2:9060")[len(said):] if "again" in line]
    statistics = [values for address, values in list(ear.heard) if address == "/momu/rig"][-1]
    rig.end()
    time.sleep(1)
    arrived, summary = far.count, rig.about("10.78.0.2:9060")[-1]
    sent = re.search(r": (\d+) messages", summary)
    # Those that are lost, and those that may be.
    counts = [int(number) for number in re.findall(r"(\d+) (?:(?:known to be )?lost|more)", summary)]
    isCounted = bool(sent and counts) and counts[0] - 5 <= int(sent[1]) - arrived <= sum(counts) + 5
    return len(said) <= 2 and not wrong and len(back) == 1 and isCounted, \
        f"{len(said)} lines while off, of these untrue: {len(wrong)} {wrong[:3]}; back: {back}; {arrived} arrived; " \
        f"sent and lost by the statistics: {statistics[2:]}; at last: {summary}"


@claim("a receiver that starts, ends and starts again gets a line each time, and its losses are counted")
def returns():
    rig = Rig("[rig]\nto = 127.0.0.1:9100\nstatistics = 0\n[accel]\nsource = sim:tilt\nto = 127.0.0.1:9060\n")
    said, counts = lambda: len(rig.about("127.0.0.1:9060")), []
    for isOn in (False, True, False, True):
        before = said()
        if isOn:
            ear = Ear(9060)
            holds(lambda: ear.heard)
        elif counts:
            ear.close()
            # The loss must not be one that a return has told of.
            time.sleep(3)
        counts.append(bool(holds(lambda: said() > before)))
    rig.end()
    summary = rig.about("127.0.0.1:9060")[-1:]
    lost = re.search(r"(\d+) (?:known to be )?lost", " ".join(summary))
    return all(counts) and lost and int(lost[1]) > 0, f"a line when it is off, on, off, on: {counts}; {rig.lines}"


# MARK: checks

HEAD = "[rig]\nto = 127.0.0.1:9\n"


def checks(*faulty):
    seen = [check(text) for text in faulty]
    return all(status == 1 for status, _ in seen), f"{seen}"


@claim("--check has status 1 for a rig that would not start: keys, or a tape that is not there")
def check_start():
    return checks(HEAD + "[accel]\nsource = keys\n", HEAD + "[accel]\nsource = tape:/nowhere.osc\n")


@claim("--check has status 1 for the address 10.77.0.300, and for an unknown host")
def check_targets():
    return checks(HEAD + "[accel]\nsource = sim:tilt\nto = 10.77.0.300:9000\n",
                  HEAD + "[accel]\nsource = sim:tilt\nto = nosuchhost.invalid:9000\n")


@claim("--check has status 1 for two sensors with one address")
def check_addresses():
    return checks(HEAD + "[accel]\nsource = sim:tilt\naddress = /a\n[gyro]\nsource = sim:turn\naddress = /a\n")


@claim("--check says that a sensor without a source would wait, where no device for it is")
def check_waits():
    status, text = check(HEAD + "[magnet]\n")
    return "would wait" in text, text


@claim("a check finds that the service cannot read a tape in a home")
def check_service():
    unit = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Sources/Packaging/Debian/momu-rig.service")
    # The environment's HOME may be another folder.
    with tempfile.TemporaryDirectory(dir=pwd.getpwuid(os.getuid()).pw_dir) as folder:
        def packet(seconds, address, types, *values):
            text = lambda word: word.encode() + bytes(4 - len(word) % 4)
            data = text(address) + text("," + types) + b"".join(values)
            bundle = b"#bundle\0" + struct.pack(">Q", (4_004_251_200 << 32) + int(seconds * 2**32)) + struct.pack(">I", len(data)) + data
            return struct.pack(">I", len(bundle)) + bundle
        with open(f"{folder}/a.osc", "wb") as tape:
            tape.write(packet(0, "/momu/tape", "is", struct.pack(">i", 1), b"by hand\0"))
            tape.write(packet(0.1, "/momu/accel", "fff", struct.pack(">fff", 0, 0, 1)))
        text = HEAD + f"[accel]\nsource = tape:{folder}/a.osc\n"
        caller, service = check(text), check(text, "--as-service", "--unit", unit)
    return caller[0] == 0 and service[0] == 1 and "ProtectHome" in service[1], f"as the caller: {caller}; as the service: {service}"


# MARK: one bad line

@claim("one bad line leaves the other sensors running, and is told once")
def partial():
    ear = Ear(9000)
    rig = Rig("[rig]\nto = 127.0.0.1:9000\nstatistics = 0\n[accel]\nsource = sim:tilt\n[gyro]\nsource = sim:turn\nrate = fast\n")
    runs = holds(lambda: ear.count("/momu/accel") > 300)
    told = [line for line in rig.lines if '"fast"' in line]
    return runs and len(told) == 1, f"{ear.count('/momu/accel')} readings came; status {rig.process.poll()}; {rig.lines}"


@claim("momu doctor tells of a momu-rig.service that fails again and again")
def doctor():
    place = tempfile.mkdtemp(dir=home.name)
    with open(f"{place}/systemctl", "w") as file:
        file.write("#!/bin/sh\ncase \"$*\" in *momu-rig*) echo LoadState=loaded; echo ActiveState=activating; "
                   "echo SubState=auto-restart; echo NRestarts=115; echo StatusText=;; esac\n")
    os.chmod(f"{place}/systemctl", 0o755)
    done = subprocess.run([momu, "doctor"], capture_output=True, text=True, env=environment | {"PATH": f"{place}:{os.environ['PATH']}"})
    about = [line for line in done.stdout.split("\n") if "momu-rig" in line or re.match(r"\W*rig\b", line)]
    return any("115" in line for line in about), f"lines about the rig: {about}"


# MARK: a board that talks wrongly

def talks(line):
    board, ear = Board(line), Ear(9000)
    rig = Rig(f"[rig]\nto = 127.0.0.1:9000\nstatistics = 0\n[sensor]\nsource = serial:{board.path}\n")
    found = holds(lambda: any("sends" in line for line in rig.about(board.path)) or
                  any(address.startswith("/momu/sensor") for address, _ in list(ear.heard)))
    return bool(found), f"{ear.heard[:1]}, {rig.lines}"


@claim("a board that sends JSON is read, or told of")
def json():
    return talks(lambda count: b'{"temp":%d.5}\n' % (count % 40))


@claim("a board that sends a unit after its number is read, or told of")
def unit():
    return talks(lambda count: b"T=%d.5C\n" % (count % 40))


@claim("a board with another baud rate is told of")
def noise():
    return talks(lambda count: bytes((count * 37 + at * 101) % 128 + 128 for at in range(40)))


# MARK: smaller things

@claim("no value of a compass is NaN")
def compass():
    ear = Ear(9000)
    rig = Rig("[rig]\nto = 127.0.0.1:9000\nstatistics = 0\n[compass]\nsource = sim:turn\n")
    holds(lambda: ear.count("/momu/compass") > 10)
    values = [values for address, values in list(ear.heard) if address == "/momu/compass"]
    return values and not any(math.isnan(value) for each in values for value in each), f"{values[:2]}"


@claim("the udev rule keeps ModemManager from boards by their makers, and from nothing else")
def udev():
    rule = subprocess.run([momu, "doctor", "--udev-rule"], capture_output=True, text=True).stdout
    lines = [line for line in rule.split("\n") if "ID_MM_" in line]
    return lines and all("idVendor" in line for line in lines), f"{lines}"


def prepare():
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    children.within()


if __name__ == "__main__":
    judge(prepare)
