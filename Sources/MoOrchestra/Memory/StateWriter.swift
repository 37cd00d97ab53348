import MoMu

/// Saves state on a thread of its own, since a disk can be slow and a session must not wait.
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

  /// Queues the members for saving, in place of those that still wait.
  func keep(_ memory: PeerCache, at path: String) { keep { $0.members = (memory, path) } }

  /// Queues the program's place for saving, in place of one that still waits.
  ///
  /// Until `settle` returns, other code must not touch the slot.
  func keep(_ record: SavedRoom, in slot: CrashLock) { keep { $0.place = (slot, record) } }

  /// Queues an update of the file's time, which shows that the program still runs.
  func touch(_ slot: CrashLock) { keep { if $0.place == nil { $0.place = (slot, nil) } } }

  /// Queues a value, and starts the thread that saves it; without a thread, a later call saves the value.
  private func keep(_ add: (inout Waiting) -> Void) {
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

  /// Waits until everything is saved.
  func settle() {
    lock.withLock { thread }?.join()
    while let next = takeWaiting() { next.write() }
  }
}
