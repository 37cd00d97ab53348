extension MIDIFile {
  /// Creates a MIDI file from the bytes of a Standard MIDI File, or of a RIFF file that contains a MIDI file (.rmi).
  ///
  /// If the reader can repair a fault, it adds the fault to `remarks`, and throws no error.
  ///
  /// - Throws: `MIDIFileError.malformed` if the bytes are not a MIDI file, are truncated, or are inconsistent.
  public init(bytes: some Collection<UInt8>) throws(MIDIFileError) {
    var cursor = MIDIFileCursor(Array(bytes))
    try cursor.enterRIFF()
    try self.init(reading: &cursor)
  }

  private init(reading cursor: inout MIDIFileCursor) throws(MIDIFileError) {
    guard cursor.count >= 8 else {
      throw .malformed("\(cursor.count) bytes are too few for a header of 14", byte: cursor.place)
    }
    guard try cursor.type() == "MThd" else {
      throw .malformed("a file begins with MThd", byte: cursor.place - 4)
    }
    var header = try cursor.chunk("the header")
    guard header.count >= 6 else {
      throw .malformed("the header has \(header.count) bytes, fewer than 6", byte: header.place)
    }
    let number = try header.uint16()
    guard let format = Format(rawValue: Int(number)) else {
      throw .malformed("format \(number) is none of 0, 1, 2", byte: header.place - 2)
    }
    let announced = Int(try header.uint16())
    let word = try header.uint16()
    guard let division = MIDIDivision(word: word) else {
      throw .malformed(
        "the division \(word) is neither ticks a quarter note nor a time code", byte: header.place - 2)
    }
    self.init(format: format, division: division, tracks: [])
    try readChunks(&cursor, announced: announced)
    if tracks.count != announced { remarks.append(.tracks(announced: announced, found: tracks.count)) }
    if format == .single, tracks.count != 1 {
      throw .malformed("format 0 has one track, this file has \(tracks.count)", byte: cursor.place)
    }
  }

  private mutating func readChunks(
    _ cursor: inout MIDIFileCursor, announced: Int
  ) throws(MIDIFileError) {
    while cursor.count > 0 {
      let start = cursor.place
      guard cursor.count >= 8, cursor.isTyped else {
        remarks.append(.trailing(byte: start))
        return
      }
      // A program that was killed while it added a track had not counted it yet.
      if tracks.count >= announced, !cursor.hasWholeChunk {
        remarks.append(.trailing(byte: start))
        return
      }
      let type = try cursor.type()
      var chunk = try cursor.chunk("the chunk \(type)")
      guard type == "MTrk" else {
        remarks.append(.unknownChunk(type, byte: start))
        continue
      }
      let number = tracks.count + 1
      let (track, isEnded) = try MIDITrack.read(&chunk, number: number)
      tracks.append(track)
      if !isEnded { remarks.append(.endOfTrack(missingInTrack: number)) }
      if chunk.count > 0 { remarks.append(.behindEnd(track: number, byte: chunk.place)) }
    }
  }
}

extension MIDITrack {
  /// Returns the track in a chunk, and whether the track has an end-of-track event.
  ///
  /// - Parameter number: the number of the track, counted from 1, for error texts.
  static func read(_ chunk: inout MIDIFileCursor, number: Int) throws(MIDIFileError) -> (MIDITrack, Bool) {
    var events: [MIDIFileEvent] = []
    var tick = 0
    var running: UInt8 = 0
    while chunk.count > 0 {
      tick += try chunk.quantity("a delta time of track \(number)")
      let place = chunk.place
      var status = try chunk.byte("an event of track \(number)")
      switch status {
      case 0xFF:
        running = 0
        let type = try chunk.byte("a meta event's type")
        guard type < 0x80 else {
          throw .malformed("a meta event's type is 0…127, this one is \(type)", byte: chunk.place - 1)
        }
        let bytes = try chunk.text("a meta event of type \(type)")
        if type == 0x2F { return (MIDITrack(events, end: tick), true) }
        events.append(MIDIFileEvent(tick, .meta(MIDIUInt7(lowBitsOf: type), bytes)))
      case 0xF0, 0xF7:
        running = 0
        let bytes = try chunk.text(status == 0xF0 ? "a SysEx event" : "an escape event")
        events.append(MIDIFileEvent(tick, status == 0xF0 ? .sysEx(bytes) : .escape(bytes)))
      default:
        var first: UInt8?
        if status < 0x80 {
          guard running != 0 else {
            throw .malformed("data byte \(status) has no status byte before it", byte: place)
          }
          (status, first) = (running, status)
        }
        guard status < 0xF0, let count = MIDIMessage.dataCount(ofStatus: status) else {
          throw .malformed("status byte \(status) has no place in a file", byte: place)
        }
        running = status
        let one: UInt8 = if let first { first } else { try chunk.data() }
        let two: UInt8 = count == 2 ? try chunk.data() : 0
        guard let message = MIDIMessage(status: status, one, two) else {
          throw .malformed("the event is no MIDI message", byte: place)
        }
        events.append(MIDIFileEvent(tick, .message(message)))
      }
    }
    return (MIDITrack(events, end: tick), false)
  }
}

