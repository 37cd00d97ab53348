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
    /// The `->`, or one of its sides, is missing.
    case noArrow
    /// The source is unknown.
    case unknownSource(String, nearest: String?)
    /// A MIDI controller outside 0…119.
    case badControl(Int)
    /// The instrument has no such parameter.
    case unknownTarget(String, has: [String], nearest: String?)
    /// The range is not two numbers.
    case badSpan(String)
    /// The two ends of a source's range are equal.
    case emptySpan(String)
    /// The scale or chord is unknown.
    case unknownScale(String, nearest: String?)
    /// The word is unknown.
    case unknownWord(String)
    /// The number after a word is missing.
    case noNumber(after: String, found: String?)
    /// The rule has a scale, but its target is not a pitch.
    case scaleWithoutNote
    /// `above` is not greater than `below`.
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
