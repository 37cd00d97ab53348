"""Ten thousand random messages between MoNet and another OSC program, one way: peers.py NETPEER PAIR [COUNT].

PAIR is python-to-momu, momu-to-python, liblo-to-momu, momu-to-liblo, chuck-to-momu or momu-to-chuck. Prints what
differs, or how many were the same. Values are compared bit by bit; where the other program prints them as decimals,
they are chosen so that it prints them exactly. Nothing is timed: who sends waits until the other has read.
"""
import atexit
import datetime
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../.build-python"))
sys.dont_write_bytecode = True
import children

netpeer, pair = sys.argv[1], sys.argv[2]
count = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
chance = random.Random(20261121)

# Whoever waits for a message that is lost waits for ever: ten minutes make it a failure that says so.
signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"{pair}: a message was lost, or a program hangs"))
signal.alarm(600)


def line(address, values):
    return " ".join([address] + [f"{kind}:{show(kind, value)}" for kind, value in values])


def show(kind, value):
    if kind in "ihc":
        return str(value)
    if kind == "f":
        return struct.pack(">f", value).hex()
    if kind == "d":
        return struct.pack(">d", value).hex()
    if kind == "t":
        return f"{value:016x}"
    if kind in "sS":
        return value.encode().hex()
    return value.hex() if kind in "bm" else ""


def address():
    return "".join("/" + text("abcxyz019_-.~", 1, 9) for _ in range(chance.randint(1, 4)))


def text(letters, least, most):
    return "".join(chance.choice(letters) for _ in range(chance.randint(least, most)))


def value(kind, exact):
    """A random value; with `exact`, one that six decimals say exactly."""
    if kind == "i":
        return chance.choice([0, 1, -1, 2**31 - 1, -2**31, chance.randint(-2**31, 2**31 - 1)])
    if kind == "h":
        return chance.choice([2**63 - 1, -2**63, chance.randint(-2**63, 2**63 - 1)])
    if kind in "fd":
        if exact:
            return chance.randint(-10**5, 10**5) / 64
        size = {"f": 4, "d": 8}[kind]
        while True:  # any bits but those of no number, which do not keep theirs on every way
            number = struct.unpack(">" + kind, chance.randbytes(size))[0]
            if number == number:
                return number
    if kind in "sS":
        return text("abc XYZ019+-/*#äöπ♪" if not exact else "abcXYZ019+-/*", 0 if not exact else 1, 20)
    if kind == "b":
        return chance.randbytes(chance.randint(1, 40))  # python-osc makes no empty ones
    if kind == "t":
        return chance.randint(0, 2**64 - 1)
    if kind == "c":
        return chance.randint(33, 126)
    if kind == "m":
        return chance.randbytes(4)
    return None


def messages(kinds, exact=False, most=8):
    return [(address(), [(kind, value(kind, exact)) for kind in chance.choices(kinds, k=chance.randint(0, most))])
            for _ in range(count)]


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def port_line(port):
    mark = f":{port:04X} "
    with open("/proc/net/udp") as table:
        return next((row.split() for row in table if mark in row.split("rem_address")[0][:25]), None)


def wait_open(port, process):
    while port_line(port) is None:
        if process.poll() is not None:
            sys.exit(f"{process.args[0]} ended: {lines(process)}")
        time.sleep(0.001)


def wait_read(port):
    """Until the program at a port has read what came, by the kernel's own account."""
    while (row := port_line(port)) and not row[4].endswith(":00000000"):
        time.sleep(0.0001)


def start(*command, **options):
    """Starts a program that prints into a file: a pipe that nobody reads would stop it."""
    options.setdefault("stderr", subprocess.DEVNULL)
    printed = children.Output()
    process = subprocess.Popen(command, stdout=printed, text=True, **options)
    process.printed = printed
    atexit.register(process.kill)
    return process


def lines(process):
    """What a program has printed so far, whole lines only."""
    return process.printed.read().split("\n")[:-1]


