#!/usr/bin/env python3
"""What a run of lab.py showed: spread.py FOLDER [--json]"""
import json
import sys

import strikes
from beats import Run
from measures import SECOND, Beats, moved, seconds_until_close

LIMITS = 1, 3  # ms
JOINING = 20  # seconds looked at after a join, or after a link came back
HEADERS = 42  # bytes: Ethernet 14, IPv4 20, UDP 8
TRANSIENT = 8  # seconds after a change of tempo


def spread(run, kind, begin, end):
    """Of all peers; where the conductor is killed again and again, of its listeners."""
    killed = {event["node"] for event in run.all("kill")}
    lives = [life for life in run.lives[kind] if life.node not in killed]
    return Beats(lives, run.facts["modulo"][kind], begin, end).spread(run.facts["nodes"] - len(killed))


def over(run, kind, begin, end):
    return Beats(run.lives[kind], run.facts["modulo"][kind], begin, end)


def joins(run, kind):
    """For each joiner but the first the seconds until it is, and stays, within 1 ms and 3 ms of its elders."""
    for which, life in enumerate(run.lives[kind]):
        if which > 0 and life.number == 0:
            begin = life.joined
            deviations = list(over(run, kind, begin, begin + JOINING * SECOND).from_others(which))
            yield {"node": life.node} | {f"{ms} ms": seconds_until_close(deviations, ms) for ms in LIMITS}


def cutoff(run, kind):
    """The member cut off against all others: the farthest it got, and the seconds until it is back."""
    cut, back = run.at("cut"), run.at("back")
    node = run.all("cut")[0]["node"]
    which = next(i for i, life in enumerate(run.lives[kind]) if life.node == node)
    away = [abs(value) for value in over(run, kind, cut, back).from_everybody(which) if value is not None]
    after = over(run, kind, back, min(run.at("end"), back + JOINING * SECOND)).from_everybody(which)
    return {"farthest": max(away, default=None), "back": seconds_until_close(after, LIMITS[0])}


def crashes(run, kind):
    """The listeners at each death of the conductor."""
    results = [moved(life, kill["at"]) for kill in run.all("kill") for life in run.lives[kind]
               if life.node != kill["node"]]
    known = [result for result in results if result]
    return {"times": len(run.all("kill")), "unknown": len(results) - len(known),
            "step": max((step for step, _ in known), default=None),
            "farthest": max((far for _, far in known), default=None)}


def summary(folder):
    """Everything the folder tells; for `sound`, what its recordings do."""
    run = Run(folder)
    facts = run.facts
    result = {key: facts[key] for key in ("scenario", "profile", "nodes", "ppm", "seed", "machine", "late")}
    result["air"] = facts.get("air")
    result["traffic"] = facts["traffic"] if len(facts["kinds"]) == 1 else None
    result["kinds"] = {}
    for kind in facts["kinds"]:
        end = run.at("end")
        if facts["scenario"] == "sound":
            from sound import heard  # takes numpy, which nothing else needs
            result["kinds"][kind] = {"sound": heard(folder, kind, run)}
            continue
        if kind == "hits":
            from hits import struck  # takes numpy, too
            result["kinds"][kind] = {"hits": struck(folder, run)}
            continue
        measured = {"spread": spread(run, kind, run.at("begin"), end), "joins": list(joins(run, kind))}
        if facts["scenario"] == "strikes":
            measured["strikes"] = strikes.counted(folder, run)
        if facts["scenario"] == "cutoff":
            measured["cutoff"] = cutoff(run, kind)
        if facts["scenario"] == "crash":
            measured["crash"] = crashes(run, kind)
        if facts["scenario"] == "tempo":
            measured["changes"] = [
                {"bpm": change["bpm"]} | spread(run, kind, change["at"], min(end, change["at"] + TRANSIENT * SECOND))
                for change in run.all("tempo")]
        result["kinds"][kind] = measured
    return result


def number(value, form="{:.3f}"):
    return "–" if value is None else form.format(value)


