import Glibc
import MoDSP
import MoTesting
import Testing

@Suite("Resampler")
struct ResamplerTests {
  private func convert(_ samples: [Float], channels: Int = 1, from: Double, to: Double) -> [Float] {
    let resampler = Resampler(from: from, to: to)
    var output = [Float](
      repeating: .nan, count: resampler.outputFrames(for: samples.count / channels) * channels)
    samples.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { resampler.process(input, channels: channels, into: $0) }
    }
    return output
  }

  private func sine(_ frequency: Double, rate: Double, seconds: Double = 0.1) -> [Float] {
    (0..<Int(seconds * rate)).map { Float(sin(2 * .pi * frequency * Double($0) / rate)) }
  }

  private static let rates: [(Double, Double)] = [
    (44_100, 48_000), (48_000, 44_100), (8000, 48_000), (96_000, 48_000), (48_000, 8000), (44_100, 48_000.5),
    (44_101, 47_903),
  ]

  @Test("keeps a tone up to 0.45 of the lower rate, with errors below −80 dB", arguments: rates)
  func passband(from: Double, to: Double) {
    for part in [0.01, 0.1, 0.3, 0.45] {
      let frequency = part * min(from, to)
      let output = convert(sine(frequency, rate: from), from: from, to: to)
      let wanted = sine(frequency, rate: to, seconds: Double(output.count) / to)
      // Without the ends, at which the silence around the tone is within the filter's reach.
      let edge = Int(70 / min(1, from / to) * max(1, to / from)) + 70
      guard output.count > 3 * edge else { continue }
      let error =
        (edge..<min(output.count, wanted.count) - edge).map { abs(output[$0] - wanted[$0]) }.max() ?? 1
      // 0.01 dB is a difference of 0.0012.
      #expect(error < 0.0012, "\(part) \(error)")
    }
  }

  @Test(
    "attenuates frequencies beyond half the lower rate by 100 dB", arguments: rates.filter { $0.0 > $0.1 })
  func aliases(from: Double, to: Double) {
    for part in stride(from: 0.501, to: 0.499 * from / to, by: 0.05) {
      let output = convert(sine(part * to, rate: from, seconds: 0.2), from: from, to: to)
      let middle = output[output.count / 3..<output.count * 2 / 3]
      #expect(AudioMeasures.peak(middle) < 1e-5, "\(part) \(AudioMeasures.peak(middle))")
    }
  }

  @Test("attenuates images above half the input's rate by 100 dB")
  func images() {
    // 20 kHz at 44.1 kHz has an image at 24.1 kHz, within the range of 96 kHz: only the tone remains.
    let output = convert(sine(19_000, rate: 44_100, seconds: 0.3), from: 44_100, to: 96_000)
    let wanted = sine(19_000, rate: 96_000, seconds: 0.3)
    let error = (5000..<20_000).map { output[$0] - wanted[$0] }
    #expect(AudioMeasures.rms(error) < 1e-4, "\(AudioMeasures.rms(error))")
  }

  @Test("keeps constants exactly, channels separate, and impulses in place")
  func simple() {
    let constant = convert([Float](repeating: 0.5, count: 2000), from: 44_100, to: 48_000)
    #expect(constant[200..<1900].allSatisfy { abs($0 - 0.5) < 1e-6 })
    var stereo = [Float](repeating: 0, count: 4000)
    for frame in 0..<2000 { stereo[2 * frame] = 0.25 }
    let converted = convert(stereo, channels: 2, from: 48_000, to: 44_100)
    #expect(stride(from: 1, to: converted.count, by: 2).allSatisfy { converted[$0] == 0 })
    #expect(abs(converted[1000] - 0.25) < 1e-6)
    var impulse = [Float](repeating: 0, count: 480)
    impulse[240] = 1
    let moved = convert(impulse, from: 48_000, to: 96_000)
    #expect(moved.count == 960)
    #expect(moved.firstIndex(of: moved.max() ?? 0) == 480)
    #expect(convert([], from: 48_000, to: 44_100).isEmpty)
  }

  @Test(
    "keeps a tone up to 20 kHz at a variable ratio near 1, with everything else below −90 dB",
    arguments: [1000.0, 15_000, 20_000], [(1.0001, 1.0001), (0.9999, 1.0001), (1.005, 0.995)])
  func varying(frequency: Double, step: (first: Double, last: Double)) {
    let rate = 48_000.0
    let resampler = Resampler(atAnyPlaceOf: rate)
    let frames = 24_000
    let start = Double(resampler.reach) + 0.37
    let line = sine(frequency, rate: rate, seconds: 0.51)
    var output = [Float](repeating: .nan, count: frames)
    resampler.read(
      line, length: line.count, channels: 1, from: start, step: step, frames: frames, into: &output)
    // The tone at the positions themselves, with the best gain and delay: images and noise remain.
    var (sines, cosines) = ([Double](), [Double]())
    for frame in 0..<frames {
      let time = Double(frame)
      let place = start + time * (step.first + 0.5 * (step.last - step.first) * time / Double(frames))
      let angle = 2 * .pi * frequency / rate * place
      sines.append(sin(angle))
      cosines.append(cos(angle))
    }
    func dot(_ left: [Double], _ right: [Double]) -> Double {
      zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let heard = output.map(Double.init)
    let (ss, cc, sc) = (dot(sines, sines), dot(cosines, cosines), dot(sines, cosines))
    let (hs, hc) = (dot(heard, sines), dot(heard, cosines))
    let level = (hs * cc - hc * sc) / (ss * cc - sc * sc)
    let shift = (hc * ss - hs * sc) / (ss * cc - sc * sc)
    let rest = zip(heard, zip(sines, cosines)).map { $0 - level * $1.0 - shift * $1.1 }
    let decibels = 10 * log10(dot(rest, rest) / dot(heard, heard))
    #expect(decibels < -90, "\(decibels) dB")
    #expect(abs(20 * log10(level)) < 0.01, "\(20 * log10(level)) dB")
    if getenv("MOMU_PRINT_JITTER") != nil { print("\(frequency) Hz by \(step): \(decibels) dB") }
  }

  @Test("keeps channels separate and constants exact at a ratio near 1")
  func varyingChannels() {
    let resampler = Resampler(atAnyPlaceOf: 48_000)
    var lines = [Float](repeating: 0.5, count: 1000)
    lines.append(contentsOf: [Float](repeating: -0.25, count: 1000))
    var output = [Float](repeating: .nan, count: 2 * 500)
    resampler.read(
      lines, length: 1000, channels: 2, from: 100, step: (1.001, 0.999), frames: 500, into: &output)
    #expect(stride(from: 0, to: 1000, by: 2).allSatisfy { abs(output[$0] - 0.5) < 1e-6 })
    #expect(stride(from: 1, to: 1000, by: 2).allSatisfy { abs(output[$0] + 0.25) < 1e-6 })
  }
}
