#if STK
  import MoInstruments
  import MoTesting
  import Testing

  @testable import MoSTK

  extension StkTests {
    /// A new `stk-shakers` on its bus, with values of its parameters.
    private func shakers(_ values: [(String, Float)] = []) throws -> (InstrumentBus, InstrumentHandle) {
      let bus = InstrumentBus(sampleRate: 48_000)
      let factory = try #require(StkInstruments.all.first { $0.sheet.name == "stk-shakers" })
      let handle = try factory.add(to: bus, seed: 1)
      for (name, value) in values { try handle.set(name, to: value) }
      return (bus, handle)
    }

    /// The frequency of a sine with the same slope, in Hz.
    private func brightness(_ samples: [Float]) -> Double {
      let slopes = zip(samples, samples.dropFirst()).map { $1 - $0 }
      return AudioMeasures.rms(slopes) / AudioMeasures.rms(samples) * 48_000 / (2 * .pi)
    }

    @Test("the parameter kind selects the shaker that a strike plays")
    func kind() throws {
      let heard = try ([0, 1] as [Float]).map { kind in
        let (bus, handle) = try shakers([("kind", kind)])
        handle.strike(0.8)
        return brightness(play(bus, frames: 24_000))
      }
      // A cabasa has higher tones than a maraca.
      #expect(heard[1] > 1.5 * heard[0], "\(heard)")
    }

    @Test("the parameter energy alone shakes each kind of shaker as long as it is above 0", arguments: 0...22)
    func energy(kind: Int) throws {
      let (bus, handle) = try shakers([("kind", Float(kind)), ("energy", 1)])
      let sound = play(bus, frames: 96_000)
      #expect(AudioMeasures.rms(sound.suffix(48_000)) > 0.002)
      #expect(AudioMeasures.peak(sound) < 1)
      try handle.set("energy", to: 0)
      #expect(play(bus, from: 96_000, frames: 480_000).suffix(2_000).allSatisfy { $0 == 0 })
    }

    @Test("a soft strike after shaking is softer than a hard strike")
    func strikeAfterShaking() throws {
      let levels = try ([0.05, 1] as [Float]).map { force in
        let (bus, handle) = try shakers()
        for step in 1...30 {
          try handle.set("energy", to: Float(step) / 60)
          _ = play(bus, from: 960 * step, frames: 960)
        }
        try handle.set("energy", to: 0)
        _ = play(bus, from: 29_760, frames: 96_000)
        handle.strike(force)
        return AudioMeasures.rms(play(bus, from: 125_760, frames: 14_400))
      }
      #expect(levels[1] > 5 * levels[0], "\(levels)")
    }

    @Test("shaking dies away if the readings of a sensor that caused it become missing")
    func missing() {
      var shaking = StkShaking()
      #expect(shaking.force(0.5, goal: 0.5, seconds: 1) == 0.5)
      shaking.read()
      #expect(shaking.force(0.6, goal: 0.6, seconds: 0.01) == 0.6)
      #expect(shaking.force(0.6, goal: 0.6, seconds: 0.1) == 0.6)
      #expect(shaking.force(0.6, goal: 0.6, seconds: 0.1) == 0)
      // A later change has another cause, such as a fader.
      #expect(shaking.force(0.7, goal: 0.7, seconds: 0.01) == 0.7)
    }
  }
#endif
