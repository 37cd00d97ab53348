import MoCore
import MoRuntime

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
