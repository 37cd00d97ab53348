import ArgumentParser
import Glibc
import MoCore
import MoMu

/// `momu calibrate`: how much later than it knows this machine sounds.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measure by how much this machine sounds later than it knows: the trim.",
    discussion: """
      Plays clicks and listens to them with the microphone of the same device. What the device itself says about its \
      delay, and the sound's way through the air (2.9 ms a metre), is taken off; what remains is the trim.
      """)

  @Option(
    help: ArgumentHelp("Where to play and record, as for any program: hw:1, hw:0+hw:1.", valueName: "DEVICE"))
  var audio: String?

  @Option(
    help: ArgumentHelp("Centimetres from the loudspeaker to the microphone.", valueName: "CM"),
    transform: readDistance)
  var distance = 10.0

  @Option(help: ArgumentHelp("How many clicks, 3 to 99.", valueName: "N"), transform: readClicks)
  var clicks = 9

  @Flag(help: "Keep the trim, and the device if one was named, in the configuration file.")
  var save = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let environment = Run.environment()
    let device =
      try audio ?? environment["MOMU_AUDIO"] ?? Configuration.value("audio", environment) ?? "default"
    // The device is settled; the variable would overrule it.
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

  /// Somebody at the keyboard is asked first; a script is not.
  private func askForMicrophone() {
    let advice =
      "Put the microphone beside the loudspeaker (\(centimetres) cm; if farther, --distance CM)"
    guard isatty(STDIN_FILENO) == 1 else { return complain("\(advice).") }
    complain("\(advice), then press Enter.")
    _ = readLine()
  }

  private var centimetres: String { distance == distance.rounded() ? "\(Int(distance))" : "\(distance)" }

  /// Plays a score and listens; nil where somebody ended it.
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
    throw ValidationError("it is a number of centimetres from 0 to 1000, such as 30")
  }
  return centimetres
}

@Sendable
private func readClicks(_ text: String) throws -> Int {
  guard let count = Int(text), (3...99).contains(count) else {
    throw ValidationError("it is a whole number from 3 to 99")
  }
  return count
}
