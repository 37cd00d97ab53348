import Glibc
import MoCore
import MoNetwork
import MoOSC
import MoRuntime
import Synchronization
import Testing

@Suite("A tape in place of the network")
struct NetTapeTests {
  private let path = "/tmp/momu-net-tape-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"

  /// Writes a tape of 2020: two messages, and one in a bundle for half a second later.
  private func writeTape() throws {
    let tape = try OSCTapeWriter(
      path: path, startNanosecondsSince1970: 1_577_836_800_000_000_000, madeBy: "a test")
    for number in 1...2 {
      try tape.write(OSCMessage("/a", [.int32(Int32(number))]), atNanoseconds: Int64(number) * 100_000_000)
    }
    try tape.close()
  }

  private func append(_ bytes: [UInt8]) throws {
    let file = try #require(fopen(path, "a"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  private func options(offline: Bool = true) -> RunOptions {
    var options = RunOptions()
    options.offline = offline
    options.quiet = true
    options.net = "tape:\(path)"
    return options
  }

  @Test("that is damaged plays up to the damage, including the last whole message")
  func damaged() throws {
    try writeTape()
    defer { unlink(path) }
    try append([0, 0, 0, 8] + Array("nonsense".utf8))
    let run = Run(options())
    let net = OfflineNetServer()
    net.listen("/a")
    try net.server.listen(in: run)
    while let next = run.input.nextTime { run.input.service(until: next) }
    #expect(net.popMessages() == ["/a 1.0", "/a 2.0"])
    net.server.stop()
  }

  @Test("keeps its own clock if the program sends meanwhile")
  func sendsMeanwhile() throws {
    try writeTape()
    defer { unlink(path) }
    let tag = OSCTimeTag(nanosecondsSince1970: 1_577_836_800_300_000_000)
    let ahead = OSCBundle(tag, messages: [OSCMessage("/ahead", [])])
    let carrier = OSCBundle(OSCTimeTag(nanosecondsSince1970: 1_577_836_800_200_000_000), [.bundle(ahead)])
    try append(OSCLengthPrefix.frame(try carrier.encoded()))
    let other = try Wire()
    let run = Run(options(offline: false))
    let server = NetServer()
    defer { server.stop() }
    let late = Locked<[Double]>([])
    let pattern = try OSCAddressPattern("/ahead")
    _ = server.inbound.add(
      NetMethod(pattern, policy: .every, late: .play, isAhead: true, wants: "") { _, context in
        late.withLock { $0.append(context.time.seconds(since: context.arrival)) }
        return .taken
      })
    try server.listen(in: run)
    try server.outbound.send(.message(OSCMessage("/hello", [])), to: "127.0.0.1:\(other.port)")
    #expect(other.wait { !late.withLock { $0.isEmpty } })
    #expect(late.withLock { $0 }.map { abs($0 - 0.1) < 1e-6 } == [true])
  }

  @Test("with a tape or without a network, listenTCP opens no port", arguments: ["tape:a.osc", "none"])
  func noTCP(source: String) throws {
    var options = RunOptions()
    options.net = source
    let server = NetServer()
    defer { server.stop() }
    // The port is taken, so an attempt to open it would throw an error.
    let listener = RawConnection.Listener()
    try server.listenTCP(port: listener.port, in: Run(options))
    #expect(server.sockets.port == nil)
  }

  @Test("offline, sent messages go nowhere without an error; invalid ones are still errors")
  func offline() throws {
    let net = OfflineNetServer()
    var options = RunOptions()
    options.offline = true
    try net.server.listen(in: Run(options))
    for target in ["127.0.0.1:9", "broadcast:9", "tcp:127.0.0.1:9", "nobody.invalid:9"] {
      try net.server.outbound.send(.message(OSCMessage("/a", [])), to: target)
    }
    var batch = NetBatch(net.server.outbound)
    try batch.send("/a", to: "127.0.0.1:9")
    try net.server.outbound.send(batch)
    #expect(throws: NetError.badTarget("x", why: "the port is missing")) {
      try net.server.outbound.send(.message(OSCMessage("/a", [])), to: "x")
    }
    #expect(net.server.statistics.sent == 0)
  }
}
