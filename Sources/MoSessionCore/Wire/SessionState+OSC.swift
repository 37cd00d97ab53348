import MoCore
import MoOSC

extension SessionState {
  /// The values of the state's message.
  package var values: [OSCArgument] {
    let segments = timeline.map { [$0.current] + [$0.next, $0.later].compactMap { $0 } } ?? []
    let head: [OSCArgument] =
      version.values + [
        .id(lineage), .int32(isHeld ? 1 : 0), .id(holderInstallation), .id(policy.only), .id(policy.lifted),
        .id(joins), .int32(Int32(bitPattern: lastChange)), .int32(Int32(bitPattern: timeline?.take ?? 0)),
      ]
    return head + segments.flatMap(\.values)
      + (0..<pattern.count).flatMap { place -> [OSCArgument] in
        [.float(pattern[place].total), .int32(pattern[place].bar), .int32(pattern[place].level)]
      }
      + [.blob(StateAncestor.bytes(of: ancestors)), .blob(policy.gates.bytes)]
      + policy.sections.entries.flatMap { entry -> [OSCArgument] in
        [.int64(Int64(bitPattern: entry.id)), .int32(entry.bits)]
      } + [.int32(Int32(bitPattern: endedSilence))]
  }

  /// Reads a state from the values of a message.
  package init(_ values: inout ArgumentReader) throws(MessageError) {
    self.init(
      version: try StateVersion(&values), lineage: try values.member(), isHeld: try values.int() != 0,
      holderInstallation: try values.id(), timeline: nil)
    (policy.only, policy.lifted) = (try values.id(), try values.id())
    joins = try values.id()
    lastChange = UInt32(bitPattern: try values.int())
    let take = UInt32(bitPattern: try values.int())
    var segments: [BeatSegment] = []
    while values.isLong {
      guard segments.count < 3 else { throw .malformed }
      let segment = try BeatSegment(&values)
      if let last = segments.last, segment.start < last.start { throw .malformed }
      segments.append(segment)
    }
    if let first = segments.first {
      timeline = Timeline(
        first, next: segments.count > 1 ? segments[1] : nil, later: segments.count > 2 ? segments[2] : nil,
        take: take)
    }
    while values.isFloat {
      let total = try values.float()
      let entry = PatternPlan.Entry(bar: try values.int(), level: try values.int(), total: total)
      guard (0...1).contains(total), (1...PatternPlan.highest).contains(entry.level), pattern.add(entry)
      else { throw .malformed }
    }
    ancestors = StateAncestor.list(try values.bytes())
    guard let gates = GateTable(bytes: try values.bytes()) else { throw .malformed }
    policy.gates = gates
    while values.isLong {
      let id = UInt64(bitPattern: try values.long())
      guard let entry = SectionLevels.Entry(id: id, bits: try values.int()), policy.sections.put(entry)
      else { throw .malformed }
    }
    // A tape of an older release does not have it.
    endedSilence = values.isAtEnd ? 0 : UInt32(bitPattern: try values.int())
  }
}

extension StateVersion {
  var values: [OSCArgument] {
    [.int32(Int32(bitPattern: counter)), .id(holder), .int32(Int32(bitPattern: revision))]
  }

  init(_ values: inout ArgumentReader) throws(MessageError) {
    self.init(
      counter: UInt32(bitPattern: try values.int()), holder: try values.id(),
      revision: UInt32(bitPattern: try values.int()))
  }
}

extension BeatSegment {
  fileprivate var values: [OSCArgument] {
    [
      .int64(start.nanoseconds), .double(beat), .double(tempo), .double(endTempo), .double(rampBeats),
      .int32(isPlaying ? 1 : 0), .int32(Int32(meter.beatsPerBar)), .int32(Int32(meter.unit)), .int32(bar),
      .double(barBeat), .double(soundsFrom),
    ]
  }

  fileprivate init(_ values: inout ArgumentReader) throws(MessageError) {
    let start = SessionTime(nanoseconds: try values.long())
    let (beat, tempo, endTempo) = (try values.double(), try values.double(), try values.double())
    let (rampBeats, isPlaying) = (try values.double(), try values.int() != 0)
    let meter = Meter(Int(try values.int()), Int(try values.int()))
    let (bar, barBeat, soundsFrom) = (try values.int(), try values.double(), try values.double())
    guard let meter, Tempo.range.contains(tempo), Tempo.range.contains(endTempo),
      (0...BeatSegment.mostRampBeats).contains(rampBeats),
      abs(beat) <= BeatSegment.mostBeat, abs(barBeat) <= BeatSegment.mostBeat,
      start.nanoseconds.magnitude < 1 << 62, bar.magnitude <= BeatSegment.mostBar
    else { throw .malformed }
    self.init(
      start: start, beat: beat, tempo: tempo, isPlaying: isPlaying, meter: meter, bar: bar, barBeat: barBeat,
      soundsFrom: soundsFrom)
    (self.endTempo, self.rampBeats) = (rampBeats > 0 ? endTempo : tempo, rampBeats)
  }
}
