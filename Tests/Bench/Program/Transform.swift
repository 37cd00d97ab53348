import Glibc
import MoDSP
import MoMu

/// Prints the nanoseconds that a transform of `size` real samples takes: the median of batches of a millisecond.
func measureTransform(size: Int) throws {
  let fft = try MoFFT(size: size)
  let scratch = fft.makeScratch()
  let samples = (0..<size).map { sinf(Float($0 &* $0)) }
  var bins = fft.makeBins()
  let batch = max(1, 1_000_000 / (4 * size))
  let clock = SystemClock()
  let taken = (0..<100).map { _ in
    let begun = clock.now
    for _ in 0..<batch { fft.forward(samples, into: &bins, scratch: scratch) }
    return Double((clock.now - begun).nanoseconds) / Double(batch)
  }
  print(taken.sorted()[taken.count / 2])
}
