"""What happens after everybody has joined, and for how long."""
import random
import time

STROKE = "hit 0.5 at 16 to all\n"
TOLD = 12  # seconds


def steady(session, seconds):
    """Nothing."""
    time.sleep(seconds)


def tempo(session, seconds):
    """The conductor changes the tempo four times."""
    for bpm in (140, 96, 180, 120):
        session.note("tempo", bpm=bpm)
        session.tell_conductor(f"tempo {bpm}\n")
        time.sleep(seconds / 4)


def cutoff(session, seconds):
    """One member loses its link for 9 s."""
    node = max(2, session.count // 2)
    time.sleep(5)
    session.note("cut", node=node)
    session.nodes.ask(f"cut {node}")
    time.sleep(9)
    session.nodes.ask(f"join {node}")
    session.note("back", node=node)
    time.sleep(max(1, seconds - 14))


def crash(session, seconds):
    """The conductor is killed, and started again, 20 times at random moments."""
    chance = random.Random(session.seed)
    slot = seconds / 20
    for _ in range(20):
        before = chance.uniform(0.1, 0.5) * slot
        time.sleep(before)
        session.note("kill", node=1)
        session.kill(1)
        time.sleep(0.4 * slot)
        session.start(1)
        time.sleep(0.6 * slot - before)


def strikes(session, seconds):
    """Everybody strikes four times a second for everybody, each at moments of its own."""
    begun, steps = time.monotonic(), int(seconds * 4 * session.count)
    for step in range(steps):
        ahead = begun + step / (4 * session.count) - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
        session.tell(step % session.count + 1, STROKE)
    session.note("struck", times=steps // session.count + 1)


def last_strikes(session):
    """One stroke more of everybody, and all that is said of strokes before the programs end.

    A player is told of losses 10 s after the time before at the earliest, and once something comes through again.
    """
    time.sleep(TOLD)
    for node in range(1, session.count + 1):
        session.tell(node, STROKE)
    time.sleep(TOLD)


# With the seconds each takes where none are asked for.
SCENARIOS = {"steady": (steady, 120), "tempo": (tempo, 40), "cutoff": (cutoff, 30), "crash": (crash, 200),
             "sound": (steady, 600), "hits": (steady, 60),
             "strikes": (strikes, 600)}
