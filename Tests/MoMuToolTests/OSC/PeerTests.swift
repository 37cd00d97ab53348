import Glibc
import MoCore
import MoOSC
import MoTesting
import Testing

@testable import MoMuTool

/// Tests the tool with liblo's own programs, each test in its own network.
@Suite("momu osc and other programs")
struct PeerTests {
  /// Runs `line` while a program listens; `$momu` is the tool, `$out` the output of the program.
  ///
  /// The program is ready when its port is open, and the tool when it has printed so. A program that still runs at the
  /// end is ended. `await` repeats a command until it succeeds, up to a limit.
  private func run(_ listener: String, port: Int, _ line: String) -> ProgramRun {
    let hex = String(port, radix: 16, uppercase: true)
    return ProgramRun(
      alone: """
        momu='\(ProgramRun.folder)/momu'; d=$(mktemp -d); out=$d/out; touch $out $d/err
        await() { n=0; until "$@"; do n=$((n + 1)); [ $n -lt 20000 ] || { echo "gave up: $*"; return 1; }; done; }
        \(listener) >$out 2>$d/err & peer=$!
        trap 'kill $peer 2>/dev/null; rm -r $d' EXIT
        await grep -q ":\(hex) " /proc/net/udp
        case '\(listener)' in *momu*) await grep -q listening $d/err;; esac
        \(line)
        """)
  }

  @Test("listen prints the messages of oscsend with their types and values")
  func hears() {
    let run = run(
      "$momu osc listen --port 47101 --count 3", port: 47_101,
      """
      oscsend localhost 47101 /drum/hit ifs 3 0.8 left
      oscsend localhost 47101 /a TFNId 0.1
      oscsend localhost 47101 /b h -5000000000
      wait $peer; echo status $?; cat $out; cat $d/err
      """)
    #expect(run.lines.first == "status 0")
    #expect(run.text.contains("/drum/hit ifs 3 0.8 \"left\"  "))
    #expect(run.text.contains("/a TFNId true false nil infinitum 0.1  "))
    #expect(run.text.contains("/b h -5000000000  "))
    #expect(run.text.contains("3 messages from 3 senders in "))
  }

  @Test("listen --json prints objects that Python reads, and a pattern selects messages")
  func json() {
    let run = run(
      "$momu osc listen --port 47102 --json --count 1 '/tilt/*'", port: 47_102,
      """
      oscsend localhost 47102 /drum/hit i 1; oscsend localhost 47102 /tilt/x f 0.25
      wait $peer
      python3 -c 'import json, sys; m = json.load(sys.stdin); print(m["address"], m["types"], m["values"], \
      m["sender"].split(":")[0], 0 <= m["age"] < 60, m["rate"], m["timeTag"])' <$out
      """)
    #expect(run.lines.first == "/tilt/x f [0.25] 127.0.0.1 True None None")
  }

