"""How busy this machine was, and when it stood still: a lab's figures mean little without."""
import os
import subprocess
import tempfile

from nodes import dies_with_us

STALLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.build-lab/stalls")
STALL = 2  # ms by which even the most urgent thread was late


class Load:
    """From its making to `summary()`."""

    def __init__(self):
        self.begun = _ticks()
        self.said = tempfile.TemporaryFile("w+")
        self.watch = subprocess.Popen([STALLS, str(STALL)], stdin=subprocess.DEVNULL, stdout=self.said, preexec_fn=dies_with_us)

    def summary(self):
        self.watch.terminate()
        self.watch.wait()
        self.said.seek(0)
        stalls = [list(map(int, line.split())) for line in self.said if line.endswith("\n")]
        spent = [now - before for now, before in zip(_ticks(), self.begun)]
        total = max(1, sum(spent))
        return {"cores": os.cpu_count(), "busy": 1 - (spent[3] + spent[4]) / total, "stolen": spent[7] / total,
                "load": os.getloadavg()[0], "stalls": stalls}


def _ticks():
    """user, nice, system, idle, iowait, irq, softirq, steal."""
    with open("/proc/stat") as file:
        return list(map(int, file.readline().split()[1:9]))
