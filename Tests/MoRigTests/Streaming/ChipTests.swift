import Glibc
import MoCore
import MoOSC
import MoRig
import MoRuntime
import MoSensing
import MoTesting
import Testing

@Suite("A rig with an IIO chip of two channels")
struct ChipTests {
  private let network = FakeNetwork()
  private let chip = Scratch()

  init() {
    write("name", "bmp280")
    write("in_pressure_input", "101")
    write("in_temp_input", "21500")
  }

  private func write(_ name: String, _ text: String) {
    let file = open(chip.file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let bytes = Array((text + "\n").utf8)
    _ = Glibc.write(file, bytes, bytes.count)
    close(file)
  }

  private func rig(_ text: String) -> MoRig.Rig {
    var options = RunOptions()
    options.quiet = true
    return MoRig.Rig(
      RigReader.reading("[rig]\nstatistics = 0.2\nto = pc.local:9000\n" + text, file: "rig.conf"),
      machine: "pi", in: Run(options, waitsForDevices: true), on: network, log: { _, _ in })
  }

  private func sensor(_ name: String, _ settings: String) -> String {
    "[sensor \(name)]\nsource = iio:\(chip.path)\nchannel = \(name)\naddress = /\(name)\n\(settings)\n"
  }

  private func count(_ address: String) -> Int { network.messages.filter { $0.address == address }.count }

  private func wait(for what: String, _ isSo: () -> Bool) {
    let hasCome = until(isSo)
    #expect(hasCome, "\(what) did not come")
  }

  @Test("reads a channel only as often as its rate needs")
  func rate() throws {
    let rig = rig(sensor("pressure", "rate = 5"))
    try rig.start()
    defer { rig.stop() }
    // As the rig's last statistics report them.
    func counts() -> (readings: Double, messages: Double) {
      let values = network.messages.last { $0.address == "/momu/rig/sensor" }?.arguments ?? []
      guard values.count == 6 else { return (0, 0) }
      return (values[3].number ?? 0, values[4].number ?? 0)
    }
    wait(for: "four messages") { counts().messages >= 4 }
    let (readings, messages) = counts()
    #expect(readings >= messages && readings <= messages + 2, "\(readings) readings, \(messages) messages")
  }

  @Test("a filter and a dead band get the usual number of readings at any rate")
  func rules() throws {
    func need(_ source: String, _ settings: String) throws -> ChannelNeed? {
      let text = "[sensor]\nto = a:9\nsource = \(source)\nchannel = x\n\(settings)\n"
      return try RigSource.Key(RigReader.read(text, file: "").streams[0]).need
    }
    #expect(try need("iio:0", "rate = 5\nrepeat = 60") == ChannelNeed(channel: "x", rate: 5))
    for settings in ["", "rate = 5\nsmooth = 1", "rate = 5\ndead-band = 1"] {
      #expect(try need("iio:0", settings) == ChannelNeed(channel: "x"))
    }
    #expect(try need("serial:/dev/ttyACM0", "rate = 5") == nil)
  }

  @Test("reports a channel that cannot be read, reads it again later, and reads the other channel meanwhile")
  func fault() throws {
    write("in_pressure_input", "")
    let rig = rig(sensor("pressure", "") + sensor("temp", ""))
    try rig.start()
    defer { rig.stop() }
    let status =
      "1 of 2 sensors read, 1 of 1 target reached; 1 problem: rig.conf:4: iio:\(chip.path) cannot read its "
      + "channel pressure: check its wires, or end the program that reads it"
    wait(for: "the other channel") { count("/temp") >= 3 }
    #expect(rig.status == status)
    write("in_pressure_input", "101")
    wait(for: "the channel") { count("/pressure") >= 3 }
    #expect(rig.status == "2 of 2 sensors read, 1 of 1 target reached")
    write("in_pressure_input", "")
    wait(for: "the fault") { rig.status == status }
    let before = count("/temp")
    wait(for: "the other channel during the fault") { count("/temp") >= before + 3 }
    wait(for: "the message about the fault") {
      network.messages.contains { $0.address == "/momu/rig/problem" && $0.arguments[1] == .int32(4) }
    }
  }
}
