"""A log of beats into a pipe that is full from the start: unread_log.py MOMU; to be run under `unshare --net`.

Prints the status with which the program ends when it is told to.
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children

children.within()
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
reader, writer = os.pipe()
os.set_blocking(writer, False)
try:
    while True:
        os.write(writer, b"." * 4096)
except BlockingIOError:
    pass
home = tempfile.TemporaryDirectory()
said = children.Output()
momu = children.start(
    [sys.argv[1], "session", "--room", "Lab", "--conduct", "--log-beats", f"/proc/self/fd/{writer}"],
    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, pass_fds=[writer],
    env=os.environ | {"XDG_STATE_HOME": home.name, "HOME": home.name})
while True:
    if "conducts" in said.read():
        break
    time.sleep(0.01)
momu.send_signal(signal.SIGINT)
print(momu.wait())
