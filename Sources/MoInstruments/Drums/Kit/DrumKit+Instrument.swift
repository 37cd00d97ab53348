import MoDSP

extension DrumKit: Instrument {
  /// What it says about itself.
  public static let sheet = InstrumentInfo(
    name: "drums", summary: "a drum kit: keys choose the drum, one switch plays a beat", tail: 6, voices: 10,
    mapping: "jerk 0..1 -> strike 0.2..1")

  /// A kit at rest.
  public init(seed: UInt64?) { self.init(seed: seed, sampleRate: 48_000) }

  /// Fits it to a sample rate, at rest.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) { prepare(sampleRate: sampleRate) }

  /// A note is a key of General MIDI's percussion map.
  ///
  /// A stroke plays the next drum of a beat: kick, hat, snare, hat; so whoever has one switch plays a rhythm with it.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) {
    switch event {
    case .noteOn(let note): strike(DrumSound(note: note.pitch), note.velocity)
    case .strike(let force): strikeNext(force)
    default: break
    }
  }

  /// Writes the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) {
    for frame in block.frames {
      let sound = tick()
      block[frame, 0] = sound.x
      if block.outputs > 1 { block[frame, 1] = sound.y }
    }
  }
}
