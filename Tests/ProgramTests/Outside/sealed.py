"""A member of a room that does what it likes, by the documents alone: Docs/SessionProtocol.md, Docs/OSC-ADDRESSES.md.

In a locked room it knows the passkey, and signs with whatever key it is given. libsodium does the cryptography.
"""
import ctypes
import hashlib
import hmac
import os
import socket
import struct
import threading
import time

sodium = ctypes.CDLL("libsodium.so.23")
sodium.sodium_init()


def public_key(seed):
    public, private = ctypes.create_string_buffer(32), ctypes.create_string_buffer(64)
    sodium.crypto_sign_seed_keypair(public, private, seed)
    return public.raw, private.raw


def installation(public):
    return struct.unpack(">q", hashlib.sha256(b"momu installation 1" + public).digest()[:8])[0]


def text(word):
    data = word.encode() if isinstance(word, str) else word
    return data + b"\0" * (4 - len(data) % 4)


def blob(data):
    return struct.pack(">i", len(data)) + data + b"\0" * (-len(data) % 4)


def message(address, types, *values):
    data = text(address) + text("," + types)
    for kind, value in zip(types, values, strict=True):
        if kind in "sb":
            data += text(value) if kind == "s" else blob(value)
        else:
            data += struct.pack({"i": ">i", "f": ">f", "h": ">q", "d": ">d"}[kind], value)
    return data


def hello(room, member, owner, name, program="forger", release="1", plays="", token=0, echo=0, rung=0):
    """A hello of a member of an installation (`owner`), which wants an answer and knows nothing of the music."""
    return message(
        "/momu/hello", "ishhsssiihhhihihhihiiiiffffhfsbhhihh", 2, room, member, owner, name, program, release, rung, 1,
        time.monotonic_ns(), token, echo, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 16, float("inf"), float("inf"), 0.0, 0.0, 0, 0.0, plays,
        b"", 77, int(time.time()), 0, 0, 0)


def read(data):
    """The address of a message and its values, up to the first that is no number and no text."""
    def word(place):
        end = data.index(b"\0", place)
        return data[place:end].decode(errors="replace"), end + 4 - end % 4

    address, place = word(0)
    types, place = word(place)
    values = []
    for kind in types[1:]:
        if kind == "s":
            value, place = word(place)
        elif kind in "ihfd":
            form = {"i": ">i", "f": ">f", "h": ">q", "d": ">d"}[kind]
            (value,) = struct.unpack_from(form, data, place)
            place += struct.calcsize(form)
        else:
            break
        values.append(value)
    return address, values


def epoch(counter, holder):
    """The number of an epoch, as ancestors have it."""
    mask = (1 << 64) - 1
    mixed = (holder + counter * 0x9E3779B97F4A7C15) & mask
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & mask
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & mask
    return (mixed ^ mixed >> 31) & 0xFFFFFFFF


