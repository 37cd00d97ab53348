import MoCore
import Testing

@Suite("Tempos and lengths in beats")
struct TempoTests {
  @Test("numbers of every type are tempos")
  func numbers() {
    let (whole, single, double) = (90, Float(90), 90.0)
    #expect(Tempo(whole) == 90)
    #expect(Tempo(single) == 90)
    #expect(Tempo(double) == 90.0)
  }

  @Test(
    "a tempo out of range is clamped, and NaN becomes 120", arguments: [(1e9, 999.0), (-1, 20), (.nan, 120)])
  func clamped(number: Double, expected: Double) {
    #expect(Tempo(number).beatsPerMinute == expected)
  }

  @Test("half a beat at 90 lasts a third of a second, and back")
  func seconds() {
    let half: Beats = 0.5
    #expect(abs(half.seconds(at: 90) - 1.0 / 3) < 1e-12)
    #expect(abs(Beats(seconds: 1.0 / 3, at: 90).count - 0.5) < 1e-12)
    #expect(Beats(seconds: 60, at: 72) == 72)
  }

  @Test("a length that is NaN or infinite is 0", arguments: [Double.nan, .infinity, -.infinity])
  func refused(number: Double) {
    #expect(Beats(number) == 0)
  }

  @Test("slower tempos and shorter lengths come first")
  func order() {
    #expect(Tempo(60) < 61)
    #expect(Beats(-1) < 0.25)
  }
}
