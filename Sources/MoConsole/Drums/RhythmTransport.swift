import MoCore

/// The functions by which a console controls a rhythm: the console's own rhythm, or the rhythm of a room.
///
/// - Thread: any but the audio thread's callback.
package struct RhythmTransport: Sendable {
  package var state: @Sendable () -> Rhythm.State
  /// Returns the tempo, in beats per minute.
  package var tempo: @Sendable () -> Double
  package var start: @Sendable () -> Void
  package var stop: @Sendable () -> Void
  package var pause: @Sendable () -> Void
  package var resume: @Sendable () -> Void
  package var setTempo: @Sendable (Double) -> Void

  package init(
    state: @escaping @Sendable () -> Rhythm.State, tempo: @escaping @Sendable () -> Double,
    start: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void,
    pause: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void,
    setTempo: @escaping @Sendable (Double) -> Void
  ) {
    (self.state, self.tempo) = (state, tempo)
    (self.start, self.stop, self.pause, self.resume) = (start, stop, pause, resume)
    self.setTempo = setTempo
  }

  /// Creates the functions that control a local rhythm.
  package init(_ rhythm: Rhythm) {
    self.init(
      state: { rhythm.state }, tempo: { rhythm.tempo.beatsPerMinute }, start: { rhythm.start() },
      stop: { rhythm.stop() },
      pause: { rhythm.pause() }, resume: { rhythm.resume() }, setTempo: { rhythm.setTempo(Tempo($0)) })
  }
}
