import MoOSC
import Testing

@Suite("Bytes that are not OSC, and values that cannot be sent")
struct MalformedTests {
  static let malformed: [(String, String)] = [
    ("", "not OSC at byte 0: the packet is empty"),
    ("2f6100002c0000", "not OSC at byte 0: the packet has 7 bytes, but must have a multiple of 4"),
    ("666f6f00 2c000000", "not OSC at byte 0: a packet begins with '/' or '#bundle'"),
    ("2f616263", "not OSC at byte 0: the address does not end within the packet"),
    ("2f610078 2c000000", "not OSC at byte 3: the address is not padded with zeros"),
    (
      "2f610000 00000007",
      "not OSC at byte 4: after the address come the types of the values, beginning with ','"
    ),
    ("2f610000", "not OSC at byte 4: after the address come the types of the values, beginning with ','"),
    ("2f610000 2c696969", "not OSC at byte 4: the list of types does not end within the packet"),
    (
      "2f610000 2c697200 00000001 00000002",
      "not OSC at byte 6: argument 2 ('r') has an unknown type: i f s b h d t S c m T F N I"
    ),
    ("2f610000 2c666600 3f800000", "not OSC at byte 12: argument 2 ('f') needs 4 bytes, but only 0 are left"),
    ("2f610000 2c680000 00000000", "not OSC at byte 8: argument 1 ('h') needs 8 bytes, but only 4 are left"),
    ("2f610000 2c730000 61626364", "not OSC at byte 8: argument 1 ('s') does not end within the packet"),
    ("2f610000 2c620000", "not OSC at byte 8: argument 1 ('b') needs 4 bytes, but only 0 are left"),
    (
      "2f610000 2c620000 7fffffff 00000000",
      "not OSC at byte 8: argument 1 ('b') has 2147483647 bytes, but only 4 are left"
    ),
    (
      "2f610000 2c620000 ffffffff",
      "not OSC at byte 8: argument 1 ('b') has 4294967295 bytes, but only 0 are left"
    ),
    (
      "2f610000 2c620000 00000001 07000100",
      "not OSC at byte 14: argument 1 ('b') is not padded with zeros"
    ),
    ("2f610000 2c000000 00000000", "not OSC at byte 8: 4 bytes are left after the last argument"),
    ("2362756e 646c6500", "not OSC at byte 8: the bundle's time tag needs 8 bytes, but only 0 are left"),
    ("23627566 646c6500", "not OSC at byte 0: a packet that begins with '#' begins with '#bundle'"),
    (
      "2362756e646c6500 0000000000000001 00000010 2f610000 2c000000",
      "not OSC at byte 16: an element of 16 bytes is announced, but only 8 are left"
    ),
    ("2362756e646c6500 0000000000000001 00000000", "not OSC at byte 20: the packet is empty"),
    (
      "2362756e646c6500 0000000000000001 0000000c 2f610000 2c690000 00000001 0000000c 2f610000 2c787800 00000001",
      "not OSC at byte 41: argument 1 ('x') has an unknown type: i f s b h d t S c m T F N I"
    ),
  ]

  @Test("the error text tells what is wrong at which byte", arguments: malformed)
  func texts(_ bytes: String, _ text: String) {
    #expect(text == refusal { _ = try OSCPacket(bytes: hex(bytes)) })
  }

  @Test("limits a packet's size and depth")
  func bounds() throws {
    #expect(
      refusal { _ = try OSCPacket(bytes: [UInt8](repeating: 0x2F, count: 65_536)) }
        == "not OSC at byte 0: the packet has 65536 bytes, but must have at most 65535")
    // As deep as 65,535 bytes allow: 20 bytes per level.
    var bytes: [UInt8] = []
    for level in 0..<3_000 {
      let size = level == 0 ? [] : withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { [UInt8]($0) }
      bytes = hex("2362756e646c6500 0000000000000001") + size + bytes
    }
    #expect(
      refusal { _ = try OSCPacket(bytes: bytes) }
        == "not OSC at byte 320: bundles are nested deeper than 16")
    var bundle = OSCBundle(.immediate, [])
    for _ in 1..<16 { bundle = OSCBundle(.immediate, [.bundle(bundle)]) }
    #expect(try OSCBundle(bytes: bundle.encoded()) == bundle)
    let deeper = OSCBundle(.immediate, [.bundle(bundle)])
    #expect(
      refusal { _ = try deeper.encoded() } == "cannot be sent as OSC: bundles are nested deeper than 16")
  }

  @Test(
    "refuses values that OSC cannot represent",
    arguments: [
      (OSCMessage("drum"), "cannot be sent as OSC: the address 'drum' does not begin with '/'"),
      (OSCMessage(""), "cannot be sent as OSC: the address '' does not begin with '/'"),
      (OSCMessage("/a\0b"), "cannot be sent as OSC: the address contains a zero byte"),
      (
        OSCMessage("/a", [1, "b\0c"]),
        "cannot be sent as OSC: argument 2 of /a is text with a zero byte: send a blob"
      ),
    ])
  func unsendable(_ message: OSCMessage, _ text: String) {
    #expect(refusal { _ = try message.encoded() } == text)
  }

  @Test("refuses a bundle as a message, and a message as a bundle")
  func kinds() throws {
    let message = OSCMessage("/a")
    let bundle = OSCBundle(.immediate, messages: [message])
    #expect(
      refusal { _ = try OSCBundle(bytes: message.encoded()) }
        == "not OSC at byte 0: expected a bundle, but this is a message")
    #expect(
      refusal { _ = try OSCMessage(bytes: bundle.encoded()) }
        == "not OSC at byte 0: expected a message, but this is a bundle")
  }

  @Test("reads bytes that are not UTF-8 as the replacement character")
  func notUTF8() throws {
    let message = try OSCMessage(bytes: hex("2f610000 2c730000 fe620000"))
    #expect(message.arguments == [.string("\u{FFFD}b")])
  }
}

/// Returns the text of the error that `body` throws; empty if it throws none.
func refusal(_ body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch {
    return "\(error)"
  }
}
