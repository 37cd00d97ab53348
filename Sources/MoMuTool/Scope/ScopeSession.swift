import Glibc
import MoCore
import MoMu
import MoRig
import MoRuntime

/// Sensors as curves that move, until Ctrl-C.
///
/// - Thread: the main thread.
struct ScopeSession {
  var sensors: [(kind: RigKind, source: String?)]
  /// Seconds that are seen.
  var window: Double
  var seconds: Double?
  /// The picture's size, where it was typed.
  var size: PictureSize?

  /// Pictures a second.
  private static let rate = 20.0

  /// Looks until it is stopped, and gives what is seen then.
  ///
  /// - Parameter columns: how many columns the curves of the last picture have; nil for the terminal's.
  /// - Throws: `SensorError`, `NetError`.
  func run(columns: Int?) throws -> Plot {
    let stop = StopWait()
    let run = try Run(RunOptions(arguments: []), waitsForDevices: true)
    Run.begin(run)
    let board = Locked(ScopeBoard())
    let start = run.clock.now
    let opened = sensors.map { sensor -> RigSensor in
      // Two of a kind are told apart by where they are read.
      let isAlone = sensors.filter { $0.kind == sensor.kind }.count == 1
      let label = isAlone ? "" : sensor.source ?? ""
      return sensor.kind.sensor { [window] arguments, time in
        let seconds = time.seconds(since: start)
        board.withLock { board in
          for value in ScopeValues.of(sensor.kind.address, arguments) {
            board.take(value, of: label, at: seconds, window: window)
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
    if seen.dropped > 0 { complain("there were more curves than can be drawn") }
    return seen.plot(until: now, window: window, columns: columns ?? terminal.traceColumns)
  }

  /// As the terminal is now: windows are pulled larger.
  var terminal: TerminalPlot { TerminalPlot.own(size) }

  private func draw(_ board: Locked<ScopeBoard>, at now: Double) {
    let terminal = self.terminal
    let plot = board.withLock { $0 }.plot(until: now, window: window, columns: terminal.traceColumns)
    let picture = plot.panes.isEmpty ? "nothing yet; Ctrl-C ends it\n" : terminal.picture(plot)
    // Each line is cleared behind its end, and what is below the last: nothing flickers.
    ConsoleWriter.output.paint("\u{1B}[H" + picture.replacing("\n", with: "\u{1B}[K\n") + "\u{1B}[J")
  }
}
