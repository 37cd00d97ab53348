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
      complain(try SavedTrim(trim: report.trim, audio: audio).write(environment))
    }
  }

  /// Asks the user to place the microphone; waits for Enter if standard input is a terminal.
  private func askForMicrophone() {
    let advice =
      "Put the microphone next to the loudspeaker (\(centimetres) cm; for another distance, --distance CM)"
    guard isatty(STDIN_FILENO) == 1 else { return complain("\(advice).") }
    complain("\(advice), then press Enter.")
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
    complain("Clicking \(clicks) times on \(device): \(score.samples.count / 48_000) seconds.")
    while !recorder.isDone {
      if stop.wait(until: SystemClock().now + .milliseconds(50)) { return nil }
      try recorder.checkHearing(device)
    }
    return try recorder.take(from: device)
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
