import MoCore
import MoSessionCore

/// An event that a member played for us: its content, its sender, and its time.
///
/// Its content's members are available directly: `hit.force` of a `Heard<SessionHit>`.
///
/// - Thread: any; a plain value.
@dynamicMemberLookup
public struct Heard<Played: Sendable>: Sendable {
  /// The sender, which can be this member.
  public var from: MemberID
  /// The content.
  public var played: Played
  /// The time at which it is to sound.
  public var time: HostTime
  /// The beat it was meant for; nil for immediately.
  public var beat: Double?
  /// Its lateness in seconds: 0 in time, infinite if its beat never comes.
  public var late: Double
  /// The weight of the gate that it came through, 0…1; the content is already weakened by it.
  public var weight: Float

  init(_ heard: SessionHeard, _ played: Played) {
    (from, self.played, time, beat, late) = (heard.from, played, heard.time, heard.beat, heard.late)
    weight = heard.weight
  }

  /// A member of the content.
  public subscript<Part>(dynamicMember part: KeyPath<Played, Part>) -> Part { played[keyPath: part] }
}

extension Heard<SessionChange> {
  /// Returns the parameter's new value: moves from the current value to the sent one by the gate's weight.
  public func value(from current: Float) -> Float { current + weight * (played.value - current) }
}
