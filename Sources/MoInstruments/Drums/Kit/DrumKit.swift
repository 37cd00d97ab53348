import Glibc
import MoCore
import MoDSP

/// Ten synthesised drums: kick, snare, two hi-hats, clap, two toms, cowbell, rim and crash.
///
/// The output stays within ±0.88 (−1.1 dBFS), even if all drums are struck together. The output is exactly 0 again
/// within 6 s of the last strike, or within 3 s if the crash was not struck.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `strike` and `tick`, yes.
public struct DrumKit: Voice, Sendable {
  private var kick: KickVoice
  private var snare: SnareVoice
  private var hat: MetalVoice
  private var clap: ClapVoice
  private var lowTom: Drum
  private var highTom: Drum
  private var cowbell = CowbellVoice()
  private var rim: RimVoice
  private var crash: MetalVoice
  private var blocker = StereoBlocker()
  /// The index of the drum that `strikeNext` strikes next, 0 … 3: kick, hi-hat, snare, hi-hat.
  private var turn = 0
  private var rest = 0
  private var longest = 288_000

  /// Creates a kit at rest.
  ///
  /// - Parameters:
  ///   - seed: the seed of the kit's random numbers; nil for the next seed of `SeedSource`.
  ///   - sampleRate: frames per second; when the kit is played, `prepare` sets the rate of the device.
  public init(seed: UInt64? = nil, sampleRate: Double = 48_000) {
    var seeds = Noise(seed: seed)
    kick = KickVoice(seed: seeds.bits())
    snare = SnareVoice(seed: seeds.bits())
    hat = MetalVoice(base: 410, cut: 7200, fall: 0.16, hiss: 0.35, seed: seeds.bits())
    clap = ClapVoice(seed: seeds.bits())
    lowTom = Drum(frequency: 92, seed: seeds.bits())
    highTom = Drum(frequency: 148, seed: seeds.bits())
    rim = RimVoice(seed: seeds.bits())
    crash = MetalVoice(base: 317, cut: 4200, fall: 0.42, hiss: 0.6, seed: seeds.bits())
    prepare(sampleRate: sampleRate)
  }

  /// Resets the kit and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double) {
    kick.prepare(sampleRate: sampleRate)
    snare.prepare(sampleRate: sampleRate)
    hat.prepare(sampleRate: sampleRate)
    clap.prepare(sampleRate: sampleRate)
    lowTom.prepare(sampleRate: sampleRate)
    highTom.prepare(sampleRate: sampleRate)
    cowbell.prepare(sampleRate: sampleRate)
    rim.prepare(sampleRate: sampleRate)
    crash.prepare(sampleRate: sampleRate)
    blocker.prepare(sampleRate: sampleRate)
    longest = Int(6 * sampleRate)
    (rest, turn) = (0, 0)
  }

  /// Whether a drum may sound: true until 6 s after the last strike.
  public var isSounding: Bool { rest > 0 }

  /// Strikes a drum now.
  ///
  /// - Parameters:
  ///   - sound: the drum.
  ///   - force: 0 (no strike) … 1; more is louder and brighter; NaN counts as 0.
  ///   - gain: the drum's level in the mix, 0 … 1.
  public mutating func strike(_ sound: DrumSound, _ force: Float, gain: Float = 1) {
    guard force > 0, gain > 0 else { return }
    let (force, gain) = (min(force, 1), min(gain, 1))
    rest = longest
    switch sound {
    case .kick: kick.strike(force, gain: gain)
    case .snare: snare.strike(force, gain: gain)
    case .closedHat: hat.strikeClosed(force, gain: 0.75 * gain)
    case .openHat: hat.strikeOpen(force, gain: 0.75 * gain)
    case .clap: clap.strike(force, gain: gain)
    case .lowTom: lowTom.strike(force * gain)
    case .highTom: highTom.strike(force * gain)
    case .cowbell: cowbell.strike(force, gain: gain)
    case .rim: rim.strike(force, gain: gain)
    case .crash: crash.strikeOpen(force, gain: 0.5 * gain)
    }
  }

  /// Strikes the next drum of the sequence kick, hi-hat, snare, hi-hat.
  mutating func strikeNext(_ force: Float) {
    let sound: DrumSound = turn == 0 ? .kick : turn == 2 ? .snare : .closedHat
    turn = (turn + 1) % 4
    strike(sound, force)
  }

  /// Returns the next frame: the left and the right sample, as the drummer hears the kit.
  public mutating func tick() -> SIMD2<Float> { Self.bounded(mix()) }

  /// Returns the next frame, as `tick` does, but without the bound of ±0.88.
  mutating func mix() -> SIMD2<Float> {
    guard rest > 0 else { return .zero }
    rest -= 1
    var sound = SIMD2<Float>(repeating: kick.tick() + snare.tick() + clap.tick())
    sound += hat.tick() * SIMD2(0.8, 1.1)
    sound += 0.85 * lowTom.tick() * SIMD2(1.1, 0.8)
    sound += 0.85 * highTom.tick() * SIMD2(0.85, 1.1)
    sound += cowbell.tick() * SIMD2(1.1, 0.9)
    sound += rim.tick() * SIMD2(0.9, 1.1)
    sound += crash.tick() * SIMD2(1.15, 0.8)
    return blocker.tick(sound)
  }

  /// Returns the sound unchanged up to ±0.6, and soft-clipped above, so that it stays within ±0.88 (−1.1
  /// dBFS).
  static func bounded(_ sound: SIMD2<Float>) -> SIMD2<Float> { SIMD2(bounded(sound.x), bounded(sound.y)) }

  private static func bounded(_ sample: Float) -> Float {
    let above = abs(sample) - 0.6
    guard above > 0 else { return sample }
    let size = 0.6 + softClip(above, limit: 0.28)
    return sample < 0 ? -size : size
  }
}

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

/// A DC blocker for two channels, with a cutoff of 10 Hz: decaying tones have a small DC component.
struct StereoBlocker: Sendable {
  private var last = SIMD2<Float>.zero
  private var out = SIMD2<Float>.zero
  private var pole: Float = 0.998_7

  mutating func prepare(sampleRate: Double) {
    pole = Float(exp(-2 * .pi * 10 / sampleRate))
    (last, out) = (.zero, .zero)
  }

  mutating func tick(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    out = sound - last + pole * out
    last = sound
    if abs(out.x) + abs(out.y) < 1e-9 { out = .zero }
    return out
  }
}
