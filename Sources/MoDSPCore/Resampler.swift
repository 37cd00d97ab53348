import Glibc

/// A converter of sounds, or excerpts of them, from one sample rate to another.
///
/// Frequencies up to 0.45 of the lower rate keep their level within 0.01 dB. Frequencies above half the lower
/// rate are attenuated by 100 dB. The output begins at the same time as the input. Each output sample is a
/// weighted sum of the 128 input samples around it, or more for a lower output rate. The weights (a windowed
/// sinc function) depend on the output sample's position between two input samples.
///
/// - Source: J. O. Smith, *Digital audio resampling* (2002); the window is that of J. F. Kaiser (1974).
/// - Thread: any.
/// - Real-time safe: no; it allocates, and processes the whole input.
public struct Resampler: Sendable {
  /// Frames per second of the input.
  public let inputRate: Double
  /// Frames per second of the output.
  public let outputRate: Double

  private let taps: Int
  private let phases: Int
  /// The sets of weights, each set after the previous set; at the end, the first set again, moved by one sample.
  private let table: [Float]

  /// The number of zero crossings of the sinc function on each side of its middle.
  private static let crossings = 64.0
  /// The β of the Kaiser window, for 100 dB of attenuation.
  ///
  /// Together with the 64 crossings, β makes the transition reach from 0.45 to 0.5 of the lower rate.
  private static let beta = 10.06
  private static let cutoff = 0.474
  /// The maximum number of sets of weights; if exact positions need more sets, weights are interpolated between two
  /// sets.
  private static let manyPhases = 1024

  /// Returns whether two rates differ, and neither is more than 1000 times the other.
  package static func converts(from inputRate: Double, to outputRate: Double) -> Bool {
    inputRate != outputRate && inputRate > 0 && outputRate > 0
      && inputRate <= 1000 * outputRate && outputRate <= 1000 * inputRate
  }

  /// Creates a converter between two rates.
  ///
  /// If a rate is more than 1000 times the other, the program stops with a message.
  ///
  /// - Parameters:
  ///   - inputRate: frames per second of the input, above 0; other numbers stop the program.
  ///   - outputRate: frames per second of the output, above 0; other numbers stop the program.
  public init(from inputRate: Double, to outputRate: Double) {
    self.init(from: inputRate, to: outputRate, phases: Resampler.phases(inputRate, outputRate))
  }

  /// Creates a converter for `read`, which interpolates samples at any position, with a variable rate ratio near 1.
  package init(atAnyPlaceOf sampleRate: Double) {
    self.init(from: sampleRate, to: sampleRate, phases: Self.manyPhases)
  }

  private init(from inputRate: Double, to outputRate: Double, phases: Int) {
    precondition(inputRate > 0 && outputRate > 0, "sample rates must be above 0 Hz")
    precondition(
      inputRate <= 1000 * outputRate && outputRate <= 1000 * inputRate,
      "a sample rate must be at most 1000 times the other")
    self.inputRate = inputRate
    self.outputRate = outputRate
    let stretch = max(1, inputRate / outputRate)
    // A multiple of eight, the vector length.
    taps = (Int(2 * Self.crossings * stretch) + 7) & ~7
    self.phases = phases
    var table = [Float](repeating: 0, count: (phases + 1) * taps)
    var weights = [Double](repeating: 0, count: taps)
    for phase in 0...phases {
      var sum = 0.0
      for tap in 0..<taps {
        let distance = Double(tap - taps / 2 + 1) - Double(phase) / Double(phases)
        let angle = 2 * .pi * Self.cutoff / stretch * distance
        let sinc = abs(angle) < 1e-9 ? 1 : sin(angle) / angle
        let edge = distance / (Double(taps) / 2)
        weights[tap] = abs(edge) < 1 ? sinc * Resampler.bessel(Self.beta * (1 - edge * edge).squareRoot()) : 0
        sum += weights[tap]
      }
      for tap in 0..<taps { table[phase * taps + tap] = Float(weights[tap] / sum) }
    }
    self.table = table
  }

  /// Returns the number of sets of weights: a set for each position of an output sample between two input samples.
  ///
  /// The result is `manyPhases` if there are more positions, or if a rate is not a whole number.
  private static func phases(_ inputRate: Double, _ outputRate: Double) -> Int {
    guard inputRate == inputRate.rounded(), outputRate == outputRate.rounded(), outputRate < 1e9 else {
      return manyPhases
    }
    var (large, small) = (Int(inputRate), Int(outputRate))
    while small > 0 { (large, small) = (small, large % small) }
    let wanted = Int(outputRate) / large
    return wanted <= manyPhases ? wanted : manyPhases
  }

