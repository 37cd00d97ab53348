import CLiblo

/// One liblo message, freed with this owner; only its methods touch the pointer, so it is alive in each.
///
/// liblo hands out messages and bundles with a count of 0, and adding one to a bundle counts 1: freeing what
/// was added would take it from the bundle. Each owner therefore holds a count of its own.
struct LibloMessage: ~Copyable {
  let handle: lo_message

  /// An empty message.
  init() throws(OSCError) {
    guard let handle = lo_message_new() else { throw .outOfMemory }
    self.init(owning: handle)
  }

  /// Takes over a message fresh from liblo.
  init(owning handle: lo_message) {
    lo_message_incref(handle)
    self.handle = handle
  }

  deinit { lo_message_free(handle) }
}
