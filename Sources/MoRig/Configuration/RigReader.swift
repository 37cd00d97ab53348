import Glibc
import MoNetwork
import MoProgram
import MoSensors

/// Makes a configuration of its text, and finds what is wrong with it.
struct RigReader {
  private let file: String
  private var configuration = RigConfiguration()
  private var problems: [RigProblem] = []
  /// What the lines belong to that come next.
  private var part = Part.none
  /// The line of what was set already in this part, by its name.
  private var set: [String: Int] = [:]
  /// The line of `[rig]`.
  private var rigLine: Int?

  private enum Part {
    case none, rig, stream, unknown
  }

  /// Reads a configuration.
  ///
  /// - Parameter file: what it is called in what is said of it.
  /// - Throws: `RigProblems`: all that is wrong, in the order of the lines.
  static func read(_ text: String, file: String) throws(RigProblems) -> RigConfiguration {
    var reader = RigReader(file: file)
    for (number, line) in RigText(text).lines { reader.take(line, number) }
    reader.end()
    guard reader.problems.isEmpty else { throw RigProblems(list: reader.problems) }
    return reader.configuration
  }

  private init(file: String) { self.file = file }

  private mutating func wrong(_ line: Int, _ text: String) {
    problems.append(RigProblem(file: file, line: line, text: text))
  }

  private mutating func take(_ line: RigText.Line, _ number: Int) {
    switch line {
    case .heading(let text): begin(text, number)
    case .setting(let name, let value): take(name, value, number)
    case .unreadable(let text):
      if text.hasPrefix("[") { part = .unknown }
      wrong(number, "\"\(text)\" is no setting: write name = value, [heading], or # before a remark")
    }
  }

  private mutating func begin(_ text: String, _ number: Int) {
    set = [:]
    if text == "rig" {
      part = .rig
      if let rigLine {
        wrong(number, "[rig] stands in line \(rigLine) already: put all that belongs to it there")
      }
      rigLine = rigLine ?? number
      return
    }
    let words = text.split(separator: " ", maxSplits: 1)
    guard let first = words.first, let kind = RigKind(rawValue: String(first)) else {
      part = .unknown
      let known = ["rig"] + RigKind.allCases.map(\.rawValue)
      let nearest = Spelling.nearest(to: text, among: known).map { "did you mean [\($0)]? " } ?? ""
      wrong(number, "there is no [\(text)]: \(nearest)Use \(SensorError.list(known))")
      return
    }
    part = .stream
    let name = words.count == 2 ? String(words[1]) : nil
    let stream = RigStream(
      kind: kind, name: name, address: kind.address + (name.map { "/\($0)" } ?? ""), line: number)
    if let twin = configuration.streams.first(where: { $0.title == stream.title }) {
      wrong(
        number,
        "[\(stream.title)] stands in line \(twin.line) already: give this one a name, such as [\(kind.rawValue) left]"
      )
    }
    if let name {
      do throws(RigMistake) {
        try RigValue.checkWord(name, such: "[\(kind.rawValue) left]")
      } catch {
        wrong(number, error.text)
      }
    }
    configuration.streams.append(stream)
  }

  private mutating func take(_ name: String, _ value: String, _ number: Int) {
    do throws(RigMistake) {
      switch part {
      case .none:
        throw RigMistake(
          "\"\(name)\" stands under no heading: write [rig], or a sensor such as [accel], above it")
      case .unknown: return
      case .rig:
        let setting = try self.setting(name, number, among: RigConfiguration.settings, of: "rig")
        try setting.set(&configuration, value)
      case .stream:
        let last = configuration.streams.count - 1
        let setting = try self.setting(
          name, number, among: RigStream.settings, of: configuration.streams[last].title)
        try setting.set(&configuration.streams[last], value)
      }
    } catch {
      wrong(number, error.text)
    }
  }

  /// The setting of that name, which a part says once.
  private mutating func setting<Part>(
    _ name: String, _ number: Int, among known: [RigSetting<Part>], of heading: String
  ) throws(RigMistake) -> RigSetting<Part> {
    guard let setting = known.first(where: { $0.name == name }) else {
      let names = known.map(\.name)
      let nearest = Spelling.nearest(to: name, among: names).map { "did you mean \($0)? " } ?? ""
      throw RigMistake("[\(heading)] has no \"\(name)\": \(nearest)Use \(SensorError.list(names))")
    }
    if let before = set.updateValue(number, forKey: name) {
      throw RigMistake("\(name) is set in line \(before) already: leave one of them")
    }
    return setting
  }

  /// What can be seen only from the whole.
  private mutating func end() {
    if configuration.streams.isEmpty, problems.isEmpty {
      wrong(0, "no sensor is named: write a heading such as [accel], and under it to = 192.168.0.7:9000")
    }
    for (index, stream) in configuration.streams.enumerated() where stream.targets.isEmpty {
      configuration.streams[index].targets = configuration.targets
      if configuration.targets.isEmpty {
        wrong(
          stream.line,
          "[\(stream.title)] goes nowhere: write to = 192.168.0.7:9000 under it, or under [rig] for all")
      }
    }
    for stream in configuration.streams {
      if stream.kind == .sensor, stream.source == nil {
        wrong(
          stream.line,
          "[\(stream.title)] has no source: write source = serial:/dev/ttyACM0, iio:0 or evdev:NAME")
      }
      if !stream.kind.isContinuous, !stream.wishes.isEmpty {
        wrong(
          stream.line,
          "[\(stream.title)] takes no rate, dead-band, smooth or repeat: each of its messages is news")
      }
      if stream.kind.isContinuous, !stream.kind.canBeSmoothed, stream.wishes.smooth != nil {
        wrong(
          stream.line, "[\(stream.title)] takes no smooth: its values go round, so that none lies between two"
        )
      }
      if stream.kind != .sensor, stream.channel != nil {
        wrong(stream.line, "[\(stream.title)] has no channels: they are [sensor]'s")
      }
    }
    problems.sort { $0.line < $1.line }
  }
}
