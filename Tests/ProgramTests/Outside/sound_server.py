"""Real sound servers without a card, each in a folder of its own with a bus of its own.

    with SoundServer("pipewire", quantum=256) as server:
        recorder = server.record("heard.wav")
        program = server.start([".build/debug/ShakeDrum", "--audio", "default", "--seconds", "5"])

Kinds: `pipewire` (with WirePlumber), `pulse`, `jack`, and `none`: all the same settings and nobody there. Each has one
sink that keeps time and is heard by nobody, and ALSA's `default` leads to it. What the servers do of the machine's own
they cannot: they have no card, no configuration of the user's, no bus of the session's.
"""
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children

checkout = os.path.abspath(f"{os.path.dirname(os.path.abspath(__file__))}/../../..")
unpacked = f"{checkout}/.build-servers"
PATIENCE = 60  # seconds for a server to be there, on a busy machine


def found(*patterns):
    """The first file of those that match, unpacked beside the build or installed; nil for none."""
    for pattern in patterns:
        for root in (unpacked, ""):
            files = sorted(glob.glob(f"{root}/usr/{pattern}"))
            if files:
                return files[0]
    return None


# What each kind needs, and the package that has it.
NEEDS = {
    "pipewire": [
        ("bin/pipewire", "pipewire-bin"), ("bin/pw-record", "pipewire-bin"), ("bin/wireplumber", "wireplumber"),
        ("lib/*/alsa-lib/libasound_module_pcm_pipewire.so", "pipewire-alsa"),
        ("lib/*/pipewire-0.3/jack/libjack.so.0", "pipewire-jack")],
    "pulse": [
        ("bin/pulseaudio", "pulseaudio"), ("bin/parec", "pulseaudio-utils"),
        ("lib/*/alsa-lib/libasound_module_pcm_pulse.so", "libasound2-plugins")],
    "jack": [
        ("bin/jackd", "jackd2"), ("bin/jack_rec", "jackd2"), ("lib/*/libjack.so.0", "libjack-jackd2-0"),
        ("lib/*/alsa-lib/libasound_module_pcm_jack.so", "libasound2-plugins")],
    "none": [],
}


def missing(kind):
    """The packages that a kind of server lacks here."""
    lacking = [package for path, package in NEEDS[kind] if not found(path)]
    if kind in ("pipewire", "pulse") and not shutil.which("dbus-daemon"):
        lacking.append("dbus-daemon")
    return sorted(set(lacking))


