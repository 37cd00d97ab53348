import CMoKernels
import Glibc
import Testing

@Suite("Modes: damped oscillations in vectors")
struct ModesKernelTests {
  /// Returns modes at slightly different frequencies, each with its own decay.
  private func bank(_ vectors: Int) -> (turn: [Float], state: [Float]) {
    var (turn, state) = (
      [Float](repeating: 0, count: vectors * 16), [Float](repeating: 0, count: vectors * 16)
    )
    for mode in 0..<vectors * 8 {
      let at = mode / 8 * 16 + mode % 8
      let (angle, size) = (0.01 + 0.013 * Double(mode), exp(-0.0001 * Double(1 + mode % 5)))
      turn[at] = Float(size * cos(angle))
      turn[at + 8] = Float(size * sin(angle))
      state[at] = Float(1.0 / Double(1 + mode))
    }
    return (turn, state)
  }

  @Test("both kernels match the formula", arguments: [1, 3, 4, 5, 16, 24])
  func formula(vectors: Int) {
    for add in [momu_modes_add, momu_modes_add_portable] {
      var (turn, state) = bank(vectors)
      var out = [Float](repeating: 1, count: 300)
      add(&turn, &state, Int32(vectors), &out, 300)
      for frame in [0, 1, 63, 64, 299] {
        let wanted = (0..<vectors * 8).reduce(1.0) { sum, mode in
          let time = Double(frame + 1)
          return sum + exp(-0.0001 * Double(1 + mode % 5) * time) * sin((0.01 + 0.013 * Double(mode)) * time)
            / Double(1 + mode)
        }
        #expect(abs(Double(out[frame]) - wanted) < 2e-4)
      }
    }
  }

  @Test("the division into blocks changes no bit")
  func division() {
    var (turn, whole) = bank(6)
    var parts = whole
    var (first, second) = ([Float](repeating: 0, count: 200), [Float](repeating: 0, count: 200))
    momu_modes_add(&turn, &whole, 6, &first, 200)
    second.withUnsafeMutableBufferPointer { second in
      guard let start = second.baseAddress else { return }
      var frame = 0
      for count in [1, 2, 61, 64, 65, 7] {
        momu_modes_add(&turn, &parts, 6, start + frame, Int32(count))
        frame += count
      }
    }
    #expect(first == second && whole == parts)
  }
}
