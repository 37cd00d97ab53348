import MIDICore

/// A simulated player at a keyboard, for machines without a MIDI keyboard.
package enum SimulatedMIDI {
  /// The music that the simulated player plays.
  package enum Player: String, CaseIterable {
    /// Up and down the scale of C major, louder and softer, with the pitch wheel and controller 74.
    case scale
    /// Four chords with the sustain pedal.
    case chords
  }

  static let port = "simulated keyboard"
  private static let second = 1_000_000_000.0

  /// Returns the messages that a player repeats, and the length of a repetition, in nanoseconds.
  static func steps(of player: Player) -> (steps: [MIDIScore.Step], nanoseconds: Int64) {
    var steps: [MIDIScore.Step] = []
    func add(_ seconds: Double, _ message: MIDIMessage) {
      steps.append(
        MIDIScore.Step(nanoseconds: Int64(seconds * second), message: .message(message, port: port)))
    }
    func note(_ seconds: Double, _ key: Int, _ velocity: Int, for length: Double) {
      let key = MIDIUInt7(clamping: key)
      add(seconds, .noteOn(0, key, velocity: MIDIUInt7(clamping: velocity)))
      add(seconds + length, .noteOff(0, key, velocity: 64))
    }
    switch player {
    case .scale:
      let keys = [60, 62, 64, 65, 67, 69, 71, 72, 71, 69, 67, 65, 64, 62, 60]
      for (index, key) in keys.enumerated() {
        let time = 0.25 * Double(index)
        note(time, key, 50 + 5 * index, for: 0.22)
        add(time, .control(0, 74, MIDIUInt7(clamping: 9 * index)))
      }
      for step in 0...16 {
        add(3.75 + 0.03 * Double(step), .bend(0, MIDIUInt14(clamping: 8192 + 256 * (step % 16))))
      }
    case .chords:
      for (index, root) in [60, 57, 53, 55].enumerated() {
        let time = Double(index)
        add(time + 0.01, .control(0, 64, 127))
        for (place, step) in [0, 4, 7].enumerated() {
          let third = root == 57 && step == 4 ? 3 : step
          note(time + 0.02 * Double(place), root + third, 70 + 10 * place, for: 0.5)
        }
        add(time + 0.95, .control(0, 64, 0))
      }
    }
    let ordered = steps.enumerated().sorted {
      ($0.element.nanoseconds, $0.offset) < ($1.element.nanoseconds, $1.offset)
    }
    return (ordered.map(\.element), player == .scale ? 4_500_000_000 : 4_000_000_000)
  }
}
