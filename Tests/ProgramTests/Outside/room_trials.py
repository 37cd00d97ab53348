"""Claims about a room that failed in a rehearsal: room_trials.py FOLDER CLAIM, under `unshare --net`; or FOLDER --list.

Prints "yes", or "no" and what was seen instead. A claim is checked by what performers see and hear: by screens, recordings
and exit statuses.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children
import players
from players import Player, alone
from seats import Lines, Seat, claim, cut, holds, judge, mend

folder = os.path.abspath(sys.argv[1])
momu, orchestra = f"{folder}/momu", [f"{folder}/Orchestra"]


def run(*words):
    done = subprocess.run(
        [momu, "session", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
        env=os.environ | {"XDG_STATE_HOME": tempfile.mkdtemp(dir=Player.homes.name), "XDG_CONFIG_HOME": "/nonexistent"})
    return done.returncode, " / ".join((done.stdout + done.stderr).split("\n")).strip(" /")


def gather(*seats):
    for seat in seats:
        if not seat.sees(f"{len(seats)} members"):
            sys.exit(f"{seat.name} does not see {len(seats)} members:\n{seat.now}")


def trio(isApart=True):
    ann, ben, cyd = Seat("Ann", orchestra), Seat("Ben", orchestra), Seat("Cyd", orchestra, isApart=isApart)
    gather(ann, ben, cyd)
    ann.type("\n")
    if not all(seat.sounds() for seat in (ann, ben, cyd)):
        sys.exit("the rhythm does not sound")
    return ann, ben, cyd


# MARK: panic

@claim("momu session panic names a member whose link is down, with status 1, and the member is silent when it returns")
def panic_link():
    ann, ben, cyd = trio()
    cut(cyd.process.pid)
    status, text = run("panic", "--room", "Lab")
    mend(cyd.process.pid)
    isSilent = cyd.is_silent()
    return status == 1 and "Cyd" in text and isSilent, f"{text}, status {status}; Cyd: {cyd.meter}"


@claim("momu session panic names a member whose process is stopped, with status 1, and the member is silent when it goes on")
def panic_stopped():
    ann, ben, cyd = trio(isApart=False)
    cyd.process.send_signal(signal.SIGSTOP)
    # It is not heard any more.
    ann.sees("2 members")
    status, text = run("panic", "--room", "Lab")
    cyd.process.send_signal(signal.SIGCONT)
    isSilent = cyd.is_silent()
    return status == 1 and "Cyd" in text and isSilent, f"{text}, status {status}; Cyd: {cyd.meter}"


@claim("Orchestra's key for silence names a member that is cut off, and the member is silent when it returns")
def panic_key():
    ann, ben, cyd = trio()
    cut(cyd.process.pid)
    ann.type("!")
    isNamed = holds(lambda: re.search("answer[^.]*Cyd|Cyd[^.]*answer", ann.shown))
    mend(cyd.process.pid)
    isSilent = cyd.is_silent()
    return isNamed and isSilent, f"named: {bool(isNamed)}; Cyd: {cyd.meter}"


# MARK: mute

@claim("a key of a muted section sounds on no machine")
def muted():
    eve = Lines(momu, "Eve", "--conduct", "--tempo", "60")
    ada, ben = Seat("Ada", [momu, "play", "piano"]), Seat("Ben", [momu, "play", "piano"])
    for seat in (ada, ben):
        seat.sees("Eve")
    eve.told("Ada is here")
    eve.type("section keys Ada", "mute keys")
    ada.sees("MUTED")
    ada.type("a")
    ben.sounds(4)
    eve.type("unmute keys")
    ada.sees("^(?!.*MUTED)")
    for _ in range(5):
        time.sleep(2)
        ada.type("g")
        if ben.sounds(4):
            break
    ben.is_silent()
    ben.end()
    heard = players.notes(ben.wav, [60, 67])
    return heard == [67], f"Ben heard {heard}, of 60 while muted and 67 afterwards"


# MARK: stop and start

@claim("a rhythm that is stopped can be started again at once")
def restart():
    ann, ben = Seat("Ann", orchestra), Seat("Ben", orchestra)
    gather(ann, ben)
    ann.type("\n")
    ben.sees(r"bar 2\b")
    ann.type("\n")
    time.sleep(0.4)
    ann.type("\n")
    time.sleep(2)
    return ben.sees(r"bar \d"), f"Ben's screen: {ben.row('bar|rhythm')}; Ann was told: {ann.row('conduct')}"


@claim("stop and start end a silence, however quickly they are typed")
def out_of_panic():
    ann, ben = Seat("Ann", orchestra), Seat("Ben", orchestra)
    gather(ann, ben)
    ann.type("\n")
    ben.sounds()
    ann.type("!")
    ben.is_silent()
    ann.type("\n")
    time.sleep(0.3)
    ann.type("\n")
    time.sleep(2)
    return ben.sounds(), f"Ben: {ben.meter}; Ann was told: {ann.row('conduct')}"


@claim("Big Mama's band can be stopped and started again at once")
def big_mama_restart():
    mama = Seat("Mama", [momu, "session", "big-mama"])
    mama.sees("style")
    mama.type(" ")
    mama.sees(r"bar 2\b")
    mama.type(" ")
    time.sleep(0.5)
    mama.type(" ")
    time.sleep(2)
    return mama.sees(r"bar \d"), mama.now[-600:]


# MARK: what screens show

def four(*more):
    eve = Lines(momu, "Eve", "--conduct", "--tempo", "40")
    eve.told("Eve conducts")
    seats = [
        Seat("Pia", [momu, "play", "piano"]), Seat("Pip", [f"{folder}/Piano"]), Seat("Dee", [f"{folder}/DrumMachine"]),
        Seat("Ole", orchestra)]
    for seat in seats:
        seat.sees("Eve")
        eve.told(f"{seat.name} is here")
    return eve, seats


def on_all(seats, pattern):
    lacking = [seat.name for seat in seats if not seat.sees(pattern)]
    return not lacking, f"not on the screens of {lacking}"


@claim("a cue stands on the screens of momu play, Piano, DrumMachine and Orchestra, two beats ahead or more")
def cue():
    eve, seats = four()
    lacking, most = None, {}
    for number in range(3):
        holds(lambda: re.search("beat[ ,]+1\\b", seats[3].now))
        eve.type("cue all softer please")
        end = time.monotonic() + 8
        while time.monotonic() < end:
            for seat in seats:
                # A cue may take two rows.
                found = re.search(r"softer please.{0,40}?in (\d+) beat", seat.now.replace("\n", " "))
                if found:
                    most[seat.name] = max(most.get(seat.name, 0), int(found[1]))
            time.sleep(0.05)
        if len(most) == 4 and min(most.values()) >= 2:
            break
    return len(most) == 4 and min(most.values()) >= 2, f"the most beats ahead: {most}"


@claim("momu play, Piano, DrumMachine and Orchestra show their member that it is muted")
def mute_shown():
    eve, seats = four()
    eve.type(*[f"section low {seat.name}" for seat in seats], "mute low")
    return on_all(seats, "MUTED|[Yy]ou are muted")


@claim("momu play, Piano, DrumMachine and Orchestra show a silence")
def silence_shown():
    eve, seats = four()
    eve.type("panic")
    return on_all(seats, "SILENCED|[Ss]ilenced")


@claim("momu play, Piano, DrumMachine and Orchestra show a closed gate to the member that it blocks")
def gates_shown():
    eve, seats = four()
    eve.type(*[f"gate 0 {kind} {seat.name} all" for seat in seats for kind in ("notes", "rhythm")])
    # Gates do not close the drum pattern.
    drums = [seat for seat in seats if seat.name == "Dee"]
    isShown, lacking = on_all([seat for seat in seats if seat not in drums], "notes gate|NOTES")
    return isShown and on_all(drums, "not conduct")[0] and "notes gate" not in drums[0].now, f"{lacking}\n{drums[0].now}"


# MARK: keys

@claim("six quick steps of tempo count six times")
def steps():
    ann, ben = Seat("Ann", orchestra), Seat("Ben", orchestra)
    gather(ann, ben)
    ann.type("\n")
    ben.sees("120 bpm")
    for _ in range(6):
        ann.type("+")
        time.sleep(0.1)
    return ben.sees("150 bpm"), ben.row("bpm")


@claim("two quick steps of meter count twice")
def meters():
    ann, ben = Seat("Ann", orchestra), Seat("Ben", orchestra)
    gather(ann, ben)
    ann.type("\n")
    ben.sees("4/4")
    ann.type("m")
    time.sleep(0.1)
    ann.type("m")
    return ben.sees("7/8"), ben.row("bpm")


@claim("a start has the tempo of the rhythm before")
def tempo_stays():
    ann, ben = Seat("Ann", orchestra), Seat("Ben", orchestra)
    gather(ann, ben)
    ann.type("\n")
    ben.sees("120 bpm")
    ann.type("+")
    ben.sees("125 bpm")
    ann.type("\n")
    ben.sees("no rhythm")
    time.sleep(1)
    ann.type("\n")
    ben.sees(r"bar 2\b")
    return "125 bpm" in ben.now, ben.row("bpm")


# MARK: recordings

def peak(path):
    return max(map(abs, players.samples(path)), default=0) if os.path.exists(path) else 0


@claim("what Orchestra's keys played sounds when the tape is replayed")
def replayed():
    tape, wav = f"{Player.homes.name}/evening.osc", f"{Player.homes.name}/evening.wav"
    eve = Lines(momu, "Eve", "--record", tape)
    ann = Seat("Ann", orchestra, MOMU_INSTRUMENT="harp")
    ann.sees("2 members")
    eve.told("Ann is here")
    for key in "adg":
        ann.type(key)
        ann.sounds()
        ann.is_silent()
    eve.process.send_signal(signal.SIGINT)
    eve.process.wait()
    status, text = run("replay", tape, "harp", "--offline", "--audio", f"wav:{wav}")
    return peak(wav) > 0.01, f"status {status}, peak {peak(wav):.3f}, said: {text!r}"


@claim("a tape of a piano and a harp is rendered with both, without naming an instrument")
def both_instruments():
    tape, wav = f"{Player.homes.name}/two.osc", f"{Player.homes.name}/two.wav"
    eve = Lines(momu, "Eve", "--record", tape)
    pia, hal = Seat("Pia", [momu, "play", "piano"]), Seat("Hal", [momu, "play", "harp"])
    for seat, key in ((pia, "a"), (hal, "g")):
        eve.told(f"{seat.name} is here")
        seat.sees("Eve")
        seat.type(key)
        seat.sounds()
        seat.is_silent()
    eve.process.send_signal(signal.SIGINT)
    eve.process.wait()
    status, text = run("replay", tape, "--offline", "--audio", f"wav:{wav}")
    heard = players.notes(wav, [60, 67]) if os.path.exists(wav) else []
    _, listed = run("replay", tape)
    return heard == [60, 67] and {"piano", "harp"} <= set(re.findall(r"\w+", listed)), \
        f"status {status}, heard {heard}, said: {text!r}; {listed}"


@claim("a tape on which nothing sounds says so")
def silent_tape():
    tape, wav = f"{Player.homes.name}/quiet.osc", f"{Player.homes.name}/quiet.wav"
    eve, ben = Lines(momu, "Eve", "--record", tape), Lines(momu, "Ben")
    eve.told("Ben is here")
    ben.type("start 96")
    eve.told("Ben conducts")
    time.sleep(1)
    eve.process.send_signal(signal.SIGINT)
    eve.process.wait()
    status, text = run("replay", tape, "harp", "--offline", "--audio", f"wav:{wav}")
    return status != 0 or bool(re.search("silen|no note|nothing", text)), f"status {status}, peak {peak(wav):.3f}, said: {text!r}"


# MARK: the screen's shape

@claim("at 80 columns the number of underruns is on the screen")
def underruns():
    ann = Seat("Ann", orchestra)
    ann.sees("underruns|xruns")
    time.sleep(0.5)
    return bool(re.search(r"(underruns|xruns) +\d", ann.now)), repr(ann.meter)


@claim("a list of 18 members says on 24 rows how many it leaves out, and has the member itself")
def eighteen():
    ann = Seat("Ann", [momu, "session"], hasSound=False)
    others = [Lines(momu, f"laptop{number}") for number in range(17)]
    ann.sees("18 members")
    ann.type("start 96\n")
    ann.sees(r"bar \d")
    sections = ["strings", "keys", "drums", "bass"]
    for number, section in enumerate(sections):
        ann.type(f"section {section} laptop{number}\n")
    time.sleep(2)
    found = re.search(r"and (\d+) more", ann.now)
    here = set(re.findall(r"^[ ♪]*(laptop\d+) ", ann.now, re.MULTILINE))
    shown = [section for section in sections if re.search(rf"{section}.*%", ann.now)]
    left = 17 + len(sections) - len(here) - len(shown)
    isMe = re.search(r"Ann\b.*(you|here)", ann.now)
    return bool(isMe) and (int(found[1]) if found else 0) == left, f"{left} rows are left out:\n{ann.now}"


@claim("at 80 columns a section's row says which member is lost, and no row is cut inside a word")
def lost():
    names = ["Dorothea-Elisabeth", "Maximilian-Johann", "Wilhelmine-Auguste"]
    ann = Seat(names[0], orchestra, MOMU_INSTRUMENT="harp")
    eve, fay = (Lines(momu, name) for name in names[1:])
    ann.sees("3 members")
    eve.told(names[0])
    eve.type("start 96")
    eve.told(f"{names[1]} conducts")
    for name in names:
        eve.type(f"section keys {name}")
        time.sleep(0.3)
    ann.sees(rf"keys.*{names[1]}")
    fay.process.kill()
    isLost = ann.sees(rf"keys.*{names[2]} LOST")
    # Then the row has more to say: who is silent, and for how long.
    time.sleep(8)
    isLost = isLost and re.search(rf"keys.*{names[2]} LOST", ann.now)
    ends = [row.split()[-1] for row in ann.now.split("\n") if re.search(r"keys +\d|▯▯", row)]
    known = {"LOST", "Orchestra", "Orchestra 1", "1", "session", "momu", "ms", "ms)", "clock", "you", "(here)", "more", "s", *names}
    cut = [end for end in ends if end not in known]
    return isLost and not cut, f"cut: {cut}; {ann.row('keys +[0-9]')}"


@claim("an event does not tear a line that is being typed")
def torn():
    ann = Seat("Ann", [momu, "session"], hasSound=False)
    ann.sees("1 member")
    ann.type("section str")
    ann.sees("section str")
    fay = Lines(momu, "Fay")
    ann.sees("Fay is here")
    row = ann.row("section str")
    return bool(re.search("section str$", row)), row


@claim("no notice is broken inside a word at 80 columns")
def notices():
    ann = Seat("Ann", [momu, "play", "piano"])
    ann.sees("room Lab")
    time.sleep(4)
    full = [row for row in ann.now.split("\n") if len(row) >= 80]
    return not full, f"rows that reach the last column: {full}"


@claim("a quiet Orchestra neither erases its screen nor writes 2 kB/s")
def redraw():
    ann = Seat("Ann", orchestra)
    ann.sees("1 member")
    time.sleep(4)
    before = len(ann.screens.bytes)
    time.sleep(3)
    new = ann.screens.bytes[before:]
    erased = len(re.findall(rb"\x1b\[[0-3]?J", new))
    return erased == 0 and len(new) < 6000, f"in 3 s: {len(new)} bytes, {erased} times erased"


@claim("a name with a space can be typed in a command")
def spaces():
    ada = Lines(momu, "Ada Lovelace", "--conduct", "--tempo", "60")
    ada.told("Ada Lovelace conducts")
    ben = Lines(momu, "Ben", "--listen")
    ben.told("Ada Lovelace conducts")
    ada.told("Ben is here")
    ada.type('gate 0 notes "Ada Lovelace" Ben')
    time.sleep(1)
    ada.type("hit 0.5")
    ben.told("0.500", 3)
    ada.type('gate 1 notes "Ada Lovelace" Ben')
    time.sleep(1)
    ada.type("hit 0.7")
    ben.told("0.700")
    wrong = [line for line in ada.words.split("\n") if '"Ada' in line]
    return "0.700" in ben.words and "0.500" not in ben.words, f"Ada was told {wrong}; Ben heard the hit: {'0.500' in ben.words}"


@claim("a new member is not told that the clock is a hidden member's")
def hidden_clock():
    said = []
    # Which member keeps the clock differs from room to room.
    for room in (f"Lab{number}" for number in range(8)):
        ann = Seat("Ann", orchestra, room=room)
        ann.sees("1 member")
        for number in range(2):
            one = Lines(momu, f"Ben{number}", room=room)
            one.told("the clock is")
            said += re.findall(r"the clock is .*", one.words)
            one.process.terminate()
            one.process.wait()
        ann.end()
    return not any("hidden" in line for line in said), f"{said}"


@claim("a member that is cut off says so, with how far its beat may be off")
def cut_off():
    ann, ben, cyd = trio()
    cut(cyd.process.pid)
    return cyd.sees(r"no contact.*(off by|ms)|off by at most"), cyd.now


# MARK: roles

@claim("a member that is cut off keeps the rows of the others, and does not say that they have disappeared")
def lost_rows():
    ann, ben, cyd = trio()
    cut(cyd.process.pid)
    # After four seconds a member without messages leaves the roster.
    hasRows = cyd.sees(r"Ann +.*not heard for ([6-9]|\d\d) s") and cyd.sees(r"Ben +.*not heard for")
    isMarked = bool(re.search("♪ Ann +.*not heard for", cyd.now))
    isSaid = "has disappeared" in cyd.shown
    isSeen = ann.sees("Cyd has disappeared")
    return hasRows and isMarked and not isSaid and isSeen, f"Cyd:\n{cyd.now}\nAnn:\n{ann.now}"


@claim("a player of gestures asks the conductor for the baton with its key")
def gestures_ask():
    ann = Seat("Ann", orchestra)
    bo = Seat("Bo", [momu, "session", "gestures", "--accel", "sim:shake"], hasSound=False)
    ann.sees("2 members")
    ann.type("\n")
    bo.sees("♪ Ann conducts")
    bo.type("b")
    return ann.sees("Bo asks for the baton"), f"Ann:\n{ann.now}\nBo:\n{bo.now}"


@claim("in Orchestra the conductor hands the baton over, and both see it")
def hand_over():
    ann, ben = Seat("Ann", orchestra), Seat("Ben", orchestra)
    gather(ann, ben)
    ann.type("\n")
    ann.sees(r"bar \d")
    ann.type("BBen\n")
    both = ben.sees("[Yy]ou conduct") and ann.sees("Ben conducts")
    return both, f"Ben: {ben.row('conduct|♪')}; Ann: {ann.row('conduct|♪')}"


@claim("Orchestra says who conducts, also after the baton was handed on at another program")
def who_conducts():
    eve = Lines(momu, "Eve", "--conduct")
    eve.told("Eve conducts")
    ann = Seat("Ann", orchestra)
    before = ann.sees("Eve conducts")
    eve.told("Ann is here")
    eve.type("give Ann")
    return before and ann.sees("[Yy]ou conduct"), ann.row("♪|conduct")


@claim("Orchestra assigns members to sections, and mutes a section by its number")
def sections():
    ann, ben = Seat("Ann", orchestra), Seat("Ben", orchestra)
    gather(ann, ben)
    ann.type("\n")
    ann.sees(r"bar \d")
    ann.type(":section strings Ben\n")
    isIn = ben.sees("strings") and ann.sees(r"1\W+strings")
    ann.type("1")
    return isIn and ben.sees("MUTED"), f"Ben: {ben.row('strings|MUTED')}; Ann: {ann.row('strings')}"


def band():
    mama = Seat("Mama", [momu, "session", "big-mama"])
    mama.sees("style")
    bo = Seat("Bo", [momu, "session", "gestures", "--accel", "sim:shake"], hasSound=False)
    cleo = Seat("Cleo", [momu, "session", "gestures", "--accel", "sim:shake"], hasSound=False)
    holds(lambda: re.search(r"Bo plays", mama.shown) and re.search(r"Cleo plays", mama.shown))
    return mama, bo, cleo


@claim("gestures shows the player's instrument, the machine that makes the sound, and its movement")
def own_instrument():
    mama, bo, cleo = band()
    played = re.search(r"Bo plays (?:the )?(\w+)", mama.shown)
    name = played[1] if played else "?"
    return bo.sees(rf"you play (the )?{name}.*Mama") and bo.sees("you move"), f"Bo plays {name}; its screen:\n{bo.now}"


@claim("Big Mama gives one player another instrument and volume, and remembers them")
def per_player():
    mama, bo, cleo = band()
    players_row = r"^\W*Bo +\w+ +[█·]"
    mama.sees(players_row)
    for _ in range(20):
        if re.search(r"▸ +Bo\b", mama.now):
            break
        mama.type("\x1b[B")
        time.sleep(0.2)
    before = mama.row(players_row)
    mama.type("i")
    time.sleep(0.5)
    mama.type("\x1b[D\x1b[D")
    instrument = before.split()[-4]
    isNew = mama.sees(rf"▸ +Bo +(?!{instrument})\w+ +[█·]+ +90 %", 8)
    after = mama.row(players_row)
    mama.end()
    again = Seat("Mama", [momu, "session", "big-mama"], XDG_STATE_HOME=mama.home)
    isKept = isNew and again.sees(rf"Bo +{after.split()[2]} +[█·]+ +90 %")
    return isKept, f"before: {before}; after: {after}; after a restart: {again.row(players_row)}"


if __name__ == "__main__":
    judge(alone)
