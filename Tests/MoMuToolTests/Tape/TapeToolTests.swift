import MoTesting
import Testing

/// Tapes written and read by Python code that follows Docs/Tapes.md only.
@Suite("momu tape")
struct TapeToolTests {
  /// Two tapes a minute apart: `a.osc` from noon with two streams and a pause, `b.osc` with a nested bundle.
  private let tapes = #"""
    begin("a.osc")
    for n in range(1000):
        if n < 400 or n >= 500: put(n / 100, "/momu/accel", "fff", n / 1000, 0, 1)
        if n % 100 == 0: put(n / 100, "/momu/sensor", "sf", "knob", n / 1000)
    begin("b.osc")
    put(1.005, "/momu/gyro", "fff", *[struct.pack(">I", b) for b in (0x80000000, 1, 0x7f7fffff)])
    inner = b"#bundle\0" + struct.pack(">Q", start + round(7.25 * 2**32)) + struct.pack(">I", len(message("/later", "")))
    inner += message("/later", "")
    raw(packet(2, inner))
    put(3, "/momu/gyro", "fff", 4, 5, 6)
    with open("show.py", "w") as script: script.write("""
    import struct, sys
    data, at, start = open(sys.argv[1], "rb").read(), 0, None
    while at + 4 <= len(data):
        size, = struct.unpack_from(">I", data, at)
        packet, at = data[at + 4:at + 4 + size], at + 4 + size
        assert len(packet) == size and packet[:8] == b"#bundle\\0"
        tag, = struct.unpack_from(">Q", packet, 8)
        start = tag if start is None else start
        inside = packet[20:]
        print(round((tag - start) / 2**32, 6), end=" ")
        if inside[:8] == b"#bundle\\0":
            tag, = struct.unpack_from(">Q", inside, 8)
            print("bundle at", round((tag - start) / 2**32, 6), end=" ")
            inside = inside[20:]
        address = inside[:inside.index(b"\\0")].decode()
        rest = inside[(len(address) // 4 + 1) * 4:]
        print(address, rest.hex())
    """)
    """#

  private func run(_ line: String) -> ProgramRun { RigHarness.run(python: tapes, line) }

  @Test("inspect lists the streams with spans, rates and pauses")
  func inspect() {
    let run = run(
      "$momu tape inspect a.osc; echo status $?; $momu tape inspect --json a.osc >j; python3 -c '\nimport json; t = json.load(open(\"j\")); print(t[\"seconds\"], t[\"messages\"], [(s[\"address\"], s[\"channel\"], s[\"count\"], round(s[\"usualInterval\"], 2), s[\"pauses\"]) for s in t[\"streams\"]])'"
    )
    #expect(
      run.text == """
        a.osc: 9.99 s from 2026-11-21 12:00:00 UTC, made by by hand
        910 messages
          /momu/accel          fff  900  0 s to 9.99 s  100/s   longest pause 1.01 s at 3.99 s, 1 pause
          /momu/sensor "knob"  sf   10   0 s to 9 s     1.00/s  longest pause 1 s at 0 s
        status 0
        9.99 910 [('/momu/accel', None, 900, 0.01, 1), ('/momu/sensor', 'knob', 10, 1.0, 0)]

        """)
  }

  @Test("cut keeps the messages between two times, moved to the start, with their bits and bundles")
  func cut() {
    let run = run(
      """
      $momu tape cut b.osc --from 1.005 --to 3 -o c.osc; python3 show.py c.osc
      $momu tape cut a.osc --from 8.5 --to 8.52 -o a.osc; python3 show.py a.osc; ls *.osc*
      """)
    let accel = "/momu/accel 2c66666600000000"
    #expect(
      run.text == """
        c.osc: 2 messages, 0.995 s
        0.0 /momu/tape 2c697300000000016279\
        2068616e642c2063757400000000
        0.0 /momu/gyro 2c6666660000000080000000000000017f7fffff
        0.995 bundle at 6.245 /later 2c000000
        a.osc: 2 messages, 0.01 s
        0.0 /momu/tape 2c69730000000001627920\
        68616e642c2063757400000000
        0.0 \(accel)3f59999a000000003f800000
        0.01 \(accel)3f59db23000000003f800000
        a.osc
        b.osc
        c.osc

