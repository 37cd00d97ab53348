import Glibc
import MoTesting
import Testing

/// Runs the rig like a user, with a receiver that uses no MoMu code; each test has its own port.
@Suite("momu rig")
struct RigProgramTests {
  /// Ends the rig and prints how it ended.
  private let end = "kill -TERM $rig; wait $rig; echo status $?; rig="

  @Test("sends a tape bit for bit, with subnormal numbers, both zeros and all 32-bit values")
  func bitForBit() {
    let run = RigHarness.run(
      configuration: """
        [rig]
        to = 127.0.0.1:47201
        statistics = 0
        [gyro]
        source = tape:a.osc?speed=20
        [accel]
        source = tape:a.osc?speed=20
        """,
      python: """
        import random
        random.seed(8)
        begin("a.osc")
        with open("wanted", "w") as wanted:
            for n in range(500):
                bits = [random.getrandbits(32) for _ in range(3)]
                bits = [b ^ 0x40000000 if b & 0x7f800000 == 0x7f800000 else b for b in bits]
                if n == 7: bits = [0x80000000, 1, 0x7f7fffff]
                raw = [struct.pack(">I", b) for b in bits]
                address = "/momu/gyro" if n % 2 else "/momu/accel"
                put(0.05 * n, address, "fff", *raw)
                print("-", address, "fff", b"".join(raw).hex(), file=wanted)
        """,
      """
      hear 47201 500 '/momu/*'
      $momu rig rig.conf 2>said & rig=$!
      wait $ear; ear=
      \(end)
      for a in accel gyro; do grep " /momu/$a " heard >x; grep " /momu/$a " wanted >y; cmp x y && wc -l <x; done
      cat said
      """)
    #expect(run.lines.prefix(3) == ["status 0", "250", "250"])
    #expect(
      run.text.contains("[gyro] tape:a.osc?speed=20 -> /momu/gyro at 127.0.0.1:47201"), "\(run.text)")
  }

  @Test("touches, buttons, locations and single channels keep their types, names and bits")
  func allKinds() {
    let run = RigHarness.run(
      configuration: """
        [rig]
        to = 127.0.0.1:47202
        statistics = 0
        [touch]
        source = tape:a.osc
        [buttons]
        source = tape:a.osc
        [location]
        source = tape:a.osc
        [sensor]
        source = tape:a.osc
        [sensor knob]
        source = tape:a.osc
        channel = knob
        address = /knob
        """,
      python: """
        begin("a.osc")
        put(0.01, "/momu/touch", "iffffffii", 3, 0.1, 0.2, 0.3, 0.4, 5.5, 6.5, 0, 0)
        put(0.02, "/momu/button", "si", "BTN_SOUTH", 1)
        put(0.03, "/momu/location", "ddfffffd", 48.2, 16.4, 171.5, 1.5, 90, 4, 8, 1.8e9)
        put(0.04, "/momu/sensor", "sf", "knob", 0.7)
        put(0.05, "/momu/sensor", "sf", "light", 41)
        with open("wanted", "w") as wanted:
            def want(address, types, *values): print("-", address, types, message(address, types, *values)[(len(address) // 4 + 1) * 4 + ((len(types) + 1) // 4 + 1) * 4:].hex(), file=wanted)
            want("/momu/touch", "iffffffii", 3, 0.1, 0.2, 0.3, 0.4, 5.5, 6.5, 0, 0)
            want("/momu/button", "si", "BTN_SOUTH", 1)
            want("/momu/location", "ddfffffd", 48.2, 16.4, 171.5, 1.5, 90, 4, 8, 1.8e9)
            want("/momu/sensor", "sf", "knob", 0.7)
            want("/momu/sensor", "sf", "light", 41)
            want("/knob", "f", 0.7)
        """,
      """
      hear 47202 6 '/*'
      $momu rig rig.conf 2>/dev/null & rig=$!
      wait $ear; ear=
      \(end)
      sort heard >x; sort wanted >y; diff x y && echo same
      """)
    #expect(run.text == "status 0\nsame\n")
  }

  @Test(
    "a rate of 20 spaces the messages, and a dead band sends only larger changes")
  func rules() {
    let run = RigHarness.run(
      configuration: """
        [rig]
        to = 127.0.0.1:47203
        statistics = 0
        [gyro]
        source = tape:a.osc
        rate = 20
        stamped = yes
        address = /limited
        [gyro band]
        source = tape:a.osc
        dead-band = 0.25
        address = /band
        [gyro smooth]
        source = tape:a.osc
        smooth = 0.3
        stamped = yes
        address = /smooth
        """,
      python: """
        import math
        single = lambda x: struct.unpack(">f", struct.pack(">f", x))[0]
        begin("a.osc")
        sent, wanted = None, open("wanted", "w")
        for n in range(300):
            x = single(0 if n < 100 else 1 + math.sin(n / 9))
            put(n / 100, "/momu/gyro", "fff", x, 0, 0)
            if sent is None or single(abs(x - sent)) > 0.25:
                sent = x
                print("- /band fff", struct.pack(">fff", x, 0, 0).hex(), file=wanted)
        wanted.close()
        """,
      """
      hear 47203 100000 '/*'
      $momu rig rig.conf 2>said & rig=$!
      await grep -q '/smooth' heard
      m=$(tail -1 wanted); await grep -q -- "$m" heard
      n=0; until [ "$(grep -c ' /smooth ' heard)" -ge 300 ] || [ $n -gt 20000 ]; do n=$((n + 1)); done
      \(end)
      grep ' /band ' heard | head -$(wc -l <wanted) >x; cmp x wanted && echo band
      python3 - <<'EOS'
      import math, struct
      rows = [line.split() for line in open("heard")]
      stamps = [float(r[0]) for r in rows if r[1] == "/limited"]
      assert len(stamps) > 40, len(stamps)
      for i in range(len(stamps)):
          for j in range(i + 1, len(stamps)):
              assert j - i <= (stamps[j] - stamps[i]) * 20 + 1.05, (i, j)
      print("limited")
      smooth = [(float(r[0]), struct.unpack(">fff", bytes.fromhex(r[3]))[0]) for r in rows if r[1] == "/smooth"]
      zero = smooth[0][0]
      # A value holds until the next: the exact answer of a filter of first order to a staircase, tau = 0.1 s.
      single = lambda x: struct.unpack(">f", struct.pack(">f", x))[0]
      value, at, worst = 0.0, 0.0, 0.0
      for moment, heard in smooth[:300]:
          n = round((moment - zero) * 100)
          if abs(moment - zero - n / 100) > 0.002: continue
          while at < n:
              target = single(0 if at < 100 else 1 + math.sin(at / 9))
              value = target + (value - target) * math.exp(-0.01 / 0.1)
              at += 1
          worst = max(worst, abs(value - heard))
      assert at > 290 and worst < 1e-5, (at, worst)
      print("smooth")
      EOS
      """)
    #expect(run.text == "status 0\nband\nlimited\nsmooth\n")
  }

  @Test("sends statistics with the rig's name, the sensors and growing counts")
  func statistics() {
    let run = RigHarness.run(
      configuration: """
        [rig]
        name = attic
        to = 127.0.0.1:47204
        statistics = 0.5
        [accel left]
        source = sim:tilt
        """,
      """
      hear 47204 6 '/momu/rig*'
      $momu rig rig.conf 2>/dev/null & rig=$!
      wait $ear; ear=
      \(end)
      python3 - <<'EOS'
      import struct
      rows = [line.split() for line in open("heard")]
      def text(data): return data[:data.index(b"\\0")].decode(), data[(data.index(b"\\0") // 4 + 1) * 4:]
      rigs, sensors, targets = [], [], []
      for _, address, types, data in rows:
          name, rest = text(bytes.fromhex(data))
          assert name == "attic"
          if address == "/momu/rig":
              assert types == "sfhh"
              rigs.append(struct.unpack(">fqq", rest))
          elif address == "/momu/rig/target":
              assert types == "sssfhhhh"
              target, rest = text(rest)
              condition, rest = text(rest)
              targets.append((target, condition) + struct.unpack(">fqqqq", rest)[1:])
          else:
              assert types == "ssshhf"
              title, rest = text(rest)
              source, rest = text(rest)
              assert (title, source) == ("accel left", "sim:tilt")
              sensors.append(struct.unpack(">qqf", rest))
      assert len(rigs) == len(sensors) == 2
      assert rigs[1][0] > rigs[0][0] and rigs[1][1] > rigs[0][1] and rigs[1][2] == 0, rigs
      assert sensors[1][0] > sensors[0][0] > 0 and abs(sensors[0][0] - sensors[0][1]) <= 1 and sensors[1][2] >= 0, sensors
      # Messages that are sent count as contact after five seconds without bad news.
      assert targets[1][0] == "127.0.0.1:47204" and targets[1][1] in ("unknown", "reached"), targets
      assert targets[1][2] > targets[0][2] and targets[1][3:] == (0, 0, -1), targets
      print("grows")
      EOS
      """)
    #expect(run.text == "status 0\ngrows\n")
  }

  @Test("sends to a target again after it comes back")
  func targetReturns() {
    let run = RigHarness.run(
      configuration: """
        [accel]
        source = sim:tilt
        to = 127.0.0.1:47205
        """,
      """
      hear 47205 5 /momu/accel
      $momu rig rig.conf 2>said & rig=$!
      wait $ear; ear=
      await grep -q '127.0.0.1:47205 is not reached: its machine answers, but no program listens on this port' said
      hear 47205 5 /momu/accel
      wait $ear; ear=; wc -l <heard
      \(end)
      grep -c '127.0.0.1:47205' said
      """)
    // The first contact, the loss, and the summary.
    #expect(run.text == "5\nstatus 0\n3\n")
  }

  @Test("notifies systemd that it is ready, alive and ending")
  func systemd() {
    let run = RigHarness.run(
      configuration: "[rig]\nto = 127.0.0.1:47206\n[accel]\nsource = sim:still",
      #"""
      cat > manager.py <<'EOS'
      import os, signal, socket, subprocess, sys
      s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind("notify"); s.settimeout(100)
      rig = subprocess.Popen([sys.argv[1], "rig", "rig.conf"], stderr=subprocess.DEVNULL,
                             env=dict(os.environ, NOTIFY_SOCKET=os.getcwd() + "/notify", WATCHDOG_USEC="60000000"))
      def hear():
          while True:
              line = s.recv(1000)
              if not line.startswith(b"STATUS="): return line
      print(hear())
      print(hear(), hear())
      open("rig.conf", "a").write("[gyro]\nsource = sim:turn\nrate = fast\n")
      rig.send_signal(signal.SIGHUP)
      line = hear()
      while line == b"WATCHDOG=1": line = hear()
      print(line, hear())
      rig.send_signal(signal.SIGTERM)
      last = hear()
      while last == b"WATCHDOG=1": last = hear()
      print(last, rig.wait())
      EOS
      python3 manager.py $momu
      """#)
    #expect(
      run.text == """
        b'READY=1\\nSTATUS=1 of 1 sensor read, 1 of 1 target reached'
        b'WATCHDOG=1' b'WATCHDOG=1'
        b'RELOADING=1' b'READY=1\\nSTATUS=1 of 1 sensor read, 0 of 1 target reached; 1 problem: rig.conf:7: "fast" is not a valid rate: write a number from 0.001 to 1000 (messages a second), such as rate = 50'
        b'STOPPING=1' 0

        """)
  }

  @Test("a rig that was started in a terminal ends when the terminal is closed")
  func closedTerminal() {
    let run = RigHarness.run(
      configuration: "[rig]\nto = 127.0.0.1:47219\n[accel]\nsource = sim:still",
      #"""
      cat > terminal.py <<'EOS'
      import os, pty, signal, sys
      rig, terminal = pty.fork()
      if rig == 0: os.execv(sys.argv[1], ["momu", "rig", "rig.conf"])
      signal.signal(signal.SIGALRM, lambda *_: os.kill(rig, signal.SIGKILL))
      signal.alarm(100)
      while b"\n" not in os.read(terminal, 1000): pass
      os.close(terminal)
      print("status", os.waitstatus_to_exitcode(os.waitpid(rig, 0)[1]))
      EOS
      python3 terminal.py $momu
      """#)
    #expect(run.text == "status 0\n")
  }

  @Test("--example prints a configuration without mistakes, and --check prints what it would do")
  func check() {
    let run = RigHarness.run(
      configuration:
        "[gyro]\nsource = evdev:Nobody\nto = 10.1.1.1:9\n[accel]\nsource = sim:tilt\nto = 127.0.0.1:9",
      "$momu rig --example >e.conf; $momu rig --check e.conf | head -1; $momu rig --check rig.conf; echo status $?"
    )
    #expect(
      run.text == """
        e.conf: no mistake, 3 sensors
        rig.conf: no mistake, 2 sensors
          [gyro] evdev:Nobody -> /momu/gyro at 10.1.1.1:9
            it would wait now: there is no evdev:Nobody here: momu devices lists the devices
          [accel] sim:tilt -> /momu/accel at 127.0.0.1:9
        status 0

        """)
  }

  @Test(
    "--check names the line of a mistake and the correction, with status 1",
    arguments: [
      ("[acel]\nto = a:9", "rig.conf:1: there is no [acel]: did you mean [accel]? Use "),
      (
        "[accel]\nto = a:9\nrat = 5",
        "rig.conf:3: [accel] has no \"rat\": did you mean rate? Use source, channel, to, address, rate,"
      ),
      ("[accel]\nto = a", "rig.conf:2: \"a\" is not a target: the port is missing"),
      (
        "[accel]\nto = 127.0.0.1:9\nsource = sim:wild",
        "rig.conf:3: unknown source \"sim:wild\" for [accel]: use "
      ),
      (
        "[touch]\nto = 127.0.0.1:9\nsource = evdev:Screen?rotate=45",
        "rig.conf:3: unknown setting \"rotate=45\" for source = evdev:PATH: use ?grab, ?rotate=90, 180 or 270, or both"
      ),
      (
        "",
        "rig.conf: there is no sensor: write a heading such as [accel], and under it to = 192.168.0.7:9000"
      ),
    ])
  func mistakes(configuration: String, text: String) {
    let run = RigHarness.run(configuration: configuration, "$momu rig rig.conf; echo status $?")
    #expect(run.text.hasPrefix(text), "\(run.text)")
    #expect(run.lines.last == "status 1")
  }

  @Test(
    "an unreadable configuration gets an error that says what to type",
    .enabled(if: getuid() == 0, "needs root"))
  func unreadable() {
    let run = RigHarness.run(
      configuration: "[gyro]\nto = a:9",
      "chmod 755 $d; chmod 600 rig.conf; setpriv --reuid 65534 --regid 65534 --clear-groups $momu rig --check rig.conf"
    )
    #expect(
      run.text
        == "rig.conf: it cannot be read: Permission denied; type sudo chmod a+r rig.conf, since the service runs "
        + "as its own user\n")
  }

  @Test(
    "--check explains why a tape or keys keep a rig from starting, and names a channel that does not exist"
  )
  func faults() {
    let run = RigHarness.run(
      configuration:
        "[rig]\nto = 127.0.0.1:9\n[accel]\nsource = keys\n[gyro]\nsource = tape:/nowhere.osc?speed=2\n[sensor]\nsource = iio:$d/als\n"
        + "channel = iluminance\n[sensor dark]\nsource = iio:$d/als\nchannel = illuminance\n",
      """
      mkdir als; echo als >als/name; echo 1 >als/in_illuminance_raw; echo 1 >als/in_proximity_input
      sed -i "s|\\$d|$d|" rig.conf; $momu rig --check rig.conf >out; st=$?; sed "s|$d|D|g" out; echo status $st
      """)
    #expect(
      run.text == """
        rig.conf: no mistake, 4 sensors, but 3 faults on this machine
          [accel] keys -> /momu/accel at 127.0.0.1:9
            it would not start: a service has no terminal: these keys work only when you start the rig in a terminal
          [gyro] tape:/nowhere.osc?speed=2 -> /momu/gyro at 127.0.0.1:9
            it would not start: cannot read the tape /nowhere.osc: No such file or directory; check the path, or record one \
        with momu osc record /nowhere.osc
          [sensor] iio:D/als, iluminance -> /momu/sensor at 127.0.0.1:9
            it would send nothing: iio:D/als has no channel iluminance: did you mean illuminance? Use illuminance or proximity
          [sensor dark] iio:D/als, illuminance -> /momu/sensor/dark at 127.0.0.1:9
        status 1

        """)
  }

  @Test("--udev-rule prints the rule that the doctor prints")
  func udevRule() {
    let run = RigHarness.run(
      configuration: "",
      "$momu rig --udev-rule >rule; $momu doctor --udev-rule | cmp - rule && grep -c 'SUBSYSTEM==\"gpio\"' rule"
    )
    #expect(run.text == "1\n", "\(run.text)")
  }

  @Test("waits for a missing device, and says how to list the devices")
  func waiting() {
    let run = RigHarness.run(
      configuration: "[accel]\nsource = evdev:/dev/input/event99\nto = 127.0.0.1:9, 127.0.0.1:10",
      "$momu rig rig.conf --seconds 0.1 2>&1 | grep -v After; $momu rig --check rig.conf | tail -2")
    #expect(
      run.text == """
        Waiting for evdev:/dev/input/event99: no device /dev/input/event99: momu devices shows what there is
        [accel] waits for its device -> /momu/accel at 127.0.0.1:9, 127.0.0.1:10
        [accel] waits: there is no evdev:/dev/input/event99 here: momu devices lists the devices
          [accel] evdev:/dev/input/event99 -> /momu/accel at 127.0.0.1:9, 127.0.0.1:10
            it would wait now: there is no evdev:/dev/input/event99 here: momu devices lists the devices

        """)
  }

  @Test(
    "says what to type for a device without permission, waits for it, and reads it once permitted",
    .enabled(if: getuid() == 0, "needs root, to become somebody else"))
  func permission() {
    let run = RigHarness.run(
      configuration: "[sensor]\nsource = serial:board\nto = 127.0.0.1:47207",
      """
      chmod 755 $d; : > said; chmod 666 said
      python3 -u -c 'import pty, os, tty, time
      board, port = pty.openpty(); tty.setraw(port); name = os.ttyname(port)
      os.symlink(name, "board"); os.chmod(name, 0); print("made", flush=True)
      while True: os.write(board, b"knob 0.5\\n"); time.sleep(0.01)' >made 2>/dev/null & pty=$!
      await grep -q made made
      setpriv --reuid 65534 --regid 65534 --clear-groups $momu rig rig.conf 2>said & rig=$!
      await grep -q 'no access to board' said
      hear 47207 3 /momu/sensor
      chmod 666 $(readlink board)
      wait $ear; ear=; cut -d' ' -f2,3 heard | sort -u
      \(end)
      kill $pty
      """)
    #expect(run.text == "/momu/sensor sf\nstatus 0\n")
  }
}
