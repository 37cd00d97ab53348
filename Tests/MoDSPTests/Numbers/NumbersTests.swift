import Glibc
import MoDSP
import Testing

@Suite("Numbers, pitches and scales")
struct NumbersTests {
  @Test("MIDI notes convert to Hz: A4 is 69 and 440 Hz, C4 is 60 and 261.626 Hz")
  func midi() {
    #expect(MoFun.midiToHz(69) == 440 && MoFun.hzToMIDI(440) == 69)
    #expect(abs(MoFun.midiToHz(60) - 261.625_565) < 1e-5)
    #expect(abs(MoFun.midiToHz(21) - 27.5) < 1e-9 && abs(MoFun.midiToHz(108) - 4186.009) < 1e-3)
    for note in stride(from: 0.0, through: 127, by: 0.37) {
      #expect(abs(MoFun.hzToMIDI(MoFun.midiToHz(note)) - note) < 1e-9)
    }
    #expect(MoFun.hzToMIDI(0) == -.infinity)
  }

  @Test("20 dB are a factor of ten, and a gain of 0 is −∞ dB")
  func decibels() {
    #expect(
      abs(MoFun.amplitude(decibels: -20) - 0.1) < 1e-12 && abs(MoFun.amplitude(decibels: 6) - 1.9953) < 1e-4)
    #expect(abs(MoFun.decibels(amplitude: 2) - 6.0206) < 1e-4 && MoFun.decibels(amplitude: 0) == -.infinity)
    #expect(MoFun.decibels(amplitude: -10) == 20 && MoFun.amplitude(decibels: -.infinity) == 0)
  }

  @Test("clamp and map handle NaN, and ranges in both directions")
  func clampAndMap() {
    #expect(
      MoFun.clamp(5, to: 0...3) == 3 && MoFun.clamp(-1, to: 0...3) == 0 && MoFun.clamp(2, to: 0...3) == 2)
    #expect(MoFun.clamp(Double.nan, to: 0.5...3) == 0.5)
    #expect(MoFun.map(0.5, from: (0, 1), to: (200, 800)) == 500)
    #expect(MoFun.map(2, from: (0, 1), to: (200, 800)) == 1400)
    #expect(MoFun.map(0.25, from: (1, 0), to: (0, 4)) == 3)
    #expect(MoFun.map(7, from: (1, 1), to: (3, 4)) == 3)
    #expect(MoFun.mapClamped(2, from: (0, 1), to: (200, 800)) == 800)
    #expect(MoFun.mapClamped(2, from: (0, 1), to: (800, 200)) == 200)
    #expect(MoFun.mapClamped(Float.nan, from: (0, 1), to: (8, 2)) == 2)
  }

  @Test("C major is the white keys, and its degrees climb them")
  func major() {
    let major = Scale.major(root: 60)
    #expect((60...72).filter(major.contains) == [60, 62, 64, 65, 67, 69, 71, 72])
    #expect((-7...8).map(major.note) == [48, 50, 52, 53, 55, 57, 59, 60, 62, 64, 65, 67, 69, 71, 72, 74])
    #expect(major.contains(0) && !major.contains(-2) && major.contains(-1) && major.count == 7)
  }

  @Test("the nearest note has no nearer one, and is the lower of two", arguments: 0..<17)
  func nearest(number: Int) {
    let scales: [Scale] = [
      .chromatic(), .major(), .minor(), .harmonicMinor(), .dorian(), .mixolydian(), .majorPentatonic(),
      .minorPentatonic(), .blues(), .wholeTone(), .majorChord(), .minorChord(), .diminishedChord(),
      .augmentedChord(), .dominantSeventh(), .majorSeventh(), .minorSeventh(),
    ]
    var scale = scales[number]
    for root in [57, 60, -5] {
      scale.root = root
      for note in stride(from: 20.0, through: 60, by: 0.25) {
        let nearest = scale.nearest(to: note)
        let others = (0...90).filter(scale.contains).map { abs(Double($0) - note) }
        #expect(scale.contains(nearest) && abs(Double(nearest) - note) == others.min())
      }
    }
  }

  @Test("ties go down, custom scales work in any octave, and invalid values count as an end")
  func ties() {
    #expect(Scale.major(root: 60).nearest(to: 61) == 60)
    #expect(Scale.wholeTone(root: 60).nearest(to: 61) == 60)
    #expect(Scale([0, 16, -5], root: 60) == Scale.majorChord(root: 60))
    #expect(Scale([], root: 60).nearest(to: 64) == 60 && Scale([], root: 60).nearest(to: 68) == 72)
    #expect(
      Scale.chromatic().nearest(to: .nan) == -10_000 && Scale.chromatic().nearest(to: .infinity) == 10_000)
    #expect(Scale.minorChord(root: 57).note(4) == 72 && Scale.chromatic().note(.max) == 10_060)
  }
}
