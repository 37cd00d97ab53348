import CMoSystem
import Glibc

/// A UDP port of this machine, whose owner reads the datagrams directly, without `MoNet`.
///
/// - Thread: any, but one at a time.
package final class NetPort: Sendable {
  private let socket: NetSocket

  /// Opens the port on all interfaces.
  ///
  /// - Parameter port: 0 for any free port.
  /// - Throws: `NetError.portTaken`, `portForbidden`, `system`.
  package init(_ port: Int, isIPv6: Bool) throws(NetError) {
    do throws(NetError) {
      socket = try NetSocket.open(isV6: isIPv6, port: port)
    } catch {
      throw error.withHolder(isTCP: false)
    }
  }

  /// The descriptor that becomes readable when a datagram has come.
  package var descriptor: Int32 { socket.descriptor }

  /// The port number that the socket is bound to.
  package var port: Int { socket.port }

  /// Copies the next received datagram into `room`; returns the datagram's length and sender, or nil if no datagram
  /// waits.
  ///
  /// A datagram that is longer than `room` is cut.
  package func next(into room: inout [UInt8]) -> (count: Int, sender: NetAddress)? {
    while true {
      var peer = momu_address()
      let count = momu_receive(socket.descriptor, &room, room.count, &peer)
      if count >= 0 { return (Int(count), NetAddress(peer)) }
      // An error report about a datagram that could not be delivered; this port sends nothing, so it is skipped.
      guard count == -ECONNREFUSED || count == -EHOSTUNREACH || count == -EINTR else { return nil }
    }
  }
}

/// Two UDP ports with consecutive numbers on this machine, as RTP-MIDI needs them; for IPv4, and for IPv6 if available.
///
/// - Thread: any, but one at a time.
/// - Real-time safe: `send` is.
package final class NetPortPair {
  /// The number of the first port.
  package let port: Int
  /// The descriptor that is readable while a datagram waits.
  package let descriptor: Int32
  /// The first port's sockets, then the second port's.
  private let sockets: [NetSocket]
  private let inbox: OpaquePointer

  /// The length of the longest datagram that is accepted, in bytes; longer datagrams are dropped.
  ///
  /// A packet of RTP-MIDI has at most 21,503 bytes: a header of 12 bytes, a command list of 2 + 4,095 bytes, and a
  /// recovery journal. The journal has at most 3 + 1,023 + 16 × 1,023 bytes. If the packet were dropped, the peer would
  /// repeat the journal with each packet, and no packet would arrive any more. The kernel provides memory only for the
  /// datagrams that come.
  private static let longest = 22 * 1024
  /// The largest number of batches that a call of `receive` reads from each socket; a batch has up to 16 datagrams.
  ///
  /// Because of this limit, a flood does not block the thread.
  private static let mostBatches = 8

  /// Opens the ports `port` and `port + 1`.
  ///
  /// - Throws: `NetError.portTaken`, `portForbidden`, `system`.
  package init(_ port: Int) throws(NetError) {
    var opened: [NetSocket] = []
    for number in [port, port + 1] {
      do throws(NetError) {
        opened.append(try NetSocket.open(isV6: false, port: number))
        do throws(NetError) {
          opened.append(try NetSocket.open(isV6: true, port: number))
        } catch {
          // A system without IPv6 is no failure.
          if case .portTaken = error { throw error }
        }
      } catch {
        throw error.withHolder(isTCP: false)
      }
    }
    let watch = momu_watch()
    guard watch >= 0, let inbox = momu_inbox_new(16, Int32(Self.longest)) else {
      if watch >= 0 { close(watch) }
      throw .tooManyFiles
    }
    for (index, socket) in opened.enumerated() { _ = momu_watch_add(watch, socket.descriptor, UInt32(index)) }
    (self.port, descriptor, sockets, self.inbox) = (port, watch, opened, inbox)
  }

  deinit {
    close(descriptor)
    momu_inbox_free(inbox)
  }

  /// Calls `emit` for each waiting datagram, with its bytes, its sender, and whether the second port received it.
  ///
  /// The datagrams of the second port come first. A peer of RTP-MIDI sends notes to the second port and its farewell to
  /// the first port. So the notes that the peer sent before its farewell are not lost.
  package func receive(_ emit: (UnsafeBufferPointer<UInt8>, momu_address, _ isSecond: Bool) -> Void) {
    var first: [(bytes: [UInt8], peer: momu_address)] = []
    // The first port is read first: what the peer sent before these datagrams has then arrived at the second port.
    read(sockets[..<(sockets.count / 2)]) { first.append((Array($0), $1)) }
    read(sockets[(sockets.count / 2)...]) { emit($0, $1, true) }
    for datagram in first { datagram.bytes.withUnsafeBufferPointer { emit($0, datagram.peer, false) } }
  }

  private func read(
    _ sockets: ArraySlice<NetSocket>, _ emit: (UnsafeBufferPointer<UInt8>, momu_address) -> Void
  ) {
    for socket in sockets {
      // A report that is not read would wake the thread again and again.
      var reports = 0
      while reports < 64, momu_inbox_report(inbox, socket.descriptor) > 0 { reports += 1 }
      for _ in 0..<Self.mostBatches {
        let count = momu_inbox_receive(inbox, socket.descriptor)
        guard count > 0 else { break }
        for place in 0..<count {
          guard let item = momu_inbox_item(inbox, place)?.pointee, !item.truncated, item.error == 0 else {
            continue
          }
          emit(UnsafeBufferPointer(start: item.bytes, count: Int(item.length)), item.peer)
        }
        if count < 16 { break }
      }
    }
  }

  /// Sends a datagram from the first or the second port; a datagram that cannot be sent is dropped.
  package func send(_ bytes: UnsafeBufferPointer<UInt8>, to address: momu_address, fromSecond: Bool) {
    guard let start = bytes.baseAddress else { return }
    let own = fromSecond ? sockets.count / 2..<sockets.count : 0..<sockets.count / 2
    for index in own where sockets[index].isV6 == (address.is_v6 != 0) {
      var item = momu_outgoing(bytes: start, length: UInt32(bytes.count), interface: 0, peer: address)
      // An error report for an earlier datagram makes the next call fail, so this datagram is sent again.
      for _ in 0..<3 where momu_send(sockets[index].descriptor, &item, 1) > 0 { return }
    }
  }
}