        """)
  }

  @Test("a part of a tape in counted time is in counted time, too")
  func cutCounted() {
    let run = RigHarness.run(
      python: """
        # The second 0 of 1970, in seconds since 1900.
        start = packet.__globals__["start"] = 2_208_988_800 << 32
        begin("n.osc")
        put(1, "/early", "")
        put(3, "/on", "")
        later = message("/later", "")
        raw(packet(3, b"#bundle\\0" + struct.pack(">QI", start + (7 << 32), len(later)) + later))
        """,
      "$momu tape cut n.osc --from 2.5 -o c.osc 2>/dev/null; $momu tape inspect c.osc | head -n 1")
    #expect(run.lines.last == "c.osc: 4.5 s, in counted time, made by by hand, cut", "\(run.text)")
  }

  @Test("merge aligns tapes by their dates, or starts all together")
  func merge() {
    let run = run(
      """
      python3 - <<'EOS'
      data = open("b.osc", "rb").read()
      # The same half a second later: every time tag has eight bytes behind "#bundle".
      import struct
      parts = data.split(b"#bundle\\0")
      out = parts[0]
      for part in parts[1:]:
          tag, = struct.unpack_from(">Q", part)
          out += b"#bundle\\0" + struct.pack(">Q", tag + 2**31) + part[8:]
      open("late.osc", "wb").write(out)
      EOS
      $momu tape merge b.osc late.osc -o m.osc; python3 show.py m.osc | cut -c1-30
      $momu tape merge --together late.osc b.osc -o m.osc; python3 show.py m.osc | cut -c1-30
      """)
    #expect(
      run.text == """
        m.osc: 6 messages, 3.5 s
        0.0 /momu/tape 2c6973000000000
        1.005 /momu/gyro 2c66666600000
        1.505 /momu/gyro 2c66666600000
        2.0 bundle at 7.25 /later 2c00
        2.5 bundle at 7.75 /later 2c00
        3.0 /momu/gyro 2c6666660000000
        3.5 /momu/gyro 2c6666660000000
        m.osc: 6 messages, 3 s
        0.0 /momu/tape 2c6973000000000
        1.005 /momu/gyro 2c66666600000
        1.005 /momu/gyro 2c66666600000
        2.0 bundle at 7.25 /later 2c00
        2.0 bundle at 7.25 /later 2c00
        3.0 /momu/gyro 2c6666660000000
        3.0 /momu/gyro 2c6666660000000

