"""Programs that are played at terminals of their own, in rooms on one machine, and what they recorded.

Nothing is timed: what is typed waits for what is seen. What is seen only for a while (a sound, a bar) may be over when a
busy machine lets the script look: `saw` finds it all the same, in any picture that was drawn since `from_now`.
"""
import fcntl
import math
import os
import pty
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import wave

sys.dont_write_bytecode = True
import children
from screens import Screen


class Player:
    """A program at a terminal; it records what it plays."""

    homes = tempfile.TemporaryDirectory()

    def __init__(self, name, words, net="none", size=(80, 24), hasSound=True, **variables):
        self.name, self.screens, self.since = name, Screen(*size), 0
        self.home = tempfile.mkdtemp(dir=Player.homes.name)
        self.wav = f"{self.home}/{name}.wav"
        environment = os.environ | {
            "XDG_STATE_HOME": self.home, "XDG_CONFIG_HOME": self.home, "HOME": self.home, "TERM": "xterm",
            "SWIFT_BACKTRACE": "enable=no"} | variables
        self.terminal, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

        def at_terminal():
            children.dies_with_us()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [*words, "--name", name, *(["--audio", f"wav:{self.wav}", "--net", net] if hasSound else [])], stdin=inside, stdout=inside,
            stderr=inside, start_new_session=True, preexec_fn=at_terminal, env=environment)
        os.close(inside)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            try:
                self.screens.feed(os.read(self.terminal, 65536))
            except OSError:
                return

    @property
    def pictures(self):
        return self.screens.pictures

    @property
    def shown(self):
        """All that was written, in a row."""
        return self.screens.said

    @property
    def screen(self):
        """What was drawn last."""
        return self.pictures[-1] if self.pictures else ""

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def until(self, what, fact):
        while not fact():
            self.goes_on(what)

    def goes_on(self, what):
        """A moment's waiting."""
        if self.process.poll() is not None:
            sys.exit(f"{self.name} ended waiting for {what}: {self.shown[-2000:]}")
        time.sleep(0.01)

    def wait(self, what, seen=None):
        """Until something stands on the screen: a text, or whatever a function says of it."""
        seen = seen or (lambda screen: what in screen)
        self.until(what, lambda: seen(self.screen))

    def from_now(self):
        """What `saw` and `sounds` look for is drawn after this; the picture on its way may be older."""
        self.since = len(self.pictures) + 1

    def has_shown(self, seen):
        """Whether something stood on the screen since `from_now`, though it may be gone again."""
        while self.since < len(self.pictures):
            if seen(self.pictures[self.since]):
                return True
            self.since += 1
        return False

    def saw(self, what, seen=None):
        """Until something stood on the screen since `from_now`."""
        seen = seen or (lambda screen: what in screen)
        self.until(what, lambda: self.has_shown(seen))

    def says(self, text):
        """Until something was said at any time."""
        self.until(text, lambda: text in self.shown)

    def has_sounded(self):
        """Whether there was a sound since `from_now`."""
        return self.has_shown(lambda screen: " dB" in meter(screen))

    def rests(self):
        self.wait("silence", lambda screen: " silent" in meter(screen))

    def end(self):
        """As Ctrl-C does; the file is then whole."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        return self


def meter(screen):
    """The line of the level, the last that is drawn."""
    return screen.rstrip("\n").split("\n")[-1]


def strike(player, keys, *hearers):
    """Types keys; until all who are to hear them did, and are silent again.

    What comes too late for its beat on a busy machine is told of at the end, and not played: then they are typed again.
    """
    for each in hearers:
        each.from_now()
    typed = -math.inf
    for each in hearers:
        while not each.has_sounded():
            if time.monotonic() > typed + 10:
                player.type(keys)
                typed = time.monotonic()
            each.goes_on("a sound")
    for each in hearers:
        each.rests()


def alone():
    """Nobody else's network, and an end."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    children.within()


def samples(path):
    with wave.open(path) as file:
        channels, width, rate, frames = file.getparams()[:4]
        assert (width, rate) == (3, 48_000), (width, rate)
        data = file.readframes(frames)
    step = channels * width
    return [int.from_bytes(data[i:i + 3], "little", signed=True) / 2**23 for i in range(0, len(data), step)]


def hertz(pitch):
    return 440 * 2 ** ((pitch - 69) / 12)


def strength(window, frequency, rate=48_000):
    """How much of a frequency there is (Goertzel), as the amplitude of a sine."""
    turn = 2 * math.cos(2 * math.pi * frequency / rate)
    before, last = 0.0, 0.0
    for sample in window:
        before, last = last, sample + turn * last - before
    return 2 * math.sqrt(max(0.0, before * before + last * last - turn * before * last)) / len(window)


def notes(path, pitches, least=0.0065):
    """The pitches, of those that may be there, in the order in which they begin; once, if it is struck again at once.

    A stroke has a little of every pitch: one begins where it is as loud as a third of its loudest, and of the loudest of
    all a fifth.
    """
    sound, hop = samples(path), 2048
    begun, sounding, levels = [], {pitch: False for pitch in pitches}, []
    for start in range(0, len(sound) - 2 * hop, hop):
        window = sound[start:start + 2 * hop]
        silent = max(map(abs, window)) < least
        levels.append({pitch: 0.0 if silent else strength(window, hertz(pitch)) for pitch in pitches})
    highest = {pitch: max(level[pitch] for level in levels) for pitch in pitches}
    limits = {pitch: max(least, highest[pitch] / 3, max(highest.values()) / 5) for pitch in pitches}
    for level in levels:
        for pitch in sorted(pitches, key=lambda pitch: -level[pitch] / limits[pitch]):
            if level[pitch] > limits[pitch] and not sounding[pitch]:
                sounding[pitch] = True
                begun += [pitch] if begun[-1:] != [pitch] else []
            elif level[pitch] < limits[pitch] / 4:
                sounding[pitch] = False
    return begun


def onsets(path, least=0.01, gap=4800):
    """The frames at which something begins after silence."""
    found, last = [], -gap
    for frame, sample in enumerate(samples(path)):
        if abs(sample) > least:
            if frame - last >= gap:
                found.append(frame)
            last = frame
    return found
