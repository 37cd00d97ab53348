// vm-guest GROUP     runs one group of checks, a line each
// vm-guest --list    prints the groups in the order the guest's /init runs them
// vm-guest --throw   a program that fails while it holds notes, for the group "midi"
import Glibc

let groups: [(name: String, run: (Report) throws -> Void)] = [
  ("loopback", checkLoopback),
  ("unplug", checkUnplug),
  ("accelerometer", checkAccelerometer),
  ("audio", checkMoAudio),
  ("clocks", checkTwoClocks),
  ("replug", checkMoAudioReplug),
  ("accel", checkMoAccel),
  ("strike", checkStrike),
  ("touch", checkMoTouch),
  ("touchpad", checkTouchPad),
  ("controller", checkController),
  ("rumble", checkRumble),
  ("iio", checkIIO),
  ("serial", checkSerial),
  ("rig", checkRig),
  ("gpio", checkGPIO),
  ("udev", checkUdev),
  ("shakedrum", checkShakeDrum),
  ("calibrate", checkCalibrate),
  ("midi", checkMIDI),
  ("usb-midi", checkUSBMIDI),
]

if CommandLine.arguments.count == 2, CommandLine.arguments[1] == "--list" {
  for group in groups {
    let missing: String? =
      switch group.name {
      case "udev" where access(udevd, X_OK) != 0: "udev"
      case "midi" where access("/programs/amidi", X_OK) != 0: "alsa-utils"
      case "usb-midi" where access("/programs/amidi", X_OK) != 0: "alsa-utils"
      default: nil
      }
    if let missing {
      // Standard output holds the names of the groups only.
      let text = "# skip: \(group.name): sudo apt-get install \(missing)\n"
      _ = write(STDERR_FILENO, text, text.utf8.count)
    } else {
      print(group.name)
    }
  }
  exit(0)
}
if CommandLine.arguments.dropFirst() == ["--throw"] {
  holdAndThrow()
  exit(0)
}
guard CommandLine.arguments.count == 2,
  let group = groups.first(where: { $0.name == CommandLine.arguments[1] })
else {
  print("usage: vm-guest --list | " + groups.map(\.name).joined(separator: " | "))
  exit(64)
}
let report = Report(group: group.name)
do {
  try group.run(report)
} catch {
  report.check("runs to its end", false, "\(error)")
}
