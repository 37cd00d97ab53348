import Glibc
import MoMu
import MoSessionCore

/// The state of a session that is saved between starts of the program: the installation's ID, and members' addresses.
///
/// The state is a text file with the lines `installation ID`, `machine NUMBER`, and up to 64 times
/// `member ADDRESS ROOM`; the address that was added last is at the end. After a start, the program looks for members
/// only at the saved addresses of the room that it joins.
///
/// If libsodium is installed, the ID is derived from the key in `KeyFile`; a start without libsodium uses the line
/// `installation`. A copied disk or a home folder on a server can bring this file to another machine. The other machine
/// then uses a separate file.
struct PeerCache: Equatable, Sendable {
  var installation: MemberID
  /// Whether the installation's ID was read from the file; if not, the ID is new.
  private(set) var isKnown = false
  /// The hash of the ID of the machine that the saved state belongs to; nil if the machine is not known.
  var machine: UInt64?
  /// The addresses of members, and their rooms; the address that was added last is at the end.
  var members: [Place] = []

  struct Place: Hashable, Sendable {
    var endpoint: SessionEndpoint
    var room: String
  }

  private static let most = 64
  /// The largest number of saved addresses for each room.
  ///
  /// After a start, the members at these addresses report the addresses of all other members.
  private static let mostInRoom = 16

  /// Returns the path of the saved state: `$XDG_STATE_HOME/momu/session`, or `~/.local/state/momu/session`.
  ///
  /// The result is nil if the environment has neither `XDG_STATE_HOME` nor `HOME`.
  static func path(_ environment: [String: String]) -> String? {
    if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return "\(base)/momu/session" }
    return environment["HOME"].map { "\($0)/.local/state/momu/session" }
  }

  /// Returns the path of a machine's saved state, so that machines with a common home folder use separate files.
  ///
  /// If the file at the usual path belongs to another machine, the result is the usual path followed by `-` and
  /// `machine`.
  ///
  /// - Parameter machine: the hash of the machine's ID; nil for the usual path in any case.
  static func path(_ environment: [String: String], machine: UInt64?) -> String? {
    let path = path(environment)
    guard let path, let machine, let other = PeerCache(path: path, machine: nil).machine, other != machine
    else { return path }
    return "\(path)-\(MemberID(machine))"
  }

  /// Returns the path of the key file that belongs to a saved state.
  static func keyPath(_ path: String?) -> String? { path.map { "\($0)-key" } }

  /// Reads the saved state; if the file cannot be read or has no valid ID, the installation gets a new random ID.
  ///
  /// - Parameter machine: the hash of the ID of the machine that the state belongs to from now on; nil to keep the
  ///   machine that the file names.
  init(path: String?, machine: UInt64? = MachineID.installed) {
    installation = .random()
    defer { self.machine = machine ?? self.machine }
    guard let path, let text = WholeFile.text(of: path) else { return }
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2)
      switch (words.first, words.count) {
      case ("installation", 2):
        if let id = MemberID(String(words[1])) { (installation, isKnown) = (id, true) }
      case ("machine", 2): self.machine = MemberID(String(words[1]))?.bits
      case ("member", 3):
        if let endpoint = SessionEndpoint(typed: String(words[1])) {
          members.append(Place(endpoint: endpoint, room: String(words[2])))
        }
      default: break
      }
    }
    members = Array(members.suffix(Self.most))
  }

  /// Returns the addresses of a room's members.
  func places(in room: String) -> [SessionEndpoint] { members.filter { $0.room == room }.map(\.endpoint) }

  /// Adds the address of a room's member to the list; returns whether the list has changed.
  ///
  /// The address is saved with the port that all sessions share, and only if it is local (`isLocal`).
  mutating func store(_ endpoint: SessionEndpoint, in room: String) -> Bool {
    guard endpoint.isLocal else { return false }
    // Each start has new ports; every member also listens at the shared port.
    var place = Place(endpoint: endpoint, room: room)
    place.endpoint.port = SessionSockets.port
    guard members.last != place else { return false }
    let before = members
    members.removeAll { $0 == place }
    members.append(place)
    let inRoom = members.filter { $0.room == room }
    if inRoom.count > Self.mostInRoom { members.removeAll { $0 == inRoom[0] } }
    members = Array(members.suffix(Self.most))
    return members != before
  }

  /// Saves the state atomically.
  ///
  /// - Returns: nil, or the reason why it could not be saved.
  @discardableResult
  func write(to path: String) -> String? {
    WholeFile.write(
      "installation \(installation)\n" + (machine.map { "machine \(MemberID($0))\n" } ?? "")
        + members.map { "member \($0.endpoint.text) \($0.room)\n" }.joined(),
      to: path, isPrivate: true)
  }
}

extension MemberID {
  /// Returns a new random ID.
  static func random() -> MemberID {
    while true {
      let bits = UInt64.random(in: .min ... .max)
      if bits != 0 { return MemberID(bits) }
    }
  }
}

extension SessionEndpoint {
  /// Whether this address is worth saving, so that a later start finds members on a network without multicast.
  ///
  /// The address is worth saving if it is private, link-local, or in the network of an address of this machine.
  var isLocal: Bool { isPrivate || isLinkLocal || isOnLink }

  private var isOnLink: Bool {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return false }
    defer { freeifaddrs(list) }
    var entry = list
    while let each = entry?.pointee {
      entry = each.ifa_next
      if isReached(by: each) { return true }
    }
    return false
  }

  private func isReached(by interface: ifaddrs) -> Bool {
    guard let address = interface.ifa_addr, let mask = interface.ifa_netmask,
      Int32(address.pointee.sa_family) == (isIPv6 ? AF_INET6 : AF_INET)
    else { return false }
    return isIn(Self.bytes(address, isIPv6: isIPv6), mask: Self.bytes(mask, isIPv6: isIPv6))
  }

  /// Returns whether the endpoint is in the network of an address.
  ///
  /// - Parameters:
  ///   - network: the address, in network byte order: 4 bytes for IPv4, 16 for IPv6.
  ///   - mask: the network mask of the address, in the same form. An empty mask matches no endpoint.
  func isIn(_ network: [UInt8], mask: [UInt8]) -> Bool {
    let own =
      (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) }
      + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * $0)) }
    // An empty mask, as of some tunnels, matches nothing.
    return mask.contains { $0 != 0 } && network.count == (isIPv6 ? 16 : 4)
      && zip(zip(own, network), mask).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
  }

  private static func bytes(_ address: UnsafeMutablePointer<sockaddr>, isIPv6: Bool) -> [UInt8] {
    if isIPv6 {
      return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { six in
        withUnsafeBytes(of: six.pointee.sin6_addr) { Array($0) }
      }
    }
    return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { four in
      withUnsafeBytes(of: four.pointee.sin_addr) { Array($0) }
    }
  }
}
