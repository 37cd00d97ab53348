/// Joins the pieces of a SysEx message until F7, the byte that ends the message.
///
/// - Thread: one owner.
/// - Real-time safe: yes, as long as no callback keeps `bytes`.
struct MIDISysExJoiner: Sendable {
  /// The message, from F0 to F7, once it is complete.
  private(set) var bytes: [UInt8] = []
  private var isOpen = false
  private var isTooLong = false

  /// The most bytes of a message: 128 KiB.
  static let limit = 131_072

  init() { bytes.reserveCapacity(Self.limit) }

  /// The result of reading a piece.
  struct Outcome: Equatable {
    /// Whether the piece has completed a message, which is now in `bytes`.
    var isComplete = false
    /// The number of messages that were cut off, were too long, or had no beginning.
    var dropped = 0
  }

  /// Reads a piece, which may complete at most one message.
  mutating func read(_ piece: UnsafeBufferPointer<UInt8>) -> Outcome {
    var outcome = Outcome()
    for byte in piece {
      switch byte {
      case 0xF0:
        if isOpen { outcome.dropped += 1 }
        begin()
        bytes.append(byte)
      case 0xF7 where isOpen:
        isOpen = false
        if isTooLong {
          outcome.dropped += 1
        } else {
          bytes.append(byte)
          outcome.isComplete = true
        }
      case 0..<0x80 where isOpen:
        if bytes.count < Self.limit - 1 { bytes.append(byte) } else { isTooLong = true }
      case 0xF8...0xFF: break
      default:
        if isOpen || byte >= 0x80 { outcome.dropped += 1 }
        restart()
      }
    }
    return outcome
  }

  /// Forgets an incomplete message.
  mutating func restart() { (isOpen, isTooLong) = (false, false) }

  private mutating func begin() {
    (isOpen, isTooLong) = (true, false)
    bytes.removeAll(keepingCapacity: true)
    // A callback kept the last message: its buffer is no longer ours.
    if bytes.capacity < Self.limit { bytes.reserveCapacity(Self.limit) }
  }
}
