import MoOSC
import Testing

/// The examples of "The Open Sound Control 1.0 Specification" (Wright 2002), and bytes derived from its rules.
@Suite("OSC 1.0, byte for byte")
struct SpecificationTests {
  static let examples: [(OSCMessage, [UInt8])] = [
    (
      OSCMessage("/oscillator/4/frequency", [.float(440)]),
      hex("2f6f7363 696c6c61 746f722f 342f6672 65717565 6e637900 2c660000 43dc0000")
    ),
    (
      OSCMessage("/foo", [.int32(1000), .int32(-1), .string("hello"), .float(1.234), .float(5.678)]),
      hex("2f666f6f 00000000 2c696973 66660000 000003e8 ffffffff 68656c6c 6f000000 3f9df3b6 40b5b22d")
    ),
  ]

  static let everyType: [(OSCArgument, String)] = [
    (.int32(-2), "2c690000 fffffffe"),
    (.float(-0.5), "2c660000 bf000000"),
    (.string("data"), "2c730000 64617461 00000000"),
    (.string(""), "2c730000 00000000"),
    (.string("OSC"), "2c730000 4f534300"),
    (.blob([]), "2c620000 00000000"),
    (.blob([1, 2, 3, 4, 5]), "2c620000 00000005 01020304 05000000"),
    (.blob([9, 8, 7, 6]), "2c620000 00000004 09080706"),
    (.int64(-2), "2c680000 fffffffffffffffe"),
    (.double(1), "2c640000 3ff0000000000000"),
    (.timeTag(OSCTimeTag(rawValue: 0x0123_4567_89AB_CDEF)), "2c740000 0123456789abcdef"),
    (.timeTag(.immediate), "2c740000 0000000000000001"),
    (.symbol("la"), "2c530000 6c610000"),
    (.character(0x41), "2c630000 00000041"),
    (.character(0xE9), "2c630000 000000e9"),
    (.midi(port: 1, status: 0x90, data1: 60, data2: 127), "2c6d0000 01903c7f"),
    (.bool(true), "2c540000"),
    (.bool(false), "2c460000"),
    (.nil, "2c4e0000"),
    (.infinitum, "2c490000"),
  ]

  @Test("writes and reads the specification's messages", arguments: examples)
  func examplePackets(_ message: OSCMessage, _ bytes: [UInt8]) throws {
    #expect(try message.encoded() == bytes)
    #expect(try OSCMessage(bytes: bytes) == message)
  }

  @Test("writes and reads each type", arguments: everyType)
  func types(_ argument: OSCArgument, _ text: String) throws {
    let bytes = hex("2f610000") + hex(text)
    #expect(try OSCMessage("/a", [argument]).encoded() == bytes)
    #expect(try OSCMessage(bytes: bytes) == OSCMessage("/a", [argument]))
  }

  @Test("a bundle contains its tag, and each element after its size; bundles nest")
  func bundle() throws {
    let inner = OSCBundle(.immediate, messages: [OSCMessage("/b", [7])])
    let tag = OSCTimeTag(rawValue: 0xEEAC_0640_8000_0000)
    let bundle = OSCBundle(tag, [.message(OSCMessage("/a", [.bool(true)])), .bundle(inner)])
    let bytes = hex(
      """
      2362756e646c6500 eeac064080000000
      00000008 2f610000 2c540000
      00000020 2362756e646c6500 0000000000000001 0000000c 2f620000 2c690000 00000007
      """)
    #expect(try bundle.encoded() == bytes)
    #expect(try OSCPacket(bytes: bytes) == .bundle(bundle))
    let empty = OSCBundle(.immediate, [])
    #expect(try empty.encoded() == hex("2362756e646c6500 0000000000000001"))
    #expect(try OSCBundle(bytes: hex("2362756e646c6500 0000000000000001")) == empty)
  }

  @Test("literals become the types that every program supports")
  func literals() throws {
    let message = OSCMessage("/drum/hit", [3, 0.5, "left", true, false])
    #expect(message.typeTags == "ifsTF")
    #expect(message.arguments.map(\.number) == [3, 0.5, nil, nil, nil])
    #expect(message.arguments[2].text == "left")
  }

  @Test("accepts packets of the largest size, and refuses the next size")
  func greatestSize() throws {
    // "/a" and ",b" take 4 bytes each, the blob's size 4 more: 65,532 is the last multiple of 4 to fit.
    let largest = OSCMessage("/a", [.blob([UInt8](repeating: 1, count: 65_532 - 12))])
    #expect(try OSCMessage(bytes: largest.encoded()) == largest)
    let tooLong = OSCMessage("/a", [.blob([UInt8](repeating: 1, count: 65_532 - 11))])
    #expect(
      throws: OSCError.unsendable("the packet has 65536 bytes, but must have at most 65535: send it in parts")
    ) {
      try tooLong.encoded()
    }
  }
}
