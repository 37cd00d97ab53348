import MoMu

/// Keeps what is to be remembered on a thread of its own: a disk may take as long as it likes, a session must not wait.
///
/// - Thread: any.
final class StateWriter: @unchecked Sendable {
  // Unchecked: all is guarded by `lock`.
  private let lock = MoMutex()
  private var waiting = Waiting()
  private var isWriting = false
  private var thread: MoThread?

  /// What waits for the disk, of each kind the newest.
  private struct Waiting {
    var members: (memory: PeerCache, path: String)?
    /// Where the program is; without a record, that it still lives.
    var place: (slot: CrashLock, record: SavedRoom?)?

    var isEmpty: Bool { members == nil && place == nil }

    func write() {
      if let members { members.memory.write(to: members.path) }
      guard let place else { return }
      if let record = place.record { place.slot.write(record) } else { place.slot.touch() }
    }
  }

  /// Has the members kept, in place of those that still wait for the disk.
  func keep(_ memory: PeerCache, at path: String) { keep { $0.members = (memory, path) } }

  /// Has it kept where the program is, in place of what still waits; until `settle` nobody else touches the slot.
  func keep(_ record: SavedRoom, in slot: CrashLock) { keep { $0.place = (slot, record) } }

  /// Has it kept that the program still lives.
  func touch(_ slot: CrashLock) { keep { if $0.place == nil { $0.place = (slot, nil) } } }

  /// Where no thread can be had, it is kept the next time.
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

  /// Waits until all is kept.
  func settle() {
    lock.withLock { thread }?.join()
    while let next = takeWaiting() { next.write() }
  }
}
