import MoOSC

/// What stood on a tape, when, and who had sent it.
struct SentPacket {
  /// From its tape's start.
  var nanoseconds: Int64
  var packet: OSCPacket
  /// `192.168.0.7:57120`; nil where the tape does not say.
  var sender: String?
}

/// A tape's packets, without the messages by which it names senders.
struct SentPackets {
  private let tape: OSCTapeReader
  private var sender: String?

  init(_ tape: OSCTapeReader) { self.tape = tape }

  /// The next one, or nil at the end.
  ///
  /// - Throws: `OSCTapeError.damaged`.
  mutating func next() throws -> SentPacket? {
    while let entry = try tape.nextPacket() {
      if case .message(let message) = entry.packet, message.address == TapeRecorder.senderAddress {
        sender = message.arguments.first?.text
        continue
      }
      return SentPacket(nanoseconds: entry.nanoseconds, packet: entry.packet, sender: sender)
    }
    return nil
  }
}

extension OSCPacket {
  /// The same so many nanoseconds later, where it has moments of its own.
  func shifted(byNanoseconds nanoseconds: Int64) -> OSCPacket {
    guard nanoseconds != 0, case .bundle(let bundle) = self else { return self }
    let tag =
      bundle.timeTag == .immediate ? bundle.timeTag : bundle.timeTag.advanced(byNanoseconds: nanoseconds)
    return .bundle(OSCBundle(tag, bundle.elements.map { $0.shifted(byNanoseconds: nanoseconds) }))
  }
}
