import Glibc
import MoSensing

/// MoHaptics on a pad whose virtual motors report their commands; unplugged, and plugged in again.
func checkRumble(_ report: Report) throws {
  let dumb = try VirtualPad("Pad without motors", canRumble: false)
  report.check(
    "a pad without motors is not a haptic device", MoHaptics.devices.isEmpty, "\(MoHaptics.devices)")
  report.check(
    "rumble does nothing without a pad, and without an error", !MoHaptics.rumble(strong: 1, seconds: 0.1))

  for round in ["a pad", "a pad that is plugged in again"] {
    let pad = try VirtualPad("Virtual pad")
    report.check(
      "\(round) with motors is found", MoHaptics.devices == ["evdev:\(pad.path)"], "\(MoHaptics.devices)")
    report.check("\(round) rumbles", MoHaptics.rumble(strong: 0.5, weak: 0.25, seconds: 0.1))
    try waitUntil("\(round) plays the requested effect", report) { pad.played.count == 1 }
    let first = pad.played.first
    report.check(
      "its motors get half and a quarter of their force for a tenth of a second",
      first?.strong == 32_768 && first?.weak == 16_384 && first?.milliseconds == 100, "\(pad.played)")
    report.check(
      "it is the device that rumbles", MoHaptics.source == "evdev:\(pad.path)", "\(MoHaptics.source ?? "")")

    for _ in 0..<20 { _ = MoHaptics.rumble(strong: 2, weak: -1, seconds: 100) }
    try waitUntil("twenty more effects are played, each", report) { pad.played.count == 21 }
    report.check(
      "a new effect replaces the first, and values out of range are clamped",
      pad.played.dropFirst().allSatisfy {
        $0.effect == first?.effect && $0.strong == 65_535 && $0.weak == 0 && $0.milliseconds == 32_767
      }, "\(pad.played.last.map { "\($0)" } ?? "")")
    try pad.unplug()
    report.check("an unplugged pad plays nothing", !MoHaptics.rumble(strong: 1, seconds: 0.1))
  }

  let pad = try VirtualPad("Virtual pad")
  var refusal = ""
  do { try MoHaptics.start(source: "evdev:\(dumb.path)") } catch { refusal = "\(error)" }
  report.check(
    "a named pad without motors is refused, with the devices to use",
    refusal == "\(dumb.path) is not a device that can rumble: use evdev:\(pad.path)", refusal)
  try MoHaptics.start(source: "evdev:Virtual pad")
  _ = MoHaptics.rumble(weak: 1, seconds: 0.05)
  MoHaptics.stop()
  try waitUntil("the kernel erases the effect of a released pad", report) { pad.erased == 1 }
  try pad.unplug()
  try dumb.unplug()
}
