import Glibc
import MoNetwork
import MoOSC
import MoRealTime
import MoTime
import Testing

@testable import MoProgram
@testable import MoRig

@Suite("Several sensors of one device")
struct SharedSourceTests {
  private let network = FakeNetwork()
  private let told = Guarded<[String]>([])

  private func rig(_ text: String) throws -> Rig {
    var options = RunOptions()
    options.quiet = true
    return Rig(
      RigReader.reading("[rig]\nstatistics = 0\nto = pc.local:9000\n" + text, file: "rig.conf"),
      machine: "pi", in: Run(options, waitsForDevices: true), on: network,
      log: { [told] _, text in told.withLock { $0.append(text) } })
  }

  private func count(_ address: String) -> Int { network.messages.filter { $0.address == address }.count }

  @Test("two channels of one board arrive, each at its address, with its own rate and dead band")
  func channels() throws {
    let board = try SerialBoard()
    let rig = try rig(
      """
      [sensor light]
      source = serial:\(board.path)
      channel = light
      address = /foyer/light
      [sensor knob]
      source = serial:\(board.path)
      channel = knob
      address = /foyer/knob
      dead-band = 0.5
      """)
    try rig.start()
    defer { rig.stop() }
    var lines = 0
    let hasCome = until(
      { count("/foyer/light") >= 50 && count("/foyer/knob") >= 1 },
      doing: {
        board.send("light: \(lines)\nknob 0.3\n")
        lines += 1
      })
    #expect(hasCome, "light \(count("/foyer/light")), knob \(count("/foyer/knob"))")
    // The knob does not move.
    #expect(count("/foyer/knob") == 1)
    // A line is read once: no sensor takes what is another's.
    let light = network.messages.filter { $0.address == "/foyer/light" }.map { $0.arguments[0].number ?? -1 }
    #expect(zip(light, light.dropFirst()).allSatisfy { $1 == $0 + 1 })
  }
}
