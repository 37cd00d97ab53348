/// An error in a mapping; its text names the line and says what to write.
public struct MappingError: Error, CustomStringConvertible, Equatable {
  /// The line, from 1; 0 if the file itself cannot be read.
  public var line: Int
  /// The problem in that line.
  public var problem: Problem
  /// The file that contains the line; nil if the rules did not come from a file.
  public var file: String?

  /// A problem in a mapping.
  public enum Problem: Equatable, Sendable {
    /// The file cannot be read.
    case unreadable(path: String, reason: String)
    /// There is no `->`, or nothing on one side of it.
    case noArrow
    /// No source has that name.
    case unknownSource(String, nearest: String?)
    /// The instrument has no parameter of that name.
    case unknownTarget(String, has: [String], nearest: String?)
    /// The text is not two numbers.
    case badSpan(String)
    /// The range of a source has two equal ends.
    case emptySpan(String)
    /// No scale or chord has that name.
    case unknownScale(String, nearest: String?)
    /// The word is unknown.
    case unknownWord(String)
    /// A word lacks the number after it.
    case noNumber(after: String, found: String?)
    /// A scale is given for a target that is not a pitch.
    case scaleWithoutNote
    /// `above` is not above `below`.
    case noHysteresis(above: Float, below: Float)
  }

  /// The file, the line, the problem, and what to write.
  public var description: String {
    guard line > 0 else { return problem.text }
    return (file.map { "\($0), " } ?? "") + "line \(line): \(problem.text)"
  }
}

extension MappingError.Problem {
  var text: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read the mapping \(path): \(reason)"
    case .noArrow: "a rule is a source, ->, and a target: write it as \"activity -> brightness\""
    case .unknownSource(let name, let nearest):
      "there is no source \"\(name)\"" + Self.remedy(nearest, MotionSource.allCases.map(\.rawValue))
    case .unknownTarget(let name, let has, let nearest):
      "there is no parameter \"\(name)\"" + Self.remedy(nearest, has + ["note", "strike", "gate", "bend"])
    case .badSpan(let word): "\"\(word)\" is no range: write two numbers as 0..1 or -45..45"
    case .emptySpan(let word):
      "\"\(word)\" has no width, so nothing would move: write two different numbers as 0..1 or -45..45"
    case .unknownScale(let name, let nearest):
      "there is no scale \"\(name)\"" + Self.remedy(nearest, NamedScale.allCases.map(\.name))
    case .unknownWord(let word):
      "\"\(word)\" means nothing here: after the target come a range, in SCALE ROOT, curve, smooth, dead, hold, above "
        + "and below"
    case .noNumber(let word, nil): "\(word) wants a number after it, such as \(word) 0.1"
    case .noNumber(let word, let found?):
      "\(word) wants a number after it, such as \(word) 0.1, not \"\(found)\""
    case .scaleWithoutNote: "a scale is for pitches: write it after \"-> note\""
    case .noHysteresis(let above, let below):
      "it opens above \(above) and closes below \(below): the second must be the smaller"
    }
  }

  private static func remedy(_ nearest: String?, _ all: [String]) -> String {
    nearest.map { ": did you mean \"\($0)\"?" } ?? ": there are \(all.joined(separator: ", "))"
  }
}
