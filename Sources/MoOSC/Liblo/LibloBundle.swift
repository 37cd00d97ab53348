import CLiblo

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
