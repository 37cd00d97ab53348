/// A list of callbacks that receive the values of a source, such as the readings of a sensor.
///
/// Callbacks are added and cancelled on any thread. The callbacks run on the thread that calls `call`, most often the
/// source's own thread.
///
/// - Real-time safe: no.
package final class CallbackList<Value: Sendable>: @unchecked Sendable {
  // Unchecked: `entries` is guarded by `lock`.
  private let lock = MoMutex()
  /// The callbacks; each entry holds a `Callback<Value>` as a plain object.
  ///
  /// If the type of the entries named `Callback<Value>`, the Swift runtime would look up this type in each call.
  private var entries: [Entry] = []

  private typealias Entry = CancellableCallback<any AnyObject & Sendable>

  package var isEmpty: Bool { lock.withLock { entries.isEmpty } }

  package init() {}

  @discardableResult
  package func add(_ function: @escaping @Sendable (Value) -> Void) -> MoToken {
    let entry = Entry(Callback(call: function))
    lock.withLock { entries.append(entry) }
    return MoToken { [weak self] in
      self?.remove(entry)
      entry.close()
    }
  }

  private func remove(_ entry: Entry) {
    lock.withLock { entries.removeAll { $0 === entry } }
  }

  /// Calls all callbacks with a value, in the order in which they were added; the list is not locked meanwhile.
  package func call(_ value: Value) {
    for entry in lock.withLock({ entries }) {
      entry.pass { unsafeDowncast($0, to: Callback<Value>.self).call(value) }
    }
  }
}

private final class Callback<Value: Sendable>: Sendable {
  let call: @Sendable (Value) -> Void

  init(call: @escaping @Sendable (Value) -> Void) { self.call = call }
}
