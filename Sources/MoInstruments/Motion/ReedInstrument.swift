import Glibc
import MoDSP

/// A reed pipe that is blown by movement: more movement is louder and brighter.
///
/// Tilt selects the note of a scale. The pitch glides from note to note, but leaps if the interval is larger than five
/// semitones. A strike makes a puff of breath; a held note sounds without movement. On a grid
/// (`InstrumentHandle.grid`), breath begins on a line, and tilt changes the note on a line.
///
/// - Thread: see `Instrument`.
/// - Real-time safe: all but `init` and `prepare`.
public struct ReedInstrument: Instrument {
  /// The description of the instrument.
  public static let sheet = InstrumentInfo(
    name: "reed", summary: "a pipe with a reed: movement is the breath, tilt the note", plays: 40...88,
    holds: true,
    tail: 3)

  /// The parameters of the reed pipe.
  public enum Control: Int, InstrumentControl {
    /// The strength of the breath while the device does not move, 0 … 1.
    case breath
    /// The brightness of the tone, 0 … 1.
    case brightness
    /// The depth of the vibrato, in semitones above and below the note.
    case vibrato
    /// The time of a glide from note to note, in seconds.
    case glide
    /// The note that sounds while the device is held level, as a MIDI note number: the middle of the notes that tilt
    /// selects.
    case root
    /// The scale of the notes that tilt selects, as a number: 0 is major pentatonic, 5 chromatic.
    case scale

    /// The parameter's name, range and default.
    public var parameter: Parameter {
      switch self {
      case .breath:
        Parameter("breath", 0...1, default: 0, about: "breath without movement")
      case .brightness: Parameter("brightness", 0...1, default: 0.5)
      case .vibrato:
        Parameter("vibrato", 0...1, default: 0, unit: "semitones", about: "how far the pitch swings")
      case .glide:
        Parameter(
          "glide", 0.001...0.5, default: 0.03, unit: "s", curve: .exponential, about: "from note to note")
      case .root: Parameter("root", 45...76, default: 57, smoothing: 0, step: 1, about: "note in the middle")
      case .scale: NamedScale.parameter(default: 1)
      }
    }
  }

  /// The number of notes that tilt can select on either side of the middle note.
  private static let side = 7
  /// The tilt that selects the outermost notes, in degrees to either side.
  private static let reach: Float = 40
  /// The length of the puff of breath that a strike causes, in seconds.
  private static let puffSeconds = 0.35
  /// The number of frames between two updates of the pitch.
  private static let updateInterval = 16
  /// The gain: at 1, a pipe that is blown hard would be much louder than the other instruments.
  private static let level: Float = 0.5
  /// The interval in semitones beyond which the pitch leaps instead of gliding.
  private static let leap: Float = 5

  private var reed: Reed
  private var wobble = Sine(frequency: 5.2)
  private var ladder = TiltLadder()
  private var effort = MotionEffort()
  private var sampleRate = 48_000.0
  /// The strength of breath that the movement causes, 0 … 1.
  private var moved: Float = 0
  /// Whether the pipe begins on grid lines.
  private var isOnGrid = false
  /// The breath of the latest movement, 0 … 1; on a grid, a silent pipe begins with this breath on the next line.
  private var waiting: Float = 0
  /// The number of frames until readings count as missing; at 0, `moved` decays.
  private var fresh = 0
  /// The factor by which `moved` decays per frame while readings are missing.
  private var stale: Float = 0
  private var held: Float = 0
  private var heldID: Int32 = 0
  private var puff: Float = 0
  private var puffLeft = 0
  private var pitch: Float = 57
  private var pitchGoal: Float = 57
  private var bent: Float = 0
  private var untilUpdate = 0

  /// Creates a pipe at rest; `seed` starts the noise of the breath, nil for the next seed of `SeedSource`.
  public init(seed: UInt64?) { reed = Reed(seed: seed) }

  /// Creates an instrument that plays the given `Reed`.
  public init(_ reed: Reed) { self.reed = reed }

