"""Follows a session's beat: prints each beat as it comes. Written from Docs/OSC-ADDRESSES.md alone."""
import socket
import sys
import time

from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder

ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
ear.bind(("127.0.0.1", 0))
ear.settimeout(0.005)
ask = OscMessageBuilder("/momu/follow")
ask.add_arg(ear.getsockname()[1], "i")
asked, heard, last = 0, None, None
while last is None or last < int(sys.argv[1]):
    now = time.monotonic()
    if now - asked > 3:
        ear.sendto(ask.build().dgram, ("127.0.0.1", 6450))
        asked = now
    try:
        datagram = ear.recv(512)
        message = OscMessage(datagram)
        if message.address == "/momu/follow":
            # A key: what comes under this address is sent back as it is.
            ear.sendto(datagram, ("127.0.0.1", 6450))
            continue
        bar, beat, tempo, playing, beats, total = message.params
        heard = (time.monotonic(), total, tempo, playing)
    except TimeoutError:
        pass
    if heard and heard[3]:
        total = int(heard[1] + (time.monotonic() - heard[0]) * heard[2] / 60)
        if last is None or total > last:
            last = total
            print(f"beat {total} at {tempo:g}", flush=True)
