"""A shell's jobs: background.py stop|start PROGRAM [ARGUMENT...] prints a line for each stage.

With "stop", the program plays with keys in the foreground of a terminal, is stopped as by Ctrl-Z, and goes on in the
background. With "start", the program begins in the background, and reads lines. In the end it comes to the foreground,
without a signal, as `fg` does with a program that runs. Only the pause in which the program could do harm is timed.
"""
import os
import pty
import select
import signal
import sys
import termios
import time

begins, command = sys.argv[1], sys.argv[2:]
output = os.dup(1)
wishes, wish = os.pipe()
answers, answer = os.pipe()


def report(text):
    os.write(output, f"{text}\n".encode())


def ask(text):
    """Asks the other side of the terminal to type a text or to wait for it, and waits until this is done."""
    os.write(wish, f"{text}\n".encode())
    while not select.select([answers], [], [], 0.01)[0]:
        watch()
    os.read(answers, 1)


def watch():
    """Ends the test if the system has stopped the program, or if the program has ended."""
    pid, status = os.waitpid(program, os.WNOHANG | os.WUNTRACED)
    if pid != 0:
        report("the system has stopped it" if os.WIFSTOPPED(status) else f"it has ended: {status}")
        os.kill(program, signal.SIGKILL) if os.WIFSTOPPED(status) else None
        os._exit(0)


def has_keys():
    return not termios.tcgetattr(0)[3] & (termios.ICANON | termios.ECHO)


def start():
    global program
    program = os.fork()
    if program == 0:
        os.setpgid(0, 0)
        if begins == "stop":
            os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execv(command[0], command)


def end():
    os.kill(program, signal.SIGINT)
    report(f"ended: {os.waitpid(program, 0)[1]}")
    os._exit(0)


def stop():
    while not has_keys():
        watch()
    os.kill(program, signal.SIGTSTP)
    os.waitpid(program, os.WUNTRACED)
    os.tcsetpgrp(0, os.getpid())
    os.kill(program, signal.SIGCONT)
    time.sleep(0.1)  # A picture that was half drawn is completed now.
    ask("mark")
    ask("type x")
    for _ in range(100):
        watch()
        time.sleep(0.01)
    ask("drawn")
    report(f"the shell reads {os.read(0, 100)}")
    os.tcsetpgrp(0, program)
    while not has_keys():
        watch()
    report("it has the keys again")
    end()


def late():
    ask("see conducts")
    report("it conducts in the background")
    os.tcsetpgrp(0, program)
    ask("type help")
    ask("see commands:")
    report("it reads a line in the foreground")
    end()


os.environ["TERM"] = "xterm"
shell, terminal = pty.fork()
if shell == 0:
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    signal.alarm(300)  # If the program never ends, this script does.
    start()
    stop() if begins == "stop" else late()

shown, asked = b"", []
while True:
    ready = select.select([terminal, wishes], [], [])[0]
    if wishes in ready:
        asked += os.read(wishes, 1000).decode().splitlines()
    if terminal in ready:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break  # The last process that used the terminal has ended.
        shown += piece
        if not piece:
            break
    while asked:
        verb, _, text = asked[0].partition(" ")
        if verb == "see" and text.encode() not in shown:
            break
        if verb == "mark":
            shown = b""
        elif verb == "type":
            os.write(terminal, text.encode() + b"\n")
        elif verb == "drawn":
            print("nothing is drawn" if b"\x1b" not in shown else f"drawn: {shown}", flush=True)
        os.write(answer, b".")
        asked.pop(0)
os.waitpid(shell, 0)
