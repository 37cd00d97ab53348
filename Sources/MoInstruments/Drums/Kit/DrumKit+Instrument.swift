import MoDSP

extension DrumKit: Instrument {
  /// The description of the instrument.
  public static let sheet = InstrumentInfo(
    name: "drums", summary: "a drum kit: keys choose the drum, space plays a beat", tail: 6, voices: 10,
    mapping: "jerk 0..1 -> strike 0.2..1")

  /// Creates a kit at rest.
  public init(seed: UInt64?) { self.init(seed: seed, sampleRate: 48_000) }

  /// Resets the kit and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) { prepare(sampleRate: sampleRate) }

  /// Handles an event that is due at the next frame; a note is a key of the General MIDI percussion map.
  ///
  /// Each strike plays the next drum of the sequence kick, hi-hat, snare, hi-hat. So a player with a single switch
  /// can play a rhythm.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) {
    switch event {
    case .noteOn(let note): strike(DrumSound(note: note.pitch), note.velocity)
    case .strike(let force): strikeNext(force)
    default: break
    }
  }

  /// Renders the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) {
    for frame in block.frames {
      let sound = tick()
      block[frame, 0] = sound.x
      if block.outputs > 1 { block[frame, 1] = sound.y }
    }
  }
}
