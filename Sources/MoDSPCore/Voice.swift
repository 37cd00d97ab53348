/// State of an instrument that has to know how many frames make a second.
///
/// `MoAudio.start(Shaker(), Drum()) { shaker, drum, block in … }` prepares every state that is a voice at the
/// device's real rate before it goes live, so nobody needs to pass the rate around. State made of voices
/// becomes one by handing the call on.
public protocol Voice {
  /// Fits everything that depends on the rate to it; sound under way may be cut off.
  ///
  /// - Parameter sampleRate: frames a second, above 0.
  /// - Thread: the one that sets up, before the audio thread has the voice.
  /// - Real-time safe: not promised; a voice may compute and allocate here.
  mutating func prepare(sampleRate: Double)
}

/// Prepares any state that is a `Voice`, and leaves other state alone.
///
/// - Thread: the one that sets up.
/// - Real-time safe: no.
public func prepareIfVoice<State>(_ state: inout State, sampleRate: Double) {
  guard var voice = state as? any Voice else { return }
  voice.prepare(sampleRate: sampleRate)
  if let prepared = voice as? State { state = prepared }
}
