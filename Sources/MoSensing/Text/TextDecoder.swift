/// A decoder from serial data to lines of text.
///
/// A line ends with a carriage return, a line feed, or ETX (03), which readers of RFID tags use. Control characters,
/// and spaces at either end, are left out. An empty line is ignored; a line that is too long is dropped.
struct TextDecoder {
  private var line: [UInt8] = []
  private var isBroken = false
  /// The number of lines that were dropped because they had more than `TextLine.longest` bytes.
  private(set) var dropped = 0

  /// Decodes the next bytes, and passes each line to `said` as soon as the line is complete.
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
