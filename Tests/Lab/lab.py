#!/usr/bin/env python3
"""Real programs on hosts with clocks of their own, in a network with weather.

Leaves in a folder a beat log for every life of every peer, and events.json; spread.py says what they mean.
"""
import argparse
import json
import os
import random
import shlex
import sys
import time

sys.dont_write_bytecode = True

import avahi
import peers
from goals import goals
from machine import Load
from nodes import OWN_NS, Nodes, needs
from scenarios import SCENARIOS, TOLD, last_strikes
from session import Session
from spread import report, summary

SETTLING = 10  # seconds after the last join which do not count


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenario", choices=SCENARIOS)
    parser.add_argument("folder", help="for the logs; made where it is missing")
    parser.add_argument("--peers", default="link", help="kinds, with commas: " + ", ".join(peers.COMMANDS))
    parser.add_argument("--command", action="append", default=[], metavar="KIND=TEMPLATE",
                        help="what peers of a kind run; peers.py shows the form")
    parser.add_argument("--momu", default="momu", metavar="PROGRAM", help="where the tool is, if not in the PATH")
    parser.add_argument("--orchestra", default="Orchestra", metavar="PROGRAM", help="where that example is")
    parser.add_argument("--profile", default="good", choices=["none", "wire", "good", "bad"])
    parser.add_argument("--nodes", type=int, default=8)
    parser.add_argument("--seconds", type=float, help="of the scenario, after joining and settling")
    parser.add_argument("--stagger", type=float, default=1.5, metavar="SECONDS",
                        help="from one join to the next, more or less (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ppm", type=float, default=50, help="clocks' rates lie evenly within ± this (%(default)s)")
    parser.add_argument("--cards", type=float, default=100, metavar="PPM",
                        help="simulated cards' rates, in the same way (%(default)s)")
    parser.add_argument("--air", type=float, default=0, metavar="FRAMES",
                        help="all hosts share air that carries so many frames a second (no limit)")
    parser.add_argument("--settling", type=float, default=SETTLING, metavar="SECONDS",
                        help="after the last join, which do not count (%(default)s)")
    parser.add_argument("--ipv6", action="store_true", help="hosts have IPv6 alone")
    parser.add_argument("--avahi", action="store_true", help="every host runs Avahi")
    parser.add_argument("--own", type=int, default=OWN_NS, metavar="NS", help="taken off each delay (%(default)s)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--goals", action="store_true", help="say what is wanted, too; the status is 1 if something is missed")
    return parser.parse_args()


def run(options):
    play, usual = SCENARIOS[options.scenario]
    seconds = options.seconds or usual
    commands = peers.COMMANDS | dict(text.split("=", 1) for text in options.command)
    templates = {kind: commands[kind].replace("{momu}", shlex.quote(options.momu))
                 .replace("{orchestra}", shlex.quote(options.orchestra)) for kind in options.peers.split(",")}
    os.makedirs(options.folder, exist_ok=True)
    for name in os.listdir(options.folder):
        if name.endswith((".log", ".txt", ".wav")) or name == "events.json":
            os.unlink(os.path.join(options.folder, name))
    chance, load = random.Random(options.seed), Load()
    pauses = [options.stagger * chance.uniform(0.6, 1.4) for _ in range(options.nodes - 1)]
    settling = sum(pauses) + options.settling
    whole = settling + seconds + (2 * TOLD if options.scenario == "strikes" else 0) + 5
    with Nodes(options.nodes, options.profile, options.seed, options.own, options.ipv6) as nodes:
        if options.air:
            nodes.ask(f"air {options.air}")
        if options.avahi:
            avahi.start(nodes)
        session = Session(
            nodes, os.path.abspath(options.folder), templates, options.ppm, options.cards, options.seed, whole, settling)
        session.has_avahi, session.takes_lines = options.avahi, options.scenario == "strikes"
        for node, pause in enumerate([0, *pauses], 1):
            time.sleep(pause)
            session.start(node)
        time.sleep(options.settling)
        session.note("begin")
        before, air = nodes.counts(), nodes.ask("used").split()
        play(session, seconds)
        session.note("end")
        after, air = nodes.counts(), [int(new) - int(old) for new, old in zip(nodes.ask("used").split(), air)]
        failures = list(session.failures())
        if session.takes_lines:
            last_strikes(session)
        session.end()
        late = dict(zip(["frames", "mean_ns", "worst_ns", "over_100_us"], map(int, nodes.ask("late").split())))
    events = {
        "scenario": options.scenario, "profile": options.profile, "nodes": options.nodes, "seed": options.seed,
        "ppm": options.ppm, "cards": session.cards, "kinds": list(templates), "seconds": seconds, "events": session.events,
        "traffic": [{key: (new[key] - old[key]) / seconds for key in new} for old, new in zip(before, after)],
        "air": {"frames": options.air, "taken": air[0] / seconds / 1e9, "dropped": air[1]} if options.air else None,
        "late": late, "machine": load.summary(), "modulo": {kind: peers.MODULO.get(kind) for kind in templates}}
    with open(os.path.join(options.folder, "events.json"), "w") as file:
        json.dump(events, file, indent=1)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    chosen = arguments()
    reason = needs() or (avahi.missing() if chosen.avahi else None)
    if reason:
        sys.exit(reason)
    status = run(chosen)
    print(report(chosen.folder, chosen.json))
    if chosen.goals:
        wanted = list(goals(summary(chosen.folder)))
        print("\n".join(wanted))
        status = status or any(line.startswith("MISSED") for line in wanted)
    sys.exit(status)