  /// Returns the modified Bessel function of the first kind and order 0, by its series.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term, index) = (1.0, 1.0, 1.0)
    while term > sum * 1e-17 {
      term *= (x / 2 / index) * (x / 2 / index)
      sum += term
      index += 1
    }
    return sum
  }

  /// Returns the number of output frames that `process` makes from a number of input frames.
  public func outputFrames(for frames: Int) -> Int {
    Int((Double(frames) * outputRate / inputRate).rounded(.up))
  }

  /// Converts a whole sound, with silence before its start and after its end.
  ///
  /// A wrong argument stops the program with a message.
  ///
  /// - Parameters:
  ///   - input: interleaved samples; the last frame must be complete.
  ///   - channels: the number of channels, from 1.
  ///   - output: a buffer for at least `outputFrames` frames; these frames are written.
  public func process(
    _ input: UnsafeBufferPointer<Float>, channels: Int, into output: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(channels > 0 && input.count % channels == 0, "a sound must have whole frames")
    let frames = input.count / channels
    let made = outputFrames(for: frames)
    precondition(output.count >= made * channels, "the output must have room for all frames")
    // One channel at a time, contiguous, with silence around it.
    var line = [Float](repeating: 0, count: frames + 2 * taps)
    for channel in 0..<channels {
      for frame in 0..<frames { line[taps + frame] = input[frame &* channels &+ channel] }
      line.withUnsafeBufferPointer { line in
        for frame in 0..<made {
          output[frame &* channels &+ channel] = sample(of: line, from: -taps, at: frame)
        }
      }
    }
  }

  /// Returns the input frames from which the given output frames are computed; some may be outside the sound.
  package func input(for frames: Range<Int>) -> Range<Int> {
    guard !frames.isEmpty else { return 0..<0 }
    let (first, last) = (whole(frames.lowerBound), whole(frames.upperBound - 1))
    return first - taps / 2 + 1..<last + taps / 2 + 1
  }

  /// Converts an excerpt of one channel, with the same result as `process` for the whole sound.
  ///
  /// - Parameters:
  ///   - frames: the indices of the output frames to compute.
  ///   - line: the input samples that `input(for:)` requires, or more; zeros for frames outside the sound.
  ///   - first: the index of the input frame at the start of `line`.
  ///   - output: a pointer to the first output sample; each further sample is written `stride` samples after the
  ///     previous sample.
  package func convert(
    _ frames: Range<Int>, of line: UnsafeBufferPointer<Float>, from first: Int,
    into output: UnsafeMutablePointer<Float>, stride: Int
  ) {
    let needed = input(for: frames)
    precondition(
      needed.lowerBound >= first && needed.upperBound <= first + line.count, "the line has all that is needed"
    )
    for (index, frame) in frames.enumerated() {
      output[index &* stride] = sample(of: line, from: first, at: frame)
    }
  }

  /// The number of input frames before a position, and after it, that contribute to the output at this position.
  package var reach: Int { taps / 2 }

  /// Interpolates samples at positions whose spacing changes linearly from the first output frame to the last.
  ///
  /// - Parameters:
  ///   - lines: the channels, one after the other, `length` samples each.
  ///   - place: the position of the first output frame, in samples from the start of a channel. It is at least `reach`,
  ///     and `reach` samples must follow every position.
  ///   - step: the spacing of the positions, in samples, at the first frame and at the last frame.
  ///   - frames: the number of output frames.
  ///   - output: a buffer for interleaved frames.
  /// - Real-time safe: yes.
  package func read(
    _ lines: UnsafePointer<Float>, length: Int, channels: Int, from place: Double,
    step: (first: Double, last: Double), frames: Int, into output: UnsafeMutablePointer<Float>
  ) {
    table.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return }
      let bend = (step.last - step.first) / Double(max(1, frames))
      for frame in 0..<frames {
        let time = Double(frame)
        let here = place + time * (step.first + 0.5 * bend * time)
        let whole = Int(here)
        let phase = (here - Double(whole)) * Double(phases)
        let set = min(Int(phase), phases &- 1)
        let weights = UnsafeRawPointer(table + set &* taps)
        let start = lines + (whole &- reach &+ 1)
        for channel in 0..<channels {
          output[frame &* channels &+ channel] = blend(
            UnsafeRawPointer(start + channel &* length), weights, Float(phase - Double(set)))
        }
      }
    }
  }

  /// Returns a weighted sum of samples.
  ///
  /// The weights are interpolated between the set at `weights` (`share` 0) and the next set (`share` 1).
  private func blend(_ samples: UnsafeRawPointer, _ weights: UnsafeRawPointer, _ share: Float) -> Float {
    var sum = SIMD8<Float>.zero
    let next = weights + taps &* 4
    for offset in stride(from: 0, to: taps &* 4, by: 32) {
      let earlier = weights.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      let later = next.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      sum +=
        samples.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        * (earlier + (later - earlier) * share)
    }
    return sum.sum()
  }

  private func whole(_ frame: Int) -> Int { Int(Double(frame) * inputRate / outputRate) }

  private func sample(of line: UnsafeBufferPointer<Float>, from first: Int, at frame: Int) -> Float {
    let place = Double(frame) * inputRate / outputRate
    let whole = Int(place)
    let phase = (place - Double(whole)) * Double(phases)
    // Rounding must not turn an exact position into the end of the previous set.
    let near = phase.rounded()
    let isExact = abs(phase - near) < 1e-6
    let set = isExact ? Int(near) : Int(phase)
    let start = whole - taps / 2 + 1 - first
    let earlier = sum(line, start, set)
    return isExact ? earlier : earlier + (sum(line, start, set + 1) - earlier) * Float(phase - Double(set))
  }

  private func sum(_ line: UnsafeBufferPointer<Float>, _ start: Int, _ set: Int) -> Float {
    table.withUnsafeBufferPointer { table in
      let samples = UnsafeRawPointer(line.baseAddress! + start)
      let weights = UnsafeRawPointer(table.baseAddress! + set * taps)
      var sum = SIMD8<Float>.zero
      for offset in stride(from: 0, to: taps * 4, by: 32) {
        sum +=
          samples.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
          * weights.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      }
      return sum.sum()
    }
  }
}
