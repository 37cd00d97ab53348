"""Network MIDI sessions with pymidi, tshark and strangers: network_midi.py MOMU PYTHON-FOLDER SCRATCH-FOLDER

Run it under `unshare --net`. Prints `ok` or `not ok` and the law, a line each.
"""
import logging
import os
import select
import socket
import struct
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

sys.dont_write_bytecode = True
momu, packages, scratch = sys.argv[1:]
sys.path.insert(0, packages)
logging.disable(logging.CRITICAL)

import construct
from pymidi import packets, server

subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
# pymidi 0.5.0 reads bit S of a journal in place of bit Y, and then drops the packet: its journals are left out.
packets.MIDIPacket = construct.Struct(
    "header" / packets.MIDIPacketHeader, "command" / packets.MIDIPacketCommand, "rest" / construct.GreedyBytes)
environment = {"HOME": scratch, "PATH": os.environ["PATH"], "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/run/no-bus"}
LONGEST = 30  # seconds


def start(*words):
    return subprocess.Popen(
        [momu, "midi", *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait(what, is_true):
    end = time.monotonic() + LONGEST
    while not is_true():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.01)


class Hearer(server.Handler):
    def __init__(self):
        self.heard, self.peers = [], []

    def on_peer_connected(self, peer):
        self.peers.append(peer)

    def on_midi_commands(self, peer, commands):
        for one in commands:
            # It knows notes, controllers and key pressure; all others swallow the rest of the list.
            if "unknown" in one.params:
                return
            self.heard.append((one.command, one.channel, *[int(value) for name, value in one.params.items() if name != "_io"]))


class Server:
    """pymidi's server, with a tap on its datagrams."""

    def __init__(self, port):
        self.port, self.hearer, self.taps, self.is_open = port, Hearer(), [], True
        self.server = server.Server([("127.0.0.1", port)])
        self.server.add_handler(self.hearer)
        self.server._init_protocols()
        for offset, protocol in enumerate(self.server.ipv4_protocols):
            self.tap(protocol, port + offset)
        self.data = self.server.ipv4_protocols[1]
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def tap(self, protocol, own):
        take, give = protocol.handle_message, protocol.sendto

        def handle(data, address):
            self.taps.append((address[1], own, data))
            take(data, address)

        def send(data, address):
            self.taps.append((own, address[1], data))
            give(data, address)

        protocol.handle_message, protocol.sendto = handle, send

    def serve(self):
        while self.is_open:
            self.server._loop_once(0.05)

    def close(self):
        self.is_open = False
        self.thread.join()
        for one in self.server.socket_map:
            one.close()


def rtp(source, number, commands, stamp=0):
    flags = dict(v=2, p=0, x=0, cc=0, m=0, pt=0x61)
    header = packets.MIDIPacketHeader.build(dict(
        rtp_header=dict(flags=flags, sequence_number=number), timestamp=stamp, ssrc=source))
    return header + bytes([len(commands)]) + commands


def called():
    """pymidi accepts a call, and hears the notes and controllers that are sent to it"""
    there = Server(6004)
    try:
        for words in (["note", "C4"], ["cc", "7", "90"]):
            sending = start("send", "--to", "net:127.0.0.1:6004", "--channel", "3", *words)
            assert sending.wait(LONGEST) == 0, sending.stderr.read()
        wait("the messages", lambda: len(there.hearer.heard) >= 3)
        notes = [one for one in there.hearer.heard if one[0] != "control_mode_change"]
        assert [one[:3] for one in notes[:2]] == [("note_on", 2, 60), ("note_off", 2, 60)], there.hearer.heard
        assert ("control_mode_change", 2, 7, 90) in there.hearer.heard, there.hearer.heard
        assert len(there.hearer.peers) >= 2 and "MoMu" in there.hearer.peers[0].name, there.hearer.peers
    finally:
        there.close()


def answers():
    """a call to pymidi hears what it sends, and releases its note when the program ends"""
    there = Server(6014)
    try:
        listening = start("listen", "net:127.0.0.1:6014", "--count", "2")
        wait("a clock comparison", lambda: any(data[:4] == b"\xff\xffCK" and data[8] == 2 for _, _, data in there.taps))
        address = [("127.0.0.1", from_port) for from_port, to, _ in there.taps if to == 6015][0]
        there.data.sendto(rtp(there.data.ssrc, 100, b"\x92\x3c\x64"), address)
        there.data.sendto(rtp(there.data.ssrc, 101, b"\xb2\x07\x5a"), address)
        said, _ = listening.communicate(timeout=LONGEST)
        lines = [line.split("  ", 1)[1] for line in said.splitlines()]
        assert len(lines) == 2 and "channel 3" in lines[0] and "pymidi" in lines[0], said
    finally:
        there.close()


def tapped():
    """tshark reads every packet of a session as intended, to the last byte"""
    there = Server(6024)
    song = f"{scratch}/song.csv"
    with open(song, "w") as file:
        file.write("0, 0, Header, 0, 1, 480\n1, 0, Start_track\n")
        for step in range(20):
            file.write(f"1, {step * 48}, Note_on_c, 4, {40 + step}, {60 + step}\n")
            file.write(f"1, {step * 48}, Control_c, 4, 74, {step}\n1, {step * 48}, Pitch_bend_c, 4, {step * 500}\n")
            file.write(f"1, {step * 48 + 24}, Note_off_c, 4, {40 + step}, 64\n")
        file.write("1, 960, End_track\n0, 0, End_of_file\n")
    subprocess.run(["csvmidi", song, f"{scratch}/song.mid"], check=True)
    try:
        playing = start("play", "--to", "net:127.0.0.1:6024", f"{scratch}/song.mid")
        assert playing.wait(LONGEST) == 0, playing.stderr.read()
        # The program has ended; its last datagrams may still wait in the server's sockets.
        wait("the last note's end", lambda: any(one[0] == "note_off" and one[2] == 59 for one in there.hearer.heard))
        wait("the goodbye", lambda: any(data[:4] == b"\xff\xffBY" for _, _, data in there.taps))
    finally:
        there.close()
    # Link type 101: IPv4 without a frame.
    with open(f"{scratch}/session.pcap", "wb") as file:
        file.write(struct.pack("!IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101))
        for count, (from_port, to, data) in enumerate(there.taps):
            length = len(data) + 28
            file.write(struct.pack("!IIII", 1, count, length, length))
            file.write(struct.pack("!BBHHHBBHII", 0x45, 0, length, 0, 0, 64, 17, 0, 0x7F000001, 0x7F000001))
            file.write(struct.pack("!HHHH", from_port, to, len(data) + 8, 0) + data)
    said = subprocess.run(
        ["tshark", "-r", f"{scratch}/session.pcap", "-T", "pdml"], check=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL).stdout
    kinds, notes, sent = [], [], 0
    for packet in xml.etree.ElementTree.fromstring(said).iter("packet"):
        protocols = [one.get("name") for one in packet.iter("proto")]
        assert "_ws.malformed" not in protocols and "malformed" not in protocols, protocols
        fields = {}
        for field in packet.iter("field"):
            fields.setdefault(field.get("name"), []).append(field.get("show") or "")
        kinds += fields.get("applemidi.command", [])
        if "rtpmidi" not in protocols:
            continue
        sent += 1
        # The payload's last field ends where the packet does, so that nothing is left over.
        middle = next(one for one in packet.iter("proto") if one.get("name") == "rtpmidi")
        ends = [int(one.get("pos")) + int(one.get("size")) for one in middle.iter("field") if one.get("size")]
        end = next(int(one.get("pos")) + int(one.get("size")) for one in packet.iter("proto") if one.get("name") == "rtp")
        assert max(ends) == end, (max(ends), end)
        notes += [int(value, 0) for value in fields.get("rtpmidi.note", [])]
    names = [bytes.fromhex(f"{int(kind, 0):04x}").decode() for kind in kinds]
    assert names[:4] == ["IN", "OK", "IN", "OK"] and {"CK", "BY"} <= set(names), names
    assert sent >= 40 and notes == [40 + step // 2 for step in range(40)], (sent, notes)


class Peer:
    """A caller whose commands pymidi's own structures write and read."""

    def __init__(self, port, name="caller", source=0x1234567):
        self.port, self.name, self.source, self.token, self.number = port, name, source, 77, 500
        self.sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        self.got = self.gave = 0
        for one in self.sockets:
            one.settimeout(LONGEST)

    def ask(self, which, data):
        self.gave += len(data)
        self.sockets[which].sendto(data, ("127.0.0.1", self.port + which))

    def hear(self, which):
        data = self.sockets[which].recv(2048)
        self.got += len(data)
        return data

    def exchange(self, which, command):
        self.ask(which, packets.AppleMIDIExchangePacket.build(dict(
            command=command, protocol_version=2, initiator_token=self.token, ssrc=self.source, name=self.name)))

    def compare(self, count, first, second, third):
        self.ask(1, packets.AppleMIDITimestampPacket.build(dict(
            command=b"CK", ssrc=self.source, count=count, timestamp_1=first, timestamp_2=second, timestamp_3=third)))

    def join(self):
        for which in range(2):
            self.exchange(which, b"IN")
            answer = packets.AppleMIDIExchangePacket.parse(self.hear(which))
            assert answer.command == b"OK" and answer.initiator_token == self.token, answer
        self.compare(0, 1000, 0, 0)
        answer = packets.AppleMIDITimestampPacket.parse(self.hear(1))
        assert (answer.count, answer.timestamp_1) == (1, 1000), answer
        self.compare(2, 1000, answer.timestamp_2, 1002)

    def send(self, commands):
        self.ask(1, rtp(self.source, self.number, commands, 1002))
        self.number += 1


def calls():
    """a caller joins, plays, and its held note is released when it says goodbye"""
    listening = start("listen", "net?port=6034", "--count", "2")
    try:
        line = listening.stderr.readline()
        assert "UDP ports 6034 and 6035" in line, line
        peer = Peer(6034)
        peer.join()
        peer.send(b"\x90\x3c\x64")
        # The goodbye goes to the other port, and may be read before a note that is sent just before it.
        note = listening.stdout.readline()
        peer.exchange(0, b"BY")
        said, told = listening.communicate(timeout=LONGEST)
        assert (note + said).count("caller") == 2 and "Reading MIDI from caller." in told, (note, said, told)
    finally:
        listening.kill()


def strangers():
    """strangers get at most twice their bytes, and no MIDI, and do not keep a caller out"""
    listening = start("listen", "net?port=6044", "--count", "1")
    try:
        listening.stderr.readline()
        strangers = [Peer(6044, source=0x100 + number) for number in range(20)]
        for turn in range(200):
            for stranger in strangers:
                stranger.exchange(0, b"IN")
                stranger.ask(1, b"\xff\xffCK" + os.urandom(32))
                stranger.ask(turn % 2, b"\xff\xff" + os.urandom(turn % 40))
                stranger.send(b"\x90\x3c\x64")
        time.sleep(0.5)
        for stranger in strangers:
            while ready := select.select(stranger.sockets, [], [], 0)[0]:
                for one in ready:
                    data = one.recv(2048)
                    stranger.got += len(data)
                    assert data[:2] == b"\xff\xff", data
            assert stranger.got <= 2 * stranger.gave, (stranger.got, stranger.gave)
        peer = Peer(6044)
        peer.join()
        peer.send(b"\x90\x3c\x64")
        said, _ = listening.communicate(timeout=LONGEST)
        assert said.count("caller") == 1, said
    finally:
        listening.kill()


def errors():
    """what goes wrong has its text: no answer, taken ports, an unknown host, no Avahi"""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("0.0.0.0", 6055))
        for session, text in [
                ("net:127.0.0.1:6064", "no answer from 127.0.0.1:6064: check that network MIDI is on there"),
                ("net?port=6054", "the UDP ports 6054 and 6055 are taken by python3"),
                ("net:no-such-host.invalid:5004", "unknown host no-such-host.invalid"),
                ("net:iPad", "network sessions cannot be found by name, for ")]:
            listening = start("listen", session)
            _, told = listening.communicate(timeout=LONGEST)
            assert listening.returncode != 0 and text in told, (session, told)


for law in [called, answers, tapped, calls, strangers, errors]:
    try:
        law()
        print("ok", law.__doc__, flush=True)
    except Exception as problem:
        print("not ok", law.__doc__, f"\n# {type(problem).__name__}: {problem}", flush=True)
