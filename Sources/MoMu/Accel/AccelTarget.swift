/// What shakes, as `--accel` names it.
enum AccelTarget: Equatable, Sendable {
  /// Nothing was named: the best device, else the keys, else a simulated player.
  case automatic
  case evdev(path: String)
  case keys
  case simulated(SimulatedAccelerometer.Player)
  case tape(path: String)

  /// - Throws: `AccelError.unknownSource` for anything else.
  init(_ name: String?) throws(AccelError) {
    guard let name else {
      self = .automatic
      return
    }
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let detail = parts.count == 2 ? String(parts[1]) : ""
    switch (String(parts[0]), detail) {
    case ("keys", "") where parts.count == 1: self = .keys
    case ("evdev", let path) where !path.isEmpty: self = .evdev(path: path)
    case ("tape", let path) where !path.isEmpty: self = .tape(path: path)
    case ("sim", let player):
      guard let player = SimulatedAccelerometer.Player(rawValue: player) else { throw .unknownSource(name) }
      self = .simulated(player)
    default: throw .unknownSource(name)
    }
  }
}
