import CLiblo

extension LibloMessage {
  /// Creates a message from bytes that `checkMessage` has accepted.
  ///
  /// - Parameter byte: the position of the bytes in the packet, for the error text.
  init(bytes: UnsafeRawBufferPointer, at byte: Int) throws(OSCError) {
    var result: Int32 = 0
    // liblo only reads this memory, though its prototype does not say so.
    let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    guard let handle = lo_message_deserialise(start, bytes.count, &result) else {
      throw .malformed("liblo refuses this message (its error \(result))", byte: byte)
    }
    self.init(owning: handle)
  }

  /// Returns all values of the message.
  func arguments() -> [OSCArgument] {
    (0..<Int(lo_message_get_argc(handle))).map { LibloMessage.argument(of: handle, at: $0) }
  }

  /// Returns the value at an index, which must be below the number of values in the message.
  static func argument(of handle: lo_message, at index: Int) -> OSCArgument {
    guard let types = lo_message_get_types(handle), let values = lo_message_get_argv(handle) else {
      preconditionFailure("a message with values has their types")
    }
    return MoOSC.argument(UInt8(truncatingIfNeeded: types[index]), values[index])
  }
}

/// Converts a value of a decoded liblo message to an argument.
///
/// In liblo's memory, the value is in host byte order and aligned to 4 bytes.
private func argument(_ type: UInt8, _ value: UnsafeMutablePointer<lo_arg>?) -> OSCArgument {
  switch type {
  case UInt8(ascii: "T"): return .bool(true)
  case UInt8(ascii: "F"): return .bool(false)
  case UInt8(ascii: "N"): return .nil
  default: break
  }
  guard let raw = UnsafeRawPointer(value) else { return .infinitum }
  switch type {
  case UInt8(ascii: "i"): return .int32(raw.load(as: Int32.self))
  case UInt8(ascii: "f"): return .float(raw.load(as: Float.self))
  case UInt8(ascii: "h"): return .int64(raw.loadUnaligned(as: Int64.self))
  case UInt8(ascii: "d"): return .double(raw.loadUnaligned(as: Double.self))
  case UInt8(ascii: "t"): return .timeTag(OSCTimeTag(raw.load(as: lo_timetag.self)))
  case UInt8(ascii: "c"): return .character(UInt8(truncatingIfNeeded: raw.load(as: UInt32.self)))
  case UInt8(ascii: "m"):
    let midi = raw.load(as: (UInt8, UInt8, UInt8, UInt8).self)
    return .midi(port: midi.0, status: midi.1, data1: midi.2, data2: midi.3)
  case UInt8(ascii: "b"):
    return .blob(
      [UInt8](UnsafeRawBufferPointer(start: momu_blob_bytes(raw), count: Int(momu_blob_size(raw)))))
  default:
    let text = String(cString: raw.assumingMemoryBound(to: CChar.self))
    return type == UInt8(ascii: "S") ? .symbol(text) : .string(text)
  }
}