        """)
  }

  @Test("cut and merge keep the senders of messages")
  func senders() {
    let run = RigHarness.run(
      python: """
        for name, host in ("a.osc", "10.0.0.1:9"), ("b.osc", "10.0.0.2:9"):
            begin(name)
            put(0, "/momu/sender", "s", host)
            for n in range(3): put(n + (0.5 if name == "b.osc" else 0), "/" + name[0], "i", n)
        """,
      """
      $momu tape merge a.osc b.osc -o m.osc 2>/dev/null; $momu tape cut m.osc --from 1.2 -o c.osc 2>/dev/null
      for tape in m c; do tr -c '[:print:]' '\\n' <$tape.osc | grep -e '^10[.]' -e '^/[ab]$'; done
      """)
    #expect(
      run.lines.map { String($0) } == [
        "10.0.0.1:9", "/a", "10.0.0.2:9", "/b", "10.0.0.1:9", "/a", "10.0.0.2:9", "/b", "10.0.0.1:9", "/a",
        "10.0.0.2:9", "/b", "10.0.0.2:9", "/b", "10.0.0.1:9", "/a", "10.0.0.2:9", "/b",
      ])
  }

  @Test("names the place of damage, shows the part that plays, and changes no existing file")
  func damaged() {
    let run = run(
      """
      size=$(wc -c <b.osc); printf '\\377' | dd of=b.osc bs=1 seek=$((size - 56)) conv=notrunc 2>/dev/null
      echo kept >out.osc
      $momu tape inspect b.osc; echo status $?
      $momu tape merge a.osc b.osc -o out.osc; echo status $?
      $momu tape cut b.osc --to 1.5 -o cut.osc; echo status $?
      cat out.osc; ls | grep -c osc
      """)
    #expect(run.lines.first == "b.osc: 7.25 s from 2026-11-21 12:00:00 UTC, made by by hand")
    #expect(run.text.contains("b.osc is damaged at byte "))
    #expect(run.lines.filter { $0 == "status 1" }.count == 2)
    #expect(run.lines.contains("cut.osc: 1 message, 1.005 s"))
    #expect(run.lines.suffix(2) == ["kept", "4"])
  }

  @Test(
    "errors say what to do",
    arguments: [
      (
        "cut a.osc --from 20 -o x", 1,
        "a.osc has nothing between 20 s and its end; it ends at 9.99 s: momu tape inspect a.osc shows its contents"
      ),
      ("cut a.osc -o x", 64, "Error: the part is missing: add --from SECONDS, --to SECONDS or both"),
      ("cut a.osc --from 3 --to 2 -o x", 64, "Error: --from must be less than --to"),
      (
        "cut a.osc --to 1 -o /dev/null", 1,
        "cannot write /dev/null: it is not a regular file; choose another with -o"
      ),
      (
        "cut a.osc --to 1 -o /nowhere/x", 1,
        "cannot create the tape /nowhere/x: No such file or directory; choose a folder that exists and that you can write to"
      ),
      ("merge a.osc -o x", 64, "Error: merge needs two tapes or more"),
      (
        "inspect made.py", 1,
        "made.py is not a tape: at byte 0, the size of a packet is 1718775661, but must be a multiple of 4 from 8 to 65532; "
          + "record one with momu osc record, or write one as Docs/Tapes.md says\n"
      ),
      (
        "inspect none.osc", 1,
        "cannot read the tape none.osc: No such file or directory; to record one: momu osc record none.osc"
      ),
    ])
  func mistakes(arguments: String, status: Int32, text: String) {
    let run = run("$momu tape \(arguments); echo status $?; ls x 2>/dev/null")
    #expect(run.text.hasPrefix(text), "\(run.text)")
    #expect(run.lines.last == "status \(status)")
  }

  @Test("a full disk leaves the old file and no other")
  func fullDisk() {
    let run = run(
      """
      echo kept >out.osc
      (trap '' XFSZ; ulimit -f 1; $momu tape cut a.osc --to 9 -o out.osc); echo status $?
      cat out.osc; ls out.osc*
      """)
    #expect(
      run.text == """
        cannot write out.osc: File too large; choose a folder that exists and that you can write to
        status 1
        kept
        out.osc

        """)
  }

  @Test("Ctrl-C, SIGTERM and SIGHUP leave the old file and no other")
  func stopped() {
    // The input is a pipe whose writer pauses, so that the command stays in the middle of its work.
    let run = run(
      #"""
      mkfifo in.osc; cat >stop.py <<'EOS'
      import glob, os, signal, subprocess, sys, time
      tapes = {"cut": ["cut", "in.osc", "--from", "1"], "merge": ["merge", "b.osc", "in.osc"]}
      for name, words in tapes.items():
          for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
              with open("out.osc", "w") as old: old.write("kept")
              feed = os.open("in.osc", os.O_RDWR)
              momu = subprocess.Popen([sys.argv[1], "tape", *words, "-o", "out.osc"])
              os.write(feed, open("a.osc", "rb").read(20_000))
              for _ in range(20_000):
                  if len(glob.glob("out.osc*")) > 1 or momu.poll() is not None: break
                  time.sleep(0.001)
              momu.send_signal(number)
              print(name, momu.wait() == -number, *glob.glob("out.osc*"), open("out.osc").read(), flush=True)
              os.close(feed)
      EOS
      python3 stop.py $momu
      """#)
    #expect(
      run.lines.map { String($0) } == Array(repeating: "cut True out.osc kept", count: 3)
        + Array(repeating: "merge True out.osc kept", count: 3), "\(run.text)")
  }

  @Test("under nohup, SIGHUP does not end the command")
  func ignored() {
    let run = run(
      #"""
      mkfifo in.osc; exec 9<>in.osc; trap '' HUP
      $momu tape cut in.osc --from 8 -o out.osc 9>&- & made=$!
      head -c 20000 a.osc >&9; await ls out.osc.$made; kill -HUP $made
      tail -c +20001 a.osc >&9; exec 9>&-; wait $made; echo status $?; ls out.osc*
      """#)
    #expect(run.lines.suffix(2) == ["status 0", "out.osc"], "\(run.text)")
  }
}
