import MoMu

/// A writer that saves the state of a session on its own thread, since a disk can be slow and a session must not wait.
///
/// - Thread: any.
final class StateWriter: @unchecked Sendable {
  // Unchecked: all is guarded by `lock`.
  private let lock = MoMutex()
  private var waiting = Waiting()
  private var isWriting = false
  private var thread: MoThread?

  /// The values that wait for the disk, the newest of each kind.
  private struct Waiting {
    var members: (memory: PeerCache, path: String)?
    /// This program's file and the room to save in it; without a room, only the file's time is updated.
    var place: (slot: CrashLock, record: SavedRoom?)?

    var isEmpty: Bool { members == nil && place == nil }

    func write() {
      if let members { members.memory.write(to: members.path) }
      guard let place else { return }
      if let record = place.record { place.slot.write(record) } else { place.slot.touch() }
    }
  }

  /// Adds the members' addresses to the values to save; they replace addresses that are not saved yet.
  func save(_ memory: PeerCache, at path: String) { save { $0.members = (memory, path) } }

  /// Adds the program's room to the values to save; the room replaces an earlier value that is not saved yet.
  ///
  /// Until `waitUntilSaved` returns, other code must not use `slot`.
  func save(_ record: SavedRoom, in slot: CrashLock) { save { $0.place = (slot, record) } }

  /// Lets the thread update the time of this program's file (`slot`); the time shows that the program still runs.
  func touch(_ slot: CrashLock) { save { if $0.place == nil { $0.place = (slot, nil) } } }

  /// Adds a value to save, and starts the thread; if the thread cannot be started, a later call saves the value.
  private func save(_ add: (inout Waiting) -> Void) {
    lock.withLock {
      add(&waiting)
      guard !isWriting else { return }
      thread = try? MoThread(name: "mo-memory") { [self] _ in
        while let next = takeWaiting() { next.write() }
      }
      isWriting = thread != nil
    }
  }

  private func takeWaiting() -> Waiting? {
    lock.withLock {
      defer { waiting = Waiting() }
      isWriting = !waiting.isEmpty
      return isWriting ? waiting : nil
    }
  }

  /// Waits until all added values are saved.
  func waitUntilSaved() {
    lock.withLock { thread }?.join()
    while let next = takeWaiting() { next.write() }
  }
}
