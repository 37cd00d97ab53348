/// The callbacks of one server: added and cancelled from anywhere, called from the server's own thread.
///
/// - Real-time safe: no.
package final class CallbackList<Value: Sendable>: Sendable {
  private typealias Entry = CallGate<@Sendable (Value) -> Void>

  private let entries = Guarded<[Entry]>([])

  var isEmpty: Bool { entries.withLock { $0.isEmpty } }

  package init() {}

  @discardableResult
  package func add(_ function: @escaping @Sendable (Value) -> Void) -> MoToken {
    let entry = Entry(function)
    entries.withLock { $0.append(entry) }
    return MoToken { [weak self] in
      self?.entries.withLock { list in list.removeAll { $0 === entry } }
      entry.close()
    }
  }

  /// Calls every callback in the order they were added, without holding the list.
  package func call(_ value: Value) {
    for entry in entries.withLock({ $0 }) { entry.pass { $0(value) } }
  }
}
