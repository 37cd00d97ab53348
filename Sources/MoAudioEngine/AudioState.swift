import Glibc
import MoDSPCore

/// A program's own state for the audio thread, in locked memory that is never swapped out.
final class AudioState<Value>: @unchecked Sendable {
  // Unchecked: `sending` gave it away, and from the first block on only the audio thread uses it.
  let value: UnsafeMutablePointer<Value>
  private var sampleRate: Double

  init(_ initial: sending Value, sampleRate: Double) {
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
    self.sampleRate = sampleRate
    prepareIfVoice(&value.pointee, sampleRate: sampleRate)
    // Best effort: if the limit does not allow it, `MoAudio.status` reports that for the buffers.
    mlock(value, MemoryLayout<Value>.size)
  }

  /// Prepares a voice again if the device's rate differs from the requested one.
  ///
  /// The first, silent call reveals the rate.
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
