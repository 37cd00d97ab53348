import Glibc
import MoMIDI
import MoMu

func checkEnd(_ report: Report) throws {
  let held: [[UInt8]] = [[0x90, 60, 100], [0x91, 64, 100], [0xB0, 64, 127], [0x90, 67, 100]]
  try SongFile.write(held, to: "/tmp/held.mid", lastTick: 60_000)
  for signal in [SIGTERM, SIGINT] {
    let dumper = try spawn(["/programs/aseqdump"], output: "/tmp/dumped")
    pause(0.5)
    let player = try spawn(["/programs/momu", "midi", "play", "--to", "aseqdump", "/tmp/held.mid"])
    for _ in 0..<300 where !printed(in: "/tmp/dumped").contains("note 67") { pause(0.01) }
    kill(player, signal)
    try finish(player)
    pause(0.2)
    kill(dumper, SIGTERM)
    try finish(dumper)
    let lines = printed(in: "/tmp/dumped").split(separator: "\n").map {
      $0.split(separator: " ").dropFirst().joined(separator: " ")
    }
    let end = lines.filter { $0.hasPrefix("Note off") || $0.hasPrefix("Control change") }.dropFirst()
    let expected = [
      "Note off 0, note 60, velocity 64", "Note off 0, note 67, velocity 64",
      "Note off 1, note 64, velocity 64",
      "Control change 0, controller 64, value 0", "Control change 0, controller 123, value 0",
      "Control change 1, controller 123, value 0",
    ]
    report.check(
      "after signal \(signal) aseqdump sees each note off, then the pedal, then controller 123",
      Array(end) == expected, "\(Array(end))")
  }
}

/// A program that holds notes when its set-up throws an error: `vm-guest --throw`.
func holdAndThrow() {
  MoApp.run("Holds a chord, then fails.", arguments: ["vm-guest"]) {
    try MoMIDI.start(source: "none", target: "aseqdump")
    for key in [60, 64] { try MoMIDI.noteOn(key) }
    try MoMIDI.control(64, to: 1, channel: 2)
    for _ in 0..<300 where !printed(in: "/tmp/dumped").contains("controller 64") { pause(0.01) }
    throw Failure("the set-up failed")
  }
}

func checkThrown(_ report: Report) throws {
  let dumper = try spawn(["/programs/aseqdump"], output: "/tmp/dumped")
  pause(0.5)
  let status = try finish(
    spawn(["/programs/vm-guest", "--throw"], output: "/tmp/thrown", withErrors: true))
  pause(0.2)
  kill(dumper, SIGTERM)
  try finish(dumper)
  let lines = printed(in: "/tmp/dumped").split(separator: "\n").map {
    $0.split(separator: " ").dropFirst().joined(separator: " ")
  }
  let expected = [
    "Note off 0, note 60, velocity 64", "Note off 0, note 64, velocity 64",
    "Control change 1, controller 64, value 0", "Control change 0, controller 123, value 0",
    "Control change 1, controller 123, value 0",
  ]
  let end = lines.filter { $0.hasPrefix("Note off") || $0.hasPrefix("Control change") }.dropFirst()
  report.check(
    "after an error is thrown aseqdump sees each note off, then the pedal, then controller 123",
    status != 0 && printed(in: "/tmp/thrown").contains("the set-up failed") && Array(end) == expected,
    "\(lines); " + printed(in: "/tmp/thrown"))
}

func checkUnplugged(_ raw: RawMIDI, _ report: Report) throws {
  let listener = try MoMuListener("all", count: 1_000_000)
  try listener.waitUntilConnected(report)
  for _ in 0..<20 {
    try raw.send([0x90, 60, 100, 0x90, 64, 100, 0x90, 67, 100])
    pause(0.1)
    let pulled = KernelDriver.virtualMIDI.unplug()
    try pulled.wait()
    try KernelDriver.virtualMIDI.plug()
    pause(1)
  }
  listener.stop()
  let heard = try listener.finish()
  let pressed = heard.filter { $0.first == 0x90 }
  let released = heard.filter { $0.first == 0x80 }
  report.check(
    "a card that is unplugged 20 times during a chord is found again in a second", pressed.count == 60,
    "\(pressed.count) keys of 60")
  report.check(
    "each note of the unplugged card is released", released.count == pressed.count,
    "\(released.count) of \(pressed.count)")
}
