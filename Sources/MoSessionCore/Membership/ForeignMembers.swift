import MoCore
import MoOSC

/// A member whose version of the protocol is not understood here.
public struct ForeignMember: Hashable, Sendable {
  /// The version that it speaks.
  public var version: Int32
  /// What it calls itself; nil if that cannot be read.
  public var name: String?
  /// Where it is.
  public var endpoint: SessionEndpoint
}

/// Members that were heard and not understood.
struct ForeignMembers: Sendable {
  private(set) var members: [(member: ForeignMember, last: HostTime)] = []

  private static let most = 16
  private static let memory = 10.0

  /// Notes a datagram of another version.
  ///
  /// - Parameter room: the room here; others' members are of no account.
  mutating func note(
    _ datagram: [UInt8], _ version: Int32, from endpoint: SessionEndpoint, room: String, now: HostTime
  ) {
    members.removeAll { now.seconds(since: $0.last) > Self.memory }
    guard let packet = try? OSCPacket(bytes: datagram), case .message(let message) = packet,
      message.address == SessionAddress.hello.rawValue
    else { return }
    // Every version so far begins with these: version, room, member, installation, name.
    var reader = ArgumentReader(message.arguments)
    _ = try? reader.int()
    let named = try? (
      room: reader.text(), member: reader.id(), installation: reader.id(), name: reader.text()
    )
    if let named, named.room != room { return }
    let name = named.map { SessionIdentity.tidy($0.name) }
    let member = ForeignMember(version: version, name: name, endpoint: endpoint)
    members.removeAll { $0.member.endpoint.isSameHost(as: endpoint) && $0.member.name == name }
    if members.count < Self.most { members.append((member, now)) }
  }

  mutating func shift(by nanoseconds: Int64) {
    members = members.map { ($0.member, $0.last.shifted(by: nanoseconds)) }
  }
}
