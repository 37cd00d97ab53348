"""A member whose disk hangs: slow_disk.py MOMU. Prints what the others see of it; to be run under `unshare --net`.

Where Anna keeps the members that she meets, and where she is, there are pipes without a reader, so that whoever writes
there waits. Ben comes, whom she meets and ignores; then silence is called for, which who hangs does not answer. Last the
pipes are read.
"""
import os
import select
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children

momu = sys.argv[1]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
homes = tempfile.TemporaryDirectory()
children.within()


def surroundings(name):
    home = f"{homes.name}/{name}"
    os.makedirs(home, exist_ok=True)
    return os.environ | {"XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home, "HOME": home}


class Member:
    def __init__(self, name, *words):
        self.name, self.said = name, children.Output()
        self.process = children.start(
            [momu, "session", "--room", "Lab", "--name", name, *words], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=self.said, env=surroundings(name))

    def wait(self, text):
        while True:
            said = self.said.read()
            if text in said:
                return print(f"{self.name}: {text}")
            if self.process.poll() is not None:
                sys.exit(f"{self.name} ended: {said}")
            time.sleep(0.01)


anna = Member("Anna", "--conduct")
anna.wait("Anna conducts")
# A file is written beside the old one, and then put in its place.
memory = f"{homes.name}/Anna/momu/session.{anna.process.pid}.unfinished"
place = f"{homes.name}/Anna/momu/session-rooms/momu-session.1.new"
for path in (memory, place):
    os.mkfifo(path)
ben = Member("Ben")
ben.wait("Anna conducts")
anna.wait("Ben is here")
anna.process.stdin.write(b"ignore Ben\n")
anna.process.stdin.flush()
done = subprocess.run(
    [momu, "session", "panic", "--room", "Lab"], capture_output=True, text=True, env=surroundings("Panic"))
print("panic:", ", ".join(sorted(done.stdout.strip().split("\n"))))
for path in (memory, place):
    ready = select.poll()
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    ready.register(pipe, select.POLLIN)
    ready.poll()
    kept = os.read(pipe, 65536).decode()
    print("kept:", ", ".join(line.split()[0] for line in kept.splitlines() if line.split()[0] != "machine"))
anna.process.send_signal(signal.SIGINT)
print("Anna:", anna.process.wait())
ben.process.terminate()
ben.process.wait()
