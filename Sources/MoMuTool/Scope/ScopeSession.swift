import Glibc
import MoCore
import MoMu
import MoRuntime
import MoSensing

/// Draws live curves of sensors until Ctrl-C.
///
/// - Thread: the main thread.
struct ScopeSession {
  var sensors: [(kind: AnySensorKind, source: String?)]
  /// The length of the time window, in seconds.
  var window: Double
  var seconds: Double?
  /// The picture's size; nil for the size of the terminal.
  var size: PictureSize?

  /// The number of pictures that are drawn per second.
  private static let rate = 20.0

  /// Draws the curves until the program is stopped; returns the last plot.
  ///
  /// If `columns` is given, or if the output is not a terminal, nothing is drawn before the last plot is returned.
  ///
  /// - Parameter columns: the number of columns of each curve in the last plot; nil for as many as the terminal shows.
  /// - Throws: `SensorError`, `NetError`.
  func run(columns: Int?) throws -> Plot {
    let stop = StopWait()
    let run = try Run(RunOptions(arguments: []), waitsForDevices: true)
    Run.begin(run)
    let board = Locked(ScopeBoard())
    let start = run.clock.now
    let opened = sensors.map { sensor -> AnySensor in
      // Two sensors of a kind are labelled with their sources.
      let isAlone = sensors.filter { $0.kind == sensor.kind }.count == 1
      let label = isAlone ? "" : sensor.source ?? ""
      return sensor.kind.sensor { [window] arguments, time in
        let seconds = time.seconds(since: start)
        board.withLock { board in
          for value in ScopeValues.of(sensor.kind.address, arguments) {
            board.add(value, of: label, at: seconds, window: window)
          }
        }
      }
    }
    defer {
      for sensor in opened { sensor.stop() }
      Run.current.end()
      MoNet.stop()
    }
    for (sensor, wanted) in zip(opened, sensors) { try sensor.start(wanted.source, run) }
    try NetServer.shared.listenIfWanted(in: run)
    let end = seconds.map { start.advanced(bySeconds: $0) } ?? .distantFuture
    let isDrawn = isatty(STDOUT_FILENO) == 1 && columns == nil
    var next = start
    repeat {
      if isDrawn { draw(board, at: run.clock.now.seconds(since: start)) }
      next = next.advanced(bySeconds: 1 / Self.rate)
      if next < run.clock.now { next = run.clock.now.advanced(bySeconds: 1 / Self.rate) }
      if stop.wait(until: min(next, end)) { break }
    } while run.clock.now < end
    let now = run.clock.now.seconds(since: start)
    let seen = board.withLock { $0 }
    if seen.dropped > 0 { printDiagnostic("too many curves: some are not drawn") }
    return seen.plot(until: now, window: window, columns: columns ?? terminal.traceColumns)
  }

  /// The settings for a plot with `size` or, if it is nil, with the current size of the terminal, which may change.
  var terminal: TerminalPlot { TerminalPlot.own(size) }

  private func draw(_ board: Locked<ScopeBoard>, at now: Double) {
    let terminal = self.terminal
    let plot = board.withLock { $0 }.plot(until: now, window: window, columns: terminal.traceColumns)
    let picture = plot.panes.isEmpty ? "no readings yet; Ctrl-C ends the command\n" : terminal.picture(plot)
    // Clear each line only after its end, and the rows below the last line, so that the picture does not flicker.
    ConsoleWriter.output.paint("\u{1B}[H" + picture.replacing("\n", with: "\u{1B}[K\n") + "\u{1B}[J")
  }
}

/// The live curves of `momu scope`; each curve stores the values of the visible time window.
struct ScopeBoard {
  private var curves = CurvePanes<RecentValues>()
  /// The number of values dropped because there were too many curves.
  private(set) var dropped = 0

  /// Appends a value to its curve.
  ///
  /// - Parameters:
  ///   - source: the text after the pane's title that distinguishes sensors of the same kind, such as `iio:0`; empty
  ///     for a single sensor.
  ///   - seconds: the time of the value, not before the time of the curve's previous value.
  ///   - window: the length of the time window, in seconds.
  mutating func add(_ value: ScopeValue, of source: String, at seconds: Double, window: Double) {
    let title = source.isEmpty ? value.pane : "\(value.pane) \(source)"
    let isTaken = curves.add(value, title: title, own: RecentValues()) {
      $0.add(value.value, at: seconds, window: window)
    }
    if !isTaken { dropped += 1 }
  }

  /// Returns the plot of the time window; its time axis ends at 0, which is now.
  func plot(until now: Double, window: Double, columns: Int) -> Plot {
    curves.plot(from: -window, to: 0) { curve in
      var trace = Trace(from: now - window, to: now, columns: columns)
      for (seconds, values) in curve.recent { trace.add(values, at: seconds) }
      return trace
    }
  }
}

/// The latest values of a curve: the values of a time window that ends now, in columns of 1/50,000 of the window.
///
/// So the memory does not depend on the length of the window. A picture has at most 8192 columns.
struct RecentValues {
  /// The times of the columns' first values.
  private var times: [Double] = []
  private var columns: [Trace.Column] = []
  /// The index of the window's first column; the columns before this index are removed from time to time.
  private var begin = 0

  private static let most = 50_000.0

  /// The times, in seconds, and the values of the window, the oldest first.
  var recent: some Sequence<(Double, Trace.Column)> { zip(times[begin...], columns[begin...]) }

  mutating func add(_ value: Double, at seconds: Double, window: Double) {
    guard value.isFinite else { return }
    if let last = times.last, seconds - last < window / Self.most {
      columns[columns.count - 1].add(Trace.Column(value))
    } else {
      times.append(seconds)
      columns.append(Trace.Column(value))
    }
    while begin < times.count, times[begin] < seconds - window { begin += 1 }
    guard begin > 4096, begin > times.count / 2 else { return }
    times.removeFirst(begin)
    columns.removeFirst(begin)
    begin = 0
  }
}
