import CMoSystem
import MoCore
import MoOSC
import MoRuntime
import Synchronization

/// The outbound side of a server: it finds targets, encodes packets, and passes the bytes to the sockets.
///
/// - Thread: any but the audio callback.
package final class NetSender: Sendable {
  /// The length of the longest packet that fits a datagram over IPv4, in bytes.
  static let longestDatagram = 65_507

  let sockets: NetSockets
  let names = NetNames()
  private let targets = Locked(NetTargets())
  private let failed = Locked<Set<String>>([])
  let connecting = Locked<[NetTarget: Connecting]>([:])
  let refusals = Locked(NetRefusals())
  let sent = Atomic<Int>(0)
  let unsent = Atomic<Int>(0)
  /// Whether the sockets are open and the network thread runs.
  let isRunning = Atomic<Bool>(false)
  // Not unsafe in fact: the server sets it at its creation, before any other code has this object.
  private(set) nonisolated(unsafe) unowned var server: NetServer?

  init(sockets: NetSockets) { self.sockets = sockets }

  /// Stores the server to which this sender belongs; the server calls this function once.
  func serve(_ server: NetServer) { self.server = server }

  /// Opens a socket and starts the network thread, unless this has been done; returns false offline, when nothing
  /// leaves the program.
  func ready() throws(NetError) -> Bool {
    if isRunning.load(ordering: .acquiring) { return true }
    return try server?.makeReady() ?? false
  }

  /// Sends a packet to a target, given as text.
  package func send(_ packet: OSCPacket, to text: String) throws(NetError) {
    try counted { () throws(NetError) in
      switch try named(text) {
      case .place(let address): try sendDatagram(packet, to: address)
      case .target(let target): try send(Self.encode(packet), to: target)
      }
    }
  }

  /// Sends an encoded packet to a target, given as text.
  package func send(_ bytes: UnsafeRawBufferPointer, to text: String) throws(NetError) {
    try counted { () throws(NetError) in
      switch try named(text) {
      case .place(let address): try send(bytes, to: address)
      case .target(let target): try send([UInt8](bytes), to: target)
      }
    }
  }

  /// Sends a packet to the sender of a received packet: as a datagram, or on the TCP connection of the received packet.
  func reply(_ packet: OSCPacket, to peer: NetPeer) throws(NetError) {
    try counted { () throws(NetError) in
      if peer.stream == 0 { return try sendDatagram(packet, to: peer.address) }
      let bytes = try Self.encode(packet)
      guard let stream = sockets.stream(peer.stream) else {
        throw .disconnected(peer.address.description, reason: "it was closed")
      }
      try put(bytes, on: stream, to: peer.address.description)
    }
  }

  /// Sends a packet as one datagram to a known address.
  private func sendDatagram(_ packet: OSCPacket, to address: NetAddress) throws(NetError) {
    var failure: NetError?
    do throws(OSCError) {
      try packet.withEncoded { bytes in
        do throws(NetError) { try send(bytes, to: address) } catch { failure = error }
      }
    } catch {
      throw .unsendable(error)
    }
    if let failure { throw failure }
  }

  private func send(_ bytes: UnsafeRawBufferPointer, to address: NetAddress) throws(NetError) {
    try Self.checkLength(bytes.count)
    guard try ready() else { return }
    let end = End(address: address, interface: 0)
    try Self.check(send(bytes, to: end), end, bytes.count)
    sent.wrappingAdd(1, ordering: .relaxed)
  }

  private static func checkLength(_ count: Int) throws(NetError) {
    if count > longestDatagram { throw .tooLong(bytes: count, most: longestDatagram) }
  }

  private func counted(_ send: () throws(NetError) -> Void) throws(NetError) {
    do throws(NetError) {
      try send()
    } catch {
      unsent.wrappingAdd(1, ordering: .relaxed)
      throw error
    }
  }

  /// Sends an encoded packet to a target: to all its destinations as datagrams, or on a TCP connection.
  package func send(_ bytes: [UInt8], to target: NetTarget) throws(NetError) {
    if target.transport == .udp { try Self.checkLength(bytes.count) }
    guard try ready() else { return }
    guard target.transport == .udp else { return try sendOnStream(bytes, target) }
    let ends = try ends(of: target, later: resumption(bytes, to: target))
    // A broadcast counts as sent if one of the interfaces accepted it.
    var failure: NetError?
    var hasSent = ends.isEmpty
    for end in ends {
      do throws(NetError) {
        try Self.check(bytes.withUnsafeBytes { send($0, to: end) }, end, bytes.count)
        hasSent = true
      } catch {
        failure = error
      }
    }
    if let failure, !hasSent { throw failure }
    if !ends.isEmpty { sent.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Sends a datagram to a destination; returns 0, or the `errno` of the failure.
  private func send(_ bytes: UnsafeRawBufferPointer, to end: End) -> Int32 {
    sockets.send(
      momu_outgoing(
        bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), length: UInt32(bytes.count),
        interface: UInt32(end.interface), peer: end.address.native))
  }

  private static func check(_ error: Int32, _ end: End, _ count: Int) throws(NetError) {
    guard error != 0 else { return }
    throw NetError(sendingTo: end.address.description, bytes: count, errno: error)
  }

  /// Sends the datagrams of a batch with few system calls; throws the first error.
  package func send(_ batch: borrowing NetBatch) throws(NetError) {
    guard batch.count > 0, try ready() else { return }
    let (count, error) = batch.withItems { sockets.send($0) }
    sent.wrappingAdd(count, ordering: .relaxed)
    unsent.wrappingAdd(batch.count - count, ordering: .relaxed)
    if let error { throw error }
  }

  /// Returns a function to be called when the target's name has been looked up: it sends `bytes`, or reports the error
  /// of the lookup.
  func resumption(_ bytes: [UInt8], to target: NetTarget) -> @Sendable (NetError?) -> Void {
    { [weak self] error in
      guard let self else { return }
      do throws(NetError) {
        if let error { throw error }
        try send(bytes, to: target)
      } catch {
        fail(target, error)
      }
    }
  }

  /// The result of parsing a target's text: usually a single IP address, which needs no lookup; otherwise a
  /// `NetTarget`.
  private enum Named {
    case place(NetAddress)
    case target(NetTarget)
  }

  private func named(_ text: String) throws(NetError) -> Named {
    if let known = targets.withLock({ $0.again(text) }) { return .place(known) }
    let target = try target(text)
    return target.onlyAddress.map { .place($0) } ?? .target(target)
  }

  /// Returns the target that a text names; the result is cached, so that each text is parsed only once.
  func target(_ text: String) throws(NetError) -> NetTarget {
    if let known = targets.withLock({ $0.known(text) }) { return known }
    let target = try NetTarget(text)
    targets.withLock { $0.store(target, text) }
    return target
  }

  /// Discards all cached names, targets and refusals after a change of network, since addresses and the numbers of
  /// interfaces may have changed.
  func networkChanged() {
    names.forget()
    targets.withLock { $0 = NetTargets() }
    refusals.withLock { $0 = NetRefusals() }
  }

  /// Counts `packets` packets as unsent that were to be sent in the background; logs the first error of a target.
  func fail(_ target: NetTarget, _ error: NetError, packets: Int = 1) {
    unsent.wrappingAdd(packets, ordering: .relaxed)
    let isNew = failed.withLock { failed in
      if failed.count >= 256 { failed = [] }
      return failed.insert(target.description).inserted
    }
    if isNew { MoLog.log(.warning, error.description) }
    server?.notify(.failed(target: target.description, error))
  }

  static func encode(_ packet: OSCPacket) throws(NetError) -> [UInt8] {
    do throws(OSCError) { return try packet.encoded() } catch { throw .unsendable(error) }
  }
}
