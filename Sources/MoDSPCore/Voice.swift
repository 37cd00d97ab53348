/// A state of an instrument that depends on the sample rate.
///
/// `MoAudio.start(Shaker(), Drum()) { shaker, drum, block in … }` prepares every state that is a voice at the device's
/// real rate before it plays. So you need not pass the rate around. A state that contains voices can be a voice too:
/// it passes the call on.
public protocol Voice {
  /// Adapts everything that depends on the rate; sound in progress may be cut off.
  ///
  /// - Parameter sampleRate: frames per second, above 0.
  /// - Thread: the thread that sets up, before the audio thread owns the voice.
  /// - Real-time safe: not promised; a voice may compute and allocate here.
  mutating func prepare(sampleRate: Double)
}

/// Prepares a state that is a `Voice`, and does not change another state.
///
/// - Thread: the thread that sets up.
/// - Real-time safe: no.
public func prepareIfVoice<State>(_ state: inout State, sampleRate: Double) {
  guard var voice = state as? any Voice else { return }
  voice.prepare(sampleRate: sampleRate)
  if let prepared = voice as? State { state = prepared }
}
