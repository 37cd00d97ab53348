/// A setting that may stand under a heading of a configuration: its name, and the function that stores its value.
struct RigSetting<Part>: Sendable {
  let name: String
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
  fileprivate var short: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
