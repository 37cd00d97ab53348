"""Starts a program in a terminal of its own, types keys, and prints all that it says there.

typing.py KEYS PROGRAM [ARGUMENT...]: the keys are typed as soon as the program takes them one by one; with "" none
are. Ends with the program.
"""
import os
import pty
import signal
import sys
import termios
import time

keys, command = sys.argv[1], sys.argv[2:]
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
        time.sleep(0.005)
    except OSError:
        break  # The terminal closes with the last who had it.
status = os.waitpid(program, 0)[1]
sys.stdout.write(said.decode(errors="replace").replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
