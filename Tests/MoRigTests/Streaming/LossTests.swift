import MoCore
import MoOSC
import MoRig
import MoRuntime
import MoSensing
import Testing

/// A board that sends a single value when it is opened, and that is unplugged from 5 s to 20 s.
final class UnpluggedBoard: EventTimer {
  let name = "board:1"
  private(set) var nextTime: HostTime?
  private let value: Float
  private let deliver: @Sendable (ChannelReading) -> Void
  private var hasSent = false

  private static let away = HostTime(seconds: 5)..<HostTime(seconds: 20)

  /// The kind of sensor that reads the channel `x` of such a board, whose value is always `value`.
  static func kind(value: Float) -> AnySensorKind {
    AnySensorKind(
      SensorKind<ChannelReading>(
        option: "board", noun: "a board",
        rows: [
          SensorRow(
            "board", forms: ["board:1"], folder: "/proc/self/fdinfo", worksOffline: true, devices: { [] },
            open: { _, opening in
              let now = opening.run.clock.now
              guard !away.contains(now) else {
                throw SensorError.noDevice(path: "/dev/board", advice: "plug it in")
              }
              return OpenSource(UnpluggedBoard(value, from: now, opening.deliver))
            })
        ],
        standIn: { _, _ in throw SensorError.other("") }))
  }

  private init(_ value: Float, from now: HostTime, _ deliver: @escaping @Sendable (ChannelReading) -> Void) {
    (self.value, nextTime, self.deliver) = (value, now, deliver)
  }

  func service(until now: HostTime) throws {
    if !hasSent { deliver(ChannelReading(time: now, channel: ChannelName("x"), value: value)) }
    (hasSent, nextTime) = (true, now < Self.away.lowerBound ? Self.away.lowerBound : nil)
    if Self.away.contains(now) { throw SensorError.wentAway(name: name, reason: "hung up") }
  }
}

@Suite("A rig whose board is unplugged and returns")
struct LossTests {
  private let network = FakeNetwork()
  private let run = Run.virtual()

  @Test("does not repeat the last value while the board is unplugged, and repeats the value after its return")
  func repetition() throws {
    var reading = RigReader.reading(
      "[rig]\nstatistics = 0\nto = pc.local:9000\n[sensor]\nsource = sim:wave\nrepeat = 1\n", file: "rig.conf"
    )
    reading.configuration.streams[0].kind = UnpluggedBoard.kind(value: 7)
    reading.configuration.streams[0].source = "board:1"
    let rig = Rig(reading, machine: "pi", in: run, on: network, log: { _, _ in })
    rig.resolver.update()
    try rig.start()
    rig.play(until: 6, in: run)
    let before = network.messages.count
    #expect((5...6).contains(before))
    rig.play(until: 19.5, in: run)
    #expect(network.messages.count == before)
    rig.play(until: 30, in: run)
    #expect((before + 8...before + 11).contains(network.messages.count))
    rig.stop()
  }
}
