import MoCore
import MoDSP

/// A harp that is tilted: the tilt plucks the strings that it passes, and a quicker tilt plucks louder.
///
/// A reading plucks at most the last four strings that the tilt has passed. A strike plucks the string at the current
/// tilt. The strings have the pitches of a scale. On a grid (`InstrumentHandle.grid`), at most the last four strings
/// that the tilt has passed are plucked together on the next line.
///
/// - Thread: see `Instrument`.
/// - Real-time safe: all but `init` and `prepare`.
public struct Harp: Instrument {
  /// The description of the instrument.
  public static let sheet = InstrumentInfo(
    name: "harp", summary: "strings in a scale: tilt it to run along them, tap to pluck one", plays: 33...96,
    tail: 12, voices: 10)

  /// The parameters of the harp.
  public enum Control: Int, InstrumentControl {
    /// The brightness of the strings, 0 (gut) … 1 (steel).
    case brightness
    /// The ring time of the strings, in seconds: the time in which the lowest partial falls by 60 dB.
    case decay
    /// The plucking position, as a fraction of the string's length: 0.04 is near the end, 0.5 the middle.
    case place
    /// The note of the middle string, as a MIDI note number.
    case root
    /// The scale of the strings, as a number: 0 is major pentatonic, 5 chromatic.
    case scale
    /// The angle of tilt between the first string and the last, in degrees.
    case reach

    /// The parameter's name, range and default.
    public var parameter: Parameter {
      switch self {
      case .brightness: Parameter("brightness", 0...1, default: 0.55, about: "gut … steel")
      case .decay:
        Parameter(
          "decay", 0.2...12, default: 4, unit: "s", curve: .exponential, about: "how long a string rings")
      case .place:
        Parameter("place", 0.04...0.5, default: 0.19, about: "plucked near its end … in its middle")
      case .root:
        Parameter("root", 36...84, default: 60, smoothing: 0, step: 1, about: "note of the middle string")
      case .scale: NamedScale.parameter(default: 0)
      case .reach:
        Parameter(
          "reach", 10...150, default: 70, unit: "degrees", smoothing: 0, about: "tilt from end to end")
      }
    }
  }

  /// The number of strings on either side of the middle string.
  private static let side = 8

  private var strings: Voices<HarpString>
  private var ladder = TiltLadder()
  private var lastMotion: Motion?
  /// Whether plucks by movement wait for a grid line.
  private var isOnGrid = false
  /// The latest motion since the last grid line, which plucks strings at the next line; nil for none.
  private var waiting: Motion?
  private var set = SIMD3<Float>.zero

  /// Creates a harp at rest; `seed` starts the noise of the finger, nil for the next seed of `SeedSource`.
  public init(seed: UInt64?) {
    // One seed for all strings: they are alike until they have been plucked a different number of times.
    let seed = seed ?? SeedSource.next()
    strings = Voices(Self.sheet.voices) { HarpString(seed: seed) }
  }

  /// Resets the harp and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    strings.prepare(sampleRate: sampleRate)
    (ladder, lastMotion, set) = (TiltLadder(), nil, .zero)
    (isOnGrid, waiting) = (false, nil)
  }

  /// Whether any string sounds.
  public var isSounding: Bool { strings.isSounding }

  /// Handles a note, a strike or a movement.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    adjust(controls)
    switch event {
    case .motion(let motion):
      guard isOnGrid else { return swing(motion, controls) }
      let force = max(motion.strike ?? 0, waiting?.strike ?? 0)
      waiting = motion
      waiting?.strike = force > 0 ? force : nil
    case .rhythm(let isRunning):
      isOnGrid = isRunning
      swingWaiting(controls)
    case .line: swingWaiting(controls)
    case .strike(let force): pluck(ladder.step ?? 0, force, controls)
    default: strings.handle(event)
    }
  }

  /// Renders the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    adjust(controls)
    strings.render(&block)
  }

  private mutating func swingWaiting(_ controls: Controls<Control>) {
    if let motion = waiting { swing(motion, controls) }
    waiting = nil
  }

  private mutating func swing(_ motion: Motion, _ controls: Controls<Control>) {
    let before = ladder.step
    let width = controls.goal(.reach) / Float(2 * Self.side)
    let hasMoved = ladder.climb(to: motion.tilt.roll, width: width, most: Self.side)
    let quickness = Self.speed(from: lastMotion, to: motion)
    lastMotion = motion
    if let from = before, let to = ladder.step, hasMoved {
      let force = max(min(1, 0.3 + quickness / 320), motion.strike ?? 0)
      let way = to > from ? 1 : -1
      // A hand plucks at most four strings at the same time.
      var string = abs(to - from) > 4 ? to - 3 * way : from + way
      while string != to + way {
        pluck(string, force, controls)
        string += way
      }
    } else if let force = motion.strike, let string = ladder.step {
      pluck(string, max(0.3, force), controls)
    }
  }

  /// Returns the speed of the sideways tilt between two motions, in degrees per second; 0 if `last` is nil.
  private static func speed(from last: Motion?, to motion: Motion) -> Float {
    guard let last else { return 0 }
    let seconds = Float(motion.time.seconds(since: last.time))
    let angle = abs(motion.tilt.roll - last.tilt.roll)
    return min(angle, 360 - angle) / max(seconds, 0.005)
  }

  private mutating func pluck(_ string: Int, _ force: Float, _ controls: Controls<Control>) {
    let scale = NamedScale.chosen(controls.goal(.scale), root: Int(controls.goal(.root)))
    let pitch = max(0, min(scale.note(string), 127))
    if force > 0 { strings.start(Note(Float(pitch), velocity: force)) }
  }

  /// Updates the strings' properties if the parameters have changed.
  private mutating func adjust(_ controls: Controls<Control>) {
    let now = SIMD3(controls[.decay], controls[.brightness], controls[.place])
    guard now != set else { return }
    set = now
    strings.adjust { $0.set(decay: now.x, brightness: now.y, place: now.z) }
  }
}

/// A voice that plays one string of the harp.
struct HarpString: NoteVoice {
  private var string: PluckedString
  private var pitch: Float = 60
  private var bent: Float = 0

  init(seed: UInt64?) { string = PluckedString(seed: seed) }

  var isSounding: Bool { string.isSounding }
  /// The pan position, −0.5 … 0.5: low strings to the left, high strings to the right.
  var pan: Float { max(-0.5, min((pitch - 64) / 40, 0.5)) }

  mutating func prepare(sampleRate: Double) { string.prepare(sampleRate: sampleRate) }

  /// Changes the string's decay, brightness and plucking position, also while the string rings.
  mutating func set(decay: Float, brightness: Float, place: Float) {
    string.set(decay: Double(decay), brightness: Double(brightness), place: Double(place))
  }

  mutating func start(_ note: Note) {
    pitch = note.pitch
    string.frequency = MoFun.midiToHz(Double(pitch + bent))
    string.pluck(note.velocity)
  }

  /// Bends the pitch from the next pluck on, because a ringing string cannot change its pitch without a click.
  mutating func bend(_ semitones: Float) { bent = semitones }

  mutating func rest() { string.rest() }

  mutating func tick(_ setting: Void) -> Float { softClip(Self.gain * string.tick(), limit: 1.3) }

  /// The gain that makes a string about as loud as the other instruments.
  ///
  /// A string rings far below the level of its pluck, so the hardest plucks are soft-clipped a little.
  private static let gain: Float = 3.4
}
