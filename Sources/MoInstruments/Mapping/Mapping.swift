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
  /// The rules in order; of two rules for the same parameter, the later rule wins.
  public var rules: [Rule]

  /// Creates a mapping from rules; without rules, the instrument ignores movement.
  public init(_ rules: [Rule] = []) { self.rules = rules }

  /// The input of a rule.
  public enum Source: Sendable, Equatable {
    /// A feature of the motion.
    case motion(MotionSource)
    /// A MIDI controller, 0…119; its values are 0…127.
    case control(Int)

    /// The source's range if a rule gives none.
    var usual: Span {
      switch self {
      case .motion(let source): source.usual
      case .control: Span(0, 127)
      }
    }

    /// Whether the source has a value only at single moments, as a strike or a tap does.
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
    /// The target's range; nil for the whole range of a parameter, or for the default range of another target.
    public var to: Span?
    /// The scale of the notes; nil for all pitches.
    public var scale: Scale?
    /// The exponent of the change: above 1, the target changes slowly at first; below 1, quickly at first.
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
    /// The hysteresis: the smallest change of the target that has an effect.
    ///
    /// For notes in a scale, `hold` is in semitones: the note changes only if another note is nearer by more than
    /// `hold`.
    public var hold: Float = 0
    /// The source's value at which a gate opens, or at which a continuous source such as tilt strikes.
    public var above: Float
    /// The source's value at which the gate closes, or below which the source can strike again.
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

    /// Returns the position of a value in the range, 0 … 1.
    func part(of value: Float) -> Float {
      begin == end ? 0 : max(0, min((value - begin) / (end - begin), 1))
    }

    /// Returns the value at a position 0 … 1.
    func value(at part: Float) -> Float { begin + (end - begin) * part }
  }

  /// A target of a rule.
  public enum Target: Sendable, Equatable {
    /// A parameter of the instrument, with its name.
    case parameter(String)
    /// The pitch of the next strike, and of a held note.
    case note
    /// A strike, or a short note if another rule sets the pitch.
    case strike
    /// A note that is held while the source is above the threshold.
    case gate
    /// The pitch bend of all notes, in semitones.
    case bend

    /// The name that you type in a rule.
    public var name: String {
      switch self {
      case .parameter(let name): name
      case .note: "note"
      case .strike: "strike"
      case .gate: "gate"
      case .bend: "bend"
      }
    }

    /// Creates a target from its name; a name other than `note`, `strike`, `gate` and `bend` is that of a parameter.
    public init(named name: String) {
      switch name {
      case "note": self = .note
      case "strike": self = .strike
      case "gate": self = .gate
      case "bend": self = .bend
      default: self = .parameter(name)
      }
    }

    /// The default range.
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
