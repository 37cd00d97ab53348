"""Stands in for rtkit on a system bus of its own, and runs a program on that: rtkit.py LIMIT PROGRAM [WORD...]

Asked for real-time priority it does what rtkit's README says: it refuses a process that has no RLIMIT_RTTIME of at most
its own, and grants no more than its highest priority, 20. LIMIT is that limit in microseconds. What it was asked is
printed as `asked THREAD PRIORITY RTTIME`, then the scheduling that the thread has.

It speaks D-Bus through libdbus, which is what it stands in for the other end of.
"""
import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import children

RTTIME = 15  # RLIMIT_RTTIME, which Python's module does not name
longest, words = int(sys.argv[1]), sys.argv[2:]
children.within()
home = tempfile.TemporaryDirectory()
address = f"unix:path={home.name}/bus"
os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = address
configuration = f"{home.name}/bus.conf"
with open(configuration, "w") as file:
    file.write(f"""<busconfig><type>system</type><listen>{address}</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow own="*"/><allow send_destination="*"/><allow user="*"/>
        <allow receive_sender="*"/></policy></busconfig>""")
os.chmod(home.name, 0o755)
children.start(["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile"], stderr=subprocess.DEVNULL)
while not os.path.exists(f"{home.name}/bus"):
    time.sleep(0.01)
os.chmod(f"{home.name}/bus", 0o777)

dbus = ctypes.CDLL("libdbus-1.so.3")
pointer, text = ctypes.c_void_p, ctypes.c_char_p
for name, result, arguments in [
        ("bus_get_private", pointer, [ctypes.c_int, pointer]), ("bus_request_name", ctypes.c_int, [pointer, text, ctypes.c_uint, pointer]),
        ("connection_read_write", ctypes.c_uint, [pointer, ctypes.c_int]), ("connection_pop_message", pointer, [pointer]),
        ("message_get_member", text, [pointer]), ("message_new_method_return", pointer, [pointer]),
        ("message_new_error", pointer, [pointer, text, text]), ("connection_send", ctypes.c_uint, [pointer, pointer, pointer]),
        ("message_get_sender", text, [pointer]), ("bus_get_unix_process_id", None, None),
        ("message_iter_init_append", None, [pointer, pointer]), ("message_iter_append_basic", ctypes.c_uint, [pointer, ctypes.c_int, pointer]),
        ("message_iter_open_container", ctypes.c_uint, [pointer, ctypes.c_int, text, pointer]),
        ("message_iter_close_container", ctypes.c_uint, [pointer, pointer]), ("message_iter_init", ctypes.c_uint, [pointer, pointer]),
        ("message_iter_get_basic", None, [pointer, pointer]), ("message_iter_next", ctypes.c_uint, [pointer]),
        ("connection_set_exit_on_disconnect", None, [pointer, ctypes.c_uint])]:
    if arguments is None:
        continue
    function = getattr(dbus, f"dbus_{name}")
    function.restype, function.argtypes = result, arguments

# The socket's file is there a moment before the daemon listens.
for attempt in range(500):
    if connection := dbus.dbus_bus_get_private(1, None):
        break
    time.sleep(0.01)
else:
    sys.exit("the bus does not answer")
dbus.dbus_connection_set_exit_on_disconnect(connection, 0)
if dbus.dbus_bus_request_name(connection, b"org.freedesktop.RealtimeKit1", 0, None) != 1:
    sys.exit("no bus")
program = None


def place():
    return ctypes.create_string_buffer(128)


def values(message, types):
    at, found = place(), []
    dbus.dbus_message_iter_init(message, at)
    for type in types:
        value = type()
        dbus.dbus_message_iter_get_basic(at, ctypes.byref(value))
        found.append(value.value)
        dbus.dbus_message_iter_next(at)
    return found


def property(message):
    _, name = values(message, [ctypes.c_char_p, ctypes.c_char_p])
    reply = dbus.dbus_message_new_method_return(message)
    outer, inner = place(), place()
    dbus.dbus_message_iter_init_append(reply, outer)
    kind, value = (b"x", ctypes.c_int64(longest)) if name == b"RTTimeUSecMax" else (b"i", ctypes.c_int32(20))
    dbus.dbus_message_iter_open_container(outer, ord("v"), kind, inner)
    dbus.dbus_message_iter_append_basic(inner, ord(kind), ctypes.byref(value))
    dbus.dbus_message_iter_close_container(outer, inner)
    return reply


def grant(message):
    thread, priority = values(message, [ctypes.c_uint64, ctypes.c_uint32])
    process = next(
        (int(name) for name in os.listdir("/proc") if name.isdigit() and os.path.exists(f"/proc/{name}/task/{thread}")), 0)
    soft, hard = resource.prlimit(process, RTTIME)
    print("asked", priority, soft, hard, flush=True)
    if hard < 0 or hard > longest or priority > 20:
        return dbus.dbus_message_new_error(message, b"org.freedesktop.DBus.Error.AccessDenied", b"Access denied")
    os.sched_setscheduler(thread, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(priority))
    print("granted", os.sched_getparam(thread).sched_priority, flush=True)
    return dbus.dbus_message_new_method_return(message)


def serve():
    while True:
        dbus.dbus_connection_read_write(connection, 50)
        while message := dbus.dbus_connection_pop_message(connection):
            member = dbus.dbus_message_get_member(message)
            reply = property(message) if member == b"Get" else grant(message) if member == b"MakeThreadRealtime" else None
            if reply:
                dbus.dbus_connection_send(connection, reply, None)


threading.Thread(target=serve, daemon=True).start()
program = children.start(words, stdin=subprocess.DEVNULL)
sys.exit(program.wait())
