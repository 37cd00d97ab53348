import CMoSystem
import MoMu
import MoSessionCore

/// The location of members as a user types it: an address, or a host name that has to be looked up.
enum PeerPlace: Hashable, Sendable {
  case address(SessionEndpoint)
  case name(String, port: UInt16)

  /// Parses `192.168.0.5`, `2001:db8::5`, `fe80::1%wlan0` or `ada.local`, each with an optional port, such as `:6450`.
  ///
  /// Before a port, an IPv6 address must be in brackets, as in `[2001:db8::5]:6450`. Without a port, 6450 is used.
  ///
  /// - Throws: `SessionError.badPeer`.
  init(_ text: String) throws(SessionError) {
    guard let (host, port) = Self.split(text), port > 0 else { throw .badPeer(text) }
    if let endpoint = SessionEndpoint(host: host, port: port) {
      self = .address(endpoint)
    } else if Self.isName(host) {
      self = .name(host, port: port)
    } else {
      throw .badPeer(text)
    }
  }

  /// Splits a text such as `ada.local:6450` into host and port; nil if the text does not have this form.
  fileprivate static func split(_ text: String) -> (host: String, port: UInt16)? {
    var (host, port) = (Substring(text), Substring())
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard host.contains(":"), rest.isEmpty || rest.hasPrefix(":") && rest.count > 1 else { return nil }
      port = rest.dropFirst()
    } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
      (host, port) = (text[..<colon], text[text.index(after: colon)...])
      guard !port.isEmpty else { return nil }
    }
    guard port.allSatisfy(\.isNumber) else { return nil }
    return port.isEmpty ? (String(host), SessionSockets.port) : UInt16(port).map { (String(host), $0) }
  }

  /// Whether a text is a valid host name (RFC 1123, 2.1): letters, digits, hyphens and dots, not digits alone.
  private static func isName(_ text: String) -> Bool {
    (1...253).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber) || byte == 0x2D || byte == 0x2E
      }
      && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
        (1...63).contains($0.count) && $0.first != "-" && $0.last != "-"
      }
      && text.contains(where: \.isLetter)
  }

  /// Returns the addresses of a host, from the system's resolver; empty if the resolver finds none.
  ///
  /// A lookup may take half a minute.
  static func lookUp(_ name: String, port: UInt16) -> [SessionEndpoint] {
    var found = [momu_address](repeating: momu_address(), count: 8)
    let count = momu_address_resolve_all(name, port, &found, Int32(found.count))
    return found.prefix(max(0, Int(count))).map { SessionEndpoint($0) }.filter(\.isPeer)
  }
}

extension SessionEndpoint {
  /// Parses a numeric address with an optional port, as users type it; nil if the text is invalid.
  ///
  /// The result is also nil for an IPv6 address that is not the address of a single machine.
  package init?(typed text: String) {
    guard let (host, port) = PeerPlace.split(text), port > 0 else { return nil }
    self.init(host: host, port: port)
  }

  fileprivate init?(host: String, port: UInt16) {
    // All four numbers, since the system completes fewer to an unintended address.
    guard host.contains(":") || host.split(separator: ".", omittingEmptySubsequences: false).count == 4,
      let address = NetAddress(ip: host, port: Int(port))
    else { return nil }
    self.init(address.native)
    guard isPeer else { return nil }
  }

  /// Whether a member can be at this address; true for each IPv4 address.
  ///
  /// For IPv6, the address must be that of another machine, or `::1` for another program on this machine.
  fileprivate var isPeer: Bool {
    guard isIPv6 else { return true }
    return isAnotherMachine || high == 0 && low == 1
  }
}

/// The thread `mo-names`, which looks up the host names that the user typed to find members.
///
/// The lookups have their own thread, since a lookup may take half a minute. The thread repeats all lookups, since a
/// machine may start later, or get another address.
///
/// - Thread: any.
final class NameFinding: @unchecked Sendable {
  // Unchecked: `isStopped` is guarded by `lock`.
  private let lock = MoMutex()
  private var isStopped = false
  private let wake = WakeEvent()

  /// The pause after all names were looked up: 60 s if a member is at a typed or found address, otherwise 10 s.
  private static let pause = (found: Duration.seconds(60), missing: Duration.seconds(10))

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - names: the host names to look up, with their ports.
  ///   - known: the addresses that the user typed as numbers, which need no lookup.
  ///   - server: the session that searches for members at all these addresses.
  init(_ names: [(name: String, port: UInt16)], beside known: [SessionEndpoint], server: SessionServer)
    throws(MoThread.Failure)
  {
    _ = try MoThread(name: "mo-names", stackBytes: 256 * 1024) { [self] _ in
      var unknown: Set<String> = []
      while !isOver {
        var places = known
        for (name, port) in names where !isOver {
          let found = PeerPlace.lookUp(name, port: port)
          if found.isEmpty, unknown.insert(name).inserted, !isOver {
            MoLog.log(
              .notice,
              "no machine with the name \(name) was found: MoMu looks again every 10 s; if that does not help, type "
                + "its address")
          }
          places += found
        }
        guard !isOver else { return }
        let isFound = server.perform { core, _ in core.setTyped(places) } ?? true
        _ = wake.wait(for: isFound ? Self.pause.found : Self.pause.missing)
      }
    }
  }

  /// Ends the thread, without waiting for a lookup in progress.
  func stop() {
    lock.withLock { isStopped = true }
    wake.raise()
  }

  private var isOver: Bool { lock.withLock { isStopped } }
}
