import MoCore
import MoDSP
import MoRuntime
import MoSensing
import Testing

@Suite("Keys that move the accelerometer")
struct KeyMotionTests {
  private func type(_ text: String, at moment: Double, into motion: inout KeyMotion) {
    var parser = KeyParser()
    for byte in text.utf8 { if let key = parser.key(after: byte) { _ = motion.type(key, at: moment) } }
  }

  /// Returns the strikes and the last motion if keys are typed at these times.
  private func play(_ keys: [(Double, String)], seconds: Double) -> (strikes: [Double], last: Motion) {
    var motion = KeyMotion()
    var features = MotionFeatures()
    var strikes: [Double] = []
    var last = Motion.still
    var waiting = keys[...]
    for step in 0..<Int(seconds * 100) {
      let time = Double(step) / 100
      while let (moment, text) = waiting.first, moment <= time {
        type(text, at: moment, into: &motion)
        waiting.removeFirst()
      }
      let (x, y, z) = motion.acceleration(at: time)
      guard let read = features.read(time: HostTime(seconds: time), x: x, y: y, z: z) else { continue }
      last = read
      if read.strike != nil { strikes.append(time) }
    }
    return (strikes, last)
  }

  @Test("every press of space is one immediate strike")
  func space() {
    let presses = [0.5, 1.0, 1.4, 2.5, 2.9]
    let (strikes, _) = play(presses.map { ($0, " ") }, seconds: 4)
    #expect(strikes == presses)
  }

  @Test("arrows tilt by ten degrees, and the tilt stays")
  func arrows() {
    let (strikes, last) = play(
      [(0.5, "\u{1B}[A"), (1.2, "\u{1B}[A"), (1.9, "\u{1B}OC"), (2.6, "\u{1B}[B")], seconds: 6)
    #expect(strikes.isEmpty)
    #expect(abs(last.tilt.pitch - 10) < 0.5)
    #expect(abs(last.tilt.roll - 10) < 0.5)
  }

  @Test(
    "→ lowers the right edge, ← the left, ↑ raises the top edge, ↓ the bottom: a raised side reads positive")
  func ways() {
    func held(_ arrow: String) -> (x: Float, y: Float, z: Float) {
      var motion = KeyMotion()
      type(arrow, at: 0, into: &motion)
      return motion.acceleration(at: 5)
    }
    // sin 10° is 0.17.
    #expect(held("\u{1B}[C").x < -0.17 && held("\u{1B}[C").y == 0)
    #expect(held("\u{1B}[D").x > 0.17 && held("\u{1B}[D").y == 0)
    #expect(held("\u{1B}[A").y > 0.17 && held("\u{1B}[A").x == 0)
    #expect(held("\u{1B}[B").y < -0.17 && held("\u{1B}[B").x == 0)
  }

  @Test("a stroke of the space bar does not tilt it sideways")
  func strokeKeepsRoll() {
    var motion = KeyMotion()
    type("\u{1B}[C", at: 0, into: &motion)
    var features = MotionFeatures()
    for step in 0..<400 {
      let time = Double(step) / 100
      if step % 20 == 0, step >= 200 { type(" ", at: time, into: &motion) }
      let (x, y, z) = motion.acceleration(at: time)
      let read = features.read(time: HostTime(seconds: time), x: x, y: y, z: z)
      if step > 100 { #expect(abs((read?.tilt.roll ?? 999) - 10) < 2, "\(time)") }
    }
  }

  @Test("other keys do nothing")
  func others() {
    var motion = KeyMotion()
    #expect("xA[\n".allSatisfy { !motion.type(.character($0), at: 1) })
    #expect(motion.acceleration(at: 1) == (0, 0, 1))
  }

  @Test("the tilt never turns the device over")
  func limit() {
    var motion = KeyMotion()
    for _ in 0..<50 { type("\u{1B}[A\u{1B}[D", at: 0, into: &motion) }
    #expect(motion.pitch < 90 && motion.roll > -90)
  }

  @Test("a held space bar plays a steady roll, with a stroke every 125 to 160 ms")
  func heldSpace() {
    // The kernel's own repetition of a held key: after 250 ms, then every 33 ms.
    let presses = [0.5] + (0..<90).map { 0.75 + Double($0) * 0.033 }
    let (strikes, _) = play(presses.map { ($0, " ") }, seconds: 6)
    #expect(strikes.starts(with: [0.5, 0.75]))
    #expect((20...25).contains(strikes.count))
    for (one, next) in zip(strikes.dropFirst(), strikes.dropFirst(2)) {
      #expect((0.124...0.161).contains(next - one))
    }
  }

  @Test("held arrows tilt, one after another or both together, and never strike")
  func heldArrows() {
    let oneByOne = (0..<60).map { (0.5 + Double($0) * 0.033, $0 < 30 ? "\u{1B}[A" : "\u{1B}[C") }
    let together = (0..<30).map { (0.5 + Double($0) * 0.033, "\u{1B}[A\u{1B}[C") }
    for keys in [oneByOne, together] {
      let (strikes, last) = play(keys, seconds: 6)
      #expect(strikes.isEmpty)
      // Arrows stop at 80 degrees.
      #expect(abs(last.tilt.pitch - 80) < 0.5)
      #expect(abs(last.tilt.roll - 80) < 0.5)
    }
  }
}
