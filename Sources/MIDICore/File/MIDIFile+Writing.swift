extension MIDIFile {
  /// The largest delta time that a MIDI file can store, in ticks.
  ///
  /// `bytes` divides a longer time between two events of a track by empty text events.
  public static let longestDelta = 0x0FFF_FFFF
  /// The longest time between two events of a track that `bytes` writes, in ticks: 7 MiB of empty text events.
  static let longestTime = 1 << 48

  /// Returns the file's bytes.
  ///
  /// - Throws: `MIDIFileError.unwritable` if a file cannot store this value. The reasons are events out of order, a
  ///   text that is too long, a time above 2⁴⁸ ticks, and a number of tracks that does not fit the format.
  public func bytes() throws(MIDIFileError) -> [UInt8] {
    guard format != .single || tracks.count == 1 else {
      throw .unwritable("format 0 has one track, this file has \(tracks.count)")
    }
    guard tracks.count <= 0xFFFF else { throw .unwritable("\(tracks.count) tracks are more than 65535") }
    guard let word = division.word else { throw .unwritable("the division \(division) has no ticks") }
    var bytes = Array("MThd".utf8) + [0, 0, 0, 6]
    for number in [UInt16(format.rawValue), UInt16(tracks.count), word] {
      bytes += [UInt8(number >> 8), UInt8(number & 0xFF)]
    }
    for (index, track) in tracks.enumerated() {
      let body = try track.body(number: index + 1)
      guard let length = UInt32(exactly: body.count) else {
        throw .unwritable("track \(index + 1) has \(body.count) bytes, more than a chunk holds")
      }
      bytes += Array("MTrk".utf8) + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + body
    }
    return bytes
  }
}

extension MIDITrack {
  fileprivate func body(number: Int) throws(MIDIFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(events.count * 5)
    var tick = 0
    for (index, event) in events.enumerated() {
      guard event.tick >= tick else {
        throw .unwritable(
          "event \(index + 1) of track \(number) is at tick \(event.tick), before the one above it, at \(tick)"
        )
      }
      try bytes.append(time: event.tick - tick, "the time before event \(index + 1) of track \(number)")
      tick = event.tick
      try event.content.append(to: &bytes)
    }
    guard end >= tick else {
      throw .unwritable("track \(number) ends at tick \(end), before its last event, at \(tick)")
    }
    try bytes.append(time: end - tick, "the time before the end of track \(number)")
    return bytes + [0xFF, 0x2F, 0]
  }
}

extension MIDIFileEvent.Content {
  fileprivate func append(to bytes: inout [UInt8]) throws(MIDIFileError) {
    switch self {
    case .message(let message) where message.channel != nil: message.bytes.append(to: &bytes)
    case .message(let message):
      bytes += [0xF7, UInt8(message.bytes.count)]
      message.bytes.append(to: &bytes)
    case .sysEx(let data):
      bytes.append(0xF0)
      try bytes.append(text: data, "a SysEx event")
    case .escape(let data):
      bytes.append(0xF7)
      try bytes.append(text: data, "an escape event")
    case .meta(let type, let data):
      guard type != 0x2F else { throw .unwritable("the end of a track is no event, but the track's `end`") }
      bytes += [0xFF, type.value]
      try bytes.append(text: data, "a meta event of type \(type.value)")
    }
  }
}

extension [UInt8] {
  /// Appends the delta time of the next event, after as many empty text events as the time needs.
  fileprivate mutating func append(time: Int, _ what: @autoclosure () -> String) throws(MIDIFileError) {
    guard time <= MIDIFile.longestTime else {
      throw .unwritable("\(what()) is \(time), more than \(MIDIFile.longestTime)")
    }
    var rest = time
    while rest > MIDIFile.longestDelta {
      try append(quantity: MIDIFile.longestDelta, what())
      self += [0xFF, 0x01, 0]
      rest -= MIDIFile.longestDelta
    }
    try append(quantity: rest, what())
  }

  fileprivate mutating func append(quantity: Int, _ what: @autoclosure () -> String) throws(MIDIFileError) {
    guard quantity <= MIDIFile.longestDelta else {
      throw .unwritable("\(what()) is \(quantity), more than \(MIDIFile.longestDelta)")
    }
    for shift in stride(from: 21, to: 0, by: -7) where quantity >> shift > 0 {
      append(UInt8(quantity >> shift & 0x7F) | 0x80)
    }
    append(UInt8(quantity & 0x7F))
  }

  fileprivate mutating func append(text: [UInt8], _ what: @autoclosure () -> String) throws(MIDIFileError) {
    try append(quantity: text.count, "the length of \(what())")
    self += text
  }
}
