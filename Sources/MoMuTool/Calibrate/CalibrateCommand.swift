import ArgumentParser
import Glibc
import MoCore
import MoMu

/// `momu calibrate`: measures the output delay that the sound card does not report.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measure the output delay your sound card does not report.",
    discussion: """
      This command plays clicks and records them with the microphone of the same device. From the measured delay, it \
      subtracts the delay that the device reports and the time in the air (2.9 ms per metre). The rest is the trim.
      """)

  // `--audio` has its own text here, since the device must also record.
  @Option(
    help: ArgumentHelp("Device to play and record on: hw:1 or hw:0+hw:1.", valueName: "DEVICE"))
  var audio: String?

  @Option(
    help: ArgumentHelp("Distance from loudspeaker to microphone, 0 to 1000.", valueName: "CM"),
    transform: readDistance)
  var distance = 10.0

  @Option(help: ArgumentHelp("Number of clicks, 3 to 99.", valueName: "N"), transform: readClicks)
  var clicks = 9

  @Flag(help: "Save the trim, and a given device, in the configuration.")
  var save = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let environment = Run.environment()
    let device =
      try audio ?? environment["MOMU_AUDIO"] ?? Configuration.value("audio", environment) ?? "default"
    // The device is chosen now; the variable would override it.
    unsetenv("MOMU_AUDIO")
    askForMicrophone()
    let score = ClickScore(clicks: clicks, sampleRate: 48_000)
    guard let take = try record(score, on: device) else { throw ExitCode(130) }
    let found = try Calibration(take, of: score, distance: distance / 100)
    let report = CalibrationReport(found, clicks: clicks, device: device)
    show(json ? report.json + "\n" : report.text(isSaved: save))
    if save {
      printDiagnostic(try SavedTrim(trim: report.trim, audio: audio).write(environment))
    }
  }

  /// Asks the user to place the microphone; waits for Enter if standard input is a terminal.
  private func askForMicrophone() {
    let advice =
      "Put the microphone next to the loudspeaker (\(centimetres) cm; for another distance, --distance CM)"
    guard isatty(STDIN_FILENO) == 1 else { return printDiagnostic("\(advice).") }
    printDiagnostic("\(advice), then press Enter.")
    _ = readLine()
  }

  private var centimetres: String { distance == distance.rounded() ? "\(Int(distance))" : "\(distance)" }

  /// Plays the clicks and records them; returns nil if the user ends the program.
  private func record(_ score: ClickScore, on device: String) throws -> ClickRecording? {
    let stop = StopWait()
    let recorder = ClickRecorder(score)
    do {
      try MoAudio.start(device: device, blockFrames: 256, inputs: 1, outputs: 2) { block in
        recorder.play(&block)
      }
    } catch let error as AudioError {
      throw CalibrationError(error) ?? error
    }
    defer { MoAudio.stop() }
    guard MoAudio.isRunning else { throw CalibrationError.noMicrophone(device: device) }
    printDiagnostic("Clicking \(clicks) times on \(device): \(score.samples.count / 48_000) seconds.")
    while !recorder.isDone {
      if stop.wait(until: SystemClock().now + .milliseconds(50)) { return nil }
      try recorder.checkHearing(device)
    }
    return try recorder.recording(from: device)
  }
}

@Sendable
private func readDistance(_ text: String) throws -> Double {
  guard let centimetres = Double(text), (0...1000).contains(centimetres) else {
    throw ValidationError("must be 0 to 1000 centimetres, such as 30")
  }
  return centimetres
}

@Sendable
private func readClicks(_ text: String) throws -> Int {
  guard let count = Int(text), (3...99).contains(count) else {
    throw ValidationError("must be a whole number from 3 to 99")
  }
  return count
}

/// The output of `momu calibrate`.
struct CalibrationReport {
  private let found: Calibration
  private let clicks: Int
  private let device: String

  init(_ found: Calibration, clicks: Int, device: String) {
    (self.found, self.clicks, self.device) = (found, clicks, device)
  }

