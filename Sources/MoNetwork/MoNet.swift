import MoCore
import MoOSC

/// Messages between programs: Open Sound Control over the network.
///
/// ```swift
/// MoNet.on("/tilt") { (x: Float, y: Float) in print(x, y) }
/// try MoNet.send("/drum/hit", 3, 0.8, "left", to: "192.168.0.1:8888")
/// ```
///
/// A target is written `192.168.0.5:8888`, `studio.local:8888`, `[::1]:8888`; `broadcast:8888` for everybody
/// nearby; `224.0.1.9:8888` for a multicast group, `224.0.1.9%wlan0:8888` by one interface; `tcp:` or `slip:` in
/// front of a host for a connection. What is sent leaves from the port that is listened on, so an answer comes back.
///
/// - Thread: any but the audio callback, except where a member says otherwise.
public enum MoNet {
  // MARK: sending

  /// Sends a message.
  ///
  /// Returns once the kernel has it. From a sensor's or the network's thread a name that must be looked up first is
  /// looked up in the background; give addresses where every millisecond counts.
  ///
  /// - Parameters:
  ///   - address: where in the other program, such as `/drum/hit`; a pattern is sent as it is.
  ///   - values: numbers, text, truths and what else `OSCValue` lists.
  ///   - target: which program, such as `192.168.0.1:8888`.
  /// - Throws: `NetError`, whose text says what to do.
  public static func send(_ address: String, _ values: any OSCValue..., to target: String) throws {
    try NetServer.shared.outbound.send(.message(OSCMessage(address, values: values)), to: target)
  }

  /// Sends a message to an address that is known, such as a message's sender.
  ///
  /// - Throws: `NetError`.
  public static func send(_ address: String, _ values: any OSCValue..., to target: NetAddress) throws {
    try send(.message(OSCMessage(address, values: values)), to: target)
  }

  /// Sends a message or a bundle.
  ///
  /// - Throws: `NetError`.
  public static func send(_ packet: OSCPacket, to target: String) throws {
    try NetServer.shared.outbound.send(packet, to: target)
  }

  /// Sends a message or a bundle to an address that is known.
  ///
  /// - Throws: `NetError`.
  public static func send(_ packet: OSCPacket, to target: NetAddress) throws {
    try NetServer.shared.outbound.reply(packet, to: NetPeer(address: target))
  }

  /// Sends a packet that is bytes already.
  ///
  /// - Throws: `NetError`.
  package static func send(bytes: UnsafeRawBufferPointer, to target: String) throws(NetError) {
    try NetServer.shared.outbound.send(bytes, to: target)
  }

  /// Sends messages that take effect together.
  ///
  /// - Parameters:
  ///   - time: when; nil for on arrival. Between machines it means something only if their clocks agree.
  ///   - messages: what is to happen then.
  ///   - target: which program.
  /// - Throws: `NetError`.
  public static func sendBundle(at time: HostTime? = nil, _ messages: [OSCMessage], to target: String) throws
  {
    let bundle = OSCBundle(time.map { timeTag(of: $0) } ?? .immediate, messages: messages)
    try send(.bundle(bundle), to: target)
  }

  /// Sends what `body` gathers with few system calls; each message is still a packet of its own.
  ///
  /// - Throws: `NetError`, and what `body` throws; nothing is sent then.
  public static func batch(_ body: (inout NetBatch) throws -> Void) throws {
    let outbound = NetServer.shared.outbound
    var batch = NetBatch(outbound)
    try body(&batch)
    try outbound.send(batch)
  }

  /// Sees whether a text is a target.
  ///
  /// - Throws: `NetError.badTarget`.
  package static func check(_ target: String) throws(NetError) {
    _ = try NetServer.shared.outbound.target(target)
  }

  /// Looks a target's name up, waiting for the answer; one that was looked up a minute ago is looked up anew.
  ///
  /// Threads that must not wait then find it.
  ///
  /// - Throws: `NetError`.
  package static func find(_ target: String) throws(NetError) {
    let outbound = NetServer.shared.outbound
    _ = try outbound.ends(of: outbound.target(target), later: { _ in })
  }

  // MARK: listening

  /// Listens on a UDP port of all interfaces, in place of the one before; `--net udp:PORT` overrides it.
  ///
  /// Needed only to name a port: with a callback added, `MoApp.run` listens on 6449 by itself.
  ///
  /// - Parameters:
  ///   - port: 1 … 65535; nil for 6449, or what `setListeningPort` said.
  ///   - interface: take only what comes by this one, such as `wlan0`, or by the machine's own loop.
  /// - Throws: `NetError.portTaken` and others, whose text says what to do.
  public static func listen(port: Int? = nil, interface: String? = nil) throws {
    try NetServer.shared.listen(port: port, interface: interface)
  }

  /// Listens for TCP connections, too; lengths and SLIP are told apart by themselves.
  ///
  /// - Throws: `NetError`.
  public static func listenTCP(port: Int) throws { try NetServer.shared.listenTCP(port: port) }

  /// Joins a multicast group, such as `224.0.1.9`, on all interfaces, or on one: `224.0.1.9%wlan0`.
  ///
  /// It is joined again by itself when an interface comes back.
  ///
  /// - Throws: `NetError.noGroup`, `noInterface`.
  public static func join(_ group: String) throws { try NetServer.shared.join(group) }

  /// Leaves a group, named as it was joined.
  ///
  /// - Throws: `NetError.noGroup`.
  public static func leave(_ group: String) throws { try NetServer.shared.join(group, leave: true) }

  /// Closes everything; callbacks stay for the next start.
  ///
  /// Returns when no callback runs on the network thread, or at once inside one, which is then the last. What has been
  /// handed over to the main thread or an own queue and has not begun comes to nothing; a call that runs there is left
  /// to end.
  public static func stop() { NetServer.shared.stop() }

  /// The port that is listened on; nil while none is.
  public static var port: Int? { NetServer.shared.port }

  // MARK: looks

  /// What came, what was sent, and what became of it.
  public static var statistics: NetStatistics { NetServer.shared.statistics }

  /// Calls `callback` when something happened on the network apart from messages.
  ///
  /// - Thread: the callback runs on whatever thread it happened on.
  @discardableResult
  public static func onEvent(_ callback: @escaping @Sendable (NetEvent) -> Void) -> MoToken {
    NetServer.shared.events.add(callback)
  }

  /// How far in the future a bundle may lie, in seconds, 0 … 3600; at first 60.
  ///
  /// One beyond it is dropped and counted: its sender's clock is wrong.
  public static var horizon: Double {
    get { Double(NetServer.shared.inbound.horizon.load(ordering: .relaxed)) * 1e-9 }
    set {
      let seconds = min(max(newValue.isNaN ? 60 : newValue, 0), 3600)
      NetServer.shared.inbound.horizon.store(Int64(seconds * 1e9), ordering: .relaxed)
    }
  }

  /// The moment on this machine's clock that a time tag names.
  public static func time(of tag: OSCTimeTag) -> HostTime {
    tag.hostTime(wallOffset: NetServer.shared.inbound.wallOffset)
  }

  /// The time tag of a moment on this machine's clock.
  public static func timeTag(of time: HostTime) -> OSCTimeTag {
    OSCTimeTag(time, wallOffset: NetServer.shared.inbound.wallOffset)
  }
}
