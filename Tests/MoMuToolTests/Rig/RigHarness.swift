import MoTesting

/// A shell for tests of rigs, with the tool and with a tape writer and a receiver in Python that use no MoMu code.
enum RigHarness {
  /// Writes tapes: `begin(path)`, then `put(seconds, address, types, *values)` for each message.
  private static let writer = #"""
    import struct, sys
    start = 4_004_251_200 << 32
    def text(t): return t.encode() + bytes(4 - len(t.encode()) % 4)
    def message(address, types, *values):
        data = text(address) + text("," + types)
        for kind, value in zip(types, values):
            data += text(value) if kind == "s" else value if isinstance(value, bytes) else struct.pack(">" + {"i": "i", "f": "f", "d": "d", "h": "q"}[kind], value)
        return data
    def packet(seconds, inside):
        bundle = b"#bundle\0" + struct.pack(">Q", start + round(seconds * 2**32)) + struct.pack(">I", len(inside)) + inside
        return struct.pack(">I", len(bundle)) + bundle
    def begin(path):
        global tape
        tape = open(path, "wb")
        tape.write(packet(0, message("/momu/tape", "is", 1, "by hand")))
    def raw(data): tape.write(data)
    def put(seconds, address, types, *values): raw(packet(seconds, message(address, types, *values)))
    """#

  /// Receives a number of messages at an address and prints each: time tag in seconds or -, address, types, the bytes
  /// of the values.
  private static let receiver = #"""
    import socket, struct, sys
    port, count, wanted = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
    s.bind(("127.0.0.1", port))
    print("ready", file=sys.stderr, flush=True)
    s.settimeout(100)
    heard = 0
    while heard < count:
        data, tag = s.recv(65536), "-"
        if data.startswith(b"#bundle\0"):
            stamp, = struct.unpack_from(">Q", data, 8)
            tag, data = repr(stamp / 2**32 - 4_000_000_000), data[20:]
        end = data.index(b"\0")
        address = data[:end].decode()
        if not (address == wanted or wanted.endswith("*") and address.startswith(wanted[:-1])): continue
        at = (end // 4 + 1) * 4
        types = data[at + 1:data.index(b"\0", at)].decode()
        rest = data[(data.index(b"\0", at) // 4 + 1) * 4:]
        print(tag, address, types, rest.hex(), flush=True)
        heard += 1
    """#

  /// Runs `line` in a new folder, with `$momu`, with `hear PORT COUNT ADDRESS` in the background as `$ear`, and with
  /// `await`, which repeats a command until it succeeds, up to a limit.
  static func run(configuration: String = "", python: String = "", _ line: String) -> ProgramRun {
    ProgramRun(
      alone: """
        momu='\(ProgramRun.folder)/momu'; d=$(mktemp -d); cd $d
        trap 'kill $ear $rig 2>/dev/null; cd /; rm -r $d' EXIT
        await() { n=0; until "$@" 2>/dev/null; do n=$((n + 1)); [ $n -lt 20000 ] || { echo "gave up: $*"; return 1; }; done; }
        cat > hear.py <<'EOS'
        \(receiver)
        EOS
        cat > tape.py <<'EOS'
        \(writer)
        EOS
        cat > rig.conf <<'EOS'
        \(configuration)
        EOS
        cat > made.py <<'EOS'
        from tape import *
        \(python)
        EOS
        PYTHONPATH=$d python3 made.py || exit 98
        hear() { : > ear; python3 hear.py "$@" >heard 2>ear & ear=$!; await grep -q ready ear; }
        \(line)
        """)
  }
}
