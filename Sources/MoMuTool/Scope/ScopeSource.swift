import MoCore
import MoRig
import MoRuntime
import MoSensing

/// A source of curves, as typed: `accel`, `gyro=iio:0`, `serial:/dev/ttyACM0`, `tape:FILE`.
enum ScopeSource: Equatable {
  /// The path of a tape, which is drawn as a whole and immediately.
  case tape(String)
  /// A kind of sensor and its source, such as `iio:0`; the source is nil for the best available device.
  case sensor(RigKind, String?)

  /// - Throws: `ToolError.noSource`, `SensorError`.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    if let kind = RigKind(rawValue: parts[0]) {
      let source = parts.count == 2 ? parts[1] : nil
      if let source { try kind.check(source) }
      guard kind != .sensor || source != nil else {
        throw ToolError.noSource(text, nearest: "sensor=serial:/dev/ttyACM0")
      }
      self = .sensor(kind, source)
      return
    }
    let scheme = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    switch scheme[0] {
    case "tape" where scheme.count == 2 && !scheme[1].isEmpty: self = .tape(scheme[1])
    case "serial", "iio", "evdev": self = .sensor(.sensor, text)
    // A simulated player belongs to the first kind of sensor that has it.
    case "sim":
      guard let kind = RigKind.allCases.first(where: { $0.devices.contains { $0.name == text } }) else {
        let players = RigKind.allCases.flatMap { $0.devices.map(\.name) }.filter { $0.hasPrefix("sim:") }
        throw ToolError.noSource(text, nearest: Spelling.nearest(to: text, among: players))
      }
      self = .sensor(kind, text)
    default:
      let kinds = RigKind.allCases.map(\.rawValue)
      throw ToolError.noSource(text, nearest: Spelling.nearest(to: parts[0], among: kinds))
    }
  }
}
