import Glibc
import MoDSP
import MoMu

extension Mapping {
  /// Creates a mapping from text, such as `jerk -> strike 0.3..1`.
  ///
  /// - Parameters:
  ///   - text: the rules, one per line.
  ///   - parameters: the names of the instrument's parameters; nil to accept any name.
  /// - Throws: `MappingError` for the first line that cannot be parsed.
  public init(_ text: String, parameters: [String]? = nil) throws(MappingError) {
    try self.init(text, parameters: parameters, isMIDI: false)
  }

  /// - Parameter isMIDI: whether the rules control MIDI out instead of an instrument; errors then list targets such as
  ///   `cc7` and `pressure`.
  package init(_ text: String, parameters: [String]?, isMIDI: Bool) throws(MappingError) {
    rules = []
    var number = 0
    // An editor of Windows ends lines with CR and LF, which are one character.
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let content = line.prefix { $0 != "#" }
      let words = content.split { $0 == " " || $0 == "\t" }
      guard !words.isEmpty else { continue }
      do throws(MappingProblem) {
        var reader = RuleReader(words: words[...], isMIDI: isMIDI)
        rules.append(try reader.rule(parameters))
      } catch {
        throw MappingError(line: number, problem: error.problem)
      }
    }
  }

  /// Reads a mapping from a file; only the first 1,048,576 bytes are read.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - parameters: the names of the instrument's parameters; nil to accept any name.
  /// - Throws: `MappingError` if the file cannot be read, or for the first line that cannot be parsed.
  public init(file path: String, parameters: [String]? = nil) throws(MappingError) {
    try self.init(file: path, parameters: parameters, isMIDI: false)
  }

  /// - Parameter isMIDI: whether the rules control MIDI out instead of an instrument; errors then list targets such as
  ///   `cc7` and `pressure`.
  init(file path: String, parameters: [String]?, isMIDI: Bool) throws(MappingError) {
    guard let text = WholeFile.content(of: path, bytes: 1 << 20) else {
      throw MappingError(line: 0, problem: .unreadable(path: path, reason: String(cString: strerror(errno))))
    }
    do throws(MappingError) {
      try self.init(text, parameters: parameters, isMIDI: isMIDI)
    } catch {
      var error = error
      error.file = path
      throw error
    }
  }
}

/// A fault in one rule of a mapping, without the line number; the caller adds the number and throws a `MappingError`.
struct MappingProblem: Error {
  var problem: MappingError.Problem
  init(_ problem: MappingError.Problem) { self.problem = problem }
}

/// Parses one rule, word by word.
struct RuleReader {
  var words: ArraySlice<Substring>
  /// Whether the rule controls MIDI out instead of an instrument; errors then list targets such as `cc7`.
  var isMIDI = false

  mutating func rule(_ parameters: [String]?) throws(MappingProblem) -> Mapping.Rule {
    guard let arrow = words.firstIndex(of: "->"), arrow > words.startIndex, arrow < words.endIndex - 1 else {
      throw MappingProblem(.noArrow)
    }
    let source = try source()
    let from = words.first == "->" ? nil : try way(String(words.removeFirst()))
    guard words.popFirst() == "->", let name = words.popFirst().map(String.init) else {
      throw MappingProblem(.noArrow)
    }
    let target = Mapping.Target(named: name)
    if case .parameter = target, let parameters, !parameters.contains(name) {
      if isMIDI, name.hasPrefix("cc"), let number = Int(name.dropFirst(2)) {
        throw MappingProblem(.badControl(number))
      }
      let names = parameters + ["note", "strike", "gate", "bend"]
      throw MappingProblem(
        .unknownTarget(
          name, has: isMIDI ? ["cc0 to cc119", "pressure"] : parameters,
          nearest: Spelling.nearest(to: name, among: names)))
    }
    var rule = Mapping.Rule(source, to: target)
    if let from { rule.from = from }
    if target == .note { rule.hold = 0.2 }
    while let word = words.popFirst().map(String.init) { try read(word, into: &rule) }
    guard rule.below < rule.above else {
      throw MappingProblem(.noHysteresis(above: rule.above, below: rule.below))
    }
    return rule
  }

  private mutating func source() throws(MappingProblem) -> Mapping.Source {
    let name = words.popFirst().map(String.init) ?? ""
    if let source = MotionSource(rawValue: name) { return .motion(source) }
    if let source = Mapping.Source(controlNamed: name) { return source }
    if name.hasPrefix("cc"), let number = Int(name.dropFirst(2)) { throw MappingProblem(.badControl(number)) }
    let names = MotionSource.allCases.map(\.rawValue)
    throw MappingProblem(.unknownSource(name, nearest: Spelling.nearest(to: name, among: names)))
  }

