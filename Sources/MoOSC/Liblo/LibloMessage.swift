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
