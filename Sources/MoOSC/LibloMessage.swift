import CLiblo

/// A liblo message, which is freed when this value is destroyed; `handle` must be used only until then.
///
/// liblo creates messages and bundles with a reference count of 0, and a bundle adds 1 to the count of each of its
/// elements. If the count were only 1, the owner could free an element that a bundle still contains. So each owner also
/// adds 1 to the count.
struct LibloMessage: ~Copyable {
  let handle: lo_message

  /// Creates an empty message.
  init() throws(OSCError) {
    guard let handle = lo_message_new() else { throw .outOfMemory }
    self.init(owning: handle)
  }

  /// Takes ownership of a message that liblo has just created.
  init(owning handle: lo_message) {
    lo_message_incref(handle)
    self.handle = handle
  }

  deinit { lo_message_free(handle) }
}

extension LibloMessage {
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

extension LibloMessage {
  /// Appends a value.
  func add(_ argument: OSCArgument) throws(OSCError) {
    guard result(adding: argument) == 0 else { throw .outOfMemory }
  }

  /// Calls `body` with the encoded bytes of the message, addressed to `address`.
  func serialise(to address: String, _ body: (UnsafeRawBufferPointer) -> Void) {
    // The address becomes C text once, not in each call. liblo reports the size, since liblo writes the bytes.
    address.withCString { address in
      var count = lo_message_length(handle, address)
      withUnsafeTemporaryAllocation(byteCount: count, alignment: 4) { room in
        _ = lo_message_serialise(handle, address, room.baseAddress, &count)
        body(UnsafeRawBufferPointer(room))
      }
    }
  }

  private func result(adding argument: OSCArgument) -> Int32 {
    switch argument {
    case .int32(let value): return lo_message_add_int32(handle, value)
    case .float(let value): return lo_message_add_float(handle, value)
    case .string(let value): return lo_message_add_string(handle, value)
    case .blob(let bytes): return result(addingBlob: bytes)
    case .int64(let value): return lo_message_add_int64(handle, value)
    case .double(let value): return lo_message_add_double(handle, value)
    case .timeTag(let value): return lo_message_add_timetag(handle, lo_timetag(value))
    case .symbol(let value): return lo_message_add_symbol(handle, value)
    case .character(let value): return lo_message_add_char(handle, CChar(truncatingIfNeeded: value))
    case .midi(let port, let status, let data1, let data2):
      var bytes = [port, status, data1, data2]
      return lo_message_add_midi(handle, &bytes)
    case .bool(true): return lo_message_add_true(handle)
    case .bool(false): return lo_message_add_false(handle)
    case .nil: return lo_message_add_nil(handle)
    case .infinitum: return lo_message_add_infinitum(handle)
    }
  }

  private func result(addingBlob bytes: [UInt8]) -> Int32 {
    guard !bytes.isEmpty else { return momu_add_empty_blob(handle) }
    guard let blob = lo_blob_new(Int32(bytes.count), bytes) else { return -1 }
    defer { lo_blob_free(blob) }
    return lo_message_add_blob(handle, blob)
  }
}

/// A liblo bundle, which is freed with its contents when this value is destroyed; `LibloMessage` explains the reference
/// counts.
struct LibloBundle: ~Copyable {
  private let handle: lo_bundle

  /// Creates an empty bundle.
  init(_ tag: OSCTimeTag) throws(OSCError) {
    guard let handle = lo_bundle_new(lo_timetag(tag)) else { throw .outOfMemory }
    lo_bundle_incref(handle)
    self.handle = handle
  }

  deinit { lo_bundle_free_recursive(handle) }

  /// Appends a message that is addressed to `address`.
  func add(_ message: borrowing LibloMessage, to address: String) throws(OSCError) {
    guard lo_bundle_add_message(handle, address, message.handle) == 0 else { throw .outOfMemory }
  }

  /// Appends a bundle, which is then nested in this bundle.
  func add(_ bundle: borrowing LibloBundle) throws(OSCError) {
    guard lo_bundle_add_bundle(handle, bundle.handle) == 0 else { throw .outOfMemory }
  }

  /// Returns the encoded bytes of the bundle.
  func serialise() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: lo_bundle_length(handle)) { bytes, count in
      _ = lo_bundle_serialise(handle, bytes.baseAddress, &count)
    }
  }
}

extension lo_timetag {
  init(_ tag: OSCTimeTag) { self.init(sec: tag.seconds, frac: tag.fraction) }
}

extension OSCTimeTag {
  init(_ tag: lo_timetag) { self.init(rawValue: UInt64(tag.sec) << 32 | UInt64(tag.frac)) }
}
