import MoCore
import MoMu
import MoSessionCore

/// The logic that finds members in a directory of services, such as Avahi's, and publishes this member there.
package typealias ServiceFinder = ServiceDirectory<PeerCandidate>

extension ServiceFinder {
  /// Creates a finder that starts at the time `now`.
  ///
  /// - Parameters:
  ///   - record: the record of this member.
  ///   - isHidden: whether this member only looks for other members, and is not published.
  package init(_ record: ServiceRecord, isHidden: Bool, now: HostTime) {
    self.init(
      isHidden: isHidden, now: now, instance: { record.instance(attempt: $0) },
      read: { answer in
        do throws(ServiceRecord.Problem) {
          let found = try ServiceRecord(strings: answer.strings)
          guard found.member != record.member else { return .own }
          let endpoint = SessionEndpoint(
            hinted: answer.address, port: answer.port, on: answer.service.interface)
          guard let endpoint else { return .unreachable }
          return .place(PeerCandidate(member: found.member, room: found.room, endpoint: endpoint))
        } catch {
          return error == .version ? .otherVersion : .malformed
        }
      })
  }
}

extension AvahiFinding<PeerCandidate> {
  /// Starts to look for members, and to publish the record of this member, which listens at `port`.
  convenience init(
    _ record: ServiceRecord, port: UInt16, isHidden: Bool, server: SessionServer, clock: any TimeSource
  ) throws(MoThread.Failure) {
    try self.init(
      ServiceFinder(record, isHidden: isHidden, now: clock.now), type: ServiceRecord.type,
      strings: record.strings, port: port, clock: clock,
      isMissing: { place in server.read { core, _ in core.isMissing(place.member) } ?? false },
      receive: { findings in
        _ = server.perform { core, now in
          for finding in findings {
            switch finding {
            case .hint(let hint): core.add(hint, now: now)
            case .gone(let hint): core.forget(hint)
            }
          }
        }
      })
  }
}

extension SessionEndpoint {
  /// Creates the endpoint to which this member sends a hello, from an address that a directory lists; nil unless a
  /// single other machine has this address.
  ///
  /// Broadcast addresses and this machine's own addresses are refused. Otherwise any machine could make this member
  /// send hellos to all machines, or to local programs with another protocol.
  ///
  /// - Parameter interface: the interface on which a link-local address is valid.
  init?(hinted address: [UInt8], port: UInt16, on interface: Int32) {
    guard address.count == 4 || address.count == 16, port > 0 else { return nil }
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    if address.count == 4 {
      self.init(high: number(address[...]) << 32, port: port)
    } else {
      self.init(high: number(address[..<8]), low: number(address[8...]), port: port, isIPv6: true)
      if needsInterface { scope = UInt32(clamping: interface) }
    }
    guard isAnotherMachine else { return nil }
  }
}
