import MoCore
import MoSessionCore

/// Something that was played for us: what, by whom, and when it is to sound.
///
/// What it is made of can be asked for at once: `hit.force` of a `Heard<SessionHit>`.
///
/// - Thread: any; a plain value.
@dynamicMemberLookup
public struct Heard<Played: Sendable>: Sendable {
  /// Who played it; oneself, too.
  public var from: MemberID
  /// What.
  public var played: Played
  /// When it is to sound.
  public var time: HostTime
  /// The beat it was meant for; nil for at once.
  public var beat: Double?
  /// By how many seconds it came too late; 0 in time, infinite if its beat never comes.
  public var late: Double
  /// How open the gate is that it came through, 0…1; what is played is weakened already.
  public var weight: Float

  init(_ heard: SessionHeard, _ played: Played) {
    (from, self.played, time, beat, late) = (heard.from, played, heard.time, heard.beat, heard.late)
    weight = heard.weight
  }

  /// What it is made of.
  public subscript<Part>(dynamicMember part: KeyPath<Played, Part>) -> Part { played[keyPath: part] }
}

extension Heard<SessionChange> {
  /// What the parameter becomes: what was sent, or only so much of the way there as the gate lets through.
  public func value(from current: Float) -> Float { current + weight * (played.value - current) }
}