class Forger:
    def __init__(self, room, passkey, name, seed, claims=None):
        """A member with a key from a seed, which says that it is the installation `claims`; None for its key's own.

        Without a passkey (None) the room is an open one.
        """
        version = b"momu sealed room 2"
        self.room_name, self.name, self.seed = room, name, seed
        self.program, self.release, self.plays = "forger", "1", ""
        self.is_locked = passkey is not None
        if self.is_locked:
            number = hashlib.scrypt(room.encode(), salt=version + b" number", n=1 << 14, r=8, p=1, dklen=32)
            self.room = number[:8]
            self.secret = hashlib.scrypt(
                passkey.encode(), salt=version + room.encode(), n=1 << 15, r=8, p=3, dklen=32, maxmem=1 << 26)
        self.version = version
        self.me, self.number, self.counter = struct.unpack(">q", os.urandom(8))[0] | 1, os.urandom(8), 0
        self.installation = installation(public_key(seed)[0]) if claims is None else claims
        self.proofs = {}  # How often each member was told who this is.
        self.tokens, self.knows = {}, {}
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.group = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.group.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.group.bind(("", 6450))
        self.group.setsockopt(
            socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton("239.255.64.50") + socket.inet_aton("127.0.0.1"))
        self.lock = threading.Lock()
        for each in (self.socket, self.group):
            threading.Thread(target=self.listen, args=(each,), daemon=True).start()
        threading.Thread(target=self.stay, daemon=True).start()

    # Sealed datagrams.

    def key(self, number):
        return hmac.digest(self.secret, self.version + b" sender" + number + b"\1", "sha256")

    def seal(self, kind, data):
        if not self.is_locked:
            return data
        with self.lock:
            self.counter += 1
            header = b"M\1" + bytes([kind, 0]) + self.room + self.number + struct.pack(">Q", self.counter)
        out = ctypes.create_string_buffer(len(data) + 16)
        sodium.crypto_aead_chacha20poly1305_ietf_encrypt(
            out, None, data, ctypes.c_ulonglong(len(data)), header, ctypes.c_ulonglong(28), None,
            header[20:28] + b"\0" * 4, self.key(self.number))
        return header + out.raw

    def open(self, data):
        if not self.is_locked:
            return (0, data) if data.startswith(b"/momu/") else None
        if len(data) < 44 or data[:2] != b"M\1" or data[4:12] != self.room or data[12:20] == self.number:
            return None
        out = ctypes.create_string_buffer(len(data) - 44 or 1)
        flaw = sodium.crypto_aead_chacha20poly1305_ietf_decrypt(
            out, None, None, data[28:], ctypes.c_ulonglong(len(data) - 28), data[:28], ctypes.c_ulonglong(28),
            data[20:28] + b"\0" * 4, self.key(data[12:20]))
        return None if flaw else (data[2], out.raw[:len(data) - 44])

    def send(self, data, to, kind=0):
        self.socket.sendto(self.seal(kind, data), to)

    # What it says.

    def signed(self, body, addressee=0, seed=None, public=None):
        own, private = public_key(self.seed if seed is None else seed)
        said = b"momu signed 1\0" + self.room_name.encode() + b"\0" + struct.pack(">q", addressee) + body
        signature = ctypes.create_string_buffer(64)
        sodium.crypto_sign_detached(signature, None, said, ctypes.c_ulonglong(len(said)), private)
        return message("/momu/signed", "ihbb", 2, self.me, body, (public or own) + signature.raw)

    def hello(self, token=0, echo=0):
        return hello(self.room_name, self.me, self.installation, self.name, self.program, self.release, self.plays, token, echo)

    def listen(self, from_socket):
        while True:
            data, sender = from_socket.recvfrom(65536)
            opened = self.open(data)
            if opened is None:
                continue
            kind, said = opened
            if kind == 1 and said[16:24] == self.number:
                self.send(said[:16], sender, kind=2)
            if kind != 0:
                continue
            address, values = read(said)
            if address == "/momu/hello":
                self.knows[values[2]] = (sender, values)
            elif address == "/momu/prove":
                member, token = values[1:3]
                answer = self.hello(token=5, echo=token)
                self.send(self.signed(answer, member) if self.is_locked else answer, sender)
                self.proofs[member] = self.proofs.get(member, 0) + 1

    def stay(self):
        """Says twice a second that it is here, to all of whom it knows."""
        while True:
            for sender, _ in list(self.knows.values()):
                self.send(self.hello(token=5), sender)
            time.sleep(0.5)

    def find(self, name):
        """Waits until a member of a name is known; its identity."""
        while True:
            for member, (_, values) in list(self.knows.items()):
                if values[4] == name:
                    return member
            time.sleep(0.01)

    def newer_state(self, member, holder, held, holder_installation):
        """A state that follows what a member has, without music and without gates."""
        values = self.knows[member][1]
        counter, before, revision, lineage = values[12:16]
        ancestor = struct.pack(">II", epoch(counter, before), revision)
        return message(
            "/momu/state", "ihihihihhhhiibb", 2, self.me, counter + 1, holder, 1 << 16, lineage, held,
            holder_installation, 0, 0, 0, 1 << 16, 0, ancestor, b"\0")

    def tell(self, data, member):
        self.send(data, self.knows[member][0])
