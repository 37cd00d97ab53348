import MoDSP
import MoMu

/// Sixteen pads, each with a sound from a file or a synthesised drum.
///
/// ```swift
/// let pads = try MoAudio.play(Pads(samples: try SampleKit(folder: "kit")))
/// pads.noteOn(0, velocity: 0.9)
/// ```
///
/// Notes 0 … 15 play pads 0 … 15, note 16 plays pad 0 again, and so on. Pads without a file play the kit's
/// drums: pads 0 … 9 in the order of `DrumSound`, pads 10 … 15 the first six drums again. The output stays
/// within ±0.88.
///
/// - Thread: see `Instrument`.
/// - Real-time safe: all but `init` and `prepare`.
public struct Pads: Instrument {
  /// The description of the instrument.
  public static let sheet = InstrumentInfo(
    name: "pads", summary: "sixteen pads: sounds of files, or drums", tail: 6, voices: 16)

  /// The number of pads.
  public static let count = 16

  private let samples: SampleKit?
  private var bank: SampleBank?
  private var voices: InlineArray<16, SampleVoice> = .init(repeating: SampleVoice())
  private var kit: DrumKit
  private var sampleRate = 48_000.0

  /// Creates pads with synthesised drums.
  public init(seed: UInt64?) { self.init(samples: nil, seed: seed) }

  /// Creates pads with sounds from files.
  ///
  /// - Parameters:
  ///   - samples: a sound for each pad, in order; a synthesised drum replaces each missing sound. If nil, all
  ///     pads play synthesised drums.
  ///   - seed: the seed of the drums' noise; nil for the next seed of `SeedSource`.
  public init(samples: SampleKit?, seed: UInt64? = nil) {
    self.samples = samples
    kit = DrumKit(seed: seed)
  }

  /// Resets the pads and prepares them for a sample rate.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    self.sampleRate = sampleRate
    kit.prepare(sampleRate: sampleRate)
    bank = samples?.bank(sampleRate: sampleRate)
    if let bank { voices = bank.sounds }
  }

  /// Whether any pad sounds.
  public var isSounding: Bool {
    for index in voices.indices where voices[index].isSounding { return true }
    return kit.isSounding
  }

  /// Handles an event that is due at the next frame; a strike without a note plays pad 0.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) {
    switch event {
    case .noteOn(let note): strike(Int(note.pitch.rounded()) % Pads.count, note.velocity)
    case .strike(let force): strike(0, force)
    default: break
    }
  }

  private mutating func strike(_ pad: Int, _ force: Float) {
    if voices[pad].isThere {
      voices[pad].strike(force, sampleRate: sampleRate)
    } else {
      kit.strike(DrumSound(rawValue: pad % 10) ?? .kick, force)
    }
  }

  /// Renders the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) {
    for frame in block.frames {
      var sound = kit.mix()
      if samples != nil {
        for pad in voices.indices where voices[pad].isSounding { sound += voices[pad].tick() }
      }
      let bounded = DrumKit.bounded(sound)
      block[frame, 0] = bounded.x
      if block.outputs > 1 { block[frame, 1] = bounded.y }
    }
  }
}
