"""Records ports of a JACK server, PipeWire too, and says when each frame was there: jack_recorder.py FILE PORT...

FILE gets floats, one channel a port, interleaved. Printed are `rate RATE`, `ready` when it records, and once a period
`period FIRST NANOSECONDS`: the file's frame with which the period begins, and when it began, by the raw monotonic
clock. It ends with its input. The library is the one that LD_LIBRARY_PATH gives.
"""
import array
import ctypes
import sys
import time

jack = ctypes.CDLL("libjack.so.0")
pointer, text = ctypes.c_void_p, ctypes.c_char_p
for name, result, arguments in [
        ("client_open", pointer, [text, ctypes.c_int, ctypes.c_void_p]),
        ("port_register", pointer, [pointer, text, text, ctypes.c_ulong, ctypes.c_ulong]),
        ("port_get_buffer", pointer, [pointer, ctypes.c_uint32]), ("activate", ctypes.c_int, [pointer]),
        ("connect", ctypes.c_int, [pointer, text, text]), ("port_name", text, [pointer]),
        ("get_sample_rate", ctypes.c_uint32, [pointer]), ("client_close", ctypes.c_int, [pointer]),
        ("get_cycle_times", ctypes.c_int, [pointer] + [ctypes.c_void_p] * 4)]:
    function = getattr(jack, f"jack_{name}")
    function.restype, function.argtypes = result, arguments

path, names = sys.argv[1], sys.argv[2:]
client = jack.jack_client_open(b"recorder", 1, None)
if not client:
    sys.exit("no server")
ports = [jack.jack_port_register(client, f"in_{index}".encode(), b"32 bit float mono audio", 1, 0)
         for index in range(len(names))]
periods = []
frames_now, now, following = ctypes.c_uint32(), ctypes.c_uint64(), ctypes.c_uint64()
length = ctypes.c_float()


def process(count, _):
    jack.jack_get_cycle_times(
        client, ctypes.byref(frames_now), ctypes.byref(now), ctypes.byref(following), ctypes.byref(length))
    periods.append((count, now.value, [
        ctypes.string_at(jack.jack_port_get_buffer(port, count), 4 * count) for port in ports]))
    return 0


callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p)(process)
jack.jack_set_process_callback.argtypes = [pointer, ctypes.c_void_p, pointer]
jack.jack_set_process_callback(client, ctypes.cast(callback, ctypes.c_void_p), None)
print("rate", jack.jack_get_sample_rate(client), flush=True)
jack.jack_activate(client)
for port, name in zip(ports, names):
    if jack.jack_connect(client, name.encode(), jack.jack_port_name(port)) != 0:
        sys.exit(f"no port {name}")
print("ready", flush=True)
sys.stdin.read()
# No callback may run while its memory goes.
jack.jack_deactivate.argtypes = [pointer]
jack.jack_deactivate(client)
# Which clock the server has is its own affair.
jack.jack_get_time.restype = ctypes.c_uint64
offset = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) - jack.jack_get_time() * 1000
first = 0
with open(path, "wb") as file:
    for count, microseconds, channels in periods:
        print("period", first, microseconds * 1000 + offset)
        values = array.array("f", bytes(4 * count * len(channels)))
        for index, channel in enumerate(channels):
            values[index::len(channels)] = array.array("f", channel)
        values.tofile(file)
        first += count
sys.stdout.flush()
