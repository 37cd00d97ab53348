/// An error in a mapping; its text names the line and says what to write.
public struct MappingError: Error, CustomStringConvertible, Equatable {
  /// The line number, from 1; 0 if the file itself cannot be read.
  public var line: Int
  /// The fault.
  public var problem: Problem
  /// The file that contains the line; nil if the rules did not come from a file.
  public var file: String?

  /// The faults of a mapping.
  public enum Problem: Equatable, Sendable {
    /// The file cannot be read.
    case unreadable(path: String, reason: String)
    /// The `->` is missing, or the source before it, or the target after it.
    case noArrow
    /// No source has the given name; `nearest` is the most similar name of a source, nil if none is similar.
    case unknownSource(String, nearest: String?)
    /// The number of a MIDI controller is outside 0…119.
    case badControl(Int)
    /// The instrument has no parameter with the given name; `has` lists the valid names, and `nearest` is the most
    /// similar name, nil if none is similar.
    case unknownTarget(String, has: [String], nearest: String?)
    /// A range is neither two numbers, such as `0..1`, nor two notes, such as `A3..A5`.
    case badSpan(String)
    /// The two ends of a source's range are equal.
    case emptySpan(String)
    /// No scale or chord has the given name; `nearest` is the most similar name, nil if none is similar.
    case unknownScale(String, nearest: String?)
    /// A word after the target is neither a range nor an option such as `smooth`.
    case unknownWord(String)
    /// The word `after`, such as `smooth`, has no number after it; `found` is the text in its place, nil at the end of
    /// the line.
    case noNumber(after: String, found: String?)
    /// The rule has a scale, but its target is not `note`.
    case scaleWithoutNote
    /// The rule's upper threshold, `above`, is not greater than its lower threshold, `below`.
    case noHysteresis(above: Float, below: Float)
  }

  /// The file and the line, the fault, and what to write.
  public var description: String {
    guard line > 0 else { return problem.text }
    return (file.map { "\($0), " } ?? "") + "line \(line): \(problem.text)"
  }
}

extension MappingError.Problem {
  var text: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read the mapping \(path): \(reason)"
    case .noArrow: "the rule needs a source, ->, and a target: write it as \"activity -> brightness\""
    case .unknownSource(let name, let nearest):
      "unknown source \"\(name)\""
        + Self.remedy(nearest, MotionSource.allCases.map(\.rawValue) + ["cc0 to cc119 of MIDI"])
    case .badControl(let number): "unknown controller \(number): use cc0 to cc119"
    case .unknownTarget(let name, let has, let nearest):
      "unknown parameter \"\(name)\"" + Self.remedy(nearest, has + ["note", "strike", "gate", "bend"])
    case .badSpan(let word): "\"\(word)\" is not a range: write two numbers as 0..1 or -45..45"
    case .emptySpan(let word):
      "the ends of \"\(word)\" are equal: write two different numbers as 0..1 or -45..45"
    case .unknownScale(let name, let nearest):
      "unknown scale \"\(name)\"" + Self.remedy(nearest, NamedScale.allCases.map(\.name))
    case .unknownWord(let word):
      "unknown word \"\(word)\": after the target, write a range, in SCALE ROOT, curve, smooth, dead, hold, above "
        + "or below"
    case .noNumber(let word, nil): "\(word) needs a number after it, such as \(word) 0.1"
    case .noNumber(let word, let found?):
      "\(word) needs a number after it, such as \(word) 0.1, not \"\(found)\""
    case .scaleWithoutNote: "only pitches have a scale: write it after \"-> note\""
    case .noHysteresis(let above, let below):
      "above is \(above) and below is \(below): above must be greater than below"
    }
  }

  private static func remedy(_ nearest: String?, _ all: [String]) -> String {
    nearest.map { ": did you mean \"\($0)\"?" } ?? ": use \(all.joined(separator: ", "))"
  }
}
