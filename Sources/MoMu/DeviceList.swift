import MoAudioDevices
import MoDSPCore
import MoRuntime
import MoSensing

/// The output of `--list-devices`: all devices of this machine that can be values of `--audio` and `--accel`.
enum DeviceList {
  static func text() -> String {
    let audio = section("Sound (--audio):", AudioServer.shared.devices(), none: "no sound card")
    let accel = section("Motion (--accel):", AccelServer.devices(), none: "no accelerometer")
    return audio + "\n" + accel
  }

  private static func section(_ title: String, _ devices: [NamedDevice], none: String) -> String {
    let always = devices.filter { !$0.isReal }
    let real = devices.filter(\.isReal)
    let width = devices.map(\.name.count).max() ?? 0
    let rows = (real + always).map { "  \($0.name.padded(to: width))  \($0.about)" }
    let missing = real.isEmpty ? ["  (\(none) found)"] : []
    return ([title] + missing + rows).joined(separator: "\n") + "\n"
  }
}
