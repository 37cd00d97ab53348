import MoCore
import MoOSC

extension PlayMessage {
  var message: OSCMessage {
    let stamp = stamp ?? PlayStamp(lineage: .nobody, take: 0, beat: 0)
    let head: [OSCArgument] = [
      .id(from), .id(to), .int32(stream), .int32(number), .int32(first),
      .id(stamp.lineage), .int32(Int32(bitPattern: stamp.take)), .double(stamp.beat),
    ]
    return SessionMessage.make(play.address, head + play.values)
  }

  /// Reads the message's values after the protocol's version, which is the first value.
  init(_ address: SessionAddress, _ values: inout ArgumentReader) throws(MessageError) {
    (from, to) = (try values.member(), try values.id())
    (stream, number, first) = (try values.int(), try values.int(), try values.int())
    let stamp = PlayStamp(
      lineage: try values.id(), take: UInt32(bitPattern: try values.int()), beat: try values.double())
    self.stamp = stamp.lineage == .nobody ? nil : stamp
    // The limit of a stream would take a year of playing; numbers outside a stream wrap around.
    guard stream >= 0, stream == 0 || (first > 0 && first <= number && number < 1 << 30),
      abs(stamp.beat) < 1e9
    else { throw .malformed }
    play = try SessionPlay(address, &values)
  }
}

extension SessionPlay {
  /// The values of the play's message.
  package var values: [OSCArgument] {
    switch self {
    case .hit(let hit): return [.float(hit.force), .int32(hit.drum)] + Self.named(hit.instrument)
    case .note(let note):
      return [.float(note.pitch), .float(note.velocity), .float(note.length)] + Self.named(note.instrument)
    case .melody(let melody):
      return [.float(melody.beats)]
        + melody.notes.flatMap { note -> [OSCArgument] in
          [.float(note.beat), .float(note.length), .float(note.pitch), .float(note.velocity)]
        }
    case .cells(let cells):
      return [.string(cells.name)]
        + cells.edits.flatMap { edit -> [OSCArgument] in
          [.int64(edit.key), .int64(Int64(bitPattern: edit.cell.word))]
        }
    case .cue(let cue): return [.int32(cue.sign.rawValue), .string(cue.text)]
    case .text(let text): return [.int32(text.audience.rawValue), .string(text.words)]
    case .change(let change):
      return [.string(change.name), .float(change.value)] + Self.named(change.instrument)
    case .gesture(let gesture):
      return [.float(gesture.activity), .float(gesture.roll), .float(gesture.pitch)]
    }
  }

  /// Returns the values that encode an instrument's name; an empty array if the name is empty.
  private static func named(_ instrument: String) -> [OSCArgument] {
    instrument.isEmpty ? [] : [.string(instrument)]
  }

  private static func instrument(_ values: inout ArgumentReader) throws(MessageError) -> String {
    guard values.isText else { return "" }
    let name = try values.text()
    guard name.isPlain(most: mostInstrument) else { throw .malformed }
    return name
  }

  /// The largest number of bytes in an instrument's name.
  static let mostInstrument = 40

  /// Reads a play from the values of a message with this address.
  package init(_ address: SessionAddress, _ values: inout ArgumentReader) throws(MessageError) {
    switch address {
    case .hit:
      self = .hit(
        SessionHit(
          force: try values.float(), drum: Int(try values.int()), instrument: try Self.instrument(&values)))
    case .note:
      self = .note(
        SessionNote(
          pitch: try values.float(), velocity: try values.float(), length: try values.float(),
          instrument: try Self.instrument(&values)))
    case .melody:
      let beats = try values.float()
      var notes: [SessionMelody.Note] = []
      while !values.isAtEnd {
        guard notes.count < SessionMelody.most else { throw .malformed }
        notes.append(
          SessionMelody.Note(
            beat: try values.float(), length: try values.float(), pitch: try values.float(),
            velocity: try values.float()))
      }
      self = .melody(SessionMelody(beats: beats, notes))
    case .parameter:
      let name = try values.text()
      guard name.isPlain(most: 64) else { throw .malformed }
      let value = try values.float()
      self = .change(SessionChange(name, value, instrument: try Self.instrument(&values)))
    case .cells:
      let name = try values.text()
      guard name.isPlain(most: 64) else { throw .malformed }
      var edits: [SharedEdit] = []
      while !values.isAtEnd {
        guard edits.count < SharedEdits.most else { throw .malformed }
        let key = try values.long()
        edits.append(SharedEdit(key: key, cell: SharedCell(word: UInt64(bitPattern: try values.long()))))
      }
      self = .cells(SharedEdits(name, edits))
    case .cue:
      // An unknown sign of a later release counts as `ready`, with its words.
      let sign = SessionCue.Sign(rawValue: try values.int()) ?? .ready
      self = .cue(SessionCue(sign, try values.text()))
    case .text:
      // A line for an unknown audience of a later release counts as for all.
      let audience = SessionText.Audience(rawValue: try values.int()) ?? .all
      self = .text(SessionText(try values.text(), for: audience))
    case .gesture:
      self = .gesture(
        SessionGesture(activity: try values.float(), roll: try values.float(), pitch: try values.float()))
    default: throw .foreign
    }
  }
}
