/// A value of an audio callback that depends on the sample rate, such as an oscillator or a drum.
///
/// The callback of `MoAudio.start(Shaker(), Drum()) { shaker, drum, block in … }` has two such values, its states.
/// Before the callback plays, `start` calls `prepare` on each state that is a voice, with the device's real sample
/// rate. So you need not pass the rate around. A state that contains voices can be a voice too: its `prepare` calls
/// `prepare` on each of these voices.
public protocol Voice {
  /// Adapts the voice to a sample rate; sound in progress may be cut off.
  ///
  /// - Parameter sampleRate: frames per second, above 0; other numbers stop the program.
  /// - Thread: the thread that sets up, before the audio thread owns the voice.
  /// - Real-time safe: not promised; a voice may compute and allocate here.
  mutating func prepare(sampleRate: Double)
}

/// Calls `prepare` on a state of an audio callback if the state is a `Voice`; any other state stays as it is.
///
/// - Thread: the thread that sets up.
/// - Real-time safe: no.
public func prepareIfVoice<State>(_ state: inout State, sampleRate: Double) {
  guard var voice = state as? any Voice else { return }
  voice.prepare(sampleRate: sampleRate)
  if let prepared = voice as? State { state = prepared }
}
