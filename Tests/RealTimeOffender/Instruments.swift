import MoInstruments

/// Every instrument of the catalogue on a bus of its own, played without an end.
final class HeldInstruments: @unchecked Sendable {
  // Unchecked: the program has one callback and waits for it.
  var stages: [(bus: InstrumentBus, handle: InstrumentHandle)] = []
  var samples = [Float](repeating: 0, count: 512)
  var position: Int64 = 0
  var count = 0

  init() {
    for entry in Instruments.all {
      let bus = InstrumentBus()
      let beat = BeatClock.steady(tempo: 240, from: .zero)
      bus.follow { beat }
      if let handle = try? entry.add(to: bus, seed: 1) { stages.append((bus, handle)) }
    }
  }

  /// A block of each, with everything that can happen to it; no offence.
  func play() {
    let time = HostTime(seconds: Double(position) / 48_000)
    for place in stages.indices {
      send(to: stages[place].handle, at: time.advanced(bySeconds: 0.001))
      for index in samples.indices { samples[index] = 0 }
      render(stages[place].bus, at: time)
    }
    position += 256
    count += 1
  }

  private func render(_ bus: InstrumentBus, at time: HostTime) {
    samples.withUnsafeMutableBufferPointer { memory in
      var block = AudioBlock(
        output: memory.mutableSpan, input: UnsafeBufferPointer(rebasing: memory[..<0]).span, outputs: 2,
        inputs: 0,
        frames: 256, sampleRate: 48_000, position: position, time: time)
      bus.render(&block)
    }
  }

  private func send(to handle: InstrumentHandle, at time: HostTime) {
    let pitch = Float(36 + count * 7 % 48)
    switch count % 8 {
    case 0, 2, 4: handle.noteOn(pitch, velocity: 0.7, at: time)
    case 1: handle.strike(0.9, at: time)
    case 3: handle.pitchBend(Float(count % 5) / 4 - 0.5, at: time)
    case 5:
      var motion = Motion.still
      (motion.time, motion.activity, motion.strike, motion.tap) = (time, 0.6, 0.8, 0.5)
      motion.tilt.roll = Float(count % 7) * 8
      handle.send(.motion(motion), at: time)
    case 6:
      for index in handle.parameterRange { handle.set(index, to: Float(count % 3), at: time) }
    default: if count % 64 == 7 { handle.allNotesOff(at: time) }
    }
  }
}

let heldInstruments = HeldInstruments()
