import MIDICore
import MoCore
import MoDSP
import MoInstruments
import MoMIDI
import Testing

@Suite("Gestures to MIDI")
struct MIDIGestureTests {
  /// A mapping, and what it sends.
  private final class Scene {
    let gestures: MIDIGestures
    let sent = Locked<[(order: MIDISender.Order, time: HostTime)]>([])

    init(_ text: String) throws {
      let sent = sent
      gestures = MIDIGestures(
        try Mapping(text, parameters: MIDIGestureOutput.names, isMIDI: true),
        MIDIGestureOutput(0) { order, time in sent.withLock { $0.append((order, time)) } })
    }

    /// A reading with a roll in degrees.
    func tilt(_ roll: Float, at seconds: Double, jerk: Float? = nil) {
      var motion = Motion.still
      motion.time = HostTime(seconds: seconds)
      motion.tilt.roll = roll
      motion.strike = jerk
      gestures.move(motion)
    }

    var messages: [MIDIMessage] {
      sent.withLock { sent in
        sent.compactMap { order, _ in if case .message(let message) = order { message } else { nil } }
      }
    }
  }

  @Test("a tilt moves controller 11 over its whole range")
  func control() throws {
    let scene = try Scene("tilt-roll -45..45 -> cc11")
    for step in 0...90 { scene.tilt(Float(step - 45), at: Double(step) * 0.02) }
    let values = scene.messages.map { message -> Int in
      guard case .control(0, 11, let value) = message else { return -1 }
      return Int(value.value)
    }
    #expect(values.first == 0 && values.last == 127 && values == values.sorted())
  }

  @Test("a hand that trembles between two steps sends nothing")
  func tremble() throws {
    let scene = try Scene("tilt-roll -45..45 -> cc11")
    // Half way between two steps of the 128.
    let border: Float = -45 + 90 * 40.5 / 127
    scene.tilt(border, at: 0)
    let first = scene.messages.count
    for index in 1...500 { scene.tilt(border + (index % 2 == 0 ? 0.1 : -0.1), at: Double(index) * 0.01) }
    #expect(first == 1 && scene.messages.count == 1)
  }

  @Test("nothing is sent twice while nothing moves")
  func still() throws {
    let scene = try Scene("tilt-roll -> cc11\ntilt-roll -> bend\ntilt-roll -> pressure")
    for index in 0..<500 { scene.tilt(20, at: Double(index) * 0.01) }
    #expect(scene.messages.count == 3)
  }

  @Test("a tilt bends from one end of the wheel to the other, and rests in its middle")
  func bend() throws {
    let scene = try Scene("tilt-roll -45..45 -> bend")
    for (index, roll) in [Float(-45), 0, 45].enumerated() { scene.tilt(roll, at: Double(index)) }
    #expect(scene.messages == [.bend(0, 0), .bend(0, 8192), .bend(0, 16383)])
  }

  @Test("a wild hand on ten controllers keeps to 3,125 bytes a second, and its last values arrive")
  func pace() throws {
    let scene = try Scene((1...10).map { "tilt-roll -45..45 -> cc\($0)" }.joined(separator: "\n"))
    for index in 0..<4000 { scene.tilt(index % 2 == 0 ? -45 : 45, at: Double(index) * 0.0025) }
    let bytes = scene.messages.reduce(0) { $0 + $1.bytes.count }
    #expect(bytes <= 3125 * 10 + 96 && bytes > 25_000)
    for index in 0..<20 { scene.tilt(45, at: 10 + Double(index) * 0.0025) }
    var last: [UInt8: UInt8] = [:]
    for case .control(_, let number, let value) in scene.messages { last[number.value] = value.value }
    #expect(last == Dictionary(uniqueKeysWithValues: (1...10).map { (UInt8($0), 127) }))
  }

  @Test("a stroke plays the note that the tilt chooses, and the note ends")
  func note() throws {
    let scene = try Scene("tilt-roll -45..45 -> note 60..72 in major C4\njerk -> strike 0.5..1")
    scene.tilt(45, at: 1, jerk: 1)
    let orders = scene.sent.withLock { $0 }
    guard orders.count == 1, case .note(0, 72, let velocity, let nanoseconds) = orders[0].order else {
      Issue.record("\(orders)")
      return
    }
    #expect(velocity == 127)
    #expect(nanoseconds == 250_000_000)
  }

  @Test("a gate holds a note that follows the tilt, and ends it when the hand is still")
  func gate() throws {
    let scene = try Scene(
      "tilt-roll 0..90 -> note 60..72 in chromatic C4\ntilt-roll 0..90 -> gate above 10 below 5")
    for (index, roll) in [Float(0), 20, 90, 0].enumerated() { scene.tilt(roll, at: Double(index)) }
    var sounding: [MIDIUInt7] = []
    for message in scene.messages {
      if case .noteOn(_, let key, _) = message { sounding.append(key) }
      if case .noteOff(_, let key, _) = message { sounding.removeAll { $0 == key } }
      #expect(sounding.count <= 1)
    }
    #expect(sounding.isEmpty && scene.messages.count >= 4)
  }

  @Test(
    "targets that MIDI does not have are refused, with those it has",
    arguments: [
      ("tilt-roll -> cc120", "line 1: unknown controller 120"),
      (
        "tilt-roll -> brightness",
        "line 1: unknown parameter \"brightness\": use cc0 to cc119, pressure"
      ),
    ])
  func refused(_ text: String, _ expected: String) {
    let error = #expect(throws: MappingError.self) {
      try Mapping(text, parameters: MIDIGestureOutput.names, isMIDI: true)
    }
    #expect("\(error!)".hasPrefix(expected))
  }
}
