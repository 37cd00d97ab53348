"""Starts a program in a terminal of its own, types keys, and prints all that it says there.

typed.py [--until COMMAND | --screens] KEYS PROGRAM [ARGUMENT...]: the keys are typed as soon as the program takes them one by one;
with "" none are. Ends with the program; if a command of the shell is named, Ctrl-C ends that once it is true. With
--screens the pictures that the terminal has shown are printed.
"""
import os
import pty
import signal
import subprocess
import sys
import termios
import time

sys.dont_write_bytecode = True
words = sys.argv[1:]
hasScreens = words[0] == "--screens"
if hasScreens:
    from screens import Screen

    del words[0]
    screens = Screen()
until = words[1] if words[0] == "--until" else None
keys, *command = words[2:] if until else words
program, terminal = pty.fork()
if program == 0:
    signal.alarm(300)  # Should it never end, it is ended.
    os.environ["TERM"] = "xterm"
    os.execv(command[0], command)


def is_keyboard():
    return not termios.tcgetattr(terminal)[3] & (termios.ICANON | termios.ECHO)


said = b""
typed = not keys
os.set_blocking(terminal, False)
while True:
    if not typed and is_keyboard():
        os.write(terminal, keys.encode())
        typed = True
    try:
        piece = os.read(terminal, 65536)
        if not piece:
            break
        said += piece
    except BlockingIOError:
        time.sleep(0.005 if not until else 0.1)
        if until and typed and subprocess.run(until, shell=True, stdout=subprocess.DEVNULL).returncode == 0:
            os.write(terminal, b"\x03")
            until = None
    except OSError:
        break  # The terminal closes with the last who had it.
status = os.waitpid(program, 0)[1]
if hasScreens:
    screens.feed(said)
    said = "\n".join(screens.pictures).encode()
sys.stdout.write(said.decode(errors="replace").replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
