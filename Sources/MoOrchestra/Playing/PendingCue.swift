import MoCore
import MoSessionCore

/// A cue, from its arrival until two seconds after the moment for which it is meant.
///
/// `beatsLeft` uses the cue's beat and not its expected time, because the tempo may change, or the rhythm may stop
/// before the beat.
///
/// - Thread: any; a plain value.
public struct PendingCue: Hashable, Sendable {
  /// The cue as its sender sent it.
  public var cue: SessionCue
  /// The member that sent the cue.
  public var from: MemberID
  /// The beat for which the cue is meant; nil if the cue applies immediately.
  public var beat: Double?
  /// The time of `beat`, as expected when the cue arrived; if `beat` is nil, the time of arrival.
  public var time: HostTime
  /// The number of the take to which the cue's beat belongs; nil if no rhythm was known.
  ///
  /// Each start of the rhythm begins a new take.
  private let take: UInt32?

  /// The number of seconds for which a cue is still shown after the moment for which it is meant.
  private static let shown = 2.0

  /// Creates a pending cue from a received event; nil if the event is not a cue.
  ///
  /// - Parameter clock: the beat clock when the cue arrived.
  package init?(_ heard: SessionHeard, on clock: BeatClock) {
    guard case .cue(let cue) = heard.play else { return nil }
    (self.cue, from, beat, time) = (cue, heard.from, heard.beat, heard.time)
    take = clock.timeline?.take
  }

  /// Returns the number of beats until the moment for which the cue is meant; nil if the cue is over.
  ///
  /// From the cue's moment on, the result is 0 for two seconds; then the cue is over. If the rhythm ends before the
  /// cue's beat, the cue is over immediately.
  public func beatsLeft(on clock: BeatClock, at now: HostTime) -> Double? {
    let passed: Double
    if let beat, clock.timeline?.take == take, clock.isPlaying(at: now), let here = clock.beat(at: now),
      let tempo = clock.tempo(at: now)
    {
      guard here >= beat else { return beat - here }
      passed = Beats(here - beat).seconds(at: tempo)
    } else if beat != nil, now < time {
      // The rhythm was stopped or started anew, so its beat never comes.
      return nil
    } else {
      passed = now.seconds(since: time)
    }
    return passed < Self.shown ? 0 : nil
  }
}
