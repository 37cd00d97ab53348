import MIDICore
import MoCore
import MoDSP
import MoMIDI

/// Turns what a mapping does into MIDI messages: only changes, without trembling, at a cable's pace.
///
/// - Thread: one at a time.
final class MIDIGestureOutput: MappingTarget, @unchecked Sendable {
  // Unchecked: one thread at a time, as `MIDIGestures` sees to.
  let parameters: [Parameter] = MIDIGestureOutput.names.map { name in
    Parameter(name, 0...127, default: 0, smoothing: 0, step: 0, about: "MIDI")
  }
  private let channel: MIDIChannel
  private let send: @Sendable (MIDISender.Order, HostTime) -> Void
  /// The requested and the sent values of `cc0` … `cc119`, `pressure` and the wheel.
  private var wanted = [Float?](repeating: nil, count: MIDIGestureOutput.wheel + 1)
  private var sent = [Int?](repeating: nil, count: MIDIGestureOutput.wheel + 1)
  /// The first of those that are looked at when there is room again, so that none waits for ever.
  private var first = 0
  private var gates: [Int32: MIDIUInt7] = [:]
  private var budget = MIDIGestureOutput.burst
  private var filled: HostTime?

  /// The targets besides notes and bend.
  static let names = (0...119).map { "cc\($0)" } + ["pressure"]
  private static let pressure = 120
  private static let wheel = 121

  /// Bytes a second, and the most bytes of one burst.
  private static let bytesPerSecond = 3125.0
  private static let burst = 96.0
  /// The hysteresis between two steps, in steps: a value must pass their border by this much.
  private static let hold: Float = 0.25
  /// Semitones at the wheel's end.
  private static let bendRange: Float = 2

  init(_ channel: MIDIChannel, _ send: @escaping @Sendable (MIDISender.Order, HostTime) -> Void) {
    (self.channel, self.send) = (channel, send)
  }

  func index(of name: String) -> Int? { Self.names.firstIndex(of: name) }

  func map(_ action: MappingAction, at time: HostTime) {
    switch action {
    case .set(let place, let value): wanted[place] = value
    case .event(.bend(let semitones)):
      let part = max(-1, min(semitones / Self.bendRange, 1))
      wanted[Self.wheel] = 8192 + part * (part < 0 ? 8192 : 8191)
    case .event(.strike(let force)): play(60, force, .milliseconds(250), at: time)
    case .note(let pitch, let velocity, let length): play(pitch, velocity, length, at: time)
    case .event(.noteOn(let note)):
      let key = Self.key(note.pitch)
      gates[note.id] = key
      emit(.message(.noteOn(channel, key, velocity: Self.velocity(note.velocity))), bytes: 3, at: time)
    case .event(.noteMove(let note)):
      guard let old = gates[note.id], old != Self.key(note.pitch) else { return }
      map(.event(.noteOff(note)), at: time)
      map(.event(.noteOn(note)), at: time)
    case .event(.noteOff(let note)):
      guard let key = gates.removeValue(forKey: note.id) else { return }
      emit(.message(.noteOff(channel, key, velocity: 64)), bytes: 3, at: time)
    case .event: break
    }
  }

  /// Sends the values that have changed, as many as the cable takes.
  func flush(at time: HostTime) {
    refill(at: time)
    for offset in wanted.indices {
      let place = (first + offset) % wanted.count
      guard let value = wanted[place], let step = step(value, sent[place]), step != sent[place] else {
        continue
      }
      let message = message(place, step)
      guard budget >= Double(message.bytes.count) else {
        first = place
        return
      }
      sent[place] = step
      emit(.message(message), bytes: message.bytes.count, at: time)
    }
  }

  /// The step of a value: the last one, unless the value is well beyond its border.
  private func step(_ value: Float, _ last: Int?) -> Int? {
    guard value.isFinite else { return last }
    if let last, abs(value - Float(last)) <= 0.5 + Self.hold { return last }
    return Int(value.rounded())
  }

  private func message(_ place: Int, _ step: Int) -> MIDIMessage {
    switch place {
    case Self.wheel: .bend(channel, MIDIUInt14(clamping: step))
    case Self.pressure: .pressure(channel, MIDIUInt7(clamping: step))
    default: .control(channel, MIDIUInt7(clamping: place), MIDIUInt7(clamping: step))
    }
  }

  private func play(_ pitch: Float, _ velocity: Float, _ length: Duration, at time: HostTime) {
    let key = Self.key(pitch)
    emit(.begin(channel, key, Self.velocity(velocity)), bytes: 3, at: time)
    emit(.end(channel, key), bytes: 3, at: time + length)
  }

  /// Notes are always sent; their bytes are taken from those that values may use.
  private func emit(_ order: MIDISender.Order, bytes: Int, at time: HostTime) {
    budget -= Double(bytes)
    send(order, time)
  }

  private func refill(at time: HostTime) {
    let seconds = filled.map { max(0, time.seconds(since: $0)) } ?? 0
    budget = min(Self.burst, budget + seconds * Self.bytesPerSecond)
    filled = time
  }

  private static func key(_ pitch: Float) -> MIDIUInt7 {
    MIDIUInt7(clamping: pitch.isFinite ? Int(max(0, min(pitch, 127)).rounded()) : 60)
  }

  private static func velocity(_ force: Float) -> MIDIUInt7 {
    MIDIUInt7(clamping: force.isFinite ? max(1, Int((max(0, min(force, 1)) * 127).rounded())) : 1)
  }
}
