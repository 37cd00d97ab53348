import MoCore
import MoOSC

/// Messages between programs: Open Sound Control over the network.
///
/// ```swift
/// MoNet.on("/tilt") { (x: Float, y: Float) in print(x, y) }
/// try MoNet.send("/drum/hit", 3, 0.8, "left", to: "192.168.0.1:8888")
/// ```
///
/// A target is written `192.168.0.5:8888`, `studio.local:8888` or `[::1]:8888`. `broadcast:8888` means all machines
/// nearby. `224.0.1.9:8888` is a multicast group. `224.0.1.9%wlan0:8888` sends to the group only by the interface
/// `wlan0`. `tcp:` or `slip:` before a host selects a TCP connection. Messages leave from the port on which the
/// program listens, so answers reach the program.
///
/// - Thread: any but the audio callback, unless a member states otherwise.
public enum MoNet {
  // MARK: sending

  /// Sends a message.
  ///
  /// The call returns when the kernel has accepted the message. If a callback of a sensor or of the network sends to
  /// a new host name, the name is looked up in the background, and the message is sent afterwards. Use IP addresses
  /// if every millisecond counts.
  ///
  /// The first message to a TCP target waits for the connection, 3 s at most. A message to a TCP target may still wait
  /// in this program when the call returns. In an offline run, nothing is sent, and no error is thrown.
  ///
  /// - Parameters:
  ///   - address: the address in the other program, such as `/drum/hit`; a pattern is sent unchanged.
  ///   - values: numbers, text, booleans and the other types that `OSCValue` lists.
  ///   - target: the other program, such as `192.168.0.1:8888`.
  /// - Throws: `NetError`, whose text says what to do.
  public static func send(_ address: String, _ values: any OSCValue..., to target: String) throws {
    try NetServer.shared.outbound.send(.message(OSCMessage(address, values: values)), to: target)
  }

  /// Sends a message to a known address, such as the sender of a received message.
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

  /// Sends a message or a bundle to a known address.
  ///
  /// - Throws: `NetError`.
  public static func send(_ packet: OSCPacket, to target: NetAddress) throws {
    try NetServer.shared.outbound.reply(packet, to: NetPeer(address: target))
  }

  /// Sends an encoded packet.
  ///
  /// - Throws: `NetError`.
  package static func send(bytes: UnsafeRawBufferPointer, to target: String) throws(NetError) {
    try NetServer.shared.outbound.send(bytes, to: target)
  }

  /// Sends messages that take effect together.
  ///
  /// - Parameters:
  ///   - time: the time at which the messages take effect; if nil, they take effect on arrival. If the other program
  ///     runs on another machine, a time is useful only if the clocks of both machines agree.
  ///   - messages: the messages that take effect at `time`.
  ///   - target: the other program.
  /// - Throws: `NetError`.
  public static func sendBundle(at time: HostTime? = nil, _ messages: [OSCMessage], to target: String) throws
  {
    let bundle = OSCBundle(time.map { timeTag(of: $0) } ?? .immediate, messages: messages)
    try send(.bundle(bundle), to: target)
  }

  /// Sends the messages that `body` collects, with few system calls; each message is still a separate packet.
  ///
  /// - Throws: `NetError`, and the errors of `body`. If `body` throws, no collected datagram is sent. Messages to a TCP
  ///   target are sent immediately, and stay sent.
  public static func batch(_ body: (inout NetBatch) throws -> Void) throws {
    let outbound = NetServer.shared.outbound
    var batch = NetBatch(outbound)
    try body(&batch)
    try outbound.send(batch)
  }

  /// Checks whether a text is a valid target.
  ///
  /// - Throws: `NetError.badTarget`.
  package static func check(_ target: String) throws(NetError) {
    _ = try NetServer.shared.outbound.target(target)
  }

  /// Looks up the host name of a target and waits for the answer; an answer that is less than a minute old is used
  /// again.
  ///
  /// Afterwards, threads that must not wait can send to this target immediately.
  ///
  /// - Throws: `NetError`.
  package static func find(_ target: String) throws(NetError) {
    let outbound = NetServer.shared.outbound
    _ = try outbound.ends(of: outbound.target(target), later: { _ in })
  }

  // MARK: listening

