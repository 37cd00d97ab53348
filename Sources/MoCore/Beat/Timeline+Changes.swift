extension Timeline {
  /// Returns a timeline that starts the rhythm, after a count-in if there is one.
  ///
  /// - Parameters:
  ///   - start: the time of the first beat; with a count-in, the time of the count-in's first beat.
  ///   - tempo: beats per minute; clamped to `Tempo.range`.
  ///   - meter: the beats of a bar.
  ///   - bar: the first bar that sounds, clamped to 1 … 100,000.
  ///   - countIn: the number of bars that are counted in before the first bar that sounds, clamped to 0 … 8.
  ///   - take: the number of this start; must be higher than `take` of the previous timeline.
  ///   - before: the last segment of the previous timeline, which continues until `start`. With nil, the rhythm is
  ///     stopped until `start`.
  public static func beginning(
    at start: SessionTime, tempo: Double, meter: Meter, bar: Int = 1, countIn: Int = 0, take: UInt32,
    after before: BeatSegment? = nil
  ) -> Timeline {
    let bar = min(max(bar, 1), 100_000)
    let line = Double((bar - 1) * meter.beatsPerBar)
    let counted = Double(min(max(countIn, 0), 8) * meter.beatsPerBar)
    let segment = BeatSegment(
      start: start, beat: line - counted, tempo: Tempo.nearest(tempo), isPlaying: true, meter: meter,
      bar: Int32(bar), barBeat: line, soundsFrom: line)
    // Until then the old state continues: the take that ends, or silence.
    var silence = segment
    silence.isPlaying = false
    var first = before ?? silence
    // A silence that was to last until a start later than this one begins at this start at the latest.
    if first.start > start { first = first.going(on: start) }
    return Timeline(first, next: segment, take: take)
  }

  /// Returns this timeline with a new segment from `time` on: the segment in force at `time`, modified by the closure
  /// `change`.
  ///
  /// Tempo and meter of changes that were announced for `time` or later become part of the new segment. If a stop has
  /// been announced, `change` modifies only the stopped segment, for the next start of the rhythm. If a start has been
  /// announced for `time` or later, `change` modifies the segment of this start.
  private func changed(at time: SessionTime, now: SessionTime, _ change: (inout BeatSegment) -> Void)
    -> Timeline
  {
    var segments = [current] + [next, later].compactMap { $0 }
    while segments.count > 1, segments[1].start <= now { segments.removeFirst() }
    if segments.count > 1, let last = segments.last, !last.isPlaying {
      change(&segments[segments.count - 1])
      segments[segments.count - 1].isPlaying = false
      return Timeline(segments, take: take)
    }
    // Before an announced start there is nothing to change but that start.
    if let index = segments.indices.dropFirst().first(where: {
      segments[$0].isPlaying && !segments[$0 - 1].isPlaying && segments[$0].start >= time
    }) {
      let later = segments[index...].dropFirst().last
      segments.removeSubrange((index + 1)...)
      if let later { segments[index].take(up: later) }
      change(&segments[index])
      return Timeline(segments, take: take)
    }
    var time = max(time, min(now, segments[0].start))
    // The present segment plays already, even if its start is ahead of this machine's time.
    if segments[0].start > time { segments[0] = segments[0].going(on: time) }
    // A timeline holds two announced changes: a third happens at the same time as the second, not later.
    if segments.count == 3, time > segments[2].start { time = segments[2].start }
    var announced: BeatSegment?
    while segments.count > 1, let last = segments.last, last.start >= time {
      let removed = segments.removeLast()
      // The last one includes the changes of the one before.
      announced = announced ?? removed
    }
    var segment = segments[segments.count - 1].going(on: time)
    if let announced { segment.take(up: announced) }
    change(&segment)
    return Timeline(segments + [segment], take: take)
  }

  private init(_ segments: [BeatSegment], take: UInt32) {
    self.init(
      segments[0], next: segments.count > 1 ? segments[1] : nil,
      later: segments.count > 2 ? segments[2] : nil,
      take: take)
  }

  /// Returns this timeline with a change of the tempo, in a single step or on a ramp.
  ///
  /// - Parameters:
  ///   - tempo: the new tempo in beats per minute; clamped to `Tempo.range`.
  ///   - beats: the length of the ramp in beats; 0 for a single step.
  ///   - time: the time at which the change begins.
  ///   - now: the present time; segments that have ended by then are dropped.
  public func changing(
    tempo: Double, over beats: Double = 0, at time: SessionTime, now: SessionTime
  ) -> Timeline {
    changed(at: time, now: now) { segment in
      segment.endTempo = Tempo.nearest(tempo)
      segment.rampBeats = beats > 0 ? min(beats, BeatSegment.mostRampBeats) : 0
      if segment.rampBeats == 0 { segment.tempo = segment.endTempo }
    }
  }

  /// Returns this timeline with a change of the meter.
  ///
  /// - Parameters:
  ///   - meter: the new meter.
  ///   - time: the time at which the new meter begins; a bar line is set at this time.
  ///   - now: the present time; segments that have ended by then are dropped.
  public func changing(meter: Meter, at time: SessionTime, now: SessionTime) -> Timeline {
    changed(at: time, now: now) { $0.change(meter) }
  }

  /// Returns this timeline with a stop of the rhythm.
  ///
  /// The new stop replaces a stop that has been announced but has not taken effect yet.
  ///
  /// - Parameters:
  ///   - time: the time of the stop.
  ///   - now: the present time; segments that have ended by then are dropped.
  public func stopping(at time: SessionTime, now: SessionTime) -> Timeline {
    var going = self
    if let later = going.later, !later.isPlaying, later.start > now {
      going.later = nil
    } else if let next = going.next, !next.isPlaying, next.start > now, going.later == nil {
      going.next = nil
    }
    return going.changed(at: time, now: now) { segment in
      segment.isPlaying = false
      (segment.tempo, segment.rampBeats) = (segment.endTempo, 0)
    }
  }
}

extension BeatSegment {
  /// Returns the rest of this segment from a time on: a segment that starts at this time, at the beat reached then.
  ///
  /// The result continues the tempo, and the ramp if the ramp has not ended. If the segment starts after `time`, the
  /// ramp begins at `time`, with its length.
  func going(on time: SessionTime) -> BeatSegment {
    var segment = self
    segment.start = time
    // A rhythm that is to start in years would have a beat that no other member accepts.
    segment.beat = min(max(beat(at: time), -Self.mostBeat), Self.mostBeat)
    segment.tempo = tempo(at: time).beatsPerMinute
    segment.rampBeats = rampBeats > 0 ? min(rampBeats, max(0, beat + rampBeats - segment.beat)) : 0
    if segment.rampBeats == 0 { segment.tempo = segment.endTempo }
    return segment
  }

  /// Applies the tempo and the meter of a later, already announced change at this segment's start.
  fileprivate mutating func take(up later: BeatSegment) {
    (endTempo, rampBeats) = (later.endTempo, later.rampBeats)
    if rampBeats == 0 { tempo = endTempo }
    if later.meter != meter { change(later.meter) }
  }

  /// Begins a bar of another meter at this segment's start.
  fileprivate mutating func change(_ meter: Meter) {
    // A beat just before the line counts as on it.
    let place = position(ofBeat: beat + 1e-6)
    let number = place.beat < 1e-3 ? place.bar : place.bar + 1
    bar = Int32(min(max(number, -Self.mostBar), Self.mostBar))
    barBeat = beat
    self.meter = meter
  }
}
