import Glibc
import MoInstruments

/// Prints the share of a core that a piano takes at 48 kHz in blocks of 64 frames, in percent of processor time.
///
/// So many notes sound; it is the median over seconds, at whose beginning all are struck anew.
func measurePiano(notes: Int, seconds: Int) throws {
  let frames = 64
  let bus = InstrumentBus(sampleRate: 48_000)
  let piano = try Instruments.named("piano").add(to: bus, seed: 1)
  try piano.set("pedal", to: 1)
  var samples = [Float](repeating: 0, count: 2 * frames)
  var shares: [Double] = []
  for second in 0..<seconds {
    // Around the middle of the keyboard, where a hand plays.
    for note in 0..<notes { piano.noteOn(Float(60 - notes / 2 + note), velocity: 0.8) }
    let start = processorSeconds()
    for block in 0..<48_000 / frames {
      for index in samples.indices { samples[index] = 0 }
      samples.withUnsafeMutableBufferPointer { samples in
        var block = AudioBlock(
          output: samples.mutableSpan, input: Span(), outputs: 2, inputs: 0, frames: frames,
          sampleRate: 48_000,
          position: Int64((second * (48_000 / frames) + block) * frames))
        bus.render(&block)
      }
    }
    shares.append((processorSeconds() - start) * 100)
  }
  shares.sort()
  print(shares[shares.count / 2])
}

/// The processor time that this thread has had.
private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
