import MoCore
import MoOSC
import MoRig
import Testing

@Suite("Channels of a board with noise on its line")
struct SenderTests {
  private let network = FakeNetwork()

  private func sender(_ settings: String) throws -> StreamSender {
    let target = RigTarget("a:9", on: network, now: .zero, log: { _, _ in })
    target.update(now: .zero)
    return StreamSender(
      try RigReader.read("[sensor]\nto = a:9\n" + settings, file: "").streams[0], to: [target])
  }

  /// Makes the channels `names` send the second as their value, once a second, and returns the seconds at which the
  /// channel `watched` was sent.
  private func play(
    _ sender: StreamSender, _ seconds: Range<Int>, watched: String, names: (Int) -> [String]
  ) -> [Int] {
    var moments: [Int] = []
    for second in seconds {
      let now = HostTime(seconds: Double(second))
      let before = network.messages.count
      for name in names(second) { sender.handle([.string(name), .float(Float(second))], at: now) }
      if let next = sender.nextTime, next <= now { sender.service(until: now) }
      let names = network.messages[before...].compactMap(\.arguments.first)
      if names.contains(.string(watched)) { moments.append(second) }
    }
    return moments
  }

  @Test(
    "repeats a channel with one reading until 100 readings of others, and a channel with two without end",
    arguments: [([50], 50...140), ([50, 500], 50...990)])
  func ghost(heard: [Int], sent: ClosedRange<Int>) throws {
    let sender = try sender("source = serial:/dev/ttyACM0\nrepeat = 10")
    let moments = play(sender, 0..<1000, watched: "kfob") {
      heard.contains($0) ? ["knob", "kfob"] : ["knob"]
    }
    #expect(moments.first == sent.lowerBound && moments.last == sent.upperBound, "\(moments)")
    #expect(!moments.contains { (200..<500).contains($0) })
  }

  @Test("repeats a channel with one reading without end if the source has no noise")
  func quietChannel() throws {
    let sender = try sender("source = net\nrepeat = 10")
    let moments = play(sender, 0..<1000, watched: "door") { $0 == 0 ? ["door", "knob"] : ["knob"] }
    #expect(moments == Array(stride(from: 0, to: 1000, by: 10)))
  }

  @Test("400 wrong names from noise do not displace a channel that sends a second reading")
  func room() throws {
    let sender = try sender("source = serial:/dev/ttyACM0\ndead-band = 0.1")
    _ = play(sender, 0..<400, watched: "") { ["noise\($0)", "knob"] }
    let moments = play(sender, 400..<500, watched: "light") { _ in ["light", "knob"] }
    #expect(moments == Array(400..<500))
  }
}
