import MoOSC
import MoSensing

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
    guard let kind = kinds[address], let curves = kind.curves else {
      if address == OSCTape.headerAddress || address == TapeRecorder.senderAddress { return [] }
      return arguments.enumerated().compactMap { place, argument in
        number(argument).map { ScopeValue(pane: address, unit: "", line: String(place + 1), value: $0) }
      }
    }
    switch curves {
    case .arguments(let curves):
      return curves.compactMap { curve in
        guard curve.place < arguments.count, let value = arguments[curve.place].number, value.isFinite else {
          return nil
        }
        return ScopeValue(pane: curve.pane ?? kind.name, unit: curve.unit, line: curve.name, value: value)
      }
    case .named:
      guard let name = arguments.first?.text, let value = arguments.last?.number else { return [] }
      let (pane, line) = kind.hasChannels ? split(name) : (kind.name, name)
      return [ScopeValue(pane: pane, unit: "", line: line, value: value)]
    }
  }

  private static func number(_ argument: OSCArgument) -> Double? {
    if case .bool(let value) = argument { return value ? 1 : 0 }
    return argument.number
  }

  /// The kinds of sensors by the OSC addresses of their messages.
  private static let kinds = Dictionary(
    AnySensorKind.all.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })

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
