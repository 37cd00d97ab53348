import MoDSP
import MoMu

/// Sixteen pads, each struck by itself: sounds of files, and the synthesised drums where there are none.
///
/// ```swift
/// let pads = try MoAudio.play(Pads(samples: try SampleKit(folder: "kit")))
/// pads.noteOn(0, velocity: 0.9)
/// ```
///
/// A pad is a note, 0 … 15; further notes go round. Without a file pads 0 … 9 are the kit's drums in the order of
/// `DrumSound`, and 10 … 15 its first six again. Within ±0.88.
///
/// - Thread: as `Instrument` says.
/// - Real-time safe: all but `init` and `prepare`.
public struct Pads: Instrument {
  /// What it says about itself.
  public static let sheet = InstrumentInfo(
    name: "pads", summary: "sixteen pads: sounds of files, or drums", tail: 6, voices: 16)

  /// How many there are.
  public static let count = 16

  private let samples: SampleKit?
  private var bank: SampleBank?
  private var voices: InlineArray<16, SampleVoice> = .init(repeating: SampleVoice())
  private var kit: DrumKit
  private var sampleRate = 48_000.0

  /// Pads that are drums.
  public init(seed: UInt64?) { self.init(samples: nil, seed: seed) }

  /// Pads with sounds of files.
  ///
  /// - Parameters:
  ///   - samples: a sound for each pad, in order; nil, or a pad without one, for the synthesised drums.
  ///   - seed: of the drums' noise; nil for the next of `SeedSource`.
  public init(samples: SampleKit?, seed: UInt64? = nil) {
    self.samples = samples
    kit = DrumKit(seed: seed)
  }

  /// Fits it to a sample rate, at rest.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    self.sampleRate = sampleRate
    kit.prepare(sampleRate: sampleRate)
    bank = samples?.bank(sampleRate: sampleRate)
    if let bank { voices = bank.sounds }
  }

  /// Whether anything is to be heard.
  public var isSounding: Bool {
    for index in voices.indices where voices[index].isSounding { return true }
    return kit.isSounding
  }

  /// Takes what happens at the next frame; a stroke without a note is pad 0's.
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

  /// Writes the next frames.
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
