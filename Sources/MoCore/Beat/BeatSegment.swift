/// A stretch of music with one meter: at a steady tempo, on a ramp that ends in a steady tempo, or stopped.
///
/// Beats are counted in notes of the meter's unit, from 0 at the start of bar 1. The beats of a count-in before bar 1
/// are negative. For a time before `start`, the functions return values as if the segment had started earlier.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct BeatSegment: Hashable, Sendable, BitwiseCopyable {
  /// The time when the segment takes effect.
  public var start: SessionTime
  /// The beat at the segment's start.
  public var beat: Double
  /// The tempo at the segment's start, in beats per minute, within `Tempo.range`.
  public var tempo: Double
  /// The tempo after the ramp, in beats per minute.
  public var endTempo: Double
  /// The number of beats in which the tempo moves from `tempo` to `endTempo`, linearly in time; 0 for immediately.
  public var rampBeats: Double
  /// Whether beats advance; if false, the beat stays the same.
  public var isPlaying: Bool
  /// The meter of the bars.
  public var meter: Meter
  /// The number of the bar that begins at the beat `barBeat`; the first bar of the music has the number 1.
  public var bar: Int32
  /// The beat at which the bar `bar` begins.
  public var barBeat: Double
  /// The beat from which the rhythm sounds; earlier beats are the count-in.
  public var soundsFrom: Double

  /// The largest magnitude of a beat at the start of a segment or of a bar.
  package static let mostBeat = 999_999_999.0
  /// The largest magnitude of a bar's number.
  package static let mostBar = (1 << 30) - 1
  /// The largest length of a ramp, in beats.
  package static let mostRampBeats = 10_000.0

  /// Creates a segment with a steady tempo.
  public init(
    start: SessionTime, beat: Double, tempo: Double, isPlaying: Bool, meter: Meter = .common, bar: Int32 = 1,
    barBeat: Double = 0, soundsFrom: Double = -.greatestFiniteMagnitude
  ) {
    (self.start, self.beat, self.tempo, self.isPlaying) = (start, beat, tempo, isPlaying)
    (endTempo, rampBeats) = (tempo, 0)
    (self.meter, self.bar, self.barBeat, self.soundsFrom) = (meter, bar, barBeat, soundsFrom)
  }

  /// The length of the ramp, in seconds: `rampBeats` beats at the mean of `tempo` and `endTempo`.
  @inlinable
  var rampSeconds: Double { rampBeats * 120 / (tempo + endTempo) }

  /// Returns the beat at a moment.
  @inlinable
  public func beat(at time: SessionTime) -> Double {
    guard isPlaying else { return beat }
    let seconds = time.seconds(since: start)
    let speed = tempo / 60
    guard rampBeats > 0, seconds > 0 else { return beat + speed * seconds }
    let length = rampSeconds
    guard seconds < length else { return beat + rampBeats + endTempo / 60 * (seconds - length) }
    return beat + seconds * (speed + (endTempo / 60 - speed) * seconds / (2 * length))
  }

  /// Returns the time of a beat, even of a beat before the segment's start; nil if beats do not advance.
  @inlinable
  public func time(ofBeat wanted: Double) -> SessionTime? {
    guard isPlaying else { return nil }
    let beats = wanted - beat
    let speed = tempo / 60
    guard rampBeats > 0, beats > 0 else { return start.advanced(bySeconds: beats / speed) }
    let length = rampSeconds
    guard beats < rampBeats else {
      return start.advanced(bySeconds: length + (beats - rampBeats) * 60 / endTempo)
    }
    // The root of speed·t + bend·t² = beats, in the form that loses no digits if bend is small.
    let bend = (endTempo / 60 - speed) / (2 * length)
    return start.advanced(bySeconds: 2 * beats / (speed + (speed * speed + 4 * bend * beats).squareRoot()))
  }

  /// Returns the tempo at a moment.
  @inlinable
  public func tempo(at time: SessionTime) -> Tempo {
    guard rampBeats > 0 else { return Tempo(endTempo) }
    let passed = time.seconds(since: start) / rampSeconds
    return Tempo(passed <= 0 ? tempo : passed >= 1 ? endTempo : tempo + (endTempo - tempo) * passed)
  }

  /// Returns the bar in which a beat lies, and the number of beats from that bar's line to the beat.
  @inlinable
  public func position(ofBeat beat: Double) -> BarPosition {
    let length = Double(meter.beatsPerBar)
    let bars = ((beat - barBeat) / length).rounded(.down)
    return BarPosition(
      bar: Int(bar) + Int(Int64(reckoning: bars)), beat: max(0, beat - barBeat - bars * length), meter: meter)
  }

  /// Returns the beat of the first grid line at or after the given beat.
  @inlinable
  public func line(_ grid: BeatGrid, from beat: Double) -> Double {
    let step = grid.step(in: meter)
    guard step > 0 else { return beat }
    // A line that is less than a nanosecond back, at the fastest tempo, is this line, not the next.
    return barBeat + ((beat - barBeat - 2e-8) / step).rounded(.up) * step
  }
}

/// A position in the music, as bar and beat.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct BarPosition: Hashable, Sendable, BitwiseCopyable {
  /// The number of the bar, from 1; a count-in of two bars before bar 1 has the numbers -1 and 0.
  public var bar: Int
  /// The beats since the bar line: at least 0, below the number of beats in a bar.
  public var beat: Double
  /// The meter of this bar.
  public var meter: Meter

  /// Creates a position from its parts.
  @inlinable
  public init(bar: Int, beat: Double, meter: Meter) { (self.bar, self.beat, self.meter) = (bar, beat, meter) }
}
