import MoCore

/// Sends changing values as controller, pressure and bend messages, at no more than the rate of a MIDI cable.
///
/// The stream sends only changes. If a value alternates between two neighbouring steps, the stream sends a new step
/// only when the value is well beyond the border between the steps. So a trembling hand sends nothing. All values share
/// the 3,125 bytes a second of a MIDI cable. If the values change faster than the cable allows, only the newest state
/// of each value is sent.
///
/// - Thread: one owner.
public struct MIDIValueStream: Sendable {
  /// The kind of message that carries a value.
  public enum Target: Hashable, Sendable {
    /// A controller, 0…119.
    case control(Int)
    /// The pressure of a channel.
    case pressure
    /// The pitch wheel.
    case bend

    fileprivate var place: Int {
      switch self {
      case .control(let number): max(0, min(number, 119))
      case .pressure: 120
      case .bend: 121
      }
    }

    /// The highest value, in steps: 127, or 16383 for the wheel.
    public var top: Float { self == .bend ? 16_383 : 127 }
  }

  private let channel: MIDIChannel
  /// For each target, the value that was set last, in steps; nil if none was set.
  ///
  /// The index of a controller is its number, 0…119. The index of the pressure is 120, that of the pitch wheel is 121.
  private var wanted = [Float?](repeating: nil, count: 122)
  /// For each target, the step that was sent last; nil if none was sent since `init` or `forget`.
  ///
  /// The index is the same as in `wanted`.
  private var sent = [Int?](repeating: nil, count: 122)
  /// The index in `wanted` of the target at which the next call of `send` begins, so that no value waits forever.
  private var first = 0
  private var budget = MIDIValueStream.burst
  private var filled: HostTime?

  /// The rate of a MIDI cable, in bytes a second.
  public static let bytesPerSecond = 3125.0
  /// The largest number of bytes that may be sent at once.
  private static let burst = 96.0
  /// The distance, in steps, by which a value must pass the border between two steps before the new step is sent.
  private static let hold: Float = 0.25
  /// The number of bytes of the longest message.
  private static let longest = 3.0

  /// Creates a stream that has sent nothing yet.
  ///
  /// - Parameter channel: the channel of all messages.
  public init(_ channel: MIDIChannel) { self.channel = channel }

  /// Sets the value of a target, in steps from 0 to the highest value of the target.
  ///
  /// While the value is NaN, the stream sends nothing for the target.
  public mutating func set(_ target: Target, to steps: Float) { wanted[target.place] = steps }

  /// Makes the next calls of `send` send all values again, as if no value had been sent.
  public mutating func forget() { for place in sent.indices { sent[place] = nil } }

  /// Sends the values that have changed, as many as the cable can carry at `time`; the other values wait for later
  /// calls.
  public mutating func send(at time: HostTime, _ send: (MIDIMessage) -> Void) {
    refill(at: time)
    for offset in wanted.indices {
      let place = (first + offset) % wanted.count
      guard let step = change(place) else { continue }
      let message = message(place, step)
      guard budget >= Double(message.bytes.count) else {
        first = place
        return
      }
      budget -= Double(message.bytes.count)
      sent[place] = step
      send(message)
    }
  }

  /// Subtracts the bytes of other messages on the same cable, such as notes, from the bytes that the values may use at
  /// `time`.
  public mutating func spend(bytes: Int, at time: HostTime) {
    refill(at: time)
    budget -= Double(bytes)
  }

  /// The earliest time at which a waiting value can be sent; nil if no value waits, or before the first call of `send`
  /// or `spend`.
  public var nextTime: HostTime? {
    guard let filled, wanted.indices.contains(where: { change($0) != nil }) else { return nil }
    return filled.advanced(bySeconds: max(0, Self.longest - budget) / Self.bytesPerSecond)
  }

  /// Returns the step to send for the target with the index `place` in `wanted`; nil if the value was not set, is not
  /// finite, or has not changed enough.
  private func change(_ place: Int) -> Int? {
    guard let value = wanted[place], value.isFinite else { return nil }
    if let last = sent[place], abs(value - Float(last)) <= 0.5 + Self.hold { return nil }
    let step = Int(max(-1e6, min(value, 1e6)).rounded())
    return step == sent[place] ? nil : step
  }

  private func message(_ place: Int, _ step: Int) -> MIDIMessage {
    switch place {
    case 121: .bend(channel, MIDIUInt14(clamping: step))
    case 120: .pressure(channel, MIDIUInt7(clamping: step))
    default: .control(channel, MIDIUInt7(clamping: place), MIDIUInt7(clamping: step))
    }
  }

  private mutating func refill(at time: HostTime) {
    let seconds = filled.map { max(0, time.seconds(since: $0)) } ?? 0
    budget = min(Self.burst, budget + seconds * Self.bytesPerSecond)
    filled = max(time, filled ?? time)
  }
}
