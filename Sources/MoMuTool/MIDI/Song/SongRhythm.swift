import MIDICore
import MoCore

/// A session's rhythm as ticks, tempo and meter of a MIDI file.
///
/// While the rhythm runs, the file's ticks follow the beats. While no rhythm runs, the file has a tempo with which the
/// session's next bar line falls on a bar line of the file.
struct SongRhythm {
  /// A stretch of the file in which the ticks follow the beats of a segment or, without a rhythm, the seconds.
  private struct Stretch {
    /// The shared time of the stretch's first tick.
    var start: SessionTime
    var tick: Double
    /// The segment whose beats the ticks follow; nil without a rhythm.
    var segment: BeatSegment?
    /// The number of ticks in a beat if there is a rhythm, otherwise in a second.
    var ticks: Double

    /// The beat at the stretch's start; 0 without a rhythm.
    var beat: Double { segment?.beat(at: start) ?? 0 }

    func tick(at time: SessionTime) -> Double {
      guard let segment else { return tick + time.seconds(since: start) * ticks }
      return tick + (segment.beat(at: time) - beat) * ticks
    }
  }

  static let ticksPerQuarter = 960
  /// The default number of ticks in a second without a rhythm: 960 in a quarter note, at 120 quarter notes a minute.
  private static let freeTicks = 1920.0
  /// The shortest time without a rhythm at the start of the tape, in seconds, that gets a stretch of its own.
  ///
  /// A shorter time is added to the first bar of the rhythm.
  private static let shortest = 0.25

  private var stretches: [Stretch] = []
  private(set) var events: [MIDIFileEvent] = []
  private var meter: Meter?
  /// The tick of a bar line of the file, from which the later bar lines are counted.
  ///
  /// The tick changes with each new meter, and with each new segment of the rhythm.
  private var barTick = 0.0

  /// - Parameters:
  ///   - segments: the segments of the tape, each with the time from which it applies, in order.
  ///   - start: the shared time of the tape's time 0.
  init(_ segments: [(from: SessionTime, segment: BeatSegment)], start: SessionTime) {
    var pieces: [(from: SessionTime, segment: BeatSegment?)] = []
    for (from, segment) in segments {
      let segment = segment.isPlaying ? segment : nil
      if segment != nil || pieces.last?.segment != nil { pieces.append((max(from, start), segment)) }
    }
    // Of pieces from the same time, the last one counts.
    pieces = pieces.indices.filter { $0 + 1 == pieces.count || pieces[$0].from < pieces[$0 + 1].from }.map {
      pieces[$0]
    }
    if let first = pieces.first, let segment = first.segment,
      first.from.seconds(since: start) < Self.shortest
    {
      begin(with: segment, from: start)
      pieces.removeFirst()
    } else {
      addFree(from: start, until: pieces.first)
    }
    for (index, piece) in pieces.enumerated() {
      if let segment = piece.segment {
        add(segment, from: piece.from)
      } else {
        addFree(from: piece.from, until: index + 1 < pieces.count ? pieces[index + 1] : nil)
      }
    }
    for index in stretches.indices {
      addTempo(of: stretches[index], until: index + 1 < stretches.count ? stretches[index + 1].tick : nil)
    }
    events = events.enumerated().sorted {
      ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
    }.map(\.element)
  }

  /// Returns the tick at a shared time, at least 0.
  func tick(at time: SessionTime) -> Int { Int(max(0, stretch(at: time).tick(at: time)).rounded()) }

  /// Returns the number of ticks in a beat at a shared time; nil while no rhythm runs.
  func ticksPerBeat(at time: SessionTime) -> Double? {
    let stretch = stretch(at: time)
    return stretch.segment == nil ? nil : stretch.ticks
  }

  /// Returns the tick at which the bar with the number `bar` begins; nil if no bar has this number.
  ///
  /// If the rhythm was started several times, several bars can have this number; the result is then for the last of
  /// them.
  func tick(ofBar bar: Int) -> Int? {
    for (index, stretch) in stretches.enumerated().reversed() {
      guard let segment = stretch.segment else { continue }
      let beat = segment.barBeat + Double(bar - Int(segment.bar)) * Double(segment.meter.beatsPerBar)
      let tick = stretch.tick + (beat - stretch.beat) * stretch.ticks
      let end = index + 1 < stretches.count ? stretches[index + 1].tick : .infinity
      if tick > stretch.tick - 0.5, tick < end - 0.5 { return Int(max(0, tick).rounded()) }
    }
    return nil
  }

  private func stretch(at time: SessionTime) -> Stretch {
    stretches.last { $0.start <= time } ?? stretches[0]
  }

