/// Divides what a device sends over a serial line into lines of text.
///
/// A line ends with a carriage return, a line feed, or ETX (03), as readers of RFID tags end theirs. Control characters
/// are left out, and so are spaces at either end. An empty line says nothing; one that is too long is dropped.
struct TextDecoder {
  private var line: [UInt8] = []
  private var isBroken = false
  /// Lines that were too long.
  private(set) var dropped = 0

  /// Takes in what came next, and says each line as soon as it is whole.
  mutating func take(_ bytes: Span<UInt8>, said: (ArraySlice<UInt8>) -> Void) {
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      case 0x0A, 0x0D, 0x03: end(said)
      case ..<0x20, 0x7F: break
      default:
        guard line.count < TextLine.longest else {
          isBroken = true
          break
        }
        line.append(byte)
      }
    }
  }

  private mutating func end(_ said: (ArraySlice<UInt8>) -> Void) {
    defer {
      line.removeAll(keepingCapacity: true)
      isBroken = false
    }
    if isBroken {
      dropped += 1
      return
    }
    let text = line.drop { $0 == 0x20 }
    guard let last = text.lastIndex(where: { $0 != 0x20 }) else { return }
    said(text[...last])
  }
}
