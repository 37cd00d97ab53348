import Glibc

/// The strength of each whole number of cycles in a section of sound: amplitudes of sines, by the definition of the
/// DFT.
func amplitudes(_ samples: [Float]) -> [Double] {
  let count = samples.count
  let cosines = (0..<count).map { cos(2 * .pi * Double($0) / Double(count)) }
  let sines = (0..<count).map { sin(2 * .pi * Double($0) / Double(count)) }
  return (0...count / 2).map { cycles in
    var (real, imaginary, turn) = (0.0, 0.0, 0)
    for sample in samples {
      real += Double(sample) * cosines[turn]
      imaginary += Double(sample) * sines[turn]
      turn += cycles
      if turn >= count { turn -= count }
    }
    let isOnce = cycles == 0 || 2 * cycles == count
    return hypot(real, imaginary) / Double(count) * (isOnce ? 1 : 2)
  }
}

/// An amplitude in dB.
func decibels(_ amplitude: Double) -> Double { 20 * log10(amplitude) }
