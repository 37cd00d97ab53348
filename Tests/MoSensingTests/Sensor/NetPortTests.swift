import MoCore
import MoNetwork
import MoRuntime
import MoSensing
import MoTesting
import Testing

/// The tests use the single server of `MoNet`, so they run one after the other, and not beside other suites that use it.
@Suite("The port of sensors that read the network", .serialized, SingleServer.moNet)
struct NetPortTests {
  private let run: Run

  init() {
    var options = RunOptions()
    options.quiet = true
    run = Run(options)
  }

  /// Returns a port that no program uses now.
  private func freePort() throws -> Int {
    let server = NetServer()
    defer { server.stop() }
    try server.listen(port: 0, in: run)
    return try #require(server.port)
  }

  @Test(
    "refuses a second port while a sensor reads the first, and accepts the port when that sensor has stopped")
  func secondPort() throws {
    let (first, second) = (try freePort(), try freePort())
    try #require(first != second)
    let gyro = SensorServer<Rotation>(.gyro)
    let magnet = SensorServer<Field>(.magnet)
    let accel = AccelServer()
    defer {
      for stop in [gyro.stop, magnet.stop, accel.stop] { stop() }
      MoNet.stop()
    }
    try gyro.start(source: "net:\(first)", in: run)
    let refusal = SensorError.other(
      "net:\(second) cannot be read while another sensor reads net:\(first): a program listens on a single port; "
        + "use net:\(first), and set this port in the sender")
    #expect(throws: refusal) { try magnet.start(source: "net:\(second)", in: run) }
    #expect(throws: refusal) { try accel.start(source: "net:\(second)", in: run) }
    #expect(MoNet.port == first)
    try magnet.start(source: "net:\(first)", in: run)
    gyro.stop()
    magnet.stop()
    try accel.start(source: "net:\(second)", in: run)
    #expect(MoNet.port == second)
  }

  @Test("a source without a port cannot be opened while another program uses the usual port")
  func usualPort() throws {
    let other = NetServer()
    try other.listen(port: 0, in: run)
    let taken = try #require(other.port)
    let usual = MoNet.getListeningPort()
    MoNet.setListeningPort(taken)
    let gyro = SensorServer<Rotation>(.gyro)
    let accel = AccelServer()
    defer {
      for stop in [gyro.stop, accel.stop, MoNet.stop] { stop() }
      MoNet.setListeningPort(usual)
    }
    let refusal = NetError.portTaken(taken, by: "this program itself")
    #expect(throws: refusal) { try gyro.start(source: "net", in: run) }
    #expect(throws: refusal) { try accel.start(source: "net", in: run) }
    other.stop()
    try gyro.start(source: "net", in: run)
    try accel.start(source: "net", in: run)
    #expect(MoNet.port == taken)
  }
}
