"""Who is who in a locked room, against one that has the passkey: identities.py MOMU; to be run as root under `unshare --net`.

Ada alone may conduct, Ben plays along. Eve says that she is Ada's installation; Mallory writes states in Ada's name. Cleo's
disk is a copy of Ada's. Nothing is timed: each step waits for the one before.
"""
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import children
from sealed import Forger, installation, message, public_key

momu, passkey = sys.argv[1], "tolu-rake-bimo-sefa"
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
homes = tempfile.TemporaryDirectory()
children.within()


def surroundings(name):
    home = f"{homes.name}/{name}"
    return os.environ | {"XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home, "HOME": home, "MOMU_PASSKEY": passkey}


class Member:
    def __init__(self, name, *words, before=()):
        self.name, self.said = name, children.Output()
        self.process = children.start(
            [*before, momu, "session", "--room", "Lab", "--name", name, *words], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=self.said, text=True, env=surroundings(name))

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def words(self):
        return self.said.read()

    def wait(self, text, count=1, shown=True):
        while self.words().count(text) < count:
            if self.process.poll() is not None:
                sys.exit(f"{self.name} ended: {self.words()}")
            time.sleep(0.01)
        if shown:
            print(f"{self.name}: {text}".replace(ada_id, "ADA"))

    def wait_gone(self, name):
        """Waits until a member is gone.

        On a busy machine a program may stand still for so long that it is given up before its goodbye.
        """
        while f"{name} has left" not in self.words() and f"{name} has disappeared" not in self.words():
            time.sleep(0.01)
        print(f"{self.name}: {name} is gone")

    def end(self):
        self.process.terminate()
        self.process.wait()


def number(words):
    return words.split("this installation is ")[1][:16]


# One installation in an open room and a locked one; its key is its owner's alone.
open_room = subprocess.run(
    [momu, "session", "--room", "Hall", "--seconds", "0.1"], capture_output=True, text=True,
    env={key: value for key, value in surroundings("Ada").items() if key != "MOMU_PASSKEY"}).stderr
ada_id = number(open_room)
key_file = f"{homes.name}/Ada/momu/session-key"
print("rights of the key:", oct(stat.S_IMODE(os.stat(key_file).st_mode)))
seed = bytes.fromhex(open(key_file).read().split()[2])
ada_installation = installation(public_key(seed)[0])
print("the ID is the key's:", f"{ada_installation % (1 << 64):016x}" == ada_id)
ada = Member("Ada", "--conduct", "--listen", "--conductor-only", ada_id)
ada.wait("Ada conducts")
print("the same in a locked room:", number(ada.words()) == ada_id)
ben = Member("Ben", "--listen", "--conductor-only", ada_id)
ben.wait("Ada conducts")

eve = Forger("Lab", passkey, "Eve", os.urandom(32), claims=ada_installation)
victim = eve.find("Ben")
while eve.proofs.get(victim, 0) < 3:
    time.sleep(0.01)
mallory = Forger("Lab", passkey, "Mallory", os.urandom(32))
ben.wait("Mallory is here")
ben.wait("a program in this locked room claims another installation's identity: such messages are dropped")
print("Eve is a member:", "Eve" in ben.words())

victim, ada_member = mallory.find("Ben"), mallory.find("Ada")
lost = mallory.newer_state(victim, ada_member, 0, ada_installation)
taken = mallory.newer_state(victim, mallory.me, 1, ada_installation)
honest = mallory.newer_state(victim, mallory.me, 1, mallory.installation)
for state in (lost, taken, honest):
    for datagram in (
            state, mallory.signed(state), mallory.signed(state, public=public_key(seed)[0]),
            mallory.signed(state, addressee=victim)):
        mallory.tell(datagram, victim)
mallory.tell(message("/momu/panic", "ihi", 2, mallory.me, 1), victim)
ben.wait("Mallory silences the room")
print("Ben believed Mallory:", any(text in ben.words() for text in ("no member conducts", "Mallory conducts")))

# The same disk on another machine.
shutil.copytree(f"{homes.name}/Ada/momu", f"{homes.name}/Cleo/momu")
shutil.rmtree(f"{homes.name}/Cleo/momu/session-rooms")
with open(f"{homes.name}/boot_id", "w") as file:
    file.write("01234567-89ab-cdef-0123-456789abcdef\n")
elsewhere = (
    "unshare", "--mount", "sh", "-c",
    f'mount --bind {homes.name}/boot_id /proc/sys/kernel/random/boot_id && exec "$@"', "sh")
cleo = Member("Cleo", before=elsewhere)
for member in (ada, ben, cleo):
    member.wait(f"Ada and Cleo share one installation ({ada_id}) on different machines")
cleo.end()
ben.wait_gone("Cleo")
renewed = subprocess.run([momu, "session", "renew"], capture_output=True, text=True, env=surroundings("Cleo"))
print("renewed:", renewed.stdout.replace(ada_id, "ADA").replace(number(renewed.stdout), "CLEO").strip())
cleo = Member("Cleo", before=elsewhere)
# Another installation than the one before, whose name is kept for it.
ben.wait("Cleo 2 is here")
cleo.wait("Ada conducts")
print("told again:", ben.words().count("share one installation") > 1 or "share one" in cleo.words())

# An installation that is ignored stays so when its program starts again.
ben.type("ignore Cleo 2")
# Lines are obeyed in turn: the answer to this one shows that the one before is done while Cleo 2 is still here.
ben.type("done")
ben.wait('there is no command "done"', shown=False)
cleo.end()
ben.wait_gone("Cleo 2")
cleo = Member("Cleo", "--hidden", before=elsewhere)
cleo.wait("Ada conducts")
cleo.type("change brightness 0.9")
ada.wait("brightness to 0.900")
mallory.tell(message("/momu/panic", "ihi", 2, mallory.me, 2), victim)
ben.wait("Mallory silences the room", 2)
print("Ben hears Cleo:", [line for line in ben.words().split("\n") if "brightness" in line])

# That it was the signature alone: with Ada's key it is believed.
mallory.tell(mallory.signed(mallory.newer_state(victim, ada_member, 0, ada_installation), seed=seed), victim)
ben.wait("no member conducts: the baton is free")
for member in (ada, ben, cleo):
    member.end()
