import MoCore
import MoRuntime
import MoSensing
import Testing

@Suite("A needed channel of Industrial I/O")
struct IIOChannelsTests {
  private let chip = FakeFolder(["name": "bmp280", "in_pressure_input": "101", "in_temp_input": "21500"])
  private let clock = ManualClock()
  private let heard = Collected<ChannelReading>()

  private func source(_ channel: String, rate: Double? = nil) throws -> IIOChannels {
    try IIOChannels(
      IIODevice(chip.path), clock: clock, mustAnswer: true,
      need: ChannelNeed(channel: channel, rate: rate), deliver: { [heard] in heard.add($0) })
  }

  /// Polls the source at each of its times.
  private func poll(_ source: IIOChannels, until seconds: Double) throws {
    while let next = source.nextTime, next <= HostTime(seconds: seconds) {
      clock.advance(to: next)
      try source.service(until: clock.now)
    }
  }

  @Test(
    "polls no other channel, at the needed rate, 1 to 50 times a second",
    arguments: [(nil, 101), (1000, 101), (30, 61), (2, 5), (0.1, 3)] as [(Double?, Int)])
  func rate(_ rate: Double?, count: Int) throws {
    try poll(try source("pressure", rate: rate), until: 2)
    #expect(heard.all.count == count)
    #expect(heard.all.allSatisfy { $0.channel.text == "pressure" && $0.value == 101 })
    #expect(heard.all.last?.time ?? .zero > HostTime(seconds: 1.95))
  }

  @Test("a channel with a raw value and a value in its unit delivers only the latter")
  func twoForms() throws {
    chip.write("in_temp_raw", "2150")
    chip.write("in_temp_scale", "10")
    let source = try IIOChannels(IIODevice(chip.path), clock: clock, deliver: { [heard] in heard.add($0) })
    try source.service(until: clock.now)
    // A folder lists its files in any order.
    let readings = heard.all.map { "\($0.channel.text) \($0.value)" }
    #expect(readings.sorted() == ["pressure 101.0", "temp 21500.0"])
  }

  @Test("a differential channel uses the scale and offset that all differential channels share")
  func differential() throws {
    let adc = FakeFolder([
      "name": "mcp3301", "in_voltage0-voltage1_raw": "100", "in_voltage-voltage_scale": "0.5",
      "in_voltage-voltage_offset": "20",
    ])
    let source = try IIOChannels(IIODevice(adc.path), clock: clock, deliver: { [heard] in heard.add($0) })
    try source.service(until: clock.now)
    #expect(heard.all.map(\.value) == [60])
    adc.write("in_voltage-voltage_scale", "nan")
    #expect(throws: SensorError.self) { try IIOChannels(IIODevice(adc.path), clock: clock) { _ in } }
  }

  @Test("channels of the usual rate are polled at the same moments, whenever they were opened")
  func sameMoments() throws {
    var moments: [HostTime] = []
    for begin in [7.0, 7.0034] {
      let clock = ManualClock(HostTime(seconds: begin))
      let source = try IIOChannels(
        IIODevice(chip.path), clock: clock, need: ChannelNeed(channel: "temp"), deliver: { _ in })
      clock.advance(to: HostTime(seconds: 7.1))
      try source.service(until: clock.now)
      if let next = source.nextTime { moments.append(next) }
    }
    #expect(moments.count == 2 && moments[0] == moments[1])
  }

  @Test("a channel whose reads fail for 0.4 s is lost, even if other channels answer")
  func lost() throws {
    let source = try source("pressure", rate: 1)
    try poll(source, until: 1.5)
    #expect(heard.all.count == 2)
    chip.write("in_pressure_input", "")
    let error = #expect(throws: SensorError.self) { try poll(source, until: 10) }
    #expect(error?.description == "iio:\(chip.path) went away (its channel pressure cannot be read)")
    #expect(clock.now < HostTime(seconds: 2.4))
    #expect(heard.all.count == 2)
  }

  @Test("a channel that cannot be read for a moment continues at its rate")
  func busy() throws {
    let source = try source("pressure", rate: 1)
    try poll(source, until: 1.5)
    chip.write("in_pressure_input", "")
    try poll(source, until: 2.11)
    chip.write("in_pressure_input", "102")
    try poll(source, until: 4)
    #expect(heard.all.map(\.value) == [101, 101, 102, 102])
  }

  @Test("a program that waits for devices refuses a chip whose needed channel is missing or unreadable")
  func refused() throws {
    let wrong = #expect(throws: SensorError.self) { try source("presure") }
    #expect(
      wrong?.description
        == "iio:\(chip.path) has no channel presure: did you mean pressure? Use temp or pressure")
    chip.write("in_pressure_input", "")
    let silent = #expect(throws: SensorError.self) { try source("pressure") }
    #expect(
      silent?.description
        == "iio:\(chip.path) cannot read its channel pressure: check its wires, or end the program that reads it"
    )
    #expect(try source("temp").name == "iio:\(chip.path)")
  }
}