  /// Begins the file at the bar line before the start of the tape, so that the file's tick 0 is a bar line.
  private mutating func begin(with segment: BeatSegment, from start: SessionTime) {
    let beat = segment.beat(at: start)
    let line = beat - segment.position(ofBeat: beat).beat
    add(segment, from: segment.time(ofBeat: line) ?? start)
  }

  private mutating func add(_ segment: BeatSegment, from start: SessionTime) {
    let tick = stretches.last?.tick(at: start) ?? 0
    let ticks = Self.ticks(ofBeatIn: segment.meter)
    let phase = segment.position(ofBeat: segment.beat(at: start)).beat
    set(segment.meter, at: tick)
    // The beat may be a little before its bar line, by rounding.
    let length = Double(segment.meter.beatsPerBar)
    barTick = tick - (phase > length - 1e-6 ? 0 : phase) * ticks
    stretches.append(Stretch(start: start, tick: tick, segment: segment, ticks: ticks))
  }

  /// Adds a stretch without a rhythm.
  ///
  /// Its tempo makes the bar lines of the rhythm `next` fall on bar lines of the file; if `next` is nil, the tempo is
  /// the default.
  private mutating func addFree(
    from start: SessionTime, until next: (from: SessionTime, segment: BeatSegment?)?
  ) {
    let tick = stretches.last?.tick(at: start) ?? 0
    var ticks = Self.freeTicks
    if let next, let segment = next.segment {
      set(segment.meter, at: tick)
      let seconds = next.from.seconds(since: start)
      let bar = Double(segment.meter.beatsPerBar) * Self.ticks(ofBeatIn: segment.meter)
      let phase =
        segment.position(ofBeat: segment.beat(at: next.from)).beat * Self.ticks(ofBeatIn: segment.meter)
      let rest = Self.rest(phase - (tick - barTick), bar)
      let bars = ((seconds * Self.freeTicks - rest) / bar).rounded()
      let count = max(rest + max(bars, 0) * bar, rest > 0 ? rest : bar)
      if seconds > 0.001 { ticks = count / seconds }
    } else if meter == nil {
      set(.common, at: tick)
    }
    stretches.append(Stretch(start: start, tick: tick, segment: nil, ticks: ticks))
  }

  /// Returns the remainder of a division of ticks, which is 0 or more and less than the divisor.
  ///
  /// A remainder that is less than half a tick below the divisor counts as 0.
  private static func rest(_ value: Double, _ divisor: Double) -> Double {
    let rest = value - (value / divisor).rounded(.down) * divisor
    return rest > divisor - 0.5 ? 0 : rest
  }

  private static func ticks(ofBeatIn meter: Meter) -> Double { Double(4 * ticksPerQuarter / meter.unit) }

  private mutating func set(_ new: Meter, at tick: Double) {
    guard new != meter else { return }
    meter = new
    barTick = tick
    let clocks = UInt8(clamping: 96 / new.unit)
    let unit = UInt8(new.unit.trailingZeroBitCount)
    events.append(
      MIDIFileEvent(
        Int(tick.rounded()), .meta(0x58, [UInt8(clamping: new.beatsPerBar), unit, max(1, clocks), 8])))
  }

  private mutating func addTempo(of stretch: Stretch, until end: Double?) {
    guard let segment = stretch.segment else {
      return addTempo(at: stretch.tick, quarterSeconds: Double(Self.ticksPerQuarter) / stretch.ticks)
    }
    let quarters = Double(Self.ticksPerQuarter) / stretch.ticks
    func steady(_ tempo: Double, at tick: Double) {
      addTempo(at: tick, quarterSeconds: quarters * 60 / tempo)
    }
    guard segment.rampBeats > 0 else { return steady(segment.tempo, at: stretch.tick) }
    // A ramp is a staircase of eighths of a beat, each as long as it is in the session.
    var beat = stretch.beat
    let rampEnd = segment.beat + segment.rampBeats
    while beat < rampEnd - 1e-9 {
      let next = min(rampEnd, ((beat * 8).rounded(.down) + 1) / 8)
      let tick = stretch.tick + (beat - stretch.beat) * stretch.ticks
      if let end, tick >= end { return }
      if let from = segment.time(ofBeat: beat), let to = segment.time(ofBeat: next) {
        addTempo(at: tick, quarterSeconds: quarters * to.seconds(since: from) / (next - beat))
      }
      beat = next
    }
    let tick = stretch.tick + (max(beat, rampEnd) - stretch.beat) * stretch.ticks
    if end.map({ tick < $0 }) ?? true { steady(segment.endTempo, at: max(tick, stretch.tick)) }
  }

  private mutating func addTempo(at tick: Double, quarterSeconds: Double) {
    let microseconds = Int(max(1, min(quarterSeconds * 1e6, 16_777_215)).rounded())
    let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: microseconds >> $0) }
    events.append(MIDIFileEvent(Int(max(0, tick).rounded()), .meta(0x51, bytes)))
  }
}
