import MoDSP
import MoInstruments
import Testing

extension InstrumentLaw {
  /// The laws about an instrument's sound.
  static let aboutSound = [pitch, audible, peak, constantPart, tail]

  static let pitch = InstrumentLaw("is in tune within 3 cents over all it plays") { entry in
    guard entry.sheet.plays != nil else { return }
    for pitch in InstrumentRender(entry).pitches(7) {
      var render = InstrumentRender(entry)
      render.note(pitch, velocity: 0.7, from: 0)
      let hertz = MoFun.midiToHz(Double(pitch))
      let length = 0.2 + max(0.05, 12 / hertz) + max(0.35, 40 / hertz)
      let take = try render.take(seconds: length)
      let cents = try #require(
        Frequency.cents(
          take.left, from: InstrumentRender.frame(0.15), near: hertz, sampleRate: InstrumentRender.sampleRate)
      )
      #expect(abs(cents) < 3, "note \(pitch) is \(cents) cents off")
    }
  }

  static let audible = InstrumentLaw(
    "is heard: a note and a strike come to −45 dB within their first half second"
  ) { entry in
    for event: InstrumentEvent in [.noteOn(Note(InstrumentRender(entry).middle)), .strike(0.8)] {
      var render = InstrumentRender(entry)
      render.send(event, at: 480)
      let take = try render.take(seconds: 0.51)
      let loudest = stride(from: 480, to: take.left.count - 2400, by: 1200).map { take.level($0..<$0 + 2400) }
        .max()
      #expect(loudest ?? -200 > -45)
    }
  }

  static let peak = InstrumentLaw("never passes −1 dBFS, and one note alone needs no limiter") { entry in
    var one = InstrumentRender(entry)
    one.note(one.middle, velocity: 1, from: 0, to: 24_000)
    #expect(try one.take(seconds: 1).leastGain == 1)

    var all = InstrumentRender(entry)
    all.loudness = 1
    for pitch in all.pitches(max(1, all.entry.sheet.voices)) { all.note(pitch, velocity: 1, from: 0) }
    for frame in stride(from: 0, to: 48_000, by: 6000) { all.send(.strike(1), at: frame) }
    let take = try all.take(seconds: 1.5)
    #expect(take.isFinite)
    #expect(take.peak <= 0.8913)
  }

  static let constantPart = InstrumentLaw("has no constant part above −80 dB") { entry in
    var render = InstrumentRender(entry)
    render.note(render.middle, velocity: 1, from: 0, to: 96_000)
    let take = try render.take(seconds: 2 + min(4, render.entry.sheet.tail))
    for side in [take.left, take.right] {
      let mean = side.reduce(0.0) { $0 + Double($1) } / Double(side.count)
      #expect(abs(mean) < 1e-4)
    }
  }

  static let tail = InstrumentLaw("is exactly nothing once its tail is over") { entry in
    var render = InstrumentRender(entry)
    let count = max(1, render.entry.sheet.voices)
    for pitch in render.pitches(min(4, count)) { render.note(pitch, velocity: 1, from: 0) }
    render.send(.strike(1), at: 4800)
    render.send(.allOff, at: 24_000)
    // A strike has no release, so it must end by itself.
    let take = try render.take(seconds: 0.6 + render.entry.sheet.tail)
    #expect(take.end <= 24_000 + InstrumentRender.frame(render.entry.sheet.tail))
    #expect(take.onset != nil)
    // A release alone, without `allOff`, must end the sound in the same time.
    var released = InstrumentRender(entry)
    for pitch in released.pitches(min(4, count)) { released.note(pitch, velocity: 1, from: 0, to: 4800) }
    let decay = try released.take(seconds: 0.2 + released.entry.sheet.tail)
    #expect(decay.end <= 4800 + InstrumentRender.frame(released.entry.sheet.tail))
  }
}
