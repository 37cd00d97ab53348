"""A room on machines with IPv4, IPv6 or both: two_protocols.py MOMU PROTOCOLS [PASSKEY]; to be run under `unshare --net`.

PROTOCOLS is such as 4,46,6, a machine each; the first conducts. Prints what fails, or `well` and how far apart their beats
are. All join the room, locked if there is a passkey; each is in time with all; each hears a note of the last if the two
have a protocol in common. With three and more, a machine with both loses IPv4, and one of IPv6 alone is plugged in late.
"""
import sys
import time

sys.dont_write_bytecode = True
import children
import hosts

momu, kinds, *locked = sys.argv[1:]
TEMPO = 120
children.within(200)
hosts.switch()
protocols = kinds.split(",")
places = {"MOMU_PASSKEY": locked[0]} if locked else {}
machines = [hosts.Host(number, each) for number, each in enumerate(protocols, 1)]
members = [
    hosts.Member(host, momu, f"M{host.number}", *(["--conduct", "--tempo", str(TEMPO)] if host.number == 1 else []), **places)
    for host in machines]


def common(one, other):
    return set(one.protocols) & set(other.protocols)


def wait_all(late=()):
    for host, member in zip(machines, members):
        member.wait(*[f"{other.name} is here" for there, other in zip(machines, members)
                      if there is not host and common(host, there)])


def wait_beats():
    """Until the beats that all have logged of the last three seconds lie within 5 ms."""
    while (apart := hosts.spread(members, TEMPO)) is None or apart > 0.005:
        for member in members:
            if member.process.poll() is not None:
                sys.exit(f"{member.name} ended:\n{member.text()}")
        time.sleep(0.1)
    return apart


wait_all()
members[-1].say("note C4 0.8 1")
for host, member in zip(machines, members):
    if host is not machines[-1] and common(host, machines[-1]):
        member.wait(f"{members[-1].name}: C4, force 0.800")
apart = wait_beats()
both = [index for index, host in enumerate(machines) if host.protocols == "46" and index > 0]
if len(machines) > 2 and both and len(both) > 1:
    # It is still the same member, and hears what is played for it.
    lost = both[0]
    machines[lost].take(4)
    machines[lost].protocols = "6"
    before = members[lost].text()
    for host, member in zip(machines, members):
        if host is not machines[lost] and not common(host, machines[lost]):
            member.wait(f"{members[lost].name} has disappeared")
    members[-1].say("note D4 0.8 1")
    if lost != len(machines) - 1 and common(machines[lost], machines[-1]):
        members[lost].wait(f"{members[-1].name}: D4, force 0.800")
    for host, member in zip(machines, members):
        if common(host, machines[lost]) and f"{members[lost].name} has disappeared" in member.text():
            sys.exit(f"{member.name} lost {members[lost].name}:\n{member.text()}")
    machines.append(hosts.Host(len(machines) + 1, "6", is_plugged=False))
    members.append(hosts.Member(machines[-1], momu, f"M{machines[-1].number}", **places))
    members[-1].wait("the clock is")
    machines[-1].plug()
    wait_all()
strangers = [member.name for host, member in zip(machines, members)
             if any(there is not host and not common(host, there) for there in machines)]
for member in members:
    if member.name in strangers:
        member.wait("this machine cannot reach")
print("well", f"{apart * 1000:.3f} ms", file=sys.stderr)
print("well")
for member in members:
    member.process.terminate()
for member in members:
    member.process.wait()
