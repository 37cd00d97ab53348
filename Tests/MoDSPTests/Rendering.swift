import MoDSP

/// The given number of samples of a voice, one `tick` each.
func render(_ count: Int, _ tick: () -> Float) -> [Float] {
  var samples: [Float] = []
  samples.reserveCapacity(count)
  for _ in 0..<count { samples.append(tick()) }
  return samples
}

/// The samples after a unit has processed them in place, in blocks of `frames`.
func inBlocks(of frames: Int, _ samples: [Float], _ process: (inout MutableSpan<Float>) -> Void) -> [Float] {
  var samples = samples
  samples.withUnsafeMutableBufferPointer { all in
    for start in stride(from: 0, to: all.count, by: frames) {
      var block = UnsafeMutableBufferPointer(rebasing: all[start..<min(start + frames, all.count)])
        .mutableSpan
      process(&block)
    }
  }
  return samples
}

/// Two strokes per second over a shaker whose energy swells with them, rendered in blocks of `block` frames.
func shakeAndDrum(seconds: Int, block: Int, sampleRate: Double = 48_000) -> [Float] {
  var shaker = Shaker(sampleRate: sampleRate, seed: 1)
  var drum = Drum(sampleRate: sampleRate, seed: 2)
  let half = Int(sampleRate / 2)
  var samples: [Float] = []
  var frame = 0
  while frame < seconds * 2 * half {
    for _ in 0..<min(block, seconds * 2 * half - frame) {
      if frame % half == half / 2 { drum.strike(1) }
      let energy = Float(abs(frame % half - half / 2)) / Float(half / 2)
      samples.append(shaker.tick(energy) + drum.tick())
      frame += 1
    }
  }
  return samples
}
