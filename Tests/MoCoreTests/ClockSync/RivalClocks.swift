import MoCore
import MoSessionCore

/// Other programs' methods to compare clocks, for comparison with ours.
enum RivalClocks {
  /// A line of offsets from a local time in seconds on: its offset (ns) at a second, and its slope (ns per second).
  struct Line {
    var from: Double
    var at: Double
    var offset: Double
    var slope = 0.0
  }

  /// Returns the offset that a rival would report at a second; nil before it has one.
  static func offset(_ lines: [Line], at seconds: Double) -> Double? {
    guard let line = lines.last(where: { $0.from <= seconds }) else { return nil }
    return line.offset + line.slope * (seconds - line.at)
  }

  /// Simulates Ableton Link 4: 51 exchanges back to back, the median of two readings from each, every 30 s; no skew.
  static func link(_ talk: SimulatedTalk, seconds: Double) -> [Line] {
    var talk = talk
    var lines: [Line] = []
    for start in stride(from: 0.0, to: seconds, by: 30) {
      var now = start * 1e9
      var readings: [Double] = []
      var last: ClockExchange?
      while readings.count <= 100 {
        let packet = talk.exchange(at: now)
        if packet.backLost {
          now += 50e6
          last = nil
          if talk.silence.contains(now * 1e-9) { break }
          continue
        }
        let exchange = packet.exchange
        readings.append(midpoint(exchange))
        if let last {
          let ghost = Double(exchange.received.nanoseconds + last.received.nanoseconds) / 2
          readings.append(ghost - Double(exchange.sent.nanoseconds))
        }
        last = exchange
        now = packet.arrives
      }
      guard readings.count > 100 else { continue }
      lines.append(Line(from: now * 1e-9, at: 0, offset: readings.sorted()[readings.count / 2]))
    }
    return lines
  }

  /// Simulates a line through the fastest of every 8 exchanges within 60 s, weighted by their speed.
  static func fastestOfEight(_ talk: SimulatedTalk, seconds: Double) -> [Line] {
    var talk = talk
    var lines: [Line] = []
    var eight: [ClockExchange] = []
    var best: [(at: Double, offset: Double, trip: Double)] = []
    for packet in talk.packets(seconds: seconds) where !packet.backLost {
      eight.append(packet.exchange)
      let now = packet.arrives * 1e-9
      guard eight.count == 8, let fastest = eight.min(by: { $0.roundTrip < $1.roundTrip }) else { continue }
      eight = []
      best.append((fastest.returned.seconds, midpoint(fastest), Double(fastest.roundTrip)))
      best.removeAll { now - $0.at > 60 }
      lines.append(regression(best, from: now))
    }
    return lines
  }

  private static func regression(_ points: [(at: Double, offset: Double, trip: Double)], from now: Double)
    -> Line
  {
    let least = points.map(\.trip).min() ?? 0
    let scale = points.map { $0.trip - least }.sorted()[points.count / 2] + 1e3
    let weights = points.map { 1 / (1 + ($0.trip - least) / scale) / (1 + ($0.trip - least) / scale) }
    let sum = weights.reduce(0, +)
    let at = zip(weights, points).reduce(0) { $0 + $1.0 * $1.1.at } / sum
    let offset = zip(weights, points).reduce(0) { $0 + $1.0 * $1.1.offset } / sum
    guard points.count > 3 else { return Line(from: now, at: at, offset: offset) }
    var (rise, extent) = (0.0, 0.0)
    for (weight, point) in zip(weights, points) {
      rise += weight * (point.at - at) * (point.offset - offset)
      extent += weight * (point.at - at) * (point.at - at)
    }
    return Line(from: now, at: at, offset: offset, slope: rise / extent)
  }

  private static func midpoint(_ exchange: ClockExchange) -> Double {
    Double(exchange.received.nanoseconds - exchange.sent.nanoseconds) / 2
      + Double(exchange.answered.nanoseconds - exchange.returned.nanoseconds) / 2
  }
}