  /// Resets the pipe and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    self.sampleRate = sampleRate
    reed.prepare(sampleRate: sampleRate)
    wobble.prepare(sampleRate: sampleRate / Double(Self.updateInterval))
    (moved, held, puff, puffLeft, untilUpdate) = (0, 0, 0, 0, 0)
    (pitch, pitchGoal, bent, isOnGrid, waiting) = (57, 57, 0, false, 0)
    stale = Float(exp(-1 / (0.1 * sampleRate)))
    (ladder, effort) = (TiltLadder(), MotionEffort())
  }

  /// Handles a note, a strike or a movement.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    switch event {
    case .motion(let motion): move(motion, controls)
    case .strike(let force):
      head(for: tilted(controls))
      (puff, puffLeft) = (force, Int(Self.puffSeconds * sampleRate))
    case .noteMove(let note) where held == 0 || note.id != heldID: break
    case .noteOn(let note), .noteMove(let note):
      head(for: note.pitch)
      (held, heldID) = (note.velocity, note.id)
    case .noteOff(let note): if note.id == heldID { held = 0 }
    case .allOff: (held, puffLeft) = (0, 0)
    case .bend(let semitones): bent = semitones
    case .rhythm(let isRunning):
      isOnGrid = isRunning
      blowWaiting(controls)
    case .line: blowWaiting(controls)
    }
  }

  /// Renders the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    for frame in block.frames {
      if puffLeft > 0 { puffLeft &-= 1 }
      // A sensor that reports only changes sends nothing at rest.
      if fresh > 0 { fresh &-= 1 } else if moved > 0 { moved = moved < 0.02 ? 0 : moved * stale }
      let breath = max(max(moved, held), max(controls[.breath, frame], puffLeft > 0 ? puff : 0))
      guard breath > 0 || reed.isSounding else { continue }
      if untilUpdate == 0 { tune(controls) }
      untilUpdate = (untilUpdate &+ 1) % Self.updateInterval
      block[frame] = Self.level * reed.tick(breath)
    }
  }

  /// Updates breath and pitch from a motion; a held key overrides the pitch.
  private mutating func move(_ motion: Motion, _ controls: Controls<Control>) {
    // The smallest movement makes it speak; no wild movement is needed.
    effort.follow(motion)
    waiting = effort.value > 0 ? 0.12 + 0.88 * effort.value : 0
    fresh = Int(0.2 * sampleRate)
    _ = ladder.climb(to: motion.tilt.roll, width: Self.reach / Float(Self.side), most: Self.side)
    if !isOnGrid { return blowWaiting(controls) }
    // Breath that has begun follows the movement; only its beginning waits.
    if moved > 0 { moved = waiting }
  }

  private mutating func blowWaiting(_ controls: Controls<Control>) {
    if fresh > 0 { moved = waiting }
    if held == 0, moved > 0 || !isOnGrid { head(for: tilted(controls)) }
  }

  private func tilted(_ controls: Controls<Control>) -> Float {
    let scale = NamedScale.chosen(controls.goal(.scale), root: Int(controls.goal(.root)))
    return Float(max(30, min(scale.note(ladder.step ?? 0), 96)))
  }

  /// Starts a glide to a pitch; if nothing sounds, or if the interval is too large for a glide, sets the pitch
  /// immediately.
  private mutating func head(for goal: Float) {
    pitchGoal = goal
    let isLeap = abs(goal - pitch) > Self.leap
    guard isLeap || !reed.isSounding else { return }
    (pitch, untilUpdate) = (goal, 0)
    if isLeap { reed.leap(to: MoFun.midiToHz(Double(pitch + bent))) }
  }

  private mutating func tune(_ controls: Controls<Control>) {
    let seconds = max(Double(controls[.glide]), 1e-3)
    pitch += (pitchGoal - pitch) * Float(1 - exp(-3 * Double(Self.updateInterval) / (seconds * sampleRate)))
    let swing = controls[.vibrato] * wobble.tick()
    reed.set(frequency: MoFun.midiToHz(Double(pitch + bent + swing)), brightness: controls[.brightness])
  }
}
