import Glibc
import MoMIDI
import MoMu
import Synchronization

/// Each call of `MoMIDI`, with amidi and aseqdump at its other end.
func checkFace(_ raw: RawMIDI, _ report: Report) throws {
  try checkFaceIn(raw, report)
  try checkFaceOut(raw, report)
}

private func checkFaceIn(_ raw: RawMIDI, _ report: Report) throws {
  let heard = Mutex<[String]>([])
  let add: @Sendable (String) -> Void = { line in heard.withLock { $0.append(line) } }
  let begun = SystemClock().now
  var tokens = [
    try MoMIDI.onNote { note in
      let isTimed = note.time > begun && note.time.seconds(since: begun) < 60
      add("note \(note.key) \(note.velocity) \(note.channel) \(note.port.hasSuffix(raw.port)) \(isTimed)")
    },
    try MoMIDI.onControl(74) { add("control \($0.number) \($0.value) \($0.channel)") },
    try MoMIDI.onControl { add("any control \($0.number)") },
    try MoMIDI.onBend { add("bend \($0.value) \($0.channel)") },
    try MoMIDI.onPressure { add("pressure \($0.value) \($0.key ?? -1) \($0.channel)") },
    try MoMIDI.onProgram { add("program \($0.number) \($0.channel)") },
    try MoMIDI.onSysEx { add("sysex \($0.bytes)") },
    try MoMIDI.addCallback { if $0.message == .start { add("event start \($0.channel)") } },
  ]
  pause(0.5)
  let stream: [UInt8] = [
    0x91, 60, 127, 0xB2, 74, 127, 0xB2, 1, 0, 0xE3, 0, 0, 0xD4, 127, 0xA4, 61, 0, 0xC5, 9, 0xFA, 0xF0, 0x7D,
    1,
    0xF7, 0x81, 60, 3,
  ]
  try raw.send(stream)
  for _ in 0..<200 where !heard.withLock({ $0.contains { $0.hasPrefix("note 60 0.0") } }) { pause(0.01) }
  tokens.removeLast().cancel()
  try raw.send([0xFA, 0x90, 72, 0])
  for _ in 0..<200 where !heard.withLock({ $0.contains { $0.hasPrefix("note 72") } }) { pause(0.01) }
  let expected = [
    "note 60 1.0 2 true true", "control 74 1.0 3", "any control 74", "any control 1", "bend -1.0 4",
    "pressure 1.0 -1 5", "pressure 0.0 61 5", "program 9 6", "event start 0", "sysex [240, 125, 1, 247]",
    "note 60 0.0 2 true true", "note 72 0.0 1 true true",
  ]
  let lines = heard.withLock { $0 }
  report.check(
    "onNote, onControl, onBend, onPressure, onProgram, onSysEx and addCallback read what amidi sends",
    lines == expected, "\(lines)")
  for token in tokens { token.cancel() }
  MoMIDI.stop()
}

private func checkFaceOut(_ raw: RawMIDI, _ report: Report) throws {
  let dumper = try spawn(["/programs/aseqdump"], output: "/tmp/face")
  pause(0.5)
  try MoMIDI.start(source: "none", target: "aseqdump")
  func steps(_ bodies: [() throws -> Void]) throws {
    for body in bodies {
      try body()
      pause(0.05)
    }
  }
  try steps([
    { try MoMIDI.playNote(60, velocity: 1, length: .milliseconds(20), channel: 2) },
    { try MoMIDI.control(11, to: 0.5, channel: 3) },
    { try MoMIDI.bend(1, channel: 4) },
    { try MoMIDI.pressure(1, channel: 5) },
    { try MoMIDI.pressure(0.5, key: 61, channel: 5) },
    { try MoMIDI.program(7, channel: 6) },
    { try MoMIDI.sysEx([0x7D, 1]) },
    { try MoMIDI.mmc(.stop) },
    { try MoMIDI.noteOn(64, velocity: 1, channel: 8) },
    { try MoMIDI.noteOn(65, velocity: 1, channel: 9) },
    { try MoMIDI.allNotesOff(channel: 8) },
    { try MoMIDI.allNotesOff() },
  ])
  MoMIDI.stop()
  pause(0.2)
  kill(dumper, SIGTERM)
  try finish(dumper)
  let lines = printed(in: "/tmp/face").split(separator: "\n").map {
    $0.split(separator: " ").dropFirst().joined(separator: " ")
  }
  let expected = [
    "Note on 1, note 60, velocity 127", "Note off 1, note 60, velocity 64",
    "Control change 2, controller 11, value 64", "Pitch bend 3, value 8191",
    "Channel aftertouch 4, value 127",
    "Polyphonic aftertouch 4, note 61, value 64", "Program change 5, program 7",
    "System exclusive F0 7D 01 F7", "System exclusive F0 7F 7F 06 01 F7",
    "Note on 7, note 64, velocity 127", "Note on 8, note 65, velocity 127",
    "Note off 7, note 64, velocity 64", "Control change 7, controller 123, value 0",
    "Note off 8, note 65, velocity 64", "Control change 8, controller 123, value 0",
  ]
  let sent = lines.filter { line in
    ["Note", "Control", "Pitch", "Channel", "Poly", "Program", "System"].contains { line.hasPrefix($0) }
  }
  report.check(
    "aseqdump sees what playNote, control, bend, pressure, program, sysEx, mmc, noteOn and allNotesOff send",
    sent == expected, "\(lines)")
  let refused: [(String, () throws -> Void)] = [
    ("channel 17 does not exist", { try MoMIDI.playNote(60, channel: 17) }),
    ("key 128 does not exist", { try MoMIDI.playNote(128) }),
    ("controller 200 does not exist", { try MoMIDI.control(200, to: 1) }),
    ("the bend is NaN or infinite, but must be a number", { try MoMIDI.bend(.nan) }),
    ("the SysEx message cannot be sent", { try MoMIDI.sysEx([0x80]) }),
  ]
  for (text, body) in refused {
    var said = "nothing"
    do { try body() } catch { said = "\(error)" }
    report.check("a call that cannot be is refused with \"\(text)\"", said.hasPrefix(text), said)
  }
}
