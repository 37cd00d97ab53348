"""What runs on a node, by kind of peer."""
import os
import shlex
import sys

here = os.path.dirname(os.path.abspath(__file__))
checkout = os.path.dirname(os.path.dirname(here))
PYTHON = shlex.quote(os.path.realpath(sys.executable))

# {name}, {seconds}, {log}, {wav}, {ppm} of the card and {notes} to play are filled in. What follows the bar is
# for the conductor alone, node 1, who reads `tempo BPM` on its standard input; everybody else's is empty.
COMMANDS = {
    "momu": "{momu} session --room Lab --name {name} --seconds {seconds} --log-beats {log}|--conduct --tempo 120",
    # The same, and it says what it hears.
    "strikers": "{momu} session --room Lab --name {name} --seconds {seconds} --log-beats {log} --listen|--conduct --tempo 120",
    "link": f"{PYTHON} {here}/Peers/link.py {{seconds}} {{log}}",
    "orchestra": "{orchestra} --room Lab --name {name} --seconds {seconds} --quiet --audio wav:{wav}?ppm={ppm}|--conduct",
    # Bars that die away at once, struck by everybody; what a member strikes sounds on all.
    "hits": "{momu} play bars --seed 1 --set decay=0.1 --tempo 120 --notes='{notes}' --room Lab --name {name}h --net none "
            "--seconds {seconds} --audio wav:{wav}?ppm={ppm}",
    # The same, but gear conducts: Orchestra on node 1 follows the MIDI clock of a tape.
    "behind-gear": f"{PYTHON} {here}/Peers/behind_gear.py {{orchestra}} {{seconds}} {{log}}.osc "
                   "{momu} session --room Lab --name {name} --seconds {seconds} --log-beats {log}|--gear",
    "dummy": f"{PYTHON} {here}/Peers/dummy.py {{seconds}} {{log}}",
}

# These kinds agree on the beat modulo so many beats only.
MODULO = {"link": 4}


def command(template, node, seconds, path, ppm, rest=0):
    """The words of a node's command; its files are `path` with an ending, and for `rest` seconds it plays nothing."""
    everybody, _, conductor = template.partition("|")
    line = everybody + " " + conductor if node == 1 else everybody
    return shlex.split(line.format(
        name=f"p{node}", seconds=seconds, log=shlex.quote(path + ".log"), wav=shlex.quote(path + ".wav"), ppm=ppm,
        notes=strikes(node, seconds, rest)))


def strikes(node, seconds, rest):
    """After a rest, by when all are there, a stroke every eight seconds (16 beats at 120), each node at another pitch and
    a second after another, for as long as it plays."""
    bar = ["-"] * 16
    bar[2 * node % 16] = str(58 + 2 * node)
    return " ".join(["-"] * round(2 * rest) + bar * (int(seconds) // 8 + 1))


def environment(kind, node, folder):
    """Each peer is an installation of its own, without anybody's settings."""
    home = os.path.join(folder, f"{kind}-{node}")
    os.makedirs(home, exist_ok=True)
    homes = ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"]
    return {name: home for name in homes} | {
        "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "dumb", "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": f"{checkout}/.build-python"}
