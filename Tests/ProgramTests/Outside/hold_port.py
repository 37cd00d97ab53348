"""Runs a program while a port is taken: hold_port.py udp|tcp COMMAND...

PORT in the command stands for the port. Who holds it calls itself tuning-fork.
"""
import pathlib
import socket
import subprocess
import sys

pathlib.Path("/proc/self/comm").write_text("tuning-fork")
kind = socket.SOCK_DGRAM if sys.argv[1] == "udp" else socket.SOCK_STREAM
with socket.socket(socket.AF_INET, kind) as held:
    held.bind(("0.0.0.0", 0))
    port = str(held.getsockname()[1])
    sys.exit(subprocess.run([word.replace("PORT", port) for word in sys.argv[2:]]).returncode)
