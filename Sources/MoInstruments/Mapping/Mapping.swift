import MoDSP

/// The mapping from movement to an instrument: rules from motion to parameters, pitches and strikes.
///
/// As text a mapping has one rule per line; text after `#` is a comment:
///
///     # hold it level for A, tip it to the right for higher notes
///     tilt-roll -45..45 -> note 57..81 in minor-pentatonic A3
///     jerk -> strike 0.3..1
///     activity 0.05..0.8 -> brightness 0..1 curve 2 smooth 0.1
///     cc74 -> brightness 0.2..1
///
/// - Thread: any; it is a plain value.
public struct Mapping: Sendable, Equatable {
  /// The rules in order; if two rules change the same parameter in the same motion, the later rule wins.
  public var rules: [Rule]

  /// Creates a mapping from rules; without rules, the instrument ignores movement.
  public init(_ rules: [Rule] = []) { self.rules = rules }

  /// The input of a rule.
  public enum Source: Sendable, Equatable {
    /// A feature of the motion.
    case motion(MotionSource)
    /// The number of a MIDI controller, 0…119; the controller's values are 0…127.
    case control(Int)

    /// The default range of the source, such as 0…127 for a MIDI controller.
    var usual: Span {
      switch self {
      case .motion(let source): source.usual
      case .control: Span(0, 127)
      }
    }

    /// Whether the source has a value only at the moment of a strike or tap; all other sources have a value at any
    /// time.
    var isMomentary: Bool {
      if case .motion(let source) = self { source.isMomentary } else { false }
    }

    /// Creates the source for a name such as `cc74`; nil for other names, and for numbers above 119.
    init?(controlNamed name: String) {
      guard name.hasPrefix("cc"), let number = wholeNumber(name.dropFirst(2)), (0...119).contains(number)
      else {
        return nil
      }
      self = .control(number)
    }
  }

  /// One rule: a source, a target in the instrument, and the settings for its values.
  public struct Rule: Sendable, Equatable {
    /// The feature of the motion, or the MIDI controller, that the rule reads.
    public var source: Source
    /// The source's range, which is mapped to the target's range; the beginning may be larger than the end.
    public var from: Span
    /// The target that the rule changes.
    public var target: Target
    /// The target's range.
    ///
    /// Nil means the whole range of a parameter, the MIDI notes 57…81 for `note`, the forces 0.2…1 for `strike`, the
    /// velocities 0.3…1 for `gate`, and −2…2 semitones for `bend`.
    public var to: Span?
    /// The scale or chord to which pitches are rounded; nil to leave pitches as they are, also between two semitones.
    public var scale: Scale?
    /// The exponent of the curve from the source's range to the target's range.
    ///
    /// Above 1, the target changes slowly near the beginning of the source's range; below 1, quickly.
    ///
    /// At 2, the middle of the source's range sets the target to a quarter of its range.
    public var curve: Float = 1
    /// The smoothing time in seconds, after which the target has covered 95 % of a change.
    public var smooth: Float = 0
    /// The dead zone: a source whose distance from 0 is not greater than this value counts as 0.
    ///
    /// Every other value moves nearer to 0 by `dead`. The source's range, `above` and `below` apply to the moved
    /// value.
    public var dead: Float = 0
    /// The hysteresis, in units of the target: a change of the target that is not greater than `hold` has no effect.
    ///
    /// For notes in a scale, `hold` is in semitones: the note changes only if another note is nearer by more than
    /// `hold`.
    public var hold: Float = 0
    /// The upper threshold: the source begins a note or causes a strike when it exceeds this value.
    ///
    /// The threshold applies to the target `gate`, and to the target `strike` if the source is continuous, as tilt is.
    public var above: Float
    /// The lower threshold: the note of the target `gate` ends when the source falls below this value.
    ///
    /// A continuous source with the target `strike` must fall below this value before it can cause a further strike.
    public var below: Float

    /// Creates a rule with the defaults of its source and target.
    public init(_ source: MotionSource, to target: Target) { self.init(.motion(source), to: target) }

    /// Creates a rule with the defaults of its source and target.
    public init(_ source: Source, to target: Target) {
      self.source = source
      self.target = target
      from = source.usual
      let width = source.usual.end - source.usual.begin
      above = source.usual.begin + 0.2 * width
      below = source.usual.begin + 0.1 * width
    }
  }

