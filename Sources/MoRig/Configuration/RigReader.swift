import Glibc
import MoCore
import MoNetwork
import MoRuntime
import MoSensing

/// A parser that converts the text of a configuration to a `RigConfiguration`, and finds the mistakes in the text.
package struct RigReader {
  private let file: String
  private var configuration = RigConfiguration()
  private var problems: [RigProblem] = []
  /// The kind of heading under which the present line stands: `[rig]`, a sensor or an output.
  private var part = Part.none
  /// The settings that were read under the current heading: the line number of each setting, by the setting's name.
  private var set: [String: Int] = [:]
  /// The indices of the sensors that have a mistake.
  private var broken: Set<Int> = []
  /// The indices of the outputs that have a mistake.
  private var brokenOutputs: Set<Int> = []
  /// Whether the setting `to` stands under `[rig]`, even if its targets are not valid.
  private var namesTargets = false
  /// The number of the line with the heading `[rig]`; nil before this heading was read.
  private var rigLine: Int?

  private enum Part {
    case none, rig, stream, output, unknown
  }

  /// Reads a configuration.
  ///
  /// - Parameter file: the file's name in messages.
  /// - Throws: `RigProblems` with all mistakes, in the order of the lines.
  package static func read(_ text: String, file: String) throws(RigProblems) -> RigConfiguration {
    let reading = reading(text, file: file)
    guard reading.problems.isEmpty else { throw RigProblems(list: reading.problems) }
    return reading.configuration
  }

  /// Reads the valid parts of a configuration, and lists the mistakes.
  ///
  /// A sensor with a mistake is left out, and the others stay. A target with a mistake is left out of its list.
  ///
  /// - Parameter file: the file's name in messages.
  package static func reading(_ text: String, file: String) -> RigReading {
    var reader = RigReader(file: file)
    for (number, line) in RigText(text).lines { reader.parse(line, number) }
    reader.end()
    reader.leaveOut()
    return RigReading(file: file, configuration: reader.configuration, problems: reader.problems)
  }

  private init(file: String) { self.file = file }

  private mutating func wrong(_ line: Int, _ text: String) {
    problems.append(RigProblem(file: file, line: line, text: text))
  }

  /// Reports a mistake that concerns a whole sensor, the sensor with the index `place`; `leaveOut` then removes this
  /// sensor.
  private mutating func wrong(_ place: Int, with text: String) {
    wrong(configuration.streams[place].line, text)
    broken.insert(place)
  }

  /// Removes the sensors and outputs that have a mistake.
  private mutating func leaveOut() {
    configuration.streams = configuration.streams.indices.filter { !broken.contains($0) }.map {
      configuration.streams[$0]
    }
    configuration.outputs = configuration.outputs.indices.filter { !brokenOutputs.contains($0) }.map {
      configuration.outputs[$0]
    }
  }

  private mutating func parse(_ line: RigText.Line, _ number: Int) {
    switch line {
    case .heading(let text): begin(text, number)
    case .setting(let name, let value): parse(name, value, number)
    case .unreadable(let text):
      if text.hasPrefix("[") { part = .unknown }
      breakStream()
      wrong(number, "\"\(text)\" is not a setting: write name = value, [heading], or # before a comment")
    }
  }

  private mutating func begin(_ text: String, _ number: Int) {
    set = [:]
    if text == "rig" {
      part = .rig
      if let rigLine {
        wrong(number, "line \(rigLine) has [rig] already: move these settings there")
      }
      rigLine = rigLine ?? number
      return
    }
    let words = text.split(separator: " ", maxSplits: 1)
    if words.first == "output" { return beginOutput(words.count == 2 ? String(words[1]) : "", number) }
    guard let first = words.first, let kind = AnySensorKind.all.first(where: { $0.name == first }) else {
      part = .unknown
      let known = ["rig"] + AnySensorKind.all.map(\.name) + ["output"]
      let nearest = Spelling.nearest(to: text, among: known).map { "did you mean [\($0)]? Use" } ?? "use"
      wrong(number, "there is no [\(text)]: \(nearest) \(SensorError.list(known))")
      return
    }
    part = .stream
    let name = words.count == 2 ? String(words[1]) : nil
    let stream = RigStream(
      kind: kind, name: name, address: kind.address + (name.map { "/\($0)" } ?? ""), line: number)
    var hasMistake = false
    if let duplicate = configuration.streams.first(where: { $0.title == stream.title }) {
      hasMistake = true
      wrong(
        number,
        "line \(duplicate.line) has [\(stream.title)] already: give this section a name, "
          + "such as [\(kind.name) left]"
      )
    }
    if let name {
      do throws(RigMistake) {
        try RigValue.checkWord(name, such: "[\(kind.name) left]")
      } catch {
        hasMistake = true
        wrong(number, error.text)
      }
    }
    configuration.streams.append(stream)
    if hasMistake { breakStream() }
  }

  private mutating func beginOutput(_ name: String, _ number: Int) {
    part = .output
    let output = RigOutput(name: name, line: number)
    let duplicate = configuration.outputs.first { $0.title == output.title }
    configuration.outputs.append(output)
    if let duplicate {
      breakStream()
      wrong(
        number,
        "line \(duplicate.line) has [\(output.title)] already: give this section a name, "
          + "such as [output left]")
    }
    do throws(RigMistake) {
      if !name.isEmpty { try RigValue.checkWord(name, such: "[output left]") }
    } catch {
      breakStream()
      wrong(number, error.text)
    }
  }

  /// Stores that the sensor or output whose lines are being read has a mistake, so that `leaveOut` removes it.
  private mutating func breakStream() {
    if part == .stream { broken.insert(configuration.streams.count - 1) }
    if part == .output { brokenOutputs.insert(configuration.outputs.count - 1) }
  }

  private mutating func parse(_ name: String, _ value: String, _ number: Int) {
    do throws(RigMistake) {
      switch part {
      case .none:
        throw RigMistake(
          "\"\(name)\" is under no heading: write [rig], or a sensor such as [accel], above it")
      case .unknown: return
      case .rig:
        let setting = try self.setting(name, number, among: RigConfiguration.settings, of: "rig")
        if name == "to" { namesTargets = true }
        try setting.set(&configuration, value)
      case .stream:
        let last = configuration.streams.count - 1
        if name == "to" { configuration.streams[last].namesTargets = true }
        let setting = try self.setting(
          name, number, among: RigStream.settings, of: configuration.streams[last].title)
        try setting.set(&configuration.streams[last], value)
      case .output:
        let last = configuration.outputs.count - 1
        let setting = try self.setting(
          name, number, among: RigOutput.settings, of: configuration.outputs[last].title)
        try setting.set(&configuration.outputs[last], value)
      }
    } catch {
      // The rig sends to the remaining targets of the list.
      if name != "to" || configuration.streams.last?.targets.isEmpty == true { breakStream() }
      wrong(number, error.text)
    }
  }

  /// Returns the setting with a name; throws a mistake if there is no such setting, or if it was already set under the
  /// present heading.
  private mutating func setting<Part>(
    _ name: String, _ number: Int, among known: [RigSetting<Part>], of heading: String
  ) throws(RigMistake) -> RigSetting<Part> {
    guard let setting = known.first(where: { $0.name == name }) else {
      let names = known.map(\.name)
      let nearest = Spelling.nearest(to: name, among: names).map { "did you mean \($0)? Use" } ?? "use"
      throw RigMistake("[\(heading)] has no \"\(name)\": \(nearest) \(SensorError.list(names))")
    }
    if let before = set.updateValue(number, forKey: name) {
      throw RigMistake("line \(before) sets \(name) already: remove one")
    }
    return setting
  }

  /// Gives sensors without targets the targets of `[rig]`, and finds the mistakes that show only after the last line,
  /// such as a sensor without a target.
  private mutating func end() {
    if configuration.isEmpty, problems.isEmpty {
      wrong(0, "there is no sensor: write a heading such as [accel], and under it to = 192.168.0.7:9000")
    }
    for (place, stream) in configuration.streams.enumerated() {
      if stream.targets.isEmpty, !stream.namesTargets {
        configuration.streams[place].targets = configuration.targets
        if configuration.targets.isEmpty, !namesTargets {
          wrong(
            place,
            with:
              "[\(stream.title)] has no target: write to = 192.168.0.7:9000 under it, or under [rig] for all sensors"
          )
        }
      }
      if configuration.streams[place].targets.isEmpty { broken.insert(place) }
      if let choices = stream.kind.choices, stream.source == nil {
        wrong(place, with: "[\(stream.title)] has no source: write source = \(choices)")
      }
      if let mistake = configuration.streams[place].midiMistake { wrong(place, with: mistake) }
      // A sensor that is left out opens no port.
      let earlier = (0..<place).filter { !broken.contains($0) }.map { configuration.streams[$0] }
      if let conflict = stream.portConflict(with: earlier) {
        wrong(place, with: conflict)
      }
      if stream.kind.nature == .events, !stream.ruleSettings.isEmpty {
        wrong(
          place,
          with:
            "[\(stream.title)] does not accept rate, dead-band, smooth or repeat: each of its messages is an event"
        )
      }
      if stream.kind.nature == .directions, stream.ruleSettings.smooth != nil {
        wrong(
          place, with: "[\(stream.title)] does not accept smooth: its values are angles, which wrap around"
        )
      }
      if stream.kind.nature != .quantities, stream.conversion.isNeeded {
        wrong(
          place,
          with: "[\(stream.title)] does not accept scale, offset or range: its values have no common unit")
      }
      if !stream.kind.hasChannels, stream.channel != nil {
        wrong(place, with: "[\(stream.title)] has no channels: only [sensor] and [host] have")
      }
    }
    checkOutputs()
    problems.sort { $0.line < $1.line }
  }

  private mutating func checkOutputs() {
    for (place, output) in configuration.outputs.enumerated() {
      func wrong(_ text: String) {
        self.wrong(output.line, text)
        brokenOutputs.insert(place)
      }
      if configuration.port == nil, place == 0 {
        wrong(
          "[\(output.title)] receives no messages: write a port under [rig], such as listen = 9001")
      }
      if configuration.port == nil { brokenOutputs.insert(place) }
      guard let device = output.device else {
        if !brokenOutputs.contains(place) || configuration.port == nil {
          wrong(
            "[\(output.title)] has no device: write device = led:NAME, pwm:pwmchip0/0 or gpio:gpiochip0/17")
        }
        continue
      }
      if let duplicate = configuration.outputs[..<place].first(where: { $0.device?.place == device.place }) {
        wrong(
          "[\(output.title)] has the same device as [\(duplicate.title)] in line \(duplicate.line): "
            + "remove one"
        )
      }
    }
  }
}
