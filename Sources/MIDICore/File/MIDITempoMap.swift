/// The time of each tick of a file, in seconds from the start of the file.
///
/// - Thread: any.
public struct MIDITempoMap: Hashable, Sendable {
  /// A stretch of the file with a constant tempo.
  public struct Stretch: Hashable, Sendable {
    /// The first tick of the stretch.
    public var tick: Int
    /// The start of the stretch, in seconds from the start of the file.
    public var seconds: Double
    /// The length of a quarter note in microseconds, 1…16777215; nil if the file counts time in video frames (SMPTE).
    public var microseconds: Int?
    /// The length of a tick, in seconds.
    public var tickSeconds: Double

    /// The tempo in quarter notes per minute; nil if the file counts time in video frames (SMPTE).
    public var tempo: Double? { microseconds.map { 60e6 / Double($0) } }
  }

  /// The stretches of constant tempo, in order; the first begins at tick 0.
  public let stretches: [Stretch]

  /// The default length of a quarter note, in microseconds: the tempo is 120 quarter notes per minute.
  public static let defaultMicroseconds = 500_000

  /// Creates a map from tempo changes, each with its tick and the new length of a quarter note.
  ///
  /// If several changes are at the same tick, the last change is used. A change to 0 microseconds is ignored. In a file
  /// with a time code, all changes are ignored.
  public init(division: MIDIDivision, changes: [(tick: Int, microseconds: Int)] = []) {
    switch division {
    case .timeCode(let rate, let ticks):
      stretches = [
        Stretch(
          tick: 0, seconds: 0, microseconds: nil, tickSeconds: rate.frameSeconds / Double(max(ticks, 1)))
      ]
    case .ticksPerQuarter(let ticks):
      let part = 1e-6 / Double(max(ticks, 1))
      let usual = Self.defaultMicroseconds
      var stretches = [
        Stretch(tick: 0, seconds: 0, microseconds: usual, tickSeconds: part * Double(usual))
      ]
      let ordered = changes.enumerated().sorted {
        ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
      }
      for (_, change) in ordered where change.microseconds > 0 {
        let last = stretches[stretches.count - 1]
        let next = Stretch(
          tick: change.tick, seconds: last.seconds + Double(change.tick - last.tick) * last.tickSeconds,
          microseconds: change.microseconds, tickSeconds: part * Double(change.microseconds))
        if last.tick == change.tick { stretches.removeLast() }
        stretches.append(next)
      }
      self.stretches = stretches
    }
  }

  /// Returns the stretch that contains a tick.
  public func stretch(at tick: Int) -> Stretch { stretches[index { $0.tick <= tick }] }

  /// Returns the time of a tick, in seconds from the start of the file.
  public func seconds(at tick: Int) -> Double {
    let stretch = stretch(at: tick)
    return stretch.seconds + Double(tick - stretch.tick) * stretch.tickSeconds
  }

  /// Returns the tick at a time, in seconds from the start of the file; the result may have a fraction.
  public func tick(at seconds: Double) -> Double {
    let stretch = stretches[index { $0.seconds <= seconds }]
    return Double(stretch.tick) + (seconds - stretch.seconds) / stretch.tickSeconds
  }

  /// Returns the index of the last stretch that meets a condition; 0 if no stretch does.
  private func index(_ holds: (Stretch) -> Bool) -> Int {
    var (low, high) = (0, stretches.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if holds(stretches[middle]) { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

/// A time signature of a file, and the tick from which it applies.
public struct MIDIMeter: Hashable, Sendable {
  /// The tick from which the time signature applies.
  public var tick: Int
  /// The upper number of the time signature.
  public var beats: Int
  /// The lower number of the time signature, a power of two: 1, 2, 4 ….
  public var unit: Int
  /// The number of MIDI clocks (24 per quarter note) between two clicks of the metronome.
  public var clocksPerClick: Int

  /// Creates a time signature from its parts.
  public init(tick: Int, beats: Int, unit: Int, clocksPerClick: Int) {
    (self.tick, self.beats, self.unit, self.clocksPerClick) = (tick, beats, unit, clocksPerClick)
  }
}

extension MIDIFile {
  /// Returns the tempo map for a track, counted from 0.
  ///
  /// All tracks share one map, except in the format `separate`.
  public func tempoMap(ofTrack track: Int = 0) -> MIDITempoMap {
    MIDITempoMap(
      division: division,
      changes: metas(0x51, forTrack: track).compactMap { tick, bytes in
        bytes.count == 3 ? (tick, bytes.reduce(0) { $0 << 8 | Int($1) }) : nil
      })
  }

  /// Returns the time signatures for a track, counted from 0; invalid time signatures are ignored.
  public func meters(ofTrack track: Int = 0) -> [MIDIMeter] {
    metas(0x58, forTrack: track).compactMap { tick, bytes in
      guard bytes.count >= 3, bytes[0] > 0, bytes[1] < 16 else { return nil }
      return MIDIMeter(
        tick: tick, beats: Int(bytes[0]), unit: 1 << Int(bytes[1]), clocksPerClick: Int(bytes[2]))
    }
  }

  /// The duration of the file in seconds, to the end of its longest track.
  public var seconds: Double {
    tracks.indices.reduce(0) { max($0, tempoMap(ofTrack: $1).seconds(at: tracks[$1].end)) }
  }

  private func metas(_ wanted: MIDIUInt7, forTrack track: Int) -> [(tick: Int, bytes: [UInt8])] {
    var found: [(tick: Int, bytes: [UInt8])] = []
    for (index, one) in tracks.enumerated() where format != .separate || index == track {
      for event in one.events {
        if case .meta(wanted, let bytes) = event.content { found.append((event.tick, bytes)) }
      }
    }
    return found.enumerated().sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }
      .map(\.element)
  }
}
