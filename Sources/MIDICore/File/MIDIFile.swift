/// A Standard MIDI File: tracks of events, and how many ticks make a beat or a second.
///
/// - Source: *Standard MIDI Files 1.0* (RP-001).
/// - Thread: any.
public struct MIDIFile: Hashable, Sendable {
  /// How the tracks belong together.
  public enum Format: Int, Hashable, Sendable {
    /// One track.
    case single = 0
    /// Tracks that play together; the first one has the tempo.
    case together = 1
    /// Tracks that are songs or patterns of their own, each with its own tempo.
    case separate = 2
  }

  /// How the tracks belong together.
  public var format: Format
  /// What a tick is.
  public var division: MIDIDivision
  /// The tracks.
  public var tracks: [MIDITrack]

  /// What the reader found wrong with the file and could mend; empty for a file that was made here.
  public var remarks: [MIDIFileRemark] = []

  /// A file from its parts.
  public init(format: Format, division: MIDIDivision, tracks: [MIDITrack]) {
    (self.format, self.division, self.tracks) = (format, division, tracks)
  }
}

/// What a tick of a MIDI file is.
public enum MIDIDivision: Hashable, Sendable {
  /// Ticks a quarter note, 1…32767.
  case ticksPerQuarter(UInt16)
  /// Frames of a time code, and ticks in a frame, 1…255: no tempo changes their length.
  case timeCode(MIDIFrameRate, ticksPerFrame: UInt8)

  /// The two bytes of the header; nil for what the format excludes.
  var word: UInt16? {
    switch self {
    case .ticksPerQuarter(let ticks): (1...0x7FFF).contains(ticks) ? ticks : nil
    case .timeCode(let rate, let ticks):
      ticks > 0 ? UInt16(UInt8(bitPattern: -Int8(rate.rawValue))) << 8 | UInt16(ticks) : nil
    }
  }

  /// The division that the header's two bytes say; nil if they say none.
  init?(word: UInt16) {
    guard word & 0x8000 != 0 else {
      guard word > 0 else { return nil }
      self = .ticksPerQuarter(word)
      return
    }
    let frames = Int(Int8(bitPattern: UInt8(word >> 8))).magnitude
    guard let rate = MIDIFrameRate(rawValue: Int(frames)), word & 0xFF > 0 else { return nil }
    self = .timeCode(rate, ticksPerFrame: UInt8(word & 0xFF))
  }
}

/// Frames a second of a time code.
public enum MIDIFrameRate: Int, Hashable, Sendable {
  /// Film.
  case film = 24
  /// European television.
  case pal = 25
  /// American television: 30000 frames in 1001 seconds.
  case drop = 29
  /// 30 frames a second.
  case thirty = 30

  /// How long a frame is in seconds.
  public var frameSeconds: Double { self == .drop ? 1001.0 / 30_000 : 1 / Double(rawValue) }
}

/// A track: events in their order, and where it ends.
public struct MIDITrack: Hashable, Sendable {
  /// The events, none before the one above it; the end of the track is none of them.
  public var events: [MIDIFileEvent]
  /// The tick at which the track ends, at or after its last event.
  public var end: Int

  /// A track from its events.
  ///
  /// - Parameter end: where it ends; with its last event if that is later, or if it is nil.
  public init(_ events: [MIDIFileEvent], end: Int? = nil) {
    self.events = events
    self.end = max(end ?? 0, events.last?.tick ?? 0)
  }

  /// The track's name; nil if it has none.
  ///
  /// Bytes that are not UTF-8 are read as Latin-1, which older programs wrote.
  public var name: String? {
    for event in events {
      if case .meta(0x03, let bytes) = event.content { return text(bytes) }
    }
    return nil
  }
}

func text(_ bytes: [UInt8]) -> String {
  String(validating: bytes, as: UTF8.self)
    ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}

/// An event of a track.
public struct MIDIFileEvent: Hashable, Sendable {
  /// When it is, in ticks from the track's beginning.
  public var tick: Int
  /// What it is.
  public var content: Content

  /// What an event of a file is.
  public enum Content: Hashable, Sendable {
    /// A channel message; a system message is written as an escape.
    case message(MIDIMessage)
    /// A SysEx message or its first packet: the bytes after F0, with F7 if it ends here.
    case sysEx([UInt8])
    /// Bytes as they are to be sent: the next packet of a SysEx message, or any other.
    case escape([UInt8])
    /// A meta event: its type, 0…127, and its bytes. The end of the track is none.
    case meta(MIDIUInt7, [UInt8])
  }

  /// An event at a tick.
  public init(_ tick: Int, _ content: Content) { (self.tick, self.content) = (tick, content) }
}

/// What the reader of a file found wrong and could mend.
public enum MIDIFileRemark: Hashable, Sendable, CustomStringConvertible {
  /// The header announces another number of tracks than the file has.
  case tracks(announced: Int, found: Int)
  /// A track, counted from 1, has no end-of-track event.
  case endOfTrack(missingInTrack: Int)
  /// A track, counted from 1, has events behind its end-of-track event; they are dropped.
  case behindEnd(track: Int, byte: Int)
  /// A chunk of an unknown type was skipped.
  case unknownChunk(String, byte: Int)
  /// Bytes behind the last chunk are no chunk.
  case trailing(byte: Int)

  /// What is wrong, and where.
  public var description: String {
    switch self {
    case .tracks(let announced, let found): "the header announces \(announced) tracks, the file has \(found)"
    case .endOfTrack(let track): "track \(track) has no end-of-track event"
    case .behindEnd(let track, let byte): "track \(track) has bytes behind its end, from byte \(byte)"
    case .unknownChunk(let type, let byte): "the chunk \(type) at byte \(byte) was skipped"
    case .trailing(let byte): "from byte \(byte) on there is no chunk"
    }
  }
}

/// Why a MIDI file cannot be read or written.
public enum MIDIFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are no MIDI file, or end too early: what is wrong, and the byte (from 0) at which it shows.
  case malformed(String, byte: Int)
  /// The value has no place in a file: what is wrong with it.
  case unwritable(String)

  /// What is wrong, and where.
  public var description: String {
    switch self {
    case .malformed(let what, let byte): "not a MIDI file at byte \(byte): \(what)"
    case .unwritable(let what): "cannot be written as a MIDI file: \(what)"
    }
  }
}
