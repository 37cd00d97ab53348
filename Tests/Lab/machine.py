"""How busy this machine was: a lab's figures mean little without."""
import os


class Load:
    """From its making to `text()`."""

    def __init__(self):
        self.begun = _ticks()

    def summary(self):
        spent = [now - before for now, before in zip(_ticks(), self.begun)]
        total = max(1, sum(spent))
        return {"cores": os.cpu_count(), "busy": 1 - (spent[3] + spent[4]) / total, "stolen": spent[7] / total,
                "load": os.getloadavg()[0]}


def _ticks():
    """user, nice, system, idle, iowait, irq, softirq, steal."""
    with open("/proc/stat") as file:
        return list(map(int, file.readline().split()[1:9]))
