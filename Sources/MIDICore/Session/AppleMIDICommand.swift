/// A command of Apple's session protocol for RTP-MIDI.
///
/// - Source: Apple's MIDI Network Driver Protocol, as decoded by Wireshark's `packet-applemidi.c`.
package enum AppleMIDICommand: Hashable, Sendable {
  /// IN: the sender asks the receiver to join the session.
  case invitation(token: UInt32, source: UInt32, name: [UInt8])
  /// OK: the sender accepts an invitation.
  case acceptance(token: UInt32, source: UInt32, name: [UInt8])
  /// NO: the sender refuses an invitation.
  case refusal(token: UInt32, source: UInt32)
  /// BY: the sender leaves the session.
  case bye(token: UInt32, source: UInt32)
  /// CK: a message of a clock comparison; `count` is 0, 1 or 2 for the first, second or third message.
  case clock(source: UInt32, count: UInt8, InlineTimes)
  /// RS: the receiver of the MIDI packets confirms all packets up to `number`.
  ///
  /// Each of these packets has arrived, or a later packet has restored its content.
  case feedback(source: UInt32, number: UInt16)
  /// RL: the sender asks for a limit of the bit rate; MoMu ignores this command.
  case limit(source: UInt32)

  /// The times of the three messages of a clock comparison, in ticks of 100 µs, each by the clock of the message's
  /// sender.
  package struct InlineTimes: Hashable, Sendable {
    package var first: UInt64 = 0
    var second: UInt64 = 0
    var third: UInt64 = 0

    package init(first: UInt64 = 0, second: UInt64 = 0, third: UInt64 = 0) {
      (self.first, self.second, self.third) = (first, second, third)
    }
  }

  /// The largest number of bytes in a name.
  static let longestName = 63

  /// Reads the command in a datagram; nil if the datagram is not a valid command of the protocol's version 2.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 8, bytes[0] == 0xFF, bytes[1] == 0xFF else { return nil }
    func word(_ place: Int) -> UInt32 { (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) } }
    func long(_ place: Int) -> UInt64 { UInt64(word(place)) << 32 | UInt64(word(place + 4)) }
    switch (bytes[2], bytes[3]) {
    case (0x43, 0x4B):
      guard bytes.count >= 36, bytes[8] <= 2 else { return nil }
      let times = InlineTimes(first: long(12), second: long(20), third: long(28))
      self = .clock(source: word(4), count: bytes[8], times)
    case (0x52, 0x53):
      guard bytes.count >= 12 else { return nil }
      self = .feedback(source: word(4), number: UInt16(word(8) >> 16))
    case (0x52, 0x4C): self = .limit(source: word(4))
    case (0x49, 0x4E), (0x4F, 0x4B), (0x4E, 0x4F), (0x42, 0x59):
      guard bytes.count >= 16, word(4) == 2 else { return nil }
      let (token, source) = (word(8), word(12))
      switch bytes[2] {
      case 0x4E: self = .refusal(token: token, source: source)
      case 0x42: self = .bye(token: token, source: source)
      default:
        var name: [UInt8] = []
        var place = 16
        while place < bytes.count, bytes[place] != 0, name.count < Self.longestName {
          name.append(bytes[place])
          place += 1
        }
        self =
          bytes[2] == 0x49
          ? .invitation(token: token, source: source, name: name)
          : .acceptance(token: token, source: source, name: name)
      }
    default: return nil
    }
  }

  /// The bytes of the datagram that carries this command.
  package var bytes: [UInt8] {
    func words(_ values: UInt32...) -> [UInt8] {
      values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    }
    func begin(_ letters: String) -> [UInt8] { [0xFF, 0xFF] + Array(letters.utf8) }
    switch self {
    case .invitation(let token, let source, let name):
      return begin("IN") + words(2, token, source) + name + [0]
    case .acceptance(let token, let source, let name):
      return begin("OK") + words(2, token, source) + name + [0]
    case .refusal(let token, let source): return begin("NO") + words(2, token, source)
    case .bye(let token, let source): return begin("BY") + words(2, token, source)
    case .clock(let source, let count, let times):
      let longs = [times.first, times.second, times.third].flatMap {
        words(UInt32($0 >> 32), UInt32(truncatingIfNeeded: $0))
      }
      return begin("CK") + words(source) + [count, 0, 0, 0] + longs
    // The number is in the high half.
    case .feedback(let source, let number): return begin("RS") + words(source, UInt32(number) << 16)
    case .limit(let source): return begin("RL") + words(source, 0)
    }
  }
}
