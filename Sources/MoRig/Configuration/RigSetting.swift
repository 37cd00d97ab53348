import MoRuntime
import MoSensing

/// A setting that may stand under a heading of a configuration: its name, and the function that stores its value.
package struct RigSetting<Part>: Sendable {
  package let name: String
  /// Parses the text of a value, and stores the value; throws a mistake with the text to write instead.
  let set: @Sendable (inout Part, String) throws(RigMistake) -> Void

  init(_ name: String, set: @escaping @Sendable (inout Part, String) throws(RigMistake) -> Void) {
    self.name = name
    self.set = set
  }

  /// Returns a setting that is a number.
  ///
  /// - Parameters:
  ///   - unit: the unit of the number, in words.
  ///   - example: the value that the error suggests.
  static func number(
    _ name: String, _ range: ClosedRange<Double>, _ unit: String, such example: String,
    use: @escaping @Sendable (inout Part, Double) -> Void
  ) -> RigSetting {
    RigSetting(name) { part, text throws(RigMistake) in
      guard let number = Double(text), range.contains(number) else {
        throw RigMistake(
          "\"\(text)\" is not a valid \(name): write a number from \(range.lowerBound.short) to \(range.upperBound.short) "
            + "(\(unit)), such as \(name) = \(example)")
      }
      use(&part, number)
    }
  }

  /// Returns the setting `to`, which names targets.
  static func targets(_ use: @escaping @Sendable (inout Part, [String]) -> Void) -> RigSetting {
    RigSetting("to") { part, text throws(RigMistake) in
      let targets = text.split { $0 == "," || $0.isWhitespace }.map { String($0) }
      guard !targets.isEmpty else { throw RigMistake("to has no target: write to = 192.168.0.7:9000") }
      var right: [String] = []
      var mistake: RigMistake?
      for target in targets {
        do throws(RigMistake) {
          try RigValue.checkTarget(target)
          if right.contains(target) {
            throw RigMistake("\(target) is named twice: remove one")
          }
          right.append(target)
        } catch {
          mistake = mistake ?? error
        }
      }
      use(&part, right)
      if let mistake { throw mistake }
    }
  }
}

extension Double {
  /// The number as people write it: `60`, `0.1`.
  var short: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}

extension RigConfiguration {
  /// The settings that may stand under the heading `[rig]`.
  package static let settings: [RigSetting<RigConfiguration>] = [
    RigSetting("name") { rig, value throws(RigMistake) in
      try RigValue.checkWord(value, such: "kitchen")
      rig.name = value
    },
    .targets { $0.targets = $1 },
    .number("statistics", 0...86_400, "seconds", such: "10, or 0 for none") { $0.statistics = $1 },
    RigSetting("listen") { rig, value throws(RigMistake) in
      guard let port = Int(value), (1...65_535).contains(port) else {
        throw RigMistake("\"\(value)\" is not a port: write a number from 1 to 65535, such as listen = 9001")
      }
      rig.port = port
    },
    RigSetting("midi-channel") { rig, value throws(RigMistake) in
      guard let number = Int(value), (1...16).contains(number) else {
        throw RigMistake(
          "\"\(value)\" is not a MIDI channel: write a number from 1 to 16, such as midi-channel = 1")
      }
      rig.midiChannel = number
    },
    RigSetting("confirm") { rig, value throws(RigMistake) in
      rig.confirms = try RigValue.isYes(value, for: "confirm")
    },
  ]
}

extension RigStream {
  /// The settings that may stand under the heading of a sensor.
  package static let settings: [RigSetting<RigStream>] = [
    RigSetting("source") { stream, value throws(RigMistake) in
      // Set even if a target is invalid, so that the missing target is not a second mistake.
      stream.source = value
      do throws(SensorError) { try stream.kind.check(value) } catch {
        throw RigMistake(error.text { _ in .line(heading: "[\(stream.title)]") })
      }
    },
    RigSetting("channel") { stream, value throws(RigMistake) in
      guard !value.isEmpty else {
        throw RigMistake("channel is empty: write a channel of the sensor, such as illuminance or knob")
      }
      stream.channel = value
    },
    .targets { $0.targets = $1 },
    RigSetting("address") { stream, value throws(RigMistake) in
      try RigValue.checkAddress(value)
      stream.address = value
    },
    .number("rate", 0.001...1000, "messages a second", such: "50") { $0.ruleSettings.rate = $1 },
    .number("dead-band", 0...1e9, "the sensor's unit", such: "0.02") { $0.ruleSettings.deadBand = $1 },
    .number("smooth", 0.001...60, "seconds", such: "0.1") { $0.ruleSettings.smooth = $1 },
    .number("repeat", 0.1...86_400, "seconds", such: "10") { $0.ruleSettings.again = $1 },
    .number("scale", -1e9...1e9, "a factor", such: "0.001") {
      $0.conversion.scale = $1
    },
    .number("offset", -1e9...1e9, "added to each value", such: "-273.15") {
      $0.conversion.offset = $1
    },
    RigSetting("range") { stream, value throws(RigMistake) in
      stream.conversion.range = try RigValue.range(value)
    },
    RigSetting("unit") { stream, value throws(RigMistake) in
      guard !value.isEmpty, value.utf8.count <= 16 else {
        throw RigMistake("\"\(value)\" is not a unit: write a short word, such as unit = lux")
      }
      stream.unit = value
    },
    RigSetting("midi") { stream, value throws(RigMistake) in
      var places: [RigMIDIPlace] = []
      for word in value.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
        places.append(try RigMIDIPlace(String(word)))
      }
      stream.midi = places
    },
    RigSetting("stamped") { stream, value throws(RigMistake) in
      stream.isStamped = try RigValue.isYes(value, for: "stamped")
    },
  ]
}
