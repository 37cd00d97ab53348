"""A program under a bent clock that tells the true one beside it: believer.py clocks|raw|stamps|waits"""
import ctypes
import json
import os
import select
import socket
import sys
import threading
import time

from Peers.beat_log import CLOCK_GETTIME, host_ns, true_ns

libc = ctypes.CDLL(None)  # the preloaded library's functions come first in it
CLOCKS = {"REALTIME": 0, "MONOTONIC": 1, "MONOTONIC_RAW": 4, "REALTIME_COARSE": 5, "MONOTONIC_COARSE": 6,
          "BOOTTIME": 7, "TAI": 11}
SO_TIMESTAMP, SO_TIMESTAMPNS = 29, 35
TFD_TIMER_ABSTIME = 1


class IOVector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class Message(ctypes.Structure):
    """A struct mmsghdr."""
    _fields_ = [("name", ctypes.c_void_p), ("name_length", ctypes.c_uint32), ("parts", ctypes.POINTER(IOVector)),
                ("part_count", ctypes.c_size_t), ("control", ctypes.c_void_p), ("control_length", ctypes.c_size_t),
                ("flags", ctypes.c_long), ("length", ctypes.c_long)]  # with their padding


def true(clock):
    now = (ctypes.c_int64 * 2)()
    libc.syscall(ctypes.c_long(CLOCK_GETTIME), ctypes.c_long(clock), ctypes.byref(now))
    return now[0] * 10**9 + now[1]


def gettimeofday():
    now = (ctypes.c_int64 * 2)()
    libc.gettimeofday(ctypes.byref(now), None)
    return now[0] * 10**9 + now[1] * 1000


def clocks():
    """For each way to ask: the true clock before, the answer, the true clock after, the moment."""
    asked = {name: (number, lambda number=number: time.clock_gettime_ns(number)) for name, number in CLOCKS.items()}
    asked["gettimeofday"] = 0, gettimeofday
    asked["time"] = 0, lambda: libc.time(None) * 10**9
    return {name: (true(clock), ask(), true(clock), true_ns()) for name, (clock, ask) in asked.items()}


def raw():
    return [(true_ns(), host_ns(), true_ns()) for _ in range(200)]


def stamp(option, unit, receive):
    """Believed wall time before a datagram is sent, its stamp, and after it has come."""
    here = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    here.setsockopt(socket.SOL_SOCKET, option, 1)
    here.bind(("127.0.0.1", 0))
    before = time.time_ns()
    here.sendto(b"x", here.getsockname())
    select.select([here], [], [], 5)
    data = receive(here)
    after = time.time_ns()
    seconds, rest = (int.from_bytes(data[at:at + 8], sys.byteorder) for at in (0, 8))
    return before, seconds * 10**9 + rest * unit, after


def recvmsg(here):
    return here.recvmsg(16, 256)[1][0][2]


def recvmmsg(here):
    """The data of the second of two messages received at once."""
    here.sendto(b"y", here.getsockname())
    bytes_, controls = ctypes.create_string_buffer(16), [ctypes.create_string_buffer(256) for _ in range(2)]
    vector = IOVector(ctypes.addressof(bytes_), 16)
    messages = (Message * 2)(*[Message(
        None, 0, ctypes.pointer(vector), 1, ctypes.addressof(control), 256, 0, 0) for control in controls])
    assert libc.recvmmsg(here.fileno(), messages, 2, 0, None) == 2
    return controls[1].raw[16:]


def stamps():
    return {"SO_TIMESTAMPNS": stamp(SO_TIMESTAMPNS, 1, recvmsg), "SO_TIMESTAMP": stamp(SO_TIMESTAMP, 1000, recvmsg),
            "recvmmsg": stamp(SO_TIMESTAMPNS, 1, recvmmsg)}


def wait_for_condition():
    condition = threading.Condition()
    with condition:
        condition.wait(0.1)


def wait_for_timer():
    """On a timerfd that is set to a moment of CLOCK_MONOTONIC."""
    until = time.clock_gettime_ns(time.CLOCK_MONOTONIC) + 10**8
    timer = libc.timerfd_create(time.CLOCK_MONOTONIC, 0)
    setting = (ctypes.c_int64 * 4)(0, 0, until // 10**9, until % 10**9)
    libc.timerfd_settime(timer, TFD_TIMER_ABSTIME, ctypes.byref(setting), None)
    os.read(timer, 8)
    os.close(timer)


def waits():
    """For each way to wait for 0.1 s: what it believed it took, and what it took."""
    ways = {"sleep": lambda: time.sleep(0.1), "condition": wait_for_condition, "timer": wait_for_timer}
    result = {}
    for name, wait in ways.items():
        begun, began = host_ns(), true_ns()
        wait()
        result[name] = host_ns() - begun, true_ns() - began
    return result


print(json.dumps({"clocks": clocks, "raw": raw, "stamps": stamps, "waits": waits}[sys.argv[1]]()))
