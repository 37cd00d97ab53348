import Glibc
import MoAudioDevices
import MoCore
import MoDSPCore
import MoNetwork
import MoRuntime
import MoSensing

/// Runs a MoMu program: reads the options, handles Ctrl-C, and shows a level meter and error messages.
public enum MoApp {
  /// Runs a program until the time of `--seconds` is over or Ctrl-C ends it.
  ///
  /// `body` sets the program up.
  ///
  /// ```swift
  /// MoApp.run("Plays a tone.") {
  ///   try MoAudio.start(Sine(frequency: 440)) { sine, block in
  ///     for frame in block.frames { block[frame] = sine.tick() }
  ///   }
  /// }
  /// ```
  ///
  /// The program accepts the options that `--help` shows. Each option is also an environment variable, such as
  /// `MOMU_AUDIO`. At the end the sound fades out and files are completed. If `body` throws an error, or an option is
  /// wrong, `run` prints the error's text to standard error, and the process exits with status 1.
  ///
  /// With `--help` or `--list-devices`, `run` prints a text and returns without a call of `body`. A second Ctrl-C ends
  /// the process immediately, with the status 128 plus the signal's number.
  ///
  /// - Parameters:
  ///   - about: a one-line description of the program, for `--help`.
  ///   - own: the options that only this program has.
  ///   - arguments: the command line, beginning with the program's name.
  ///   - body: starts servers and adds callbacks, then returns.
  /// - Thread: the main thread.
  public static func run(
    _ about: String, options own: [MoOption] = [], arguments: [String] = CommandLine.arguments,
    _ body: () throws -> Void
  ) {
    let own = own.map(\.row)
    let environment = Run.environment()
    do {
      let options = try RunOptions(
        arguments: Array(arguments.dropFirst()), environment: environment,
        configuration: try Configuration.read(environment), own: own)
      if options.help {
        let text = HelpText.text(about: about, program: programName(arguments), own: own)
        return writeAll(text, to: STDOUT_FILENO)
      }
      let signals = StopSignals()
      try signals.listen(abandon: abandon)
      let run = Run(options)
      Run.begin(run)
      if options.listDevices { return writeAll(DeviceList.text(), to: STDOUT_FILENO) }
      if options.checkRealtime {
        RealTimeCheck.install(.stop)
        if !RealTimeCheck.isComplete { MoLog.log(.warning, RealTimeCheck.coverage) }
      }
      try play(run, signals, body)
    } catch {
      finish()
      ConsoleWriter.error.writeLines("\(error)\n")
      exit(1)
    }
  }

  /// Calls `body`, plays until the end, and cleans up; if an error is thrown, the caller must clean up.
  private static func play(_ run: Run, _ signals: StopSignals, _ body: () throws -> Void) throws {
    run.isSettingUp = true
    try body()
    run.isSettingUp = false
    for remark in run.remarksOnOptions { MoLog.log(.warning, remark) }
    try NetServer.shared.listenIfWanted(in: run)
    if let clock = run.frameClock {
      let renderer = OfflineRenderer(run: run, clock: clock, audio: .shared)
      try renderer.render(seconds: run.options.seconds, isStopped: { signals.isRaised })
      end(run, seconds: clock.now.seconds(since: .zero), peak: 0)
    } else {
      let start = run.clock.now
      let peak = wait(run, signals)
      end(run, seconds: run.clock.now.seconds(since: start), peak: peak)
    }
    if run.options.checkRealtime { run.notice(RealTimeCheck.result) }
  }

  /// Cleans up; then, if the program has written a sound file, prints the length and the peak of the file.
  ///
  /// - Parameter peak: the highest absolute value of a sample that the level meter has shown, 0 … 1; 0 without a meter.
  private static func end(_ run: Run, seconds: Double, peak: Float) {
    let report = fileReport(run, seconds: seconds, peak: peak)
    finish()
    if let report { run.notice(report) }
  }

  /// Returns a line with the length and the peak of the sound file that the program has written; nil if there is no
  /// file.
  private static func fileReport(_ run: Run, seconds: Double, peak: Float) -> String? {
    guard run.reportsFile, let path = AudioServer.file(of: run.options.audio),
      let playback = AudioServer.shared.playback
    else { return nil }
    let peak = max(peak, playback.renderer.statistics.takePeak())
    let length = (seconds * 10).rounded() / 10
    // 1e-5 is -100 dB.
    guard peak > 1e-5 else {
      return "\(path.printable): \(length) s of silence: no reading and no key caused a sound"
    }
    return "\(path.printable): \(length) s, peak \(Int((20 * log10(Double(peak))).rounded())) dB"
  }

