import MoMu

/// Keeps what is to be remembered on a thread of its own: a disk may take as long as it likes, a session must not wait.
///
/// - Thread: any.
final class MemoryKeeper: @unchecked Sendable {
  // Unchecked: all is guarded by `lock`.
  private let lock = MoMutex()
  private var newest: (memory: SessionMemory, path: String)?
  private var isWriting = false
  private var thread: MoThread?

  /// Has something kept, in place of what still waits for the disk; where no thread can be had, the next time.
  func keep(_ memory: SessionMemory, at path: String) {
    lock.withLock {
      newest = (memory, path)
      guard !isWriting else { return }
      thread = try? MoThread(name: "mo-memory") { [self] _ in
        while let next = takeNewest() { next.memory.write(to: next.path) }
      }
      isWriting = thread != nil
    }
  }

  private func takeNewest() -> (memory: SessionMemory, path: String)? {
    lock.withLock {
      defer { newest = nil }
      isWriting = newest != nil
      return newest
    }
  }

  /// Waits until all is kept.
  func settle() { lock.withLock { thread }?.join() }
}