def lines_at_end(process):
    process.wait()
    return lines(process)


def hear(*words):
    port = free_port()
    process = start(netpeer, "hear", str(port), str(count), *words)
    wait_open(port, process)
    return port, process


def say(target, wanted):
    lines = "".join(line(*message) + "\n" for message in wanted)
    done = subprocess.run([netpeer, "say", target], input=lines, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)


def compare(wanted, got):
    for index, (one, other) in enumerate(zip(wanted, got)):
        if one != other:
            sys.exit(f"message {index} differs:\n{one}\n{other}")
    if len(wanted) != len(got):
        sys.exit(f"{len(wanted)} were sent and {len(got)} came")
    print(f"{count} the same")


def python_to_momu():
    from pythonosc.osc_message_builder import OscMessageBuilder
    wanted = messages("ihfdsbTFNm")
    port, process = hear()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for where, values in wanted:
            builder = OscMessageBuilder(where)
            for kind, each in values:
                builder.add_arg(tuple(each) if kind == "m" else each, kind)
            sender.sendto(builder.build().dgram, ("127.0.0.1", port))
            wait_read(port)
    compare([line(*message) for message in wanted], lines_at_end(process))


def momu_to_python():
    from pythonosc.osc_message import OscMessage
    wanted = messages("ihfdsbTFNtm")
    got = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        target = f"127.0.0.1:{receiver.getsockname()[1]}"
        process = start(netpeer, "say", target, stdin=subprocess.PIPE)
        receiver.settimeout(60)  # for a failure only
        for message in wanted:
            process.stdin.write(line(*message) + "\n")
            process.stdin.flush()
            packet = receiver.recv(65536)
            read = OscMessage(packet)
            kinds = [kind for kind, _ in message[1]]
            tags = packet[packet.index(b","):].split(b"\0")[0].decode()[1:]
            values = [bytes(each) if kind == "m" else time_tag(each) if kind == "t" else each
                      for kind, each in zip(kinds, read.params)]
            got.append(line(read.address, list(zip(tags, values))))
        process.stdin.close()
        process.wait()
    compare([line(*message) for message in wanted], got)


def time_tag(read):
    """python-osc reads a tag as the moment of its whole seconds and the fraction."""
    moment, fraction = read
    return int((moment - datetime.datetime(1900, 1, 1)).total_seconds()) << 32 | fraction


def shell_value(kind, value):
    return value.hex() if kind == "m" else chr(value) if kind == "c" else str(value)


def liblo_to_momu():
    wanted = messages("ihfdsScmTFNI", exact=True)
    port, process = hear()
    for where, values in wanted:
        subprocess.run(
            ["oscsend", f"osc.udp://127.0.0.1:{port}", where, "".join(kind for kind, _ in values)]
            + [shell_value(*each) for each in values if each[0] not in "TFNI"], check=True)
    compare([line(*message) for message in wanted], lines_at_end(process))


def momu_to_liblo():
    wanted = messages("ihfdsScmTFNI", exact=True)
    port = free_port()
    process = start("stdbuf", "-oL", "oscdump", "-L", str(port))
    wait_open(port, process)
    say(f"127.0.0.1:{port}", wanted + [("/end", [])])
    while not (got := lines(process)) or " /end" not in got[-1]:
        time.sleep(0.01)
    process.terminate()
    got = [row.split(" ", 1)[1].rstrip(" ") for row in got[:-1]]
    compare([dumped(*message) for message in wanted], got)


def dumped(where, values):
    """A message as oscdump prints it."""
    words = {"T": "#T", "F": "#F", "N": "Nil", "I": "Infinitum"}
    shown = []
    for kind, each in values:
        if kind in "fd":
            shown.append(f"{each:f}")
        elif kind == "s":
            shown.append(f'"{each}"')
        elif kind == "S":
            shown.append(f"'{each}")
        elif kind == "c":
            shown.append(f"'{chr(each)}'")
        elif kind == "m":
            shown.append("MIDI [" + " ".join(f"0x{byte:02x}" for byte in each) + "]")
        else:
            shown.append(words.get(kind, str(each)))
    return " ".join([where, "".join(kind for kind, _ in values)] + shown).rstrip(" ")