  private mutating func read(_ word: String, into rule: inout Mapping.Rule) throws(MappingProblem) {
    switch word {
    case "in": try readScale(into: &rule)
    case "curve": rule.curve = max(0.01, try number(after: word))
    case "smooth": rule.smooth = max(0, try number(after: word))
    case "dead": rule.dead = max(0, try number(after: word))
    case "hold": rule.hold = max(0, try number(after: word))
    case "above": rule.above = try number(after: word)
    case "below": rule.below = try number(after: word)
    default:
      guard word.contains("..") else { throw MappingProblem(.unknownWord(word)) }
      rule.to = try span(word)
    }
  }

  private mutating func readScale(into rule: inout Mapping.Rule) throws(MappingProblem) {
    guard rule.target == .note else { throw MappingProblem(.scaleWithoutNote) }
    let name = words.popFirst().map(String.init) ?? ""
    // A root without an octave is enough, because scales repeat in every octave.
    let root = words.first.flatMap { NoteText.pitch($0) ?? NoteText.pitch($0 + "4") }
    if root != nil { words.removeFirst() }
    guard let scale = NamedScale(name) else {
      throw MappingProblem(
        .unknownScale(name, nearest: Spelling.nearest(to: name, among: NamedScale.allCases.map(\.name))))
    }
    rule.scale = scale.scale(root: Int(root ?? 60))
  }

  private mutating func number(after word: String) throws(MappingProblem) -> Float {
    let text = words.popFirst().map(String.init)
    guard let text, let number = Float(text), number.isFinite else {
      throw MappingProblem(.noNumber(after: word, found: text))
    }
    return number
  }

  /// Parses the range of a source, such as `-45..45`; throws if both ends are equal.
  private func way(_ word: String) throws(MappingProblem) -> Mapping.Span {
    let span = try span(word)
    guard span.begin != span.end else { throw MappingProblem(.emptySpan(word)) }
    return span
  }

  /// Parses a range of two numbers, such as `-45..45`, or of two notes, such as `A3..A5`.
  private func span(_ word: String) throws(MappingProblem) -> Mapping.Span {
    guard let dots = word.firstRange(of: "..") else { throw MappingProblem(.badSpan(word)) }
    let (begin, end) = (word[..<dots.lowerBound], word[dots.upperBound...])
    guard let first = Float(begin) ?? NoteText.pitch(begin), let last = Float(end) ?? NoteText.pitch(end),
      first.isFinite, last.isFinite
    else { throw MappingProblem(.badSpan(word)) }
    return Mapping.Span(first, last)
  }
}

/// A mapping file that is read again whenever it is saved, so that performers can edit it while playing.
///
/// If the changed file cannot be read, a warning is logged, and the previous mapping stays.
package final class MappingFile: EventTimer {
  package let name = "mapping"
  package private(set) var nextTime: HostTime?
  private let path: String
  private let read: (String) throws(MappingError) -> Void
  private var stamp: FileStamp

  /// Creates the event source that watches the file, and reads the instrument's mapping from the file for the first
  /// time; the file must be valid.
  ///
  /// - Throws: `MappingError`.
  package convenience init(
    _ path: String, for handle: InstrumentHandle, at now: HostTime
  ) throws(MappingError) {
    try self.init(path, at: now) { path throws(MappingError) in try handle.readMapping(file: path) }
  }

  /// Creates the event source that watches the file, and reads the file for the first time; the file must be valid.
  ///
  /// - Parameter read: reads the mapping from the file at the given path and applies it; called now, and after each
  ///   change of the file.
  /// - Throws: `MappingError`.
  package init(
    _ path: String, at now: HostTime, read: @escaping (String) throws(MappingError) -> Void
  ) throws(MappingError) {
    (self.path, self.read) = (path, read)
    try read(path)
    guard let stamp = FileStamp(path) else {
      throw MappingError(line: 0, problem: .unreadable(path: path, reason: "the file is missing"))
    }
    self.stamp = stamp
    nextTime = now
  }

  package func service(until now: HostTime) {
    nextTime = now + .milliseconds(250)
    // A missing file is one that an editor is replacing at this moment.
    guard let found = FileStamp(path), found != stamp else { return }
    stamp = found
    do throws(MappingError) {
      try read(path)
      Run.current.notice("\(path) is read again.")
    } catch {
      MoLog.log(.warning, "\(error)")
    }
  }
}