  /// Waits until the time of `--seconds` is over or a termination signal arrives, and draws the level meter meanwhile.
  ///
  /// - Returns: the highest absolute value of a sample that the meter has shown, 0 … 1; 0 without a meter.
  private static func wait(_ run: Run, _ signals: StopSignals) -> Float {
    let end = run.options.seconds.map { run.clock.now.advanced(bySeconds: $0) } ?? .distantFuture
    let hasMeter = !run.options.quiet && !run.options.plain && TerminalLine.isAvailable
    var (meter, highest) = (LevelMeter(), Float(0))
    while !signals.isRaised && run.clock.now < end {
      var pause = end == .distantFuture ? nil : end - run.clock.now
      if hasMeter { pause = min(pause ?? .seconds(1), .seconds(1 / LevelMeter.rate)) }
      signals.stop.wait(for: pause, or: run.main.signal)
      run.main.runAll()
      guard hasMeter else { continue }
      let columns = TerminalLine.room.columns
      var picture = run.picture.withLock({ $0 }).draw?(columns) ?? []
      if let playback = AudioServer.shared.playback {
        let (strikes, peak) = (AccelServer.shared.strikes, playback.renderer.statistics.takePeak())
        highest = max(highest, peak)
        picture.append(
          meter.picture(
            peak: peak, strikes: strikes.count, force: strikes.lastForce, status: MoAudio.status,
            columns: columns))
      }
      if !picture.isEmpty { TerminalLine.draw(picture) }
    }
    return highest
  }

  /// Fades out the sound, completes the files, and restores the terminal.
  private static func finish() {
    TerminalLine.clear()
    // A wrong option ends the program before it has a run; the first use of `current` would report the option again.
    Run.begun?.end()
    MoAudio.stop()
    MoAccel.stop()
    MoNet.stop()
    KeyboardTerminal.restore()
  }

  /// Restores the terminal before a second signal ends the program without its normal clean-up.
  @Sendable
  private static func abandon() {
    KeyboardTerminal.restore()
    TerminalLine.clear()
  }

  private static func programName(_ arguments: [String]) -> String {
    arguments.first?.split(separator: "/").last.map(String.init) ?? "program"
  }
}

extension MoApp {
  /// The present time of the clock that all parts of MoMu share: this machine's monotonic clock.
  ///
  /// With `--offline`, the time is counted in rendered frames, and begins at 0.
  ///
  /// - Thread: any but the audio thread's callback, which has `block.time`.
  public static var now: HostTime { Run.current.clock.now }

  /// Shows text in the terminal, and redraws it in place twenty times per second; a further call replaces the drawing.
  ///
  /// ```swift
  /// MoApp.draw { "heading \(Int(MoCompass.reading.magneticHeading))°" }
  /// ```
  ///
  /// While there is sound, the level meter is below the drawing; messages are above the drawing. Nothing is drawn if
  /// standard error is not a terminal, or with `--quiet`, `--plain` or `--offline`.
  ///
  /// - Parameter text: returns the lines, which are cut to the terminal's width; called on the main thread.
  /// - Thread: any but the audio thread's callback.
  public static func draw(_ text: @escaping @Sendable () -> String) {
    Run.current.picture.withLock { picture in
      picture.draw = { _ in [ScreenBlock(ScreenLine.lines(text()), priority: ScreenBlock.Priority.own)] }
    }
  }

  /// Shows text in the terminal like `draw(_:)`; `text` receives a state of your program, and may change this state.
  ///
  /// - Parameters:
  ///   - state: the state; after this call, only the main thread uses the state.
  ///   - text: returns the lines of the drawing, as in `draw(_:)`; it receives the state.
  /// - Thread: any but the audio thread's callback.
  public static func draw<State>(
    _ state: sending State, _ text: @escaping @Sendable (inout State) -> String
  ) {
    let drawn = DrawnState(state)
    draw { text(&drawn.value) }
  }
}

/// The state that a drawing keeps between redraws.
private final class DrawnState<State>: @unchecked Sendable {
  // Unchecked: only the main thread draws.
  var value: State

  init(_ value: sending State) { self.value = value }
}

/// The output of `--list-devices`: all devices of this machine that can be values of `--audio` and `--accel`.
enum DeviceList {
  static func text() -> String {
    let audio = section("Sound (--audio):", AudioServer.shared.devices(), none: "no sound card")
    let accel = section("Motion (--accel):", AccelServer.devices(), none: "no accelerometer")
    return audio + "\n" + accel
  }

  private static func section(_ title: String, _ devices: [NamedDevice], none: String) -> String {
    let always = devices.filter { !$0.isReal }
    let real = devices.filter(\.isReal)
    let width = devices.map(\.name.count).max() ?? 0
    let rows = (real + always).map { "  \($0.name.padded(to: width))  \($0.about)" }
    let missing = real.isEmpty ? ["  (\(none) found)"] : []
    return ([title] + missing + rows).joined(separator: "\n") + "\n"
  }
}
