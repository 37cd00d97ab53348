import MoDSP
import MoMu

/// What transforms work with, made before the callback.
final class HeldTransforms: @unchecked Sendable {
  // Unchecked: the program has one callback and waits for it.
  let real = try? MoFFT(size: 1024)
  let complex = try? ComplexFFT(size: 1024)
  let stft = try? STFT(size: 256)
  let scratch = (try? ComplexFFT(size: 1024))?.makeScratch()
  let window = FFTWindow.hann.samples(1024)
  var samples = [Float](repeating: 0.5, count: 1024)
  var bins = [Complex](repeating: Complex(0), count: 513)
  var values = [Complex](repeating: Complex(1), count: 1024)
  var read = [Float](repeating: 0, count: 513)
}

let heldTransforms = HeldTransforms()

/// Every transform there is; no offence.
func transform() {
  let held = heldTransforms
  guard let real = held.real, let complex = held.complex, let stft = held.stft, let scratch = held.scratch
  else { fatalError("no transform of 1024 points") }
  FFTWindow.apply(held.window, to: &held.samples)
  real.forward(held.samples, into: &held.bins, scratch: scratch)
  MoFFT.magnitudes(of: held.bins, into: &held.read)
  MoFFT.powers(of: held.bins, into: &held.read)
  MoFFT.phases(of: held.bins, into: &held.read)
  real.inverse(held.bins, into: &held.samples, scratch: scratch)
  real.rfft(&held.samples, .forward, scratch: scratch)
  real.rfft(&held.samples, .inverse, scratch: scratch)
  complex.forward(&held.values, scratch: scratch)
  complex.inverse(&held.values, scratch: scratch)
  complex.cfft(&held.values, .forward, scratch: scratch)
  complex.cfft(&held.values, .inverse, scratch: scratch)
  stft.process(&held.samples) { bins in for k in bins.indices { bins[k] *= 0.9 } }
  stft.clear()
}