def text(result):
    machine, late = result["machine"], result["late"]
    lines = [
        f"{result['scenario']}, {result['profile']}, {result['nodes']} nodes, "
        f"clocks within ± {result['ppm']:g} ppm, seed {result['seed']}",
        f"machine: {machine['cores']} cores, {machine['busy']:.0%} busy, {machine['stolen']:.0%} stolen, "
        + stood_still(machine.get("stalls", [])) + "; switch: "
        f"{late['frames']} frames, {late['mean_ns'] / 1000:.1f} µs late on average, {late['over_100_us']} over 100 µs"]
    for kind, measured in result["kinds"].items():
        if "sound" in measured:
            lines += sounds(kind, measured["sound"])
            continue
        if "hits" in measured:
            lines += soundings(measured["hits"])
            continue
        lines.append(f"{kind:6} spread ms    " + figures(measured["spread"]))
        closest = {ms: [join[f"{ms} ms"] for join in measured["joins"]] for ms in LIMITS}
        for ms, times in closest.items():
            lines.append(f"{kind:6} s to {ms} ms    " + joiners(times))
        for change in measured.get("changes", []):
            lines.append(f"{kind:6} to {change['bpm']:3} bpm    " + figures(change))
        for name in ("cutoff", "crash", "strikes"):
            if name in measured:
                lines.append(f"{kind:6} {name:12} " + "  ".join(
                    f"{key} {number(value) if isinstance(value, float) else value}"
                    for key, value in measured[name].items()))
    if result["traffic"]:
        most = {key: max(node[key] for node in result["traffic"]) for key in result["traffic"][0]}
        lines.append(
            f"busiest host, a second: sent {most['sent']:.1f} packets ({most['sent_multicast']:.2f} multicast), "
            f"{most['sent_bytes'] / 1000:.2f} kB; received {most['received']:.1f}, "
            f"{most['received_bytes'] / 1000:.2f} kB")
        lines.append(
            f"without the {HEADERS} bytes of Ethernet, IP and UDP it sent at most "
            f"{max(map(payload, result['traffic'])) / 1000:.2f} kB a second")
    if result.get("air"):
        air = result["air"]
        lines.append(
            f"air of {air['frames']:g} frames a second: {air['taken']:.0%} taken, {air['dropped']} frames dropped")
    return "\n".join(lines)


def payload(traffic):
    """The bytes of datagrams that a host sent a second."""
    return traffic["sent_bytes"] - HEADERS * traffic["sent"]


def stood_still(stalls):
    longest = max((length for _, length in stalls), default=0) / 1e6
    return f"stood still {len(stalls)} times, at most for {longest:.0f} ms" if stalls else "never stood still"


def sounds(kind, measured):
    yield f"{kind:6} clicks ms    " + figures(measured)
    yield f"{kind:6} {measured['beats']} beats: clicks missing {measured['missing']}, too many {measured['extra']}; " \
        f"at different pitches {measured['unlike']}; while the machine stood still, and not counted in ms, " \
        f"{measured.get('stalled', 0)}"
    yield f"{kind:6} a card's ppm and its usual ms from the middle: " + "  ".join(
        f"{ppm:+d}: {number(off)}" for ppm, off in zip(measured["cards"], measured["off"]))


def soundings(measured):
    yield "hits   apart ms     " + figures(measured)
    yield f"hits   {measured['strokes']} strokes: of {measured['wanted']} soundings {measured['missing']} missing, " \
        f"{measured['late']} late, {measured['reported']} reported, {measured['unreported']} unreported, {measured['extra']} too many"


def joiners(times):
    """One by one, or the middle and the slowest of many."""
    ordered = sorted(times, key=lambda time: (time is None, time))
    shown = [("half", ordered[len(ordered) // 2]), ("last", ordered[-1])] if len(times) > 12 else [
        ("", time) for time in times]
    return " ".join(f"{name} {number(time, '{:.2f}')}".strip() for name, time in shown)


def figures(values):
    shown = "  ".join(f"{name} {number(values.get(name))}" for name in ("p50", "p95", "p99", "max"))
    return shown if values.get("complete", 1) == 1 else f"{shown}  all known {values['complete']:.1%} of the time"


def report(folder, as_json=False):
    result = summary(folder)
    return json.dumps(result, ensure_ascii=False) if as_json else text(result)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--json"]):
        sys.exit("usage: spread.py FOLDER [--json]")
    print(report(sys.argv[1], bool(sys.argv[2:])))
