import MoOSC
import Testing

/// The results are compared with liblo's bytes of the same message.
@Suite("Templates of OSC messages")
struct OSCMessageTemplateTests {
  private func bytes(
    _ template: inout OSCMessageTemplate, _ values: [OSCArgument], at tag: OSCTimeTag = .immediate
  ) throws(OSCError) -> [UInt8] {
    var bytes: [UInt8] = []
    try template.withEncoded(values, at: tag) { bytes = Array($0) }
    return bytes
  }

  /// Returns a value of the same type, with another number if it is one.
  private func another(_ value: OSCArgument, _ random: inout SplitMix64) -> OSCArgument {
    let bits = random.next()
    switch value {
    case .int32: return .int32(Int32(truncatingIfNeeded: bits))
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .int64: return .int64(Int64(bitPattern: bits))
    case .double: return .double(Double(bitPattern: bits))
    default: return value
    }
  }

  @Test("every message has liblo's bytes, whatever came before it")
  func random() throws {
    var random = SplitMix64(state: 7)
    var plain = OSCMessageTemplate("/momu/accel", isStamped: false)
    var stamped = OSCMessageTemplate("/momu/accel", isStamped: true)
    for _ in 0..<5_000 {
      let first = (0..<random.upTo(6)).map { _ in OSCArgument.random(&random) }
      let alike = first.map { another($0, &random) }
      var other = alike
      if !other.isEmpty { other[random.upTo(other.count - 1)] = .random(&random) }
      for values in [first, alike, alike, other, Array(other.dropLast())] {
        let message = OSCMessage("/momu/accel", values)
        let tag = OSCTimeTag(rawValue: random.next())
        #expect(try bytes(&plain, values) == message.encoded())
        #expect(try bytes(&stamped, values, at: tag) == OSCBundle(tag, messages: [message]).encoded())
      }
    }
  }

  @Test("sends equal texts with different bytes unchanged")
  func lookAlikes() throws {
    var template = OSCMessageTemplate("/a", isStamped: false)
    // One character, composed and decomposed: 2 bytes and 3; with two letters before it another word of four.
    for text in ["abe\u{301}", "ab\u{E9}", "abe\u{301}"] {
      for values: [OSCArgument] in [[.string(text), .float(1)], [.symbol(text), .float(2)]] {
        #expect(try bytes(&template, values) == OSCMessage("/a", values).encoded())
      }
    }
  }

  @Test("refuses values that cannot be sent, and keeps no trace of them")
  func refused() throws {
    var template = OSCMessageTemplate("/a", isStamped: false)
    let good: [OSCArgument] = [.string("knob"), .float(1)]
    for _ in 0..<2 {
      #expect(throws: OSCError.self) { try bytes(&template, [.string("kn\0b"), .float(1)]) }
      #expect(try bytes(&template, good) == hex("2f610000 2c736600 6b6e6f62 00000000 3f800000"))
    }
    var nowhere = OSCMessageTemplate("a", isStamped: true)
    for _ in 0..<2 { #expect(throws: OSCError.self) { try bytes(&nowhere, good) } }
  }
}
