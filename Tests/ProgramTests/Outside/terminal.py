"""Starts a program in a terminal of its own, sends it a signal, and tells how it leaves the terminal.

terminal.py SIGNAL PROGRAM [ARGUMENT...] prints a line for each stage: whether keys then come one by one and
unseen ("keyboard") or as lines ("lines"). A program that the signal stops is made to go on, and interrupted. The last
line tells whether the program had pasted text marked ("h", mode 2004 of xterm) and ended that ("l"), in order.
"""
import itertools
import os
import pty
import re
import signal
import sys
import termios

name, command = sys.argv[1], sys.argv[2:]
told = os.dup(1)


def mode():
    return "lines" if termios.tcgetattr(0)[3] & (termios.ICANON | termios.ECHO) else "keyboard"


def tell(stage):
    os.write(told, f"{stage} {mode()}\n".encode())


def until(wanted):
    while mode() != wanted:
        pass


def as_shells_do():
    """Gives the program a process group of its own, in the terminal's foreground, and watches over it."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    signal.alarm(300)  # Should it never end, this script does.
    program = os.fork()
    if program == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execv(command[0], command)
    until("keyboard")
    tell("playing")
    os.kill(program, getattr(signal, "SIG" + name))
    status = os.waitpid(program, os.WUNTRACED)[1]
    if os.WIFSTOPPED(status):
        tell("stopped")
        os.kill(program, signal.SIGCONT)
        until("keyboard")
        tell("going on")
        os.kill(program, signal.SIGINT)
        os.waitpid(program, 0)
    tell("ended")
    os._exit(0)


os.environ["TERM"] = "xterm"
shell, terminal = pty.fork()
if shell == 0:
    as_shells_do()
shown = b""
try:
    while piece := os.read(terminal, 65536):
        shown += piece
except OSError:
    pass  # The terminal closes with the last who had it.
os.waitpid(shell, 0)
print("pastes", "".join(mark for mark, _ in itertools.groupby(re.findall(r"\x1b\[\?2004([hl])", shown.decode(errors="replace")))))
