/// The constants of all tapes; Docs/Tapes.md describes the format.
public enum OSCTape {
  /// The version of the tape format that this package writes and reads.
  public static let version = 1

  /// The address of the header, the first message on a tape.
  ///
  /// The types of the header are `,is`: the version of the format, and the program that recorded the tape.
  public static let headerAddress = "/momu/tape"
}

/// A message on a tape, and its time.
public struct OSCTapeReading: Hashable, Sendable {
  /// The nanoseconds since the tape's start.
  public var nanoseconds: Int64
  /// The recorded message.
  public var message: OSCMessage

  /// Creates a reading from its time, in nanoseconds since the tape's start.
  public init(nanoseconds: Int64, message: OSCMessage) {
    self.nanoseconds = nanoseconds
    self.message = message
  }
}

/// A packet on a tape, and its time: a message, or a bundle with its own time tag.
public struct OSCTapePacket: Hashable, Sendable {
  /// The nanoseconds since the tape's start.
  public var nanoseconds: Int64
  /// The recorded packet.
  public var packet: OSCPacket
}
