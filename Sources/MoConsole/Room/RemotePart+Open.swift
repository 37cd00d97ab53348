import MoInstruments
import MoOrchestra

extension RemotePart {
  /// Creates a `RemotePart` that plays other members' events on an instrument.
  ///
  /// The `RemotePart` ends a note when the note's length is over, or when the member that played the note leaves.
  ///
  /// ```swift
  /// let echo = try RemotePart.open(on: harp)
  /// MoSession.onMelody { heard in echo.play(Melody(heard.played), like: heard) }
  /// ```
  ///
  /// - Parameter handle: the instrument.
  /// - Throws: an error if no thread can be started.
  public static func open(on handle: InstrumentHandle) throws -> RemotePart {
    let player = RemotePart(handle) { MoSession.beat }
    try Run.current.input.add(player) { _ in }
    MoSession.onEvent { event in
      if case .left(let id, _) = event { player.release(id) }
    }
    return player
  }
}
