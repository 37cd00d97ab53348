/// A stretch of music in which tempo and meter follow one law: steady, or one ramp and then steady, or standing still.
///
/// Beats are counted in notes of the meter's unit, from 0 at the first bar line; those of a count-in that begins there
/// are negative. It also answers for moments before its start, as though it had begun earlier.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct BeatSegment: Hashable, Sendable, BitwiseCopyable {
  /// When it takes effect.
  public var start: SessionTime
  /// The beat at its start.
  public var beat: Double
  /// Beats a minute at its start, within `Tempo.range`.
  public var tempo: Double
  /// Beats a minute after the ramp.
  public var endTempo: Double
  /// Over how many beats the tempo goes from `tempo` to `endTempo`, evenly in time; 0 for at once.
  public var rampBeats: Double
  /// Whether beats go by; where not, the beat stands.
  public var isPlaying: Bool
  /// How beats make bars.
  public var meter: Meter
  /// The number of the bar whose line is at `barBeat`; bars are counted from 1.
  public var bar: Int32
  /// A beat with a bar line.
  public var barBeat: Double
  /// The beat from which the rhythm sounds; those before it are counted in.
  public var soundsFrom: Double

  /// A segment with a steady tempo.
  public init(
    start: SessionTime, beat: Double, tempo: Double, isPlaying: Bool, meter: Meter = .common, bar: Int32 = 1,
    barBeat: Double = 0, soundsFrom: Double = -.greatestFiniteMagnitude
  ) {
    (self.start, self.beat, self.tempo, self.isPlaying) = (start, beat, tempo, isPlaying)
    (endTempo, rampBeats) = (tempo, 0)
    (self.meter, self.bar, self.barBeat, self.soundsFrom) = (meter, bar, barBeat, soundsFrom)
  }

  /// How long the ramp takes in seconds: its beats at the mean of both tempi.
  @inlinable
  var rampSeconds: Double { rampBeats * 120 / (tempo + endTempo) }

  /// The beat at a moment.
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

  /// When a beat is, or would be; nil where beats stand still.
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
    // The root of speed·t + bend·t² = beats, in the form that loses no digits where bend is small.
    let bend = (endTempo / 60 - speed) / (2 * length)
    return start.advanced(bySeconds: 2 * beats / (speed + (speed * speed + 4 * bend * beats).squareRoot()))
  }

  /// Beats a minute at a moment.
  @inlinable
  public func tempo(at time: SessionTime) -> Double {
    guard rampBeats > 0 else { return endTempo }
    let passed = time.seconds(since: start) / rampSeconds
    return passed <= 0 ? tempo : passed >= 1 ? endTempo : tempo + (endTempo - tempo) * passed
  }

  /// Which bar a beat is in, and how many beats after its line, from 0.
  @inlinable
  public func position(ofBeat beat: Double) -> BarPosition {
    let length = Double(meter.beatsPerBar)
    let bars = ((beat - barBeat) / length).rounded(.down)
    return BarPosition(
      bar: Int(bar) + Int(Int64(reckoning: bars)), beat: max(0, beat - barBeat - bars * length), meter: meter)
  }

  /// The first line of a grid at or after a beat.
  @inlinable
  public func line(_ grid: BeatGrid, from beat: Double) -> Double {
    let step = grid.step(in: meter)
    guard step > 0 else { return beat }
    // A line that lies a nanosecond back, at the fastest tempo, is this one, not the next.
    return barBeat + ((beat - barBeat - 2e-8) / step).rounded(.up) * step
  }
}

/// A place in the music.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct BarPosition: Hashable, Sendable, BitwiseCopyable {
  /// The bar, from 1; those of a count-in come before the first that sounds.
  public var bar: Int
  /// Beats since the bar's line, from 0 to below the meter's beats a bar.
  public var beat: Double
  /// How beats make this bar.
  public var meter: Meter

  /// A place from its parts.
  @inlinable
  public init(bar: Int, beat: Double, meter: Meter) { (self.bar, self.beat, self.meter) = (bar, beat, meter) }
}
