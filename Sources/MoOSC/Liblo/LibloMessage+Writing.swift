import CLiblo

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