  @Test("oscdump prints the messages of send, with guessed and with given types")
  func sends() {
    let run = run(
      "oscdump -L 47103", port: 47_103,
      """
      $momu osc send localhost:47103 /drum/hit 3 -0.5 left true
      $momu osc send --types sdTm 127.0.0.1:47103 /b 3 0.5 00903c7f
      $momu osc send localhost:47103 /none
      await grep -q /none $out; cat $out
      """)
    // oscdump prints the time before each message.
    let shown = run.lines.map { $0.drop { $0 != "/" } }
    #expect(
      shown == [
        "/drum/hit ifsT 3 -0.500000 \"left\" #T", "/b sdTm \"3\" 0.500000 #T MIDI [0x00 0x90 0x3c 0x7f]",
        "/none ",
      ])
  }

  @Test("a tape holds the messages in order with their senders, and replay sends exactly these")
  func tapes() throws {
    let folder = Scratch()
    let path = folder.file("a.osc")
    let recording = run(
      "$momu osc record --port 47104 --count 3 \(path)", port: 47_104,
      """
      oscsend localhost 47104 /a i 1; oscsend localhost 47104 /b sf x 0.5; oscsend localhost 47104 /a i 2
      wait $peer; echo status $?
      """)
    #expect(recording.text == "status 0\n")
    let tape = try OSCTapeReader(path: path)
    #expect(tape.madeBy == "momu osc record")
    var messages: [OSCMessage] = []
    var times: [Int64] = []
    while let reading = try tape.next() {
      messages.append(reading.message)
      times.append(reading.nanoseconds)
    }
    #expect(times == times.sorted())
    // oscsend uses a new port each time, so each message has a sender before it.
    #expect(
      messages.filter { $0.address != "/momu/sender" } == [
        OSCMessage("/a", [1]), OSCMessage("/b", ["x", 0.5]), OSCMessage("/a", [2]),
      ])
    let senders = messages.filter { $0.address == "/momu/sender" }
    #expect(senders.count == 3)
    #expect(senders.allSatisfy { $0.arguments.first?.text?.hasPrefix("127.0.0.1:") == true })

    let replay = run(
      "oscdump -L 47105", port: 47_105,
      """
      $momu osc replay --speed 1000 \(path) localhost:47105
      await grep -q 'i 2' $out; cat $out
      """)
    #expect(replay.text.contains("3 messages sent, "))
    #expect(
      replay.lines.filter { $0.contains("/") }.map { $0.drop { $0 != "/" } } == [
        "/a i 1", "/b sf \"x\" 0.500000", "/a i 2",
      ])
  }

  @Test("a tape holds a future bundle at its time tag, and a late one at its arrival")
  func timeTags() throws {
    let folder = Scratch()
    let path = folder.file("a.osc")
    let run = run(
      "$momu osc record --port 47111 --count 3 \(path)", port: 47_111,
      #"""
      python3 - <<'END'
      import socket, struct, time
      def text(t): return t.encode() + bytes(4 - len(t) % 4)
      def bundle(tag, address):
          message = text(address) + text(",")
          return text("#bundle") + struct.pack(">Q", tag) + struct.pack(">i", len(message)) + message
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      now = (time.time_ns() * 2**32) // 10**9 + (2208988800 << 32)
      for tag, address in ((now + 2**30, "/future"), (1, "/now"), (now - 2**33, "/late")):
          s.sendto(bundle(tag, address), ("127.0.0.1", 47111))
      print(now + 2**30)
      END
      wait $peer
      """#)
    let future = try #require(UInt64(run.text.trimmed))
    let tape = try OSCTapeReader(path: path)
    var times: [String: Int64] = [:]
    while let reading = try tape.next() { times[reading.message.address] = reading.nanoseconds }
    let moment = OSCTimeTag(rawValue: future).nanoseconds(since: tape.start)
    // The tape's clock is not the wall clock: the two are read one after the other and drift apart.
    #expect(abs(try #require(times["/future"]) - moment) < 1_000_000)
    let now = try #require(times["/now"])
    let late = try #require(times["/late"])
    #expect(now <= late && late <= moment && now < moment)
  }

  @Test("replay sends messages at the tape's times divided by the speed")
  func due() {
    let start = HostTime(seconds: 100)
    #expect(ReplayCommand.due(500_000_000, from: start, speed: 2) == HostTime(seconds: 100.25))
    #expect(ReplayCommand.due(500_000_000, from: start, speed: 0.5) == HostTime(seconds: 101))
    #expect(ReplayCommand.due(0, from: start, speed: 3) == start)
  }

  @Test("momu osc listen answers pings")
  func ping() {
    let run = run(
      "$momu osc listen --port 47106", port: 47_106,
      """
      $momu osc ping --count 5 --interval 0.001 localhost:47106; echo status $?
      $momu osc ping --json --count 3 --interval 0.001 127.0.0.1:47106 2>/dev/null
      """)
    #expect(run.text.contains("\n5 sent, 5 answered, 0 lost (0 %)\nround trip  least "))
    #expect(run.text.contains("status 0\n"))
    #expect(run.text.contains(#"{"target":"127.0.0.1:47106","sent":3,"answered":3,"lost":0,"#))
  }

  @Test("listen --tcp receives messages over connections and answers them")
  func connections() {
    let run = run(
      "$momu osc listen --tcp --port 47113", port: 47_113,
      """
      oscsend osc.tcp://localhost:47113/ /lengths i 3; await grep -q '/lengths i 3' $out
      $momu osc send slip:localhost:47113 /slip 4; await grep -q '/slip i 4' $out
      $momu osc ping --count 3 --interval 0.001 tcp:localhost:47113
      """)
    #expect(run.text.contains("\n3 sent, 3 answered, 0 lost (0 %)\n"))
    #expect(!run.text.contains("gave up"))
  }

  @Test(
    "a ping target without a port uses 6449",
    arguments: [
      ("studio.local", "studio.local:6449"), ("10.0.0.2:8000", "10.0.0.2:8000"), ("::1", "[::1]:6449"),
      ("[::1]", "[::1]:6449"), ("[::1]:9", "[::1]:9"), ("tcp:10.0.0.2", "tcp:10.0.0.2:6449"),
    ])
  func targets(typed: String, target: String) { #expect(PingTarget.full(typed) == target) }

  @Test(
    "a forged ping gains nothing: a packet gets at most one answer, never a larger one, and a pattern none")
  func forged() {
    let run = run(
      "$momu osc listen --port 47107", port: 47_107,
      #"""
      python3 - <<'END'
      import socket, struct
      def text(t): return t.encode() + bytes(4 - len(t) % 4)
      def message(address, n): return text(address) + text(",ih") + struct.pack(">iq", n, 7)
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(20)
      one = message("/momu/ping", 1)
      bundle = text("#bundle") + struct.pack(">Q", 1) + (struct.pack(">i", len(one)) + one) * 20
      for packet in (message("/*/*", 2), bundle, message("/momu/ping", 3)):
          s.sendto(packet, ("127.0.0.1", 47107))
      first, second = s.recv(4000), s.recv(4000)
      print(first == message("/momu/pong", 1), second == message("/momu/pong", 3), len(first) <= len(one))
      END
      """#)
    #expect(run.text == "True True True\n")
  }

  @Test("if nothing answers, or no program listens, ping says what to start there")
  func silence() {
    let deaf = run(
      "oscdump -L 47108", port: 47_108, "$momu osc ping --count 1 localhost:47108 2>&1; echo status $?")
    #expect(
      deaf.text.contains(
        """
        1 sent, 0 answered, 1 lost (100 %)
        no answer from localhost:47108
          on that machine, start a program that answers: momu osc listen --port 47108
          then, on both machines: momu doctor
        status 1
        """))
    let empty = ProgramRun(alone: "'\(ProgramRun.folder)/momu' osc ping --count 1 127.0.0.1:47109")
    #expect(
      empty.text.hasSuffix(
        """
        the machine at 127.0.0.1:47109 is there, but no program listens on that port
          on that machine, start a program that answers: momu osc listen --port 47109

        """))
    #expect(empty.status == 1)
  }

  @Test("listen ends when its output is closed")
  func unread() {
    let run = ProgramRun(
      alone: """
        d=$(mktemp -d); mkfifo $d/out; touch $d/err; trap 'kill $peer 2>/dev/null; rm -r $d' EXIT
        '\(ProgramRun.folder)/momu' osc listen --port 47112 >$d/out 2>$d/err & peer=$!
        head -1 $d/out >$d/head & reader=$!
        n=0; until grep -q listening $d/err; do n=$((n + 1)); [ $n -lt 20000 ] || exit 1; done
        oscsend localhost 47112 /a; wait $reader; oscsend localhost 47112 /b; wait $peer; echo status $?
        """)
    #expect(run.text == "status 0\n")
  }

  @Test("listen ends with status 1 if its output cannot be written")
  func unwritable() {
    let run = ProgramRun(
      alone: """
        d=$(mktemp -d); touch $d/err; trap 'kill $peer 2>/dev/null; rm -r $d' EXIT
        '\(ProgramRun.folder)/momu' osc listen --port 47114 >/dev/full 2>$d/err & peer=$!
        n=0; until grep -q listening $d/err; do n=$((n + 1)); [ $n -lt 20000 ] || exit 1; done
        oscsend localhost 47114 /a; wait $peer; echo status $?; grep -c 'cannot write to standard output: No space' $d/err
        """)
    #expect(run.text == "status 1\n1\n")
  }

  @Test("SIGTERM ends listen while its output is a full pipe that no program reads")
  func stuck() {
    let run = ProgramRun(
      alone: #"""
        d=$(mktemp -d); mkfifo $d/out; touch $d/err; exec 9<>$d/out; trap 'kill $peer $guard 2>/dev/null; rm -r $d' EXIT
        '\#(ProgramRun.folder)/momu' osc listen --port 47115 >$d/out 2>$d/err 9>&- & peer=$!
        (sleep 60; kill -KILL $peer) >/dev/null 2>&1 9>&- & guard=$!
        n=0; until grep -q listening $d/err; do n=$((n + 1)); [ $n -lt 20000 ] || exit 1; done
        python3 - <<'END'
        import fcntl, socket, struct, termios, time
        def text(t): return t.encode() + bytes(4 - len(t) % 4)
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        def send(): s.sendto(text("/a") + text(",s") + text("x" * 1000), ("127.0.0.1", 47115))
        def held(): return struct.unpack("i", fcntl.ioctl(9, termios.FIONREAD, bytes(4)))[0]
        # A pipe holds 64 KiB; these are more.
        for _ in range(20_000):
            if held() >= 40_000: break
            send(); time.sleep(0.001)
        for _ in range(2_000): send()
        time.sleep(0.3)
        END
        kill -TERM $peer; wait $peer; echo status $?; grep -c ' messages from 1 sender in ' $d/err
        """#)
    #expect(run.text == "status 0\n1\n")
  }

  @Test("Ctrl-C ends listen with a summary and status 0")
  func interrupted() {
    let run = run(
      "$momu osc listen --port 47110", port: 47_110, "kill -INT $peer; wait $peer; echo status $?; cat $d/err"
    )
    #expect(run.lines.first == "status 0")
    #expect(run.lines.last == "nothing arrived on UDP port 47110. To find out why: momu doctor --port 47110")
  }
}
