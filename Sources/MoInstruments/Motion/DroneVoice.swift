import Glibc
import MoDSP

/// A sustained chord: five sawtooth waves around a note, with a separate low-pass filter for each stereo channel.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: all but `init` and `prepare`.
struct DroneVoice: Sendable {
  /// The setting of the filters and sawtooth waves, updated every few frames.
  struct Setting: Equatable, Sendable, BitwiseCopyable {
    /// The frequency of the lowest wave, in Hz.
    var root = 55.0
    /// The detuning in cents, by which the left channel's wave is raised and the right channel's wave lowered.
    var spread: Float = 8
    /// The cutoff of the filters, in Hz.
    var cutoff = 800.0
    /// The quality factor (Q) of the filters.
    var q = 1.0
  }

  private var low: Saw
  private var left: Saw
  private var right: Saw
  private var fifth: Saw
  private var octave: Saw
  private var leftFilter = StateVariable(.lowPass, frequency: 800, sampleRate: 48_000)
  private var rightFilter = StateVariable(.lowPass, frequency: 800, sampleRate: 48_000)
  private var sampleRate = 48_000.0
  private var setting = Setting()
  private var level: Float = 0
  private var follow: Float = 0

  init() {
    (low, left, right, fifth, octave) = (Saw(), Saw(), Saw(), Saw(), Saw())
    prepare(sampleRate: 48_000)
  }

  mutating func prepare(sampleRate: Double) {
    self.sampleRate = sampleRate
    // Different phases, so that they do not all jump together. Started early, because `Saw` delays its
    // output by 12 samples.
    let phases = [0.5, 0.13, 0.79, 0.31, 0.67]
    func saw(_ index: Int) -> Saw {
      var saw = Saw(sampleRate: sampleRate)
      saw.phase = phases[index]
      for _ in 0..<48 { _ = saw.tick() }
      return saw
    }
    (low, left, right, fifth, octave) = (saw(0), saw(1), saw(2), saw(3), saw(4))
    follow = Float(1 - exp(-1 / (0.04 * sampleRate)))
    leftFilter.clear()
    rightFilter.clear()
    level = 0
    apply(Setting())
  }

  var isSounding: Bool { level != 0 }

  mutating func set(_ setting: Setting) {
    if setting != self.setting { apply(setting) }
  }

  private mutating func apply(_ setting: Setting) {
    self.setting = setting
    let apart = exp2(Double(setting.spread) / 1200)
    low.frequency = setting.root
    left.frequency = setting.root * 2 * apart
    right.frequency = setting.root * 2 / apart
    fifth.frequency = setting.root * 3
    octave.frequency = setting.root * 4
    leftFilter.set(frequency: setting.cutoff / 1.1, q: setting.q, sampleRate: sampleRate)
    rightFilter.set(frequency: setting.cutoff * 1.1, q: setting.q, sampleRate: sampleRate)
  }

  /// Returns the next frame; the level glides towards `goal`, 0 … 1.
  mutating func tick(_ goal: Float) -> (left: Float, right: Float) {
    level += follow * (goal - level)
    guard goal > 0 || level > 1e-5 else {
      if level != 0 { rest() }
      return (0, 0)
    }
    let middle = 0.5 * low.tick() + 0.3 * fifth.tick() + 0.2 * octave.tick()
    let volume = 0.3 * level
    return (
      volume * leftFilter.tick(middle + 0.5 * left.tick()),
      volume * rightFilter.tick(middle + 0.5 * right.tick())
    )
  }

  mutating func rest() {
    level = 0
    leftFilter.clear()
    rightFilter.clear()
  }
}
