import Glibc
import MoInstruments
import MoMu

/// Prints the nanoseconds that a voice takes for a sample while it sounds: the median of so many batches.
func measureVoice(_ name: String, batches: Int) {
  switch name {
  case "string":
    var string = PluckedString(frequency: 220, seed: 1)
    measure(batches) { samples, block in
      if block % 100 == 0 { string.pluck(0.8) }
      string.add(to: &samples)
    }
  case "bar":
    var bar = Bar(.rosewood, frequency: 440)
    measure(batches) { samples, block in
      if block % 30 == 0 { bar.strike(0.8) }
      bar.add(to: &samples)
    }
  case "shaker":
    var shaker = Shaker(seed: 1)
    measure(batches) { samples, _ in
      // A copy, as an instrument's loop has it.
      var voice = shaker
      for index in samples.indices { samples[unchecked: index] += voice.tick(0.8) }
      shaker = voice
    }
  default: exit(2)
  }
}

/// Of blocks of 512 frames, 20 a batch: so short that others rarely come between.
@inline(never)
private func measure(_ batches: Int, _ play: (inout MutableSpan<Float>, _ block: Int) -> Void) {
  let (frames, blocks) = (512, 20)
  var samples = [Float](repeating: 0, count: frames)
  let clock = SystemClock()
  var times: [Int64] = []
  for batch in 0..<batches {
    let begun = clock.now
    for block in 0..<blocks {
      for index in samples.indices { samples[index] = 0 }
      var span = samples.mutableSpan
      play(&span, batch * blocks + block)
    }
    times.append((clock.now - begun).nanoseconds)
    if samples[0].isNaN { exit(1) }
  }
  times.sort()
  print(Double(times[batches / 2]) / Double(blocks * frames))
}
