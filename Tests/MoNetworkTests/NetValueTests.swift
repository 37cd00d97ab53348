import MoMu
import Testing

@Suite("Swift values in messages")
struct NetValueTests {
  @Test("are sent as the types that other programs understand")
  func sent() {
    let values: [(any OSCValue, OSCArgument)] = [
      (3, .int32(3)), (Int.max, .int64(.max)), (-2_147_483_648, .int32(.min)),
      (2_147_483_648, .int64(2_147_483_648)),
      (UInt64.max, .int64(.max)), (0.1, .float(0.1)), (Float(0.5), .float(0.5)), (true, .bool(true)),
      ("left", .string("left")), ("left".prefix(2), .string("le")), ([1, 2] as [UInt8], .blob([1, 2])),
      (OSCTimeTag(rawValue: 9), .timeTag(OSCTimeTag(rawValue: 9))), (nil as Int?, .nil),
      (4 as Int?, .int32(4)),
      (OSCArgument.double(0.1), .double(0.1)),
    ]
    for (value, argument) in values { #expect(value.oscArgument == argument) }
  }

  @Test("are read from types that convert, and from no others")
  func taken() {
    #expect(Float(osc: .int32(3)) == 3 && Float(osc: .double(0.1)) == 0.1 && Float(osc: .bool(true)) == 1)
    #expect(Float(osc: .string("3")) == nil && Float(osc: .nil) == nil && Double(osc: .blob([])) == nil)
    #expect(Double(osc: .float(0.5)) == 0.5 && Double(osc: .int64(1 << 40)) == 1_099_511_627_776)
    #expect(Int(osc: .float(3)) == 3 && Int(osc: .float(3.5)) == nil && Int(osc: .float(.nan)) == nil)
    #expect(Int(osc: .float(.infinity)) == nil && Int(osc: .double(1e300)) == nil)
    #expect(
      UInt8(osc: .int32(256)) == nil && UInt8(osc: .int32(-1)) == nil && UInt8(osc: .character(65)) == 65)
    #expect(Int32(osc: .int64(1 << 40)) == nil && Int(osc: .int64(1 << 40)) == 1 << 40)
    #expect(Bool(osc: .int32(0)) == false && Bool(osc: .float(0.1)) == true && Bool(osc: .string("")) == nil)
    #expect(
      String(osc: .symbol("a")) == "a" && String(osc: .character(65)) == "A" && String(osc: .int32(1)) == nil)
    #expect([UInt8](osc: .blob([1])) == [1] && OSCTimeTag(osc: .timeTag(.immediate)) == .immediate)
    #expect(OSCArgument(osc: .nil) == .nil)
  }
}
