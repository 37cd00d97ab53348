import MoTime

/// Draws what is played to a grid, forward only: a sound cannot be moved into the past.
///
/// | strength | swing | grace |
/// |---|---|---|
/// | 0 leaves all as it is, 1 puts it on the line, 0.5 halfway | as in `SwungSteps` | what is late by no more than this part of a step stays where it is, 0 … 0.5 |
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct Quantiser: Hashable, Sendable, BitwiseCopyable {
  /// Steps in a beat: 4 for sixteenths in 4/4; 0 for no grid at all.
  public var stepsPerBeat: Double
  /// How far things are drawn to their line, 0 … 1.
  public var strength: Double
  /// How late the second step of a pair is, 0 … 1.
  public var swing: Double
  /// What part of a step counts as on time, 0 … 0.5.
  public var grace: Double

  /// A quantiser; what is out of range counts as the range's end, no number as its beginning.
  public init(stepsPerBeat: Double = 4, strength: Double = 1, swing: Double = 0, grace: Double = 0.1) {
    self.stepsPerBeat = Self.clean(stepsPerBeat, 64)
    self.strength = Self.clean(strength, 1)
    self.swing = Self.clean(swing, 1)
    self.grace = Self.clean(grace, 0.5)
  }

  /// Where in the music something belongs that was played at a beat: there or later, never earlier.
  ///
  /// - Parameter line: a beat with a bar line, from which pairs of steps are counted.
  public func beat(for played: Double, from line: Double = 0) -> Double {
    guard stepsPerBeat > 0, strength > 0, abs(played - line) < 1e9 else { return played }
    let steps = (played - line) * stepsPerBeat
    // Two steps before and one after bracket every swing.
    var index = steps.rounded(.down) - 1
    while SwungSteps.place(index, swing: swing) < steps - grace - 1e-9 { index += 1 }
    let wanted = max(SwungSteps.place(index, swing: swing), steps)
    return line + (steps + strength * (wanted - steps)) / stepsPerBeat
  }

  /// When something that is played now may sound; at once while no rhythm runs.
  public func time(for now: HostTime, on clock: BeatClock) -> HostTime {
    guard let timeline = clock.course, clock.isPlaying(at: now), let played = clock.beat(at: now) else {
      return now
    }
    let session = clock.sessionTime(at: now)
    let line = timeline.segment(at: session).barBeat
    guard let time = timeline.moment(ofBeat: beat(for: played, from: line), from: session) else { return now }
    return max(now, clock.hostTime(at: time))
  }

  private static func clean(_ value: Double, _ most: Double) -> Double {
    value.isNaN ? 0 : max(0, min(value, most))
  }
}
