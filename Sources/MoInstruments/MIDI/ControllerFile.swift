/// The text of the file in which MoMu stores which MIDI controller sets which parameter of an instrument.
///
///     # The controllers that momu play has learned (key l).
///     [nanoKONTROL2 MIDI 1]
///     harp cc74 -> brightness
///
/// A heading names a device. Each line below a heading names an instrument, a controller and a parameter. A change
/// keeps all lines that are not about the changed assignment, also lines that cannot be parsed.
///
/// - Thread: any; a plain value.
package struct ControllerFile: Equatable, Sendable {
  /// A controller of a device, and the instrument whose parameter the controller sets.
  package struct Place: Hashable, Sendable {
    package var device: String
    package var instrument: String
    /// The number of the controller, 0…119.
    package var number: Int

    package init(device: String, instrument: String, number: Int) {
      (self.device, self.instrument, self.number) = (device, instrument, number)
    }
  }

  /// A line that cannot be parsed.
  package struct Problem: Equatable {
    /// The line number, counted from 1.
    package var line: Int
    /// The reason why the line cannot be parsed, and how to write it.
    package var text: String
  }

  private var lines: [Substring]
  /// The maximum size of a file, in bytes.
  static let longest = 1 << 20

  private static let heading = "# The controllers that momu play has learned (key l)."

  /// Creates the value from the text of a file; if `text` is nil, the value is a new file without assignments.
  package init(_ text: String?) {
    lines = text?.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) ?? [Self.heading[...]]
    while lines.last?.isEmpty == true { lines.removeLast() }
  }

  /// The file's text.
  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// The parameter that each controller sets; if two lines name the same controller, the later line wins.
  package var parameters: [Place: String] {
    var found: [Place: String] = [:]
    for line in read() { if case .rule(let place, let parameter) = line { found[place] = parameter } }
    return found
  }

  /// The lines that cannot be parsed.
  package var problems: [Problem] {
    read().enumerated().compactMap { index, line in
      guard case .unreadable(let text) = line else { return nil }
      return Problem(line: index + 1, text: text)
    }
  }

  /// Assigns a controller to a parameter of an instrument.
  ///
  /// Earlier assignments for this instrument are removed: the assignment of this controller to another parameter, and
  /// the assignments of other controllers of the same device to this parameter.
  package mutating func set(_ place: Place, to parameter: String) {
    let read = read()
    for index in read.indices.reversed() {
      guard case .rule(let other, let old) = read[index], other.device == place.device,
        other.instrument == place.instrument, other.number == place.number || old == parameter
      else { continue }
      lines.remove(at: index)
    }
    let rule = "\(place.instrument) cc\(place.number) -> \(parameter)"
    guard let heading = lines.lastIndex(where: { Self.device($0) == place.device }) else {
      lines += ["[\(place.device)]", rule[...]]
      return
    }
    let next = lines[(heading + 1)...].firstIndex { Self.device($0) != nil } ?? lines.count
    lines.insert(rule[...], at: next)
  }

  private enum Line {
    case rule(Place, String)
    /// A heading, a comment or an empty line.
    case other
    case unreadable(String)
  }

  private func read() -> [Line] {
    var device: String?
    return lines.map { line in
      let text = line.drop { $0 == " " || $0 == "\t" }
      if text.isEmpty || text.hasPrefix("#") { return .other }
      if let name = Self.device(line) {
        device = name
        return .other
      }
      let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).map(String.init)
      guard words.count == 4, words[2] == "->" else {
        return .unreadable("\"\(text)\" is not a rule: write it as harp cc74 -> brightness")
      }
      guard case .control(let number)? = Mapping.Source(controlNamed: words[1]),
        LearnedControls.isLearnable(number)
      else {
        return .unreadable("\"\(words[1])\" cannot be learned: write a controller as cc1 to cc119")
      }
      guard let device else {
        return .unreadable("the rule stands under no device: write its name above it, as [nanoKEY2 MIDI 1]")
      }
      return .rule(Place(device: device, instrument: words[0], number: number), words[3])
    }
  }

  /// Returns the name of the device in a heading such as `[nanoKONTROL2 MIDI 1]`; nil for other lines.
  private static func device(_ line: Substring) -> String? {
    guard line.hasPrefix("["), let end = line.lastIndex(of: "]") else { return nil }
    return String(line[line.index(after: line.startIndex)..<end])
  }
}
