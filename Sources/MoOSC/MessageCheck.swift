/// Checks all bytes of a message before liblo sees them.
///
/// liblo's function `lo_message_deserialise` (version 0.31) also checks the bytes, but does not report what is wrong or
/// where. It also reads the size of a blob from beyond the end if fewer than 4 bytes are left.
func checkMessage(_ packet: PacketCursor) throws(OSCError) {
  var rest = packet
  _ = try rest.takeString("the address")
  guard rest.peek == UInt8(ascii: ",") else {
    throw .malformed("after the address come the types of the values, beginning with ','", byte: rest.byte)
  }
  let tagsAt = rest.byte
  let tags = try rest.takeString("the list of types").dropFirst()
  for (index, tag) in tags.enumerated() {
    func what() -> String {
      let shown =
        (0x21...0x7E).contains(tag) ? "'\(Character(Unicode.Scalar(tag)))'" : "byte \(tag)"
      return "argument \(index + 1) (\(shown))"
    }
    switch tag {
    case UInt8(ascii: "i"), UInt8(ascii: "f"), UInt8(ascii: "c"), UInt8(ascii: "m"): try rest.skip(4, what())
    case UInt8(ascii: "h"), UInt8(ascii: "d"), UInt8(ascii: "t"): try rest.skip(8, what())
    case UInt8(ascii: "s"), UInt8(ascii: "S"): _ = try rest.takeString(what())
    case UInt8(ascii: "b"):
      var ahead = rest
      let length = Int(clamping: try ahead.takeUInt32(what()))
      // Compared first, so that the sum cannot overflow.
      guard length <= ahead.count else {
        throw .malformed("\(what()) has \(length) bytes, but only \(ahead.count) are left", byte: rest.byte)
      }
      rest = ahead
      try rest.skipPadded(length, to: (length + 3) & ~3, what())
    case UInt8(ascii: "T"), UInt8(ascii: "F"), UInt8(ascii: "N"), UInt8(ascii: "I"): break
    default:
      throw .malformed(
        "\(what()) has an unknown type: \(OSCArgument.knownTypes)", byte: tagsAt + 1 + index)
    }
  }
  guard rest.count == 0 else {
    throw .malformed("\(rest.count) bytes are left after the last argument", byte: rest.byte)
  }
}
