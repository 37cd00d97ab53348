import MIDICore
import MoCore
import Testing

@Suite("Moving values as MIDI messages")
struct ValueStreamTests {
  private func time(_ seconds: Double) -> HostTime { HostTime(seconds: seconds) }

  @Test("a value that trembles about a border between two steps is sent once")
  func trembling() {
    var stream = MIDIValueStream(0)
    var sent: [MIDIMessage] = []
    for index in 0..<1000 {
      stream.set(.control(11), to: index % 2 == 0 ? 40.4 : 40.6)
      stream.send(at: time(Double(index) * 0.01)) { sent.append($0) }
    }
    #expect(sent == [.control(0, 11, 40)])
  }

  @Test("122 values that move all the time share 3,125 bytes a second, and none waits forever")
  func pace() {
    var stream = MIDIValueStream(5)
    var bytes = 0
    var last: [MIDIMessage: Double] = [:]
    var seen: [Int: Int] = [:]
    for index in 0..<2000 {
      for number in 0..<120 { stream.set(.control(number), to: Float(index % 128)) }
      stream.set(.pressure, to: Float(index % 128))
      stream.set(.bend, to: Float(index * 37 % 16384))
      stream.send(at: time(Double(index) * 0.01)) { message in
        bytes += message.bytes.count
        if case .control(_, let number, _) = message { seen[Int(number.value), default: 0] += 1 }
        last[message] = Double(index) * 0.01
      }
    }
    #expect(bytes <= 20 * 3125 + 96 && bytes > 19 * 3125)
    #expect(seen.count == 120 && (seen.values.min() ?? 0) > 100)
  }

  @Test("a value that found no room is sent as soon as there is room, without another movement")
  func later() throws {
    var stream = MIDIValueStream(0)
    for number in 0..<100 { stream.set(.control(number), to: 99) }
    var sent = 0
    stream.send(at: time(1)) { _ in sent += 1 }
    #expect(sent == 32)
    var now = time(1)
    while let next = stream.nextTime {
      #expect(next > now)
      now = next
      stream.send(at: now) { _ in sent += 1 }
    }
    #expect(sent == 100 && abs(now.seconds - 1 - 68 * 3 / 3125.0) < 0.002)
  }

  @Test("NaN and infinite values send nothing")
  func notNumbers() {
    var stream = MIDIValueStream(0)
    for value: Float in [.nan, .infinity, -.infinity] {
      stream.set(.bend, to: value)
      stream.send(at: time(1)) { _ in Issue.record("sent") }
    }
  }
}
