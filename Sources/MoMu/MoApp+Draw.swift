import MoCore
import MoRuntime

extension MoApp {
  /// The moment that all servers go by: this machine's clock; with `--offline`, what has been rendered, from 0.
  ///
  /// - Thread: any but the audio thread's callback, which has `block.time`.
  public static var now: HostTime { Run.current.clock.now }

  /// Draws in the terminal, twenty times a second, in place of what was drawn before.
  ///
  /// ```swift
  /// MoApp.draw { "heading \(Int(MoCompass.reading.magneticHeading))°" }
  /// ```
  ///
  /// The meter stands below it while there is sound, and messages stand above it. Nothing is drawn where standard error is
  /// no terminal, with `--quiet`, `--plain` and `--offline`.
  ///
  /// - Parameter text: lines, of which a wider one than the terminal is cut; called on the main thread.
  /// - Thread: any but the audio thread's callback.
  public static func draw(_ text: @escaping @Sendable () -> String) {
    Run.current.picture.withLock { picture in
      picture.draw = { _ in [ScreenBlock(ScreenLine.lines(text()), priority: ScreenBlock.Priority.own)] }
    }
  }

  /// Draws with state of the program's own, which `text` gets back to change.
  ///
  /// - Parameters:
  ///   - state: handed over; from here on only the main thread touches it.
  ///   - text: as without state.
  /// - Thread: any but the audio thread's callback.
  public static func draw<State>(
    _ state: sending State, _ text: @escaping @Sendable (inout State) -> String
  ) {
    let drawn = DrawnState(state)
    draw { text(&drawn.value) }
  }
}

/// What a drawing keeps from one picture to the next.
private final class DrawnState<State>: @unchecked Sendable {
  // Unchecked: only the main thread draws.
  var value: State

  init(_ value: sending State) { self.value = value }
}
