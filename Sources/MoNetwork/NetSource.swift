import MoCore
import MoOSC
import MoRuntime

/// The source of messages, as `--net` names it.
package enum NetSource: Equatable, Sendable {
  /// The network; if `port` is nil, the program chooses the port.
  case udp(port: Int?)
  case tape(path: String)
  case none

  /// Parses the value of `--net`, such as `udp:6449`, `tape:FILE` or `none`; nil means `udp`.
  ///
  /// - Throws: `NetError.unknownSource`, `badPort`.
  package init(_ text: String?) throws(NetError) {
    guard let text else {
      self = .udp(port: nil)
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    switch (parts[0], parts.count == 2 ? parts[1] : nil) {
    case ("none", nil): self = .none
    case ("udp", nil): self = .udp(port: nil)
    case ("udp", let detail?):
      guard let port = wholeNumber(detail) else { throw .unknownSource(text) }
      guard (1...65_535).contains(port) else { throw .badPort(port) }
      self = .udp(port: port)
    case ("tape", let path?) where !path.isEmpty: self = .tape(path: path)
    default: throw .unknownSource(text)
    }
  }
}

/// A tape that plays in place of the network: the callbacks receive the tape's messages, each at its time.
///
/// The program's input loop drives the tape, so an offline render has each message at its exact frame. The tape also
/// delivers the messages that wait for their time tags.
final class NetTape: EventTimer, @unchecked Sendable {
  // Unchecked: the loop services it from one thread at a time.
  let name: String
  let isFinite = true
  /// The nanoseconds to add to a host time to get the date of the recording, in nanoseconds since 1970.
  let wallOffset: Int64
  private let tape: OSCTapeReader
  private let start: HostTime
  private unowned let server: NetServer
  private var waiting: (packet: OSCPacket, time: HostTime)?

  /// The address that all messages of a tape have as their sender: 127.0.0.1 without a port.
  private static let peer = NetPeer(address: NetAddress(ip: "127.0.0.1", port: 0)!)

  /// Opens a tape whose messages arrive from the host time `start` on.
  ///
  /// - Throws: `NetError.tape`.
  init(path: String, start: HostTime, server: NetServer) throws(NetError) {
    name = "tape:\(path)"
    self.start = start
    self.server = server
    do throws(OSCTapeError) { tape = try OSCTapeReader(path: path) } catch { throw .tape(error.description) }
    wallOffset = tape.start.nanosecondsSince1970 &- start.nanoseconds
    waiting = try next()
  }

  var nextTime: HostTime? {
    let due = server.inbound.nextTime
    guard let waiting else { return due }
    return min(waiting.time, due ?? waiting.time)
  }

  func service(until now: HostTime) throws {
    // Also before an invalid packet ends the tape: it plays up to there.
    defer { server.inbound.deliver(for: server) }
    while let entry = waiting, entry.time <= now {
      let bytes = try? entry.packet.encoded()
      bytes?.withUnsafeBytes { bytes in
        server.inbound.withDispatcher { $0.accept(bytes, from: Self.peer, at: entry.time) }
      }
      waiting = nil
      waiting = try next()
    }
  }

  private func next() throws(NetError) -> (packet: OSCPacket, time: HostTime)? {
    do throws(OSCTapeError) {
      guard let entry = try tape.nextPacket() else {
        if let warning = tape.warning { MoLog.log(.warning, warning) }
        return nil
      }
      return (entry.packet, start.advanced(byNanoseconds: entry.nanoseconds))
    } catch {
      throw .tape(error.description)
    }
  }
}
