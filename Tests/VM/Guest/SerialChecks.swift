import Glibc
import MoMu
import MoSensing
import Synchronization

/// MoSensor on a serial line: the kernel's driver of a USB converter, all forms of lines, and a plug that is pulled
/// during a transmission.
func checkSerial(_ report: Report) throws {
  let board = try SerialBoard()
  let source = "serial:\(SerialBoard.port)"
  report.check("the converter is found", MoSensor.sources.contains(source), "\(MoSensor.sources)")
  try finish(spawn(["/programs/momu", "devices"], output: "/tmp/devices"))
  let devices = printed(in: "/tmp/devices")
  report.check(
    "momu devices names it, with its maker's name",
    devices.contains("\(source)  QEMU QEMU USB SERIAL\n"), devices)

  try checkWords(board, source, report)
  try checkCount(board, source, report)
  try checkReplug(board, source, report)
  try checkSpeed(board, report)
}

/// The forms of a board's lines.
private func checkWords(_ board: SerialBoard, _ source: String, _ report: Report) throws {
  let clock = SystemClock()
  let begun = clock.now
  let ready = try MoSensor(source, "ready")
  try board.hasBegun("a board's lines are received", to: ready, report)
  report.check(
    "the timestamp is the time of arrival", ready.time > begun && ready.time <= clock.now,
    "\(ready.time), \(begun)")

  let channels = ["1", "2", "3", "knob", "light", "acc/1", "acc/2", "/fader"]
  let sensors = try channels.map { try MoSensor(source, $0) }
  let heard = Mutex<[[Float]]>(channels.map { _ in [] })
  let tokens = sensors.enumerated().map { index, sensor in
    sensor.addCallback { value, _ in heard.withLock { $0[index].append(value) } }
  }
  // A cancelled callback receives nothing more.
  defer { withExtendedLifetime(sensors) { for token in tokens { token.cancel() } } }
  // In the order in which a board's programmer might try them; a line without values changes nothing.
  try board.send("512 0.25 -7\n512,0.5,-7\r\nknob 0.75\nhello world\nlight: 300\nacc=1 -2\n\nlight=301\n")
  // /fader ,f and -6.866180…, whose bytes C0 DB DB C0 are all escaped; RFC 1055.
  try board.send(
    [0xC0] + Array("/fader\0\0,f\0\0".utf8) + [0xDB, 0xDC, 0xDB, 0xDD, 0xDB, 0xDD, 0xDB, 0xDC, 0xC0])
  let wanted: [[Float]] = [
    [512, 512], [0.25, 0.5], [-7, -7], [0.75], [300, 301], [1], [-2], [Float(bitPattern: 0xC0DB_DBC0)],
  ]
  try waitUntil("numbers, names with numbers, and OSC framed by SLIP", report) {
    heard.withLock { $0 } == wanted
  }
  if heard.withLock({ $0 }) != wanted { report.note("heard \(heard.withLock { $0 })") }
}

/// More bytes than the converter, the kernel and the program store together.
private func checkCount(_ board: SerialBoard, _ source: String, _ report: Report) throws {
  let lines = 50_000
  let (ready, first, second) = (
    try MoSensor(source, "ready"), try MoSensor(source, "1"), try MoSensor(source, "2")
  )
  let heard = Mutex<(first: [Float], second: [Float])>(([], []))
  let tokens = [
    first.addCallback { value, _ in heard.withLock { $0.first.append(value) } },
    second.addCallback { value, _ in heard.withLock { $0.second.append(value) } },
  ]
  defer { withExtendedLifetime((first, second)) { for token in tokens { token.cancel() } } }
  try board.hasBegun("a new callback receives readings again", to: ready, report)
  let clock = SystemClock()
  let begun = clock.now
  for hundred in stride(from: 0, to: lines, by: 100) {
    try board.send((hundred..<hundred + 100).map { "\($0) \($0 * 7 % 1000)\n" }.joined())
  }
  try waitUntil("the last of \(2 * lines) numbers arrives", report) {
    heard.withLock { $0.second.count } >= lines
  }
  let (firsts, seconds) = heard.withLock { $0 }
  report.check(
    "each number arrives once, in order",
    firsts == (0..<lines).map { Float($0) } && seconds == (0..<lines).map { Float($0 * 7 % 1000) },
    "\(firsts.count) and \(seconds.count)")
  report.note("\(2 * lines) numbers in \(clock.now.seconds(since: begun)) s")
}

/// A plug that is pulled in the middle of a line, and put back.
private func checkReplug(_ board: SerialBoard, _ source: String, _ report: Report) throws {
  let events = Events()
  let (ready, number) = (try MoSensor(source, "ready"), try MoSensor(source, "number"))
  let eventToken = number.onEvent { events.add("\($0)") }
  let heard = Mutex<[Float]>([])
  let token = number.addCallback { value, _ in heard.withLock { $0.append(value) } }
  defer {
    withExtendedLifetime(number) {
      token.cancel()
      eventToken.cancel()
    }
  }
  try board.hasBegun("lines are received before the plug is pulled", to: ready, report)
  let speaking = Sending(board)
  let last = 2000
  let speech = Background {
    for step in 1...last {
      try speaking.value.send("number \(step)\n")
      pause(0.001)
    }
  }
  try waitUntil("lines arrive while a board sends", report) { heard.withLock { $0.count } >= 300 }
  try board.unplug()
  try waitUntil("reports that the plug was pulled", report) { events.has("lost") }
  report.check("its port is gone", access(SerialBoard.port, F_OK) != 0)
  var refusal = ""
  do { _ = try MoSensor("\(source)?baud=57600") } catch { refusal = "\(error)" }
  report.check("starting without the port says what to do", refusal.contains("plug the board in"), refusal)
  pause(0.5)
  try board.plug()
  try waitUntil("the port comes back", report) { events.has("using") }
  try speech.wait()
  try waitUntil("the last line after the return is received", report) {
    heard.withLock { $0.last } == Float(last)
  }
  let all = heard.withLock { $0 }
  let gaps = zip(all, all.dropFirst()).filter { $1 != $0 + 1 }
  report.check(
    "only lines sent while unplugged are missing; none arrives twice or truncated",
    all.first == 1 && gaps.count == 1 && gaps[0].1 > gaps[0].0 + 10, "\(all.count) heard, gaps \(gaps)")
  if let gap = gaps.first { report.note("heard up to \(Int(gap.0)), and from \(Int(gap.1)) on") }
}

/// The line has the speed that the source's name requests.
private func checkSpeed(_ board: SerialBoard, _ report: Report) throws {
  let slow = try MoSensor("serial:\(SerialBoard.port)?baud=9600", "ready")
  try board.hasBegun("lines at another speed are received", to: slow, report)
  let file = open(SerialBoard.port, O_RDONLY | O_NOCTTY | O_NONBLOCK)
  defer { close(file) }
  var settings = termios()
  report.check(
    "the line has the requested speed",
    tcgetattr(file, &settings) == 0 && cfgetispeed(&settings) == speed_t(B9600),
    "\(cfgetispeed(&settings))")
}

extension SerialBoard {
  /// Sends a line again and again until it is received, since a program may read only part of the first.
  func hasBegun(_ law: String, to sensor: MoSensor, _ report: Report) throws {
    var sent: Float = 0
    try waitUntil(law, report) {
      if sensor.value == sent, sent > 0 { return true }
      sent += 1
      try? send("ready \(Int(sent))\n")
      pause(0.05)
      return sensor.value == sent
    }
  }
}
