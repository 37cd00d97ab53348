/// A Standard MIDI File: tracks of events, and the length of a tick.
///
/// - Source: *Standard MIDI Files 1.0* (RP-001).
/// - Thread: any.
public struct MIDIFile: Hashable, Sendable {
  /// The format of a MIDI file: a single track, or tracks that play together or separately.
  public enum Format: Int, Hashable, Sendable {
    /// The file has one track.
    case single = 0
    /// The tracks play together; the first track has the tempo.
    case together = 1
    /// The tracks are separate songs or patterns, each with its own tempo.
    case separate = 2
  }

  /// The format of the file: a single track, or tracks that play together or separately.
  public var format: Format
  /// The unit of time of the file: the length of a tick.
  public var division: MIDIDivision
  /// The tracks, in the order of the file.
  public var tracks: [MIDITrack]

  /// Faults that the reader found and repaired; empty for a new file.
  public var remarks: [MIDIFileRemark] = []

  /// Creates a file from its parts.
  public init(format: Format, division: MIDIDivision, tracks: [MIDITrack]) {
    (self.format, self.division, self.tracks) = (format, division, tracks)
  }
}

/// The length of a tick in a MIDI file: a part of a quarter note, or a part of a video frame (SMPTE time code).
public enum MIDIDivision: Hashable, Sendable {
  /// Ticks per quarter note, 1…32767.
  case ticksPerQuarter(UInt16)
  /// The rate of video frames, and ticks per frame, 1…255; tempo changes do not change the ticks' length.
  case timeCode(MIDIFrameRate, ticksPerFrame: UInt8)

  /// The division as the two bytes of the file header; nil for values that the format excludes, such as 0 ticks.
  var word: UInt16? {
    switch self {
    case .ticksPerQuarter(let ticks): (1...0x7FFF).contains(ticks) ? ticks : nil
    case .timeCode(let rate, let ticks):
      ticks > 0 ? UInt16(UInt8(bitPattern: -Int8(rate.rawValue))) << 8 | UInt16(ticks) : nil
    }
  }

  /// Creates the division from the two bytes of the file header; nil if the bytes are invalid.
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

/// The number of video frames per second, by which a time code (SMPTE) counts.
public enum MIDIFrameRate: Int, Hashable, Sendable {
  /// The rate of film, 24 frames per second.
  case film = 24
  /// The rate of European television, 25 frames per second.
  case pal = 25
  /// The rate of American television, 29.97 frames per second: 30000 frames in 1001 seconds.
  case drop = 29
  /// The rate of 30 video frames per second.
  case thirty = 30

  /// The length of a video frame in seconds.
  public var frameSeconds: Double { self == .drop ? 1001.0 / 30_000 : 1 / Double(rawValue) }
}

/// A track: events in order, and the tick of its end.
public struct MIDITrack: Hashable, Sendable {
  /// The events, sorted by tick, without the end-of-track event.
  public var events: [MIDIFileEvent]
  /// The tick at which the track ends, at or after its last event.
  public var end: Int

  /// Creates a track from its events.
  ///
  /// - Parameters:
  ///   - events: the track's events, in the order of their ticks.
  ///   - end: the tick at which the track ends. If it is nil or before the last event, the track ends at the last
  ///     event.
  public init(_ events: [MIDIFileEvent], end: Int? = nil) {
    self.events = events
    self.end = max(end ?? 0, events.last?.tick ?? 0)
  }

  /// The track's name; nil if it has none.
  ///
  /// Bytes that are not UTF-8 are read as Latin-1, which older programs used.
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
  /// The time of the event, in ticks from the start of the track.
  public var tick: Int
  /// The contents of the event.
  public var content: Content

  /// The contents of an event in a file.
  public enum Content: Hashable, Sendable {
    /// A channel message. A system message is also allowed; the file stores it as an escape event.
    case message(MIDIMessage)
    /// A SysEx message or its first packet: the bytes after F0, with F7 if the message ends in this event.
    case sysEx([UInt8])
    /// Bytes to send unchanged: the next packet of a SysEx message, or any other bytes.
    case escape([UInt8])
    /// A meta event: its type, 0…127, and its bytes.
    ///
    /// An end-of-track event is never a value of this case: `MIDITrack.end` has its tick.
    case meta(MIDIUInt7, [UInt8])
  }

  /// Creates an event at a tick.
  public init(_ tick: Int, _ content: Content) { (self.tick, self.content) = (tick, content) }
}

/// A fault that the reader of a file found and repaired.
public enum MIDIFileRemark: Hashable, Sendable, CustomStringConvertible {
  /// The number of tracks in the header differs from the number of tracks in the file.
  case tracks(announced: Int, found: Int)
  /// A track, counted from 1, has no end-of-track event.
  case endOfTrack(missingInTrack: Int)
  /// A track, counted from 1, has events after its end-of-track event, from the position `byte` in the file on; these
  /// events are dropped.
  case behindEnd(track: Int, byte: Int)
  /// An unknown block of the file (chunk) was skipped: its type, and the position of its first byte.
  case unknownChunk(String, byte: Int)
  /// The bytes after the last chunk, from the position `byte` in the file on, are not a chunk.
  case trailing(byte: Int)

  /// The fault, and its position.
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

/// The reason that a MIDI file cannot be read or written.
public enum MIDIFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are not a MIDI file, or end too early.
  ///
  /// The values are the fault and the byte, counted from 0, at which the fault appears.
  case malformed(String, byte: Int)
  /// A MIDI file cannot store the value; the text names the fault.
  case unwritable(String)

  /// The error text: the fault, and its position if the file cannot be read.
  public var description: String {
    switch self {
    case .malformed(let what, let byte): "not a MIDI file at byte \(byte): \(what)"
    case .unwritable(let what): "cannot be written as a MIDI file: \(what)"
    }
  }
}
