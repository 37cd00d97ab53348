import Glibc

/// Converts sounds from one sample rate to another, whole or stretch by stretch.
///
/// A windowed sinc of 128 taps (more where the rate falls), one set for each place between two samples: flat to
/// 0.45 of the lower rate, within 0.01 dB; what lies beyond half the lower rate, and would be heard as an alias, is
/// 100 dB down. Nothing is delayed.
///
/// - Source: J. O. Smith, *Digital audio resampling* (2002); the window is that of J. F. Kaiser (1974).
/// - Thread: any.
/// - Real-time safe: no; it allocates, and works through all that it is given.
public struct Resampler: Sendable {
  /// Frames a second of what goes in.
  public let inputRate: Double
  /// Frames a second of what comes out.
  public let outputRate: Double

  private let taps: Int
  private let phases: Int
  /// One set of taps after the other, and the first again at the end, one sample later.
  private let table: [Float]

  /// Zero crossings of the sinc on either side.
  private static let crossings = 64.0
  /// 100 dB of attenuation; the transition from 0.45 to 0.5 of the rate goes with it and the 64 crossings.
  private static let beta = 10.06
  private static let cutoff = 0.474
  /// Sets of taps where the rates have no small ratio; between two of them it goes in a straight line.
  private static let manyPhases = 1024

  /// A converter between two rates.
  ///
  /// - Parameters: frames a second, above 0 and no more than 1000 times one another.
  public init(from inputRate: Double, to outputRate: Double) {
    self.init(from: inputRate, to: outputRate, phases: Resampler.phases(inputRate, outputRate))
  }

  /// A converter for lines that are read at any place, by a ratio near 1 that varies; see `read`.
  package init(atAnyPlaceOf sampleRate: Double) {
    self.init(from: sampleRate, to: sampleRate, phases: Self.manyPhases)
  }

  private init(from inputRate: Double, to outputRate: Double, phases: Int) {
    precondition(inputRate > 0 && outputRate > 0, "sample rates are above 0 Hz")
    precondition(
      inputRate <= 1000 * outputRate && outputRate <= 1000 * inputRate,
      "sample rates are at most 1000 times one another")
    self.inputRate = inputRate
    self.outputRate = outputRate
    let stretch = max(1, inputRate / outputRate)
    // A multiple of eight, which is what is added up at once.
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

  /// How many different places between two input samples an output sample can have.
  private static func phases(_ inputRate: Double, _ outputRate: Double) -> Int {
    guard inputRate == inputRate.rounded(), outputRate == outputRate.rounded(), outputRate < 1e9 else {
      return manyPhases
    }
    var (large, small) = (Int(inputRate), Int(outputRate))
    while small > 0 { (large, small) = (small, large % small) }
    let wanted = Int(outputRate) / large
    return wanted <= manyPhases ? wanted : manyPhases
  }

  /// The modified Bessel function of the first kind and order 0, by its series.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term, index) = (1.0, 1.0, 1.0)
    while term > sum * 1e-17 {
      term *= (x / 2 / index) * (x / 2 / index)
      sum += term
      index += 1
    }
    return sum
  }

  /// How many frames become of so many.
  public func outputFrames(for frames: Int) -> Int {
    Int((Double(frames) * outputRate / inputRate).rounded(.up))
  }

  /// Converts a whole sound; before its beginning and after its end there is silence.
  ///
  /// - Parameters:
  ///   - input: interleaved samples.
  ///   - channels: how many belong to a frame.
  ///   - output: room for `outputFrames` frames, which are all written.
  public func process(
    _ input: UnsafeBufferPointer<Float>, channels: Int, into output: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(channels > 0 && input.count % channels == 0, "a sound has whole frames")
    let frames = input.count / channels
    let made = outputFrames(for: frames)
    precondition(output.count >= made * channels, "there is room for all frames that come out")
    // One channel at a time, in one piece, with the silence around it.
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

  /// The frames of the input that a stretch of the output is made of; they may lie beyond the ends of the sound.
  package func input(for frames: Range<Int>) -> Range<Int> {
    guard !frames.isEmpty else { return 0..<0 }
    let (first, last) = (whole(frames.lowerBound), whole(frames.upperBound - 1))
    return first - taps / 2 + 1..<last + taps / 2 + 1
  }

  /// Converts a stretch of one channel: the same samples as of the whole sound.
  ///
  /// - Parameters:
  ///   - frames: which frames of the output.
  ///   - line: at least the frames of the input that `input(for:)` says, silence where the sound has none.
  ///   - first: which frame of the input is the line's first.
  ///   - output: where the first frame goes; the next ones follow every `stride` samples.
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

  /// How many frames before and after a place it is made of.
  package var reach: Int { taps / 2 }

  /// Reads lines at places whose distance changes evenly from the first frame to the last.
  ///
  /// - Parameters:
  ///   - lines: one for each channel, `length` samples each.
  ///   - place: where the first frame is read, in samples from the start of a line: at least `reach`, and so far from
  ///     the end that every place has `reach` samples behind it.
  ///   - step: the first distance between two places, and the last.
  ///   - output: room for interleaved frames.
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

  /// The sum over a set of taps, of which a share is the next set's.
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
    // Rounding must not turn the very place of a set into the end of the one before.
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