  /// The trim in milliseconds, rounded to tenths; a zero has no minus sign.
  var trim: Double { (found.trim * 10).rounded() / 10 + 0 }

  /// Returns the report as lines of text.
  ///
  /// - Parameter isSaved: whether the trim is saved, so that the user need not type it.
  func text(isSaved: Bool) -> String {
    let known = found.roundTrip - found.trim
    var lines = [
      "round trip \(rounded(found.roundTrip)) ms, of which \(device) reports \(rounded(known)) ms",
      "trim \(trim) ms: half of \(found.heard) clicks are within \(rounded(found.spread)) ms of it, all within "
        + "\(rounded(found.farthest)) ms",
    ]
    if found.heard < clicks { lines.append("\(clicks - found.heard) of \(clicks) clicks were not heard") }
    if found.isOverdriven { lines.append("the microphone clipped: turn it down for a more exact trim") }
    if !isSaved {
      lines.append("to use it: --trim \(trim) with any program; to save it: momu calibrate --save")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: String {
    JSONValue.object([
      ("device", .text(device)), ("trim_ms", .number(trim)), ("spread_ms", .number(found.spread)),
      ("farthest_ms", .number(found.farthest)), ("round_trip_ms", .number(found.roundTrip)),
      ("heard", .integer(Int64(found.heard))), ("clicks", .integer(Int64(clicks))),
    ]).description
  }
}

/// A trim to save in the configuration file, with the device that it was measured on.
struct SavedTrim {
  let trim: Double
  /// The device, if the user gave a device; nil to keep the device in the file.
  let audio: String?

  /// Writes the trim and the device to the configuration file, and keeps the file's other settings.
  ///
  /// - Returns: a line with the saved values and the file's path.
  /// - Throws: `ToolError.cannotWrite`; `OptionError.configuration` if the file exists but cannot be used.
  func write(_ environment: [String: String]) throws -> String {
    guard let path = Configuration.path(environment) else {
      throw ToolError.cannotWrite(
        path: "the configuration", reason: "neither HOME nor XDG_CONFIG_HOME is set")
    }
    // A file that cannot be read must not be replaced.
    _ = try Configuration.read(environment)
    let old = WholeFile.text(of: path, bytes: 1 << 20) ?? "{}\n"
    if let reason = WholeFile.write(text(old), to: path, isPrivate: false) {
      throw ToolError.cannotWrite(path: path, reason: reason)
    }
    return "saved in \(path): trim \(trim)" + (audio.map { ", audio \($0)" } ?? "")
  }

  /// Returns the text of the configuration file with the new trim and device; its layout is unchanged.
  ///
  /// - Parameter old: the present text of the file.
  func text(_ old: String) -> String {
    var text = Self.setting("trim", to: "\(trim)", in: old)
    if let audio { text = Self.setting("audio", to: JSONValue.text(audio).description, in: text) }
    return text
  }

  /// Returns the text of a flat JSON object with a new value for the member `key`.
  ///
  /// If several members have this key, the last of them counts and gets the value. If no member has this key, a new
  /// member is inserted before the other members.
  private static func setting(_ key: String, to value: String, in text: String) -> String {
    // A quote inside a string is escaped. So the quoted key occurs only as a key, or as a whole string value, which
    // has no colon after it.
    let member = #/("(?:[^"\\]|\\.)*")(\s*:\s*)("(?:[^"\\]|\\.)*"|[^,}\s]+)/#
    if let match = text.matches(of: member).last(where: { $0.output.1 == "\"\(key)\"" }) {
      return text[..<match.output.3.startIndex] + value + text[match.output.3.endIndex...]
    }
    guard let brace = text.firstIndex(of: "{") else { return "{\"\(key)\": \(value)}\n" }
    let rest = text[text.index(after: brace)...]
    let space = rest.prefix { $0.isWhitespace }
    let isEmpty = rest[space.endIndex...].first == "}"
    let gap = space.isEmpty ? " " : space
    return text[...brace] + space + "\"\(key)\": \(value)" + (isEmpty ? "" : "," + gap)
      + rest[space.endIndex...]
  }
}
