import MoTesting
import Testing

@Suite("momu scope")
struct ScopeProgramTests {
  private let tape = """
    import math
    begin("a.osc")
    for n in range(1001):
        put(n / 100, "/momu/gyro", "fff", n / 1000, 0.5, 0)
        if n % 250 == 0: put(n / 100, "/momu/compass", "fff", 36 * n / 100, float("nan"), 2)
    """

  @Test("draws a whole tape immediately, with panes, units and times, and the same picture each time")
  func tapePicture() {
    let run = RigHarness.run(
      python: tape,
      "$momu scope tape:a.osc --size 60x15 >x; $momu scope tape:a.osc --size 60x15 >y; cmp x y; cat x; wc -l <x"
    )
    #expect(run.lines.first == "gyro (rad/s)  x 1.00  y 0.500  z 0")
    #expect(run.lines.contains("compass (°)  magnetic 360"))
    #expect(run.lines.dropLast().last?.split(separator: " ") == ["s", "0", "5", "10"])
    #expect(run.lines.last.flatMap { Int($0) }.map { $0 <= 15 } == true)
  }

  @Test("writes an SVG that Python reads, with the ramp in place, axes, numbers, and names escaped")
  func svg() {
    let run = RigHarness.run(
      python: tape + "\n" + #"put(10, "/x<b>&y", "f", 1.0)"#,
      #"""
      $momu scope tape:a.osc --svg a.svg --size 800x600; echo status $?; ls *.svg*
      python3 - <<'EOS'
      import re, xml.etree.ElementTree
      root = xml.etree.ElementTree.parse("a.svg").getroot()
      svg = "{http://www.w3.org/2000/svg}"
      assert (root.get("width"), root.get("height")) == ("800", "600")
      curves = [p for p in root.iter(svg + "path") if p.get("stroke-width") == "2"]
      frame = list(root.iter(svg + "rect"))[1]
      left, top, width, height = (int(frame.get(k)) for k in ("x", "y", "width", "height"))
      # The ramp of gyro x is the first curve: from the lower left to the upper right corner of its pane.
      points, at = [], None
      for letter, a, b in re.findall(r"([MLV])(\d+)(?:,(\d+))?", curves[0].get("d")):
          at = (int(a), int(b)) if letter in "ML" else (at[0], int(a))
          points.append(at)
      assert len(points) > 600, len(points)
      for x, y in points:
          wanted = top + height - 1 - (height - 1) * (x - left) / (width - 1)
          assert abs(y - wanted) <= 1.5, (x, y, wanted)
      texts = [t.text for t in root.iter(svg + "text")]
      assert {"gyro (rad/s)", "x", "y", "z", "/x<b>&y", "seconds", "0", "10"} <= set(texts), texts
      assert not any(c < " " for t in texts for c in t), texts
      print("drawn")
      EOS
      """#)
    #expect(run.text == "a.svg: 800 × 600 pixels\nstatus 0\na.svg\ndrawn\n")
  }

  @Test("without a terminal, prints the last picture of a simulated player at the end")
  func live() {
    let run = RigHarness.run(
      "$momu scope accel=sim:still --seconds 1 --window 2 --size 60x12 2>/dev/null; echo status $?")
    #expect(run.lines.first == "accel (g)  x 0  y 0  z 1.00")
    #expect(run.lines.last == "status 0")
    #expect(run.lines.dropLast().last?.hasPrefix("s") == true)
  }

  @Test(
    "Ctrl-C ends it with a picture of all sources; two of a kind are labelled with their names"
  )
  func several() {
    let run = RigHarness.run(
      """
      # As long as all three take to be seen, on a busy machine, too: the picture comes at the end.
      for seconds in 1 2 4 8 16 32; do
        $momu scope accel=sim:still accel=sim:tilt sim:turn --size 70x30 >picture 2>/dev/null & rig=$!
        await sh -c "grep -q mo-input /proc/$rig/task/*/comm"; sleep $seconds; kill -INT $rig; wait $rig; status=$?; rig=
        [ $(grep -c ')  x' picture) -lt 3 ] || break
      done
      echo status $status; cat picture
      """)
    #expect(run.lines.first == "status 0")
    for heading in ["accel sim:still (g)  x", "accel sim:tilt (g)  x", "gyro (rad/s)  x"] {
      #expect(run.lines.contains { $0.hasPrefix(heading) }, "\(run.text)")
    }
  }

  @Test("in a terminal, the picture moves, fits the window, and stays at the end")
  func terminal() {
    let run = RigHarness.run(
      #"""
      cat > look.py <<'EOS'
      import fcntl, os, pty, select, struct, sys, termios
      pid, terminal = pty.fork()
      if pid == 0:
          os.execv(sys.argv[1], ["momu", "scope", "accel=sim:tilt"])
      fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 50, 0, 0))
      data, ended = b"", False
      while True:
          try: piece = os.read(terminal, 65536)
          except OSError: break
          if not piece: break
          data += piece
          if not ended and data.count(b"\x1b[H") > 5 and "\u2800" < max(data.decode(errors="ignore")):
              ended = os.write(terminal, b"\x03") == 1
      print("status", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
      pictures = data.split(b"\x1b[H")
      assert len(pictures) > 3, len(pictures)
      last = pictures[-1].decode()
      assert "accel (g)" in last and "\u2800" < max(last), last
      rows = pictures[-2].decode().split("\n")
      assert len(rows) <= 20, len(rows)
      print("moves")
      EOS
      TERM=xterm python3 look.py $momu
      """#)
    #expect(run.text == "status 0\nmoves\n")
  }

  @Test(
    "errors say what to type",
    arguments: [
      (
        "acel", 1,
        "unknown source \"acel\"; did you mean accel? give a sensor, such as accel or gyro=iio:0, or a source,"
      ),
      ("sim:trun", 1, "unknown source \"sim:trun\"; did you mean sim:turn? "),
      (
        "gyro=keys", 1,
        "unknown source \"keys\" for --gyro: use evdev:PATH, iio:N, net, sim:still, sim:turn, sim:tilt or tape:FILE"
      ),
      ("sensor", 1, "unknown source \"sensor\"; did you mean sensor=serial:/dev/ttyACM0? "),
      ("text", 1, "unknown source \"text\"; did you mean text=serial:/dev/ttyACM0? "),
      (
        "tape:/nowhere.osc", 1,
        "cannot read the tape /nowhere.osc: No such file or directory; to record one: momu osc record /nowhere.osc"
      ),
      ("tape:a.osc accel=sim:tilt", 1, "tape:a.osc is drawn whole and alone: leave out the other sources"),
      // It fails immediately, before measuring for a picture that cannot be written.
      (
        "accel=sim:tilt --svg /nowhere/a.svg", 1,
        "cannot write /nowhere/a.svg: No such file or directory; choose a folder"
      ),
      ("accel --size 5x5", 64, "Error: --size must be 20x4 columns and rows or more"),
      (
        "accel --size wide", 64,
        "Error: The value 'wide' is invalid for '--size <WxH>': must be a width and a height up to 8192"
      ),
      (
        "touch=net:47208 --seconds 0.2", 1,
        "no readings arrived, so there is nothing to draw: momu devices lists the devices"
      ),
    ])
  func mistakes(arguments: String, status: Int32, text: String) {
    let run = RigHarness.run(
      python: tape,
      "$momu scope \(arguments) 2>&1 | grep -v Waiting; $momu scope \(arguments) >x 2>&1; echo status $?")
    #expect(run.text.hasPrefix(text), "\(run.text)")
    #expect(run.lines.last == "status \(status)")
  }
}
