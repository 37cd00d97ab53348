import MoProgram

/// What shakes, as `--accel` names it.
enum AccelTarget: Equatable, Sendable {
  /// Nothing was named: the best device, else the keys, else a simulated player.
  case automatic
  case evdev(path: String)
  case keys
  /// A phone; the port that it sends to, nil for the one that the network listens on anyway.
  case net(port: Int?)
  case simulated(SimulatedAccelerometer.Player)
  case tape(path: String)

  /// - Throws: `AccelError.unknownSource` for anything else, `.badPort` for a port that is none.
  init(_ name: String?) throws(AccelError) {
    guard let name else {
      self = .automatic
      return
    }
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let detail = parts.count == 2 ? String(parts[1]) : ""
    switch (String(parts[0]), detail) {
    case ("keys", "") where parts.count == 1: self = .keys
    case ("net", "") where parts.count == 1: self = .net(port: nil)
    case ("net", let port):
      guard let number = wholeNumber(port), (1...65_535).contains(number) else { throw .badPort(port) }
      self = .net(port: number)
    case ("evdev", let path) where !path.isEmpty: self = .evdev(path: path)
    case ("tape", let path) where !path.isEmpty: self = .tape(path: path)
    case ("sim", let player):
      guard let player = SimulatedAccelerometer.Player(rawValue: player) else { throw .unknownSource(name) }
      self = .simulated(player)
    default: throw .unknownSource(name)
    }
  }
}
