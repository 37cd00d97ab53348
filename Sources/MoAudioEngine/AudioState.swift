import Glibc
import MoDSPCore

/// A program's own state on its way to the audio thread, kept in memory of its own that is never swapped out.
final class AudioState<Value>: @unchecked Sendable {
  // Unchecked: `sending` gave it away, and from the first block on only the audio thread reaches it.
  let value: UnsafeMutablePointer<Value>
  private var sampleRate: Double

  init(_ initial: sending Value, sampleRate: Double) {
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
    self.sampleRate = sampleRate
    prepareIfVoice(&value.pointee, sampleRate: sampleRate)
    // Best effort: where the limit does not allow it, `MoAudio.status` says so for the buffers.
    mlock(value, MemoryLayout<Value>.size)
  }

  /// Prepares a voice anew where the device runs at another rate than was asked for, which its first, silent call shows.
  ///
  /// - Real-time safe: yes, once the rate is known.
  @inline(__always)
  func fit(sampleRate: Double) {
    guard sampleRate != self.sampleRate else { return }
    self.sampleRate = sampleRate
    prepareIfVoice(&value.pointee, sampleRate: sampleRate)
  }

  deinit {
    munlock(value, MemoryLayout<Value>.size)
    value.deinitialize(count: 1)
    value.deallocate()
  }
}