/// A position in the bytes of a file, which stays within a chunk or the whole file.
struct MIDIFileCursor {
  private let bytes: [UInt8]
  private(set) var place = 0
  private let end: Int

  init(_ bytes: [UInt8]) { (self.bytes, end) = (bytes, bytes.count) }

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    (self.bytes, place, end) = (bytes, range.lowerBound, range.upperBound)
  }

  /// The number of bytes from the position to the end of the chunk or file.
  var count: Int { end - place }

  /// Whether four printable characters follow the position, as at the start of a chunk.
  var isTyped: Bool { count >= 4 && bytes[place..<place + 4].allSatisfy { (0x20..<0x7F).contains($0) } }

  /// Whether a complete chunk follows the position.
  var hasWholeChunk: Bool {
    guard count >= 8 else { return false }
    return bytes[place + 4..<place + 8].reduce(0) { $0 << 8 | Int($1) } <= count - 8
  }

  mutating func byte(_ what: @autoclosure () -> String) throws(MIDIFileError) -> UInt8 {
    guard count > 0 else { throw .malformed("\(what()) is cut off", byte: place) }
    place += 1
    return bytes[place - 1]
  }

  mutating func data() throws(MIDIFileError) -> UInt8 {
    let value = try byte("a message")
    guard value < 0x80 else {
      throw .malformed("a data byte is 0…127, this one is \(value)", byte: place - 1)
    }
    return value
  }

  mutating func uint16() throws(MIDIFileError) -> UInt16 {
    let high = try byte("a number")
    return UInt16(high) << 8 | UInt16(try byte("a number"))
  }

  mutating func type() throws(MIDIFileError) -> String {
    guard count >= 4 else { throw .malformed("a chunk's type is cut off", byte: place) }
    place += 4
    return String(decoding: bytes[place - 4..<place], as: UTF8.self)
  }

  private mutating func length(isBigEndian: Bool) throws(MIDIFileError) -> Int {
    guard count >= 4 else { throw .malformed("a chunk's length is cut off", byte: place) }
    place += 4
    let four = bytes[place - 4..<place]
    return (isBigEndian ? Array(four) : four.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }

  /// Reads a chunk's length, and returns a cursor for the bytes of the chunk; the position moves behind the chunk.
  ///
  /// - Parameter what: the name of the chunk, for error texts.
  mutating func chunk(_ what: String, isBigEndian: Bool = true) throws(MIDIFileError) -> MIDIFileCursor {
    let length = try length(isBigEndian: isBigEndian)
    guard length <= count else {
      throw .malformed("\(what) takes \(length) bytes and \(count) are left", byte: place - 4)
    }
    defer { place += length }
    return MIDIFileCursor(bytes, place..<place + length)
  }

  /// Reads a variable-length quantity: a number in one to four bytes, with seven bits in each byte.
  ///
  /// - Parameter what: the name of the quantity, for error texts.
  mutating func quantity(_ what: @autoclosure () -> String) throws(MIDIFileError) -> Int {
    var value = 0
    for _ in 0..<4 {
      let next = try byte(what())
      value = value << 7 | Int(next & 0x7F)
      if next < 0x80 { return value }
    }
    throw .malformed("\(what()) has more than four bytes", byte: place - 4)
  }

  /// Reads a variable-length quantity *n*, and returns the *n* bytes that follow this quantity.
  ///
  /// - Parameter what: the name of these bytes, for error texts.
  mutating func text(_ what: @autoclosure () -> String) throws(MIDIFileError) -> [UInt8] {
    let length = try quantity("the length of \(what())")
    guard length <= count else {
      throw .malformed("\(what()) takes \(length) bytes and \(count) are left in its track", byte: place)
    }
    defer { place += length }
    return Array(bytes[place..<place + length])
  }

  /// Limits the cursor to the `data` chunk if the file is a RIFF file; does nothing with other files.
  ///
  /// - Throws: `MIDIFileError.malformed` if a RIFF file has no MIDI data.
  mutating func enterRIFF() throws(MIDIFileError) {
    guard count >= 12, bytes[0..<4].elementsEqual("RIFF".utf8) else { return }
    guard bytes[8..<12].elementsEqual("RMID".utf8) else {
      throw .malformed("a RIFF file with MIDI says RMID", byte: 8)
    }
    place = 12
    while count >= 8 {
      let type = try type()
      let chunk = try chunk("the RIFF chunk \(type)", isBigEndian: false)
      if type == "data" {
        self = chunk
        return
      }
      if chunk.end % 2 == 1, count > 0 { place += 1 }
    }
    throw .malformed("the RIFF file has no chunk data", byte: place)
  }
}
