import CLiblo

/// A liblo message, which this owner frees at its end; only the owner's methods use the pointer, so it is valid in
/// them.
///
/// liblo creates messages and bundles with a reference count of 0, and a bundle adds 1 for each element. To free an
/// element would remove it from the bundle. So each owner adds 1 to the count itself.
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
