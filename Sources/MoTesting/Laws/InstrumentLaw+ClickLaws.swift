import MoDSP
import MoInstruments
import Testing

/// The laws about clicks, which make second differences of the waveform larger than the sound itself does.
///
/// The limit for a second difference follows from the largest second differences of the sound within 100 ms, plus 0.01
/// (−40 dB of full scale).
extension InstrumentLaw {
  /// The laws about clicks: at the beginning and the end of a note, when a voice is taken for another note, and when a
  /// parameter jumps.
  static let aboutClicks = [start, end, steal, jump]

  static let allowed: Float = 0.01

  static let start = InstrumentLaw("does not click where a note begins") { entry in
    var render = InstrumentRender(entry)
    render.note(render.middle, velocity: 1, from: 1000)
    let take = try render.take(seconds: 0.3)
    let onset = try #require(take.onset)
    #expect(take.bend(onset..<onset + 3) <= take.bend(onset + 3..<onset + 4800) + allowed)
  }

  static let end = InstrumentLaw("does not click where a note is let go") { entry in
    var render = InstrumentRender(entry)
    render.note(render.middle, velocity: 1, from: 0, to: 24_000)
    let take = try render.take(seconds: 0.6)
    #expect(take.bend(24_000..<24_200) <= take.bend(21_600..<24_000) + allowed)
  }

  static let steal = InstrumentLaw("does not click where a voice is taken for another note") { entry in
    let count = max(1, InstrumentRender(entry).entry.sheet.voices)
    func play(_ notes: Int) throws -> Take {
      var render = InstrumentRender(entry)
      let pitches = render.pitches(count + 1)
      for pitch in pitches.prefix(notes) { render.note(pitch, velocity: 0.5, from: 0) }
      render.note(pitches[count], velocity: 0.5, from: 24_000)
      return try render.take(seconds: 0.7)
    }
    let alone = try play(0)
    let stolen = try play(count)
    // A sound with random excitation has its sharpest bends anywhere within its attack.
    let attack = alone.bend(24_000..<26_400)
    #expect(stolen.bend(24_000..<24_480) <= attack + stolen.bend(21_600..<24_000) + allowed)
  }

  static let jump = InstrumentLaw("does not click where a parameter jumps from one end to the other") {
    entry in
    for parameter in entry.parameters where parameter.step == 0 {
      for (from, to) in [(Float(0), Float(1)), (1, 0)] {
        var render = InstrumentRender(entry)
        render.set(parameter.name, to: parameter.value(at: from), at: 0)
        render.note(render.middle, velocity: 0.8, from: 2400)
        render.set(parameter.name, to: parameter.value(at: to), at: 24_000)
        let take = try render.take(seconds: 0.65)
        #expect(take.isFinite)
        let own = max(take.bend(21_600..<24_000), take.bend(26_400..<28_800))
        #expect(take.bend(24_000..<26_400) <= 1.5 * own + allowed, "\(parameter.name) \(from) to \(to)")
      }
    }
  }
}