# ChucK's event misses a message that came just before, and its time runs as fast as it can without a sound card: so it
# waits for events that come again and again. It makes its own random numbers, by the same rule as here, since it reads
# no files of ours.
CHUCK_SEND = """
%d => int state; 0 => int told;
fun int next(int below) { (state * 1103515245 + 12345) & 0x7fffffff => state; return (state >> 8) %% below; }
OscOut out; out.dest("127.0.0.1", %d);
OscIn in; OscMsg answer; %d => in.port; in.addAddress("/go, i");
["i", "f", "s"] @=> string kinds[];
for (1 => int index; index <= %d; index++) {
  out.start("/chuck/" + next(1000));
  next(8) => int size;
  for (0 => int each; each < size; each++) {
    next(3) => int kind;
    if (kind == 0) out.add(next(2000000) - 1000000);
    else if (kind == 1) out.add((next(200000) - 100000) / 64.0);
    else { "" => string word; next(12) => int length;
      for (0 => int letter; letter < length; letter++) "abcdefghij".substring(next(10), 1) +=> word;
      out.add(word); }
  }
  out.send();
  if (index %% 50 == 0) while (told < index) { in => now; while (in.recv(answer)) answer.getInt(0) => told; }
}
"""


def chuck_messages():
    state = 20261121

    def next_below(below):
        nonlocal state
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        return (state >> 8) % below

    made = []
    for _ in range(count):
        where = f"/chuck/{next_below(1000)}"
        values = []
        for _ in range(next_below(8)):
            kind = next_below(3)
            if kind == 0:
                values.append(("i", next_below(2_000_000) - 1_000_000))
            elif kind == 1:
                values.append(("f", (next_below(200_000) - 100_000) / 64))
            else:
                values.append(("s", "".join("abcdefghij"[next_below(10)] for _ in range(next_below(12)))))
        made.append((where, values))
    return made


CHUCK_HEAR = """
OscIn in; OscMsg message; %d => in.port; in.listenAll();
0 => int heard;
while (heard < %d) {
  in => now;
  while (in.recv(message)) {
    if (message.address == "/again") continue;
    heard++;
    chout <= message.address;
    for (0 => int each; each < message.numArgs(); each++) {
      message.typetag.substring(each, 1) => string kind;
      if (kind == "i") chout <= " i:" <= message.getInt(each);
      else if (kind == "f") chout <= " f:" <= (message.getFloat(each) * 64) $ int;
      else chout <= " s:" <= message.getString(each);
    }
    chout <= IO.newline();
  }
}
"""


def run_chuck(program):
    path = os.path.join(folder, "program.ck")
    with open(path, "w") as file:
        file.write(program)
    return start("chuck", "--silent", f"--port:{free_port()}", path)


def chuck_to_momu():
    answers = free_port()
    port, process = hear(str(answers))
    other = run_chuck(CHUCK_SEND % (20261121, port, answers, count))
    got = lines_at_end(process)
    other.terminate()
    compare([line(*message) for message in chuck_messages()], got)


def momu_to_chuck():
    wanted = chuck_messages()
    port = free_port()
    process = run_chuck(CHUCK_HEAR % (port, count))
    wait_open(port, process)
    say(f"127.0.0.1:{port}", wanted)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as nudge:
        while process.poll() is None:
            nudge.sendto(b"/again\0\0,\0\0\0", ("127.0.0.1", port))
            time.sleep(0.01)
    got = [row for row in lines_at_end(process) if row.startswith("/")]
    compare(
        [" ".join([where] + [f"{kind}:{int(each * 64) if kind == 'f' else each}" for kind, each in values])
         for where, values in wanted], got)


with tempfile.TemporaryDirectory() as folder:
    {name.replace("_", "-"): work for name, work in globals().items() if "_to_" in name}[pair]()
