import Glibc
import MoDSP
import MoMu

/// Prints the nanoseconds that a filter takes for a sample, over `blocks` blocks of 512.
func measureFilter(_ name: String, blocks: Int) {
  switch name {
  case "biquad": measure(BiQuad(.lowPass(frequency: 1000, sampleRate: 48_000)), blocks: blocks)
  case "onepole": measure(OnePole(pole: 0.9), blocks: blocks)
  default: exit(2)
  }
}

@inline(never)
private func measure(_ filter: some MoFilter, blocks: Int) {
  let frames = 512
  let noise = (0..<frames).map { Float($0 &* 7919 % frames) / Float(frames / 2) - 1 }
  var (filter, samples) = (filter, noise)
  let clock = SystemClock()
  let begun = clock.now
  for _ in 0..<blocks {
    memcpy(&samples, noise, frames * MemoryLayout<Float>.stride)
    var block = samples.mutableSpan
    filter.process(&block)
  }
  let taken = (clock.now - begun).nanoseconds
  if samples[0].isNaN { exit(1) }
  print(Double(taken) / Double(blocks) / Double(frames))
}
