import MoCore

/// Moves what is played to the nearest line of a grid.
///
/// | strength | swing |
/// |---|---|
/// | 0 leaves all as it is, 1 puts it on the line, 0.5 halfway | as in `SwungSteps` |
///
/// In a recording it moves notes both ways. Live, a note that is played before its line waits for it; a note that is
/// played after its line sounds at once, since a sound cannot be moved into the past.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct Quantiser: Hashable, Sendable, BitwiseCopyable {
  /// Steps in a beat: 4 for sixteenths in 4/4; 0 for no grid at all.
  public var stepsPerBeat: Double
  /// How far notes are moved to their line, 0 … 1.
  public var strength: Double
  /// How late the second step of a pair is, 0 … 1.
  public var swing: Double

  /// A quantiser; what is out of range counts as the range's end, NaN as its beginning.
  public init(stepsPerBeat: Double = 4, strength: Double = 1, swing: Double = 0) {
    self.stepsPerBeat = Self.clean(stepsPerBeat, 64)
    self.strength = Self.clean(strength, 1)
    self.swing = Self.clean(swing, 1)
  }

  /// Whether it leaves everything as it is played.
  @inlinable
  public var isFree: Bool { stepsPerBeat <= 0 || strength <= 0 }

  /// Where in the music something belongs that was played at a beat: on the nearest line, if `strength` is 1.
  ///
  /// Halfway between two lines the later one is taken.
  ///
  /// - Parameter line: a beat with a bar line, from which pairs of steps are counted.
  public func beat(for played: Double, from line: Double = 0) -> Double {
    guard !isFree, abs(played - line) < 1e9 else { return played }
    return played + strength * (nearestLine(to: played, from: line) - played)
  }

  /// The beat at which something was played, and where in the music it belongs; nil if no rhythm runs or for no grid.
  package func beats(ofPlayed time: HostTime, on clock: BeatClock) -> (played: Double, line: Double)? {
    guard !isFree, let course = clock.course, clock.isPlaying(at: time), let played = clock.beat(at: time)
    else {
      return nil
    }
    return (played, beat(for: played, from: course.segment(at: clock.sessionTime(at: time)).barBeat))
  }

  /// The line nearest to a beat.
  func nearestLine(to beat: Double, from line: Double) -> Double {
    let next = nextLine(from: beat, line)
    // The line before is one step or, where it swings, up to one and a half steps back.
    let steps = ((next - line) * stepsPerBeat).rounded()
    var before = steps
    while place(before, line) > beat - 1e-9 { before -= 1 }
    let last = place(before, line)
    return beat - last < next - beat - 1e-9 ? last : next
  }

  /// The first line at or after a beat.
  func nextLine(from beat: Double, _ line: Double) -> Double {
    // Two steps before bracket every swing.
    var index = ((beat - line) * stepsPerBeat).rounded(.down) - 1
    while place(index, line) < beat - 1e-9 { index += 1 }
    return place(index, line)
  }

  private func place(_ index: Double, _ line: Double) -> Double {
    line + SwungSteps.place(index, swing: swing) / stepsPerBeat
  }

  private static func clean(_ value: Double, _ most: Double) -> Double {
    value.isNaN ? 0 : max(0, min(value, most))
  }
}