class SoundServer:
    """A server that runs from `with` on, until the block's end or `stop`; `start_server` has it return."""

    def __init__(self, kind, quantum=256, rate=48000):
        self.kind, self.quantum, self.rate = kind, quantum, rate
        self.processes = []

    def __enter__(self):
        self.home = tempfile.mkdtemp(prefix="momu-sound-", dir="/tmp")  # a socket's path is short
        self.runtime = f"{self.home}/run"
        os.mkdir(self.runtime, 0o700)
        self.name = f"momu-{os.getpid()}-{os.path.basename(self.home)}"
        self.environment = {
            key: value for key, value in os.environ.items()
            if not key.startswith(("PULSE_", "PIPEWIRE_", "JACK_", "ALSA_", "XDG_", "DBUS_"))}
        self.environment |= {
            "HOME": self.home, "XDG_RUNTIME_DIR": self.runtime, "XDG_CONFIG_HOME": f"{self.home}/config",
            "XDG_STATE_HOME": f"{self.home}/state", "XDG_CACHE_HOME": f"{self.home}/cache",
            "JACK_DEFAULT_SERVER": self.name, "JACK_NO_START_SERVER": "1", "JACK_NO_AUDIO_RESERVATION": "1",
            "PULSE_COOKIE": f"{self.home}/cookie", "LC_ALL": "C.UTF-8",
            # No bus but the server's own, which may not be there.
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.runtime}/bus",
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.runtime}/bus",
        }
        if self.kind == "pipewire":
            self.environment["LD_LIBRARY_PATH"] = os.path.dirname(found("lib/*/pipewire-0.3/jack/libjack.so.0"))
        self.configure_alsa()
        self.bus = None
        if self.kind in ("pipewire", "pulse"):
            self.bus = self.start(
                ["dbus-daemon", "--session", "--nofork", "--nopidfile",
                 f"--address=unix:path={self.runtime}/bus"], quietly=True)
            self.wait(lambda: os.path.exists(f"{self.runtime}/bus"), "a bus")
        self.start_server()
        return self

    def __exit__(self, *_):
        self.stop()
        if self.bus:
            self.end(self.bus)
        shutil.rmtree(self.home, ignore_errors=True)

    def configure_alsa(self):
        """ALSA as the system has it, but with this server as its `default`."""
        types = {"pipewire": "pipewire", "pulse": "pulse", "jack": "jack", "none": "pipewire"}
        type = types[self.kind]
        lines = []
        library = found(f"lib/*/alsa-lib/libasound_module_pcm_{type}.so")
        if library:
            lines += [f'pcm_type.{type} {{ lib "{library}" }}']
        ports = """playback_ports { 0 system:playback_1 1 system:playback_2 }
            capture_ports { 0 system:capture_1 1 system:capture_2 }""" if type == "jack" else ""
        # JACK knows floats only; the others convert by themselves.
        wrapped = f"type plug slave.pcm {{ type jack {ports} }}" if type == "jack" else f"type {type}"
        if type == "jack":
            lines += [f"pcm.bare {{ type jack {ports} }}"]
        lines += [f"pcm.!default {{ {wrapped} }}", f"ctl.!default {{ type {type} }}"]
        # The user's own file: ALSA reads it after the system's, which may have a `default` of its own.
        with open(f"{self.home}/.asoundrc", "w") as file:
            file.write("\n".join(lines) + "\n")

    # The servers.

    def start_server(self):
        """Starts the server, and returns when programs can use it."""
        getattr(self, f"start_{self.kind}")()

    def start_none(self):
        pass

    def start_pipewire(self):
        folder = f"{self.home}/config/pipewire/pipewire.conf.d"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/sink.conf", "w") as file:
            file.write(f"""
                context.properties = {{ default.clock.rate = {self.rate} default.clock.allowed-rates = [ {self.rate} ]
                  default.clock.quantum = 1024 default.clock.min-quantum = {self.quantum} }}
                context.objects = [ {{ factory = adapter args = {{
                  factory.name = support.null-audio-sink node.name = momu-sink node.description = "A sink for tests"
                  media.class = Audio/Sink audio.rate = {self.rate} audio.position = [ FL FR ]
                  monitor.channel-volumes = true }} }} ]""")
        # A server that was killed leaves its socket, on which WirePlumber would look for it too early.
        for left in glob.glob(f"{self.runtime}/pipewire-0*"):
            os.remove(left)
        server = self.server([found("bin/pipewire")])
        self.wait(lambda: os.path.exists(f"{self.runtime}/pipewire-0"), "PipeWire", server)
        share = os.path.dirname(found("share/wireplumber/main.conf"))
        self.server(
            [found("bin/wireplumber")], WIREPLUMBER_CONFIG_DIR=share, WIREPLUMBER_DATA_DIR=share)
        self.wait(lambda: "momu-sink" in self.text(["pw-cli", "info", "momu-sink"]), "a sink", server)
        # Only a session manager makes ports and a default.
        self.wait(lambda: "momu-sink" in self.text(["pw-metadata", "0", "default.audio.sink"]), "a default", server)

    def start_pulse(self):
        program = found("bin/pulseaudio")
        modules = os.path.dirname(found("lib/pulse-*/modules/module-null-sink.so"))
        library = os.path.dirname(found("lib/*/pulseaudio/libpulsecore-*.so"))
        server = self.server(
            [program, "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disallow-exit",
             "--realtime=no", "--high-priority=no", "--log-level=error", f"--dl-search-path={modules}",
             "-L", f"module-native-protocol-unix socket={self.runtime}/pulse-socket auth-anonymous=1",
             "-L", f"module-null-sink sink_name=momu-sink rate={self.rate}"],
            LD_LIBRARY_PATH=f"{library}:{modules}")
        self.environment["PULSE_SERVER"] = f"unix:{self.runtime}/pulse-socket"
        self.wait(lambda: "momu-sink" in self.text(["pactl", "list", "short", "sinks"]), "PulseAudio", server)

    def start_jack(self):
        # As at a studio where the rights allow it: else every busy moment of the machine is an xrun of the server's.
        may = subprocess.run(["chrt", "-f", "10", "true"], stderr=subprocess.DEVNULL).returncode == 0
        server = self.server(
            ["jackd", *(["--realtime", "--realtime-priority", "10"] if may else ["--no-realtime"]), "--name", self.name, "--no-mlock", "-d", "dummy", "--rate", str(self.rate),
             "--period", str(self.quantum), "--playback", "2", "--capture", "2"])
        self.wait(lambda: "system:playback_1" in self.text(["jack_lsp"]), "JACK", server)

    def server(self, words, **more):
        process = self.start(words, quietly=True, **more)
        self.processes.append(process)
        return process

    def stop(self):
        """Ends the server in order, the last part first."""
        while self.processes:
            self.end(self.processes.pop())

    def kill(self):
        """Ends the server as a crash does."""
        for process in self.processes:
            process.kill()
            process.wait()
        self.processes = []

    # Programs beside it.

    def start(self, words, quietly=False, **more):
        """A program that uses this server, with settings of its own as keywords."""
        environment = self.environment | more
        output = {"stdout": open(f"{self.home}/log", "ab"), "stderr": subprocess.STDOUT} if quietly else {
            "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        return children.start(words, env=environment, stdin=subprocess.DEVNULL, **output)

    def run(self, words, patience=PATIENCE, **more):
        """What a program prints until it ends, and its status."""
        process = self.start(words, **more)
        text, _ = process.communicate(timeout=patience)
        return text, process.returncode

    def text(self, words):
        try:
            return self.run(words, patience=10)[0]
        except (OSError, subprocess.TimeoutExpired):
            return ""

    def record(self, path, seconds=None):
        """Records what the sink plays, two channels of floats, by the server's own tool, until `end`.

        JACK's tool makes 16 bits a WAV file, and needs to be told for how long.
        """
        if self.kind == "pipewire":
            words = ["pw-record", "--target", "momu-sink", "-P", "{ stream.capture.sink=true }", "--rate", str(self.rate),
                     "--channels", "2", "--format", "f32", "--latency", str(self.quantum), path]
        elif self.kind == "pulse":
            words = ["parec", "--device=momu-sink.monitor", f"--rate={self.rate}", "--channels=2",
                     "--format=float32le", "--file-format=wav", "--latency-msec=5", path]
        else:
            raise ValueError(self.kind)
        return self.start(words, quietly=True)

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def log(self):
        """What the servers said."""
        with open(f"{self.home}/log", errors="replace") as file:
            return file.read()

    def wait(self, isSo, what, process=None):
        end = time.monotonic() + PATIENCE
        while not isSo():
            if process is not None and process.poll() is not None:
                sys.exit(f"{what} ended with {process.returncode}:\n{self.log()}")
            if time.monotonic() > end:
                sys.exit(f"{what} never came:\n{self.log()}")
            time.sleep(0.05)
