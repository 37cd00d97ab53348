import MoOSC

/// Several messages in one datagram: an OSC bundle whose time tag means at once.
enum SessionBundle {
  /// Most bytes of a datagram, so that it fits into one packet on Ethernet with IPv6 and a locked room's seal.
  static let most = 1_392

  /// The bytes of `#bundle`, of its time tag, and of each element's length.
  private static let head: [UInt8] = Array("#bundle".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 1]
  private static let lengthSize = 4

  /// Messages in as few datagrams as they fit into, in order; one message alone is no bundle.
  static func datagrams(of messages: [[UInt8]]) -> [[UInt8]] {
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
  /// Reads a datagram: a message, or a bundle of what is played and acknowledged.
  static func list(_ datagram: [UInt8]) throws(MessageError) -> [SessionMessage] {
    guard let packet = try? OSCPacket(bytes: datagram) else { throw .malformed }
    switch packet {
    case .message(let message): return [try SessionMessage(message)]
    case .bundle(let bundle):
      var list: [SessionMessage] = []
      for element in bundle.elements {
        // No bundle within a bundle, and nothing that is answered by more than it is long.
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
