"""What `momu session` is meant to hold in the lab, beside what it did."""
from spread import payload

# Of the spread in ms, 95 of 100 and all; a joiner's seconds until it is within so many ms.
SPREAD = {"wire": {"p95": 0.05, "max": 0.2}, "good": {"p95": 0.15}, "bad": {"p95": 0.6}}
JOIN = {"wire": (1, 1.0), "good": (1, 1.0), "bad": (3, 2.0)}
CUT_OFF = {"farthest": 1.0, "back": 1.0}  # ms; s
CRASH = {"farthest": 1.0}  # ms
TRAFFIC = {"sent": 25, "sent_multicast": 1}  # packets a second, while keeping time, of those who follow
SOUND = {"max": 1.0, "missing": 0, "extra": 0, "unlike": 0}  # ms between clicks of a beat; clicks; beats
# ms between soundings; strokes that neither sounded nor are in a report; members that could not say; strokes; of all
HITS = {"max": 1.0, "unreported": 0, "untold": 0, "extra": 0, "lost": 0.1}
# bytes of datagrams a second; of all strokes those late or lost; those lost of which the player is not told; ms
STRIKES = {"sent": 8000, "part": 0.03, "untold": 0, "p95": 0.6}
TOGETHER = {"key": 1.0, "late": 150}  # ms by which a key sounds sooner, or later, on the other piano, in a rhythm
KEEPER = 50  # packets a second: its own, and the answers to the pings of all
LEADER = 80_000  # bytes a second, of both ways, among 40: the keeper answers all of them


def goals(result):
    """A line for each goal of the run, with whether it was reached."""
    if result["scenario"] == "sound":
        for kind, measured in result["kinds"].items():
            for name, goal in SOUND.items():
                yield against(f"{kind}, clicks {name}", measured["sound"].get(name), goal)
        return
    if result["scenario"] == "hits":
        for name, goal in HITS.items():
            yield against(f"hits, {name}", result["kinds"]["hits"]["hits"].get(name), goal)
        return
    if result["scenario"] == "strikes":
        measured = result["kinds"]["strikers"]
        yield against("busiest member, bytes a second", max(map(payload, result["traffic"])), STRIKES["sent"])
        yield against("strokes late or lost", measured["strikes"]["part"], STRIKES["part"])
        yield against("strokes lost and not told", measured["strikes"]["untold"], STRIKES["untold"])
        yield against("spread p95 ms", measured["spread"].get("p95"), STRIKES["p95"])
        return
    measured, profile = result["kinds"].get("momu"), result["profile"]
    if not measured or profile not in SPREAD:
        return
    yield against("moments without all beats", 1 - measured["spread"]["complete"], 0.01)
    if result["scenario"] == "steady":
        for name, goal in SPREAD[profile].items():
            yield against(f"spread {name} ms", measured["spread"].get(name), goal)
        limit, goal = JOIN[profile]
        times = [join[f"{limit} ms"] for join in measured["joins"]]
        yield against(f"slowest joiner, s to {limit} ms", None if None in times else max(times, default=None), goal)
    for name, goal in CUT_OFF.items() if "cutoff" in measured else ():
        yield against(f"cut off, {name}", measured["cutoff"][name], goal)
    for name, goal in CRASH.items() if "crash" in measured else ():
        yield against(f"conductor killed, {name} ms", measured["crash"][name], goal)
    traffic = result["traffic"] or []
    # Of the members that do not conduct, the keeper of the clock answers the pings of all; it is the busiest.
    followers = sorted(traffic[1:], key=lambda node: node["sent"])
    if keeps_elsewhere(traffic):
        yield against("keeper, sent a second", followers.pop()["sent"], KEEPER)
    for name, goal in TRAFFIC.items() if followers else ():
        yield against(f"busiest follower, {name} a second", max(node[name] for node in followers), goal)
    if followers and result["nodes"] >= 40:
        leader = max(node["sent_bytes"] + node["received_bytes"] for node in traffic)
        yield against("conductor or keeper, bytes a second", leader, LEADER)


def keeps_elsewhere(traffic):
    """Whether another member than the conductor keeps the clock, and so sends the most."""
    return len(traffic) > 2 and traffic[0]["sent"] < max(node["sent"] for node in traffic)


def against(name, value, goal):
    reached = value is not None and value <= goal
    return f"{'goal' if reached else 'MISSED':6} {name} {'–' if value is None else f'{value:.3f}'}, at most {goal}"
