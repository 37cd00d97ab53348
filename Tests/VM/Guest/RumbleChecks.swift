import Glibc
import MoSensing

/// MoHaptics on a pad whose virtual motors report their commands; unplugged, and plugged in again.
func checkRumble(_ report: Report) throws {
  let dumb = try VirtualPad("Pad without motors", canRumble: false)
  report.check("a pad without motors is none", MoHaptics.devices.isEmpty, "\(MoHaptics.devices)")
  report.check(
    "and without any nothing is felt, and nothing goes wrong", !MoHaptics.rumble(strong: 1, seconds: 0.1))

  for round in ["a pad", "a pad that is plugged in again"] {
    let pad = try VirtualPad("Virtual pad")
    report.check(
      "\(round) with motors is found", MoHaptics.devices == ["evdev:\(pad.path)"], "\(MoHaptics.devices)")
    report.check("\(round) rumbles", MoHaptics.rumble(strong: 0.5, weak: 0.25, seconds: 0.1))
    try waitUntil("\(round) plays what was asked for", report) { pad.played.count == 1 }
    let first = pad.played.first
    report.check(
      "its motors get half and a quarter of their force for a tenth of a second",
      first?.strong == 32_768 && first?.weak == 16_384 && first?.milliseconds == 100, "\(pad.played)")
    report.check("it is what rumbles", MoHaptics.source == "evdev:\(pad.path)", "\(MoHaptics.source ?? "")")

    for _ in 0..<20 { _ = MoHaptics.rumble(strong: 2, weak: -1, seconds: 100) }
    try waitUntil("twenty more are felt, each", report) { pad.played.count == 21 }
    report.check(
      "in the place of the first, so that the device's few places last; out of range counts as the nearer end",
      pad.played.dropFirst().allSatisfy {
        $0.effect == first?.effect && $0.strong == 65_535 && $0.weak == 0 && $0.milliseconds == 32_767
      }, "\(pad.played.last.map { "\($0)" } ?? "")")
    try pad.unplug()
    report.check("one that is pulled out is felt no more", !MoHaptics.rumble(strong: 1, seconds: 0.1))
  }

  let pad = try VirtualPad("Virtual pad")
  var refusal = ""
  do { try MoHaptics.start(source: "evdev:\(dumb.path)") } catch { refusal = "\(error)" }
  report.check(
    "one without motors is refused by name, with what to use",
    refusal == "\(dumb.path) is not a device that can rumble: use evdev:\(pad.path)", refusal)
  try MoHaptics.start(source: "evdev:Virtual pad")
  _ = MoHaptics.rumble(weak: 1, seconds: 0.05)
  MoHaptics.stop()
  try waitUntil("when it is let go of, the kernel takes its effect back", report) { pad.erased == 1 }
  try pad.unplug()
  try dumb.unplug()
}
