import MoCore
import MoSessionCore

/// A cue, from the moment it comes until two seconds after the moment it is for.
///
/// Its beat counts: the tempo may change, and the rhythm may stop, while it is counted down.
///
/// - Thread: any; a plain value.
public struct PendingCue: Hashable, Sendable {
  /// What it asks for.
  public var cue: SessionCue
  /// The member that gave it.
  public var from: MemberID
  /// The beat it is for; nil for at once.
  public var beat: Double?
  /// When that beat was expected as the cue came, or when it came.
  public var time: HostTime
  /// Which start of the rhythm its beat belongs to.
  private let take: UInt32?

  /// Seconds for which a cue is shown after its moment.
  private static let shown = 2.0

  /// A cue as it came; nil for anything else.
  ///
  /// - Parameter clock: the beat as the cue came.
  package init?(_ heard: SessionHeard, on clock: BeatClock) {
    guard case .cue(let cue) = heard.play else { return nil }
    (self.cue, from, beat, time) = (cue, heard.from, heard.beat, heard.time)
    take = clock.timeline?.take
  }

  /// Beats until the moment it is for, 0 from that moment on; nil once it is no longer to be shown.
  public func beatsLeft(on clock: BeatClock, at now: HostTime) -> Double? {
    let passed: Double
    if let beat, clock.timeline?.take == take, clock.isPlaying(at: now), let here = clock.beat(at: now),
      let tempo = clock.tempo(at: now)
    {
      guard here >= beat else { return beat - here }
      passed = (here - beat) * 60 / tempo
    } else if beat != nil, now < time {
      // The rhythm was stopped or started anew: its beat does not come.
      return nil
    } else {
      passed = now.seconds(since: time)
    }
    return passed < Self.shown ? 0 : nil
  }
}
