import MoOSC

/// A numeric value of an OSC message, with the pane and the curve in which the value is drawn.
struct ScopeValue: Equatable {
  /// The title of the pane: `accel`.
  var pane: String
  /// The unit, such as `g`; empty for plain numbers.
  var unit: String
  /// The name of the curve in the pane: `x`.
  var line: String
  var value: Double
}

/// Assigns the values of OSC messages to panes and curves; the axes of a sensor share a pane.
enum ScopeValues {
  /// Returns the numeric values of an OSC message, with their panes and curves.
  ///
  /// For an OSC address that MoMu does not define, the address is the pane's title. The name of a value's curve is then
  /// the value's position in the message, from 1.
  static func of(_ address: String, _ arguments: [OSCArgument]) -> [ScopeValue] {
    if let table = tables[address] {
      return table.compactMap { part in
        guard part.place < arguments.count, let value = arguments[part.place].number, value.isFinite else {
          return nil
        }
        return ScopeValue(pane: part.pane, unit: part.unit, line: part.line, value: value)
      }
    }
    switch address {
    case "/momu/button":
      guard let name = arguments.first?.text, let value = arguments.last?.number else { return [] }
      return [ScopeValue(pane: "buttons", unit: "", line: name, value: value)]
    case "/momu/sensor":
      guard let name = arguments.first?.text, let value = arguments.last?.number else { return [] }
      let (pane, line) = split(name)
      return [ScopeValue(pane: pane, unit: "", line: line, value: value)]
    case OSCTape.headerAddress, TapeRecorder.senderAddress: return []
    default:
      return arguments.enumerated().compactMap { place, argument in
        number(argument).map { ScopeValue(pane: address, unit: "", line: String(place + 1), value: $0) }
      }
    }
  }

  private static func number(_ argument: OSCArgument) -> Double? {
    if case .bool(let value) = argument { return value ? 1 : 0 }
    return argument.number
  }

  private struct Part {
    var place: Int
    var pane: String
    var unit: String
    var line: String

    static func vector(_ pane: String, _ unit: String, _ lines: [String]) -> [Part] {
      lines.enumerated().map { Part(place: $0, pane: pane, unit: unit, line: $1) }
    }
  }

  /// For each OSC address, the values to draw: their position in the message, pane, unit and curve.
  private static let tables: [String: [Part]] = [
    "/momu/accel": Part.vector("accel", "g", ["x", "y", "z"]),
    "/momu/gyro": Part.vector("gyro", "rad/s", ["x", "y", "z"]),
    "/momu/magnet": Part.vector("magnet", "µT", ["x", "y", "z"]),
    "/momu/orientation": Part.vector("orientation", "quaternion", ["w", "x", "y", "z"]),
    "/momu/compass": Part.vector("compass", "°", ["magnetic", "true"]),
    "/momu/location": [
      Part(place: 3, pane: "speed", unit: "m/s", line: "speed"),
      Part(place: 2, pane: "altitude", unit: "m", line: "altitude"),
    ],
    "/momu/touch": [
      Part(place: 1, pane: "touch", unit: "", line: "x"), Part(place: 2, pane: "touch", unit: "", line: "y"),
    ],
  ]

  /// Splits a channel's name into the names of its pane and its curve.
  ///
  /// The channels `acc/1` and `acc/2` share a pane, and so do `accel_x` and `accel_y`. The channel `knob` has its own
  /// pane.
  private static func split(_ channel: String) -> (pane: String, line: String) {
    if let slash = channel.lastIndex(of: "/"), slash != channel.startIndex {
      return (String(channel[..<slash]), String(channel[channel.index(after: slash)...]))
    }
    for end in ["_x", "_y", "_z"] where channel.hasSuffix(end) {
      return (String(channel.dropLast(2)), String(channel.suffix(1)))
    }
    return (channel, channel)
  }
}
