import Glibc
import MoDSP

/// A reed pipe whose breath is movement: it sounds as long as it is moved, louder and brighter the more.
///
/// Tilt chooses the note of a scale, and slides there. A strike is a puff; a note that is held blows by itself. On the
/// grid (`InstrumentHandle.grid`) breath begins on a line, and tilt changes the note on one.
///
/// - Thread: as `Instrument` says.
/// - Real-time safe: all but `init` and `prepare`.
public struct ReedInstrument: Instrument {
  /// Its name, and what it promises.
  public static let sheet = InstrumentInfo(
    name: "reed", summary: "a pipe with a reed: movement is the breath, tilt the note", plays: 40...88,
    holds: true,
    tail: 3)

  /// What can be set.
  public enum Control: Int, InstrumentControl {
    /// How hard it is blown, without any movement.
    case breath
    /// How bright it is.
    case brightness
    /// How far the pitch swings.
    case vibrato
    /// How long it slides from note to note.
    case glide
    /// The note in the middle of the tilt.
    case root
    /// Which scale the tilt runs through.
    case scale

    /// What each is called and may be.
    public var parameter: Parameter {
      switch self {
      case .breath:
        Parameter("breath", 0...1, default: 0, about: "how hard it is blown, besides the movement")
      case .brightness: Parameter("brightness", 0...1, default: 0.5)
      case .vibrato:
        Parameter("vibrato", 0...1, unit: "semitones", default: 0, about: "how far the pitch swings")
      case .glide:
        Parameter(
          "glide", 0.001...0.5, unit: "s", curve: .exponential, default: 0.03, about: "from note to note")
      case .root: Parameter("root", 45...76, default: 57, smoothing: 0, step: 1, about: "note in the middle")
      case .scale: NamedScale.parameter(default: 1)
      }
    }
  }

  /// Notes on either side of the middle one, and the tilt that leads to the outermost, in degrees.
  private static let side = 7
  private static let reach: Float = 40
  /// Seconds that a strike blows for, and frames from one look at the pitch to the next.
  private static let puffSeconds = 0.35
  private static let look = 16
  /// A pipe as loud as it can be blown would drown the other instruments.
  private static let level: Float = 0.5
  /// Semitones beyond which it does not slide.
  private static let leap: Float = 5

  private var reed: Reed
  private var wobble = Sine(frequency: 5.2)
  private var ladder = TiltLadder()
  private var effort = MotionEffort()
  private var sampleRate = 48_000.0
  /// Breath: of the movement, of a held note, and frames left of a puff of so much force.
  private var moved: Float = 0
  /// Whether it begins on the grid's lines, and the breath that waits for one.
  private var isOnGrid = false
  private var waiting: Float = 0
  /// Frames until readings are missed, and what is left of the movement after each frame from then on.
  private var fresh = 0
  private var stale: Float = 0
  private var held: Float = 0
  private var heldID: Int32 = 0
  private var puff: Float = 0
  private var puffLeft = 0
  private var pitch: Float = 57
  private var pitchGoal: Float = 57
  private var bent: Float = 0
  private var untilLook = 0

  /// A pipe at rest.
  public init(seed: UInt64?) { reed = Reed(seed: seed) }

  /// Fits it to a sample rate, at rest.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    self.sampleRate = sampleRate
    reed.prepare(sampleRate: sampleRate)
    wobble.prepare(sampleRate: sampleRate / Double(Self.look))
    (moved, held, puff, puffLeft, untilLook) = (0, 0, 0, 0, 0)
    (pitch, pitchGoal, bent, isOnGrid, waiting) = (57, 57, 0, false, 0)
    stale = Float(exp(-1 / (0.1 * sampleRate)))
    (ladder, effort) = (TiltLadder(), MotionEffort())
  }

  /// Takes a note, a puff or a movement.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    switch event {
    case .motion(let motion): move(motion, controls)
    case .strike(let force):
      head(for: tilted(controls))
      (puff, puffLeft) = (force, Int(Self.puffSeconds * sampleRate))
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

  /// The next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    for frame in block.frames {
      if puffLeft > 0 { puffLeft &-= 1 }
      // A sensor that reports changes only is silent at rest.
      if fresh > 0 { fresh &-= 1 } else if moved > 0 { moved = moved < 0.02 ? 0 : moved * stale }
      let breath = max(max(moved, held), max(controls[.breath, frame], puffLeft > 0 ? puff : 0))
      guard breath > 0 || reed.isSounding else { continue }
      if untilLook == 0 { tune(controls) }
      untilLook = (untilLook &+ 1) % Self.look
      block[frame] = Self.level * reed.tick(breath)
    }
  }

  /// Whoever plays a key holds the pitch; otherwise the tilt has it.
  private mutating func move(_ motion: Motion, _ controls: Controls<Control>) {
    // The smallest movement is enough to speak; a wild one is not needed.
    effort.follow(motion)
    waiting = effort.value > 0 ? 0.12 + 0.88 * effort.value : 0
    fresh = Int(0.2 * sampleRate)
    _ = ladder.climb(to: motion.tilt.roll, width: Self.reach / Float(Self.side), most: Self.side)
    if !isOnGrid { return blowWaiting(controls) }
    // Breath that has begun is followed; it is the beginning that waits.
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

  /// Slides to a pitch; is there at once where nothing sounds, or where it is too far to slide.
  private mutating func head(for goal: Float) {
    pitchGoal = goal
    let isLeap = abs(goal - pitch) > Self.leap
    guard isLeap || !reed.isSounding else { return }
    (pitch, untilLook) = (goal, 0)
    if isLeap { reed.leap(to: MoFun.midiToHz(Double(pitch + bent))) }
  }

  private mutating func tune(_ controls: Controls<Control>) {
    let seconds = max(Double(controls[.glide]), 1e-3)
    pitch += (pitchGoal - pitch) * Float(1 - exp(-3 * Double(Self.look) / (seconds * sampleRate)))
    let swing = controls[.vibrato] * wobble.tick()
    reed.set(frequency: MoFun.midiToHz(Double(pitch + bent + swing)), brightness: controls[.brightness])
  }
}
