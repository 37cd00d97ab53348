import MoOSC

/// A packet of a tape, with its time and sender.
struct SentPacket {
  /// Nanoseconds from the tape's start.
  var nanoseconds: Int64
  var packet: OSCPacket
  /// The sender, such as `192.168.0.7:57120`; nil if the tape does not name the sender.
  var sender: String?
}

/// A reader of a tape's packets with their senders.
///
/// Some messages on a tape only name the sender of the packets after them. The reader does not return these messages.
struct SentPackets {
  private let tape: OSCTapeReader
  private var sender: String?

  init(_ tape: OSCTapeReader) { self.tape = tape }

  /// Returns the next packet, or nil at the end.
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
  /// Returns the packet with its time tags moved by the given number of nanoseconds; the time tag `immediate` stays.
  func shifted(byNanoseconds nanoseconds: Int64) -> OSCPacket {
    guard nanoseconds != 0, case .bundle(let bundle) = self else { return self }
    let tag =
      bundle.timeTag == .immediate ? bundle.timeTag : bundle.timeTag.advanced(byNanoseconds: nanoseconds)
    return .bundle(OSCBundle(tag, bundle.elements.map { $0.shifted(byNanoseconds: nanoseconds) }))
  }
}

/// Opens a tape of OSC messages for reading.
///
/// - Throws: `OSCTapeError`, or a `ToolError` if the text of the `OSCTapeError` would advise an option that `momu` does
///   not have.
func openTape(_ path: String) throws -> OSCTapeReader {
  do throws(OSCTapeError) { return try OSCTapeReader(path: path) } catch { throw ToolError.explaining(error) }
}
