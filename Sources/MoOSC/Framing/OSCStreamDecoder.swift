/// A decoder of a stream of packets, which detects by the first byte whether the framing is length prefixes or SLIP.
///
/// A stream with length prefixes begins with a zero byte, since each length is a big-endian 32-bit integer below 2²⁴. A
/// SLIP stream begins with END. If the sender puts no END before the first packet, a SLIP stream begins with the
/// packet's '/' or '#'.
package struct OSCStreamDecoder: Sendable {
  private enum Framing {
    case unknown
    case lengths(OSCLengthPrefix)
    case slip(OSCSlip)
  }

  private var framing = Framing.unknown

  /// Creates a decoder at the start of a stream.
  package init() {}

  /// Whether the stream is SLIP; nil until a byte has come.
  package var isSlip: Bool? {
    switch framing {
    case .unknown: nil
    case .lengths: false
    case .slip: true
    }
  }

  /// Appends the next bytes of the stream.
  package mutating func append(_ bytes: some Collection<UInt8>) {
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

  /// Returns the next whole packet's bytes, or nil until more bytes have come.
  ///
  /// - Throws: `OSCError.malformed`, in the same cases as `OSCLengthPrefix.next()` for a stream with length prefixes,
  ///   and as `OSCSlip.next()` for SLIP.
  package mutating func next() throws(OSCError) -> [UInt8]? {
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