  /// Listens on a UDP port of all interfaces, in place of the port that was open before; `--net udp:PORT` overrides
  /// `port`.
  ///
  /// The call is needed only to choose a port: if a callback was added, `MoApp.run` listens on 6449 by default.
  /// With `--net none`, and in an offline run, the call does nothing. With `--net tape:FILE`, it plays the tape.
  ///
  /// - Parameters:
  ///   - port: 1 … 65535, or 0 for a free port, which `MoNet.port` then returns. Nil means 6449, or the port of
  ///     `setListeningPort`.
  ///   - interface: accept only messages that arrive on this interface, such as `wlan0`, or on the machine's
  ///     loopback.
  /// - Throws: `NetError.portTaken` and others, whose text says what to do.
  public static func listen(port: Int? = nil, interface: String? = nil) throws {
    try NetServer.shared.listen(port: port, interface: interface)
  }

  /// Listens on a port for TCP connections, in addition to UDP; accepts packets with a length before each packet, and
  /// packets in SLIP.
  ///
  /// With `--net none` or `--net tape:FILE`, and in an offline run, the call opens no port.
  ///
  /// - Throws: `NetError`.
  public static func listenTCP(port: Int) throws { try NetServer.shared.listenTCP(port: port) }

  /// Joins a multicast group: `224.0.1.9` on all interfaces, `224.0.1.9%wlan0` only on the interface `wlan0`.
  ///
  /// When an interface comes back, the group is joined again automatically. If the system refuses a group because the
  /// program has too many memberships, a warning is logged. Linux allows 20 memberships for IPv4. A group that is
  /// joined on three interfaces needs three memberships.
  ///
  /// - Throws: `NetError.noGroup`, `noInterface`.
  public static func join(_ group: String) throws { try NetServer.shared.join(group) }

  /// Leaves a multicast group; `group` must be the same text as in the call of `join(_:)`.
  ///
  /// - Throws: `NetError.noGroup`.
  public static func leave(_ group: String) throws { try NetServer.shared.join(group, leave: true) }

  /// Closes all sockets and connections, and the tape if a tape plays; callbacks stay for the next start.
  ///
  /// The call returns when no callback runs on the network thread. If a callback itself calls `stop()`, the call
  /// returns immediately, and no further callback is called. Callbacks that wait for the main thread or another queue
  /// are dropped. A callback that already runs on the main thread or another queue finishes.
  public static func stop() { NetServer.shared.stop() }

  /// The port on which the program listens; nil if it does not listen.
  public static var port: Int? { NetServer.shared.port }

  // MARK: status

  /// The counts of received and sent messages, by their outcome.
  public static var statistics: NetStatistics { NetServer.shared.statistics }

  /// Calls `callback` for events on the network other than messages.
  ///
  /// - Thread: the callback runs on the thread on which the event occurred.
  @discardableResult
  public static func onEvent(_ callback: @escaping @Sendable (NetEvent) -> Void) -> MoToken {
    NetServer.shared.events.add(callback)
  }

  /// The largest time from the arrival of a bundle to its time tag, in seconds, 0 … 3600; 60 by default.
  ///
  /// A bundle with a later time tag is dropped and counted, since its sender's clock must be wrong.
  public static var horizon: Double {
    get { Double(NetServer.shared.inbound.horizon.load(ordering: .relaxed)) * 1e-9 }
    set {
      let seconds = min(max(newValue.isNaN ? 60 : newValue, 0), 3600)
      NetServer.shared.inbound.horizon.store(Int64(seconds * 1e9), ordering: .relaxed)
    }
  }

  /// Converts a time tag to the host time of this machine.
  public static func time(of tag: OSCTimeTag) -> HostTime {
    tag.hostTime(wallOffset: NetServer.shared.inbound.wallOffset)
  }

  /// Converts a host time of this machine to a time tag.
  public static func timeTag(of time: HostTime) -> OSCTimeTag {
    OSCTimeTag(time, wallOffset: NetServer.shared.inbound.wallOffset)
  }
}

/// An event on the network other than a message.
public enum NetEvent: Sendable, Equatable {
  /// The program listens on this port from now on.
  case listening(port: Int)
  /// Interfaces or addresses appeared or disappeared; the multicast groups have been joined again.
  case interfacesChanged
  /// A TCP connection was made, by either side.
  case connected(NetAddress)
  /// A TCP connection ended; messages that the other side had sent before may still arrive.
  case disconnected(NetAddress, reason: String)
  /// The network reports that a packet did not arrive.
  case undelivered(NetAddress, reason: String)
  /// Messages that were to be sent in the background could not be sent, such as to a name that cannot be found, or on a
  /// connection that cannot be made.
  case failed(target: String, NetError)
}
