"""A peer of Ableton Link that logs its beat: link.py SECONDS LOG; `tempo BPM` on standard input changes it."""
import asyncio
import sys

from aalink import Link

from beat_log import record

QUANTUM = 4  # peers agree on the beat modulo this


async def main():
    seconds, path = sys.argv[1:]
    link = Link(120)
    link.quantum = QUANTUM
    link.enabled = True

    def command(line):
        link.tempo = float(line.removeprefix("tempo "))

    record(path, float(seconds), lambda: link.beat, command)


asyncio.run(main())
