"""Programs of this package on real sound servers: live_sound.py PROGRAMS SCENARIO [SECONDS [BLOCK]]

PROGRAMS is the folder of the built programs. Scenarios are a server and a device, such as `pipewire default`, joined by
a dash: pipewire-default, pipewire-jack, pulse-default, jack-default, jack-jack; and those of `TROUBLES` below. Printed
are figures, then `well` where all was as it should be; the status is 77 where something is not installed, with what.
"""
import array
import math
import os
import re
import subprocess
import statistics
import sys
import threading
import time
import wave
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
import children
import sound_server

here = os.path.dirname(os.path.abspath(__file__))
SINK = ["A sink for tests:monitor_FL"]


class Stalls:
    """When this machine let a process wait for 3 ms and more, as it does for the sake of others: in `with`.

    A thread on each core wakes every millisecond, at the same priority as the servers and their tools.
    """

    # Whether they can be the cause of what is wrong: not if most steps are, nor if a median is.
    explain = True

    def __enter__(self):
        self.lengths, self.over = [], False
        cores = sorted(os.sched_getaffinity(0))
        self.threads = [threading.Thread(target=self.watch, args=(core,), daemon=True) for core in cores]
        for thread in self.threads:
            thread.start()
        return self

    def watch(self, core):
        os.sched_setaffinity(0, [core])  # of this thread alone
        while not self.over:
            before = time.monotonic()
            time.sleep(0.001)
            late = (time.monotonic() - before - 0.001) * 1e3
            if late >= 3:
                self.lengths.append(late)

    def __exit__(self, *_):
        self.over = True
        for thread in self.threads:
            thread.join()

    def excuse(self, wrong, count):
        """What is wrong of `count` steps, unless stalls explain it: each makes two wrong, one long, one short.

        Nine steps of ten must be right all the same.
        """
        if wrong and self.lengths:
            print(f"  the machine stood still {len(self.lengths)} times, for up to {max(self.lengths):.0f} ms; "
                  f"{len(wrong)} of {count} steps are wrong")
        if len(wrong) <= min(2 * len(self.lengths), max(2, count // 10)):
            return []
        Stalls.explain = Stalls.explain and 2 * len(wrong) <= count
        return wrong


class Heard:
    """What arrived in a recording: each click's frame and, where the recorder says, its moment."""

    def __init__(self, samples, channels, rate, periods=()):
        left = samples[::channels]
        self.rate, self.frames, self.moments = rate, [], []
        self.peak = max(map(abs, left), default=0)
        quiet = 1000
        for frame, sample in enumerate(left):
            if abs(sample) < 0.1:
                quiet += 1
                continue
            if quiet > 1000 and sample > 0.4:
                self.frames.append(frame)
            quiet = 0
        if periods:
            starts = [first for first, _ in periods]
            at = 0
            for frame in self.frames:
                while at + 1 < len(starts) and starts[at + 1] <= frame:
                    at += 1
                first, moment = periods[at]
                self.moments.append(moment + (frame - first) * 1e9 / rate)

    @property
    def gaps(self):
        """Steps between clicks that are no tenth of a second to the frame, but for the first, when it fades in."""
        step = self.rate // 10
        return [after - before for before, after in zip(self.frames[1:], self.frames[2:]) if after - before != step]


    @property
    def uneven(self):
        """Steps between clicks that are off by more than a millisecond in time, in milliseconds."""
        steps = [(after - before) / 1e6 for before, after in zip(self.moments[1:], self.moments[2:])]
        return [round(step, 2) for step in steps if abs(step - 100) > 1]


class Probe:
    """SoundProbe on a server, and what it says."""

    def __init__(self, server, device, *options, mode=None):
        self.server = server
        variables = ["env", f"MOMU_PROBE={mode}"] if mode else []
        self.process = server.start([*variables, f"{programs}/SoundProbe", "--audio", device, "--quiet", *options])
        self.text = ""

    def end(self):
        sound_server.SoundServer.end(self.process)
        self.text += self.process.stdout.read()
        return self

    @property
    def clicks(self):
        """Of each click: when its block was asked for, when it says that it is heard, and its frame."""
        found = {}
        for frame, asked, heard in re.findall(r"^click (\d+) (\d+) (\d+)$", self.text, re.M):
            found[int(frame)] = (int(asked), int(heard), int(frame))
        return list(found.values())

    @property
    def strokes(self):
        """When the hand struck, in seconds."""
        return [int(moment) / 1e9 for moment in re.findall(r"^stroke (\d+)$", self.text, re.M)]

    @property
    def statuses(self):
        return [dict(re.findall(r"(\w+)=((?:(?! \w+=).)+)", line)) for line in self.text.splitlines() if line.startswith("status ")]

    @property
    def events(self):
        return re.findall(r"^event (.*)$", self.text, re.M)


def recorder(server, path, ports):
    """Records ports with their moments; what it returns ends it and gives what was heard."""
    environment = server.environment
    process = children.start(
        ["python3", f"{here}/jack_recorder.py", path, *ports], env=environment, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    first = process.stdout.readline()
    if not first.startswith("rate ") or process.stdout.readline() != "ready\n":
        sys.exit(f"no recorder: {first}{process.stdout.read()}")

    def finish():
        text, _ = process.communicate(timeout=30)
        samples = array.array("f")
        with open(path, "rb") as file:
            samples.frombytes(file.read())
        periods = [(int(first), int(moment)) for first, moment in re.findall(r"^period (\d+) (\d+)$", text, re.M)]
        return Heard(samples, len(ports), int(first.split()[1]), periods)
    return finish


def wav(path):
    """The samples of a WAV file, floats or 16 bits, however unfinished its head is."""
    with open(path, "rb") as file:
        data = file.read()
    start = data.index(b"data") + 8
    body = data[start:]
    if data[20] == 3 or (data[20] == 0xfe and data[44] == 3):
        samples = array.array("f")
        samples.frombytes(body[:len(body) // 4 * 4])
        return samples
    samples = array.array("h")
    samples.frombytes(body[:len(body) // 2 * 2])
    return array.array("f", (sample / 32768 for sample in samples))


def measured(probe, heard, block, beyond=0.0):
    """Milliseconds from a block's asking to its first frame's hearing, and how far block.time is off: median and worst.

    `beyond` milliseconds pass between where the recorder is and what is heard.
    """
    pairs = []
    for moment in heard.moments:
        moment += beyond * 1e6
        asked, told, frame = min(probe.clicks, key=lambda click: abs(click[1] - moment))
        if abs(told - moment) < 40e6:
            pairs.append(((moment - asked) / 1e6 - frame % block * 1e3 / heard.rate, (told - moment) / 1e6))
    if not pairs:
        return None
    latencies, errors = zip(*pairs[2:] or pairs)
    return statistics.median(latencies), max(latencies), statistics.median(errors), max(map(abs, errors))


def play(kind, device, seconds, block):
    """One run: what came to the sink, and what the program says of it; an empty list where all was well."""
    wrong = []
    with Stalls() as stalls, sound_server.SoundServer(kind, quantum=block) as server:
        probe = Probe(server, device, "--block", str(block))
        own = None
        if kind != "jack":
            own = server.record(f"{server.home}/own.wav")
        finish = None
        if kind == "pipewire":
            finish = recorder(server, f"{server.home}/stamped", SINK)
        if kind == "jack":
            server.wait(lambda: of_programs(server), "the program's ports")
            own_ports = of_programs(server)
            finish = recorder(server, f"{server.home}/stamped", own_ports[:1])
            tool = server.start(
                ["jack_rec", "-f", f"{server.home}/own.wav", "-d", str(seconds), "-b", "16", *own_ports[:1]],
                quietly=True)
        time.sleep(seconds)
        probe.end()
        stamped = finish() if finish else None
        if kind == "pulse":
            time.sleep(2.5)  # its null sink renders up to 2 s at a time for whoever records
        if kind == "jack":
            tool.wait(timeout=60)
        else:
            server.end(own)
        heard = Heard(wav(f"{server.home}/own.wav"), 1 if kind == "jack" else 2, server.rate)
        if not probe.statuses:
            return [f"the program says nothing: {probe.text}"]
        status = probe.statuses[-1]
        reported = float(status["latency"]) * 1000
        print(f"{kind} {device}, {block} frames: rate {status['rate']}, block {status['block']}, "
              f"reported {reported:.1f} ms, queued {status['queued']} frames ({status['growths']} growths), "
              f"{status['xruns']} xruns; {len(heard.frames)} clicks by the server's tool, {len(heard.gaps)} gaps")
        # PulseAudio's null sink takes the first 2 s that it is given for its own queue.
        if len(heard.frames) < 10 * (seconds - (2.5 if kind == "pulse" else 0)) * 0.6:
            wrong.append(f"only {len(heard.frames)} clicks arrived")
        # What a busy machine keeps a server's tool from writing shortens its file; a program's dropout lengthens it, and
        # shows in time.
        gaps = heard.gaps if not stamped else [gap for gap in heard.gaps if gap > server.rate // 10]
        if stalls.excuse(gaps, len(heard.frames)):
            wrong.append(f"gaps: {gaps}")
        # A server that is late itself says so to its clients, who count it.
        excused = int(status["xruns"]) if kind == "jack" else 0
        if stamped and stalls.excuse(stamped.uneven[excused:], len(stamped.frames)):
            wrong.append(f"uneven: {stamped.uneven} ms")
        most = 13 if device == "jack" else 25
        if block == 256 and kind != "pulse" and reported > most:
            wrong.append(f"{reported:.1f} ms reported, {most} at most")
        if stamped:
            # JACK's program is recorded at its own port, before the loudspeaker's latency. The monitor of PipeWire's sink
            # is a period later than what the sink is given, as recording both at once shows.
            beyond = 1e3 * (system_latency(server) if kind == "jack" else -block) / server.rate
            figures = measured(probe, stamped, int(status["block"]), beyond)
            if not figures:
                return wrong + ["no click of the program's was found in the recording"]
            middle, worst, error, worst_error = figures
            print(f"  {len(stamped.moments)} clicks by their moments, {len(stamped.uneven)} uneven by more than 1 ms")
            print(f"  measured {middle:.1f} ms from the asking to the sink, {worst:.1f} at most; "
                  f"block.time is off by {error:+.2f} ms, {worst_error:.2f} at most")
            if block == 256 and middle > most:
                wrong.append(f"{middle:.1f} ms measured, {most} at most")
            if abs(error) > 1:
                wrong.append(f"block.time is off by {error:.1f} ms")
                Stalls.explain = False
    return wrong


def strokes(kind, device, mode, block, seconds=8):
    """Strokes by a hand, recorded by the server's own tool: clicks on the beat (left), and the strokes (right), in seconds.

    Behind them is how often the machine stood still.
    """
    with Stalls() as stalls, sound_server.SoundServer(kind, quantum=block) as server:
        probe = Probe(server, device, "--block", str(block), mode=mode)
        path = f"{server.home}/own.wav"
        if kind == "jack":
            server.wait(lambda: of_programs(server), "the program's ports")
            tool = server.start(
                ["jack_rec", "-f", path, "-d", str(seconds), "-b", "16", *of_programs(server)], quietly=True)
        else:
            tool = server.record(path)
        time.sleep(seconds)
        probe.end()
        if kind == "jack":
            tool.wait(timeout=60)
        else:
            server.end(tool)
        samples = wav(path)
        sides = [Heard(samples[side:], 2, server.rate) for side in (0, 1)]
        status = probe.statuses[-1] if probe.statuses else {}
        print(f"{kind} {device}, {block} frames: {len(probe.strokes)} strokes, {len(sides[1].frames)} recorded, "
              f"latency {1e3 * float(status.get('latency', 0)):.1f} ms, {status.get('xruns')} xruns")
        return probe.strokes, *([frame / server.rate for frame in side.frames] for side in sides), stalls


def on_the_beat():
    """Strokes exactly on the beat that the player hears: within 20 ms of the click, none a sixteenth late."""
    sent, clicks, heard, stalls = strokes("pipewire", "default", "grid", 128)
    late = [1e3 * min((stroke - click for click in clicks), key=abs) for stroke in heard]
    print("strokes are later than the click by", " ".join(f"{each:.1f}" for each in late), "ms")
    wrong = [] if len(heard) >= 8 else [f"only {len(heard)} strokes were recorded"]
    # Those after the first second: the server's rounds are what they will be.
    far = [f"a stroke is {each:.1f} ms from its click" for each in late[2:] if abs(each) > 20]
    return wrong + stalls.excuse(far, len(late))


def evenly(kind, device):
    """Strokes off the grid keep their spacing, and each is recorded."""
    sent, _, heard, stalls = strokes(kind, device, "free", 256, 12)
    if len(heard) < 20:
        return [f"only {len(heard)} strokes were recorded"]
    # The recording began after some strokes: the run of those sent that fits best.
    most = []
    for first in range(len(sent) - len(heard) + 1):
        steps = [(heard[i + 1] - heard[i]) - (sent[first + i + 1] - sent[first + i]) for i in range(len(heard) - 1)]
        most.append(sorted(abs(1e3 * step) for step in steps))
    if not most:
        return [f"{len(heard)} strokes were recorded, {len(sent)} sent"]
    best = min(most, key=statistics.median)
    print(f"spacing is off by {best[len(best) // 2]:.2f} ms (median), {best[-1]:.2f} ms at most")
    return stalls.excuse([f"spacing is off by {step:.2f} ms" for step in best if step > 1], len(best))


def drums(samples, rate):
    """When a drum was struck (s): where what lies below 180 Hz rises to twice what the drum still sounds, or from silence."""
    smooth, fade = 1 - math.exp(-2 * math.pi * 180 / rate), math.exp(-1 / (0.03 * rate))
    first = second = 0.0
    low = array.array("f")
    for sample in samples:
        first += smooth * (sample - first)
        second += smooth * (first - second)
        low.append(abs(second))
    envelope, last = array.array("f"), 0.0
    for level in low:
        last = max(level, last * fade)
        envelope.append(last)
    # What sounded 10 ms before is the stroke before.
    found, struck, least, before = [], -rate, 0.15 * max(low, default=0), rate // 100
    for frame in range(before, len(low)):
        if low[frame] > max(least, 2 * envelope[frame - before]) and frame - struck > 0.06 * rate:
            found.append(frame / rate)
            struck = frame
    return found


def shake_drum(kind, device):
    """ShakeDrum plays a tape of shakes: every hit is in the server's recording, as far from the next as without a server."""
    play_for = max(seconds, 8)
    with Stalls() as stalls, sound_server.SoundServer(kind, quantum=256) as server:
        tape, offline, live = (f"{server.home}/{name}" for name in ("shakes.osc", "offline.wav", "live.wav"))
        made = subprocess.run(
            [sys.executable, f"{here}/tape.py", tape, "shakes", "3", str(play_for)], capture_output=True, text=True)
        shakes = made.stdout.split()
        command = [f"{programs}/ShakeDrum", "--accel", f"tape:{tape}", "--seed", "1", "--quiet", "--block", "256"]
        server.run([*command, "--audio", f"wav:{offline}", "--offline", "--seconds", str(play_for)])
        if kind == "pipewire":
            tool = server.record(live)
        program = server.start([*command, "--audio", device, "--seconds", str(play_for + 2)])
        if kind == "jack":
            server.wait(lambda: of_programs(server), "the program's ports")
            tool = server.start(
                ["jack_rec", "-f", live, "-d", str(play_for + 1), "-b", "16", *of_programs(server)[:1]], quietly=True)
        text, _ = program.communicate(timeout=play_for + 60)
        if kind == "jack":
            tool.wait(timeout=60)
        else:
            server.end(tool)
        with wave.open(offline) as file:
            data = file.readframes(file.getnframes())
            wanted = drums(
                [int.from_bytes(data[at:at + 3], "little", signed=True) / 2 ** 23 for at in range(0, len(data), 6)],
                file.getframerate())
        heard = drums(wav(live)[::1 if kind == "jack" else 2], server.rate)
        steps = [(after - before) * 1e3 for before, after in zip(heard, heard[1:])]
        asked = [(after - before) * 1e3 for before, after in zip(wanted, wanted[1:])]
        print(f"ShakeDrum on {kind} {device}, {play_for} s: {len(shakes)} shakes, {len(wanted)} hits offline, "
              f"{len(heard)} recorded; spacing differs by "
              f"{max((abs(one - other) for one, other in zip(steps, asked)), default=0):.2f} ms at most")
        if text or program.returncode:
            return [f"{program.returncode}: {text}"]
        if not len(shakes) == len(wanted) == len(heard) > 4:
            return [f"{wanted} offline, {heard} recorded"]
        far = [f"{one:.2f} ms apart, not {other:.2f}" for one, other in zip(steps, asked) if abs(one - other) > 1]
        return stalls.excuse(far, len(steps))


def until_well(act):
    """A run may fail for the sake of other things that the machine does: one that does not shows what can be.

    A machine that stands still in each run cannot measure: the test is left out, and says so. It fails if stalls do not
    explain what is wrong.
    """
    for turn in range(2):
        Stalls.explain = True
        with Stalls() as stalls:
            try:
                wrong = act()
            except subprocess.TimeoutExpired:
                # The recorder, a foreign program, may hang when its server ends it.
                if turn == 1:
                    raise
                continue
        if not wrong or not stalls.lengths:
            return wrong
    if max(stalls.lengths) < 10 or not Stalls.explain:
        return wrong
    print("\n".join(wrong))
    print(f"cannot be measured here: in each of two runs the machine stood still, the last time for up to "
          f"{max(stalls.lengths):.0f} ms")
    sys.exit(77)


def ports(server):
    return server.text(["jack_lsp"])


def of_programs(server):
    """The outputs of programs on a JACK server."""
    return sorted(name for name in ports(server).split() if re.match(r"(?!system:|recorder:)[^:]+:.*out", name))


def system_latency(server):
    """Frames from a program's output to what is heard, by the server's account."""
    found = re.search(r"^system:playback_1\n\s*port playback latency = \[ (\d+) ", server.text(["jack_lsp", "-l"]), re.M)
    return int(found[1]) if found else 0


# What goes wrong.

def no_server():
    """Each text says what to do."""
    with sound_server.SoundServer("none") as server:
        for device, wanted in [
                ("jack", "jack finds no JACK server: start one"), ("default", "the sound server of default is not running")]:
            text, status = server.run([f"{programs}/ShakeDrum", "--audio", device, "--seconds", "1", "--quiet"])
            print(text.strip())
            if status != 1 or not text.startswith(wanted):
                return [f"{device}: {status} {text}"]
    return []


def no_library():
    """Without libjack the text names the packages: files of a mount namespace of its own stand in for a bare system."""
    hide = ("for file in /usr/lib/*/libjack.so.0 /usr/lib/*/pipewire-0.3/jack/libjack.so.0; do "
            "test ! -e $file || mount --bind /dev/null $file; done; exec \"$@\"")
    run = subprocess.run(
        ["unshare", "--mount", "sh", "-c", hide, "sh", f"{programs}/ShakeDrum", "--audio", "jack", "--seconds", "1", "--quiet"],
        capture_output=True, text=True)
    print(run.stderr.strip())
    wanted = ("jack needs libjack, which is not installed: with PipeWire, sudo apt install pipewire-jack; with jackd, "
              "sudo apt install libjack-jackd2-0\n")
    return [] if (run.returncode, run.stderr) == (1, wanted) else [f"{run.returncode}: {run.stdout}{run.stderr}"]


def other_rate():
    """A server at 44.1 kHz is followed, unless another rate was asked for."""
    with sound_server.SoundServer("jack", rate=44100) as server:
        probe = Probe(server, "jack", "--seconds", "2.5")
        probe.process.wait(timeout=60)
        probe.end()
        status = probe.statuses[-1] if probe.statuses else {}
        text, code = server.run([f"{programs}/SoundProbe", "--audio", "jack", "--rate", "48000", "--quiet"])
        print(status.get("rate"), text.strip())
        if status.get("rate") != "44100":
            return [f"the server's rate is not followed: {probe.text}"]
        wanted = "jack: the server runs at 44100 Hz, not at 48000: use --rate 44100, or start the server at 48000 Hz\n"
        if (code, text) != (1, wanted):
            return [text]
        # ALSA's plugin for it is a device of one rate, as some cards are.
        bare = Probe(server, "bare", "--seconds", "2.5")
        bare.process.wait(timeout=60)
        bare.end()
        text, code = server.run([f"{programs}/SoundProbe", "--audio", "bare", "--rate", "48000", "--quiet"])
        print(bare.statuses[-1].get("rate") if bare.statuses else bare.text, text.strip())
        wanted = "bare cannot play at 48000 Hz: choose 44100 Hz\n"
        followed = bare.statuses and bare.statuses[-1]["rate"] == "44100"
        return [] if followed and (code, text) == (1, wanted) else [bare.text + text]


def other_block():
    """Blocks of a length of their own on a server with another period: each frame once."""
    return [wrong for block in (64, 441, 1024) for wrong in blocks_of(block)]


def blocks_of(block):
    with Stalls() as stalls, sound_server.SoundServer("jack", quantum=256) as server:
        probe = Probe(server, "jack", "--block", str(block))
        server.wait(lambda: "SoundProbe:out_1" in ports(server), "ports")
        finish = recorder(server, f"{server.home}/stamped", ["SoundProbe:out_1"])
        time.sleep(2)
        probe.end()
        heard = finish()
        status = probe.statuses[-1] if probe.statuses else {}
        print(f"block {status.get('block')}: {len(heard.frames)} clicks, {len(heard.gaps)} gaps, "
              f"reported {float(status.get('latency', 0)) * 1000:.1f} ms, measured {measured(probe, heard, block)}")
        if status.get("block") != str(block) or len(heard.frames) < 10 or stalls.excuse(heard.gaps, len(heard.frames)):
            return [f"block {block}: {status} {heard.gaps}"]
    return []


def grows():
    """A graph whose rounds another program makes longer: one underrun a block, then no gap, and it is told."""
    with Stalls() as stalls, sound_server.SoundServer("pipewire") as server:
        probe = Probe(server, "default", "--block", "256")
        time.sleep(3)
        server.text(["pw-metadata", "-n", "settings", "0", "clock.force-quantum", "1024"])
        time.sleep(2)
        finish = recorder(server, f"{server.home}/stamped", SINK)
        time.sleep(4)
        heard = finish()
        probe.end()
        first, last = probe.statuses[1], probe.statuses[-1]
        print(first["queued"], last["queued"], last["growths"], last["xruns"], len(heard.frames), heard.gaps)
        grown = int(last["growths"]) >= 1 and int(last["queued"]) == int(first["queued"]) + 256 * int(last["growths"])
        well = grown and int(last["queued"]) <= 2048 and len(heard.frames) > 20
        return stalls.excuse(heard.gaps, len(heard.frames)) if well else [probe.text[-3000:]]


def returns(kind, device):
    """A server dies while a program plays, and returns: so does the sound."""
    with sound_server.SoundServer(kind) as server:
        probe = Probe(server, device)
        time.sleep(2)
        server.kill()
        time.sleep(7)
        server.start_server()
        time.sleep(6)
        probe.end()
        print(probe.events, probe.statuses[-1] if probe.statuses else probe.text)
        lost = [event for event in probe.events if event.startswith("deviceLost")]
        back = [event for event in probe.events if event.startswith("deviceBack")]
        if not lost or not back:
            return [f"{probe.events}\n{probe.text[-2000:]}"]
        if probe.statuses[-1]["device"] != device:
            return [f"it plays on {probe.statuses[-1]['device']}"]
    return []


def all_return():
    """Servers of each kind die at the same time: only events are judged here, not their moments."""
    ways = [("jack", "jack"), ("pipewire", "default"), ("pipewire", "jack"), ("pulse", "default")]
    with ThreadPoolExecutor(len(ways)) as pool:
        wrong = pool.map(lambda way: [f"{way}: {each}" for each in returns(*way)], ways)
        return [each for one in wrong for each in one]


def lists():
    """The lists name the servers and their sinks."""
    wrong = []
    for kind, wanted in [
            ("pipewire", ["default", "PipeWire, now on A sink for tests", "jack", "PipeWire, as a JACK server, 48000 Hz"]),
            ("pulse", ["default", "PulseAudio, now on Null Output"]),
            ("jack", ["jack", "the JACK server, 48000 Hz in periods of 256 frames"])]:
        with sound_server.SoundServer(kind) as server:
            shown, _ = server.run([f"{programs}/ShakeDrum", "--list-devices"])
            devices, _ = server.run([f"{programs}/momu", "devices"])
            print(shown.split("\n\n")[0])
            wrong += [f"{kind}: no {text} in {shown}" for text in wanted if text not in shown]
            if kind != "jack" and wanted[1] not in devices:
                wrong.append(f"momu devices: {devices}")
    return wrong


TROUBLES = {
    "on-the-beat": (["pipewire"], lambda: until_well(on_the_beat)),
    "pipewire-evenly": (["pipewire"], lambda: until_well(lambda: evenly("pipewire", "default"))),
    "jack-evenly": (["jack"], lambda: until_well(lambda: evenly("jack", "jack"))),
    "pipewire-shakedrum": (["pipewire"], lambda: until_well(lambda: shake_drum("pipewire", "default"))),
    "jack-shakedrum": (["jack"], lambda: until_well(lambda: shake_drum("jack", "jack"))),
    "no-server": (["none"], no_server), "no-library": (["none"], no_library),
    "other-rate": (["jack"], other_rate), "other-block": (["jack"], lambda: until_well(other_block)),
    "pipewire-grows": (["pipewire"], lambda: until_well(grows)),
    "returns": (["jack", "pipewire", "pulse"], all_return),
    "lists": (["pipewire", "pulse", "jack"], lists),
}

if __name__ == "__main__":
    programs, scenario = os.path.abspath(sys.argv[1]), sys.argv[2]
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 4
    block = int(sys.argv[4]) if len(sys.argv) > 4 else 256
    children.within(300 + 4 * seconds)
    kinds, act = TROUBLES.get(scenario, (scenario.split("-")[:1], None))
    missing = sorted({package for kind in kinds for package in sound_server.missing(kind)})
    if missing:
        print(f"not installed: {' '.join(missing)} (Tests/Setup/packages test, Tests/Setup/sound-servers)")
        sys.exit(77)
    if act:
        wrong = act()
    else:
        wrong = until_well(lambda: play(*scenario.split("-"), seconds, block))
    print("\n".join(wrong) or "well")
    sys.exit(1 if wrong else 0)
