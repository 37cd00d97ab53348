import Glibc
import MoDSP

/// A drone that is played by tilt: it sounds while the device is held away from its rest orientation.
///
/// The first orientation of the device is the rest orientation. Each direction changes the sound in a different way:
/// tilting forwards and backwards sweeps the filter, tilting sideways detunes the tones. A strike makes the drone
/// swell; a held note sets the drone's root. On a grid (`InstrumentHandle.grid`), the drone begins on a line.
///
/// - Thread: see `Instrument`.
/// - Real-time safe: all but `init` and `prepare`.
public struct Drone: Instrument {
  /// The description of the instrument.
  public static let sheet = InstrumentInfo(
    name: "drone", summary: "a standing chord: hold it away from rest, and sweep it", plays: 24...60,
    holds: true,
    tail: 3)

  /// The parameters of the drone.
  public enum Control: Int, InstrumentControl {
    /// The level of the drone while the device is held in its rest orientation, 0 … 1.
    case level
    /// The setting of the filter while the device is held in its rest orientation, 0 (dark) … 1 (bright).
    case sweep
    /// The resonance of the filter, 0 … 1.
    case resonance
    /// The detuning in the rest orientation, in cents: a tone in the left channel is raised, and a tone in the right
    /// channel lowered, by this value.
    case spread
    /// The lowest note of the drone, as a MIDI note number.
    case root
    /// The angle from the rest orientation at which the drone is loudest, in degrees.
    case reach

    /// The parameter's name, range and default.
    public var parameter: Parameter {
      switch self {
      case .level: Parameter("level", 0...1, default: 0, about: "level without movement")
      case .sweep: Parameter("sweep", 0...1, default: 0.5, smoothing: 0.05, about: "dark … bright")
      case .resonance:
        Parameter("resonance", 0...1, default: 0.35, smoothing: 0.05, about: "how the filter rings")
      case .spread:
        Parameter("spread", 0...50, default: 8, unit: "cents", about: "how far the tones are apart")
      case .root: Parameter("root", 24...60, default: 33, smoothing: 0, step: 1, about: "its lowest note")
      case .reach:
        Parameter(
          "reach", 10...120, default: 45, unit: "degrees", smoothing: 0, about: "tilt at which it is loudest")
      }
    }
  }

  /// The angle from the rest orientation within which the tilt makes no sound, in degrees.
  private static let deadAngle: Float = 6
  /// The length of the swell that a strike causes, in seconds.
  private static let swellSeconds = 0.6
  /// The frames between two updates of the voice's setting.
  private static let updateInterval = 32

  private var voice = DroneVoice()
  private var sampleRate = 48_000.0
  private var rest: SIMD3<Float>?
  /// The loudness that results from the tilt, 0 … 1.
  private var away: Float = 0
  /// Whether the drone begins on grid lines.
  private var isOnGrid = false
  /// The loudness of the latest tilt, 0 … 1; on a grid, a silent drone begins with this loudness on the next line.
  private var waiting: Float = 0
  private var tip = Slew(0, within: 0.12)
  private var lean = Slew(0, within: 0.12)
  private var held: Float = 0
  private var heldNote = Note(33, velocity: 0)
  /// Whether the note of a key is the root of the drone.
  ///
  /// After the key is released, the value stays true until tilt, a strike or the parameter `level` makes the drone
  /// sound.
  private var isKeyed = false
  private var bent: Float = 0
  private var swell: Float = 0
  private var swellLeft = 0
  private var untilUpdate = 0

  /// Creates a drone at rest; the seed is ignored, because nothing in a drone is random.
  public init(seed: UInt64?) {}

  /// Resets the drone and prepares it for a sample rate.
  public mutating func prepare(sampleRate: Double, blockFrames: Int) {
    self.sampleRate = sampleRate
    voice.prepare(sampleRate: sampleRate)
    (rest, away, held, swell, swellLeft, untilUpdate) = (nil, 0, 0, 0, 0, 0)
    (isKeyed, bent, isOnGrid, waiting) = (false, 0, false, 0)
    tip.set(0)
    lean.set(0)
  }

  /// Handles a note, a strike or a movement.
  public mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    switch event {
    case .motion(let motion): move(motion, controls)
    case .strike(let force): (swell, swellLeft) = (force, Int(Self.swellSeconds * sampleRate))
    case .noteMove(let note) where held == 0 || note.id != heldNote.id: break
    case .noteOn(let note), .noteMove(let note):
      (held, heldNote, isKeyed) = (note.velocity, note, true)
      if !voice.isSounding { untilUpdate = 0 }
    case .noteOff(let note): if note.id == heldNote.id { held = 0 }
    case .allOff: (held, swellLeft) = (0, 0)
    case .bend(let semitones): bent = semitones
    case .rhythm(let isRunning): (isOnGrid, away) = (isRunning, waiting)
    case .line: away = waiting
    }
  }

  /// Renders the next frames.
  public mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    for frame in block.frames {
      if swellLeft > 0 { swellLeft &-= 1 }
      let goal = max(max(away, held), max(controls[.level, frame], swellLeft > 0 ? swell : 0))
      guard goal > 0 || voice.isSounding else { continue }
      if held == 0, goal > 0 { isKeyed = false }
      if untilUpdate == 0 { voice.set(setting(controls)) }
      untilUpdate = (untilUpdate &+ 1) % Self.updateInterval
      let (left, right) = voice.tick(goal)
      block[frame, 0] = left
      if block.outputs > 1 { block[frame, 1] = right }
    }
  }

  private mutating func move(_ motion: Motion, _ controls: Controls<Control>) {
    let up = motion.tilt.up
    guard let rest else {
      rest = up
      return
    }
    let angle = acosf(max(-1, min((up * rest).sum(), 1))) * (180 / .pi)
    let reach = max(controls.goal(.reach), 2 * Self.deadAngle)
    let part = max(0, min((angle - Self.deadAngle) / (reach - Self.deadAngle), 1))
    waiting = part * (2 - part)
    if !isOnGrid || away > 0 { away = waiting }
    // With the top edge up it is brighter.
    tip.goal = max(-1, min((up.y - rest.y) * 1.4, 1))
    lean.goal = max(-1, min((up.x - rest.x) * -1.4, 1))
  }

  private mutating func setting(_ controls: Controls<Control>) -> DroneVoice.Setting {
    let step = Float(Double(Self.updateInterval) / sampleRate)
    let (forth, aside) = (tip.advance(by: step), lean.advance(by: step))
    // A range of six octaves from 90 Hz.
    let height = max(0, min(controls[.sweep] + 0.6 * forth, 1))
    let pitch = isKeyed ? heldNote.pitch : controls[.root]
    return DroneVoice.Setting(
      root: MoFun.midiToHz(Double(pitch + bent)), spread: controls[.spread] * (1 + 3 * abs(aside)),
      cutoff: 90 * exp2(Double(6.2 * height)),
      q: 0.6 + 7 * Double(controls[.resonance] * controls[.resonance]) * Double(1 + 0.8 * abs(aside)))
  }
}
