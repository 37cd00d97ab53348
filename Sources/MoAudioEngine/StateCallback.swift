import MoDSPCore

/// Creates the audio thread's callbacks for programs that pass their own state to `MoAudio.start`.
package enum StateCallback {
  package static func make<State>(
    _ state: sending State, sampleRate: Double,
    _ callback: @escaping @Sendable (inout State, inout AudioBlock) -> Void
  ) -> BlockRenderer.Callback {
    let keep = AudioState(state, sampleRate: sampleRate)
    return { block in
      keep.fit(sampleRate: block.sampleRate)
      callback(&keep.value.pointee, &block)
    }
  }

  package static func make<First, Second>(
    _ first: sending First, _ second: sending Second, sampleRate: Double,
    _ callback: @escaping @Sendable (inout First, inout Second, inout AudioBlock) -> Void
  ) -> BlockRenderer.Callback {
    let one = AudioState(first, sampleRate: sampleRate)
    let two = AudioState(second, sampleRate: sampleRate)
    return { block in
      one.fit(sampleRate: block.sampleRate)
      two.fit(sampleRate: block.sampleRate)
      callback(&one.value.pointee, &two.value.pointee, &block)
    }
  }

  package static func make<First, Second, Third>(
    _ first: sending First, _ second: sending Second, _ third: sending Third, sampleRate: Double,
    _ callback: @escaping @Sendable (inout First, inout Second, inout Third, inout AudioBlock) -> Void
  ) -> BlockRenderer.Callback {
    let one = AudioState(first, sampleRate: sampleRate)
    let two = AudioState(second, sampleRate: sampleRate)
    let three = AudioState(third, sampleRate: sampleRate)
    return { block in
      one.fit(sampleRate: block.sampleRate)
      two.fit(sampleRate: block.sampleRate)
      three.fit(sampleRate: block.sampleRate)
      callback(&one.value.pointee, &two.value.pointee, &three.value.pointee, &block)
    }
  }
}
