import MoRuntime

/// A result of one of the doctor's checks, and its fix.
struct Finding: Equatable {
  enum Level: String, Comparable {
    case ok
    /// The result of the check may matter, or the check could not be made.
    case note
    /// Messages are lost or late, or a device cannot be used.
    case problem

    static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }
    private var rank: Int { self == .ok ? 0 : self == .note ? 1 : 2 }
  }

  var level: Level
  /// The subject in one word: address, multicast, wifi and so on.
  var topic: String
  /// The fact that was found.
  var what: String
  /// The reason why the result matters; nil if no reason is needed.
  var why: String?
  /// The commands or actions that solve the problem; each element is a step.
  var fix: [String] = []

  static func ok(_ topic: String, _ what: String) -> Finding { Finding(level: .ok, topic: topic, what: what) }

  static func note(_ topic: String, _ what: String, why: String? = nil, fix: String...) -> Finding {
    Finding(level: .note, topic: topic, what: what, why: why, fix: fix)
  }

  static func problem(_ topic: String, _ what: String, why: String, fix: String...) -> Finding {
    Finding(level: .problem, topic: topic, what: what, why: why, fix: fix)
  }
}

/// Returns the findings about the network, in the order of a packet's path: from the machine and its addresses to
/// buffers.
func findings(_ surroundings: SystemSnapshot) -> [Finding] {
  let checks = [
    machineFindings, addressFindings, multicastFindings, broadcastFindings, tunnelFindings, wirelessFindings,
    neighbourFindings, firewallFindings, portFindings, sessionFindings, bufferFindings,
  ]
  return checks.flatMap { $0(surroundings) }
}

/// The output of the doctor.
enum FindingText {
  /// Returns the text for people: a line for each finding, with its reason and fix below it.
  ///
  /// - Parameter devices: the findings about devices, printed after those about the network.
  static func plain(_ findings: [Finding], port: Int, devices: [Finding] = []) -> String {
    var text = "The network, for OSC on UDP port \(port):\n\n" + table(findings)
    if !devices.isEmpty { text += "\nSound, MIDI, sensors and boards:\n\n" + table(devices) }
    return text + "\n\(summary(findings + devices))\n"
  }

  /// A subject that the doctor can check alone, as in `momu doctor midi`.
  enum Topic: String {
    case midi, rig
  }

  /// Returns the text about one subject only.
  static func plain(_ findings: [Finding], about topic: Topic) -> String {
    guard !findings.isEmpty || topic != .rig else {
      return "This machine has no rig: momu rig --example prints an example configuration.\n"
    }
    return (topic == .rig ? "The rig:" : "MIDI:") + "\n\n" + table(findings) + "\n\(summary(findings))\n"
  }

  private static func table(_ findings: [Finding]) -> String {
    let width = findings.map(\.topic.count).max() ?? 0
    var text = ""
    for finding in findings {
      let level = finding.level == .problem ? "PROBLEM" : finding.level.rawValue
      text += "  \(level.padded(to: 7))  \(finding.topic.padded(to: width))  \(finding.what)\n"
      if let why = finding.why { text += "           why: \(why)\n" }
      for (index, line) in finding.fix.enumerated() {
        text += "           \(index == 0 ? "fix: " : "     ")\(line)\n"
      }
    }
    return text
  }

  /// Returns the findings as one JSON object.
  static func json(_ findings: [Finding], port: Int) -> String {
    let list = findings.map { finding in
      JSONValue.object([
        ("level", .text(finding.level.rawValue)), ("topic", .text(finding.topic)),
        ("what", .text(finding.what)), ("why", finding.why.map { .text($0) } ?? .null),
        ("fix", .list(finding.fix.map { .text($0) })),
      ])
    }
    let problems = findings.filter { $0.level == .problem }.count
    return JSONValue.object([
      ("port", .integer(Int64(port))), ("problems", .integer(Int64(problems))), ("findings", .list(list)),
    ]).description + "\n"
  }

  private static func summary(_ findings: [Finding]) -> String {
    let problems = findings.filter { $0.level == .problem }.count
    let notes = findings.filter { $0.level == .note }.count
    let noted = notes == 0 ? "" : ", \(counted(notes, "note"))"
    return "\(problems == 0 ? "No problem" : counted(problems, "problem"))\(noted)."
  }
}
