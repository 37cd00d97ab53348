import MoOSC

/// SplitMix64 by Steele, Lea and Flood (2014): a seed gives the same numbers everywhere.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func upTo(_ limit: Int) -> Int { Int.random(in: 0...limit, using: &self) }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  mutating func text() -> String {
    String((0..<upTo(11)).map { _ in Character(Unicode.Scalar(UInt8(32 + upTo(94)))) })
  }
}

extension OSCPacket {
  static func random(_ random: inout SplitMix64, depth: Int = 0) -> OSCPacket {
    guard random.upTo(2) == 0, depth < 4 else { return .message(.random(&random)) }
    let elements = (0..<random.upTo(3)).map { _ in OSCPacket.random(&random, depth: depth + 1) }
    return .bundle(OSCBundle(OSCTimeTag(rawValue: random.next()), elements))
  }
}

extension OSCMessage {
  static func random(_ random: inout SplitMix64) -> OSCMessage {
    OSCMessage("/" + random.text(), (0..<random.upTo(6)).map { _ in OSCArgument.random(&random) })
  }
}

extension OSCArgument {
  static func random(_ random: inout SplitMix64) -> OSCArgument {
    let bits = random.next()
    let low = UInt32(truncatingIfNeeded: bits)
    switch random.upTo(13) {
    case 0: return .int32(Int32(bitPattern: low))
    case 1: return .float(Float(bitPattern: low))
    case 2: return .string(random.text())
    case 3: return .blob(random.bytes(random.upTo(9)))
    case 4: return .int64(Int64(bitPattern: bits))
    case 5: return .double(Double(bitPattern: bits))
    case 6: return .timeTag(OSCTimeTag(rawValue: bits))
    case 7: return .symbol(random.text())
    case 8: return .character(UInt8(truncatingIfNeeded: bits))
    case 9:
      let bytes = random.bytes(4)
      return .midi(port: bytes[0], status: bytes[1], data1: bytes[2], data2: bytes[3])
    case 10: return .bool(true)
    case 11: return .bool(false)
    case 12: return .nil
    default: return .infinitum
    }
  }
}
