import MoOSC

/// Several messages in one datagram: an OSC bundle whose time tag means immediately.
package enum SessionBundle {
  /// The most bytes of a datagram, so that the sealed datagram fits into one packet on Ethernet with IPv6.
  static let most = 1_392

  /// The beginning of a bundle: `#bundle` and the time tag that means immediately.
  private static let head: [UInt8] = Array("#bundle".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 1]
  private static let lengthSize = 4

  /// Packs messages into as few datagrams as possible, in order; a single message is sent without a bundle.
  package static func datagrams(of messages: [[UInt8]]) -> [[UInt8]] {
    var (datagrams, group, size): ([[UInt8]], [[UInt8]], Int) = ([], [], head.count)
    func close() {
      if let only = group.first, group.count == 1 {
        datagrams.append(only)
      } else if !group.isEmpty {
        datagrams.append(
          group.reduce(into: head) { bytes, message in
            bytes.append(UInt64(message.count), count: lengthSize)
            bytes += message
          })
      }
    }
    for message in messages {
      if size + lengthSize + message.count > most {
        close()
        (group, size) = ([], head.count)
      }
      group.append(message)
      size += lengthSize + message.count
    }
    close()
    return datagrams
  }
}

extension SessionMessage {
  /// Decodes a datagram: a message, or a bundle of plays and acknowledgements.
  package static func list(_ datagram: [UInt8]) throws(MessageError) -> [SessionMessage] {
    guard let packet = try? OSCPacket(bytes: datagram) else { throw .malformed }
    switch packet {
    case .message(let message): return [try SessionMessage(message)]
    case .bundle(let bundle):
      var list: [SessionMessage] = []
      for element in bundle.elements {
        // Neither nested bundles, nor messages whose answers are longer than themselves.
        guard case .message(let message) = element else { throw .malformed }
        let part = try SessionMessage(message)
        switch part {
        case .play, .got: list.append(part)
        default: throw .malformed
        }
      }
      return list
    }
  }
}