  /// A range from one number to another, up or down.
  public struct Span: Sendable, Equatable {
    /// The value at the beginning of the range.
    public var begin: Float
    /// The value at the end of the range.
    public var end: Float

    /// Creates a range from `begin` to `end`.
    public init(_ begin: Float, _ end: Float) { (self.begin, self.end) = (begin, end) }

    /// Returns the position of a value in the range: 0 at the beginning, 1 at the end; values outside the range are
    /// clamped.
    func part(of value: Float) -> Float {
      begin == end ? 0 : max(0, min((value - begin) / (end - begin), 1))
    }

    /// Returns the value at a position in the range: 0 is the beginning, 1 the end.
    func value(at part: Float) -> Float { begin + (end - begin) * part }
  }

  /// The destination of a rule's values: a parameter, a pitch, a strike, a held note or the pitch bend.
  public enum Target: Sendable, Equatable {
    /// A parameter of the instrument, with its name.
    case parameter(String)
    /// The pitch of the next strike, and of the note that a rule with the target `gate` holds.
    case note
    /// A strike, or a short note if another rule sets the pitch.
    case strike
    /// A note that begins when the source exceeds the rule's `above`, and ends when the source falls below `below`.
    case gate
    /// The pitch bend of all notes, in semitones.
    case bend

    /// The name of the target in the text of a rule, such as `strike`.
    public var name: String {
      switch self {
      case .parameter(let name): name
      case .note: "note"
      case .strike: "strike"
      case .gate: "gate"
      case .bend: "bend"
      }
    }

    /// Creates the target with the given name: `note`, `strike`, `gate`, `bend`, or otherwise the name of a parameter.
    public init(named name: String) {
      switch name {
      case "note": self = .note
      case "strike": self = .strike
      case "gate": self = .gate
      case "bend": self = .bend
      default: self = .parameter(name)
      }
    }

    /// The default range of the target, such as 57…81 for `note`; a parameter uses its own range instead.
    var usual: Span {
      switch self {
      case .parameter: Span(0, 1)
      case .note: Span(57, 81)
      case .strike: Span(0.2, 1)
      case .gate: Span(0.3, 1)
      case .bend: Span(-2, 2)
      }
    }
  }
}

/// A feature of the motion that a rule reads.
public enum MotionSource: String, Sendable, CaseIterable {
  /// Roll in degrees, −180 … 180: positive if tipped to the right.
  case tiltRoll = "tilt-roll"
  /// Pitch in degrees, −90 … 90: positive if the top edge is up.
  case tiltPitch = "tilt-pitch"
  /// The acceleration to the right, in g, including gravity.
  case x
  /// The acceleration towards the top edge, in g, including gravity.
  case y
  /// The acceleration out of the screen, in g, including gravity.
  case z
  /// The amount of movement, from 0 (still) to 1 (wild).
  case activity
  /// The energy of the movement in g²: the mean square of the acceleration without gravity, over about 1/8 s.
  case energy
  /// The force of a strike (`Motion.strike`), 0 … 1; its name in mappings is `jerk`.
  ///
  /// The source has a value only in the reading at which the strike begins.
  case strike = "jerk"
  /// The force of a tap, 0 … 1; the source has a value only in the reading at which the tap ends.
  case tap
  /// 1 while the device is shaken to and fro, otherwise 0.
  case shake

  /// Returns the source's value in a motion; nil for a strike or tap that the motion does not contain.
  func value(_ motion: Motion) -> Float? {
    switch self {
    case .tiltRoll: motion.tilt.roll
    case .tiltPitch: motion.tilt.pitch
    case .x: motion.x
    case .y: motion.y
    case .z: motion.z
    case .activity: motion.activity
    case .energy: motion.energy
    case .strike: motion.strike
    case .tap: motion.tap
    case .shake: motion.isShaken ? 1 : 0
    }
  }

  /// Whether the source has a value only in the reading of a strike or tap; all other sources have a value in every
  /// reading.
  var isMomentary: Bool { self == .strike || self == .tap }

  /// The default range of the source, such as −45…45 degrees for tilt.
  var usual: Mapping.Span {
    switch self {
    case .tiltRoll, .tiltPitch: .init(-45, 45)
    case .x, .y, .z: .init(-1, 1)
    case .energy: .init(0, 4)
    case .activity, .strike, .tap, .shake: .init(0, 1)
    }
  }
}
