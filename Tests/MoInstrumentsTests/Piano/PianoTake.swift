import MoDSP
import MoInstruments

/// The sound of a piano that plays a score.
struct PianoTake {
  enum Act {
    case on(Float, Float)
    case off(Float)
    case pedal(Bool)
    case brightness(Float)
    case strike(Float)
  }

  private(set) var left: [Float] = []
  private(set) var right: [Float] = []
  var both: [Float] { zip(left, right).map { ($0 + $1) / 2 } }

  /// - Parameters:
  ///   - score: times in seconds with their actions, in order.
  ///   - frames: the maximum number of frames per block.
  init(
    _ score: [(Double, Act)], seconds: Double, sampleRate: Double = 48_000, frames: Int = 32,
    piano: Piano = Piano()
  ) {
    var piano = piano
    piano.prepare(sampleRate: sampleRate, blockFrames: frames)
    var glides = [ControlGlide(0), ControlGlide(0.5)]
    let total = Int(seconds * sampleRate)
    var samples = [Float](repeating: 0, count: 2 * total)
    var (frame, next) = (0, 0)
    while frame < total {
      while next < score.count, Int(score[next].0 * sampleRate) <= frame {
        PianoTake.act(score[next].1, &piano, &glides)
        next += 1
      }
      let untilNext = next < score.count ? Int(score[next].0 * sampleRate) - frame : total
      // Blocks begin at whole multiples, as a sound card's do, and are split at events.
      let count = min(frames - frame % frames, total - frame, untilNext)
      PianoTake.render(&piano, glides, &samples, from: frame, count: count, sampleRate: sampleRate)
      frame += count
    }
    left = (0..<total).map { samples[2 * $0] }
    right = (0..<total).map { samples[2 * $0 + 1] }
  }

  private static func act(_ act: Act, _ piano: inout Piano, _ glides: inout [ControlGlide]) {
    switch act {
    case .pedal(let isDown): glides[0] = ControlGlide(isDown ? 1 : 0)
    case .brightness(let value): glides[1] = ControlGlide(value)
    default: break
    }
    glides.withUnsafeBufferPointer { glides in
      guard let start = glides.baseAddress else { return }
      let controls = Controls<Piano.Control>(start)
      switch act {
      case .on(let pitch, let velocity): piano.handle(.noteOn(Note(pitch, velocity: velocity)), controls)
      case .off(let pitch): piano.handle(.noteOff(Note(pitch)), controls)
      case .strike(let force): piano.handle(.strike(force), controls)
      default: break
      }
    }
  }

  private static func render(
    _ piano: inout Piano, _ glides: [ControlGlide], _ samples: inout [Float], from frame: Int, count: Int,
    sampleRate: Double
  ) {
    samples.withUnsafeMutableBufferPointer { samples in
      glides.withUnsafeBufferPointer { glides in
        guard let start = glides.baseAddress else { return }
        let part = UnsafeMutableBufferPointer(rebasing: samples[2 * frame..<2 * (frame + count)])
        var block = AudioBlock(
          output: part.mutableSpan, input: Span(), outputs: 2, inputs: 0, frames: count,
          sampleRate: sampleRate)
        piano.render(&block, Controls<Piano.Control>(start))
      }
    }
  }
}
