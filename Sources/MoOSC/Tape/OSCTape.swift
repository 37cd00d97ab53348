/// What every tape has in common; the format is described in Docs/Tapes.md.
public enum OSCTape {
  /// The version that is written and read.
  public static let version = 1

  /// The address of the header, the first message on a tape: `,is`, the version and what made it.
  public static let headerAddress = "/momu/tape"
}

/// One message on a tape, and when it was.
public struct OSCTapeReading: Hashable, Sendable {
  /// Nanoseconds from the tape's start.
  public var nanoseconds: Int64
  /// What was recorded.
  public var message: OSCMessage

  /// A message at a time in nanoseconds from the tape's start.
  public init(nanoseconds: Int64, message: OSCMessage) {
    self.nanoseconds = nanoseconds
    self.message = message
  }
}

/// One packet on a tape: a message, or a bundle with a time tag of its own, and when it came.
public struct OSCTapePacket: Hashable, Sendable {
  /// Nanoseconds from the tape's start.
  public var nanoseconds: Int64
  /// What was recorded.
  public var packet: OSCPacket
}
