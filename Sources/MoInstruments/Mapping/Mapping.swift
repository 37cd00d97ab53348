import MoDSP

/// How movement reaches an instrument: rules from what a motion says to parameters, pitches and strokes.
///
/// Written as text, a rule a line; what stands after `#` is for people:
///
///     # hold it level for A, tip it to the right for higher notes
///     tilt-roll -45..45 -> note 57..81 in minor-pentatonic A3
///     jerk -> strike 0.3..1
///     activity 0.05..0.8 -> brightness 0..1 curve 2 smooth 0.1
///
/// - Thread: any; it is a plain value.
public struct Mapping: Sendable, Equatable {
  /// The rules, in the order in which they are followed; a later one for the same parameter has the last word.
  public var rules: [Rule]

  /// A mapping of rules; none for an instrument that does not move.
  public init(_ rules: [Rule] = []) { self.rules = rules }

  /// One way from a motion to the instrument.
  public struct Rule: Sendable, Equatable {
    /// What of the motion it looks at.
    public var source: MotionSource
    /// The source's value at the beginning and the end of the target's way; they may run downwards.
    public var from: Span
    /// What it moves.
    public var target: Target
    /// Where the target's way begins and ends; nil for a parameter's whole range, and what is usual for others.
    public var to: Span?
    /// Which notes belong; nil for all pitches between.
    public var scale: Scale?
    /// The power that bends the way: above 1 it begins gently, below 1 steeply.
    public var curve: Float = 1
    /// Seconds in which the target follows, but for 5 %.
    public var smooth: Float = 0
    /// A source within so much of 0 counts as 0.
    public var dead: Float = 0
    /// By how much the target must change to be moved at all; for notes in a scale, how much nearer the next must be.
    public var hold: Float = 0
    /// Where a gate opens, or a steady source strikes.
    public var above: Float
    /// Where it closes, or may strike again.
    public var below: Float

    /// A rule with what is usual for its source and target.
    public init(_ source: MotionSource, to target: Target) {
      self.source = source
      self.target = target
      from = source.usual
      let width = source.usual.end - source.usual.begin
      above = source.usual.begin + 0.2 * width
      below = source.usual.begin + 0.1 * width
    }
  }

  /// From one number to another, up or down.
  public struct Span: Sendable, Equatable {
    /// Where it begins.
    public var begin: Float
    /// Where it ends.
    public var end: Float

    /// From `begin` to `end`.
    public init(_ begin: Float, _ end: Float) { (self.begin, self.end) = (begin, end) }

    /// What part of the way a value is, 0 … 1.
    func part(of value: Float) -> Float {
      begin == end ? 0 : max(0, min((value - begin) / (end - begin), 1))
    }

    /// The value at a part of the way.
    func value(at part: Float) -> Float { begin + (end - begin) * part }
  }

  /// What a rule moves.
  public enum Target: Sendable, Equatable {
    /// A parameter, by its name.
    case parameter(String)
    /// The pitch of what is struck next, and of a note that is held.
    case note
    /// A stroke; with a rule for notes, a short note.
    case strike
    /// A note that is held while the source is high.
    case gate
    /// The bend of all that sounds, in semitones.
    case bend

    /// As it is typed.
    public var name: String {
      switch self {
      case .parameter(let name): name
      case .note: "note"
      case .strike: "strike"
      case .gate: "gate"
      case .bend: "bend"
      }
    }

    /// The target of that name; whatever is no other is a parameter.
    public init(named name: String) {
      switch name {
      case "note": self = .note
      case "strike": self = .strike
      case "gate": self = .gate
      case "bend": self = .bend
      default: self = .parameter(name)
      }
    }

    /// Where its way begins and ends where nothing is said.
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
