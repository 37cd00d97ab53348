import Glibc

/// A hand that shakes at known times, as an accelerometer measures it.
///
/// There are 200 readings a second, with noise, and gravity on z. Each shake is one damped oscillation of 3 g.
struct ShakeGesture {
  let samples: [Sample]
  let shakes: [Double]

  init(shakes: [Double], seconds: Double) {
    self.shakes = shakes
    var state: UInt32 = 99
    func noise() -> Double {
      state ^= state << 13
      state ^= state >> 17
      state ^= state << 5
      return Double(Int32(bitPattern: state)) * 0x1p-31
    }
    samples = (0..<Int(seconds * 200)).map { step in
      let time = Double(step) / 200
      var x = 0.02 * noise()
      for shake in shakes where time >= shake && time < shake + 0.12 {
        x += 3 * sin(2 * .pi * (time - shake) / 0.12) * exp(-(time - shake) / 0.1)
      }
      func counts(_ g: Double) -> Int32 { Int32((g * 8192).rounded()) }
      return Sample(time: time, x: counts(x), y: counts(0.02 * noise()), z: counts(1 + 0.02 * noise()))
    }
  }
}
