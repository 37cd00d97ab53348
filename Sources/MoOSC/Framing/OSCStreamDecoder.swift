/// Packets from a stream whose framing its first byte tells.
///
/// A length below 16 MiB begins with a zero; SLIP begins with END, or, from senders that put none in front, with
/// the packet's own '/' or '#'.
public struct OSCStreamDecoder: Sendable {
  private enum Framing {
    case unknown
    case lengths(OSCLengthPrefix)
    case slip(OSCSlip)
  }

  private var framing = Framing.unknown

  /// A decoder at the start of a stream.
  public init() {}

  /// Whether the stream is SLIP; nil until something has come.
  public var isSlip: Bool? {
    switch framing {
    case .unknown: nil
    case .lengths: false
    case .slip: true
    }
  }

  /// Takes in what came next on the stream.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    guard let first = bytes.first else { return }
    if case .unknown = framing { framing = first == 0 ? .lengths(OSCLengthPrefix()) : .slip(OSCSlip()) }
    switch framing {
    case .lengths(var decoder):
      framing = .unknown
      decoder.append(bytes)
      framing = .lengths(decoder)
    case .slip(var decoder):
      framing = .unknown
      decoder.append(bytes)
      framing = .slip(decoder)
    case .unknown: break
    }
  }

  /// The next whole packet's bytes, or nil until more has come.
  ///
  /// - Throws: `OSCError.malformed`, as the framing's own.
  public mutating func next() throws(OSCError) -> [UInt8]? {
    switch framing {
    case .unknown: return nil
    case .lengths(var decoder):
      framing = .unknown
      defer { framing = .lengths(decoder) }
      return try decoder.next()
    case .slip(var decoder):
      framing = .unknown
      defer { framing = .slip(decoder) }
      return try decoder.next()
    }
  }
}
