import Glibc
import MoDSPCore

/// Creates the audio thread's callbacks for programs that pass their own state to `MoAudio.start`.
package enum StateCallback {
  package static func make<State>(
    _ state: sending State,
    _ callback: @escaping @Sendable (inout State, inout AudioBlock) -> Void
  ) -> BlockRenderer.Callback {
    let keep = AudioState(state)
    return { block in
      keep.fit(sampleRate: block.sampleRate)
      callback(&keep.value.pointee, &block)
    }
  }

  package static func make<First, Second>(
    _ first: sending First, _ second: sending Second,
    _ callback: @escaping @Sendable (inout First, inout Second, inout AudioBlock) -> Void
  ) -> BlockRenderer.Callback {
    let one = AudioState(first)
    let two = AudioState(second)
    return { block in
      one.fit(sampleRate: block.sampleRate)
      two.fit(sampleRate: block.sampleRate)
      callback(&one.value.pointee, &two.value.pointee, &block)
    }
  }

  package static func make<First, Second, Third>(
    _ first: sending First, _ second: sending Second, _ third: sending Third,
    _ callback: @escaping @Sendable (inout First, inout Second, inout Third, inout AudioBlock) -> Void
  ) -> BlockRenderer.Callback {
    let one = AudioState(first)
    let two = AudioState(second)
    let three = AudioState(third)
    return { block in
      one.fit(sampleRate: block.sampleRate)
      two.fit(sampleRate: block.sampleRate)
      three.fit(sampleRate: block.sampleRate)
      callback(&one.value.pointee, &two.value.pointee, &three.value.pointee, &block)
    }
  }
}

/// A program's own state for the audio thread, in memory that is locked against swapping if the system allows that.
final class AudioState<Value>: @unchecked Sendable {
  // Unchecked: `sending` gave it away, and from the first block on only the audio thread uses it.
  let value: UnsafeMutablePointer<Value>
  /// The rate for which the state was prepared; 0 before the first call of `fit`.
  private var sampleRate = 0.0

  init(_ initial: sending Value) {
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
    // Best effort: if the limit does not allow it, `MoAudio.status` reports that for the buffers.
    mlock(value, MemoryLayout<Value>.size)
  }

  /// Prepares the state if it is a voice and the device's sample rate differs from the last prepared rate.
  ///
  /// The device's rate is known when the callback is first called, with silence and before the device starts.
  ///
  /// - Real-time safe: not the first call, which may prepare the state; yes for later calls, since the rate stays the
  ///   same.
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
